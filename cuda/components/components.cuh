// Connected components on the GPU as runs of 32-pixel words: what label and area_filter share.
#pragma once
#include "cuda/runtime/bits.cuh"

namespace morpho::gpu {

// A node is a run of connected pixels inside one word. Runs are numbered in raster order, those of a word in a row, and their
// parents are kept in a list without gaps: 4 bytes a run, not a sector of 32 bytes as at the pixels. Parents never grow and
// lead to smaller numbers, so a component's root is the run of its first pixel.

/// The connections of a word's pixels, one bit a pixel. Binary images keep only `fg`: the others follow from it.
struct LinkWords {
  const u32* fg = nullptr;    ///< foreground
  const u32* left = nullptr;  ///< connected to the pixel to the left (of images of equal values, as all below)
  const u32* up = nullptr;    ///< … to the pixel above
  const u32 *up_left = nullptr, *up_right = nullptr;  ///< … diagonally, where no shorter way connects them
  i32 words = 0, width = 0, height = 0;
  bool eight = true;
};
struct Components {
  LinkWords links;
  i64 count = 0;          ///< words in all
  i32* first = nullptr;   ///< per word: the number of its first run
  i32* before = nullptr;  ///< per block of kBlockWords words: the runs before it, the number of its first; then all runs
  i32* parent = nullptr;  ///< per run: its tile's root; of a tile's root: the component's root, which is its own
  i32* area = nullptr;    ///< per root: the component's pixels, where asked for
  i32* roots = nullptr;   ///< per block: the roots among its runs; one element more than there are blocks
  u32 blocks = 0;
};

/// Words whose runs a block counts, numbers and looks up.
inline constexpr i32 kBlockWords = 1024;
/// Runs that begin in a word, at most.
template <bool Valued>
inline constexpr i32 kMostRuns = Valued ? 32 : 16;

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

/// Enqueues everything up to final parents, root counts and, if `areas`, areas (binary images only). Takes all from the
/// workspace.
/// Memory: 8 bytes for each word of 32 pixels (24 for u16 and i32), 4 for each run that there may be: 2 bytes a pixel (4 for
/// u16 and i32), and as much again for areas.
Components connect(Context& ctx, ConstPlane in, Connectivity connectivity, bool areas);

}  // namespace morpho::gpu
