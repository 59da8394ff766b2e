// A slide whose tiles are decoded once for all who ask: JPEG tiles straight from its file, others by OpenSlide.
#pragma once
#include <memory>

#include "openslide_reader.hpp"
#include "tile_cache.hpp"
#include "turbojpeg_library.hpp"

namespace morpho::slide {

/// Reads tile by tile through one cache. Levels that the file holds as one directory of JPEG tiles (OpenSlideReader::has_tiles)
/// are decoded from it. The pixels are OpenSlide's bit by bit: both decode with libjpeg's accurate inverse transform and smooth
/// chroma, and every tile with which the decoder is not wholly content is left to OpenSlide, which shows it or says what is
/// wrong. Of other levels, too, OpenSlide reads what is kept (OpenSlideReader::piece_extent). Cost: a tile's decoding once
/// while it is kept; a copy for each read.
class JpegTileReader final : public Slide {
 public:
  JpegTileReader(std::unique_ptr<OpenSlideReader> inner, const TurboJpegLibrary& library, TileCache& cache);
  ~JpegTileReader() override;

  const SlideInfo& info() const override { return inner_->info(); }
  std::vector<Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) override;
  Band band(int level, const Rect& part, std::vector<Unreadable>& unreadable, const ReadControl& control) override;
  Extent kept_extent(int level) const override { return inner_->piece_extent(level); }
  std::unique_ptr<Slide> rough(double scale) override;
  std::optional<std::vector<u8>> tile_jpeg(int level, i64 tx, i64 ty) override { return inner_->tile_jpeg(level, tx, ty); }
  std::vector<Rgba> associated(const std::string& name, Extent& extent) override { return inner_->associated(name, extent); }

 private:
  DecodedTile decode(int level, i64 tx, i64 ty);
  DecodedTile decode_behind(int level, i64 tx, i64 ty);

  std::unique_ptr<OpenSlideReader> inner_;
  const TurboJpegLibrary& library_;
  TileCache& cache_;
  const u64 serial_;  ///< of this slide in the cache
};

}  // namespace morpho::slide
