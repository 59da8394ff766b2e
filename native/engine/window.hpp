// A window of a slide from its file to what is computed on it: reads it, chooses where to compute, and computes there.
#pragma once
#include <memory>

#include "devices.hpp"
#include "pipeline.hpp"
#include "read_scaled.hpp"
#include "window_grow.hpp"
#include "workspace_pool.hpp"

namespace morpho::engine {

/// What windows are computed with, kept between them. Thread-safe.
struct Machine {
  WorkspacePool workspaces;
  PinnedPool pinned;  ///< after the GPUs' last use of it
  OpenGpus gpus;
};

struct WindowJob {
  std::shared_ptr<slide::Slide> slide;
  double scale = 1;  ///< level-0 px per px of the analysed image
  i64 x = 0, y = 0;  ///< px of the analysed image
  Extent extent;     ///< core and halo
  Rect core;         ///< inside the extent
  /// Of the whole analysed image, px: the window grows inside it where it is not certified. Empty: nobody asks, none grows.
  Extent image;
  std::string pipeline;
  Params params;
  bool want_planes = false;
  int threads = 1;  ///< of the CPU
  DeviceName device;
};
struct WindowDone {
  WindowOutput output;  ///< its first timing is "read", by the slide's reader
  Growth growth;
  std::vector<slide::Unreadable> unreadable;
};

/// The CPU reads the window, whatever computes on it; a GPU is taken when the pixels are there, in pinned memory, from which
/// they go up while others' windows are computed. So of more callers than a GPU takes at once (OpenGpus) the others read ahead,
/// one window each. Memory: 4 bytes a pixel for them, and what the recipe takes. On the CPU a window that is not certified
/// grows (window_grow.hpp); on a GPU, whose planes the host does not see, none is looked at. Throws Error and Cancelled.
WindowDone run_window(const WindowJob& job, Machine& machine, const CancelFlag* cancel);

/// One stain of a slide over a rectangle as read_scaled() takes it, into `gray`.
std::vector<slide::Unreadable> read_stain(Context& ctx, slide::Slide& slide, double scale, i64 x, i64 y,
                                          const StainParams& stain, View<u8> gray, const ReadLimits& limits,
                                          ReadReport* report);

}  // namespace morpho::engine
