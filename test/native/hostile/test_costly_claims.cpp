// Small files that claim much: what judging, opening and reading them costs is bounded. Shown by counts, not by clocks.
#include <atomic>
#include <numeric>

#include "slide/openslide_reader.hpp"
#include "slide/plausible.hpp"
#include "../made_slides/slide_files.hpp"

namespace morpho::test {
namespace {

/// A tiled TIFF of tiles of `side` px; tile k has as many bytes as `bytes_of(k)`, all of them of the same zeros.
struct Sparse {
  u64 width, height, side;
  u64 listed = 0;  ///< 0 = all
  std::function<u64(u64)> bytes_of = [](u64) { return 0; };
  u64 directories = 1;

  u64 tiles() const { return ((width + side - 1) / side) * ((height + side - 1) / side); }
  Bytes file() const {
    TiffWriter w(false, false);
    const u64 n = listed > 0 ? listed : tiles();
    const u64 data = w.append(Bytes(side * side * 3, 0));
    const u64 bits = w.bytes.size();
    for (int k = 0; k < 3; ++k) w.put(8, 2);
    const u64 offsets = w.bytes.size();
    for (u64 k = 0; k < n; ++k) w.put(bytes_of(k) > 0 ? data : 0, 4);
    const u64 sizes = w.bytes.size();
    for (u64 k = 0; k < n; ++k) w.put(bytes_of(k), 4);
    for (u64 k = 0; k < directories; ++k)
      w.directory({{256, 4, 1, width},
                   {257, 4, 1, height},
                   {258, 3, 3, bits},
                   {259, 3, 1, 1},
                   {262, 3, 1, 2},
                   {277, 3, 1, 3},
                   {284, 3, 1, 1},
                   {322, 4, 1, side},
                   {323, 4, 1, side},
                   {324, 4, n, n == 1 ? data : offsets},
                   {325, 4, n, n == 1 ? bytes_of(0) : sizes}});
    return w.bytes;
  }
};

std::string judgement(const std::string& path) {
  try {
    slide::require_plausible(path);
    return "";
  } catch (const Error& e) {
    EXPECT_EQ(e.detail(), "damaged");
    return e.what();
  }
}

TEST(CostlyClaims, ASlideWithoutAByteOfAPictureIsRefused) {
  TemporaryFolder folder;
  const std::string said = judgement(folder.write("none.tif", Sparse{227767, 1484, 256}.file()));
  EXPECT_NE(said.find("claims 227767 × 1484 px and holds no data for any of its tiles"), std::string::npos) << said;
  // One tile is a picture; so is another directory's.
  Sparse one{227767, 1484, 256};
  one.bytes_of = [](u64 k) { return k == 4000 ? 256 * 256 * 3 : 0; };
  EXPECT_EQ(judgement(folder.write("one.tif", one.file())), "");
}

TEST(CostlyClaims, ATableOfTilesWithHardlyAnyBytesIsRefused) {
  TemporaryFolder folder;
  // 2^17 tiles and one column more. OpenSlide would open the file once for each.
  Sparse many{16 * 1025, 16 * 128, 16};
  many.bytes_of = [](u64 k) { return k < 100 ? 768 : 0; };
  const std::string said = judgement(folder.write("many.tif", many.file()));
  EXPECT_NE(said.find("in 131200 tiles, and states 76800 bytes for all of them together"), std::string::npos) << said;
  many.width = 16 * 1024;
  EXPECT_EQ(judgement(folder.write("fewer.tif", many.file())), "");
  many.width = 16 * 1025;
  many.bytes_of = [](u64) { return 16; };
  EXPECT_EQ(judgement(folder.write("filled.tif", many.file())), "");
}

TEST(CostlyClaims, DirectoriesThatShareATableCostNoMoreThanTheFile) {
  TemporaryFolder folder;
  Sparse shared{227767, 1484, 256};
  shared.bytes_of = [](u64) { return 768; };
  shared.directories = 9;
  EXPECT_EQ(judgement(folder.write("nine.tif", shared.file())), "");
  shared.directories = 400;
  EXPECT_NE(judgement(folder.write("all.tif", shared.file())).find("list more tiles together than the file has bytes"),
            std::string::npos);
  Sparse small{16, 16, 16};
  small.bytes_of = [](u64) { return 768; };
  small.directories = 16384;
  EXPECT_EQ(judgement(folder.write("pages.tif", small.file())), "");
  small.directories += 1;
  EXPECT_NE(judgement(folder.write("more.tif", small.file())).find("a tiled TIFF of 16385 directories"), std::string::npos);
}

TEST(CostlyClaims, DirectoriesThatOverlapAreReadToALimit) {
  TemporaryFolder folder;
  // Every 12 bytes a directory of 4000 entries begins. The tag and type of one's first entry are where the one 4000 before it
  // says what comes next.
  constexpr u64 entries = 4000, first = 8;
  TiffWriter w(false, false);
  w.patch(4, first, 4);
  for (u64 k = 0; k < 2 * entries; ++k) {
    w.put(entries, 2);
    w.put(k < entries ? 0x10000 : first + 12 * (k - entries + 1), 4);
    w.put(1, 4);
    w.put(0, 2);
  }
  std::string problem;
  const auto index = slide::TiffIndex::open(folder.write("overlap.tif", w.bytes), problem);
  ASSERT_TRUE(index);
  EXPECT_EQ(problem, "its directories claim more than 4194304 entries together");
  EXPECT_EQ(index->directories().size(), 1048u);  // 4194304 / 4000
}

/// OpenSlide, whose openings are counted.
class Openings : public testing::Test {
 protected:
  void SetUp() override {
    const slide::OpenSlideLibrary* library = slide::openslide_library();
    if (!library) GTEST_SKIP() << slide::openslide_status().reason;
    real = library;
    counted = *library;
    counted.open = [](const char* path) {
      ++openings;
      return real->open(path);
    };
    openings = 0;
  }
  static inline const slide::OpenSlideLibrary* real = nullptr;
  static inline std::atomic<int> openings{0};
  slide::OpenSlideLibrary counted{};
};

TEST_F(Openings, TilesWithoutBytesAreAskedForOnce) {
  TemporaryFolder folder;
  Sparse sparse{2560, 2560, 256};
  sparse.bytes_of = [](u64 k) { return k == 37 ? 256 * 256 * 3 : 0; };  // column 7, row 3
  slide::OpenSlideReader slide(counted, folder.write("sparse.tif", sparse.file()));
  std::vector<Rgba> pixels(2560 * 2560);
  const auto unreadable = slide.read(0, 0, 0, View<Rgba>(pixels.data(), {2560, 2560}), {});
  // OpenSlide 3.4.1 fails at each tile without bytes, 4.0 shows glass.
  if (!unreadable.empty()) {
    EXPECT_EQ(unreadable.size(), 99u);
    for (const slide::Unreadable& u : unreadable) EXPECT_EQ(u.reason, unreadable.front().reason);
  }
  EXPECT_LE(openings, 4) << "two to open it, and what the first such tile costs";
  const Rgba there = pixels[3 * 256 * 2560 + 7 * 256];
  EXPECT_EQ(there.r, 0);
  EXPECT_EQ(pixels[3 * 256 * 2560 + 6 * 256].r, 255);
}

TEST_F(Openings, WhatIsOfUseOnlyWholeEndsAtTheFirstBadTile) {
  TemporaryFolder folder;
  Sparse cut{2560, 2560, 256};
  cut.bytes_of = [](u64) { return 7; };  // uncompressed tiles of 256 * 256 * 3 bytes
  slide::OpenSlideReader slide(counted, folder.write("cut.tif", cut.file()));
  const slide::ReadControl control = slide::ReadControl().all_or_nothing();
  std::vector<Rgba> pixels(2560 * 2560);
  const auto unreadable = slide.read(0, 0, 0, View<Rgba>(pixels.data(), {2560, 2560}), control);
  ASSERT_FALSE(unreadable.empty());
  EXPECT_LE(openings, 4) << "two to open it, and what the first such tile costs";
  EXPECT_TRUE(control.expired());
  EXPECT_FALSE(control.out_of_time());
  EXPECT_EQ(control.reason(), unreadable.front().reason);
  // All of it is told, by the reason that was first.
  i64 area = 0;
  for (const slide::Unreadable& u : unreadable) {
    EXPECT_EQ(u.reason, unreadable.front().reason);
    area += u.region.width * u.region.height;
  }
  EXPECT_EQ(area, i64{2560} * 2560);
}

}  // namespace
}  // namespace morpho::test
