// DEFLATE for bytes of which a filter has left noise or nothing: Huffman codes and runs, and no search for what came before.
#pragma once
#include <span>
#include <vector>

#include "contract/view.hpp"

namespace morpho::exports {

/// Appends `bytes` as blocks of a deflate stream that are not its last, up to a whole byte: parts that are made apart may stand
/// one behind the other. Deterministic. Cost: two passes. Memory: the result's. Source: RFC 1951; what is repeated is found at
/// a distance of one byte alone, as filtered rows of a picture repeat little else.
void append_deflated(std::vector<u8>& out, std::span<const u8> bytes);

/// What ends such a stream.
inline constexpr u8 kDeflateEnd[] = {1, 0, 0, 0xff, 0xff};

}  // namespace morpho::exports
