// The watershed's last phases: every pixel follows the flow graph to its sink, and sinks get their numbers.
#include <algorithm>

#include "cuda/runtime/scan.cuh"
#include "cuda/watershed/watershed_graph.cuh"

namespace morpho::gpu {
namespace {

constexpr i32 kSide = 64, kArea = kSide * kSide, kThreads = 256, kPerThread = kArea / kThreads;
constexpr i64 kChunk = 8192;  ///< pixels of one block where pixels are taken in raster order
constexpr i32 kWarps = kThreads / 32, kPerWarp = static_cast<i32>(kChunk) / kWarps;

/// Follows the codes inside tiles of 64x64. d_work becomes ~label where that is known, and else the index of the pixel where
/// the flow goes on: outside the tile, or the first pixel of a minimum. One block a tile, one thread 16 pixels; shared memory
/// holds each pixel's next pixel in the tile and what a pixel that leads nowhere else stands for. Pointers are doubled until
/// none moves.
__global__ void __launch_bounds__(kThreads) watershed_tile_follow_kernel(FollowArgs a, i32 across) {
  __shared__ u16 next[kArea];
  __shared__ i32 value[kArea];
  const i32 x0 = static_cast<i32>(blockIdx.x) % across * kSide, y0 = static_cast<i32>(blockIdx.x) / across * kSide;
  const i32 lx = static_cast<i32>(threadIdx.x) % kSide, x = x0 + lx, below = static_cast<i32>(threadIdx.x) / kSide;
#pragma unroll 4
  for (i32 j = 0; j < kPerThread; ++j) {
    const i32 i = j * kThreads + static_cast<i32>(threadIdx.x), ly = j * (kThreads / kSide) + below, y = y0 + ly;
    i32 to = i, v = -1;
    if (x < a.width && y < a.height) {
      const i32 p = y * a.width + x;
      const u8 code = a.d_code[p];
      if (code < flow::sink) {
        const i32 dx = flow::dx(code & 7), dy = flow::dy(code & 7), nx = lx + dx, ny = ly + dy;
        if (static_cast<u32>(nx | ny) < kSide) to = ny * kSide + nx;
        else v = p + dy * a.width + dx;
      } else if (code == flow::sink) {
        v = ~a.d_markers[y * a.marker_stride + x];
      } else if (code == flow::minimum && !a.d_markers) {
        v = static_cast<i32>(static_cast<u32>(a.d_work[p]) & ~kIndexKey);
      }
    }
    next[i] = static_cast<u16>(to);
    value[i] = v;
  }
  for (u32 left = (1u << kPerThread) - 1; __syncthreads_or(static_cast<int>(left));) {  // bit j: pixel j may go on
    u16 to[kPerThread];
#pragma unroll
    for (i32 j = 0; j < kPerThread; ++j) {
      if (!(left >> j & 1)) continue;
      const u16 now = next[j * kThreads + threadIdx.x];
      to[j] = next[now];
      if (to[j] == now) left ^= 1u << j;
    }
    __syncthreads();
#pragma unroll
    for (i32 j = 0; j < kPerThread; ++j)
      if (left >> j & 1) next[j * kThreads + threadIdx.x] = to[j];
  }
#pragma unroll 4
  for (i32 j = 0; j < kPerThread; ++j) {
    const i32 i = j * kThreads + static_cast<i32>(threadIdx.x), y = y0 + j * (kThreads / kSide) + below;
    if (x < a.width && y < a.height) a.d_work[y * a.width + x] = value[next[i]];
  }
}

/// Follows the ways from tile to tile: d_work becomes ~label or the root's index. Also counts the roots of each chunk and of
/// each warp's pixels. A thread takes one pixel in 32 of its warp's 1024, one after the other; pixels that others have finished
/// meanwhile only shorten the way. No shared memory but the count.
__global__ void __launch_bounds__(kThreads) watershed_follow_kernel(i32* d_work, i64 n, i32* d_count, u16* d_of_warp) {
  __shared__ u32 count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const u32 warp = threadIdx.x >> 5;
  const i64 first = static_cast<i64>(blockIdx.x) * kChunk + static_cast<i64>(warp) * kPerWarp + lane_id();
  u32 roots = 0;
  for (i32 j = 0; j < kPerWarp; j += 32) {
    const i64 p = first + j;
    if (p >= n) break;
    const i32 v = static_cast<i32>(load_pixel(d_work + p));
    if (v == p) ++roots;
    if (v < 0 || v == p) continue;
    i32 q = v;
    for (;;) {
      const i32 w = static_cast<i32>(load_pixel(d_work + q));
      if (w == q) break;
      q = w;
      if (w < 0) break;
    }
    if (q != v) store_pixel(d_work + p, static_cast<u32>(q));
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) roots += __shfl_xor_sync(kFullWarp, roots, step);
  if (lane_id() == 0) {
    d_of_warp[blockIdx.x * kWarps + warp] = static_cast<u16>(roots);
    if (roots) atomicAdd(&count, roots);
  }
  __syncthreads();
  if (threadIdx.x == 0) d_count[blockIdx.x] = static_cast<i32>(count);
}

/// Writes ~number at every root, numbers being 1..n in raster order: of a warp's 1024 pixels after those of the chunks and
/// warps before. One block a chunk; a vote counts 32 pixels; one pass over what has roots.
__global__ void __launch_bounds__(kThreads)
    watershed_number_kernel(i32* d_work, i64 n, const i32* d_count, const u16* d_of_warp) {
  const u32 warp = threadIdx.x >> 5;
  const i64 first = static_cast<i64>(blockIdx.x) * kChunk + static_cast<i64>(warp) * kPerWarp + lane_id();
  const u16* of_warp = d_of_warp + blockIdx.x * kWarps;
  if (of_warp[warp] == 0) return;
  u32 number = static_cast<u32>(d_count[blockIdx.x]) + 1;
  for (u32 w = 0; w < warp; ++w) number += of_warp[w];
  for (i32 j0 = 0; j0 < kPerWarp; j0 += 32 * kAtOnce) {
    i32 way[kAtOnce];
#pragma unroll
    for (i32 j = 0; j < kAtOnce; ++j) {
      const i64 p = first + j0 + 32 * j;
      way[j] = p < n ? d_work[p] : -1;
    }
#pragma unroll
    for (i32 j = 0; j < kAtOnce; ++j) {
      const i64 p = first + j0 + 32 * j;
      const bool root = way[j] == p;
      const u32 found = __ballot_sync(kFullWarp, root);
      if (root) d_work[p] = ~static_cast<i32>(number + __popc(found & ((1u << lane_id()) - 1)));
      number += __popc(found);
    }
  }
}

/// Every pixel's label from its own entry or its root's. One thread a pixel of every gridDim.y-th row; labels may be d_work: a
/// root's entry is read as ~number or, already finished, as the number.
__global__ void watershed_finish_kernel(const i32* d_work, Image<i32> labels) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= labels.width) return;
  const i32 down = static_cast<i32>(gridDim.y);
  for (i32 y0 = blockIdx.y; y0 < labels.height; y0 += kAtOnce * down) {
    i32 v[kAtOnce];
#pragma unroll
    for (i32 r = 0; r < kAtOnce; ++r) {
      const i32 y = y0 + r * down;
      v[r] = y < labels.height ? static_cast<i32>(load_pixel(d_work + static_cast<i64>(y) * labels.width + x)) : -1;
    }
#pragma unroll
    for (i32 r = 0; r < kAtOnce; ++r)
      if (v[r] >= 0) v[r] = static_cast<i32>(load_pixel(d_work + v[r]));
#pragma unroll
    for (i32 r = 0; r < kAtOnce; ++r) {
      const i32 y = y0 + r * down;
      if (y < labels.height) store_pixel(&labels.at(x, y), static_cast<u32>(v[r] < 0 ? ~v[r] : v[r]));
    }
  }
}

}  // namespace

i32 number_basins(Context& ctx, i32* d_work, bool numbered, View<i32> labels) {
  const Workspace::Scope scope(ctx.workspace);
  const i64 n = labels.extent.area(), chunks = divide_up(n, kChunk);
  i32* d_count = ctx.workspace.take<i32>(static_cast<std::size_t>(chunks) + 1);
  u16* d_of_warp = ctx.workspace.take<u16>(static_cast<std::size_t>(chunks * kWarps));
  const u32 blocks = static_cast<u32>(chunks);
  watershed_follow_kernel<<<blocks, kThreads, 0, stream_of(ctx)>>>(d_work, n, d_count, d_of_warp);
  check_launch("watershed_follow_kernel");
  if (numbered) {
    scan_totals(ctx, d_count, static_cast<i32>(chunks));
    watershed_number_kernel<<<blocks, kThreads, 0, stream_of(ctx)>>>(d_work, n, d_count, d_of_warp);
    check_launch("watershed_number_kernel");
  }
  const dim3 rows(blocks_for(labels.width(), 256), static_cast<u32>(std::min<i64>(divide_up(labels.height(), 8), 65535)));
  watershed_finish_kernel<<<rows, 256, 0, stream_of(ctx)>>>(d_work, Image<i32>(labels));
  check_launch("watershed_finish_kernel");
  if (!numbered) return 0;
  i32 total = 0;
  fetch(ctx, &total, d_count + chunks, 1);  // sync: the number of minima is the operation's result
  return total;
}

i32 follow_flow(Context& ctx, const FollowArgs& a, View<i32> labels) {
  const i32 across = static_cast<i32>(divide_up(a.width, kSide));
  const u32 tiles = static_cast<u32>(across * divide_up(a.height, kSide));
  watershed_tile_follow_kernel<<<tiles, kThreads, 0, stream_of(ctx)>>>(a, across);
  check_launch("watershed_tile_follow_kernel");
  return number_basins(ctx, a.d_work, !a.d_markers, labels);
}

}  // namespace morpho::gpu
