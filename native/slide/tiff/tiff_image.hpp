// One directory of a TIFF as pieces: its tiles, or groups of its strips, each with the samples of one or all planes.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "unpack.hpp"

namespace morpho::slide {

/// A directory whose numbers were held against the file: sizes, tables and the samples of a piece stay within what a slide may
/// have. Keeps a reference to the index. Thread-safe.
class TiffImage {
 public:
  /// Why the directory is not read, in words that follow on "a TIFF"; empty where it is.
  static std::string cannot_read(const TiffIndex& index, const TiffDirectory& directory);
  TiffImage(const TiffIndex& index, const TiffDirectory& directory);

  i64 width() const { return width_; }
  i64 height() const { return height_; }
  bool tiled() const { return tiled_; }
  SampleType type() const { return packing_.type; }
  /// Of a pixel, in all planes.
  std::uint32_t samples() const { return directory_.samples; }
  const TiffDirectory& directory() const { return directory_; }
  /// What one piece covers; the last ones of a row or column may reach beyond the picture.
  Extent piece() const { return piece_; }
  i64 across() const { return (width_ + piece_.width - 1) / piece_.width; }
  i64 down() const { return (height_ + piece_.height - 1) / piece_.height; }

  /// Samples of piece (x, y), interleaved; of the plane of `sample` alone where planes lie apart. `extent`: of the piece, cut
  /// to the picture's height where it is of strips.
  struct Piece {
    Extent extent;
    std::uint32_t stride = 1;  ///< samples from px to px
    std::uint32_t first = 0;   ///< of these samples the wanted one
    std::shared_ptr<const std::vector<u8>> bytes;
  };
  /// Throws PieceError.
  Piece read(i64 x, i64 y, std::uint32_t sample) const;
  /// Whether each sample of a pixel lies in a piece of its own.
  bool planar() const { return planar_; }

 private:
  std::vector<u8> stored(u64 index) const;
  std::vector<u8> rows_of(u64 strip, i64 row, Extent extent) const;

  const TiffIndex& index_;
  TiffDirectory directory_;
  Packing packing_;
  i64 width_ = 0, height_ = 0;
  Extent piece_;
  i64 strip_rows_ = 0;  ///< of one strip; a piece holds a whole number of them, or of an uncompressed one some rows
  bool tiled_ = false, planar_ = false;
};

}  // namespace morpho::slide
