// The reader of JPEG tiles against OpenSlide, pixel for pixel, on every slide that is here; the cache of tiles behind it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

#include "../support/sample_slide.hpp"
#include "engine/window/read_scaled.hpp"
#include "slide/jpeg_tiles.hpp"
#include "slide/misplaced_rows.hpp"
#include "slide/on_level.hpp"

namespace morpho::test {
namespace {

namespace fs = std::filesystem;
using slide::DecodedTile;
using slide::JpegTileReader;
using slide::OpenSlideReader;
using slide::TileCache;

/// The bundled sample, and where the project's shared data lies beside the repository every slide of it.
std::vector<std::string> slides() {
  std::vector<std::string> found{MORPHO_SAMPLE};
  for (const char* folder : {"slides", "slides/synthetic", "broken"}) {
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(fs::path(MORPHO_FIXTURES) / "../../../shared/data" / folder, failed))
      if (entry.is_regular_file()) found.push_back(entry.path().string());
  }
  std::sort(found.begin() + 1, found.end());
  return found;
}

struct Both {
  std::unique_ptr<OpenSlideReader> plain;
  std::unique_ptr<JpegTileReader> tiled;
};

bool same(const std::vector<slide::Unreadable>& a, const std::vector<slide::Unreadable>& b) {
  const auto area = [](const std::vector<slide::Unreadable>& all) {
    i64 sum = 0;
    for (const auto& each : all) sum += each.region.width * each.region.height;
    return sum;
  };
  return area(a) == area(b);
}

class JpegTiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!slide::openslide_library()) GTEST_SKIP() << slide::openslide_status().reason;
    if (!slide::turbojpeg_library()) GTEST_SKIP() << "no TurboJPEG: " << slide::turbojpeg_status();
    MORPHO_NEEDS_SAMPLE();
  }
  /// Null where OpenSlide does not open it.
  std::optional<Both> open(const std::string& path) {
    try {
      Both both;
      both.plain = std::make_unique<OpenSlideReader>(*slide::openslide_library(), path);
      both.tiled = std::make_unique<JpegTileReader>(std::make_unique<OpenSlideReader>(*slide::openslide_library(), path),
                                                    *slide::turbojpeg_library(), cache);
      return both;
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  void expect_same(Both& both, int level, const Rect& part, const std::string& what) {
    const Extent extent{static_cast<i32>(part.width), static_cast<i32>(part.height)};
    std::vector<Rgba> a(static_cast<std::size_t>(extent.area()), Rgba{1, 2, 3, 4}), b(a);
    const auto lost_a = both.plain->read(level, part.x, part.y, View<Rgba>(a.data(), extent), {});
    const auto lost_b = both.tiled->read(level, part.x, part.y, View<Rgba>(b.data(), extent), {});
    i64 differing = 0;
    for (std::size_t i = 0; i < a.size(); ++i) differing += std::memcmp(&a[i], &b[i], sizeof(Rgba)) != 0;
    EXPECT_EQ(differing, 0) << what << " level " << level << " at " << part.x << ", " << part.y << " of " << part.width << " × "
                            << part.height;
    EXPECT_TRUE(same(lost_a, lost_b)) << what << " level " << level;
  }
  TileCache cache{std::size_t{8} << 20};
};

TEST_F(JpegTiles, ArePixelForPixelOpenSlides) {
  if (slide::openslide_misplaces_last_rows()) GTEST_SKIP() << "this OpenSlide puts the last rows of tiles in the wrong place";
  int levels = 0, straight = 0, whole = 0;
  std::mt19937_64 random(7);
  for (const std::string& path : slides()) {
    auto both = open(path);
    if (!both) continue;
    const auto& all = both->plain->info().levels;
    for (int k = 0; k < static_cast<int>(all.size()); ++k) {
      const Extent kept = both->tiled->kept_extent(k);
      if (kept.empty()) continue;
      ++levels;
      straight += both->plain->has_tiles(k);
      const slide::Level& l = all[static_cast<std::size_t>(k)];
      const std::string name = fs::path(path).filename().string();
      if (l.width * l.height <= i64{8} << 20) {
        ++whole;
        expect_same(*both, k, {0, 0, l.width, l.height}, name);
      }
      // Corners, rims with what lies beyond them, and odd places.
      const i64 side = std::min<i64>(700, std::max(kept.width, kept.height) + 77);
      for (const i64 x : {i64{-33}, l.width - side / 2})
        for (const i64 y : {i64{-33}, l.height - side / 2}) expect_same(*both, k, {x, y, side, side}, name);
      for (int n = 0; n < 6; ++n) {
        const auto at = [&](i64 length) { return static_cast<i64>(random() % static_cast<u64>(length)); };
        expect_same(*both, k, {at(l.width), at(l.height), 1 + at(600), 1 + at(600)}, name);
      }
    }
  }
  EXPECT_GE(straight, 1);
  EXPECT_GE(whole, 1);
  RecordProperty("levels", levels);
}

/// What comes down to the analysed resolution tile by tile, against a copy of the level that is resampled at once.
TEST_F(JpegTiles, AverageToTheBytesOfACopyOfTheLevel) {
  std::mt19937_64 random(11);
  int compared = 0;
  for (const std::string& path : slides()) {
    auto both = open(path);
    if (!both) continue;
    const slide::Level& l = both->plain->info().levels.front();
    if (both->tiled->kept_extent(0).empty()) continue;
    std::vector<double> scales{1.0, 1.37, 2.0};
    if (both->plain->has_tiles(0)) scales.insert(scales.end(), {0.7, 1.9826, 3.3, 4.0, 5.5, 16.0});
    for (const double scale : scales) {
      const i64 width = static_cast<i64>(static_cast<double>(l.width) / scale) + 1,
                height = static_cast<i64>(static_cast<double>(l.height) / scale) + 1;
      const auto at = [&](i64 length) { return static_cast<i64>(random() % static_cast<u64>(length)); };
      std::vector<Rect> parts{{-21, -9, 260, 131}, {width - 200, height - 90, 301, 120}, {at(width), at(height), 700, 333}};
      for (int n = 0; n < 3; ++n) parts.push_back({at(width), at(height), 1 + at(400), 1 + at(200)});
      for (const Rect& part : parts) {
        const Extent extent{static_cast<i32>(part.width), static_cast<i32>(part.height)};
        std::vector<Rgba> expected(static_cast<std::size_t>(extent.area()), Rgba{1, 2, 3, 4});
        const auto read = [&](slide::Slide& slide, std::vector<Rgba>& pixels, int threads) {
          Workspace workspace;
          Context ctx{workspace, threads};
          return engine::read_scaled(cpu::table(), ctx, slide, scale, part.x, part.y, View<Rgba>(pixels.data(), extent));
        };
        const auto lost = read(*both->plain, expected, 1);
        for (const int threads : {1, 3}) {
          std::vector<Rgba> pixels(expected.size(), Rgba{5, 6, 7, 8});
          EXPECT_TRUE(same(read(*both->tiled, pixels, threads), lost)) << path << " at " << scale;
          ASSERT_EQ(std::memcmp(pixels.data(), expected.data(), pixels.size() * sizeof(Rgba)), 0)
              << path << " at " << scale << ", " << part.x << ", " << part.y << " of " << part.width << " × " << part.height
              << " by " << threads << " threads";
        }
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 50);
}

TEST_F(JpegTiles, ThreadsSeeTheSamePixels) {
  auto both = open(slides().front());
  ASSERT_TRUE(both);
  ASSERT_TRUE(both->plain->has_tiles(0));
  const Extent extent{900, 900};
  std::vector<Rgba> expected(static_cast<std::size_t>(extent.area()));
  both->plain->read(0, 100, 100, View<Rgba>(expected.data(), extent), {});
  TileCache small(std::size_t{1} << 20);  // a few tiles: they come and go while others read
  JpegTileReader reader(std::make_unique<OpenSlideReader>(*slide::openslide_library(), slides().front()),
                        *slide::turbojpeg_library(), small);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&] {
      for (int n = 0; n < 4; ++n) {
        std::vector<Rgba> pixels(expected.size());
        reader.read(0, 100, 100, View<Rgba>(pixels.data(), extent), {});
        wrong += std::memcmp(pixels.data(), expected.data(), pixels.size() * sizeof(Rgba)) != 0;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(small.bytes(), std::size_t{1} << 20);
}

DecodedTile tile_of(u8 value) {
  DecodedTile tile;
  tile.width = tile.height = 16;
  tile.pixels = std::make_unique<Rgba[]>(256);
  tile.pixels[0].r = value;
  return tile;
}

TEST(TileCacheTest, KeepsWithinItsBytesAndForgetsWhatWasUsedLongestAgo) {
  TileCache cache(4 * 1024 + 1000);
  int decoded = 0;
  const auto get = [&](i64 x) {
    return cache.get({1, 0, x, 0}, [&] {
      ++decoded;
      return tile_of(static_cast<u8>(x));
    });
  };
  for (i64 x = 0; x < 3; ++x) EXPECT_EQ(get(x)->pixels[0].r, x);
  EXPECT_EQ(decoded, 3);
  get(0);
  EXPECT_EQ(decoded, 3);
  const auto held = get(1);
  get(3), get(4);  // 2 goes, then 0
  EXPECT_LE(cache.bytes(), std::size_t{4 * 1024 + 1000});
  EXPECT_EQ(decoded, 5);
  get(2);
  EXPECT_EQ(decoded, 6);
  EXPECT_EQ(held->pixels[0].r, 1);
  // Now 2, 4 and 3 are kept, used in this order from the last one on.
  cache.keep_at_most(1024 + 500);
  EXPECT_LE(cache.bytes(), std::size_t{1024 + 500});
  get(2);
  EXPECT_EQ(decoded, 6);
  get(4);
  EXPECT_EQ(decoded, 7);
  cache.keep_at_most(4 * 1024 + 1000);
  get(2), get(3), get(4);
  EXPECT_EQ(decoded, 9);
  get(2), get(3), get(4);
  EXPECT_EQ(decoded, 9);
}

TEST(TileCacheTest, DecodesOnceForAllWhoAskAtOnceAndAgainAfterAFailure) {
  TileCache cache(1 << 20);
  std::atomic<int> decoded{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      const auto tile = cache.get({1, 0, 5, 5}, [&] {
        ++decoded;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return tile_of(9);
      });
      EXPECT_EQ(tile->pixels[0].r, 9);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(decoded, 1);
  EXPECT_THROW(cache.get({1, 0, 6, 6}, []() -> DecodedTile { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_EQ(cache.entries(), 1u) << "nothing stays of what could not be decoded";
  EXPECT_EQ(cache.get({1, 0, 6, 6}, [] { return tile_of(3); })->pixels[0].r, 3);
  cache.forget(1);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(TileMemoryTest, HandsOnWhatIsNotNeededAnyMoreAndKeepsNoMoreThanItsBytes) {
  slide::TileMemory memory(3 * 1024);
  const Rgba* first = nullptr;
  {
    const auto a = memory.take(256);
    first = a.get();
  }
  auto again = memory.take(256);
  EXPECT_EQ(again.get(), first);
  std::vector<std::shared_ptr<Rgba[]>> all;
  for (int k = 0; k < 5; ++k) all.push_back(memory.take(256));
  std::vector<const Rgba*> places;
  for (const auto& each : all) places.push_back(each.get());
  all.clear();  // three of them stay
  for (int k = 0; k < 3; ++k) {
    all.push_back(memory.take(256));
    EXPECT_EQ(std::count(places.begin(), places.end(), all.back().get()), 1);
  }
  // What it gave outlives it.
  std::shared_ptr<Rgba[]> orphan = slide::TileMemory(1 << 20).take(64);
  orphan[63] = Rgba{1, 2, 3, 4};
  EXPECT_EQ(orphan[63].r, 1);
}

TEST(OnLevelTest, FillsWhatLiesOffTheLevelAndNothingElse) {
  const slide::Level level{10, 6, 1, 0, 0};
  const Rgba untouched{1, 2, 3, 4}, background{240, 241, 242, 255};
  for (i64 y = -9; y <= 8; ++y)
    for (i64 x = -13; x <= 12; ++x)
      for (const Extent e : {Extent{3, 2}, Extent{14, 9}, Extent{1, 12}, Extent{0, 4}}) {
        std::vector<Rgba> pixels(static_cast<std::size_t>(16 * 14), untouched);
        const View<Rgba> out(pixels.data() + 17, e, 16);
        const auto part = slide::on_level(level, x, y, out, background);
        i64 wrong = 0, inside = 0;
        for (i32 j = 0; j < 14; ++j)
          for (i32 i = 0; i < 16; ++i) {
            const bool in_out = i >= 1 && j >= 1 && i <= e.width && j <= e.height;
            const i64 px = x + i - 1, py = y + j - 1;
            const bool on = px >= 0 && py >= 0 && px < level.width && py < level.height;
            const Rgba expected = in_out && !on ? background : untouched, found = pixels[static_cast<std::size_t>(j * 16 + i)];
            wrong += std::memcmp(&found, &expected, sizeof found) != 0;
            inside += in_out && on;
          }
        ASSERT_EQ(wrong, 0) << x << ", " << y;
        ASSERT_EQ(part ? part->wanted.width * part->wanted.height : 0, inside);
        if (part)
          ASSERT_EQ(part->target.data, &out.at(static_cast<i32>(part->wanted.x - x), static_cast<i32>(part->wanted.y - y)));
      }
}

}  // namespace
}  // namespace morpho::test
