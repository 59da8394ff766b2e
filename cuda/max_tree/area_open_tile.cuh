// A tile of the tree in an area opening: its pixels' numbers, four of them at once, and lists of them.
#pragma once
#include "cuda/max_tree/max_tree_parent.cuh"

namespace morpho::gpu::opening {

inline constexpr i32 kWidth = kTreeTile.width, kHeight = kTreeTile.height, kArea = kWidth * kHeight;
/// Threads of a tile's block, and how many groups of 4 pixels side by side each owns.
inline constexpr i32 kTileThreads = 512, kGroups = kArea / (4 * kTileThreads);
inline constexpr u32 kOutside = kArea;  ///< the number of pixels that a tile does not have
static_assert(kGroups * 4 == 16 && kWidth == 128 && kArea == 1 << 13);

/// Four neighbours of a row, in one access.
template <class S>
struct alignas(4 * sizeof(S)) Four {
  S v[4];
};

/// A tile's place, and pixels' numbers in it. `fours`: rows begin where four pixels can be read at once, and are multiples of
/// that long.
struct Tile {
  i32 x0, y0, w, h, width, base;
  float by_width, shift;
  __device__ Tile(i32 tile, i32 across, i32 width_, i32 height)
      : x0(tile % across * kWidth),
        y0(tile / across * kHeight),
        w(min(kWidth, width_ - x0)),
        h(min(kHeight, height - y0)),
        width(width_),
        base(y0 * width_ + x0),
        by_width(1.0f / static_cast<float>(width_)),
        shift((0.5f * static_cast<float>(width_ - w) + 0.5f) * by_width) {}
  /// Pixels in the tiles before it: where its part of a plane begins that is laid out by tiles.
  __device__ i32 first() const { return y0 * width + x0 * h; }
  __device__ bool holds(i32 x, i32 y) const { return x < w && y < h; }
  __device__ i32 pixel(u32 i) const { return base + static_cast<i32>(i) / kWidth * width + static_cast<i32>(i) % kWidth; }
  /// The number of pixel q in the tile, or kOutside. The row is estimated: pixels of the tile lie so far from where it would
  /// change that it is right for them; whatever it is for others, only a pixel of the tile has a place in it.
  __device__ u32 number(i32 q) const {
    const i32 from = q - base, y = static_cast<i32>(fmaf(static_cast<float>(from), by_width, shift));
    const i32 x = static_cast<i32>(static_cast<u32>(from) - static_cast<u32>(y) * static_cast<u32>(width));
    return static_cast<u32>(x) < static_cast<u32>(w) && static_cast<u32>(y) < static_cast<u32>(h)
               ? static_cast<u32>(y * kWidth + x)
               : kOutside;
  }
  /// Group g of the calling thread: the number of its first pixel.
  __device__ static i32 group(i32 g) { return (g * kTileThreads + static_cast<i32>(threadIdx.x)) * 4; }
  /// The pixel that bit k of a mask of the calling thread's pixels stands for.
  __device__ static i32 of_bit(i32 k) { return group(k >> 2) + (k & 3); }
  template <bool fours, class S>
  __device__ Four<S> read(const S* d_from, i32 i, S other) const {
    const i32 x = i % kWidth, y = i / kWidth;
    const S* from = d_from + base + y * width + x;
    Four<S> four;
    if constexpr (fours) {
      if (holds(x, y)) return *reinterpret_cast<const Four<S>*>(from);
#pragma unroll
      for (i32 j = 0; j < 4; ++j) four.v[j] = other;
    } else {
#pragma unroll
      for (i32 j = 0; j < 4; ++j) four.v[j] = holds(x + j, y) ? from[j] : other;
    }
    return four;
  }
  /// Writes four pixels to a row of an image, from its x on.
  template <bool fours, class S>
  __device__ void write(S* row, i32 i, const Four<S>& four) const {
    const i32 x = i % kWidth, y = i / kWidth;
    if constexpr (fours) {
      if (holds(x, y)) *reinterpret_cast<Four<S>*>(row) = four;
    } else {
#pragma unroll
      for (i32 j = 0; j < 4; ++j) {
        if (holds(x + j, y)) row[j] = four.v[j];
      }
    }
  }
};

/// Takes places for the calling thread's part; the first of them. All 32 lanes call.
__device__ inline u32 places_for(u32 own, u32& taken) {
  const u32 upto = warp_inclusive_sum(own), before = lane_id() == 31 ? atomicAdd(&taken, upto) : 0;
  return __shfl_sync(kFullWarp, before, 31) + upto - own;
}
/// Takes a pixel of the calling thread from a mask.
__device__ inline u32 take(u32& mask) {
  const i32 k = __ffs(static_cast<int>(mask)) - 1;
  mask &= mask - 1;
  return static_cast<u32>(Tile::of_bit(k));
}
/// Puts pixels on a list from a place on; those that it has no room for stay in the mask.
__device__ inline void put(u16* list, u32 room, u32& mask, u32 place) {
  while (mask && place < room) list[place++] = static_cast<u16>(take(mask));
}

}  // namespace morpho::gpu::opening
