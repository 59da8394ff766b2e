// Sums over the pixels of every node of a max-tree.
#include "gpu_ops.hpp"
#include "node_sums.cuh"
#include "tile_queue.cuh"

namespace morpho::gpu {
namespace {

using Sum = unsigned long long;
constexpr u32 kThreads = 256;
/// In a node's counter: it has, or had, children; the rest counts those still to come.
constexpr u32 kHadChildren = 0x80000000u;

__device__ void add_to(i64* at, i64 v) { atomicAdd(reinterpret_cast<Sum*>(at), static_cast<Sum>(v)); }

/// Adds a part of a node to what its canonical pixel holds. Integer sums and extrema: the order of additions does not show.
__device__ void add_sums(NodeSums& to, const NodeSums& s, bool min_tree) {
  add_to(&to.area, s.area);
  add_to(&to.sum_value, s.sum_value);
  add_to(&to.sum_x, s.sum_x);
  add_to(&to.sum_y, s.sum_y);
  add_to(&to.sum_xx, s.sum_xx);
  add_to(&to.sum_yy, s.sum_yy);
  add_to(&to.sum_xy, s.sum_xy);
  atomicMin(&to.min_x, s.min_x);
  atomicMin(&to.min_y, s.min_y);
  atomicMax(&to.max_x, s.max_x);
  atomicMax(&to.max_y, s.max_y);
  if (min_tree) atomicMin(&to.peak, s.peak);
  else atomicMax(&to.peak, s.peak);
}
__device__ NodeSums pixel_sums(i32 x, i32 y, i32 v) {
  return {1, v, x, y, static_cast<i64>(x) * x, static_cast<i64>(y) * y, static_cast<i64>(x) * y, x, y, x, y, v, v, v};
}

/// Starts every node with its canonical pixel alone. One thread a pixel; no shared memory; one pass.
template <class T>
__global__ void max_tree_sums_begin_kernel(Tree<T> tree, NodeSums* d_sums) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= tree.n) return;
  const i32 p = static_cast<i32>(t), q = tree.d_parent[p];
  if (!canonical(tree.d_f, p, q)) return;
  NodeSums s = pixel_sums(p % tree.width, p / tree.width, tree.d_f[p]);
  s.parent_value = tree.d_f[q];
  d_sums[p] = s;
}

/// Adds the other pixels of every node, and counts its children. One thread a pixel; a warp whose pixels all belong to one node sums them
/// first: they are neighbours, so only x runs and the row is one, or the warp breaks at a row's end and adds one by one.
template <class T>
__global__ void max_tree_sums_own_kernel(Tree<T> tree, NodeSums* d_sums, u32* d_children, bool min_tree) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool inside = t < tree.n;
  const i32 p = inside ? static_cast<i32>(t) : -1;
  const i32 q = inside ? tree.d_parent[p] : -1;
  const bool node = inside && canonical(tree.d_f, p, q);
  const i32 x = inside ? p % tree.width : 0, y = inside ? p / tree.width : 0;
  const i32 to = inside && !node ? q : -1;
  const i32 first = __shfl_sync(kFullWarp, to, 0), row = __shfl_sync(kFullWarp, y, 0);
  if (__all_sync(kFullWarp, to == first && y == row)) {
    if (to >= 0) {
      const i64 sx = warp_sum<i64>(x), sxx = warp_sum<i64>(static_cast<i64>(x) * x);
      const i32 v = tree.d_f[to];
      if (lane_id() == 0) {
        const i64 yy = y;
        add_sums(d_sums[to], {32, 32 * static_cast<i64>(v), sx, 32 * yy, sxx, 32 * yy * yy, sx * yy, x, y, x + 31, y, v, v, v}, min_tree);
      }
    }
  } else if (to >= 0) {
    add_sums(d_sums[to], pixel_sums(x, y, tree.d_f[to]), min_tree);
  }
  if (node && q != p && atomicAdd(d_children + q, 1u) == 0) atomicAdd(d_children + q, kHadChildren);
}

/// Carries sums up. A thread owns one leaf; whoever brings the last child of a node goes on from that node. A path has no more nodes than
/// there are grey levels.
template <class T>
__global__ void max_tree_sums_climb_kernel(Tree<T> tree, NodeSums* d_sums, u32* d_children, bool min_tree) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= tree.n) return;
  i32 p = static_cast<i32>(t), q = tree.d_parent[p];
  if (!canonical(tree.d_f, p, q) || DeviceAtomic<u32>(d_children[p]).load(cuda::memory_order_relaxed) != 0) return;
  while (q != p) {
    NodeSums s;  // by way of the second-level cache, where the other children's atomics are
    const i64* from = reinterpret_cast<const i64*>(d_sums + p);
    i64* into = reinterpret_cast<i64*>(&s);
#pragma unroll
    for (std::size_t i = 0; i < sizeof(NodeSums) / sizeof(i64); ++i) into[i] = __ldcg(reinterpret_cast<const long long*>(from) + i);
    add_sums(d_sums[q], s, min_tree);
    __threadfence();
    const u32 left = DeviceAtomic<u32>(d_children[q]).fetch_sub(1, cuda::memory_order_acq_rel) & ~kHadChildren;
    if (left != 1) return;
    __threadfence();
    p = q;
    q = tree.d_parent[p];
  }
}

}  // namespace

template <class T>
void sum_nodes(Context& ctx, const Tree<T>& tree, NodeSums* d_sums, bool min_tree) {
  static_assert(sizeof(NodeSums) % sizeof(i64) == 0);
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  u32* d_children = ctx.workspace.take<u32>(static_cast<std::size_t>(tree.n));
  set_bytes(ctx, d_children, 0, static_cast<std::size_t>(tree.n));
  const u32 blocks = blocks_for(tree.n, kThreads);
  max_tree_sums_begin_kernel<T><<<blocks, kThreads, 0, stream>>>(tree, d_sums);
  check_launch("max_tree_sums_begin_kernel");
  max_tree_sums_own_kernel<T><<<blocks, kThreads, 0, stream>>>(tree, d_sums, d_children, min_tree);
  check_launch("max_tree_sums_own_kernel");
  max_tree_sums_climb_kernel<T><<<blocks, kThreads, 0, stream>>>(tree, d_sums, d_children, min_tree);
  check_launch("max_tree_sums_climb_kernel");
}
template void sum_nodes<u8>(Context&, const Tree<u8>&, NodeSums*, bool);
template void sum_nodes<u16>(Context&, const Tree<u16>&, NodeSums*, bool);

void require_tree(ConstPlane f, ConstPlane parent, ConstPlane order) {
  require_plane("f", f);
  require_plane("parent", parent);
  require_plane("order", order);
  require_type("f", f, {PixelType::u8, PixelType::u16});
  require_type("parent", parent, {PixelType::i32});
  require_type("order", order, {PixelType::i32});
  require_same_extent("parent", f, parent);
  require_same_extent("order", f, order);
}

/// Shape: f, parent, order as max_tree gives them; sums: area() elements, written at canonical pixels. Units: px, grey values.
/// Cost: two passes over the pixels, 13 atomics a pixel that is not canonical and a node. `order` is not read: whoever completes a node
/// carries it on. Memory: 4 bytes a pixel, and for images that have a stride a flat copy. Sync: none.
/// Source: Berger 2007 §3; Salembier 1998 (attributes).
/// Requires: extents for which the sum of x² over the image fits an i64 (46340 squared does).
void max_tree_sums(Context& ctx, ConstPlane f, ConstPlane parent, ConstPlane order, NodeSums* sums, bool min_tree) {
  require_tree(f, parent, order);
  if (f.extent.empty()) return;
  if (!sums) reject("sums", "an array of " + std::to_string(f.extent.area()) + " elements", "a null pointer");
  ctx.check_cancelled();
  const Workspace::Scope scope(ctx.workspace);
  const i32* d_parent = flat_rows(ctx, parent.view<i32>());
  if (f.type == PixelType::u8) sum_nodes<u8>(ctx, {flat_rows(ctx, f.view<u8>()), d_parent, f.extent.width, f.extent.area()}, sums, min_tree);
  else sum_nodes<u16>(ctx, {flat_rows(ctx, f.view<u16>()), d_parent, f.extent.width, f.extent.area()}, sums, min_tree);
}

}  // namespace morpho::gpu
