// CA: the watershed by a cellular automaton: every pixel looks at its neighbours for a shorter path until nothing changes.
#include "cuda/watershed/papers/watershed_papers.cuh"

namespace morpho::gpu {
namespace {

using namespace apron;

// A cell: steps to the plateau's outlet in the high word, the sink at the end of the path (a marker's label, or the pixel that
// stands for a minimum) in the low one.
constexpr u32 kFar = 0x7FFFFFFFu;      ///< no way off the plateau is known
constexpr u32 kOutside = 0xFFFFFFFFu;  ///< not in the mask or the image
__device__ u64 cell_of(u32 steps, u32 sink) { return static_cast<u64>(steps) << 32 | sink; }
__device__ u32 steps_of(u64 cell) { return static_cast<u32>(cell >> 32); }
__device__ u32 sink_of(u64 cell) { return static_cast<u32>(cell); }

struct CellArgs {
  u64* d_cell;
  u8* d_code;  ///< 0..7: the way downhill; flow::pending, sink, outside
  u8* d_link;  ///< of pending pixels, bit k: neighbour k is on the same plateau
  u32* d_changed;
  i32 width, height, across;
};

/// initialization: the lowest of the lower neighbours (ties: smallest index), or the neighbours on the plateau, and the first
/// cells. One thread a pixel of every gridDim.y-th row; neighbours come through the caches; one pass.
template <class T>
__global__ void __launch_bounds__(kThreads)
    watershed_cell_begin_kernel(Image<const T> g, MarkersAndMask in, CellArgs a, u32 used) {
  const i32 x = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  if (x >= g.width) return;
  for (i32 y = static_cast<i32>(blockIdx.y); y < g.height; y += static_cast<i32>(gridDim.y)) {
    const i64 p = static_cast<i64>(y) * g.width + x;
    const u32 own = in.d_markers ? 0 : static_cast<u32>(p);
    u8 code = flow::pending;
    u32 link = 0;
    u64 cell = cell_of(kFar, own);
    if (!in.inside(x, y)) {
      code = flow::outside, cell = cell_of(kOutside, 0);
    } else if (in.d_markers && in.marker(x, y) > 0) {
      code = flow::sink, cell = cell_of(0, static_cast<u32>(in.marker(x, y)));
    } else {
      const T v = g.at(x, y);
      T lowest = v;
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const i32 qx = x + flow::dx(k), qy = y + flow::dy(k);
        if (!(used >> k & 1) || !g.holds(qx, qy)) continue;
        const T u = g.at(qx, qy);
        if (u < lowest) lowest = u, code = static_cast<u8>(k);
        if (u == v && in.inside(qx, qy)) link |= 1u << k;
      }
      if (code != flow::pending) cell = cell_of(0, own);
    }
    a.d_cell[p] = cell;
    a.d_code[p] = code;
    a.d_link[p] = static_cast<u8>(link);
  }
}

/// What a cell becomes. Downhill: the sink of the pixel there. On a plateau: one step more than the nearest of the neighbours
/// (ties: smallest index), and its sink; while none knows an outlet, the smallest pixel that might stand for the minimum.
__device__ u64 next_cell(const u64* cell, i32 i, u8 code, u32 link) {
  const u64 c = cell[i];
  if (code < 8) return cell_of(0, sink_of(cell[i + to_neighbour(code)]));
  if (code != flow::pending) return c;
  u32 near = kFar, sink = sink_of(c);
  for (; link; link &= link - 1) {
    const u64 q = cell[i + to_neighbour(__ffs(static_cast<int>(link)) - 1)];
    if (steps_of(q) < near) near = steps_of(q), sink = sink_of(q);
    else if (near == kFar && sink_of(q) < sink) sink = sink_of(q);
  }
  return cell_of(near == kFar ? kFar : near + 1, sink);
}

/// iterate: a tile's cells until they are stable; the host runs it until no tile changes. A thread owns four pixels and keeps
/// their codes in registers; shared memory holds the cells with their apron. A round reads, meets, writes and meets. Other
/// blocks may be writing what the apron reads; a launch in which nothing changed has read nothing but final cells. Steps only
/// fall and paths have no circles, so it ends, and the stable state is unique.
__global__ void __launch_bounds__(kThreads) watershed_cell_iterate_kernel(CellArgs a) {
  __shared__ u64 cell[kCells];
  const Place o = tile_origin(a.across);
  each_cell(o, [&](i32 i, i32 x, i32 y) {
    const bool inside = x >= 0 && y >= 0 && x < a.width && y < a.height;
    cell[i] = inside ? DeviceAtomic<u64>(a.d_cell[static_cast<i64>(y) * a.width + x]).load(cuda::memory_order_relaxed)
                     : cell_of(kOutside, 0);
  });
  u8 code[kOwn], link[kOwn];
#pragma unroll
  for (i32 j = 0; j < kOwn; ++j) {
    const i32 x = o.x + own_x(), y = o.y + own_y(j);
    code[j] = flow::outside, link[j] = 0;
    if (x >= a.width || y >= a.height) continue;
    code[j] = a.d_code[static_cast<i64>(y) * a.width + x];
    link[j] = a.d_link[static_cast<i64>(y) * a.width + x];
  }
  __syncthreads();
  u32 mine = 0;
  for (int moved = 1; moved;) {
    u64 next[kOwn];
    moved = 0;
#pragma unroll
    for (i32 j = 0; j < kOwn; ++j) {
      next[j] = next_cell(cell, own_cell(j), code[j], link[j]);
      if (next[j] != cell[own_cell(j)]) moved = 1, mine |= 1u << j;
    }
    __syncthreads();
#pragma unroll
    for (i32 j = 0; j < kOwn; ++j) cell[own_cell(j)] = next[j];
    moved = __syncthreads_or(moved);
  }
#pragma unroll
  for (i32 j = 0; j < kOwn; ++j) {
    if (mine >> j & 1)
      DeviceAtomic<u64>(a.d_cell[static_cast<i64>(o.y + own_y(j)) * a.width + o.x + own_x()])
          .store(cell[own_cell(j)], cuda::memory_order_relaxed);
  }
  if (__syncthreads_or(mine != 0) && threadIdx.x == 0) store_pixel(a.d_changed, 1);
}

/// The ends of all paths, as number_basins takes them. One thread a pixel; one pass.
__global__ void __launch_bounds__(kThreads) watershed_cell_ends_kernel(CellArgs a, i64 n, bool marked, i32* d_work) {
  const i64 p = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (p >= n) return;
  const i32 sink = static_cast<i32>(sink_of(a.d_cell[p]));
  d_work[p] = a.d_code[p] == flow::outside ? ~0 : marked ? ~sink : sink;
}

template <class T>
i32 run_cells(Context& ctx, View<const T> g, const MarkersAndMask& in, i32* d_work, View<i32> labels, u32 used, Work& work) {
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  const i64 n = g.extent.area();
  const std::size_t area = static_cast<std::size_t>(n);
  const CellArgs a{ctx.workspace.take<u64>(area),
                   ctx.workspace.take<u8>(area),
                   ctx.workspace.take<u8>(area),
                   ctx.workspace.take<u32>(1),
                   g.width(),
                   g.height(),
                   tiles_across(g.extent)};
  const dim3 rows(blocks_for(g.width(), kThreads),
                  static_cast<u32>(divide_up(g.height(), 8) < 65535 ? divide_up(g.height(), 8) : 65535));
  watershed_cell_begin_kernel<T><<<rows, kThreads, 0, stream>>>(Image<const T>(g), in, a, used);
  check_launch("watershed_cell_begin_kernel");
  for (u32 changed = 1; changed;) {
    ctx.check_cancelled();
    set_bytes(ctx, a.d_changed, 0, 1);
    watershed_cell_iterate_kernel<<<tiles(g.extent), kThreads, 0, stream>>>(a);
    check_launch("watershed_cell_iterate_kernel");
    fetch(ctx, &changed, a.d_changed, 1);  // sync: whether the kernel has to run again
    ++work.rounds;
  }
  watershed_cell_ends_kernel<<<blocks_for(n, kThreads), kThreads, 0, stream>>>(a, n, in.d_markers != nullptr, d_work);
  check_launch("watershed_cell_ends_kernel");
  return number_basins(ctx, d_work, !in.d_markers, labels);
}

}  // namespace

/// Source: Körbes 2011 §3, §4.2 (after Kauffmann and Piche; the kernels initialization and iterate). Ours: the way downhill
/// takes the place of the topographic cost and the steps on plateaus are its second component, as in the CPU's variant, so no
/// lower completion is needed; a tile's cells all change at once, so no thread sees half of a round.
template <class T>
i32 watershed_cellular(Context& ctx, View<const T> g, const MarkersAndMask& in, i32* d_work, View<i32> labels, u32 used,
                       Work& work) {
  return run_cells<T>(ctx, g, in, d_work, labels, used, work);
}
template i32 watershed_cellular<u8>(Context&, View<const u8>, const MarkersAndMask&, i32*, View<i32>, u32, Work&);
template i32 watershed_cellular<u16>(Context&, View<const u16>, const MarkersAndMask&, i32*, View<i32>, u32, Work&);
template i32 watershed_cellular<i32>(Context&, View<const i32>, const MarkersAndMask&, i32*, View<i32>, u32, Work&);

}  // namespace morpho::gpu
