// What a window found as main/run takes it: the objects of each tile, packed, which of them are cut, and into which tiles they
// reach.
#pragma once
#include "packed_objects.hpp"

namespace morpho::exports {

/// Where a window lies in the analysed image, and the tiles that are asked for; px of that image.
struct WindowPlace {
  struct Tile {
    i64 x, y;  ///< counted from the image's corner
  };
  i64 x = 0, y = 0;
  Extent extent;
  i64 image_width = 0, image_height = 0;  ///< an object at a rim of the window inside of it may go on beyond
  i64 tile_px = 0;                        ///< 0: no tiles; all objects are one tile's, and none is cut
  std::vector<Tile> tiles;
};

/// Objects of the tiles, one tile after the other, each tile's in ascending label.
struct TileRows {
  PackedRows rows;
  std::vector<std::uint32_t> starts;  ///< tiles + 1: tile i has rows [starts[i], starts[i + 1])
  std::vector<std::uint32_t> cut;     ///< rows, ascending: the object touches the window's rim where the image goes on
  /// row, x, y: a tile that the object's box meets beside the one that its first pixel is in. Rows ascend.
  std::vector<i32> crossings;
};

struct PackedWindow {
  TileRows owned;            ///< objects whose first pixel lies in the tile
  TileRows overlapping;      ///< where they are wanted: objects of other tiles whose box meets the tile
  std::vector<i32> numbers;  ///< where those are wanted, of every object: label, and x and y of its first pixel in the image
};

/// Which objects pack_window gives to a tile: a byte each.
std::vector<u8> packed_of(const ObjectSet& found, const WindowPlace& place, bool with_overlapping);

/// All of it in the image's px. O(objects × tiles that they meet); memory: the result's. Throws OUT_OF_MEMORY beyond 4 GiB of
/// outlines.
PackedWindow pack_window(const ObjectSet& found, const WindowPlace& place, bool with_overlapping,
                         const ChannelColumns& channels = {});

}  // namespace morpho::exports
