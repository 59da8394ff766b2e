// Images of one column and more rows than half of what an i32 counts: what is counted twice a row must be counted in 64 bits.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "cpu/reconstruct/reconstruct_band.hpp"
#include "cpu/runtime/parallel.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

/// Zeros that take no memory before they are written to.
template <class T>
std::unique_ptr<T, decltype(&std::free)> zeros(i64 n) {
  return {static_cast<T*>(std::calloc(static_cast<std::size_t>(n), sizeof(T))), &std::free};
}

/// A band of 2^30 + 64 rows, of which those at the end are stale: a value is carried from there to the last row and up to where
/// the mask ends. Some 3 GB of addresses, of which 64 KB are written to.
TEST(TallImages, ABandFindsTheFlagsOfItsLastRows) {
  constexpr i32 rows = (1 << 30) + 64, from = rows - 20;
  Workspace w;
  Context ctx = context(w, 1);
  const auto image = zeros<u8>(rows), flags = zeros<u8>(2 * i64{rows}), mask = zeros<u8>(rows);
  if (!image || !flags || !mask) GTEST_SKIP() << "there is no address space for it";
  for (i32 y = rows - 40; y < rows; ++y) mask.get()[y] = 200;
  image.get()[from] = 90;
  cpu::BandScratch<u8> scratch;
  const std::size_t line = cpu::Line<u8>::elements(1);
  std::vector<u8> lines(3 * line);
  std::vector<cpu::Pixel> queue(1024);
  scratch.lines = lines.data(), scratch.stale = flags.get(), scratch.queue = queue.data(), scratch.capacity = 1024;
  for (i32 y = from - 1; y <= from + 1; ++y) flags.get()[2 * i64{y}] = 1;
  const Extent e{1, rows};
  cpu::Band<u8, By::dilation> band(ctx, View<u8>(image.get(), e), View<const u8>(mask.get(), e), true, scratch);
  EXPECT_TRUE(band.settle(nullptr, nullptr));
  for (i32 y = rows - 45; y < rows; ++y) EXPECT_EQ(image.get()[y], y < rows - 40 ? 0 : 90) << y - rows;
  for (i64 k = 2 * i64{rows} - 200; k < 2 * i64{rows}; ++k) ASSERT_EQ(flags.get()[k], 0);
}

TEST(TallImages, PiecesOfTheLargestSizesAreCounted) {
  EXPECT_EQ(cpu::pieces_of(2147483647, 512), 4194304);
  EXPECT_EQ(cpu::pieces_of(2147483647, 2147483647), 1);
  EXPECT_EQ(cpu::pieces_of(0, 512), 0);
  EXPECT_EQ(cpu::pieces_of(513, 512), 2);
}

}  // namespace
}  // namespace morpho::test
