// NDPI by our own reader: made files of all kinds, and the one of the data, are OpenSlide's bit by bit.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../made_slides/ndpi_files.hpp"
#include "../made_slides/openslides_pixels.hpp"

namespace morpho::test {
namespace {

std::shared_ptr<slide::TiffSlide> opened(const std::string& path) {
  auto slide = slide::open_tiff_alone(path);
  EXPECT_TRUE(slide && slide->info().vendor == "hamamatsu");
  return slide;
}

/// All levels, although made ones show different pictures.
std::shared_ptr<slide::TiffSlide> opened_unjudged(const std::string& path) {
  std::string problem;
  auto index = slide::TiffIndex::open(path, problem);
  if (!index) return nullptr;
  const auto described = slide::describe_scanner(*index, path);
  EXPECT_TRUE(described && described->problem.empty()) << (described ? described->problem : "");
  return std::make_shared<slide::TiffSlide>(path, std::move(index), described->layout, slide::decoded_tiles());
}

struct Kind {
  const char* what;
  std::vector<NdpiPage> pages;
};
std::vector<Kind> kinds() {
  const auto jpeg = [](u64 w, u64 h, u64 interval, u64 across = 1, u64 down = 1) {
    return MadeJpeg{w, h, across, down, interval, {}};
  };
  NdpiPage rounded{jpeg(504, 256, 0), 10};
  rounded.stated = std::pair<u64, u64>(500, 250);
  NdpiPage untold{jpeg(1024, 512, 64)}, untold_half{jpeg(512, 256, 64), 10};
  untold.tells_starts = untold_half.tells_starts = false;
  NdpiPage long_one{jpeg(70000, 64, 125)};
  long_one.jpeg.stated = std::pair<u64, u64>(0, 64);
  NdpiPage above{jpeg(1024, 512, 64)}, below{jpeg(1024, 512, 64)};
  above.focus = 2000, below.focus = -2000;
  NdpiPage macro{jpeg(100, 60, 0), -1}, map{jpeg(40, 24, 0), -2};
  return {
      {"several intervals a row", {{jpeg(1024, 512, 64)}, {jpeg(512, 256, 64), 10}}},
      {"a level without restart markers", {{jpeg(1000, 504, 125)}, {jpeg(500, 252, 0), 10}}},
      {"chroma halved along x", {{jpeg(1008, 504, 63, 2, 1)}, {jpeg(512, 256, 32, 2, 1), 10}}},
      {"chroma halved along x, several intervals a row", {{jpeg(1024, 512, 32, 2, 1)}}},
      {"chroma halved along both, without restart markers", {{jpeg(1008, 512, 0, 2, 2)}, {jpeg(504, 256, 0, 2, 2), 10}}},
      {"starts that are not told", {untold, untold_half}},
      {"a level that was rounded", {{jpeg(1024, 512, 64)}, rounded}},
      {"no restart markers at all", {{jpeg(1024, 512, 0, 2, 2)}, {jpeg(512, 256, 0, 2, 1), 10}}},
      {"more px a row than a JPEG has", {long_one, {jpeg(35000, 32, 125), 10}}},
      {"focal planes, an overview and a map", {above, {jpeg(1024, 512, 64)}, below, {jpeg(512, 256, 32), 10}, macro, map}},
  };
}

TEST(Ndpi, MadeOnesAreOpenSlidesBitByBit) {
  if (!slide::openslide_library()) GTEST_SKIP() << slide::openslide_status().reason;
  if (!slide::turbojpeg_library()) GTEST_SKIP() << slide::turbojpeg_status();
  const TemporaryFolder folder;
  std::uint32_t seed = 1;
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.what);
    const std::string path = folder.write("made.ndpi", ndpi_file(kind.pages, ++seed));
    if (const auto own = opened_unjudged(path)) expect_openslides(path, *own);
  }
}

TEST(Ndpi, OfTheDataIsOpenSlidesBitByBit) {
  if (!slide::openslide_library()) GTEST_SKIP() << slide::openslide_status().reason;
  const std::string path = std::string(MORPHO_FIXTURES) + "/../../../shared/data/slides/test3-DAPI-2-387.ndpi";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  const auto own = opened(path);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->info().levels.size(), 7u);
  expect_openslides(path, *own);
}

/// OpenSlide 3.4.1 shows whole intervals alone. Each px is that of a file that states all px of its blocks, which it shows.
TEST(Ndpi, TheLastPartsOfRowsAndColumnsAreShown) {
  if (!slide::openslide_library()) GTEST_SKIP() << slide::openslide_status().reason;
  const TemporaryFolder folder;
  NdpiPage cut{{1000, 500, 2, 1, 63, {}}}, padded = cut;
  padded.jpeg.width = 1008, padded.jpeg.height = 504;
  const auto own = opened(folder.write("cut.ndpi", ndpi_file({cut})));
  const std::string path = folder.write("padded.ndpi", ndpi_file({padded}));
  ASSERT_TRUE(own);
  slide::OpenSlideHandle* handle = slide::openslide_library()->open(path.c_str());
  const auto all = drawn(*slide::openslide_library(), handle, 0, 1008, 504, own->info().background);
  slide::openslide_library()->close(handle);
  const auto shown = read_of(*own, 0, 0, 0, {1000, 500});
  i64 other = 0;
  for (std::size_t y = 0; y < 500; ++y) other += std::memcmp(&shown[y * 1000], &all[y * 1008], 1000 * sizeof(Rgba)) != 0;
  EXPECT_EQ(other, 0) << "rows";
}

/// OpenSlide 3.4.1 fails at each interval of such a JPEG, and shows its first interval as a JPEG of its own.
TEST(Ndpi, ChromaHalvedAlongBothIsDecodedIntervalByInterval) {
  if (!slide::openslide_library()) GTEST_SKIP() << slide::openslide_status().reason;
  const TemporaryFolder folder;
  const NdpiPage whole{{1024, 512, 2, 2, 32, {}}}, first{{512, 16, 2, 2, 0, {}}};
  const auto own = opened(folder.write("whole.ndpi", ndpi_file({whole})));
  const std::string path = folder.write("first.ndpi", ndpi_file({first}));
  ASSERT_TRUE(own);
  slide::OpenSlideHandle* handle = slide::openslide_library()->open(path.c_str());
  const auto expected = drawn(*slide::openslide_library(), handle, 0, 512, 16, own->info().background);
  slide::openslide_library()->close(handle);
  EXPECT_EQ(differing(read_of(*own, 0, 0, 0, {512, 16}), expected), 0);
}

/// Starts that lead astray, one by one: the markers themselves are taken.
TEST(Ndpi, WrongStartsAreLookedForInTheFile) {
  const TemporaryFolder folder;
  const std::vector<NdpiPage> pages{{{1024, 64, 1, 1, 64, {}}}};
  const Bytes right = ndpi_file(pages);
  const auto whole = [&](const Bytes& bytes) {
    const auto slide = opened(folder.write("a.ndpi", bytes));
    return slide ? read_of(*slide, 0, 0, 0, {1024, 64}) : std::vector<Rgba>();
  };
  const auto expected = whole(right);
  std::mt19937 random(1);
  const MadeStrip strip = made_jpeg(pages.front().jpeg, random);
  Bytes table;
  for (const u64 start : strip.starts)
    for (int k = 0; k < 4; ++k) table.push_back(static_cast<u8>(start >> 8 * k));
  const auto at = std::search(right.begin(), right.end(), table.begin(), table.end());
  ASSERT_NE(at, right.end());
  for (std::size_t k = 0; k < strip.starts.size(); ++k) {
    Bytes wrong = right;
    wrong[static_cast<std::size_t>(at - right.begin()) + 4 * k] ^= 5;
    EXPECT_EQ(differing(whole(wrong), expected), 0) << "start " << k;
  }
}

/// The second level and its tables lie beyond 4 GiB, in a file with a hole.
TEST(Ndpi, GoesBeyondFourGibibytes) {
  if (!slide::turbojpeg_library()) GTEST_SKIP() << slide::turbojpeg_status();
  const TemporaryFolder folder;
  const std::vector<NdpiPage> pages{{{1024, 512, 2, 1, 32, {}}}, {{512, 256, 2, 1, 32, {}}, 10}};
  const Bytes small = ndpi_file(pages);
  const auto expected = opened(folder.write("small.ndpi", small));
  ASSERT_TRUE(expected);
  for (const u64 first_at : {u64{0}, (u64{1} << 32) + 4096}) {
    // Seeded as the small one's.
    std::mt19937 random(1);
    NdpiWriter near_part(0);
    constexpr u64 far = (u64{1} << 32) + (u64{1} << 20);
    NdpiWriter first_far(first_at), second(first_at == 0 ? far : 2 * far);
    NdpiWriter& first = first_at == 0 ? near_part : first_far;
    first.page(pages[0], random, first_at == 0);
    second.page(pages[1], random, false);
    const auto link = [](Bytes& bytes, std::size_t at, u64 value) {
      for (int k = 0; k < 8; ++k) bytes[at + static_cast<std::size_t>(k)] = static_cast<u8>(value >> 8 * k);
    };
    link(first.bytes, first.link, second.directory);
    if (first_at != 0) link(near_part.bytes, 4, first.directory);
    const std::string path = folder.write("large.ndpi", near_part.bytes);
    {
      std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
      const auto put = [&](u64 at, const Bytes& bytes) {
        out.seekp(static_cast<std::streamoff>(at));
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
      };
      if (first_at != 0) put(first_at, first.bytes);
      put(first_at == 0 ? far : 2 * far, second.bytes);
      ASSERT_TRUE(out.good());
    }
    slide::require_plausible(path);
    const auto own = opened(path);
    ASSERT_TRUE(own);
    ASSERT_EQ(own->info().levels.size(), expected->info().levels.size());
    for (int k = 0; k < static_cast<int>(own->info().levels.size()); ++k) {
      const slide::Level& l = own->info().levels[static_cast<std::size_t>(k)];
      const Extent extent{static_cast<i32>(l.width), static_cast<i32>(l.height)};
      EXPECT_EQ(differing(read_of(*own, k, 0, 0, extent), read_of(*expected, k, 0, 0, extent)), 0) << "level " << k;
    }
    EXPECT_EQ(own->info().properties.at("hamamatsu.NDP.S/N"), "7");
    // Beside OpenSlide it is ours as well.
    EXPECT_EQ(slide::open_slide(path)->info().reader, "Morphoscope TIFF");
  }
}

TEST(Ndpi, WhatIsNotUnderstoodIsRefusedInWords) {
  const TemporaryFolder folder;
  NdpiPage odd{{1024, 512, 1, 1, 100, {}}}, gray{{1024, 512, 1, 1, 64, {}}}, map{{40, 24, 1, 1, 0, {}}, -2};
  gray.strip = Bytes(200, 0xFF);
  for (const auto& [why, page] :
       {std::pair("do not divide its rows", odd), {"JPEG has no header", gray}, {"without a level in focus", map}}) {
    const std::string path = folder.write("odd.ndpi", ndpi_file({page}));
    try {
      slide::open_tiff(path, false, "");
      ADD_FAILURE() << why << ": opened";
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr(why));
      EXPECT_THAT(e.what(), testing::HasSubstr("Hamamatsu"));
    }
    EXPECT_FALSE(slide::open_tiff(path, true, "hamamatsu")) << "beside OpenSlide it is OpenSlide's";
  }
}

}  // namespace
}  // namespace morpho::test
