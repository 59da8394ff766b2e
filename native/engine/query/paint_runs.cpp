// See paint_runs.hpp.
#include "paint_runs.hpp"

#include <algorithm>

namespace morpho::engine {

void paint_runs(const Run* runs, std::size_t count, i32 id, const CoveredWindow& window, i32* out) {
  for (const Run* run = runs; run != runs + count; ++run) {
    // A shift rounds down below 0 too.
    const i64 row = (i64{run->y} >> window.level) - window.top;
    if (row < 0 || row >= window.height) continue;
    const i64 from = std::max<i64>(0, (i64{run->x0} >> window.level) - window.left);
    const i64 to = std::min<i64>(window.width - 1, ((i64{run->x1} - 1) >> window.level) - window.left);
    if (to >= from) std::fill_n(out + row * window.width + from, to - from + 1, id);
  }
}

void paint_runs(const Run* runs, std::size_t count, i32 id, const SampledWindow& window, i32* out) {
  const auto& [xs, ys] = window;
  if (xs.empty() || ys.empty()) return;
  const auto width = static_cast<i64>(xs.size());
  const Run* first = std::lower_bound(runs, runs + count, ys.front(), [](const Run& run, i32 y) { return run.y < y; });
  for (const Run* run = first; run != runs + count && run->y <= ys.back(); ++run) {
    const auto [row0, row1] = std::equal_range(ys.begin(), ys.end(), run->y);
    if (row0 == row1) continue;
    const auto from = std::lower_bound(xs.begin(), xs.end(), run->x0);
    const auto to = std::lower_bound(from, xs.end(), run->x1);
    for (auto row = row0; row != row1; ++row)
      std::fill_n(out + (row - ys.begin()) * width + (from - xs.begin()), to - from, id);
  }
}

}  // namespace morpho::engine
