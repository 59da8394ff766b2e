// Reads a slide at any scale from its best level, block by block, so that no pixel depends on the tiling of the requests.
#include "read_scaled.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

namespace morpho::engine {
namespace {

constexpr i64 kOne = 65536;                 // one level px in the fixed point of ops.resample
constexpr double kMostLevelPxPerPx = 4096;  // beyond this one output pixel would need more than 64 MiB of level pixels
constexpr i32 kIdentityBlock = 2048;
constexpr i64 kFarthest = i64{1} << 40;  // coordinates beyond are outside any slide, and their products stay in an i64

/// How output px map to one level: absolute blocks of `block` output px begin exactly, steps inside them are equal. Within a
/// block of 1024 the rounding of the step adds up to less than 1/128 level px; it never adds up over the slide.
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

int choose_level(const slide::SlideInfo& info, double s) {
  int best = 0;
  for (std::size_t i = 1; i < info.levels.size(); ++i) {
    const double d = info.levels[i].downsample;
    if (d <= s * 1.01 && d > info.levels[static_cast<std::size_t>(best)].downsample) best = static_cast<int>(i);
  }
  return best;
}

Mapping make_mapping(double s, double downsample) {
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

void append(std::vector<slide::Unreadable>& to, std::vector<slide::Unreadable> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void fill(View<Rgba> out, Rgba color) {
  for (i32 j = 0; j < out.height(); ++j) std::fill_n(out.row(j), out.width(), color);
}

}  // namespace

std::vector<slide::Unreadable> read_scaled(const OpTable& ops, Context& ctx, slide::Slide& slide, double s, i64 x, i64 y,
                                           View<Rgba> out) {
  if (!(s >= kFinestScale && s <= kCoarsestScale)) {
    std::ostringstream text;
    text << s;
    reject("scale", "a number of level-0 px per px between 1/16 and 1048576", text.str());
  }
  if (x < -kFarthest || x > kFarthest || y < -kFarthest || y > kFarthest)
    reject("x and y", "coordinates within ±2^40", std::to_string(x) + ", " + std::to_string(y));
  std::vector<slide::Unreadable> unreadable;
  if (out.extent.empty()) return unreadable;

  const slide::SlideInfo& info = slide.info();
  const int index = choose_level(info, s);
  const slide::Level& level = info.levels[static_cast<std::size_t>(index)];
  const Mapping map = make_mapping(s, level.downsample);
  if (map.identity) {
    // In blocks too, so that a large read can be cancelled.
    for (i32 by = 0; by < out.height(); by += kIdentityBlock) {
      for (i32 bx = 0; bx < out.width(); bx += kIdentityBlock) {
        ctx.check_cancelled();
        const Extent part{std::min(kIdentityBlock, out.width() - bx), std::min(kIdentityBlock, out.height() - by)};
        append(unreadable, slide.read(index, x + bx, y + by, out.sub(bx, by, part)));
      }
    }
    return unreadable;
  }

  // Only output px that cover some of the level are computed; the rest is background.
  const i64 from_x = std::max<i64>(x, 0), from_y = std::max<i64>(y, 0);
  const i64 to_x = std::min(x + out.width(), map.end(level.width)), to_y = std::min(y + out.height(), map.end(level.height));
  if (from_x > x || from_y > y || to_x < x + out.width() || to_y < y + out.height()) fill(out, info.background);

  for (i64 by = from_y; by < to_y;) {
    const i64 next_y = std::min(to_y, map.floor_to_block(by) + map.block);
    for (i64 bx = from_x; bx < to_x;) {
      const i64 next_x = std::min(to_x, map.floor_to_block(bx) + map.block);
      ctx.check_cancelled();
      const i64 p0x = map.begin(bx), p1x = map.begin(next_x - 1) + map.step;
      const i64 p0y = map.begin(by), p1y = map.begin(next_y - 1) + map.step;
      const i64 lx = p0x / kOne, ly = p0y / kOne;
      const i64 lw = std::min(level.width, (p1x + kOne - 1) / kOne) - lx;
      const i64 lh = std::min(level.height, (p1y + kOne - 1) / kOne) - ly;
      Workspace::Scope scope(ctx.workspace);
      const Extent extent{static_cast<i32>(lw), static_cast<i32>(lh)};
      View<Rgba> pixels(ctx.workspace.take<Rgba>(static_cast<std::size_t>(lw * lh)), extent);
      append(unreadable, slide.read(index, lx, ly, pixels));
      const Extent core{static_cast<i32>(next_x - bx), static_cast<i32>(next_y - by)};
      ResampleParams params;
      params.x0 = p0x - lx * kOne;
      params.y0 = p0y - ly * kOne;
      params.step_x = map.step;
      params.step_y = map.step;
      ops.resample(ctx, pixels, out.sub(static_cast<i32>(bx - x), static_cast<i32>(by - y), core), params);
      bx = next_x;
    }
    by = next_y;
  }
  return unreadable;
}

}  // namespace morpho::engine
