// Gives each object of a window to the tile that its first pixel lies in, and to those that it visits.
#include "pack_window.hpp"

#include <algorithm>

#include "contract/error.hpp"

namespace morpho::exports {
namespace {

/// For tiles left of and above the image's corner too.
i64 tile_at(i64 px, i64 tile_px) { return px >= 0 ? px / tile_px : -((-px + tile_px - 1) / tile_px); }

/// The tiles that an object meets, and its own.
struct Reach {
  i64 own_x, own_y, left, top, right, bottom;
};
Reach reach_of(const ObjectMeasurement& m, std::span<const Run> cell, const WindowPlace& p) {
  const auto x = [&](i32 at) { return tile_at(p.x + at, p.tile_px); };
  const auto y = [&](i32 at) { return tile_at(p.y + at, p.tile_px); };
  Reach reach{x(m.first_x), y(m.first_y), x(m.min_x), y(m.min_y), x(m.max_x), y(m.max_y)};
  for (const Run& run : cell) {
    reach.left = std::min(reach.left, x(run.x0)), reach.right = std::max(reach.right, x(run.x1 - 1));
    reach.top = std::min(reach.top, y(run.y)), reach.bottom = std::max(reach.bottom, y(run.y));
  }
  return reach;
}

bool is_cut(const ObjectMeasurement& m, const WindowPlace& p) {
  return (p.x > 0 && m.min_x <= 0) || (p.y > 0 && m.min_y <= 0) ||
         (p.x + p.extent.width < p.image_width && m.max_x >= p.extent.width - 1) ||
         (p.y + p.extent.height < p.image_height && m.max_y >= p.extent.height - 1);
}

TileRows packed(const ObjectSet& found, const WindowPlace& place, const std::vector<std::vector<i32>>& rows_of,
                const ChannelColumns& channels) {
  TileRows tiles;
  std::vector<i32> rows;
  tiles.starts.push_back(0);
  for (const std::vector<i32>& own : rows_of) {
    rows.insert(rows.end(), own.begin(), own.end());
    tiles.starts.push_back(static_cast<std::uint32_t>(rows.size()));
  }
  if (place.tile_px > 0) {
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const ObjectMeasurement& m = found.objects[static_cast<std::size_t>(rows[n])];
      if (is_cut(m, place)) tiles.cut.push_back(static_cast<std::uint32_t>(n));
      const Reach reach = reach_of(m, channels.cell_of(static_cast<std::size_t>(rows[n])), place);
      for (i64 y = reach.top; y <= reach.bottom; ++y) {
        for (i64 x = reach.left; x <= reach.right; ++x) {
          if (x == reach.own_x && y == reach.own_y) continue;
          tiles.crossings.insert(tiles.crossings.end(), {static_cast<i32>(n), static_cast<i32>(x), static_cast<i32>(y)});
        }
      }
    }
  }
  tiles.rows = pack_rows(found, rows, place.x, place.y, channels);
  return tiles;
}

}  // namespace

std::vector<u8> packed_of(const ObjectSet& found, const WindowPlace& place, bool with_overlapping) {
  std::vector<u8> packed(found.objects.size(), 1);
  if (place.tile_px <= 0) return packed;
  for (std::size_t k = 0; k < packed.size(); ++k) {
    const Reach r = reach_of(found.objects[k], {}, place);
    packed[k] = std::any_of(place.tiles.begin(), place.tiles.end(), [&](const WindowPlace::Tile& t) {
      if (t.x == r.own_x && t.y == r.own_y) return true;
      return with_overlapping && t.x >= r.left && t.x <= r.right && t.y >= r.top && t.y <= r.bottom;
    });
  }
  return packed;
}

PackedWindow pack_window(const ObjectSet& found, const WindowPlace& place, bool with_overlapping,
                         const ChannelColumns& channels) {
  const std::size_t count = found.objects.size();
  if (found.run_offsets.size() != count + 1)
    throw Error(ErrorCode::internal, "the objects of a window do not match their runs",
                std::to_string(count) + " objects, " + std::to_string(found.run_offsets.size()) + " offsets");
  const bool tiled = place.tile_px > 0;
  std::vector<std::vector<i32>> owned(tiled ? place.tiles.size() : 1), overlapping(owned.size());
  const auto give = [&](i64 x, i64 y, std::vector<std::vector<i32>>& to, i32 row) {
    for (std::size_t t = 0; t < place.tiles.size(); ++t) {
      if (place.tiles[t].x != x || place.tiles[t].y != y) continue;
      to[t].push_back(row);
      return;
    }
  };
  for (std::size_t k = 0; k < count; ++k) {
    const i32 row = static_cast<i32>(k);
    if (!tiled) {
      owned[0].push_back(row);
      continue;
    }
    const Reach reach = reach_of(found.objects[k], channels.cell_of(k), place);
    give(reach.own_x, reach.own_y, owned, row);
    if (!with_overlapping) continue;
    for (i64 y = reach.top; y <= reach.bottom; ++y)
      for (i64 x = reach.left; x <= reach.right; ++x)
        if (x != reach.own_x || y != reach.own_y) give(x, y, overlapping, row);
  }
  PackedWindow window;
  window.owned = packed(found, place, owned, channels);
  if (!with_overlapping) return window;
  window.overlapping = packed(found, place, overlapping, channels);
  for (const ObjectMeasurement& m : found.objects)
    window.numbers.insert(window.numbers.end(),
                          {m.label, static_cast<i32>(place.x + m.first_x), static_cast<i32>(place.y + m.first_y)});
  return window;
}

}  // namespace morpho::exports
