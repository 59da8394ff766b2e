// JPEG tiles that our own readers pass on, undecoded or straight to pixels: what libtiff makes of them, bit by bit.
#include <gtest/gtest.h>

#include <filesystem>

#include "../made_slides/openslides_pixels.hpp"
#include "../support/sample_slide.hpp"
#include "slide/dicom/dicom_slide.hpp"
#include "slide/on_level.hpp"
#include "slide/pieces/libtiff_library.hpp"

namespace morpho::test {
namespace {

/// The samples of all three channels, which go through libtiff.
std::vector<Rgba> by_libtiff(slide::Slide& slide, int level, const Rect& part) {
  std::vector<Rgba> out(static_cast<std::size_t>(part.width * part.height), Rgba{0, 0, 0, 255});
  std::vector<slide::Unreadable> lost;
  for (int c = 0; c < 3; ++c) {
    const auto samples = slide.samples(level, c, part, lost, {});
    for (std::size_t i = 0; i < out.size(); ++i) (c == 0 ? out[i].r : c == 1 ? out[i].g : out[i].b) = samples.bytes[i];
  }
  EXPECT_TRUE(lost.empty());
  return out;
}

/// Passed-on tiles of all levels; at most 40 of each, as libtiff takes its time.
int expect_the_same(slide::Slide& slide) {
  int passed = 0;
  for (int level = 0; level < static_cast<int>(slide.info().levels.size()); ++level) {
    const slide::Level& l = slide.info().levels[static_cast<std::size_t>(level)];
    if (l.tile_width == 0) continue;
    const i64 across = (l.width + l.tile_width - 1) / l.tile_width, down = (l.height + l.tile_height - 1) / l.tile_height;
    EXPECT_FALSE(slide.tile_jpeg(level, across, 0) || slide.tile_jpeg(level, 0, down) || slide.tile_jpeg(level, -1, 0));
    const i64 step = std::max<i64>(1, across * down / 40);
    for (i64 k = 0; k < across * down; k += step) {
      const i64 x = k % across * l.tile_width, y = k / across * l.tile_height;
      const Rect part = slide::intersect({x, y, l.tile_width, l.tile_height}, {0, 0, l.width, l.height});
      const auto expected = by_libtiff(slide, level, part);
      const Extent extent{static_cast<i32>(part.width), static_cast<i32>(part.height)};
      EXPECT_EQ(differing(read_of(slide, level, x, y, extent), expected), 0) << "level " << level << ", tile " << k;
      const auto jpeg = slide.tile_jpeg(level, k % across, k / across);
      if (!jpeg) continue;
      ++passed;
      const Extent whole{static_cast<i32>(l.tile_width), static_cast<i32>(l.tile_height)};
      std::vector<Rgba> pixels(static_cast<std::size_t>(whole.area())), cut;
      EXPECT_TRUE(
          slide::decode_by_turbojpeg(*slide::turbojpeg_library(), *jpeg, whole, reinterpret_cast<u8*>(pixels.data()), true));
      for (i64 row = 0; row < part.height; ++row)
        cut.insert(cut.end(), pixels.begin() + row * whole.width, pixels.begin() + row * whole.width + part.width);
      EXPECT_EQ(differing(cut, expected), 0) << "level " << level << ", tile " << k;
    }
  }
  return passed;
}

TEST(PassedTiles, AreWhatLibtiffDecodes) {
  if (!slide::turbojpeg_library() || !slide::libtiff_library()) GTEST_SKIP() << "no libjpeg-turbo or no libtiff here";
  MORPHO_NEEDS_SAMPLE();
  const auto sample = slide::open_tiff_alone(MORPHO_SAMPLE);
  ASSERT_TRUE(sample);
  EXPECT_GT(expect_the_same(*sample), 30);
  const std::string data = std::string(MORPHO_FIXTURES) + "/../../../shared/data/";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "not on this machine: ../shared/data";
  const auto dicom = slide::open_dicom(data + "formats/dicom-cmu-1-small-region/level-3-frames-0-1.dcm");
  ASSERT_TRUE(dicom);
  EXPECT_GT(expect_the_same(*dicom), 30);
  for (const char* name : {"aperio-pyramid.svs", "generic-pyramid-jpeg.tif", "philips.tiff"}) {
    SCOPED_TRACE(name);
    const auto slide = slide::open_tiff_alone(data + "slides/synthetic/" + name);
    ASSERT_TRUE(slide);
    EXPECT_GT(expect_the_same(*slide), 30);
  }
  // Tiles that lie over one another are none, nor are codestreams or 16 bits.
  for (const char* name : {"slides/synthetic/trestle-overlap.tif", "slides/synthetic/leica-two-regions.scn",
                           "slides/synthetic/aperio-jp2k-33005.svs", "odd/tiled-rgb16.tif"}) {
    const auto slide = slide::open_tiff_alone(data + name);
    ASSERT_TRUE(slide) << name;
    EXPECT_FALSE(slide->tile_jpeg(0, 0, 0)) << name;
  }
}

}  // namespace
}  // namespace morpho::test
