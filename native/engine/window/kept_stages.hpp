// What the stages of a program left of one window, so that the same window with other values begins at the first stage that
// they touch.
#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/program/program.hpp"
#include "engine/certainty/certainty_analysis.hpp"
#include "window_output.hpp"

namespace morpho::engine {

/// All that the steps from `at` on look at. Immutable, and shared between states: a plane that no step has written between two
/// of them is held once.
struct StageState {
  using Bytes = std::shared_ptr<const std::vector<u8>>;
  std::size_t at = 0;                                 ///< the step that comes next, which begins a stage
  std::vector<std::pair<std::size_t, Bytes>> planes;  ///< by field
  std::vector<i32> registers;
  std::vector<std::shared_ptr<const NamedPlane>> looked_at;  ///< planes given away so far
  std::optional<CertaintyState> analysis;
};

/// Of one window of one slide, cut out as it was.
struct KeptStages {
  ProgramPtr program;
  bool looking = false;
  std::vector<StageState> states;  ///< `at` ascends

  /// Of all that is held, once each.
  std::size_t bytes() const;
  /// The last state from which the program goes on as this one did; null where it begins otherwise. Who looks needs what those
  /// who did not left out.
  const StageState* state_for(const Program& next, bool looks, bool analysis) const;
  /// Those before one of them, for a run that goes on from it: without planes to look at where it does not look.
  std::vector<StageState> states_before(const StageState& state, bool looks) const;
};

/// In: what an earlier run of the same window left, or null. Out: what this one leaves, or null where memory was short.
struct StageMemory {
  std::shared_ptr<const KeptStages> before;
  std::shared_ptr<KeptStages> after;
};

/// Where the block that `at` is in ends. O(steps).
std::size_t after_block(const Program& program, std::size_t at);
/// How many steps two programs begin with alike. O(steps).
std::size_t common_steps(const Program& a, const Program& b);
/// Of the planes taken outside of blocks before the step `at`, those whose values the steps from there on read.
std::vector<std::size_t> needed_from(const Program& program, std::size_t at);

}  // namespace morpho::engine
