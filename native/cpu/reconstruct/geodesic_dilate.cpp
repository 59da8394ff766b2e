// Geodesic dilation by so many steps: the dilation and the minimum that it is made of.
#include "contract/work_log.hpp"
#include "cpu/cpu_ops.hpp"

namespace morpho::cpu {

// Memory: that of a dilation in place. Cost: a dilation by a square of radius 1 and a minimum for each step.
void geodesic_dilate(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const GeodesicParams& p) {
  op::geodesic_dilate::check(marker, mask, out, p);
  note(ctx, {"geodesic_dilate", "steps", 1, p.steps});
  combine(ctx, marker, mask, out, {Combine::minimum});
  for (i32 k = 0; k < p.steps; ++k) {
    ctx.check_cancelled();
    morphology(ctx, out, out, {Morphology::dilate, Shape::square, 1});
    combine(ctx, out, mask, out, {Combine::minimum});
  }
}

}  // namespace morpho::cpu
