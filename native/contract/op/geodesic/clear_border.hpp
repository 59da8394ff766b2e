// clear_border: removes what touches the image border.
#pragma once
#include "fill_holes.hpp"

namespace morpho::op {

/// f minus the reconstruction under f of its border pixels. u8, u16.
struct clear_border : Operation<clear_border, void(Context&, ConstPlane, Plane, const ConnectivityParams&)> {
  static constexpr const char* help = "removes what touches the image border";
  static constexpr Slot in[] = {{"f", "image", "grey or binary values", grey}};
  static constexpr Slot out[] = {{"out", "out", "as the image", grey, 0}};
  static Reach reach(const Params&) { return kGlobal; }
  static i64 cpu_need(const need::Image& i, const Params& p = {}) { return fill_holes::cpu_need(i, p); }
  // No rule of certainty: a window's border is not the image's.
};

}  // namespace morpho::op
