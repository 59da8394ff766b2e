// When a read is over before it is done: cancelled, out of time, or all or nothing and something is lost.
#include <ctime>

#include "slide.hpp"

namespace morpho::slide {
namespace {

constexpr int kClockFactor = 8;

std::chrono::nanoseconds computed() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec t{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0)
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
#endif
  return std::chrono::nanoseconds(0);
}

}  // namespace

ReadControl::ReadControl(const CancelFlag* cancel, std::chrono::milliseconds limit)
    : cancel_(cancel), limit_(limit), computed_before_(computed()), begun_(std::chrono::steady_clock::now()) {}

ReadControl ReadControl::all_or_nothing() const {
  ReadControl control = *this;
  control.loss_ = std::make_shared<Loss>();
  return control;
}

void ReadControl::lost(const std::string& reason) const {
  if (!loss_) return;
  const std::lock_guard lock(loss_->mutex);
  if (!loss_->any.exchange(true)) loss_->reason = reason;
}

bool ReadControl::expired() const {
  check_cancelled();
  return (loss_ && loss_->any.load(std::memory_order_relaxed)) || out_of_time();
}

bool ReadControl::out_of_time() const {
  if (limit_.count() == 0) return false;
  return computed() - computed_before_ > limit_ || std::chrono::steady_clock::now() - begun_ > kClockFactor * limit_;
}

std::string ReadControl::reason() const {
  if (loss_ && loss_->any.load()) {
    const std::lock_guard lock(loss_->mutex);
    return loss_->reason;
  }
  return "reading this part takes longer than the " + std::to_string((limit_.count() + 999) / 1000) +
         " s that a picture may take: zoom in, or convert the slide to a tiled pyramid";
}

}  // namespace morpho::slide
