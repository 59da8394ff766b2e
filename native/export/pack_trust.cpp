// Gives each tile its share of a window's unreadable pixels.
#include "pack_trust.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "pack_planes.hpp"

namespace morpho::exports {
namespace {

Rect common(const Rect& a, const Rect& b) {
  const i64 x0 = std::max(a.x, b.x), y0 = std::max(a.y, b.y);
  const i64 x1 = std::min(a.x + a.width, b.x + b.width), y1 = std::min(a.y + a.height, b.y + b.height);
  return x0 < x1 && y0 < y1 ? Rect{x0, y0, x1 - x0, y1 - y0} : Rect{};
}

/// Squares by row and column, joined to rectangles within `tile`.
std::vector<Rect> joined(const std::set<std::pair<i64, i64>>& squares, const Rect& tile) {
  std::vector<Rect> rects;
  for (auto at = squares.begin(); at != squares.end();) {
    const i64 row = at->first, first = at->second;
    i64 end = first;
    for (; at != squares.end() && at->first == row && at->second == end; ++at) ++end;
    const Rect r = common({first * kTrustSquare, row * kTrustSquare, (end - first) * kTrustSquare, kTrustSquare}, tile);
    const auto above = std::find_if(rects.rbegin(), rects.rend(),
                                    [&](const Rect& o) { return o.x == r.x && o.width == r.width && o.y + o.height == r.y; });
    if (above != rects.rend()) above->height += r.height;
    else rects.push_back(r);
  }
  return rects;
}

TileTrust of_tile(std::span<const Run> unreadable, std::span<const Rect> parts, const WindowPlace& place, const Rect& tile) {
  TileTrust trust;
  std::vector<bool> matters(parts.size(), false);
  std::set<std::pair<i64, i64>> squares;
  for (const Run& run : unreadable) {
    const Rect r = common({run.x0 + place.x, run.y + place.y, i64{run.x1} - run.x0, 1}, tile);
    if (r.width <= 0) continue;
    // What lies in a part is told by it.
    std::vector<std::pair<i64, i64>> left{{r.x, r.x + r.width}};
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Rect inside = common(parts[k], r);
      if (inside.width <= 0) continue;
      matters[k] = true;
      std::vector<std::pair<i64, i64>> rest;
      for (const auto& [x0, x1] : left) {
        if (x0 < std::min(x1, inside.x)) rest.emplace_back(x0, std::min(x1, inside.x));
        if (std::max(x0, inside.x + inside.width) < x1) rest.emplace_back(std::max(x0, inside.x + inside.width), x1);
      }
      left = std::move(rest);
    }
    for (const auto& [x0, x1] : left)
      for (i64 column = x0 / kTrustSquare; column <= (x1 - 1) / kTrustSquare; ++column)
        squares.emplace(r.y / kTrustSquare, column);
  }
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (matters[k]) trust.parts.push_back(static_cast<std::uint32_t>(k));
  trust.squares = joined(squares, tile);
  return trust;
}

}  // namespace

std::vector<TileTrust> pack_trust(std::span<const Run> unreadable, std::span<const Rect> parts, const WindowPlace& place,
                                  const Rect& core) {
  const bool tiled = place.tile_px > 0;
  std::vector<TileTrust> tiles(tiled ? place.tiles.size() : 1);
  if (unreadable.empty()) return tiles;
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    Rect tile = tiled ? tile_in_core(place, core, place.tiles[t]) : Rect{0, 0, core.width, core.height};
    tile.x += place.x + core.x, tile.y += place.y + core.y;
    tiles[t] = of_tile(unreadable, parts, place, tile);
  }
  return tiles;
}

}  // namespace morpho::exports
