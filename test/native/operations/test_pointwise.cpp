// Threshold, combine, scale and root against their definitions, at the ends of every type.
#include <limits>

#include "cpu/cpu_ops.hpp"
#include "../support/local_sizes.hpp"

namespace morpho::test {
namespace {

template <class T>
Image<T> values(Extent e, std::mt19937& rng) {
  Image<T> out(e.width, e.height, T{}, 3);
  const i64 low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  for (i64 p = 0; p < out.area(); ++p) {
    const unsigned pick = rng() % 8;
    out[p] = static_cast<T>(pick == 0   ? low
                            : pick == 1 ? high
                            : pick == 2 ? 0
                            : pick < 5  ? static_cast<i64>(rng() % 5)
                                        : low + static_cast<i64>(rng()) % (high - low + 1));
  }
  return out;
}

TEST(Threshold, EveryTypeAndLevel) {
  std::mt19937 rng(40);
  for (Extent e : odd_sizes()) {
    const auto check = [&](auto zero) {
      using T = decltype(zero);
      const auto f = values<T>(e, rng);
      for (i64 above : {i64{INT32_MIN}, i64{-1}, i64{0}, i64{1}, i64{254}, i64{255}, i64{65535}, i64{INT32_MAX}}) {
        for (int threads : kThreadCounts) {
          Workspace w;
          Context ctx = context(w, threads);
          Image<u8> out(e.width, e.height, 9, 2);
          cpu::threshold(ctx, f.cplane(), out.plane(), {static_cast<i32>(above)});
          for (i64 p = 0; p < f.area(); ++p) ASSERT_EQ(out[p], f[p] > above ? 1 : 0);
          ASSERT_TRUE(margin_holds(out, u8{9}));
        }
      }
    };
    check(u8{});
    check(u16{});
    check(i32{});
  }
}

TEST(Threshold, BytesAroundTheVectors) {
  std::mt19937 rng(41);
  for (i32 width : {1, 31, 127, 128, 129, 255, 256, 300}) {
    const auto f = random_image<u8>(rng, width, 5, 256, 1, 3);
    for (i32 above : {0, 1, 100, 127, 128, 200, 254}) {
      Workspace w;
      Context ctx = context(w, 2);
      Image<u8> out(width, 5, 9, 2);
      cpu::threshold(ctx, f.cplane(), out.plane(), {above});
      for (i64 p = 0; p < f.area(); ++p) ASSERT_EQ(out[p], f[p] > above ? 1 : 0) << width << " " << above;
      ASSERT_TRUE(margin_holds(out, u8{9}));
    }
  }
}

i64 combined(Combine kind, i64 a, i64 b, i64 low, i64 high) {
  switch (kind) {
    case Combine::subtract: return std::min(std::max(a - b, i64{0}), high);
    case Combine::add: return std::max(std::min(a + b, high), low);
    case Combine::minimum: return std::min(a, b);
    case Combine::maximum: return std::max(a, b);
    case Combine::difference: return std::min(a > b ? a - b : b - a, high);
    case Combine::greater: return a > b;
    case Combine::both: return a != 0 && b != 0;
    case Combine::without: return a != 0 && b == 0;
    case Combine::either: return a != 0 || b != 0;
  }
  return -1;
}

template <class T, class O>
void check_combine(Extent e, Combine kind, std::mt19937& rng) {
  const auto a = values<T>(e, rng), b = values<T>(e, rng);
  std::vector<O> expected;
  for (i64 p = 0; p < a.area(); ++p)
    expected.push_back(
        static_cast<O>(combined(kind, a[p], b[p], std::numeric_limits<T>::min(), std::numeric_limits<T>::max())));
  for (int threads : kThreadCounts) {
    Workspace w;
    Context ctx = context(w, threads);
    Image<O> out(e.width, e.height, O{5}, 4);
    cpu::combine(ctx, a.cplane(), b.cplane(), out.plane(), {kind});
    ASSERT_EQ(out.pixels(), expected);
    ASSERT_TRUE(margin_holds(out, O{5}));
    if constexpr (std::is_same_v<T, O>) {
      Image<T> x = a, y = b;
      cpu::combine(ctx, x.cplane(), b.cplane(), x.plane(), {kind});
      ASSERT_EQ(x.pixels(), expected);
      cpu::combine(ctx, a.cplane(), y.cplane(), y.plane(), {kind});
      ASSERT_EQ(y.pixels(), expected);
    }
  }
}

TEST(Combine, EveryKindAndType) {
  std::mt19937 rng(41);
  for (Extent e : odd_sizes()) {
    for (int k = 0; k <= static_cast<int>(Combine::either); ++k) {
      const Combine kind = static_cast<Combine>(k);
      SCOPED_TRACE(testing::Message() << e.width << "x" << e.height << " kind " << k);
      check_combine<u8, u8>(e, kind, rng);
      if (kind < Combine::greater) {
        check_combine<u16, u16>(e, kind, rng);
        check_combine<i32, i32>(e, kind, rng);
      } else {
        check_combine<u16, u8>(e, kind, rng);
        check_combine<i32, u8>(e, kind, rng);
      }
    }
  }
}

template <class T, class O>
void check_scale(Extent e, const ScaleParams& s, std::mt19937& rng) {
  const auto a = values<T>(e, rng);
  Workspace w;
  Context ctx = context(w, 2);
  Image<O> out(e.width, e.height, O{5}, 4);
  cpu::scale(ctx, a.cplane(), out.plane(), s);
  for (i64 p = 0; p < a.area(); ++p) {
    const i64 v = (static_cast<i64>(a[p]) * s.multiply + s.add) >> s.shift;
    ASSERT_EQ(static_cast<i64>(out[p]), std::clamp<i64>(v, std::numeric_limits<O>::min(), std::numeric_limits<O>::max()));
  }
  if constexpr (std::is_same_v<T, O>) {
    Image<T> x = a;
    cpu::scale(ctx, x.cplane(), x.plane(), s);
    ASSERT_EQ(x.pixels(), out.pixels());
  }
}

TEST(Scale, EveryPairOfTypes) {
  std::mt19937 rng(42);
  for (Extent e : odd_sizes()) {
    for (const ScaleParams& s :
         {ScaleParams{}, ScaleParams{-1, 255, 0}, ScaleParams{3, -7, 1}, ScaleParams{8421504, 127, 5},
          // Where 32 bits suffice for the largest input, and just not: 255 * 8421504 + 127 and 65535 * 32768 + 32767 are 2^31
          // - 1.
          ScaleParams{8421504, 128, 5}, ScaleParams{8421505, -999, 5}, ScaleParams{32768, 32767, 9},
          ScaleParams{32768, 32768, 9}, ScaleParams{-32768, INT32_MIN, 9}, ScaleParams{INT32_MAX, (i64{1} << 62) - 1, 31},
          ScaleParams{INT32_MIN, 1 - (i64{1} << 62), 0}, ScaleParams{INT32_MIN, (i64{1} << 62) - 1, 31}}) {
      check_scale<u8, u8>(e, s, rng), check_scale<u8, u16>(e, s, rng), check_scale<u8, i32>(e, s, rng);
      check_scale<u16, u8>(e, s, rng), check_scale<u16, u16>(e, s, rng), check_scale<u16, i32>(e, s, rng);
      check_scale<i32, u8>(e, s, rng), check_scale<i32, u16>(e, s, rng), check_scale<i32, i32>(e, s, rng);
    }
  }
}

TEST(Root, IsTheExactFloor) {
  std::vector<i32> v = {-5, 0, 1, 2, 3, 4, 8, 9, 15, 16, 24, 25, 2147395599, 2147395600, 2147395601, kNoBackground};
  std::mt19937 rng(43);
  for (int i = 0; i < 5000; ++i) {
    const i64 r = static_cast<i64>(rng() % 46341);
    for (i64 d : {-1, 0, 1}) v.push_back(static_cast<i32>(std::clamp<i64>(r * r + d, 0, kNoBackground)));
  }
  const auto a = image_of<i32>(static_cast<i32>(v.size()), 1, v);
  for (i32 scale : {0, 1, 7, 65536, INT32_MAX}) {
    Workspace w;
    Context ctx = context(w, 2);
    Image<i32> out(a.extent.width, 1);
    Image<u16> narrow(a.extent.width, 1);
    cpu::root(ctx, a.cplane(), out.plane(), {scale});
    cpu::root(ctx, a.cplane(), narrow.plane(), {scale});
    for (i64 p = 0; p < a.area(); ++p) {
      const i64 s = std::max<i64>(a[p], 0) * scale, r = out[p];
      ASSERT_LE(r * r, s);
      ASSERT_GT((r + 1) * (r + 1), s);
      ASSERT_EQ(narrow[p], std::min<i64>(r, 65535));
    }
    Image<i32> same = a;
    cpu::root(ctx, same.cplane(), same.plane(), {scale});
    EXPECT_EQ(same.pixels(), out.pixels());
  }
}

TEST(Pointwise, BadArguments) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> a(5, 5), b(5, 5), out(5, 5), small(4, 5), both(6, 5);
  Image<u16> wide(5, 5);
  Image<i32> labels(5, 5);
  expect_rejected("out", [&] { cpu::threshold(ctx, a.cplane(), wide.plane(), {}); });
  expect_rejected("out", [&] { cpu::threshold(ctx, a.cplane(), small.plane(), {}); });
  expect_rejected("out", [&] { cpu::threshold(ctx, a.cplane(), a.plane(), {}); });
  expect_rejected("kind", [&] { cpu::combine(ctx, a.cplane(), b.cplane(), out.plane(), {static_cast<Combine>(9)}); });
  expect_rejected("b", [&] { cpu::combine(ctx, a.cplane(), wide.cplane(), out.plane(), {}); });
  expect_rejected("b", [&] { cpu::combine(ctx, a.cplane(), small.cplane(), out.plane(), {}); });
  expect_rejected("out", [&] { cpu::combine(ctx, a.cplane(), b.cplane(), small.plane(), {}); });
  expect_rejected("out", [&] { cpu::combine(ctx, a.cplane(), b.cplane(), wide.plane(), {}); });
  expect_rejected("out", [&] { cpu::combine(ctx, labels.cplane(), labels.cplane(), labels.plane(), {Combine::greater}); });
  const View<u8> left = both.view().sub(0, 0, {5, 5}), right = both.view().sub(1, 0, {5, 5});
  expect_rejected("out", [&] { cpu::combine(ctx, left, b.cplane(), right, {}); });
  for (i32 shift : {-1, 32}) expect_rejected("shift", [&] { cpu::scale(ctx, a.cplane(), out.plane(), {1, 0, shift}); });
  for (i64 add : {i64{1} << 62, -(i64{1} << 62)})  // the least product times the least value is 2^62 too
    expect_rejected("add", [&] { cpu::scale(ctx, a.cplane(), out.plane(), {1, add, 0}); });
  expect_rejected("out", [&] { cpu::scale(ctx, a.cplane(), small.plane(), {}); });
  expect_rejected("out", [&] { cpu::scale(ctx, left, right, {}); });
  expect_rejected("a", [&] { cpu::root(ctx, a.cplane(), wide.plane(), {}); });
  expect_rejected("out", [&] { cpu::root(ctx, labels.cplane(), out.plane(), {}); });
  expect_rejected("scale", [&] { cpu::root(ctx, labels.cplane(), wide.plane(), {-1}); });
  CancelFlag stop{true};
  ctx.cancel = &stop;
  EXPECT_THROW(cpu::combine(ctx, a.cplane(), b.cplane(), out.plane(), {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
