// Operations on regions: for every tile, any workers and any order the table's result on the whole image; rasters in files.
#include "engine/region/region_call.hpp"
#include "engine/region/region_ops.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"
#include "../support/region_images.hpp"

namespace morpho::test {
namespace {

using namespace engine;
using region::Workers;
using region::WorkerOptions;
using region::MemoryRaster;

template <class T>
MemoryRaster raster(Image<T>& image) {
  return {pixel_type_of<T>(), image.extent.width, image.extent.height, image.area() ? &image[0] : nullptr};
}
/// An image without gaps between rows, of another type.
template <class T>
Image<T> as(const Image<u8>& from, i64 times = 1, i64 add = 0) {
  Image<T> out(from.extent.width, from.extent.height);
  for (i64 p = 0; p < from.area(); ++p) out[p] = static_cast<T>(from[p] * times + add);
  return out;
}

struct Way {
  i64 tile;
  int threads;
  region::CpuWorkers cpu;
};
const Way kWays[] = {{16, 1, region::CpuWorkers::cores},
                     {17, 3, region::CpuWorkers::cores},
                     {33, 2, region::CpuWorkers::group},
                     {64, 4, region::CpuWorkers::cores},
                     {1000, 2, region::CpuWorkers::group}};

/// fn(workers, tile) for each way.
template <class Fn>
void each_way(Fn&& fn) {
  static Resources resources;
  for (const Way& way : kWays) {
    Workers workers(resources, {.threads = way.threads, .cpu = way.cpu});
    SCOPED_TRACE("tile " + std::to_string(way.tile) + ", threads " + std::to_string(way.threads));
    fn(workers, way.tile);
  }
}

/// The table's result and the region's, for every image and way.
template <class In, class Out, class Whole, class Tiled>
void expect_same(const char* what, Image<In>& in, Whole&& whole, Tiled&& tiled) {
  SCOPED_TRACE(what);
  Workspace w;
  Context ctx = context(w, 1);
  Image<Out> expected(in.extent.width, in.extent.height);
  whole(ctx, expected.plane());
  each_way([&](Workers& workers, i64 tile) {
    Image<Out> got(in.extent.width, in.extent.height, Out{77});
    MemoryRaster f = raster(in), out = raster(got);
    tiled(workers, f, out, tile);
    ASSERT_EQ(got.pixels(), expected.pixels());
  });
}

constexpr Connectivity kBoth[] = {Connectivity::four, Connectivity::eight};

template <class T>
void expect_reconstruction(const std::string& name, const Image<u8>& image, i64 times, i64 add) {
  Image<T> mask = as<T>(image, times, add), marker(mask.extent.width, mask.extent.height);
  std::mt19937 rng(11);
  for (const By by : {By::dilation, By::erosion}) {
    for (const Connectivity c : kBoth) {
      // A few pixels begin, some of them above their mask.
      for (i64 p = 0; p < mask.area(); ++p) {
        const bool begins = rng() % 500 == 0 || p == 0;
        marker[p] = by == By::dilation ? (begins ? static_cast<T>(mask[p] + times) : std::numeric_limits<T>::min())
                                       : (begins ? static_cast<T>(mask[p] - times) : std::numeric_limits<T>::max());
      }
      const ReconstructParams p{by, c, ReconstructVariant::automatic};
      expect_same<T, T>(
          name.c_str(), mask, [&](Context& ctx, Plane out) { cpu::reconstruct(ctx, marker.cplane(), mask.cplane(), out, p); },
          [&](Workers& workers, const region::Raster& f, region::Raster& out, i64 tile) {
            region::reconstruct(workers, raster(marker), f, out, tile, p);
          });
    }
  }
}

TEST(Region, Reconstruct) {
  for (const auto& [name, image] : region_images()) {
    expect_reconstruction<u8>(name, image, 1, 0);
    expect_reconstruction<u16>(name, image, 257, 0);
    expect_reconstruction<i32>(name, image, 1000, -100000);
  }
}

TEST(Region, Extrema) {
  for (auto& [name, image] : region_images()) {
    for (const Extremum kind : {Extremum::maxima, Extremum::minima}) {
      for (const Connectivity c : kBoth) {
        const ExtremaParams p{kind, 3, c};
        expect_same<u8, u8>(
            name.c_str(), image, [&, &image = image](Context& ctx, Plane out) { cpu::h_extrema(ctx, image.cplane(), out, p); },
            [&](Workers& workers, const region::Raster& f, region::Raster& out, i64 tile) {
              h_extrema(workers, f, out, tile, p);
            });
      }
    }
  }
}

TEST(Region, HolesAndBorders) {
  for (auto& [name, image] : region_images()) {
    for (const Connectivity c : kBoth) {
      expect_same<u8, u8>(
          name.c_str(), image, [&, &image = image](Context& ctx, Plane out) { cpu::fill_holes(ctx, image.cplane(), out, {c}); },
          [&](Workers& workers, const region::Raster& f, region::Raster& out, i64 tile) {
            fill_holes(workers, f, out, tile, {c});
          });
      expect_same<u8, u8>(
          name.c_str(), image,
          [&, &image = image](Context& ctx, Plane out) { cpu::clear_border(ctx, image.cplane(), out, {c}); },
          [&](Workers& workers, const region::Raster& f, region::Raster& out, i64 tile) {
            clear_border(workers, f, out, tile, {c});
          });
    }
  }
}

TEST(Region, Distance) {
  for (auto& [name, image] : region_images()) {
    for (const DistanceParams p : {DistanceParams{1, 1}, DistanceParams{4, 9}, DistanceParams{65536, 40000}}) {
      expect_same<u8, i32>(
          name.c_str(), image, [&, &image = image](Context& ctx, Plane out) { cpu::distance(ctx, image.cplane(), out, p); },
          [&](Workers& workers, const region::Raster& f, region::Raster& out, i64 tile) {
            region::distance(workers, f, out, tile, p);
          });
    }
  }
  // Columns so high that their distances need more than 16 bits, and zeros at one end alone.
  Image<u8> high(3, 70000, 1);
  high.at(1, 69999) = 0;
  expect_same<u8, i32>(
      "high", high, [&](Context& ctx, Plane out) { cpu::distance(ctx, high.cplane(), out, {}); },
      [&](Workers& workers, const region::Raster& f, region::Raster& out, i64 tile) {
        region::distance(workers, f, out, tile, {});
      });
}

TEST(Region, Label) {
  for (auto& [name, image] : region_images()) {
    for (const Connectivity c : kBoth) {
      i32 count = 0;
      expect_same<u8, i32>(
          name.c_str(), image,
          [&, &image = image](Context& ctx, Plane out) { count = cpu::label(ctx, image.cplane(), out, {c}); },
          [&](Workers& workers, const region::Raster& f, region::Raster& out, i64 tile) {
            EXPECT_EQ(region::label(workers, f, out, tile, {c}), count);
          });
      // Equal values, not only nonzero ones.
      Image<i32> values = as<i32>(image, 100000, -100000);
      expect_same<i32, i32>(
          name.c_str(), values, [&](Context& ctx, Plane out) { count = cpu::label(ctx, values.cplane(), out, {c}); },
          [&](Workers& workers, const region::Raster& f, region::Raster& out, i64 tile) {
            EXPECT_EQ(region::label(workers, f, out, tile, {c}), count);
          });
    }
  }
}

TEST(Region, AreaFilter) {
  for (auto& [name, image] : region_images()) {
    for (const Connectivity c : kBoth) {
      for (const AreaFilterParams p : {AreaFilterParams{c, 2, 40}, AreaFilterParams{c, 30, 2147483647}}) {
        expect_same<u8, u8>(
            name.c_str(), image,
            [&, &image = image](Context& ctx, Plane out) { cpu::area_filter(ctx, image.cplane(), out, p); },
            [&](Workers& workers, const region::Raster& f, region::Raster& out, i64 tile) {
              area_filter(workers, f, out, tile, p);
            });
      }
    }
  }
}

TEST(Region, WhatIsRefused) {
  Resources resources;
  Workers workers(resources, {});
  Image<u8> a(4, 4), b(5, 4);
  Image<i32> c(4, 4);
  MemoryRaster ra = raster(a), rb = raster(b), rc = raster(c);
  expect_rejected("tile", [&] { region::reconstruct(workers, ra, ra, ra, 15, {}); });
  expect_rejected("marker", [&] { region::reconstruct(workers, rb, ra, ra, 64, {}); });
  expect_rejected("out", [&] { region::reconstruct(workers, ra, ra, rc, 64, {}); });
  expect_rejected("h", [&] { region::h_extrema(workers, ra, ra, 64, {Extremum::maxima, 0, Connectivity::eight}); });
  expect_rejected("squared", [&] { region::distance(workers, ra, ra, 64, {}); });
  expect_rejected("variant", [&] { region::distance(workers, ra, rc, 64, {1, 1, DistanceVariant::danielsson}); });
  expect_rejected("labels", [&] { region::label(workers, ra, ra, 64, {}); });
  expect_rejected("binary", [&] { region::area_filter(workers, rc, ra, 64, {}); });
  expect_rejected("extent", [&] { MemoryRaster(PixelType::u8, i64{1} << 30, i64{1} << 30, nullptr); });
}

TEST(Region, CallsByName) {
  Resources resources;
  Image<u8> image = blobs(90, 80, 5, 2), out(90, 80);
  MemoryRaster from = raster(image), to = raster(out);
  const auto call = [&](const char* name, i64 tile, std::size_t memory, Params params = {}) {
    region::RegionCall c;
    c.name = name;
    c.inputs = {{"image", &from}};
    c.output = {"out", &to};
    c.tile = tile;
    c.memory_bytes = memory;
    c.params = std::move(params);
    c.workers.threads = 8;
    return region_call(resources, c);
  };
  EXPECT_EQ(call("fill-holes", 32, 0).workers, 8);
  // A tile takes some 3 KiB and its working memory: so much is room for a few, and never for less than one.
  const int few = call("fill-holes", 32, 100000).workers;
  EXPECT_GE(few, 1);
  EXPECT_LT(few, 8);
  expect_rejected("memory", [&] { call("fill-holes", 32, 1000); });
  expect_rejected("operation on tiles", [&] { call("gaussian", 32, 0); });
  expect_rejected("tile", [&] { call("fill-holes", 8, 0); });
  expect_rejected("h", [&] { call("h-maxima", 32, 0); });
  Params wrong;
  wrong.set("connectivity", 6.0);
  expect_rejected("connectivity", [&] { call("fill-holes", 32, 0, wrong); });
  expect_rejected("output of label", [&] { call("label", 32, 0); });
  expect_rejected("input of reconstruct", [&] { call("reconstruct", 32, 0); });
}

TEST(Region, CancelledMidway) {
  Resources resources;
  CancelFlag cancel{false};
  Image<u8> image = serpentine(300, 300, 1), out(300, 300);
  Workers workers(resources, {.threads = 2, .cancel = &cancel});
  cancel = true;
  EXPECT_THROW(region::fill_holes(workers, raster(image), *std::make_unique<MemoryRaster>(raster(out)), 16, {}), Cancelled);
}

TEST(Region, WhatOneHandThrowsEndsAll) {
  Resources resources;
  constexpr i64 tiles = 4000;
  Workers workers(resources, {.threads = 4});
  std::atomic<i64> visited{0};
  try {
    workers.each_on_cpu(tiles, "fail", [&](region::Worker&, i64 tile) {
      if (tile == 10) throw Error(ErrorCode::output_failed, "the disk is full");
      ++visited;
      // The others have seconds of work: the one that fails is heard in them, however late the system lets it run.
      if (tile > 10) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    });
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::output_failed);
  }
  EXPECT_LT(visited, tiles - 1);
}

TEST(Region, AMissingGpuLeavesItsTilesToTheCpu) {
  Resources resources;
  DeviceName none;
  none.gpu = true, none.index = 63;
  Image<u8> image = blobs(90, 80, 5, 2), out(90, 80), expected(90, 80);
  Workspace w;
  Context ctx = context(w, 1);
  cpu::fill_holes(ctx, image.cplane(), expected.plane(), {});
  for (const bool with_cpu : {true, false}) {
    Workers workers(resources,
                    {.devices = with_cpu ? std::vector<DeviceName>{{}, none} : std::vector<DeviceName>{none}, .threads = 2});
    MemoryRaster to = raster(out);
    region::fill_holes(workers, raster(image), to, 16, {});
    EXPECT_EQ(out.pixels(), expected.pixels());
    if (!with_cpu) {
      ASSERT_EQ(workers.notes().size(), 1u);
    }  // else the CPU may have been done before the GPU was asked
    for (const std::string& note : workers.notes())
      EXPECT_NE(note.find("gpu63 takes no more tiles"), std::string::npos) << note;
    for (const region::Visit& v : workers.visits()) EXPECT_EQ(v.device, "cpu");
  }
}

TEST(Region, RastersInFiles) {
  const std::string folder = testing::TempDir(), path = folder + "/morpho-raster.raw";
  Image<u16> image(37, 29);
  for (i64 p = 0; p < image.area(); ++p) image[p] = static_cast<u16>(p * 7);
  {
    std::ofstream file(path, std::ios::binary);
    file << "header";
  }
  {
    const auto out = region::FileRaster::extend(path, 6, PixelType::u16, 37, 29);
    MemoryRaster from = raster(image);
    const region::Grid grid(37, 29, 10);
    for (i64 i = 0; i < grid.count(); ++i) {
      const Rect r = grid.rect(i);
      u16 buffer[100];
      from.read(r, buffer, 20);
      out->write(r, buffer, 20);
    }
  }
  EXPECT_EQ(std::filesystem::file_size(path), 6u + 37 * 29 * 2);
  const auto in = region::FileRaster::open(path, 6, PixelType::u16, 37, 29);
  Image<u16> got(37, 29);
  in->read({0, 0, 37, 29}, &got[0], 37 * 2);
  EXPECT_EQ(got.pixels(), image.pixels());
  try {
    region::FileRaster::open(path, 7, PixelType::u16, 37, 29);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::not_found);
    EXPECT_NE(std::string(e.what()).find("expected 2153 bytes but found 2152"), std::string::npos) << e.what();
  }
  EXPECT_THROW(region::FileRaster::open(folder + "/nothing.raw", 0, PixelType::u8, 1, 1), Error);
  // A file that was there and then does not give its pixels is not one that was not found.
  std::filesystem::resize_file(path, 100);
  try {
    in->read({0, 0, 37, 29}, &got[0], 37 * 2);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::slide_unreadable) << e.what();
  }
  EXPECT_THROW(region::FileRaster::scratch(folder + "/no-such-folder", PixelType::u8, 1, 1), Error);
  std::filesystem::remove(path);

  std::size_t budget = 1000;
  const auto small = region::make_raster(PixelType::u8, 20, 30, budget, folder);
  EXPECT_EQ(budget, 400u);
  const auto large = region::make_raster(PixelType::u8, 20, 30, budget, folder);  // in a file
  EXPECT_EQ(budget, 400u);
  u8 rows[600];
  for (int k = 0; k < 600; ++k) rows[k] = static_cast<u8>(k);
  for (const auto& r : {small.get(), large.get()}) {
    u8 back[600] = {};
    r->write({0, 0, 20, 30}, rows, 20);
    r->read({0, 0, 20, 30}, back, 20);
    EXPECT_EQ(std::memcmp(rows, back, 600), 0);
  }
}

}  // namespace
}  // namespace morpho::test
