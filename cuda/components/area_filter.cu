// Keeps the components of a binary image whose area lies in a range, on the GPU.
#include "cuda/components/components.cuh"
#include "cuda/gpu_ops.hpp"

namespace morpho::gpu {

namespace {

constexpr i32 kThreads = 256;

/// A warp owns 32 words: first a lane looks up whether a run is kept, by its tile's root and that one's root, the next lane the
/// next run's; then a lane writes the 32 pixels of a word. Shared: one bit for each of the warp's runs.
__global__ void __launch_bounds__(kThreads)
    area_filter_write_kernel(LinkWords m, i64 count, const i32* __restrict__ first_run, const i32* __restrict__ parent,
                             const i32* __restrict__ area, i32 min_area, i32 end_area, Image<u8> out) {
  __shared__ u32 kept[kThreads / 32][kMostRuns<false>];
  u32* const is_kept = kept[threadIdx.x / 32];
  const i32 lane = static_cast<i32>(lane_id());
  const i64 i = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (i - lane >= count) return;
  const u32 fg = i < count ? m.fg[i] : 0, starts = fg & ~(fg << 1);
  const i32 first = i < count ? first_run[i] : 0, begin = __shfl_sync(kFullWarp, first, 0), runs = warp_sum(__popc(starts));
  for (i32 k = 0; k < runs; k += 32) {
    bool keep_run = false;
    if (k + lane < runs) {
      const i32 pixels = area[parent[parent[begin + k + lane]]];
      keep_run = pixels >= min_area && pixels < end_area;
    }
    const u32 bits = __ballot_sync(kFullWarp, keep_run);
    if (lane == 0) is_kept[k / 32] = bits;
  }
  __syncwarp();
  if (i >= count) return;
  const i32 y = static_cast<i32>(i / m.words), x = 32 * static_cast<i32>(i - static_cast<i64>(y) * m.words);
  u32 keep = 0;
  i32 run = first - begin;
  for (u32 rest = starts; rest; rest &= rest - 1, ++run) {
    if (!(is_kept[run / 32] >> (run % 32) & 1)) continue;
    const i32 start = __ffs(rest) - 1, end = run_end(fg, starts, start);
    keep |= (kFullWarp << start) & (kFullWarp >> (32 - end));
  }
  u8* row = out.row(y) + x;
  const i32 n = min(32, out.width - x);
  if (n == 32 && (reinterpret_cast<std::uintptr_t>(row) & 15) == 0) {
    u32 v[8];
#pragma unroll
    for (i32 k = 0; k < 8; ++k) {
      const u32 four = keep >> (4 * k) & 15;
      v[k] = (four * 0x00204081u) & 0x01010101u;
    }
    reinterpret_cast<uint4*>(row)[0] = make_uint4(v[0], v[1], v[2], v[3]);
    reinterpret_cast<uint4*>(row)[1] = make_uint4(v[4], v[5], v[6], v[7]);
  } else {
    for (i32 k = 0; k < n; ++k) row[k] = static_cast<u8>(keep >> k & 1);
  }
}

}  // namespace

/// Shape: binary [h, w] u8 -> out [h, w] u8 of 0 and 1; `out` may be `binary`. Units: areas in pixels, min_area <= area <
/// end_area.
/// Reach: global. Cost: one read, one write, passes over one bit a pixel and 4 bytes a run. Memory: that of connect().
/// sync: none.
void area_filter(Context& ctx, ConstPlane binary, Plane out, const AreaFilterParams& params) {
  op::area_filter::check(binary, out, params);
  if (binary.extent.empty()) return;

  const Workspace::Scope scope(ctx.workspace);
  const Components c = connect(ctx, binary, params.connectivity, true);
  ctx.check_cancelled();
  area_filter_write_kernel<<<blocks_for(c.count, kThreads), kThreads, 0, stream_of(ctx)>>>(
      c.links, c.count, c.first, c.parent, c.area, params.min_area, params.end_area, out.view<u8>());
  check_launch("area_filter_write_kernel");
}

}  // namespace morpho::gpu
