// From the compressed bytes of one tile or strip to its samples, as they were written: at their own depth, in the machine's
// order.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "../channel.hpp"
#include "../tiff_index.hpp"

namespace morpho::slide {

/// Why a tile or strip has no samples. The text names no file.
struct PieceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What all pieces of a directory have in common.
struct Packing {
  SampleType type = SampleType::u8;
  std::uint32_t bits = 8;     ///< stored; up to 16 where they are no whole bytes
  std::uint32_t samples = 1;  ///< of a pixel in one piece: 1 where the planes lie apart
  std::uint32_t compression = 1, predictor = 1, photometric = 1, fill_order = 1, sample_format = 1;
  bool big_endian = false;
  bool is_ycc = false;  ///< JPEG 2000 of 33003 is YCbCr whatever its codestream says, as OpenSlide takes Aperio's
  std::vector<u8> jpeg_tables;
};

/// Why samples packed like that are not read, in words that follow on "a TIFF"; empty where they are. Asks libtiff for its
/// codecs.
std::string cannot_unpack(const Packing& packing);

/// The samples of a piece of width × height px, interleaved, rows without gaps. Uncompressed ones are copied; all others go
/// through libtiff, JPEG 2000 through OpenJPEG. libtiff gets a TIFF of one strip that is made here, so that no number
/// of a hostile file reaches it but those in the compressed bytes. Thread-safe. Throws PieceError. Cost: the codec's; memory:
/// the piece twice.
std::vector<u8> unpack(const Packing& packing, Extent extent, const std::vector<u8>& bytes);

/// Turns samples of `each` bytes that are in the other byte order.
void to_machine_order(std::vector<u8>& bytes, std::size_t each, bool big_endian);

/// Bytes of the samples of so many px.
inline std::size_t unpacked_bytes(const Packing& p, Extent e) {
  return static_cast<std::size_t>(e.area()) * p.samples * sample_bytes(p.type);
}
/// Bytes of a row before compression, padded to whole ones.
inline std::size_t packed_row_bytes(const Packing& p, i64 width) {
  return static_cast<std::size_t>((static_cast<u64>(width) * p.samples * p.bits + 7) / 8);
}

}  // namespace morpho::slide
