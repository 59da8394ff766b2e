// Reads directories and data sets alone, never pixels.
#include "color_profile.hpp"

#include "dicom/instance.hpp"
#include "tiff_index.hpp"

namespace morpho::slide {
namespace {

constexpr u64 kMostProfileBytes = u64{4} << 20;

std::vector<u8> profile_of_dicom(const std::string& path) {
  std::string problem;
  const auto instance = read_instance(path, "", problem);
  if (!instance || !instance->is_slide() || !instance->profile) return {};
  const auto [offset, length] = std::pair(instance->profile->offset, instance->profile->length);
  if (length == 0 || length > kMostProfileBytes || !instance->file->contains(offset, length)) return {};
  std::vector<u8> bytes(static_cast<std::size_t>(length));
  if (!instance->file->read(offset, bytes.data(), bytes.size())) return {};
  return bytes;
}

}  // namespace

std::vector<u8> color_profile(const std::string& path) {
  std::string problem;
  const auto index = TiffIndex::open(path, problem);
  if (!index) return problem.empty() ? profile_of_dicom(path) : std::vector<u8>();
  if (index->directories().empty()) return {};
  const TiffArray& profile = index->directories().front().color_profile;
  if (profile.count == 0 || profile.item_bytes != 1) return {};
  return index->bytes(profile.offset, profile.count, kMostProfileBytes).value_or(std::vector<u8>());
}

}  // namespace morpho::slide
