// The box mean against its definition at sizes and radii around its vectors, and the division that it uses.
#include "cpu/cpu_ops.hpp"
#include "cpu/local/reciprocal.hpp"
#include "../support/local_sizes.hpp"

namespace morpho::test {
namespace {

using u32 = std::uint32_t;

TEST(Reciprocal, EverySumOfAWindow) {
  for (u32 n : {1u, 2u, 3u, 9u, 25u, 63u, 121u, 231u, 255u, 256u, 257u, 420u, 441u, 16129u, 16641u, 40401u}) {
    const cpu::Reciprocal by(n);
    for (u32 t = 0; t < 256 * n; ++t) ASSERT_EQ(by.divide(t), t / n) << t << " / " << n;
  }
}

TEST(Reciprocal, EndsOfEveryQuotient) {
  // It never falls as t grows, so the first and the last t of each quotient stand for all of them.
  const auto check = [](u32 n) {
    const cpu::Reciprocal by(n);
    for (u32 q = 0; q < 256; ++q) {
      if (by.divide(q * n) != q || by.divide(q * n + n - 1) != q) return false;
    }
    return by.shift >= (n > 1 ? 32 : 31);
  };
  for (u32 n = 1; n <= 20000; ++n) ASSERT_TRUE(check(n)) << n;
  for (u32 side = 1; side <= 2049; side += 2) {
    for (u32 rows : {side / 2 + 1, side - 1, side}) {
      if (rows == 0) continue;
      ASSERT_TRUE(check(side * rows)) << side << " x " << rows;
    }
  }
  for (u32 n = (1u << 23) - 2000; n <= 1u << 23; ++n) ASSERT_TRUE(check(n)) << n;
}

TEST(Reciprocal, EndsOfEveryQuotientOf16Bits) {
  const auto check = [](u32 n) {
    const cpu::Reciprocal by(n);
    for (u32 q = 0; q < 65537; ++q) {
      if (by.divide(q * n) != q || by.divide(q * n + n - 1) != q) return false;
    }
    return true;
  };
  for (u32 n : {1u, 2u, 3u, 5u, 9u, 25u, 121u, 231u, 441u, 1023u, 1024u, 1025u, 16383u, 16384u, 16385u, 181u * 91u, 181u * 180u,
                181u * 181u, 32767u})
    ASSERT_TRUE(check(n)) << n;
  for (u32 n = 7; n < 32768; n += 97) ASSERT_TRUE(check(n)) << n;
}

/// By sums over everything above and to the left.
template <class T>
std::vector<T> mean_of(const Image<T>& f, i32 r) {
  const i32 w = f.extent.width, h = f.extent.height;
  std::vector<i64> sums(static_cast<std::size_t>(w + 1) * static_cast<std::size_t>(h + 1));
  const auto at = [&](i32 x, i32 y) -> i64& {
    return sums[static_cast<std::size_t>(y) * static_cast<std::size_t>(w + 1) + static_cast<std::size_t>(x)];
  };
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) at(x + 1, y + 1) = at(x, y + 1) + at(x + 1, y) - at(x, y) + f.at(x, y);
  }
  std::vector<T> out;
  for (i32 y = 0; y < h; ++y) {
    const i32 top = std::max(0, y - r), bottom = std::min(h, y + r + 1);
    for (i32 x = 0; x < w; ++x) {
      const i32 left = std::max(0, x - r), right = std::min(w, x + r + 1);
      const i64 sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top),
                count = i64{right - left} * (bottom - top);
      out.push_back(static_cast<T>((2 * sum + count) / (2 * count)));
    }
  }
  return out;
}

template <class T>
void expect_mean(const Image<T>& f, i32 r) {
  const auto expected = mean_of(f, r);
  for (int threads : {1, 2, 5}) {
    Workspace w;
    Context ctx = context(w, threads);
    Image<T> out(f.extent.width, f.extent.height, T{7}, 5);
    cpu::box_mean(ctx, f.cplane(), out.plane(), {r});
    ASSERT_EQ(out.pixels(), expected) << f.extent.width << "x" << f.extent.height << " " << r << " threads " << threads;
    ASSERT_TRUE(margin_holds(out, T{7}));
  }
}

TEST(BoxMean, BytesAroundTheVectors) {
  std::mt19937 rng(320);
  for (Extent e : {Extent{1, 1}, {1, 700}, {700, 1}, {52, 9}, {53, 30}, {54, 31}, {85, 64}, {333, 141}, {2115, 40}}) {
    for (i32 r : {0, 1, 2, 10, 15, 16, 63, 64, 127, 500, 1024}) {
      expect_mean(random_image<u8>(rng, e.width, e.height, 256, 1, 3), r);
      expect_mean(random_image<u8>(rng, e.width, e.height, 2, 1, 3), r);
    }
  }
}

TEST(BoxMean, WordsAroundTheVectors) {
  std::mt19937 rng(321);
  for (Extent e : {Extent{1, 1}, {1, 700}, {700, 1}, {53, 30}, {85, 64}, {333, 241}}) {
    for (i32 r : {0, 1, 2, 10, 16, 63, 89, 90, 91, 500}) {
      expect_mean(random_image<u16>(rng, e.width, e.height, 65536, 1, 3), r);
      expect_mean(random_image<u16>(rng, e.width, e.height, 2, 1, 3), r);
    }
  }
}

TEST(BoxMean, LargestSumsOfWords) {
  for (i32 r : {90, 91}) {
    const i32 side = 2 * r + 80;
    Image<u16> f(side, side, u16{65535});
    expect_mean(f, r);
    for (i32 y = 0; y < side; ++y) {
      for (i32 x = 0; x < side / 2; ++x) f.at(x, y) = 0;
    }
    expect_mean(f, r);
  }
}

TEST(BoxMean, LargestSumsOfBytes) {
  // Columns of 127 rows fill 15 bits, those of 2049 the largest window; a step from 0 to 255 is the largest difference.
  for (i32 r : {63, 64, 1024}) {
    const i32 side = 2 * r + 40;
    Image<u8> f(side, side, u8{255});
    expect_mean(f, r);
    for (i32 y = 0; y < side; ++y) {
      for (i32 x = 0; x < side / 2; ++x) f.at(x, y) = 0;
    }
    expect_mean(f, r);
  }
}

}  // namespace
}  // namespace morpho::test
