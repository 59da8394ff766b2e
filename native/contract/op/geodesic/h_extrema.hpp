// h_extrema: lowers every peak, or fills every pit, by h.
#pragma once
#include "regional_extrema.hpp"

namespace morpho::op {

/// HMAX_h(f) = reconstruction by dilation of max(f - h, type's minimum) under f; HMIN_h the dual with saturation. Types u8,
/// u16, i32.
struct h_extrema : Operation<h_extrema, ExtremaSignature> {
  static constexpr Slot in[] = {{"f", "image", "grey values", any_type}};
  static constexpr Slot out[] = {{"out", "out", "as the image", any_type, 0}};
  static inline const ByName<Params> by_name[] = {
      {"h-maxima",
       "lowers every peak by h: the reconstruction of image - h under the image",
       nullptr,
       {Extremum::maxima},
       {"kind"}},
      {"h-minima", "fills every pit by h: the dual of h-maxima", nullptr, {Extremum::minima}, {"kind"}}};
  static Reach reach(const Params&) { return kGlobal; }
  /// That of reconstruct.
  static i64 cpu_need(const need::Image& i, const Params& = {}) { return reconstruct::cpu_need(i); }
  using Certainty = ExtremaCertainty;
};

}  // namespace morpho::op
