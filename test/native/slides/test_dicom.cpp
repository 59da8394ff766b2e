// DICOM slides: made ones whose every px is known, and the public one against the slide that it was made from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "../made_slides/dicom_files.hpp"
#include "../support/sample_slide.hpp"
#include "slide/color_profile.hpp"
#include "slide/dicom/dicom_slide.hpp"
#include "slide/pieces/libtiff_library.hpp"

namespace morpho::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Rgba> read_part(slide::Slide& slide, int level, const Rect& part, std::size_t lost = 0) {
  std::vector<Rgba> out(static_cast<std::size_t>(part.width * part.height));
  const View<Rgba> view(out.data(), {static_cast<i32>(part.width), static_cast<i32>(part.height)});
  EXPECT_EQ(slide.read(level, part.x, part.y, view, {}).size(), lost);
  return out;
}
Rgba pixel(slide::Slide& slide, i64 x, i64 y, int level = 0, std::size_t lost = 0) {
  return read_part(slide, level, {x, y, 1, 1}, lost).front();
}
std::string why_refused(const std::string& path) {
  try {
    slide::open_dicom(path);
  } catch (const Error& e) {
    return e.what();
  }
  return "opened";
}
/// Runs of bytes and JPEG go through it.
bool has_libtiff() { return slide::libtiff_library() != nullptr; }
std::string first_warning(const slide::Slide& slide) {
  const auto& said = slide.info().warnings;
  return said.empty() ? "" : said.front();
}

/// 3 × 2 frames of 16 × 16 px over 40 × 24 px: frame k is (10 k, 100, 200 − 10 k).
DicomFile six_frames() {
  DicomFile f;
  for (int k = 0; k < 6; ++k) f.frames.push_back(flat_frame(f, {10 * k, 100, 200 - 10 * k}));
  return f;
}

TEST(Dicom, FramesOfAFullGridLieRowByRow) {
  TemporaryFolder folder;
  for (const char* syntax : {kExplicitLittle, kImplicitLittle}) {
    DicomFile f = six_frames();
    f.syntax = syntax;
    const auto slide = slide::open_dicom(folder.write("a.dcm", dicom_bytes(f)));
    ASSERT_TRUE(slide) << syntax;
    const slide::SlideInfo& info = slide->info();
    EXPECT_EQ(info.vendor, "dicom");
    EXPECT_EQ(info.levels.front().width, 40);
    EXPECT_EQ(info.levels.front().height, 24);
    // Spacing says rows first: 0.5 µm down, 0.25 µm across.
    EXPECT_DOUBLE_EQ(info.mpp_x, 0.25);
    EXPECT_DOUBLE_EQ(info.mpp_y, 0.5);
    EXPECT_EQ(info.objective_power, 20);
    for (int k = 0; k < 6; ++k) {
      const Rgba p = pixel(*slide, k % 3 * 16 + 5, k / 3 * 16 + 5);
      EXPECT_EQ(p.r, 10 * k);
      EXPECT_EQ(p.g, 100);
      EXPECT_EQ(p.b, 200 - 10 * k);
    }
    for (const auto& [key, value] : info.properties) EXPECT_EQ(value.find("Doe"), std::string::npos) << key;
  }
}

TEST(Dicom, PlanesRunsAndFragmentsGiveTheSamePixels) {
  TemporaryFolder folder;
  const std::vector<int> value{7, 130, 250};
  for (int way = 0; way < (has_libtiff() ? 4 : 2); ++way) {
    DicomFile f;
    f.planar = way == 1 ? 1 : 0;
    if (way >= 2) f.syntax = kRunLength;
    f.offset_table = way == 3;
    for (int k = 0; k < 6; ++k) f.frames.push_back(way >= 2 ? run_frame(f, value) : flat_frame(f, value));
    const auto slide = slide::open_dicom(folder.write("a.dcm", dicom_bytes(f)));
    ASSERT_TRUE(slide) << way;
    for (const Rgba& p : read_part(*slide, 0, {0, 0, 40, 24})) ASSERT_EQ(std::vector<int>({p.r, p.g, p.b}), value) << way;
  }
}

TEST(Dicom, OpticalPathsAreChannelsAtTheirOwnDepth) {
  TemporaryFolder folder;
  for (const bool runs : {false, true}) {
    if (runs && !has_libtiff()) continue;
    DicomFile f;
    f.samples = 1, f.bits = 16, f.stored = 12, f.photometric = "MONOCHROME2", f.syntax = runs ? kRunLength : kExplicitLittle;
    f.paths = {{"cy5", "CD8"}, {"uv", "DAPI"}};
    for (int k = 0; k < 12; ++k) f.frames.push_back(runs ? run_frame(f, {300 * k + 1}) : flat_frame(f, {300 * k + 1}));
    const auto slide = slide::open_dicom(folder.write("a.dcm", dicom_bytes(f)));
    ASSERT_TRUE(slide);
    ASSERT_EQ(slide->info().channels.size(), 2u);
    EXPECT_EQ(slide->info().channels[1].shown, slide::Shown::gray);
    const auto chosen = slide::open_dicom(folder.write("a.dcm", dicom_bytes(f)), "CD8");
    EXPECT_EQ(chosen->info().channels[0].shown, slide::Shown::gray);
    EXPECT_EQ(chosen->info().channels[1].shown, slide::Shown::no);
    EXPECT_EQ(slide->info().channels[0].name, "CD8");
    EXPECT_EQ(slide->info().channels[1].name, "DAPI");
    EXPECT_EQ(slide->info().channels[1].type, slide::SampleType::u16);
    EXPECT_EQ(slide->info().channels[1].shown, slide::Shown::gray) << "the nuclear stain's";
    EXPECT_EQ(slide->info().channels[1].high, 3301);
    for (int channel = 0; channel < 2; ++channel)
      for (int k = 0; k < 6; ++k) {
        std::vector<slide::Unreadable> lost;
        const auto got = slide->samples(0, channel, {k % 3 * 16 + 3, k / 3 * 16 + 3, 1, 1}, lost, {});
        u16 value = 0;
        std::memcpy(&value, got.bytes.data(), 2);
        EXPECT_EQ(value, 300 * (6 * channel + k) + 1);
      }
  }
}

TEST(Dicom, PlacesThatAreStatedAreKeptAndWhatWasNotScannedIsGlass) {
  TemporaryFolder folder;
  DicomFile f;
  f.organization = "TILED_SPARSE";
  f.places = {{33, 17, "1", "0"}, {1, 1, "1", "0"}};
  f.frames = {flat_frame(f, {1, 2, 3}), flat_frame(f, {4, 5, 6})};
  const auto slide = slide::open_dicom(folder.write("a.dcm", dicom_bytes(f)));
  ASSERT_TRUE(slide);
  EXPECT_EQ(pixel(*slide, 0, 0).r, 4);
  EXPECT_EQ(pixel(*slide, 39, 23).r, 1);
  EXPECT_EQ(pixel(*slide, 20, 3).r, 255);
  for (const auto& [column, row] : {std::pair{2, 1}, {-3, 1}, {49, 1}, {1, 33}, {0, 1}}) {
    f.places[1] = {column, row, "1", "0"};
    EXPECT_THAT(why_refused(folder.write("a.dcm", dicom_bytes(f))), HasSubstr("no place of its grid")) << column << "," << row;
  }
  f.places.pop_back();
  EXPECT_THAT(why_refused(folder.write("a.dcm", dicom_bytes(f))), HasSubstr("places for 1 of its 2 frames"));
}

TEST(Dicom, TheMiddleOfSeveralFocalPlanesIsShownAndThatIsSaid) {
  TemporaryFolder folder;
  DicomFile full;
  full.planes = 3;
  for (int k = 0; k < 18; ++k) full.frames.push_back(flat_frame(full, {k, 0, 0}));
  const auto a = slide::open_dicom(folder.write("a.dcm", dicom_bytes(full)));
  ASSERT_TRUE(a);
  EXPECT_EQ(pixel(*a, 0, 0).r, 6);
  EXPECT_THAT(first_warning(*a), HasSubstr("several focal planes"));
  DicomFile sparse;
  sparse.organization = "TILED_SPARSE";
  sparse.places = {{1, 1, "1", "0.002"}, {1, 1, "1", "-0.001"}, {1, 1, "1", "0.0005"}};
  for (const int v : {2, 1, 3}) sparse.frames.push_back(flat_frame(sparse, {v, 0, 0}));
  const auto b = slide::open_dicom(folder.write("b.dcm", dicom_bytes(sparse)));
  ASSERT_TRUE(b);
  EXPECT_EQ(pixel(*b, 0, 0).r, 3);
  EXPECT_THAT(first_warning(*b), HasSubstr("several focal planes"));
}

TEST(Dicom, ASeriesIsOneSlideOfLevelsPartsAndLabel) {
  TemporaryFolder folder;
  DicomFile first = six_frames(), second = six_frames(), level, label, other = six_frames();
  // One picture in two files of four and two frames.
  first.frames.resize(4);
  second.frames.erase(second.frames.begin(), second.frames.begin() + 4);
  second.first_frame = 4;
  level.total_columns = 20, level.total_rows = 12;
  for (int k = 0; k < 2; ++k) level.frames.push_back(flat_frame(level, {60, 61, 62}));
  label.flavor = "LABEL", label.total_columns = label.total_rows = 16;
  label.frames.push_back(flat_frame(label, {9, 8, 7}));
  other.series = "9.9.9";
  folder.write("b.dcm", dicom_bytes(second));
  folder.write("l.dcm", dicom_bytes(label));
  folder.write("o.dcm", dicom_bytes(other));
  folder.write("s.dcm", dicom_bytes(level));
  folder.write("text.dcm", Bytes(300, 'x'));
  const std::string path = folder.write("a.dcm", dicom_bytes(first));
  // Whichever of its files is opened.
  for (const std::string& one : {path, folder.path() + "/s.dcm", folder.path() + "/l.dcm"}) {
    const auto slide = slide::open_dicom(one);
    ASSERT_TRUE(slide) << one;
    EXPECT_EQ(slide->info().path, path) << "one file stands for all of them";
    ASSERT_EQ(slide->info().levels.size(), 2u) << one;
    EXPECT_EQ(slide->info().levels[1].downsample, 2);
    EXPECT_EQ(pixel(*slide, 40 - 1, 24 - 1).r, 50);
    EXPECT_EQ(pixel(*slide, 0, 0).r, 0);
    EXPECT_EQ(pixel(*slide, 0, 0, 1).g, 61);
    EXPECT_THAT(slide->info().associated, ElementsAre("label"));
    Extent extent;
    EXPECT_EQ(slide->associated("label", extent).front().b, 7);
    EXPECT_EQ(extent.width, 16);
    EXPECT_THROW(slide->associated("macro", extent), Error);
  }
  std::filesystem::remove(folder.path() + "/b.dcm");
  const auto part = slide::open_dicom(path);
  EXPECT_EQ(pixel(*part, 39, 23, 0, 1).r, 255) << "a part is missing: that is no glass";
  EXPECT_EQ(part->info().uncertain_pixels, "");
  // A file that cannot be read may be of this slide.
  Bytes cut = dicom_bytes(second);
  cut.resize(200);
  folder.write("b.dcm", cut);
  EXPECT_THAT(slide::open_dicom(path)->info().uncertain_pixels, HasSubstr("b.dcm"));
  std::filesystem::remove(folder.path() + "/s.dcm");
  std::filesystem::remove(path);
  EXPECT_THAT(why_refused(folder.path() + "/l.dcm"), HasSubstr("label or overview"));
}

TEST(Dicom, AFileOfLargerFramesThatIsNotUsedLeavesTheGridAlone) {
  TemporaryFolder folder;
  // Two places of 32 px, and none of its frames: then six of 16 px in the same picture.
  DicomFile large = six_frames();
  large.columns = large.rows = 32;
  large.organization = "TILED_SPARSE";
  large.places = {{1, 1, "1", "0"}};
  folder.write("b.dcm", dicom_bytes(six_frames()));
  const auto slide = slide::open_dicom(folder.write("a.dcm", dicom_bytes(large)));
  ASSERT_TRUE(slide);
  EXPECT_EQ(pixel(*slide, 40 - 1, 24 - 1).r, 50);
  EXPECT_THAT(first_warning(*slide), HasSubstr("a.dcm is not used"));
}

TEST(Dicom, TheColourProfileIsTheFirstOpticalPaths) {
  TemporaryFolder folder;
  const Bytes first{1, 2, 3, 4}, second{5, 6};
  for (const char* syntax : {kExplicitLittle, kImplicitLittle}) {
    DicomFile file = six_frames();
    file.syntax = syntax;
    EXPECT_TRUE(slide::color_profile(folder.write("none.dcm", dicom_bytes(file))).empty());
    file.paths = {{"1", "", first}, {"2", "", second}};
    EXPECT_EQ(slide::color_profile(folder.write("two.dcm", dicom_bytes(file))), first) << syntax;
    // It states more bytes than the file has.
    Bytes cut = dicom_bytes(file);
    const Bytes head{0x28, 0, 0, 0x20};
    const auto at = std::search(cut.begin(), cut.end(), head.begin(), head.end());
    ASSERT_NE(at, cut.end());
    *(at + (syntax == kExplicitLittle ? 11 : 7)) = 0x7F;
    EXPECT_TRUE(slide::color_profile(folder.write("cut.dcm", cut)).empty()) << syntax;
  }
}

TEST(Dicom, WhatIsNotReadIsRefusedInWords) {
  TemporaryFolder folder;
  const auto refused = [&](const std::function<void(DicomFile&)>& change) {
    DicomFile f = six_frames();
    change(f);
    return why_refused(folder.write("a.dcm", dicom_bytes(f)));
  };
  EXPECT_EQ(refused([](DicomFile&) {}), "opened");
  EXPECT_THAT(refused([](DicomFile& f) { f.kind = "1.2.840.10008.5.1.4.1.1.2"; }), HasSubstr("not one of a whole slide"));
  EXPECT_THAT(refused([](DicomFile& f) { f.syntax = "1.2.840.10008.1.2.4.80"; }), HasSubstr("JPEG-LS"));
  EXPECT_THAT(refused([](DicomFile& f) { f.syntax = "1.2.840.10008.1.2.2"; }), HasSubstr("big-endian"));
  EXPECT_THAT(refused([](DicomFile& f) { f.syntax = "1.2.840.10008.1.2.1.99"; }), HasSubstr("deflated"));
  EXPECT_THAT(refused([](DicomFile& f) { f.photometric = "PALETTE COLOR"; }), HasSubstr("PALETTE COLOR"));
  EXPECT_THAT(refused([](DicomFile& f) { f.photometric = "YBR_FULL"; }), HasSubstr("without JPEG"));
  EXPECT_THAT(refused([](DicomFile& f) { f.samples = 4; }), HasSubstr("4 samples a pixel"));
  EXPECT_THAT(refused([](DicomFile& f) { f.stored = 9; }), HasSubstr("9 bits in 8"));
  EXPECT_THAT(refused([](DicomFile& f) { f.columns = 0; }), HasSubstr("frames of 0"));
  EXPECT_THAT(refused([](DicomFile& f) { f.total_rows = 0; }), HasSubstr("40 × 0 px"));
  EXPECT_THAT(refused([](DicomFile& f) { f.columns = f.rows = 1, f.total_columns = f.total_rows = 1 << 20; }),
              HasSubstr("1048576 × 1048576 frames"));
  EXPECT_THAT(refused([](DicomFile& f) { f.organization.clear(), f.total_columns = 400; }), HasSubstr("states no place"));
  EXPECT_EQ(slide::open_dicom(folder.write("x.dcm", Bytes(400, 'x'))), nullptr);
  Bytes cut = dicom_bytes(six_frames());
  cut.resize(700);
  EXPECT_THAT(why_refused(folder.write("cut.dcm", cut)), HasSubstr("damaged"));
}

TEST(Dicom, FramesThatTheFileDoesNotHoldAreUnreadableAndOthersAreNot) {
  if (!has_libtiff()) GTEST_SKIP() << slide::libtiff_status();
  TemporaryFolder folder;
  DicomFile f;
  f.syntax = kRunLength;
  for (int k = 0; k < 6; ++k) f.frames.push_back(run_frame(f, {k, k, k}));
  Bytes bytes = dicom_bytes(f);
  bytes.resize(bytes.size() - f.frames.back().size() - 20);
  const auto cut = slide::open_dicom(folder.write("cut.dcm", bytes));
  ASSERT_TRUE(cut);
  EXPECT_EQ(pixel(*cut, 0, 0).r, 0);
  EXPECT_EQ(pixel(*cut, 39, 23, 0, 1).r, 255);
}

TEST(Dicom, ThePublicSlideHasThePixelsOfTheOneItWasMadeFrom) {
  const auto dicom = std::filesystem::path(MORPHO_FIXTURES) / "../../../shared/data/formats/dicom-cmu-1-small-region";
  const std::string sample = MORPHO_SAMPLE;
  MORPHO_NEEDS_SAMPLE();
  if (!std::filesystem::exists(dicom)) GTEST_SKIP() << "not on this machine: ../shared/data";
  const auto slide = slide::open_slide((dicom / "level-3-frames-0-1.dcm").string());
  const auto whole = slide::open_slide(sample);
  ASSERT_EQ(slide->info().levels[0].width, whole->info().levels[0].width);
  ASSERT_EQ(slide->info().levels[0].height, whole->info().levels[0].height);
  EXPECT_NEAR(slide->info().mpp_x, whole->info().mpp_x, 1e-6);
  const Rect all{0, 0, slide->info().levels[0].width, slide->info().levels[0].height};
  const auto a = read_part(*slide, 0, all), b = read_part(*whole, 0, all);
  // It was compressed once more, in frames of another size: colours are the same, single px are not. DCMTK's dcmdjpeg +cg gives
  // the very bytes that are read here.
  double sum = 0, red = 0, green = 0, blue = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int r = a[i].r - b[i].r, g = a[i].g - b[i].g, u = a[i].b - b[i].b;
    red += r, green += g, blue += u;
    sum += std::max({std::abs(r), std::abs(g), std::abs(u)});
  }
  const double px = static_cast<double>(a.size());
  EXPECT_LT(sum / px, 7);
  for (const double shift : {red, green, blue}) EXPECT_LT(std::abs(shift / px), 0.6);
  EXPECT_GE(slide->info().levels.size(), 5u);
}

}  // namespace
}  // namespace morpho::test
