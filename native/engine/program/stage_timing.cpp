// What timings of stages add up to.
#include "stage_timing.hpp"

#include <algorithm>

namespace morpho::engine {

bool same_entry(const StageTiming& a, const StageTiming& b) {
  return a.stage == b.stage && a.device == b.device && a.part == b.part && a.reader == b.reader && a.memory == b.memory &&
         a.kept == b.kept;
}

std::string variants_of(const std::vector<Work>& work) {
  std::vector<std::string> seen;
  std::string text;
  for (const Work& w : work) {
    if (std::find(seen.begin(), seen.end(), w.variant) != seen.end()) continue;
    seen.push_back(w.variant);
    text += (text.empty() ? "" : "; ") + w.variant;
  }
  return text;
}

void add_timing(std::vector<StageTiming>& to, const StageTiming& timing) {
  const auto same = std::find_if(to.begin(), to.end(), [&](const StageTiming& o) { return same_entry(o, timing); });
  if (same == to.end()) {
    to.push_back(timing);
    return;
  }
  same->ms += timing.ms, same->pixels += timing.pixels, same->waits += timing.waits;
  for (const Work& w : timing.work) add_work(same->work, w);
  same->variant = variants_of(same->work);
}

}  // namespace morpho::engine
