// A program on one window of pixels, all of it in memory.
#pragma once
#include <map>

#include "pipeline.hpp"
#include "program.hpp"

namespace morpho::engine {

/// Where a window lies in what it was cut out of.
struct WindowCut {
  Rect core;  ///< of the window, px
  CutSides sides;
  bool certify = false;            ///< say which of the core's pixels no pixel beyond the cuts could change
  HostMemory rims = {};            ///< as WindowInput's
  StageMemory* stages = nullptr;   ///< as WindowInput's
  StepWitness* witness = nullptr;  ///< as WindowInput's
  GroundPart ground = {};          ///< as WindowInput's
  Unread unread = {};              ///< as WindowInput's, and of the ground
};

/// Runs the program on the window, in the place's memory: on a GPU the window goes up at the start, what is decided about
/// objects is decided there, and planes come down only to be kept. The host does not wait for a stage's end, and stages' times
/// are written when all is done. Workspace: planes by the blocks that took them, and what each operation takes. out: may be
/// null where the program measures nothing, keeps nothing and nobody asks for times. Returns the program's results by name.
/// Throws Error, and Cancelled before any stage.
std::map<std::string, i32> run_program(Place& place, const Program& program, View<const Rgba> rgba, const WindowCut& cut,
                                       bool want_planes, WindowOutput* out);

}  // namespace morpho::engine
