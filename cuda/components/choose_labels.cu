// Which labels stay, and the image with the labels that they get.
#include "contract/object_choice.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/map.cuh"
#include "cuda/runtime/scan.cuh"

namespace morpho::gpu {
namespace {

constexpr i32 kThreads = 256;

/// A thread owns a label: 1 in the map where it stays. The block counts its own.
__global__ void choose_labels_keep_kernel(const LabelSums* __restrict__ sums, i64 n, LabelRule rule, i32* __restrict__ map,
                                          i32* __restrict__ totals) {
  __shared__ i32 shared[33];
  const i64 l = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  const i32 keep = l > 0 && l < n && objects::keeps(rule, sums[l]);
  if (l < n) map[l] = keep;
  i32 total;
  block_exclusive_sum(keep, shared, total);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}
/// The same threads again: the number of each label that stays, from those before it.
__global__ void choose_labels_number_kernel(i64 n, const i32* __restrict__ totals, i32* __restrict__ map) {
  __shared__ i32 shared[33];
  const i64 l = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  const i32 keep = l < n ? map[l] : 0;
  i32 total;
  const i32 before = totals[blockIdx.x] + block_exclusive_sum(keep, shared, total);
  if (keep) map[l] = before + 1;
}

struct Lookup {
  const i32* map;
  i32 count, low, high;
  __device__ i32 operator()(i32 v, i32) const {
    const i32 r = v < 0 || v > count ? 0 : map[v];
    return r < low ? low : r > high ? high : r;
  }
};

}  // namespace

// Memory: 4 bytes for each 256 labels. Cost: two passes over the labels, some products of 128 bits for each. sync: none.
void choose_labels(Context& ctx, const LabelSums* sums, i32 count, i32* map, const LabelRule& rule) {
  op::choose_labels::check(sums, count, map, rule);
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  const i64 n = i64{count} + 1;
  const u32 blocks = blocks_for(n, kThreads);
  i32* totals = ctx.workspace.take<i32>(blocks + std::size_t{1});
  choose_labels_keep_kernel<<<blocks, kThreads, 0, stream>>>(sums, n, rule, map, totals);
  check_launch("choose_labels_keep_kernel");
  scan_totals(ctx, totals, static_cast<i32>(blocks));
  choose_labels_number_kernel<<<blocks, kThreads, 0, stream>>>(n, totals, map);
  check_launch("choose_labels_number_kernel");
}

// Memory: none. Cost: one pass, and a look into the map for each pixel. sync: none.
void relabel(Context& ctx, ConstPlane labels, Plane out, const i32* map, i32 count) {
  op::relabel::check(labels, out, map, count);
  const View<const i32> from = labels.view<i32>();
  if (out.type == PixelType::u8) map_pixels(ctx, from, from, out.view<u8>(), Lookup{map, count, 0, 255});
  else map_pixels(ctx, from, from, out.view<i32>(), Lookup{map, count, INT32_MIN, INT32_MAX});
}

}  // namespace morpho::gpu
