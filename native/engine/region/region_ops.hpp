// Operations on regions of any size: what the table of operations (contract/ops.hpp) defines for an image, tile by tile, on all
// workers, with the same result as untiled.
#pragma once
#include "contract/ops.hpp"
#include "grid.hpp"
#include "workers.hpp"
#include "raster.hpp"

// Common to all: rasters have one extent; results are those of the table's entry on the whole image, whatever the tile, the
// workers and the order in which tiles are done. Memory: what a tile takes, for each worker (WorkerOptions), and what is said
// at each entry for the region. Errors: INVALID_PARAMETER as the table's entries, OUTPUT_FAILED and SLIDE_UNREADABLE as
// Raster's, Cancelled.
namespace morpho::engine::region {

/// `tile` of a region operation: px a side. Throws INVALID_PARAMETER outside [16, 46000].
void require_tile(i64 tile);

/// OpTable::reconstruct. `out` is the working image too; it may be the marker, and not the mask. A tile is settled with the
/// pixels around it held as they are (its rim, one pixel wide); into a neighbour that it would still raise the wave goes on by
/// a queue, on the worker's own core, or, where it is long, by settling that tile again. So the last state is the fixed point
/// of the whole region, which is unique. Cost: one visit a tile on a device, and what moves over borders. Memory: two images of
/// the tile's border a tile. Source: Teodoro 2012 §4 (tile propagation, border propagation).
void reconstruct(Workers& workers, const Raster& marker, const Raster& mask, Raster& out, i64 tile,
                 const ReconstructParams& params);
/// OpTable::h_extrema, fill_holes, clear_border: reconstruct() from a marker that is never stored.
void h_extrema(Workers& workers, const Raster& f, Raster& out, i64 tile, const ExtremaParams& params);
void fill_holes(Workers& workers, const Raster& f, Raster& out, i64 tile, const ConnectivityParams& params);
void clear_border(Workers& workers, const Raster& f, Raster& out, i64 tile, const ConnectivityParams& params);

/// OpTable::distance, exact, by strips: all columns, as many rows as make a tile's pixels. What a strip needs of the others is
/// for each column the nearest zero above and below, found in a first pass over the image. No tile is worked on twice. Memory:
/// 8 bytes a column and strip.
void distance(Workers& workers, const Raster& binary, Raster& squared, i64 tile, const DistanceParams& params);

/// OpTable::label; returns the number of components, and throws INVALID_PARAMETER where it is 2^31 and more. Components that
/// touch a border between tiles are joined by union-find over (tile, label); the others are counted by rows alone. Two visits a
/// tile. Memory: 4 bytes a row and column of tiles, and some 40 bytes for each component of a tile that touches its border.
i64 label(Workers& workers, const Raster& in, Raster& labels, i64 tile, const ConnectivityParams& params);
/// OpTable::area_filter. As label(); areas are 64 bits wide.
void area_filter(Workers& workers, const Raster& binary, Raster& out, i64 tile, const AreaFilterParams& params);

}  // namespace morpho::engine::region
