// Which sides of a window were cut out of a larger image.
#include "window_job.hpp"

namespace morpho::engine {

CutSides WindowJob::cut() const {
  if (!image.empty()) return {x > 0, y > 0, x + extent.width < image.width, y + extent.height < image.height};
  if (!plan) return {};
  const i32 halo = plan->halo;
  return {core.x >= halo, core.y >= halo, extent.width - core.x - core.width >= halo,
          extent.height - core.y - core.height >= halo};
}

WindowJob job_alone(PlanPtr plan, Extent extent, const Rect& core, bool want_planes) {
  WindowJob job;
  job.plan = std::move(plan);
  job.extent = extent, job.core = core, job.want_planes = want_planes;
  return job;
}

}  // namespace morpho::engine
