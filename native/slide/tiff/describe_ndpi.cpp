// Hamamatsu's NDPI: each directory is a JPEG of the slide at some lens, of its overview (lens -1), or a map (-2).
#include <algorithm>
#include <cmath>

#include "../slide_metadata.hpp"
#include "layout.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kMostNdpiValues = 4096, kMostNdpiValue = 4000;
constexpr u64 kMostNdpiMacroBytes = u64{64} << 20;

/// "key=value" of each line.
void add_property_map(TiffLayout& layout, const std::string& map) {
  for (std::size_t from = 0; from < map.size() && layout.properties.size() < kMostNdpiValues;) {
    const std::size_t to = std::min(map.find("\r\n", from), map.size());
    const std::string line = map.substr(from, to - from);
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos && equals > 0)
      layout.properties["hamamatsu." + valid_utf8(line.substr(0, equals), 200)] = valid_utf8(line.substr(equals + 1),
                                                                                             kMostNdpiValue);
    from = to + 2;
  }
}

void add_macro_of_ndpi(TiffLayout& layout, const TiffIndex& index, const TiffDirectory& d) {
  constexpr std::uint32_t jpeg = 7;
  if (d.compression != jpeg || d.strip_offsets.count != 1 || !layout.associated_jpegs.empty()) return;
  layout.associated_jpegs.push_back({"macro", [&index, d] {
                                       const auto offset = index.item(d.strip_offsets, 0), bytes = index.item(d.strip_bytes, 0);
                                       if (!offset || !bytes) return std::vector<u8>();
                                       return index.bytes(*offset, *bytes, kMostNdpiMacroBytes).value_or(std::vector<u8>());
                                     }});
}

/// The JPEGs, and what each gives at a half, a quarter and an eighth: of levels as wide as one another the last JPEG's.
void add_jpeg_levels(TiffLayout& layout, const std::vector<TiffDirectory>& found, const TiffIndex& index) {
  std::map<u64, JpegLevel, std::greater<>> by_width;
  for (const TiffDirectory& d : found) {
    const Extent interval = RestartJpeg(index, d).interval();
    for (const i32 divisor : {1, 2, 4, 8}) {
      if (interval.width % divisor != 0 || interval.height % divisor != 0) continue;
      const u64 by = static_cast<u64>(divisor);
      if (d.width < by || d.height < by) continue;
      by_width[d.width / by] = {d, divisor};
    }
  }
  for (auto& level : by_width) layout.jpeg_levels.push_back(level.second);
}

}  // namespace

bool is_ndpi(const TiffIndex& index) { return index.directories().front().ndpi; }

TiffLayout describe_ndpi(const TiffIndex& index) {
  TiffLayout layout;
  layout.format = "hamamatsu";
  std::vector<TiffDirectory> levels;
  std::size_t other_planes = 0;
  for (const TiffDirectory& d : index.directories()) {
    const double lens = index.real(d.source_lens), z = index.real(d.focus_z);
    if (lens == -1) add_macro_of_ndpi(layout, index, d);
    if (!(lens > 0)) continue;
    if (std::isfinite(z) && z != 0) {
      ++other_planes;
      continue;
    }
    if (const std::string why = RestartJpeg::cannot_read(index, d); !why.empty()) throw NotUnderstood{why};
    if (levels.empty()) {
      layout.properties["hamamatsu.SourceLens"] = layout.properties["openslide.objective-power"] = number_text(lens);
      const auto offset = [&](const char* name, const TiffArray& value) {
        if (value.count > 0) layout.properties[name] = number_text(index.real(value));
      };
      offset("hamamatsu.XOffsetFromSlideCentre", d.slide_x);
      offset("hamamatsu.YOffsetFromSlideCentre", d.slide_y);
      if (d.reference.count > 0)
        layout.properties["hamamatsu.Reference"] = valid_utf8(std::string(until_zero(index.text(d.reference))), kMostNdpiValue);
      add_property_map(layout, std::string(until_zero(index.text(d.property_map))));
      // As its maker means it.
      constexpr u64 centimetre = 3;
      const double x = index.real(d.x_resolution), y = index.real(d.y_resolution);
      if (d.resolution_unit == centimetre && x > 0) layout.properties["openslide.mpp-x"] = number_text(10000 / x);
      if (d.resolution_unit == centimetre && y > 0) layout.properties["openslide.mpp-y"] = number_text(10000 / y);
    }
    levels.push_back(d);
  }
  if (levels.empty()) throw NotUnderstood{"without a level in focus"};
  if (levels.size() > kMostJpegLevels) throw NotUnderstood{"with more than 64 levels"};
  if (other_planes > 0)
    layout.warnings.push_back("The file holds other focal planes (" + std::to_string(other_planes) +
                              " images): the plane in the middle is shown.");
  add_jpeg_levels(layout, levels, index);
  return layout;
}

}  // namespace morpho::slide
