// threshold: 1 where the value is above a level.
#pragma once
#include "../pixel_wise.hpp"

namespace morpho {

struct ThresholdParams {
  i32 above = 0;  ///< out = value > above
  static constexpr void visit(auto& p, auto&& v) {
    v(op::required(op::whole("above", "level", op::kLeastInt, op::kMostInt)), p.above);
  }
  bool operator==(const ThresholdParams& o) const { return op::same(*this, o); }
};

namespace op {

struct threshold : PixelWise<threshold, void(Context&, ConstPlane, Plane, const ThresholdParams&)> {
  static constexpr const char* help = "1 where the value is above a level";
  static constexpr Slot in[] = {{"f", "image", "grey values or labels", any_type}};
  static constexpr Slot out[] = {{"out", "out", "0 or 1", u8_only}};
};

}  // namespace op
}  // namespace morpho
