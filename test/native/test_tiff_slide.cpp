// Our own reader of TIFFs against OpenSlide, pixel for pixel, on every slide that both read.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
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

}  // namespace
}  // namespace morpho::test
