// Trees of tiles by the table of operations, brought to the host.
#include "max_tree_tile.hpp"

#include "contract/require.hpp"
#include "cpu/max_tree/max_tree_nodes.hpp"
#include "cpu/max_tree/max_tree_parent.hpp"

namespace morpho::engine::region {
namespace {

/// In place: by the parts of the table's entries that need no order of the pixels, as cpu::area_open does.
void build_here(Worker& worker, const ConstPlane& f, TileTree& tree, Connectivity connectivity, bool min_tree, bool sums) {
  Workspace& w = worker.host().workspace;
  const std::size_t n = static_cast<std::size_t>(f.extent.area());
  i32 *parent = w.take<i32>(n), *node = w.take<i32>(n);
  NodeTable nodes = take_node_table(w, f.extent);
  worker.compute([&](Backend& backend) {
    Context& ctx = backend.context();
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
  worker.compute([&](Backend& backend) {
    backend.ops().max_tree_sums(backend.context(), ConstPlane(View<const i32>(node, f.extent)), nodes, tree.sums, min_tree);
  });
}

void build_there(Worker& worker, const Plane& f, TileTree& tree, Connectivity connectivity, bool min_tree, bool sums) {
  const std::size_t n = static_cast<std::size_t>(f.extent.area());
  worker.compute([&](Backend& backend) {
    Context& ctx = backend.context();
    const auto plane = [&] { return Plane(View<i32>(ctx.workspace.take<i32>(n), f.extent)); };
    const Plane there = Worker::uploaded(backend, f), node = plane();
    NodeTable nodes = take_node_table(ctx.workspace, f.extent);
    {
      const Workspace::Scope scope(ctx.workspace);
      const Plane parent = plane(), order = plane();
      backend.ops().max_tree(ctx, there, parent, order, {connectivity, min_tree});
      backend.ops().max_tree_nodes(ctx, there, parent, order, node, nodes);
    }
    const std::size_t count = static_cast<std::size_t>(nodes.count);
    const auto fetch = [&]<class V>(const V* from, std::size_t elements) {
      V* to = reinterpret_cast<V*>(worker.take(elements * sizeof(V)));
      backend.download(to, from, elements * sizeof(V));  // sync: the worker reads it next
      return to;
    };
    tree.count = nodes.count;
    tree.node = fetch(static_cast<const i32*>(node.data), n);
    tree.parent = fetch(nodes.parent, count), tree.own = fetch(nodes.own, count), tree.pixel = fetch(nodes.pixel, count);
    tree.altitude = fetch(nodes.altitude, count);
    if (!sums) return;
    NodeSums* s = ctx.workspace.take<NodeSums>(count);
    backend.ops().max_tree_sums(ctx, node, nodes, s, min_tree);
    tree.sums = fetch(s, count);
  });
  tree.number = worker.host().workspace.take<i32>(static_cast<std::size_t>(tree.count));
}

}  // namespace

TileTree build_tile_tree(Worker& worker, const Raster& f, const Rect& r, Connectivity connectivity, bool min_tree, bool sums) {
  TileTree tree;
  tree.rect = r;
  const std::size_t pitch = static_cast<std::size_t>(r.width) * f.pixel();
  tree.pixels = worker.take(pitch * static_cast<std::size_t>(r.height));
  f.read(r, tree.pixels, pitch);
  worker.mark_read();
  const Plane image(tree.pixels, f.type(), extent_of(r));
  if (worker.on_gpu()) build_there(worker, image, tree, connectivity, min_tree, sums);
  else build_here(worker, image, tree, connectivity, min_tree, sums);
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
