// What bands of rows tell their neighbours while all sweep at once.
#include <gtest/gtest.h>

#include <vector>

#include "cpu/reconstruct_band.hpp"

namespace morpho::test {
namespace {

TEST(SharedHalos, NewsReachTheNeighboursOnce) {
  std::vector<u8> rows(2 * 3 * 2), told(2 * 3, 9);
  cpu::SharedHalos<u8> halos(rows.data(), told.data(), 3, 2);
  u8 line[2] = {7, 7};
  for (i32 band : {0, 1, 2}) {
    for (int side : {0, 1}) EXPECT_FALSE(halos.take(band, side, line)) << band;
  }
  EXPECT_EQ(line[0], 7);
  const u8 first[2] = {1, 2}, last[2] = {3, 4};
  halos.tell(1, first, last);
  EXPECT_FALSE(halos.take(0, 0, line));
  EXPECT_FALSE(halos.take(2, 1, line));
  ASSERT_TRUE(halos.take(0, 1, line));  // below band 0 lies the first row of band 1
  EXPECT_EQ(line[0] * 10 + line[1], 12);
  ASSERT_TRUE(halos.take(2, 0, line));
  EXPECT_EQ(line[0] * 10 + line[1], 34);
  EXPECT_FALSE(halos.take(0, 1, line));
  halos.tell(0, first, last);  // the ends have one neighbour
  halos.tell(2, first, last);
  ASSERT_TRUE(halos.take(1, 0, line));
  EXPECT_EQ(line[0] * 10 + line[1], 34);
  ASSERT_TRUE(halos.take(1, 1, line));
  EXPECT_EQ(line[0] * 10 + line[1], 12);
}

/// A band that sweeps beside another one takes over what crosses the border without a round of its own.
TEST(SharedHalos, ASweepTakesOverWhatTheNeighbourTold) {
  constexpr i32 width = 70, height = 40;
  std::vector<u8> marker(width * height), mask(width * height, 200), out(width * height), rows(4 * width), told(4);
  cpu::SharedHalos<u8> halos(rows.data(), told.data(), 2, width);
  const std::vector<u8> above(width, 150);
  halos.tell(0, above.data(), above.data());
  const std::size_t line = cpu::Line<u8>::elements(width);
  std::vector<u8> lines(4 * line), stale(2 * height);
  std::vector<cpu::Pixel> queue(1024);
  Workspace w;
  Context ctx{w, 1, nullptr, nullptr};
  const Extent e{width, height};
  cpu::Band<u8, By::dilation> band(ctx, View<u8>(out.data(), e), View<const u8>(mask.data(), e), true, {lines.data(), stale.data(), queue.data(), 1024});
  ASSERT_TRUE(band.solve(View<const u8>(marker.data(), e), {4, true, 12}, &halos, 1));
  EXPECT_EQ(out, std::vector<u8>(out.size(), 150));
}

}  // namespace
}  // namespace morpho::test
