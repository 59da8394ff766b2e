// geodesic_dilate: reconstruction by dilation that ends after so many steps.
#pragma once
#include "../certainty.hpp"
#include "../local/morphology.hpp"

namespace morpho {

struct GeodesicParams {
  i32 steps = 1;
  static constexpr void visit(auto& p, auto&& v) { v(op::required(op::whole("steps", "how often", 0, 1 << 20)), p.steps); }
  bool operator==(const GeodesicParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Reconstruction by dilation, 8-connected, that ends after so many steps: min(marker, mask), then `steps` times the maximum
/// over 3 × 3 pixels, nowhere above mask. u8, u16; all three planes of one type, `out` apart from the others. Reach: steps.
struct geodesic_dilate : Operation<geodesic_dilate, void(Context&, ConstPlane, ConstPlane, Plane, const GeodesicParams&)> {
  static constexpr Slot in[] = {{"marker", "marker", "where it starts; of the mask's type", grey},
                                {"mask", "mask", "what bounds it", grey, 0}};
  static constexpr Slot out[] = {{"out", "out", "as the mask", grey, 0}};
  static Reach reach(const Params& p) { return halo_reach(p.steps); }
  /// Pixels of a row that change or stay together, as far as is remembered.
  static constexpr i32 kBlock = 256;
  /// A second plane, a row, and for each plane a byte a block and one a row.
  static i64 cpu_need(const need::Image& i, const Params& = {}) {
    const i64 flags = i.height() * (i.width() / kBlock + 3) + i.height() + 2;
    return i.bytes() * (i.area() + i.width()) + 2 * flags + need::kSlack;
  }
  using Certainty = ByReach;
};

}  // namespace op
}  // namespace morpho
