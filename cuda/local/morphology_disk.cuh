// Erosion and dilation by disks of moderate radius, without images between.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// Enqueues the erosion (dilation) of f by a disk into `out`, which is apart from f. Returns false, and does nothing, where the
/// radius needs more shared memory than a block of this GPU can have. T: u8 or u16.
template <class T>
bool disk_by_tiles(const Context& ctx, const View<const T>& f, const View<T>& out, i32 radius, bool erosion);

}  // namespace morpho::gpu
