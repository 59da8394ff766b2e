// What of a program's planes is certain in a window that was cut out of a larger image, whatever lies beyond the cuts.
#pragma once
#include <functional>
#include <vector>

#include "program_doubt_flood.hpp"
#include "program_window.hpp"

namespace morpho::engine {

/// Follows a program step by step beside its interpreter, and knows of each plane what is uncertain. Sound, not complete: what
/// it calls certain is, for every image that agrees with this window inside it; what it calls uncertain may be certain.
///
/// How: a halo widens the frame. Beyond that nothing is decided by guess: a component that touches uncertain pixels is
/// uncertain as a whole, unless the pixels seen of it decide already (an area filter has seen enough); a distance is certain
/// where it is shorter than the way to the uncertain; a maximum is certain unless one may reach it from the uncertain without
/// falling by more than h; a pixel's basin is certain unless its way up leads to the uncertain. Each floods from the uncertain
/// pixels' border inwards: the cost goes with the window's rim and what is found uncertain, not with its area.
/// Grey reconstructions without limit, holes of any size and an overview's levels are not followed: too little would be
/// certain. Planes are read on the host.
class Doubts : private DoubtFlood {
 public:
  /// `host` gives a plane as it is now.
  using Host = std::function<ConstPlane(Field)>;
  Doubts(const Program& program, Extent extent, const WindowCut& cut, Host host);

  /// Called before and after each step that the interpreter computes.
  void before(const Step& step);
  void after(const Step& step);

  /// After the last step: what of the measured labels is certain in the core. Not known where an operation is not followed.
  Certainty certainty();

 private:
  /// Of an operation that is not followed: nothing is certain unless the window is the whole image.
  Doubt unknown();
  Doubt together(const Step& step) const;
  void drop_certain_zeros(const Step& step, Doubt& d);
  /// From d's list what a certain value of `by` there decides: a zero, or any other.
  void drop_decided(Field by, bool on_zero, bool on_other, Doubt& d);
  void measured(const Step& step);
  /// No value of what the step gives is negative.
  bool signless(const Step& step) const;

  const Program& program_;
  const Rect core_;
  Host host_;
  std::vector<Doubt> fields_;
  std::vector<bool> signless_;  ///< by field
  Doubt next_;
  Connectivity tree_connectivity_ = Connectivity::eight;
  std::vector<Run> uncertain_;  ///< of the core, from measured()
  bool measured_ = false, known_ = true;
};

}  // namespace morpho::engine
