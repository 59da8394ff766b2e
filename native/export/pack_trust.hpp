// What of each tile of a window stands on pixels that could not be read, as main/run keeps it.
#pragma once
#include <span>

#include "pack_window.hpp"

namespace morpho::exports {

/// Squares of so many px, counted from the image's corner, stand for the pixels in them.
inline constexpr i64 kTrustSquare = 16;

struct TileTrust {
  std::vector<std::uint32_t> parts;  ///< of the parts that were not read, those that lie in the tile where that matters
  std::vector<Rect> squares;  ///< px of the image, in the tile: they hold all other pixels of it that the parts could change
  bool whole() const { return parts.empty() && squares.empty(); }
};

/// Of each tile of `place` (without tiles: of the core) its share of `unreadable`, runs of the window in its core. `parts` in
/// px of the image. O(runs + squares) a tile that has any.
std::vector<TileTrust> pack_trust(std::span<const Run> unreadable, std::span<const Rect> parts, const WindowPlace& place,
                                  const Rect& core);

}  // namespace morpho::exports
