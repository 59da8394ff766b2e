// Has frames unpacked by who can: libtiff for JPEG and runs of bytes, OpenJPEG for JPEG 2000.
#include "frame_image.hpp"

#include <algorithm>
#include <cstring>

#include "../jpeg_splice.hpp"
#include "../pieces/strip_tiff.hpp"
#include "../plausible.hpp"

namespace morpho::slide {
namespace {

constexpr std::uint32_t kTiffNone = 1, kTiffJpeg = 7, kTiffPackBits = 32773, kTiffJpeg2000 = 33005, kTiffJpeg2000Ycc = 33003;
constexpr std::uint32_t kTiffGray = 1, kTiffRgb = 2, kTiffYCbCr = 6;
constexpr const char *kRle = "1.2.840.10008.1.2.5", *kJpegBaseline = "1.2.840.10008.1.2.4.50";
constexpr const char *kJpeg2000Lossless = "1.2.840.10008.1.2.4.90", *kJpeg2000 = "1.2.840.10008.1.2.4.91";

/// What of the transfer syntaxes people have met a name.
std::string syntax_name(const std::string& uid) {
  static constexpr std::pair<const char*, const char*> known[] = {{"1.2.840.10008.1.2.4.51", "JPEG of 12 bits"},
                                                                  {"1.2.840.10008.1.2.4.57", "lossless JPEG"},
                                                                  {"1.2.840.10008.1.2.4.70", "lossless JPEG"},
                                                                  {"1.2.840.10008.1.2.4.80", "JPEG-LS"},
                                                                  {"1.2.840.10008.1.2.4.81", "JPEG-LS"},
                                                                  {"1.2.840.10008.1.2.4.110", "JPEG XL"},
                                                                  {"1.2.840.10008.1.2.4.111", "JPEG XL"},
                                                                  {"1.2.840.10008.1.2.4.112", "JPEG XL"},
                                                                  {"1.2.840.10008.1.2.4.201", "High-Throughput JPEG 2000"},
                                                                  {"1.2.840.10008.1.2.4.202", "High-Throughput JPEG 2000"},
                                                                  {"1.2.840.10008.1.2.4.203", "High-Throughput JPEG 2000"}};
  for (const auto& [each, name] : known)
    if (uid == each) return name;
  return "transfer syntax " + (uid.empty() ? std::string("(none)") : uid);
}

/// A JPEG's own word on its colours: what JFIF and Adobe's marker say goes before what the data set says, as for every decoder.
std::uint32_t jpeg_photometric(const std::vector<u8>& jpeg, std::uint32_t stated) {
  for (std::size_t at = 2; at + 4 <= jpeg.size() && jpeg[at] == 0xFF;) {
    const u8 marker = jpeg[at + 1];
    const std::size_t length = static_cast<std::size_t>(jpeg[at + 2]) << 8 | jpeg[at + 3];
    const auto begins = [&](const char* word, std::size_t count) {
      return length >= 2 + count && at + 4 + count <= jpeg.size() && std::memcmp(jpeg.data() + at + 4, word, count) == 0;
    };
    if (marker == 0xE0 && begins("JFIF", 5)) return kTiffYCbCr;
    if (marker == 0xEE && begins("Adobe", 5) && length >= 14 && at + 16 <= jpeg.size())
      return jpeg[at + 15] == 0 ? kTiffRgb : kTiffYCbCr;
    if (marker == 0xDA || length < 2) break;
    at += 2 + length;
  }
  return stated;
}

/// Runs of bytes, a segment for each byte of each sample, the highest first (DICOM PS3.5 annex G). Each is PackBits.
std::vector<u8> unpack_rle(const Packing& p, Extent extent, const std::vector<u8>& frame) {
  const std::size_t each = sample_bytes(p.type), wanted = p.samples * each, px = static_cast<std::size_t>(extent.area());
  const auto number = [&](std::size_t k) {
    std::uint32_t value = 0;
    std::memcpy(&value, frame.data() + 4 * k, 4);
    return static_cast<std::size_t>(value);
  };
  constexpr std::size_t head = 64;
  if (frame.size() < head || number(0) != wanted) throw PieceError("its runs of bytes are not as many as its samples need");
  Packing bytes;
  bytes.compression = kTiffPackBits;
  std::vector<u8> out(px * wanted);
  for (std::size_t k = 0; k < wanted; ++k) {
    const std::size_t from = number(1 + k), to = k + 1 < wanted ? number(2 + k) : frame.size();
    if (from < head || from > to || to > frame.size()) throw PieceError("its runs of bytes lie outside of it");
    const auto first = frame.begin() + static_cast<std::ptrdiff_t>(from);
    const std::vector<u8> plane = unpack_by_libtiff(bytes, extent,
                                                    std::vector<u8>(first, first + static_cast<std::ptrdiff_t>(to - from)));
    // The machine's order is the lowest byte first.
    u8* o = out.data() + k / each * each + (each - 1 - k % each);
    for (std::size_t i = 0; i < px; ++i) o[i * wanted] = plane[i];
  }
  return out;
}

}  // namespace

FramePacking packing_of(const DicomInstance& i) {
  FramePacking f;
  Packing& p = f.samples;
  const bool wide = i.bits_allocated == 16;
  p.type = wide ? (i.is_signed ? SampleType::i16 : SampleType::u16) : (i.is_signed ? SampleType::i8 : SampleType::u8);
  p.bits = wide ? 16 : 8;
  p.sample_format = i.is_signed ? 2 : 1;
  p.samples = static_cast<std::uint32_t>(i.samples);
  p.photometric = i.samples == 1 ? kTiffGray : i.photometric.starts_with("YBR") ? kTiffYCbCr : kTiffRgb;
  p.compression = kTiffNone;
  using Codec = FramePacking::Codec;
  if (i.pixels.encapsulated)
    f.codec = i.syntax == kRle ? Codec::rle : i.syntax == kJpegBaseline ? Codec::jpeg : Codec::jpeg2000;
  if (f.codec == Codec::jpeg) p.compression = kTiffJpeg;
  // The others' colours are turned by the codec itself.
  if (f.codec == Codec::jpeg2000) p.compression = i.photometric.starts_with("YBR_FULL") ? kTiffJpeg2000Ycc : kTiffJpeg2000;
  if (f.codec == Codec::rle) p.compression = kTiffPackBits;
  f.plane_bytes = i.columns * i.rows * (wide ? 2 : 1);
  return f;
}

std::string cannot_read(const DicomInstance& i) {
  if (i.columns == 0 || i.rows == 0 || i.rows > kMostTilePx / i.columns)
    return "with frames of " + std::to_string(i.columns) + " × " + std::to_string(i.rows) + " px";
  if (i.samples != 1 && i.samples != 3) return "with " + std::to_string(i.samples) + " samples a pixel";
  if ((i.bits_allocated != 8 && i.bits_allocated != 16) || i.bits_stored == 0 || i.bits_stored > i.bits_allocated ||
      i.high_bit + 1 != i.bits_stored)
    return "with samples of " + std::to_string(i.bits_stored) + " bits in " + std::to_string(i.bits_allocated) +
           ", up to bit " + std::to_string(i.high_bit);
  const std::string& colors = i.photometric;
  const bool gray = colors == "MONOCHROME1" || colors == "MONOCHROME2", rgb = colors == "RGB";
  const bool by_codec = colors == "YBR_FULL" || colors == "YBR_FULL_422" || colors == "YBR_ICT" || colors == "YBR_RCT";
  if (gray != (i.samples == 1) || (!gray && !rgb && !by_codec))
    return "with colours as " + (colors.empty() ? "nothing that it names" : colors);
  if (!i.pixels.encapsulated) return by_codec ? "in " + colors + " without JPEG" : "";
  if (i.syntax == kRle) {
    if (by_codec) return "in " + colors + " without JPEG";
    Packing bytes;
    bytes.compression = kTiffPackBits;
    return cannot_unpack(bytes);
  }
  if (i.syntax != kJpegBaseline && i.syntax != kJpeg2000Lossless && i.syntax != kJpeg2000)
    return "in " + syntax_name(i.syntax) + ", for which there is no decoder";
  return cannot_unpack(packing_of(i).samples);
}

FrameImage::FrameImage(std::vector<std::shared_ptr<const FrameTable>> files, std::vector<FrameOfCell> cells)
    : files_(std::move(files)), cells_(std::move(cells)), packing_(packing_of(files_.front()->instance())) {
  const DicomInstance& i = files_.front()->instance();
  shape_.width = static_cast<i64>(i.total_columns);
  shape_.height = static_cast<i64>(i.total_rows);
  shape_.piece = {static_cast<i32>(i.columns), static_cast<i32>(i.rows)};
  shape_.type = packing_.samples.type;
  shape_.bits = static_cast<std::uint32_t>(i.bits_stored);
  shape_.samples = packing_.samples.samples;
  shape_.tiled = true;
  shape_.planar = i.planar && packing_.codec == FramePacking::Codec::none && i.samples > 1;
  if (shape_.planar) packing_.samples.samples = 1;
  // Around stained tissue there is glass, around what has light of its own there is none.
  if (i.photometric == "MONOCHROME2") unscanned_ = 0;
}

std::optional<std::vector<u8>> FrameImage::jpeg(i64 x, i64 y) const {
  constexpr std::uint32_t kColors = 3;
  const FrameOfCell cell = cells_[static_cast<std::size_t>(y * across() + x)];
  const Packing& p = packing_.samples;
  if (packing_.codec != FramePacking::Codec::jpeg || p.samples != kColors || cell.file < 0) return std::nullopt;
  const std::vector<u8> bytes = files_[static_cast<std::size_t>(cell.file)]->bytes(cell.frame, 0,
                                                                                   packing_.plane_bytes * kColors);
  return splice_jpeg(bytes, {},
                     {static_cast<u64>(shape_.piece.width), static_cast<u64>(shape_.piece.height),
                      jpeg_photometric(bytes, p.photometric), kColors});
}

Piece FrameImage::read(i64 x, i64 y, std::uint32_t sample) const {
  const FrameOfCell cell = cells_[static_cast<std::size_t>(y * across() + x)];
  const Packing& p = packing_.samples;
  Piece piece;
  piece.extent = shape_.piece;
  piece.stride = p.samples;
  piece.first = shape_.planar ? 0 : sample;
  if (cell.file == FrameOfCell::kMissing) throw PieceError("no file of the slide that is here has this part");
  if (cell.file < 0) {
    piece.bytes = std::make_shared<const std::vector<u8>>(unpacked_bytes(p, piece.extent), unscanned_);
    return piece;
  }
  const FrameTable& file = *files_[static_cast<std::size_t>(cell.file)];
  const u64 plane = packing_.plane_bytes;
  const u64 skip = shape_.planar ? sample * plane : 0;
  std::vector<u8> bytes = file.bytes(cell.frame, skip, plane * p.samples);
  using Codec = FramePacking::Codec;
  Packing own = p;
  if (packing_.codec == Codec::jpeg && p.samples == 3) own.photometric = jpeg_photometric(bytes, p.photometric);
  piece.bytes = std::make_shared<const std::vector<u8>>(packing_.codec == Codec::rle ? unpack_rle(p, piece.extent, bytes)
                                                                                     : unpack(own, piece.extent, bytes));
  return piece;
}

}  // namespace morpho::slide
