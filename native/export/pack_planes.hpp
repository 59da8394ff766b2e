// Intermediate images of a window as main/run keeps them to be looked at: cut into tiles, a byte a pixel.
#pragma once
#include <span>

#include "pack_window.hpp"

namespace morpho::exports {

/// An intermediate image of a window's core, row after row: grey or 0 and 1 (u8), or labels (i32).
struct CorePlane {
  PixelType type;
  const u8* bytes;
};

/// So many colours labels are told apart by.
inline constexpr i32 kLabelColours = 6;

/// A tile's part of the core, in px of the core; of no area where it has none.
Rect tile_in_core(const WindowPlace& place, const Rect& core, const WindowPlace::Tile& tile);

/// To out[i], of tile i of `place`: its part of each plane, one plane behind the other, planes × area of tile_in_core bytes.
/// Labels become colours, 1 to kLabelColours, 0 where there is none: by the first pixel of the object where `numbers`
/// (PackedWindow) has it, so that it keeps its colour in every tile, window and run; others by their label, which is the
/// window's own. `core` in px of the window. O(px of the tiles × planes); memory: a byte an object.
void pack_planes(std::span<const CorePlane> planes, const std::vector<i32>& numbers, const WindowPlace& place, const Rect& core,
                 std::span<u8* const> out);

}  // namespace morpho::exports
