// Reconstruction written from its definition: geodesic steps until nothing changes.
#pragma once
#include "oracle.hpp"

namespace morpho::test {

template <class T>
Image<T> plain_reconstruct(const Image<T>& marker, const Image<T>& mask, By by, Connectivity c) {
  const auto higher = [&](T a, T b) { return by == By::dilation ? std::max(a, b) : std::min(a, b); };
  const auto held = [&](T a, T m) { return by == By::dilation ? std::min(a, m) : std::max(a, m); };
  Image<T> f(mask.extent.width, mask.extent.height);
  for (i64 p = 0; p < f.area(); ++p) f[p] = held(marker[p], mask[p]);
  for (bool moved = true; moved;) {
    moved = false;
    Image<T> g = f;
    for (i64 p = 0; p < f.area(); ++p) {
      T v = f[p];
      each_neighbour(f.extent, p, c, [&](i64 q) { v = higher(v, f[q]); });
      g[p] = held(v, mask[p]);
      moved = moved || g[p] != f[p];
    }
    f = g;
  }
  return f;
}

}  // namespace morpho::test
