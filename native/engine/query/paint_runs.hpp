// Which object each pixel of a picture shows: paints runs into a window of ids, for overlays and label images.
#pragma once
#include <cstddef>
#include <vector>

#include "../../contract/ops.hpp"

namespace morpho::engine {

/// A window of a plane whose pixels each stand for 2^level x 2^level px of the runs' plane: pixel (0, 0) is (left, top) of it.
/// A pixel shows an object if any of its px belongs to the object.
struct CoveredWindow {
  i64 left = 0, top = 0;
  int level = 0;
  i32 width = 0, height = 0;
};
/// A window whose pixel (i, j) shows px (xs[i], ys[j]) of the runs' plane; both ascend.
struct SampledWindow {
  std::vector<i32> xs, ys;
};

/// Writes `id` into every pixel of `out`, row after row, that shows one of the runs. What is painted later wins.
void paint_runs(const Run* runs, std::size_t count, i32 id, const CoveredWindow& window, i32* out);
/// The same; the runs are in raster order.
void paint_runs(const Run* runs, std::size_t count, i32 id, const SampledWindow& window, i32* out);

}  // namespace morpho::engine
