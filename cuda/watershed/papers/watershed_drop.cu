// DW: the watershed by drops of water in six kernels, with the ties that make its result unique.
#include <limits>

#include "cuda/watershed/papers/watershed_papers.cuh"

namespace morpho::gpu {
namespace {

using namespace apron;

// A cell holds a pixel's steps to its plateau's outlet (0: it is one), or, once the minima are known, kIndexKey + the label of
// its minimum.
constexpr u32 kFar = kIndexKey - 1;    ///< no outlet is known
constexpr u32 kOutside = 0xFFFFFFFFu;  ///< not in the mask or the image
constexpr i32 kNothing = ~0;           ///< the reference of what gets no label

/// A reference is the index of another pixel, or ~label. Of a plateau pixel it is at first its own: in the third step, where
/// minima are found, it is what the label with the pixel's index stands for, in the fourth the next pixel of the path.
struct DropArgs {
  MarkersAndMask in;
  u32* d_cell;
  i32* d_ref;
  u32* d_changed;
  i32 width, height, across;
  u32 used;  ///< which neighbours count
};

__device__ bool minimum(u32 cell) { return cell >= kIndexKey && cell != kOutside; }
__device__ bool plateau(u32 cell) { return cell != 0 && cell < kIndexKey; }

/// Lowers the steps of the tile's plateau pixels to one more than a neighbour's on their plateau until none falls. The whole
/// block calls, after a barrier; a round reads, meets, writes and meets. Returns which of its pixels (bit j) the thread has
/// changed.
template <class T>
__device__ u32 settle_steps(const T* level, u32* cell, u32 used) {
  u32 mine = 0;
  for (int moved = 1; moved;) {
    u32 next[kOwn];
    moved = 0;
#pragma unroll
    for (i32 j = 0; j < kOwn; ++j) {
      const i32 i = own_cell(j);
      const u32 c = cell[i];
      next[j] = c;
      if (!plateau(c)) continue;
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const i32 q = i + to_neighbour(k);
        if ((used >> k & 1) && cell[q] < kFar && level[q] == level[i]) next[j] = min(next[j], cell[q] + 1);
      }
      if (next[j] != c) moved = 1, mine |= 1u << j;
    }
    __syncthreads();
#pragma unroll
    for (i32 j = 0; j < kOwn; ++j) cell[own_cell(j)] = next[j];
    moved = __syncthreads_or(moved);
  }
  return mine;
}

/// downstreamCalc: every pixel's lowest neighbour, if that is lower (ties: smallest index), and the steps on plateaus as far as
/// their outlets lie in the same tile. A thread owns four pixels; shared memory holds the tile's levels with their apron, and
/// the steps. It ends because steps only fall.
template <class T>
__global__ void __launch_bounds__(kThreads) watershed_downstream_kernel(Image<const T> g, DropArgs a, T top) {
  __shared__ T level[kCells];
  __shared__ u32 cell[kCells];
  const Place o = tile_origin(a.across);
  each_cell(o, [&](i32 i, i32 x, i32 y) {
    level[i] = g.holds(x, y) ? g.at(x, y) : top;
    cell[i] = kOutside;  // so that what lies in other tiles does not count yet
  });
  __syncthreads();
#pragma unroll
  for (i32 j = 0; j < kOwn; ++j) {
    const i32 i = own_cell(j), x = o.x + own_x(), y = o.y + own_y(j);
    if (!g.holds(x, y)) continue;
    const i64 p = static_cast<i64>(y) * a.width + x;
    i32 to = static_cast<i32>(p);
    u32 c = kFar;
    if (!a.in.inside(x, y)) {
      c = kOutside, to = kNothing;
    } else if (a.in.d_markers && a.in.marker(x, y) > 0) {
      c = 0, to = ~a.in.marker(x, y);
    } else {
      T lowest = level[i];
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const T v = level[i + to_neighbour(k)];
        if ((a.used >> k & 1) && v < lowest) {
          lowest = v, c = 0;
          to = static_cast<i32>(p + static_cast<i64>(flow::dy(k)) * a.width + flow::dx(k));
        }
      }
    }
    cell[i] = c;
    a.d_ref[p] = to;
  }
  __syncthreads();
  settle_steps(level, cell, a.used);
#pragma unroll
  for (i32 j = 0; j < kOwn; ++j) {
    const i32 x = o.x + own_x(), y = o.y + own_y(j);
    if (g.holds(x, y)) a.d_cell[static_cast<i64>(y) * a.width + x] = cell[own_cell(j)];
  }
}

/// plateauPropagate: the same with what the tiles around have found; the host runs it until no tile changes. A thread owns four
/// pixels; shared memory holds levels and steps with their apron. Other blocks may be writing what the apron reads: steps only
/// fall, and each is the length of some way, so what comes out is the least whatever the order.
template <class T>
__global__ void __launch_bounds__(kThreads) watershed_propagate_kernel(Image<const T> g, DropArgs a) {
  __shared__ T level[kCells];
  __shared__ u32 cell[kCells];
  const Place o = tile_origin(a.across);
  bool wanted = false;
  each_cell(o, [&](i32 i, i32 x, i32 y) {
    cell[i] = g.holds(x, y) ? load_pixel(a.d_cell + static_cast<i64>(y) * a.width + x) : kOutside;
    wanted |= plateau(cell[i]) && in_tile(i);
  });
  if (!__syncthreads_or(wanted)) return;
  each_cell(o, [&](i32 i, i32 x, i32 y) { level[i] = g.holds(x, y) ? g.at(x, y) : T{0}; });
  __syncthreads();
  const u32 mine = settle_steps(level, cell, a.used);
#pragma unroll
  for (i32 j = 0; j < kOwn; ++j) {
    if (mine >> j & 1) store_pixel(a.d_cell + static_cast<i64>(o.y + own_y(j)) * a.width + o.x + own_x(), cell[own_cell(j)]);
  }
  if (__syncthreads_or(mine != 0) && threadIdx.x == 0) store_pixel(a.d_changed, 1);
}

/// mergeRegions: plateau pixels that no outlet has reached are minima, their own index being their first label. Inside a tile
/// the smallest label of a minimum spreads until none falls; what an old label then stands for is lowered in the list of
/// references. A thread owns four pixels; shared memory holds the labels with their apron. Labels themselves change in
/// labelPixel alone.
__global__ void __launch_bounds__(kThreads) watershed_merge_kernel(DropArgs a) {
  __shared__ u32 cell[kCells];
  const Place o = tile_origin(a.across);
  bool wanted = false;
  each_cell(o, [&](i32 i, i32 x, i32 y) {
    u32 c = kOutside;
    if (x >= 0 && y >= 0 && x < a.width && y < a.height) {
      const i64 p = static_cast<i64>(y) * a.width + x;
      c = load_pixel(a.d_cell + p);
      if (c == kFar) {
        c = kIndexKey | static_cast<u32>(p);
        if (in_tile(i)) store_pixel(a.d_cell + p, c);
      }
    }
    cell[i] = c;
    wanted |= minimum(c) && in_tile(i);
  });
  if (!__syncthreads_or(wanted)) return;
  u32 before[kOwn];
#pragma unroll
  for (i32 j = 0; j < kOwn; ++j) before[j] = cell[own_cell(j)];
  for (int moved = 1; moved;) {
    u32 next[kOwn];
    moved = 0;
#pragma unroll
    for (i32 j = 0; j < kOwn; ++j) {
      const i32 i = own_cell(j);
      const u32 c = cell[i];
      next[j] = c;
      if (!minimum(c)) continue;
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        // Two minima that touch lie on one plateau: else the higher had a lower neighbour.
        const u32 q = cell[i + to_neighbour(k)];
        if ((a.used >> k & 1) && minimum(q)) next[j] = min(next[j], q);
      }
      moved |= next[j] != c;
    }
    __syncthreads();
#pragma unroll
    for (i32 j = 0; j < kOwn; ++j) cell[own_cell(j)] = next[j];
    moved = __syncthreads_or(moved);
  }
  bool fallen = false;
#pragma unroll
  for (i32 j = 0; j < kOwn; ++j) {
    const u32 now = cell[own_cell(j)];
    if (now == before[j]) continue;
    fallen = true;
    i32* ref = a.d_ref + (before[j] & ~kIndexKey);
    const i32 to = static_cast<i32>(now & ~kIndexKey);
    if (static_cast<i32>(load_pixel(ref)) > to) atomicMin(ref, to);
  }
  if (__syncthreads_or(fallen) && threadIdx.x == 0) store_pixel(a.d_changed, 1);
}

/// Where the references from p end: ~label, or the pixel that refers to itself. Halves the way for those who come after; a
/// reference is only ever replaced by one further on, and only while it is what it was.
__device__ i32 end_of_path(i32* d_ref, i32 p) {
  for (;;) {
    const i32 q = static_cast<i32>(load_pixel(d_ref + p));
    if (q < 0 || q == p) return q;
    const i32 r = static_cast<i32>(load_pixel(d_ref + q));
    if (r < 0 || r == q) return r;
    atomicCAS(d_ref + p, q, r);
    p = r;
  }
}

/// pathCompression: every reference becomes that of the path's end; in the third step those of minima alone. One thread a
/// pixel; nothing is shared; it ends because references lead to smaller labels, or downhill and out of plateaus.
__global__ void __launch_bounds__(kThreads) watershed_compress_kernel(DropArgs a, i64 n, bool minima_only) {
  const i64 p = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (p >= n || (minima_only && !minimum(a.d_cell[p]))) return;
  const i32 end = end_of_path(a.d_ref, static_cast<i32>(p));
  if (static_cast<i32>(load_pixel(a.d_ref + p)) != end) store_pixel(a.d_ref + p, static_cast<u32>(end));
}

/// labelPixel: minima take the label that their own stands for. One thread a pixel; nothing is shared; one pass.
__global__ void __launch_bounds__(kThreads) watershed_relabel_kernel(DropArgs a, i64 n) {
  const i64 p = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (p >= n) return;
  const u32 c = a.d_cell[p];
  if (minimum(c)) a.d_cell[p] = kIndexKey | static_cast<u32>(a.d_ref[c & ~kIndexKey]);
}

/// indexAdjust: references for the fourth step. Minima refer to their first pixel (with markers to nothing: no marker reaches
/// them), plateau pixels to the neighbour on the plateau that is one step nearer to an outlet (ties: smallest index). One
/// thread a pixel; one pass.
template <class T>
__global__ void __launch_bounds__(kThreads) watershed_adjust_kernel(Image<const T> g, DropArgs a, i64 n) {
  const i64 p = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (p >= n) return;
  const u32 c = a.d_cell[p];
  if (minimum(c)) a.d_ref[p] = a.in.d_markers ? kNothing : static_cast<i32>(c & ~kIndexKey);
  if (!plateau(c)) return;
  const i32 x = static_cast<i32>(p % a.width), y = static_cast<i32>(p / a.width);
  const T v = g.at(x, y);
  for (int k = 0; k < 8; ++k) {
    const i32 qx = x + flow::dx(k), qy = y + flow::dy(k);
    if (!(a.used >> k & 1) || !g.holds(qx, qy) || g.at(qx, qy) != v) continue;
    const i64 q = static_cast<i64>(qy) * a.width + qx;
    if (a.d_cell[q] != c - 1) continue;
    a.d_ref[p] = static_cast<i32>(q);
    return;
  }
}

template <class T>
i32 run_drop(Context& ctx, View<const T> g, const MarkersAndMask& in, i32* d_work, View<i32> labels, u32 used, Work& work) {
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  const i64 n = g.extent.area();
  const DropArgs a{in,
                   ctx.workspace.take<u32>(static_cast<std::size_t>(n)),
                   d_work,
                   ctx.workspace.take<u32>(1),
                   g.width(),
                   g.height(),
                   tiles_across(g.extent),
                   used};
  const u32 blocks = tiles(g.extent), pixel_blocks = blocks_for(n, kThreads);
  const Image<const T> image(g);
  const auto changes = [&](auto&& launch) {
    ctx.check_cancelled();
    set_bytes(ctx, a.d_changed, 0, 1);
    launch();
    u32 changed = 0;
    fetch(ctx, &changed, a.d_changed, 1);  // sync: whether the kernel has to run again
    ++work.rounds;
    return changed != 0;
  };
  watershed_downstream_kernel<T><<<blocks, kThreads, 0, stream>>>(image, a, std::numeric_limits<T>::max());
  check_launch("watershed_downstream_kernel");
  while (changes([&] {
    watershed_propagate_kernel<T><<<blocks, kThreads, 0, stream>>>(image, a);
    check_launch("watershed_propagate_kernel");
  })) {}
  while (changes([&] {
    watershed_merge_kernel<<<blocks, kThreads, 0, stream>>>(a);
    check_launch("watershed_merge_kernel");
  })) {
    watershed_compress_kernel<<<pixel_blocks, kThreads, 0, stream>>>(a, n, true);
    check_launch("watershed_compress_kernel");
    watershed_relabel_kernel<<<pixel_blocks, kThreads, 0, stream>>>(a, n);
    check_launch("watershed_relabel_kernel");
  }
  watershed_adjust_kernel<T><<<pixel_blocks, kThreads, 0, stream>>>(image, a, n);
  check_launch("watershed_adjust_kernel");
  watershed_compress_kernel<<<pixel_blocks, kThreads, 0, stream>>>(a, n, false);
  check_launch("watershed_compress_kernel");
  return number_basins(ctx, a.d_ref, !in.d_markers, labels);
}

}  // namespace

/// Source: Körbes 2011 §3 (steps i to iv), §4.1 (the kernels downstreamCalc, plateauPropagate, mergeRegions, pathCompression,
/// labelPixel and indexAdjust). Ours: on a plateau steps are settled first and the way is chosen from them at last, in
/// indexAdjust, so that the smallest index wins and not the thread that comes first; minima are numbered in raster order.
template <class T>
i32 watershed_drop(Context& ctx, View<const T> g, const MarkersAndMask& in, i32* d_work, View<i32> labels, u32 used,
                   Work& work) {
  return run_drop<T>(ctx, g, in, d_work, labels, used, work);
}
template i32 watershed_drop<u8>(Context&, View<const u8>, const MarkersAndMask&, i32*, View<i32>, u32, Work&);
template i32 watershed_drop<u16>(Context&, View<const u16>, const MarkersAndMask&, i32*, View<i32>, u32, Work&);
template i32 watershed_drop<i32>(Context&, View<const i32>, const MarkersAndMask&, i32*, View<i32>, u32, Work&);

}  // namespace morpho::gpu
