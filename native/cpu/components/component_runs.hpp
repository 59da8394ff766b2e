// Horizontal runs of an image and their connected components: what labelling, the area filter and the filling of holes share.
#pragma once
#include "contract/context.hpp"
#include "contract/view.hpp"

namespace morpho::cpu {

/// The runs of an image, row after row, left to right. Run i covers [x0[i], x1[i]) of its row; row y owns the runs
/// [row_begin[y], row_begin[y + 1]). After connect_runs(), root[i] <= i leads in at most two steps to the component's smallest
/// run, which holds its first pixel in raster order and is its own root.
struct RunSet {
  i32 count = 0;
  i32* row_begin = nullptr;
  i32* x0 = nullptr;
  i32* x1 = nullptr;
  i32* root = nullptr;
  i32* area = nullptr;  ///< where wanted: pixels of the component, at its root
  i64 band_rows = 1;    ///< rows of a band, see connect_runs()

  /// The smallest run of i's component. Not after number_components().
  i32 root_of(i32 i) const { return root[root[i]]; }
  /// The number of run i's component, after number_components().
  i32 number_of(i32 i) const { return ~root[root[i] < 0 ? i : root[i]]; }
};

struct RunOptions {
  bool areas = false;  ///< RunSet::area is wanted
  u8 background = 0;   ///< u8: the value that no run holds (u16, i32: 0)
};

/// Finds the maximal runs of pixels that are not background (u8) or of equal nonzero pixels (u16, i32) and connects those that
/// touch.
/// Memory: 4 bytes a row and 12 bytes a run (16 with areas) from the workspace (at most 6, or 8, bytes a pixel for binary
/// input, 12 for values), until the caller's Scope ends. Cost: two reads of the image (64 pixels a step for u8) and one
/// near-linear pass over the runs; bands of rows in parallel, then one thread joins them along their borders. Source: He, Chao,
/// Suzuki 2008 (run-based two-scan labelling); union by smallest index.
RunSet connect_runs(Context& ctx, ConstPlane in, Connectivity connectivity, const RunOptions& options = {});

/// Numbers the components from 1 in raster order of their first pixels: number_of() says them. Returns how many there are.
/// Cost: two reads of the roots, in parallel.
i32 number_components(Context& ctx, RunSet& runs, i32 height);

}  // namespace morpho::cpu
