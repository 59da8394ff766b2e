// Which objects and tree nodes a recipe keeps: exact integer tests on their sums, one code for the CPU and for kernels.
#pragma once
#include <cmath>

#include "everywhere.hpp"
#include "ops.hpp"

namespace morpho::objects {

/// Objects of more pixels are never elliptic or compact (no nucleus is that large, and their sums would not fit 128 bits), and
/// are compared by their mean alone.
inline constexpr i64 kMaxTestedArea = 65535;

// What users say, as whole numbers.

/// An area as the least whole number of pixels that is not below it: area >= this exactly where area >= px.
inline i64 whole_area(double px) { return static_cast<i64>(std::ceil(px)); }
/// An object's ellipticity is its area over the area of the ellipse with the same second moments: 1 for an ellipse, less for
/// anything with bays, waists or holes. 16 π² e², Q16; 0 (any) where e <= 0.
inline i64 ellipticity_factor(double at_least) {
  constexpr double pi = 3.14159265358979323846;
  return at_least <= 0 ? 0 : static_cast<i64>(std::floor(16 * pi * pi * at_least * at_least * 65536 + 0.5));
}
/// Major over minor axis of that ellipse is at most `ratio`: 1 - ((ratio² - 1) / (ratio² + 1))², Q16.
inline i64 elongation_factor(double ratio) {
  const double k = (ratio * ratio - 1) / (ratio * ratio + 1);
  return static_cast<i64>(std::floor((1 - k * k) * 65536 + 0.5));
}
/// mean value over the object, times (area / reference)^(1/4), is at least `level`: small objects need more contrast than
/// large ones, for it is small specks that stain noise makes. The level in Q4; the reference in pixels.
inline i64 contrast_level(double level) { return static_cast<i64>(std::floor(std::fmin(std::fmax(level, 0), 510) * 16 + 0.5)); }
inline i64 contrast_area(double reference) {
  return static_cast<i64>(std::floor(std::fmin(std::fmax(reference, 1), 1e6) + 0.5));
}

// The tests. Exact in 128-bit integers.

/// Central second moments times 12 n², each pixel a unit square (+1/12 on both axes). A connected object of n < 2^16 pixels
/// spans w + h <= n + 1, so xx * yy <= n^4 (w h)² < 2^125: nothing overflows.
struct Moments {
  i128 xx, yy, xy;
  MORPHO_EVERYWHERE i128 det() const { return xx * yy - xy * xy; }
};
MORPHO_EVERYWHERE inline i128 central(i64 n, i64 ab, i64 a, i64 b) {
  return 12 * (static_cast<i128>(n) * ab - static_cast<i128>(a) * b);
}
MORPHO_EVERYWHERE inline Moments moments(const LabelSums& s) {
  const i64 n = s.area;
  const i128 square = static_cast<i128>(n) * n;
  return {central(n, s.xx, s.x, s.x) + square, central(n, s.yy, s.y, s.y) + square, central(n, s.xy, s.x, s.y)};
}

MORPHO_EVERYWHERE inline bool is_elliptic(const LabelSums& s, i64 factor) {
  if (s.area == 0) return false;
  if (factor == 0) return true;
  if (s.area > kMaxTestedArea) return false;
  const i128 det = moments(s).det(), square = static_cast<i128>(s.area) * s.area;
  // Beyond this the right side exceeds any left side (for e >= 0.16; below that such threads are refused too).
  if (det > static_cast<i128>(1) << 102) return false;
  // area / (4π sqrt(det / 144 n^4)) >= e, squared and without divisions.
  return square * square * square * 144 * 65536 >= factor * det;
}

/// Objects whose moments exceed 2^52 are never compact.
MORPHO_EVERYWHERE inline bool is_compact(const LabelSums& s, i64 factor) {
  if (s.area == 0 || s.area > kMaxTestedArea) return false;
  const Moments m = moments(s);
  const i128 trace = m.xx + m.yy;
  if (trace > static_cast<i128>(1) << 52) return false;
  // The axes' squares are trace ± sqrt(trace² - 4 det): their ratio is at most ratio² where 4 det >= (1 - k²) trace².
  return 4 * m.det() * 65536 >= factor * trace * trace;
}

MORPHO_EVERYWHERE inline bool has_contrast(const LabelSums& s, i64 level, i64 reference, i64 per = 1) {
  if (s.area == 0) return false;
  if (level == 0) return true;
  if (s.value <= 0) return false;
  const i64 value = per == 1 ? s.value * 16 : (s.value * 16 + per / 2) / per;  // in Q4, as the level
  if (s.area > kMaxTestedArea) return value >= level * s.area;
  // value/area * (area/reference)^(1/4) >= level, to the fourth power: at most 2^113 on the left, 2^120 on the right.
  const i128 value2 = static_cast<i128>(value) * value;
  const i128 level2 = static_cast<i128>(level) * level;
  return value2 * value2 >= level2 * level2 * s.area * s.area * s.area * reference;
}

/// The double nearest to v >= 0, ties to even: by hand, as compilers for GPUs need not have it.
MORPHO_EVERYWHERE inline double nearest_double(i128 v) {
  u64 low = static_cast<u64>(v);
  int shift = 0;
  for (u64 high = static_cast<u64>(v >> 64); high; high >>= 1, ++shift)
    low = low >> 1 | (low & 1) | high << 63;  // the last bit stays where one fell out
  // Two rounding steps in one: with 64 bits, the last of which tells whether more follow, the conversion rounds as the whole
  // would.
  double d = static_cast<double>(low);
  for (; shift > 0; --shift) d *= 2;
  return d;
}

/// The ellipticity itself in 1/1024, rounded down; 0 for objects of 2^16 pixels and more.
MORPHO_EVERYWHERE inline i64 ellipticity_q10(const LabelSums& s) {
  if (s.area == 0 || s.area > kMaxTestedArea) return 0;
  // 12 n³ / (4π sqrt(det)). The conversion to double and the square root are correctly rounded everywhere, so this is exact
  // enough and the same on every machine.
  const i128 root = static_cast<i128>(static_cast<i64>(sqrt(nearest_double(moments(s).det()))));
  const i128 four_pi = 823550;  // 4π * 65536
  return static_cast<i64>(static_cast<i128>(s.area) * s.area * s.area * 12 * 65536 * 1024 / (four_pi * (root > 0 ? root : 1)));
}

/// Whether a label stays. One without pixels never does.
MORPHO_EVERYWHERE inline bool keeps(const LabelRule& r, const LabelSums& s) {
  if (s.area == 0 || s.area < r.min_area || s.area >= r.end_area) return false;
  if (r.mean_above != kAnyMean && s.value * 1024 <= r.mean_above * s.area) return false;
  return is_elliptic(s, r.ellipticity) && has_contrast(s, r.contrast, r.contrast_area, r.contrast_per);
}

/// 0 where the node is not acceptable; else sqrt(area) * ellipticity^power in 1/1024, at least 1: one well-shaped node beats
/// its ragged parent, and beats its own fragments unless these are better shaped.
MORPHO_EVERYWHERE inline i64 node_score(const NodeRule& r, const NodeSums& n) {
  if (n.area < r.min_area || n.area >= r.end_area || n.value < r.level) return 0;
  if ((n.sum_value - n.parent_value * n.area) * 256 < r.contrast * n.area) return 0;
  const LabelSums sums{n.area, n.sum_x, n.sum_y, n.sum_xx, n.sum_yy, n.sum_xy, 0, 0, 0};
  if (!is_compact(sums, r.elongation) || !is_elliptic(sums, r.ellipticity)) return 0;
  const i64 shape = ellipticity_q10(sums);
  i64 power = 1024;
  for (i32 k = 0; k < r.shape_power; ++k) power = (power * shape) >> 10;
  // The square root of a whole number and a product by a power of two are exact roundings: the same on every machine.
  const i64 score = (static_cast<i64>(sqrt(static_cast<double>(n.area)) * 1024) * power) >> 10;
  return score > 1 ? score : 1;
}

}  // namespace morpho::objects
