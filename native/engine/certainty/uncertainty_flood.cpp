// What of components, distances and nodes the uncertain pixels of a window reach.
#include "uncertainty_flood.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "uncertainty_walk.hpp"

namespace morpho::engine {

UncertaintyFlood::UncertaintyFlood(Extent extent, const CutSides& sides)
    : width_(extent.width),
      height_(extent.height),
      cut_{sides.left, sides.top, sides.right, sides.bottom},
      rows_(std::max(1, extent.width)) {}

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
  if (to.list.size() + with.list.size() < pixel_count() / 4) {
    to.list.insert(to.list.end(), with.list.begin(), with.list.end());
    return;
  }
  make_map();
  std::erase_if(to.list, [&](i32 p) {
    const bool again = has(p, listed);
    mark(p, listed);
    return again;
  });
  for (const i32 p : with.list) {
    if (!has(p, listed)) to.list.push_back(p);
    mark(p, listed);
  }
  clear_touched();
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
    const i32 x = pixel(p).x, row = p - x;
    const i32 from = x > 0 && has(p - 1, listed) ? x + by : x - by;
    for (i32 u = std::max(from, d.x0); u <= std::min(x + by, d.x1 - 1); ++u) {
      if (has(row + u, climbed)) continue;
      mark(row + u, climbed);
      wide.push_back(row + u);
    }
  }
  for (const i32 p : wide) {
    const auto [at, x, y] = pixel(p);
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
  make_map();
  now_ = {d.x0, d.y0, d.x1, d.y1, {}};
  for (const i32 p : d.list) {
    if (has(p, listed) || !in_frame(pixel(p))) continue;
    mark(p, listed);
    now_.list.push_back(p);
  }
}

void UncertaintyFlood::add_to(Uncertainty& d) {
  if (most_touched()) too_much_ = true;
  clear_touched();
  if (too_much_) d = everything();
  else d.list.insert(d.list.end(), found_.begin(), found_.end());
  too_much_ = false;
  found_.clear();
}

void UncertaintyFlood::add_uncertain_runs(i32 y, i32 left, i32 right, std::vector<Run>& to) const {
  const bool in_rows = y >= now_.y0 && y < now_.y1;
  const i32 sure_from = in_rows ? std::clamp(now_.x0, left, right) : right, sure_to = std::clamp(now_.x1, sure_from, right);
  const u8* marks = map_.data() + kPadding + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
  i32 begin = left, x = sure_from;  // uncertain from `begin` to x
  while (x < sure_to) {
    while (x < sure_to && marks[x]) ++x;
    if (x == sure_to) break;
    if (begin < x) to.push_back({y, begin, x});
    for (u64 eight = 0; x + 8 <= sure_to; x += 8) {
      std::memcpy(&eight, marks + x, sizeof eight);
      if (eight != 0) break;
    }
    while (x < sure_to && !marks[x]) ++x;
    begin = x;
  }
  if (begin < right) to.push_back({y, begin, right});
}

template <class MemberFrom, class Decides>
void UncertaintyFlood::small_components(i64 enough, MemberFrom&& member_from, Decides&& decides) {
  std::vector<i32> seen;
  front(visited | large, [&](const Pixel& start) {
    if (has(start.at, visited | large) || too_much_) return;
    const auto member = member_from(start);
    if (!member(start)) return;
    seen.assign(1, start.at);
    mark(start.at, visited);
    bool decided = enough <= 1 || decides(start);
    for (std::size_t k = 0; k < seen.size() && !decided; ++k) {
      neighbours(pixel(seen[k]), visited, [&](const Pixel& q) {
        if (decided || !member(q)) return;
        decided = has(q.at, large);
        if (decided) return;
        mark(q.at, visited);
        decided = decides(q);
        seen.push_back(q.at);
      });
      decided = decided || static_cast<i64>(seen.size()) >= enough;
      if (most_touched()) {
        too_much_ = true;
        return;
      }
    }
    if (decided) {
      for (const i32 p : seen) {
        unmark(p, visited);
        mark(p, large);
      }
    } else {
      found_.insert(found_.end(), seen.begin(), seen.end());
    }
  });
}

template <class T>
void UncertaintyFlood::area(const Values<T>& v, bool background, i64 enough) {
  const auto of_value = [&](const Pixel& start) {
    const T value = v[start];
    return [&v, value, is = (value == 0) == background](const Pixel& p) { return is && v[p] == value; };
  };
  small_components(enough, of_value, [](const Pixel&) { return false; });
}

template void UncertaintyFlood::area<u8>(const Values<u8>&, bool, i64);
template void UncertaintyFlood::area<i32>(const Values<i32>&, bool, i64);

void UncertaintyFlood::marked_components(const Values<u8>& marker, const Values<u8>& mask) {
  // Those with a certain marker are "large": what is seen of them is enough.
  const auto of_mask = [&](const Pixel&) { return [&](const Pixel& p) { return mask[p] != 0; }; };
  small_components(INT64_MAX, of_mask, [&](const Pixel& p) { return marker[p] != 0; });
}

void UncertaintyFlood::overlapping(const Values<i32>& kept, const Values<i32>& candidates) {
  // Pixels of each image's labels that are found, a label at a time: `large` says so of kept ones, `known` of candidates.
  std::vector<i32> of_kept, of_candidates;
  std::set<i32> unsure;  // candidates
  const auto collect = [&](const Values<i32>& v, u8 bit, const Pixel& start, std::vector<i32>& to) {
    if (has(start.at, bit)) return std::size_t{0};
    const i32 label = v[start];
    if (label <= 0) return std::size_t{0};
    const std::size_t first = to.size();
    mark(start.at, bit);
    to.push_back(start.at);
    for (std::size_t k = first; k < to.size(); ++k) {
      neighbours(pixel(to[k]), bit, [&](const Pixel& q) {
        if (v[q] != label) return;
        mark(q.at, bit);
        to.push_back(q.at);
      });
    }
    return to.size() - first;
  };
  const auto candidate = [&](const Pixel& p) {
    if (collect(candidates, known, p, of_candidates) > 0) unsure.insert(candidates[p]);
  };
  // What touches the uncertain may be of any shape. So may a kept object belong to another candidate.
  front(0, [&](const Pixel& p) {
    collect(kept, large, p, of_kept);
    candidate(p);
  });
  for (std::size_t k = 0; k < of_kept.size(); ++k) candidate(pixel(of_kept[k]));
  // A candidate wins by itself and by what lies under it, whatever becomes of that: so what belongs to one that may win is
  // the last that is unsure.
  for (std::size_t k = 0, n = of_candidates.size(); k < n; ++k) {
    const std::size_t before = of_kept.size(), pixels = collect(kept, large, pixel(of_candidates[k]), of_kept);
    std::map<i32, std::size_t> on;
    for (std::size_t q = before; q < of_kept.size(); ++q) ++on[candidates[pixel(of_kept[q])]];
    const bool belongs = std::any_of(on.begin(), on.end(),
                                     [&](const auto& o) { return unsure.contains(o.first) && 2 * o.second > pixels; });
    if (!belongs) of_kept.resize(before);
  }
  const auto add = [&](const Pixel& p) {
    if (has(p.at, visited)) return;
    mark(p.at, visited);
    found_.push_back(p.at);
  };
  of_kept.insert(of_kept.end(), of_candidates.begin(), of_candidates.end());
  // What stays or goes beside a pixel decides there too.
  for (const i32 p : of_kept) {
    const Pixel at = pixel(p);
    add(at);
    neighbours(at, visited, add);
  }
}

void UncertaintyFlood::distance(const Values<i32>& squared, i32 limit) {
  // A distance is certain where it is shorter than the way to the uncertain, which is at least as long as the steps of a king.
  // The pixels on the straight way there pass the same test but for rounding, hence the two steps more.
  std::vector<i32> ring, next;
  const auto reach = [&](const Pixel& p, i64 steps) {
    if (limit > 0 && steps > limit + 2) return;
    const i32 value = squared[p];
    if (steps > 2 && (steps - 2) * (steps - 2) > value) return;
    mark(p.at, visited);
    next.push_back(p.at);
    if (value > 0) found_.push_back(p.at);
  };
  front(visited, [&](const Pixel& p) {
    if (!has(p.at, visited)) reach(p, 1);
  });
  for (i64 steps = 2; !next.empty(); ++steps) {
    ring.swap(next);
    next.clear();
    for (const i32 p : ring) neighbours(pixel(p), visited, [&](const Pixel& q) { reach(q, steps); });
    if (most_touched()) return;
  }
}

void UncertaintyFlood::nodes(const Values<u8>& f, i64 enough, i32 level) {
  // A node of fewer than `enough` pixels that touches the uncertain is uncertain, and so is all inside it. From each pixel of
  // the front its nodes are grown, the brightest neighbour first, until they are as large. Where one meets pixels that are
  // known to be in a node so large at a level that is not lower, it is.
  const std::unique_ptr<u8[]> large_at(new u8[pixel_count()]);  // of pixels that are marked so
  std::vector<i32> region, local;
  std::vector<i64> edge;  // a heap, the brightest first: grey values before pixels
  const auto add = [&](const Pixel& p) {
    mark(p.at, climbed);
    local.push_back(p.at);
    edge.push_back(i64{f[p]} << 32 | p.at);
    std::push_heap(edge.begin(), edge.end());
  };
  front(visited, [&](const Pixel& start) {
    // The largest small node of a pixel that was found in another's is that other's.
    if (has(start.at, visited) || most_touched()) return;
    i32 at = f[start];
    if (at < level) return;
    region.clear(), local.clear(), edge.clear();
    add(start);
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
      neighbours(pixel(p), climbed, add);
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
    for (const i32 p : local) unmark(p, climbed);
  });
}

}  // namespace morpho::engine
