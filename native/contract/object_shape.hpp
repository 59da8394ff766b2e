// What the CPU and the GPU share of measuring an object: its shape from its runs, and its stain statistics from exact sums. The
// sums may come from anywhere; the doubles are made of them here and nowhere else, by functions that have the same bits on
// every device.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "object_score.hpp"
#include "ops.hpp"
#include "stain_table.hpp"
#include "same_math.hpp"
#include "tables.hpp"

namespace morpho::objects {

/// How many pixels of `run`, moved by `shift`, the runs [*next, end) of the row below cover. Moves *next past what is left
/// behind.
inline i64 covered(const Run& run, i32 shift, const Run*& next, const Run* end) {
  const i64 x0 = i64{run.x0} + shift, x1 = i64{run.x1} + shift;
  while (next != end && next->x1 <= x0) ++next;
  i64 sum = 0;
  for (const Run* r = next; r != end && r->x0 < x1; ++r) sum += std::min<i64>(r->x1, x1) - std::max<i64>(r->x0, x0);
  return sum;
}

/// Exact integer sums over some runs of an object, which add up: so an object may be summed in parts.
struct ShapePart {
  i64 area = 0;
  i32 min_x = std::numeric_limits<i32>::max(), min_y = min_x, max_x = -1, max_y = -1;
  i128 x = 0, y = 0, xx = 0, yy = 0, xy = 0;  ///< of the pixels' columns and rows, and of their products
  i64 below[3] = {0, 0, 0};  ///< pixels whose neighbour one row down and 0, 1, -1 columns to the right is of the object

  void add(const ShapePart& o) {
    area += o.area;
    min_x = std::min(min_x, o.min_x), min_y = std::min(min_y, o.min_y), max_x = std::max(max_x, o.max_x),
    max_y = std::max(max_y, o.max_y);
    x += o.x, y += o.y, xx += o.xx, yy += o.yy, xy += o.xy;
    for (int k = 0; k < 3; ++k) below[k] += o.below[k];
  }
};

/// The sums over [runs, part_end) of an object whose runs, in raster order, end at `end`.
inline ShapePart shape_part(const Run* runs, const Run* part_end, const Run* end) {
  ShapePart s;
  // Sums over x in [a, b): b(b-1)/2 - a(a-1)/2, and squares(b) - squares(a), squares(n) = (n-1)n(2n-1)/6.
  const auto squares = [](i64 n) -> i128 {
    if (n < (i64{1} << 20)) return (n - 1) * n * (2 * n - 1) / 6;  // a division of 128 bits would be the most of all
    return static_cast<i128>(n - 1) * n * (2 * n - 1) / 6;
  };
  for (const Run* r = runs; r != part_end; ++r) {
    const i64 a = r->x0, b = r->x1, y = r->y, n = b - a, x = (b * (b - 1) - a * (a - 1)) / 2;
    s.area += n;
    s.min_x = std::min(s.min_x, r->x0), s.max_x = std::max(s.max_x, r->x1 - 1);
    s.x += x;
    s.y += static_cast<i128>(y) * n;
    s.xx += squares(b) - squares(a);
    s.yy += static_cast<i128>(y) * y * n;
    s.xy += static_cast<i128>(y) * x;
  }
  s.min_y = runs->y, s.max_y = part_end[-1].y;
  for (const Run* r = runs; r != part_end;) {
    const i32 y = r->y;
    const Run* row_end = r;
    while (row_end != end && row_end->y == y) ++row_end;
    const Run* below_end = row_end;
    while (below_end != end && below_end->y == y + 1) ++below_end;
    const Run *below[3] = {row_end, row_end, row_end}, *const stop = std::min(row_end, part_end);
    for (; r != stop; ++r) {
      s.below[0] += covered(*r, 0, below[0], below_end);
      s.below[1] += covered(*r, 1, below[1], below_end);
      s.below[2] += covered(*r, -1, below[2], below_end);
    }
  }
  return s;
}

struct Corner {
  i64 x, y;
};
/// Twice the signed area of the turn a -> b -> c.
inline i64 turn(const Corner& a, const Corner& b, const Corner& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Twice the area of the convex hull of the corners of the pixels. `chain` holds two chains of rows + 1 corners, or more.
inline i64 hull_area2(const Run* runs, i64 count, Corner* chain) {
  // Row by row from top to bottom: the leftmost corners make one chain, the rightmost the other; each stays convex as it grows.
  Corner *left = chain, *right = chain + (2 * (i64{runs[count - 1].y} - runs[0].y + 1));
  i64 nl = 0, nr = 0;
  const auto push = [](Corner* c, i64& n, Corner p, i64 sign) {
    while (n >= 2 && sign * turn(c[n - 2], c[n - 1], p) <= 0) --n;
    c[n++] = p;
  };
  for (i64 i = 0; i < count;) {
    const i64 y = runs[i].y, x0 = runs[i].x0;
    while (i < count && runs[i].y == y) ++i;
    const i64 x1 = runs[i - 1].x1;
    // y points down, so the left chain turns one way (negative here) and the right chain the other.
    for (i64 at : {y, y + 1}) {
      push(left, nl, {x0, at}, -1);
      push(right, nr, {x1, at}, 1);
    }
  }
  i64 area2 = 0;
  const auto edge = [&](const Corner& a, const Corner& b) { area2 += a.x * b.y - b.x * a.y; };
  for (i64 i = 0; i + 1 < nl; ++i) edge(left[i], left[i + 1]);
  edge(left[nl - 1], right[nr - 1]);
  for (i64 i = nr - 1; i > 0; --i) edge(right[i], right[i - 1]);
  edge(right[0], left[0]);
  return area2 < 0 ? -area2 : area2;
}

/// The integers that an object's shape follows from. Moments are about the corner of the bounding box.
struct ShapeSums {
  i64 runs, area;
  i32 first_x, first_y, min_x, min_y, max_x, max_y;
  i128 sx, sy, sxx, syy, sxy;
  i64 exits[3];  ///< pixels whose neighbour one row down and 0, 1, -1 columns to the right is not of the object
  i64 hull2;     ///< hull_area2
};

/// sum / area, px, as the nearest multiple of 2^-20: to such a number whole pixels below 2^32 and a half add exactly, so where
/// an object lies, and where the window that shows it, has no part in its centroid's rounding. The quotient and the sum with
/// 0.5 round as IEEE 754 says, the other steps are exact; fused multiply-adds give the same, as products by powers of two are
/// exact.
MORPHO_EVERYWHERE inline double mean_on_grid(i128 sum, double area) {
  constexpr double steps = 1 << 20;
  return std::floor(to_double(sum) / area * steps + 0.5) / steps;
}

/// `aspect`: a pixel's width over its height. Lengths are in sides of the square of a pixel's area, in which a pixel is
/// √aspect wide; with 1 the steps are those of square pixels, to the bit.
MORPHO_EVERYWHERE inline void finish_shape(const ShapeSums& s, double aspect, ObjectMeasurement& m) {
  m.first_x = s.first_x;
  m.first_y = s.first_y;
  m.min_x = s.min_x;
  m.min_y = s.min_y;
  m.max_x = s.max_x;
  m.max_y = s.max_y;
  m.area = s.area;
  const double area = static_cast<double>(m.area);
  m.centroid_x = m.min_x + mean_on_grid(s.sx, area) + 0.5;
  m.centroid_y = m.min_y + mean_on_grid(s.sy, area) + 0.5;
  // area² times the central moments: exact, so equal shapes give equal numbers wherever they lie.
  const i128 mxx = m.area * s.sxx - s.sx * s.sx, myy = m.area * s.syy - s.sy * s.sy, mxy = m.area * s.sxy - s.sx * s.sy;
  const double square = area * area, scale = 1 / square;
  // Whole numbers below 2^127.
  double sum = to_double(mxx + myy), across = to_double(mxx - myy), pixel = 1.0 / 12;
  const double skew = 2 * to_double(mxy);
  if (aspect != 1) {
    const double xx = aspect * to_double(mxx), yy = to_double(myy) / aspect;
    sum = xx + yy;
    // A pixel's own moments are aspect / 12 across and 1 / (12 aspect) down.
    across = xx - yy + (aspect - 1 / aspect) / 12 * square;
    pixel = (aspect + 1 / aspect) / 24;
  }
  const double mean = 0.5 * sum * scale + pixel;
  const double spread = 0.5 * length_of(across, skew) * scale;
  const double large = mean + spread, small = mean > spread ? mean - spread : 0, flat = 1 - small / large;
  m.major_axis = 4 * std::sqrt(large);
  m.minor_axis = 4 * std::sqrt(small);
  m.eccentricity = std::sqrt(flat > 0 ? flat : 0);
  m.orientation = 0;
  if (skew != 0 || across != 0) {
    // Screen y points down, so counter-clockwise on screen is the other sign.
    const double angle = -0.5 * angle_of(skew, across) * 180 / std::numbers::pi;
    m.orientation = angle <= -90 ? angle + 180 : angle + 0.0;
  }
  const double slanted = static_cast<double>(s.exits[1] + s.exits[2]);
  double axial = static_cast<double>(s.runs + s.exits[0]), diagonal = std::numbers::sqrt2;
  if (aspect != 1) {
    const double width = std::sqrt(aspect), height = 1 / width, squares = aspect + 1 / aspect;
    axial = 2 * (height / aspect * static_cast<double>(s.runs) + width * aspect * static_cast<double>(s.exits[0])) / squares;
    diagonal = std::sqrt(squares);
  }
  m.perimeter = std::numbers::pi / 4 * (axial + slanted / diagonal);
  const double round = 4 * std::numbers::pi * area / (m.perimeter * m.perimeter);
  m.circularity = round < 1 ? round : 1;
  m.solidity = 2 * area / static_cast<double>(s.hull2);
}

/// The complete sums of an object from those over all its runs, and from the runs its hull. `chain`: see hull_area2().
inline ShapeSums complete(const ShapePart& p, const Run* runs, i64 count, Corner* chain) {
  ShapeSums s{};
  s.runs = count, s.area = p.area;
  s.first_x = runs[0].x0, s.first_y = runs[0].y;
  s.min_x = p.min_x, s.min_y = p.min_y, s.max_x = p.max_x, s.max_y = p.max_y;
  // Moved to the corner of the bounding box.
  const i128 x = p.min_x, y = p.min_y, n = p.area;
  s.sx = p.x - n * x, s.sy = p.y - n * y;
  s.sxx = p.xx - 2 * x * p.x + n * x * x, s.syy = p.yy - 2 * y * p.y + n * y * y;
  s.sxy = p.xy - x * p.y - y * p.x + n * x * y;
  // Each run ends once; a pixel that is not covered below in a direction is left in that direction.
  for (int k = 0; k < 3; ++k) s.exits[k] = p.area - p.below[k];
  s.hull2 = hull_area2(runs, count, chain);
  return s;
}

inline void measure_shape(const Run* runs, i64 count, Corner* chain, double aspect, ObjectMeasurement& m) {
  finish_shape(complete(shape_part(runs, runs + count, runs + count), runs, count, chain), aspect, m);
}

/// Contrast and score of an object whose shape is there, from the sum of its values.
MORPHO_EVERYWHERE inline void finish_values(i64 value, const MeasureParams& p, ObjectMeasurement& m) {
  m.contrast = contrast(value, m.area, p.contrast_area, p.contrast_per);
  m.score = score_of(m);
}
/// Of one without values.
MORPHO_EVERYWHERE inline void finish_without_values(ObjectMeasurement& m) { m.contrast = m.score = kNotMeasured; }
/// Of one where nobody asks what of it is stained, or there are no colours.
MORPHO_EVERYWHERE inline void finish_unstained(ObjectMeasurement& m) { m.stained_area = kNotMeasured; }

/// The three concentrations of a colour, each in 1/1024 OD.
struct ObjectStainTables {
  i64 of[3][3][256];  ///< [stain][channel][value] = row * OD; a half for rounding is in channel 0

  explicit ObjectStainTables(const MeasureParams& p) {
    for (int s = 0; s < 3; ++s) {
      for (int c = 0; c < 3; ++c) {
        i32 od[256];
        stain_table(p.stains[s], c, od);
        for (i32 v = 0; v < 256; ++v) of[s][c][v] = static_cast<i64>(p.stains[s].row[c]) * od[v] + (c == 0 ? 32768 : 0);
      }
    }
  }
};

/// Exact sums of the concentrations and of their squares over some pixels of an object, in 1/1024 OD, and their range; they add
/// up.
struct StainSums {
  i128 sum[3] = {0, 0, 0}, square[3] = {0, 0, 0};
  i64 low[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, high[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
  i64 stained = 0;  ///< pixels that MeasureParams::stained takes for stained

  void add(const StainSums& o) {
    for (int k = 0; k < 3; ++k) {
      sum[k] += o.sum[k], square[k] += o.square[k];
      low[k] = std::min(low[k], o.low[k]), high[k] = std::max(high[k], o.high[k]);
    }
    stained += o.stained;
  }
};

/// Mean, deviation and range of each stain over m.area pixels, from the sums of its concentrations and of their squares in
/// 1/1024 OD.
MORPHO_EVERYWHERE inline void finish_stains(const i128 sums[3], const i128 squares[3], const i64 low[3], const i64 high[3],
                                            ObjectMeasurement& m) {
  const double n = static_cast<double>(m.area);
  for (int s = 0; s < 3; ++s) {
    m.stain_mean[s] = to_double(sums[s]) / n / kOdUnit;
    m.stain_std[s] = std::sqrt(to_double(m.area * squares[s] - sums[s] * sums[s])) / n / kOdUnit;
    m.stain_min[s] = static_cast<double>(low[s]) / kOdUnit;
    m.stain_max[s] = static_cast<double>(high[s]) / kOdUnit;
  }
}
/// Of an object of which so many pixels are stained.
MORPHO_EVERYWHERE inline void finish_stained(i64 pixels, ObjectMeasurement& m) {
  m.stained_area = 100 * static_cast<double>(pixels) / static_cast<double>(m.area);
}

}  // namespace morpho::objects
