// Reads directories alone, never pixels.
#include "color_profile.hpp"

#include "tiff_index.hpp"

namespace morpho::slide {

std::vector<u8> color_profile(const std::string& path) {
  constexpr u64 most = 4 << 20;
  std::string problem;
  const auto index = TiffIndex::open(path, problem);
  if (!index || index->directories().empty()) return {};
  const TiffArray& profile = index->directories().front().color_profile;
  if (profile.count == 0 || profile.item_bytes != 1) return {};
  return index->bytes(profile.offset, profile.count, most).value_or(std::vector<u8>());
}

}  // namespace morpho::slide
