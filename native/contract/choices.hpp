// Which variant an operation runs: the one that is asked for, and where that is `automatic` the one that its Context prefers.
#pragma once
#include <utility>

#include "ops.hpp"

namespace morpho {

inline ReconstructParams chosen(const Context& ctx, ReconstructParams p) {
  if (p.variant == ReconstructVariant::automatic) p.variant = ctx.choices.reconstruct;
  return p;
}
inline MaxTreeParams chosen(const Context& ctx, MaxTreeParams p) {
  if (p.variant == MaxTreeVariant::automatic) p.variant = ctx.choices.max_tree;
  return p;
}
inline WatershedParams chosen(const Context& ctx, WatershedParams p) {
  if (p.variant == WatershedVariant::automatic) p.variant = ctx.choices.watershed;
  return p;
}
/// Whether what derives from reconstruction may take a shorter way than through it.
inline bool may_shorten(const Context& ctx) { return ctx.choices.reconstruct == ReconstructVariant::automatic; }

/// A context prefers these for as long as this lives.
class HeldChoices {
 public:
  HeldChoices(Context& ctx, const Choices& choices) : ctx_(ctx), before_(std::exchange(ctx.choices, choices)) {}
  ~HeldChoices() { ctx_.choices = before_; }
  HeldChoices(const HeldChoices&) = delete;
  HeldChoices& operator=(const HeldChoices&) = delete;

 private:
  Context& ctx_;
  const Choices before_;
};

}  // namespace morpho
