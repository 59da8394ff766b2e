// QPTIFF: each directory's XML says what kind of image it is, and which channel.
#include <charconv>

#include "../slide_metadata.hpp"
#include "../xml_reader.hpp"
#include "layout.hpp"

namespace morpho::slide {
namespace {

/// The text of the first element <name>, without elements in it, of XML that read_xml takes.
std::string text_of_element(const std::string& xml, const std::string& name) {
  const std::string open = "<" + name + ">", close = "</" + name + ">";
  const std::size_t at = xml.find(open), end = at == std::string::npos ? at : xml.find(close, at);
  if (end == std::string::npos) return {};
  const std::string text = xml.substr(at + open.size(), end - at - open.size());
  return text.find_first_of("<&") == std::string::npos ? valid_utf8(text, 200) : std::string();
}

/// "0,0,255".
std::optional<Rgba> color_of(const std::string& text) {
  u8 parts[3] = {};
  const char *at = text.data(), *end = at + text.size();
  for (u8& part : parts) {
    const auto [next, error] = std::from_chars(at, end, part);
    if (error != std::errc{}) return std::nullopt;
    at = next < end && *next == ',' ? next + 1 : next;
  }
  return Rgba{parts[0], parts[1], parts[2], 255};
}

}  // namespace

std::optional<QptiffPage> qptiff_page(const std::string& xml) {
  if (xml.find("PerkinElmer-QPI-ImageDescription") == std::string::npos) return std::nullopt;
  if (!read_xml(xml, [](const XmlElement&, const std::vector<std::string>&) {}).empty()) return std::nullopt;
  return QptiffPage{text_of_element(xml, "ImageType"), text_of_element(xml, "Name"), color_of(text_of_element(xml, "Color"))};
}

}  // namespace morpho::slide
