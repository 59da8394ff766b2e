// Objects and their measurements: hand-derived shapes, scikit-image's numbers for some, and the definition for the rest.
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numbers>
#include <random>

#include "contract/object_shape.hpp"
#include "contract/tables.hpp"
#include "cpu/cpu_ops.hpp"
#include "../support/local_sizes.hpp"

namespace morpho::test {
namespace {

using Rows = std::vector<std::string>;

/// '.' is background, a digit or letter its own label ('#' is 1).
Image<i32> drawing(const Rows& rows, i32 margin = 2) {
  Image<i32> out(static_cast<i32>(rows[0].size()), static_cast<i32>(rows.size()), 99, margin);
  for (i32 y = 0; y < out.extent.height; ++y) {
    for (i32 x = 0; x < out.extent.width; ++x) {
      const char c = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
      out.at(x, y) = c == '.' ? 0 : c == '#' ? 1 : c - '0';
    }
  }
  return out;
}
ObjectSet run(const Image<i32>& labels, const Image<Rgba>* colors = nullptr, const MeasureParams& p = {}, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  ObjectSet out;
  out.objects.resize(3);  // left over from an earlier call
  cpu::measure(ctx, labels.cplane(), colors ? colors->view() : View<const Rgba>(), {}, {}, out, p);
  return out;
}
ObjectMeasurement only(const Rows& rows) {
  const auto set = run(drawing(rows));
  EXPECT_EQ(set.objects.size(), 1u);
  return set.objects.at(0);
}
constexpr double kPi = std::numbers::pi, kRoot2 = std::numbers::sqrt2;

TEST(Measure, OnePixel) {
  const auto m = only({"....", "..#.", "...."});
  EXPECT_EQ(m.label, 1);
  EXPECT_EQ(m.first_x, 2);
  EXPECT_EQ(m.first_y, 1);
  EXPECT_EQ(m.min_x, 2);
  EXPECT_EQ(m.max_x, 2);
  EXPECT_EQ(m.min_y, 1);
  EXPECT_EQ(m.max_y, 1);
  EXPECT_EQ(m.area, 1);
  EXPECT_EQ(m.centroid_x, 2.5);
  EXPECT_EQ(m.centroid_y, 1.5);
  EXPECT_DOUBLE_EQ(m.perimeter, kPi / 4 * (2 + 2 / kRoot2));  // scikit-image 0.19.3 perimeter_crofton: 2.681517061334488
  EXPECT_NEAR(m.perimeter, 2.681517061334488, 1e-12);
  EXPECT_EQ(m.circularity, 1);
  EXPECT_DOUBLE_EQ(m.major_axis, 4 / std::sqrt(12.0));
  EXPECT_DOUBLE_EQ(m.minor_axis, 4 / std::sqrt(12.0));
  EXPECT_EQ(m.eccentricity, 0);
  EXPECT_EQ(m.orientation, 0);
  EXPECT_EQ(m.solidity, 1);
  EXPECT_EQ(m.stain_mean[0], 0);
}

TEST(Measure, RectangleByHand) {
  const auto m = only({"#######", "#######", "#######"});
  EXPECT_EQ(m.area, 21);
  EXPECT_EQ(m.centroid_x, 3.5);
  EXPECT_EQ(m.centroid_y, 1.5);
  // A rectangle's own second moment is (side²)/12, so its axes are 4 * side / sqrt(12).
  EXPECT_DOUBLE_EQ(m.major_axis, 4 * 7 / std::sqrt(12.0));
  EXPECT_DOUBLE_EQ(m.minor_axis, 4 * 3 / std::sqrt(12.0));
  EXPECT_DOUBLE_EQ(m.eccentricity, std::sqrt(1 - 9.0 / 49));
  EXPECT_EQ(m.orientation, 0);
  // Rows 3, columns 7, diagonals of a 7 × 3 rectangle: 7 + 3 - 1 each way.
  EXPECT_DOUBLE_EQ(m.perimeter, kPi / 4 * (10 + 18 / kRoot2));
  EXPECT_NEAR(m.perimeter, 17.850468244830807, 1e-12);  // scikit-image 0.19.3
  EXPECT_DOUBLE_EQ(m.circularity, 4 * kPi * 21 / (m.perimeter * m.perimeter));
  EXPECT_EQ(m.solidity, 1);
  const auto upright = only({"###", "###", "###", "###", "###", "###", "###"});
  EXPECT_EQ(upright.orientation, 90);
  EXPECT_EQ(upright.perimeter, m.perimeter);
}

TEST(Measure, AngleByHand) {
  const auto m = only({"#...", "#...", "#...", "####"});
  EXPECT_EQ(m.area, 7);
  EXPECT_EQ(m.centroid_x * (1 << 20), 1423067);  // 9.5 / 7 to the nearest multiple of 2^-20: 1423067.43
  EXPECT_EQ(m.centroid_y * (1 << 20), 2771237);  // 18.5 / 7: 2771236.57
  EXPECT_DOUBLE_EQ(m.orientation, -45);          // from top left to bottom right
  // Hull: the 4 × 4 square without the triangle (1,0) (4,3) (4,0) of area 4.5.
  EXPECT_DOUBLE_EQ(m.solidity, 7 / 11.5);
  EXPECT_NEAR(m.perimeter, 13.50287008168693, 1e-12);   // scikit-image 0.19.3 perimeter_crofton
  EXPECT_NEAR(m.major_axis, 5.773502691896258, 1e-12);  // its axes, each as sqrt(axis² + 4/3)
  EXPECT_NEAR(m.minor_axis, 3.134187175600825, 1e-12);
  EXPECT_DOUBLE_EQ(only({"####", "...#", "...#"}).orientation + only({"####", "#...", "#..."}).orientation, 0);
}

TEST(Measure, DiagonalAndRing) {
  const auto line = only({"#....", ".#...", "..#..", "...#.", "....#"});
  EXPECT_NEAR(line.perimeter, 11.186143837593258, 1e-12);
  EXPECT_NEAR(line.major_axis, 8.082903768654761, 1e-12);
  EXPECT_NEAR(line.minor_axis, 1.1547005383792515, 1e-12);
  EXPECT_DOUBLE_EQ(line.orientation, -45);
  EXPECT_DOUBLE_EQ(line.solidity, 5.0 / 9);  // the unit square swept along (4, 4): 1 + 4 + 4
  const auto ring = only({"###", "#.#", "###"});
  EXPECT_EQ(ring.area, 8);
  EXPECT_NEAR(ring.perimeter, 12.947509714417135, 1e-12);  // the hole's border counts
  EXPECT_DOUBLE_EQ(ring.solidity, 8.0 / 9);
}

TEST(Measure, EllipseAsScikitImage) {
  const auto m = only({"....................####.......", ".................#########.....", "..............############.....",
                       "............##############.....", "...........###############.....", ".........################......",
                       "........#################......", ".......#################.......", "......#################........",
                       "......################.........", ".....###############...........", ".....##############............",
                       ".....############..............", ".....#########.................",
                       ".......####...................."});
  EXPECT_EQ(m.area, 191);  // scikit-image 0.19.3 regionprops; axes as sqrt(axis² + 4/3), orientation + 90 degrees
  EXPECT_NEAR(m.perimeter, 56.04235224579793, 1e-10);
  EXPECT_NEAR(m.major_axis, 23.90802544482846, 1e-10);
  EXPECT_NEAR(m.minor_axis, 10.251022251477654, 1e-10);
  EXPECT_NEAR(m.eccentricity, 0.9034141186031539, 1e-12);
  EXPECT_NEAR(m.orientation, -1.0704842913171904 * 180 / kPi + 90, 1e-10);
}

TEST(Measure, DiskIsRound) {
  Image<i32> f(40, 40);
  for (i32 y = 0; y < 40; ++y) {
    for (i32 x = 0; x < 40; ++x) f.at(x, y) = (x - 20) * (x - 20) + (y - 20) * (y - 20) <= 100;
  }
  const auto m = run(f).objects.at(0);
  EXPECT_EQ(m.area, 317);
  EXPECT_NEAR(m.perimeter, 65.197624164341, 1e-10);  // scikit-image 0.19.3
  EXPECT_NEAR(m.major_axis, 20.135085334039267, 1e-10);
  EXPECT_EQ(m.major_axis, m.minor_axis);
  EXPECT_GT(m.circularity, 0.93);
  EXPECT_LE(m.circularity, 1);
}

TEST(Measure, LabelsNeedNotBeDenseNorConnected) {
  Image<i32> f = drawing({"1.33", "1..3", "..1.", "...."});
  for (auto& v : f.data) v = v == 3 ? INT32_MAX : v;
  f.at(0, 3) = -4;  // no object
  const auto set = run(f);
  ASSERT_EQ(set.objects.size(), 2u);
  EXPECT_EQ(set.objects[0].label, 1);
  EXPECT_EQ(set.objects[0].area, 3);
  EXPECT_EQ(set.objects[1].label, INT32_MAX);
  EXPECT_EQ(set.objects[1].first_x, 2);
  EXPECT_EQ(set.run_offsets, (ResultVector<i64>{0, 3, 5}));
  const auto is = [](const morpho::Run& r, i32 y, i32 x0, i32 x1) { return r.y == y && r.x0 == x0 && r.x1 == x1; };
  EXPECT_TRUE(is(set.runs[0], 0, 0, 1) && is(set.runs[1], 1, 0, 1) && is(set.runs[2], 2, 2, 3));
  EXPECT_TRUE(is(set.runs[3], 0, 2, 4) && is(set.runs[4], 1, 3, 4));
}

/// Perimeter and moments straight from their definitions, pixel by pixel.
void expect_definition(const Image<i32>& f, const ObjectMeasurement& m) {
  const auto is = [&](i32 x, i32 y) {
    return x >= 0 && y >= 0 && x < f.extent.width && y < f.extent.height && f.at(x, y) == m.label;
  };
  i64 area = 0, axial = 0, slanted = 0;
  double sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
  for (i32 y = 0; y < f.extent.height; ++y) {
    for (i32 x = 0; x < f.extent.width; ++x) {
      if (!is(x, y)) continue;
      ++area;
      axial += !is(x + 1, y) + !is(x, y + 1);
      slanted += !is(x + 1, y + 1) + !is(x - 1, y + 1);
      sx += x + 0.5, sy += y + 0.5;
    }
  }
  for (i32 y = 0; y < f.extent.height; ++y) {
    for (i32 x = 0; x < f.extent.width; ++x) {
      if (!is(x, y)) continue;
      const double dx = x + 0.5 - sx / static_cast<double>(area), dy = y + 0.5 - sy / static_cast<double>(area);
      xx += dx * dx, yy += dy * dy, xy += dx * dy;
    }
  }
  const double n = static_cast<double>(area);
  xx = xx / n + 1.0 / 12, yy = yy / n + 1.0 / 12, xy /= n;
  EXPECT_EQ(m.area, area);
  EXPECT_NEAR(m.perimeter, kPi / 4 * (static_cast<double>(axial) + static_cast<double>(slanted) / kRoot2), 1e-9);
  EXPECT_NEAR(m.centroid_x, sx / n, 0x1p-21 + 1e-9);  // rounded to multiples of 2^-20
  EXPECT_NEAR(m.centroid_y, sy / n, 0x1p-21 + 1e-9);
  // The axes are an eigenbasis: sum and product of the squared half axes are trace and determinant.
  const double a = m.major_axis * m.major_axis / 16, b = m.minor_axis * m.minor_axis / 16;
  EXPECT_NEAR(a + b, xx + yy, 1e-8 * (a + b));
  EXPECT_NEAR(a * b, xx * yy - xy * xy, 1e-8 * a * a);
  const double t = -m.orientation * kPi / 180, c = std::cos(t), s = std::sin(t);
  EXPECT_NEAR(c * c * xx + 2 * c * s * xy + s * s * yy, a, 1e-8 * a);  // the variance along the major axis
  EXPECT_GT(m.orientation, -90.0);
  EXPECT_LE(m.orientation, 90.0);
  EXPECT_LE(m.solidity, 1.0);
  EXPECT_GT(m.solidity, 0.0);
}

/// Twice the hull's area by gift wrapping over all pixel corners.
i64 naive_hull2(const std::vector<morpho::Run>& runs) {
  std::vector<std::pair<i64, i64>> p;
  for (const morpho::Run& r : runs) {
    for (i64 x : {r.x0, r.x1}) p.push_back({x, r.y}), p.push_back({x, r.y + 1});
  }
  const auto turn = [&](auto& a, auto& b, auto& c) {
    return (b.first - a.first) * (c.second - a.second) - (b.second - a.second) * (c.first - a.first);
  };
  const auto start = *std::min_element(p.begin(), p.end());
  i64 area = 0;
  auto at = start;
  do {
    auto next = p[0];
    for (const auto& q : p) {
      const i64 t = next == at ? 1 : turn(at, next, q);
      const auto far = [&](const auto& v) { return std::abs(v.first - at.first) + std::abs(v.second - at.second); };
      if (t > 0 || (t == 0 && far(q) > far(next))) next = q;
    }
    area += at.first * next.second - next.first * at.second;
    at = next;
  } while (at != start);
  return std::abs(area);
}

TEST(Measure, RandomObjectsByDefinition) {
  std::mt19937 rng(80);
  for (Extent e : odd_sizes()) {
    Image<i32> f(e.width, e.height, 0, 3);
    for (i64 p = 0; p < f.area(); ++p) f[p] = static_cast<i32>(rng() % 3 ? ((p % e.width) / 11) * 7 + 1 : rng() % 3);
    const auto set = run(f);
    for (std::size_t i = 0; i < set.objects.size(); ++i) {
      expect_definition(f, set.objects[i]);
      const std::vector<morpho::Run> runs(set.runs.begin() + set.run_offsets[i], set.runs.begin() + set.run_offsets[i + 1]);
      EXPECT_DOUBLE_EQ(set.objects[i].solidity,
                       2.0 * static_cast<double>(set.objects[i].area) / static_cast<double>(naive_hull2(runs)));
    }
    for (int threads : {2, 3, 8}) {
      const auto other = run(f, nullptr, {}, threads);
      ASSERT_EQ(other.objects.size(), set.objects.size());
      ASSERT_EQ(other.run_offsets, set.run_offsets);
      for (std::size_t i = 0; i < set.objects.size(); ++i) {
        ASSERT_EQ(other.objects[i].perimeter, set.objects[i].perimeter);
        ASSERT_EQ(other.objects[i].orientation, set.objects[i].orientation);
      }
    }
  }
}

/// Bit for bit, but for what lies between the fields.
bool equal(const ObjectMeasurement& a, const ObjectMeasurement& b) {
  constexpr std::size_t ints = 7 * sizeof(i32), rest = offsetof(ObjectMeasurement, area);
  return std::memcmp(&a, &b, ints) == 0 && std::memcmp(&a.area, &b.area, sizeof a - rest) == 0;
}

/// Objects of thousands of runs, which threads share, among small ones: by definition, and bit for bit the same with any
/// threads.
TEST(Measure, LargeObjectsByDefinitionForAnyThreads) {
  std::mt19937 rng(82);
  const Extent e{260, 240};
  Image<i32> f(e.width, e.height, 0, 1);
  Image<Rgba> colors(e.width, e.height, {}, 2);
  for (i32 y = 0; y < e.height; ++y) {
    for (i32 x = 0; x < e.width; ++x) {
      f.at(x, y) = x == 200 ? 5 + y / 20
                            : static_cast<i32>(rng() % 5) / (y < 120 ? 2 : 4) * 3 + (y == 150);  // 3, 6 and 1, 4 with gaps
      colors.at(x, y) = {static_cast<u8>(rng()), static_cast<u8>(rng()), static_cast<u8>(rng()), 255};
    }
  }
  MeasureParams p;
  p.stains[1].row[0] = -(1 << 24), p.stains[1].row[2] = 1 << 24;
  const objects::ObjectStainTables tables(p);
  Image<u8> value(e.width, e.height, 0, 1), below(e.width, e.height, 0, 5);
  for (i64 at = 0; at < f.area(); ++at) value[at] = static_cast<u8>(rng()), below[at] = static_cast<u8>(rng());
  p.contrast_per = 41, p.contrast_area = 700;
  const auto valued = [&](int threads) {
    Workspace w;
    Context ctx = context(w, threads);
    ObjectSet out;
    return cpu::measure(ctx, f.cplane(), colors.view(), value.cplane(), below.cplane(), out, p), out;
  };
  const auto set = valued(1);
  i64 most_runs = 0;
  for (std::size_t i = 0; i < set.objects.size(); ++i) {
    const ObjectMeasurement& m = set.objects[i];
    most_runs = std::max(most_runs, set.run_offsets[i + 1] - set.run_offsets[i]);
    expect_definition(f, m);
    objects::i128 sum[3] = {}, square[3] = {};
    i64 low[3], high[3];
    for (int s = 0; s < 3; ++s) {
      low[s] = INT64_MAX, high[s] = INT64_MIN;
      for (i64 at = 0; at < f.area(); ++at) {
        if (f[at] != m.label) continue;
        const Rgba c = colors[at];
        const i64 q = (tables.of[s][0][c.r] + tables.of[s][1][c.g] + tables.of[s][2][c.b]) >> 16;
        sum[s] += q, square[s] += q * q;
        low[s] = std::min(low[s], q), high[s] = std::max(high[s], q);
      }
    }
    ObjectMeasurement want = m;
    i64 above = 0;
    for (i64 at = 0; at < f.area(); ++at) above += f[at] == m.label ? value[at] - below[at] : 0;
    objects::finish_values(above, p, want);
    objects::finish_stains(sum, square, low, high, want);
    EXPECT_TRUE(equal(want, m)) << m.label;
    const std::vector<morpho::Run> runs(set.runs.begin() + set.run_offsets[i], set.runs.begin() + set.run_offsets[i + 1]);
    std::vector<objects::Corner> chain(4 * static_cast<std::size_t>(e.height));
    EXPECT_EQ(m.solidity,
              2 * static_cast<double>(m.area) /
                  static_cast<double>(objects::hull_area2(runs.data(), static_cast<i64>(runs.size()), chain.data())));
  }
  EXPECT_GT(most_runs, 5000);
  for (int threads : {2, 3, 8}) {
    const auto other = valued(threads);
    ASSERT_EQ(other.objects.size(), set.objects.size());
    for (std::size_t i = 0; i < set.objects.size(); ++i) {
      EXPECT_TRUE(equal(other.objects[i], set.objects[i])) << set.objects[i].label << ", " << threads << " threads";
    }
  }
}

TEST(Measure, ShapeDoesNotDependOnItsPlace) {
  Image<i32> f(3000, 60);
  for (i32 at : {0, 1234, 2989}) f.at(at, 3) = f.at(at + 1, 3) = f.at(at + 2, 4) = f.at(at + 3, 5) = at + 1;
  const auto set = run(f);
  ASSERT_EQ(set.objects.size(), 3u);
  for (const auto& m : set.objects) {
    EXPECT_EQ(m.major_axis, set.objects[0].major_axis);
    EXPECT_EQ(m.orientation, set.objects[0].orientation);
  }
}

TEST(Measure, NothingToMeasure) {
  for (Extent e : {Extent{0, 0}, Extent{0, 4}, Extent{4, 0}, Extent{4, 4}}) {
    const auto set = run(Image<i32>(e.width, e.height));
    EXPECT_TRUE(set.objects.empty());
    EXPECT_TRUE(set.runs.empty());
    EXPECT_EQ(set.run_offsets, ResultVector<i64>{0});
  }
}

TEST(Measure, BadArguments) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> bytes(4, 4);
  Image<i32> labels(4, 4);
  Image<Rgba> small(3, 4);
  ObjectSet out;
  MeasureParams p;
  expect_rejected("labels", [&] { cpu::measure(ctx, bytes.cplane(), {}, {}, {}, out, p); });
  expect_rejected("rgba", [&] { cpu::measure(ctx, labels.cplane(), small.view(), {}, {}, out, p); });
  Image<u8> narrow(3, 4);
  expect_rejected("value", [&] { cpu::measure(ctx, labels.cplane(), {}, narrow.cplane(), {}, out, p); });
  expect_rejected("value", [&] { cpu::measure(ctx, labels.cplane(), {}, labels.cplane(), {}, out, p); });
  expect_rejected("below", [&] { cpu::measure(ctx, labels.cplane(), {}, bytes.cplane(), narrow.cplane(), out, p); });
  expect_rejected("below", [&] { cpu::measure(ctx, labels.cplane(), {}, {}, bytes.cplane(), out, p); });
  p.contrast_per = 0;
  expect_rejected("contrast_per", [&] { cpu::measure(ctx, labels.cplane(), {}, {}, {}, out, p); });
  p.contrast_per = 1, p.contrast_area = 0;
  expect_rejected("contrast_area", [&] { cpu::measure(ctx, labels.cplane(), {}, {}, {}, out, p); });
  p.contrast_area = 1;
  p.stains[2].white[1] = 0;
  expect_rejected("white", [&] { cpu::measure(ctx, labels.cplane(), {}, {}, {}, out, p); });
  p.stains[2].white[1] = 255;
  p.stained = 3;
  expect_rejected("stained", [&] { cpu::measure(ctx, labels.cplane(), {}, {}, {}, out, p); });
  p.stained = -1, p.stained_above = (1 << 22) + 1;
  expect_rejected("stained_above", [&] { cpu::measure(ctx, labels.cplane(), {}, {}, {}, out, p); });
  p.stained_above = 0;
  p.stains[1].row[1] = (1 << 24) + 1;
  expect_rejected("row", [&] { cpu::measure(ctx, labels.cplane(), {}, {}, {}, out, p); });
  CancelFlag stop{true};
  ctx.cancel = &stop;
  EXPECT_THROW(cpu::measure(ctx, labels.cplane(), {}, {}, {}, out, {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
