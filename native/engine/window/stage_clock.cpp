// Spans of the backend's time, and the log of the work between them.
#include "stage_clock.hpp"

#include <string>
#include <utility>

namespace morpho::engine {
namespace {

constexpr std::size_t kSlots = 64;  ///< queues of a window on a GPU that are counted; a recipe has some five

WorkLog log_for(Backend& backend) {
  return backend.on_host() ? WorkLog() : WorkLog(backend.context().workspace.take<WorkLog::Counters>(kSlots), kSlots);
}

}  // namespace

StageClock::StageClock(Backend& backend) : backend_(backend), work_(log_for(backend)), lent_(backend.context(), work_) {}

StageClock::Span StageClock::begun(const char* name) const {
  return {name, backend_.mark(), 0, backend_.waits(), work_.size(), 0};
}

void StageClock::ended(Span span) {
  span.to = backend_.mark();
  span.waits = backend_.waits() - span.waits;
  span.work_to = work_.size();
  spans_.push_back(span);
}

void StageClock::tell(i64 pixels, std::vector<StageTiming>& timings) {
  if (const std::size_t n = work_.used_slots(); n > 0) {
    const WorkLog::Counters* slots = work_.slots();
    if (!backend_.on_host()) {
      auto* copy = backend_.host_workspace().take<WorkLog::Counters>(n);
      backend_.download(copy, slots, n * sizeof(WorkLog::Counters));  // sync: the caller looks at them
      slots = copy;
    }
    work_.settle(slots);
  }
  const auto add = [&](StageTiming t) {
    t.device = backend_.name(), t.pixels = pixels;
    timings.push_back(std::move(t));
  };
  for (const char* name : skipped_) add({.stage = name, .kept = true});
  for (const Span& s : spans_) {
    std::vector<Work> work = work_.between(s.work_from, s.work_to);
    std::string chosen = variants_of(work);
    add({.stage = s.name,
         .variant = std::move(chosen),
         .ms = backend_.ms(s.from, s.to) - backend_.copies_ms(s.from, s.to),
         .waits = static_cast<int>(s.waits),
         .work = std::move(work)});
  }
  if (backend_.on_host()) return;
  add({.stage = "upload", .ms = backend_.upload_ms(), .memory = "staged"});
  add({.stage = "download", .ms = backend_.download_ms(), .memory = "staged"});
}

}  // namespace morpho::engine
