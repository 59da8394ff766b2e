// weights: a weighted sum of the channels.
#pragma once
#include "../pixel_wise.hpp"

namespace morpho {

/// out = clamp(floor((r*R + g*G + b*B + offset) / divisor), 0, 255) in i64; the default divisor makes the weights Q16.
/// Inverted luminance 255 - floor((299R + 587G + 114B + 500) / 1000) is exactly {-299, -587, -114, 255499, 1000}.
struct WeightsParams {
  i32 r = 0, g = 0, b = 0;
  i32 offset = 0;
  i32 divisor = 65536;
  static constexpr void visit(auto& p, auto&& v) {
    v(op::whole("r", "weight of red", op::kLeastInt, op::kMostInt), p.r);
    v(op::whole("g", "weight of green", op::kLeastInt, op::kMostInt), p.g);
    v(op::whole("b", "weight of blue", op::kLeastInt, op::kMostInt), p.b);
    v(op::whole("offset", "summand", op::kLeastInt, op::kMostInt), p.offset);
    v(op::whole("divisor", "divides the sum", 1, op::kMostInt), p.divisor);
  }
  bool operator==(const WeightsParams& o) const { return op::same(*this, o); }
};

namespace op {

struct weights : PixelWise<weights, void(Context&, View<const Rgba>, Plane, const WeightsParams&)> {
  static constexpr Slot in[] = {{"rgba", "image", "RGBA; alpha is not looked at", rgba}};
  static constexpr Slot out[] = {{"out", "out", "grey values", u8_only}};
};

}  // namespace op
}  // namespace morpho
