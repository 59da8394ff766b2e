// How a flood goes from pixel to pixel: for the files that flood.
#pragma once
#include <algorithm>
#include <bit>

#include "uncertainty_flood.hpp"

namespace morpho::engine {

template <class Fn>
void UncertaintyFlood::around(const Pixel& p, Connectivity connectivity, u8 without, Fn&& fn) const {
  // Three marks of a row are looked at as one word: the highest bit of a byte says that a pixel has none of these.
  constexpr std::uint32_t left = 0x80, middle = 0x8000, right = 0x800000;
  const std::uint32_t columns = (p.x > now_.x0 ? left : 0) | middle | (p.x + 1 < now_.x1 ? right : 0);
  const std::uint32_t diagonal = connectivity == Connectivity::eight ? columns : middle;
  for (i32 y = std::max(p.y - 1, now_.y0); y <= std::min(p.y + 1, now_.y1 - 1); ++y) {
    const i32 at = y * width_ + p.x;
    std::uint32_t marks;
    std::memcpy(&marks, map_.data() + kPadding + at - 1, sizeof marks);
    std::uint32_t free = ~((marks & without * 0x010101u) + 0x7f7f7f) & (y == p.y ? columns & ~middle : diagonal);
    for (; free != 0; free &= free - 1) {
      const i32 dx = (std::countr_zero(free) >> 3) - 1;
      fn(Pixel{at + dx, p.x + dx, y});
    }
  }
}

template <class Fn>
void UncertaintyFlood::front(u8 without, Fn&& fn) {
  const auto at = [&](i32 x, i32 y) {
    const Pixel p{y * width_ + x, x, y};
    if (!has(p.at, listed)) fn(p);
  };
  for (i32 x = now_.x0; x < now_.x1; ++x) {
    if (cut_[1]) at(x, now_.y0);
    if (cut_[3]) at(x, now_.y1 - 1);
  }
  for (i32 y = now_.y0; y < now_.y1; ++y) {
    if (cut_[0]) at(now_.x0, y);
    if (cut_[2]) at(now_.x1 - 1, y);
  }
  for (const i32 p : now_.list) around(pixel(p), Connectivity::eight, without | listed, fn);
}

}  // namespace morpho::engine
