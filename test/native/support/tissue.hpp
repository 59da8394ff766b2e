// A picture of stained tissue that needs no file.
#pragma once
#include "oracle.hpp"

namespace morpho::test {

/// Pink tissue with dark blue disks, some of which touch.
inline Image<Rgba> tissue(i32 w, i32 h) {
  std::mt19937 rng(3);
  Image<Rgba> out(w, h, Rgba{}, 5);
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) {
      const i32 dx = x % 34 - 17, dy = y % 30 - 15, r = 7 + (x / 34 + y / 30) % 4;
      const bool in = dx * dx + dy * dy <= r * r || (x / 34 % 3 == 0 && (dx - 12) * (dx - 12) + dy * dy <= 36);
      const auto n = [&](int v) { return static_cast<u8>(v + static_cast<int>(rng() % 9) - 4); };
      out.at(x, y) = in ? Rgba{n(82), n(60), n(130), 255} : Rgba{n(232), n(190), n(215), 255};
    }
  }
  return out;
}

}  // namespace morpho::test
