// The colour profile that a file carries: its bytes, for whoever shows pictures. No reader applies it.
#pragma once
#include <string>
#include <vector>

#include "../contract/view.hpp"

namespace morpho::slide {

/// Of a TIFF's first directory (tag 34675), or of a DICOM slide's first optical path (0028,2000), as its own file has it; empty
/// where there is none, it has more than 4 MiB, or the file is neither.
std::vector<u8> color_profile(const std::string& path);

}  // namespace morpho::slide
