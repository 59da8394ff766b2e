// Filters of a max-tree by an attribute of its nodes.
#include <utility>

#include "contract/node_attribute.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/max_tree/node_sums.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

constexpr u32 kThreads = 256;
constexpr u32 kNone = 0xFFFFFFFFu;

/// Parts of sums as the sums that they are part of.
__device__ void put_sums(const AreaSums& s, NodeSums& to) { to.area = s.area; }
__device__ void put_sums(const PeakSums& s, NodeSums& to) { to.peak = s.peak; }
__device__ void put_sums(const ValueSums& s, NodeSums& to) { to.area = s.area, to.sum_value = s.sum_value; }
__device__ void put_sums(const NodeSums& s, NodeSums& to) { to = s; }

/// keep = 1 for nodes that pass, and the root; 0 elsewhere. One thread a node; no shared memory; one pass.
template <Attribute attribute, class S>
__global__ void attribute_filter_keep_kernel(Nodes nodes, const S* d_sums, double at_least, u32* d_keep) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= nodes.count) return;
  const i32 above = nodes.d_parent[t];
  NodeSums s{};
  put_sums(d_sums[t], s);
  s.parent_value = nodes.d_altitude[above];
  d_keep[t] = above == t || attribute_of<attribute>(s) >= at_least;
}
template <Attribute attribute, class S>
void keep_by(Context& ctx, const Nodes& nodes, const AttributeFilterParams& params, u32* d_keep) {
  const Workspace::Scope scope(ctx.workspace);
  S* d_sums = ctx.workspace.take<S>(static_cast<std::size_t>(nodes.count));
  sum_nodes(ctx, nodes, d_sums, params.min_tree);
  const u32 blocks = blocks_for(nodes.count, kThreads);
  attribute_filter_keep_kernel<attribute, S><<<blocks, kThreads, 0, stream_of(ctx)>>>(nodes, d_sums, params.at_least, d_keep);
  check_launch("attribute_filter_keep_kernel");
}

/// By the sums that the attribute needs, and no more.
void keep(Context& ctx, const Nodes& nodes, const AttributeFilterParams& params, u32* d_keep) {
  switch (params.attribute) {
    case Attribute::area: return keep_by<Attribute::area, AreaSums>(ctx, nodes, params, d_keep);
    case Attribute::height: return keep_by<Attribute::height, PeakSums>(ctx, nodes, params, d_keep);
    case Attribute::volume: return keep_by<Attribute::volume, ValueSums>(ctx, nodes, params, d_keep);
    case Attribute::box_width: return keep_by<Attribute::box_width, NodeSums>(ctx, nodes, params, d_keep);
    case Attribute::box_height: return keep_by<Attribute::box_height, NodeSums>(ctx, nodes, params, d_keep);
    case Attribute::box_diagonal: return keep_by<Attribute::box_diagonal, NodeSums>(ctx, nodes, params, d_keep);
    case Attribute::elongation: return keep_by<Attribute::elongation, NodeSums>(ctx, nodes, params, d_keep);
    case Attribute::inertia: return keep_by<Attribute::inertia, NodeSums>(ctx, nodes, params, d_keep);
    case Attribute::contrast: return keep_by<Attribute::contrast, ValueSums>(ctx, nodes, params, d_keep);
    case Attribute::mean: return keep_by<Attribute::mean, ValueSums>(ctx, nodes, params, d_keep);
  }
}

/// For the rule max: every ancestor of a node that passes is kept. A thread owns one node that passes, and climbs until it
/// meets one that is kept already: that one passes itself, or another thread climbs on from it.
__global__ void attribute_filter_spread_kernel(Nodes nodes, u32* d_keep) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= nodes.count || load_pixel(d_keep + t) == 0) return;
  for (i32 p = nodes.d_parent[t]; atomicExch(d_keep + p, 1u) == 0;) p = nodes.d_parent[p];
}

/// What a stretch of a path to the root does to the level of the pixels below it, from its node up to, and without, `next`.
/// subtractive: the sum of the kept contrasts. Else: the level above the topmost removed node, kNone where none is removed;
/// for the rules direct and max, which look for the nearest kept node, a stretch simply ends there.
struct Stretch {
  u32* d_effect;
  i32* d_next;
};

/// The stretches of single nodes. One thread a node; no shared memory; one pass.
__global__ void attribute_filter_begin_kernel(Nodes nodes, const u32* d_keep, FilterRule rule, Stretch to) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= nodes.count) return;
  const i32 p = static_cast<i32>(t), q = nodes.d_parent[p];
  const bool keep = d_keep[p] != 0;
  const u32 above = nodes.d_altitude[q], own = nodes.d_altitude[p];
  if (rule == FilterRule::subtractive) {
    to.d_next[p] = q;
    to.d_effect[p] = q == p || !keep ? 0 : own - above;
  } else if (rule == FilterRule::min) {
    to.d_next[p] = q;
    to.d_effect[p] = keep ? kNone : above;
  } else {
    to.d_next[p] = keep ? p : q;
    to.d_effect[p] = 0;
  }
}

/// Doubles every stretch. One thread a node; reads one pair of arrays and writes another, so no thread sees half a step. As
/// many passes as the depth of a tree of this type has bits.
__global__ void attribute_filter_double_kernel(Stretch from, Stretch to, i64 n, FilterRule rule) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const i32 next = from.d_next[t];
  const u32 own = from.d_effect[t];
  if (next == t) {
    to.d_next[t] = next;
    to.d_effect[t] = own;
    return;
  }
  const u32 upper = from.d_effect[next];
  to.d_next[t] = from.d_next[next];
  to.d_effect[t] = rule == FilterRule::subtractive ? own + upper : rule == FilterRule::min && upper != kNone ? upper : own;
}

/// out = each pixel's node's level. One thread a pixel of every gridDim.y-th row; no shared memory; one pass.
template <class T>
__global__ void attribute_filter_write_kernel(Nodes nodes, Stretch s, FilterRule rule, Image<T> out) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= out.width) return;
  for (i32 y = blockIdx.y; y < out.height; y += gridDim.y) {
    const i32 node = nodes.d_node[y * out.width + x];
    const u32 effect = s.d_effect[node];
    u32 level = nodes.d_altitude[s.d_next[node]];
    if (rule == FilterRule::subtractive) level += effect;
    else if (rule == FilterRule::min) level = effect == kNone ? nodes.d_altitude[node] : effect;
    out.at(x, y) = static_cast<T>(level);
  }
}

template <class T>
void filter(Context& ctx, ConstPlane node, const NodeTable& table, View<T> out, const AttributeFilterParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  const Nodes nodes = nodes_of(ctx, node, table);
  const std::size_t n = static_cast<std::size_t>(nodes.count);
  const u32 blocks = blocks_for(nodes.count, kThreads);
  u32* d_keep = ctx.workspace.take<u32>(n);
  keep(ctx, nodes, params, d_keep);
  if (params.rule == FilterRule::max) {
    attribute_filter_spread_kernel<<<blocks, kThreads, 0, stream>>>(nodes, d_keep);
    check_launch("attribute_filter_spread_kernel");
  }
  Stretch now{ctx.workspace.take<u32>(n), ctx.workspace.take<i32>(n)},
      then{ctx.workspace.take<u32>(n), ctx.workspace.take<i32>(n)};
  attribute_filter_begin_kernel<<<blocks, kThreads, 0, stream>>>(nodes, d_keep, params.rule, now);
  check_launch("attribute_filter_begin_kernel");
  for (std::size_t i = 0; i < 8 * sizeof(T); ++i) {  // values fall along a path: it has at most 2^8 (2^16) nodes
    ctx.check_cancelled();
    attribute_filter_double_kernel<<<blocks, kThreads, 0, stream>>>(now, then, nodes.count, params.rule);
    check_launch("attribute_filter_double_kernel");
    std::swap(now, then);
  }
  const dim3 rows(blocks_for(out.width(), kThreads),
                  static_cast<u32>(divide_up(out.height(), 8) > 65535 ? 65535 : divide_up(out.height(), 8)));
  attribute_filter_write_kernel<T><<<rows, kThreads, 0, stream>>>(nodes, now, params.rule, Image<T>(out));
  check_launch("attribute_filter_write_kernel");
}

}  // namespace

/// Shape: node and nodes as max_tree_nodes gives them -> out [h, w] of the image's type. Reach: global. Attributes and rules:
/// as cpu::attribute_filter. Exactness: attribute_of(), the CPU's own code.
/// Cost: max_tree_sums, or the part of it that the attribute needs (no pass over the pixels for area, height, volume, contrast,
/// mean); then two passes over the nodes, 8 (u16: 16) of pointer doubling, one over the pixels. Memory: 97 bytes a node (those
/// five: at most 25), and a flat copy of `node` where it has a stride. Sync: none.
/// Source: Salembier 1998 §3 (direct, min, max); Urbach 2007 (subtractive, shape attributes).
void attribute_filter(Context& ctx, ConstPlane node, const NodeTable& nodes, Plane out, const AttributeFilterParams& params) {
  op::attribute_filter::check(node, nodes, out, params);
  if (node.extent.empty()) return;
  ctx.check_cancelled();
  if (out.type == PixelType::u8) filter<u8>(ctx, node, nodes, out.view<u8>(), params);
  else filter<u16>(ctx, node, nodes, out.view<u16>(), params);
}

}  // namespace morpho::gpu
