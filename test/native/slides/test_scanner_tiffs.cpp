// Scanners' TIFFs by our own reader: levels, places, pixels, images and what is said of them are OpenSlide's, bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "../made_slides/openslides_pixels.hpp"

namespace morpho::test {
namespace {

class ScannerTiffs : public ::testing::TestWithParam<const char*> {};

TEST_P(ScannerTiffs, AreOpenSlidesBitByBit) {
  if (!slide::openslide_library()) GTEST_SKIP() << slide::openslide_status().reason;
  const std::string path = std::string(MORPHO_FIXTURES) + "/../../../shared/data/slides/" + GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  const auto own = slide::open_tiff_alone(path);
  ASSERT_TRUE(own);
  expect_openslides(path, *own);
}

INSTANTIATE_TEST_SUITE_P(OfTheData, ScannerTiffs,
                         ::testing::Values("TCGA-CR-7395-01A-01-TS1.svs", "synthetic/aperio-jp2k-33005.svs",
                                           "synthetic/aperio-pyramid.svs", "synthetic/leica-two-regions.scn",
                                           "synthetic/trestle-overlap.tif", "synthetic/philips.tiff",
                                           "synthetic/ventana-overlap.bif"));

/// An Aperio slide of JPEG 2000 tiles in YCbCr. Chroma is halved along x, or it is not.
std::string ycc_slide(const TemporaryFolder& folder, const Bytes& tile, u64 side) {
  TiffWriter w(false, false);
  const std::string said = "Aperio Image Library v11.0.37\r\n200x100 J2K/YUV16 Q=70|AppMag = 20|MPP = 0.5";
  Bytes text(said.begin(), said.end());
  text.push_back(0);
  const u64 text_at = w.append(text), tile_at = w.append(tile), bits_at = w.bytes.size();
  for (int k = 0; k < 3; ++k) w.put(8, 2);
  const u64 across = (200 + side - 1) / side, tiles = across * ((100 + side - 1) / side), offsets = w.bytes.size();
  for (u64 k = 0; k < tiles; ++k) w.put(tile_at, 4);
  const u64 counts = w.bytes.size();
  for (u64 k = 0; k < tiles; ++k) w.put(tile.size(), 4);
  w.directory({{256, 4, 1, 200},
               {257, 4, 1, 100},
               {258, 3, 3, bits_at},
               {259, 3, 1, 33003},
               {262, 3, 1, 6},
               {270, 2, text.size(), text_at},
               {277, 3, 1, 3},
               {284, 3, 1, 1},
               {322, 3, 1, side},
               {323, 3, 1, side},
               {324, 4, tiles, offsets},
               {325, 4, tiles, counts}});
  return folder.write("ycc.svs", w.bytes);
}

TEST(ScannerTiffs, Jpeg2000InYCbCrIsOpenSlidesBitByBit) {
  if (!slide::openslide_library()) GTEST_SKIP() << slide::openslide_status().reason;
  const TemporaryFolder folder;
  for (const auto& [name, side] : {std::pair("tile-128-ycc.j2k", 128), std::pair("tile-64.j2k", 64)}) {
    const Bytes tile = read_all(std::string(MORPHO_FIXTURES) + "/slides/" + name);
    const std::string path = ycc_slide(folder, tile, static_cast<u64>(side));
    const auto own = slide::open_tiff_alone(path);
    ASSERT_TRUE(own) << name;
    expect_openslides(path, *own);
  }
}

/// Mean difference of each px's colours, ours from the other's so many px to the right and down.
double apart(const std::vector<Rgba>& ours, const std::vector<Rgba>& other, Extent e, i32 right, i32 down) {
  i64 sum = 0, count = 0;
  for (i32 y = 4; y < e.height - 4; ++y)
    for (i32 x = 4; x < e.width - 4; ++x, ++count) {
      const Rgba a = ours[static_cast<std::size_t>(y * e.width + x)];
      const Rgba b = other[static_cast<std::size_t>((y + down) * e.width + x + right)];
      sum += std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
    }
  return static_cast<double>(sum) / static_cast<double>(3 * count);
}

/// Ventana's tiles lie by the mean of all joints. Where that is no whole number ours lie at the nearest px, which is said, and
/// OpenSlide resamples: levels are of the same size, and no picture is aside by a px.
TEST(ScannerTiffs, VentanasFractionalStepsAreOpenSlidesToThePx) {
  if (!slide::openslide_library()) GTEST_SKIP() << slide::openslide_status().reason;
  const std::string data = std::string(MORPHO_FIXTURES) + "/../../../shared/data/slides/synthetic/ventana-overlap.bif";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << data << " is not here";
  const TemporaryFolder folder;
  Bytes bytes = read_all(data);
  const std::string whole = "OverlapX=\"16\"", less = "OverlapX=\"13\"";
  auto from = bytes.begin();
  int changed = 0;
  for (int joint = 0;; ++joint) {
    const auto found = std::search(from, bytes.end(), whole.begin(), whole.end());
    if (found == bytes.end()) break;
    if (joint % 4 == 1) std::copy(less.begin(), less.end(), found), ++changed;
    from = found + 1;
  }
  ASSERT_GT(changed, 2);
  const std::string path = folder.write("steps.bif", bytes);
  const auto own = slide::open_tiff_alone(path);
  ASSERT_TRUE(own);
  const slide::SlideInfo& mine = own->info();
  EXPECT_TRUE(std::any_of(mine.warnings.begin(), mine.warnings.end(),
                          [](const std::string& w) { return w.find("at the nearest whole px") != std::string::npos; }));
  slide::OpenSlideReader other(*slide::openslide_library(), path);
  slide::OpenSlideHandle* handle = slide::openslide_library()->open(path.c_str());
  ASSERT_EQ(mine.levels.size(), other.info().levels.size());
  for (int k = 0; k < static_cast<int>(mine.levels.size()); ++k) {
    const slide::Level &a = mine.levels[static_cast<std::size_t>(k)], &b = other.info().levels[static_cast<std::size_t>(k)];
    ASSERT_EQ(std::pair(a.width, a.height), std::pair(b.width, b.height)) << "level " << k;
    const Extent e{static_cast<i32>(a.width), static_cast<i32>(a.height)};
    const auto ours = read_of(*own, k, 0, 0, e);
    const auto theirs = drawn(*slide::openslide_library(), handle, k, a.width, a.height, mine.background);
    const double in_place = apart(ours, theirs, e, 0, 0);
    for (const auto& [right, down] : {std::pair(1, 0), std::pair(-1, 0), std::pair(0, 1), std::pair(0, -1)})
      EXPECT_LT(in_place, 0.8 * apart(ours, theirs, e, right, down)) << "level " << k << " by " << right << ", " << down;
  }
  slide::openslide_library()->close(handle);
}

}  // namespace
}  // namespace morpho::test
