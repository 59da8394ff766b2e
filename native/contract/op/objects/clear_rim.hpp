// clear_rim: sets the pixels at the image's sides to 0.
#pragma once
#include "../../object_rules.hpp"
#include "../operation.hpp"

namespace morpho::op {

/// Sets the pixels at the image's sides to 0. Any type.
struct clear_rim : ArrayOperation<void(Context&, Plane, const RimParams&)> {
  static void check(const Plane& image, const RimParams& p) {
    require_plane("image", image);
    check_params(p);
  }
  static i64 cpu_need(const need::Image&) { return need::kSlack; }
};

}  // namespace morpho::op
