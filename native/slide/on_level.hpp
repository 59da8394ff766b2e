// Where a read meets its level: the part that there are pixels for, and the background around it.
#pragma once
#include <algorithm>
#include <optional>

#include "slide.hpp"

namespace morpho::slide {

inline Rect intersect(const Rect& a, const Rect& b) {
  const i64 x0 = std::max(a.x, b.x), y0 = std::max(a.y, b.y);
  const i64 x1 = std::min(a.x + a.width, b.x + b.width), y1 = std::min(a.y + a.height, b.y + b.height);
  return {x0, y0, std::max<i64>(0, x1 - x0), std::max<i64>(0, y1 - y0)};
}

inline void fill(View<Rgba> out, Rgba color) {
  for (i32 j = 0; j < out.height(); ++j) std::fill_n(out.row(j), out.width(), color);
}

/// The part of a read that lies on the level: in the level's px, and where it goes. Not empty.
struct OnLevel {
  Rect wanted;
  View<Rgba> target;
};
/// Fills what of `out`, a read at (x, y), lies off the level, and nothing else: the caller writes each pixel of the target.
/// Nothing where all of it does. Coordinates may be any.
inline std::optional<OnLevel> on_level(const Level& level, i64 x, i64 y, View<Rgba> out, Rgba background) {
  constexpr i64 kFar = i64{1} << 40;  // off any level, and sums with it stay in an i64
  const bool in_reach = x <= kFar && y <= kFar && x >= -kFar && y >= -kFar;
  const Rect wanted = in_reach ? intersect({x, y, out.width(), out.height()}, {0, 0, level.width, level.height}) : Rect{};
  if (wanted.width == 0 || wanted.height == 0) {
    fill(out, background);
    return std::nullopt;
  }
  const auto at = [](i64 v) { return static_cast<i32>(v); };
  const i32 left = at(wanted.x - x), top = at(wanted.y - y), width = at(wanted.width), height = at(wanted.height);
  const i32 right = left + width, bottom = top + height;
  fill(out.sub(0, 0, {out.width(), top}), background);
  fill(out.sub(0, bottom, {out.width(), out.height() - bottom}), background);
  fill(out.sub(0, top, {left, height}), background);
  fill(out.sub(right, top, {out.width() - right, height}), background);
  return OnLevel{wanted, out.sub(left, top, {width, height})};
}

/// A read of a level whose reader has all of it in bands.
inline std::vector<Unreadable> read_bands(Slide& slide, int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) {
  std::vector<Unreadable> unreadable;
  const SlideInfo& info = slide.info();
  const auto asked = on_level(info.levels[static_cast<std::size_t>(level)], x, y, out, info.background);
  if (!asked) return unreadable;
  for (Rect rest = asked->wanted; rest.height > 0;) {
    const Band rows = slide.band(level, rest, unreadable, control);
    View<Rgba> to = asked->target.sub(0, static_cast<i32>(rest.y - asked->wanted.y),
                                      {asked->target.width(), static_cast<i32>(rows.height)});
    for (const Patch& patch : rows.patches) {
      for (i32 j = 0; j < to.height(); ++j) std::copy_n(patch.pixels.row(j), patch.pixels.width(), to.row(j));
      to.data += patch.pixels.width();
    }
    rest.y += rows.height;
    rest.height -= rows.height;
  }
  return unreadable;
}

}  // namespace morpho::slide
