// What of a result may be believed, and why the rest may not: one mask for each result, which every question of trust asks.
#pragma once
#include <string>
#include <vector>

#include "../../contract/ops.hpp"
#include "../../slide/slide.hpp"

namespace morpho::engine {

/// Of a window's core. Runs are in coordinates of the window; no pixel stands in two lists.
struct Trust {
  bool known = false;      ///< somebody asked, and the backend and the recipe let it be told
  bool certified = false;  ///< every object that has pixels in the core is what it is in the whole image
  i64 core_pixels = 0, certain_pixels = 0;
  std::vector<Run> cut;                  ///< pixels beyond the window's cut sides could change these: a larger window may tell
  std::vector<Run> unreadable;           ///< pixels that could not be read could change these: no larger window tells
  std::vector<Run> limit;                ///< as cut, where the window that tells would be too large
  std::vector<slide::Unreadable> parts;  ///< that the file did not give to a window with a share in the result (level-0 px)

  /// Nothing stands on pixels that could not be read: the same window gives the same result the next time.
  bool whole() const { return unreadable.empty(); }
  /// certified and certain_pixels as the lists have them.
  void count();
};

/// What nobody could read of a window, in rectangles of the window: pixels of it, and pixels at which what is known of the
/// whole image (ground.hpp) may be wrong.
struct Unread {
  std::vector<Rect> pixels, background;
  bool empty() const { return pixels.empty() && background.empty(); }
};
/// The sides at which a window was cut out of a larger image; the others are the image's own.
struct CutSides {
  bool left = false, top = false, right = false, bottom = false;
};
/// What a window's pixels do not tell: those beyond its cut sides, and those that could not be read.
struct Unseen {
  CutSides cut;
  Unread unread;
};

/// The window's pixels in which these parts of the file (level-0 px) may have a share. (x, y): its corner, in px of `scale`.
std::vector<Rect> window_px(const std::vector<slide::Unreadable>& parts, double scale, i64 x, i64 y, Extent extent);
/// What is left of a window without the rows and columns along its sides of which nothing was read. O(px) where anything is
/// unread.
Rect read_part(const std::vector<Rect>& unread, Extent extent);
/// Row by row.
std::vector<Run> runs_of(const Rect& r);
/// The pixels of `runs` that are in `others`, or that are not. O(n log n).
std::vector<Run> within(const std::vector<Run>& runs, const std::vector<Run>& others);
std::vector<Run> beyond(const std::vector<Run>& runs, const std::vector<Run>& others);
/// Adds parts that are not there yet.
void add_parts(std::vector<slide::Unreadable>& to, const std::vector<slide::Unreadable>& parts);

/// One mask of two: `all` is uncertain for whatever reason, `by_cut` would be if everything had been read.
Trust by_reason(const Trust& all, const Trust& by_cut, const Rect& core);
/// Where nobody can tell what unread pixels change: the whole core.
Trust untold(const Rect& core);

}  // namespace morpho::engine
