// Labels and the area filter: hand-checked, against the oracle, and against a flood from the definition.
#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

template <class T>
Image<i32> run_label(const Image<T>& in, Connectivity c, int threads = 1, i32* count = nullptr, i32 margin = 0) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<i32> out(in.extent.width, in.extent.height, -7, margin);
  const i32 n = cpu::label(ctx, in.cplane(), out.plane(), {c});
  if (count) *count = n;
  return out;
}

/// The definition: floods equal nonzero pixels (any nonzero for binary) from each unlabelled pixel in raster order.
template <class T>
Image<i32> plain_label(const Image<T>& in, Connectivity c) {
  Image<i32> out(in.extent.width, in.extent.height);
  i32 n = 0;
  const auto same = [&](i64 p, i64 q) { return std::is_same_v<T, u8> ? in[q] != 0 : in[q] == in[p]; };
  for (i64 s = 0; s < in.area(); ++s) {
    if (in[s] == 0 || out[s] != 0) continue;
    out[s] = ++n;
    std::vector<i64> stack{s};
    while (!stack.empty()) {
      const i64 p = stack.back();
      stack.pop_back();
      each_neighbour(in.extent, p, c, [&](i64 q) {
        if (out[q] == 0 && same(p, q)) out[q] = n, stack.push_back(q);
      });
    }
  }
  return out;
}

TEST(Label, HandChecked) {
  const auto in = image_of<u8>(4, 4, {0, 1, 0, 9, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1});
  i32 n = 0;
  EXPECT_EQ(run_label(in, Connectivity::eight, 1, &n).pixels(),
            (std::vector<i32>{0, 1, 0, 2, 1, 0, 0, 2, 0, 0, 0, 0, 3, 3, 0, 4}));
  EXPECT_EQ(n, 4);
  EXPECT_EQ(run_label(in, Connectivity::four, 1, &n).pixels(),
            (std::vector<i32>{0, 1, 0, 2, 3, 0, 0, 2, 0, 0, 0, 0, 4, 4, 0, 5}));
  EXPECT_EQ(n, 5);
}

TEST(Label, Oracle) {
  each_case("label", [](const Case& c) {
    i32 n = 0;
    EXPECT_EQ(run_label(c.input<u8>("image"), c.connectivity(), 1, &n).pixels(), c.output<i32>("labels").pixels());
    EXPECT_EQ(n, c.json["count"].integer());
  });
}

TEST(Label, Generated) {
  each_generated("label", [](const Case& c, const Image<u8>& in, const std::string& sha) {
    for (int threads : {1, 3}) {
      i32 n = 0;
      EXPECT_EQ(digest(run_label(in, c.connectivity(), threads, &n)), sha);
      EXPECT_EQ(n, c.params()["count"].integer());
    }
  });
}

TEST(Label, RandomAgainstFlood) {
  std::mt19937 rng(1);
  for (int i = 0; i < random_images(2000); ++i) {
    const i32 w = 1 + static_cast<i32>(rng() % (i % 8 == 0 ? 200 : 12)), h = 1 + static_cast<i32>(rng() % 12);
    const Connectivity c = rng() % 2 ? Connectivity::four : Connectivity::eight;
    const i32 margin = static_cast<i32>(rng() % 3);
    const auto binary = random_image<u8>(rng, w, h, 2, 1, margin);
    ASSERT_EQ(run_label(binary, c, 1, nullptr, margin).pixels(), plain_label(binary, c).pixels()) << i;
    const auto values = random_image<u16>(rng, w, h, 3, 1, margin);
    ASSERT_EQ(run_label(values, c).pixels(), plain_label(values, c).pixels()) << i;
    const auto wide = random_image<i32>(rng, w, h, 3, -1);
    ASSERT_EQ(run_label(wide, c).pixels(), plain_label(wide, c).pixels()) << i;
  }
}

TEST(Label, ThreadsDoNotMatter) {
  const auto image = blobs8(700, 1500, 5);
  auto in = image;
  for (auto& v : in.data) v = v > 128;
  const auto one = run_label(in, Connectivity::eight, 1).pixels();
  const auto values_one = run_label(image.to<u16>(), Connectivity::four, 1).pixels();
  for (int threads : {2, 3, 8}) {
    EXPECT_EQ(run_label(in, Connectivity::eight, threads).pixels(), one);
    EXPECT_EQ(run_label(image.to<u16>(), Connectivity::four, threads).pixels(), values_one);
  }
}

TEST(Label, OddExtents) {
  for (Extent e : {Extent{0, 0}, Extent{0, 5}, Extent{5, 0}}) {
    i32 n = -1;
    run_label(Image<u8>(e.width, e.height), Connectivity::eight, 1, &n);
    EXPECT_EQ(n, 0);
  }
  EXPECT_EQ(run_label(image_of<u8>(5, 1, {1, 1, 0, 1, 1}), Connectivity::four).pixels(), (std::vector<i32>{1, 1, 0, 2, 2}));
  EXPECT_EQ(run_label(image_of<u8>(1, 4, {1, 0, 1, 1}), Connectivity::four).pixels(), (std::vector<i32>{1, 0, 2, 2}));
  EXPECT_EQ(run_label(Image<u8>(64, 3, 1), Connectivity::four).pixels(), std::vector<i32>(192, 1));
}

TEST(Label, Rejects) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> in(4, 4);
  Image<i32> out(4, 4), other(5, 4);
  const ConnectivityParams p;
  expect_rejected("labels", [&] { cpu::label(ctx, in.cplane(), other.plane(), p); });
  expect_rejected("labels", [&] { cpu::label(ctx, in.cplane(), Image<u8>(4, 4).plane(), p); });
  expect_rejected("labels", [&] { cpu::label(ctx, out.cplane(), out.plane(), p); });
  expect_rejected("connectivity", [&] { cpu::label(ctx, in.cplane(), out.plane(), {static_cast<Connectivity>(6)}); });
  expect_rejected("in", [&] { cpu::label(ctx, ConstPlane(nullptr, PixelType::u8, {4, 4}), out.plane(), p); });
  expect_rejected("in", [&] { cpu::label(ctx, ConstPlane(in.data.data(), PixelType::u8, {4, 4}, 3), out.plane(), p); });
  expect_rejected("in", [&] { cpu::label(ctx, ConstPlane(in.data.data(), PixelType::u8, {-1, 4}), out.plane(), p); });
  expect_rejected("in", [&] { cpu::label(ctx, ConstPlane(in.data.data(), PixelType::u8, {65536, 32768}), out.plane(), p); });
}

TEST(Label, Cancels) {
  Workspace w;
  CancelFlag stop{true};
  Context ctx{w, 2, &stop, nullptr};
  Image<u8> in(4, 4);
  Image<i32> out(4, 4);
  EXPECT_THROW(cpu::label(ctx, in.cplane(), out.plane(), {}), Cancelled);
}

TEST(AreaFilter, RandomAgainstLabels) {
  std::mt19937 rng(2);
  for (int i = 0; i < random_images(500); ++i) {
    const i32 w = 1 + static_cast<i32>(rng() % 20), h = 1 + static_cast<i32>(rng() % 20);
    const Connectivity c = rng() % 2 ? Connectivity::four : Connectivity::eight;
    auto in = random_image<u8>(rng, w, h, 2, 255);
    const auto labels = plain_label(in, c);
    std::vector<i32> area(static_cast<std::size_t>(w * h) + 1);
    for (i32 l : labels.pixels()) ++area[static_cast<std::size_t>(l)];
    const AreaFilterParams p{c, static_cast<i32>(rng() % 5), 3 + static_cast<i32>(rng() % 20)};
    std::vector<u8> expected;
    for (i32 l : labels.pixels()) {
      const i32 a = area[static_cast<std::size_t>(l)];
      expected.push_back(l != 0 && a >= p.min_area && a < p.end_area);
    }
    Workspace ws;
    Context ctx = context(ws, 1 + i % 3);
    Image<u8> out(w, h, 9, i % 4);
    cpu::area_filter(ctx, in.cplane(), out.plane(), p);
    ASSERT_EQ(out.pixels(), expected);
    cpu::area_filter(ctx, in.cplane(), in.plane(), p);
    ASSERT_EQ(in.pixels(), expected) << "in place";
  }
}

TEST(AreaFilter, Rejects) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> in(4, 4), out(4, 4), wide(8, 4);
  expect_rejected("binary", [&] { cpu::area_filter(ctx, Image<u16>(4, 4).cplane(), out.plane(), {}); });
  expect_rejected("out", [&] { cpu::area_filter(ctx, in.cplane(), Image<u16>(4, 4).plane(), {}); });
  expect_rejected("out", [&] { cpu::area_filter(ctx, in.cplane(), wide.plane(), {}); });
  expect_rejected("out",
                  [&] { cpu::area_filter(ctx, wide.view().sub(0, 0, {4, 4}), Plane(wide.view().sub(2, 0, {4, 4})), {}); });
  cpu::area_filter(ctx, wide.view().sub(0, 0, {4, 4}), Plane(wide.view().sub(4, 0, {4, 4})), {});
  expect_rejected("connectivity",
                  [&] { cpu::area_filter(ctx, in.cplane(), out.plane(), {static_cast<Connectivity>(0), 0, 1}); });
  expect_rejected("min_area", [&] { cpu::area_filter(ctx, in.cplane(), out.plane(), {Connectivity::four, -1, 1}); });
  expect_rejected("end_area", [&] { cpu::area_filter(ctx, in.cplane(), out.plane(), {Connectivity::four, 0, -1}); });
}

}  // namespace
}  // namespace morpho::test
