// Outlines: hand-drawn shapes, and for random ones that the rings give back exactly the pixels they came from.
#include <cmath>

#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using Rows = std::vector<std::string>;
using Points = std::vector<i32>;

std::vector<Run> runs_of(const Rows& rows) {
  std::vector<Run> out;
  for (std::size_t y = 0; y < rows.size(); ++y) {
    for (std::size_t x = 0; x < rows[y].size(); ++x) {
      if (rows[y][x] != '#') continue;
      std::size_t end = x;
      while (end < rows[y].size() && rows[y][end] == '#') ++end;
      out.push_back({static_cast<i32>(y), static_cast<i32>(x), static_cast<i32>(end)});
      x = end;
    }
  }
  return out;
}
std::vector<Ring> outline(const Rows& rows, double tolerance = 0) {
  const auto runs = runs_of(rows);
  return cpu::trace_outline(runs.data(), runs.size(), tolerance);
}
/// Positive where the ring runs counter-clockwise on screen (y down).
i64 area2(const Ring& r) {
  i64 sum = 0;
  const std::size_t n = r.xy.size() / 2;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    sum += i64{r.xy[2 * j]} * r.xy[2 * i + 1] - i64{r.xy[2 * i]} * r.xy[2 * j + 1];
  }
  return sum;
}

TEST(Outline, OnePixel) {
  const auto rings = outline({"...", ".#."});
  ASSERT_EQ(rings.size(), 1u);
  EXPECT_FALSE(rings[0].hole);
  EXPECT_EQ(rings[0].xy, (Points{1, 2, 2, 2, 2, 1, 1, 1}));  // down the left side, right, up, left: counter-clockwise on screen
  EXPECT_EQ(area2(rings[0]), 2);
}

TEST(Outline, CornersOnStraightLinesAreLeftOut) {
  const auto rings = outline({"####", "####", "####"});
  ASSERT_EQ(rings.size(), 1u);
  EXPECT_EQ(rings[0].xy, (Points{0, 3, 4, 3, 4, 0, 0, 0}));
}

TEST(Outline, HoleRunsClockwise) {
  const auto rings = outline({"####", "#..#", "####"});
  ASSERT_EQ(rings.size(), 2u);
  EXPECT_FALSE(rings[0].hole);
  EXPECT_EQ(area2(rings[0]), 24);
  EXPECT_TRUE(rings[1].hole);
  EXPECT_EQ(area2(rings[1]), -4);
  EXPECT_EQ(rings[1].xy.size(), 8u);
}

TEST(Outline, PixelsThatTouchAtACornerAreSeparate) {
  const auto rings = outline({"#.", ".#"});
  ASSERT_EQ(rings.size(), 2u);
  EXPECT_EQ(rings[0].xy, (Points{0, 1, 1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(rings[1].xy, (Points{1, 2, 2, 2, 2, 1, 1, 1}));
  EXPECT_EQ(outline({".#", "#."}).size(), 2u);
  // A hole that reaches the outside through a corner is part of the outer ring.
  const auto open = outline({".##", "#.#", "###"});
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(area2(open[0]), 14);
  // Two holes that touch at a corner are one ring: the background is 8-connected.
  const auto holes = outline({"####", "#.##", "##.#", "####"});
  ASSERT_EQ(holes.size(), 2u);
  EXPECT_EQ(area2(holes[1]), -4);
}

TEST(Outline, OuterRingsComeFirst) {
  const auto rings = outline({"###..", "#.#.#", "###.."});
  ASSERT_EQ(rings.size(), 3u);
  EXPECT_FALSE(rings[0].hole);
  EXPECT_FALSE(rings[1].hole);
  EXPECT_TRUE(rings[2].hole);
}

/// Even-odd filling of the rings: a pixel is inside where an odd number of vertical pieces lie to its left.
Rows fill(const std::vector<Ring>& rings, i32 w, i32 h) {
  Rows out(static_cast<std::size_t>(h), std::string(static_cast<std::size_t>(w), '.'));
  std::vector<std::vector<int>> flips(static_cast<std::size_t>(h), std::vector<int>(static_cast<std::size_t>(w) + 1, 0));
  for (const Ring& r : rings) {
    const std::size_t n = r.xy.size() / 2;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = (i + 1) % n;
      if (r.xy[2 * i] != r.xy[2 * j]) continue;
      for (i32 y = std::min(r.xy[2 * i + 1], r.xy[2 * j + 1]); y < std::max(r.xy[2 * i + 1], r.xy[2 * j + 1]); ++y)
        ++flips[static_cast<std::size_t>(y)][static_cast<std::size_t>(r.xy[2 * i])];
    }
  }
  for (std::size_t y = 0; y < out.size(); ++y) {
    int inside = 0;
    for (std::size_t x = 0; x < out[y].size(); ++x) {
      inside += flips[y][x];
      if (inside % 2) out[y][x] = '#';
    }
  }
  return out;
}

/// Components of the given pixels ('#' or '.'), 4- or 8-connected; '.' ones that reach the frame do not count.
int components(const Rows& rows, char kind, bool eight) {
  const int h = static_cast<int>(rows.size()), w = static_cast<int>(rows[0].size());
  std::vector<char> seen(static_cast<std::size_t>(w * h), 0);
  int count = 0;
  for (int p = 0; p < w * h; ++p) {
    const auto is = [&](int q) { return rows[static_cast<std::size_t>(q / w)][static_cast<std::size_t>(q % w)] == kind; };
    if (seen[static_cast<std::size_t>(p)] || !is(p)) continue;
    bool framed = false;
    std::vector<int> stack{p};
    seen[static_cast<std::size_t>(p)] = 1;
    while (!stack.empty()) {
      const int q = stack.back(), x = q % w, y = q / w;
      stack.pop_back();
      framed = framed || x == 0 || y == 0 || x == w - 1 || y == h - 1;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if ((!eight && dx && dy) || x + dx < 0 || y + dy < 0 || x + dx >= w || y + dy >= h) continue;
          const int n = (y + dy) * w + x + dx;
          if (!seen[static_cast<std::size_t>(n)] && is(n)) seen[static_cast<std::size_t>(n)] = 1, stack.push_back(n);
        }
      }
    }
    count += kind == '#' || !framed;
  }
  return count;
}

TEST(Outline, RandomShapesGiveBackTheirPixels) {
  std::mt19937 rng(90);
  for (int round = 0; round < 400; ++round) {
    const i32 w = 1 + static_cast<i32>(rng() % 14), h = 1 + static_cast<i32>(rng() % 14);
    Rows rows(static_cast<std::size_t>(h), std::string(static_cast<std::size_t>(w), '.'));
    for (auto& row : rows) {
      for (auto& c : row) c = rng() % 100 < 20u + static_cast<unsigned>(round % 60) ? '#' : '.';
    }
    const auto rings = outline(rows);
    ASSERT_EQ(fill(rings, w, h), rows);
    int outer = 0, holes = 0;
    for (const Ring& r : rings) {
      (r.hole ? holes : outer) += 1;
      ASSERT_EQ(area2(r) < 0, r.hole);
      const std::size_t n = r.xy.size() / 2;
      for (std::size_t i = 0; i < n; ++i) {  // every corner is a turn: pieces are alternately horizontal and vertical
        const std::size_t j = (i + 1) % n, k = (i + 2) % n;
        ASSERT_NE(r.xy[2 * i] == r.xy[2 * j], r.xy[2 * i + 1] == r.xy[2 * j + 1]);
        ASSERT_NE(r.xy[2 * i] == r.xy[2 * j], r.xy[2 * j] == r.xy[2 * k]);
      }
    }
    ASSERT_EQ(outer, components(rows, '#', false));
    ASSERT_EQ(holes, components(rows, '.', true));
  }
}

TEST(Outline, EmptyRowsBetweenRuns) {
  const morpho::Run runs[] = {{-5, 2, 4}, {7, -3, 1}, {7, 2, 3}};
  const auto rings = cpu::trace_outline(runs, 3, 0);
  ASSERT_EQ(rings.size(), 3u);
  EXPECT_EQ(rings[0].xy, (Points{2, -4, 4, -4, 4, -5, 2, -5}));
  EXPECT_EQ(rings[1].xy, (Points{-3, 8, 1, 8, 1, 7, -3, 7}));
}

double distance(double px, double py, double ax, double ay, double bx, double by) {
  const double dx = bx - ax, dy = by - ay, l = dx * dx + dy * dy;
  const double t = l > 0 ? std::clamp(((px - ax) * dx + (py - ay) * dy) / l, 0.0, 1.0) : 0;
  return std::hypot(px - ax - t * dx, py - ay - t * dy);
}

TEST(Outline, SimplifiedRingsStayWithinTheTolerance) {
  Rows rows(60, std::string(60, '.'));
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 60; ++x) {
      const int d = (x - 30) * (x - 30) + (y - 30) * (y - 30);
      if (d <= 27 * 27 && d > 9 * 9) rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = '#';
    }
  }
  const auto exact = outline(rows);
  std::size_t before = exact[0].xy.size();
  for (double tolerance : {0.6, 1.0, 2.0, 5.0}) {
    const auto rings = outline(rows, tolerance);
    ASSERT_EQ(rings.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(rings[k].hole, k == 1);
      EXPECT_EQ(area2(rings[k]) < 0, rings[k].hole);
      const std::size_t n = rings[k].xy.size() / 2;
      EXPECT_GE(n, 3u);
      for (std::size_t i = 0; i < exact[k].xy.size() / 2; ++i) {
        double nearest = 1e9;
        for (std::size_t j = 0; j < n; ++j) {
          const std::size_t l = (j + 1) % n;
          nearest = std::min(nearest, distance(exact[k].xy[2 * i], exact[k].xy[2 * i + 1], rings[k].xy[2 * j],
                                               rings[k].xy[2 * j + 1], rings[k].xy[2 * l], rings[k].xy[2 * l + 1]));
        }
        EXPECT_LE(nearest, tolerance + 1e-9);
      }
    }
    EXPECT_LT(rings[0].xy.size(), before);
    before = rings[0].xy.size();
  }
}

TEST(Outline, ARingKeepsThreeCorners) {
  const auto rings = outline({"##########"}, 50);
  ASSERT_EQ(rings.size(), 1u);
  EXPECT_EQ(rings[0].xy.size(), 6u);
}

TEST(Outline, BadArguments) {
  const morpho::Run overlapping[] = {{0, 0, 3}, {0, 2, 4}}, touching[] = {{0, 0, 3}, {0, 3, 4}},
                    backwards[] = {{1, 0, 3}, {0, 0, 3}}, none[] = {{0, 3, 3}};
  expect_rejected("runs", [&] { cpu::trace_outline(overlapping, 2, 0); });
  expect_rejected("runs", [&] { cpu::trace_outline(touching, 2, 0); });
  expect_rejected("runs", [&] { cpu::trace_outline(backwards, 2, 0); });
  expect_rejected("runs", [&] { cpu::trace_outline(none, 1, 0); });
  expect_rejected("runs", [&] { cpu::trace_outline(nullptr, 1, 0); });
  expect_rejected("simplify_px", [&] { cpu::trace_outline(nullptr, 0, -1); });
  expect_rejected("simplify_px", [&] { cpu::trace_outline(nullptr, 0, std::nan("")); });
  EXPECT_TRUE(cpu::trace_outline(nullptr, 0, 0).empty());
}

}  // namespace
}  // namespace morpho::test
