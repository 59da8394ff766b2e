// Cuts planes into tiles, row by row.
#include "pack_planes.hpp"

#include <algorithm>
#include <cstring>

namespace morpho::exports {
namespace {

/// Objects that lie close together have unlike first pixels in every bit of this.
std::uint32_t colour_of(std::uint32_t first_x, std::uint32_t first_y) {
  std::uint32_t h = ((first_x ^ 0x27d4eb2fu) * 0x9e3779b1u) ^ ((first_y ^ 0x165667b1u) * 0x85ebca6bu);
  h = (h ^ (h >> 15)) * 0xc2b2ae35u;
  return 1 + (h ^ (h >> 13)) % kLabelColours;
}

/// Of each label up to the largest in `numbers`; 0: not one of them.
std::vector<u8> colours_of(const std::vector<i32>& numbers) {
  i32 last = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 3) last = std::max(last, numbers[i]);
  std::vector<u8> colours(static_cast<std::size_t>(last) + 1, 0);
  for (std::size_t i = 0; i < numbers.size(); i += 3)
    if (numbers[i] > 0)
      colours[static_cast<std::size_t>(numbers[i])] = static_cast<u8>(
          colour_of(static_cast<std::uint32_t>(numbers[i + 1]), static_cast<std::uint32_t>(numbers[i + 2])));
  return colours;
}

}  // namespace

Rect tile_in_core(const WindowPlace& place, const Rect& core, const WindowPlace::Tile& tile) {
  const i64 left = place.x + core.x, top = place.y + core.y;
  const i64 x0 = std::max(tile.x * place.tile_px, left), y0 = std::max(tile.y * place.tile_px, top);
  const i64 x1 = std::min({(tile.x + 1) * place.tile_px, left + core.width, place.image_width});
  const i64 y1 = std::min({(tile.y + 1) * place.tile_px, top + core.height, place.image_height});
  if (x1 <= x0 || y1 <= y0) return {};
  return {x0 - left, y0 - top, x1 - x0, y1 - y0};
}

void pack_planes(std::span<const CorePlane> planes, const std::vector<i32>& numbers, const WindowPlace& place, const Rect& core,
                 std::span<u8* const> out) {
  const std::vector<u8> colours = colours_of(numbers);
  const auto colour = [&](i32 label) -> u8 {
    if (label <= 0) return 0;
    const auto n = static_cast<std::size_t>(label);
    return n < colours.size() && colours[n] > 0 ? colours[n] : static_cast<u8>(1 + label % kLabelColours);
  };
  for (std::size_t t = 0; t < place.tiles.size(); ++t) {
    const Rect part = tile_in_core(place, core, place.tiles[t]);
    const auto width = static_cast<std::size_t>(part.width);
    u8* to = out[t];
    for (const CorePlane& plane : planes) {
      for (i64 y = part.y; y < part.y + part.height; ++y, to += width) {
        const auto from = static_cast<std::size_t>(y * core.width + part.x);
        if (plane.type == PixelType::i32) {
          const i32* row = reinterpret_cast<const i32*>(plane.bytes) + from;
          std::transform(row, row + width, to, colour);
        } else {
          std::memcpy(to, plane.bytes + from, width);
        }
      }
    }
  }
}

}  // namespace morpho::exports
