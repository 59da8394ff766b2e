// The best set of tree nodes of which none is inside another.
#include "contract/object_choice.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

using ull = unsigned long long;
constexpr u32 kThreads = 256;
/// In a node's counter: it has, or had, children; the rest counts those still to come.
constexpr u32 kHadChildren = 0x80000000u;

/// A thread owns a node: its own score, and one child more for its parent.
__global__ void choose_nodes_begin_kernel(const i32* __restrict__ parent, const NodeSums* __restrict__ sums, i32 count,
                                          NodeRule rule, i64* __restrict__ own, u32* children) {
  const i64 t = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (t >= count) return;
  own[t] = objects::node_score(rule, sums[t]);
  const i32 above = parent[t];
  if (above != t && atomicAdd(children + above, 1u) == 0) atomicAdd(children + above, kHadChildren);
}

/// Decides from the leaves up. A thread owns one leaf; whoever brings the last child of a node goes on from that node, when
/// `below` holds the best of all its children. Integer sums: their order does not show. A path has no more nodes than there are
/// grey levels. choice: the parent's place and, in the last bit, whether the node is taken.
__global__ void choose_nodes_climb_kernel(const i32* __restrict__ parent, const i64* __restrict__ own, i32 count, i64* below,
                                          u32* children, u32* __restrict__ choice) {
  const i64 t = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (t >= count || DeviceAtomic<u32>(children[t]).load(cuda::memory_order_relaxed) != 0) return;
  for (i32 p = static_cast<i32>(t);;) {
    const i32 q = parent[p];
    const i64 score = own[p], best = __ldcg(reinterpret_cast<const long long*>(below + p));  // where the children's atomics are
    const bool taken = score > 0 && score >= best;
    choice[p] = 2 * static_cast<u32>(q) + taken;
    if (q == p) return;
    const i64 mine = taken ? score : best;
    if (mine > 0) atomicAdd(reinterpret_cast<ull*>(below + q), static_cast<ull>(mine));
    __threadfence();
    const u32 left = DeviceAtomic<u32>(children[q]).fetch_sub(1, cuda::memory_order_acq_rel) & ~kHadChildren;
    if (left != 1) return;
    __threadfence();
    p = q;
  }
}

/// choice becomes that of a stretch of the path to the root: whether a node of it is taken, and the place after it. A thread
/// owns a node and joins its stretch with the next one's; place and bit are one word, so that whatever state of the next it
/// meets is a true one, and at least twice as long as before the last pass. A path of 65536 nodes (every level of u16) takes 16
/// passes. Nothing is left to do where the stretch ends at the root or a node is taken.
__global__ void choose_nodes_spread_kernel(u32* choice, i32 count) {
  const i64 t = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (t >= count) return;
  const u32 mine = load_pixel(choice + t), next = mine / 2;
  if (mine % 2 || next == static_cast<u32>(count) - 1) return;
  store_pixel(choice + t, load_pixel(choice + next));
}
__global__ void choose_nodes_finish_kernel(const u32* __restrict__ choice, i32 count, i32* __restrict__ map) {
  const i64 t = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (t < count) map[t] = static_cast<i32>((choice[t] | choice[count - 1]) % 2);
}

}  // namespace

// Memory: 24 bytes a node. Cost: two passes up the nodes with some products of 128 bits for each, 17 down, of which all but the
// first few find little to do. sync: none.
void choose_nodes(Context& ctx, const NodeTable& nodes, const NodeSums* sums, i32* map, const NodeRule& rule) {
  op::choose_nodes::check(nodes, sums, map, rule);
  if (nodes.count == 0) return;
  ctx.check_cancelled();
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  const std::size_t n = static_cast<std::size_t>(nodes.count);
  i64 *own = ctx.workspace.take<i64>(n), *below = ctx.workspace.take<i64>(n);
  u32 *children = ctx.workspace.take<u32>(n), *choice = ctx.workspace.take<u32>(n);
  set_bytes(ctx, below, 0, n);
  set_bytes(ctx, children, 0, n);
  const u32 blocks = blocks_for(nodes.count, kThreads);
  choose_nodes_begin_kernel<<<blocks, kThreads, 0, stream>>>(nodes.parent, sums, nodes.count, rule, own, children);
  check_launch("choose_nodes_begin_kernel");
  choose_nodes_climb_kernel<<<blocks, kThreads, 0, stream>>>(nodes.parent, own, nodes.count, below, children, choice);
  check_launch("choose_nodes_climb_kernel");
  for (i32 pass = 0; pass < 16; ++pass) {
    choose_nodes_spread_kernel<<<blocks, kThreads, 0, stream>>>(choice, nodes.count);
    check_launch("choose_nodes_spread_kernel");
  }
  choose_nodes_finish_kernel<<<blocks, kThreads, 0, stream>>>(choice, nodes.count, map);
  check_launch("choose_nodes_finish_kernel");
}

}  // namespace morpho::gpu
