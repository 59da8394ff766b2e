// Holds a ground against the windows that ask for it.
#include "ground.hpp"

#include <atomic>

#include "../../contract/error.hpp"

namespace morpho::engine {

u64 Ground::next_epoch() {
  static std::atomic<u64> last{0};
  return ++last;
}

ProgramPtr Ground::program_after(const PlanPtr& plan) const {
  if (!plan->split || plan->split->key != key_)
    throw Error(ErrorCode::internal, "a window was given the background that another recipe's steps have made");
  return engine::program_after(plan);
}

void Ground::require_of(const std::shared_ptr<slide::Slide>& slide, double scale, Extent image) const {
  const bool same_slide = !slide_.owner_before(slide) && !slide.owner_before(slide_);
  const bool same_image = image.empty() || (image.width == image_.width && image.height == image_.height);
  if (same_slide && scale == scale_ && same_image) return;
  throw Error(ErrorCode::internal, "a window was given the background of another slide or resolution");
}

}  // namespace morpho::engine
