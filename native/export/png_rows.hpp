// A picture of red, green and blue as PNG, in bands of rows that are made apart, on as many threads as there are.
#pragma once
#include <span>
#include <vector>

#include "contract/view.hpp"

namespace morpho::exports {

/// What the end of a file must know of a band.
struct PngSum {
  std::uint32_t adler = 1;  ///< of its rows as they were compressed
  i64 bytes = 0;            ///< of them
};
struct PngBand {
  std::vector<u8> chunk;
  PngSum sum;
};

/// What stands before the bands.
std::vector<u8> png_start(Extent extent);
/// Rows [y, y + rows) of [height, width] px of three bytes, as one chunk. Paeth's filter and deflate_runs, whose sizes on
/// tissue are those of zlib's slow levels: 19.5 MB of 13.5 Mpx where its level 1 leaves 30 without a filter. Requires 0 < rows.
/// Memory: the rows once more, and the result's.
/// Source: PNG (ISO/IEC 15948), RFC 1950.
PngBand png_band(const u8* rgb, i32 width, i64 y, i64 rows);
/// What stands behind the bands, of which all are told, in order.
std::vector<u8> png_end(std::span<const PngSum> bands);

}  // namespace morpho::exports
