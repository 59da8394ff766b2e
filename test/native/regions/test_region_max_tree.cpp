// Filters by max-tree on regions: the same as on the whole image, whatever the tile and the threads.
#include "cpu/cpu_ops.hpp"
#include "engine/region/max_tree/max_tree_ops.hpp"
#include "../support/grey_regions.hpp"

namespace morpho::test {
namespace {

using namespace engine::region;

template <class T>
void area_open_is_the_same(unsigned seed, std::initializer_list<i32> areas) {
  for (const GreyRegion<T>& named : grey_regions<T>(seed)) {
    const Image<T>& f = named.image;
    for (const Connectivity c : {Connectivity::four, Connectivity::eight}) {
      for (const i32 area : areas) {
        for (const bool closing : {false, true}) {
          const AreaOpenParams params{area, c, closing};
          Workspace w;
          Context ctx = context(w);
          Image<T> expected(f.extent.width, f.extent.height);
          cpu::area_open(ctx, f.cplane(), expected.plane(), params);
          for (const i64 tile : kRegionTiles) {
            if (sizeof(T) == 2 && tile < 64) continue;  // 65536 levels are counted for each tile
            for (const int threads : {1, 3}) {
              if (threads == 3 && tile != 17 && tile != 64) continue;
              Image<T> out(f.extent.width, f.extent.height, T{99});
              MemoryRaster from = raster_of(f), to = raster_of(out);
              with_workers(threads, [&](Workers& workers) { area_open(workers, from, to, tile, params); });
              ASSERT_EQ(first_difference(out, expected), -1)
                  << named.name << ", connectivity " << static_cast<int>(c) << ", area " << area << ", closing " << closing
                  << ", tile " << tile << ", threads " << threads;
            }
          }
        }
      }
    }
  }
}
TEST(RegionMaxTree, AreaOpenOfBytesIsThatOfTheWholeImage) { area_open_is_the_same<u8>(1, {1, 2, 9, 60, 700, 5000, 1 << 30}); }
TEST(RegionMaxTree, AreaOpenOfWordsIsThatOfTheWholeImage) { area_open_is_the_same<u16>(2, {2, 60, 5000}); }

/// Levels of an attribute that some nodes of any image reach and others do not.
std::initializer_list<double> levels_of(Attribute a) {
  static constexpr std::initializer_list<double> area{30.5}, height{2, 40}, volume{50, 20000}, side{3, 40}, shape{1.6, 3},
      inertia{0.17, 0.3}, grey{1.7, 60};
  switch (a) {
    case Attribute::area: return area;
    case Attribute::height: return height;
    case Attribute::volume: return volume;
    case Attribute::elongation: return shape;
    case Attribute::inertia: return inertia;
    case Attribute::contrast:
    case Attribute::mean: return grey;
    default: return side;
  }
}

template <class T>
void attribute_filter_is_the_same(unsigned seed, std::initializer_list<i64> tiles) {
  int attribute = 0, turn = 0;
  for (const GreyRegion<T>& named : grey_regions<T>(seed)) {
    const Image<T>& f = named.image;
    const i32 width = f.extent.width, height = f.extent.height;
    for (attribute = 0; attribute < 10; ++attribute) {
      // Each attribute and image with each rule; connectivity and kind of tree by turns.
      const Connectivity c = ++turn % 2 ? Connectivity::four : Connectivity::eight;
      const bool min_tree = turn / 2 % 2 == 0;
      Workspace w;
      Context ctx = context(w);
      const Workspace::Scope scope(w);
      Image<i32> parent(width, height), order(width, height), node(width, height);
      NodeTable nodes = take_node_table(w, f.extent);
      cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {c, min_tree});
      cpu::max_tree_nodes(ctx, f.cplane(), parent.cplane(), order.cplane(), node.plane(), nodes);
      for (int rule = 0; rule < 4; ++rule) {
        for (const double at_least : levels_of(static_cast<Attribute>(attribute))) {
          const AttributeFilterParams params{static_cast<Attribute>(attribute), static_cast<FilterRule>(rule), at_least,
                                             min_tree};
          Image<T> expected(width, height);
          cpu::attribute_filter(ctx, node.cplane(), nodes, expected.plane(), params);
          for (const i64 tile : tiles) {
            const int threads = tile == 17 || tile == 64 ? 3 : 1;
            Image<T> out(width, height, T{99});
            MemoryRaster from = raster_of(f), to = raster_of(out);
            with_workers(threads, [&](Workers& workers) { attribute_filter(workers, from, to, tile, params, c); });
            ASSERT_EQ(first_difference(out, expected), -1)
                << named.name << ", connectivity " << static_cast<int>(c) << ", attribute " << attribute << ", rule " << rule
                << ", at least " << at_least << ", min-tree " << min_tree << ", tile " << tile;
          }
        }
      }
    }
  }
}
TEST(RegionMaxTree, AttributeFilterOfBytesIsThatOfTheWholeImage) {
  attribute_filter_is_the_same<u8>(3, {16, 17, 64, 100, 1000});
}
TEST(RegionMaxTree, AttributeFilterOfWordsIsThatOfTheWholeImage) { attribute_filter_is_the_same<u16>(4, {50}); }

// Where a sum of squares does not fit 64 bits it wraps, tiled or not.
TEST(RegionMaxTree, MomentsOfAVeryWideRegionAreThoseOfTheTable) {
  constexpr i32 width = 1 << 22;
  Image<u8> f(width, 1, 1);  // a bar whose sum of x² is a third of 2^66, so that its sums say that it is not long
  f[0] = 0;
  Workspace w;
  Context ctx = context(w);
  const Workspace::Scope scope(w);
  Image<i32> parent(width, 1), order(width, 1), node(width, 1);
  NodeTable nodes = take_node_table(w, f.extent);
  cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {});
  cpu::max_tree_nodes(ctx, f.cplane(), parent.cplane(), order.cplane(), node.plane(), nodes);
  for (const double at_least : {0.5, 1.5}) {
    const AttributeFilterParams params{Attribute::elongation, FilterRule::direct, at_least, false};
    Image<u8> expected(width, 1), out(width, 1);
    cpu::attribute_filter(ctx, node.cplane(), nodes, expected.plane(), params);
    MemoryRaster from = raster_of(f), to = raster_of(out);
    with_workers(1, [&](Workers& workers) { attribute_filter(workers, from, to, 40000, params, Connectivity::eight); });
    EXPECT_EQ(first_difference(out, expected), -1) << at_least;
  }
}

TEST(RegionMaxTree, RejectsWhatTheTableRejects) {
  Image<u8> f(20, 20), out(20, 20), other(20, 21);
  Image<i32> wide(20, 20);
  Image<u16> words(20, 20);
  MemoryRaster from = raster_of(f), to = raster_of(out), not_like = raster_of(other), ints = raster_of(wide),
               u16s = raster_of(words);
  with_workers(1, [&](Workers& workers) {
    expect_rejected("area", [&] { area_open(workers, from, to, 16, {0, Connectivity::eight, false}); });
    expect_rejected("connectivity", [&] { area_open(workers, from, to, 16, {1, static_cast<Connectivity>(5), false}); });
    const auto filter = [&](AttributeFilterParams params) {
      attribute_filter(workers, from, to, 16, params, Connectivity::eight);
    };
    expect_rejected("attribute", [&] { filter({static_cast<Attribute>(10), FilterRule::direct, 1, false}); });
    expect_rejected("rule", [&] { filter({Attribute::area, static_cast<FilterRule>(4), 1, false}); });
    expect_rejected("at_least", [&] { filter({Attribute::mean, FilterRule::direct, std::nan(""), false}); });
    expect_rejected("tile", [&] { area_open(workers, from, to, 15, {}); });
    expect_rejected("tile", [&] { area_open(workers, from, to, 46001, {}); });
    expect_rejected("f", [&] { area_open(workers, ints, ints, 16, {}); });
    expect_rejected("out", [&] { area_open(workers, from, not_like, 16, {}); });
    expect_rejected("out", [&] { area_open(workers, from, u16s, 16, {}); });
  });
}

TEST(RegionMaxTree, StopsWhereSomebodyAsked) {
  Image<u8> f(100, 100), out(100, 100);
  MemoryRaster from = raster_of(f), to = raster_of(out);
  CancelFlag stop{true};
  engine::Resources resources;
  WorkerOptions options;
  options.cancel = &stop;
  Workers workers(resources, options);
  EXPECT_THROW(area_open(workers, from, to, 16, {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
