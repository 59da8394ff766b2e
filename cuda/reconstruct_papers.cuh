// The published GPU algorithms for reconstruction, for comparison: all work on one 32-bit image in the raised order.
#pragma once
#include "device.cuh"

namespace morpho::gpu {

/// marker under mask, both u32, [h, w], flat; larger is higher.
struct RaisedPair {
  u32* d_j;
  const u32* d_i;
  i32 width, height;
  bool eight;
};
/// One raster and one anti-raster scan, each along rows and then along columns. *d_moved becomes 1 where a pixel moved.
void scan_both_ways(Context& ctx, const RaisedPair& p, u32* d_moved);
/// SR_GPU: scans until nothing moves.
void reconstruct_by_scans(Context& ctx, const RaisedPair& p);

/// How a block's threads put pixels into its queue (Teodoro 2012 §5.2.1).
enum class QueueKind : u8 { naive, prefix_sum, thread_queues };
/// FH_GPU: one scan each way, then wavefronts, one queue a block.
void reconstruct_by_wavefronts(Context& ctx, const RaisedPair& p, QueueKind kind);

/// PH_GPU: wavefronts led by their highest pixels, one heap a block.
void reconstruct_by_heaps(Context& ctx, const RaisedPair& p);

/// Runs a variant other than `automatic` on checked, non-empty planes; rejects those that the GPU does not have.
void reconstruct_variant(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& params);

}  // namespace morpho::gpu
