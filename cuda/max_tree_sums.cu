// Sums over the pixels of every node of a max-tree.
#include "contract/check_tree.hpp"
#include "gpu_ops.hpp"
#include "max_tree_parent.cuh"
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

/// Starts every node with nothing but its altitudes, and counts its children. One thread a node; no shared memory; one pass.
__global__ void max_tree_sums_begin_kernel(Nodes nodes, NodeSums* d_sums, u32* d_children) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= nodes.count) return;
  const i32 above = nodes.d_parent[t], v = nodes.d_altitude[t];
  constexpr i32 far = 0x7FFFFFFF;
  d_sums[t] = {0, 0, 0, 0, 0, 0, 0, far, far, -1, -1, v, v, nodes.d_altitude[above]};
  if (above != t && atomicAdd(d_children + above, 1u) == 0) atomicAdd(d_children + above, kHadChildren);
}

/// Adds the pixels of every node. One thread a pixel; a warp whose pixels all belong to one node sums them first: they are neighbours, so
/// only x runs and the row is one, or the warp breaks at a row's end and adds one by one.
__global__ void max_tree_sums_own_kernel(Nodes nodes, NodeSums* d_sums, bool min_tree) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool inside = t < nodes.pixels;
  const i32 to = inside ? nodes.d_node[t] : -1;
  const i32 x = inside ? static_cast<i32>(t % nodes.width) : 0, y = inside ? static_cast<i32>(t / nodes.width) : 0;
  const i32 first = __shfl_sync(kFullWarp, to, 0), row = __shfl_sync(kFullWarp, y, 0);
  if (__all_sync(kFullWarp, to == first && y == row)) {
    if (to >= 0) {
      const i64 sx = warp_sum<i64>(x), sxx = warp_sum<i64>(static_cast<i64>(x) * x);
      const i32 v = nodes.d_altitude[to];
      if (lane_id() == 0) {
        const i64 yy = y;
        add_sums(d_sums[to], {32, 32 * static_cast<i64>(v), sx, 32 * yy, sxx, 32 * yy * yy, sx * yy, x, y, x + 31, y, v, v, v}, min_tree);
      }
    }
  } else if (to >= 0) {
    add_sums(d_sums[to], pixel_sums(x, y, nodes.d_altitude[to]), min_tree);
  }
}

/// Carries sums up. A thread owns one leaf; whoever brings the last child of a node goes on from that node. A path has no more nodes than
/// there are grey levels.
__global__ void max_tree_sums_climb_kernel(Nodes nodes, NodeSums* d_sums, u32* d_children, bool min_tree) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= nodes.count) return;
  i32 p = static_cast<i32>(t), q = nodes.d_parent[p];
  if (DeviceAtomic<u32>(d_children[p]).load(cuda::memory_order_relaxed) != 0) return;
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
    q = nodes.d_parent[p];
  }
}

}  // namespace

void sum_nodes(Context& ctx, const Nodes& nodes, NodeSums* d_sums, bool min_tree) {
  static_assert(sizeof(NodeSums) % sizeof(i64) == 0);
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  u32* d_children = ctx.workspace.take<u32>(static_cast<std::size_t>(nodes.count));
  set_bytes(ctx, d_children, 0, static_cast<std::size_t>(nodes.count));
  const u32 blocks = blocks_for(nodes.count, kThreads);
  max_tree_sums_begin_kernel<<<blocks, kThreads, 0, stream>>>(nodes, d_sums, d_children);
  check_launch("max_tree_sums_begin_kernel");
  max_tree_sums_own_kernel<<<blocks_for(nodes.pixels, kThreads), kThreads, 0, stream>>>(nodes, d_sums, min_tree);
  check_launch("max_tree_sums_own_kernel");
  max_tree_sums_climb_kernel<<<blocks, kThreads, 0, stream>>>(nodes, d_sums, d_children, min_tree);
  check_launch("max_tree_sums_climb_kernel");
}

Nodes nodes_of(Context& ctx, ConstPlane node, const NodeTable& table) {
  return {flat_rows(ctx, node.view<i32>()), table.parent, table.altitude, table.count, node.extent.width, node.extent.area()};
}

/// Shape: node and nodes as max_tree_nodes gives them; sums: nodes.count elements, in the table's order. Units: px, grey values.
/// Cost: one pass over the pixels, two over the nodes, 13 atomics a pixel and a node. Memory: 4 bytes a node, and a flat copy of `node`
/// where it has a stride. Sync: none. Source: Berger 2007 §3; Salembier 1998 (attributes).
/// Requires: extents for which the sum of x² over the image fits an i64 (46340 squared does).
void max_tree_sums(Context& ctx, ConstPlane node, const NodeTable& nodes, NodeSums* sums, bool min_tree) {
  check::node_table(node, nodes);
  if (node.extent.empty()) return;
  if (!sums) reject("sums", "an array of " + std::to_string(nodes.count) + " elements", "a null pointer");
  ctx.check_cancelled();
  const Workspace::Scope scope(ctx.workspace);
  sum_nodes(ctx, nodes_of(ctx, node, nodes), sums, min_tree);
}

}  // namespace morpho::gpu
