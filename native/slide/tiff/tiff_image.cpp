// Judges a directory, finds the bytes of its pieces, and has them unpacked.
#include "tiff_image.hpp"

#include <algorithm>
#include <numeric>

#include "../jpeg_splice.hpp"
#include "../plausible.hpp"

namespace morpho::slide {
namespace {

/// Of a piece of strips: small strips are read together.
constexpr i64 kRowsOfPiece = 256;
constexpr u64 kMostSamples = 512;

std::optional<SampleType> type_of(const TiffDirectory& d) {
  const auto is = [&](std::uint32_t bits, std::uint32_t format) { return d.bits == bits && d.sample_format == format; };
  // 4: "undefined", which programs write for unsigned numbers.
  const bool is_unsigned = d.sample_format == 1 || d.sample_format == 4;
  if (is_unsigned && d.bits >= 1 && d.bits <= 8) return SampleType::u8;
  if (is_unsigned && d.bits > 8 && d.bits <= 16) return SampleType::u16;
  if (is_unsigned && d.bits == 32) return SampleType::u32;
  if (is(8, 2)) return SampleType::i8;
  if (is(16, 2)) return SampleType::i16;
  if (is(32, 2)) return SampleType::i32;
  if (is(32, 3)) return SampleType::f32;
  if (is(64, 3)) return SampleType::f64;
  return std::nullopt;
}

Packing packing_of(const TiffIndex& index, const TiffDirectory& d) {
  Packing p;
  p.type = type_of(d).value_or(SampleType::u8);
  p.bits = d.bits;
  p.samples = d.planar == 2 ? 1 : d.samples;
  p.compression = d.compression;
  p.predictor = d.predictor;
  p.photometric = d.photometric;
  p.fill_order = d.fill_order;
  p.sample_format = d.sample_format;
  p.big_endian = index.big_endian();
  if (d.compression == 7) p.jpeg_tables = index.jpeg_tables(d);
  return p;
}

/// Rows of a strip; all where the file says none, or more.
i64 strip_rows(const TiffDirectory& d) {
  return static_cast<i64>(d.rows_per_strip == 0 ? d.height : std::min(d.rows_per_strip, d.height));
}

/// What one call unpacks at most.
u64 unpacked_at_once(const TiffDirectory& d) {
  const u64 samples = d.planar == 2 ? 1 : d.samples, row = (d.width * samples * d.bits + 7) / 8;
  if (d.tile_width > 0) return (d.tile_width * samples * d.bits + 7) / 8 * d.tile_height;
  return d.compression == 1 ? row : row * static_cast<u64>(strip_rows(d));
}

}  // namespace

std::string TiffImage::cannot_read(const TiffIndex& index, const TiffDirectory& d) {
  if (d.width == 0 || d.height == 0 || d.width > kLargestSide || d.height > kLargestSide)
    return "of " + std::to_string(d.width) + " × " + std::to_string(d.height) + " px";
  if (!type_of(d))
    return "with samples of " + (d.bits == 0 ? std::string("different numbers of") : std::to_string(d.bits)) +
           " bits (sample format " + std::to_string(d.sample_format) + ")";
  if (d.samples == 0 || d.samples > kMostSamples || (d.planar != 1 && d.planar != 2))
    return "with " + std::to_string(d.samples) + " samples a pixel (planar configuration " + std::to_string(d.planar) + ")";
  const bool tiled = d.tile_width > 0 && d.tile_height > 0;
  if (!tiled && (!d.stripped || d.stated_tile_width > 0 || d.stated_tile_height > 0)) return "without tiles or strips";
  if (tiled && d.tile_height > kMostTilePx / d.tile_width) return "whose tiles have more px than a tile may have";
  if (unpacked_at_once(d) > kMostDecodedBytes)
    return "whose tiles or strips are larger than " + std::to_string(kMostDecodedBytes >> 20) + " MiB";
  // A piece of strips is as wide as the picture.
  if (!tiled && d.compression != 1 && static_cast<u64>(strip_rows(d)) > kMostTilePx / d.width)
    return "whose strips have more px than a tile may have";
  return cannot_unpack(packing_of(index, d));
}

TiffImage::TiffImage(const TiffIndex& index, const TiffDirectory& d, bool is_aperio)
    : index_(index), directory_(d), packing_(packing_of(index, d)) {
  packing_.is_ycc = is_aperio;
  shape_.width = static_cast<i64>(d.width);
  shape_.height = static_cast<i64>(d.height);
  shape_.tiled = d.tile_width > 0 && d.tile_height > 0;
  shape_.planar = d.planar == 2;
  shape_.type = packing_.type;
  shape_.bits = d.bits;
  shape_.samples = d.samples;
  if (shape_.tiled) {
    shape_.piece = {static_cast<i32>(d.tile_width), static_cast<i32>(d.tile_height)};
    return;
  }
  strip_rows_ = strip_rows(d);
  // Rows of a piece: some strips, or a part of an uncompressed one.
  constexpr i64 kMostPx = i64{1} << 22;
  const i64 widest = std::max<i64>(1, kMostPx / shape_.width);
  i64 rows = std::max<i64>(1, kRowsOfPiece / strip_rows_) * strip_rows_;
  if (d.compression == 1) rows = std::min({kRowsOfPiece, widest, rows});
  else if (rows > widest) rows = std::max<i64>(1, widest / strip_rows_) * strip_rows_;
  // Pieces of uncompressed strips must not cross from one into the next unless they hold whole ones.
  if (d.compression == 1 && rows < strip_rows_ && strip_rows_ < shape_.height) rows = std::gcd(rows, strip_rows_);
  if (d.compression == 1 && rows > strip_rows_) rows -= rows % strip_rows_;
  shape_.piece = {static_cast<i32>(shape_.width), static_cast<i32>(std::min(rows, shape_.height))};
}

/// Tile or strip `index` of the directory's tables.
std::vector<u8> TiffImage::stored(u64 index) const {
  const TiffArray& offsets = shape_.tiled ? directory_.tile_offsets : directory_.strip_offsets;
  const TiffArray& counts = shape_.tiled ? directory_.tile_bytes : directory_.strip_bytes;
  const auto offset = index_.item(offsets, index);
  const auto count = index_.item(counts, index);
  if (!offset || !count || *count == 0) throw PieceError("the file holds no data for this part");
  const auto bytes = index_.bytes(*offset, *count, kMostCompressedBytes);
  if (!bytes && *count <= kMostCompressedBytes && index_.file().contains(*offset, *count))
    throw PieceError("its " + std::to_string(*count) + " bytes from byte " + std::to_string(*offset) + " on could not be read");
  if (!bytes)
    throw PieceError("the file states " + std::to_string(*count) + " bytes from byte " + std::to_string(*offset) +
                     " on for this part, and has " + std::to_string(index_.file().size()));
  return *bytes;
}

/// Rows of an uncompressed strip. What it holds is stated, but of old programs, and never more than what the rows need.
std::vector<u8> TiffImage::rows_of(u64 strip, i64 row, Extent extent) const {
  const auto offset = index_.item(directory_.strip_offsets, strip);
  const auto count = index_.item(directory_.strip_bytes, strip);
  if (!offset || *offset == 0 || (count && *count == 0)) throw PieceError("the file holds no data for this part");
  const u64 row_bytes = packed_row_bytes(packing_, extent.width);
  const u64 skipped = static_cast<u64>(row) * row_bytes, wanted = static_cast<u64>(extent.height) * row_bytes;
  const bool stated = !count || *count >= skipped + wanted;
  const auto bytes = stated && *offset <= ~skipped ? index_.bytes(*offset + skipped, wanted, kMostDecodedBytes) : std::nullopt;
  if (!bytes)
    throw PieceError("the file has not all bytes of this part (" + std::to_string(skipped + wanted) + " from byte " +
                     std::to_string(*offset) + " on, of " + std::to_string(index_.file().size()) + ")");
  return *bytes;
}

std::optional<std::vector<u8>> TiffImage::jpeg(i64 x, i64 y) const {
  constexpr std::uint32_t kJpegTiles = 7, kColors = 3;
  if (!shape_.tiled || shape_.planar || packing_.compression != kJpegTiles || packing_.samples != kColors) return std::nullopt;
  return splice_jpeg(stored(static_cast<u64>(y * across() + x)), packing_.jpeg_tables,
                     {directory_.tile_width, directory_.tile_height, packing_.photometric, kColors});
}

Piece TiffImage::read(i64 x, i64 y, std::uint32_t sample) const {
  Piece piece;
  piece.stride = packing_.samples;
  piece.first = shape_.planar ? 0 : sample;
  if (shape_.tiled) {
    piece.extent = shape_.piece;
    const u64 plane = shape_.planar ? static_cast<u64>(sample) * static_cast<u64>(across() * down()) : 0;
    piece.bytes = std::make_shared<const std::vector<u8>>(
        unpack(packing_, shape_.piece, stored(plane + static_cast<u64>(y * across() + x))));
    return piece;
  }
  const i64 first_row = y * shape_.piece.height, rows = std::min<i64>(shape_.piece.height, shape_.height - first_row);
  piece.extent = {shape_.piece.width, static_cast<i32>(rows)};
  const i64 strips = (shape_.height + strip_rows_ - 1) / strip_rows_;
  const u64 plane = shape_.planar ? static_cast<u64>(sample) * static_cast<u64>(strips) : 0;
  std::vector<u8> bytes;
  for (i64 row = first_row; row < first_row + rows;) {
    const i64 strip = row / strip_rows_, begin = strip * strip_rows_;
    const i64 in_strip = std::min(strip_rows_, shape_.height - begin);
    std::vector<u8> unpacked;
    if (packing_.compression == 1) {
      // Of a long strip the wanted rows alone.
      const i64 wanted = std::min(in_strip - (row - begin), first_row + rows - row);
      const Extent part{shape_.piece.width, static_cast<i32>(wanted)};
      unpacked = unpack(packing_, part, rows_of(plane + static_cast<u64>(strip), row - begin, part));
      row += wanted;
    } else {
      const Extent whole{shape_.piece.width, static_cast<i32>(in_strip)};
      unpacked = unpack(packing_, whole, stored(plane + static_cast<u64>(strip)));
      row += in_strip;
    }
    if (bytes.empty()) bytes = std::move(unpacked);
    else bytes.insert(bytes.end(), unpacked.begin(), unpacked.end());
  }
  piece.bytes = std::make_shared<const std::vector<u8>>(std::move(bytes));
  return piece;
}

}  // namespace morpho::slide
