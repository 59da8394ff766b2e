// Grows windows around what is uncertain.
#include "window_grow.hpp"

#include <algorithm>
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
  /// Of the window that it is given, about.
  i64 cost(i64 halo) const { return (x1 - x0 + 2 * halo) * (y1 - y0 + 2 * halo); }
};

/// Boxes around runs: two are one where one window costs no more than two.
std::vector<Box> clusters(const std::vector<Run>& runs, i64 halo) {
  std::vector<Box> boxes;
  for (const Run& r : runs) {
    Box box{r.x0, r.y, r.x1, r.y + 1};
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t k = 0; k < boxes.size(); ++k) {
        Box both = box;
        both.add(boxes[k]);
        if (both.cost(halo) > box.cost(halo) + boxes[k].cost(halo)) continue;
        box = both;
        boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(k));
        grown = true;
        break;
      }
    }
    boxes.push_back(box);
  }
  return boxes;
}

/// Pixels as runs by row.
class Pixels {
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

/// A part of the core, in the first window's coordinates: the runs of it that are uncertain, and a box around them.
struct Part {
  Box box;
  std::vector<Run> runs;
};
/// Each run in one of the parts: boxes may cross.
std::vector<Part> parts_of(std::vector<Run> runs, i64 halo) {
  std::vector<Part> parts;
  for (const Box& box : clusters(runs, halo)) {
    Part part{box, {}};
    std::erase_if(runs, [&](const Run& r) {
      if (!box.holds(r)) return false;
      part.runs.push_back(r);
      return true;
    });
    parts.push_back(std::move(part));
  }
  return parts;
}

class Grower {
 public:
  Grower(const PlacedWindow& first, Extent image, const std::function<WindowOutput(const PlacedWindow&)>& compute,
         WindowOutput& out)
      : first_(first), image_(image), compute_(compute), out_(out) {}

  /// The first window's widest: at the image's own edges there is none.
  i64 halo() const {
    const PlacedWindow& w = first_;
    return std::max<i64>({1, w.core.x - w.window.x, w.core.y - w.window.y,
                          w.window.x + w.window.width - w.core.x - w.core.width,
                          w.window.y + w.window.height - w.core.y - w.core.height});
  }
  /// A window around a part of the core, in the first window's coordinates: its halo and `more`; `only_near`: that only at the
  /// sides of the core that the part lies at, as what is cut beyond the others was not what made it uncertain. Nothing where
  /// it would be too large.
  std::optional<WindowOutput> around(const Box& box, i64 more, bool only_near) {
    const Rect core{first_.window.x + box.x0, first_.window.y + box.y0, box.x1 - box.x0, box.y1 - box.y0};
    const Rect& all = first_.core;
    const auto margin = [&](i64 distance) { return halo() + (only_near && distance > kNearSide ? 0 : more); };
    const i64 x0 = std::max<i64>(0, core.x - margin(core.x - all.x));
    const i64 y0 = std::max<i64>(0, core.y - margin(core.y - all.y));
    const i64 right = core.x + core.width, bottom = core.y + core.height;
    const i64 x1 = std::min<i64>(image_.width, right + margin(all.x + all.width - right));
    const i64 y1 = std::min<i64>(image_.height, bottom + margin(all.y + all.height - bottom));
    const PlacedWindow next{{x0, y0, x1 - x0, y1 - y0}, core};
    if (next.window.width * next.window.height > kMostGrownPixels) return std::nullopt;
    WindowOutput found = compute_(next);
    ++growth.windows;
    growth.pixels += next.window.width * next.window.height;
    add_times(out_, found);
    const i32 dx = static_cast<i32>(x0 - first_.window.x), dy = static_cast<i32>(y0 - first_.window.y);
    move(found.objects, dx, dy);
    for (Run& r : found.certainty.uncertain) r.y += dy, r.x0 += dx, r.x1 += dx;
    return found;
  }
  Growth growth;

 private:
  const PlacedWindow& first_;
  const Extent image_;
  const std::function<WindowOutput(const PlacedWindow&)>& compute_;
  WindowOutput& out_;
};

/// What is left of runs within others, given by rows.
std::vector<Run> within(const std::vector<Run>& runs, const std::vector<Run>& others) {
  std::map<i32, std::vector<Run>> rows;
  for (const Run& r : others) rows[r.y].push_back(r);
  std::vector<Run> both;
  for (const Run& r : runs) {
    const auto row = rows.find(r.y);
    if (row == rows.end()) continue;
    for (const Run& o : row->second) {
      const i32 x0 = std::max(r.x0, o.x0), x1 = std::min(r.x1, o.x1);
      if (x0 < x1) both.push_back({r.y, x0, x1});
    }
  }
  return both;
}

}  // namespace

void add_times(WindowOutput& to, const WindowOutput& from) {
  for (const StageTiming& t : from.timings) {
    const auto same = std::find_if(to.timings.begin(), to.timings.end(), [&](const StageTiming& o) {
      return o.stage == t.stage && o.device == t.device && o.variant == t.variant;
    });
    if (same == to.timings.end()) {
      to.timings.push_back(t);
      continue;
    }
    same->ms += t.ms, same->pixels += t.pixels, same->waits += t.waits;
    for (const Work& w : t.work) add_work(same->work, w);
  }
}

Growth grow(const PlacedWindow& first, Extent image, bool with_planes,
            const std::function<WindowOutput(const PlacedWindow&)>& compute, WindowOutput& out) {
  Grower grower(first, image, compute, out);
  const Rect core{first.core.x - first.window.x, first.core.y - first.window.y, first.core.width, first.core.height};
  if (with_planes) {
    const Box all{core.x, core.y, core.x + core.width, core.y + core.height};
    for (i64 more = kMore;; more *= 2) {
      auto found = grower.around(all, more, false);
      if (!found) break;
      if (!found->certainty.certified) continue;
      out.objects = std::move(found->objects);
      out.planes = std::move(found->planes);
      out.certainty = std::move(found->certainty);
      break;
    }
    return grower.growth;
  }
  std::vector<Run> uncertain = std::exchange(out.certainty.uncertain, {});  // before the next round
  ObjectSet joined, added;
  Pixels open, taken, still;
  for (const Run& r : uncertain) open.add(r);
  bool first_round = true;
  for (i64 more = kMore; !uncertain.empty(); more *= first_round ? 1 : 2, first_round = false) {
    std::vector<Run> left;
    for (const Part& part : parts_of(uncertain, grower.halo() + more)) {
      const auto found = grower.around(part.box, more, first_round);
      if (!found) {
        out.certainty.uncertain.insert(out.certainty.uncertain.end(), part.runs.begin(), part.runs.end());
        continue;
      }
      Pixels here, not_here;
      for (const Run& r : part.runs) here.add(r);
      for (const Run& r : found->certainty.uncertain) not_here.add(r);
      const std::vector<Run> still_uncertain = within(part.runs, found->certainty.uncertain);
      for (const Run& r : part.runs) out.certainty.certain_pixels += r.x1 - r.x0;
      for (const Run& r : still_uncertain) out.certainty.certain_pixels -= r.x1 - r.x0;
      left.insert(left.end(), still_uncertain.begin(), still_uncertain.end());
      const ObjectSet& set = found->objects;
      for (std::size_t k = 0; k < set.objects.size(); ++k) {
        const i64 x = set.objects[k].first_x - core.x, y = set.objects[k].first_y - core.y;
        // One that reaches into several parts is found with each of them. What is uncertain of an object all of it is.
        const bool owned = x >= 0 && y >= 0 && x < core.width && y < core.height;
        if (!owned || !here.meets(set, k) || not_here.meets(set, k) || taken.meets(set, k)) continue;
        append(added, set, k);
        for (i64 r = set.run_offsets[k]; r < set.run_offsets[k + 1]; ++r) taken.add(set.runs[static_cast<std::size_t>(r)]);
      }
    }
    uncertain = std::move(left);
  }
  for (const Run& r : out.certainty.uncertain) still.add(r);
  for (std::size_t k = 0; k < out.objects.objects.size(); ++k) {
    const bool stays = !open.meets(out.objects, k) || (still.meets(out.objects, k) && !taken.meets(out.objects, k));
    if (stays) append(joined, out.objects, k);
  }
  for (std::size_t k = 0; k < added.objects.size(); ++k) append(joined, added, k);
  out.objects = in_order(joined);
  out.certainty.certified = out.certainty.uncertain.empty();
  return grower.growth;
}

}  // namespace morpho::engine
