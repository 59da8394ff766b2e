// OME-Zarr folders: made ones whose every px is known, the public ones, and hostile ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "slide/zarr/codec_libraries.hpp"
#include "slide/zarr/zarr_slide.hpp"
#include "../made_slides/zarr_files.hpp"

namespace morpho::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<slide::Slide> opened(const TemporaryFolder& folder, const ZarrFiles& f,
                                     const std::string& name = "a.ome.zarr") {
  std::filesystem::remove_all(std::filesystem::path(folder.path()) / name);
  return slide::open_slide(write_zarr(folder, name, zarr_files(f)));
}
/// Whether all of a level and channel is what the files were made of.
void expect_made(slide::Slide& slide, const ZarrFiles& f, const std::string& what) {
  for (int level = 0; level < f.levels; ++level) {
    const slide::Level& l = slide.info().levels[static_cast<std::size_t>(level)];
    const u64 step = u64{1} << level;
    for (u64 c = 0; c < f.channels; ++c) {
      const auto values = samples_of(slide, level, static_cast<int>(c), {0, 0, l.width, l.height});
      std::size_t wrong = 0;
      for (u64 k = 0; k < values.size(); ++k) {
        const u64 y = k / static_cast<u64>(l.width), x = k % static_cast<u64>(l.width);
        if (values[k] != f.sample(c, y * step, x * step)) ++wrong;
      }
      EXPECT_EQ(wrong, 0u) << what << " level " << level << " channel " << c;
    }
  }
}

struct PackedBy {
  std::string name, version_2, version_3;
  std::function<Bytes(const Bytes&)> pack;
  bool needs_blosc = false;
};
std::vector<PackedBy> packings(std::size_t each) {
  std::vector<PackedBy> all = {
      {"raw", "", "", [](const Bytes& b) { return b; }},
      {"deflate", R"({"id": "zlib", "level": 1})", R"({"name": "gzip", "configuration": {"level": 1}})", deflated},
      {"zstd", R"({"id": "zstd", "level": 3})", R"({"name": "zstd", "configuration": {"level": 3}})", by_zstd}};
  for (const char* codec : {"blosclz", "lz4", "lz4hc", "zlib", "zstd"})
    for (int shuffle = 0; shuffle < 3; ++shuffle)
      all.push_back({std::string("blosc ") + codec + " " + std::to_string(shuffle), R"({"id": "blosc"})",
                     R"({"name": "blosc"})",
                     [codec, shuffle, each](const Bytes& b) { return by_blosc(b, codec, shuffle, each); }, true});
  return all;
}

TEST(Zarr, EveryTypeCodecByteOrderAndShardIsReadAsItWasWritten) {
  TemporaryFolder folder;
  int read = 0;
  for (const char* type : {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"})
    for (int version = 2; version <= 3; ++version)
      for (const bool big_endian : {false, true})
        for (const u64 per_shard : {u64{0}, u64{2}})
          for (const PackedBy& by : packings(zarr_bytes(type))) {
            if ((version == 2 && per_shard > 0) || (by.needs_blosc && !slide::blosc_library())) continue;
            ZarrFiles f;
            f.version = version;
            f.type = type;
            f.big_endian = big_endian;
            f.slashes = read % 2 == 0;
            f.per_shard = per_shard;
            f.table_at_end = read % 3 != 0;
            f.channels = 2;
            f.chunk_channels = 1 + static_cast<u64>(read % 2);
            f.codec = version == 2 ? by.version_2 : by.version_3;
            f.pack = by.pack;
            f.levels = 2;
            const bool is_signed = type[0] != 'u';
            f.sample = [is_signed](u64 c, u64 y, u64 x) { return static_cast<double>(c + y + x) * (is_signed ? -1 : 2); };
            const auto slide = opened(folder, f);
            const std::string what = std::string(type) + " " + by.name + " version " + std::to_string(version) +
                                     (big_endian ? " big" : " little") + " shards " + std::to_string(per_shard);
            ASSERT_EQ(slide->info().levels.size(), 2u) << what;
            expect_made(*slide, f, what);
            ++read;
          }
  EXPECT_EQ(read, 8 * 2 * 3 * (slide::blosc_library() ? 18 : 3));
}

TEST(Zarr, SaysWhatTheImageIs) {
  TemporaryFolder folder;
  for (int version = 2; version <= 3; ++version) {
    ZarrFiles f;
    f.version = version;
    f.type = "uint16";
    f.channels = 3;
    f.levels = 3;
    f.omero = R"({"channels": [{"label": "CD8", "color": "FF8000", "window": {"start": 5, "end": 900.5}}, {"label": 7}]})";
    const auto slide = opened(folder, f);
    const slide::SlideInfo& info = slide->info();
    EXPECT_EQ(info.vendor, "ome-zarr");
    ASSERT_EQ(info.levels.size(), 3u);
    EXPECT_EQ(info.levels[2].width, 10);
    EXPECT_EQ(info.levels[2].downsample, 4);
    EXPECT_NEAR(info.mpp_x, 0.5, 1e-12);
    EXPECT_NEAR(info.mpp_y, 0.25, 1e-12);
    ASSERT_EQ(info.channels.size(), 3u);
    EXPECT_EQ(info.channels[0].name, "CD8");
    ASSERT_TRUE(info.channels[0].color);
    EXPECT_EQ(info.channels[0].color->g, 0x80);
    EXPECT_EQ(info.channels[1].name, "7");
    EXPECT_EQ(info.channels[2].name, "Channel 3");
    EXPECT_EQ(info.properties.at("omero.channel[0].window"), "5 to 900.5");
    EXPECT_EQ(info.properties.at("zarr.format"), std::to_string(version));
    EXPECT_EQ(info.background.r, 0);
    EXPECT_TRUE(info.uncertain_pixels.empty());
  }
}

TEST(Zarr, UnitsAreReadAndNonsenseIsNot) {
  TemporaryFolder folder;
  const auto mpp = [&](const std::string& unit, const std::string& scale) {
    ZarrFiles f;
    f.units = unit;
    f.scale = scale;
    return opened(folder, f)->info().mpp_x;
  };
  EXPECT_NEAR(mpp(R"("nanometer")", "[1, 250, 250]"), 0.25, 1e-12);
  EXPECT_NEAR(mpp(R"("millimeter")", "[1, 0.0005, 0.0005]"), 0.5, 1e-12);
  EXPECT_EQ(mpp(R"("second")", "[1, 0.5, 0.5]"), 0);
  EXPECT_EQ(mpp("", "[1, 0.5, 0.5]"), 0);
  EXPECT_EQ(mpp(R"("micrometer")", "[1, -3, 0]"), 0);
  EXPECT_EQ(mpp(R"("micrometer")", "[1]"), 0);
  EXPECT_EQ(mpp(R"("micrometer")", R"(["x", NaN, "y"])"), 0);
}

TEST(Zarr, AChunkThatIsNotThereHasTheFillValue) {
  TemporaryFolder folder;
  for (const u64 per_shard : {u64{0}, u64{2}}) {
    ZarrFiles f;
    f.version = 3;
    f.type = "float32";
    f.fill = "7.5";
    f.per_shard = per_shard;
    f.present = [](u64, u64 ty, u64 tx) { return ty != 1 || tx != 1; };
    const auto slide = opened(folder, f);
    EXPECT_EQ(samples_of(*slide, 0, 0, {20, 20, 2, 1}), std::vector<double>({7.5, 7.5})) << per_shard;
    EXPECT_EQ(samples_of(*slide, 0, 0, {15, 20, 2, 1}), std::vector<double>({35, 7.5})) << per_shard;
  }
  ZarrFiles f;
  f.version = 3;
  f.type = "float32";
  f.present = [](u64, u64 ty, u64) { return ty == 0; };
  for (const auto& [fill, value] :
       {std::pair<const char*, double>{R"("-Infinity")", -std::numeric_limits<double>::infinity()}, {R"("0x3fc00000")", 1.5}}) {
    f.fill = fill;
    EXPECT_EQ(samples_of(*opened(folder, f), 0, 0, {0, 20, 1, 1}).front(), value) << fill;
  }
  f.fill = R"("NaN")";
  EXPECT_TRUE(std::isnan(samples_of(*opened(folder, f), 0, 0, {0, 20, 1, 1}).front()));
}

TEST(Zarr, ThreeBytesThatOmeroCallsColoursAreAPicture) {
  TemporaryFolder folder;
  ZarrFiles f;
  f.channels = f.chunk_channels = 3;
  f.sample = [](u64 c, u64 y, u64 x) { return static_cast<double>(80 * c + y + x); };
  f.omero =
      R"({"channels": [{"color": "FF0000", "label": "0"}, {"color": "00FF00"}, {"color": "0000FF", "label": "Channel 2"}]})";
  const auto slide = opened(folder, f);
  std::vector<Rgba> out(1);
  slide->read(0, 3, 2, View<Rgba>(out.data(), {1, 1}), {});
  EXPECT_THAT((std::vector<int>{out[0].r, out[0].g, out[0].b}), ElementsAre(5, 85, 165));
  EXPECT_EQ(slide->info().channels[0].shown, slide::Shown::red);
  EXPECT_EQ(slide->info().background.r, 255);
  for (const char* stained :
       {R"({"channels": [{"color": "FF0000", "label": "CD8"}, {"color": "00FF00"}, {"color": "0000FF"}]})",
        R"({"channels": [{"color": "0000FF"}, {"color": "00FF00"}, {"color": "FF0000"}]})",
        R"({"channels": [{"label": "r"}, {"label": "g"}, {"label": "c"}]})", ""}) {
    f.omero = stained;
    EXPECT_EQ(opened(folder, f)->info().channels[0].shown, slide::Shown::gray) << stained;
  }
  f.omero = R"({"channels": [{"label": "Red"}, {"label": "Green"}, {"label": "Blue"}]})";
  EXPECT_EQ(opened(folder, f)->info().channels[0].shown, slide::Shown::red);
}

TEST(Zarr, OfSeveralTimesAndPlanesTheFirstIsShownAndSaid) {
  TemporaryFolder folder;
  auto files = zarr_files(ZarrFiles{});
  // c, y, x become t, z, y, x: two times, three planes.
  const std::string axes = R"([{"name": "t", "type": "time"}, {"name": "z", "type": "space"}, {"name": "y"}, {"name": "x"}])";
  std::string attributes(files.at(".zattrs").begin(), files.at(".zattrs").end());
  const std::size_t from = attributes.find("[{\"name\": \"c\""), to = attributes.find("}],", from) + 2;
  files[".zattrs"] = text_bytes(attributes.replace(from, to - from, axes));
  files = with_text(files, "0/.zarray", "[1, 24, 40]", "[2, 3, 24, 40]");
  files = with_text(files, "0/.zarray", "[1, 16, 16]", "[1, 1, 16, 16]");
  std::map<std::string, Bytes> moved;
  for (const auto& [name, bytes] : files) moved[name.starts_with("0/0/") ? "0/0/0" + name.substr(3) : name] = bytes;
  const auto slide = slide::open_slide(write_zarr(folder, "tz.zarr", moved));
  EXPECT_EQ(samples_of(*slide, 0, 0, {5, 4, 1, 1}).front(), 9);
  EXPECT_THAT(slide->info().warnings, Contains(HasSubstr("2 points in time. The first is shown")));
  EXPECT_THAT(slide->info().warnings, Contains(HasSubstr("3 focal planes. The first is shown")));
}

TEST(Zarr, TheFolderAroundAnImageOpensItsFirstAndOthersAreNamed) {
  TemporaryFolder folder;
  std::map<std::string, Bytes> files;
  for (const auto& [name, bytes] : zarr_files(ZarrFiles{})) files["0/" + name] = files["1/" + name] = bytes;
  files[".zattrs"] = text_bytes(R"({"bioformats2raw.layout": 3})");
  const auto slide = slide::open_slide(write_zarr(folder, "several.zarr", files));
  EXPECT_EQ(samples_of(*slide, 0, 0, {5, 4, 1, 1}).front(), 9);
  EXPECT_THAT(slide->info().warnings, Contains(HasSubstr("several images")));
  const std::string root = folder.path() + "/several.zarr";
  EXPECT_THAT(refusal_of(root + "/1/0"), HasSubstr("one level of an image. Choose the folder that holds it"));
  EXPECT_THAT(refusal_of(write_zarr(folder, "plate.zarr", {{".zattrs", text_bytes(R"({"plate": {}})")}})),
              HasSubstr("a plate or well"));
  EXPECT_THAT(refusal_of(write_zarr(folder, "table.zarr", {{".zgroup", text_bytes(R"({"zarr_format": 2})")}})),
              HasSubstr("states no image"));
}

TEST(Zarr, ThePublicImagesOpen) {
  const auto data = std::filesystem::path(MORPHO_FIXTURES) / "../../../shared/data/formats/ome-zarr";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "not on this machine: ../shared/data";
  for (const char* name : {"blobs_image_v04.ome.zarr", "blobs_image_v05.ome.zarr"}) {
    if (!slide::blosc_library() && name[13] == '4') continue;
    const auto slide = slide::open_slide((data / name).string());
    EXPECT_EQ(slide->info().levels.front().width, 12);
    EXPECT_EQ(slide->info().channels.size(), 3u);
    EXPECT_EQ(slide->info().channels[2].name, "2");
    EXPECT_EQ(slide->info().channels[0].type, slide::SampleType::f64);
  }
}

}  // namespace
}  // namespace morpho::test
