// A TIFF of one strip in memory, written around the compressed bytes of a tile or strip, as libtiff's client.
#pragma once
#include <vector>

#include "unpack.hpp"

namespace morpho::slide {

/// Unpacks by libtiff. Rows are padded to whole bytes, samples are in the machine's byte order. Throws PieceError.
std::vector<u8> unpack_by_libtiff(const Packing& packing, Extent extent, const std::vector<u8>& bytes);

}  // namespace morpho::slide
