// A window of a run: the plan, its place in the image, and what is asked of it; and its pixels, in the memory of who runs it.
#pragma once
#include <memory>
#include <vector>

#include "../../slide/slide.hpp"
#include "engine/device/devices.hpp"
#include "engine/recipe/plan.hpp"
#include "engine/certainty/trust.hpp"

namespace morpho::engine {

class Ground;
class StepWitness;
struct StageMemory;

struct WindowJob {
  PlanPtr plan;
  std::shared_ptr<slide::Slide> slide;
  double scale = 1;  ///< level-0 px per px of the analysed image
  i64 x = 0, y = 0;  ///< px of the analysed image
  Extent extent;     ///< core and halo, clipped to the slide
  Rect core;         ///< inside the extent, px: objects whose first pixel lies here are owned by this window
  /// Of the whole analysed image, px: the window grows inside it where it is not certified. Empty: nobody asks, none grows.
  Extent image;
  bool want_planes = false;
  bool want_overlapping = false;
  /// Of windows that the CPU computes: begin where an earlier one of the same place differs, and leave what the next may use.
  bool keep_stages = false;
  /// What is known of the whole slide: asked for by recipes with a reconstruction without limit (program_split.hpp), of which a
  /// window that is not the whole image can do nothing by itself. It takes the place of their first steps. null: these are
  /// computed on the window as it is.
  std::shared_ptr<const Ground> ground;
  StepWitness* witness = nullptr;  ///< of windows that the CPU computes, all of them from the first stage on
  int threads = 1;                 ///< of the CPU
  int larger_at_once = 1;          ///< of windows that grow, as many as there is memory for (Resources::larger_windows)
  /// At least one; of several each window takes the one that DeviceScheduler chooses, and the cores where all of them are lost.
  std::vector<DeviceName> devices{{}};

  /// Objects of others that reach into the core are what they are in the whole image too: who looks at planes clicks.
  bool with_overlapping() const { return want_overlapping || want_planes; }
  /// Whether it is to be found out which of the core's pixels no pixel beyond the cuts could change.
  bool certify() const { return !image.empty(); }
  /// The sides within the image; where nobody knows it, those that are the plan's halo or farther from the core.
  CutSides cut() const;
};

/// What a window is computed from, in the memory of who asks.
struct WindowPixels {
  View<const Rgba> rgba;  ///< of the job's extent
  Unread unread = {};
  /// On a GPU: memory for what it is found out from later which pixels are certain, by WindowOutput::rims. Absent, or where the
  /// plan's rims would tell too little: it is found out at once, with every plane that is looked at downloaded whole while the
  /// GPU waits.
  HostMemory rims = {};
  /// Where wanted planes go, each whole, in the order in which the program keeps them. Absent: to WindowOutput::planes.
  HostMemory planes = {};
  /// On the CPU: what an earlier run of this window left, and what this one leaves (kept_stages.hpp). null: nothing is kept.
  StageMemory* stages = nullptr;
  /// The same samples at 16 bits, where the plan takes them.
  View<const u16> deep = {};
};

/// Pixels in memory that are a window by themselves.
WindowJob job_alone(PlanPtr plan, Extent extent, const Rect& core, bool want_planes = false);

}  // namespace morpho::engine
