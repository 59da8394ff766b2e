// The watershed of regions of any size (region_ops.hpp: what is common to all).
#pragma once
#include <string>

#include "contract/ops.hpp"
#include "workers.hpp"
#include "raster.hpp"

namespace morpho::engine::region {

/// Where images that an operation itself needs may lie: in memory as long as the budget lasts, else in the folder
/// (make_raster()).
struct Scratch {
  std::size_t budget_bytes = 0;
  std::string folder;
};

/// OpTable::watershed; returns the largest label. f is u8, u16 or i32; `markers` (i32) and `mask` (u8) may be null. Of the
/// variants there is `automatic` alone. Steps: with markers the flood level, by reconstruct() on the workers' devices; each
/// tile's flow graph, where plateaus take their distances to an outlet from pixels around the tile too, and a tile is worked on
/// again where a neighbour's would shorten its own; without markers the minima, which are what no distance reached, numbered by
/// label(); each tile's pixels follow the graph to a sink or over the border, the border's pixels from tile to tile (by one
/// thread), and then the rest. All but reconstruct() and label() is computed by the CPU, one thread a tile, whatever the
/// device.
/// Cost: one visit a tile for the depths, and one more for each time that a shorter way comes over its border; one to follow,
/// and, where anything leaves it, one over the labels.
/// Memory: 5 bytes a pixel of the tile and f's type, 4 more a pixel on plateaus, 1 with a mask (or what reconstruct() and
/// label() take, where it is more). For the region 12 bytes and f's type a pixel on borders between tiles; and as an image of
/// its own, in `scratch`, with markers one of f's type, without 1 byte a pixel.
/// Source: Körbes 2011 §2 (drop of water); Teodoro 2012 §4 (tile propagation, border propagation).
i64 watershed(Workers& workers, const Raster& f, const Raster* markers, const Raster* mask, Raster& labels, i64 tile,
              const WatershedParams& params, Scratch& scratch);

}  // namespace morpho::engine::region
