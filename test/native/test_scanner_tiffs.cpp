// Scanners' TIFFs by our own reader: levels, places, pixels, images and what is said of them are OpenSlide's, bit by bit.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <random>

#include "slide/openslide_reader.hpp"
#include "slide/tiff/tiff_slide.hpp"
#include "slide_files.hpp"

namespace morpho::test {
namespace {

using slide::OpenSlideLibrary;

/// All of one level as OpenSlide draws it in one call, on `background`.
std::vector<Rgba> drawn(const OpenSlideLibrary& library, slide::OpenSlideHandle* handle, int level, i64 width, i64 height,
                        Rgba background) {
  std::vector<std::uint32_t> raw(static_cast<std::size_t>(width * height));
  library.read_region(handle, raw.data(), 0, 0, level, width, height);
  std::vector<Rgba> out(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const std::uint32_t p = raw[i];
    out[i] = p >> 24 == 0 ? background : Rgba{static_cast<u8>(p >> 16), static_cast<u8>(p >> 8), static_cast<u8>(p), 255};
  }
  return out;
}

i64 differing(const std::vector<Rgba>& a, const std::vector<Rgba>& b) {
  i64 count = static_cast<i64>(a.size() != b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += std::memcmp(&a[i], &b[i], sizeof(Rgba)) != 0;
  return count;
}

std::vector<Rgba> read_of(slide::Slide& slide, int level, i64 x, i64 y, Extent extent) {
  std::vector<Rgba> out(static_cast<std::size_t>(extent.area()));
  EXPECT_TRUE(slide.read(level, x, y, View<Rgba>(out.data(), extent), {}).empty()) << "level " << level;
  return out;
}

/// Whole levels, windows at odd places and beyond the rims, and all that `info` shows.
void expect_openslides(const std::string& path, slide::Slide& own) {
  const OpenSlideLibrary& library = *slide::openslide_library();
  slide::OpenSlideReader other(library, path);
  const slide::SlideInfo &mine = own.info(), &theirs = other.info();
  EXPECT_EQ(mine.vendor, theirs.vendor);
  EXPECT_EQ(mine.mpp_x, theirs.mpp_x);
  EXPECT_EQ(mine.mpp_y, theirs.mpp_y);
  EXPECT_EQ(mine.mpp_source, theirs.mpp_source);
  EXPECT_EQ(mine.objective_power, theirs.objective_power);
  EXPECT_EQ(std::memcmp(&mine.background, &theirs.background, sizeof(Rgba)), 0);
  const auto sides = [](const Rect& r) { return std::vector<i64>{r.x, r.y, r.width, r.height}; };
  EXPECT_EQ(sides(mine.bounds), sides(theirs.bounds));
  // What the file's maker says of it is the same.
  for (const auto& [name, value] : theirs.properties) {
    if (name.rfind("openslide.level", 0) == 0 || name == "openslide.quickhash-1" || name == "openslide.vendor" ||
        name == "openslide.comment" || name.rfind("openslide.mpp", 0) == 0 || name.rfind("tiff.", 0) == 0 ||
        mine.vendor == "aperio")
      continue;
    const auto found = mine.properties.find(name);
    EXPECT_TRUE(found != mine.properties.end() && found->second == value)
        << name << " is " << value << ", and not " << (found == mine.properties.end() ? "none" : found->second);
  }
  ASSERT_EQ(mine.levels.size(), theirs.levels.size());
  slide::OpenSlideHandle* handle = library.open(path.c_str());
  for (int k = 0; k < static_cast<int>(mine.levels.size()); ++k) {
    const slide::Level &a = mine.levels[static_cast<std::size_t>(k)], &b = theirs.levels[static_cast<std::size_t>(k)];
    ASSERT_EQ(std::pair(a.width, a.height), std::pair(b.width, b.height)) << "level " << k;
    EXPECT_EQ(a.downsample_x(), b.downsample_x()) << "level " << k;
    EXPECT_EQ(a.downsample_y(), b.downsample_y()) << "level " << k;
    // Of Trestle's levels without overlaps OpenSlide hides the tiles as well.
    if (mine.vendor != "trestle")
      EXPECT_EQ(std::pair(a.tile_width, a.tile_height), std::pair(b.tile_width, b.tile_height)) << k;
    const Extent extent{static_cast<i32>(a.width), static_cast<i32>(a.height)};
    if (extent.area() > i64{1} << 27) continue;
    const auto whole = read_of(own, k, 0, 0, extent);
    EXPECT_EQ(differing(whole, drawn(library, handle, k, a.width, a.height, mine.background)), 0) << "level " << k;
    std::mt19937 random(static_cast<std::uint32_t>(k));
    for (int n = 0; n < 12; ++n) {
      const Extent part{static_cast<i32>(1 + random() % 400), static_cast<i32>(1 + random() % 400)};
      const i64 x = static_cast<i64>(random() % static_cast<u64>(a.width + 60)) - 50,
                y = static_cast<i64>(random() % static_cast<u64>(a.height + 60)) - 50;
      const auto window = read_of(own, k, x, y, part);
      std::vector<Rgba> cut(window.size(), mine.background);
      for (i64 j = std::max<i64>(0, -y); j < std::min<i64>(part.height, a.height - y); ++j)
        for (i64 i = std::max<i64>(0, -x); i < std::min<i64>(part.width, a.width - x); ++i)
          cut[static_cast<std::size_t>(j * part.width + i)] = whole[static_cast<std::size_t>((y + j) * a.width + x + i)];
      EXPECT_EQ(differing(window, cut), 0) << "level " << k << " at " << x << ", " << y;
    }
  }
  library.close(handle);
  EXPECT_EQ(std::set<std::string>(mine.associated.begin(), mine.associated.end()),
            std::set<std::string>(theirs.associated.begin(), theirs.associated.end()));
  for (const std::string& name : theirs.associated) {
    if (std::find(mine.associated.begin(), mine.associated.end(), name) == mine.associated.end()) continue;
    Extent a, b;
    const auto image = own.associated(name, a), image_there = other.associated(name, b);
    EXPECT_EQ(std::pair(a.width, a.height), std::pair(b.width, b.height)) << name;
    EXPECT_EQ(differing(image, image_there), 0) << name;
  }
}

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
