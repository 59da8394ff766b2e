// Scanners' TIFFs by our own reader: levels, places, pixels, images and what is said of them are OpenSlide's, bit by bit.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace morpho::test
