// Scanners' TIFFs whose directories are no plain pyramid: whose a file is, and what their descriptions have in common.
#include <charconv>
#include <cmath>

#include "../slide_metadata.hpp"
#include "layout.hpp"

namespace morpho::slide {
namespace {

/// Levels and pixels of all of them: eight bits of red, green and blue.
void finish(const TiffIndex& index, TiffLayout& layout) {
  if (layout.canvases.empty() && layout.jpeg_levels.empty()) throw NotUnderstood{"without a level"};
  layout.levels.clear();
  for (const JpegLevel& level : layout.jpeg_levels) layout.levels.push_back({level.directory});
  for (const CanvasLevel& level : layout.canvases) {
    if (const std::string why = TileCanvas::cannot_read(index, level); !why.empty()) throw NotUnderstood{why};
    layout.levels.push_back({level.tiles.front().directory});
  }
  layout.colors = true;
  constexpr const char* kColors[] = {"red", "green", "blue"};
  for (std::uint32_t sample = 0; sample < 3; ++sample) layout.channels.push_back({kColors[sample], std::nullopt, 0, sample});
}

}  // namespace

const TiffDirectory& directory_at(const TiffIndex& index, i64 k) {
  const auto& all = index.directories();
  if (k < 0 || static_cast<u64>(k) >= all.size())
    throw NotUnderstood{"whose description names directory " + std::to_string(k) + " of " + std::to_string(all.size())};
  return all[static_cast<std::size_t>(k)];
}

i64 whole_of(const std::string& text, const std::string& what) {
  const std::string t = trimmed(text);
  i64 value = 0;
  const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), value);
  if (error != std::errc{} || end != t.data() + t.size())
    throw NotUnderstood{"whose " + what + " is \"" + valid_utf8(t, 40) + "\""};
  return value;
}

double number_of(const std::string& text, const std::string& what) {
  const std::string t = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), value);
  if (error != std::errc{} || end != t.data() + t.size() || !std::isfinite(value))
    throw NotUnderstood{"whose " + what + " is \"" + valid_utf8(t, 40) + "\""};
  return value;
}

std::string trimmed(const std::string& text) {
  constexpr const char* kSpace = " \t\r\n";
  const std::size_t from = text.find_first_not_of(kSpace);
  return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(kSpace) + 1 - from);
}

std::vector<u8> from_base64(const std::string& text) {
  std::vector<u8> out;
  std::uint32_t held = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) continue;
    held = held << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out.push_back(static_cast<u8>(held >> bits));
  }
  return out;
}

void require_read(const std::string& problem) {
  if (!problem.empty()) throw NotUnderstood{"whose description (XML) " + problem};
}

std::string attribute_of(const XmlElement& element, const char* name) {
  const XmlAttribute* found = element.find(name);
  return found ? found->value : std::string();
}

std::string number_text(double v) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, v);
  return error == std::errc{} ? std::string(text, end) : "?";
}

std::optional<ScannerSlide> describe_scanner(const TiffIndex& index, const std::string& path) {
  const std::string description(until_zero(index.text(index.directories().front().description)));
  ScannerSlide slide;
  try {
    if (is_leica(description)) {
      slide.maker = "Leica";
      slide.layout = describe_leica(index, description);
    } else if (is_ndpi(index)) {
      slide.maker = "Hamamatsu";
      slide.layout = describe_ndpi(index);
    } else if (is_philips(index)) {
      slide.maker = "Philips";
      slide.layout = describe_philips(index, description);
    } else if (is_trestle(index)) {
      slide.maker = "Trestle";
      slide.layout = describe_trestle(index, description, path);
    } else if (is_ventana(index)) {
      slide.maker = "Ventana";
      slide.layout = describe_ventana(index);
    } else {
      return std::nullopt;
    }
    finish(index, slide.layout);
  } catch (const NotUnderstood& e) {
    slide.problem = e.why;
  }
  return slide;
}

}  // namespace morpho::slide
