// relabel: each label's new value, from a table.
#pragma once
#include "label_sums.hpp"

namespace morpho::op {

/// out = map[v] for values v of `labels` i32 in [0, count], 0 for others; `out` i32, or u8 (clamped to 0..255). In place
/// allowed.
struct relabel : ArrayOperation<void(Context&, ConstPlane, Plane, const i32*, i32)> {
  static void check(const ConstPlane& labels, const Plane& out, const i32* map, i32 count) {
    static constexpr Slot in{"labels", "labels", "", i32_only};
    static constexpr Slot to{"out", "out", "", Types(u8_only | i32_only), -1, false, 1};
    check_images(&in, &labels, 1, &to, &out, 1);
    check_count(count);
    check_array("map", map, count);
  }
  static i64 cpu_need(const need::Image&) { return need::kSlack; }
};

}  // namespace morpho::op
