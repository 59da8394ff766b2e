// Reads directories alone, never pixels.
#include "tiff_pages.hpp"

#include <limits>

#include "../tiff_index.hpp"
#include "../xml_reader.hpp"

namespace morpho::slide {
namespace {

std::string unit_name(u64 unit) {
  return unit == 2 ? "inch" : unit == 3 ? "centimeter" : unit == 1 ? "none" : std::to_string(unit);
}

/// The first directory's description is of all pages in OME-XML and ImageJ.
std::string description_of(const TiffIndex& index, const TiffDirectory& page) {
  const std::string own = index.text(page.description);
  return std::string(until_zero(own.empty() ? index.text(index.directories().front().description) : own));
}

}  // namespace

std::optional<LargestPage> largest_page(const std::string& path, double largest_tiff_mpp) {
  std::string problem;
  const auto index = TiffIndex::open(path, problem);
  if (!index) return std::nullopt;
  LargestPage best;
  const auto& all = index->directories();
  const auto area = [](const TiffDirectory& d) { return static_cast<double>(d.width) * static_cast<double>(d.height); };
  for (std::size_t k = 1; k < all.size(); ++k) {
    if (area(all[k]) > area(all[best.index])) best.index = k, best.of_that_size = 1;
    else if (area(all[k]) == area(all[best.index])) ++best.of_that_size;
  }
  const TiffDirectory& page = all[best.index];
  best.width = page.width;
  best.height = page.height;
  best.big_endian = index->big_endian();
  best.big_tiff = index->big_tiff();
  best.resolution_entries = page.resolution_entries;
  const auto value = [&](const TiffArray& a) { return a.count > 0 ? std::optional(index->real(a)) : std::nullopt; };
  const StatedSize stated{static_cast<i64>(page.width), static_cast<i64>(page.height),   value(page.x_resolution),
                          value(page.y_resolution),     unit_name(page.resolution_unit), description_of(*index, page)};
  best.size = stated_pixel_size(stated, largest_tiff_mpp, best.warnings);
  return best;
}

}  // namespace morpho::slide
