// Whoever watches a program run on a window, step by step.
#pragma once
#include <functional>
#include <vector>

#include "program.hpp"

namespace morpho::engine {

/// The planes of the program as they are now.
class PlaneOf {
 public:
  using Plane = std::function<ConstPlane(Field)>;
  using Unread = std::function<std::vector<Run>(Field)>;
  PlaneOf(Plane plane, Unread unread) : plane_(std::move(plane)), unread_(std::move(unread)) {}
  /// Whole; absent where the field is.
  ConstPlane operator()(Field f) const { return plane_(f); }
  /// Those of its pixels in the core that pixels which could not be read could change; of the window, in raster order.
  std::vector<Run> unread(Field f) const { return unread_(f); }

 private:
  Plane plane_;
  Unread unread_;
};

/// Told of every step that is computed, structure apart, in order, on the CPU alone: what an earlier run of the window had
/// computed nobody sees. Must change nothing.
class StepWitness {
 public:
  virtual ~StepWitness() = default;
  virtual void before(const Step& step, const PlaneOf& plane) = 0;
  virtual void after(const Step& step, const PlaneOf& plane) = 0;
  /// Asked after before(): true ends the program there, and the window reports as any other.
  virtual bool has_enough() const { return false; }
};

}  // namespace morpho::engine
