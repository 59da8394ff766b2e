// JPEG 2000 tiles straight from the file: the pixels are OpenSlide's, and a header that says anything else goes to it.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <random>

#include "engine/window/read_scaled.hpp"
#include "slide/jpeg2000.hpp"
#include "slide/openslide_reader.hpp"

namespace morpho::test {
namespace {

using slide::OpenSlideReader;

/// SOC and SIZ as Aperio's tiles of 256 px begin, and bytes after them.
std::vector<u8> header() {
  std::vector<u8> h{0xFF, 0x4F, 0xFF, 0x51, 0, 47, 0, 0};
  for (const int word : {256, 256, 0, 0, 256, 256, 0, 0})
    for (int shift = 24; shift >= 0; shift -= 8) h.push_back(static_cast<u8>(word >> shift));
  for (const int byte : {0, 3, 7, 1, 1, 7, 1, 1, 7, 1, 1, 0xFF, 0x52}) h.push_back(static_cast<u8>(byte));
  return h;
}

TEST(Jpeg2000Header, IsThatOfAWholeTileOfThreeBytesAPixelOrOpenSlideReadsIt) {
  const std::vector<u8> good = header();
  EXPECT_TRUE(slide::is_rgb_tile(good, {256, 256}));
  EXPECT_FALSE(slide::is_rgb_tile(good, {256, 255}));
  EXPECT_FALSE(slide::is_rgb_tile(good, {0, 0}));
  // Every bit of it matters, but for the capabilities: sizes, origins, tiles, components, their bits, signs and sampling.
  for (std::size_t at = 0; at < 51; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<u8> other = good;
      other[at] = static_cast<u8>(other[at] ^ 1 << bit);
      EXPECT_EQ(slide::is_rgb_tile(other, {256, 256}), at == 6 || at == 7) << at << " bit " << bit;
    }
  for (std::size_t bytes = 0; bytes < 51; ++bytes)
    EXPECT_FALSE(slide::is_rgb_tile({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(bytes)}, {256, 256}));
}

class Jpeg2000 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!slide::openslide_library()) GTEST_SKIP() << slide::openslide_status().reason;
    if (!slide::openjpeg_library()) GTEST_SKIP() << "no OpenJPEG: " << slide::openjpeg_status();
    const std::string path = std::string(MORPHO_FIXTURES) + "/../../../shared/data/slides/TCGA-CR-7395-01A-01-TS1.svs";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
    reader = std::make_unique<OpenSlideReader>(*slide::openslide_library(), path);
  }
  static constexpr Extent tile{256, 256};
  std::unique_ptr<OpenSlideReader> reader;
};

TEST_F(Jpeg2000, EachTileOfASlideIsDecodedToOpenSlidesPixels) {
  ASSERT_TRUE(reader->has_codestreams(0));
  EXPECT_FALSE(reader->has_tiles(0));
  EXPECT_FALSE(reader->tile_jpeg(0, 0, 0)) << "no JPEG: what shows tiles as they are must not get it";
  EXPECT_FALSE(reader->has_codestreams(1)) << "OpenSlide resamples it: its downsample is not whole";
  EXPECT_TRUE(reader->has_resampled_codestreams(1)) << "what is only near its pixels may take them";
  EXPECT_TRUE(reader->tile_codestream(1, 0, 0));
  const slide::Level& level = reader->info().levels.front();
  const i64 across = (level.width + 255) / 256, down = (level.height + 255) / 256;
  EXPECT_FALSE(reader->tile_codestream(0, across, 0));
  EXPECT_FALSE(reader->tile_codestream(0, -1, 0));
  std::vector<Rgba> own(static_cast<std::size_t>(tile.area())), theirs(own);
  for (i64 ty = 0; ty < down; ++ty)
    for (i64 tx = 0; tx < across; ++tx) {
      const auto bytes = reader->tile_codestream(0, tx, ty);
      ASSERT_TRUE(bytes);
      ASSERT_TRUE(slide::decode_rgb_tile(*slide::openjpeg_library(), *bytes, tile, own.data())) << tx << ", " << ty;
      reader->read(0, tx * 256, ty * 256, View<Rgba>(theirs.data(), tile), {});
      const std::size_t width = static_cast<std::size_t>(std::min<i64>(256, level.width - tx * 256));
      for (i64 y = 0; y < std::min<i64>(256, level.height - ty * 256); ++y)
        ASSERT_EQ(std::memcmp(&own[static_cast<std::size_t>(y * 256)], &theirs[static_cast<std::size_t>(y * 256)],
                              width * sizeof(Rgba)),
                  0)
            << "tile " << tx << ", " << ty << " row " << y;
    }
}

/// What recognising a stain reads: the means of areas, near the slide's.
TEST_F(Jpeg2000, TilesOfHalfTheSizeHaveTheColoursOfTheSlide) {
  const std::string path = reader->info().path;
  const auto slide = slide::open_slide(path);
  EXPECT_EQ(slide->rough(1.9), nullptr) << "level 0 halved is too coarse";
  Workspace workspace;
  Context ctx{workspace, 2};
  const Extent extent{380, 300};  // at 11 it ends before the slide
  std::vector<Rgba> exact(static_cast<std::size_t>(extent.area())), near(exact);
  for (const double scale : {4.1, 8.7, 11.0}) {
    const auto rough = slide->rough(scale);
    ASSERT_TRUE(rough);
    EXPECT_GT(rough->info().levels.front().downsample, scale / 2.1);
    ASSERT_TRUE(engine::read_scaled(cpu::table(), ctx, *slide, scale, 5, 6, View<Rgba>(exact.data(), extent)).empty());
    ASSERT_TRUE(engine::read_scaled(cpu::table(), ctx, *rough, scale, 5, 6, View<Rgba>(near.data(), extent)).empty());
    // Of squares of 20 px: a picture that is sharper, and up to half a px aside, has nearly the same.
    for (i32 y = 0; y < extent.height; y += 20)
      for (i32 x = 0; x < extent.width; x += 20) {
        int off[3] = {0, 0, 0};
        for (i32 k = 0; k < 400; ++k) {
          const auto at = static_cast<std::size_t>((y + k / 20) * extent.width + x + k % 20);
          off[0] += exact[at].r - near[at].r, off[1] += exact[at].g - near[at].g, off[2] += exact[at].b - near[at].b;
        }
        for (const int sum : off) ASSERT_LT(std::abs(sum), 400 * 8) << scale << " at " << x << ", " << y;
      }
  }
}

/// Cut off, or with bytes changed: pixels or false, never a crash, and false for what is cut off.
TEST_F(Jpeg2000, DamagedCodestreamsEndInPixelsOrInNo) {
  const auto good = reader->tile_codestream(0, 7, 7);
  ASSERT_TRUE(good);
  std::mt19937 random(3);
  std::vector<Rgba> pixels(static_cast<std::size_t>(tile.area()));
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<u8> bytes = *good;
    if (round % 3 == 0) bytes.resize(51 + random() % (bytes.size() - 51));
    // The headers come first: half of the changes fall on them.
    else
      for (unsigned n = 0; n <= random() % 6; ++n) bytes[random() % (n % 2 ? bytes.size() : 160)] = static_cast<u8>(random());
    const bool decoded = slide::decode_rgb_tile(*slide::openjpeg_library(), bytes, tile, pixels.data());
    refused += !decoded;
  }
  EXPECT_GE(refused, 100);
}

}  // namespace
}  // namespace morpho::test
