// The nodes of a max-tree as a table: made once for a tree, so that filters need not find the nodes among the pixels again.
#pragma once
#include <algorithm>

#include "context.hpp"
#include "view.hpp"

namespace morpho {

/// The tiles by which a table is cut, in raster order from the image's corner. Small enough for a tile's nodes to stay in fast
/// memory, large enough that few nodes span tiles (4 % of them on tissue).
inline constexpr Extent kNodeTile{512, 256};
inline i32 node_tiles_across(Extent e) { return (std::max(e.width, 0) + kNodeTile.width - 1) / kNodeTile.width; }
inline i32 node_tiles(Extent e) {
  return node_tiles_across(e) * ((std::max(e.height, 0) + kNodeTile.height - 1) / kNodeTile.height);
}

/// A node's place is its number in the table, from 0. Every node comes after its children, and the root is the last. Nodes
/// whose component lies in one tile may stand in that tile's range of places, [first[k], first[k + 1]) for tile k; the parent
/// of such a node stands in the same range, or in the last one, [first[tiles], count), which holds all other nodes and always
/// the root. So the ranges of tiles can be walked at once, each with its tile's pixels, before (upwards) or after (downwards)
/// the last range. Nothing else about the numbering is promised: tables of the CPU and the GPU may differ, what is computed
/// from them may not. The arrays are the caller's, in the memory of the table of operations (device memory for the GPU's):
/// area() elements each, of which `count` are used, but for `first` with node_tiles() + 1.
struct NodeTable {
  i32* parent = nullptr;    ///< place of the parent node; the root's is its own
  i32* pixel = nullptr;     ///< index of the node's canonical pixel
  i32* own = nullptr;       ///< pixels of the node's own level: its component without its children's
  u16* altitude = nullptr;  ///< grey value
  i32* first = nullptr;     ///< where each tile's range begins, then where the last range does
  i32 count = 0;            ///< nodes
};

/// A table for images of this extent from a workspace: 14 bytes a pixel.
inline NodeTable take_node_table(Workspace& w, Extent e) {
  const std::size_t n = static_cast<std::size_t>(std::max<i64>(e.area(), 0));
  return {w.take<i32>(n),
          w.take<i32>(n),
          w.take<i32>(n),
          w.take<u16>(n),
          w.take<i32>(static_cast<std::size_t>(node_tiles(e)) + 1),
          0};
}

}  // namespace morpho
