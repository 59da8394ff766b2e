// What the sums of a max-tree's node are made by and used for: adding to them, and the attributes; one code for the CPU and for
// kernels.
#pragma once
#include <cmath>

#include "everywhere.hpp"
#include "ops.hpp"

namespace morpho {

/// Adds to a sum, modulo 2^64: second moments of images beyond about 46340 squared (2^20 x 24) need not fit an i64.
MORPHO_EVERYWHERE inline void add_to_sum(i64& sum, u64 more) { sum = static_cast<i64>(static_cast<u64>(sum) + more); }
MORPHO_EVERYWHERE inline void add_to_sum(i64& sum, i64 more) { add_to_sum(sum, static_cast<u64>(more)); }

/// Second moments about the centre, times the area: exact integers about the box's corner first, so that nothing cancels in
/// double. What wrapped in the sums is right again there: only the component's own extent must fit.
struct CentralMoments {
  double xx, yy, xy;
};
MORPHO_EVERYWHERE inline CentralMoments central_moments(const NodeSums& s) {
  const auto w = [](i64 v) { return static_cast<u64>(v); };
  const u64 x0 = w(s.min_x), y0 = w(s.min_y), n = w(s.area);
  const i64 sx = static_cast<i64>(w(s.sum_x) - n * x0), sy = static_cast<i64>(w(s.sum_y) - n * y0);
  const i64 sxx = static_cast<i64>(w(s.sum_xx) - 2 * x0 * w(s.sum_x) + n * x0 * x0);
  const i64 syy = static_cast<i64>(w(s.sum_yy) - 2 * y0 * w(s.sum_y) + n * y0 * y0);
  const i64 sxy = static_cast<i64>(w(s.sum_xy) - x0 * w(s.sum_y) - y0 * w(s.sum_x) + n * x0 * y0);
  const double area = static_cast<double>(s.area), x = static_cast<double>(sx), y = static_cast<double>(sy);
  return {static_cast<double>(sxx) - x * x / area, static_cast<double>(syy) - y * y / area,
          static_cast<double>(sxy) - x * y / area};
}

/// As ops.hpp defines them. Every operation is rounded by itself: whoever compiles this must keep the compiler from fusing a
/// product with a sum, as same_math.hpp says. The attribute is a constant, so that a loop over nodes computes it in place: as a
/// call it took as long as the rest of the loop. `Sums` is NodeSums, or has what that has by the same names and
/// central_moments() of its own.
template <Attribute attribute, class Sums>
MORPHO_EVERYWHERE double attribute_of(const Sums& s) {
  const double area = static_cast<double>(s.area), width = s.max_x - s.min_x + 1, height = s.max_y - s.min_y + 1;
  switch (attribute) {
    case Attribute::area: return area;
    case Attribute::height: return std::fabs(static_cast<double>(s.peak) - s.parent_value);
    case Attribute::volume: return std::fabs(static_cast<double>(s.sum_value - s.area * s.parent_value));
    case Attribute::box_width: return width;
    case Attribute::box_height: return height;
    case Attribute::box_diagonal: return std::sqrt(width * width + height * height);
    case Attribute::elongation: {
      const CentralMoments m = central_moments(s);
      const double pixel = 1.0 / 12;  // a pixel's own extent
      const double a = m.xx / area + pixel, b = m.yy / area + pixel, c = m.xy / area;
      const double mid = (a + b) / 2, spread = std::sqrt((a - b) * (a - b) / 4 + c * c);
      const double least = mid - spread;
      return std::sqrt((mid + spread) / (least < pixel ? pixel : least));
    }
    case Attribute::inertia: {
      const CentralMoments m = central_moments(s);
      return (m.xx + m.yy) / (area * area);
    }
    case Attribute::contrast: return std::fabs(static_cast<double>(s.sum_value) / area - s.parent_value);
    default: return static_cast<double>(s.sum_value) / area;
  }
}

}  // namespace morpho
