// Functions of doubles that give the same bits on every device, compiler and platform: from +, -, *, / and square roots alone,
// which IEEE 754 rounds in one way. Mathematical libraries differ in the last bit of hypot and atan2. Whoever compiles this
// must keep the compiler from fusing a product with a sum (-ffp-contract=off, nvcc --fmad=false): native/CMakeLists.txt and
// cuda/CMakeLists.txt do, and a test would tell.
#pragma once
#include <cmath>

#include "everywhere.hpp"
#include "view.hpp"

namespace morpho::objects {

/// The nearest double, ties to even, as the cast gives it where a compiler has one.
MORPHO_EVERYWHERE inline double to_double(i128 v) {
  __extension__ typedef unsigned __int128 u128;
  const bool negative = v < 0;
  const u128 size = negative ? -static_cast<u128>(v) : static_cast<u128>(v);
  u64 top = static_cast<u64>(size);
  double scale = 1;
  if (const u64 high = static_cast<u64>(size >> 64); high != 0) {
    int bits = 0;
    for (u64 rest = high; rest != 0; rest >>= 1) ++bits;
    // The upper 64 bits; the lowest says whether anything lies below: it is beyond the 53 that count, so rounding sees it and
    // no more.
    top = static_cast<u64>(size >> bits) | static_cast<u64>((size & ((u128{1} << bits) - 1)) != 0);
    scale = 2 * static_cast<double>(u64{1} << (bits - 1));
  }
  const double d = static_cast<double>(top) * scale;
  return negative ? -d : d;
}

/// The root of a² + b², off by less than 2 units in the last place; |a| where b = 0. |a| and |b| are 0 or from 1e-140 to 1e140,
/// so that squares neither overflow nor vanish.
MORPHO_EVERYWHERE inline double length_of(double a, double b) { return std::sqrt(a * a + b * b); }

/// The angle of (x, y) from the x axis in (-π, π], radians, off by less than 2 units in the last place; exactly what rounding
/// makes of it on the axes and diagonals; 0 for (0, 0). Zeros have no sign. Finite x and y whose quotient is not below 1e-300.
/// How: with t = lesser / greater in [0, 1] and c the nearest eighth, but 0 below 3/16, atan t = atan c + atan r where
/// r = (t - c) / (1 + t c). t - c is exact, and |r| <= 1/16, or 3/16 where c = 0 and atan r is all (with c = 1/8 it would be a
/// difference of two numbers as large as itself). Eleven terms of the power series leave less than 2^-57 of it. Sums go on in
/// two parts, the larger exact.
MORPHO_EVERYWHERE inline double angle_of(double y, double x) {
  // atan(k / 8), and what is left of it beyond a double.
  static constexpr double atan_upper[9] = {0.0,
                                           0.12435499454676144,
                                           0.24497866312686414,
                                           0.35877067027057225,
                                           0.4636476090008061,
                                           0.5585993153435624,
                                           0.6435011087932844,
                                           0.7188299996216245,
                                           0.7853981633974483};
  static constexpr double atan_lower[9] = {0.0,
                                           -3.1253241424539383e-18,
                                           1.0698755618734451e-17,
                                           -2.4623815582638635e-17,
                                           2.2698777452961687e-17,
                                           -5.4556305485916264e-18,
                                           1.5834785051444286e-17,
                                           -2.1478388444456983e-17,
                                           3.061616997868383e-17};
  constexpr double pi = 3.141592653589793, pi_lower = 1.2246467991473532e-16;
  const double width = x < 0 ? -x : x, height = y < 0 ? -y : y;
  const bool steep = height > width;
  const double greater = steep ? height : width;
  if (greater == 0) return 0;
  const double t = (steep ? width : height) / greater;
  const int nearest = static_cast<int>(8 * t + 0.5), k = nearest < 2 ? 0 : nearest;
  const double c = 0.125 * k, r = (t - c) / (1 + t * c), rr = r * r;
  double series = rr * (1.0 / 17 + rr * (-1.0 / 19 + rr * (1.0 / 21)));
  series = rr * (1.0 / 9 + rr * (-1.0 / 11 + rr * (1.0 / 13 + rr * (-1.0 / 15 + series))));
  series = rr * (-1.0 / 3 + rr * (1.0 / 5 + rr * (-1.0 / 7 + series)));
  double upper = atan_upper[k], lower = r + (atan_lower[k] + r * series);
  const auto leave = [&](double whole, double whole_lower) {  // whole - angle; whole >= upper, so its rounding error is exact
    const double rest = whole - upper;
    lower = ((whole - rest) - upper) + (whole_lower - lower);
    upper = rest;
  };
  if (steep) leave(pi / 2, pi_lower / 2);
  if (x < 0) leave(pi, pi_lower);
  const double angle = upper + lower;
  return y < 0 ? -angle : angle;
}

}  // namespace morpho::objects
