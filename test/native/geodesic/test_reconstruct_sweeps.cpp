// Sweeps by several workers that take over rows from each other.
#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

#include "cpu/reconstruct/reconstruct_band.hpp"
#include "cpu/reconstruct/reconstruct_sweeps.hpp"

namespace morpho::test {
namespace {

TEST(RowShare, GivesEachRowOnce) {
  cpu::RowShare share;
  share.set(true, 10, 110);
  EXPECT_TRUE(share.up());
  i32 begin = 0, end = 0;
  bool up = false;
  ASSERT_TRUE(share.take(16, begin, end));
  EXPECT_EQ(begin, 10);
  EXPECT_EQ(end, 26);
  EXPECT_EQ(share.left(), 84);
  EXPECT_FALSE(share.take_half(85, up, begin, end));
  ASSERT_TRUE(share.take_half(84, up, begin, end));
  EXPECT_TRUE(up && share.up());
  EXPECT_EQ(begin, 68);
  EXPECT_EQ(end, 110);
  EXPECT_EQ(share.left(), 42);
  for (i32 at = 26; at < 68; at += 16) ASSERT_TRUE(share.take(16, begin, end)) << at;
  EXPECT_EQ(begin, 58);
  EXPECT_EQ(end, 68);
  EXPECT_FALSE(share.take(16, begin, end));
}

TEST(RowShare, GivesEachRowOnceToManyThreads) {
  constexpr i32 rows = 200000;
  cpu::RowShare share;
  share.set(false, 0, rows);
  std::vector<std::atomic<int>> given(rows);
  const auto note = [&](i32 begin, i32 end) {
    for (i32 y = begin; y < end; ++y) ++given[static_cast<std::size_t>(y)];
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      i32 begin = 0, end = 0;
      bool up = false;
      if (t == 0) {
        while (share.take(3, begin, end)) note(begin, end);
      } else {
        while (share.take_half(1000, up, begin, end)) note(begin, end);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& n : given) ASSERT_EQ(n, 1);
}

/// A reconstruction in sweeps, with the queue for what they leave: of noise, from a few pixels, against sweeps of one worker
/// until nothing moves.
struct Noise {
  static constexpr i32 width = 75, height = 700;
  std::vector<u8> marker, mask;
  Noise() : marker(width * height), mask(width * height) {
    std::mt19937 random(7);
    for (auto& v : mask) v = static_cast<u8>(100 + random() % 100);
    for (i32 i = 0; i < 40; ++i) marker[random() % marker.size()] = 255;
  }
  /// sweeps < 0: until nothing moves. The stale rows that are left are the queue's.
  std::vector<u8> solve(int workers, int sweeps, bool skip) const {
    std::vector<u8> out(marker.size()), stale(2 * height);
    const std::size_t line = cpu::Line<u8>::elements(width);
    std::vector<u8> lines(static_cast<std::size_t>(workers) * cpu::Sweeps<u8, By::dilation>::lines_each * line);
    std::vector<cpu::RowShare> shares(static_cast<std::size_t>(workers));
    std::vector<cpu::Pixel> queue(1024);
    Workspace w;
    Context ctx{w, workers, nullptr, nullptr};
    const Extent e{width, height};
    const View<u8> to(out.data(), e);
    const View<const u8> bound(mask.data(), e);
    cpu::Sweeps<u8, By::dilation> all(ctx, to, bound, true, workers, lines.data(), stale.data(), shares.data());
    for (int i = 0; i != sweeps; ++i) {
      const i32 moved = all.sweep(i > 0 ? View<const u8>(to) : View<const u8>(marker.data(), e), skip && i > 0);
      if (moved == 0 && i > 0) break;
    }
    cpu::Band<u8, By::dilation>(ctx, to, bound, true, {lines.data(), stale.data(), queue.data(), 1024})
        .settle(nullptr, nullptr);
    return out;
  }
};

TEST(Sweeps, WhateverTheWorkersAndHoweverManySweepsTheRestIsLeftStale) {
  const Noise noise;
  const auto expected = noise.solve(1, -1, false);
  ASSERT_NE(expected, noise.solve(1, 0, false));
  for (int workers : {1, 2, 3, 5}) {
    for (int sweeps : {1, 2, 3, 4, 9, -1}) {
      for (bool skip : {false, true}) {
        for (int time = 0; time < 5; ++time)
          ASSERT_EQ(noise.solve(workers, sweeps, skip), expected)
              << workers << " workers, " << sweeps << " sweeps, skip " << skip;
      }
    }
  }
}

/// What comes to the border of one worker's rows is known to the next one in the sweep after: a wave needs no queue to get
/// there.
TEST(Sweeps, AWaveCrossesFromOneWorkerToTheNext) {
  constexpr i32 width = 40, height = 96;
  std::vector<u8> marker(width * height), mask(width * height, 200), out(width * height), stale(2 * height);
  marker[5] = 150;
  const std::size_t line = cpu::Line<u8>::elements(width);
  std::vector<u8> lines(3 * cpu::Sweeps<u8, By::dilation>::lines_each * line);
  std::vector<cpu::RowShare> shares(3);
  Workspace w;
  Context ctx{w, 3, nullptr, nullptr};
  const Extent e{width, height};
  const View<u8> to(out.data(), e);
  cpu::Sweeps<u8, By::dilation> all(ctx, to, View<const u8>(mask.data(), e), true, 3, lines.data(), stale.data(),
                                    shares.data());
  for (int i = 0; i < 3; ++i) all.sweep(i > 0 ? View<const u8>(to) : View<const u8>(marker.data(), e), i > 0);
  EXPECT_EQ(out, std::vector<u8>(out.size(), 150));
}

}  // namespace
}  // namespace morpho::test
