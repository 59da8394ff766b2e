// Windows whose core is not certain yet: how they grow until it is, and how what is found joins what was.
#pragma once
#include <functional>

#include "window_output.hpp"

namespace morpho::engine {

/// What a window may grow to, px. The recipe's working memory goes with it; an object that such a window does not hold stays
/// cut.
inline constexpr i64 kMostGrownPixels = i64{1} << 22;

/// What every window of a run has memory for, px: growing to no more than this waits for nobody.
inline constexpr i64 kFreelyGrownPixels = i64{1} << 20;

/// A window in the image that it is cut out of, px; the core is inside the window, in the image's coordinates too.
struct WindowBounds {
  Rect window, core;
};
struct Growth {
  int windows = 0;         ///< that were computed besides the first
  i64 pixels = 0;          ///< of those
  int followed_whole = 0;  ///< on a GPU: that were computed twice, as their rims did not tell what is certain
};

/// Beside the objects of the core, those whose first pixel lies in it.
struct Besides {
  bool overlapping = false;  ///< others that have pixels in it
  bool planes = false;
};

/// Adds what another window's stages took.
void add_times(WindowOutput& to, const WindowOutput& from);

/// Gives a window's result, with its trust.
using ComputeWindow = std::function<WindowOutput(const WindowBounds&)>;

/// Computes windows around all of the core, with more around it than `first` has, at the sides where an uncertain object leaves
/// it, until one is certain but for what could not be read, or does not tell, or kMostGrownPixels would be passed. The certain
/// one takes the place of `out`, in the coordinates of the first; else `out` stays, but for its times and parts.
Growth grow_whole(const WindowBounds& first, Extent image, const ComputeWindow& compute, WindowOutput& out);

/// Computes windows around what is uncertain of `out`, round by round with more around it than the first window had, at the
/// sides where an uncertain object leaves it (so a long one may be as long as kMostGrownPixels allows a window that is no wider
/// than its halo), until all is certain or kMostGrownPixels would be passed: of each window what is certain is taken, and the
/// next round is for the rest. Afterwards `out` holds the certain objects in
/// place of the uncertain ones, in the coordinates of the first window (they may lie outside it), and the trust that was
/// reached: of its `cut` pixels what is not certain is of the limit, or of what a larger window could not read. With planes the
/// whole core is computed anew, so that planes and objects agree, as long as there is room for that; without, only where
/// something is uncertain, parts that are near each other together. Objects stay as they were where nothing certain was found.
Growth grow(const WindowBounds& first, Extent image, Besides besides, const ComputeWindow& compute, WindowOutput& out);

}  // namespace morpho::engine
