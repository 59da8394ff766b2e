// The runs of a label image's objects in the order of labels, as measurements take them.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// What is known of an object before its sums: where its runs and its rows begin.
struct Object {
  i32 label, first_run, first_row, unused;
  i64 hull2;  ///< twice the area of its convex hull, made later
};

/// The runs of all labels > 0 in the order of labels, raster order inside each, the rows of objects likewise, and where each
/// object begins.
struct SortedRuns {
  Run *runs = nullptr, *rows = nullptr;
  i32 *label = nullptr, *object = nullptr;
  Object* objects = nullptr;
  i32 count = 0, object_count = 0, row_count = 0;
};

/// Enqueues them, from the workspace: 40 bytes a run, 24 an object, 8 for each 32 pixels and what a sort takes. count may be 0,
/// and the rest absent. Waits twice, for the numbers of runs and of objects.
SortedRuns sort_runs(Context& ctx, const View<const i32>& labels);

}  // namespace morpho::gpu
