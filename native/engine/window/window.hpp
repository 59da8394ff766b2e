// A window of a slide from its file to what is computed on it: reads it, chooses where to compute, and computes there.
#pragma once
#include <memory>

#include "ground.hpp"
#include "resources.hpp"
#include "run_plan.hpp"
#include "read_scaled.hpp"
#include "window_grow.hpp"

namespace morpho::engine {

struct WindowDone {
  WindowOutput output;  ///< its first timing is "read", by the slide's reader
  Growth growth;
  std::vector<std::string> given_up;  ///< devices that failed, and why: others computed what they should have
};

/// The CPU reads the window, whatever computes on it; a GPU is taken when the pixels are there, in pinned memory, from which
/// they go up while others' windows are computed. So of more callers than a GPU takes at once (OpenGpus) the others read ahead,
/// one window each. Memory: 4 bytes a pixel for them, and what the recipe takes. A window that is not certified
/// grows (window_grow.hpp), on a GPU as on the CPU: what is certain is found out there by the host, from rims of the planes
/// (rims.hpp) while the GPU is another's already; where those do not tell, the window is computed once more, and its
/// planes are fetched whole, one after the other. The result is the same on every device, and at the limit of growing too.
/// What could not be read is background, and the output's trust says what it could change; no window grows for that.
/// Throws Error and Cancelled.
WindowDone run_window(const WindowJob& job, Resources& resources, const CancelFlag* cancel);

/// The same without growing: the window as it is, however certain.
WindowDone run_window_once(const WindowJob& job, Resources& resources, const CancelFlag* cancel);

/// The same of a window that grew from one of `first_area` px: it waits its turn where it is larger
/// (Resources::larger_windows).
WindowDone run_larger(const WindowJob& job, i64 first_area, Resources& resources, const CancelFlag* cancel);
/// What is asked for by `job`, of another window.
WindowJob job_at(const WindowJob& job, const WindowBounds& bounds);

/// The key of what is kept of a job's window.
WindowKey key_of(const WindowJob& job);

/// One stain of a slide over a rectangle as read_scaled() takes it, into `gray`.
[[nodiscard]] std::vector<slide::Unreadable> read_stain(Context& ctx, slide::Slide& slide, double scale, i64 x, i64 y,
                                                        const StainParams& stain, View<u8> gray, const ReadLimits& limits,
                                                        ReadReport* report);

}  // namespace morpho::engine
