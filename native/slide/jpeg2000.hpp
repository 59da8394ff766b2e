// One JPEG 2000 tile of a slide, decoded by OpenJPEG.
#pragma once
#include <string>
#include <vector>

#include "channel.hpp"
#include "openjpeg_library.hpp"

namespace morpho::slide {

/// Whether a codestream's header says what Aperio's tiles are: one JPEG 2000 tile of `extent` px at the origin, three
/// components of 8 bits, none subsampled. Reads its first 51 bytes alone: nobody allocates for another size than the slide's
/// directory has.
bool is_rgb_tile(const std::vector<u8>& codestream, Extent extent);

/// The same of Aperio's tiles in YCbCr (33003), whose chroma may be halved along x.
bool is_ycc_tile(const std::vector<u8>& codestream, Extent extent);

/// What is left of so many px where they are halved so often.
inline i64 halved(i64 px, int halvings) { return (px + (i64{1} << halvings) - 1) >> halvings; }

/// Decodes such a codestream, whose components are red, green and blue, to [extent.height, extent.width] opaque pixels without
/// gaps, or to as many as are left where both are halved so often: the codestream's own smaller picture, at half the
/// time for each. Thread-safe. False where it is another one, or OpenJPEG has anything to say, a warning too: its pixels need
/// not be OpenSlide's then. Cost: nearly all of it OpenJPEG's; memory: 12 bytes a pixel and OpenJPEG's own. Source: ISO/IEC
/// 15444-1 annex A.5.1 (SIZ).
bool decode_rgb_tile(const OpenJpegLibrary& library, const std::vector<u8>& codestream, Extent extent, Rgba* to,
                     int halvings = 0);
/// Decodes a tile whose components are Y, Cb and Cr, as JFIF has them, alike. Chroma that was halved is repeated, as OpenSlide
/// does. Source: JFIF 1.02, "Conversion to and from RGB".
bool decode_ycc_tile(const OpenJpegLibrary& library, const std::vector<u8>& codestream, Extent extent, Rgba* to);

/// Whether the codec itself turns the first three components into red, green and blue (COD, multiple component transformation).
bool turns_colors(const std::vector<u8>& codestream);

/// Decodes any number of components, none of them subsampled, as they are, to `out`: interleaved samples of `type` (u8, i8, u16
/// or i16), [extent.height, extent.width, components] without gaps. Components of fewer bits than the type has keep their
/// values. Gives why not, in words that follow on "its JPEG 2000 data"; empty: it did. Nothing is decoded whose header states
/// another size, number, sign or more bits. Thread-safe. Memory: 4 bytes a sample and OpenJPEG's own. Source: ISO/IEC 15444-1
/// annexes A.5.1 (SIZ) and A.6.1 (COD).
std::string decode_components(const OpenJpegLibrary& library, const std::vector<u8>& codestream, Extent extent,
                              std::uint32_t components, SampleType type, std::uint32_t most_bits, u8* out);

}  // namespace morpho::slide
