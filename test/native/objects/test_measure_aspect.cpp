// Pixels that are not square: axes, perimeter and what follows from them are those of the object, not of its picture in pixels.
#include <cmath>
#include <numbers>
#include <random>

#include "cpu/cpu_ops.hpp"
#include "../support/local_sizes.hpp"
#include "../support/same_output.hpp"

namespace morpho::test {
namespace {

constexpr double kHalfTurn = std::numbers::pi;

ObjectSet measured_with(const Image<i32>& labels, double aspect, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  MeasureParams p;
  p.aspect = aspect;
  ObjectSet out;
  cpu::measure(ctx, labels.cplane(), {}, {}, {}, out, p);
  return out;
}

Image<i32> rectangle(i32 width, i32 height) {
  Image<i32> labels(width + 2, height + 2, 0, 1);
  for (i32 y = 1; y <= height; ++y)
    for (i32 x = 1; x <= width; ++x) labels.at(x, y) = 1;
  return labels;
}

/// An ellipse with these half axes in µm, turned by an angle (degrees, counter-clockwise as seen), on pixels of w × h µm.
Image<i32> ellipse(double a, double b, double angle, double w, double h) {
  const double reach = std::max(a, b) + 2, turn = angle * kHalfTurn / 180;
  Image<i32> labels(static_cast<i32>(2 * reach / w), static_cast<i32>(2 * reach / h), 0, 1);
  for (i32 y = 0; y < labels.extent.height; ++y) {
    for (i32 x = 0; x < labels.extent.width; ++x) {
      const double dx = (x + 0.5) * w - reach, dy = reach - (y + 0.5) * h;
      const double u = dx * std::cos(turn) + dy * std::sin(turn), v = dy * std::cos(turn) - dx * std::sin(turn);
      labels.at(x, y) = (u / a) * (u / a) + (v / b) * (v / b) <= 1;
    }
  }
  return labels;
}

/// Ramanujan's second formula, off by less than 1e-5 here.
double ellipse_perimeter(double a, double b) {
  const double h = (a - b) * (a - b) / ((a + b) * (a + b));
  return kHalfTurn * (a + b) * (1 + 3 * h / (10 + std::sqrt(4 - 3 * h)));
}

TEST(MeasureAspect, RectangleByHand) {
  // Pixels 2 wide and 1/2 high: 7 × 3 of them are 14 × 1.5.
  const auto m = measured_with(rectangle(7, 3), 4).objects.at(0);
  EXPECT_EQ(m.area, 21);
  EXPECT_EQ(m.centroid_x, 4.5);  // places stay px
  EXPECT_EQ(m.centroid_y, 2.5);
  EXPECT_DOUBLE_EQ(m.major_axis, 4 * 14 / std::sqrt(12.0));
  EXPECT_NEAR(m.minor_axis, 4 * 1.5 / std::sqrt(12.0), 1e-12);
  EXPECT_DOUBLE_EQ(m.eccentricity, std::sqrt(1 - 1.5 * 1.5 / (14 * 14)));
  EXPECT_EQ(m.orientation, 0);
  EXPECT_EQ(m.solidity, 1);
  // 3 rows, 7 columns, and 9 diagonals each way; w² + h² is 4.25.
  EXPECT_DOUBLE_EQ(m.perimeter, kHalfTurn / 4 * (2 * (0.125 * 3 + 8 * 7) / 4.25 + 18 / std::sqrt(4.25)));
  EXPECT_DOUBLE_EQ(m.circularity, 4 * kHalfTurn * 21 / (m.perimeter * m.perimeter));
  // A picture that stands is an object that lies: 3 × 7 pixels are 6 × 3.5.
  const auto lies = measured_with(rectangle(3, 7), 4).objects.at(0);
  EXPECT_EQ(lies.orientation, 0);
  EXPECT_DOUBLE_EQ(lies.major_axis, 4 * 6 / std::sqrt(12.0));
  // And 4 × 16 pixels are a square: no direction stands out, though its picture has one.
  const auto square = measured_with(rectangle(4, 16), 4).objects.at(0);
  EXPECT_EQ(square.orientation, 0);
  EXPECT_EQ(square.eccentricity, 0);
  EXPECT_EQ(square.major_axis, square.minor_axis);
}

TEST(MeasureAspect, AnEllipseOf16By8MicrometresHowEverItLies) {
  const double w = 0.25, h = 0.5, um = std::sqrt(w * h), perimeter = ellipse_perimeter(8, 4);
  for (int angle = -75; angle <= 90; angle += 15) {
    const auto m = measured_with(ellipse(8, 4, angle, w, h), w / h).objects.at(0);
    EXPECT_NEAR(m.major_axis * um, 16, 0.15) << angle;
    EXPECT_NEAR(m.minor_axis * um, 8, 0.15) << angle;
    EXPECT_NEAR(m.orientation, angle, 0.5);
    EXPECT_NEAR(m.eccentricity, std::sqrt(0.75), 0.01) << angle;
    EXPECT_NEAR(m.perimeter * um, perimeter, 0.025 * perimeter) << angle;
    EXPECT_NEAR(m.circularity, 4 * kHalfTurn * kHalfTurn * 32 / (perimeter * perimeter), 0.04) << angle;
    EXPECT_NEAR(static_cast<double>(m.area) * um * um, kHalfTurn * 32, 1) << angle;
  }
  // A disk has the perimeter of a disk whatever its pixels.
  for (const double high : {0.125, 0.2, 0.25, 0.3, 0.4, 0.5, 1.0}) {
    const auto m = measured_with(ellipse(10, 10, 0, w, high), w / high).objects.at(0);
    EXPECT_NEAR(m.perimeter * std::sqrt(w * high), 20 * kHalfTurn, 0.3) << high;
    EXPECT_GT(m.circularity, 0.98) << high;
  }
}

TEST(MeasureAspect, SquarePixelsAreItsLimitAndThreadsHaveNoPart) {
  std::mt19937 rng(36);
  Image<i32> labels(90, 70, 0, 3);
  for (i64 at = 0; at < labels.area(); ++at) labels[at] = static_cast<i32>(rng() % 9);
  const auto square = measured_with(labels, 1), near = measured_with(labels, 1 + 1e-13);
  for (std::size_t i = 0; i < square.objects.size(); ++i) {
    const auto &a = square.objects[i], &b = near.objects[i];
    EXPECT_NEAR(a.perimeter, b.perimeter, 1e-9);
    EXPECT_NEAR(a.major_axis, b.major_axis, 1e-9);
    EXPECT_NEAR(a.minor_axis, b.minor_axis, 1e-9);
    EXPECT_NEAR(a.orientation, b.orientation, 1e-6);
  }
  const auto alone = measured_with(labels, 0.5);
  for (const int threads : kThreadCounts) {
    const auto set = measured_with(labels, 0.5, threads);
    ASSERT_EQ(set.objects.size(), alone.objects.size());
    for (std::size_t i = 0; i < set.objects.size(); ++i) EXPECT_TRUE(same_doubles(set.objects[i], alone.objects[i]));
  }
}

TEST(MeasureAspect, RefusesWhatNoPixelHas) {
  for (const double aspect : {0.0, -1.0, 1e-7, 1e7, std::nan("")})
    EXPECT_THROW(measured_with(rectangle(2, 2), aspect), Error) << aspect;
}

}  // namespace
}  // namespace morpho::test
