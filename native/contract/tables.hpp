// The small integer tables that the CPU and the GPU share, so that both compute with the very same numbers.
#pragma once
#include <cmath>

#include "view.hpp"

namespace morpho {

/// Optical density is counted in 1/1024: value v of a channel whose white is w has round(1024 * log10(w / max(v, 1))), and 0
/// where v >= w. No (w, v) lies within 1e-5 of a rounding tie (a test says so), so every libm gives the same table.
inline constexpr i32 kOdUnit = 1024;
inline void od_table(i32 white, i32 table[256]) {
  for (i32 v = 0; v < 256; ++v) {
    const i32 seen = v < 1 ? 1 : v;
    table[v] = seen >= white ? 0 : static_cast<i32>(std::floor(kOdUnit * std::log10(static_cast<double>(white) / seen) + 0.5));
  }
}

/// The largest radius that a Gaussian of the largest sigma has: 3 * 64.
inline constexpr i32 kMaxGaussianRadius = 192;
/// Half of a Gaussian kernel in Q16: weight[k] for the taps at -k and +k. Returns the radius ceil(3 sigma).
/// weight[k] = round(65536 * g(k) / sum g) for k >= 1 with g(k) = exp(-k²/(2 sigma²)); weight[0] is what is left, so that
/// weight[0] + 2 * sum of the others is exactly 65536.
inline i32 gaussian_weights(double sigma, i32 weight[kMaxGaussianRadius + 1]) {
  const i32 radius = static_cast<i32>(std::ceil(3 * sigma));
  if (radius == 0) {
    weight[0] = 65536;
    return 0;
  }
  double sum = 1;
  for (i32 k = 1; k <= radius; ++k) sum += 2 * std::exp(-(static_cast<double>(k) * k) / (2 * sigma * sigma));
  i32 rest = 65536;
  for (i32 k = 1; k <= radius; ++k) {
    const double g = std::exp(-(static_cast<double>(k) * k) / (2 * sigma * sigma));
    weight[k] = static_cast<i32>(std::floor(65536 * g / sum + 0.5));
    rest -= 2 * weight[k];
  }
  weight[0] = rest;
  return radius;
}

}  // namespace morpho
