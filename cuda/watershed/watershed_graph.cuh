// The watershed's flow graph on the device: one direction code a pixel, and what its phases share.
#pragma once
#include "cuda/runtime/device.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {

/// Loads of a thread that are under way together.
inline constexpr i32 kAtOnce = 4;

/// Codes 0..7 are the neighbours in ascending index order (NW N NE W E SW S SE): the smallest code is the smallest index.
namespace flow {
inline constexpr u8 reached = 8;    ///< 8 + code: the step on a plateau towards its outlet
inline constexpr u8 sink = 16;      ///< a marker pixel
inline constexpr u8 pending = 17;   ///< on a plateau, not yet known where it flows
inline constexpr u8 minimum = 18;   ///< on a plateau without any outlet
inline constexpr u8 outside = 255;  ///< not in the mask
/// Two bits a code: the step and 1.
__device__ inline i32 dx(int k) { return (0x9224 >> 2 * k & 3) - 1; }
__device__ inline i32 dy(int k) { return (0xA940 >> 2 * k & 3) - 1; }
/// Bit k set: neighbour k counts.
inline constexpr u32 used4 = 0x5A, used8 = 0xFF;
/// Bit k set: neighbour k lies to the west (east).
inline constexpr u32 west = 0x29, east = 0x94;
__device__ inline bool outlet(u8 code) { return code < 8 || code == sink; }
}  // namespace flow

/// Optional inputs as kernels see them; null data: absent.
struct MarkersAndMask {
  const i32* d_markers = nullptr;
  i64 marker_stride = 0;
  const u8* d_mask = nullptr;
  i64 mask_stride = 0;
  __device__ i32 marker(i32 x, i32 y) const { return d_markers[y * marker_stride + x]; }
  __device__ bool inside(i32 x, i32 y) const { return !d_mask || d_mask[y * mask_stride + x] != 0; }
};

/// What the plateau search works on. A pending pixel's key is its geodesic distance to the nearest outlet of its plateau, or,
/// while none is known, kIndexKey + the smallest index met on the plateau: the smaller key always wins.
inline constexpr u32 kIndexKey = 0x80000000u;
struct PlateauArgs {
  u32* d_key;         ///< [h, w]
  const u8* d_link;   ///< [h, w]: bit k: neighbour k is pending on the same plateau
  const u32* d_rows;  ///< per tile: which of its rows have links
  i32 width, height;
  TileGrid grid;  ///< tiles of 32x32
  TileQueue queue;
};
/// Follows the codes from every pixel to its sink and writes labels; see watershed_follow.cu.
struct FollowArgs {
  const u8* d_code;      ///< [h, w]
  i32* d_work;           ///< [h, w]: keys of minima; then the way, then the labels
  const i32* d_markers;  ///< null: none, minima are numbered
  i64 marker_stride;
  i32 width, height;
};
/// Returns the number of minima (0 with markers).
i32 follow_flow(Context& ctx, const FollowArgs& args, View<i32> labels);

/// The end of every way, at each pixel of d_work ([h, w], flat): ~label, or the index of a root, whose entry is its own index.
/// Numbers the roots in raster order where `numbered`, and writes the labels. Returns the number of roots (0 where not
/// numbered).
i32 number_basins(Context& ctx, i32* d_work, bool numbered, View<i32> labels);

/// Brings the keys of all pending pixels to their final values: waves through tiles, and where they get long, union-find for
/// what plateaus without an outlet need, and waves again for the distances alone.
void settle_plateaus(Context& ctx, const PlateauArgs& args);
/// Enqueues, where args.queue has given up: final keys for the plateaus without an outlet, none but distances (kIndexKey - 1:
/// unknown) for the others, and every tile queued as at the beginning. Else one launch that returns at once. Memory: none.
void settle_basins(Context& ctx, const PlateauArgs& args);

}  // namespace morpho::gpu
