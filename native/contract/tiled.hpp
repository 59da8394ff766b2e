// What tiles of a larger image need beside the table of operations: entries that are told what lies beyond the tile.
// Where holding the pixels around a tile is enough (reconstruction, labels), the table's own entries do.
#pragma once
#include "ops.hpp"

namespace morpho {

/// "No zero in this column", of StripColumns.
inline constexpr i32 kNoSite = 2147483647;

/// What a strip knows of each column beyond it: how far the nearest zero is from the row just above (below) it, in rows: 0
/// where that row holds one. As many elements as the strip has columns, in the memory of the table; values below 2^30, or
/// kNoSite.
struct StripColumns {
  const i32 *above, *below;
};

/// Beside OpTable; every device fills one. Common rules as there.
struct TiledTable {
  /// OpTable::distance of some rows of a higher image that has the same columns: exact (variant automatic), as the whole image
  /// gives it. Cost, memory: as distance. Source: Meijster 2000, whose column phase it takes up in mid-column.
  void (*distance_strip)(Context&, ConstPlane binary, const StripColumns& beyond, Plane squared, const DistanceParams&);
};

namespace cpu { const TiledTable& tiled_table(); }  // namespace cpu
namespace gpu {
/// Throws GPU_UNAVAILABLE where the build has no CUDA.
const TiledTable& tiled_table();
}  // namespace gpu

}  // namespace morpho
