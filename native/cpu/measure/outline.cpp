// Exact outlines of an object from its runs, and their optional simplification.
#include <algorithm>
#include <utility>

#include "cpu/cpu_ops.hpp"

// The border of a set of pixels is made of vertical sides (the two ends of each run) joined by horizontal pieces. Walking with
// the object on the left as seen on screen, the left end of a run leads down and its right end leads up; where the walk goes at
// a side's end depends on the adjacent row alone. Where two pixels touch at a corner only, the walk turns left, around its own
// pixel: that is 4-connected foreground. Each side belongs to one ring, so the walk visits every side once.

namespace morpho::cpu {

namespace {

class Tracer {
 public:
  Tracer(const Run* runs, i64 count) : runs_(runs), count_(count), seen_(static_cast<std::size_t>(2 * count), false) {
    y0_ = runs[0].y;
    rows_.assign(static_cast<std::size_t>(i64{runs[count - 1].y} - y0_ + 2), count);
    for (i64 i = count - 1; i >= 0; --i) rows_[static_cast<std::size_t>(runs[i].y - y0_)] = i;
    // A row without runs begins where the next one does.
    for (std::size_t k = rows_.size() - 1; k-- > 0;) {
      if (rows_[k] == count || runs[rows_[k]].y != y0_ + static_cast<i64>(k)) rows_[k] = rows_[k + 1];
    }
  }

  std::vector<Ring> trace() {
    std::vector<Ring> outer, holes;
    for (i64 i = 0; i < count_; ++i) {
      if (seen_[static_cast<std::size_t>(2 * i)]) continue;  // every ring leads down somewhere, so down-sides find them all
      Ring ring = walk(i);
      (ring.hole ? holes : outer).push_back(std::move(ring));
    }
    for (Ring& r : holes) outer.push_back(std::move(r));
    return outer;
  }

 private:
  struct Side {
    i64 run;
    bool up;
  };
  i32 x_of(Side s) const { return s.up ? runs_[s.run].x1 : runs_[s.run].x0; }

  std::pair<i64, i64> row(i64 y) const {
    const i64 k = y - y0_;
    if (k < 0 || k + 1 >= static_cast<i64>(rows_.size())) return {0, 0};
    return {rows_[static_cast<std::size_t>(k)], rows_[static_cast<std::size_t>(k) + 1]};
  }
  /// The first run of a row whose end lies right of x.
  i64 first_ending_after(std::pair<i64, i64> row, i32 x) const {
    return std::upper_bound(runs_ + row.first, runs_ + row.second, x, [](i32 v, const Run& r) { return v < r.x1; }) - runs_;
  }

  /// The side after the left end of run k, at corner (x0, y + 1).
  Side after_down(i64 k) const {
    const auto below = row(i64{runs_[k].y} + 1);
    const i32 x = runs_[k].x0;
    const i64 b = first_ending_after(below, x);
    if (b < below.second && runs_[b].x0 <= x) {  // the pixel below is of the object: run b
      if (runs_[b].x0 == x) return {b, false};
      // Left along the top of b, until the run before k hangs over it or b begins.
      const bool overhung = k > 0 && runs_[k - 1].y == runs_[k].y && runs_[k - 1].x1 > runs_[b].x0;
      return overhung ? Side{k - 1, true} : Side{b, false};
    }
    // Right along the bottom of k, until a run below begins under it or k ends.
    return b < below.second && runs_[b].x0 < runs_[k].x1 ? Side{b, false} : Side{k, true};
  }
  /// The side after the right end of run k, at corner (x1, y).
  Side after_up(i64 k) const {
    const auto above = row(i64{runs_[k].y} - 1);
    const i32 x = runs_[k].x1;
    const i64 a = first_ending_after(above, x - 1);
    if (a < above.second && runs_[a].x0 < x) {  // the pixel above is of the object: run a
      if (runs_[a].x1 == x) return {a, true};
      // Right along the bottom of a, until the run after k stands under it or a ends.
      const bool stands = k + 1 < count_ && runs_[k + 1].y == runs_[k].y && runs_[k + 1].x0 < runs_[a].x1;
      return stands ? Side{k + 1, false} : Side{a, true};
    }
    // Left along the top of k, until a run above ends over it or k begins.
    return a > above.first && runs_[a - 1].x1 > runs_[k].x0 ? Side{a - 1, true} : Side{k, false};
  }

  Ring walk(i64 start) {
    Ring ring;
    i64 area2 = 0;  // of the ring, positive where it runs counter-clockwise on screen
    Side side{start, false};
    do {
      seen_[static_cast<std::size_t>(2 * side.run + side.up)] = true;
      const Side next = side.up ? after_up(side.run) : after_down(side.run);
      const i32 y = runs_[side.run].y + !side.up, from = x_of(side), to = x_of(next);
      area2 += side.up ? from : -static_cast<i64>(from);  // one unit of ∫ x dy, y pointing up
      if (from != to) ring.xy.insert(ring.xy.end(), {from, y, to, y});
      side = next;
    } while (side.run != start || side.up);
    ring.hole = area2 < 0;
    return ring;
  }

  const Run* runs_;
  i64 count_, y0_;
  std::vector<bool> seen_;  // two sides a run
  std::vector<i64> rows_;   // first run of each row, and the end
};

/// Douglas & Peucker 1973 on a ring: cut at its first corner and at the corner farthest from it, so that the result does not
/// depend on anything but the ring. A ring keeps at least three corners.
Ring simplify(const Ring& ring, double tolerance) {
  const i64 n = static_cast<i64>(ring.xy.size()) / 2;
  const auto x = [&](i64 i) { return static_cast<double>(ring.xy[static_cast<std::size_t>(2 * (i % n))]); };
  const auto y = [&](i64 i) { return static_cast<double>(ring.xy[static_cast<std::size_t>(2 * (i % n) + 1)]); };
  // Squared distance of corner i from the segment a-b.
  const auto distance2 = [&](i64 i, i64 a, i64 b) {
    const double dx = x(b) - x(a), dy = y(b) - y(a), px = x(i) - x(a), py = y(i) - y(a), length2 = dx * dx + dy * dy;
    const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0.0;
    const double ex = px - t * dx, ey = py - t * dy;
    return ex * ex + ey * ey;
  };
  const auto farthest = [&](i64 a, i64 b) {
    std::pair<double, i64> best{-1, a};
    for (i64 i = a + 1; i < b; ++i) {
      const double d = distance2(i, a, b);
      if (d > best.first) best = {d, i};
    }
    return best;
  };
  const i64 far = farthest(0, n).second;  // segment 0-0: distance from corner 0
  std::vector<bool> keep(static_cast<std::size_t>(n), false);
  keep[0] = keep[static_cast<std::size_t>(far)] = true;
  i64 kept = 2;
  std::vector<std::pair<i64, i64>> open{{0, far}, {far, n}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    if (b - a < 2) continue;
    const auto [d, i] = farthest(a, b);
    if (d <= tolerance * tolerance) continue;
    keep[static_cast<std::size_t>(i)] = true;
    ++kept;
    open.push_back({a, i});
    open.push_back({i, b});
  }
  if (kept < 3) {
    const auto one = farthest(0, far), two = farthest(far, n);
    keep[static_cast<std::size_t>(one.first >= two.first ? one.second : two.second)] = true;
  }
  Ring out;
  out.hole = ring.hole;
  for (i64 i = 0; i < n; ++i) {
    if (!keep[static_cast<std::size_t>(i)]) continue;
    out.xy.push_back(ring.xy[static_cast<std::size_t>(2 * i)]);
    out.xy.push_back(ring.xy[static_cast<std::size_t>(2 * i + 1)]);
  }
  return out;
}

}  // namespace

// Memory: one offset a row and two bits a run, in vectors. Cost: linear in the runs but for a binary search in the adjacent
// row; corners on a straight line are left out. Simplifying costs corners * log(corners) as a rule.
std::vector<Ring> trace_outline(const Run* runs, std::size_t count, double simplify_px) {
  if (!(simplify_px >= 0)) reject("simplify_px", "at least 0 px", std::to_string(simplify_px));
  if (count == 0) return {};
  if (!runs) reject("runs", "runs", "a null pointer");
  for (std::size_t i = 0; i < count; ++i) {
    const bool ordered = i == 0 || runs[i - 1].y < runs[i].y || (runs[i - 1].y == runs[i].y && runs[i - 1].x1 < runs[i].x0);
    if (runs[i].x1 <= runs[i].x0 || !ordered) {
      reject("runs", "maximal runs in raster order",
             "run " + std::to_string(i) + " out of order, empty, or touching the one before it");
    }
  }
  std::vector<Ring> rings = Tracer(runs, static_cast<i64>(count)).trace();
  if (simplify_px > 0) {
    for (Ring& r : rings) r = simplify(r, simplify_px);
  }
  return rings;
}

}  // namespace morpho::cpu
