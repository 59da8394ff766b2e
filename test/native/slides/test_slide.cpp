// Slides: calibration and properties, reading beyond the canvas, files that fail to open, tiles that fail to decode.
#include <atomic>
#include <cstring>
#include <thread>

#include "slide/misplaced_rows.hpp"
#include "slide/slide_metadata.hpp"
#include "slide/tiff_index.hpp"
#include "../made_slides/slide_files.hpp"
#include "../support/sample_slide.hpp"

namespace morpho::test {
namespace {

using slide::SlideInfo;
const std::string kSample = MORPHO_SAMPLE;

SlideInfo interpreted(std::map<std::string, std::string> properties) {
  SlideInfo info;
  info.levels = {{1000, 800, 1, 0, 0}};
  info.properties = std::move(properties);
  slide::interpret_properties(info);
  return info;
}

TEST(SlideMetadata, PrefersWhatTheVendorSays) {
  const SlideInfo info = interpreted({{"openslide.mpp-x", "0.25"},
                                      {"openslide.mpp-y", "0.26"},
                                      {"tiff.XResolution", "20000"},
                                      {"tiff.ResolutionUnit", "centimeter"}});
  EXPECT_DOUBLE_EQ(info.mpp_x, 0.25);
  EXPECT_DOUBLE_EQ(info.mpp_y, 0.26);
  EXPECT_EQ(info.mpp_source, "vendor");
  EXPECT_TRUE(info.warnings.empty());
}

TEST(SlideMetadata, RejectsNonsenseAndSaysSo) {
  for (const char* value : {"0", "-0.5", "nan", "inf", "1e9", "0.0000001", "", "abc", "0.5x"}) {
    const SlideInfo info = interpreted({{"openslide.mpp-x", value}, {"openslide.mpp-y", value}});
    EXPECT_EQ(info.mpp_x, 0) << value;
    EXPECT_EQ(info.mpp_source, "none") << value;
    EXPECT_EQ(info.warnings.size(), 2u) << value;
  }
}

TEST(SlideMetadata, TakesTheTiffResolutionNext) {
  SlideInfo info = interpreted(
      {{"tiff.XResolution", "20000"}, {"tiff.YResolution", "20000"}, {"tiff.ResolutionUnit", "centimeter"}});
  EXPECT_DOUBLE_EQ(info.mpp_x, 0.5);
  EXPECT_EQ(info.mpp_source, "tiff-resolution");
  info = interpreted({{"tiff.XResolution", "50800"}, {"tiff.ResolutionUnit", "inch"}});
  EXPECT_DOUBLE_EQ(info.mpp_x, 0.5);
  EXPECT_DOUBLE_EQ(info.mpp_y, 0.5);
  // A print resolution is no calibration.
  info = interpreted({{"tiff.XResolution", "72"}, {"tiff.ResolutionUnit", "inch"}});
  EXPECT_EQ(info.mpp_source, "none");
  info = interpreted({{"tiff.XResolution", "20000"}, {"tiff.ResolutionUnit", "none"}});
  EXPECT_EQ(info.mpp_source, "none");
}

TEST(SlideMetadata, TakesOmeLast) {
  const auto ome = [](const std::string& attributes) {
    return interpreted({{"tiff.ImageDescription", "<?xml version=\"1.0\"?><OME><Image><Pixels ID=\"p\" " + attributes +
                                                      " SizeX=\"1000\" SizeY=\"800\"></Pixels></Image></OME>"}});
  };
  SlideInfo info = ome("PhysicalSizeX=\"0.5\" PhysicalSizeY=\"0.6\"");
  EXPECT_DOUBLE_EQ(info.mpp_x, 0.5);
  EXPECT_DOUBLE_EQ(info.mpp_y, 0.6);
  EXPECT_EQ(info.mpp_source, "ome-xml");
  EXPECT_NEAR(ome("PhysicalSizeX=\"250\" PhysicalSizeXUnit=\"nm\"").mpp_x, 0.25, 1e-12);
  EXPECT_NEAR(ome("PhysicalSizeX=\"250e-6\" PhysicalSizeXUnit=\"mm\"").mpp_x, 0.25, 1e-12);
  EXPECT_EQ(ome("PhysicalSizeX=\"0.5\" PhysicalSizeXUnit=\"parsec\"").mpp_source, "none");
  EXPECT_EQ(ome("PhysicalSizeX=\"0.5").mpp_source, "none");
  EXPECT_EQ(ome("xPhysicalSizeX=\"0.5\"").mpp_source, "none");
}

TEST(SlideMetadata, TakesTheImageOfTheSlidesSize) {
  const auto pixels = [](const std::string& size, const std::string& mpp) {
    return "<Image><Pixels SizeX=\"" + size + "\" SizeY=\"800\" PhysicalSizeX=\"" + mpp + "\" PhysicalSizeY=\"" + mpp +
           "\"/></Image>";
  };
  const auto of = [](const std::string& inner) { return interpreted({{"tiff.ImageDescription", "<OME>" + inner + "</OME>"}}); };
  const std::string macro = pixels("10", "7"), slide = pixels("1000", "0.25");
  EXPECT_EQ(of(macro + slide).mpp_x, 0.25);
  EXPECT_EQ(of("<!--" + pixels("1000", "9") + "-->" + slide).mpp_x, 0.25);
  EXPECT_EQ(of("<Note v='<![CDATA['/>" + slide).mpp_source, "none");
  EXPECT_EQ(of("<Note><![CDATA[" + pixels("1000", "9") + "]]></Note>" + slide).mpp_x, 0.25);
  EXPECT_EQ(of("<StructuredAnnotations>" + pixels("1000", "9") + "</StructuredAnnotations>" + slide).mpp_x, 0.25);
  EXPECT_EQ(of(slide + slide).mpp_x, 0.25);
  for (const SlideInfo& info : {of(macro), of(slide + pixels("1000", "0.5"))}) {
    EXPECT_EQ(info.mpp_source, "none");
    ASSERT_EQ(info.warnings.size(), 2u);
    EXPECT_NE(info.warnings[0].find("1000 × 800 px"), std::string::npos) << info.warnings[0];
  }
}

TEST(SlideMetadata, TakesImageJsUnit) {
  const auto imagej = [](const std::string& unit, const std::string& resolution, const std::string& tiff_unit) {
    return interpreted({{"tiff.ImageDescription", "ImageJ=1.54p\nunit=" + unit + "\n"},
                        {"tiff.XResolution", resolution},
                        {"tiff.YResolution", resolution},
                        {"tiff.ResolutionUnit", tiff_unit}});
  };
  EXPECT_EQ(imagej("micron", "4", "none").mpp_x, 0.25);
  EXPECT_EQ(imagej("\\u00B5m", "4", "none").mpp_x, 0.25);
  EXPECT_NEAR(imagej("mm", "4000", "none").mpp_x, 0.25, 1e-12);
  EXPECT_EQ(imagej("micron", "4", "inch").mpp_x, 0.25);
  EXPECT_EQ(imagej("cm", "40000", "centimeter").mpp_x, 0.25);
  for (const char* unit : {"pixel", "furlong", ""}) EXPECT_EQ(imagej(unit, "4", "none").mpp_source, "none") << unit;
  for (const char* resolution : {"0", "-4", "nan", "1e30"}) EXPECT_EQ(imagej("micron", resolution, "none").mpp_source, "none");
}

TEST(SlideMetadata, ClipsBoundsAndReadsTheBackground) {
  SlideInfo info = interpreted({{"openslide.bounds-x", "100"},
                                {"openslide.bounds-y", "-50"},
                                {"openslide.bounds-width", "99999999999999999999"},
                                {"openslide.bounds-height", "200"},
                                {"openslide.background-color", "F0E8a0"}});
  EXPECT_EQ(info.bounds.x, 100);
  EXPECT_EQ(info.bounds.y, 0);
  EXPECT_EQ(info.bounds.width, 900);
  EXPECT_EQ(info.bounds.height, 150);
  EXPECT_EQ(info.background.r, 0xF0);
  EXPECT_EQ(info.background.b, 0xA0);
  info = interpreted({{"openslide.bounds-x", "5000"},
                      {"openslide.bounds-y", "0"},
                      {"openslide.bounds-width", "10"},
                      {"openslide.bounds-height", "10"}});
  EXPECT_EQ(info.bounds.width, 1000);
}

TEST(SlideMetadata, MakesValidUtf8) {
  EXPECT_EQ(slide::valid_utf8("µm 😐"), "µm 😐");
  EXPECT_EQ(slide::valid_utf8("a\xFF\xC3(b"), "a\xEF\xBF\xBD\xEF\xBF\xBD(b");
  EXPECT_EQ(slide::valid_utf8("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");           // overlong
  EXPECT_EQ(slide::valid_utf8("\xED\xA0\x80").substr(0, 3), "\xEF\xBF\xBD");      // surrogate
  EXPECT_EQ(slide::valid_utf8("\xF4\x90\x80\x80").substr(0, 3), "\xEF\xBF\xBD");  // above U+10FFFF
  EXPECT_EQ(slide::valid_utf8("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");           // cut short
}

bool equal(Rgba a, Rgba b) { return std::memcmp(&a, &b, 4) == 0; }

TEST(MemorySlide, CompositesAndFillsWithBackground) {
  SlideInfo given;
  given.path = "image.png";
  given.background = {200, 100, 0, 255};
  const std::vector<Rgba> pixels{{10, 20, 30, 255}, {10, 20, 30, 0}, {0, 0, 0, 128}, {255, 255, 255, 128}};
  const auto slide = slide::memory_slide(given, View<const Rgba>(pixels.data(), {2, 2}));
  std::vector<Rgba> out(16, Rgba{1, 2, 3, 4});
  EXPECT_TRUE(slide->read(0, -1, -1, View<Rgba>(out.data(), {4, 4})).empty());
  for (int k : {0, 1, 2, 3, 4, 7, 8, 11, 12, 15}) EXPECT_TRUE(equal(out[static_cast<std::size_t>(k)], given.background)) << k;
  EXPECT_TRUE(equal(out[5], {10, 20, 30, 255}));
  EXPECT_TRUE(equal(out[6], given.background));
  EXPECT_TRUE(equal(out[9], {100, 50, 0, 255}));
  EXPECT_TRUE(equal(out[10], {228, 178, 128, 255}));
  slide->read(0, 1000000, -1000000, View<Rgba>(out.data(), {4, 4}));
  for (const Rgba& p : out) EXPECT_TRUE(equal(p, given.background));
  EXPECT_THROW(slide->read(1, 0, 0, View<Rgba>(out.data(), {4, 4})), Error);
  Extent extent;
  EXPECT_THROW(slide->associated("label", extent), Error);
  EXPECT_FALSE(slide->tile_jpeg(0, 0, 0));
  EXPECT_EQ(slide->info().mpp_source, "none");
}

TEST(MemorySlide, NeedsPixels) { EXPECT_THROW(slide::memory_slide({}, View<const Rgba>(nullptr, {0, 5})), Error); }

class OpenSlideTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!slide::openslide_status().available) GTEST_SKIP() << slide::openslide_status().reason;
    MORPHO_NEEDS_SAMPLE();
  }
  /// The code and detail that opening fails with.
  static std::string failure(const std::string& path) {
    try {
      slide::open_slide(path);
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(path), std::string::npos) << e.what();
      return std::string(code_name(e.code())) + (e.detail().empty() ? "" : " ") + e.detail();
    }
    return "opened";
  }
};

TEST_F(OpenSlideTest, OpensTheBundledSample) {
  const auto slide = slide::open_slide(kSample);
  const SlideInfo& info = slide->info();
  EXPECT_EQ(info.vendor, "aperio");
  EXPECT_EQ(info.reader, "OpenSlide");
  ASSERT_EQ(info.levels.size(), 1u);
  EXPECT_EQ(info.levels[0].width, 2220);
  EXPECT_EQ(info.levels[0].height, 2967);
  EXPECT_EQ(info.levels[0].tile_width, 240);
  EXPECT_DOUBLE_EQ(info.mpp_x, 0.499);
  EXPECT_EQ(info.objective_power, 20);
  EXPECT_EQ(info.associated.size(), 3u);
  EXPECT_TRUE(info.warnings.empty());
  Extent extent;
  EXPECT_EQ(slide->associated("macro", extent).size(), 1280u * 431u);
  EXPECT_EQ(extent, (Extent{1280, 431}));
  EXPECT_THROW(slide->associated("nobody", extent), Error);
}

TEST_F(OpenSlideTest, ReadsTheSameHoweverItIsTiled) {
  const auto slide = slide::open_slide(kSample);
  std::vector<Rgba> whole(600 * 500), part(70 * 90);
  EXPECT_TRUE(slide->read(0, 1800, -100, View<Rgba>(whole.data(), {600, 500})).empty());
  for (i32 y = 0; y + 90 <= 500; y += 82) {
    for (i32 x = 0; x + 70 <= 600; x += 53) {
      slide->read(0, 1800 + x, -100 + y, View<Rgba>(part.data(), {70, 90}));
      for (i32 j = 0; j < 90; ++j)
        ASSERT_EQ(
            std::memcmp(&part[static_cast<std::size_t>(j) * 70], &whole[static_cast<std::size_t>((y + j) * 600 + x)], 280), 0)
            << x << "," << y;
    }
  }
  EXPECT_TRUE(equal(whole[0], {255, 255, 255, 255})) << "above the slide";
  EXPECT_TRUE(equal(whole[599 + 300 * 600], {255, 255, 255, 255})) << "right of the slide";
  for (const Rgba& p : whole) ASSERT_EQ(p.a, 255);
}

TEST_F(OpenSlideTest, HandsOutEveryTileOfTheSample) {
  const auto slide = slide::open_slide(kSample);
  for (i64 ty = 0; ty < 13; ++ty)
    for (i64 tx = 0; tx < 10; ++tx) {
      const auto jpeg = slide->tile_jpeg(0, tx, ty);
      ASSERT_TRUE(jpeg) << tx << "," << ty;
      EXPECT_EQ((*jpeg)[0], 0xFF);
      EXPECT_EQ((*jpeg)[3], 0xEE) << "the sample is Photometric=RGB: its colour transform must be stated";
      EXPECT_EQ((*jpeg)[17], 0);
    }
  EXPECT_FALSE(slide->tile_jpeg(0, 10, 0));
  EXPECT_FALSE(slide->tile_jpeg(0, -1, 0));
  EXPECT_THROW(slide->tile_jpeg(1, 0, 0), Error);
}

TEST_F(OpenSlideTest, SaysWhyAFileIsRefused) {
  TemporaryFolder folder;
  EXPECT_EQ(failure(folder.path() + "/nowhere.svs"), "NOT_FOUND");
  EXPECT_EQ(failure(folder.path()), "SLIDE_UNREADABLE folder");
  EXPECT_EQ(failure(folder.write("empty.svs", {})), "SLIDE_UNREADABLE damaged");
  EXPECT_EQ(failure(folder.write("text.svs", Bytes(500, 'x'))), "SLIDE_UNREADABLE unsupported-format");
  EXPECT_EQ(failure(folder.write("a.png", {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0})), "SLIDE_UNREADABLE unsupported-format");
  EXPECT_EQ(failure(folder.write("a.mrxs", {})), "SLIDE_UNREADABLE incomplete");
  Bytes dicom(200, 0);
  std::memcpy(dicom.data() + 128, "DICM", 4);
  EXPECT_EQ(failure(folder.write("a.dcm", dicom)), "SLIDE_UNREADABLE damaged");
  const Bytes sample = read_all(kSample);
  EXPECT_EQ(
      failure(folder.write("half.svs", Bytes(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2)))),
      "SLIDE_UNREADABLE damaged");
  TiffWriter strips(true, false);
  strips.directory({{256, 3, 1, 10}, {257, 3, 1, 10}, {273, 4, 1, 8}});
  EXPECT_EQ(failure(folder.write("big-endian.tif", strips.bytes)), "SLIDE_UNREADABLE unsupported-format");
  EXPECT_THROW(slide::open_slide(""), Error);
  EXPECT_THROW(slide::open_slide(std::string("a\0b", 3)), Error);
}

TEST_F(OpenSlideTest, LeavesOutLevelsOfAnotherShape) {
  if (slide::openslide_misplaces_last_rows()) GTEST_SKIP() << "our own reader opens such files here";
  TemporaryFolder folder;
  const auto open = [&](u64 width, u64 height) {
    TiffWriter w(false, false);
    const u64 tile = w.append(Bytes(64 * 64 * 3, 200));
    for (const auto& [side_x, side_y] : {std::pair<u64, u64>{640, 512}, {width, height}}) {
      const u64 tiles = (side_x + 63) / 64 * ((side_y + 63) / 64), offsets = w.bytes.size();
      for (u64 k = 0; k < tiles; ++k) w.put(tile, 4);
      const u64 sizes = w.bytes.size();
      for (u64 k = 0; k < tiles; ++k) w.put(64 * 64 * 3, 4);
      w.directory({{254, 4, 1, side_x == 640 ? 0u : 1u},
                   {256, 4, 1, side_x},
                   {257, 4, 1, side_y},
                   {258, 3, 1, 8},
                   {259, 3, 1, 1},
                   {262, 3, 1, 2},
                   {277, 3, 1, 3},
                   {284, 3, 1, 1},
                   {322, 3, 1, 64},
                   {323, 3, 1, 64},
                   {324, 4, tiles, offsets},
                   {325, 4, tiles, sizes}});
    }
    return slide::open_slide(folder.write("levels.tif", w.bytes));
  };
  const auto good = open(160, 128);
  EXPECT_EQ(good->info().levels.size(), 2u);
  for (const auto& [width, height] : {std::pair<u64, u64>{160, 512}, {300, 128}}) {
    const auto bad = open(width, height);
    ASSERT_EQ(bad->info().levels.size(), 1u) << width << " x " << height;
    ASSERT_FALSE(bad->info().warnings.empty());
    EXPECT_NE(bad->info().warnings.front().find("another shape than the slide's 640 × 512 px"), std::string::npos)
        << bad->info().warnings.front();
  }
  EXPECT_EQ(open(213, 171)->info().levels.size(), 2u) << "a third, rounded";
}

/// A copy of the sample in which the first bytes of tile (5, 4) are noise.
std::string damaged_copy(const TemporaryFolder& folder) {
  std::string problem;
  const auto index = slide::TiffIndex::open(kSample, problem);
  Bytes bytes = read_all(kSample);
  const u64 entry = index->directories().at(0).tile_offsets.offset + 4 * (4 * 10 + 5);
  u64 offset = 0;
  for (int i = 3; i >= 0; --i) offset = offset << 8 | bytes[entry + static_cast<u64>(i)];
  for (u64 i = 0; i < 64; ++i) bytes[offset + i] = 0xA5;
  return folder.write("damaged.svs", bytes);
}

TEST_F(OpenSlideTest, LosesOnlyTheBadTile) {
  TemporaryFolder folder;
  const auto good = slide::open_slide(kSample), bad = slide::open_slide(damaged_copy(folder));
  const Extent extent{2220, 2967};
  std::vector<Rgba> a(static_cast<std::size_t>(extent.area())), b(a.size());
  EXPECT_TRUE(good->read(0, 0, 0, View<Rgba>(a.data(), extent)).empty());
  for (int round = 0; round < 2; ++round) {  // the second time the bad tile is known
    const auto unreadable = bad->read(0, 0, 0, View<Rgba>(b.data(), extent));
    ASSERT_EQ(unreadable.size(), 1u);
    EXPECT_EQ(unreadable[0].region.x, 1200);
    EXPECT_EQ(unreadable[0].region.y, 960);
    EXPECT_EQ(unreadable[0].region.width, 240);
    EXPECT_EQ(unreadable[0].region.height, 240);
    EXPECT_NE(unreadable[0].reason, "");
    std::size_t different = 0;
    for (i32 y = 0; y < extent.height; ++y)
      for (i32 x = 0; x < extent.width; ++x) {
        const std::size_t k = static_cast<std::size_t>(y) * 2220 + static_cast<std::size_t>(x);
        const bool inside = x >= 1200 && x < 1440 && y >= 960 && y < 1200;
        if (!equal(b[k], inside ? Rgba{255, 255, 255, 255} : a[k])) ++different;
      }
    EXPECT_EQ(different, 0u);
  }
  EXPECT_FALSE(bad->tile_jpeg(0, 5, 4));
  EXPECT_TRUE(bad->tile_jpeg(0, 4, 4));
  Extent label;
  EXPECT_FALSE(bad->associated("label", label).empty()) << "an error must not latch for other images";
}

TEST_F(OpenSlideTest, ReportsATileThatTheFileDoesNotHold) {
  TemporaryFolder folder;
  std::string problem;
  const auto index = slide::TiffIndex::open(kSample, problem);
  Bytes bytes = read_all(kSample);
  const u64 entry = index->directories().at(0).tile_bytes.offset + 4 * (4 * 10 + 5);
  for (u64 i = 0; i < 4; ++i) bytes[entry + i] = 0;
  const auto bad = slide::open_slide(folder.write("hole.svs", bytes));
  std::vector<Rgba> pixels(300 * 300);
  const auto unreadable = bad->read(0, 1300, 1000, View<Rgba>(pixels.data(), {300, 300}));
  ASSERT_EQ(unreadable.size(), 1u);
  EXPECT_EQ(unreadable[0].region.x, 1300);
  EXPECT_EQ(unreadable[0].region.y, 1000);
  EXPECT_EQ(unreadable[0].region.width, 140);
  EXPECT_EQ(unreadable[0].region.height, 200);
  EXPECT_TRUE(equal(pixels[0], {255, 255, 255, 255}));
  EXPECT_TRUE(bad->read(0, 0, 0, View<Rgba>(pixels.data(), {300, 300})).empty());
}

TEST_F(OpenSlideTest, OneThreadsErrorIsNotAnothers) {
  TemporaryFolder folder;
  const auto bad = slide::open_slide(damaged_copy(folder));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::vector<Rgba> out(240 * 240);
      for (int k = 0; k < 40; ++k) {
        const i64 tx = (k * 7 + t) % 9, ty = (k * 3 + t) % 12;
        const auto unreadable = bad->read(0, tx * 240, ty * 240, View<Rgba>(out.data(), {240, 240}));
        if (unreadable.empty() == (tx == 5 && ty == 4)) ++wrong;
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(OpenSlideTest, ReadsNoOtherFileInItsPlace) {
  TemporaryFolder folder, other;
  const std::string path = damaged_copy(folder);
  const auto slide = slide::open_slide(path);
  // The bad tile makes it open the slide again, and then its name means another file.
  std::filesystem::rename(damaged_copy(other), path);
  std::vector<Rgba> out(240 * 240);
  const auto unreadable = slide->read(0, 1200, 960, View<Rgba>(out.data(), {240, 240}));
  ASSERT_EQ(unreadable.size(), 1u);
  EXPECT_NE(unreadable[0].reason.find("has changed"), std::string::npos) << unreadable[0].reason;
  for (const Rgba& p : out) ASSERT_TRUE(equal(p, {255, 255, 255, 255}));
}

TEST_F(OpenSlideTest, SurvivesTheFileGoingAway) {
  TemporaryFolder folder;
  const std::string path = damaged_copy(folder);
  const auto slide = slide::open_slide(path);
  std::filesystem::remove(path);
  std::vector<Rgba> out(480 * 480);
  const auto unreadable = slide->read(0, 1200, 960, View<Rgba>(out.data(), {480, 480}));
  EXPECT_FALSE(unreadable.empty());
  for (const Rgba& p : out) ASSERT_EQ(p.a, 255);
}

}  // namespace
}  // namespace morpho::test
