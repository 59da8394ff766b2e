// Windows whose core is not certain yet: how they grow until it is, and how what is found joins what was.
#pragma once
#include <functional>

#include "pipeline.hpp"

namespace morpho::engine {

/// What a window may grow to, px. The recipe's working memory goes with it; an object that such a window does not hold stays
/// cut.
inline constexpr i64 kMostGrownPixels = i64{1} << 22;

/// A window in the image that it is cut out of, px; the core is inside the window, in the image's coordinates too.
struct PlacedWindow {
  Rect window, core;
};
struct Growth {
  int windows = 0;  ///< that were computed besides the first
  i64 pixels = 0;   ///< of those
};

/// Computes windows around what is uncertain of `out`, with twice the first one's halo, then twice that, until all is certain
/// or kMostGrownPixels would be passed. `compute` gives a window's result, with its certainty. Afterwards `out` holds the
/// certain objects in place of the uncertain ones, in the coordinates of the first window (they may lie outside it), and the
/// certainty that was reached. With planes the whole core is computed anew, so that planes and objects agree; without, only
/// where something is uncertain. Objects stay as they were where nothing certain was found.
Growth grow(const PlacedWindow& first, Extent image, bool with_planes,
            const std::function<WindowOutput(const PlacedWindow&)>& compute, WindowOutput& out);

}  // namespace morpho::engine
