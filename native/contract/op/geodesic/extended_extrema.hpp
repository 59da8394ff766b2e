// extended_extrema: the peaks (pits) that stand out by h.
#pragma once
#include "regional_extrema.hpp"

namespace morpho::op {

/// 1 on the regional maxima (minima) of HMAX_h(f) (HMIN_h(f)), whole plateaus; out is u8. Soille 2003 §6.3.
struct extended_extrema : Operation<extended_extrema, ExtremaSignature> {
  static constexpr Slot in[] = {{"f", "image", "grey values", any_type}};
  static constexpr Slot out[] = {{"out", "out", "1 on the extrema", u8_only}};
  static inline const ByName<Params> by_name[] = {
      {"extended-maxima", "the regional maxima of h-maxima", "1 on the maxima", {Extremum::maxima}, {"kind"}},
      {"extended-minima", "the regional minima of h-minima", "1 on the minima", {Extremum::minima}, {"kind"}}};
  static Reach reach(const Params&) { return kGlobal; }
  /// One image more than regional_extrema.
  static i64 cpu_need(const need::Image& i, const Params& = {}) {
    return regional_extrema::cpu_need(i) + i.bytes() * i.area() + need::kSlack;
  }
  using Certainty = ExtremaCertainty;
};

}  // namespace morpho::op
