// The pixels along a tile's border, as its neighbours see them.
#pragma once
#include <cstring>
#include <type_traits>
#include <vector>

#include "grid.hpp"

namespace morpho::engine::region {

/// The four lines of a tile, each with its corners.
template <class T>
struct Border {
  std::vector<T> top, bottom, left, right;

  bool empty() const { return top.empty(); }
  /// Of a tile whose first pixel is `at`, `pitch` pixels from row to row.
  void take(const T* at, std::size_t pitch, const Rect& r) {
    const std::size_t w = static_cast<std::size_t>(r.width), h = static_cast<std::size_t>(r.height);
    top.assign(at, at + w);
    bottom.assign(at + (h - 1) * pitch, at + (h - 1) * pitch + w);
    left.resize(h), right.resize(h);
    for (std::size_t y = 0; y < h; ++y) left[y] = at[y * pitch], right[y] = at[y * pitch + w - 1];
  }
  /// The line (or the corner, as a line of one) that faces the tile at (dx, dy) from this one.
  const T* facing(i64 dx, i64 dy, std::size_t& n) const {
    n = dx != 0 && dy != 0 ? 1 : dy != 0 ? top.size() : left.size();
    if (dy < 0) return dx > 0 ? &top.back() : top.data();
    if (dy > 0) return dx > 0 ? &bottom.back() : bottom.data();
    return dx < 0 ? left.data() : right.data();
  }
};

/// fn(k, l) for the pixels k of a line and l of the line that faces it across a border (n each) that are neighbours.
template <class Fn>
void each_pair(std::size_t n, bool eight, Fn&& fn) {
  for (std::size_t k = 0; k < n; ++k) {
    if (eight && k > 0) fn(k, k - 1);
    fn(k, k);
    if (eight && k + 1 < n) fn(k, k + 1);
  }
}

/// fn(dx, dy) for the neighbours of a tile that share an edge, and with 8-connected pixels those that share a corner.
template <class Fn>
void each_side(bool eight, Fn&& fn) {
  for (i64 dy = -1; dy <= 1; ++dy) {
    for (i64 dx = -1; dx <= 1; ++dx) {
      if ((dx != 0 || dy != 0) && (eight || dx == 0 || dy == 0)) fn(dx, dy);
    }
  }
}

}  // namespace morpho::engine::region
