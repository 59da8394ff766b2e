// The TIFF index and the JPEG splicer against files with every number wrong: nothing crashes, nothing false comes out.
#include <algorithm>
#include <cstring>
#include <random>

#include "slide/jpeg_splice.hpp"
#include "slide/tiff/tiff_numbers.hpp"
#include "slide/tiff_index.hpp"
#include "../made_slides/slide_files.hpp"

namespace morpho::test {
namespace {

using slide::JpegTile;
using slide::splice_jpeg;
using slide::TiffIndex;

/// 40×20 px in tiles of 16×16: 3 across, 2 down, tile k holds k + 1 bytes of value k. Offsets as LONG, sizes as SHORT.
TiffWriter tiled_file(bool big_endian, bool big) {
  TiffWriter w(big_endian, big);
  std::vector<u64> offsets;
  for (int k = 0; k < 6; ++k) offsets.push_back(w.append(Bytes(static_cast<std::size_t>(k + 1), static_cast<u8>(k))));
  const u64 offsets_at = w.bytes.size();
  for (u64 o : offsets) w.put(o, 4);
  const u64 sizes_at = w.bytes.size();
  for (u64 k = 0; k < 6; ++k) w.put(k + 1, 2);
  w.directory({{256, 3, 1, 40},
               {257, 4, 1, 20},
               {258, 3, 1, 8},
               {259, 3, 1, 7},
               {262, 3, 1, 6},
               {277, 3, 1, 3},
               {322, 3, 1, 16},
               {323, 3, 1, 16},
               {324, 4, 6, offsets_at},
               {325, 3, 6, sizes_at}});
  return w;
}

std::unique_ptr<TiffIndex> open_bytes(const TemporaryFolder& folder, const Bytes& bytes, std::string& problem) {
  return TiffIndex::open(folder.write("file.tif", bytes), problem);
}

class TiffKinds : public testing::TestWithParam<std::tuple<bool, bool>> {};

TEST_P(TiffKinds, FindsEveryTile) {
  const auto [big_endian, big] = GetParam();
  TemporaryFolder folder;
  std::string problem;
  const auto index = open_bytes(folder, tiled_file(big_endian, big).bytes, problem);
  ASSERT_TRUE(index) << problem;
  EXPECT_EQ(problem, "");
  EXPECT_EQ(index->big_endian(), big_endian);
  EXPECT_EQ(index->big_tiff(), big);
  ASSERT_EQ(index->directories().size(), 1u);
  const auto& d = index->directories()[0];
  EXPECT_EQ(d.width, 40u);
  EXPECT_EQ(d.height, 20u);
  EXPECT_EQ(d.compression, 7u);
  EXPECT_EQ(d.photometric, 6u);
  EXPECT_EQ(d.samples, 3u);
  EXPECT_EQ(d.tiles_across(), 3u);
  EXPECT_EQ(d.tiles_down(), 2u);
  for (u64 k = 0; k < 6; ++k) EXPECT_EQ(index->tile_bytes(d, k % 3, k / 3), Bytes(k + 1, static_cast<u8>(k))) << k;
  EXPECT_FALSE(index->tile_bytes(d, 3, 0));
  EXPECT_FALSE(index->tile_bytes(d, 0, 2));
  EXPECT_FALSE(index->tile_bytes(d, ~u64{0}, ~u64{0}));
}
INSTANTIATE_TEST_SUITE_P(AllFour, TiffKinds, testing::Combine(testing::Bool(), testing::Bool()));

TEST(TiffIndex, IsNoTiff) {
  TemporaryFolder folder;
  std::string problem;
  for (const Bytes& bytes :
       {Bytes{}, Bytes{'I'}, Bytes{'I', 'I', 42, 0}, Bytes(100, 'x'), Bytes{'I', 'I', 44, 0, 8, 0, 0, 0, 0, 0}}) {
    EXPECT_FALSE(open_bytes(folder, bytes, problem));
    EXPECT_EQ(problem, "");
  }
}

TEST(TiffIndex, SaysThatAFileIsCutShort) {
  TemporaryFolder folder;
  const Bytes whole = tiled_file(false, false).bytes;
  std::string problem;
  for (std::size_t n = 8; n + 4 < whole.size(); ++n) {
    EXPECT_FALSE(open_bytes(folder, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)), problem)) << n;
    EXPECT_NE(problem, "") << n;
  }
}

TEST(TiffIndex, EndsLoops) {
  TemporaryFolder folder;
  std::string problem;
  for (bool big : {false, true}) {
    TiffWriter w(false, big);
    const u64 here = w.bytes.size();
    w.directory({{256, 4, 1, 10}, {257, 4, 1, 10}}, here);  // its own successor
    const auto index = open_bytes(folder, w.bytes, problem);
    ASSERT_TRUE(index);
    EXPECT_EQ(index->directories().size(), 1u);
    EXPECT_NE(problem.find("loop"), std::string::npos);
  }
}

TEST(TiffIndex, BoundsCounts) {
  TemporaryFolder folder;
  std::string problem;
  for (bool big : {false, true}) {
    const u64 huge = big ? ~u64{0} : 0xFFFFFFFFu;
    TiffWriter w(false, big);
    w.directory({{256, 4, 1, 1u << 30},
                 {257, 4, 1, 1u << 30},
                 {259, 3, 1, 7},
                 {322, 4, 1, 16},
                 {323, 4, 1, 16},
                 {324, 16, huge, 8},
                 {325, 16, huge / 8 + 1, 8},
                 {347, 7, huge, 8}});
    const auto index = open_bytes(folder, w.bytes, problem);
    ASSERT_TRUE(index) << problem;
    const auto& d = index->directories()[0];
    EXPECT_FALSE(index->tile_bytes(d, 0, 0));
    EXPECT_FALSE(index->tile_bytes(d, (1u << 26) - 1, (1u << 26) - 1));
    EXPECT_TRUE(index->jpeg_tables(d).empty());
  }
  TiffWriter w(false, true);
  w.put(~u64{0}, 8);  // a directory with 2^64 - 1 entries
  w.patch(8, w.bytes.size() - 8, 8);
  EXPECT_FALSE(open_bytes(folder, w.bytes, problem));
  EXPECT_NE(problem, "");
}

TEST(TiffIndex, RefusesTilesBeyondTheFile) {
  TemporaryFolder folder;
  std::string problem;
  TiffWriter w(false, true);
  const u64 offsets = w.bytes.size();
  for (u64 o : {~u64{0}, ~u64{0} - 3, u64{1} << 40, u64{16}}) w.put(o, 8);
  const u64 sizes = w.bytes.size();
  for (u64 n : {u64{10}, u64{10}, u64{10}, u64{0}}) w.put(n, 8);
  w.directory({{256, 4, 1, 64},
               {257, 4, 1, 16},
               {259, 3, 1, 7},
               {322, 4, 1, 16},
               {323, 4, 1, 16},
               {324, 16, 4, offsets},
               {325, 16, 4, sizes}});
  const auto index = open_bytes(folder, w.bytes, problem);
  ASSERT_TRUE(index) << problem;
  for (u64 k = 0; k < 4; ++k) EXPECT_FALSE(index->tile_bytes(index->directories()[0], k, 0)) << k;
}

TEST(TiffIndex, HasNoTilesWhereSizesAreAbsurd) {
  TemporaryFolder folder;
  std::string problem;
  TiffWriter w(false, true);
  w.directory({{256, 16, 1, ~u64{0}}, {257, 16, 1, ~u64{0}}, {322, 4, 1, 16}, {323, 4, 1, 16}});
  const auto index = open_bytes(folder, w.bytes, problem);
  ASSERT_TRUE(index) << problem;
  EXPECT_EQ(index->directories()[0].tiles_across(), 0u);
}

TEST(TiffIndex, SurvivesAnyByteFlipped) {
  TemporaryFolder folder;
  std::mt19937 random(7);
  for (const Bytes& good : {tiled_file(false, false).bytes, tiled_file(true, true).bytes}) {
    for (int round = 0; round < 1500; ++round) {
      Bytes bytes = good;
      for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<u8>(random());
      std::string problem;
      const auto index = open_bytes(folder, bytes, problem);
      if (!index) continue;
      for (const auto& d : index->directories()) {
        for (u64 k = 0; k < 8; ++k) {
          const auto tile = index->tile_bytes(d, k % 4, k / 4);
          EXPECT_LE(tile ? tile->size() : 0, bytes.size());
        }
        index->jpeg_tables(d);
      }
    }
  }
}

bool contains(const Bytes& all, const Bytes& part) {
  return std::search(all.begin(), all.end(), part.begin(), part.end()) != all.end();
}

TEST(JpegSplice, PutsTablesFirstAndStatesTheColours) {
  const Bytes adobe{0xFF, 0xEE, 0x00, 0x0E, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0};
  for (std::uint32_t photometric : {2u, 6u}) {
    const auto out = splice_jpeg(jpeg_tile(16, 8), jpeg_tables(), {16, 8, photometric, 3});
    ASSERT_TRUE(out);
    Bytes expected{0xFF, 0xD8};
    join(expected, adobe);
    expected.push_back(photometric == 6 ? 1 : 0);
    const Bytes tables = jpeg_tables(), tile = jpeg_tile(16, 8);
    expected.insert(expected.end(), tables.begin() + 2, tables.end() - 2);
    expected.insert(expected.end(), tile.begin() + 2, tile.end());
    EXPECT_EQ(*out, expected);
  }
}

TEST(JpegSplice, LeavesGreyAlone) {
  const auto out = splice_jpeg(jpeg_tile(16, 8, 1), jpeg_tables(), {16, 8, 1, 1});
  ASSERT_TRUE(out);
  EXPECT_FALSE(contains(*out, {'A', 'd', 'o', 'b', 'e'}));
}

TEST(JpegSplice, DropsWhatWouldChangeThePicture) {
  Bytes extra = jpeg_segment(0xE0, {'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0});
  join(extra, jpeg_segment(0xE1, {'E', 'x', 'i', 'f', 0, 0}));
  join(extra, jpeg_segment(0xFE, {'h', 'i'}));
  const auto out = splice_jpeg(jpeg_tile(16, 8, 3, extra), jpeg_tables(), {16, 8, 2, 3});
  ASSERT_TRUE(out);
  EXPECT_FALSE(contains(*out, {'J', 'F', 'I', 'F'}));
  EXPECT_FALSE(contains(*out, {'E', 'x', 'i', 'f'}));
  EXPECT_EQ(*out, *splice_jpeg(jpeg_tile(16, 8), jpeg_tables(), {16, 8, 2, 3}));
}

TEST(JpegSplice, GivesNothingForAnythingOdd) {
  const Bytes good = jpeg_tile(16, 8), tables = jpeg_tables();
  const JpegTile expected{16, 8, 2, 3};
  EXPECT_TRUE(splice_jpeg(good, tables, expected));
  EXPECT_FALSE(splice_jpeg({}, tables, expected));
  EXPECT_FALSE(splice_jpeg(Bytes(100, 0xA5), tables, expected));
  EXPECT_FALSE(splice_jpeg(good, {}, expected)) << "no tables at all";
  EXPECT_FALSE(splice_jpeg(good, Bytes(10, 0), expected));
  EXPECT_FALSE(splice_jpeg(good, tables, {16, 16, 2, 3})) << "another extent";
  EXPECT_FALSE(splice_jpeg(good, tables, {16, 8, 2, 1})) << "another number of components";
  EXPECT_FALSE(splice_jpeg(good, tables, {16, 8, 5, 3})) << "CMYK";
  EXPECT_FALSE(splice_jpeg(Bytes(good.begin(), good.end() - 2), tables, expected)) << "no EOI";
  Bytes long_segment = good;
  long_segment[4] = 0xFF;  // the frame's length leads beyond the end
  EXPECT_FALSE(splice_jpeg(long_segment, tables, expected));
  Bytes arithmetic = good;
  arithmetic[3] = 0xC9;
  EXPECT_FALSE(splice_jpeg(arithmetic, tables, expected));
  for (std::size_t n = 0; n < good.size(); ++n)
    EXPECT_FALSE(splice_jpeg(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)), tables, expected)) << n;
}

TEST(JpegSplice, SurvivesAnyByteFlipped) {
  std::mt19937 random(11);
  for (int round = 0; round < 20000; ++round) {
    Bytes tile = jpeg_tile(16, 8), tables = jpeg_tables();
    tile[random() % tile.size()] = static_cast<u8>(random());
    tables[random() % tables.size()] = static_cast<u8>(random());
    const auto out = splice_jpeg(tile, tables, {16, 8, 2, 3});
    EXPECT_LE(out ? out->size() : 0, tile.size() + tables.size() + 16);
  }
}

/// Of 16 bits, not packed, in strips of `strip` rows: the px at x, y is 1000·y + x + `plus`.
void add_words(TiffWriter& w, int width, int height, int strip, int plus, int photometric = 1) {
  std::vector<u64> offsets, sizes;
  for (int y0 = 0; y0 < height; y0 += strip) {
    const int rows = std::min(strip, height - y0);
    offsets.push_back(w.bytes.size());
    sizes.push_back(static_cast<u64>(rows * width * 2));
    for (int y = y0; y < y0 + rows; ++y)
      for (int x = 0; x < width; ++x) w.put(static_cast<u64>(1000 * y + x + plus), 2);
  }
  const u64 offsets_at = w.bytes.size();
  for (u64 o : offsets) w.put(o, 4);
  const u64 sizes_at = w.bytes.size();
  for (u64 size : sizes) w.put(size, 4);
  const u64 count = offsets.size();
  w.directory({{256, 3, 1, static_cast<u64>(width)},
               {257, 3, 1, static_cast<u64>(height)},
               {258, 3, 1, 16},
               {259, 3, 1, 1},
               {262, 3, 1, static_cast<u64>(photometric)},
               {273, 4, count, count == 1 ? offsets[0] : offsets_at},
               {277, 3, 1, 1},
               {278, 3, 1, static_cast<u64>(strip)},
               {279, 4, count, count == 1 ? sizes[0] : sizes_at}});
}

TEST_P(TiffKinds, NumbersAreThoseOfItsLargestPicture) {
  const auto [big_endian, big] = GetParam();
  TemporaryFolder folder;
  TiffWriter w(big_endian, big);
  add_words(w, 4, 3, 3, 7);
  add_words(w, 11, 7, 3, 0);
  add_words(w, 11, 7, 2, 5);
  add_words(w, 11, 7, 7, 6);
  const auto numbers = slide::TiffNumbers::open(folder.write("labels.tif", w.bytes));
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->image().width(), 11);
  EXPECT_EQ(numbers->image().height(), 7);
  EXPECT_EQ(numbers->samples(), 1u);
  EXPECT_EQ(numbers->others(), 2u);
  EXPECT_FALSE(numbers->indexed());
  for (const Rect part : {Rect{0, 0, 11, 7}, Rect{2, 1, 5, 4}, Rect{10, 6, 1, 1}, Rect{0, 3, 11, 1}}) {
    const auto found = numbers->read(part, nullptr);
    ASSERT_EQ(found.bytes.size(), static_cast<std::size_t>(part.width * part.height * 2));
    for (i64 y = 0; y < part.height; ++y)
      for (i64 x = 0; x < part.width; ++x) {
        u16 value;
        std::memcpy(&value, found.bytes.data() + (y * part.width + x) * 2, 2);
        EXPECT_EQ(value, 1000 * (part.y + y) + part.x + x) << x << ", " << y;
      }
  }
}

TEST(TiffNumbers, SayWhatTheyAreNotGivenFor) {
  TemporaryFolder folder;
  EXPECT_FALSE(slide::TiffNumbers::open(folder.write("text.tif", {'n', 'o'})));
  TiffWriter palette(false, false);
  add_words(palette, 11, 7, 3, 0, 3);
  EXPECT_TRUE(slide::TiffNumbers::open(folder.write("palette.tif", palette.bytes))->indexed());
  // The last strip lies beyond the file's end.
  TiffWriter cut(false, false);
  add_words(cut, 11, 7, 7, 0);
  cut.patch(cut.bytes.size() - 4 - 12 * 4 + 8, 1u << 30, 4);
  const auto numbers = slide::TiffNumbers::open(folder.write("cut.tif", cut.bytes));
  ASSERT_TRUE(numbers);
  EXPECT_THAT([&] { numbers->read({0, 0, 11, 7}, nullptr); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("is damaged at px 0, 0")));
}

}  // namespace
}  // namespace morpho::test
