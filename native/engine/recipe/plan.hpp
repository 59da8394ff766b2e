// A recipe with its values as a run computes it: recorded once, and shared by all windows of the run.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "params.hpp"
#include "engine/program/program_split.hpp"

namespace morpho::engine {

/// Immutable; any number of threads may read.
struct Plan {
  std::string pipeline;  ///< the recipe's
  Program program;       ///< what a window computes by itself
  /// Where the program is decided by the whole image: what is computed of that once, and what windows do with it.
  std::optional<SplitProgram> split;
  i32 halo = 0;       ///< how far beyond its core a window must see, px
  bool deep = false;  ///< it takes the window's samples at 16 bits
  u64 hash = 0;       ///< of the program's identity: two plans with the same steps and values have the same
};
using PlanPtr = std::shared_ptr<const Plan>;
/// A plan's programs: who holds one holds the plan, which is not copied.
inline ProgramPtr program_of(const PlanPtr& plan) { return {plan, &plan->program}; }
/// Of a plan that has a split.
inline ProgramPtr program_before(const PlanPtr& plan) { return {plan, &plan->split->before}; }
inline ProgramPtr program_after(const PlanPtr& plan) { return {plan, &plan->split->after}; }

/// Records the recipe with these parameters, its "overview.*" among them. Throws INVALID_PARAMETER.
PlanPtr plan_of(const std::string& pipeline, const Params& params);

}  // namespace morpho::engine
