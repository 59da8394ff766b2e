// The areas of objects' convex hulls.
#pragma once
#include "cuda/measure/measure_runs.cuh"

namespace morpho::gpu {

/// Enqueues hull2 of every object, as objects::hull_area2. From the workspace, and given back: 32 bytes a row of an object, 4
/// an object.
void hull_objects(Context& ctx, const SortedRuns& r);

}  // namespace morpho::gpu
