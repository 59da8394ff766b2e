// Filters by max-tree on regions: the same as on the whole image, whatever the tile and the threads.
#include "cpu/cpu_ops.hpp"
#include "engine/region/max_tree_ops.hpp"
#include "grey_regions.hpp"

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
            for (const int threads : {1, 3}) {
              if (threads == 3 && tile != 17 && tile != 64) continue;
              Image<T> out(f.extent.width, f.extent.height, T{99});
              MemoryRaster from = raster_of(f), to = raster_of(out);
              with_hands(threads, [&](Hands& hands) { area_open(hands, from, to, tile, params); });
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

TEST(RegionMaxTree, RejectsWhatTheTableRejects) {
  Image<u8> f(20, 20), out(20, 20), other(20, 21);
  Image<i32> wide(20, 20);
  Image<u16> words(20, 20);
  MemoryRaster from = raster_of(f), to = raster_of(out), not_like = raster_of(other), ints = raster_of(wide),
               u16s = raster_of(words);
  with_hands(1, [&](Hands& hands) {
    expect_rejected("area", [&] { area_open(hands, from, to, 16, {0, Connectivity::eight, false}); });
    expect_rejected("connectivity", [&] { area_open(hands, from, to, 16, {1, static_cast<Connectivity>(5), false}); });
    expect_rejected("tile", [&] { area_open(hands, from, to, 15, {}); });
    expect_rejected("tile", [&] { area_open(hands, from, to, 46001, {}); });
    expect_rejected("f", [&] { area_open(hands, ints, ints, 16, {}); });
    expect_rejected("out", [&] { area_open(hands, from, not_like, 16, {}); });
    expect_rejected("out", [&] { area_open(hands, from, u16s, 16, {}); });
  });
}

TEST(RegionMaxTree, StopsWhereSomebodyAsked) {
  Image<u8> f(100, 100), out(100, 100);
  MemoryRaster from = raster_of(f), to = raster_of(out);
  CancelFlag stop{true};
  engine::Machine machine;
  HandsOptions options;
  options.cancel = &stop;
  Hands hands(machine, options);
  EXPECT_THROW(area_open(hands, from, to, 16, {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
