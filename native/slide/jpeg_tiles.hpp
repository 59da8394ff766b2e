// A slide whose JPEG tiles are decoded straight from its file; what this reader does not know goes to the one that it stands
// before.
#pragma once
#include <memory>

#include "openslide_reader.hpp"
#include "tile_cache.hpp"
#include "turbojpeg_library.hpp"

namespace morpho::slide {

/// Reads the levels that the file holds as one directory of JPEG tiles (OpenSlideReader::tiles_of), tile by tile, through one
/// cache. The pixels are OpenSlide's bit by bit: both decode with libjpeg's accurate inverse transform and smooth chroma, and
/// every tile with which the decoder is not wholly content is left to OpenSlide, which shows it or says what is wrong.
/// Cost: a tile's decoding once while it is kept; a copy for each read.
class JpegTileReader final : public Slide {
 public:
  JpegTileReader(std::unique_ptr<OpenSlideReader> inner, const TurboJpegLibrary& library, TileCache& cache);
  ~JpegTileReader() override;

  const SlideInfo& info() const override { return inner_->info(); }
  std::vector<Unreadable> read(int level, i64 x, i64 y, View<Rgba> out, const ReadControl& control) override;
  Band band(int level, const Rect& part, std::vector<Unreadable>& unreadable, const ReadControl& control) override;
  std::optional<std::vector<u8>> tile_jpeg(int level, i64 tx, i64 ty) override { return inner_->tile_jpeg(level, tx, ty); }
  std::vector<Rgba> associated(const std::string& name, Extent& extent) override { return inner_->associated(name, extent); }

 private:
  DecodedTile decode(int level, i64 tx, i64 ty) const;

  std::unique_ptr<OpenSlideReader> inner_;
  const TurboJpegLibrary& library_;
  TileCache& cache_;
  const u64 serial_;  ///< of this slide in the cache
};

}  // namespace morpho::slide
