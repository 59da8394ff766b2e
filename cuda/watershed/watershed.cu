// Watershed by drops of water: flow codes downhill, plateaus, and the planes that come in.
#include <algorithm>
#include <limits>

#include "contract/choices.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/work.cuh"
#include "cuda/watershed/watershed_graph.cuh"
#include "cuda/watershed/papers/watershed_papers.cuh"

namespace morpho::gpu {
namespace {

/// Finds the largest marker inside the mask, and the first negative marker as (index << 32 | value). One thread a pixel of
/// every gridDim.y-th row; each warp reduces before it touches the two results.
__global__ void watershed_markers_kernel(MarkersAndMask in, i32 width, i32 height, i32* d_largest,
                                         unsigned long long* d_negative) {
  constexpr i32 kAtOnce = 4;  // loads that are under way together
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x, down = static_cast<i32>(gridDim.y);
  i32 most = 0;
  unsigned long long first = ~0ull;
  for (i32 y0 = blockIdx.y; y0 < height && x < width; y0 += kAtOnce * down) {
    i32 marker[kAtOnce];
#pragma unroll
    for (i32 r = 0; r < kAtOnce; ++r) marker[r] = y0 + r * down < height ? in.marker(x, y0 + r * down) : 0;
#pragma unroll
    for (i32 r = 0; r < kAtOnce; ++r) {
      const i32 m = marker[r], y = y0 + r * down;
      if (m > most && in.inside(x, y)) most = m;
      if (m < 0) first = min(first, static_cast<unsigned long long>(static_cast<i64>(y) * width + x) << 32 | static_cast<u32>(m));
    }
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) most = max(most, __shfl_xor_sync(kFullWarp, most, step));
  if (lane_id() == 0 && most > 0) atomicMax(d_largest, most);
  if (first != ~0ull) atomicMin(d_negative, first);
}

/// The planes from which the flood level is reconstructed, or the levels themselves where there are no markers: f where a
/// marker (or no marker plane) is, `top` elsewhere and outside the mask; `floor`, where wanted, is f inside the mask. One
/// thread a pixel of every gridDim.y-th row; no shared memory; one pass.
template <class T>
__global__ void watershed_levels_kernel(Image<const T> f, MarkersAndMask in, Image<T> g, T* d_floor, T top) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= f.width) return;
  for (i32 y = blockIdx.y; y < f.height; y += gridDim.y) {
    const bool inside = in.inside(x, y);
    const T v = f.at(x, y);
    g.at(x, y) = inside && (!in.d_markers || in.marker(x, y) > 0) ? v : top;
    if (d_floor) d_floor[static_cast<i64>(y) * f.width + x] = inside ? v : top;
  }
}

/// Values of a pixel and of its neighbours to the west and east; beyond the image `beyond`.
template <class T>
struct Beside {
  T west, here, east;
};
template <class T>
__device__ Beside<T> beside(const T* row, i32 x, i32 width, bool inside, T beyond) {
  if (!inside) return {beyond, beyond, beyond};
  return {x > 0 ? row[x - 1] : beyond, row[x], x + 1 < width ? row[x + 1] : beyond};
}
/// Calls fn(counts, neighbour, k) for the neighbours in the order of their codes; `diagonal`: whether those at corners count.
template <class T, class Fn>
__device__ void each_around(const Beside<T>& up, const Beside<T>& at, const Beside<T>& down, bool diagonal, Fn&& fn) {
  fn(diagonal, up.west, 0), fn(true, up.here, 1), fn(diagonal, up.east, 2);
  fn(true, at.west, 3), fn(true, at.east, 4);
  fn(diagonal, down.west, 5), fn(true, down.here, 6), fn(diagonal, down.east, 7);
}

constexpr i32 kStrip = 8;  ///< rows that a thread goes down with three rows in its registers

/// Codes of pixels that need no plateau: the lowest of the lower neighbours (ties: smallest code), sinks, pixels outside; the
/// rest is pending. One thread a column of every gridDim.y-th strip, three loads a pixel; no shared memory; one pass.
template <class T>
__global__ void watershed_descend_kernel(Image<const T> g, MarkersAndMask in, u8* d_code, u32 used, T beyond) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= g.width) return;
  const bool diagonal = used == flow::used8;
  for (i32 y0 = blockIdx.y * kStrip; y0 < g.height; y0 += gridDim.y * kStrip) {
    Beside<T> up = beside(g.row(y0 - 1), x, g.width, y0 > 0, beyond), at = beside(g.row(y0), x, g.width, true, beyond);
#pragma unroll
    for (i32 r = 0; r < kStrip; ++r) {
      const i32 y = y0 + r;
      if (y >= g.height) break;
      const Beside<T> down = beside(g.row(y + 1), x, g.width, y + 1 < g.height, beyond);
      T best = at.here;
      u32 code = flow::pending;
      if (!in.inside(x, y)) {
        code = flow::outside;
      } else if (in.d_markers && in.marker(x, y) > 0) {
        code = flow::sink;
      } else {  // outside the mask and beyond the image is the type's maximum: never lower
        each_around(up, at, down, diagonal, [&](bool counts, T v, u32 k) {
          if (counts && v < best) best = v, code = k;
        });
      }
      d_code[static_cast<i64>(y) * g.width + x] = static_cast<u8>(code);
      up = at, at = down;
    }
  }
}

/// What a neighbour on the same level is: one that is linked (bit 0), an outlet (bit 8), or neither.
__device__ inline u32 kind_of(u8 code) {
  if (flow::outlet(code)) return 1u << 8;
  return code == flow::pending || code / flow::reached == 1 ? 1u : 0u;
}
__device__ Beside<u32> kinds_beside(const u8* row, i32 x, i32 width, bool inside) {
  const Beside<u8> codes = beside(row, x, width, inside, flow::outside);
  return {kind_of(codes.west), kind_of(codes.here), kind_of(codes.east)};
}

/// Links and first keys of pending pixels, and which rows of each tile have links. What has an outlet beside it gets its code
/// as well: the first outlet's. One block a tile of 32x32, one warp four rows, three of which are in registers; other threads
/// may see a pixel's new code or its old one, which is the same to them; one pass.
template <class T>
__global__ void __launch_bounds__(256)
    watershed_link_kernel(Image<const T> g, u8* d_code, u32* d_key, u8* d_link, u32* d_rows, i32 across, u32 used) {
  constexpr i32 kRows = 4;
  __shared__ u32 rows;
  if (threadIdx.x == 0) rows = 0;
  __syncthreads();
  const i32 x = static_cast<i32>(blockIdx.x) % across * 32 + static_cast<i32>(lane_id());
  const i32 r0 = static_cast<i32>(threadIdx.x >> 5) * kRows, y0 = static_cast<i32>(blockIdx.x) / across * 32 + r0;
  const bool diagonal = used == flow::used8, column = x < g.width;
  const auto levels = [&](i32 y) { return beside(g.row(y), x, g.width, column && y >= 0 && y < g.height, T{}); };
  const auto kinds = [&](i32 y) {
    return kinds_beside(d_code + static_cast<i64>(y) * g.width, x, g.width, column && y >= 0 && y < g.height);
  };
  Beside<T> up = levels(y0 - 1), at = levels(y0);
  Beside<u32> kind_up = kinds(y0 - 1), kind_at = kinds(y0);
#pragma unroll
  for (i32 r = 0; r < kRows; ++r) {
    const i32 y = y0 + r;
    const Beside<T> down = levels(y + 1);
    const Beside<u32> kind_down = kinds(y + 1);
    u32 link = 0;
    if (column && y < g.height) {
      const i64 p = static_cast<i64>(y) * g.width + x;
      if (kind_at.here == 1) {
        u32 same = 0, around = 0;
        each_around(up, at, down, diagonal, [&](bool counts, T v, u32 k) { same |= counts && v == at.here ? 0x101u << k : 0u; });
        each_around(kind_up, kind_at, kind_down, true, [&](bool, u32 kind, u32 k) { around |= kind << k; });
        around &= same;
        link = around & 0xFF;
        const u32 outlets = around >> 8;
        d_key[p] = outlets ? 1u : kIndexKey | static_cast<u32>(p);
        if (outlets) d_code[p] = static_cast<u8>(flow::reached + __ffs(static_cast<int>(outlets)) - 1);
      }
      d_link[p] = static_cast<u8>(link);
    }
    if (__any_sync(kFullWarp, link != 0) && lane_id() == 0) atomicOr(&rows, 1u << (r0 + r));
    up = at, at = down, kind_up = kind_at, kind_at = kind_down;
  }
  __syncthreads();
  if (threadIdx.x == 0) d_rows[blockIdx.x] = rows;
}

/// Codes of what is still pending from the final keys: the first linked neighbour that is one step nearer, or `minimum` where no
/// outlet was found. One thread a pixel of every gridDim.y-th row; no shared memory; one pass.
__global__ void watershed_step_kernel(const u32* d_key, const u8* d_link, u8* d_code, i32 width, i32 height) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  for (i32 y = blockIdx.y; y < height; y += gridDim.y) {
    const i64 p = static_cast<i64>(y) * width + x;
    if (d_code[p] != flow::pending) continue;
    const u32 key = d_key[p], link = key < kIndexKey ? d_link[p] : 0;
    u32 nearer = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (link >> k & 1) nearer |= (d_key[p + static_cast<i64>(flow::dy(k)) * width + flow::dx(k)] == key - 1 ? 1u : 0u) << k;
    }
    d_code[p] = static_cast<u8>(nearer ? flow::reached + __ffs(static_cast<int>(nearer)) - 1 : flow::minimum);
  }
}

/// Pixels with a 4-neighbour of a larger label become 0. One thread a pixel of every gridDim.y-th row; no shared memory; one
/// pass.
__global__ void watershed_lines_kernel(const i32* d_labels, Image<i32> out) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= out.width) return;
  for (i32 y = blockIdx.y; y < out.height; y += gridDim.y) {
    const i64 p = static_cast<i64>(y) * out.width + x;
    const i32 v = d_labels[p];
    i32 most = 0;
    if (x > 0) most = max(most, d_labels[p - 1]);
    if (x + 1 < out.width) most = max(most, d_labels[p + 1]);
    if (y > 0) most = max(most, d_labels[p - out.width]);
    if (y + 1 < out.height) most = max(most, d_labels[p + out.width]);
    out.at(x, y) = v < most ? 0 : v;
  }
}

i32 largest_marker(Context& ctx, const MarkersAndMask& in, Extent e, dim3 rows) {
  const Workspace::Scope scope(ctx.workspace);
  struct Found {
    unsigned long long negative;
    i32 largest, unused;  ///< all that is copied has been written
  };
  Found* d_found = ctx.workspace.take<Found>(1);
  Found found{~0ull, 0, 0};
  MORPHO_CUDA(cudaMemsetAsync(d_found, 0, sizeof(found), stream_of(ctx)));
  MORPHO_CUDA(cudaMemsetAsync(&d_found->negative, 0xFF, sizeof(found.negative), stream_of(ctx)));
  watershed_markers_kernel<<<rows, 256, 0, stream_of(ctx)>>>(in, e.width, e.height, &d_found->largest, &d_found->negative);
  check_launch("watershed_markers_kernel");
  fetch(ctx, &found, d_found, 1);  // sync: negative markers are refused, and the largest is the result
  if (found.negative != ~0ull)
    reject("markers", "labels of at least 0", std::to_string(static_cast<i32>(found.negative & 0xFFFFFFFFu)));
  return found.largest;
}

/// The variant `automatic`: labels of g, without lines. Returns the number of minima.
template <class T>
i32 flow_down(Context& ctx, View<const T> g, const MarkersAndMask& in, i32* d_work, View<i32> labels, u32 used) {
  const Extent e = g.extent;
  const std::size_t n = static_cast<std::size_t>(e.area());
  const dim3 rows(blocks_for(e.width, 256), static_cast<u32>(std::min<i64>(divide_up(e.height, 8), 65535)));
  const cudaStream_t stream = stream_of(ctx);
  const Workspace::Scope scope(ctx.workspace);
  u8* d_code = ctx.workspace.take<u8>(n);
  u8* d_link = ctx.workspace.take<u8>(n);
  u32* d_key = reinterpret_cast<u32*>(d_work);
  const TileGrid grid(e, 32);
  u32* d_rows = ctx.workspace.take<u32>(grid.count());
  watershed_descend_kernel<T><<<rows, 256, 0, stream>>>(Image<const T>(g), in, d_code, used, std::numeric_limits<T>::max());
  check_launch("watershed_descend_kernel");
  watershed_link_kernel<T>
      <<<grid.count(), 256, 0, stream>>>(Image<const T>(g), d_code, d_key, d_link, d_rows, grid.across, used);
  check_launch("watershed_link_kernel");
  const TileQueue queue(ctx, grid.count());
  settle_plateaus(ctx, {d_key, d_link, d_rows, e.width, e.height, grid, queue});
  note_queue(ctx, {"watershed", "arrows + queue of tiles"}, "arrows + queue of tiles, basins by union-find", queue);
  watershed_step_kernel<<<rows, 256, 0, stream>>>(d_key, d_link, d_code, e.width, e.height);
  check_launch("watershed_step_kernel");
  return follow_flow(ctx, {d_code, d_work, in.d_markers, in.marker_stride, e.width, e.height}, labels);
}

template <class T>
i32 run(Context& ctx, View<const T> f, const MarkersAndMask& in, View<i32> labels, const WatershedParams& params) {
  const Extent e = f.extent;
  const std::size_t n = static_cast<std::size_t>(e.area());
  const dim3 rows(blocks_for(e.width, 256), static_cast<u32>(std::min<i64>(divide_up(e.height, 8), 65535)));
  const cudaStream_t stream = stream_of(ctx);
  const i32 largest = in.d_markers ? largest_marker(ctx, in, e, rows) : 0;
  const Workspace::Scope scope(ctx.workspace);
  View<const T> g = f;
  if (in.d_markers || in.d_mask) {
    const View<T> level(ctx.workspace.take<T>(n), e);
    // No path of the flood leads through pixels that do not exist.
    T* d_floor = in.d_markers && in.d_mask ? ctx.workspace.take<T>(n) : nullptr;
    watershed_levels_kernel<T>
        <<<rows, 256, 0, stream>>>(Image<const T>(f), in, Image<T>(level), d_floor, std::numeric_limits<T>::max());
    check_launch("watershed_levels_kernel");
    if (in.d_markers) {
      const View<const T> floor = d_floor ? View<const T>(d_floor, e) : f;
      reconstruct(ctx, ConstPlane(View<const T>(level)), floor, level,
                  {By::erosion, params.connectivity, ReconstructVariant::automatic});
    }
    g = level;
  }
  ctx.check_cancelled();
  i32* d_work = labels.contiguous() && !params.lines ? labels.data : ctx.workspace.take<i32>(n);
  const View<i32> followed = params.lines ? View<i32>(d_work, e) : labels;
  const u32 used = params.connectivity == Connectivity::eight ? flow::used8 : flow::used4;
  i32 minima = 0;
  Work work{"watershed", std::string(name_of(params.variant))};
  switch (params.variant) {
    case WatershedVariant::drop_of_water: minima = watershed_drop<T>(ctx, g, in, d_work, followed, used, work); break;
    case WatershedVariant::cellular_automaton: minima = watershed_cellular<T>(ctx, g, in, d_work, followed, used, work); break;
    default: minima = flow_down<T>(ctx, g, in, d_work, followed, used); break;
  }
  if (params.variant != WatershedVariant::automatic) note(ctx, std::move(work));
  if (params.lines) {
    watershed_lines_kernel<<<rows, 256, 0, stream>>>(d_work, Image<i32>(labels));
    check_launch("watershed_lines_kernel");
  }
  return in.d_markers ? largest : minima;
}

}  // namespace

/// Shape: f [h, w] u8, u16 or i32; markers [h, w] i32 (0: none; negative: rejected) and mask [h, w] u8 may be absent ->
/// labels [h, w] i32; returns the largest label (before lines). Reach: global. Unique: the tie rules leave no choice.
/// Variants: automatic, described here; drop_of_water is DW and cellular_automaton is CA (watershed_papers.cuh). Cost: some ten
/// passes over a byte or a label a pixel, and visits to the tiles of 32x32 that have plateaus; on plateaus of more than eight
/// tiles a union-find, and one visit more for each tile that a way to an outlet crosses; with markers one reconstruction more.
/// Memory: 2 bytes a pixel and 0.02 for tiles; with markers or a mask f's type too, with both twice; with lines or labels that
/// have a stride 4 bytes more. Sync: one, for the result.
/// Source: Körbes 2011 §2 (drop of water), §3 (paths by pointer jumping); README, "watershed", for the definition.
i32 watershed(Context& ctx, ConstPlane f, ConstPlane markers, ConstPlane mask, Plane labels, const WatershedParams& asked) {
  const WatershedParams params = chosen(ctx, asked);
  op::watershed::check(f, markers, mask, labels, params);
  MarkersAndMask in;
  if (markers.present()) {
    in.d_markers = markers.view<i32>().data;
    in.marker_stride = markers.stride;
  }
  if (mask.present()) {
    in.d_mask = mask.view<u8>().data;
    in.mask_stride = mask.stride;
  }
  if (f.extent.empty()) return 0;
  ctx.check_cancelled();
  return visit_pixel_type(f.type, [&](auto zero) {
    using T = decltype(zero);
    return run<T>(ctx, f.view<T>(), in, labels.view<i32>(), params);
  });
}

}  // namespace morpho::gpu
