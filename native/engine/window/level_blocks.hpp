// How output pixels of any scale map to a level's: absolute blocks, the level's bands, and what its rounded size leaves out.
#pragma once
#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>
#include <vector>

#include "../../slide/slide.hpp"

namespace morpho::engine {

inline constexpr i64 kOne = 65536;                 ///< one level px in the fixed point of ops.resample
inline constexpr double kMostLevelPxPerPx = 4096;  ///< beyond, one output px would need more than 64 MiB of level pixels

/// How output px map to one level along one side: absolute blocks of `block` output px begin exactly, steps inside them are
/// equal. Within a block of 1024 the rounding of the step adds up to less than 1/128 level px; it never adds up over the slide.
struct Mapping {
  double ratio;  // level px per output px
  i64 step;      // ratio in fixed point
  i64 block;     // output px, a power of two
  bool identity;

  i64 begin(i64 k) const {
    const i64 first = floor_to_block(k);
    return std::llround(static_cast<double>(first) * ratio * kOne) + (k - first) * step;
  }
  i64 floor_to_block(i64 k) const { return (k >= 0 ? k / block : -((-k + block - 1) / block)) * block; }
  /// The first output px that covers nothing before the level's end.
  i64 end(i64 level_px) const {
    i64 k = static_cast<i64>(std::ceil(static_cast<double>(level_px) / ratio)) + 2;
    while (k > 0 && begin(k - 1) >= level_px * kOne) --k;
    return k;
  }
};

inline int choose_level(const slide::SlideInfo& info, double s) {
  int best = 0;
  for (std::size_t i = 1; i < info.levels.size(); ++i) {
    const double d = info.levels[i].downsample;
    if (d <= s * 1.01 && d > info.levels[static_cast<std::size_t>(best)].downsample) best = static_cast<int>(i);
  }
  return best;
}

inline Mapping make_mapping(double s, double downsample) {
  Mapping m{};
  m.ratio = s / downsample;
  if (m.ratio > kMostLevelPxPerPx) {
    std::ostringstream text;
    text << s << ", which would average " << static_cast<i64>(m.ratio) << " px a side into one";
    reject("scale", "at most " + std::to_string(static_cast<i64>(kMostLevelPxPerPx * downsample)) + " for this slide",
           text.str());
  }
  m.step = std::max<i64>(1, std::llround(m.ratio * kOne));
  m.identity = m.ratio == 1.0;
  m.block = 1024;
  while (m.block > 1 && static_cast<double>(m.block) * m.ratio > 2048) m.block /= 2;
  return m;
}

/// The rows of a rectangle of a level (inside it) as its reader has them in memory, from above to below.
class LevelBands {
 public:
  LevelBands(Context& ctx, slide::Slide& slide, int level, const Rect& part, const slide::ReadControl& control,
             std::vector<slide::Unreadable>& unreadable)
      : ctx_(ctx), slide_(slide), level_(level), rest_(part), y_(part.y), control_(control), unreadable_(unreadable) {
    fetch();
  }
  bool any() const { return !now_.patches.empty(); }
  struct Place {
    const slide::Band& band;
    i32 row;  ///< of it
  };
  /// Of row y of the rectangle: at most one step back, to the row before.
  Place at(i32 y) {
    const i64 row = y_ + y;
    while (row >= now_.y + now_.height) fetch();
    const slide::Band& band = row < now_.y ? before_ : now_;
    return {band, static_cast<i32>(row - band.y)};
  }

 private:
  void fetch() {
    ctx_.check_cancelled();
    before_ = std::move(now_);
    now_ = slide_.band(level_, rest_, unreadable_, control_);
    rest_.y += now_.height, rest_.height -= now_.height;
  }
  Context& ctx_;
  slide::Slide& slide_;
  const int level_;
  Rect rest_;
  const i64 y_;
  const slide::ReadControl& control_;
  std::vector<slide::Unreadable>& unreadable_;
  slide::Band before_, now_;
};

/// Output px of one side that begin on the slide and beyond the level's end, by less than one px of the level: sizes of levels
/// are rounded down. Not the background: at the rim of tissue it would be glass that nobody saw.
struct Rim {
  i64 first, last;

  Rim(const Mapping& map, double s, i64 level_px, i64 slide_px) : first(map.end(level_px)), last(first) {
    const double end = static_cast<double>(slide_px) - 1e-6 * s;
    while (static_cast<double>(last) * s < end && static_cast<double>(last) * map.ratio < static_cast<double>(level_px) + 1)
      ++last;
  }
};

/// Lets the level's last column and row stand for the rest of the slide that the level's rounded size leaves out. `read(x, y,
/// view)` reads what of them lies outside `out`.
template <class P, class Read>
void fill_rim(const slide::SlideInfo& info, int index, double s, i64 x, i64 y, View<P> out, const Mapping& across,
              const Mapping& down, Read&& read) {
  const slide::Level &level = info.levels[static_cast<std::size_t>(index)], &whole = info.levels.front();
  const Rim columns(across, s, level.width, whole.width), rows(down, s, level.height, whole.height);
  std::vector<P> last;
  const i64 left = std::max(x, columns.first), right = std::min(x + out.width(), columns.last);
  if (left < right) {
    last.resize(static_cast<std::size_t>(out.height()));
    const View<P> column(last.data(), {1, out.height()});
    if (columns.first > x)
      for (i32 j = 0; j < out.height(); ++j) *column.row(j) = out.row(j)[columns.first - 1 - x];
    else read(columns.first - 1, y, column);
    for (i32 j = 0; j < out.height(); ++j) std::fill_n(out.row(j) + (left - x), right - left, *column.row(j));
  }
  const i64 top = std::max(y, rows.first), bottom = std::min(y + out.height(), rows.last);
  if (top < bottom) {
    last.resize(static_cast<std::size_t>(out.width()));
    const View<P> row(last.data(), {out.width(), 1});
    if (rows.first > y) std::copy_n(out.row(static_cast<i32>(rows.first - 1 - y)), out.width(), row.row(0));
    else read(x, rows.first - 1, row);
    for (i64 j = top; j < bottom; ++j) std::copy_n(row.row(0), out.width(), out.row(static_cast<i32>(j - y)));
  }
}

}  // namespace morpho::engine
