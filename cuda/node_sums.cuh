// What the max-tree's node sums and the filters by attributes share.
#pragma once
#include "device.cuh"

namespace morpho::gpu {

/// A table of nodes as kernels see it, and the flat image of every pixel's place in it.
struct Nodes {
  const i32* d_node;
  const i32* d_parent;
  const u16* d_altitude;
  i32 count;   ///< nodes
  i32 width;
  i64 pixels;
};

/// The kernels' view of a table. Takes a flat copy of `node` from the workspace where its rows have gaps.
Nodes nodes_of(Context& ctx, ConstPlane node, const NodeTable& table);

/// Enqueues the sums of every node, in the table's order. Memory: 4 bytes a node.
void sum_nodes(Context& ctx, const Nodes& nodes, NodeSums* d_sums, bool min_tree);

}  // namespace morpho::gpu
