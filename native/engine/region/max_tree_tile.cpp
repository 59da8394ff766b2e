// Trees of tiles by the table of operations, brought to the host.
#include "engine/region/max_tree_tile.hpp"

#include "contract/require.hpp"
#include "cpu/max_tree/max_tree_nodes.hpp"
#include "cpu/max_tree/max_tree_parent.hpp"

namespace morpho::engine::region {
namespace {

/// In place: by the parts of the table's entries that need no order of the pixels, as cpu::area_open does.
void build_here(Hand& hand, const ConstPlane& f, TileTree& tree, Connectivity connectivity, bool min_tree, bool sums) {
  Workspace& w = hand.host().workspace;
  const std::size_t n = static_cast<std::size_t>(f.extent.area());
  i32 *parent = w.take<i32>(n), *node = w.take<i32>(n);
  NodeTable nodes = take_node_table(w, f.extent);
  hand.compute([&](Place& place) {
    Context& ctx = place.context();
    cpu::max_tree_parent(ctx, f, View<i32>(parent, f.extent), {connectivity, min_tree});
    if (f.type == PixelType::u8) {
      cpu::build_node_table<u8>(ctx, static_cast<const u8*>(f.data), parent, node, f.extent, nodes, min_tree);
    } else {
      cpu::build_node_table<u16>(ctx, static_cast<const u16*>(f.data), parent, node, f.extent, nodes, min_tree);
    }
  });
  tree.node = node, tree.count = nodes.count;
  tree.parent = nodes.parent, tree.own = nodes.own, tree.pixel = nodes.pixel, tree.altitude = nodes.altitude;
  tree.number = parent;  // done with
  if (!sums) return;
  tree.sums = w.take<NodeSums>(static_cast<std::size_t>(nodes.count));
  hand.compute([&](Place& place) {
    place.ops().max_tree_sums(place.context(), ConstPlane(View<const i32>(node, f.extent)), nodes, tree.sums, min_tree);
  });
}

void build_there(Hand& hand, const Plane& f, TileTree& tree, Connectivity connectivity, bool min_tree, bool sums) {
  const std::size_t n = static_cast<std::size_t>(f.extent.area());
  hand.compute([&](Place& place) {
    Context& ctx = place.context();
    const auto plane = [&] { return Plane(View<i32>(ctx.workspace.take<i32>(n), f.extent)); };
    const Plane there = Hand::placed(place, f), node = plane();
    NodeTable nodes = take_node_table(ctx.workspace, f.extent);
    {
      const Workspace::Scope scope(ctx.workspace);
      const Plane parent = plane(), order = plane();
      place.ops().max_tree(ctx, there, parent, order, {connectivity, min_tree});
      place.ops().max_tree_nodes(ctx, there, parent, order, node, nodes);
    }
    const std::size_t count = static_cast<std::size_t>(nodes.count);
    const auto fetch = [&]<class V>(const V* from, std::size_t elements) {
      V* to = reinterpret_cast<V*>(hand.take(elements * sizeof(V)));
      place.download(to, from, elements * sizeof(V));  // sync: the hand reads it next
      return to;
    };
    tree.count = nodes.count;
    tree.node = fetch(static_cast<const i32*>(node.data), n);
    tree.parent = fetch(nodes.parent, count), tree.own = fetch(nodes.own, count), tree.pixel = fetch(nodes.pixel, count);
    tree.altitude = fetch(nodes.altitude, count);
    if (!sums) return;
    NodeSums* s = ctx.workspace.take<NodeSums>(count);
    place.ops().max_tree_sums(ctx, node, nodes, s, min_tree);
    tree.sums = fetch(s, count);
  });
  tree.number = hand.host().workspace.take<i32>(static_cast<std::size_t>(tree.count));
}

}  // namespace

TileTree build_tile_tree(Hand& hand, const Raster& f, const Rect& r, Connectivity connectivity, bool min_tree, bool sums) {
  TileTree tree;
  tree.rect = r;
  const std::size_t pitch = static_cast<std::size_t>(r.width) * f.pixel();
  tree.pixels = hand.take(pitch * static_cast<std::size_t>(r.height));
  f.read(r, tree.pixels, pitch);
  hand.mark_read();
  const Plane image(tree.pixels, f.type(), extent_of(r));
  if (hand.on_gpu()) build_there(hand, image, tree, connectivity, min_tree, sums);
  else build_here(hand, image, tree, connectivity, min_tree, sums);
  return tree;
}

void require_tree_rasters(const Raster& f, const Raster& out, Connectivity connectivity) {
  if (f.type() == PixelType::i32) reject("f", "pixels of type uint8 or uint16", pixel_type_name(f.type()));
  require_same_extent("out", f, out);
  if (f.type() != out.type())
    reject("out", std::string("pixels of type ") + pixel_type_name(f.type()), pixel_type_name(out.type()));
  require_connectivity(connectivity);
}

}  // namespace morpho::engine::region
