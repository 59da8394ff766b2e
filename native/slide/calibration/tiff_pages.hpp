// The pages of a TIFF that another library decodes whole: which is the largest, and how large its pixels are.
#pragma once
#include <optional>
#include <string>

#include "pixel_size.hpp"

namespace morpho::slide {

struct LargestPage {
  u64 index = 0, width = 0, height = 0;
  u64 of_that_size = 1;           ///< pages
  std::optional<PixelSize> size;  ///< along the page's own sides, before it is turned
  Warnings warnings;              ///< in the user's words: what is stated and not believed
  /// Where the entries of its resolution and its unit begin in the file: decoders refuse pages for values that are no
  /// resolution, and pixels do not depend on them.
  std::vector<u64> resolution_entries;
  bool big_endian = false, big_tiff = false;
};

/// Of all directories, however many. Nothing where the file is no TIFF, or its first directory is broken.
std::optional<LargestPage> largest_page(const std::string& path, double largest_tiff_mpp);

}  // namespace morpho::slide
