// The exact distance: hand-checked, against the oracle, and against the definition by brute force.
#include <cmath>

#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

Image<i32> run(const Image<u8>& in, DistanceParams params = {}, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<i32> out(in.extent.width, in.extent.height, -1, 2);
  cpu::distance(ctx, in.cplane(), out.plane(), params);
  return out;
}

Image<i32> brute(const Image<u8>& in, DistanceParams params) {
  Image<i32> out(in.extent.width, in.extent.height, kNoBackground);
  const i32 w = in.extent.width;
  std::vector<i64> zeros;
  for (i64 q = 0; q < in.area(); ++q) {
    if (in[q] == 0) zeros.push_back(q);
  }
  for (i64 p = 0; p < in.area(); ++p) {
    for (i64 q : zeros) {
      const i64 dx = p % w - q % w, dy = p / w - q / w;
      const i64 d = params.weight_x * dx * dx + params.weight_y * dy * dy;
      out[p] = static_cast<i32>(std::min<i64>(out[p], std::min<i64>(d, kNoBackground - 1)));
    }
  }
  return out;
}

TEST(Distance, HandChecked) {
  const auto in = image_of<u8>(4, 4, {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0});
  EXPECT_EQ(run(in).pixels(), (std::vector<i32>{0, 1, 4, 9, 1, 2, 5, 4, 4, 5, 2, 1, 9, 4, 1, 0}));
  EXPECT_EQ(run(in, {4, 1}).pixels(), (std::vector<i32>{0, 4, 13, 9, 1, 5, 8, 4, 4, 8, 5, 1, 9, 13, 4, 0}));
  EXPECT_EQ(run(Image<u8>(4, 4, 255)).pixels(), std::vector<i32>(16, kNoBackground));
  EXPECT_EQ(run(Image<u8>(4, 4, 0)).pixels(), std::vector<i32>(16, 0));
}

TEST(Distance, Oracle) {
  each_case("edt_squared", [](const Case& c) {
    const auto in = c.input<u8>("image");
    if (c.json["compare"].text == "convention") {  // no background anywhere: ours is one value, stated in ops.hpp
      EXPECT_EQ(run(in).pixels(), std::vector<i32>(static_cast<std::size_t>(in.area()), kNoBackground));
      return;
    }
    const double sy = c.params()["spacing"].items[0].number, sx = c.params()["spacing"].items[1].number;
    if (sx == 1 && sy == 1) {
      for (int threads : {1, 3}) EXPECT_EQ(run(in, {}, threads).pixels(), c.output<i32>("out").pixels());
      return;
    }
    // Squared spacings as integers: the oracle's are multiples of 1/4, so 16 units make them whole.
    const DistanceParams params{static_cast<i32>(sx * sx * 16), static_cast<i32>(sy * sy * 16)};
    ASSERT_EQ(params.weight_x, sx * sx * 16);
    ASSERT_EQ(params.weight_y, sy * sy * 16);
    const auto got = run(in, params, 2).pixels();
    const auto expected = c.output<double>("out").pixels();
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i] / 16.0, expected[i], 1e-6 * (1 + expected[i])) << i;
  });
}

TEST(Distance, Generated) {
  each_generated("edt_squared", [](const Case&, const Image<u8>& in, const std::string& sha) {
    for (int threads : {1, 3}) EXPECT_EQ(digest(run(in, {}, threads)), sha);
  });
}

TEST(Distance, RandomAgainstBruteForce) {
  std::mt19937 rng(5);
  for (int i = 0; i < random_images(2000); ++i) {
    const i32 w = 1 + static_cast<i32>(rng() % (i % 10 == 0 ? 150 : 14)),
              h = 1 + static_cast<i32>(rng() % (i % 10 == 1 ? 150 : 14));
    Image<u8> in(w, h, 0, static_cast<i32>(rng() % 3));
    const unsigned rarity = 1 + rng() % 60;
    for (auto& v : in.data) v = rng() % rarity != 0 ? 255 : 0;
    DistanceParams params;
    if (i % 3 == 1) params = {1 + static_cast<i32>(rng() % 20), 1 + static_cast<i32>(rng() % 20)};
    if (i % 3 == 2) params = {1 + static_cast<i32>(rng() % 65536), 1 + static_cast<i32>(rng() % 65536)};
    ASSERT_EQ(run(in, params, 1 + i % 4).pixels(), brute(in, params).pixels()) << i;
  }
}

TEST(Distance, FarAndSaturated) {
  // One zero in a corner: beyond the near search, and with large weights beyond 2^31.
  for (DistanceParams params : {DistanceParams{1, 1}, DistanceParams{65536, 65536}, DistanceParams{7, 60000}}) {
    Image<u8> in(500, 40, 1);
    in.at(0, 0) = 0;
    const auto expected = brute(in, params).pixels();
    EXPECT_EQ(run(in, params).pixels(), expected);
    EXPECT_EQ(run(in, params, 3).pixels(), expected);
  }
}

TEST(Distance, TallImagesCountInThirtyTwoBits) {
  Image<u8> in(2, 70000, 1);
  in.at(1, 0) = 0;
  const auto expected = brute(in, {}).pixels();
  EXPECT_EQ(run(in).pixels(), expected);
  EXPECT_EQ(run(in, {}, 3).pixels(), expected);
  Image<u8> wide(70000, 2, 1);
  wide.at(0, 1) = 0;
  EXPECT_EQ(run(wide).pixels(), brute(wide, {}).pixels());
}

TEST(Distance, ThreadsDoNotMatter) {
  auto in = blobs8(400, 900, 8);
  for (auto& v : in.data) v = v > 90;
  const auto one = run(in, {3, 2}).pixels();
  for (int threads : {2, 3, 8}) EXPECT_EQ(run(in, {3, 2}, threads).pixels(), one);
}

TEST(Distance, OddExtents) {
  for (Extent e : {Extent{0, 0}, Extent{0, 3}, Extent{3, 0}}) run(Image<u8>(e.width, e.height));
  EXPECT_EQ(run(image_of<u8>(5, 1, {1, 1, 0, 1, 1})).pixels(), (std::vector<i32>{4, 1, 0, 1, 4}));
  EXPECT_EQ(run(image_of<u8>(1, 4, {1, 1, 1, 0})).pixels(), (std::vector<i32>{9, 4, 1, 0}));
}

TEST(Distance, MemoryIsWhatTheDocstringStates) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> in(1000, 500, 1);
  Image<i32> out(1000, 500);
  cpu::distance(ctx, in.cplane(), out.plane(), {});
  EXPECT_LE(w.peak_bytes(), 1000u * 500 * 2 + 22 * 1000 + 1024);
}

TEST(Distance, Rejects) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> in(4, 4);
  Image<i32> out(4, 4), wide(5, 4);
  expect_rejected("binary", [&] { cpu::distance(ctx, Image<u16>(4, 4).cplane(), out.plane(), {}); });
  expect_rejected("squared", [&] { cpu::distance(ctx, in.cplane(), Image<u16>(4, 4).plane(), {}); });
  expect_rejected("squared", [&] { cpu::distance(ctx, in.cplane(), wide.plane(), {}); });
  expect_rejected("weight_x", [&] { cpu::distance(ctx, in.cplane(), out.plane(), {0, 1}); });
  expect_rejected("weight_x", [&] { cpu::distance(ctx, in.cplane(), out.plane(), {65537, 1}); });
  expect_rejected("weight_y", [&] { cpu::distance(ctx, in.cplane(), out.plane(), {1, -1}); });
  expect_rejected("squared", [&] { cpu::distance(ctx, ConstPlane(out.data.data(), PixelType::u8, {4, 4}), out.plane(), {}); });
}

TEST(Distance, Cancels) {
  Workspace w;
  CancelFlag stop{true};
  Context ctx{w, 2, &stop, nullptr};
  Image<u8> in(40, 200);
  Image<i32> out(40, 200);
  EXPECT_THROW(cpu::distance(ctx, in.cplane(), out.plane(), {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
