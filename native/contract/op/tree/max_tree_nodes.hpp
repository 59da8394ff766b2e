// max_tree_nodes: a tree's nodes as a table.
#pragma once
#include "max_tree.hpp"

namespace morpho::op {

/// The tree's nodes as a table (node_table.hpp), made once for any number of filters. `node` i32: each pixel's node, by its
/// place in the table. f, parent, order as max_tree took and gave them. Fills the arrays of `nodes` and sets nodes.count
/// (host value: the GPU's waits for it). Reach: global. Source: none, the same tree written another way.
struct max_tree_nodes : ArrayOperation<void(Context&, ConstPlane, ConstPlane, ConstPlane, Plane, NodeTable&)> {
  /// Sets nodes.count to what an image of this extent has at least.
  static void check(const ConstPlane& f, const ConstPlane& parent, const ConstPlane& order, const Plane& node,
                    NodeTable& nodes) {
    static constexpr Slot in[] = {{"f", "", "", grey}, {"parent", "", "", i32_only}, {"order", "", "", i32_only}};
    static constexpr Slot to{"node", "", "", i32_only};
    const ConstPlane inputs[] = {f, parent, order};
    check_images(in, inputs, 3, &to, &node, 1);
    nodes.count = f.extent.empty() ? 0 : 1;
    check_node_table(node, nodes);
  }
  /// 1/8 byte a pixel and thread (1 at most) and 32 KiB a tile of 512x256; 4 bytes for the nodes of a tile and those that span
  /// tiles a thread, 4 a grey level and thread.
  static i64 cpu_need(const need::Image& i) {
    return (i.area() / 8 + 16) * std::min<i64>(8, i.workers()) + node_tiles(i.extent) * (kNodeTile.area() / 4 + 8) +
           component_sums_need(i, 4) + 4 * i.levels() * i.workers() + need::kSlack;
  }
};

}  // namespace morpho::op
