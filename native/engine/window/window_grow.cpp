// Grows windows around what is uncertain.
#include "window_grow.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace morpho::engine {
namespace {

/// A window that did not see enough of what its sides cut is given so much more there, px, then twice that, and so on: what is
/// longer is rare. On CMU-1 and a TCGA slide 64 fail more often, and 128 cost more.
constexpr i64 kMore = 96;
/// Uncertain pixels that are no farther from a side of the core than this are so for what lies beyond that side.
constexpr i64 kNearSide = 64;

struct Box {
  i64 x0, y0, x1, y1;
  void add(const Box& b) { x0 = std::min(x0, b.x0), y0 = std::min(y0, b.y0), x1 = std::max(x1, b.x1), y1 = std::max(y1, b.y1); }
  bool holds(const Run& r) const { return r.y >= y0 && r.y < y1 && r.x0 >= x0 && r.x1 <= x1; }
};

/// Beyond a window's halo, px, at its left, top, right and bottom.
struct Margins {
  std::array<i64, 4> px{};
  i64 step = kMore;  ///< what all sides are given where none of them cuts what is uncertain
  void add(const Margins& m) {
    step = std::max(step, m.step);
    for (std::size_t k = 0; k < px.size(); ++k) px[k] = std::max(px[k], m.px[k]);
  }
};
constexpr Margins kMoreOnAllSides{{kMore, kMore, kMore, kMore}};
/// Pixels that are uncertain, and what the next window around them has.
struct Open {
  Run run;
  Margins margins;
};

/// A part of the core, in the first window's coordinates: the runs of it that are uncertain, and a box around them.
struct Part {
  Box box;
  std::vector<Run> runs;
  Margins margins;

  /// Of the window that it is given, px.
  i64 cost(i64 halo) const {
    return (box.x1 - box.x0 + 2 * halo + margins.px[0] + margins.px[2]) *
           (box.y1 - box.y0 + 2 * halo + margins.px[1] + margins.px[3]);
  }
  void add(const Part& p) {
    box.add(p.box);
    margins.add(p.margins);
    runs.insert(runs.end(), p.runs.begin(), p.runs.end());
  }
};

/// Boxes around runs: two are one where one window costs no more than two.
std::vector<Part> parts_of(const std::vector<Open>& open, i64 halo) {
  std::vector<Part> parts;
  for (const Open& o : open) {
    const Run& r = o.run;
    Part part{{r.x0, r.y, r.x1, r.y + 1}, {r}, o.margins};
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        Part both{part.box, {}, part.margins};
        both.box.add(parts[k].box);
        both.margins.add(parts[k].margins);
        if (both.cost(halo) > part.cost(halo) + parts[k].cost(halo)) continue;
        part.add(parts[k]);
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(k));
        grown = true;
        break;
      }
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

class RunsByRow {
 public:
  void add(const Run& r) { rows_[r.y].push_back(r); }
  bool meets(const Run& r) const {
    const auto row = rows_.find(r.y);
    return row != rows_.end() && std::any_of(row->second.begin(), row->second.end(),
                                             [&](const Run& other) { return other.x0 < r.x1 && r.x0 < other.x1; });
  }
  bool meets(const ObjectSet& set, std::size_t object) const {
    for (i64 r = set.run_offsets[object]; r < set.run_offsets[object + 1]; ++r) {
      if (meets(set.runs[static_cast<std::size_t>(r)])) return true;
    }
    return false;
  }

 private:
  std::map<i32, std::vector<Run>> rows_;
};

void append(ObjectSet& to, const ObjectSet& from, std::size_t object) {
  if (to.run_offsets.empty()) to.run_offsets.push_back(0);
  to.objects.push_back(from.objects[object]);
  for (i64 r = from.run_offsets[object]; r < from.run_offsets[object + 1]; ++r)
    to.runs.push_back(from.runs[static_cast<std::size_t>(r)]);
  to.run_offsets.push_back(static_cast<i64>(to.runs.size()));
}

/// In the coordinates of a window that begins (dx, dy) before. Whole pixels: centroids move exactly.
void move(ObjectSet& set, i32 dx, i32 dy) {
  for (ObjectMeasurement& o : set.objects) {
    o.first_x += dx, o.min_x += dx, o.max_x += dx, o.centroid_x += dx;
    o.first_y += dy, o.min_y += dy, o.max_y += dy, o.centroid_y += dy;
  }
  for (Run& r : set.runs) r.y += dy, r.x0 += dx, r.x1 += dx;
}

/// In raster order of their first pixels, with labels 1, 2, …
ObjectSet in_order(const ObjectSet& set) {
  std::vector<std::size_t> order(set.objects.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const ObjectMeasurement &p = set.objects[a], &q = set.objects[b];
    return p.first_y != q.first_y ? p.first_y < q.first_y : p.first_x < q.first_x;
  });
  ObjectSet out;
  out.run_offsets.push_back(0);
  for (const std::size_t k : order) append(out, set, k);
  for (std::size_t k = 0; k < out.objects.size(); ++k) out.objects[k].label = static_cast<i32>(k + 1);
  return out;
}

Box core_of(const WindowBounds& w) {
  const i64 x = w.core.x - w.window.x, y = w.core.y - w.window.y;
  return {x, y, x + w.core.width, y + w.core.height};
}

class Grower {
 public:
  Grower(const WindowBounds& first, Extent image, const ComputeWindow& compute, WindowOutput& out)
      : first_(first), image_(image), compute_(compute), out_(out) {}

  /// The first window's widest: at the image's own edges there is none.
  i64 halo() const {
    const WindowBounds& w = first_;
    return std::max<i64>({1, w.core.x - w.window.x, w.core.y - w.window.y,
                          w.window.x + w.window.width - w.core.x - w.core.width,
                          w.window.y + w.window.height - w.core.y - w.core.height});
  }
  /// More at the sides of the core that the part lies at: what is cut beyond the others was not what made it uncertain.
  Margins near_sides(const Box& box) const {
    const Box core = core_of(first_);
    const i64 distances[] = {box.x0 - core.x0, box.y0 - core.y0, core.x1 - box.x1, core.y1 - box.y1};
    Margins m;
    for (std::size_t k = 0; k < m.px.size(); ++k) m.px[k] = distances[k] > kNearSide ? 0 : kMore;
    return m;
  }
  /// A window around a part of the core, in the first window's coordinates, and all it gives in these. Nothing where it would
  /// be too large.
  struct Larger {
    WindowOutput out;
    Box window;
    std::array<bool, 4> cut;  ///< which of its sides are not the image's
  };
  std::optional<Larger> around(const Box& box, const Margins& margins) {
    const Rect core{first_.window.x + box.x0, first_.window.y + box.y0, box.x1 - box.x0, box.y1 - box.y0};
    const i64 x0 = std::max<i64>(0, core.x - halo() - margins.px[0]), y0 = std::max<i64>(0, core.y - halo() - margins.px[1]);
    const i64 x1 = std::min<i64>(image_.width, core.x + core.width + halo() + margins.px[2]);
    const i64 y1 = std::min<i64>(image_.height, core.y + core.height + halo() + margins.px[3]);
    const WindowBounds next{{x0, y0, x1 - x0, y1 - y0}, core};
    if (next.window.width * next.window.height > kMostGrownPixels) return std::nullopt;
    WindowOutput found = compute_(next);
    ++growth.windows;
    growth.pixels += next.window.width * next.window.height;
    add_times(out_, found);
    const i32 dx = static_cast<i32>(x0 - first_.window.x), dy = static_cast<i32>(y0 - first_.window.y);
    move(found.objects, dx, dy);
    for (std::vector<Run>* runs : {&found.trust.cut, &found.trust.unreadable})
      for (Run& r : *runs) r.y += dy, r.x0 += dx, r.x1 += dx;
    add_parts(out_.trust.parts, found.trust.parts);
    const Box window{dx, dy, dx + next.window.width, dy + next.window.height};
    return Larger{std::move(found), window, {x0 > 0, y0 > 0, x1 < image_.width, y1 < image_.height}};
  }
  Growth growth;

 private:
  const WindowBounds& first_;
  const Extent image_;
  const ComputeWindow& compute_;
  WindowOutput& out_;
};

/// What the window after `found` has, where it left these pixels uncertain: twice as much where it cut what they are part of,
/// so that a long object is followed along its length; where it cut none of that, more on all sides.
Margins next_margins(const Grower::Larger& found, const RunsByRow& uncertain, const Margins& now) {
  const auto any = [](const std::array<bool, 4>& sides) { return std::find(sides.begin(), sides.end(), true) != sides.end(); };
  std::array<bool, 4> leaves{};
  const ObjectSet& set = found.out.objects;
  for (std::size_t k = 0; k < set.objects.size(); ++k) {
    const ObjectMeasurement& o = set.objects[k];
    const std::array<bool, 4> touches{o.min_x <= found.window.x0, o.min_y <= found.window.y0, o.max_x + 1 >= found.window.x1,
                                      o.max_y + 1 >= found.window.y1};
    std::array<bool, 4> is_cut{};
    for (std::size_t side = 0; side < 4; ++side) is_cut[side] = touches[side] && found.cut[side];
    if (!any(is_cut) || !uncertain.meets(set, k)) continue;
    for (std::size_t side = 0; side < 4; ++side) leaves[side] = leaves[side] || is_cut[side];
  }
  Margins next = now;
  if (any(leaves)) {
    for (std::size_t side = 0; side < 4; ++side)
      if (leaves[side]) next.px[side] = std::max(kMore, 2 * now.px[side]);
    return next;
  }
  for (i64& px : next.px) px += now.step;
  next.step *= 2;
  return next;
}

/// Windows around all of the core: whether one is certain, which then is `out`.
bool certain_as_a_whole(Grower& grower, const Box& core, WindowOutput& out) {
  Margins margins = kMoreOnAllSides;
  while (auto found = grower.around(core, margins)) {
    const Trust& trust = found->out.trust;
    if (trust.known && trust.cut.empty()) {
      found->out.trust.parts = std::move(out.trust.parts);
      out.objects = std::move(found->out.objects);
      out.planes = std::move(found->out.planes);
      out.trust = std::move(found->out.trust);
      return true;
    }
    if (!trust.known) return false;
    RunsByRow those;
    for (const Run& r : trust.cut) those.add(r);
    margins = next_margins(*found, those, margins);
  }
  return false;
}

}  // namespace

void add_times(WindowOutput& to, const WindowOutput& from) {
  for (const StageTiming& t : from.timings) add_timing(to.timings, t);
}

Growth grow_whole(const WindowBounds& first, Extent image, const ComputeWindow& compute, WindowOutput& out) {
  Grower grower(first, image, compute, out);
  certain_as_a_whole(grower, core_of(first), out);
  return grower.growth;
}

Growth grow(const WindowBounds& first, Extent image, Besides besides, const ComputeWindow& compute, WindowOutput& out) {
  Grower grower(first, image, compute, out);
  const Rect core{first.core.x - first.window.x, first.core.y - first.window.y, first.core.width, first.core.height};
  if (besides.planes) {
    if (certain_as_a_whole(grower, core_of(first), out)) return grower.growth;
    // Too large as a whole, or not to be told: its objects, part by part, and planes as they were.
  }
  std::vector<Open> uncertain;
  ObjectSet joined, added;
  RunsByRow open, taken, still;
  for (std::vector<Run>* runs : {&out.trust.cut, &out.trust.limit}) {
    for (const Run& r : std::exchange(*runs, {})) {
      uncertain.push_back({r, kMoreOnAllSides});
      open.add(r);
    }
  }
  for (bool first_round = true; !uncertain.empty(); first_round = false) {
    std::vector<Open> left;
    for (const Part& part : parts_of(uncertain, grower.halo())) {
      const Margins margins = first_round ? grower.near_sides(part.box) : part.margins;
      const auto around = grower.around(part.box, margins);
      if (!around) {
        out.trust.limit.insert(out.trust.limit.end(), part.runs.begin(), part.runs.end());
        continue;
      }
      const WindowOutput& found = around->out;
      RunsByRow here, not_here;
      for (const Run& r : part.runs) here.add(r);
      for (const Run& r : found.trust.cut) not_here.add(r);
      for (const Run& r : found.trust.unreadable) not_here.add(r);
      const std::vector<Run> still_uncertain = within(part.runs, found.trust.cut);
      const std::vector<Run> unread = within(part.runs, found.trust.unreadable);
      out.trust.unreadable.insert(out.trust.unreadable.end(), unread.begin(), unread.end());
      if (!still_uncertain.empty()) {
        RunsByRow those;
        for (const Run& r : still_uncertain) those.add(r);
        const Margins next = next_margins(*around, those, margins);
        for (const Run& r : still_uncertain) left.push_back({r, next});
      }
      const ObjectSet& set = found.objects;
      for (std::size_t k = 0; k < set.objects.size(); ++k) {
        const i64 x = set.objects[k].first_x - core.x, y = set.objects[k].first_y - core.y;
        // One that reaches into several parts is found with each of them. What is uncertain of an object all of it is.
        const bool owned = x >= 0 && y >= 0 && x < core.width && y < core.height;
        if (!(owned || besides.overlapping) || !here.meets(set, k) || not_here.meets(set, k) || taken.meets(set, k)) continue;
        append(added, set, k);
        for (i64 r = set.run_offsets[k]; r < set.run_offsets[k + 1]; ++r) taken.add(set.runs[static_cast<std::size_t>(r)]);
      }
    }
    uncertain = std::move(left);
  }
  for (const Run& r : out.trust.limit) still.add(r);
  for (const Run& r : out.trust.unreadable) still.add(r);
  for (std::size_t k = 0; k < out.objects.objects.size(); ++k) {
    // One that unread pixels made may lie where a window that read them found another.
    const bool stays = !taken.meets(out.objects, k) && (!open.meets(out.objects, k) || still.meets(out.objects, k));
    if (stays) append(joined, out.objects, k);
  }
  for (std::size_t k = 0; k < added.objects.size(); ++k) append(joined, added, k);
  out.objects = in_order(joined);
  out.trust.count();
  return grower.growth;
}

}  // namespace morpho::engine
