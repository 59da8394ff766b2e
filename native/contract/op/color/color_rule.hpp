// color_rule: 1 where all rules on a colour hold.
#pragma once
#include "../pixel_wise.hpp"

namespace morpho {

/// 1 where a colour rule holds, all in integers: used for background and red blood cells.
struct ColorRuleParams {
  i32 above[3] = {-1, -1, -1};  ///< requires R > above[0], G > above[1], B > above[2]
  /// Requires R*den > G*num (and R*den > B*num): ratios without division. num = 0 switches a rule off.
  i32 r_over_g_num = 0, r_over_g_den = 1;
  i32 r_over_b_num = 0, r_over_b_den = 1;
  static constexpr void visit(auto& p, auto&& v) {
    constexpr const char* above[] = {"above_r", "above_g", "above_b"};
    for (int k = 0; k < 3; ++k) v(op::whole(above[k], "the channel must be above this; -1 allows all", -1, 255), p.above[k]);
    constexpr i64 most = 1 << 22;
    constexpr const char *num = "R * den > other * num must hold; 0 switches the rule off", *den = "see num";
    v(op::whole("r_over_g_num", num, 0, most), p.r_over_g_num);
    v(op::whole("r_over_g_den", den, 1, most), p.r_over_g_den);
    v(op::whole("r_over_b_num", num, 0, most), p.r_over_b_num);
    v(op::whole("r_over_b_den", den, 1, most), p.r_over_b_den);
  }
  bool operator==(const ColorRuleParams& o) const { return op::same(*this, o); }
};

namespace op {

struct color_rule : PixelWise<color_rule, void(Context&, View<const Rgba>, Plane, const ColorRuleParams&)> {
  static constexpr const char* help = "1 where all rules on a colour hold";
  static constexpr Slot in[] = {{"rgba", "image", "RGBA; alpha is not looked at", rgba}};
  static constexpr Slot out[] = {{"out", "out", "0 or 1", u8_only}};
};

}  // namespace op
}  // namespace morpho
