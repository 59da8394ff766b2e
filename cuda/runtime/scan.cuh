// Exclusive sums of short lists: block totals between two passes of the same grid.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// Enqueues: values[i] becomes the sum of the values before it, values[n] the sum of all. `values` holds n + 1 elements.
void scan_totals(const Context& ctx, i32* values, i32 n);
void scan_totals(const Context& ctx, i64* values, i32 n);

}  // namespace morpho::gpu
