// choose_nodes: the acceptable nodes of a max-tree, none inside another, with the largest total score.
#pragma once
#include "../../object_rules.hpp"
#include "../objects/label_sums.hpp"
#include "max_tree_sums.hpp"

namespace morpho::op {

/// The set of acceptable nodes, none inside another, with the largest total score (objects::node_score); a node wins a tie
/// over its descendants. map[i] = 1 for those nodes and all their descendants, else 0; nodes.count elements. From what
/// max_tree_nodes and max_tree_sums gave. Source: none; one pass up the tree decides, one down spreads.
struct choose_nodes : ArrayOperation<void(Context&, const NodeTable&, const NodeSums*, i32*, const NodeRule&)> {
  static void check(const NodeTable& nodes, const NodeSums* sums, const i32* map, const NodeRule& rule) {
    require_range("nodes.count", nodes.count, 0, kMostInt);
    check_params(rule);
    if (nodes.count == 0) return;
    if (!nodes.parent) reject("nodes", "a table with memory", "a null pointer");
    check_array("sums", sums, i64{nodes.count} - 1);
    check_array("map", map, i64{nodes.count} - 1);
  }
  /// 8 bytes a node.
  static i64 cpu_need(i64 nodes) { return 8 * nodes + need::kSlack; }
};

}  // namespace morpho::op
