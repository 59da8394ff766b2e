// Our own reader of TIFFs against OpenSlide, pixel for pixel, on every slide that both read.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "slide/level_agreement.hpp"
#include "slide/openslide_reader.hpp"
#include "slide/tiff/tiff_slide.hpp"

namespace morpho::test {
namespace {

std::vector<std::string> tiffs_here() {
  std::vector<std::string> found{std::string(MORPHO_ASSETS) + "/samples/CMU-1-Small-Region.svs"};
  for (const char* folder : {"slides", "slides/synthetic"}) {
    std::error_code failed;
    const auto shared = std::filesystem::path(MORPHO_FIXTURES) / "../../../shared/data" / folder;
    for (const auto& entry : std::filesystem::directory_iterator(shared, failed))
      if (entry.is_regular_file()) found.push_back(entry.path().string());
  }
  std::sort(found.begin() + 1, found.end());
  return found;
}

i64 differing_pixels(slide::Slide& a, int level_a, slide::Slide& b, int level_b, i64 x, i64 y, Extent extent) {
  std::vector<Rgba> from_a(static_cast<std::size_t>(extent.area())), from_b(from_a);
  a.read(level_a, x, y, View<Rgba>(from_a.data(), extent), {});
  b.read(level_b, x, y, View<Rgba>(from_b.data(), extent), {});
  i64 differing = 0;
  for (std::size_t i = 0; i < from_a.size(); ++i) differing += std::memcmp(&from_a[i], &from_b[i], sizeof(Rgba)) != 0;
  return differing;
}

TEST(TiffSlide, IsOpenSlideBitByBit) {
  const slide::OpenSlideLibrary* library = slide::openslide_library();
  if (!library) GTEST_SKIP() << slide::openslide_status().reason;
  std::mt19937 random(1);
  std::string compared;
  for (const std::string& path : tiffs_here()) {
    std::unique_ptr<slide::OpenSlideReader> other;
    try {
      other = std::make_unique<slide::OpenSlideReader>(*library, path);
    } catch (const Error&) {
      continue;
    }
    const auto own = slide::open_tiff_alone(path);
    if (!own) continue;
    // Where px of a level do not begin at whole ones of level 0, OpenSlide resamples. The reader's own levels say it better.
    slide::OpenSlideHandle* handle = library->open(path.c_str());
    std::vector<double> said;
    for (int j = 0; j < library->get_level_count(handle); ++j) said.push_back(library->get_level_downsample(handle, j));
    library->close(handle);
    const std::string name = std::filesystem::path(path).filename().string();
    compared += name + " ";
    EXPECT_EQ(own->info().levels.front().width, other->info().levels.front().width) << name;
    EXPECT_EQ(own->info().mpp_source, other->info().mpp_source) << name;
    for (std::size_t i = 0; i < own->info().levels.size(); ++i)
      for (std::size_t j = 0; j < other->info().levels.size(); ++j) {
        const slide::Level &a = own->info().levels[i], &b = other->info().levels[j];
        if (a.width != b.width || a.height != b.height || said[j] != std::floor(said[j])) continue;
        for (int n = 0; n < 6; ++n) {
          const Extent extent{static_cast<i32>(1 + random() % 700), static_cast<i32>(1 + random() % 700)};
          const i64 x = static_cast<i64>(random() % static_cast<u64>(a.width)) - 40,
                    y = static_cast<i64>(random() % static_cast<u64>(a.height)) - 40;
          EXPECT_EQ(differing_pixels(*own, static_cast<int>(i), *other, static_cast<int>(j), x, y, extent), 0)
              << name << " level " << i << " at " << x << ", " << y;
        }
      }
  }
  EXPECT_NE(compared.find("CMU-1-Small-Region.svs"), std::string::npos) << compared;
  RecordProperty("compared", compared);
  if (!compared.empty()) std::cout << "compared: " << compared << "\n";
}

/// A grey TIFF of four tiles of 64 × 64 px, 16 bits each: tile k is all (k + 1) · 1000. The last one's bytes lie at `last`.
std::string deep_tiff(const std::string& name, std::uint32_t last) {
  constexpr std::uint32_t entries = 10, tile_bytes = 64 * 64 * 2, tables = 8 + 2 + 12 * entries + 4, first = tables + 32;
  std::string file = "II*";
  const auto put = [&file](std::uint32_t value, int bytes) {
    for (int k = 0; k < bytes; ++k) file += static_cast<char>(value >> (8 * k) & 255);
  };
  put(0, 1), put(8, 4), put(entries, 2);
  const auto entry = [&](std::uint32_t tag, std::uint32_t type, std::uint32_t count, std::uint32_t value) {
    put(tag, 2), put(type, 2), put(count, 4), put(value, 4);
  };
  entry(256, 4, 1, 128), entry(257, 4, 1, 128), entry(258, 3, 1, 16), entry(259, 3, 1, 1), entry(262, 3, 1, 1);
  entry(277, 3, 1, 1), entry(322, 4, 1, 64), entry(323, 4, 1, 64), entry(324, 4, 4, tables), entry(325, 4, 4, tables + 16);
  put(0, 4);
  for (std::uint32_t k = 0; k < 4; ++k) put(k == 3 && last > 0 ? last : first + k * tile_bytes, 4);
  for (std::uint32_t k = 0; k < 4; ++k) put(tile_bytes, 4);
  for (std::uint32_t k = 0; k < 4; ++k)
    for (std::uint32_t i = 0; i < 64 * 64; ++i) put((k + 1) * 1000, 2);
  const auto path = std::filesystem::temp_directory_path() / name;
  std::ofstream(path, std::ios::binary) << file;
  return path.string();
}

TEST(TiffSlide, WhoseRangeLacksAPieceSaysThatItsPixelsAreUncertain) {
  // The range ends at the brightest tile: without it all others are brighter than they should be.
  for (const bool lost : {false, true}) {
    const std::string path = deep_tiff(lost ? "morpho-range-lost.tif" : "morpho-range-whole.tif", lost ? 1u << 20 : 0);
    const auto slide = slide::open_tiff(path, true, "");
    ASSERT_TRUE(slide);
    EXPECT_EQ(slide->info().channels.front().high, lost ? 3000 : 4000);
    Rgba pixel;
    EXPECT_TRUE(slide->read(0, 0, 0, View<Rgba>(&pixel, {1, 1}), {}).empty());
    EXPECT_EQ(pixel.r, lost ? 85 : 64);
    EXPECT_EQ(slide->info().uncertain_pixels.empty(), !lost);
    const bool says_range = slide->info().uncertain_pixels.find("0 to 3000") != std::string::npos;
    EXPECT_EQ(says_range, lost) << slide->info().uncertain_pixels;
    std::filesystem::remove(path);
  }
}

}  // namespace
}  // namespace morpho::test
