// What the max-tree's node sums and the filters by attributes share.
#pragma once
#include "max_tree_parent.cuh"

namespace morpho::gpu {

/// A tree's images, all flat.
template <class T>
struct Tree {
  const T* d_f;
  const i32* d_parent;
  i32 width;
  i64 n;
};

/// Enqueues the sums of every node, at canonical pixels. T is u8 or u16. Memory: 4 bytes a pixel.
template <class T>
void sum_nodes(Context& ctx, const Tree<T>& tree, NodeSums* d_sums, bool min_tree);

/// The checks that both operations make.
void require_tree(ConstPlane f, ConstPlane parent, ConstPlane order);

}  // namespace morpho::gpu
