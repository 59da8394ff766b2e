// What lies under objects: contrast and score, against the rule that decides by contrast too; stains, and the area that they
// take.
#include <cmath>
#include <random>

#include "contract/object_score.hpp"
#include "contract/tables.hpp"
#include "cpu/cpu_ops.hpp"
#include "../support/local_sizes.hpp"

namespace morpho::test {
namespace {

ObjectSet measured_over(const Image<i32>& labels, const Image<u8>* value, const Image<u8>* below, const MeasureParams& p,
                        int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  const auto grey = [](const Image<u8>* image) { return image ? image->cplane() : ConstPlane(); };
  ObjectSet out;
  cpu::measure(ctx, labels.cplane(), {}, grey(value), grey(below), out, p);
  return out;
}
template <class T>
Image<T> rows_of(const std::vector<std::vector<int>>& rows) {
  Image<T> out(static_cast<i32>(rows[0].size()), static_cast<i32>(rows.size()), T{77}, 3);
  for (i32 y = 0; y < out.extent.height; ++y) {
    for (i32 x = 0; x < out.extent.width; ++x)
      out.at(x, y) = static_cast<T>(rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]);
  }
  return out;
}

TEST(MeasureValues, ContrastAndScoreByHand) {
  const Image<i32> f = rows_of<i32>({{1, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 0, 2}, {0, 0, 0, 2}});
  const auto value = rows_of<u8>({{50, 60, 9, 9}, {70, 60, 9, 9}, {9, 9, 9, 20}, {9, 9, 9, 30}});
  const auto below = rows_of<u8>({{10, 20, 9, 9}, {10, 40, 9, 9}, {9, 9, 9, 40}, {9, 9, 9, 40}});
  MeasureParams p;
  p.contrast_per = 20;   // grey levels
  p.contrast_area = 64;  // (4 / 64)^(1/4) = 1/2
  for (int threads : kThreadCounts) {
    const auto set = measured_over(f, &value, &below, p, threads);
    ASSERT_EQ(set.objects.size(), 2u);
    // 240 - 80 over four pixels are 40, half of that for their area, 20 levels are 1; a square is solid: (1/2 + 1) / 2.
    EXPECT_EQ(set.objects[0].contrast, 1);
    EXPECT_EQ(set.objects[0].solidity, 1);
    EXPECT_EQ(set.objects[0].score, 75);
    // 50 - 80 over two: it lies below its surroundings.
    EXPECT_DOUBLE_EQ(set.objects[1].contrast, -15 * std::pow(2 / 64.0, 0.25) / 20);
    EXPECT_EQ(set.objects[1].score, 50);
    const auto alone = measured_over(f, &value, nullptr, p, threads);
    EXPECT_EQ(alone.objects[0].contrast, 60 * 0.5 / 20);
    EXPECT_EQ(alone.objects[0].score, 88);  // (3/4 + 1) / 2, halves up
  }
  for (const auto& m : measured_over(f, nullptr, nullptr, {}).objects)
    EXPECT_TRUE(std::isnan(m.contrast) && std::isnan(m.score));
}

/// What decides whether an object stays is what is told of it: limits on either side of its contrast.
TEST(MeasureValues, ContrastIsWhatTheRuleDecidesBy) {
  std::mt19937 rng(5);
  Image<i32> f(120, 90);
  Image<u8> value(120, 90), below(120, 90);
  for (i64 at = 0; at < f.area(); ++at) {
    f[at] = at % 120 / 12 + 10 * (at / 120 / (1 + at % 120 / 12)) + 1;
    below[at] = static_cast<u8>(rng() % 90), value[at] = static_cast<u8>(below[at] + rng() % 150);
  }
  MeasureParams p;
  p.contrast_per = 37, p.contrast_area = objects::contrast_area(55.4);
  const auto set = measured_over(f, &value, &below, p);
  ASSERT_GT(set.objects.size(), 50u);
  const auto n = static_cast<std::size_t>(set.objects.back().label);
  std::vector<LabelSums> sums(n + 1);
  Workspace w;
  Context ctx = context(w);
  cpu::label_sums(ctx, f.cplane(), static_cast<i32>(n), value.cplane(), below.cplane(), sums.data());
  for (const auto& m : set.objects) {
    const LabelSums& s = sums[static_cast<std::size_t>(m.label)];
    EXPECT_EQ(m.contrast, objects::contrast(s.value, s.area, p.contrast_area, p.contrast_per));
    EXPECT_TRUE(objects::has_contrast(s, objects::contrast_level((m.contrast - 0.01) * p.contrast_per), p.contrast_area));
    EXPECT_FALSE(objects::has_contrast(s, objects::contrast_level((m.contrast + 0.01) * p.contrast_per), p.contrast_area));
    EXPECT_TRUE(m.score >= 0 && m.score <= 100 && m.score == std::floor(m.score));
  }
}

/// "11." over "122".
Image<i32> two_objects() {
  Image<i32> labels(3, 2, 0, 2);
  labels.at(0, 0) = labels.at(1, 0) = labels.at(0, 1) = 1;
  labels.at(1, 1) = labels.at(2, 1) = 2;
  return labels;
}
ObjectSet stained(const Image<i32>& labels, const Image<Rgba>* colors, const MeasureParams& p, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  ObjectSet out;
  cpu::measure(ctx, labels.cplane(), colors ? colors->view() : View<const Rgba>(), {}, {}, out, p);
  return out;
}

TEST(MeasureStains, AreThoseOfThePixels) {
  const Image<i32> f = two_objects();
  Image<Rgba> colors(3, 2, Rgba{255, 255, 255, 255}, 4);
  colors.at(0, 0) = {100, 255, 255, 255};
  colors.at(1, 0) = {10, 255, 255, 255};
  colors.at(0, 1) = {1, 255, 255, 255};
  MeasureParams p;  // stain 0: OD of red; stain 1: minus half of it; stain 2: OD of green
  p.stains[1].row[0] = -32768;
  p.stains[2].row[0] = 0;
  p.stains[2].row[1] = 65536;
  for (int threads : kThreadCounts) {
    const auto set = stained(f, &colors, p, threads);
    const auto& m = set.objects.at(0);
    i32 od[256];
    od_table(255, od);
    const double a = od[100] / 1024.0, b = od[10] / 1024.0, c = od[1] / 1024.0, mean = (a + b + c) / 3;
    EXPECT_DOUBLE_EQ(m.stain_mean[0], mean);
    EXPECT_NEAR(m.stain_mean[0], (std::log10(2.55) + std::log10(25.5) + std::log10(255)) / 3, 1e-3);
    EXPECT_NEAR(m.stain_std[0], std::sqrt(((a - mean) * (a - mean) + (b - mean) * (b - mean) + (c - mean) * (c - mean)) / 3),
                1e-12);
    EXPECT_EQ(m.stain_min[0], a);
    EXPECT_EQ(m.stain_max[0], c);
    EXPECT_NEAR(m.stain_mean[1], -mean / 2, 0.5 / 1024 + 1e-12);  // not clamped at 0
    EXPECT_EQ(m.stain_mean[2], 0);
    EXPECT_EQ(m.stain_std[2], 0);
    EXPECT_EQ(set.objects.at(1).stain_mean[0], 0);
  }
}

TEST(MeasureStains, ShareOfTheAreaThatIsStained) {
  // An object of several large parts and one of three pixels; which pixels are stained is told twice.
  const Image<i32> f = two_objects();
  Image<Rgba> colors(3, 2, Rgba{255, 255, 255, 255}, 4);
  colors.at(0, 0) = {100, 255, 255, 255};
  colors.at(1, 0) = {10, 255, 255, 255};
  colors.at(1, 1) = {100, 255, 255, 255};
  i32 od[256];
  od_table(255, od);
  MeasureParams p;
  p.stained = 0, p.stained_above = od[100];
  EXPECT_DOUBLE_EQ(stained(f, &colors, p).objects.at(0).stained_area, 100.0 / 3);  // at the limit is below it
  EXPECT_EQ(stained(f, &colors, p).objects.at(1).stained_area, 0);
  p.stained_above = od[100] - 1;
  EXPECT_DOUBLE_EQ(stained(f, &colors, p).objects.at(0).stained_area, 200.0 / 3);
  EXPECT_EQ(stained(f, &colors, p).objects.at(1).stained_area, 50);
  EXPECT_TRUE(std::isnan(stained(f, nullptr, p).objects.at(0).stained_area));
  p.stained = -1;
  EXPECT_TRUE(std::isnan(stained(f, &colors, p).objects.at(0).stained_area));

  std::mt19937 random(11);
  Image<i32> wide(700, 900);
  Image<Rgba> noise(700, 900);
  i64 above = 0;
  p.stained = 2, p.stained_above = od[90];
  p.stains[2].row[0] = 0, p.stains[2].row[1] = 65536;
  for (i32 y = 0; y < 900; ++y) {
    for (i32 x = 0; x < 700; ++x) {
      wide.at(x, y) = 7;
      noise.at(x, y) = {static_cast<u8>(random()), static_cast<u8>(random()), static_cast<u8>(random()), 255};
      above += od[noise.at(x, y).g] > od[90];
    }
  }
  for (int threads : kThreadCounts)
    EXPECT_EQ(stained(wide, &noise, p, threads).objects.at(0).stained_area, 100 * static_cast<double>(above) / (700 * 900));
}

}  // namespace
}  // namespace morpho::test
