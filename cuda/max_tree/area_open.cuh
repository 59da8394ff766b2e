// The usual way of area opening, by tiles.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// Enqueues: out = for every pixel the value of its nearest ancestor (or itself) with `limit` pixels or more below it, or of
/// the root. d_parent is a max-tree's parents in any form in which they lead up, and is changed. T is u8 or u16. Memory: 8
/// bytes a pixel.
template <class T>
void area_open_by_tiles(Context& ctx, const T* d_f, i32* d_parent, View<T> out, u32 limit);

}  // namespace morpho::gpu
