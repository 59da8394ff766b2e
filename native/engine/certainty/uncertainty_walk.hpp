// How a flood goes from pixel to pixel: for the files that flood.
#pragma once
#include <algorithm>

#include "uncertainty_flood.hpp"

namespace morpho::engine {

template <class Fn>
void UncertaintyFlood::neighbours(i32 p, Fn&& fn) const {
  const i32 x = p % width_, y = p / width_;
  // In raster order, which decides ties.
  if (x > now_.x0 && y > now_.y0 && x + 1 < now_.x1 && y + 1 < now_.y1) {
    const auto visit = [&](i32 q) {
      if (!has(q, listed)) fn(q);
    };
    const bool all = connectivity_ == Connectivity::eight;
    if (all) visit(p - width_ - 1);
    visit(p - width_);
    if (all) visit(p - width_ + 1);
    visit(p - 1);
    visit(p + 1);
    if (all) visit(p + width_ - 1);
    visit(p + width_);
    if (all) visit(p + width_ + 1);
    return;
  }
  for (i32 v = std::max(y - 1, 0); v <= std::min(y + 1, height_ - 1); ++v) {
    for (i32 u = std::max(x - 1, 0); u <= std::min(x + 1, width_ - 1); ++u) {
      if (u == x && v == y) continue;
      if (connectivity_ == Connectivity::four && u != x && v != y) continue;
      if (certain(u, v)) fn(v * width_ + u);
    }
  }
}

template <class Fn>
void UncertaintyFlood::front(Fn&& fn) {
  const auto at = [&](i32 x, i32 y) {
    if (certain(x, y)) fn(y * width_ + x);
  };
  for (i32 x = now_.x0; x < now_.x1; ++x) {
    if (cut_[1]) at(x, now_.y0);
    if (cut_[3]) at(x, now_.y1 - 1);
  }
  for (i32 y = now_.y0; y < now_.y1; ++y) {
    if (cut_[0]) at(now_.x0, y);
    if (cut_[2]) at(now_.x1 - 1, y);
  }
  for (std::size_t k = 0; k < now_.list.size(); ++k) {
    const i32 x = now_.list[k] % width_, y = now_.list[k] / width_;
    for (i32 v = y - 1; v <= y + 1; ++v) {
      for (i32 u = x - 1; u <= x + 1; ++u) {
        if (inside(u, v)) at(u, v);
      }
    }
  }
}

}  // namespace morpho::engine
