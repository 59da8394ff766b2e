// Whoever watches a program run on a window, step by step.
#pragma once
#include <functional>

#include "program.hpp"

namespace morpho::engine {

/// A plane of the program as it is now, whole; absent where the field is.
using PlaneOf = std::function<ConstPlane(Field)>;

/// Told of every step that is computed, structure apart, in order, on the CPU alone: what an earlier run of the window had
/// computed nobody sees. Must change nothing.
class StepWitness {
 public:
  virtual ~StepWitness() = default;
  virtual void before(const Step& step, const PlaneOf& plane) = 0;
  virtual void after(const Step& step, const PlaneOf& plane) = 0;
};

}  // namespace morpho::engine
