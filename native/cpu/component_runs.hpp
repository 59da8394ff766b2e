// Horizontal runs of an image and their connected components: what labelling and the area filter share.
#pragma once
#include "contract/context.hpp"
#include "contract/view.hpp"

namespace morpho::cpu {

/// The runs of an image, row after row, left to right. Run i covers [x0[i], x1[i]) of its row; row y owns the runs
/// [row_begin[y], row_begin[y + 1]). After connect_runs(), root[i] <= i leads (possibly over several steps, always downwards) to the
/// component's smallest run, which holds its first pixel in raster order and is its own root.
struct RunSet {
  i32 count = 0;
  i32* row_begin = nullptr;
  i32* x0 = nullptr;
  i32* x1 = nullptr;
  i32* root = nullptr;
};

/// Finds the maximal runs of nonzero pixels (u8) or of equal nonzero pixels (u16, i32) and connects those that touch.
/// Memory: 4 bytes a row and 12 bytes a run from the workspace (at most 6 bytes a pixel for binary input, 12 for values), until the
/// caller's Scope ends. Cost: two reads of the image (64 pixels a step for u8) and one near-linear pass over the runs; bands of rows in
/// parallel, joined along their borders. Source: He, Chao, Suzuki 2008 (run-based two-scan labelling); union by smallest index.
RunSet connect_runs(Context& ctx, ConstPlane in, Connectivity connectivity);

/// Replaces every root[i] by the final number of its component in `number` order: calls number(run) for each component's first run in
/// raster order and stores what it returns; the other runs get their component's. Sequential, one pass.
template <class Number>
void number_components(RunSet& runs, Number&& number) {
  for (i32 i = 0; i < runs.count; ++i) {
    const i32 r = runs.root[i];
    runs.root[i] = r == i ? number(i) : runs.root[r];  // r < i: already a number
  }
}

}  // namespace morpho::cpu
