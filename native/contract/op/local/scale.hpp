// scale: an affine map of one image, with saturation.
#pragma once
#include "../pixel_wise.hpp"

namespace morpho {

/// An affine map of one image with saturation: out = clamp((a * multiply + add) >> shift) to out's type. i64 arithmetic.
struct ScaleParams {
  i32 multiply = 1;
  i64 add = 0;
  i32 shift = 0;  ///< arithmetic (rounds towards minus infinity)
  static constexpr void visit(auto& p, auto&& v) {
    // A product is at most 2^62, so that the sum fits an i64.
    constexpr i64 end = (i64{1} << 62) - 1;
    v(op::whole("multiply", "factor", op::kLeastInt, op::kMostInt), p.multiply);
    v(op::whole("add", "summand", -end, end), p.add);
    v(op::whole("shift", "bits to drop", 0, 31), p.shift);
  }
  bool operator==(const ScaleParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Types may differ. In place allowed.
struct scale : PixelWise<scale, void(Context&, ConstPlane, Plane, const ScaleParams&)> {
  static constexpr const char* help = "clamp((value * multiply + add) >> shift)";
  static constexpr Slot in[] = {{"a", "image", "grey values or labels", any_type}};
  static constexpr Slot out[] = {{"out", "out", "of the type asked for", any_type, -1, false, 1}};
  struct Certainty : ByReach {
    /// What it gives of values that are not negative is not negative either.
    static constexpr bool keeps_signless(const ScaleParams& p, PixelType out) {
      return (p.multiply >= 0 && p.add >= 0) || out != PixelType::i32;
    }
  };
};

}  // namespace op
}  // namespace morpho
