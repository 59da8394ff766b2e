// Draws what of the tiles a piece of the canvas shows, from the ones on top to those below.
#include "tile_canvas.hpp"

#include <algorithm>
#include <cmath>

#include "../on_level.hpp"
#include "../plausible.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kMostKeptTileBytes = std::size_t{24} << 20;
constexpr i32 kPieceSide = 512;
/// Of tiles over one another along a side; real ones overlap by a tenth of a tile.
constexpr double kMostOverlaps = 4;
constexpr std::size_t kMostParts = 4096;
constexpr std::uint32_t kSamples = 3;

i64 rounded(double v) { return static_cast<i64>(std::floor(v + 0.5)); }

/// Columns (or rows) of parts whose px may be in [from, to) of the canvas: first and beyond the last.
std::pair<i64, i64> parts_between(i64 from, i64 to, double at, double step, i64 side, i64 first, i64 count) {
  const double low = std::floor((static_cast<double>(from - side) - at) / step) - 1;
  const double high = std::ceil((static_cast<double>(to) - at) / step) + 1;
  const double least = static_cast<double>(first), most = static_cast<double>(first + count);
  return {static_cast<i64>(std::clamp(low, least, most)), static_cast<i64>(std::clamp(high + 1, least, most))};
}

std::string cannot_place(const TiffIndex& index, const PlacedTiles& p) {
  const TiffDirectory& d = p.directory;
  if (d.tile_width == 0 || d.tile_height == 0) return "whose levels are not all tiled";
  if (d.samples != kSamples || d.bits != 8 || (d.sample_format != 1 && d.sample_format != 4))
    return "of a scanner, with other samples than red, green and blue of 8 bits";
  const i64 tw = static_cast<i64>(d.tile_width), th = static_cast<i64>(d.tile_height);
  const auto is_place = [](double v) { return std::abs(v) <= static_cast<double>(kLargestSide); };
  const bool divides = p.width > 0 && p.height > 0 && tw % p.width == 0 && th % p.height == 0;
  if (!divides) return "whose tiles cannot be divided as it states";
  if (!is_place(p.x) || !is_place(p.y) || !is_place(p.step_x) || !is_place(p.step_y) ||
      !(p.step_x * kMostOverlaps >= static_cast<double>(p.width)) ||
      !(p.step_y * kMostOverlaps >= static_cast<double>(p.height)))
    return "whose tiles lie over one another as no scanner's do";
  const i64 across = static_cast<i64>(d.tiles_across()) * (tw / p.width),
            down = static_cast<i64>(d.tiles_down()) * (th / p.height);
  if (p.first_column < 0 || p.first_row < 0 || p.columns < 1 || p.rows < 1 || p.columns > across || p.rows > down ||
      p.first_column > across - p.columns || p.first_row > down - p.rows)
    return "that states other tiles than it has";
  return TiffImage::cannot_read(index, d);
}

}  // namespace

PlacedTiles all_tiles(const TiffDirectory& d, double x, double y, i64 overlap_x, i64 overlap_y) {
  PlacedTiles p;
  p.directory = d;
  p.width = static_cast<i64>(d.tile_width);
  p.height = static_cast<i64>(d.tile_height);
  p.columns = static_cast<i64>(d.tiles_across());
  p.rows = static_cast<i64>(d.tiles_down());
  p.x = x;
  p.y = y;
  p.step_x = static_cast<double>(p.width - overlap_x);
  p.step_y = static_cast<double>(p.height - overlap_y);
  return p;
}

std::string TileCanvas::cannot_read(const TiffIndex& index, const CanvasLevel& level) {
  constexpr i64 most = static_cast<i64>(kLargestSide);
  if (level.width < 1 || level.height < 1 || level.width > most || level.height > most)
    return "of " + std::to_string(level.width) + " × " + std::to_string(level.height) + " px";
  if (level.tiles.empty() || level.tiles.size() > kMostParts)
    return "with " + std::to_string(level.tiles.size()) + " pictures on its canvas";
  for (const PlacedTiles& p : level.tiles)
    if (std::string why = cannot_place(index, p); !why.empty()) return why;
  return {};
}

TileCanvas::TileCanvas(const TiffIndex& index, CanvasLevel level, Rgba background)
    : index_(index), level_(std::move(level)), background_(background) {
  shape_.width = level_.width;
  shape_.height = level_.height;
  shape_.samples = kSamples;
  for (const PlacedTiles& p : level_.tiles) images_.push_back(std::make_unique<TiffImage>(index, p.directory));
  const PlacedTiles& p = level_.tiles.front();
  const bool whole = p.x == 0 && p.y == 0 && p.step_x == static_cast<double>(p.directory.tile_width) &&
                     p.step_y == static_cast<double>(p.directory.tile_height);
  shape_.tiled = level_.tiles.size() == 1 && whole;
  shape_.piece = shape_.tiled ? images_.front()->piece() : Extent{kPieceSide, kPieceSide};
}

/// Its samples; null where the scanner left it out.
TileCanvas::Bytes TileCanvas::tile(const Key& key) const {
  const PlacedTiles& p = level_.tiles[key.tiles];
  if (level_.sparse && index_.tile_is_absent(p.directory, static_cast<u64>(key.x), static_cast<u64>(key.y))) return nullptr;
  if (shape_.tiled) return images_[key.tiles]->read(key.x, key.y, 0).bytes;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = kept_.find(key); found != kept_.end()) {
      order_.splice(order_.begin(), order_, found->second.place);
      return found->second.bytes;
    }
  }
  const Piece piece = images_[key.tiles]->read(key.x, key.y, 0);
  const std::lock_guard lock(mutex_);
  if (kept_.count(key) > 0) return piece.bytes;
  order_.push_front(key);
  kept_.emplace(key, Kept{piece.bytes, order_.begin()});
  kept_bytes_ += piece.bytes->size();
  while (kept_bytes_ > kMostKeptTileBytes && order_.size() > 1) {
    const auto last = kept_.find(order_.back());
    kept_bytes_ -= last->second.bytes->size();
    kept_.erase(last);
    order_.pop_back();
  }
  return piece.bytes;
}

void TileCanvas::draw_part(std::size_t k, i64 column, i64 row, const Rect& piece, std::vector<u8>& pixels,
                           std::vector<bool>& covered) const {
  const PlacedTiles& p = level_.tiles[k];
  const i64 tw = static_cast<i64>(p.directory.tile_width), th = static_cast<i64>(p.directory.tile_height);
  const i64 from_x = column * p.width, from_y = row * p.height;
  // A tile may reach beyond its directory's picture: what lies there is none of it.
  const Rect place{rounded(p.x + static_cast<double>(column) * p.step_x), rounded(p.y + static_cast<double>(row) * p.step_y),
                   std::min(p.width, static_cast<i64>(p.directory.width) - from_x),
                   std::min(p.height, static_cast<i64>(p.directory.height) - from_y)};
  const Rect shown = intersect(place, piece);
  if (shown.width < 1 || shown.height < 1) return;
  bool wanted = false;
  for (i64 y = shown.y; y < shown.y + shown.height && !wanted; ++y) {
    const auto at = covered.begin() + ((y - piece.y) * piece.width + shown.x - piece.x);
    wanted = std::find(at, at + shown.width, false) != at + shown.width;
  }
  if (!wanted) return;
  const Bytes bytes = tile({k, from_x / tw, from_y / th});
  if (!bytes) return;
  for (i64 y = shown.y; y < shown.y + shown.height; ++y) {
    const u8* from = bytes->data() + kSamples * ((from_y % th + y - place.y) * tw + from_x % tw + shown.x - place.x);
    const i64 at = (y - piece.y) * piece.width + shown.x - piece.x;
    u8* to = pixels.data() + kSamples * at;
    for (i64 i = 0; i < shown.width; ++i, from += kSamples, to += kSamples) {
      if (covered[static_cast<std::size_t>(at + i)]) continue;
      covered[static_cast<std::size_t>(at + i)] = true;
      std::copy_n(from, kSamples, to);
    }
  }
}

void TileCanvas::draw(std::size_t k, const Rect& piece, std::vector<u8>& pixels, std::vector<bool>& covered) const {
  const PlacedTiles& p = level_.tiles[k];
  const auto [left, right] = parts_between(piece.x, piece.x + piece.width, p.x, p.step_x, p.width, p.first_column, p.columns);
  const auto [top, bottom] = parts_between(piece.y, piece.y + piece.height, p.y, p.step_y, p.height, p.first_row, p.rows);
  for (i64 row = bottom - 1; row >= top; --row)
    for (i64 column = right - 1; column >= left; --column) draw_part(k, column, row, piece, pixels, covered);
}

std::optional<std::vector<u8>> TileCanvas::jpeg(i64 x, i64 y) const {
  const PlacedTiles& p = level_.tiles.front();
  const bool whole = shape_.tiled && p.first_column == 0 && p.first_row == 0 && p.width == shape_.piece.width &&
                     p.height == shape_.piece.height && x < p.columns && y < p.rows;
  if (!whole || (level_.sparse && index_.tile_is_absent(p.directory, static_cast<u64>(x), static_cast<u64>(y))))
    return std::nullopt;
  return images_.front()->jpeg(x, y);
}

Piece TileCanvas::read(i64 x, i64 y, std::uint32_t sample) const {
  const Extent extent = shape_.piece;
  Piece piece;
  piece.extent = extent;
  piece.stride = kSamples;
  piece.first = sample;
  std::vector<u8> pixels(kSamples * static_cast<std::size_t>(extent.area()));
  for (std::size_t i = 0; i < pixels.size(); i += kSamples)
    pixels[i] = background_.r, pixels[i + 1] = background_.g, pixels[i + 2] = background_.b;
  std::vector<bool> covered(static_cast<std::size_t>(extent.area()));
  const Rect whole{x * extent.width, y * extent.height, extent.width, extent.height};
  for (std::size_t k = 0; k < level_.tiles.size(); ++k) draw(k, whole, pixels, covered);
  piece.bytes = std::make_shared<const std::vector<u8>>(std::move(pixels));
  return piece;
}

}  // namespace morpho::slide
