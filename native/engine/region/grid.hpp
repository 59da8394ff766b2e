// A region cut into disjoint tiles, and who lies beside whom.
#pragma once
#include <algorithm>

#include "contract/view.hpp"

namespace morpho::engine::region {

/// Tiles of `tile_width` x `tile_height` px (those at the right and lower sides may be smaller), numbered in raster order.
struct Grid {
  i64 width = 0, height = 0;
  i64 tile_width = 1, tile_height = 1;

  Grid(i64 w, i64 h, i64 tw, i64 th) : width(w), height(h), tile_width(tw), tile_height(th) {}
  Grid(i64 w, i64 h, i64 tile) : Grid(w, h, tile, tile) {}
  i64 columns() const { return (width + tile_width - 1) / tile_width; }
  i64 rows() const { return (height + tile_height - 1) / tile_height; }
  i64 count() const { return columns() * rows(); }
  i64 column(i64 i) const { return i % columns(); }
  i64 row(i64 i) const { return i / columns(); }
  Rect rect(i64 i) const {
    const i64 x = column(i) * tile_width, y = row(i) * tile_height;
    return {x, y, std::min(tile_width, width - x), std::min(tile_height, height - y)};
  }
  /// A tile with what lies up to `halo` px around it, inside the region.
  Rect grown(i64 i, i64 halo) const {
    const Rect r = rect(i);
    const i64 x = std::max<i64>(0, r.x - halo), y = std::max<i64>(0, r.y - halo);
    return {x, y, std::min(width, r.x + r.width + halo) - x, std::min(height, r.y + r.height + halo) - y};
  }
  /// The tile at this place of the 3 x 3 around tile i (dx, dy of -1, 0, 1), or -1 where the region ends.
  i64 beside(i64 i, i64 dx, i64 dy) const {
    const i64 c = column(i) + dx, r = row(i) + dy;
    return c < 0 || r < 0 || c >= columns() || r >= rows() ? -1 : r * columns() + c;
  }
};

inline Extent extent_of(const Rect& r) { return {static_cast<i32>(r.width), static_cast<i32>(r.height)}; }

}  // namespace morpho::engine::region
