// Area opening and closing, from the image alone.
#include <algorithm>
#include <limits>

#include "cuda/max_tree/area_open.cuh"
#include "cuda/gpu_ops.hpp"
#include "cuda/max_tree/max_tree_parent.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

constexpr u32 kThreads = 256;

// The way for deep trees, where many tiles would carry over long paths: exact areas of all nodes, every node once.

/// A node's area so far in the upper half; in the lower one the children still to come, and a bit that stays: it has, or had,
/// children.
using Sum = unsigned long long;
constexpr u32 kHadChildren = 0x80000000u;

/// Adds each node's own pixels to its area (kept at its canonical pixel) and counts its children. One thread a pixel; a warp
/// whose pixels all belong to one node adds once. No shared memory.
template <class T>
__global__ void area_open_count_kernel(const T* d_f, const i32* d_parent, i64 n, Sum* d_sum) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool inside = t < n;
  const i32 p = inside ? static_cast<i32>(t) : 0;
  const i32 q = inside ? d_parent[p] : -1;
  const bool node = inside && canonical(d_f, p, q);
  const i32 to = node ? p : q;
  if (__all_sync(kFullWarp, __shfl_sync(kFullWarp, to, 0) == to)) {
    if (lane_id() == 0 && inside) atomicAdd(d_sum + to, Sum{32} << 32);
  } else if (inside) {
    atomicAdd(d_sum + to, Sum{1} << 32);
  }
  if (node && q != p) {
    const Sum old = atomicAdd(d_sum + q, Sum{1});
    if (static_cast<u32>(old) == 0) atomicAdd(d_sum + q, Sum{kHadChildren});
  }
}

/// Carries areas up. A thread owns one leaf; whoever brings the last child of a node goes on from that node, with one atomic a
/// node. A path has no more nodes than there are grey levels.
template <class T>
__global__ void area_open_climb_kernel(const T* d_f, const i32* d_parent, i64 n, Sum* d_sum) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= n) return;
  i32 p = static_cast<i32>(t), q = d_parent[p];
  if (!canonical(d_f, p, q)) return;
  const Sum own = DeviceAtomic<Sum>(d_sum[p]).load(cuda::memory_order_relaxed);
  if (static_cast<u32>(own) != 0) return;  // not a leaf
  Sum area = own >> 32;
  while (q != p) {
    const Sum old = atomicAdd(d_sum + q, (area << 32) - 1);
    if ((static_cast<u32>(old) & ~kHadChildren) != 1) return;
    area += old >> 32;
    p = q;
    q = d_parent[p];
  }
}

/// Lets removed nodes point at their nearest kept ancestor. One thread a pixel; others' shortcuts lead to the same places.
template <class T>
__global__ void area_open_shorten_kernel(const T* d_f, i32* d_parent, i64 n, const Sum* d_sum, Sum least) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const i32 p = static_cast<i32>(t), q = static_cast<i32>(load_pixel(d_parent + p));
  if (!canonical(d_f, p, q) || q == p || d_sum[p] >> 32 >= least) return;
  i32 kept = q;
  while (d_sum[kept] >> 32 < least) {
    const i32 up = static_cast<i32>(load_pixel(d_parent + kept));
    if (up == kept) break;  // the root is always kept
    kept = up;
  }
  if (kept != q) store_pixel(d_parent + p, static_cast<u32>(kept));
}

/// out = the value of the nearest kept ancestor. One thread a pixel of every gridDim.y-th row.
template <class T>
__global__ void area_open_write_kernel(const T* d_f, const i32* d_parent, const Sum* d_sum, Sum least, Image<T> out) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= out.width) return;
  for (i32 y = blockIdx.y; y < out.height; y += gridDim.y) {
    const i32 p = y * out.width + x;
    const i32 q = d_parent[p];
    const i32 node = canonical(d_f, p, q) ? p : q;
    const i32 above = node == p ? q : d_parent[node];
    out.at(x, y) = d_sum[node] >> 32 >= least ? d_f[node] : d_f[above];
  }
}

template <class T>
void open_deep(Context& ctx, const T* d_f, i32* d_parent, View<T> out, Sum least) {
  const cudaStream_t stream = stream_of(ctx);
  const Extent e = out.extent;
  const i64 n = e.area();
  Sum* d_sum = ctx.workspace.take<Sum>(static_cast<std::size_t>(n));
  set_bytes(ctx, d_sum, 0, static_cast<std::size_t>(n));
  const u32 blocks = blocks_for(n, kThreads);
  area_open_count_kernel<T><<<blocks, kThreads, 0, stream>>>(d_f, d_parent, n, d_sum);
  check_launch("area_open_count_kernel");
  area_open_climb_kernel<T><<<blocks, kThreads, 0, stream>>>(d_f, d_parent, n, d_sum);
  check_launch("area_open_climb_kernel");
  area_open_shorten_kernel<T><<<blocks, kThreads, 0, stream>>>(d_f, d_parent, n, d_sum, least);
  check_launch("area_open_shorten_kernel");
  const dim3 rows(blocks_for(e.width, kThreads), static_cast<u32>(std::min<i64>(divide_up(e.height, 8), 65535)));
  area_open_write_kernel<T><<<rows, kThreads, 0, stream>>>(d_f, d_parent, d_sum, least, Image<T>(out));
  check_launch("area_open_write_kernel");
}

/// Paths below the limit are no longer than this by tiles: their nodes have fewer pixels than the limit, and different values.
constexpr i32 kLongestPath = 256;

template <class T>
void open(Context& ctx, View<const T> f, View<T> out, const AreaOpenParams& params) {
  if (params.area == 1) return copy_rows(ctx, f, out);
  const Workspace::Scope scope(ctx.workspace);
  const T* d_f = flat_rows(ctx, f);
  i32* d_parent = ctx.workspace.take<i32>(static_cast<std::size_t>(f.extent.area()));
  const T flip = params.closing ? std::numeric_limits<T>::max() : T{0};
  const bool by_tiles = sizeof(T) == 1 || params.area <= kLongestPath;
  max_tree_parent<T>(ctx, d_f, f.extent, d_parent, flip, params.connectivity == Connectivity::eight, !by_tiles);
  ctx.check_cancelled();
  if (by_tiles) area_open_by_tiles(ctx, d_f, d_parent, out, static_cast<u32>(params.area - 1));
  else open_deep(ctx, d_f, d_parent, out, static_cast<Sum>(params.area));
}

}  // namespace

/// Shape: f, out [h, w] u8 or u16. Units: area in pixels, at least 1; components of at least `area` pixels stay. Reach: global.
/// Unique.
/// Cost: the max-tree's parents, two passes over the pixels, and for each node that a tile's border has joined to another tile
/// a way up to the limit; u16 with areas above 256: four passes and one atomic a node. Memory: 12 bytes a pixel, and f's type
/// where f has a stride.
/// Sync: none.
/// Source: Vincent 1993 (area openings); Salembier 1998 (by max-tree, an increasing criterion). Carrying up to the limit is
/// ours.
void area_open(Context& ctx, ConstPlane f, Plane out, const AreaOpenParams& params) {
  op::area_open::check(f, out, params);
  if (f.extent.empty()) return;
  ctx.check_cancelled();
  if (f.type == PixelType::u8) open<u8>(ctx, f.view<u8>(), out.view<u8>(), params);
  else open<u16>(ctx, f.view<u16>(), out.view<u16>(), params);
}

}  // namespace morpho::gpu
