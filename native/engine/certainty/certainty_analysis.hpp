// What of a program's planes is certain in a window that was cut out of a larger image, whatever lies beyond the cuts.
#pragma once
#include <functional>
#include <vector>

#include "uncertainty_flood.hpp"

namespace morpho::engine {

/// What CertaintyAnalysis know between two steps.
struct CertaintyState {
  std::vector<Uncertainty> fields;
  std::vector<bool> signless;   ///< by field
  std::vector<bool> one_piece;  ///< by field: labels of which none has two components
  Connectivity tree_connectivity = Connectivity::eight;
  std::vector<Run> uncertain;  ///< of the core, from the measured labels
  bool measured = false, known = true;
};

/// Follows a program step by step beside its interpreter, and knows of each plane what is uncertain. Sound, not complete: what
/// it calls certain is, for every image that agrees with this window inside it; what it calls uncertain may be certain.
///
/// How: a halo widens the frame. Beyond that nothing is decided by guess: a component that touches uncertain pixels is
/// uncertain as a whole, unless the pixels seen of it decide already (an area filter has seen enough); a distance is certain
/// where it is shorter than the way to the uncertain; a maximum is certain unless one may reach it from the uncertain without
/// falling by more than h; a pixel's basin is certain unless its way up leads to the uncertain. Each floods from the uncertain
/// pixels' border inwards: the cost goes with the window's rim and what is found uncertain, not with its area.
/// Grey reconstructions without limit, holes of any size and an overview's levels are not followed: too little would be
/// certain. Planes are read on the host, each pixel that a flood comes to.
class CertaintyAnalysis : private UncertaintyFlood {
 public:
  /// What rules of certainty call, of one step: the floods and questions that contract/op/certainty.hpp speaks of.
  class Rule;
  /// `host` gives a plane as it is now. Its layout must have what certain() asks for: BeyondRim goes to the caller.
  using Host = std::function<SeenPlane(Field)>;
  CertaintyAnalysis(const Program& program, Extent extent, const Rect& core, const Unseen& unseen, Host host);

  /// Called before and after each step that the interpreter computes.
  void before(const Step& step);
  void after(const Step& step);
  /// The planes that before() (afterwards: after()) may look at.
  static std::vector<Field> looked_at(const Step& step, bool afterwards);
  /// For each of these steps the rectangle in which it looks at them, without looking at any.
  static std::vector<Uncertainty> frames(const Program& program, Extent extent, const Rect& core, const CutSides& cut,
                                         const std::vector<const Step*>& steps);

  /// Between two steps, to go on from there in another run of the same window.
  const CertaintyState& state() const { return state_; }
  void restore(const CertaintyState& state);

  /// Those of a plane's pixels in the core that are uncertain, in raster order.
  std::vector<Run> uncertain(Field f) { return in_core(state_.fields[static_cast<std::size_t>(f.number)]); }
  /// After the last step: what of the measured labels is certain in the core. Not known where an operation is not followed.
  Trust certainty();

 private:
  /// Of an operation that is not followed: nothing is certain unless the window is the whole image, and `inputs` is certain.
  Uncertainty unknown(const Uncertainty& inputs);
  Uncertainty together(const Step& step);
  /// Rectangles of the window are uncertain.
  Uncertainty of_rects(const std::vector<Rect>& rects) const;
  /// What a step takes beside its planes: the window's pixels, or its part of what is known of the whole image.
  const Uncertainty& given(Op op) const;
  op::StepFacts facts(const Step& step) const;
  /// What the step's rule says before anybody looks at a pixel, in next_.
  void frame(const Step& step);
  void flood(const Step& step);
  /// From d's list what a certain value of `by` there decides: a zero, or any other.
  void drop_decided(Field by, bool on_zero, bool on_other, Uncertainty& d);
  void measured(const Step& step);
  std::vector<Run> in_core(const Uncertainty& d);
  /// No value of what the step gives is negative.
  bool signless(const Step& step) const;
  bool gives_labels_in_one_piece(const Step& step) const;
  PixelType type_of(Field f) const { return program_.planes[static_cast<std::size_t>(f.number)]; }

  const Program& program_;
  const Rect core_;
  Host host_;
  CertaintyState state_;
  const Uncertainty untouched_, pixels_,
      background_;  ///< of what steps are given: nothing, and what could not be read of the others
  Uncertainty next_;
};

}  // namespace morpho::engine
