// The stage "reject": objects that are no nuclei, each kind left out under its own name.
#pragma once
#include "recipe_steps.hpp"

namespace morpho::engine {

/// The switches of a recipe's stage "reject".
struct Rejections {
  bool pigment = false, red_cells = false, keratin = false, mucin = false, folds = false;
  Rejections() = default;
  explicit Rejections(const Params& p);
};

/// Drops what the switches ask for, one kind after the other, so that an object goes by the first rule that has it: the rule
/// has half of its pixels or more. `labels` 1..count, or fewer; numbered anew. around, px: how far keratin and folds are
/// compared with what surrounds them; steps reach twice as far.
void drop_what_is_no_nucleus(Stages& s, const Rejections& which, Register count, Field labels, i32 around);

}  // namespace morpho::engine
