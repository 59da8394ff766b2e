// The table of a max-tree's nodes: the canonical pixels in falling order of altitude.
#include "contract/check_tree.hpp"
#include "gpu_ops.hpp"
#include "max_tree_parent.cuh"
#include "node_sums.cuh"
#include "scan.cuh"

namespace morpho::gpu {
namespace {

constexpr u32 kThreads = 256;

/// A tree's images, all flat.
template <class T>
struct Tree {
  const T* d_f;
  const i32* d_parent;
  const i32* d_order;
  i64 n;
  /// The t-th pixel from the end of the order, where it is canonical; else -1.
  __device__ i32 node_at(i64 t) const {
    if (t >= n) return -1;
    const i32 p = d_order[n - 1 - t];
    return canonical(d_f, p, d_parent[p]) ? p : -1;
  }
};

/// How many canonical pixels each block meets. One thread a pixel of the order, from its end; shared memory for the block's sum.
template <class T>
__global__ void max_tree_nodes_count_kernel(Tree<T> tree, i32* d_blocks) {
  __shared__ i32 sums[33];
  i32 total;
  block_exclusive_sum(static_cast<i32>(tree.node_at(static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x) >= 0), sums, total);
  if (threadIdx.x == 0) d_blocks[blockIdx.x] = total;
}

/// Numbers them, with d_blocks summed. The same threads and shared memory.
template <class T>
__global__ void max_tree_nodes_number_kernel(Tree<T> tree, const i32* d_blocks, i32* d_node, NodeTable to) {
  __shared__ i32 sums[33];
  i32 total;
  const i32 p = tree.node_at(static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x);
  const i32 before = block_exclusive_sum(static_cast<i32>(p >= 0), sums, total);
  if (p < 0) return;
  const i32 place = d_blocks[blockIdx.x] + before;
  d_node[p] = place;
  to.pixel[place] = p;
  to.altitude[place] = tree.d_f[p];
}

/// Parents' places at the nodes; at the other pixels their node's place; and every pixel counted. One thread a pixel; places of canonical
/// pixels are only read. A warp whose pixels all belong to one node adds once. No shared memory.
template <class T>
__global__ void max_tree_nodes_place_kernel(Tree<T> tree, i32* d_node, NodeTable to) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  i32 place = -1;
  if (t < tree.n) {
    const i32 p = static_cast<i32>(t), q = tree.d_parent[p], above = d_node[q];
    place = above;
    if (canonical(tree.d_f, p, q)) {
      place = d_node[p];
      to.parent[place] = above;
    } else {
      d_node[p] = above;
    }
  }
  if (__all_sync(kFullWarp, __shfl_sync(kFullWarp, place, 0) == place)) {
    if (lane_id() == 0 && place >= 0) atomicAdd(to.own + place, 32);
  } else if (place >= 0) {
    atomicAdd(to.own + place, 1);
  }
}

template <class T>
i32 build(Context& ctx, const Tree<T>& tree, i32* d_node, Extent e, const NodeTable& to) {
  const cudaStream_t stream = stream_of(ctx);
  const u32 blocks = blocks_for(tree.n, kThreads);
  i32* d_blocks = ctx.workspace.take<i32>(blocks + std::size_t{1});
  // Every node in the last range: nothing here walks the table tile by tile.
  set_bytes(ctx, to.first, 0, static_cast<std::size_t>(node_tiles(e)) + 1);
  set_bytes(ctx, to.own, 0, static_cast<std::size_t>(tree.n));
  max_tree_nodes_count_kernel<T><<<blocks, kThreads, 0, stream>>>(tree, d_blocks);
  check_launch("max_tree_nodes_count_kernel");
  scan_totals(ctx, d_blocks, static_cast<i32>(blocks));
  max_tree_nodes_number_kernel<T><<<blocks, kThreads, 0, stream>>>(tree, d_blocks, d_node, to);
  check_launch("max_tree_nodes_number_kernel");
  max_tree_nodes_place_kernel<T><<<blocks, kThreads, 0, stream>>>(tree, d_node, to);
  check_launch("max_tree_nodes_place_kernel");
  i32 count = 0;
  fetch(ctx, &count, d_blocks + blocks, 1);  // sync: the caller's own return value
  return count;
}

}  // namespace

/// Shape: f, parent, order as max_tree gives them -> node [h, w] i32, and the table, in the reverse of `order`.
/// Cost: three passes over the pixels. Memory: 4 bytes for each 256 pixels, and flat copies of images that have a stride.
/// Sync: one, for nodes.count. Source: none, the same tree written another way.
void max_tree_nodes(Context& ctx, ConstPlane f, ConstPlane parent, ConstPlane order, Plane node, NodeTable& nodes) {
  check::max_tree_nodes(f, parent, order, node, nodes);
  if (f.extent.empty()) return;
  ctx.check_cancelled();
  const Workspace::Scope scope(ctx.workspace);
  const View<i32> out = node.view<i32>();
  const i64 n = f.extent.area();
  i32* d_node = out.contiguous() ? out.data : ctx.workspace.take<i32>(static_cast<std::size_t>(n));
  const i32* d_parent = flat_rows(ctx, parent.view<i32>());
  const i32* d_order = flat_rows(ctx, order.view<i32>());
  if (f.type == PixelType::u8) nodes.count = build<u8>(ctx, {flat_rows(ctx, f.view<u8>()), d_parent, d_order, n}, d_node, f.extent, nodes);
  else nodes.count = build<u16>(ctx, {flat_rows(ctx, f.view<u16>()), d_parent, d_order, n}, d_node, f.extent, nodes);
  if (!out.contiguous()) copy_rows(ctx, View<const i32>(d_node, f.extent), out);
}

}  // namespace morpho::gpu
