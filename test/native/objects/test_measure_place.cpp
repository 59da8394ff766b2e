// What an object measures does not depend on where it lies: moved by whole pixels, its centroid moves by just these, all else
// keeps its bits.
#include <algorithm>
#include <random>
#include <vector>

#include "contract/object_shape.hpp"
#include "cpu/cpu_ops.hpp"
#include "../support/local_sizes.hpp"
#include "../support/same_output.hpp"

namespace morpho::test {
namespace {

using Runs = std::vector<morpho::Run>;

ObjectMeasurement measured(Runs runs, i32 dx, i32 dy) {
  for (morpho::Run& r : runs) r.y += dy, r.x0 += dx, r.x1 += dx;
  std::vector<objects::Corner> chain(4 * static_cast<std::size_t>(runs.back().y - runs.front().y + 1));
  ObjectMeasurement m{};
  objects::measure_shape(runs.data(), static_cast<i64>(runs.size()), chain.data(), 1, m);
  return m;
}

/// `m` as it would be in coordinates that are larger by (dx, dy), as main/run/objectBlock.ts does it.
ObjectMeasurement moved(ObjectMeasurement m, i32 dx, i32 dy) {
  m.first_x += dx, m.min_x += dx, m.max_x += dx, m.centroid_x += dx;
  m.first_y += dy, m.min_y += dy, m.max_y += dy, m.centroid_y += dy;
  return m;
}

void expect_same(const ObjectMeasurement& got, const ObjectMeasurement& want) {
  EXPECT_EQ(got.centroid_x, want.centroid_x);
  EXPECT_EQ(got.centroid_y, want.centroid_y);
  EXPECT_EQ(integers_of(got), integers_of(want));
  EXPECT_TRUE(same_doubles(got, want));
}

/// Small objects of every area up to 60, and some of thousands of runs; corner at (0, 0) or a little beyond.
std::vector<Runs> shapes() {
  std::mt19937 rng(20);
  std::vector<Runs> out;
  const auto drawn = [&](i32 width, i32 height, unsigned density, i64 most) {
    Runs runs;
    i64 area = 0;
    for (i32 y = 0; y < height && area < most; ++y) {
      for (i32 x = 0; x < width && area < most; ++x) {
        if (rng() % 8 >= density) continue;
        if (runs.empty() || runs.back().y != y || runs.back().x1 != x) runs.push_back({y, x, x});
        ++runs.back().x1, ++area;
      }
    }
    out.push_back(runs);
  };
  for (i64 area = 1; area <= 60; ++area) drawn(9, 99, 5, area);
  for (i32 side : {40, 77, 131, 260})
    drawn(side, side + 3, 4, i64{side} * side), drawn(3 * side, side / 5, 7, i64{side} * side);
  return out;
}

TEST(MeasurePlace, CentroidsMoveByWholePixelsExactly) {
  constexpr i32 kOffsets[] = {1, 2, 7, 63, 256, 511, 1000, 2949, 4096, 65535, 100'003, 1'048'577, 16'777'259, 1'000'000'007};
  for (const Runs& runs : shapes()) {
    const ObjectMeasurement at_corner = measured(runs, 0, 0);
    SCOPED_TRACE(testing::Message() << "area " << at_corner.area);
    objects::i128 x = 0, y = 0;  // twice the sums of the centres
    for (const morpho::Run& r : runs) x += i64{r.x1 - r.x0} * (r.x0 + r.x1), y += i64{r.x1 - r.x0} * (2 * r.y + 1);
    const double twice = 2 * static_cast<double>(at_corner.area);
    EXPECT_NEAR(at_corner.centroid_x, static_cast<double>(x) / twice, 0x1p-21 + 1e-12);
    EXPECT_NEAR(at_corner.centroid_y, static_cast<double>(y) / twice, 0x1p-21 + 1e-12);
    for (const i32 offset : kOffsets) {
      const i32 down = offset / 3 + 5;
      expect_same(measured(runs, offset, down), moved(at_corner, offset, down));
    }
    if (testing::Test::HasFailure()) return;
  }
}

/// Windows on one picture: what each says of an object that it holds whole is the same, once moved to the picture's
/// coordinates.
TEST(MeasurePlace, WindowsOnOnePictureAgree) {
  std::mt19937 rng(21);
  const Extent e{300, 220};
  Image<i32> labels(e.width, e.height);
  Image<Rgba> colors(e.width, e.height);
  for (i32 y = 0; y < e.height; ++y) {
    for (i32 x = 0; x < e.width; ++x) {
      labels.at(x, y) = rng() % 4 ? 1 + y / 23 * 100 + x / 19 : 0;
      colors.at(x, y) = {static_cast<u8>(rng()), static_cast<u8>(rng()), static_cast<u8>(rng()), 255};
    }
  }
  const auto run = [&](Rect r, int threads) {
    Image<i32> part(r.width, r.height);
    Image<Rgba> part_colors(r.width, r.height);
    for (i32 y = 0; y < r.height; ++y) {
      for (i32 x = 0; x < r.width; ++x)
        part.at(x, y) = labels.at(r.x + x, r.y + y), part_colors.at(x, y) = colors.at(r.x + x, r.y + y);
    }
    Workspace w;
    Context ctx = context(w, threads);
    ObjectSet set;
    cpu::measure(ctx, part.cplane(), part_colors.view(), {}, {}, set, {});
    return set;
  };
  const ObjectSet all = run({0, 0, e.width, e.height}, 1);
  int compared = 0;
  for (const Rect r : {Rect{19, 23, 281, 197}, Rect{101, 50, 130, 150}, Rect{3, 171, 290, 49}, Rect{200, 1, 77, 219}}) {
    for (const int threads : kThreadCounts) {
      const ObjectSet some = run(r, threads);
      for (const ObjectMeasurement& m : some.objects) {
        const auto same = std::find_if(all.objects.begin(), all.objects.end(),
                                       [&](const auto& o) { return o.label == m.label; });
        ASSERT_NE(same, all.objects.end());
        if (same->min_x < r.x || same->min_y < r.y || same->max_x >= r.x + r.width || same->max_y >= r.y + r.height) continue;
        expect_same(moved(m, r.x, r.y), *same);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace morpho::test
