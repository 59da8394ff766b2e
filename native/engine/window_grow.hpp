// Windows whose core is not certain yet: how they grow until it is, and how what is found joins what was.
#pragma once
#include <functional>

#include "pipeline.hpp"

namespace morpho::engine {

/// What a window may grow to, px. The recipe's working memory goes with it; an object that such a window does not hold stays
/// cut.
inline constexpr i64 kMostGrownPixels = i64{1} << 22;

/// What every window of a run has memory for, px: growing to no more than this waits for nobody.
inline constexpr i64 kFreelyGrownPixels = i64{1} << 20;

/// A window that did not see enough of what its sides cut is given so much more there, px, then twice that, and so on: what is
/// longer is rare. On CMU-1 and a TCGA slide 64 fail more often, and 128 cost more.
inline constexpr i64 kFirstMore = 96;

/// A window in the image that it is cut out of, px; the core is inside the window, in the image's coordinates too.
struct PlacedWindow {
  Rect window, core;
};
struct Growth {
  int windows = 0;         ///< that were computed besides the first
  i64 pixels = 0;          ///< of those
  int followed_whole = 0;  ///< on a GPU: that were computed twice, as their rims did not tell what is certain
};

/// Beside the objects of the core, those whose first pixel lies in it.
struct Besides {
  bool guests = false;  ///< others that have pixels in it
  bool planes = false;
};

/// Adds what another window's stages took.
void add_times(WindowOutput& to, const WindowOutput& from);

/// Computes windows around what is uncertain of `out`, round by round with more around it than the first window had, at the
/// sides where an uncertain object leaves it (so a long one may be as long as kMostGrownPixels allows a window that is no wider
/// than its halo), until all is certain or kMostGrownPixels would be passed: of each window what is certain is taken, and the
/// next round is for the rest. `compute` gives a window's result, with its trust. Afterwards `out` holds the certain objects in
/// place of the uncertain ones, in the coordinates of the first window (they may lie outside it), and the trust that was
/// reached: of its `cut` pixels what is not certain is of the limit, or of what a larger window could not read. With planes the
/// whole core is computed anew, so that planes and objects agree, as long as there is room for that; without, only where
/// something is uncertain, parts that are near each other together. Objects stay as they were where nothing certain was found.
Growth grow(const PlacedWindow& first, Extent image, Besides besides,
            const std::function<WindowOutput(const PlacedWindow&)>& compute, WindowOutput& out);

}  // namespace morpho::engine
