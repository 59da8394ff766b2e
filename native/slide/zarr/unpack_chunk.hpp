// The bytes of a chunk as its file has them to its samples: never more than its shape has.
#pragma once
#include <vector>

#include "zarr_array.hpp"

namespace morpho::slide {

/// CRC-32C (Castagnoli).
std::uint32_t crc32c(const u8* bytes, std::size_t count);

/// All samples of a chunk in C order, in the machine's byte order. Thread-safe. Throws PieceError, also where the codecs give
/// more or less than the chunk has. Cost: the codecs'; memory: the chunk, twice where it went through several.
std::vector<u8> unpack_chunk(const ZarrArray& array, std::vector<u8> bytes);

}  // namespace morpho::slide
