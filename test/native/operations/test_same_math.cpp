// The functions of doubles that must have the same bits everywhere: close to the library's, exact where they say so, and pinned
// bit by bit.
#include "contract/same_math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace morpho::test {
namespace {

using objects::angle_of, objects::i128, objects::length_of, objects::to_double;
constexpr double kPi = std::numbers::pi;

/// How many doubles lie from one to the other; both of one sign.
i64 steps(double a, double b) { return std::abs(std::bit_cast<i64>(a) - std::bit_cast<i64>(b)); }

/// Whole numbers of all magnitudes up to 2^126, as moments are, and quotients of all magnitudes.
struct Inputs {
  std::mt19937_64 rng{92};
  i128 whole() {
    const u64 upper = rng() >> 2, lower = rng(),
              shift = rng() % 126;  // one after the other: the order of operands is the compiler's
    const i128 v = ((static_cast<i128>(upper) << 64) + lower) >> shift;
    return rng() % 2 ? v : -v;
  }
  double value() { return to_double(whole()); }
};

TEST(SameMath, WholeNumbersAsTheCompilerCastsThem) {
  Inputs in;
  for (int i = 0; i < 1000000; ++i) {
    const i128 v = in.whole();
    ASSERT_EQ(to_double(v), static_cast<double>(v));
  }
  // Ties and what lies next to them, for every position of the last bit that counts.
  for (int shift = 1; shift < 73; ++shift) {
    for (const i128 mantissa : {i128{1} << 52, (i128{1} << 52) + 1, (i128{1} << 53) - 1}) {
      for (const i128 below : {i128{0}, i128{1}, (i128{1} << (shift - 1)) - 1, i128{1} << (shift - 1),
                               (i128{1} << (shift - 1)) + 1, (i128{1} << shift) - 1}) {
        const i128 v = (mantissa << shift) + below;
        ASSERT_EQ(to_double(v), static_cast<double>(v)) << shift;
        ASSERT_EQ(to_double(-v), static_cast<double>(-v)) << shift;
      }
    }
  }
  EXPECT_EQ(to_double(0), 0.0);
  EXPECT_FALSE(std::signbit(to_double(0)));
}

TEST(SameMath, LengthsWithinTwoStepsOfTheLibrary) {
  Inputs in;
  for (int i = 0; i < 1000000; ++i) {
    const double a = in.value(), b = i % 3 == 0 ? in.value() : a * (1 + 1e-3 * static_cast<double>(in.rng() % 4000));
    ASSERT_LE(steps(length_of(a, b), std::hypot(a, b)), 2) << a << ", " << b;
    ASSERT_EQ(length_of(a, 0), std::abs(a));
    ASSERT_EQ(length_of(0, a), std::abs(a));
    ASSERT_EQ(length_of(-a, b), length_of(b, a));
  }
  EXPECT_EQ(length_of(0, 0), 0);
  EXPECT_EQ(length_of(3, 4), 5);
  EXPECT_EQ(length_of(-20, 21), 29);
}

TEST(SameMath, AnglesWithinTwoStepsOfTheLibrary) {
  Inputs in;
  for (int i = 0; i < 3000000; ++i) {
    // All magnitudes; near each other, where the steepness changes; and about the borders between the eighths.
    const double x = in.value() + (i % 7 == 0),
                 near = (static_cast<double>(i % 33) + 1e-6 * static_cast<double>(in.rng() % 4096)) / 16;
    const double y = i % 3 == 0 ? in.value() : i % 3 == 1 ? x * near : x * (1 + 1e-15 * static_cast<double>(in.rng() % 64));
    if (y == 0) continue;
    ASSERT_LE(steps(angle_of(y, x), std::atan2(y, x)), 2) << y << ", " << x;
    ASSERT_EQ(angle_of(-y, x), -angle_of(y, x));
  }
}

TEST(SameMath, AnglesOfAxesAndDiagonalsAreExact) {
  for (const double v : {1.0, 3.0, 1e-100, 0x1p126, 12345.678}) {
    EXPECT_EQ(angle_of(0, v), 0.0);
    EXPECT_EQ(angle_of(v, v), kPi / 4);
    EXPECT_EQ(angle_of(v, 0), kPi / 2);
    EXPECT_EQ(angle_of(v, -v), 3 * kPi / 4);
    EXPECT_EQ(angle_of(0, -v), kPi);
    EXPECT_EQ(angle_of(-v, -v), -3 * kPi / 4);
    EXPECT_EQ(angle_of(-v, 0), -kPi / 2);
    EXPECT_EQ(angle_of(-v, v), -kPi / 4);
  }
  EXPECT_EQ(angle_of(0, 0), 0.0);
  EXPECT_FALSE(std::signbit(angle_of(0, 0)));
  EXPECT_EQ(angle_of(1e-200, 1), 1e-200);
}

/// Fused products and sums, other roundings and other libraries would give another number.
TEST(SameMath, SameBitsEverywhere) {
  Inputs in;
  u64 sum = 0;
  const auto mix = [&](double v) { sum = (sum ^ std::bit_cast<u64>(v)) * 0x9E3779B97F4A7C15u, sum ^= sum >> 29; };
  for (int i = 0; i < 1000000; ++i) {
    const i128 w = in.whole();
    const double a = in.value(), b = a * (1e-3 * static_cast<double>(in.rng() % 4000));
    mix(to_double(w)), mix(length_of(a, b)), mix(angle_of(b, a)), mix(angle_of(a, b));
  }
  EXPECT_EQ(sum, 10605252837147648048u);
}

}  // namespace
}  // namespace morpho::test
