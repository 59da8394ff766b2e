// Filters of a max-tree by an attribute of its nodes.
#include <cmath>
#include <utility>

#include "contract/check_tree.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/max_tree/node_sums.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

constexpr u32 kThreads = 256;
constexpr u32 kNone = 0xFFFFFFFFu;

/// Doubles with every operation rounded by itself: the compiler may not contract what the CPU does not.
struct Real {
  double v;
  __device__ friend Real operator+(Real a, Real b) { return {__dadd_rn(a.v, b.v)}; }
  __device__ friend Real operator-(Real a, Real b) { return {__dsub_rn(a.v, b.v)}; }
  __device__ friend Real operator*(Real a, Real b) { return {__dmul_rn(a.v, b.v)}; }
  __device__ friend Real operator/(Real a, Real b) { return {__ddiv_rn(a.v, b.v)}; }
};
__device__ Real root_of(Real a) { return {__dsqrt_rn(a.v)}; }
__device__ Real real(i64 v) { return {static_cast<double>(v)}; }

/// Second moments about the centre, times the area: exact integers about the box's corner first, so that nothing cancels in
/// double.
struct Moments {
  Real xx, yy, xy;
};
__device__ Moments central_moments(const NodeSums& s) {
  // In u64, where intermediate wrapping is harmless: the sums about the corner are small again.
  const auto w = [](i64 v) { return static_cast<u64>(v); };
  const u64 x0 = w(s.min_x), y0 = w(s.min_y), n = w(s.area);
  const i64 sx = static_cast<i64>(w(s.sum_x) - n * x0), sy = static_cast<i64>(w(s.sum_y) - n * y0);
  const i64 sxx = static_cast<i64>(w(s.sum_xx) - 2 * x0 * w(s.sum_x) + n * x0 * x0);
  const i64 syy = static_cast<i64>(w(s.sum_yy) - 2 * y0 * w(s.sum_y) + n * y0 * y0);
  const i64 sxy = static_cast<i64>(w(s.sum_xy) - x0 * w(s.sum_y) - y0 * w(s.sum_x) + n * x0 * y0);
  const Real area = real(s.area), x = real(sx), y = real(sy);
  return {real(sxx) - x * x / area, real(syy) - y * y / area, real(sxy) - x * y / area};
}

__device__ double attribute_of(const NodeSums& s, Attribute attribute) {
  const Real area = real(s.area), width = real(s.max_x - s.min_x + 1), height = real(s.max_y - s.min_y + 1);
  switch (attribute) {
    case Attribute::area: return area.v;
    case Attribute::height: return fabs((real(s.peak) - real(s.parent_value)).v);
    case Attribute::volume: return fabs(static_cast<double>(s.sum_value - s.area * s.parent_value));
    case Attribute::box_width: return width.v;
    case Attribute::box_height: return height.v;
    case Attribute::box_diagonal: return root_of(width * width + height * height).v;
    case Attribute::elongation: {
      const Moments m = central_moments(s);
      const Real pixel{1.0 / 12};  // a pixel's own extent
      const Real a = m.xx / area + pixel, b = m.yy / area + pixel, c = m.xy / area;
      const Real mid = (a + b) / Real{2.0}, spread = root_of((a - b) * (a - b) / Real{4.0} + c * c);
      const Real least = mid - spread;
      return root_of((mid + spread) / (least.v < pixel.v ? pixel : least)).v;
    }
    case Attribute::inertia: {
      const Moments m = central_moments(s);
      return ((m.xx + m.yy) / (area * area)).v;
    }
    case Attribute::contrast: return fabs((real(s.sum_value) / area - real(s.parent_value)).v);
    default: return (real(s.sum_value) / area).v;
  }
}

/// Parts of sums as the sums that they are part of.
__device__ void put_sums(const AreaSums& s, NodeSums& to) { to.area = s.area; }
__device__ void put_sums(const PeakSums& s, NodeSums& to) { to.peak = s.peak; }
__device__ void put_sums(const ValueSums& s, NodeSums& to) { to.area = s.area, to.sum_value = s.sum_value; }
__device__ void put_sums(const NodeSums& s, NodeSums& to) { to = s; }

/// keep = 1 for nodes that pass, and the root; 0 elsewhere. One thread a node; no shared memory; one pass.
template <class S>
__global__ void attribute_filter_keep_kernel(Nodes nodes, const S* d_sums, Attribute attribute, double at_least, u32* d_keep) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= nodes.count) return;
  const i32 above = nodes.d_parent[t];
  NodeSums s{};
  put_sums(d_sums[t], s);
  s.parent_value = nodes.d_altitude[above];
  d_keep[t] = above == t || attribute_of(s, attribute) >= at_least;
}
template <class S>
void keep_by(Context& ctx, const Nodes& nodes, const AttributeFilterParams& params, u32* d_keep) {
  const Workspace::Scope scope(ctx.workspace);
  S* d_sums = ctx.workspace.take<S>(static_cast<std::size_t>(nodes.count));
  sum_nodes(ctx, nodes, d_sums, params.min_tree);
  const u32 blocks = blocks_for(nodes.count, kThreads);
  attribute_filter_keep_kernel<S>
      <<<blocks, kThreads, 0, stream_of(ctx)>>>(nodes, d_sums, params.attribute, params.at_least, d_keep);
  check_launch("attribute_filter_keep_kernel");
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
  switch (params.attribute) {
    case Attribute::area: keep_by<AreaSums>(ctx, nodes, params, d_keep); break;
    case Attribute::height: keep_by<PeakSums>(ctx, nodes, params, d_keep); break;
    case Attribute::volume:
    case Attribute::contrast:
    case Attribute::mean: keep_by<ValueSums>(ctx, nodes, params, d_keep); break;
    default: keep_by<NodeSums>(ctx, nodes, params, d_keep);
  }
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
/// as cpu::attribute_filter. Exactness: doubles from exact integer sums with + - * / sqrt only, each rounded by itself as on
/// the CPU.
/// Cost: max_tree_sums, or the part of it that the attribute needs (no pass over the pixels for area, height, volume, contrast,
/// mean); then two passes over the nodes, 8 (u16: 16) of pointer doubling, one over the pixels. Memory: 97 bytes a node (those
/// five: at most 25), and a flat copy of `node` where it has a stride. Sync: none.
/// Source: Salembier 1998 §3 (direct, min, max); Urbach 2007 (subtractive, shape attributes).
void attribute_filter(Context& ctx, ConstPlane node, const NodeTable& nodes, Plane out, const AttributeFilterParams& params) {
  check::attribute_filter(node, nodes, out, params);
  if (node.extent.empty()) return;
  ctx.check_cancelled();
  if (out.type == PixelType::u8) filter<u8>(ctx, node, nodes, out.view<u8>(), params);
  else filter<u16>(ctx, node, nodes, out.view<u16>(), params);
}

}  // namespace morpho::gpu
