// The node table without its checks, for operations that build a tree of their own; and the check of a table that was given.
#pragma once
#include "contract/ops.hpp"

namespace morpho::cpu {

/// As cpu::max_tree_nodes, of images without gaps between rows, at least 1 x 1. T is u8 or u16. Memory: that of max_tree_nodes.
template <class T>
void build_node_table(Context& ctx, const T* f, const i32* parent, i32* node, Extent e, NodeTable& to, bool min_tree);

}  // namespace morpho::cpu
