// Objects that people made, of pixels that they said: measured as those are that a recipe finds.
#pragma once
#include <vector>

#include "../../contract/ops.hpp"

namespace morpho::engine {

struct Resources;
struct WindowJob;

/// What the recipe measures objects by. Throws INVALID_PARAMETER for one that measures none.
MeasureParams measured_by(const WindowJob& job);

struct MeasuredRuns {
  ObjectSet objects;
  std::vector<std::size_t> unread;  ///< objects with pixels that could not be read
};

/// Object k has the runs [offsets[k], offsets[k + 1]) in px of the analysed image, in raster order; all of them lie in the
/// job's core. Each is measured on the slide's px in the core, with the stains that the recipe measures by: what the recipe
/// would give for the same pixels, to the bit, but for contrast and score, which nobody but the recipe has the planes for: not
/// measured; nor are the stains of an object with pixels that could not be read. Coordinates of the result are those of the
/// core. On the CPU. O(core). Throws INVALID_PARAMETER for an object of no pixels, for runs outside of the core, and for pixels
/// of two objects; and Cancelled.
MeasuredRuns measure_runs(const WindowJob& job, const std::vector<Run>& runs, const std::vector<i32>& offsets,
                          Resources& resources, const CancelFlag* cancel);

}  // namespace morpho::engine
