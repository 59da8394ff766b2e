// What of components, distances and nodes the uncertain pixels of a window reach.
#include "uncertainty_flood.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "uncertainty_walk.hpp"

namespace morpho::engine {

std::size_t RimLayout::backend(i32 p) const {
  if (!holds(p)) throw BeyondRim{};
  const i32 x = p % window_width - x0, y = p / window_width - y0;
  const auto at = [](i32 row, i32 size, i32 column) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size) + static_cast<std::size_t>(column);
  };
  if (y < top) return at(y, width, x);
  if (y >= height - bottom) return at(y - (height - bottom) + top, width, x);
  const std::size_t bands = at(top + bottom, width, 0);
  if (x < left) return bands + at(y - top, left, x);
  return bands + at(height - top - bottom, left, 0) + at(y - top, right, x - (width - right));
}

UncertaintyFlood::UncertaintyFlood(Extent extent, const CutSides& sides)
    : width_(extent.width), height_(extent.height), cut_{sides.left, sides.top, sides.right, sides.bottom} {}

Uncertainty UncertaintyFlood::fresh() const { return {0, 0, width_, height_, {}}; }
Uncertainty UncertaintyFlood::everything() const { return {}; }
void UncertaintyFlood::intersect(Uncertainty& to, const Uncertainty& with) {
  if (empty(to) || empty(with)) {
    to = everything();
    return;
  }
  to.x0 = std::max(to.x0, with.x0), to.y0 = std::max(to.y0, with.y0);
  to.x1 = std::min(to.x1, with.x1), to.y1 = std::min(to.y1, with.y1);
  if (with.list.empty() || to.list == with.list) return;
  // A pixel may stand in a list twice, which open() mends. Long lists get each pixel once: of planes that are combined again
  // and again they would double each time.
  const std::size_t pixels = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  if (to.list.size() + with.list.size() < pixels / 4) {
    to.list.insert(to.list.end(), with.list.begin(), with.list.end());
    return;
  }
  if (map_.empty()) map_.resize(pixels);
  std::erase_if(to.list, [&](i32 p) {
    const bool again = has(p, listed);
    mark(p, listed);
    return again;
  });
  for (const i32 p : with.list) {
    if (!has(p, listed)) to.list.push_back(p);
    mark(p, listed);
  }
  for (const i32 p : touched_) map_[static_cast<std::size_t>(p)] = 0;
  touched_.clear();
}

void UncertaintyFlood::shrink(Uncertainty& d, i32 by) const {
  if (cut_[0]) d.x0 += by;
  if (cut_[1]) d.y0 += by;
  if (cut_[2]) d.x1 -= by;
  if (cut_[3]) d.y1 -= by;
}

Uncertainty UncertaintyFlood::dilated(Uncertainty d, i32 by) {
  if (by == 0 || empty(d)) return d;
  if (d.list.empty()) {
    shrink(d, by);
    return d;
  }
  open(d);  // leaves out what lies outside, which spreads no farther than the frame
  const std::vector<i32> list = std::move(now_.list);
  d.list.clear();
  shrink(d, by);
  // Rows first, then columns; of pixels side by side each adds what the one before did not.
  std::vector<i32> wide;
  for (const i32 p : list) {
    const i32 x = p % width_, row = p - x;
    const i32 from = x > 0 && has(p - 1, listed) ? x + by : x - by;
    for (i32 u = std::max(from, d.x0); u <= std::min(x + by, d.x1 - 1); ++u) {
      if (has(row + u, climbed)) continue;
      mark(row + u, climbed);
      wide.push_back(row + u);
    }
  }
  for (const i32 p : wide) {
    const i32 y = p / width_, x = p % width_;
    const i32 from = y > 0 && has(p - width_, climbed) ? y + by : y - by;
    for (i32 v = std::max(from, d.y0); v <= std::min(y + by, d.y1 - 1); ++v) {
      if (has(v * width_ + x, visited)) continue;
      mark(v * width_ + x, visited);
      found_.push_back(v * width_ + x);
    }
  }
  add_to(d);
  return d;
}

void UncertaintyFlood::open(const Uncertainty& d) {
  if (map_.empty()) map_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
  now_ = d;
  now_.list.clear();
  for (const i32 p : d.list) {
    const i32 x = p % width_, y = p / width_;
    if (x < d.x0 || y < d.y0 || x >= d.x1 || y >= d.y1 || has(p, listed)) continue;
    mark(p, listed);
    now_.list.push_back(p);
  }
}

void UncertaintyFlood::add_to(Uncertainty& d) {
  if (touched_.size() > map_.size() / 2) too_much_ = true;
  for (const i32 p : touched_) map_[static_cast<std::size_t>(p)] = 0;
  touched_.clear();
  if (too_much_) d = everything();
  else d.list.insert(d.list.end(), found_.begin(), found_.end());
  too_much_ = false;
  found_.clear();
}

template <class In, class Same, class Decides>
void UncertaintyFlood::small_components(i64 enough, In&& in, Same&& same, Decides&& decides) {
  std::vector<i32> seen;
  front([&](i32 start) {
    if (has(start, visited) || !in(start) || too_much_) return;
    seen.assign(1, start);
    mark(start, visited);
    bool decided = static_cast<i64>(seen.size()) >= enough || decides(start);
    for (std::size_t k = 0; k < seen.size() && !decided; ++k) {
      neighbours(seen[k], [&](i32 q) {
        if (decided) return;
        if (has(q, large) && same(seen[k], q)) decided = true;
        if (has(q, visited) || !in(q) || !same(seen[k], q)) return;
        mark(q, visited);
        decided = decided || decides(q);
        seen.push_back(q);
      });
      decided = decided || static_cast<i64>(seen.size()) >= enough;
      if (touched_.size() > map_.size() / 2) {
        too_much_ = true;
        return;
      }
    }
    if (decided) {
      for (const i32 p : seen) mark(p, large);
    } else {
      found_.insert(found_.end(), seen.begin(), seen.end());
    }
  });
}

template <class T>
void UncertaintyFlood::area(const Values<T>& v, bool background, i64 enough) {
  small_components(
      enough, [&](i32 p) { return (v[p] == 0) == background; }, [&](i32 p, i32 q) { return v[p] == v[q]; },
      [](i32) { return false; });
}

template void UncertaintyFlood::area<u8>(const Values<u8>&, bool, i64);
template void UncertaintyFlood::area<i32>(const Values<i32>&, bool, i64);

void UncertaintyFlood::overlapping(const Values<i32>& kept, const Values<i32>& candidates) {
  // Pixels of each image's labels that are found, a label at a time: `large` says so of kept ones, `known` of candidates.
  std::vector<i32> of_kept, of_candidates;
  std::set<i32> unsure;  // candidates
  const auto collect = [&](const Values<i32>& v, u8 bit, i32 start, std::vector<i32>& to) {
    if (v[start] <= 0 || has(start, bit)) return std::size_t{0};
    const std::size_t first = to.size();
    mark(start, bit);
    to.push_back(start);
    for (std::size_t k = first; k < to.size(); ++k) {
      neighbours(to[k], [&](i32 q) {
        if (has(q, bit) || v[q] != v[start]) return;
        mark(q, bit);
        to.push_back(q);
      });
    }
    return to.size() - first;
  };
  const auto candidate = [&](i32 p) {
    if (collect(candidates, known, p, of_candidates) > 0) unsure.insert(candidates[p]);
  };
  // What touches the uncertain may be of any shape. So may a kept object belong to another candidate.
  front([&](i32 p) {
    collect(kept, large, p, of_kept);
    candidate(p);
  });
  for (std::size_t k = 0; k < of_kept.size(); ++k) candidate(of_kept[k]);
  // A candidate wins by itself and by what lies under it, whatever becomes of that: so what belongs to one that may win is
  // the last that is unsure.
  for (std::size_t k = 0, n = of_candidates.size(); k < n; ++k) {
    const std::size_t before = of_kept.size(), pixels = collect(kept, large, of_candidates[k], of_kept);
    std::map<i32, std::size_t> on;
    for (std::size_t q = before; q < of_kept.size(); ++q) ++on[candidates[of_kept[q]]];
    const bool belongs = std::any_of(on.begin(), on.end(),
                                     [&](const auto& o) { return unsure.contains(o.first) && 2 * o.second > pixels; });
    if (!belongs) of_kept.resize(before);
  }
  const auto add = [&](i32 p) {
    if (has(p, visited)) return;
    mark(p, visited);
    found_.push_back(p);
  };
  of_kept.insert(of_kept.end(), of_candidates.begin(), of_candidates.end());
  // What stays or goes beside a pixel decides there too.
  for (const i32 p : of_kept) {
    add(p);
    neighbours(p, add);
  }
}

void UncertaintyFlood::distance(const Values<i32>& squared, i32 limit) {
  // A distance is certain where it is shorter than the way to the uncertain, which is at least as long as the steps of a king.
  // The pixels on the straight way there pass the same test but for rounding, hence the two steps more.
  std::vector<i32> ring, next;
  const auto reach = [&](i32 p, i64 steps) {
    if (has(p, visited) || (steps > 2 && (steps - 2) * (steps - 2) > squared[p]) || (limit > 0 && steps > limit + 2)) return;
    mark(p, visited);
    next.push_back(p);
    if (squared[p] > 0) found_.push_back(p);
  };
  front([&](i32 p) { reach(p, 1); });
  for (i64 steps = 2; !next.empty(); ++steps) {
    ring.swap(next);
    next.clear();
    for (const i32 p : ring) neighbours(p, [&](i32 q) { reach(q, steps); });
    if (touched_.size() > map_.size() / 2) return;
  }
}

void UncertaintyFlood::nodes(const Values<u8>& f, i64 enough, i32 level) {
  // A node of fewer than `enough` pixels that touches the uncertain is uncertain, and so is all inside it. From each pixel of
  // the front its nodes are grown, the brightest neighbour first, until they are as large. Where one meets pixels that are
  // known to be in a node so large at a level that is not lower, it is.
  const std::unique_ptr<u8[]> large_at(new u8[map_.size()]);  // of pixels that are marked so
  std::vector<i32> region, local;
  std::vector<i64> edge;  // a heap, the brightest first: grey values before pixels
  const auto add = [&](i32 p) {
    mark(p, climbed);
    local.push_back(p);
    edge.push_back(i64{f[p]} << 32 | p);
    std::push_heap(edge.begin(), edge.end());
  };
  front([&](i32 start) {
    // The largest small node of a pixel that was found in another's is that other's.
    if (f[start] < level || has(start, visited) || touched_.size() > map_.size() / 2) return;
    region.clear(), local.clear(), edge.clear();
    add(start);
    i32 at = f[start];
    std::size_t whole = 0;
    bool is_large = false;
    while (!edge.empty()) {
      const i32 value = static_cast<i32>(edge.front() >> 32), p = static_cast<i32>(edge.front() & 0x7fffffff);
      if (value < at) {
        whole = region.size();
        at = value;
      }
      if (at < level) break;
      std::pop_heap(edge.begin(), edge.end());
      edge.pop_back();
      region.push_back(p);
      is_large = static_cast<i64>(region.size()) >= enough || (has(p, large) && large_at[static_cast<std::size_t>(p)] >= at);
      if (is_large) break;
      neighbours(p, [&](i32 q) {
        if (!has(q, climbed)) add(q);
      });
    }
    if (edge.empty() && !is_large) whole = region.size();
    if (is_large) {
      for (const i32 p : region) {
        u8& level_of = large_at[static_cast<std::size_t>(p)];
        level_of = static_cast<u8>(has(p, large) ? std::max<i32>(level_of, at) : at);
        mark(p, large);
      }
    }
    for (std::size_t k = 0; k < whole; ++k) {
      if (has(region[k], visited)) continue;
      mark(region[k], visited);
      found_.push_back(region[k]);
    }
    for (const i32 p : local) map_[static_cast<std::size_t>(p)] &= static_cast<u8>(~climbed);
  });
}

void UncertaintyFlood::marked_components(const Values<u8>& marker, const Values<u8>& mask) {
  // Those with a certain marker are "large": what is seen of them is enough.
  small_components(
      INT64_MAX, [&](i32 p) { return mask[p] != 0; }, [](i32, i32) { return true; }, [&](i32 p) { return marker[p] != 0; });
}

}  // namespace morpho::engine
