// box_mean: the mean of a square window.
#pragma once
#include "../certainty.hpp"

namespace morpho {

struct RadiusParams {
  i32 radius = 1;
  static constexpr void visit(auto& p, auto&& v) {
    v(op::required(op::whole("radius", "px; the window has 2 radius + 1 a side", 0, 1024)), p.radius);
  }
  bool operator==(const RadiusParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Mean over the part of the square window inside the image, rounded to nearest (halves up). u8, u16. Reach: halo radius.
struct box_mean : Operation<box_mean, void(Context&, ConstPlane, Plane, const RadiusParams&)> {
  static constexpr const char* help = "mean of a square window";
  static constexpr Slot in[] = {{"f", "image", "grey or binary values", grey}};
  static constexpr Slot out[] = {{"out", "out", "as the image", grey, 0}};
  static Reach reach(const Params& p) { return halo_reach(p.radius); }
  /// 4 bytes (u8 up to a radius of 63: 2; u16 above 90: 12) a column and thread, and one row.
  static i64 cpu_need(const need::Image& i, const Params& p) {
    const i64 column = i.bytes() > 1 ? (p.radius > 90 ? 12 : 4) : p.radius > 63 ? 4 : 2;
    return i.workers() * i.width() * column + i.bytes() * i.width() + need::kSlack;
  }
  using Certainty = ByReach;
};

}  // namespace op
}  // namespace morpho
