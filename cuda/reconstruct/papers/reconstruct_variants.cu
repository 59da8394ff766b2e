// The published variants of reconstruction: their common image, and the choice between them.
#include <algorithm>

#include "contract/work_log.hpp"
#include "cuda/reconstruct/papers/reconstruct_papers.cuh"

namespace morpho::gpu {
namespace {

constexpr u32 kThreads = 256;

/// In the raised order every type is u32, and reconstruction by erosion is that by dilation: larger is further.
template <class T>
__device__ u32 raise_value(T v, bool erosion) {
  const u32 up = std::is_same_v<T, i32> ? static_cast<u32>(v) ^ 0x80000000u : static_cast<u32>(v);
  return erosion ? ~up : up;
}
template <class T>
__device__ T lower_value(u32 v, bool erosion) {
  const u32 up = erosion ? ~v : v;
  return static_cast<T>(std::is_same_v<T, i32> ? up ^ 0x80000000u : up);
}

/// d_i = mask and d_j = min(marker, mask), raised. One thread a pixel of every gridDim.y-th row; no shared memory; one pass.
template <class T>
__global__ void reconstruct_raise_kernel(Image<const T> marker, Image<const T> mask, bool erosion, u32* d_j, u32* d_i) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= mask.width) return;
  for (i32 y = blockIdx.y; y < mask.height; y += gridDim.y) {
    const i64 p = static_cast<i64>(y) * mask.width + x;
    const u32 i = raise_value(mask.at(x, y), erosion);
    d_i[p] = i;
    d_j[p] = min(raise_value(marker.at(x, y), erosion), i);
  }
}
/// out = d_j, lowered again. One thread a pixel of every gridDim.y-th row; no shared memory; one pass.
template <class T>
__global__ void reconstruct_lower_kernel(const u32* d_j, bool erosion, Image<T> out) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= out.width) return;
  for (i32 y = blockIdx.y; y < out.height; y += gridDim.y)
    out.at(x, y) = lower_value<T>(d_j[static_cast<i64>(y) * out.width + x], erosion);
}

/// Returns the rounds of what the host starts again.
template <class T>
i64 run(Context& ctx, View<const T> marker, View<const T> mask, View<T> out, const ReconstructParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const Extent e = out.extent;
  const std::size_t n = static_cast<std::size_t>(e.area());
  u32* d_j = ctx.workspace.take<u32>(n);
  u32* d_i = ctx.workspace.take<u32>(n);
  const bool erosion = params.by == By::erosion;
  const dim3 rows(blocks_for(e.width, kThreads), static_cast<u32>(std::min<i64>(divide_up(e.height, 8), 65535)));
  reconstruct_raise_kernel<T>
      <<<rows, kThreads, 0, stream_of(ctx)>>>(Image<const T>(marker), Image<const T>(mask), erosion, d_j, d_i);
  check_launch("reconstruct_raise_kernel");
  const RaisedPair pair{d_j, d_i, e.width, e.height, params.connectivity == Connectivity::eight};
  const auto propagate = [&] {
    switch (params.variant) {
      case ReconstructVariant::raster_sweeps: return reconstruct_by_scans(ctx, pair);
      case ReconstructVariant::naive_queue: return reconstruct_by_wavefronts(ctx, pair, QueueKind::naive);
      case ReconstructVariant::prefix_queue: return reconstruct_by_wavefronts(ctx, pair, QueueKind::prefix_sum);
      case ReconstructVariant::parallel_heap: return reconstruct_by_heaps(ctx, pair);
      default: return reconstruct_by_wavefronts(ctx, pair, QueueKind::thread_queues);
    }
  };
  const i64 rounds = propagate();
  reconstruct_lower_kernel<T><<<rows, kThreads, 0, stream_of(ctx)>>>(d_j, erosion, Image<T>(out));
  check_launch("reconstruct_lower_kernel");
  return rounds;
}

}  // namespace

/// Memory: 8 bytes a pixel; FH_GPU: 3 more and what one counter a block needs; PH_GPU: 3 more. Sync: one each time that the
/// scans or the wavefronts may have to run again.
void reconstruct_variant(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& params) {
  switch (params.variant) {
    case ReconstructVariant::raster_sweeps:
    case ReconstructVariant::fast_hybrid:
    case ReconstructVariant::naive_queue:
    case ReconstructVariant::prefix_queue:
    case ReconstructVariant::parallel_heap: break;
    default:
      reject("variant", "automatic, raster_sweeps, fast_hybrid, naive_queue, prefix_queue or parallel_heap (on the GPU)",
             std::to_string(static_cast<int>(params.variant)));
  }
  i64 rounds = 0;
  visit_pixel_type(out.type, [&](auto zero) {
    using T = decltype(zero);
    rounds = run<T>(ctx, marker.view<T>(), mask.view<T>(), out.view<T>(), params);
  });
  note(ctx, {"reconstruct", std::string(name_of(params.variant)), 1, rounds});
}

}  // namespace morpho::gpu
