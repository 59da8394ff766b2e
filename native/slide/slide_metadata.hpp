// From the strings that a slide file carries to numbers that can be trusted: calibration, background, bounds, valid UTF-8.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "slide.hpp"

namespace morpho::slide {

/// `text` with every byte sequence that is not well-formed UTF-8 replaced by U+FFFD, cut at `most` bytes.
std::string valid_utf8(const std::string& text, std::size_t most = std::size_t{1} << 20);
/// Adds the character of a code up to U+10FFFF.
void append_utf8(std::string& to, std::uint32_t code);

/// Fills mpp_*, mpp_source, objective_power, background and bounds of `info` from its properties, and adds a warning for each
/// value that is stated but makes no sense. Order: openslide.mpp-*, then as stated_pixel_size has it. Needs `levels`.
/// `description`: the TIFF's whole ImageDescription, where the property may have been cut.
void interpret_properties(SlideInfo& info, const std::string* description = nullptr);

}  // namespace morpho::slide
