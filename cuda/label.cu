// Connected-component labelling on the GPU.
#include "components.cuh"
#include "contract/check_geodesic.hpp"
#include "gpu_ops.hpp"
#include "scan.cuh"

namespace morpho::gpu {

namespace {

constexpr i32 kWordsPerThread = 4, kThreads = 256, kWordsPerBlock = kWordsPerThread * kThreads;

/// A block owns 1024 words, a thread four: it writes how many roots they hold in all. Shared: one number a warp.
__global__ void label_count_kernel(const u32* __restrict__ root, i64 count, i32* __restrict__ totals) {
  __shared__ i32 sums[33];
  const i64 first = (static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x) * kWordsPerThread;
  i32 mine = 0, total;
  for (i32 k = 0; k < kWordsPerThread; ++k) mine += first + k < count ? __popc(root[first + k]) : 0;
  block_exclusive_sum(mine, sums, total);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

/// The same blocks again, now that totals[b] is the number of roots before block b: each root's parent becomes minus its number.
__global__ void label_number_kernel(LinkWords m, const u32* __restrict__ root, i64 count, const i32* __restrict__ before, i32* __restrict__ parent) {
  __shared__ i32 sums[33];
  const i64 first = (static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x) * kWordsPerThread;
  u32 roots[kWordsPerThread];
  i32 mine = 0, total;
#pragma unroll
  for (i32 k = 0; k < kWordsPerThread; ++k) {
    roots[k] = first + k < count ? root[first + k] : 0;
    mine += __popc(roots[k]);
  }
  i32 number = before[blockIdx.x] + block_exclusive_sum(mine, sums, total);
#pragma unroll
  for (i32 k = 0; k < kWordsPerThread; ++k) {
    if (roots[k] == 0) continue;
    const i64 i = first + k;
    const i32 y = static_cast<i32>(i / m.words), base = y * m.width + 32 * static_cast<i32>(i - static_cast<i64>(y) * m.words);
    for (u32 rest = roots[k]; rest; rest &= rest - 1) parent[base + __ffs(rest) - 1] = -(++number);
  }
}

/// A warp owns four words, a lane one pixel of each; `labels` still holds the parents. A pixel's run says its root or, if it is one,
/// minus its number. Only roots are read from words of other warps, and those hold the same number with either sign, so that it does
/// not matter whether their own warp has been here.
template <bool Valued>
__global__ void label_write_kernel(LinkWords m, i64 count, i32* labels) {
  constexpr i32 words = 4;
  const i64 first = (static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32 * words;
  const i32 lane = static_cast<i32>(lane_id());
  i32 at[words], value[words];
#pragma unroll
  for (i32 k = 0; k < words; ++k) {
    const i64 i = first + k;
    at[k] = -1;
    value[k] = 0;
    if (i >= count) continue;
    const i32 y = static_cast<i32>(i / m.words), x = 32 * static_cast<i32>(i - static_cast<i64>(y) * m.words);
    if (x + lane < m.width) at[k] = y * m.width + x + lane;
    const u32 fg = m.fg[i];
    if (fg >> lane & 1) value[k] = *static_cast<volatile i32*>(labels + y * m.width + x + run_start(starts_of<Valued>(m, i), lane));
    else value[k] = INT32_MIN;
  }
#pragma unroll
  for (i32 k = 0; k < words; ++k) {
    if (value[k] == INT32_MIN) value[k] = 0;
    else if (at[k] >= 0) value[k] = abs(value[k] < 0 ? value[k] : *static_cast<volatile i32*>(labels + value[k]));
  }
  __syncwarp();  // every lane has read its runs' parents
#pragma unroll
  for (i32 k = 0; k < words; ++k) {
    if (at[k] >= 0) *static_cast<volatile i32*>(labels + at[k]) = value[k];
  }
}

}  // namespace

/// Shape: in [h, w] u8 (binary) or u16, i32 (equal values) -> labels [h, w] i32; returns the number of components.
/// Units: labels 1..n in raster order of first pixels. Reach: global.
/// Cost: one read of `in`, one write of `labels`, and passes over one bit a pixel and the runs. Memory: that of connect(), 4 bytes for
/// every 1024 words, and a plane of labels where `labels` has gaps between its rows.
/// sync: once, for the count. Source: run-wise union-find with atomicMin (Allegretti et al. 2019), our own in the words and ranks.
i32 label(Context& ctx, ConstPlane in, Plane labels, const ConnectivityParams& params) {
  check::label(in, labels, params);
  if (in.extent.empty()) return 0;

  const Workspace::Scope scope(ctx.workspace);
  const View<i32> out = labels.view<i32>();
  const bool direct = out.contiguous();
  i32* parent = direct ? out.data : ctx.workspace.take<i32>(static_cast<std::size_t>(in.extent.area()));
  const Components c = connect(ctx, in, params.connectivity, parent);
  ctx.check_cancelled();
  const cudaStream_t stream = stream_of(ctx);
  const u32 blocks = blocks_for(c.count, kWordsPerBlock);
  i32* totals = ctx.workspace.take<i32>(static_cast<std::size_t>(blocks) + 1);
  label_count_kernel<<<blocks, kThreads, 0, stream>>>(c.root, c.count, totals);
  check_launch("label_count_kernel");
  scan_totals(ctx, totals, static_cast<i32>(blocks));
  label_number_kernel<<<blocks, kThreads, 0, stream>>>(c.links, c.root, c.count, totals, parent);
  check_launch("label_number_kernel");
  const u32 writers = blocks_for(divide_up(c.count, 4) * 32, 256);
  if (in.type == PixelType::u8) label_write_kernel<false><<<writers, 256, 0, stream>>>(c.links, c.count, parent);
  else label_write_kernel<true><<<writers, 256, 0, stream>>>(c.links, c.count, parent);
  check_launch("label_write_kernel");
  if (!direct) copy_rows(ctx, View<const i32>(parent, in.extent), out);
  i32 n = 0;
  fetch(ctx, &n, totals + blocks, 1);  // sync: the caller gets the number of labels
  return n;
}

}  // namespace morpho::gpu
