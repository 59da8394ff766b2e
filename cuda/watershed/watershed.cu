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
/// every gridDim.y-th row; each block reduces before it touches the two results, as one address takes one atomic at a time.
__global__ void watershed_markers_kernel(MarkersAndMask in, i32 width, i32 height, i32* d_largest,
                                         unsigned long long* d_negative) {
  __shared__ i32 largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
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
      if (m < 0)
        first = min(first, static_cast<unsigned long long>(static_cast<i64>(y) * width + x) << 32 | static_cast<u32>(m));
    }
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) most = max(most, __shfl_xor_sync(kFullWarp, most, step));
  if (lane_id() == 0 && most > 0) atomicMax(&largest, most);
  __syncthreads();
  if (threadIdx.x == 0 && largest > 0) atomicMax(d_largest, largest);
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

/// What a pixel has and what its neighbours to the west and east have, and these of three rows.
template <class V>
struct Beside {
  V west, here, east;
};
template <class V>
struct Around {
  Beside<V> up, at, down;
  __device__ void descend(const Beside<V>& next) { up = at, at = down, down = next; }
  /// Calls fn(neighbour, code) for the neighbours; `diagonal`: for those at corners too.
  template <class Fn>
  __device__ void each(bool diagonal, Fn&& fn) const {
    fn(up.here, 1), fn(at.west, 3), fn(at.east, 4), fn(down.here, 6);
    if (diagonal) fn(up.west, 0), fn(up.east, 2), fn(down.west, 5), fn(down.east, 7);
  }
};
/// One row of an image at a column: fn of three pixels, and fn(beyond) for what lies beyond the image.
template <class T, class Fn>
__device__ auto beside(const T* at, bool west, bool here, bool east, T beyond, Fn&& fn) {
  const T w = west ? at[-1] : beyond, h = here ? at[0] : beyond, e = east ? at[1] : beyond;
  return Beside<decltype(fn(h))>{fn(w), fn(h), fn(e)};
}

constexpr i32 kStrip = 8;  ///< rows that a thread goes down with three rows in its registers

/// Codes of pixels that need no plateau: the lowest of the lower neighbours (ties: smallest code), sinks, pixels outside; the
/// rest is pending. One thread a column of every gridDim.y-th strip, three loads a pixel; no shared memory; one pass.
template <class T>
__global__ void watershed_descend_kernel(Image<const T> g, MarkersAndMask in, u8* d_code, u32 used, T beyond) {
  // A neighbour's value and code in one: the least is the lowest, and of equal ones that of the smallest code.
  using Key = std::conditional_t<sizeof(T) < 4, i32, i64>;
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= g.width) return;
  const bool diagonal = used == flow::used8, west = x > 0, east = x + 1 < g.width;
  for (i32 y0 = blockIdx.y * kStrip; y0 < g.height; y0 += gridDim.y * kStrip) {
    const T* next = g.row(y0) + x;
    const auto keys = [&](const T* row, bool inside) {
      return beside(row, inside && west, inside, inside && east, beyond, [](T v) { return static_cast<Key>(v) * 8; });
    };
    Around<Key> around{{}, keys(next - g.stride, y0 > 0), keys(next, true)};
    i32 p = y0 * g.width + x;
#pragma unroll
    for (i32 r = 0; r < kStrip; ++r) {
      const i32 y = y0 + r;
      if (y >= g.height) break;
      next += g.stride;
      around.descend(keys(next, y + 1 < g.height));
      u32 code = flow::pending;
      if (!in.inside(x, y)) {
        code = flow::outside;
      } else if (in.d_markers && in.marker(x, y) > 0) {
        code = flow::sink;
      } else {  // outside the mask and beyond the image is the type's maximum: never lower
        Key least = around.at.here;
        around.each(diagonal, [&](Key v, i32 k) { least = min(least, v + k); });
        if (least < around.at.here) code = static_cast<u32>(least) & 7;
      }
      d_code[p] = static_cast<u8>(code);
      p += g.width;
    }
  }
}

/// What a code is to a neighbour on the same level: bit 0: linked, bit 8: an outlet.
__device__ inline u32 kind_of(u8 code) {
  constexpr u32 linked = 1u << flow::pending | 0xFFu << flow::reached, outlets = 1u << flow::sink | 0xFFu;
  const u32 k = code & 31;  // outside becomes 31, which is neither
  return (linked >> k & 1) | (outlets >> k & 1) << 8;
}

/// Links and first keys of pending pixels, and which rows of each tile have links. What has an outlet beside it gets its code
/// as well: the first outlet's. One block a tile of 32x32, one warp eight rows, three of which are in registers; other threads
/// may see a pixel's new code or its old one, which is the same to them; one pass.
template <class T>
__global__ void __launch_bounds__(32 * 32 / kStrip)
    watershed_link_kernel(Image<const T> g, u8* d_code, u32* d_key, u8* d_link, u32* d_rows, i32 across, u32 used) {
  __shared__ u32 rows;
  if (threadIdx.x == 0) rows = 0;
  __syncthreads();
  const i32 x = static_cast<i32>(blockIdx.x) % across * 32 + static_cast<i32>(lane_id());
  const i32 r0 = static_cast<i32>(threadIdx.x >> 5) * kStrip, y0 = static_cast<i32>(blockIdx.x) / across * 32 + r0;
  const bool diagonal = used == flow::used8, column = x < g.width, west = column && x > 0, east = x + 1 < g.width;
  u32 p = static_cast<u32>(y0) * static_cast<u32>(g.width) + static_cast<u32>(x);
  const T* next = g.row(y0) + x;
  const auto levels = [&](const T* row, bool inside) {
    return beside(row, inside && west, inside && column, inside && east, T{}, [](T v) { return v; });
  };
  const auto kinds = [&](const u8* row, bool inside) {
    return beside(row, inside && west, inside && column, inside && east, flow::outside, kind_of);
  };
  const bool first = y0 < g.height, before = first && y0 > 0;
  Around<T> level{{}, levels(next - g.stride, before), levels(next, first)};
  Around<u32> kind{{}, kinds(d_code + p - g.width, before), kinds(d_code + p, first)};
  u32 linked = 0;
#pragma unroll
  for (i32 r = 0; r < kStrip; ++r) {
    const i32 y = y0 + r;
    next += g.stride;
    level.descend(levels(next, y + 1 < g.height));
    kind.descend(kinds(d_code + p + g.width, y + 1 < g.height));
    u32 link = 0;
    if (column && y < g.height) {
      if (kind.at.here == 1) {
        u32 same = 0, around = 0;
        level.each(diagonal, [&](T v, i32 k) { same |= v == level.at.here ? 0x101u << k : 0u; });
        kind.each(true, [&](u32 v, i32 k) { around |= v << k; });
        around &= same;
        link = around & 0xFF;
        const u32 outlets = around >> 8;
        d_key[p] = outlets ? 1u : kIndexKey | p;
        if (outlets) d_code[p] = static_cast<u8>(flow::reached + __ffs(static_cast<int>(outlets)) - 1);
      }
      d_link[p] = static_cast<u8>(link);
    }
    if (__any_sync(kFullWarp, link != 0)) linked |= 1u << r;
    p += static_cast<u32>(g.width);
  }
  if (lane_id() == 0 && linked) atomicOr(&rows, linked << r0);
  __syncthreads();
  if (threadIdx.x == 0) d_rows[blockIdx.x] = rows;
}

/// Codes of what is still pending from the final keys: the first linked neighbour that is one step nearer, or `minimum` where
/// no outlet was found. One thread four pixels of a column at once; no shared memory; one pass.
__global__ void watershed_step_kernel(const u32* d_key, const u8* d_link, u8* d_code, i32 width, i32 height) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  for (i32 y0 = blockIdx.y * kAtOnce; y0 < height; y0 += gridDim.y * kAtOnce) {
    bool pending[kAtOnce];
    u32 key[kAtOnce], link[kAtOnce];
#pragma unroll
    for (i32 r = 0; r < kAtOnce; ++r) pending[r] = y0 + r < height && d_code[(y0 + r) * width + x] == flow::pending;
#pragma unroll
    for (i32 r = 0; r < kAtOnce; ++r) {
      const i32 p = (y0 + r) * width + x;
      key[r] = pending[r] ? d_key[p] : kIndexKey;
      link[r] = pending[r] ? d_link[p] : 0;
    }
#pragma unroll
    for (i32 r = 0; r < kAtOnce; ++r) {
      if (!pending[r]) continue;
      const i32 p = (y0 + r) * width + x;
      if (key[r] >= kIndexKey) link[r] = 0;
      u32 nearer = 0;
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        if (link[r] >> k & 1) nearer |= (d_key[p + flow::dy(k) * width + flow::dx(k)] == key[r] - 1 ? 1u : 0u) << k;
      }
      d_code[p] = static_cast<u8>(nearer ? flow::reached + __ffs(static_cast<int>(nearer)) - 1 : flow::minimum);
    }
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
      <<<grid.count(), 32 * 32 / kStrip, 0, stream>>>(Image<const T>(g), d_code, d_key, d_link, d_rows, grid.across, used);
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
