// What ends a reconstruction whose waves wind too long for the tile worklist, at a cost that no shape changes.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// Words of device memory that are 0 before the kernel: how the blocks wait for each other.
struct BitsControl {
  u32* d_arrived;  ///< blocks at the grid's barriers so far
  u32* d_open;     ///< bit k: a pixel can still rise by bit k
};

/// Enqueues out = the reconstruction by dilation of `out` under `mask`, where *d_wanted is not 0 on the device; else one launch
/// that returns at once. Pixels are taken as (value ^ flip), U is u8, u16 or u32; out <= mask in that order; at most 2^31 - 1
/// pixels.
/// Cost: for each bit of a pixel four passes over out and mask, a union-find of the pixels that the bit concerns, three waits
/// of the whole grid. Memory: 4 bytes a pixel. Source: thresholds of a reconstruction are reconstructions of thresholds
/// (Vincent 1993 §2), bit by bit.
template <class U>
void reconstruct_by_bits(Context& ctx, View<const U> mask, View<U> out, u32 flip, bool eight, const u32* d_wanted,
                         BitsControl control);

}  // namespace morpho::gpu
