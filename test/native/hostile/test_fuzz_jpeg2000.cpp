// Damaged JPEG 2000 tiles through the decoder and the readers on it: pixels or no, and never a byte beyond. Under sanitizers
// too.
#include <map>
#include <memory>

#include "engine/window/read_scaled.hpp"
#include "mutate.hpp"
#include "slide/jpeg2000.hpp"
#include "slide/jpeg_tiles.hpp"

namespace morpho::test {
namespace {

constexpr Extent kTile64{64, 64};
constexpr std::ptrdiff_t kSizBytes = 51;

/// OpenSlide brings the decoder into the process; nothing of it is called.
class FuzzJpeg2000 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!slide::openslide_library()) GTEST_SKIP() << slide::openslide_status().reason;
    library = slide::openjpeg_library();
    if (!library) GTEST_SKIP() << "no OpenJPEG: " << slide::openjpeg_status();
    good = read_all(std::string(MORPHO_FIXTURES) + "/slides/tile-64.j2k");
    ASSERT_TRUE(slide::is_rgb_tile(good, kTile64));
  }
  /// Half of the damage leaves the size as it is: whatever else it says is never decoded.
  Bytes damaged(Mutator& mutate) const {
    if (mutate.chance(50)) return mutate(good);
    Bytes bytes(good.begin(), good.begin() + kSizBytes);
    // Of what follows the markers are a tenth, and steer the rest.
    const std::ptrdiff_t markers = mutate.chance(50) ? 140 : static_cast<std::ptrdiff_t>(good.size());
    join(bytes, mutate(Bytes(good.begin() + kSizBytes, good.begin() + markers)));
    bytes.insert(bytes.end(), good.begin() + markers, good.end());
    return bytes;
  }
  /// Memory of just the size, so that what is written beyond is seen.
  bool decodes(const Bytes& codestream, int halvings) const {
    const auto side = static_cast<std::size_t>(slide::halved(64, halvings));
    const std::unique_ptr<Rgba[]> pixels(new Rgba[side * side]);
    return slide::decode_rgb_tile(*library, codestream, kTile64, pixels.get(), halvings);
  }

  const slide::OpenJpegLibrary* library = nullptr;
  Bytes good;
};

TEST_F(FuzzJpeg2000, Codestreams) {
  for (int halvings = 0; halvings <= 3; ++halvings) EXPECT_TRUE(decodes(good, halvings)) << halvings;
  EXPECT_FALSE(decodes(good, 4)) << "it has no picture that small";
  Mutator mutate(fuzz_seed() + 11);
  int refused = 0;
  for (int round = 0; round < fuzz_times(1200); ++round)
    refused += !decodes(damaged(mutate), round % 3 == 0 ? 1 + round % 4 : 0);
  EXPECT_GT(refused, fuzz_times(300));
}

/// Tiles in YCbCr with halved chroma.
TEST_F(FuzzJpeg2000, CodestreamsInYCbCr) {
  constexpr Extent tile128{128, 128};
  good = read_all(std::string(MORPHO_FIXTURES) + "/slides/tile-128-ycc.j2k");
  const auto decodes_ycc = [&](const Bytes& codestream, Extent extent) {
    const std::unique_ptr<Rgba[]> pixels(new Rgba[static_cast<std::size_t>(extent.area())]);
    return slide::decode_ycc_tile(*library, codestream, extent, pixels.get());
  };
  ASSERT_TRUE(decodes_ycc(good, tile128));
  EXPECT_FALSE(decodes_ycc(good, kTile64));
  EXPECT_FALSE(slide::is_rgb_tile(good, tile128)) << "chroma is not at every px";
  Mutator mutate(fuzz_seed() + 13);
  int refused = 0;
  for (int round = 0; round < fuzz_times(600); ++round) refused += !decodes_ycc(damaged(mutate), tile128);
  EXPECT_GT(refused, fuzz_times(150));
}

/// Components as they are: of any depth, also in tiles within.
TEST_F(FuzzJpeg2000, CodestreamsOfAnyDepth) {
  constexpr Extent tile32{32, 32};
  Mutator mutate(fuzz_seed() + 14);
  for (const char* name : {"gray-12", "gray-16-tiles", "gray-16-signed", "rgb-16"}) {
    good = read_all(std::string(MORPHO_FIXTURES) + "/slides/jpeg2000/" + name + ".j2k");
    const bool colors = name[0] == 'r', is_signed = std::string(name).ends_with("signed");
    const std::uint32_t components = colors ? 3 : 1;
    const auto why_not = [&](const Bytes& codestream) {
      const std::unique_ptr<u8[]> out(new u8[32 * 32 * 2 * components]);
      return slide::decode_components(*library, codestream, tile32, components,
                                      is_signed ? slide::SampleType::i16 : slide::SampleType::u16, 16, out.get());
    };
    ASSERT_EQ(why_not(good), "") << name;
    ASSERT_EQ(slide::turns_colors(good), colors) << name;
    int refused = 0;
    for (int round = 0; round < fuzz_times(400); ++round) {
      const Bytes bytes = damaged(mutate);
      (void)slide::turns_colors(bytes);
      refused += !why_not(bytes).empty();
    }
    EXPECT_GT(refused, fuzz_times(100)) << name;
  }
}

/// Says two levels of an Aperio slide, whose tiles are those of the file.
slide::OpenSlideLibrary two_levels() {
  slide::OpenSlideLibrary f{};
  using Handle = slide::OpenSlideHandle;
  static int open;
  static double second;
  f.detect_vendor = [](const char*) -> const char* { return "aperio"; };
  f.open = [](const char*) { return second = second == 2 ? 2.01 : 2, reinterpret_cast<Handle*>(&open); };
  f.close = [](Handle*) {};
  f.get_level_count = [](Handle*) { return 2; };
  f.get_level_dimensions = [](Handle*, std::int32_t level, i64* w, i64* h) { *w = 180 >> level, *h = 128 >> level; };
  f.get_level_downsample = [](Handle*, std::int32_t level) { return level == 0 ? 1.0 : second; };
  f.read_region = [](Handle*, std::uint32_t* dest, i64, i64, std::int32_t, i64 w, i64 h) {
    std::fill_n(dest, w * h, 0xFF102030u);
  };
  f.get_error = [](Handle*) -> const char* { return nullptr; };
  f.get_property_names = [](Handle*) -> const char* const* {
    static const char* const names[] = {"openslide.level[0].tile-width", "openslide.level[0].tile-height",
                                        "openslide.level[1].tile-width", "openslide.level[1].tile-height", nullptr};
    return names;
  };
  f.get_property_value = [](Handle*, const char*) -> const char* { return "64"; };
  f.get_associated_image_names = [](Handle*) -> const char* const* {
    static const char* const none[] = {nullptr};
    return none;
  };
  f.get_version = []() -> const char* { return "0.0 two levels"; };
  return f;
}

/// 180×128 and 90×64 px in such tiles.
Bytes aperio_of(const Bytes& tile, const Bytes& other) {
  TiffWriter w(false, false);
  const std::string said = "Aperio Image Library |AppMag = 20|MPP = 0.499";
  const u64 tile_at = w.append(tile), other_at = w.append(other), said_at = w.append(Bytes(said.begin(), said.end()));
  for (u64 level : {u64{1}, u64{2}}) {
    const u64 tiles = level == 1 ? 6 : 2, offsets = w.bytes.size();
    for (u64 k = 0; k < tiles; ++k) w.put(k % 2 == 0 ? tile_at : other_at, 4);
    const u64 sizes = w.bytes.size();
    for (u64 k = 0; k < tiles; ++k) w.put(k % 2 == 0 ? tile.size() : other.size(), 4);
    const u64 bits = w.bytes.size();
    for (int k = 0; k < 4; ++k) w.put(8, 2);
    w.directory({{256, 4, 1, 180 / level},
                 {257, 4, 1, 128 / level},
                 {258, 3, 3, bits},
                 {259, 3, 1, 33005},
                 {262, 3, 1, 2},
                 {270, 2, said.size(), said_at},
                 {277, 3, 1, 3},
                 {284, 3, 1, 1},
                 {322, 4, 1, 64},
                 {323, 4, 1, 64},
                 {324, 4, tiles, offsets},
                 {325, 4, tiles, sizes}});
  }
  return w.bytes;
}

TEST_F(FuzzJpeg2000, TilesOfAnAperioSlide) {
  TemporaryFolder folder;
  Mutator mutate(fuzz_seed() + 12);
  const slide::OpenSlideLibrary said = two_levels();
  const slide::TurboJpegLibrary no_jpeg{};
  int opened = 0, rough = 0, direct = 0;
  for (int round = 0; round < fuzz_times(300); ++round) {
    Bytes file = aperio_of(round < 2 ? good : damaged(mutate), good);
    if (round >= 2 && mutate.chance(30)) file = mutate(file);
    const std::string path = folder.write("a.svs", file);
    try {
      auto inner = std::make_unique<slide::OpenSlideReader>(said, path);
      direct += inner->has_codestreams(0);
      slide::TileCache cache(1 << 20);
      slide::JpegTileReader reader(std::move(inner), no_jpeg, cache);
      ++opened;
      Workspace workspace;
      Context ctx{workspace, 1 + round % 2};
      std::vector<Rgba> out(64 * 48);
      for (const double s : {1.0, 2.0, 2.01, 4.0, 4.4, 9.0}) {
        const View<Rgba> view(out.data(), {64, 48});
        (void)engine::read_scaled(cpu::table(), ctx, reader, s, -3, -2, view, {});
        for (const Rgba& p : out) ASSERT_EQ(p.a, 255);
        const auto near = reader.rough(s);
        if (!near) continue;
        ++rough;
        EXPECT_LE(near->info().levels.front().downsample, s * 1.01);
        const auto lost = engine::read_scaled(cpu::table(), ctx, *near, s, -3, -2, view, {});
        EXPECT_TRUE(round >= 2 || lost.empty()) << s;
        for (const Rgba& p : out) ASSERT_EQ(p.a, 255);
      }
    } catch (const Error&) {}
  }
  EXPECT_GT(opened, fuzz_times(200));
  EXPECT_GT(direct, fuzz_times(150));
  EXPECT_GT(rough, fuzz_times(300));
}

}  // namespace
}  // namespace morpho::test
