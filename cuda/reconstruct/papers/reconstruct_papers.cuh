// The published GPU algorithms for reconstruction, for comparison: all work on one 32-bit image in the raised order.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// marker under mask, both u32, [h, w], flat; larger is higher.
struct RaisedPair {
  u32* d_j;
  const u32* d_i;
  i32 width, height;
  bool eight;
};
__device__ inline bool inside(const RaisedPair& p, i32 x, i32 y) { return x >= 0 && y >= 0 && x < p.width && y < p.height; }
/// Neighbour n of the 8, the four direct ones first.
__device__ inline i32 step_x(int n) { return n < 4 ? (n == 0 ? -1 : n == 1 ? 1 : 0) : (n & 1 ? 1 : -1); }
__device__ inline i32 step_y(int n) { return n < 4 ? (n == 2 ? -1 : n == 3 ? 1 : 0) : (n < 6 ? -1 : 1); }
/// Whether pixel t would raise a neighbour: where a wave starts.
__device__ inline bool starts_wave(const RaisedPair& p, i64 t) {
  const i32 x = static_cast<i32>(t % p.width), y = static_cast<i32>(t / p.width);
  const u32 v = p.d_j[t];
  for (int k = 0; k < (p.eight ? 8 : 4); ++k) {
    const i32 qx = x + step_x(k), qy = y + step_y(k);
    if (!inside(p, qx, qy)) continue;
    const i64 q = static_cast<i64>(qy) * p.width + qx;
    const u32 j = p.d_j[q];
    if (j < v && j < p.d_i[q]) return true;
  }
  return false;
}
/// One raster and one anti-raster scan, each along rows and then along columns. *d_moved becomes 1 where a pixel moved.
void scan_both_ways(Context& ctx, const RaisedPair& p, u32* d_moved);
/// SR_GPU: scans until nothing moves. Returns how often it scanned both ways.
i64 reconstruct_by_scans(Context& ctx, const RaisedPair& p);

/// How a block's threads put pixels into its queue (Teodoro 2012 §5.2.1).
enum class QueueKind : u8 { naive, prefix_sum, thread_queues };
/// FH_GPU: one scan each way, then wavefronts, one queue a block. Returns how often the wavefronts began: once, and again for
/// pixels that found no room in a queue.
i64 reconstruct_by_wavefronts(Context& ctx, const RaisedPair& p, QueueKind kind);

/// PH_GPU: wavefronts led by their highest pixels, one heap a block. Returns as above.
i64 reconstruct_by_heaps(Context& ctx, const RaisedPair& p);

/// Runs a variant other than `automatic` on checked, non-empty planes; rejects those that the GPU does not have.
void reconstruct_variant(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& params);

}  // namespace morpho::gpu
