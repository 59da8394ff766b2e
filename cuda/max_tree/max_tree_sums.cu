// Sums over the pixels of every node of a max-tree.
#include "contract/node_attribute.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/lanes.cuh"
#include "cuda/max_tree/max_tree_parent.cuh"
#include "cuda/max_tree/node_sums.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

using Sum = unsigned long long;
constexpr u32 kThreads = 256;
constexpr i32 kSide = 32, kRows = kThreads / 32;
constexpr i32 kSlots = 512;  ///< nodes that a tile's table in shared memory has room for, half as many as pixels: 16 KiB
constexpr i32 kProbes = 8;   ///< slots that a node tries
constexpr i32 kFar = 0x7FFFFFFF;

__device__ void add_to(i64* at, i64 v) { atomicAdd(reinterpret_cast<Sum*>(at), static_cast<Sum>(v)); }
__device__ void raise(i32& peak, i32 other, bool min_tree) { peak = min_tree ? min(peak, other) : max(peak, other); }
__device__ void raise_atomically(i32& peak, i32 other, bool min_tree) {
  if (min_tree) atomicMin(&peak, other);
  else atomicMax(&peak, other);
}

/// Sums of several nodes' parts, in registers. Integer sums and extrema: the order of additions does not show.
__device__ void add_sums(AreaSums& to, const AreaSums& s, bool) { to.area += s.area; }
__device__ void add_sums(PeakSums& to, const PeakSums& s, bool min_tree) { raise(to.peak, s.peak, min_tree); }
__device__ void add_sums(ValueSums& to, const ValueSums& s, bool) { to.area += s.area, to.sum_value += s.sum_value; }
__device__ void add_sums(NodeSums& to, const NodeSums& s, bool min_tree) {
  to.area += s.area, to.sum_value += s.sum_value;
  add_to_sum(to.sum_x, s.sum_x), add_to_sum(to.sum_y, s.sum_y);
  add_to_sum(to.sum_xx, s.sum_xx), add_to_sum(to.sum_yy, s.sum_yy), add_to_sum(to.sum_xy, s.sum_xy);
  to.min_x = min(to.min_x, s.min_x), to.min_y = min(to.min_y, s.min_y);
  to.max_x = max(to.max_x, s.max_x), to.max_y = max(to.max_y, s.max_y);
  raise(to.peak, s.peak, min_tree);
}
/// The same where other threads add too.
__device__ void add_atomically(AreaSums& to, const AreaSums& s, bool) { add_to(&to.area, s.area); }
__device__ void add_atomically(PeakSums& to, const PeakSums& s, bool min_tree) { raise_atomically(to.peak, s.peak, min_tree); }
__device__ void add_atomically(ValueSums& to, const ValueSums& s, bool) {
  add_to(&to.area, s.area);
  add_to(&to.sum_value, s.sum_value);
}
__device__ void add_places_atomically(NodeSums& to, const NodeSums& s) {
  add_to(&to.sum_x, s.sum_x);
  add_to(&to.sum_y, s.sum_y);
  add_to(&to.sum_xx, s.sum_xx);
  add_to(&to.sum_yy, s.sum_yy);
  add_to(&to.sum_xy, s.sum_xy);
  atomicMin(&to.min_x, s.min_x);
  atomicMin(&to.min_y, s.min_y);
  atomicMax(&to.max_x, s.max_x);
  atomicMax(&to.max_y, s.max_y);
}
__device__ void add_atomically(NodeSums& to, const NodeSums& s, bool min_tree) {
  add_to(&to.area, s.area);
  add_to(&to.sum_value, s.sum_value);
  add_places_atomically(to, s);
  raise_atomically(to.peak, s.peak, min_tree);
}

/// What the table says of a node's own pixels: all but the places of two or more pixels.
__device__ void begin_sums(const Nodes& nodes, i32 t, AreaSums& s) { s.area = nodes.d_own[t]; }
__device__ void begin_sums(const Nodes& nodes, i32 t, PeakSums& s) { s.peak = nodes.d_altitude[t]; }
__device__ void begin_sums(const Nodes& nodes, i32 t, ValueSums& s) {
  s.area = nodes.d_own[t];
  s.sum_value = s.area * nodes.d_altitude[t];
}
__device__ void begin_sums(const Nodes& nodes, i32 t, NodeSums& s) {
  const i32 own = nodes.d_own[t], v = nodes.d_altitude[t], above = nodes.d_altitude[nodes.d_parent[t]];
  s = {own, static_cast<i64>(own) * v, 0, 0, 0, 0, 0, kFar, kFar, -1, -1, v, v, above};
  if (own != 1) return;
  const i32 p = nodes.d_pixel[t], y = p / nodes.width, x = p - y * nodes.width;
  s.sum_x = x, s.sum_y = y;
  s.sum_xx = static_cast<i64>(x) * x, s.sum_yy = static_cast<i64>(y) * y, s.sum_xy = static_cast<i64>(x) * y;
  s.min_x = s.max_x = x, s.min_y = s.max_y = y;
}

/// Starts every node with what the table says of its own pixels, and counts its children. One thread a node. Shared memory: the
/// block's sums, which lie one after the other in global memory too, so that they are written in whole lines.
template <class S>
__global__ void __launch_bounds__(kThreads) max_tree_sums_begin_kernel(Nodes nodes, S* d_sums, u32* d_children) {
  constexpr u32 words = sizeof(S) / 4;
  __shared__ u32 line[words * kThreads];
  const i64 first = static_cast<i64>(blockIdx.x) * kThreads, t = first + threadIdx.x;
  i32 above = -1;
  if (t < nodes.count) {
    const i32 p = static_cast<i32>(t);
    union Words {
      u32 word[words];
      S s;
      __device__ Words() {}
    } own;
    begin_sums(nodes, p, own.s);
#pragma unroll
    for (u32 i = 0; i < words; ++i) line[threadIdx.x * words + i] = own.word[i];
    above = nodes.d_parent[p];
    if (above == p) above = -1;
  }
  const u32 group = __match_any_sync(kFullWarp, above);
  if (above >= 0 && leads(group)) atomicAdd(d_children + above, static_cast<u32>(__popc(group)));
  __syncthreads();
  u32* to = reinterpret_cast<u32*>(d_sums + first);
  const u32 end = static_cast<u32>(min(static_cast<i64>(kThreads), nodes.count - first)) * words;
  for (u32 i = threadIdx.x; i < end; i += kThreads) to[i] = line[i];
}

/// Which nodes have no children, one bit a node. A warp owns 32 nodes.
__global__ void max_tree_sums_leaves_kernel(const u32* d_children, i32 count, u32* d_leaves) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  const u32 leaves = __ballot_sync(kFullWarp, t < count && d_children[t] == 0);
  if (lane_id() == 0 && t < count) d_leaves[t / 32] = leaves;
}

/// Sums of pixels of one node in a tile, from the tile's corner; the box as the columns and rows that hold any.
struct TileSums {
  u32 n, x, y, xx, yy, xy, columns, rows;

  /// Pixels first to end - 1 of row y.
  __device__ static TileSums run(u32 first, u32 end, u32 y) {
    const auto squares = [](u32 k) {
      return (k - 1) * k * (2 * k - 1) / 6;
    };  // of 0 to k - 1; 0 for k = 0, as the product wraps to 0
    const u32 n = end - first, x = (first + end - 1) * n / 2;
    return {n,      x, n * y, squares(end) - squares(first), n * y * y, x * y, (end == 32 ? 0u : 1u << end) - (1u << first),
            1u << y};
  }
  __device__ NodeSums at(i64 x0, i64 y0) const {
    NodeSums s{};
    const u64 a = static_cast<u64>(x0), b = static_cast<u64>(y0);  // modulo 2^64, as add_to_sum() says
    s.sum_x = static_cast<i64>(n * a + x), s.sum_y = static_cast<i64>(n * b + y);
    s.sum_xx = static_cast<i64>(n * a * a + 2 * a * x + xx), s.sum_yy = static_cast<i64>(n * b * b + 2 * b * y + yy);
    s.sum_xy = static_cast<i64>(n * a * b + a * y + b * x + xy);
    const auto lowest = [](u32 bits) { return __ffs(static_cast<int>(bits)) - 1; };
    const auto highest = [](u32 bits) { return 31 - __clz(static_cast<int>(bits)); };
    s.min_x = static_cast<i32>(x0) + lowest(columns), s.max_x = static_cast<i32>(x0) + highest(columns);
    s.min_y = static_cast<i32>(y0) + lowest(rows), s.max_y = static_cast<i32>(y0) + highest(rows);
    return s;
  }
  /// Gives the sums to their node: where they are all that it has (`own` pixels), no other tile does.
  __device__ void give(NodeSums& to, i64 x0, i64 y0, i32 own) const {
    const NodeSums s = at(x0, y0);
    if (static_cast<i32>(n) != own) return add_places_atomically(to, s);
    to.sum_x = s.sum_x, to.sum_y = s.sum_y;
    to.sum_xx = s.sum_xx, to.sum_yy = s.sum_yy, to.sum_xy = s.sum_xy;
    to.min_x = s.min_x, to.min_y = s.min_y, to.max_x = s.max_x, to.max_y = s.max_y;
  }
};

/// Adds the places of the pixels of nodes that have two or more. A block owns a tile of 32x32, a warp every eighth row of it.
/// Runs of a node in a row are summed by formula, then in shared memory in a table by node; a node goes by itself where the
/// table is full.
__global__ void __launch_bounds__(kThreads) max_tree_sums_places_kernel(Nodes nodes, i32 across, NodeSums* d_sums) {
  __shared__ i32 slot_node[kSlots];
  __shared__ u32 slot[7][kSlots];  // the fields of TileSums, with n and x in one
  const i32 x0 = static_cast<i32>(blockIdx.x) % across * kSide, y0 = static_cast<i32>(blockIdx.x) / across * kSide;
  for (i32 i = static_cast<i32>(threadIdx.x); i < kSlots; i += kThreads) {
    slot_node[i] = -1;
#pragma unroll
    for (i32 k = 0; k < 7; ++k) slot[k][i] = 0;
  }
  __syncthreads();
  const i32 lane = static_cast<i32>(lane_id());
#pragma unroll
  for (i32 row = static_cast<i32>(threadIdx.x) / 32; row < kSide; row += kRows) {
    const bool inside = x0 + lane < nodes.width && y0 + row < nodes.height;
    const i32 node = inside ? nodes.d_node[static_cast<i64>(y0 + row) * nodes.width + x0 + lane] : -1;
    const LaneRun run(static_cast<u32>(node));
    if (node >= 0 && run.leads()) {
      const i32 own = nodes.d_own[node];
      const TileSums s = TileSums::run(static_cast<u32>(lane), static_cast<u32>(run.end), static_cast<u32>(row));
      if (own > 1 && static_cast<i32>(s.n) == own) {
        s.give(d_sums[node], x0, y0, own);
      } else if (own > 1) {
        const u32 hash = static_cast<u32>(node) * 2654435761u >> 23;
        i32 probe = 0;
        for (; probe < kProbes; ++probe) {
          const u32 at = (hash + static_cast<u32>(probe)) % kSlots;
          i32 had = static_cast<volatile i32*>(slot_node)[at];  // once taken, a slot stays its node's
          if (had == -1) had = atomicCAS(slot_node + at, -1, node);
          if (had != -1 && had != node) continue;
          atomicAdd(slot[0] + at, s.n << 16 | s.x);
          atomicAdd(slot[1] + at, s.y);
          atomicAdd(slot[2] + at, s.xx);
          atomicAdd(slot[3] + at, s.yy);
          atomicAdd(slot[4] + at, s.xy);
          atomicOr(slot[5] + at, s.columns);
          atomicOr(slot[6] + at, s.rows);
          break;
        }
        if (probe == kProbes) s.give(d_sums[node], x0, y0, -1);
      }
    }
    __syncwarp();
  }
  __syncthreads();
  for (i32 i = static_cast<i32>(threadIdx.x); i < kSlots; i += kThreads) {
    const i32 node = slot_node[i];
    if (node < 0) continue;
    const TileSums s{slot[0][i] >> 16, slot[0][i] & 0xFFFF, slot[1][i], slot[2][i],
                     slot[3][i],       slot[4][i],          slot[5][i], slot[6][i]};
    s.give(d_sums[node], x0, y0, nodes.d_own[node]);
  }
}

/// Carries sums up. A thread owns one leaf, and a warp's leaves with one parent go up as one; whoever brings the last child of
/// a node goes on from that node. Who sees that nobody else is to come adds without atomics. A path has no more nodes than
/// there are grey levels.
template <class S>
__global__ void max_tree_sums_climb_kernel(Nodes nodes, S* d_sums, u32* d_children, const u32* d_leaves, bool min_tree) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  i32 q = -1;
  S s{};
  if (t < nodes.count && d_leaves[t / 32] >> (t % 32) & 1) {
    q = nodes.d_parent[t];
    if (q == t) q = -1;
    else s = d_sums[t];
  }
  const u32 group = __match_any_sync(kFullWarp, q);
  sum_groups(q >= 0 ? group : 0, s, [&](S& to, const S& other) { add_sums(to, other, min_tree); });
  if (q < 0 || !leads(group)) return;
  for (u32 children = static_cast<u32>(__popc(group));; children = 1) {
    const DeviceAtomic<u32> left(d_children[q]);
    if (left.load(cuda::memory_order_acquire) == children) {  // what the others brought is there
      S sum = d_sums[q];
      add_sums(sum, s, min_tree);
      d_sums[q] = s = sum;
    } else {
      add_atomically(d_sums[q], s, min_tree);
      if (left.fetch_sub(children, cuda::memory_order_acq_rel) != children) return;
      s = d_sums[q];
    }
    const i32 above = nodes.d_parent[q];
    if (above == q) return;
    q = above;
  }
}

}  // namespace

template <class S>
void sum_nodes(Context& ctx, const Nodes& nodes, S* d_sums, bool min_tree) {
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  u32* d_children = ctx.workspace.take<u32>(static_cast<std::size_t>(nodes.count));
  u32* d_leaves = ctx.workspace.take<u32>(static_cast<std::size_t>(divide_up(nodes.count, 32)));
  set_bytes(ctx, d_children, 0, static_cast<std::size_t>(nodes.count));
  const u32 blocks = blocks_for(nodes.count, kThreads);
  max_tree_sums_begin_kernel<S><<<blocks, kThreads, 0, stream>>>(nodes, d_sums, d_children);
  check_launch("max_tree_sums_begin_kernel");
  max_tree_sums_leaves_kernel<<<blocks, kThreads, 0, stream>>>(d_children, nodes.count, d_leaves);
  check_launch("max_tree_sums_leaves_kernel");
  if constexpr (std::is_same_v<S, NodeSums>) {
    const i32 across = static_cast<i32>(divide_up(nodes.width, kSide));
    const u32 tiles = static_cast<u32>(across) * static_cast<u32>(divide_up(nodes.height, kSide));
    max_tree_sums_places_kernel<<<tiles, kThreads, 0, stream>>>(nodes, across, d_sums);
    check_launch("max_tree_sums_places_kernel");
  }
  max_tree_sums_climb_kernel<S><<<blocks, kThreads, 0, stream>>>(nodes, d_sums, d_children, d_leaves, min_tree);
  check_launch("max_tree_sums_climb_kernel");
}
template void sum_nodes<AreaSums>(Context&, const Nodes&, AreaSums*, bool);
template void sum_nodes<PeakSums>(Context&, const Nodes&, PeakSums*, bool);
template void sum_nodes<ValueSums>(Context&, const Nodes&, ValueSums*, bool);
template void sum_nodes<NodeSums>(Context&, const Nodes&, NodeSums*, bool);

Nodes nodes_of(Context& ctx, ConstPlane node, const NodeTable& table) {
  return {flat_rows(ctx, node.view<i32>()),
          table.parent,
          table.pixel,
          table.own,
          table.altitude,
          table.count,
          node.extent.width,
          node.extent.height};
}

/// Shape: node and nodes as max_tree_nodes gives them; sums: nodes.count elements, in the table's order. Units: px, grey
/// values.
/// Cost: one pass over the pixels, three over the nodes, 12 atomics for every child but the last to come. Memory: 4 1/8 bytes a
/// node, and a flat copy of `node` where it has a stride. Sync: none. Source: Berger 2007 §3; Salembier 1998 (attributes).
/// Second moments are modulo 2^64, exact where the sum of x² over the component fits an i64 (46340 squared does).
void max_tree_sums(Context& ctx, ConstPlane node, const NodeTable& nodes, NodeSums* sums, bool min_tree) {
  op::check_node_table(node, nodes);
  if (node.extent.empty()) return;
  if (!sums) reject("sums", "an array of " + std::to_string(nodes.count) + " elements", "a null pointer");
  ctx.check_cancelled();
  const Workspace::Scope scope(ctx.workspace);
  sum_nodes(ctx, nodes_of(ctx, node, nodes), sums, min_tree);
}

}  // namespace morpho::gpu
