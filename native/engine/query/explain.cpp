// See explain.hpp.
#include "explain.hpp"

#include "engine/window/window_grow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "../../contract/object_score.hpp"
#include "engine/program/step_witness.hpp"

namespace morpho::engine {

const char* name_of(Decides what) {
  switch (what) {
    case Decides::above: return "above";
    case Decides::min_area: return "minArea";
    case Decides::end_area: return "endArea";
    case Decides::hole_area: return "holeArea";
    case Decides::mean: return "mean";
    case Decides::contrast: return "contrast";
    case Decides::level: return "level";
    case Decides::elongation: return "elongation";
    case Decides::ellipticity: return "ellipticity";
    case Decides::rival: return "rival";
    case Decides::peak: return "peak";
    case Decides::marker: return "marker";
    case Decides::opened: return "opened";
    case Decides::border: return "border";
    case Decides::excluded: return "excluded";
    case Decides::curved: return "curved";
  }
  return "";
}

namespace {

i64 value_at(ConstPlane p, i64 index) {
  return visit_pixel_type(p.type, [&](auto t) -> i64 { return static_cast<const decltype(t)*>(p.data)[index]; });
}

/// Pixels by index, ascending.
struct Component {
  std::vector<i32> pixels;
  bool at_rim = false;
};

/// The connected pixels around `start` that are 0 as it is, or not 0 as it is. O(their number) time, and a byte a pixel.
Component connected(ConstPlane p, i64 start, Connectivity by) {
  Component part;
  const bool set = value_at(p, start) != 0;
  const i32 w = p.extent.width, h = p.extent.height;
  std::vector<u8> seen(static_cast<std::size_t>(p.extent.area()), 0);
  std::vector<i32>& all = part.pixels;
  all.push_back(static_cast<i32>(start));
  seen[static_cast<std::size_t>(start)] = 1;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const i32 x = all[k] % w, y = all[k] / w;
    part.at_rim = part.at_rim || x == 0 || y == 0 || x == w - 1 || y == h - 1;
    for (i32 dy = -1; dy <= 1; ++dy) {
      for (i32 dx = -1; dx <= 1; ++dx) {
        if ((dx == 0) == (dy == 0) && (by == Connectivity::four || dx == 0)) continue;
        const i32 nx = x + dx, ny = y + dy;
        if (nx < 0 || ny < 0 || nx >= w || ny >= h) continue;
        const i32 next = ny * w + nx;
        if (seen[static_cast<std::size_t>(next)] || (value_at(p, next) != 0) != set) continue;
        seen[static_cast<std::size_t>(next)] = 1;
        all.push_back(next);
      }
    }
  }
  std::sort(all.begin(), all.end());
  return part;
}

/// Watches the steps that parameters decide.
class Explainer final : public StepWitness {
 public:
  Explainer(const OpTable& ops, Context& ctx, i64 pixel, Extent extent) : ops_(ops), ctx_(ctx), at_(pixel), extent_(extent) {}

  void before(const Step& step, const PlaneOf& plane) override {
    waits_.clear();
    part_.clear();
    if (step.op == Op::keep) {
      const ConstPlane p = plane(step.in[0]);
      found.values.push_back({step.name, static_cast<i32>(value_at(p, at_)), std::get<KeepParams>(step.params).binary});
    }
    if (step.op == Op::better_labels) several_ = true;
    if (step.op == Op::measure) return result(plane(step.in[0]));
    if (step.decisions.empty()) return;
    const auto in = [&](std::size_t k) { return plane(step.in[k]); };
    switch (step.op) {
      case Op::threshold: return above(step, value_at(in(0), at_), std::get<ThresholdParams>(step.params).above);
      case Op::combine: return combined(step, in(0), in(1));
      case Op::area_filter: return area(step, in(0));
      case Op::fill_small_holes: return hole(step, in(0));
      case Op::reconstruct: return marked(step, in(1), plane(step.seen));
      case Op::watershed:
        if (value_at(in(2), at_) != 0) outcome(step);
        return;
      case Op::choose_labels: return label(step, in(0), in(1), in(2));
      case Op::choose_nodes: return node(step, in(0), in(1), in(2));
      default:
        if (value_at(in(0), at_) != 0) outcome(step);
    }
  }
  void after(const Step& step, const PlaneOf& plane) override {
    if (step.decisions.empty() || step.out.empty()) return;
    const bool there = value_at(plane(step.out.back()), at_) != 0;
    for (Judgement& j : waits_) {
      j.kept = there;
      found.judgements.push_back(std::move(j));
    }
    if (!there && !part_.empty()) shape_ = std::move(part_);
  }
  /// Once the program is done; (x, y) is the window's corner in the image.
  Explanation take(i64 x, i64 y) {
    std::sort(shape_.begin(), shape_.end());
    for (const i32 p : shape_) {
      const i32 px = static_cast<i32>(p % extent_.width + x), py = static_cast<i32>(p / extent_.width + y);
      Run* last = found.shape.empty() ? nullptr : &found.shape.back();
      if (last && last->y == py && last->x1 == px) ++last->x1;
      else found.shape.push_back({py, px, px + 1});
    }
    return std::move(found);
  }
  Explanation found;

 private:
  void judge(const Decision& d, std::optional<double> measured, bool kept) {
    found.judgements.push_back({d.what, d.param, measured, d.now, kept});
  }
  /// Kept where the pixel is set after the step.
  void outcome(const Step& step, std::optional<double> measured = std::nullopt) {
    for (const Decision& d : step.decisions) waits_.push_back({d.what, d.param, measured, d.now, false});
  }
  void above(const Step& step, i64 value, i64 limit) {
    for (const Decision& d : step.decisions) judge(d, d.now + static_cast<double>(value - limit) / d.per, value > limit);
  }
  void combined(const Step& step, ConstPlane a, ConstPlane b) {
    const i64 left = value_at(a, at_), right = value_at(b, at_);
    if (step.decisions[0].what == Decides::above) above(step, left, right);
    else if (left != 0 || step.decisions[0].what == Decides::curved) outcome(step);
  }
  void area(const Step& step, ConstPlane f) {
    if (value_at(f, at_) == 0) return;
    const AreaFilterParams& p = std::get<AreaFilterParams>(step.params);
    part_ = connected(f, at_, p.connectivity).pixels;
    areas(step, static_cast<i64>(part_.size()), p.min_area, p.end_area);
  }
  void areas(const Step& step, i64 area, i64 least, i64 end) {
    for (const Decision& d : step.decisions) {
      if (d.what == Decides::min_area) judge(d, static_cast<double>(area), area >= least);
      if (d.what == Decides::end_area) judge(d, static_cast<double>(area), area < end);
    }
  }
  void hole(const Step& step, ConstPlane f) {
    if (value_at(f, at_) != 0) return;
    const AreaFilterParams& p = std::get<AreaFilterParams>(step.params);
    const Component part = connected(f, at_, p.connectivity);
    if (!part.at_rim) outcome(step, static_cast<double>(part.pixels.size()));
  }
  /// A component stays where it holds a marker: `seen` is what markers are cut from.
  void marked(const Step& step, ConstPlane mask, ConstPlane seen) {
    if (value_at(mask, at_) == 0) return;
    part_ = connected(mask, at_, Connectivity::eight).pixels;
    i64 most = 0;
    for (const i32 p : part_) most = std::max(most, value_at(seen, p));
    bool reaches = true;
    for (const Decision& d : step.decisions) {
      if (d.what == Decides::peak) {
        reaches = most > static_cast<i64>(std::floor(d.now));
        judge(d, static_cast<double>(most), reaches);
      } else if (reaches) {
        waits_.push_back({d.what, d.param, std::nullopt, d.now, false});
      }
    }
  }
  void label(const Step& step, ConstPlane labels, ConstPlane value, ConstPlane below) {
    const i64 l = value_at(labels, at_);
    if (l <= 0) return;
    const i64 n = labels.extent.area();
    i64 count = l;
    for (i64 p = 0; p < n; ++p) {
      const i64 other = value_at(labels, p);
      if (other == l) part_.push_back(static_cast<i32>(p));
      count = std::max(count, other);
    }
    const Workspace::Scope temporary(ctx_.workspace);
    LabelSums* sums = ctx_.workspace.take<LabelSums>(static_cast<std::size_t>(count) + 1);
    ops_.label_sums(ctx_, labels, static_cast<i32>(count), value, below, sums);
    const LabelSums& s = sums[l];
    const LabelRule& rule = std::get<LabelRule>(step.params);
    areas(step, s.area, rule.min_area, rule.end_area);
    const double mean = static_cast<double>(s.value) / static_cast<double>(s.area);
    for (const Decision& d : step.decisions) {
      if (d.what == Decides::excluded) waits_.push_back({d.what, d.param, std::nullopt, d.now, false});
      if (d.what == Decides::mean)
        judge(d, mean / d.per, rule.mean_above == kAnyMean || s.value * 1024 > rule.mean_above * s.area);
      if (d.what == Decides::contrast) {
        judge(d, objects::contrast(s.value, s.area, rule.contrast_area, d.per),
              objects::has_contrast(s, rule.contrast, rule.contrast_area, rule.contrast_per));
      }
    }
  }
  /// Of the nodes that hold the pixel the chosen one, else the one that comes closest to being chosen.
  void node(const Step& step, ConstPlane f, ConstPlane parent, ConstPlane order) {
    const Workspace::Scope temporary(ctx_.workspace);
    const NodeRule& rule = std::get<NodeRule>(step.params);
    const Plane at(ctx_.workspace.take<i32>(static_cast<std::size_t>(extent_.area())), PixelType::i32, extent_);
    NodeTable nodes = take_node_table(ctx_.workspace, extent_);
    ops_.max_tree_nodes(ctx_, f, parent, order, at, nodes);
    const auto n = static_cast<std::size_t>(nodes.count);
    NodeSums* sums = ctx_.workspace.take<NodeSums>(n);
    ops_.max_tree_sums(ctx_, at, nodes, sums, false);
    i32* chosen = ctx_.workspace.take<i32>(n + 1);
    ops_.choose_nodes(ctx_, nodes, sums, chosen, rule);
    struct Try {
      i32 node = -1, passed = -1;
      i64 shape = -1;
    } best;
    const auto label_sums = [&](i32 k) {
      const NodeSums& s = sums[k];
      return LabelSums{s.area, s.sum_x, s.sum_y, s.sum_xx, s.sum_yy, s.sum_xy, 0, 0, 0};
    };
    const auto tests = [&](i32 k, const auto& say) {
      const NodeSums& s = sums[k];
      const LabelSums l = label_sums(k);
      const i64 over = s.sum_value - static_cast<i64>(s.parent_value) * s.area;
      const double area = static_cast<double>(s.area);
      say(Decides::min_area, area, s.area >= rule.min_area);
      say(Decides::end_area, area, s.area < rule.end_area);
      say(Decides::level, static_cast<double>(s.value), s.value >= rule.level);
      say(Decides::contrast, static_cast<double>(over) / area, over * 256 >= rule.contrast * s.area);
      say(Decides::elongation, elongation(l), objects::is_compact(l, rule.elongation));
      say(Decides::ellipticity, static_cast<double>(objects::ellipticity_q10(l)) / 1024,
          objects::is_elliptic(l, rule.ellipticity));
    };
    for (i32 k = static_cast<i32>(value_at(at, at_));;) {
      Try here{k, 0, objects::ellipticity_q10(label_sums(k))};
      if (chosen[k] != 0) here.passed = 100;  // and the last such is the chosen one itself
      else tests(k, [&](Decides, double, bool kept) { here.passed += kept; });
      if (here.passed > best.passed || (here.passed == best.passed && (here.passed == 100 || here.shape > best.shape)))
        best = here;
      if (nodes.parent[k] == k) break;
      k = nodes.parent[k];
    }
    bool all = true;
    tests(best.node, [&](Decides what, double measured, bool kept) {
      all = all && kept;
      for (const Decision& d : step.decisions)
        if (d.what == what) judge(d, measured / d.per, kept);
    });
    for (const Decision& d : step.decisions)
      if (d.what == Decides::rival && all) judge(d, std::nullopt, best.passed == 100);
    // Children stand before their parents.
    std::vector<u8> under(n, 0);
    under[static_cast<std::size_t>(best.node)] = 1;
    for (i32 k = best.node; k-- > 0;) under[static_cast<std::size_t>(k)] = under[static_cast<std::size_t>(nodes.parent[k])];
    for (i64 p = 0; p < extent_.area(); ++p)
      if (under[static_cast<std::size_t>(value_at(at, p))]) part_.push_back(static_cast<i32>(p));
  }
  /// Major over minor axis.
  static double elongation(const LabelSums& s) {
    const objects::Moments m = objects::moments(s);
    const double xx = static_cast<double>(m.xx), yy = static_cast<double>(m.yy), xy = static_cast<double>(m.xy);
    const double middle = (xx + yy) / 2, apart = std::sqrt((xx - yy) * (xx - yy) / 4 + xy * xy);
    return middle > apart ? std::sqrt((middle + apart) / (middle - apart)) : 1e6;
  }
  void result(ConstPlane labels) {
    const i64 l = value_at(labels, at_);
    found.inside = l > 0;
    if (!found.inside) return;
    if (several_) std::erase_if(found.judgements, [](const Judgement& j) { return !j.kept; });
    shape_.clear();
    for (i64 p = 0; p < labels.extent.area(); ++p)
      if (value_at(labels, p) == l) shape_.push_back(static_cast<i32>(p));
  }

  const OpTable& ops_;
  Context& ctx_;
  const i64 at_;
  const Extent extent_;
  /// Of several segmentations one is judged. What that one drops may be in an object of another.
  bool several_ = false;
  std::vector<Judgement> waits_;   ///< for what the step gives
  std::vector<i32> part_, shape_;  ///< what is judged; what was last judged and dropped, then the object
};

/// Of the pixel, with the recipe's halo around it.
WindowBounds around(const WindowJob& job, i64 x, i64 y) {
  const i64 halo = std::max<i64>(1, job.plan->halo);
  const i64 x0 = std::max<i64>(0, x - halo), y0 = std::max<i64>(0, y - halo);
  const i64 x1 = std::min<i64>(job.image.width, x + halo + 1), y1 = std::min<i64>(job.image.height, y + halo + 1);
  return {{x0, y0, x1 - x0, y1 - y0}, {x, y, 1, 1}};
}
/// What is asked of it.
WindowJob looking(const WindowJob& job) {
  WindowJob w = job;
  w.want_planes = w.keep_stages = true;
  w.devices = {DeviceName{}};
  return w;
}

void require_pixel(const WindowJob& job, i64 x, i64 y) {
  if (x >= 0 && y >= 0 && x < job.image.width && y < job.image.height) return;
  reject("x and y", "a pixel of the image", std::to_string(x) + "," + std::to_string(y));
}

}  // namespace

Explanation explain(const WindowJob& job, i64 x, i64 y, Resources& resources, const CancelFlag* cancel) {
  require_pixel(job, x, y);
  const WindowBounds first = around(job, x, y);
  i64 pixels = 0;
  Explanation last;
  const auto compute = [&](const WindowBounds& bounds) {
    WindowJob w = job_at(looking(job), bounds);
    WorkspacePool::Lease workspace(resources.workspaces);
    Context ctx{*workspace, job.threads, cancel};
    Explainer explainer(cpu::table(), ctx, w.core.y * w.extent.width + w.core.x, w.extent);
    w.witness = &explainer;
    WindowOutput out = run_larger(w, 0, resources, cancel).output;
    last = explainer.take(w.x, w.y);
    last.certain = out.trust.certified, last.read = out.trust.whole();
    last.pixels = pixels += w.extent.area();
    return out;
  };
  WindowOutput out = compute(first);
  if (out.trust.known && !out.trust.cut.empty()) grow_whole(first, job.image, compute, out);
  return last;
}

Inside is_inside(const WindowJob& job, i64 x, i64 y, Resources& resources, const CancelFlag* cancel) {
  require_pixel(job, x, y);
  const WindowJob w = job_at(looking(job), around(job, x, y));
  const WindowDone done = run_window(w, resources, cancel);
  const i64 px = x - w.x, py = y - w.y;
  const auto& runs = done.output.objects.runs;
  const bool inside = std::any_of(runs.begin(), runs.end(), [&](const Run& r) { return r.y == py && r.x0 <= px && px < r.x1; });
  return {inside, done.output.trust.whole()};
}

}  // namespace morpho::engine
