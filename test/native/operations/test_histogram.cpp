// Histogram by definition, and Otsu's level by hand, by the definition in exact fractions, and against the oracle.
#include <cmath>

#include "cpu/cpu_ops.hpp"
#include "../support/local_sizes.hpp"

namespace morpho::test {
namespace {

template <class T>
std::vector<u64> run(const Image<T>& f, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  std::vector<u64> bins(sizeof(T) == 1 ? 256 : 65536, 77);
  cpu::histogram(ctx, f.cplane(), bins.data());
  return bins;
}

TEST(Histogram, ByDefinition) {
  std::mt19937 rng(50);
  for (Extent e : odd_sizes()) {
    const auto check = [&](auto zero) {
      using T = decltype(zero);
      const auto f = random_image<T>(rng, e.width, e.height, 1 << (8 * sizeof(T)), 1, 3);
      std::vector<u64> expected(sizeof(T) == 1 ? 256 : 65536, 0);
      for (T v : f.pixels()) ++expected[v];
      for (int threads : kThreadCounts) ASSERT_EQ(run(f, threads), expected);
    };
    check(u8{});
    check(u16{});
  }
}

TEST(Histogram, ManyThreads) {
  std::mt19937 rng(51);
  const auto f = random_image<u8>(rng, 1500, 1400, 256, 1, 5);
  const auto expected = run(f);
  u64 sum = 0;
  for (u64 n : expected) sum += n;
  EXPECT_EQ(sum, 1500u * 1400u);
  for (int threads : {2, 3, 8}) EXPECT_EQ(run(f, threads), expected);
}

// Large images of bytes are counted by pairs; odd widths leave one over, and a flat image is one pair all along.
TEST(Histogram, LargeByDefinition) {
  std::mt19937 rng(53);
  for (i32 width : {1024, 1025, 1027, 1031}) {
    for (int levels : {1, 256}) {
      const auto f = random_image<u8>(rng, width, 530, levels, 1, 3);
      std::vector<u64> expected(256, 0);
      for (u8 v : f.pixels()) ++expected[v];
      for (int threads : {1, 2, 5, 16}) ASSERT_EQ(run(f, threads), expected) << width << ' ' << threads;
    }
  }
}

TEST(Otsu, HandChecked) {
  const auto level = [](std::vector<u64> bins) { return otsu_level(bins.data(), static_cast<i32>(bins.size())); };
  EXPECT_EQ(level({}), 0);
  EXPECT_EQ(level({0, 0, 0, 0}), 0);
  EXPECT_EQ(level({0, 0, 5, 0}), 2);
  EXPECT_EQ(level({0, 3, 0, 0, 3, 0}), 1);  // every t in [1, 3] gives the same classes: the smallest
  EXPECT_EQ(level({1, 1, 1}), 0);           // 1|2 and 2|1 give the same variance: the smallest
  EXPECT_EQ(level({4, 1, 0, 0, 1, 4}), 1);  // symmetric: {0,1} against {4,5}
  EXPECT_EQ(level({9, 1, 1, 0, 0, 0, 0, 2}), 2);
}

TEST(Otsu, ByDefinition) {
  std::mt19937 rng(52);
  for (int round = 0; round < 300; ++round) {
    std::vector<u64> bins(2 + rng() % 40);
    for (auto& b : bins) b = rng() % 3 ? rng() % 6 : 0;
    // Small counts: the variance as a fraction of 64-bit integers, compared by cross products.
    i64 total = 0, sum = 0;
    for (std::size_t v = 0; v < bins.size(); ++v) total += static_cast<i64>(bins[v]), sum += static_cast<i64>(bins[v] * v);
    i64 n = 0, s = 0, best = -1;
    double best_num = 0, best_den = 1;
    int used = 0;
    for (std::size_t v = 0; v < bins.size(); ++v) {
      used += bins[v] > 0;
      n += static_cast<i64>(bins[v]);
      s += static_cast<i64>(bins[v] * v);
      if (n == 0 || n == total) continue;
      const double d = static_cast<double>(total * s - n * sum), num = d * d, den = static_cast<double>(n * (total - n));
      if (num * best_den > best_num * den) best_num = num, best_den = den, best = static_cast<i64>(v);
    }
    if (used < 2) continue;
    ASSERT_EQ(otsu_level(bins.data(), static_cast<i32>(bins.size())), best) << round;
  }
}

TEST(Otsu, HugeCountsStayExact) {
  // Counts times a constant change nothing; 65536 bins of 2^31 pixels need numbers of more than 300 bits.
  std::mt19937 rng(53);
  std::vector<u64> bins(65536), large(65536);
  for (std::size_t v = 0; v < bins.size(); ++v) {
    bins[v] = rng() % 4;
    large[v] = bins[v] << 30;
  }
  const i32 level = otsu_level(bins.data(), 65536);
  EXPECT_EQ(otsu_level(large.data(), 65536), level);
  EXPECT_NEAR(level, 32768, 400);
  // Mirrored classes tie, so the smaller of the two levels wins whatever the size.
  std::vector<u64> tie(65536, 0);
  tie[0] = tie[30000] = tie[60000] = u64{1} << 45;
  EXPECT_EQ(otsu_level(tie.data(), 65536), 0);
}

TEST(Otsu, Oracle) {
  each_case("otsu", [](const Case& c) {
    const auto f = c.input<u8>("image", 2);
    const auto bins = run(f);
    const i32 level = otsu_level(bins.data(), 256);
    i64 foreground = 0, at_theirs = 0;
    for (u8 v : f.pixels()) {
      foreground += v > level;
      at_theirs += v > c.json["threshold"].integer();
    }
    EXPECT_EQ(foreground, c.json["foreground"].integer());
    EXPECT_EQ(at_theirs, foreground);
  });
}

TEST(Histogram, BadArguments) {
  Workspace w;
  Context ctx = context(w);
  Image<i32> labels(3, 3);
  Image<u8> f(3, 3);
  u64 bins[256];
  expect_rejected("f", [&] { cpu::histogram(ctx, labels.cplane(), bins); });
  expect_rejected("bins", [&] { cpu::histogram(ctx, f.cplane(), nullptr); });
  expect_rejected("count", [&] { otsu_level(bins, -1); });
  expect_rejected("count", [&] { otsu_level(bins, 65537); });
  const u64 most[2] = {u64{1} << 47, u64{1} << 47};
  expect_rejected("bins", [&] { otsu_level(most, 2); });
  CancelFlag stop{true};
  ctx.cancel = &stop;
  EXPECT_THROW(cpu::histogram(ctx, f.cplane(), bins), Cancelled);
}

}  // namespace
}  // namespace morpho::test
