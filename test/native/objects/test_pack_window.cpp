// Objects as a window packs them: read back to the bit, narrow where all of a column are exact, each with its tile, its visits
// and its rim.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "contract/error.hpp"
#include "export/pack_trust.hpp"
#include "export/pack_window.hpp"

namespace morpho::exports {
namespace {

/// The packed rows as a table of one batch.
struct Read {
  explicit Read(const PackedRows& rows) : ids(static_cast<std::size_t>(rows.count)) {
    Batch batch;
    batch.count = rows.count;
    for (std::size_t i = 0; i < kColumns; ++i)
      batch.columns[i] = {rows.columns[i].type == Numbers::none ? nullptr : rows.memory.data() + rows.columns[i].begin,
                          rows.columns[i].type};
    batch.ends = reinterpret_cast<const std::uint32_t*>(rows.memory.data() + rows.ends);
    batch.outlines = rows.memory.data() + rows.outlines;
    batch.outline_bytes = rows.memory.size() - rows.outlines;
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::uint32_t>(i);
    table.emplace_back(std::vector<Batch>{batch}, ids.data(), rows.count, std::max<i64>(rows.count, 1));
  }
  double value(i64 row, Field field) const { return table[0].at(row).value(field); }
  std::vector<morpho::Run> runs(i64 row) const {
    std::vector<Run> out;
    table[0].at(row).runs(out);
    return out;
  }
  std::vector<std::uint32_t> ids;
  std::vector<ObjectTable> table;
};

void add(ObjectSet& set, std::vector<morpho::Run> runs, ObjectMeasurement m = {}) {
  if (set.run_offsets.empty()) set.run_offsets.push_back(0);
  m.label = static_cast<i32>(set.objects.size()) + 1;
  m.first_x = runs[0].x0, m.first_y = m.min_y = runs[0].y, m.max_y = runs.back().y;
  m.min_x = std::numeric_limits<i32>::max(), m.max_x = 0, m.area = 0;
  for (const Run& r : runs) {
    m.min_x = std::min(m.min_x, r.x0), m.max_x = std::max(m.max_x, r.x1 - 1);
    m.area += r.x1 - r.x0;
    set.runs.push_back(r);
  }
  set.objects.push_back(m);
  set.run_offsets.push_back(static_cast<i64>(set.runs.size()));
}

/// Circularity as it follows from area and perimeter.
double round_of(double area, double perimeter) { return std::min(1.0, 4 * std::numbers::pi * area / (perimeter * perimeter)); }

Numbers type_of(const PackedRows& rows, Field field) { return rows.columns[static_cast<std::size_t>(field)].type; }

TEST(PackRows, GivesBackEveryNumberAndRun) {
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<i32>(random() % static_cast<unsigned>(n)); };
  const auto any = [&] {
    const auto bits = static_cast<std::uint64_t>(random()) << 32 | random();
    return std::bit_cast<double>(bits);
  };
  for (int round = 0; round < 300; ++round) {
    ObjectSet set;
    const bool on_grid = round % 3 != 0;
    const int count = 1 + below(6);
    for (int k = 0; k < count; ++k) {
      std::vector<morpho::Run> runs;
      i32 y = below(1000), x = below(1000);
      for (int r = 0, n = 1 + below(8); r < n; ++r) {
        const i32 length = 1 + below(round % 5 == 0 ? 70000 : 30);
        runs.push_back({y, x, x + length});
        // Beside it in the same row, or anywhere in a lower one.
        if (below(3) == 0) x += length + 1 + below(300);
        else y += below(4) == 0 ? 1 + below(100000) : 1, x = std::max(0, x + below(round % 7 == 0 ? 200000 : 40) - 20);
      }
      ObjectMeasurement m{};
      const double grid = 1 << 20;
      m.centroid_x = on_grid ? std::floor((runs[0].x0 + below(50)) * grid + below(1 << 20)) / grid : any();
      m.centroid_y = on_grid ? runs[0].y + below(50) + 0.5 : any();
      m.perimeter = 1 + below(1000) / 7.0;
      m.major_axis = any(), m.orientation = -0.0, m.solidity = std::nan("");
      for (int s = 0; s < 3; ++s) {
        m.stain_min[s] = on_grid ? (below(4000) - 2000) / 1024.0 : any();
        m.stain_max[s] = below(40000) / 1024.0;
      }
      // Of all, of some, of none.
      m.contrast = round % 4 == 0 || (round % 4 == 1 && below(2) == 0) ? kNotMeasured : below(4000) / 777.0;
      m.score = std::isnan(m.contrast) ? kNotMeasured : below(101);
      m.stained_area = round % 4 == 2 ? kNotMeasured : 100 * below(50) / 49.0;
      add(set, runs, m);
      ObjectMeasurement& own = set.objects.back();
      own.circularity = on_grid ? round_of(static_cast<double>(own.area), own.perimeter) : any();
    }
    std::vector<i32> rows;
    for (i32 k = 0; k < count; ++k)
      if (below(4) != 0) rows.push_back(k);
    const i64 x = below(1 << 26), y = below(1 << 26);
    const PackedRows packed = pack_rows(set, rows, x, y);
    const Read read(packed);
    ASSERT_EQ(packed.count, static_cast<i64>(rows.size()));
    for (i64 n = 0; n < packed.count; ++n) {
      const ObjectMeasurement& m = set.objects[static_cast<std::size_t>(rows[static_cast<std::size_t>(n)])];
      const auto is = [&](Field field, double expected) {
        // One zero is as good as the other.
        EXPECT_EQ(std::bit_cast<std::uint64_t>(read.value(n, field) + 0.0), std::bit_cast<std::uint64_t>(expected + 0.0))
            << kFieldNames[static_cast<std::size_t>(field)] << " of " << n << " in round " << round;
      };
      const auto dx = static_cast<double>(x), dy = static_cast<double>(y);
      is(Field::first_x, m.first_x + dx), is(Field::first_y, m.first_y + dy), is(Field::min_y, m.min_y + dy);
      is(Field::min_x, m.min_x + dx), is(Field::max_x, m.max_x + dx), is(Field::max_y, m.max_y + dy);
      is(Field::area, static_cast<double>(m.area)), is(Field::centroid_x, m.centroid_x + dx);
      is(Field::centroid_y, m.centroid_y + dy), is(Field::perimeter, m.perimeter), is(Field::major_axis, m.major_axis);
      is(Field::orientation, m.orientation), is(Field::circularity, m.circularity), is(Field::solidity, m.solidity);
      is(Field::stain1_min, m.stain_min[0]), is(Field::stain2_min, m.stain_min[1]), is(Field::stain3_min, m.stain_min[2]);
      is(Field::stain1_max, m.stain_max[0]), is(Field::stain2_max, m.stain_max[1]), is(Field::stain3_max, m.stain_max[2]);
      is(Field::contrast, m.contrast), is(Field::score, m.score);
      is(Field::stained_area, m.stained_area);
      const auto row = static_cast<std::size_t>(rows[static_cast<std::size_t>(n)]);
      const std::vector<morpho::Run> runs = read.runs(n);
      ASSERT_EQ(static_cast<i64>(runs.size()), set.run_offsets[row + 1] - set.run_offsets[row]);
      for (std::size_t r = 0; r < runs.size(); ++r) {
        const morpho::Run& own = set.runs[static_cast<std::size_t>(set.run_offsets[row]) + r];
        EXPECT_EQ(runs[r].y, own.y + y);
        EXPECT_EQ(runs[r].x0, own.x0 + x);
        EXPECT_EQ(runs[r].x1, own.x1 + x);
      }
    }
    if (on_grid) {
      EXPECT_EQ(type_of(packed, Field::centroid_y), Numbers::i32);
      EXPECT_EQ(type_of(packed, Field::stain1_min), Numbers::i16);
      EXPECT_EQ(type_of(packed, Field::circularity), Numbers::none);
    }
    if (round % 4 == 0) {
      EXPECT_EQ(type_of(packed, Field::contrast), Numbers::none);
      EXPECT_EQ(type_of(packed, Field::score), Numbers::none);
    } else if (round % 4 != 1 && packed.count > 0) {
      EXPECT_EQ(type_of(packed, Field::contrast), Numbers::f64);
      EXPECT_EQ(type_of(packed, Field::score), Numbers::u16);
    }
  }
}

TEST(PackRows, IsWideFromTheFirstNumberThatDoesNotFit) {
  ObjectSet set;
  add(set, {{0, 0, 65535}});
  add(set, {{2, 0, 65536}});
  for (ObjectMeasurement& m : set.objects) m.perimeter = 1, m.circularity = 1;
  EXPECT_EQ(type_of(pack_rows(set, std::vector<i32>{0}, 0, 0), Field::area), Numbers::u16);
  EXPECT_EQ(type_of(pack_rows(set, std::vector<i32>{0, 1}, 0, 0), Field::area), Numbers::f64);
  // 65535 is not within an i16 of the first pixel.
  EXPECT_EQ(type_of(pack_rows(set, std::vector<i32>{0}, 0, 0), Field::max_x), Numbers::f64);
  EXPECT_EQ(pack_rows(set, {}, 0, 0).count, 0);
}

/// A window of 60 × 60 px at (100, 200) of an image of 1000 × 1000, tiles of 32 px: its tiles are 3..4 by 6..8.
WindowPlace place() {
  WindowPlace p;
  p.x = 100, p.y = 200, p.extent = {60, 60}, p.image_width = p.image_height = 1000, p.tile_px = 32;
  p.tiles = {{4, 7}, {3, 6}};
  return p;
}

TEST(PackWindow, GivesEachObjectToTheTileOfItsFirstPixel) {
  ObjectSet set;
  add(set, {{1, 2, 3}});                   // (102, 201): tile 3, 6
  add(set, {{23, 27, 30}, {24, 26, 30}});  // (127, 223): first in 3, 6, on the corner of four
  add(set, {{30, 40, 41}});                // (140, 230): 4, 7
  add(set, {{30, 27, 28}});                // (127, 230): 3, 7, which nobody asked for
  add(set, {{29, 27, 28}, {30, 20, 30}});  // first in 3, 7; visits 4, 7
  const PackedWindow found = pack_window(set, place(), true);
  EXPECT_EQ(found.owned.starts, (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(Read(found.owned.rows).value(0, Field::first_x), 140);
  EXPECT_EQ(Read(found.owned.rows).value(1, Field::first_x), 102);
  EXPECT_EQ(Read(found.owned.rows).value(2, Field::first_x), 127);
  EXPECT_EQ(found.owned.crossings, (std::vector<i32>{2, 4, 6, 2, 3, 7, 2, 4, 7}));
  EXPECT_EQ(found.overlapping.starts, (std::vector<std::uint32_t>{0, 2, 2}));
  EXPECT_EQ(Read(found.overlapping.rows).value(0, Field::first_y), 223);
  EXPECT_EQ(Read(found.overlapping.rows).value(1, Field::first_y), 229);
  EXPECT_EQ(found.numbers, (std::vector<i32>{1, 102, 201, 2, 127, 223, 3, 140, 230, 4, 127, 230, 5, 127, 229}));
  const PackedWindow unseen = pack_window(set, place(), false);
  EXPECT_EQ(unseen.overlapping.rows.count, 0);
  EXPECT_TRUE(unseen.numbers.empty());
}

TEST(PackWindow, KnowsWhatItsRimCuts) {
  WindowPlace p = place();
  p.tile_px = 1 << 20, p.tiles = {{0, 0}};
  ObjectSet set;
  add(set, {{5, 0, 2}});
  add(set, {{0, 5, 6}});
  add(set, {{5, 58, 60}});
  add(set, {{58, 5, 6}, {59, 5, 6}});
  add(set, {{1, 1, 59}, {58, 1, 59}});
  using Rows = std::vector<std::uint32_t>;
  EXPECT_EQ(pack_window(set, p, false).owned.cut, (Rows{0, 1, 2, 3}));
  p.image_width = 160;
  EXPECT_EQ(pack_window(set, p, false).owned.cut, (Rows{0, 1, 3}));
  p.image_height = 260;
  EXPECT_EQ(pack_window(set, p, false).owned.cut, (Rows{0, 1}));
  p.x = 0, p.image_width = 60;
  EXPECT_EQ(pack_window(set, p, false).owned.cut, (Rows{1}));
  p.y = 0, p.image_height = 60;
  EXPECT_EQ(pack_window(set, p, false).owned.cut, Rows{});
}

TEST(PackWindow, WithoutTilesHasAllAsOne) {
  ObjectSet set;
  add(set, {{5, 0, 2}});
  add(set, {{7, 0, 2}});
  WindowPlace p;
  p.x = -5, p.extent = {10, 10};
  const PackedWindow found = pack_window(set, p, false);
  EXPECT_EQ(found.owned.starts, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(Read(found.owned.rows).value(0, Field::first_x), -5);
  EXPECT_TRUE(found.owned.cut.empty());
  set.run_offsets.pop_back();
  EXPECT_THROW(pack_window(set, p, false), Error);
}

/// Two tiles of 64 px; the window begins at 10, 20. A part that was not read lies in the first, and changes something in both.
TEST(PackTrust, GivesEachTileItsPartsAndSquaresForTheRest) {
  WindowPlace p;
  p.x = 10, p.y = 20, p.extent = {118, 44}, p.image_width = 500, p.image_height = 500, p.tile_px = 64;
  p.tiles = {{0, 0}, {1, 0}};
  const Rect core{0, 0, 118, 44};
  // Px of the image: 30 to 40 lie in the part, 40 to 44 beside it; 70 to 75 in the next tile.
  const std::vector<morpho::Run> runs{{5, 20, 34}, {6, 60, 65}};
  const std::vector<Rect> parts{{30, 20, 10, 10}, {300, 300, 10, 10}};
  const auto tiles = pack_trust(runs, parts, p, core);
  ASSERT_EQ(tiles.size(), 2u);
  EXPECT_EQ(tiles[0].parts, (std::vector<std::uint32_t>{0}));
  ASSERT_EQ(tiles[0].squares.size(), 1u);
  EXPECT_EQ(tiles[0].squares[0].x, 32);  // the square of px 40 to 44, and of rows 16 to 32
  EXPECT_EQ(tiles[0].squares[0].width, 16);
  EXPECT_EQ(tiles[0].squares[0].y, 20);  // where the core begins
  EXPECT_EQ(tiles[0].squares[0].height, 12);
  EXPECT_TRUE(tiles[1].parts.empty());
  ASSERT_EQ(tiles[1].squares.size(), 1u);
  EXPECT_EQ(tiles[1].squares[0].x, 64);
  EXPECT_FALSE(tiles[1].whole());
  for (const TileTrust& tile : pack_trust({}, parts, p, core)) EXPECT_TRUE(tile.whole());
}

}  // namespace
}  // namespace morpho::exports
