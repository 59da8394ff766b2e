// gaussian: separable Gaussian smoothing in fixed point.
#pragma once
#include <cmath>

#include "../certainty.hpp"

namespace morpho {

struct GaussianParams {
  double sigma = 1.0;  ///< px; 0: a copy
  static constexpr void visit(auto& p, auto&& v) { v(op::required(op::real("sigma", "px", 0, 64)), p.sigma); }
  bool operator==(const GaussianParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Separable Gaussian, u8 or u16: the Q16 weights of gaussian_weights() (tables.hpp), first along rows, then along columns;
/// each pass gives floor((2 Σ w v + W) / (2 W)) in f's type, over the taps inside the image, W the sum of their weights
/// (65536 inside). In place allowed. Reach: halo ceil(3 sigma).
struct gaussian : Operation<gaussian, void(Context&, ConstPlane, Plane, const GaussianParams&)> {
  static constexpr const char* help = "Gaussian smoothing";
  static constexpr Slot in[] = {{"f", "image", "grey or binary values", grey}};
  static constexpr Slot out[] = {{"out", "out", "as the image", grey, 0, false, 1}};
  static Reach reach(const Params& p) { return halo_reach(static_cast<i32>(std::ceil(3 * p.sigma))); }
  /// One image with rows padded by up to 127 bytes, 8 bytes a column and thread.
  static i64 cpu_need(const need::Image& i, const Params& = {}) {
    return i.height() * (i.width() * i.bytes() + 128) + 8 * i.width() * i.workers() + need::kSlack;
  }
  using Certainty = ByReach;
};

}  // namespace op
}  // namespace morpho
