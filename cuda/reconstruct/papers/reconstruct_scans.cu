// SR_GPU: reconstruction by raster and anti-raster scans, each split into one along the rows and one along the columns.
#include <algorithm>

#include "cuda/reconstruct/papers/reconstruct_papers.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

constexpr i32 kThreads = 256;

/// Scans rows. One warp a row, 32 pixels at a time; each pixel's step v -> min(max(v, J), I) is closed under composition, so
/// the warp scans the steps and applies them to the value carried over from the 32 pixels before.
template <bool forward>
__global__ void __launch_bounds__(kThreads) reconstruct_scan_rows_kernel(RaisedPair p, u32* d_moved) {
  const i32 y = static_cast<i32>(blockIdx.x * (kThreads / 32) + (threadIdx.x >> 5)), lane = static_cast<i32>(lane_id());
  if (y >= p.height) return;
  u32* j = p.d_j + static_cast<i64>(y) * p.width;
  const u32* mask = p.d_i + static_cast<i64>(y) * p.width;
  u32 carry = 0;
  bool moved = false;
  for (i32 begin = 0; begin < p.width; begin += 32) {
    const i32 k = begin + lane, x = forward ? k : p.width - 1 - k;
    const bool inside = k < p.width;
    const u32 was = inside ? j[x] : 0;
    u32 low = was, high = inside ? mask[x] : 0xFFFFFFFFu;  // beyond the end: the identity
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      const u32 other_low = __shfl_up_sync(kFullWarp, low, d), other_high = __shfl_up_sync(kFullWarp, high, d);
      if (lane < d) continue;
      const u32 next = min(max(other_low, low), high);
      high = min(max(other_high, low), high);
      low = next;
    }
    const u32 v = min(max(carry, low), high);
    carry = __shfl_sync(kFullWarp, v, 31);
    if (inside && v != was) {
      j[x] = v;
      moved = true;
    }
  }
  if (__any_sync(kFullWarp, moved) && lane == 0) *d_moved = 1;
}

/// Scans columns. One block 256 neighbouring columns, one thread a column; the line before sits in shared memory, two barriers'
/// worth of lines in turn, so that diagonal neighbours see it finished. Columns of other blocks are read as they happen to be:
/// values only rise, and the caller scans until none does.
template <bool forward>
__global__ void __launch_bounds__(kThreads) reconstruct_scan_columns_kernel(RaisedPair p, u32* d_moved) {
  __shared__ u32 line[2][kThreads + 2];
  const i32 x0 = static_cast<i32>(blockIdx.x) * kThreads, t = static_cast<i32>(threadIdx.x), x = x0 + t;
  const bool inside = x < p.width;
  bool moved = false;
  line[1][t + 1] = 0;
  if (t < 2) line[1][t * (kThreads + 1)] = 0;
  __syncthreads();
  for (i32 k = 0; k < p.height; ++k) {
    const i32 y = forward ? k : p.height - 1 - k;
    u32* row = p.d_j + static_cast<i64>(y) * p.width;
    const u32* before = line[(k + 1) & 1];
    u32 v = 0;
    if (inside) {
      const u32 was = load_pixel(row + x);
      u32 most = max(was, before[t + 1]);
      if (p.eight) most = max(most, max(before[t], before[t + 2]));
      v = min(most, p.d_i[static_cast<i64>(y) * p.width + x]);
      if (v != was) {
        store_pixel(row + x, v);
        moved = true;
      }
    }
    u32* now = line[k & 1];
    now[t + 1] = v;
    if (t == 0) now[0] = x0 > 0 ? load_pixel(row + x0 - 1) : 0;
    if (t == 1) now[kThreads + 1] = x0 + kThreads < p.width ? load_pixel(row + x0 + kThreads) : 0;
    __syncthreads();
  }
  if (__syncthreads_or(moved) && t == 0) *d_moved = 1;
}

}  // namespace

void scan_both_ways(Context& ctx, const RaisedPair& p, u32* d_moved) {
  const u32 rows = blocks_for(p.height, kThreads / 32), columns = blocks_for(p.width, kThreads);
  reconstruct_scan_rows_kernel<true><<<rows, kThreads, 0, stream_of(ctx)>>>(p, d_moved);
  check_launch("reconstruct_scan_rows_kernel");
  reconstruct_scan_columns_kernel<true><<<columns, kThreads, 0, stream_of(ctx)>>>(p, d_moved);
  check_launch("reconstruct_scan_columns_kernel");
  reconstruct_scan_rows_kernel<false><<<rows, kThreads, 0, stream_of(ctx)>>>(p, d_moved);
  check_launch("reconstruct_scan_rows_kernel");
  reconstruct_scan_columns_kernel<false><<<columns, kThreads, 0, stream_of(ctx)>>>(p, d_moved);
  check_launch("reconstruct_scan_columns_kernel");
}

i64 reconstruct_by_scans(Context& ctx, const RaisedPair& p) {
  const Workspace::Scope scope(ctx.workspace);
  u32* d_moved = ctx.workspace.take<u32>(1);
  i64 rounds = 0;
  for (u32 moved = 1; moved; ++rounds) {
    ctx.check_cancelled();
    set_bytes(ctx, d_moved, 0, 1);
    scan_both_ways(ctx, p, d_moved);
    fetch(ctx, &moved, d_moved, 1);  // sync: whether to scan again
  }
  return rounds;
}

}  // namespace morpho::gpu
