// OME-XML: the Pixels of the Image whose size is the slide's; a macro's, a label's or a comment's say nothing about it.
#include <algorithm>

#include "../slide_metadata.hpp"
#include "../xml_reader.hpp"
#include "pixel_size.hpp"

namespace morpho::slide {
namespace {

struct Pixels {
  std::optional<std::string> size_x, size_y, physical[2], unit[2];
};

std::optional<std::string> value(const XmlElement& e, const char* name) {
  const XmlAttribute* found = e.find(name);
  return found ? std::optional(found->value) : std::nullopt;
}

/// Programs write Latin-1 into a TIFF although its XML says UTF-8.
std::string as_utf8(const std::string& text) {
  if (valid_utf8(text, text.size()) == text) return text;
  std::string out;
  for (const char c : text) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (byte < 0x80) out += c;
    else out += static_cast<char>(0xC0 | byte >> 6), out += static_cast<char>(0x80 | (byte & 63));
  }
  return out;
}

std::optional<double> axis_um(const Pixels& p, int axis, Warnings& warnings) {
  if (!p.physical[axis]) return std::nullopt;
  const std::string unit = p.unit[axis].value_or("µm");
  const auto stated = stated_number(*p.physical[axis]);
  const double mpp = stated ? *stated * um_per(unit) : 0;
  if (mpp >= kSmallestMpp && mpp <= kLargestMpp) return mpp;
  warn_once(warnings, "The OME description states a pixel size of \"" + shortened(*p.physical[axis]) + " " + shortened(unit) +
                          "\", which no microscope gives; it is ignored.");
  return std::nullopt;
}

}  // namespace

std::optional<PixelSize> ome_pixel_size(const std::string& xml, i64 width, i64 height, Warnings& warnings) {
  const std::size_t begin = std::min(xml.find_first_not_of(" \t\r\n"), xml.size());
  const std::string text = as_utf8(std::string(until_zero(std::string_view(xml).substr(begin))));
  if (text.find("Pixels") == std::string::npos || text.find("OME") == std::string::npos) return std::nullopt;
  std::vector<Pixels> images;
  const std::string problem = read_xml(text, [&images](const XmlElement& e, const std::vector<std::string>& path) {
    if (path != std::vector<std::string>{"OME", "Image", "Pixels"}) return;
    images.push_back({value(e, "SizeX"),
                      value(e, "SizeY"),
                      {value(e, "PhysicalSizeX"), value(e, "PhysicalSizeY")},
                      {value(e, "PhysicalSizeXUnit"), value(e, "PhysicalSizeYUnit")}});
  });
  if (!problem.empty()) {
    warn_once(warnings, "The OME description " + problem + "; its pixel sizes are not used.");
    return std::nullopt;
  }
  const auto is = [](const std::optional<std::string>& stated, i64 side) { return stated == std::to_string(side); };
  std::optional<PixelSize> found;
  bool of_this_size = false;
  for (const Pixels& p : images) {
    // The standard wants both sides; where the only image states neither, it is the slide.
    const bool only = images.size() == 1 && !p.size_x && !p.size_y;
    if (!only && !(is(p.size_x, width) && is(p.size_y, height))) continue;
    of_this_size = true;
    const auto x = axis_um(p, 0, warnings), y = axis_um(p, 1, warnings);
    if (!x && !y) continue;
    const PixelSize size{x.value_or(y.value_or(0)), y.value_or(x.value_or(0)), "ome-xml"};
    if (found && (found->x != size.x || found->y != size.y)) {
      warn_once(warnings, "The OME description states two pixel sizes for images of " + std::to_string(width) + " × " +
                              std::to_string(height) + " px; neither is used.");
      return std::nullopt;
    }
    found = size;
  }
  if (!of_this_size && !images.empty())
    warn_once(warnings, "The OME description holds no image of " + std::to_string(width) + " × " + std::to_string(height) +
                            " px; its pixel sizes are not used.");
  return found;
}

}  // namespace morpho::slide
