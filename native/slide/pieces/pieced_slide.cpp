// Reads pieces through the shared cache; gives samples of single channels as they are.
#include "pieced_slide.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "../on_level.hpp"
#include "../turbojpeg_library.hpp"

namespace morpho::slide {
namespace { constexpr i64 kMostWholePx = i64{1} << 25; }  // namespace

PiecedSlide::~PiecedSlide() { cache_.forget(serial_); }

void PiecedSlide::require_level(int level) const {
  if (level < 0 || level >= static_cast<int>(picture_.levels.size()))
    reject("level", "0 to " + std::to_string(picture_.levels.size() - 1), std::to_string(level));
}

Extent PiecedSlide::kept_extent(int level) const {
  return level < 0 || level >= static_cast<int>(picture_.levels.size()) ? Extent{} : shown_image(level).piece();
}

Rect PiecedSlide::to_level0(int level, const Rect& part) const {
  const Level& l = info_.levels[static_cast<std::size_t>(level)];
  const auto x = [&l](i64 v) { return static_cast<double>(v) * l.downsample_x(); };
  const auto y = [&l](i64 v) { return static_cast<double>(v) * l.downsample_y(); };
  const Rect r{static_cast<i64>(std::floor(x(part.x))), static_cast<i64>(std::floor(y(part.y))), 0, 0};
  const i64 right = static_cast<i64>(std::ceil(x(part.x + part.width))),
            bottom = static_cast<i64>(std::ceil(y(part.y + part.height)));
  return intersect({r.x, r.y, right - r.x, bottom - r.y}, {0, 0, info_.levels[0].width, info_.levels[0].height});
}

/// Whether red, green and blue are shown as the file has them.
bool PiecedSlide::is_as_stored() const {
  return picture_.colors && info_.channels.front().type == SampleType::u8 && !composition_.alpha && !composition_.inverted &&
         composition_.range.low == 0 && composition_.range.high == 255;
}

std::optional<std::vector<u8>> PiecedSlide::tile_jpeg(int level, i64 tx, i64 ty) {
  require_level(level);
  const PieceImage& image = shown_image(level);
  if (info_.levels[static_cast<std::size_t>(level)].tile_width == 0 || !is_as_stored() || tx < 0 || ty < 0 ||
      tx >= image.across() || ty >= image.down())
    return std::nullopt;
  try {
    return image.jpeg(tx, ty);
  } catch (const PieceError&) {
    return std::nullopt;  // the read that follows says why
  }
}

/// JPEGs go straight to their pixels, where the decoder is content with them: libtiff has them from the same decoder.
DecodedTile PiecedSlide::decode(const PieceImage& image, i64 tx, i64 ty) const {
  const std::size_t px = static_cast<std::size_t>(image.piece().area());
  DecodedTile made{cache_.memory().take(px), image.piece().width, image.piece().height};
  const TurboJpegLibrary* turbo = is_as_stored() ? turbojpeg_library() : nullptr;
  if (const auto jpeg = turbo ? image.jpeg(tx, ty) : std::nullopt)
    if (decode_by_turbojpeg(*turbo, *jpeg, image.piece(), reinterpret_cast<u8*>(made.pixels.get()), true)) return made;
  if (info_.depth > 8) made.deep.reset(new u16[px]);
  const Extent whole = compose(image, composition_, tx, ty, made.pixels.get(), made.deep.get());
  made.width = whole.width;
  made.height = whole.height;
  return made;
}

Band PiecedSlide::band(int level, const Rect& part, std::vector<Unreadable>& unreadable, const ReadControl& control) {
  require_level(level);
  const PieceImage& image = shown_image(level);
  const i64 across = image.piece().width, down = image.piece().height;
  const i64 ty = part.y / down, end = part.x + part.width;
  Band band{part.y, std::min(part.y + part.height, (ty + 1) * down) - part.y, {}};
  for (i64 x = part.x; x < end;) {
    const i64 tx = x / across, next = std::min(end, (tx + 1) * across);
    const Extent extent{static_cast<i32>(next - x), static_cast<i32>(band.height)};
    std::string reason;
    std::shared_ptr<const DecodedTile> tile;
    if (control.expired()) reason = control.reason();
    else try {
        tile = cache_.get({serial_, level, tx, ty}, [&] { return decode(image, tx, ty); });
      } catch (const PieceError& e) {
        reason = e.what();
        control.lost(reason);
      }
    if (tile) {
      const i64 first = (band.y - ty * down) * tile->width + (x - tx * across);
      View<const u16> deep;
      if (tile->deep) deep = {tile->deep.get() + first, extent, tile->width};
      band.patches.push_back({View<const Rgba>(tile->pixels.get() + first, extent, tile->width), tile, deep});
    } else {
      const std::shared_ptr<Rgba[]> pixels(new Rgba[static_cast<std::size_t>(extent.area())]);
      fill(View<Rgba>(pixels.get(), extent), info_.background);
      unreadable.push_back({to_level0(level, {x, band.y, extent.width, extent.height}), reason});
      band.patches.push_back({View<const Rgba>(pixels.get(), extent), pixels});
    }
    x = next;
  }
  return band;
}

std::vector<Unreadable> PiecedSlide::read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) {
  require_level(level);
  return read_bands(*this, level, x, y, out, control);
}

ChannelSamples PiecedSlide::samples(int level, int channel, const Rect& part, std::vector<Unreadable>& unreadable,
                                    const ReadControl& control) {
  require_level(level);
  if (channel < 0 || channel >= static_cast<int>(picture_.channels.size()))
    reject("channel", "0 to " + std::to_string(picture_.channels.size() - 1), std::to_string(channel));
  const ChannelSource& source = picture_.channels[static_cast<std::size_t>(channel)];
  const PieceImage& image = *picture_.levels[static_cast<std::size_t>(level)][source.page];
  const Rect wanted = intersect(part, {0, 0, image.width(), image.height()});
  const Extent extent{static_cast<i32>(wanted.width), static_cast<i32>(wanted.height)};
  const std::size_t each = sample_bytes(image.type());
  ChannelSamples out{image.type(), extent, std::vector<u8>(static_cast<std::size_t>(extent.area()) * each)};
  if (extent.empty()) return out;
  const i64 pw = image.piece().width, ph = image.piece().height;
  for (i64 ty = wanted.y / ph; ty * ph < wanted.y + wanted.height; ++ty)
    for (i64 tx = wanted.x / pw; tx * pw < wanted.x + wanted.width; ++tx) {
      const Rect here = intersect({tx * pw, ty * ph, pw, ph}, wanted);
      const auto lose = [&](const std::string& reason) {
        unreadable.push_back({to_level0(level, here), reason});
        control.lost(reason);
      };
      if (control.expired()) {
        lose(control.reason());
        continue;
      }
      try {
        const Piece piece = image.read(tx, ty, source.sample);
        for (i64 row = 0; row < here.height; ++row) {
          const i64 from = (here.y + row - ty * ph) * piece.extent.width + here.x - tx * pw;
          u8* to = out.bytes.data() +
                   static_cast<std::size_t>((here.y + row - wanted.y) * wanted.width + here.x - wanted.x) * each;
          const u8* s = piece.bytes->data() + (static_cast<std::size_t>(from) * piece.stride + piece.first) * each;
          for (i64 i = 0; i < here.width; ++i, to += each, s += piece.stride * each) std::memcpy(to, s, each);
        }
      } catch (const PieceError& e) {
        lose(e.what());
      }
    }
  return out;
}

std::vector<Rgba> whole_picture(const PieceImage& image, bool inverted, Extent& extent) {
  if (image.width() > kMostWholePx || image.height() > kMostWholePx / image.width())
    throw PieceError("it claims " + std::to_string(image.width()) + " × " + std::to_string(image.height()) +
                     " px, which is no sane size");
  Composition composition;
  if (image.samples() >= 3) composition.samples = {0, 1, 2};
  i64 most_bytes = i64{1} << 30;
  composition.range = survey(image, composition.samples, kMostWholePx, most_bytes).range;
  composition.inverted = inverted;
  extent = {static_cast<i32>(image.width()), static_cast<i32>(image.height())};
  std::vector<Rgba> pixels(static_cast<std::size_t>(extent.area())), piece(static_cast<std::size_t>(image.piece().area()));
  for (i64 ty = 0; ty < image.down(); ++ty)
    for (i64 tx = 0; tx < image.across(); ++tx) {
      const Extent got = compose(image, composition, tx, ty, piece.data());
      const i64 x = tx * image.piece().width, y = ty * image.piece().height;
      const i64 width = std::min<i64>(got.width, extent.width - x), height = std::min<i64>(got.height, extent.height - y);
      for (i64 row = 0; row < height; ++row)
        std::copy_n(piece.data() + row * got.width, width, pixels.data() + (y + row) * extent.width + x);
    }
  return pixels;
}

}  // namespace morpho::slide
