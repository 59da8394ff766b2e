// Decodes JPEG tiles with libjpeg-turbo and JPEG 2000 tiles with OpenJPEG, has OpenSlide decode others, and lays them out as a
// read asks.
#include "jpeg_tiles.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "jpeg2000.hpp"
#include "on_level.hpp"
#include "rough_level.hpp"

namespace morpho::slide {
namespace {

u64 next_serial() {
  static std::atomic<u64> last{0};
  return ++last;
}

}  // namespace

JpegTileReader::JpegTileReader(std::unique_ptr<OpenSlideReader> inner, const TurboJpegLibrary& library, TileCache& cache)
    : inner_(std::move(inner)), library_(library), cache_(cache), serial_(next_serial()) {}

JpegTileReader::~JpegTileReader() { cache_.forget(serial_); }

DecodedTile JpegTileReader::decode(int level, i64 tx, i64 ty) {
  DecodedTile tile;
  if (const auto jpeg = inner_->has_tiles(level) ? inner_->tile_jpeg(level, tx, ty) : std::nullopt) {
    const Level& l = info().levels[static_cast<std::size_t>(level)];
    tile.width = static_cast<i32>(l.tile_width);
    tile.height = static_cast<i32>(l.tile_height);
    tile.pixels = cache_.memory().take(static_cast<std::size_t>(l.tile_width * l.tile_height));
    if (decode_by_turbojpeg(library_, *jpeg, {tile.width, tile.height}, reinterpret_cast<u8*>(tile.pixels.get()), true))
      return tile;
  }
  if (const OpenJpegLibrary* openjpeg = inner_->has_codestreams(level) ? openjpeg_library() : nullptr) {
    const Extent extent = inner_->piece_extent(level);
    if (const auto codestream = inner_->tile_codestream(level, tx, ty)) {
      tile = {cache_.memory().take(static_cast<std::size_t>(extent.area())), extent.width, extent.height};
      if (decode_rgb_tile(*openjpeg, *codestream, extent, tile.pixels.get())) return tile;
    }
  }
  return decode_behind(level, tx, ty);
}

DecodedTile JpegTileReader::decode_behind(int level, i64 tx, i64 ty) {
  const Level& l = info().levels[static_cast<std::size_t>(level)];
  const Extent kept = inner_->piece_extent(level);
  const i64 x = tx * kept.width, y = ty * kept.height;
  const Extent extent{static_cast<i32>(std::min<i64>(kept.width, l.width - x)),
                      static_cast<i32>(std::min<i64>(kept.height, l.height - y))};
  DecodedTile tile{cache_.memory().take(static_cast<std::size_t>(extent.area())), extent.width, extent.height};
  // What cannot be read is told to each who asks, by the reader behind.
  if (!inner_->read(level, x, y, View<Rgba>(tile.pixels.get(), extent), {}).empty()) tile.pixels = nullptr;
  return tile;
}

Band JpegTileReader::band(int level, const Rect& part, std::vector<Unreadable>& unreadable, const ReadControl& control) {
  const i64 across = inner_->piece_extent(level).width, down = inner_->piece_extent(level).height;
  if (across == 0) return {};
  const i64 ty = part.y / down, end = part.x + part.width;
  Band band{part.y, std::min(part.y + part.height, (ty + 1) * down) - part.y, {}};
  band.patches.reserve(static_cast<std::size_t>((end - 1) / across - part.x / across + 1));
  for (i64 x = part.x; x < end;) {
    const i64 tx = x / across, next = std::min(end, (tx + 1) * across);
    const Extent extent{static_cast<i32>(next - x), static_cast<i32>(band.height)};
    // Without time left the reader behind says so, in its own words.
    const auto tile = control.expired() ? nullptr : cache_.get({serial_, level, tx, ty}, [&] { return decode(level, tx, ty); });
    if (tile && tile->pixels) {
      const Rgba* first = tile->pixels.get() + (band.y - ty * down) * tile->width + (x - tx * across);
      band.patches.push_back({View<const Rgba>(first, extent, tile->width), tile});
    } else {
      const std::shared_ptr<Rgba[]> pixels(new Rgba[static_cast<std::size_t>(extent.area())]);
      auto lost = inner_->read(level, x, band.y, View<Rgba>(pixels.get(), extent), control);
      unreadable.insert(unreadable.end(), std::make_move_iterator(lost.begin()), std::make_move_iterator(lost.end()));
      band.patches.push_back({View<const Rgba>(pixels.get(), extent), pixels});
    }
    x = next;
  }
  return band;
}

std::vector<Unreadable> JpegTileReader::read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) {
  if (inner_->piece_extent(level).empty()) return inner_->read(level, x, y, out, control);
  return read_bands(*this, level, x, y, out, control);
}

std::unique_ptr<Slide> JpegTileReader::rough(double scale) {
  const OpenJpegLibrary* openjpeg = openjpeg_library();
  return openjpeg ? rough_level(*inner_, *openjpeg, scale) : nullptr;
}

}  // namespace morpho::slide
