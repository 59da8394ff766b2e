// What the max-tree's node sums and the filters by attributes share.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// Parts of NodeSums, for filters that need no more. They follow from the table alone: no pass over the pixels.
struct AreaSums {
  i64 area;
};
struct PeakSums {
  i32 peak;
};
struct ValueSums {
  i64 area, sum_value;
};

/// A table of nodes as kernels see it, and the flat image of every pixel's place in it.
struct Nodes {
  const i32* d_node;
  const i32* d_parent;
  const i32* d_pixel;
  const i32* d_own;
  const u16* d_altitude;
  i32 count;  ///< nodes
  i32 width, height;
};

/// The kernels' view of a table. Takes a flat copy of `node` from the workspace where its rows have gaps.
Nodes nodes_of(Context& ctx, ConstPlane node, const NodeTable& table);

/// Enqueues the sums of every node, in the table's order. S is NodeSums or one of its parts. Memory: 4 1/8 bytes a node.
template <class S>
void sum_nodes(Context& ctx, const Nodes& nodes, S* d_sums, bool min_tree);

}  // namespace morpho::gpu
