// The values of a parameter at which the pixels of a field turn: what its histogram shows, and what is above it.
#pragma once
#include <string>
#include <vector>

#include "engine/window/window.hpp"

namespace morpho::engine {

/// The steps of a parameter's slider: values low, low + step, … of which there are at most 256.
struct CutSteps {
  std::string param;  ///< "stage.key"
  double low = 0, step = 1;
};

struct Cuts {
  std::vector<u8> steps;    ///< of each pixel; empty where the recipe cuts nothing by the parameter
  std::vector<Run> unread;  ///< pixels, of the core, that parts which could not be read could change: their steps are 0
};

/// Of each pixel of the job's core, how many of the first 255 steps it is above of (is kept by, at the step that the parameter
/// cuts): it is above step k where k is less. Whatever the parameter's own value is. Empty where the recipe cuts nothing by it:
/// then no pixel is read. Stops behind the cut. On the CPU. Throws Error and Cancelled.
Cuts cuts(const WindowJob& job, const CutSteps& steps, Resources& resources, const CancelFlag* cancel);

}  // namespace morpho::engine
