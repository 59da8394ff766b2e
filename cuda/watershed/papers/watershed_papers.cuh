// The published GPU algorithms for the watershed, for comparison, and the tiles with a border of one pixel on which both work.
#pragma once
#include "contract/work_log.hpp"
#include "cuda/watershed/watershed_graph.cuh"

namespace morpho::gpu {

// Both label g ([h, w]; outside the mask the type's maximum) without lines and return the number of minima (with markers 0).
// d_work: 4 bytes a pixel, may be the labels themselves. work: told how often a kernel ran again. T is u8, u16 or i32.

/// DW: drops of water in the paper's six kernels. Cost: one launch more for each tile of 32x32 that a wave on a plateau has to
/// cross, and for minima as many as their labels take to become one. Memory: 4 bytes a pixel. Sync: one each time that a kernel
/// may have to run again.
template <class T>
i32 watershed_drop(Context& ctx, View<const T> g, const MarkersAndMask& in, i32* d_work, View<i32> labels, u32 used,
                   Work& work);

/// CA: a cellular automaton in the paper's two kernels. Cost: one launch more for each tile of 32x32 on the longest path.
/// Memory: 10 bytes a pixel. Sync: one a launch.
template <class T>
i32 watershed_cellular(Context& ctx, View<const T> g, const MarkersAndMask& in, i32* d_work, View<i32> labels, u32 used,
                       Work& work);

/// A block of 256 threads owns 32x32 pixels, a thread four of them, 8 rows apart; shared memory holds those and one more on
/// each side (the paper's apron), row after row.
namespace apron {
inline constexpr i32 kTile = 32, kPitch = kTile + 2, kCells = kPitch * kPitch, kThreads = 256, kOwn = kTile * kTile / kThreads;
struct Place {
  i32 x, y;  ///< in the image
};
__device__ inline Place tile_origin(i32 across) {
  return {static_cast<i32>(blockIdx.x) % across * kTile, static_cast<i32>(blockIdx.x) / across * kTile};
}
/// Pixel j of the calling thread, in the tile.
__device__ inline i32 own_x() { return static_cast<i32>(threadIdx.x) % kTile; }
__device__ inline i32 own_y(i32 j) { return static_cast<i32>(threadIdx.x) / kTile + j * (kThreads / kTile); }
__device__ inline i32 own_cell(i32 j) { return (own_y(j) + 1) * kPitch + own_x() + 1; }
/// From a cell to its neighbour k.
__device__ inline i32 to_neighbour(int k) { return flow::dy(k) * kPitch + flow::dx(k); }
/// Calls fn(cell, x, y) once for each cell of the block, all threads together; x and y may lie outside the image.
template <class Fn>
__device__ void each_cell(Place origin, Fn&& fn) {
  for (i32 i = static_cast<i32>(threadIdx.x); i < kCells; i += kThreads)
    fn(i, origin.x + i % kPitch - 1, origin.y + i / kPitch - 1);
}
__device__ inline bool in_tile(i32 cell) {
  const i32 x = cell % kPitch, y = cell / kPitch;
  return x > 0 && x <= kTile && y > 0 && y <= kTile;
}
inline i32 tiles_across(Extent e) { return static_cast<i32>(divide_up(e.width, kTile)); }
inline u32 tiles(Extent e) { return static_cast<u32>(tiles_across(e)) * static_cast<u32>(divide_up(e.height, kTile)); }
}  // namespace apron

}  // namespace morpho::gpu
