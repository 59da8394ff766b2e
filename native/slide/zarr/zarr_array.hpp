// What the metadata of one array of a Zarr says: its shape, chunks, samples and codecs. No number in it is believed.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "../pieces/unpack.hpp"
#include "json.hpp"

namespace morpho::slide {

/// What was done to the bytes of a chunk; `deflate` is zlib's format or gzip's.
enum class ZarrCodec : u8 { deflate, zstd, blosc, crc32c };

/// Many chunks in one file, with a table of where each lies.
struct ZarrShard {
  std::vector<u64> per_shard;  ///< chunks along each axis
  bool index_big_endian = false, index_at_end = true, index_has_sum = false;

  u64 chunks() const;
  /// Of the table with its checksum.
  u64 index_bytes() const { return chunks() * 16 + (index_has_sum ? 4 : 0); }
};

struct ZarrArray {
  std::vector<u64> shape, chunk;  ///< of what is unpacked at once, in a shard too
  SampleType type = SampleType::u8;
  bool big_endian = false;
  std::vector<ZarrCodec> codecs;  ///< in the order of writing
  std::optional<ZarrShard> shard;
  std::array<u8, 8> fill{};  ///< a sample where no chunk is, in the machine's order
  std::string prefix;        ///< of a chunk's or shard's key: "" or "c"
  char separator = '.';
  std::vector<std::string> axes;  ///< names, where the array has them

  u64 chunk_samples() const;
  u64 chunk_bytes() const { return chunk_samples() * sample_bytes(type); }
  /// Of the file that holds the chunk at this place of the grid of chunks.
  std::string key(const std::vector<u64>& place) const;
};

/// From `.zarray` (`version` 2) or `zarr.json` (3). What comes back can be read here: chunks and tables are within bounds, and
/// the libraries are there. Throws PieceError, in words that follow on "its level 0 cannot be read: ".
ZarrArray read_zarr_array(const Json& metadata, int version);
/// "blosc, crc32c", or "no compression".
std::string codec_names(const std::vector<ZarrCodec>& codecs);

}  // namespace morpho::slide
