// Grows windows around what is uncertain.
#include "window_grow.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace morpho::engine {
namespace {

/// Uncertain pixels nearer to each other than this share a window.
constexpr i64 kNear = 96;

struct Box {
  i64 x0, y0, x1, y1;
  bool near(const Box& b) const { return x0 - kNear < b.x1 && b.x0 - kNear < x1 && y0 - kNear < b.y1 && b.y0 - kNear < y1; }
  void add(const Box& b) { x0 = std::min(x0, b.x0), y0 = std::min(y0, b.y0), x1 = std::max(x1, b.x1), y1 = std::max(y1, b.y1); }
};

/// Boxes around runs, none near another.
std::vector<Box> clusters(const std::vector<Run>& runs) {
  std::vector<Box> boxes;
  for (const Run& r : runs) {
    Box box{r.x0, r.y, r.x1, r.y + 1};
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t k = 0; k < boxes.size(); ++k) {
        if (!box.near(boxes[k])) continue;
        box.add(boxes[k]);
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
  }
}

class Grower {
 public:
  Grower(const PlacedWindow& first, Extent image, const std::function<WindowOutput(const PlacedWindow&)>& compute,
         WindowOutput& out)
      : first_(first), image_(image), compute_(compute), out_(out) {}

  /// A window around a part of the core in which that part is certain, its objects in the first window's coordinates.
  std::optional<WindowOutput> certain(const Rect& core) {
    for (i64 halo = 2 * halo_of(first_);; halo *= 2) {
      const PlacedWindow next = around(core, halo);
      if (next.window.width * next.window.height > kMostGrownPixels) return std::nullopt;
      WindowOutput found = compute_(next);
      ++growth.windows;
      growth.pixels += next.window.width * next.window.height;
      add_times(out_, found);
      if (found.certainty.certified) {
        move(found.objects, static_cast<i32>(next.window.x - first_.window.x),
             static_cast<i32>(next.window.y - first_.window.y));
        return found;
      }
    }
  }
  Growth growth;

 private:
  /// The widest: at the image's own edges there is none.
  static i64 halo_of(const PlacedWindow& w) {
    return std::max<i64>({1, w.core.x - w.window.x, w.core.y - w.window.y,
                          w.window.x + w.window.width - w.core.x - w.core.width,
                          w.window.y + w.window.height - w.core.y - w.core.height});
  }
  PlacedWindow around(const Rect& core, i64 halo) const {
    const i64 x0 = std::max<i64>(0, core.x - halo), y0 = std::max<i64>(0, core.y - halo);
    const i64 x1 = std::min<i64>(image_.width, core.x + core.width + halo);
    const i64 y1 = std::min<i64>(image_.height, core.y + core.height + halo);
    return {{x0, y0, x1 - x0, y1 - y0}, core};
  }
  const PlacedWindow& first_;
  const Extent image_;
  const std::function<WindowOutput(const PlacedWindow&)>& compute_;
  WindowOutput& out_;
};

}  // namespace

Growth grow(const PlacedWindow& first, Extent image, bool with_planes,
            const std::function<WindowOutput(const PlacedWindow&)>& compute, WindowOutput& out) {
  Grower grower(first, image, compute, out);
  if (with_planes) {
    if (auto found = grower.certain(first.core)) {
      out.objects = std::move(found->objects);
      out.planes = std::move(found->planes);
      out.certainty = std::move(found->certainty);
    }
    return grower.growth;
  }
  const Rect core{first.core.x - first.window.x, first.core.y - first.window.y, first.core.width, first.core.height};
  const std::vector<Run> uncertain = std::move(out.certainty.uncertain);
  out.certainty.uncertain.clear();
  ObjectSet joined, added;
  Pixels open, taken;
  for (const Box& box : clusters(uncertain)) {
    Pixels here;
    std::vector<Run> runs;
    for (const Run& r : uncertain) {
      if (r.y < box.y0 || r.y >= box.y1 || r.x0 >= box.x1 || r.x1 <= box.x0) continue;
      here.add(r), open.add(r);
      runs.push_back(r);
    }
    const auto found = grower.certain({first.window.x + box.x0, first.window.y + box.y0, box.x1 - box.x0, box.y1 - box.y0});
    if (!found) {
      out.certainty.uncertain.insert(out.certainty.uncertain.end(), runs.begin(), runs.end());
      continue;
    }
    for (const Run& r : runs) out.certainty.certain_pixels += r.x1 - r.x0;
    const ObjectSet& set = found->objects;
    for (std::size_t k = 0; k < set.objects.size(); ++k) {
      const i64 x = set.objects[k].first_x - core.x, y = set.objects[k].first_y - core.y;
      // One that reaches into several clusters is found with each of them.
      const bool owned = x >= 0 && y >= 0 && x < core.width && y < core.height;
      if (!owned || !here.meets(set, k) || taken.meets(set, k)) continue;
      append(added, set, k);
      for (i64 r = set.run_offsets[k]; r < set.run_offsets[k + 1]; ++r) taken.add(set.runs[static_cast<std::size_t>(r)]);
    }
  }
  Pixels still;
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
