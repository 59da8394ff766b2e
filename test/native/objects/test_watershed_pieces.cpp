// The watershed on images large enough to be searched in pieces: against the sequential drop of water, whatever the threads.
#include "cpu/cpu_ops.hpp"
#include "../support/fewer_threads.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

std::pair<i32, std::vector<i32>> run(const Image<u8>& f, Connectivity c, WatershedVariant v, int threads) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<i32> labels(f.extent.width, f.extent.height);
  const i32 n = cpu::watershed(ctx, f.cplane(), {}, {}, labels.plane(), {c, false, v});
  return {n, labels.pixels()};
}

void all_agree(const Image<u8>& f, const char* what) {
  for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
    const auto expected = run(f, c, WatershedVariant::drop_of_water, 1);
    for (int threads : fewer_threads({1, 2, 5})) {
      const auto got = run(f, c, WatershedVariant::automatic, threads);
      ASSERT_EQ(got.first, expected.first) << what << " threads " << threads;
      ASSERT_EQ(got.second, expected.second) << what << " threads " << threads;
    }
  }
}

TEST(WatershedPieces, AgreeWithTheSequentialOne) {
  // Three pieces of 2^17 px.
  const i32 w = 620, h = 480;
  all_agree(blobs8(w, h, 3), "blobs");
  auto few = noise8(w, h, 4);
  for (i64 p = 0; p < few.area(); ++p) few[p] = static_cast<u8>(few[p] % 3);
  all_agree(few, "three levels");
  all_agree(Image<u8>(w, h, u8{7}), "flat");
  Image<u8> stripes(w, h), walls(w, h), comb(w, h);
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) {
      stripes[y * w + x] = y % 9 == 0 ? 1 : 2;             // wide plateaus with outlets everywhere
      walls[y * w + x] = x % 5 == 0 ? 9 : 1;               // minima from top to bottom, across all cuts
      comb[y * w + x] = x % 4 == 0 || y == h - 1 ? 1 : 9;  // one minimum whose teeth only meet in the last row
    }
  }
  all_agree(stripes, "stripes");
  all_agree(walls, "walls");
  all_agree(comb, "comb");
}

}  // namespace
}  // namespace morpho::test
