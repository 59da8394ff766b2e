// Contrast and score of objects: by hand, and against the rule that decides by contrast.
#include <cmath>

#include "contract/object_score.hpp"
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

}  // namespace
}  // namespace morpho::test
