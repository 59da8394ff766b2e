// Cells around nuclei: who owns a pixel near them, exactly and whatever window asks; and what of a cell is cytoplasm and
// membrane.
#pragma once
#include <span>
#include <vector>

#include "../../contract/ops.hpp"

namespace morpho::engine {

/// Lengths in px of the analysed image.
struct CellParams {
  double reach = 0;  ///< how far a cell reaches beyond its nucleus; 0: there are no cells
  double ring = 0;   ///< how far its membrane reaches inwards from its border
  bool on() const { return reach > 0; }
  /// What a cell depends on lies so near to its nucleus's box.
  i64 needs() const;
};

/// Of a rectangle of the window: a pixel's cell, as its object's place in the set and 1; 0: it is of none.
struct CellMap {
  Rect field;
  std::vector<i32> owner;
  i32 at(i64 x, i64 y) const { return owner[static_cast<std::size_t>((y - field.y) * field.width + x - field.x)]; }
};

/// A pixel is of the cell of the nucleus that has the nearest pixel, by centres, if that is no farther than the reach. Of
/// nuclei at the same distance it is of the one whose first pixel comes first in raster order. Distances are exact (squares of
/// whole numbers). What lies outside of `field` does not count: a cell is right where all nuclei within twice the reach of it
/// lie in the field, or the image ends. O(field × reach); memory: 12 bytes a pixel. Throws Cancelled.
CellMap cells_around(const ObjectSet& nuclei, const Rect& field, double reach, const CancelFlag* cancel);

enum class Part : u8 { none, nucleus, cytoplasm, membrane };
/// What each pixel of `map` is: nucleus; else membrane within `ring` of the nearest pixel of the field that is not of its cell
/// (0: nowhere); else cytoplasm. Beyond the field there is nothing. O(field × ring²) at most.
std::vector<Part> parts_of_cells(const CellMap& map, const ObjectSet& nuclei, double ring, const CancelFlag* cancel);

/// Runs of some pixels, object after object, raster order in each.
struct CellRuns {
  std::vector<Run> runs;
  std::vector<i64> offsets;  ///< one more than objects
  std::span<const Run> of(std::size_t object) const {
    return {runs.data() + offsets[object], static_cast<std::size_t>(offsets[object + 1] - offsets[object])};
  }
};
/// The pixels of `wanted` objects' cells that are one of `which`.
CellRuns runs_of_cells(const CellMap& map, const std::vector<Part>& parts, std::span<const u8> wanted,
                       std::initializer_list<Part> which);

}  // namespace morpho::engine
