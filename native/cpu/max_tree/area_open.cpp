// Area opening and closing, from the image alone.
#include <algorithm>

#include "cpu/max_tree/attribute_filter.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/max_tree/max_tree_nodes.hpp"
#include "cpu/max_tree/max_tree_parent.hpp"
#include "cpu/max_tree/node_tiles.hpp"

namespace morpho::cpu {
namespace {

template <class T>
void open(Context& ctx, View<const T> f, View<T> out, const AreaOpenParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const std::size_t n = static_cast<std::size_t>(f.extent.area());
  i32* parent = ctx.workspace.take<i32>(n);
  i32* node = ctx.workspace.take<i32>(n);
  const T* values = flat(ctx, f);
  max_tree_parent(ctx, View<const T>(values, f.extent), View<i32>(parent, f.extent), {params.connectivity, params.closing});
  NodeTable nodes = take_node_table(ctx.workspace, f.extent);
  build_node_table(ctx, values, parent, node, f.extent, nodes, params.closing);
  open_nodes(ctx, View<const i32>(node, f.extent), nodes, out, i64{params.area});
}

}  // namespace

/// Shape: f, out [h, w] u8 or u16. Units: area in pixels, at least 1; components of at least `area` pixels stay. Reach: global.
/// Unique.
/// Cost: the max-tree's parents, the table of nodes, the area filter. Memory: 22 bytes a pixel, and the need of max_tree_nodes
/// or of attribute_filter, whichever is larger; f's type a pixel where f's rows have gaps.
/// Source: Vincent 1993 (area openings); Salembier 1998 (by max-tree, an increasing criterion).
void area_open(Context& ctx, ConstPlane f, Plane out, const AreaOpenParams& params) {
  op::area_open::check(f, out, params);
  if (f.extent.empty()) return;
  if (f.type == PixelType::u8) open<u8>(ctx, f.view<u8>(), out.view<u8>(), params);
  else open<u16>(ctx, f.view<u16>(), out.view<u16>(), params);
}

}  // namespace morpho::cpu
