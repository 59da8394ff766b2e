// How far an object stands out, and what is made of that and its shape for people to sort by: one code for the CPU and for
// kernels. Whoever compiles this keeps products from being fused with sums, as contract/same_math.hpp asks.
#pragma once
#include <cmath>

#include "object_choice.hpp"

namespace morpho::objects {

/// What has_contrast() decides by, as a number: mean value over the object, times (area / reference)^(1/4), in multiples of so
/// many grey levels. A fourth root is two square roots, which IEEE 754 rounds in one way.
MORPHO_EVERYWHERE inline double contrast(i64 value, i64 area, i64 reference, double levels) {
  const double n = static_cast<double>(area), mean = static_cast<double>(value) / n;
  const double size = area > kMaxTestedArea ? 1 : std::sqrt(std::sqrt(n / static_cast<double>(reference)));
  return mean * size / levels;
}

/// Of a figure what counts nothing, and what counts in full; between them in proportion.
struct ScoreRamp {
  double none, full;
};
/// What a score is made of: the mean of its parts. Set by hand, fitted on nothing (test/bench/results/quality.md); it drops no
/// object. assets/recipes/README.md says what it means; whoever changes a number makes it another version.
struct ScoreTable {
  i32 version;
  ScoreRamp contrast, solidity;  ///< of these measurements
};
/// Twice the slide's level above its surroundings is full contrast. Of ellipses of 120 to 600 px the hull of the pixels'
/// corners leaves 0.92 to 0.96, of two discs that overlap a little 0.85 to 0.88; 0.8 is a crescent or a bay.
MORPHO_EVERYWHERE constexpr ScoreTable score_table() { return {1, {0.0, 2.0}, {0.8, 0.95}}; }

MORPHO_EVERYWHERE inline double on_ramp(double value, const ScoreRamp& r) {
  const double part = (value - r.none) / (r.full - r.none);
  return part < 0 ? 0 : part < 1 ? part : 1;
}
/// A whole number 0..100.
MORPHO_EVERYWHERE inline double score_of(const ObjectMeasurement& m) {
  const ScoreTable by = score_table();
  const double parts = on_ramp(m.contrast, by.contrast) + on_ramp(m.solidity, by.solidity);
  return std::floor(50 * parts + 0.5);
}

}  // namespace morpho::objects
