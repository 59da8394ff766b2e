// What operations have in common whose result at a pixel depends on that pixel alone.
#pragma once
#include "certainty.hpp"

namespace morpho::op {

/// What the descriptor of such an operation derives from in place of Operation: it looks no farther than the pixel, takes no
/// memory of its own, and is certain where its images are, unless it says more.
template <class Self, class Signature>
struct PixelWise : Operation<Self, Signature> {
  using Params = typename Operation<Self, Signature>::Params;
  static Reach reach(const Params&) { return {}; }
  static i64 cpu_need(const need::Image&, const Params& = {}) { return need::kSlack; }
  using Certainty = ByReach;
};

}  // namespace morpho::op
