// The colour profile that a file carries: its bytes, for whoever shows pictures. No reader applies it.
#pragma once
#include <string>
#include <vector>

#include "../contract/view.hpp"

namespace morpho::slide {

/// Of a TIFF's first directory (tag 34675); empty where there is none, it has more than 4 MiB, or the file is no TIFF.
std::vector<u8> color_profile(const std::string& path);

}  // namespace morpho::slide
