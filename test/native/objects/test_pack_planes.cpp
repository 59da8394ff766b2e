// Planes cut into tiles: by hand on 4 x 4 px, tiles that reach out of the core and out of the image, labels as colours.
#include <gtest/gtest.h>

#include <set>

#include "export/pack_planes.hpp"

namespace morpho::exports {
namespace {

using Bytes = std::vector<u8>;

/// A window of 6 x 5 px at (1, 2) of an image of 6 x 6; its core is 4 x 4 px at (2, 3). Tiles of 3 px.
WindowPlace place_of(std::vector<WindowPlace::Tile> tiles) { return {1, 2, {6, 5}, 6, 6, 3, std::move(tiles)}; }
constexpr Rect kCore{1, 1, 4, 4};

std::vector<Bytes> packed(std::span<const CorePlane> planes, const std::vector<i32>& numbers, const WindowPlace& place) {
  std::vector<Bytes> tiles;
  std::vector<u8*> out;
  for (const WindowPlace::Tile& tile : place.tiles) {
    const Rect part = tile_in_core(place, kCore, tile);
    tiles.emplace_back(static_cast<std::size_t>(part.width * part.height) * planes.size(), u8{255});
  }
  for (Bytes& tile : tiles) out.push_back(tile.data());
  pack_planes(planes, numbers, place, kCore, out);
  return tiles;
}

TEST(PackPlanes, TakesWhatEachTileHasOfTheCore) {
  const Bytes grey{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33};
  const Bytes binary{0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0};
  const std::vector<CorePlane> planes{{PixelType::u8, grey.data()}, {PixelType::u8, binary.data()}};
  // The core has x of 2 to 5 and y of 3 to 6, of which the image ends at 5.
  const std::vector<Bytes> tiles = packed(planes, {}, place_of({{0, 1}, {1, 1}, {2, 1}, {0, 0}, {-1, 1}}));
  EXPECT_EQ(tiles[0], (Bytes{0, 10, 20, 0, 1, 0}));
  EXPECT_EQ(tiles[1], (Bytes{1, 2, 3, 11, 12, 13, 21, 22, 23, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_TRUE(tiles[2].empty());
  EXPECT_TRUE(tiles[3].empty());
  EXPECT_TRUE(tiles[4].empty());
}

TEST(PackPlanes, GivesObjectsTheColourOfTheirFirstPixelAndOthersThatOfTheirLabel) {
  const std::vector<i32> labels{0, 7, 7, 2, 0, 7, 2, 2, 0, 0, 2, 1, 0, 0, 0, 1};
  const std::vector<CorePlane> planes{{PixelType::i32, reinterpret_cast<const u8*>(labels.data())}};
  const auto colour_at = [&](i32 x, i32 y) { return packed(planes, {7, x, y}, place_of({{1, 1}}))[0][0]; };
  const u8 colour = colour_at(3, 3);
  EXPECT_EQ(packed(planes, {7, 3, 3}, place_of({{1, 1}}))[0], (Bytes{colour, colour, 3, colour, 3, 3, 0, 3, 2}));
  // Twice the same, and all of them are met.
  std::set<u8> met;
  for (i32 x = 0; x < 40; ++x) met.insert(colour_at(x, 2 * x));
  EXPECT_EQ(met.size(), static_cast<std::size_t>(kLabelColours));
  EXPECT_EQ(*met.begin(), 1);
  EXPECT_EQ(*met.rbegin(), kLabelColours);
  EXPECT_EQ(colour_at(3, 3), colour);
}

TEST(PackPlanes, TakesNoPlanesAndNoTiles) {
  EXPECT_TRUE(packed({}, {}, place_of({{1, 1}}))[0].empty());
  EXPECT_TRUE(packed({}, {1, 2, 3}, place_of({})).empty());
}

}  // namespace
}  // namespace morpho::exports
