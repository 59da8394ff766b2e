// Connected components on the GPU as runs of 32-pixel words: what label and area_filter share.
#pragma once
#include "bits.cuh"

namespace morpho::gpu {

// A node is a run of connected pixels inside one word; it is named by the index y*width + x of its first pixel, and its parent is kept
// in an i32 plane at that pixel. Parents never grow and lead to smaller indices, so a component's root is its first pixel.

/// The connections of a word's pixels, one bit a pixel. Binary images keep only `fg`: the others follow from it.
struct LinkWords {
  const u32* fg = nullptr;     ///< foreground
  const u32* left = nullptr;   ///< connected to the pixel to the left (of images of equal values, as all below)
  const u32* up = nullptr;     ///< … to the pixel above
  const u32* up_left = nullptr, *up_right = nullptr;  ///< … diagonally, where no shorter way connects them
  i32 words = 0, width = 0, height = 0;
  bool eight = true;
};
struct Components {
  LinkWords links;
  i32* parent = nullptr;  ///< [h, w] without gaps; a root's is itself, every other run's is its root
  u32* root = nullptr;    ///< per word: bit set where a root begins
  i64 count = 0;          ///< words in all
};

/// The bit where the run of pixel `bit` begins.
__device__ inline i32 run_start(u32 starts, i32 bit) { return 31 - __clz(starts & (kFullWarp >> (31 - bit))); }

/// Bits where the runs of word i begin; a run that goes on from the word before begins anew at bit 0.
template <bool Valued>
__device__ u32 starts_of(const LinkWords& m, i64 i) {
  const u32 fg = m.fg[i];
  if constexpr (Valued) return fg & ~(m.left[i] & ~1u);
  else return fg & ~(fg << 1);
}
/// One past the last pixel of the run that begins at `start`.
__device__ inline i32 run_end(u32 fg, u32 starts, i32 start) {
  const u32 stop = (~fg | starts) & ~(kFullWarp >> (31 - start));
  return stop ? __ffs(stop) - 1 : 32;
}

/// Enqueues everything up to final parents and root bits. `parent` holds extent.area() elements, the rest comes from the workspace.
/// Memory: 8 bytes for each word of 32 pixels (24 for u16 and i32).
Components connect(Context& ctx, ConstPlane in, Connectivity connectivity, i32* parent);

}  // namespace morpho::gpu
