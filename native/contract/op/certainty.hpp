// What a rule of certainty says: which pixels of an operation's result in a cut window no pixel beyond the cuts could change.
#pragma once
#include "operation.hpp"

namespace morpho::op {

/// What an operation makes uncertain before anybody looks at a pixel.
enum class Frame : u8 {
  unknown,  ///< all of a cut window: the operation is not followed
  inputs,   ///< what is uncertain in its inputs; the rule's flood adds what their values tell
  reach,    ///< that, and what lies within its reach of it
};

/// What a rule may ask of the step that it is for, beside its parameters.
struct StepFacts {
  bool binary = false;             ///< its images have two values
  PixelType type = PixelType::u8;  ///< of its first input
  struct Input {
    bool present = false, one_piece = false;  ///< one_piece: no label has two components
  } in[Images::most] = {};
};

/// How the labels that an operation gives lie: whoever floods from a label must know whether it may go on elsewhere.
enum class Pieces : u8 {
  many,  ///< a label may have several components; what the operation says nothing of
  one,   ///< each label is one component
  same,  ///< as its first input's
};

/// A descriptor's `Certainty` has, each of them static:
/// * `Frame frame(const StepFacts&, const Params&)`;
/// * `u8 looks(const StepFacts&, const Params&)`, where it floods: bit k for input k, whose values the flood looks at;
/// * `void flood(auto& d, const Params&)`: adds to what the frame says, by the floods of engine::CertaintyAnalysis;
/// * `void before(auto& d, const Params&)`, where it does something else than flood, as remember a tree's connectivity;
/// * `void after(auto& d, const Params&)`, where it looks at the result: as a flood, of output 0 once that is there;
/// * `Pieces pieces(const StepFacts&, const Params&)`, where it gives labels;
/// * `bool keeps_signless(const Params&, PixelType out)`, where its result may be negative though no input is.
/// The rule of operations on single pixels and of halos.
struct ByReach {
  template <class P>
  static constexpr Frame frame(const StepFacts&, const P&) {
    return Frame::reach;
  }
};

}  // namespace morpho::op
