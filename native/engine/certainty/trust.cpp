// Runs of pixels within and beyond others, and the masks that are made of them.
#include "trust.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace morpho::engine {
namespace {

/// Runs by their rows, each row's from left to right without overlaps.
class Rows {
 public:
  explicit Rows(const std::vector<Run>& runs) {
    for (const Run& r : runs) rows_[r.y].push_back(r);
    for (auto& [y, row] : rows_) {
      std::sort(row.begin(), row.end(), [](const Run& a, const Run& b) { return a.x0 < b.x0; });
      std::size_t n = 0;
      for (std::size_t k = 1; k < row.size(); ++k) {
        if (row[k].x0 <= row[n].x1) row[n].x1 = std::max(row[n].x1, row[k].x1);
        else row[++n] = row[k];
      }
      row.resize(n + 1);
    }
  }
  /// Calls in(run) or out(run) for each piece of a run, from left to right.
  template <class In, class Out>
  void part(const Run& run, In&& in, Out&& out) const {
    i32 x = run.x0;
    if (const auto row = rows_.find(run.y); row != rows_.end()) {
      for (const Run& o : row->second) {
        const i32 x0 = std::max(x, o.x0), x1 = std::min(run.x1, o.x1);
        if (x0 >= x1) continue;
        if (x < x0) out(Run{run.y, x, x0});
        in(Run{run.y, x0, x1});
        x = x1;
      }
    }
    if (x < run.x1) out(Run{run.y, x, run.x1});
  }

 private:
  std::map<i32, std::vector<Run>> rows_;
};

i64 pixels_of(const std::vector<Run>& runs) {
  i64 n = 0;
  for (const Run& r : runs) n += r.x1 - r.x0;
  return n;
}

}  // namespace

void Trust::count() {
  certain_pixels = core_pixels - pixels_of(cut) - pixels_of(unreadable) - pixels_of(limit);
  certified = known && cut.empty() && unreadable.empty() && limit.empty();
}

std::vector<Rect> window_px(const std::vector<slide::Unreadable>& parts, double scale, i64 x, i64 y, Extent extent) {
  // Parts are in whole level-0 px, which levels round to; a pixel is the mean of what it covers of its level, and at a rim of
  // the slide the level's last pixel stands for the next one.
  constexpr double kRounded = 2;
  constexpr i64 kBeside = 2;
  std::vector<Rect> rects;
  for (const slide::Unreadable& part : parts) {
    const auto first = [&](i64 at, i64 corner) {
      return static_cast<i64>(std::floor((static_cast<double>(at) - kRounded) / scale)) - kBeside - corner;
    };
    const auto end = [&](i64 at, i64 corner) {
      return static_cast<i64>(std::ceil((static_cast<double>(at) + kRounded) / scale)) + kBeside - corner;
    };
    const Rect& r = part.region;
    const i64 x0 = std::max<i64>(0, first(r.x, x)), y0 = std::max<i64>(0, first(r.y, y));
    const i64 x1 = std::min<i64>(extent.width, end(r.x + r.width, x));
    const i64 y1 = std::min<i64>(extent.height, end(r.y + r.height, y));
    if (x0 < x1 && y0 < y1) rects.push_back({x0, y0, x1 - x0, y1 - y0});
  }
  return rects;
}

Rect read_part(const std::vector<Rect>& unread, Extent extent) {
  if (unread.empty()) return {0, 0, extent.width, extent.height};
  const i64 width = extent.width;
  std::vector<u8> lost(static_cast<std::size_t>(extent.area()), 0);
  for (const Rect& r : unread)
    for (i64 y = r.y; y < r.y + r.height; ++y) std::fill_n(lost.data() + y * width + r.x, r.width, u8{1});
  i64 x0 = 0, y0 = 0, x1 = width, y1 = extent.height;
  const auto row = [&](i64 y) {
    return std::all_of(lost.data() + y * width + x0, lost.data() + y * width + x1, [](u8 p) { return p != 0; });
  };
  const auto column = [&](i64 x) {
    for (i64 y = y0; y < y1; ++y)
      if (!lost[static_cast<std::size_t>(y * width + x)]) return false;
    return true;
  };
  while (y0 < y1 && row(y0)) ++y0;
  while (y0 < y1 && row(y1 - 1)) --y1;
  while (y0 < y1 && x0 < x1 && column(x0)) ++x0;
  while (y0 < y1 && x0 < x1 && column(x1 - 1)) --x1;
  return {x0, y0, x1 - x0, y1 - y0};
}

std::vector<Run> runs_of(const Rect& r) {
  std::vector<Run> runs;
  for (i64 y = r.y; y < r.y + r.height && r.width > 0; ++y)
    runs.push_back({static_cast<i32>(y), static_cast<i32>(r.x), static_cast<i32>(r.x + r.width)});
  return runs;
}

std::vector<Run> within(const std::vector<Run>& runs, const std::vector<Run>& others) {
  std::vector<Run> both;
  const Rows rows(others);
  for (const Run& r : runs) rows.part(r, [&](const Run& in) { both.push_back(in); }, [](const Run&) {});
  return both;
}

std::vector<Run> beyond(const std::vector<Run>& runs, const std::vector<Run>& others) {
  std::vector<Run> rest;
  const Rows rows(others);
  for (const Run& r : runs) rows.part(r, [](const Run&) {}, [&](const Run& out) { rest.push_back(out); });
  return rest;
}

void add_parts(std::vector<slide::Unreadable>& to, const std::vector<slide::Unreadable>& parts) {
  const auto same = [](const slide::Unreadable& a, const slide::Unreadable& b) {
    return a.region.x == b.region.x && a.region.y == b.region.y && a.region.width == b.region.width &&
           a.region.height == b.region.height && a.reason == b.reason;
  };
  for (const slide::Unreadable& part : parts)
    if (std::none_of(to.begin(), to.end(), [&](const slide::Unreadable& known) { return same(known, part); }))
      to.push_back(part);
}

Trust by_reason(const Trust& all, const Trust& by_cut, const Rect& core) {
  if (!by_cut.known) return untold(core);
  Trust trust;
  trust.known = true;
  trust.core_pixels = core.width * core.height;
  trust.cut = by_cut.cut;
  // What is not followed with unread pixels is uncertain as a whole.
  trust.unreadable = beyond(all.known ? all.cut : runs_of(core), trust.cut);
  trust.count();
  return trust;
}

Trust untold(const Rect& core) {
  Trust trust;
  trust.unreadable = runs_of(core);
  return trust;
}

}  // namespace morpho::engine
