// Filters by max-tree on regions of any size: trees of tiles of which only the border trees meet (region_ops.hpp: what is
// common to all).
#pragma once
#include "contract/ops.hpp"
#include "engine/region/workers.hpp"
#include "engine/region/raster.hpp"

namespace morpho::engine::region {

/// OpTable::area_open; u8 and u16. Each tile's tree is built once. A node that has the area in its tile alone stays, a smaller
/// one that no pixel on a border between tiles belongs to goes; of the others, the border tree, no more is kept than up to the
/// first node that stays. Border trees are joined along the borders by one thread, and the pixels of undecided nodes, kept as a
/// list, are written then; where the lists would be too long (kMostPendingBytes) a tile's tree is built a second time instead.
/// Cost: 0.9 to 1.0 times the untiled operation's where the lists do, 1.7 times where they do not (large areas); one thread,
/// tiles of 1024 and 4096 px.
/// Memory: 22 bytes a pixel of the tile, f's type, and max_tree_nodes' need; on a GPU 26 and f's type there, and here 4 and
/// f's type, and 18 a node. For the region 18 bytes a node of the border trees (0.7 nodes a border pixel on rough hills, 1.4
/// on noise; at most the levels), 16 bytes a border pixel, kMostPendingBytes, 1/2 byte a pixel of each worker's tile.
/// Source: Blin 2021 §6.2, Kazemier 2017, Götz 2018 (border trees); Vincent 1993 (area openings).
void area_open(Workers& workers, const Raster& f, Raster& out, i64 tile, const AreaOpenParams& params);

/// What area_open() keeps of undecided pixels between its two passes, for all tiles together.
inline constexpr i64 kMostPendingBytes = i64{256} << 20;

/// OpTable::attribute_filter of the max-tree (min-tree) of f; u8 and u16. By area it is area_open(). Otherwise each tile's tree
/// and sums are made twice: for its border tree, which holds the sums of what hangs on it, and, when the border trees of all
/// tiles are joined and their nodes decided, for the nodes that no pixel on a border belongs to, whose sums are known in the
/// tile and whose ancestors are not. Second moments of regions below 2^31 px are modulo 2^64 as the table's (NodeSums), else
/// exact.
/// Cost: 1.6 times the untiled tree, table and filter (elongation; one thread).
/// Memory: as area_open() and 88 bytes a node of the tile (both there and here on a GPU). For the region 12 to 140 bytes a node
/// of the border trees, here whole: the attribute's sums (height the least, elongation and inertia the most).
/// Source: Blin 2021 §6.2, Kazemier 2017, Götz 2018 (border trees with attributes); Salembier 1998, Urbach 2007 (rules).
void attribute_filter(Workers& workers, const Raster& f, Raster& out, i64 tile, const AttributeFilterParams& params,
                      Connectivity connectivity);

}  // namespace morpho::engine::region
