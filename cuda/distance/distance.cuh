// What the two phases of the exact distance share (the columns of an image as bits, 32 rows to a word, with the nearest sites
// outside), and the variant that has a file of its own.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// Word k of column x holds rows 32k … 32k + 31, the topmost in bit 0; a bit is set where the pixel is zero (a site).
struct SiteColumns {
  const u32* bits = nullptr;   ///< [bands][pitch]
  const i32* above = nullptr;  ///< the nearest site's row above the word (beyond the strip: negative), or kNoneAbove
  const i32* below = nullptr;  ///< … below the word, or INT32_MAX
  const i32* any = nullptr;    ///< 1 where the image has a site at all
  i32 width = 0, height = 0, bands = 0;
  i64 pitch = 0;
};

inline constexpr i32 kNoneAbove = INT32_MIN;
inline constexpr u32 kNoRow = 0xFFFFFFFFu;  ///< "no site in this column"

/// Rows from y to the nearest site of its column.
__device__ inline u32 rows_to_site(const SiteColumns& s, i32 x, i32 y) {
  const i64 i = (y >> 5) * s.pitch + x;
  const i32 top = y & ~31, j = y & 31;
  const u32 bits = s.bits[i], upwards = bits & (kFullWarp >> (31 - j)), downwards = bits & (kFullWarp << j);
  const i32 a = upwards ? top + 31 - __clz(upwards) : s.above[i];
  const i32 b = downwards ? top + __ffs(downwards) - 1 : s.below[i];
  const u32 up = a == kNoneAbove ? kNoRow : static_cast<u32>(y - a), down = b == INT32_MAX ? kNoRow : static_cast<u32>(b - y);
  return min(up, down);
}

/// Enqueues the row phase. The columns stay valid until it has run. Memory: see distance().
void distance_rows(Context& ctx, const SiteColumns& sites, const View<i32>& out, u32 weight_x, u32 weight_y);

/// The variant `danielsson`, on checked planes that are not empty. Returns the rounds that were enqueued.
i64 distance_danielsson(Context& ctx, View<const u8> binary, View<i32> squared, const DistanceParams& params);

}  // namespace morpho::gpu
