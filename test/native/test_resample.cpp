// Area-averaging resample: hand-checked, and against the definition pixel by pixel.
#include "cpu/cpu_ops.hpp"
#include "local_sizes.hpp"

namespace morpho::test {
namespace {

using Bytes = std::vector<int>;
Bytes bytes(const Image<Rgba>& image) {
  Bytes out;
  for (const Rgba& c : image.pixels()) out.insert(out.end(), {c.r, c.g, c.b, c.a});
  return out;
}
Image<Rgba> run(const Image<Rgba>& in, Extent e, const ResampleParams& p, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<Rgba> out(e.width, e.height, Rgba{1, 2, 3, 4}, 2);
  cpu::resample(ctx, in.view(), out.view(), p);
  return out;
}
Image<Rgba> naive(const Image<Rgba>& in, Extent e, const ResampleParams& p) {
  Image<Rgba> out(e.width, e.height);
  const auto overlap = [](i64 pixel, i64 begin, i64 end) {
    return std::max<i64>(0, std::min(end, (pixel + 1) << 16) - std::max(begin, pixel << 16));
  };
  for (i32 j = 0; j < e.height; ++j) {
    for (i32 i = 0; i < e.width; ++i) {
      u64 sum[4] = {0, 0, 0, 0}, area = 0;
      for (i32 y = 0; y < in.extent.height; ++y) {
        const i64 wy = overlap(y, p.y0 + j * p.step_y, p.y0 + (j + 1) * p.step_y);
        if (wy == 0) continue;
        for (i32 x = 0; x < in.extent.width; ++x) {
          const u64 w = static_cast<u64>(wy * overlap(x, p.x0 + i * p.step_x, p.x0 + (i + 1) * p.step_x));
          const Rgba c = in.at(x, y);
          sum[0] += w * c.r, sum[1] += w * c.g, sum[2] += w * c.b, sum[3] += w * c.a;
          area += w;
        }
      }
      const auto mean = [&](u64 s) { return static_cast<u8>(area ? (2 * s + area) / (2 * area) : 0); };
      out.at(i, j) = Rgba{mean(sum[0]), mean(sum[1]), mean(sum[2]), mean(sum[3])};
    }
  }
  return out;
}
Image<Rgba> colors(std::mt19937& rng, Extent e) {
  Image<Rgba> out(e.width, e.height, Rgba{}, 3);
  for (auto& c : out.data)
    c = Rgba{static_cast<u8>(rng()), static_cast<u8>(rng()), static_cast<u8>(rng()), static_cast<u8>(rng())};
  return out;
}

TEST(Resample, HandChecked) {
  Image<Rgba> in(4, 2);
  for (i32 x = 0; x < 4; ++x) {
    in.at(x, 0) = Rgba{static_cast<u8>(10 * x), 0, 255, 255};
    in.at(x, 1) = Rgba{static_cast<u8>(10 * x + 1), 1, 255, 255};
  }
  ResampleParams half;
  half.step_x = half.step_y = 2 << 16;
  EXPECT_EQ(bytes(run(in, {2, 1}, half)), (Bytes{6, 1, 255, 255, 26, 1, 255, 255}));  // 5.5 and 0.5 go up
  ResampleParams third;  // pixels of 4/3: (10*0 + 10/3) / (4/3) = 2.5 along the first row
  third.step_x = 87381;
  EXPECT_EQ(run(in, {3, 1}, third).at(0, 0).r, 2);  // 4/3 is a little more than 87381/65536, so a little less than 2.5
  EXPECT_EQ(bytes(run(in, {4, 2}, {})), bytes(in));
  ResampleParams left;
  left.x0 = -3 << 16;
  left.step_x = 2 << 16;
  EXPECT_EQ(bytes(run(in, {3, 1}, left)),
            (Bytes{0, 0, 0, 0, 0, 0, 255, 255, 15, 0, 255, 255}));  // nothing; pixel 0 alone; 1 and 2
}

TEST(Resample, ByDefinition) {
  std::mt19937 rng(70);
  for (Extent e : odd_sizes()) {
    const auto in = colors(rng, e);
    for (int round = 0; round < 6; ++round) {
      ResampleParams p;
      p.x0 = static_cast<i64>(rng() % (12 << 16)) - (6 << 16);
      p.y0 = static_cast<i64>(rng() % (12 << 16)) - (6 << 16);
      p.step_x = round == 0 ? 1 << 20 : round == 1 ? 20000 : 1 + static_cast<i64>(rng() % (5 << 16));
      p.step_y = round == 0 ? 1 << 26 : round == 1 ? 65536 : 1 + static_cast<i64>(rng() % (5 << 16));
      const Extent size{static_cast<i32>(rng() % 30), static_cast<i32>(rng() % 20)};
      const auto expected = bytes(naive(in, size, p));
      for (int threads : kThreadCounts)
        ASSERT_EQ(bytes(run(in, size, p, threads)), expected) << e.width << "x" << e.height << " round " << round;
    }
  }
}

// Halves of whole pixels go a way of their own, up to the last odd row and column.
TEST(Resample, HalvesByDefinition) {
  std::mt19937 rng(72);
  for (Extent e : {Extent{64, 40}, Extent{65, 41}, Extent{2, 2}, Extent{1, 3}, Extent{203, 17}}) {
    const auto in = colors(rng, e);
    for (i64 at : {i64{0}, i64{1}, i64{-2}, i64{6}}) {
      ResampleParams p;
      p.x0 = at << 16, p.y0 = (at / 2) << 16;
      p.step_x = p.step_y = 2 << 16;
      const Extent size{e.width / 2 + 3, e.height / 2 + 2};
      const auto expected = bytes(naive(in, size, p));
      for (int threads : {1, 2, 5, 16})
        ASSERT_EQ(bytes(run(in, size, p, threads)), expected) << e.width << "x" << e.height << " from " << at;
    }
  }
}

TEST(Resample, LargestSumsDoNotOverflow) {
  const Image<Rgba> in(300, 700, Rgba{255, 255, 255, 255});
  ResampleParams p;
  for (i64 step : {256 << 16, 257 << 16, 1 << 27}) {
    p.step_x = p.step_y = step;
    EXPECT_EQ(bytes(run(in, {1, 1}, p)), (Bytes{255, 255, 255, 255}));
  }
  p.y0 = 32768;  // 256 px that touch 257 rows
  p.step_y = 256 << 16;
  EXPECT_EQ(bytes(run(in, {1, 1}, p)), (Bytes{255, 255, 255, 255}));
}

TEST(Resample, ManyThreads) {
  std::mt19937 rng(71);
  const auto in = colors(rng, {1200, 900});
  ResampleParams p;
  p.step_x = p.step_y = 130001;
  const auto expected = bytes(run(in, {600, 450}, p));
  for (int threads : {2, 3, 8}) EXPECT_EQ(bytes(run(in, {600, 450}, p, threads)), expected);
}

TEST(Resample, BadArguments) {
  Workspace w;
  Context ctx = context(w);
  Image<Rgba> in(5, 5), out(5, 5);
  const auto with = [&](auto&& change) {
    ResampleParams p;
    change(p);
    cpu::resample(ctx, in.view(), out.view(), p);
  };
  for (i64 bad : {i64{0}, i64{-5}, (i64{1} << 27) + 1}) {
    expect_rejected("step_x", [&] { with([&](auto& p) { p.step_x = bad; }); });
    expect_rejected("step_y", [&] { with([&](auto& p) { p.step_y = bad; }); });
  }
  for (i64 bad : {(i64{1} << 48) + 1, -(i64{1} << 48) - 1}) {
    expect_rejected("x0", [&] { with([&](auto& p) { p.x0 = bad; }); });
    expect_rejected("y0", [&] { with([&](auto& p) { p.y0 = bad; }); });
  }
  expect_rejected("out", [&] { cpu::resample(ctx, in.view(), in.view(), {}); });
  expect_rejected("in", [&] { cpu::resample(ctx, View<const Rgba>(nullptr, {5, 5}), out.view(), {}); });
  CancelFlag stop{true};
  ctx.cancel = &stop;
  EXPECT_THROW(with([](auto&) {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
