// Gaussian, median and box mean: hand-checked, and against their definitions pixel by pixel.
#include <cmath>

#include "contract/tables.hpp"
#include "cpu/cpu_ops.hpp"
#include "../support/local_sizes.hpp"

namespace morpho::test {
namespace {

template <class T, class Params>
Image<T> run(void (*op)(Context&, ConstPlane, Plane, const Params&), const Image<T>& f, const Params& p, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<T> out(f.extent.width, f.extent.height, T{7}, 5);
  op(ctx, f.cplane(), out.plane(), p);
  EXPECT_TRUE(margin_holds(out, T{7}));
  return out;
}

// ---------------------------------------------------------------- Gaussian

template <class T>
Image<T> naive_gaussian(const Image<T>& f, double sigma) {
  i32 weight[kMaxGaussianRadius + 1];
  const i32 r = gaussian_weights(sigma, weight), w = f.extent.width, h = f.extent.height;
  const auto pass = [&](const Image<T>& in, i32 dx, i32 dy) {
    Image<T> out(w, h);
    for (i32 y = 0; y < h; ++y) {
      for (i32 x = 0; x < w; ++x) {
        i64 sum = 0, total = 0;
        for (i32 k = -r; k <= r; ++k) {
          const i32 u = x + k * dx, v = y + k * dy;
          if (u < 0 || u >= w || v < 0 || v >= h) continue;
          sum += static_cast<i64>(weight[std::abs(k)]) * in.at(u, v);
          total += weight[std::abs(k)];
        }
        out.at(x, y) = static_cast<T>((2 * sum + total) / (2 * total));
      }
    }
    return out;
  };
  return pass(pass(f, 1, 0), 0, 1);
}

TEST(Gaussian, WeightsSumToOneAndFollowTheCurve) {
  i32 weight[kMaxGaussianRadius + 1];
  EXPECT_EQ(gaussian_weights(0, weight), 0);
  EXPECT_EQ(weight[0], 65536);
  for (double sigma : {0.05, 0.3, 0.5, 1.0, 1.5, 2.7, 10.0, 64.0}) {
    const i32 r = gaussian_weights(sigma, weight);
    EXPECT_EQ(r, static_cast<i32>(std::ceil(3 * sigma)));
    i64 sum = weight[0];
    double total = 1;
    for (i32 k = 1; k <= r; ++k) {
      sum += 2 * weight[k];
      total += 2 * std::exp(-k * k / (2 * sigma * sigma));
    }
    EXPECT_EQ(sum, 65536);
    for (i32 k = 1; k <= r; ++k) EXPECT_NEAR(weight[k], 65536 * std::exp(-k * k / (2 * sigma * sigma)) / total, 0.5001);
    EXPECT_NEAR(weight[0], 65536 / total, r + 0.5);
    EXPECT_GT(weight[0], 0);
  }
}

TEST(Gaussian, HandChecked) {
  // sigma 1/3 has radius 1: e^(-4.5) = 0.011109, over 1.022218 is 0.010868, times 65536 is 712; the centre is 65536 - 1424 =
  // 64112.
  i32 weight[kMaxGaussianRadius + 1];
  ASSERT_EQ(gaussian_weights(1.0 / 3, weight), 1);
  EXPECT_EQ(weight[0], 64112);
  EXPECT_EQ(weight[1], 712);
  // Row 0, 200, 0: the ends weigh 712 of 64824: 2.197; the middle 200 * 64112 / 65536 = 195.65.
  EXPECT_EQ(run(cpu::gaussian, image_of<u8>(3, 1, {0, 200, 0}), GaussianParams{1.0 / 3}).pixels(),
            (std::vector<u8>{2, 196, 2}));
}

TEST(Gaussian, ByDefinition) {
  std::mt19937 rng(30);
  for (Extent e : odd_sizes()) {
    for (double sigma : {0.0, 0.4, 1.0, 1.5, 3.2, 20.0}) {
      const auto f8 = random_image<u8>(rng, e.width, e.height, 256, 1, 4);
      const auto f16 = random_image<u16>(rng, e.width, e.height, 65536, 1, 4);
      const auto g8 = naive_gaussian(f8, sigma).pixels();
      const auto g16 = naive_gaussian(f16, sigma).pixels();
      for (int threads : kThreadCounts) {
        ASSERT_EQ(run(cpu::gaussian, f8, GaussianParams{sigma}, threads).pixels(), g8)
            << e.width << "x" << e.height << " " << sigma;
        ASSERT_EQ(run(cpu::gaussian, f16, GaussianParams{sigma}, threads).pixels(), g16)
            << e.width << "x" << e.height << " " << sigma;
      }
    }
  }
}

TEST(Gaussian, LongRowsManyThreadsAndInPlace) {
  std::mt19937 rng(31);
  const auto f = random_image<u8>(rng, 2200, 260, 256);
  const auto expected = naive_gaussian(f, 2.0).pixels();
  for (int threads : kThreadCounts) {
    EXPECT_EQ(run(cpu::gaussian, f, GaussianParams{2.0}, threads).pixels(), expected);
    Workspace w;
    Context ctx = context(w, threads);
    Image<u8> g = f;
    cpu::gaussian(ctx, g.plane(), g.plane(), {2.0});
    EXPECT_EQ(g.pixels(), expected);
  }
}

TEST(Gaussian, ExtremesDoNotOverflow) {
  for (double sigma : {0.0, 0.5, 5.0, 64.0}) {
    EXPECT_EQ(run(cpu::gaussian, Image<u16>(450, 11, 65535), GaussianParams{sigma}).pixels(),
              std::vector<u16>(450 * 11, 65535));
    EXPECT_EQ(run(cpu::gaussian, Image<u8>(11, 450, 255), GaussianParams{sigma}).pixels(), std::vector<u8>(450 * 11, 255));
  }
}

// ---------------------------------------------------------------- box mean and median

template <class T, class Fn>
Image<T> windows(const Image<T>& f, i32 r, Fn&& fn) {
  Image<T> out(f.extent.width, f.extent.height);
  std::vector<T> seen;
  for (i32 y = 0; y < f.extent.height; ++y) {
    for (i32 x = 0; x < f.extent.width; ++x) {
      seen.clear();
      for (i32 v = std::max(0, y - r); v <= std::min(f.extent.height - 1, y + r); ++v) {
        for (i32 u = std::max(0, x - r); u <= std::min(f.extent.width - 1, x + r); ++u) seen.push_back(f.at(u, v));
      }
      out.at(x, y) = fn(seen);
    }
  }
  return out;
}
template <class T>
Image<T> naive_mean(const Image<T>& f, i32 r) {
  return windows(f, r, [](const std::vector<T>& v) {
    i64 sum = 0;
    for (T t : v) sum += t;
    const i64 n = static_cast<i64>(v.size());
    return static_cast<T>((2 * sum + n) / (2 * n));
  });
}
template <class T>
Image<T> naive_median(const Image<T>& f, i32 r) {
  return windows(f, r, [](std::vector<T>& v) {
    const auto middle = v.begin() + static_cast<std::ptrdiff_t>((v.size() - 1) / 2);
    std::nth_element(v.begin(), middle, v.end());
    return *middle;
  });
}

TEST(BoxMean, HandChecked) {
  const auto f = image_of<u8>(3, 2, {0, 3, 9, 1, 4, 8});
  // Column sums 1, 7, 17: windows of 2 columns hold 8 / 4 and 24 / 4, the middle 25 / 6 = 4.17; a half goes up: 2 / 4 below.
  EXPECT_EQ(run(cpu::box_mean, f, RadiusParams{1}).pixels(), (std::vector<u8>{2, 4, 6, 2, 4, 6}));
  EXPECT_EQ(run(cpu::box_mean, image_of<u8>(2, 2, {0, 1, 1, 0}), RadiusParams{1}).pixels(), std::vector<u8>(4, 1));
}

TEST(BoxMean, ByDefinition) {
  std::mt19937 rng(32);
  for (Extent e : odd_sizes()) {
    for (i32 r : {0, 1, 4, 16, 200}) {
      const auto f8 = random_image<u8>(rng, e.width, e.height, 256, 1, 4);
      const auto f16 = random_image<u16>(rng, e.width, e.height, 65536, 1, 4);
      const auto g8 = naive_mean(f8, r).pixels();
      const auto g16 = naive_mean(f16, r).pixels();
      for (int threads : kThreadCounts) {
        ASSERT_EQ(run(cpu::box_mean, f8, RadiusParams{r}, threads).pixels(), g8) << e.width << "x" << e.height << " " << r;
        ASSERT_EQ(run(cpu::box_mean, f16, RadiusParams{r}, threads).pixels(), g16) << e.width << "x" << e.height << " " << r;
      }
    }
  }
}

TEST(BoxMean, HalvesGoUpForEveryCount) {
  // Two values v and v + 1 in equal numbers: the mean is a half for every even window.
  for (i32 n : {2, 6, 50, 1000, 1024}) {
    Image<u8> f(n, 1);
    for (i32 x = 0; x < n; ++x) f[x] = static_cast<u8>(254 + x % 2);
    EXPECT_EQ(run(cpu::box_mean, f, RadiusParams{1024}).pixels(), std::vector<u8>(static_cast<std::size_t>(n), 255));
  }
}

TEST(BoxMean, ManyThreads) {
  std::mt19937 rng(33);
  const auto f = random_image<u16>(rng, 1500, 700, 65536);
  const auto expected = run(cpu::box_mean, f, RadiusParams{9}).pixels();
  for (int threads : {2, 3, 8}) EXPECT_EQ(run(cpu::box_mean, f, RadiusParams{9}, threads).pixels(), expected);
  EXPECT_EQ(run(cpu::box_mean, Image<u16>(2100, 2100, 65535), RadiusParams{1024}, 2).pixels(),
            std::vector<u16>(2100 * 2100, 65535));
}

TEST(Median, HandChecked) {
  const auto f = image_of<u8>(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  // Corners see 4 values and take the lower of the middle two; sides see 6.
  EXPECT_EQ(run(cpu::median, f, RadiusParams{1}).pixels(), (std::vector<u8>{2, 3, 3, 4, 5, 5, 5, 6, 6}));
}

TEST(Median, ByDefinition) {
  std::mt19937 rng(34);
  for (Extent e : odd_sizes()) {
    for (i32 r : {0, 1, 2, 3, 8, 64}) {
      const auto f8 = random_image<u8>(rng, e.width, e.height, 256, 1, 4);
      const auto f16 = random_image<u16>(rng, e.width, e.height, r % 2 ? 65536 : 300, 1, 4);
      const auto g8 = naive_median(f8, r).pixels();
      const auto g16 = naive_median(f16, r).pixels();
      for (int threads : kThreadCounts) {
        ASSERT_EQ(run(cpu::median, f8, RadiusParams{r}, threads).pixels(), g8) << e.width << "x" << e.height << " " << r;
        ASSERT_EQ(run(cpu::median, f16, RadiusParams{r}, threads).pixels(), g16) << e.width << "x" << e.height << " " << r;
      }
    }
  }
}

TEST(Median, ManyTilesAndThreads) {
  std::mt19937 rng(35);
  const auto f8 = random_image<u8>(rng, 900, 200, 256);
  const auto f16 = random_image<u16>(rng, 900, 100, 5000, 13);
  for (i32 r : kLooksForRaces ? std::vector<i32>{2} : std::vector<i32>{1, 2, 5}) {
    const auto g8 = naive_median(f8, r).pixels();
    const auto g16 = naive_median(f16, r).pixels();
    for (int threads : kThreadCounts) {
      EXPECT_EQ(run(cpu::median, f8, RadiusParams{r}, threads).pixels(), g8);
      EXPECT_EQ(run(cpu::median, f16, RadiusParams{r}, threads).pixels(), g16);
    }
  }
}

TEST(Filters, ConstantStaysConstant) {
  const Image<u8> f(40, 30, 77);
  EXPECT_EQ(run(cpu::gaussian, f, GaussianParams{4}).pixels(), f.pixels());
  EXPECT_EQ(run(cpu::box_mean, f, RadiusParams{4}).pixels(), f.pixels());
  EXPECT_EQ(run(cpu::median, f, RadiusParams{4}).pixels(), f.pixels());
}

TEST(Filters, BadArguments) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> f(5, 5), out(5, 5), small(4, 5);
  Image<u16> wide(5, 5);
  Image<i32> labels(5, 5), labels_out(5, 5);
  for (double sigma : {-0.1, 64.5, std::nan("")})
    expect_rejected("sigma", [&] { cpu::gaussian(ctx, f.cplane(), out.plane(), {sigma}); });
  for (i32 r : {-1, 1025}) expect_rejected("radius", [&] { cpu::box_mean(ctx, f.cplane(), out.plane(), {r}); });
  for (i32 r : {-1, 65}) expect_rejected("radius", [&] { cpu::median(ctx, f.cplane(), out.plane(), {r}); });
  const auto both = [&](auto&& each) {
    each([&](ConstPlane i, Plane o) { cpu::gaussian(ctx, i, o, {1}); });
    each([&](ConstPlane i, Plane o) { cpu::box_mean(ctx, i, o, {1}); });
    each([&](ConstPlane i, Plane o) { cpu::median(ctx, i, o, {1}); });
  };
  both([&](auto&& op) {
    expect_rejected("f", [&] { op(labels.cplane(), labels_out.plane()); });
    expect_rejected("out", [&] { op(f.cplane(), wide.plane()); });
    expect_rejected("out", [&] { op(f.cplane(), small.plane()); });
    Image<u8> shared(5, 9);
    expect_rejected("out", [&] { op(shared.view().sub(0, 0, {5, 6}), shared.view().sub(0, 3, {5, 6})); });
    CancelFlag stop{true};
    ctx.cancel = &stop;
    EXPECT_THROW(op(f.cplane(), out.plane()), Cancelled);
    ctx.cancel = nullptr;
  });
}

}  // namespace
}  // namespace morpho::test
