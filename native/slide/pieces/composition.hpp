// From samples of any type to the 8-bit picture that is analysed: which samples, over which range, on which
// background.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "piece_image.hpp"

namespace morpho::slide {

struct Range {
  double low = 0, high = 255;
};

struct Composition {
  std::vector<std::uint32_t> samples{0};  ///< one (grey), or three (red, green, blue)
  Range range;                            ///< becomes 0 to 255, linearly; values beyond become 0 or 255
  bool inverted = false;                  ///< 0 is white
  std::optional<std::uint32_t> alpha;     ///< the sample that is opacity
  bool premultiplied = false;
  Rgba background{255, 255, 255, 255};
};

/// The pixels of piece (x, y), [extent.height, extent.width]; `to` has room for a whole piece. NaN becomes 0. Throws
/// PieceError. `deep` (may be null) has as much room: of a grey composition without alpha, the range as 0 to 65535.
Extent compose(const PieceImage& image, const Composition& composition, i64 x, i64 y, Rgba* to, u16* deep = nullptr);

/// What of the samples' values a range was taken from.
struct Survey {
  Range range;
  bool whole = false;    ///< all of the image was read
  bool clipped = false;  ///< outliers lie beyond the range
  std::string lost;      ///< why a piece was read neither at first nor the second time; empty: all that were wanted were read
};
/// The range of some samples of an image together. Unsigned ones of 8 bits have theirs, and nothing
/// is read for them. For others it is
/// from 0, or the least value where that is less, to the greatest. Values that are not finite count for nothing. Where fewer
/// than one value in a thousand lies more than twice as far out as all others, the range ends at the others: they are outliers.
/// Reads pieces spread evenly over the image until it has seen `most` px; at most 1024, and no more than `most_bytes` of
/// samples, from which it takes what it read. What fails is read once more after all others. The same each time, where nothing
/// is lost.
Survey survey(const PieceImage& image, const std::vector<std::uint32_t>& samples, i64 most, i64& most_bytes);

}  // namespace morpho::slide
