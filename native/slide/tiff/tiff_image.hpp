// One directory of a TIFF as pieces: its tiles, or groups of its strips.
#pragma once
#include <string>
#include <vector>

#include "../pieces/piece_image.hpp"
#include "../tiff_index.hpp"

namespace morpho::slide {

/// A directory whose numbers were held against the file: sizes, tables and the samples of a piece stay within what a slide may
/// have. Keeps a reference to the index. Thread-safe.
class TiffImage final : public PieceImage {
 public:
  /// Why the directory is not read, in words that follow on "a TIFF"; empty where it is.
  static std::string cannot_read(const TiffIndex& index, const TiffDirectory& directory);
  TiffImage(const TiffIndex& index, const TiffDirectory& directory, bool is_aperio = false);

  /// Throws PieceError.
  Piece read(i64 x, i64 y, std::uint32_t sample) const override;
  std::optional<std::vector<u8>> jpeg(i64 x, i64 y) const override;

 private:
  std::vector<u8> stored(u64 index) const;
  std::vector<u8> rows_of(u64 strip, i64 row, Extent extent) const;

  const TiffIndex& index_;
  TiffDirectory directory_;
  Packing packing_;
  i64 strip_rows_ = 0;  ///< of one strip; a piece holds a whole number of them, or of an uncompressed one some rows
};

}  // namespace morpho::slide
