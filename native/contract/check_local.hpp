// What the local operations and those on single pixels and colours check of their arguments, on every device alike.
#pragma once
#include "ops.hpp"
#include "require.hpp"

namespace morpho::check {

/// `out` is `a` itself: in place means the very same pixels; a shifted overlap would read what was just written.
inline bool in_place(const ConstPlane& a, const Plane& out) {
  return a.data == out.data && a.type == out.type && a.stride == out.stride;
}

inline void radius(i32 value, i32 most) {
  if (value < 0 || value > most) reject("radius", "0 to " + std::to_string(most) + " px", std::to_string(value));
}

inline void morphology(const ConstPlane& f, const Plane& out, const MorphologyParams& p) {
  require_grey_pair(f, out);
  if (p.kind > Morphology::close) reject("kind", "erode, dilate, open or close", std::to_string(static_cast<int>(p.kind)));
  if (p.shape > Shape::cross) reject("shape", "a Shape", std::to_string(static_cast<int>(p.shape)));
  radius(p.radius, 1024);
  if (!in_place(f, out)) require_apart("out", f, out);
}
inline void gaussian(const ConstPlane& f, const Plane& out, const GaussianParams& p) {
  require_grey_pair(f, out);
  if (!(p.sigma >= 0 && p.sigma <= 64)) reject("sigma", "0 to 64 px", std::to_string(p.sigma));
  if (!in_place(f, out)) require_apart("out", f, out);
}
inline void median(const ConstPlane& f, const Plane& out, const RadiusParams& p) {
  require_grey_pair(f, out);
  require_apart("out", f, out);
  radius(p.radius, 64);
}
inline void box_mean(const ConstPlane& f, const Plane& out, const RadiusParams& p) {
  require_grey_pair(f, out);
  require_apart("out", f, out);
  radius(p.radius, 1024);
}

inline void threshold(const ConstPlane& f, const Plane& out) {
  require_plane("f", f);
  require_plane("out", out);
  require_type("out", out, {PixelType::u8});
  require_same_extent("out", f, out);
  require_apart("out", f, out);
}
inline void combine(const ConstPlane& a, const ConstPlane& b, const Plane& out, const CombineParams& p) {
  require_plane("a", a);
  require_plane("b", b);
  require_plane("out", out);
  if (p.kind > Combine::either) reject("kind", "a Combine", std::to_string(static_cast<int>(p.kind)));
  require_same_type("b", a, b);
  if (p.kind >= Combine::greater) require_type("out", out, {PixelType::u8});
  else require_same_type("out", a, out);
  require_same_extent("b", a, b);
  require_same_extent("out", a, out);
  if (!in_place(a, out)) require_apart("out", a, out);
  if (!in_place(b, out)) require_apart("out", b, out);
}
inline void scale(const ConstPlane& a, const Plane& out, const ScaleParams& p) {
  require_plane("a", a);
  require_plane("out", out);
  require_same_extent("out", a, out);
  require_range("shift", p.shift, 0, 31);
  constexpr i64 end = i64{1} << 62;  // a product is at most 2^62, so that the sum fits an i64
  if (p.add <= -end || p.add >= end) reject("add", "a magnitude below 2^62", std::to_string(p.add));
  if (!in_place(a, out)) require_apart("out", a, out);
}
inline void root(const ConstPlane& a, const Plane& out, const RootParams& p) {
  require_plane("a", a);
  require_plane("out", out);
  require_type("a", a, {PixelType::i32});
  require_type("out", out, {PixelType::u16, PixelType::i32});
  require_same_extent("out", a, out);
  if (p.scale < 0) reject("scale", "at least 0", std::to_string(p.scale));
  if (!in_place(a, out)) require_apart("out", a, out);
}
inline void histogram(const ConstPlane& f, const u64* bins) {
  require_plane("f", f);
  require_type("f", f, {PixelType::u8, PixelType::u16});
  if (!bins) reject("bins", "room for the counts", "a null pointer");
}

inline void stain(const View<const Rgba>& rgba, const Plane& out, const StainParams& p) {
  require_rgba_to_u8(rgba, out);
  require_range("units_per_od", p.units_per_od, 1, 65536);
  for (i32 w : p.white) require_range("white", w, 1, 255);
}
inline void weights(const View<const Rgba>& rgba, const Plane& out, const WeightsParams& p) {
  require_rgba_to_u8(rgba, out);
  if (p.divisor < 1) reject("divisor", "at least 1", std::to_string(p.divisor));
}
inline void color_rule(const View<const Rgba>& rgba, const Plane& out, const ColorRuleParams& p) {
  require_rgba_to_u8(rgba, out);
  require_range("r_over_g_num", p.r_over_g_num, 0, 1 << 22);
  require_range("r_over_g_den", p.r_over_g_den, 1, 1 << 22);
  require_range("r_over_b_num", p.r_over_b_num, 0, 1 << 22);
  require_range("r_over_b_den", p.r_over_b_den, 1, 1 << 22);
}
inline void resample(const View<const Rgba>& in, const View<Rgba>& out, const ResampleParams& p) {
  constexpr i64 most_step = i64{1} << 27, most_origin = i64{1} << 48;
  const ConstPlane i = as_plane(in), o = as_plane(View<const Rgba>(out));
  require_plane("in", i);
  require_plane("out", o);
  require_apart("out", i, o);
  require_range("step_x", p.step_x, 1, most_step);
  require_range("step_y", p.step_y, 1, most_step);
  require_range("x0", p.x0, -most_origin, most_origin);
  require_range("y0", p.y0, -most_origin, most_origin);
}

}  // namespace morpho::check
