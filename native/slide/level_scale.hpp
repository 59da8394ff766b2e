// How large a level's px is in level-0 px, along each side: one number for both puts a long slide's tissue beside its place.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "../contract/view.hpp"

namespace morpho::slide {

struct LevelScale {
  double x = 1, y = 1;
};

/// The whole number that both sides were divided by, each quotient rounded either way; 0 where there is none. Of several a
/// power of two, else the nearest to what the longer side says.
inline double whole_factor(i64 width, i64 height, i64 level_width, i64 level_height) {
  const auto least = [](i64 side, i64 part) { return static_cast<double>(side) / static_cast<double>(part + 1); };
  // No side has less than one px.
  const auto most = [](i64 side, i64 part) {
    return part > 1 ? static_cast<double>(side) / static_cast<double>(part - 1) : std::numeric_limits<double>::infinity();
  };
  const double low = std::max(least(width, level_width), least(height, level_height));
  const double high = std::min(most(width, level_width), most(height, level_height));
  const double ratio = width >= height ? static_cast<double>(width) / static_cast<double>(level_width)
                                       : static_cast<double>(height) / static_cast<double>(level_height);
  const auto fits = [&](double f) { return f >= 1 && f > low && f < high; };
  const double power = std::exp2(std::round(std::log2(ratio)));
  if (fits(power)) return power;
  return fits(std::round(ratio)) ? std::round(ratio) : 0;
}

/// `said` is OpenSlide's downsample. Where a file states it, it is for both sides. Where OpenSlide took the mean of both
/// sides' ratios, as of most TIFFs, it is nobody's: a whole factor that explains both sizes is taken, else each side's own.
inline LevelScale level_scale(i64 width, i64 height, i64 level_width, i64 level_height, double said) {
  const double x = static_cast<double>(width) / static_cast<double>(level_width);
  const double y = static_cast<double>(height) / static_cast<double>(level_height);
  const bool mean = std::abs(said - (x + y) / 2) <= 1e-9 * said;
  if (!mean) return {said, said};
  if (const double whole = whole_factor(width, height, level_width, level_height); whole > 0) return {whole, whole};
  return {x, y};
}

}  // namespace morpho::slide
