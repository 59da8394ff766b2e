// A thread for which there is no memory: those that are there do the work, and nothing ends the program.
#include <gtest/gtest.h>

#include <atomic>

#include "engine/region/region_ops.hpp"
#include "../support/new_fails.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;

/// The one allocation of this number fails.
std::atomic<long> counted{0}, refused{0};
bool refuses() { return ++counted == refused; }

TEST(ThreadStart, OfHandsMayFailForWantOfMemory) {
  Image<u8> image(60, 50);
  for (i64 p = 0; p < image.area(); ++p) image[p] = static_cast<u8>(p * 37 % 61 > 20);
  const auto fill = [&](Image<u8>& out) {
    Resources resources;
    region::Workers workers(resources, {.threads = 4, .cpu = region::CpuWorkers::cores});
    const region::MemoryRaster in(PixelType::u8, 60, 50, &image[0]);
    region::MemoryRaster to(PixelType::u8, 60, 50, &out[0]);
    region::fill_holes(workers, in, to, 16, {Connectivity::four});
  };
  Image<u8> want(60, 50);
  fill(want);
  int whole = 0, without = 0;
  for (refused = 1; refused <= 60; ++refused) {
    Image<u8> got(60, 50);
    counted = 0;
    new_fails = refuses;
    try {
      fill(got);
      new_fails = nullptr;
      ++whole;
      EXPECT_EQ(got.pixels(), want.pixels()) << "without allocation " << refused;
    } catch (const std::bad_alloc&) {
      new_fails = nullptr;
      ++without;
    } catch (const Error& e) {
      new_fails = nullptr;
      EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
      ++without;
    }
  }
  // Some are of threads: the others do their tiles.
  EXPECT_GT(whole, 0);
  EXPECT_GT(without, 0);
}

}  // namespace
}  // namespace morpho::test
