// A program on one window of pixels, all of it in memory.
#pragma once
#include <map>

#include "window_job.hpp"
#include "window_output.hpp"
#include "engine/program/program.hpp"

namespace morpho::engine {

/// Runs the program, which is the plan's or another, on the window, in the backend's memory: on a GPU the window goes up at the
/// start, what is decided about objects is decided there, and planes come down only to be kept. The host does not wait for a
/// stage's end, and stages' times are written when all is done. Workspace: planes by the blocks that took them, and what each
/// operation takes. out: may be null where the program measures nothing, keeps nothing and nobody asks for times. Returns the
/// program's results by name. Throws Error, and Cancelled before any stage.
std::map<std::string, i32> run_program(Backend& backend, const ProgramPtr& program, const WindowJob& job,
                                       const WindowPixels& pixels, WindowOutput* out);

}  // namespace morpho::engine
