// An attribute of a max-tree's node from the sums over its component.
#pragma once
#include <algorithm>
#include <cmath>

#include "contract/ops.hpp"

namespace morpho::cpu {

/// Second moments about the centre, times the area: exact integers about the box's corner first, so that nothing cancels in
/// double.
struct Moments {
  double xx, yy, xy;
};
inline Moments central_moments(const NodeSums& s) {
  // In u64, where intermediate wrapping is harmless: the sums about the corner are small again.
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

/// The attribute is a constant, so that a loop over nodes computes it in place: as a call it took as long as the rest of the
/// loop.
template <Attribute attribute>
double attribute_of(const NodeSums& s) {
  const double area = static_cast<double>(s.area), width = s.max_x - s.min_x + 1, height = s.max_y - s.min_y + 1;
  switch (attribute) {
    case Attribute::area: return area;
    case Attribute::height: return std::abs(static_cast<double>(s.peak) - s.parent_value);
    case Attribute::volume: return std::abs(static_cast<double>(s.sum_value - s.area * s.parent_value));
    case Attribute::box_width: return width;
    case Attribute::box_height: return height;
    case Attribute::box_diagonal: return std::sqrt(width * width + height * height);
    case Attribute::elongation: {
      const Moments m = central_moments(s);
      const double a = m.xx / area + 1.0 / 12, b = m.yy / area + 1.0 / 12, c = m.xy / area;  // 1/12: a pixel's own extent
      const double mid = (a + b) / 2, spread = std::sqrt((a - b) * (a - b) / 4 + c * c);
      return std::sqrt((mid + spread) / std::max(mid - spread, 1.0 / 12));
    }
    case Attribute::inertia: {
      const Moments m = central_moments(s);
      return (m.xx + m.yy) / (area * area);
    }
    case Attribute::contrast: return std::abs(static_cast<double>(s.sum_value) / area - s.parent_value);
    default: return static_cast<double>(s.sum_value) / area;
  }
}

}  // namespace morpho::cpu
