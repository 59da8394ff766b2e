// Makes a TIFF's abbreviated JPEG tile a JPEG of its own, with the colours that the TIFF means.
#pragma once
#include <optional>
#include <vector>

#include "../contract/view.hpp"

namespace morpho::slide {

/// What the TIFF says about its tiles, against which the stream is checked.
struct JpegTile {
  u64 width = 0, height = 0;
  std::uint32_t photometric = 0;  ///< 1 grey, 2 RGB, 6 YCbCr
  std::uint32_t samples = 0;
};

/// `tile` with the segments of `tables` in front of its own, without application segments (an Exif orientation would turn the
/// tile), and with an Adobe segment that states the colour transform of 3-component tiles: decoders would otherwise take RGB
/// for YCbCr. Nothing where the stream is not a sane 8-bit Huffman JPEG of the stated extent that ends with EOI: OpenSlide
/// then decodes it, or says what is wrong. Cost: one copy.
std::optional<std::vector<u8>> splice_jpeg(const std::vector<u8>& tile, const std::vector<u8>& tables,
                                           const JpegTile& expected);

}  // namespace morpho::slide
