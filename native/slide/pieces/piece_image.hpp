// One picture of a file as pieces: tiles, groups of strips or frames, each with the samples of one or all planes.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "unpack.hpp"

namespace morpho::slide {

/// Samples of a piece, interleaved; of one plane alone where planes lie apart. `extent`: of the piece, cut to the picture's
/// height where it is of strips.
struct Piece {
  Extent extent;
  std::uint32_t stride = 1;  ///< samples from px to px; 0 where all are the same
  std::uint32_t first = 0;   ///< of these samples the wanted one
  std::shared_ptr<const std::vector<u8>> bytes;
};

struct PieceShape {
  i64 width = 0, height = 0;
  Extent piece;  ///< what one piece covers; the last ones of a row or column may reach beyond the picture
  SampleType type = SampleType::u8;
  std::uint32_t bits = 8;     ///< of a sample
  std::uint32_t samples = 1;  ///< of a pixel, in all planes
  bool tiled = false;
  bool planar = false;  ///< each sample of a pixel lies in a piece of its own
};

/// A picture whose numbers were held against the file before it was made. Thread-safe.
class PieceImage {
 public:
  virtual ~PieceImage() = default;
  i64 width() const { return shape_.width; }
  i64 height() const { return shape_.height; }
  Extent piece() const { return shape_.piece; }
  SampleType type() const { return shape_.type; }
  std::uint32_t bits() const { return shape_.bits; }
  std::uint32_t samples() const { return shape_.samples; }
  bool tiled() const { return shape_.tiled; }
  bool planar() const { return shape_.planar; }
  i64 across() const { return (width() + piece().width - 1) / piece().width; }
  i64 down() const { return (height() + piece().height - 1) / piece().height; }
  /// Piece (x, y). Throws PieceError.
  virtual Piece read(i64 x, i64 y, std::uint32_t sample) const = 0;
  /// Piece (x, y) as a JPEG of its own, of three colours, which decodes to what read() gives; nothing where the file has none.
  /// Throws PieceError.
  virtual std::optional<std::vector<u8>> jpeg([[maybe_unused]] i64 x, [[maybe_unused]] i64 y) const { return std::nullopt; }

 protected:
  PieceShape shape_;
};

}  // namespace morpho::slide
