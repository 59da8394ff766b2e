// Flat morphology: hand-checked, against the oracle, and against the definition pixel by pixel.
#include "cpu/cpu_ops.hpp"
#include "../support/local_sizes.hpp"

namespace morpho::test {
namespace {

bool inside(Shape shape, i32 dx, i32 dy, i32 r) {
  switch (shape) {
    case Shape::disk: return dx * dx + dy * dy <= r * r;
    case Shape::square: return true;
    case Shape::line_horizontal: return dy == 0;
    case Shape::line_vertical: return dx == 0;
    case Shape::line_diagonal: return dx == dy;
    case Shape::line_antidiagonal: return dx == -dy;
    case Shape::cross: return dx == 0 || dy == 0;
  }
  return false;
}

template <class T>
Image<T> naive_step(const Image<T>& f, Shape shape, i32 r, bool dilate) {
  Image<T> out(f.extent.width, f.extent.height);
  for (i32 y = 0; y < f.extent.height; ++y) {
    for (i32 x = 0; x < f.extent.width; ++x) {
      T best = f.at(x, y);
      for (i32 v = std::max(0, y - r); v <= std::min(f.extent.height - 1, y + r); ++v) {
        for (i32 u = std::max(0, x - r); u <= std::min(f.extent.width - 1, x + r); ++u) {
          if (inside(shape, u - x, v - y, r)) best = dilate ? std::max(best, f.at(u, v)) : std::min(best, f.at(u, v));
        }
      }
      out.at(x, y) = best;
    }
  }
  return out;
}
template <class T>
Image<T> naive(const Image<T>& f, const MorphologyParams& p) {
  const bool first = p.kind == Morphology::dilate || p.kind == Morphology::close;
  Image<T> out = naive_step(f, p.shape, p.radius, first);
  return p.kind == Morphology::open || p.kind == Morphology::close ? naive_step(out, p.shape, p.radius, !first) : out;
}

template <class T>
Image<T> run(const Image<T>& f, const MorphologyParams& p, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<T> out(f.extent.width, f.extent.height, T{7}, 5);
  cpu::morphology(ctx, f.cplane(), out.plane(), p);
  EXPECT_TRUE(margin_holds(out, T{7}));
  return out;
}

const std::vector<Shape> kShapes = {Shape::disk,          Shape::square,        Shape::line_horizontal,
                                    Shape::line_vertical, Shape::line_diagonal, Shape::line_antidiagonal,
                                    Shape::cross};

TEST(Morphology, HandChecked) {
  const auto f = image_of<u8>(4, 4, {0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 5, 9, 9, 9, 9, 9});
  using V = std::vector<u8>;
  const auto erode = [&](Shape s) { return run(f, {Morphology::erode, s, 1}).pixels(); };
  EXPECT_EQ(erode(Shape::disk), (V{0, 0, 9, 9, 0, 9, 5, 9, 9, 5, 5, 5, 9, 9, 5, 9}));
  EXPECT_EQ(erode(Shape::cross), erode(Shape::disk));
  EXPECT_EQ(erode(Shape::square), (V{0, 0, 9, 9, 0, 0, 5, 5, 9, 5, 5, 5, 9, 5, 5, 5}));
  EXPECT_EQ(erode(Shape::line_horizontal), (V{0, 0, 9, 9, 9, 9, 9, 9, 9, 5, 5, 5, 9, 9, 9, 9}));
  EXPECT_EQ(erode(Shape::line_vertical), (V{0, 9, 9, 9, 0, 9, 5, 9, 9, 9, 5, 9, 9, 9, 5, 9}));
  EXPECT_EQ(erode(Shape::line_diagonal), (V{0, 9, 9, 9, 9, 0, 9, 9, 9, 9, 5, 9, 9, 9, 9, 5}));
  EXPECT_EQ(erode(Shape::line_antidiagonal), (V{0, 9, 9, 9, 9, 9, 9, 5, 9, 9, 5, 9, 9, 5, 9, 9}));
}

TEST(Morphology, Oracle) {
  each_case("erode", [](const Case& c) {
    const MorphologyParams p{Morphology::erode, Shape::disk, static_cast<i32>(c.params()["radius"].integer())};
    for (int threads : kThreadCounts)
      EXPECT_EQ(run(c.input<u8>("image", 3), p, threads).pixels(), c.output<u8>("out").pixels());
  });
}

TEST(Morphology, EveryShapeAndSizeByDefinition) {
  std::mt19937 rng(20);
  for (Extent e : odd_sizes()) {
    for (Shape shape : kShapes) {
      for (i32 r : {0, 1, 2, 3, 10, 17}) {
        const auto f8 = random_image<u8>(rng, e.width, e.height, 256, 1, 3);
        const auto f16 = random_image<u16>(rng, e.width, e.height, 1000, 65, 3);
        const Morphology kind = static_cast<Morphology>(rng() % 4);
        const MorphologyParams p{kind, shape, r};
        SCOPED_TRACE(testing::Message() << e.width << "x" << e.height << " shape " << int(shape) << " r " << r << " kind "
                                        << int(kind));
        ASSERT_EQ(run(f8, p).pixels(), naive(f8, p).pixels());
        ASSERT_EQ(run(f16, p).pixels(), naive(f16, p).pixels());
      }
    }
  }
}

TEST(Morphology, RadiusLargerThanTheImage) {
  std::mt19937 rng(21);
  for (Shape shape : kShapes) {
    for (i32 r : {40, 90, 1024}) {
      const auto f = random_image<u8>(rng, 37, 29, 256);
      for (Morphology kind : {Morphology::erode, Morphology::dilate})
        ASSERT_EQ(run(f, {kind, shape, r}).pixels(), naive(f, {kind, shape, r}).pixels()) << int(shape) << " " << r;
    }
  }
}

TEST(Morphology, ThreadsTilesAndPlaceDoNotMatter) {
  std::mt19937 rng(22);
  const auto f = random_image<u8>(rng, 1100, 300, 256, 1, 9);  // several tiles across and, with threads, down
  for (Shape shape : kShapes) {
    for (Morphology kind : {Morphology::erode, Morphology::dilate, Morphology::open, Morphology::close}) {
      const MorphologyParams p{kind, shape, 6};
      const auto expected = run(f, p).pixels();
      if (kind == Morphology::dilate) {
        ASSERT_EQ(expected, naive(f, p).pixels());
      }
      for (int threads : {2, 3, 8}) ASSERT_EQ(run(f, p, threads).pixels(), expected);
      Workspace w;
      Context ctx = context(w, 3);
      Image<u8> g = f;
      cpu::morphology(ctx, g.plane(), g.plane(), p);
      ASSERT_EQ(g.pixels(), expected);
    }
  }
}

TEST(Morphology, ConstantStaysConstant) {
  const Image<u16> f(50, 20, 300);
  for (Shape shape : kShapes) EXPECT_EQ(run(f, {Morphology::open, shape, 5}).pixels(), f.pixels());
}

TEST(Morphology, WorkspaceStaysWithinItsStatedNeed) {
  Workspace w;
  Context ctx = context(w, 2);
  Image<u8> f(2000, 1500, 3), out(2000, 1500);
  cpu::morphology(ctx, f.cplane(), out.plane(), {Morphology::erode, Shape::disk, 10});
  EXPECT_LE(w.peak_bytes(), 2u * ((2 * 10 + 3) * 4096 + 6 * (4096 + 20 + 128)));
  cpu::morphology(ctx, f.cplane(), out.plane(), {Morphology::open, Shape::square, 3});
  EXPECT_LE(w.peak_bytes(), 2u * ((2 * 10 + 3) * 4096 + 6 * (4096 + 20 + 128)) + 2000u * 1500u);
}

TEST(Morphology, BadArguments) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> f(5, 5), out(5, 5), small(4, 5);
  Image<u16> wide(5, 5);
  Image<i32> labels(5, 5);
  expect_rejected("radius", [&] { cpu::morphology(ctx, f.cplane(), out.plane(), {Morphology::erode, Shape::disk, -1}); });
  expect_rejected("radius", [&] { cpu::morphology(ctx, f.cplane(), out.plane(), {Morphology::erode, Shape::disk, 1025}); });
  expect_rejected("kind", [&] { cpu::morphology(ctx, f.cplane(), out.plane(), {static_cast<Morphology>(9), Shape::disk, 1}); });
  expect_rejected("shape",
                  [&] { cpu::morphology(ctx, f.cplane(), out.plane(), {Morphology::erode, static_cast<Shape>(9), 1}); });
  expect_rejected("f", [&] { cpu::morphology(ctx, labels.cplane(), labels.plane(), {}); });
  expect_rejected("out", [&] { cpu::morphology(ctx, f.cplane(), wide.plane(), {}); });
  expect_rejected("out", [&] { cpu::morphology(ctx, f.cplane(), small.plane(), {}); });
  Image<u8> both(5, 9);
  expect_rejected("out", [&] { cpu::morphology(ctx, both.view().sub(0, 0, {5, 6}), both.view().sub(0, 3, {5, 6}), {}); });
  CancelFlag stop{true};
  ctx.cancel = &stop;
  EXPECT_THROW(cpu::morphology(ctx, f.cplane(), out.plane(), {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
