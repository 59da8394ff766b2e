// The watershed of regions: the same as that of the whole image, whatever the tile and the threads.
#include "cpu/cpu_ops.hpp"
#include "engine/region/region_call.hpp"
#include "engine/region/watershed_ops.hpp"
#include "../support/grey_regions.hpp"

namespace morpho::test {
namespace {

using namespace engine::region;

enum class Markers { absent, none, few, many };

Image<i32> markers_of(std::mt19937& rng, Extent e, Markers kind) {
  Image<i32> m(e.width, e.height);
  const unsigned one_in = kind == Markers::few ? 900 : 12;
  if (kind == Markers::few && m.area() > 0) m[static_cast<i64>(rng() % static_cast<unsigned>(m.area()))] = 2147483647;
  for (i64 p = 0; kind != Markers::none && p < m.area(); ++p) {
    if (rng() % one_in == 0) m[p] = static_cast<i32>(rng() % 50);
  }
  return m;
}
/// Mostly there, with walls that few ways lead through.
Image<u8> mask_of(std::mt19937& rng, Extent e) {
  Image<u8> m(e.width, e.height, 1);
  for (i32 y = 0; y < e.height; ++y) {
    for (i32 x = 0; x < e.width; ++x) m.at(x, y) = rng() % 9 != 0 && ((x + 2 * y) % 31 != 0 || rng() % 20 == 0) ? 200 : 0;
  }
  return m;
}

template <class T>
void is_the_same(const std::string& name, const Image<T>& f, std::mt19937& rng, std::initializer_list<i64> tiles) {
  const i32 width = f.extent.width, height = f.extent.height;
  int turn = 0;
  for (const Markers kind : {Markers::absent, Markers::none, Markers::few, Markers::many}) {
    for (const bool masked : {false, true}) {
      const Image<i32> markers = markers_of(rng, f.extent, kind);
      const Image<u8> mask = mask_of(rng, f.extent);
      for (const Connectivity c : {Connectivity::four, Connectivity::eight}) {
        const WatershedParams params{c, ++turn % 3 == 0, WatershedVariant::automatic};
        const bool marked = kind != Markers::absent;
        Workspace w;
        Context ctx = context(w);
        Image<i32> expected(width, height);
        const i32 largest = cpu::watershed(ctx, f.cplane(), marked ? markers.cplane() : ConstPlane(),
                                           masked ? mask.cplane() : ConstPlane(), expected.plane(), params);
        for (const i64 tile : tiles) {
          Image<i32> out(width, height, 99);
          const MemoryRaster from = raster_of(f), seeds = raster_of(markers), exists = raster_of(mask);
          MemoryRaster to = raster_of(out);
          Scratch scratch{static_cast<std::size_t>(tile == 64 ? 0 : 1 << 20), "/tmp"};
          i64 found = -1;
          with_workers(tile == 17 || tile == 100 ? 3 : 1, [&](Workers& workers) {
            found = watershed(workers, from, marked ? &seeds : nullptr, masked ? &exists : nullptr, to, tile, params, scratch);
          });
          const std::string text = name + ", markers " + std::to_string(static_cast<int>(kind)) + ", mask " +
                                   std::to_string(masked) + ", connectivity " + std::to_string(static_cast<int>(c)) +
                                   ", lines " + std::to_string(params.lines) + ", tile " + std::to_string(tile);
          ASSERT_EQ(first_difference(out, expected), -1) << text;
          ASSERT_EQ(found, largest) << text;
        }
      }
    }
  }
}

TEST(RegionWatershed, OfBytesIsThatOfTheWholeImage) {
  std::mt19937 rng(11);
  for (const GreyRegion<u8>& named : grey_regions<u8>(5)) is_the_same(named.name, named.image, rng, {16, 17, 64, 100, 1000});
}
TEST(RegionWatershed, OfWordsIsThatOfTheWholeImage) {
  std::mt19937 rng(12);
  for (const GreyRegion<u16>& named : grey_regions<u16>(6)) is_the_same(named.name, named.image, rng, {17, 64});
}
TEST(RegionWatershed, OfIntegersIsThatOfTheWholeImage) {
  std::mt19937 rng(13);
  for (const GreyRegion<u8>& named : grey_regions<u8>(7)) {
    Image<i32> f = named.image.to<i32>();
    for (auto& v : f.data) v = static_cast<i32>(v * i64{16000000} - 2040000000);  // to both ends of the type
    is_the_same(named.name, f, rng, {16, 33});
  }
}

// A plateau with one outlet at its end, through all tiles: distances come from tile to tile.
TEST(RegionWatershed, PlateausReachAnOutletThroughManyTiles) {
  std::mt19937 rng(14);
  for (const bool winding : {false, true}) {
    Image<u8> f = winding ? spiral<u8>(150, 140, 50, 90) : lanes<u8>(120, 130, 50, 90);
    f.at(0, 0) = 10;  // the outlet; the other end is far away
    is_the_same(winding ? "spiral" : "serpentine", f, rng, {16, 17, 100});
  }
  Image<u8> wide(200, 180, 5);
  wide.at(199, 179) = wide.at(20, 170) = wide.at(100, 3) = 1;
  is_the_same("a plain with three holes", wide, rng, {16, 64, 100});
}

TEST(RegionWatershed, RejectsWhatTheTableRejects) {
  Image<u8> f(20, 20), bad_mask(21, 20);
  Image<i32> markers(20, 20), labels(20, 20);
  Image<u16> words(20, 20);
  markers.at(19, 19) = -3;
  MemoryRaster from = raster_of(f), seeds = raster_of(markers), to = raster_of(labels), mask = raster_of(bad_mask),
               u16s = raster_of(words);
  Scratch scratch{1 << 20, "/tmp"};
  with_workers(1, [&](Workers& workers) {
    const auto expect = [&](const char* name, const Raster* m, const Raster* exists, Raster& out, i64 tile, WatershedParams p) {
      expect_rejected(name, [&] { watershed(workers, from, m, exists, out, tile, p, scratch); });
    };
    expect("markers", &seeds, nullptr, to, 16, {});
    expect("markers", &u16s, nullptr, to, 16, {});
    expect("mask", nullptr, &mask, to, 16, {});
    expect("mask", nullptr, &u16s, to, 16, {});
    expect("labels", nullptr, nullptr, u16s, 16, {});
    expect("tile", nullptr, nullptr, to, 3, {});
    expect("connectivity", nullptr, nullptr, to, 16, {static_cast<Connectivity>(6), false, WatershedVariant::automatic});
    expect("variant", nullptr, nullptr, to, 16, {Connectivity::eight, false, WatershedVariant::drop_of_water});
  });
}

TEST(RegionWatershed, ByNameWithMarkersOfBytesAndLittleMemory) {
  std::mt19937 rng(15);
  const Image<u16> f = random_image<u16>(rng, 90, 80, 5);
  Image<u8> small(90, 80);
  Image<i32> markers(90, 80), expected(90, 80), out(90, 80);
  for (i64 p = 0; p < small.area(); p += 97) markers[p] = small[p] = static_cast<u8>(p % 250);
  Workspace w;
  Context ctx = context(w);
  cpu::watershed(ctx, f.cplane(), markers.cplane(), {}, expected.plane(), {});
  const MemoryRaster from = raster_of(f), seeds = raster_of(small);
  MemoryRaster to = raster_of(out);
  engine::Resources resources;
  RegionCall call{"watershed", {{"image", &from}, {"markers", &seeds}}, {"labels", &to}, {}, 32, 1 << 20, "/tmp", {}};
  const RegionResult result = region_call(resources, call);
  EXPECT_EQ(first_difference(out, expected), -1);
  ASSERT_EQ(result.scalars.size(), 1U);
  EXPECT_EQ(result.scalars[0].first, "largest");
  EXPECT_EQ(result.scalars[0].second, 249);
  call.memory_bytes = 1000;
  expect_rejected("memory", [&] { region_call(resources, call); });
}

}  // namespace
}  // namespace morpho::test
