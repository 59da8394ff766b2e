// What a window gives: objects, planes to look at, times, and what of all that may be believed.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/certainty/trust.hpp"
#include "engine/program/stage_timing.hpp"

namespace morpho::engine {

/// An intermediate image of the core rectangle, for looking at.
struct NamedPlane {
  std::string name;     ///< channel, background, difference, marker, mask, distance, labels
  PixelType type;       ///< u8 (grey 0..255 or binary 0/1) or i32 (labels)
  bool binary = false;  ///< u8 holding 0 or 1
  Extent extent;
  std::vector<u8> bytes;
};

class Rims;
/// Never apart: who takes objects or planes has what may be believed of them.
struct WindowOutput {
  ObjectSet objects;                 ///< all objects of the window, coordinates of `rgba`; ownership is up to the caller
  std::vector<NamedPlane> planes;    ///< cropped to the core; empty unless asked for
  std::vector<StageTiming> timings;  ///< in stage order
  Trust trust;
  std::shared_ptr<const Rims> rims;  ///< that trust is told from later (rims.hpp)
};

}  // namespace morpho::engine
