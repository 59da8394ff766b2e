// median: the median of a square window.
#pragma once
#include "box_mean.hpp"

namespace morpho::op {

/// Median over the part of the square window that lies inside the image (lower median for even counts). u8, u16. Reach: halo
/// radius.
struct median : Operation<median, void(Context&, ConstPlane, Plane, const RadiusParams&)> {
  static constexpr const char* help = "median of a square window";
  static constexpr Slot in[] = {{"f", "image", "grey or binary values", grey}};
  static constexpr Slot out[] = {{"out", "out", "as the image", grey, 0}};
  static constexpr Spec narrow(Spec s) {
    s.most = 64;
    return s;
  }
  static Reach reach(const Params& p) { return halo_reach(p.radius); }
  /// Radius 1 to 3: nothing. Larger: u8 544 bytes for each of a tile's columns (the larger of 256 and 4 radius, and 2 radius
  /// more) and thread; u16 129 KiB a thread.
  static i64 cpu_need(const need::Image& i, const Params& p) {
    if (p.radius <= 3) return need::kSlack;
    if (i.bytes() > 1) return i.workers() * 2 * (65536 + 256) + need::kSlack;
    const i64 columns = std::min<i64>(i.width(), std::max<i64>(256, 4 * i64{p.radius}) + 2 * p.radius);
    return i.workers() * (544 * columns + 64) + need::kSlack;
  }
  using Certainty = ByReach;
};

}  // namespace morpho::op
