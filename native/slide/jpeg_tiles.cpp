// Decodes JPEG tiles with libjpeg-turbo and lays them out as a read asks.
#include "jpeg_tiles.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace morpho::slide {
namespace {

// TurboJPEG's own numbers.
constexpr int kRgba = 7;            // TJPF_RGBA: opaque
constexpr int kAccurateDct = 4096;  // TJFLAG_ACCURATEDCT: libjpeg's default, which OpenSlide has
constexpr int kLimitScans = 32768;  // TJFLAG_LIMITSCANS: progressive bombs end early (2.1 and later)

/// One decoder a thread: TurboJPEG's handles are not for several at once, and making one for each tile costs.
class Decoder {
 public:
  explicit Decoder(const TurboJpegLibrary& library) : library_(library), handle_(library.init_decompress()) {}
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() {
    if (handle_) library_.destroy(handle_);
  }
  /// False also where the decoder has only warned: its pixels need not be another decoder's then.
  bool decode(const std::vector<u8>& jpeg, const DecodedTile& tile) const {
    return handle_ && library_.decompress(handle_, jpeg.data(), static_cast<unsigned long>(jpeg.size()),
                                          reinterpret_cast<unsigned char*>(tile.pixels.get()), tile.width,
                                          tile.width * static_cast<int>(sizeof(Rgba)), tile.height, kRgba,
                                          kAccurateDct | kLimitScans) == 0;
  }

 private:
  const TurboJpegLibrary& library_;
  void* handle_;
};

u64 next_serial() {
  static std::atomic<u64> last{0};
  return ++last;
}

}  // namespace

JpegTileReader::JpegTileReader(std::unique_ptr<OpenSlideReader> inner, const TurboJpegLibrary& library, TileCache& cache)
    : inner_(std::move(inner)), library_(library), cache_(cache), serial_(next_serial()) {}

JpegTileReader::~JpegTileReader() { cache_.forget(serial_); }

DecodedTile JpegTileReader::decode(int level, i64 tx, i64 ty) const {
  DecodedTile tile;
  const auto jpeg = inner_->tile_jpeg(level, tx, ty);
  if (!jpeg) return tile;
  const Level& l = info().levels[static_cast<std::size_t>(level)];
  tile.width = static_cast<i32>(l.tile_width);
  tile.height = static_cast<i32>(l.tile_height);
  tile.pixels = std::make_unique_for_overwrite<Rgba[]>(static_cast<std::size_t>(l.tile_width * l.tile_height));
  static thread_local const Decoder decoder(library_);
  if (!decoder.decode(*jpeg, tile)) tile.pixels = nullptr;
  return tile;
}

std::vector<Unreadable> JpegTileReader::read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) {
  if (!inner_->has_tiles(level)) return inner_->read(level, x, y, out, control);
  constexpr i64 kFar = i64{1} << 40;
  for (i32 j = 0; j < out.height(); ++j) std::fill_n(out.row(j), out.width(), info().background);
  std::vector<Unreadable> unreadable;
  if (out.extent.empty() || x > kFar || y > kFar || x < -kFar || y < -kFar) return unreadable;
  const Level& l = info().levels[static_cast<std::size_t>(level)];
  const i64 x1 = std::min(l.width, x + out.width()), y1 = std::min(l.height, y + out.height());
  for (i64 cy = std::max<i64>(0, y); cy < y1;) {
    const i64 ty = cy / l.tile_height, next_y = std::min(y1, (ty + 1) * l.tile_height);
    for (i64 cx = std::max<i64>(0, x); cx < x1;) {
      const i64 tx = cx / l.tile_width, next_x = std::min(x1, (tx + 1) * l.tile_width);
      const View<Rgba> part = out.sub(static_cast<i32>(cx - x), static_cast<i32>(cy - y),
                                      {static_cast<i32>(next_x - cx), static_cast<i32>(next_y - cy)});
      // Without time left the reader behind says so, in its own words.
      const auto tile = control.expired() ? nullptr
                                          : cache_.get({serial_, level, tx, ty}, [&] { return decode(level, tx, ty); });
      if (tile && tile->pixels) {
        for (i32 j = 0; j < part.height(); ++j) {
          const Rgba* from = tile->pixels.get() + (cy + j - ty * l.tile_height) * l.tile_width + (cx - tx * l.tile_width);
          std::copy_n(from, part.width(), part.row(j));
        }
      } else {
        auto lost = inner_->read(level, cx, cy, part, control);
        unreadable.insert(unreadable.end(), std::make_move_iterator(lost.begin()), std::make_move_iterator(lost.end()));
      }
      cx = next_x;
    }
    cy = next_y;
  }
  return unreadable;
}

}  // namespace morpho::slide
