// Images on which tiles go wrong first, for the tests of regions.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "oracle.hpp"

namespace morpho::test {

/// A corridor of `wide` px that winds to and fro through the whole image, walls of 0 `wide` px thick between its lanes.
inline Image<u8> serpentine(i32 w, i32 h, i32 wide, u8 value = 255) {
  Image<u8> out(w, h);
  for (i32 y = 0; y < h; ++y) {
    const i32 lane = y / wide;
    for (i32 x = 0; x < w; ++x) {
      const bool turn = lane % 4 == 1 ? x >= w - wide : lane % 4 == 3 && x < wide;
      out.at(x, y) = lane % 2 == 0 || turn ? value : 0;
    }
  }
  return out;
}

/// A corridor of one pixel that winds inwards.
inline Image<u8> winding(i32 w, i32 h) {
  Image<u8> out(w, h);
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) {
      const i32 ring = std::min(std::min(x, y), std::min(w - 1 - x, h - 1 - y));
      // Rings of corridor, each open into the next one at its upper left.
      out.at(x, y) = ring % 2 == 0 || (x == ring && y == ring + 1) ? 1 : 0;
    }
  }
  return out;
}

inline Image<u8> noise(i32 w, i32 h, unsigned seed, unsigned levels, unsigned least = 0) {
  std::mt19937 rng(seed);
  Image<u8> out(w, h);
  for (i64 p = 0; p < out.area(); ++p) out[p] = static_cast<u8>(least + rng() % levels);
  return out;
}

/// Blobs of all sizes: noise, averaged over squares.
inline Image<u8> blobs(i32 w, i32 h, unsigned seed, i32 radius) {
  const Image<u8> from = noise(w, h, seed, 256);
  Image<u8> out(w, h);
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) {
      i64 sum = 0, n = 0;
      for (i32 v = std::max(0, y - radius); v <= std::min(h - 1, y + radius); ++v) {
        for (i32 u = std::max(0, x - radius); u <= std::min(w - 1, x + radius); ++u) sum += from.at(u, v), ++n;
      }
      out.at(x, y) = static_cast<u8>(std::min<i64>(255, std::max<i64>(0, (sum / n - 128) * (2 * radius + 1) * 2 / 3 + 128)));
    }
  }
  return out;
}

struct NamedImage {
  std::string name;
  Image<u8> image;
};
/// Grey images; as binary ones (nonzero) some are adversarial too.
inline std::vector<NamedImage> region_images() {
  std::vector<NamedImage> all;
  all.push_back({"serpentine", serpentine(150, 131, 2)});
  all.push_back({"narrow serpentine", serpentine(70, 90, 1)});
  all.push_back({"winding", winding(97, 103)});
  all.push_back({"noise of 2", noise(83, 77, 1, 2)});
  all.push_back({"noise of 256", noise(83, 77, 2, 256)});
  all.push_back({"noise of 4", noise(120, 64, 3, 4)});
  all.push_back({"blobs", blobs(160, 140, 4, 3)});
  all.push_back({"constant", Image<u8>(65, 70, 9)});
  all.push_back({"zero", Image<u8>(65, 70, 0)});
  Image<u8> one(101, 101, 0);
  one.at(50, 50) = 200;
  all.push_back({"one pixel", one});
  Image<u8> hole(140, 140, 1);
  hole.at(3, 2) = 0;
  all.push_back({"one hole", hole});
  Image<u8> frame(130, 120, 0);
  for (i32 x = 5; x < 125; ++x) frame.at(x, 5) = frame.at(x, 110) = 7;
  for (i32 y = 5; y <= 110; ++y) frame.at(5, y) = frame.at(124, y) = 7;
  all.push_back({"a hole larger than tiles", frame});
  all.push_back({"a row", noise(200, 1, 5, 3)});
  all.push_back({"a column", noise(1, 200, 6, 3)});
  all.push_back({"a pixel", noise(1, 1, 7, 3, 1)});
  all.push_back({"narrower than a tile", noise(9, 120, 8, 3)});
  all.push_back({"nothing", Image<u8>(0, 0)});
  all.push_back({"no rows", Image<u8>(5, 0)});
  return all;
}

}  // namespace morpho::test
