// Damaged slides of scanners' TIFFs through our own reader: nothing but an Error may come out. Under sanitizers too.
#include "mutate.hpp"
#include "../made_slides/ndpi_files.hpp"
#include "../made_slides/scanner_files.hpp"
#include "slide/plausible.hpp"
#include "slide/tiff/tiff_slide.hpp"

namespace morpho::test {
namespace {

struct Kind {
  const char* name;
  Bytes whole;
};
std::vector<Kind> kinds() {
  NdpiPage half{{200, 96, 2, 2, 0, {}}, 10};
  half.tells_starts = false;
  return {{"hamamatsu", ndpi_file({{{400, 200, 2, 1, 25, {}}}, half, {{40, 24, 1, 1, 0, {}}, -1}})},
          {"leica", leica_file()},
          {"trestle", trestle_file()},
          {"philips", philips_file()},
          {"ventana", ventana_file()}};
}

/// All that a window, a viewer and an export ask of a slide.
void use_slide(slide::TiffSlide& slide) {
  std::vector<Rgba> out(90 * 70);
  for (int level = 0; level < static_cast<int>(slide.info().levels.size()); ++level)
    for (const auto& [x, y] : {std::pair<i64, i64>(-3, -2), {90, 190}}) {
      slide.read(level, x, y, View<Rgba>(out.data(), {90, 70}), {});
      for (const Rgba& p : out) ASSERT_EQ(p.a, 255);
    }
  std::vector<slide::Unreadable> lost;
  slide.samples(0, 1, {1, 1, 30, 20}, lost, {});
  Extent extent;
  for (const std::string& name : slide.info().associated) try {
      slide.associated(name, extent);
    } catch (const Error&) {}
}

TEST(FuzzScanners, NothingButAnErrorComesOut) {
  const TemporaryFolder folder;
  Mutator mutate(fuzz_seed() + 21);
  for (const Kind& kind : kinds()) {
    const auto good = slide::open_tiff_alone(folder.write("whole.tif", kind.whole));
    ASSERT_TRUE(good) << kind.name;
    EXPECT_EQ(good->info().vendor, kind.name);
    ASSERT_GE(good->info().levels.size(), 2u) << kind.name;
    int opened = 0, as_itself = 0;
    for (int n = fuzz_times(60); n > 0; --n) {
      const std::string path = folder.write("a.tif", mutate(kind.whole));
      try {
        slide::require_plausible(path);
        if (const auto slide = slide::open_tiff_alone(path)) {
          ++opened;
          as_itself += slide->info().vendor == kind.name;
          use_slide(*slide);
        }
      } catch (const Error&) {}
    }
    EXPECT_GT(opened, fuzz_times(12)) << kind.name;
    EXPECT_GT(as_itself, fuzz_times(6)) << kind.name;
  }
}

/// Cut at each 97th byte: what is opened shows what is there.
TEST(FuzzScanners, CutShortTheyEndInAnErrorOrInParts) {
  const TemporaryFolder folder;
  for (const Kind& kind : kinds())
    for (std::size_t bytes = 0; bytes < kind.whole.size(); bytes += 97) {
      const std::string path = folder.write("cut.tif",
                                            Bytes(kind.whole.begin(), kind.whole.begin() + static_cast<std::ptrdiff_t>(bytes)));
      try {
        if (const auto slide = slide::open_tiff_alone(path)) use_slide(*slide);
      } catch (const Error&) {}
    }
}

/// The text in `from` in place of `to`, of the same length.
Bytes with_text(Bytes bytes, const std::string& from, std::string to) {
  to.resize(from.size(), ' ');
  const auto at = std::search(bytes.begin(), bytes.end(), from.begin(), from.end());
  EXPECT_NE(at, bytes.end()) << from;
  std::copy(to.begin(), to.end(), at);
  return bytes;
}

/// Without OpenSlide a slide that is not understood is refused, in words that say why; never shown as its directories lie.
TEST(FuzzScanners, WhatIsNotUnderstoodIsRefusedInWords) {
  const TemporaryFolder folder;
  struct Case {
    const char* why;
    Bytes bytes;
  };
  const std::vector<Case> cases{
      {"directory 9 of 4", with_text(leica_file(), "ifd=\"2\"", "ifd=\"9\"")},
      {"directory -1 of 4", with_text(leica_file(), "r=\"0\" ifd=\"2\"", "ifd=\"-1\"")},
      {"no size", with_text(leica_file(), "sizeX=\"200000\"", "sizeX=\"0\"")},
      {"sizeX is", with_text(leica_file(), "sizeX=\"200000\"", "sizeX=\"9e99\"")},
      {"bright field", with_text(with_text(leica_file(), "brightfield", "fluorescent"), "brightfield", "fluorescent")},
      {"px of different sizes", with_text(leica_file(), "<view sizeX=\"64000\"", "<view sizeX=\"32000\"")},
      {"has a document type", with_text(leica_file(), "<collection sizeX", "<!ENTITY a \"b\">")},
      {"refers to an entity", with_text(leica_file(), "U1lO", "&b;")},
      {"gaps between", trestle_file("-4 2")},
      {"as no scanner's do", trestle_file("15 2")},
      {"OverlapsXY is", trestle_file("4 two")},
      {"closes an element that is not open", with_text(philips_file(), ">WSI</Attribute", ">WSI")},
      {"pictures of the slide", with_text(philips_file(), "WSI", "WSX")},
      {"pixel spacing is", with_text(philips_file(), "&quot;0.001&quot; &quot;0.001", "&quot;nan&quot; &quot;0.001")},
      {"pixel spacing that no", with_text(philips_file(), "&quot;0.001&quot;", "&quot;-0.5&quot;")},
      {"to the direction \"LEFT\"", ventana_file("LEFT")},
      {"that joins tile 9", with_text(ventana_file(), "Tile1=\"1\" Tile2=\"2\"", "Tile1=\"9\" Tile2=\"2\"")},
      {"no neighbours", with_text(ventana_file(), "Tile1=\"1\" Tile2=\"2\"", "Tile1=\"1\" Tile2=\"3\"")},
      {"as no scanner's do", ventana_file("RIGHT", "16")},
      {"farther apart", ventana_file("RIGHT", "-99999999")},
      {"OverlapX is", ventana_file("RIGHT", "inf")},
      {"other tiles than it has", with_text(ventana_file(), "OriginX=\"16\"", "OriginX=\"32\"")},
      {"begin with whole tiles", with_text(ventana_file(), "OriginX=\"16\"", "OriginX=\"15\"")},
      {"area of 0", with_text(ventana_file(), "NumRows=\"2\" NumCols=\"3\"", "NumRows=\"2\" NumCols=\"0\"")},
      {"farther apart", with_text(ventana_file(), "Pos-X=\"5.0000\"", "Pos-X=\"9e12\"")},
      {"levels are not in order", with_text(ventana_file(), "level=1", "level=3")},
      {"with a level at 7 of 20", with_text(ventana_file(), "mag=10", "mag=7")},
  };
  for (const Case& c : cases) {
    const std::string path = folder.write("odd.tif", c.bytes);
    try {
      const auto slide = slide::open_tiff(path, false, "");
      ADD_FAILURE() << c.why << ": opened as " << (slide ? slide->info().vendor : "nothing");
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr(c.why));
      EXPECT_THAT(e.what(), testing::HasSubstr("OpenSlide"));
    }
    EXPECT_FALSE(slide::open_tiff(path, true, "")) << "beside OpenSlide it is OpenSlide's";
  }
}

/// Which tile a px is of.
int tile_at(slide::Slide& slide, int level, i64 x, i64 y) {
  Rgba p;
  EXPECT_TRUE(slide.read(level, x, y, View<Rgba>(&p, {1, 1}), {}).empty());
  return p.b == 200 ? p.r : -1;
}

TEST(FuzzScanners, TilesLieWhereTheFileSays) {
  const TemporaryFolder folder;
  const auto leica = slide::open_tiff(folder.write("a.scn", leica_file("fluorescence")), false, "");
  ASSERT_TRUE(leica);
  EXPECT_EQ(leica->info().levels.front().width, 200);
  EXPECT_EQ(tile_at(*leica, 0, 12, 20), 10);
  EXPECT_EQ(tile_at(*leica, 0, 11, 20), -1);
  EXPECT_EQ(tile_at(*leica, 0, 100, 201), -1) << "it is not in bright field";
  ASSERT_EQ(leica->info().warnings.size(), 1u);
  EXPECT_THAT(leica->info().warnings.front(), testing::HasSubstr("1 pictures of the slide are not in bright field"));
  const auto trestle = slide::open_tiff(folder.write("b.tif", trestle_file()), false, "");
  ASSERT_TRUE(trestle);
  EXPECT_EQ(trestle->info().levels.front().width, 64 - 3 * 4);
  EXPECT_EQ(trestle->info().background.g, 0xE1);
  EXPECT_EQ(tile_at(*trestle, 0, 11, 0), 10);
  EXPECT_EQ(tile_at(*trestle, 0, 12, 0), 11) << "the next tile lies above";
  const auto philips = slide::open_tiff(folder.write("c.tiff", philips_file()), false, "");
  ASSERT_TRUE(philips);
  EXPECT_EQ(philips->info().mpp_x, 0.25);
  EXPECT_EQ(philips->info().mpp_y, 0.5);
  EXPECT_EQ(philips->info().levels.back().height, 12) << "not the 16 of a whole tile";
  EXPECT_EQ(tile_at(*philips, 0, 15, 16), -1) << "glass where the scanner wrote no tile";
  EXPECT_EQ(tile_at(*philips, 0, 16, 16), 15);
  const auto ventana = slide::open_tiff(folder.write("d.bif", ventana_file()), false, "");
  ASSERT_TRUE(ventana);
  // From x 5 on, 14 × 12 px apart; its y is counted upwards.
  EXPECT_EQ(ventana->info().levels.front().width, 5 + 2 * 14 + 16);
  EXPECT_EQ(ventana->info().levels.front().height, 28);
  EXPECT_EQ(tile_at(*ventana, 0, 4, 0), -1);
  EXPECT_EQ(tile_at(*ventana, 0, 5, 0), 61);
  EXPECT_EQ(tile_at(*ventana, 0, 5 + 14, 12), 66);
}

}  // namespace
}  // namespace morpho::test
