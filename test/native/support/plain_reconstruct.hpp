// Reconstruction, and the erosion that its markers often come from, written from their definitions.
#pragma once
#include "oracle.hpp"

namespace morpho::test {

template <class T>
Image<T> plain_reconstruct(const Image<T>& marker, const Image<T>& mask, By by, Connectivity c) {
  const auto higher = [&](T a, T b) { return by == By::dilation ? std::max(a, b) : std::min(a, b); };
  const auto held = [&](T a, T m) { return by == By::dilation ? std::min(a, m) : std::max(a, m); };
  Image<T> f(mask.extent.width, mask.extent.height);
  for (i64 p = 0; p < f.area(); ++p) f[p] = held(marker[p], mask[p]);
  // One pixel after the other, to and fro: the stable image is the same in any order, and this one gets there in fewer rounds.
  for (bool moved = true, back = false; moved; back = !back) {
    moved = false;
    for (i64 i = 0; i < f.area(); ++i) {
      const i64 p = back ? f.area() - 1 - i : i;
      if (f[p] == mask[p]) continue;  // what the mask holds moves no more
      T v = f[p];
      each_neighbour(f.extent, p, c, [&](i64 q) { v = higher(v, f[q]); });
      v = held(v, mask[p]);
      moved = moved || v != f[p];
      f[p] = v;
    }
  }
  return f;
}

/// Erosion by a disk, outside ignored, as the manifest's openings use it.
inline Image<u8> erode_disk(const Image<u8>& f, i32 r) {
  Image<u8> out(f.extent.width, f.extent.height, 255);
  for (i32 dy = -r; dy <= r; ++dy) {
    for (i32 dx = -r; dx <= r; ++dx) {
      if (dx * dx + dy * dy > r * r) continue;
      for (i32 y = std::max(0, -dy); y < std::min(f.extent.height, f.extent.height - dy); ++y) {
        for (i32 x = std::max(0, -dx); x < std::min(f.extent.width, f.extent.width - dx); ++x) {
          out.at(x, y) = std::min(out.at(x, y), f.at(x + dx, y + dy));
        }
      }
    }
  }
  return out;
}

}  // namespace morpho::test
