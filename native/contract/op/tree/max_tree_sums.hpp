// max_tree_sums: integer sums over the pixels of each node's component.
#pragma once
#include "max_tree.hpp"

namespace morpho {

/// Integer sums over the pixels of one node's component (the node and all its descendants).
/// Coordinates are those of the image. From these every attribute follows without another pass over the pixels.
struct NodeSums {
  i64 area;                        ///< pixels
  i64 sum_value;                   ///< of grey values
  i64 sum_x, sum_y;                ///< first moments
  i64 sum_xx, sum_yy, sum_xy;      ///< second moments, modulo 2^64 (they fit for images up to 46340 squared)
  i32 min_x, min_y, max_x, max_y;  ///< bounding box, inclusive
  i32 value;                       ///< the node's own altitude
  i32 peak;                        ///< highest grey value in the component (lowest, for a min-tree)
  i32 parent_value;                ///< altitude of the parent node (root: its own)
};

namespace op {

/// Sums of every node, nodes.count elements in the table's order, from what max_tree_nodes gave; `bool`: of a min-tree.
struct max_tree_sums : ArrayOperation<void(Context&, ConstPlane, const NodeTable&, NodeSums*, bool)> {
  static void check(const ConstPlane& node, const NodeTable& nodes) { check_node_table(node, nodes); }
  /// 72 bytes for the nodes of a tile and for those that span tiles, a thread.
  static i64 cpu_need(const need::Image& i) { return component_sums_need(i, 72) + need::kSlack; }
};

}  // namespace op
}  // namespace morpho
