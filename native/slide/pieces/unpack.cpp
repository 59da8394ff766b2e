// Chooses who unpacks, and brings samples to whole bytes in the machine's order.
#include "unpack.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "../jpeg2000.hpp"
#include "libtiff_library.hpp"
#include "strip_tiff.hpp"

namespace morpho::slide {
namespace {

constexpr std::uint32_t kNoCompression = 1, kJpeg = 7, kYCbCrPixels = 6;
/// JPEG 2000 has four numbers: Aperio's two, of which others write the first for any samples, a lossy one, and the registered
/// one.
constexpr std::uint32_t kAperioYcc = 33003, kLossyCodestream = 33004, kAperioRgb = 33005, kCodestream = 34712;

/// By libtiff: LZW, Deflate (two numbers), PackBits, LZMA, Zstandard, WebP.
bool is_by_libtiff(std::uint32_t compression) {
  constexpr std::uint32_t known[] = {5, kJpeg, 8, 32946, 32773, 34925, 50000, 50001};
  return std::find(std::begin(known), std::end(known), compression) != std::end(known);
}

/// Samples of less than whole bytes, most significant bit first; each row begins at a whole byte.
std::vector<u8> widened(const Packing& p, Extent extent, const std::vector<u8>& packed) {
  std::vector<u8> out(unpacked_bytes(p, extent));
  const std::size_t row_bytes = packed_row_bytes(p, extent.width), each = sample_bytes(p.type);
  const u64 across = static_cast<u64>(extent.width) * p.samples;
  u8* to = out.data();
  for (i32 y = 0; y < extent.height; ++y) {
    const u8* row = packed.data() + static_cast<std::size_t>(y) * row_bytes;
    std::uint32_t held = 0, bits = 0;
    for (u64 i = 0; i < across; ++i, to += each) {
      for (; bits < p.bits; bits += 8) held = held << 8 | *row++;
      bits -= p.bits;
      const u16 value = static_cast<u16>(held >> bits & ((1u << p.bits) - 1));
      if (each == 1) *to = static_cast<u8>(value);
      else std::memcpy(to, &value, 2);
    }
  }
  return out;
}

bool is_codestream(const Packing& p) {
  return p.compression == kAperioRgb || p.compression == kAperioYcc || p.compression == kLossyCodestream ||
         p.compression == kCodestream;
}

std::vector<u8> unpack_codestream(const Packing& p, Extent extent, const std::vector<u8>& bytes) {
  const OpenJpegLibrary* library = openjpeg_library();
  if (!library) throw PieceError("OpenJPEG could not be loaded (" + openjpeg_status() + ")");
  // Others than Aperio have the codec turn red, green and blue, or keep any components.
  if (p.compression == kAperioYcc && p.samples == 3 && (p.is_ycc || !turns_colors(bytes))) {
    if (p.type != SampleType::u8) throw PieceError("its JPEG 2000 data is YCbCr of more than 8 bits");
    std::vector<Rgba> pixels(static_cast<std::size_t>(extent.area()));
    if (!decode_ycc_tile(*library, bytes, extent, pixels.data())) throw PieceError("OpenJPEG cannot unpack it");
    std::vector<u8> out;
    out.reserve(3 * pixels.size());
    for (const Rgba& c : pixels) out.insert(out.end(), {c.r, c.g, c.b});
    return out;
  }
  std::vector<u8> out(unpacked_bytes(p, extent));
  const std::string why = decode_components(*library, bytes, extent, p.samples, p.type, p.bits, out.data());
  if (!why.empty()) throw PieceError("its JPEG 2000 data " + why);
  return out;
}

}  // namespace

void to_machine_order(std::vector<u8>& bytes, std::size_t each, bool big_endian) {
  if (each == 1 || big_endian == (std::endian::native == std::endian::big)) return;
  for (std::size_t i = 0; i + each <= bytes.size(); i += each) std::reverse(bytes.data() + i, bytes.data() + i + each);
}

std::string cannot_unpack(const Packing& p) {
  const std::string compression = "compression " + std::to_string(p.compression);
  if (p.compression == kNoCompression) return p.fill_order == 1 ? "" : "whose bits are in reverse order (FillOrder 2)";
  if (is_codestream(p)) {
    if (sample_bytes(p.type) > 2)
      return "in JPEG 2000 (" + compression + ") of " + std::to_string(p.bits) + " bits a sample, of which 16 are read";
    if (p.photometric == kYCbCrPixels && p.compression != kAperioYcc && p.compression != kAperioRgb)
      return "in YCbCr in JPEG 2000 (" + compression + ")";
    return openjpeg_library() ? ""
                              : "in JPEG 2000 (" + compression + "), for which OpenJPEG is needed (" + openjpeg_status() + ")";
  }
  if (!is_by_libtiff(p.compression)) return "with " + compression + ", for which there is no decoder";
  const LibTiff* lib = libtiff_library();
  if (!lib) return "with " + compression + ", for which libtiff is needed (" + libtiff_status() + ")";
  if (!lib->is_codec_configured(static_cast<std::uint16_t>(p.compression)))
    return "with " + compression + ", which the libtiff in use (" + libtiff_status() + ") does not unpack";
  const bool whole = p.bits == 8 || p.bits == 16 || p.bits == 32 || p.bits == 64;
  const bool predicts = p.compression != kJpeg && p.compression != 32773 && p.compression != 50001;
  if (predicts && (p.predictor > 3 || (p.predictor == 2 && !whole) || (p.predictor == 3 && (p.sample_format != 3 || !whole))))
    return "with predictor " + std::to_string(p.predictor) + " for samples of " + std::to_string(p.bits) + " bits";
  if (p.photometric == kYCbCrPixels && p.compression != kJpeg) return "in YCbCr without JPEG";
  if (p.compression == kJpeg && p.bits != 8) return "in JPEG of " + std::to_string(p.bits) + " bits";
  return "";
}

std::vector<u8> unpack(const Packing& p, Extent extent, const std::vector<u8>& bytes) {
  if (is_codestream(p)) return unpack_codestream(p, extent, bytes);
  const bool whole_bytes = p.bits % 8 == 0;
  if (p.compression != kNoCompression) {
    std::vector<u8> out = unpack_by_libtiff(p, extent, bytes);
    return whole_bytes ? out : widened(p, extent, out);
  }
  const std::size_t wanted = packed_row_bytes(p, extent.width) * static_cast<std::size_t>(extent.height);
  if (bytes.size() < wanted)
    throw PieceError("the file holds " + std::to_string(bytes.size()) + " of its " + std::to_string(wanted) + " bytes");
  if (!whole_bytes) return widened(p, extent, bytes);
  std::vector<u8> out(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(wanted));
  to_machine_order(out, sample_bytes(p.type), p.big_endian);
  return out;
}

}  // namespace morpho::slide
