// Images on which operations on regions and on whole images must agree, and how a region operation is called on one.
#pragma once
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/region/workers.hpp"
#include "engine/region/raster.hpp"
#include "oracle.hpp"

namespace morpho::test {

inline constexpr i64 kRegionTiles[] = {16, 17, 64, 100, 1000};

/// A corridor one pixel wide that winds from the corner inwards, of value `low` and rising along it where `step` > 0, between
/// walls of `high`.
template <class T>
Image<T> spiral(i32 w, i32 h, T low, T high, i32 step = 0) {
  Image<T> f(w, h, high);
  i32 x = 0, y = 0, dx = 1, dy = 0, value = low;
  const auto is_free = [&](i32 cx, i32 cy) { return cx >= 0 && cy >= 0 && cx < w && cy < h && f.at(cx, cy) == high; };
  const auto may_go = [&] {
    return is_free(x + dx, y + dy) &&
           (!(x + 2 * dx >= 0 && x + 2 * dx < w && y + 2 * dy >= 0 && y + 2 * dy < h) || is_free(x + 2 * dx, y + 2 * dy));
  };
  f.at(0, 0) = low;
  for (;;) {
    if (!may_go()) {
      std::swap(dx, dy), dx = -dx;
      if (!may_go()) return f;
    }
    x += dx, y += dy;
    value = std::min<i32>(value + step, high - 1);
    f.at(x, y) = static_cast<T>(value);
  }
}

/// Rows of `low` joined at alternating ends, between rows of `high`.
template <class T>
Image<T> lanes(i32 w, i32 h, T low, T high) {
  Image<T> f(w, h, high);
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) {
      if (y % 2 == 0 || x == (y % 4 == 1 ? w - 1 : 0)) f.at(x, y) = low;
    }
  }
  return f;
}

/// Smooth hills, so that level sets are large and few, with plateaus where `levels` is small.
template <class T>
Image<T> hills(std::mt19937& rng, i32 w, i32 h, i32 levels) {
  Image<T> f(w, h);
  const double a = 0.03 + 0.05 * (rng() % 100) / 100.0, b = 0.03 + 0.05 * (rng() % 100) / 100.0;
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) {
      const double v = 0.5 + 0.25 * std::sin(a * x + 0.01 * y) + 0.25 * std::cos(b * y - 0.02 * x);
      f.at(x, y) = static_cast<T>(std::floor(v * (levels - 1)));
    }
  }
  return f;
}

template <class T>
struct GreyRegion {
  std::string name;
  Image<T> image;
};

/// Few and many levels, noise, constants, hills with plateaus over borders, corridors through many tiles, lines, nothing.
template <class T>
std::vector<GreyRegion<T>> grey_regions(unsigned seed) {
  std::mt19937 rng(seed);
  constexpr i32 most = sizeof(T) == 1 ? 256 : 65536;
  std::vector<GreyRegion<T>> all;
  all.push_back({"noise", random_image<T>(rng, 131, 87, most)});
  all.push_back({"noise of 3 levels", random_image<T>(rng, 150, 101, 3, 100)});
  all.push_back({"noise of 2 levels", random_image<T>(rng, 97, 130, 2, 255)});
  all.push_back({"hills", hills<T>(rng, 210, 170, most)});
  all.push_back({"terraces", hills<T>(rng, 140, 190, 6)});
  Image<T> rough = hills<T>(rng, 120, 160, 40);
  for (auto& v : rough.data) v = static_cast<T>(v + rng() % 3);
  all.push_back({"rough hills", std::move(rough)});
  all.push_back({"constant", Image<T>(103, 70, T{7})});
  all.push_back({"spiral", spiral<T>(101, 99, 20, 200)});
  all.push_back({"bright spiral", [] {
                   Image<T> f = spiral<T>(90, 110, 20, 200);
                   for (auto& v : f.data) v = static_cast<T>(220 - v);
                   return f;
                 }()});
  all.push_back({"rising spiral", spiral<T>(75, 80, 1, 250, 1)});
  all.push_back({"serpentine", lanes<T>(99, 85, 30, 90)});
  all.push_back({"row", random_image<T>(rng, 333, 1, 9)});
  all.push_back({"column", random_image<T>(rng, 1, 222, 9)});
  all.push_back({"pixel", Image<T>(1, 1, T{5})});
  all.push_back({"no columns", Image<T>(0, 40)});
  return all;
}

template <class T>
engine::region::MemoryRaster raster_of(const Image<T>& image) {
  return {pixel_type_of<T>(), image.extent.width, image.extent.height, const_cast<T*>(image.data.data())};
}

/// Calls fn(workers) with so many threads of the CPU.
template <class Fn>
void with_workers(int threads, Fn&& fn) {
  engine::Resources resources;
  engine::region::WorkerOptions options;
  options.threads = threads;
  engine::region::Workers workers(resources, options);
  fn(workers);
}

/// The first pixel that differs, or -1.
template <class T>
i64 first_difference(const Image<T>& a, const Image<T>& b) {
  for (i64 p = 0; p < a.area(); ++p) {
    if (a[p] != b[p]) return p;
  }
  return -1;
}

}  // namespace morpho::test
