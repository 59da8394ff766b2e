// root: the square root, rounded down.
#pragma once
#include "../pixel_wise.hpp"

namespace morpho {

struct RootParams {
  i32 scale = 1;  ///< out = floor(sqrt(scale * a)); scale * a must fit an i64; kNoBackground is taken as 2^31-1
  static constexpr void visit(auto& p, auto&& v) { v(op::whole("scale", "factor under the root", 0, op::kMostInt), p.scale); }
  bool operator==(const RootParams& o) const { return op::same(*this, o); }
};

namespace op {

/// i32 -> u16 or i32, saturating; a < 0 gives 0. In place allowed.
struct root : PixelWise<root, void(Context&, ConstPlane, Plane, const RootParams&)> {
  static constexpr const char* help = "floor(sqrt(scale * value))";
  static constexpr Slot in[] = {{"a", "image", "such as squared distances", i32_only}};
  static constexpr Slot out[] = {{"out", "out", "of the type asked for", Types(u16_only | i32_only), -1, false, 1}};
};

}  // namespace op
}  // namespace morpho
