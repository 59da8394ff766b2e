// The max-tree of one tile, on the host, and the part of it that other tiles take part in.
#pragma once
#include <algorithm>
#include <vector>

#include "contract/ops.hpp"
#include "engine/region/borders.hpp"
#include "engine/region/workers.hpp"
#include "engine/region/raster.hpp"

namespace morpho::engine::region {

/// A tile's tree as a table (node_table.hpp) in the worker's host memory, until its visit ends: every node comes after its
/// children, the root is the last.
struct TileTree {
  Rect rect;
  u8* pixels = nullptr;           ///< room for the tile's pixels, rows without gaps; holds f until somebody needs it
  const i32* node = nullptr;      ///< each pixel's node
  i32* parent = nullptr;          ///< `count` elements, as all that follow
  i32* own = nullptr;             ///< pixels of the node's own level
  i32* pixel = nullptr;           ///< its canonical pixel: an index of the tile
  const u16* altitude = nullptr;  ///< grey value
  i32* number = nullptr;          ///< BorderTree's: the node's place among its nodes, or -1
  NodeSums* sums = nullptr;       ///< where they were asked for; in the tile's coordinates
  i32 count = 0;

  i32 root() const { return count - 1; }
};

/// Reads the tile and builds its tree on the worker's device. f is u8 or u16. Cost: max_tree and max_tree_nodes (and
/// max_tree_sums). Memory: f's type and 22 bytes a pixel, and 88 bytes a node for sums; on a GPU f's type and 26 bytes a pixel
/// there (and the sums), f's type and 4 bytes a pixel and 18 bytes a node (and the sums) here.
TileTree build_tile_tree(Worker& worker, const Raster& f, const Rect& r, Connectivity connectivity, bool min_tree, bool sums);

/// The nodes of a tile to whose component pixels on a border to another tile belong, in the order of their canonical pixels: so
/// the same on every device, whose tables number nodes as they like.
struct BorderTree {
  std::vector<i32> place;  ///< of each of them, in the tile's table
  Border<i32> line;        ///< of each pixel's node, the place in this list; lines that no other tile faces are empty
};

/// Finds them, and sets tree.number. Where `stop(place)` holds, a node's ancestors are left out, unless they are others' that
/// it does not hold for.
template <class Stop>
BorderTree border_tree(const Grid& grid, i64 i, TileTree& tree, Stop&& stop) {
  BorderTree border;
  border.line.take(tree.node, static_cast<std::size_t>(tree.rect.width), tree.rect);
  const auto each_line = [&](auto&& fn) {
    fn(border.line.top), fn(border.line.bottom), fn(border.line.left), fn(border.line.right);
  };
  if (grid.beside(i, 0, -1) < 0) border.line.top.clear();
  if (grid.beside(i, 0, 1) < 0) border.line.bottom.clear();
  if (grid.beside(i, -1, 0) < 0) border.line.left.clear();
  if (grid.beside(i, 1, 0) < 0) border.line.right.clear();
  std::fill_n(tree.number, tree.count, -1);
  each_line([&](const std::vector<i32>& line) {
    for (i32 p : line) {
      for (; tree.number[p] < 0; p = tree.parent[p]) {
        tree.number[p] = 0;
        border.place.push_back(p);
        if (p == tree.root() || stop(p)) break;
      }
    }
  });
  std::sort(border.place.begin(), border.place.end(), [&](i32 a, i32 b) { return tree.pixel[a] < tree.pixel[b]; });
  for (std::size_t k = 0; k < border.place.size(); ++k) tree.number[border.place[k]] = static_cast<i32>(k);
  each_line([&](std::vector<i32>& line) {
    for (i32& p : line) p = tree.number[p];
  });
  return border;
}

/// area_open() with areas that 32 bits do not hold: for attribute_filter() by area, too.
struct OpenRegionParams {
  i64 area = 1;
  Connectivity connectivity = Connectivity::eight;
  bool min_tree = false;
};
void open_region(Workers& workers, const Raster& f, Raster& out, i64 tile, const OpenRegionParams& params);

/// Throws INVALID_PARAMETER where f is neither u8 nor u16, `out` is not like f, or the connectivity is neither 4 nor 8.
void require_tree_rasters(const Raster& f, const Raster& out, Connectivity connectivity);

}  // namespace morpho::engine::region
