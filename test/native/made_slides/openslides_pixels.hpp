// A slide by our own reader beside OpenSlide: levels, places, pixels, images and what is said of them.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "slide/openslide_reader.hpp"
#include "slide/plausible.hpp"
#include "slide/tiff/tiff_slide.hpp"
#include "slide/turbojpeg_library.hpp"
#include "slide_files.hpp"

namespace morpho::test {

/// All of one level as OpenSlide draws it in one call, on `background`.
inline std::vector<Rgba> drawn(const slide::OpenSlideLibrary& library, slide::OpenSlideHandle* handle, int level, i64 width,
                               i64 height, Rgba background) {
  std::vector<std::uint32_t> raw(static_cast<std::size_t>(width * height));
  library.read_region(handle, raw.data(), 0, 0, level, width, height);
  std::vector<Rgba> out(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const std::uint32_t p = raw[i];
    out[i] = p >> 24 == 0 ? background : Rgba{static_cast<u8>(p >> 16), static_cast<u8>(p >> 8), static_cast<u8>(p), 255};
  }
  return out;
}

inline i64 differing(const std::vector<Rgba>& a, const std::vector<Rgba>& b) {
  i64 count = static_cast<i64>(a.size() != b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += std::memcmp(&a[i], &b[i], sizeof(Rgba)) != 0;
  return count;
}

inline std::vector<Rgba> read_of(slide::Slide& slide, int level, i64 x, i64 y, Extent extent) {
  std::vector<Rgba> out(static_cast<std::size_t>(extent.area()));
  EXPECT_TRUE(slide.read(level, x, y, View<Rgba>(out.data(), extent), {}).empty()) << "level " << level;
  return out;
}

/// Whole levels, windows at odd places and beyond the rims, and all that `info` shows.
inline void expect_openslides(const std::string& path, slide::Slide& own) {
  const slide::OpenSlideLibrary& library = *slide::openslide_library();
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
    // Of Trestle's levels without overlaps OpenSlide hides the tiles as well; of Hamamatsu's it shows rows of blocks.
    if (mine.vendor != "trestle" && mine.vendor != "hamamatsu")
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

}  // namespace morpho::test
