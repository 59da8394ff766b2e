// Keeps the components of a binary image whose area lies in a range, on the GPU.
#include "components.cuh"
#include "contract/check_geodesic.hpp"
#include "gpu_ops.hpp"

namespace morpho::gpu {

namespace {

__device__ inline i32 first_pixel(const LinkWords& m, i64 i) {
  const i32 y = static_cast<i32>(i / m.words);
  return y * m.width + 32 * static_cast<i32>(i - static_cast<i64>(y) * m.words);
}

/// A thread owns one word: each root's parent becomes minus the length of the root's own run.
__global__ void area_filter_roots_kernel(LinkWords m, const u32* __restrict__ root, i64 count, i32* __restrict__ parent) {
  const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count || root[i] == 0) return;
  const u32 fg = m.fg[i], starts = starts_of<false>(m, i);
  const i32 base = first_pixel(m, i);
  for (u32 rest = root[i]; rest; rest &= rest - 1) {
    const i32 start = __ffs(rest) - 1;
    parent[base + start] = start - run_end(fg, starts, start);
  }
}

/// A thread owns one word and adds its other runs to their roots: neighbours of one root first in a register, and what is left at the
/// end once a warp for each different root.
__global__ void area_filter_sum_kernel(LinkWords m, const u32* __restrict__ root, i64 count, i32* parent) {
  const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  i32 held = -1, sum = 0;
  if (i < count) {
    const u32 fg = m.fg[i], starts = starts_of<false>(m, i);
    const i32 base = first_pixel(m, i);
    for (u32 rest = starts & ~root[i]; rest; rest &= rest - 1) {
      const i32 start = __ffs(rest) - 1, r = parent[base + start], length = run_end(fg, starts, start) - start;
      if (r != held) {
        if (sum) atomicSub(parent + held, sum);
        held = r;
        sum = 0;
      }
      sum += length;
    }
  }
  const u32 same = __match_any_sync(kFullWarp, held);
  // Lanes with one root take turns in a loop over the set bits: all lanes of `same` run it alike.
  i32 all = 0;
  for (u32 rest = kFullWarp; rest; rest &= rest - 1) {
    const i32 lane = __ffs(rest) - 1, v = __shfl_sync(kFullWarp, sum, lane);
    if (same >> lane & 1) all += v;
  }
  if (held >= 0 && (same & ((1u << lane_id()) - 1)) == 0) atomicSub(parent + held, all);
}

/// A thread owns one word: it looks up the area of each run and writes the 32 pixels.
__global__ void area_filter_write_kernel(LinkWords m, i64 count, const i32* __restrict__ parent, i32 min_area, i32 end_area, Image<u8> out) {
  const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const i32 y = static_cast<i32>(i / m.words), x = 32 * static_cast<i32>(i - static_cast<i64>(y) * m.words);
  const u32 fg = m.fg[i], starts = starts_of<false>(m, i);
  const i32 base = y * m.width + x;
  u32 keep = 0;
  for (u32 rest = starts; rest; rest &= rest - 1) {
    const i32 start = __ffs(rest) - 1, end = run_end(fg, starts, start);
    const i32 v = parent[base + start], area = v < 0 ? -v : -parent[v];
    if (area >= min_area && area < end_area) keep |= (kFullWarp << start) & (kFullWarp >> (32 - end));
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

/// Shape: binary [h, w] u8 -> out [h, w] u8 of 0 and 1; `out` may be `binary`. Units: areas in pixels, min_area <= area < end_area.
/// Reach: global. Cost: one read, one write, passes over one bit a pixel and the runs. Memory: 4 bytes a pixel and that of connect().
/// sync: none.
void area_filter(Context& ctx, ConstPlane binary, Plane out, const AreaFilterParams& params) {
  check::area_filter(binary, out, params);
  if (binary.extent.empty()) return;

  const Workspace::Scope scope(ctx.workspace);
  i32* parent = ctx.workspace.take<i32>(static_cast<std::size_t>(binary.extent.area()));
  const Components c = connect(ctx, binary, params.connectivity, parent);
  ctx.check_cancelled();
  const cudaStream_t stream = stream_of(ctx);
  const u32 blocks = blocks_for(c.count, 256);
  area_filter_roots_kernel<<<blocks, 256, 0, stream>>>(c.links, c.root, c.count, parent);
  check_launch("area_filter_roots_kernel");
  area_filter_sum_kernel<<<blocks, 256, 0, stream>>>(c.links, c.root, c.count, parent);
  check_launch("area_filter_sum_kernel");
  area_filter_write_kernel<<<blocks, 256, 0, stream>>>(c.links, c.count, parent, params.min_area, params.end_area, out.view<u8>());
  check_launch("area_filter_write_kernel");
}

}  // namespace morpho::gpu
