// Cells around nuclei: against every pixel's distance to every nucleus by hand; whatever the field; and what is cytoplasm and
// membrane.
#include <algorithm>
#include <random>

#include "engine/query/cell_measures.hpp"
#include "export/packed_objects.hpp"

namespace morpho::test {
namespace {

using engine::Part;

/// Blobs of some pixels a row at random places, in a window whose corner is (x, y).
ObjectSet blobs(i32 side, int count, unsigned seed, i32 x = 0, i32 y = 0) {
  std::mt19937 random(seed);
  std::vector<i32> taken(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
  ObjectSet set;
  set.run_offsets.push_back(0);
  for (int k = 0; k < count; ++k) {
    const i32 width = 2 + static_cast<i32>(random() % 7), height = 1 + static_cast<i32>(random() % 7);
    const i32 left = static_cast<i32>(random() % static_cast<unsigned>(side - 10)),
              top = static_cast<i32>(random() % static_cast<unsigned>(side - 8));
    bool free = true;
    for (i32 v = top; v < top + height; ++v)
      for (i32 u = left; u < left + width; ++u) free = free && taken[static_cast<std::size_t>(v * side + u)] == 0;
    if (!free) continue;
    ObjectMeasurement m{};
    m.label = static_cast<i32>(set.objects.size()) + 1;
    m.first_x = m.min_x = left - x, m.first_y = m.min_y = top - y, m.max_x = left + width - 1 - x,
    m.max_y = top + height - 1 - y;
    m.area = i64{width} * height;
    m.centroid_x = left - x + width / 2.0, m.centroid_y = top - y + height / 2.0;
    for (i32 v = top; v < top + height; ++v) {
      set.runs.push_back({v - y, left - x, left + width - x});
      for (i32 u = left; u < left + width; ++u) taken[static_cast<std::size_t>(v * side + u)] = 1;
    }
    set.objects.push_back(m);
    set.run_offsets.push_back(static_cast<i64>(set.runs.size()));
  }
  return set;
}

/// The nearest nucleus within the reach, of those at one distance the first in raster order: 1 and its place, or 0.
i32 owner_by_hand(const ObjectSet& set, i64 x, i64 y, double reach) {
  double best = reach * reach;
  i32 owner = 0;
  for (std::size_t k = 0; k < set.objects.size(); ++k) {
    const ObjectMeasurement& m = set.objects[k];
    for (i64 r = set.run_offsets[k]; r < set.run_offsets[k + 1]; ++r) {
      const Run& run = set.runs[static_cast<std::size_t>(r)];
      const i64 dx = std::max<i64>({0, run.x0 - x, x - (run.x1 - 1)}), dy = run.y - y;
      const auto far = static_cast<double>(dx * dx + dy * dy);
      const bool first = owner == 0 || [&] {
        const ObjectMeasurement& o = set.objects[static_cast<std::size_t>(owner - 1)];
        return m.first_y != o.first_y ? m.first_y < o.first_y : m.first_x < o.first_x;
      }();
      if (far < best || (far == best && first)) best = far, owner = static_cast<i32>(k) + 1;
    }
  }
  return owner;
}

TEST(Cells, HaveThePixelsThatAreNearestToTheirNucleus) {
  for (const double reach : {1.0, 2.5, 6.0, 13.3}) {
    const ObjectSet set = blobs(96, 60, 7);
    ASSERT_GT(set.objects.size(), 20u);
    const engine::CellMap map = engine::cells_around(set, {0, 0, 96, 96}, reach, nullptr);
    for (i64 y = 0; y < 96; ++y)
      for (i64 x = 0; x < 96; ++x)
        ASSERT_EQ(map.at(x, y), owner_by_hand(set, x, y, reach)) << x << ", " << y << " within " << reach;
  }
}

TEST(Cells, AreTheSameWhateverFieldHoldsTheirSurroundings) {
  constexpr double reach = 6;
  const ObjectSet set = blobs(160, 150, 11);
  const engine::CellMap whole = engine::cells_around(set, {0, 0, 160, 160}, reach, nullptr);
  for (const Rect field : {Rect{20, 10, 90, 101}, Rect{63, 64, 64, 33}, Rect{0, 97, 160, 63}}) {
    // Another order of the objects, and another corner.
    ObjectSet moved = blobs(160, 150, 11, static_cast<i32>(field.x), static_cast<i32>(field.y));
    const engine::CellMap part = engine::cells_around(moved, {0, 0, field.width, field.height}, reach, nullptr);
    const i64 rim = static_cast<i64>(2 * reach);
    for (i64 y = rim; y < field.height - rim; ++y)
      for (i64 x = rim; x < field.width - rim; ++x)
        ASSERT_EQ(part.at(x, y), whole.at(x + field.x, y + field.y)) << x << ", " << y;
  }
}

TEST(Cells, HaveAMembraneAlongTheirBorder) {
  const ObjectSet set = blobs(96, 60, 3);
  constexpr double reach = 7, ring = 2.3;
  const engine::CellMap map = engine::cells_around(set, {0, 0, 96, 96}, reach, nullptr);
  const std::vector<Part> parts = engine::parts_of_cells(map, set, ring, nullptr);
  for (i64 y = 0; y < 96; ++y)
    for (i64 x = 0; x < 96; ++x) {
      const Part part = parts[static_cast<std::size_t>(y * 96 + x)];
      if (map.at(x, y) == 0) {
        ASSERT_EQ(part, Part::none);
        continue;
      }
      bool is_near = false;
      for (i64 v = 0; v < 96; ++v)
        for (i64 u = 0; u < 96; ++u)
          is_near = is_near ||
                    (map.at(u, v) != map.at(x, y) && static_cast<double>((u - x) * (u - x) + (v - y) * (v - y)) <= ring * ring);
      const bool is_nucleus = owner_by_hand(set, x, y, 0) > 0;
      ASSERT_EQ(part, is_nucleus ? Part::nucleus : is_near ? Part::membrane : Part::cytoplasm) << x << ", " << y;
    }
}

TEST(Cells, ComeBackFromTheirBytes) {
  const ObjectSet set = blobs(96, 60, 5);
  const engine::CellMap map = engine::cells_around(set, {0, 0, 96, 96}, 5, nullptr);
  std::vector<u8> wanted(set.objects.size(), 1);
  wanted[1] = 0;
  const std::vector<Part> parts = engine::parts_of_cells(map, set, 1, nullptr);
  const engine::CellRuns cells = engine::runs_of_cells(map, parts, wanted, {Part::nucleus, Part::cytoplasm, Part::membrane});
  std::vector<i32> rows(set.objects.size());
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<i32>(k);
  const exports::PackedRows packed = exports::pack_rows(set, rows, 1000, 2000, {0, {}, cells.runs, cells.offsets});
  exports::Batch batch;
  batch.count = packed.count;
  for (std::size_t at = 0; at < batch.columns.size(); ++at)
    batch.columns[at] = {packed.memory.data() + packed.columns[at].begin, packed.columns[at].type};
  batch.ends = reinterpret_cast<const std::uint32_t*>(packed.memory.data() + packed.ends);
  batch.outlines = packed.memory.data() + packed.outlines;
  batch.outline_bytes = packed.memory.size() - packed.outlines;
  std::vector<std::uint32_t> ids(rows.begin(), rows.end());
  const exports::ObjectTable table({batch}, ids.data(), packed.count, packed.count);
  std::vector<morpho::Run> runs;
  const auto same = [](const morpho::Run& a, const morpho::Run& b) {
    return a.y == b.y + 2000 && a.x0 == b.x0 + 1000 && a.x1 == b.x1 + 1000;
  };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    table.at(static_cast<i64>(k)).runs(runs);
    const auto* own = set.runs.data() + set.run_offsets[k];
    ASSERT_TRUE(std::equal(runs.begin(), runs.end(), own, set.runs.data() + set.run_offsets[k + 1], same));
    table.at(static_cast<i64>(k)).cell_runs(runs);
    const auto cell = cells.of(k);
    ASSERT_EQ(runs.size(), cell.size());
    ASSERT_TRUE(std::equal(runs.begin(), runs.end(), cell.begin(), cell.end(), same));
    ASSERT_EQ(cell.empty(), k == 1);
  }
}

}  // namespace
}  // namespace morpho::test
