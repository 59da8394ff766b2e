// One level of halved tiles, through a small cache of its own, as several threads decode ahead of who reads.
#include "rough_level.hpp"

#include <algorithm>
#include <utility>

#include "jpeg2000.hpp"
#include "on_level.hpp"
#include "tile_cache.hpp"

namespace morpho::slide {
namespace {

constexpr int kMostHalvings = 3;
/// Some rows of tiles of the widest level: they are read once, from top to bottom.
constexpr std::size_t kRoughBytes = std::size_t{32} << 20;

class RoughLevel final : public Slide {
 public:
  RoughLevel(const OpenSlideReader& reader, const OpenJpegLibrary& library, int level, int halvings)
      : reader_(reader), library_(library), level_(level), halvings_(halvings), info_(reader.info()) {
    Level halved_level = info_.levels[static_cast<std::size_t>(level)];
    for (i64* px : {&halved_level.width, &halved_level.height, &halved_level.tile_width, &halved_level.tile_height})
      *px = halved(*px, halvings);
    for (double* px : {&halved_level.downsample, &halved_level.own_x, &halved_level.own_y}) *px *= 1 << halvings;
    info_.levels = {halved_level};
  }

  const SlideInfo& info() const override { return info_; }
  std::vector<Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) override {
    return read_bands(*this, level, x, y, out, control);
  }
  Extent kept_extent(int) const override {
    const Level& l = info_.levels.front();
    return {static_cast<i32>(l.tile_width), static_cast<i32>(l.tile_height)};
  }
  Band band(int level, const Rect& part, std::vector<Unreadable>& unreadable, const ReadControl& control) override {
    const i64 across = kept_extent(level).width, down = kept_extent(level).height;
    const i64 ty = part.y / down, end = part.x + part.width;
    Band band{part.y, std::min(part.y + part.height, (ty + 1) * down) - part.y, {}};
    for (i64 x = part.x; x < end;) {
      const i64 tx = x / across, next = std::min(end, (tx + 1) * across);
      const Extent extent{static_cast<i32>(next - x), static_cast<i32>(band.height)};
      const auto tile = control.expired() ? nullptr : cache_.get({0, 0, tx, ty}, [&] { return decode(tx, ty); });
      if (tile && tile->pixels) {
        const Rgba* first = tile->pixels.get() + (band.y - ty * down) * tile->width + (x - tx * across);
        band.patches.push_back({View<const Rgba>(first, extent, tile->width), tile});
      } else {
        const std::shared_ptr<Rgba[]> pixels(new Rgba[static_cast<std::size_t>(extent.area())]);
        fill(View<Rgba>(pixels.get(), extent), info_.background);
        band.patches.push_back({View<const Rgba>(pixels.get(), extent), pixels});
        unreadable.push_back({{}, tile ? "no picture of half its size" : control.reason()});
        control.lost(unreadable.back().reason);
      }
      x = next;
    }
    return band;
  }
  std::optional<std::vector<u8>> tile_jpeg(int, i64, i64) override { return std::nullopt; }
  std::vector<Rgba> associated(const std::string& name, Extent&) override {
    throw Error(ErrorCode::not_found, info_.path + " has no associated image \"" + name + "\" at half its size");
  }

 private:
  DecodedTile decode(i64 tx, i64 ty) {
    const Level& whole = reader_.info().levels[static_cast<std::size_t>(level_)];
    const Extent extent{static_cast<i32>(whole.tile_width), static_cast<i32>(whole.tile_height)}, left = kept_extent(0);
    DecodedTile tile{cache_.memory().take(static_cast<std::size_t>(left.area())), left.width, left.height};
    const auto codestream = reader_.tile_codestream(level_, tx, ty);
    if (!codestream || !decode_rgb_tile(library_, *codestream, extent, tile.pixels.get(), halvings_)) tile.pixels = nullptr;
    return tile;
  }

  const OpenSlideReader& reader_;
  const OpenJpegLibrary& library_;
  const int level_, halvings_;
  SlideInfo info_;
  TileCache cache_{kRoughBytes};
};

}  // namespace

std::unique_ptr<Slide> rough_level(const OpenSlideReader& reader, const OpenJpegLibrary& library, double scale) {
  int best = -1, best_halvings = 0;
  double nearest = 0;
  // Not level 0: half of it lacks the sensor's noise, which counts as colour (97.96 % became 98.07); a scanner's own smaller
  // levels have none.
  for (std::size_t i = 1; i < reader.info().levels.size(); ++i) {
    const Level& level = reader.info().levels[i];
    if (!reader.has_resampled_codestreams(static_cast<int>(i))) continue;
    // As read_scaled does, a level up to a hundredth coarser counts as no coarser.
    for (int halvings = 1; halvings <= kMostHalvings; ++halvings) {
      const double downsample = level.downsample * (1 << halvings);
      const i64 rest = (level.tile_width | level.tile_height) & ((1 << halvings) - 1);
      if (rest != 0 || downsample > scale * 1.01 || downsample <= nearest) continue;
      nearest = downsample;
      best = static_cast<int>(i);
      best_halvings = halvings;
    }
  }
  // A level that is as near needs no halving.
  for (const Level& level : reader.info().levels)
    if (level.downsample <= scale * 1.01 && level.downsample >= nearest) best = -1;
  return best < 0 ? nullptr : std::make_unique<RoughLevel>(reader, library, best, best_halvings);
}

}  // namespace morpho::slide
