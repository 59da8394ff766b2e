// Interprets slide properties: each number is parsed without the locale and held against what a microscope can give.
#include "slide_metadata.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

namespace morpho::slide {
namespace {

// µm per px: an objective of 100x gives about 0.07, a macro camera up to some tens.
constexpr double kSmallestMpp = 0.01, kLargestMpp = 100;
// A TIFF's resolution is often a print resolution that nobody meant (72, 96, 300, 600 dpi: 353 to 42 µm).
constexpr double kLargestTiffMpp = 20;

std::optional<double> number(const std::string& text) {
  std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return std::nullopt;
  std::string s = text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
  if (s.find('.') == std::string::npos) std::replace(s.begin(), s.end(), ',', '.');
  if (!s.empty() && s[0] == '+') s.erase(0, 1);
  double value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc{} || end != s.data() + s.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

const std::string* find(const SlideInfo& info, const std::string& name) {
  const auto it = info.properties.find(name);
  return it == info.properties.end() ? nullptr : &it->second;
}

std::string shortened(const std::string& s) { return s.size() <= 40 ? s : valid_utf8(s.substr(0, 40)) + "…"; }

/// Both axes of a slide usually say the same: once is enough.
void warn(SlideInfo& info, const std::string& text) {
  if (std::find(info.warnings.begin(), info.warnings.end(), text) == info.warnings.end()) info.warnings.push_back(text);
}

/// The named property as µm per px; warns where it is stated but useless.
std::optional<double> vendor_mpp(SlideInfo& info, const std::string& name) {
  const std::string* text = find(info, name);
  if (!text) return std::nullopt;
  const auto value = number(*text);
  if (value && *value >= kSmallestMpp && *value <= kLargestMpp) return value;
  warn(info, "The file states \"" + shortened(*text) + "\" µm per pixel, which no microscope gives; it is ignored.");
  return std::nullopt;
}

std::optional<double> tiff_mpp(SlideInfo& info, const std::string& name) {
  const std::string* text = find(info, name);
  const std::string* unit = find(info, "tiff.ResolutionUnit");
  if (!text || !unit) return std::nullopt;
  const double um_per_unit = *unit == "centimeter" ? 10000 : *unit == "inch" ? 25400 : 0;
  const auto resolution = number(*text);
  if (um_per_unit == 0 || !resolution || *resolution <= 0) return std::nullopt;
  const double mpp = um_per_unit / *resolution;
  if (mpp >= kSmallestMpp && mpp <= kLargestTiffMpp) return mpp;
  warn(info, "The TIFF states a resolution of " + shortened(*text) + " px per " + *unit +
                 ", which is that of a print, not of a microscope; it is ignored.");
  return std::nullopt;
}

/// The value of attribute `name` inside the first <Pixels …> of an OME-XML text.
std::optional<std::string> pixels_attribute(const std::string& xml, const std::string& name) {
  std::size_t begin = xml.find("<Pixels");
  if (begin == std::string::npos) begin = xml.find(":Pixels");
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t end = xml.find('>', begin);
  std::size_t at = begin;
  while ((at = xml.find(name, at)) != std::string::npos && at < end) {
    const char before = xml[at - 1];
    at += name.size();
    if (before != ' ' && before != '\n' && before != '\t' && before != '\r') continue;
    std::size_t p = xml.find_first_not_of(" \t\r\n", at);
    if (p == std::string::npos || xml[p] != '=') continue;
    p = xml.find_first_not_of(" \t\r\n", p + 1);
    if (p == std::string::npos || (xml[p] != '"' && xml[p] != '\'')) continue;
    const std::size_t close = xml.find(xml[p], p + 1);
    if (close == std::string::npos || close > end) return std::nullopt;
    return xml.substr(p + 1, close - p - 1);
  }
  return std::nullopt;
}

std::optional<double> ome_mpp(SlideInfo& info, const std::string& axis) {
  const std::string* xml = find(info, "tiff.ImageDescription");
  if (!xml) xml = find(info, "openslide.comment");
  if (!xml) return std::nullopt;
  const auto text = pixels_attribute(*xml, "PhysicalSize" + axis);
  if (!text) return std::nullopt;
  const std::string unit = pixels_attribute(*xml, "PhysicalSize" + axis + "Unit").value_or("µm");
  // Both Unicode spellings of micro (U+00B5, U+03BC) are in use.
  const double um = unit == "µm" || unit == "μm" || unit == "um" ? 1
                    : unit == "nm"                               ? 1e-3
                    : unit == "mm"                               ? 1e3
                    : unit == "cm"                               ? 1e4
                    : unit == "m"                                ? 1e6
                                                                 : 0;
  const auto value = number(*text);
  const double mpp = value ? *value * um : 0;
  if (mpp >= kSmallestMpp && mpp <= kLargestMpp) return mpp;
  warn(info, "The OME description states a pixel size of \"" + shortened(*text) + " " + shortened(unit) +
                 "\", which no microscope gives; it is ignored.");
  return std::nullopt;
}

/// Where one axis alone is stated the pixels are taken as square.
bool take(SlideInfo& info, std::optional<double> x, std::optional<double> y, const char* source) {
  if (!x && !y) return false;
  info.mpp_x = x.value_or(y.value_or(0));
  info.mpp_y = y.value_or(info.mpp_x);
  info.mpp_source = source;
  return true;
}

void interpret_mpp(SlideInfo& info) {
  // Each pair is read in a fixed order so that the warnings come in one, too.
  const auto try_source = [&info](auto read, const char* x, const char* y, const char* source) {
    const auto mx = read(info, x);
    const auto my = read(info, y);
    return take(info, mx, my, source);
  };
  if (!try_source(vendor_mpp, "openslide.mpp-x", "openslide.mpp-y", "vendor") &&
      !try_source(tiff_mpp, "tiff.XResolution", "tiff.YResolution", "tiff-resolution") &&
      !try_source(ome_mpp, "X", "Y", "ome-xml")) {
    info.mpp_source = "none";
    info.warnings.push_back(
        "The file does not say how large a pixel is: lengths and areas are in pixels until you state the size.");
    return;
  }
  if (std::abs(info.mpp_x - info.mpp_y) > 0.05 * info.mpp_x)
    info.warnings.push_back("Pixels are not square (" + std::to_string(info.mpp_x) + " × " + std::to_string(info.mpp_y) +
                            " µm): check the calibration before you trust lengths.");
}

void interpret_background(SlideInfo& info) {
  const std::string* text = find(info, "openslide.background-color");
  if (!text) return;
  unsigned r = 0, g = 0, b = 0;
  if (text->size() == 6 && std::sscanf(text->c_str(), "%2x%2x%2x", &r, &g, &b) == 3)
    info.background = {static_cast<u8>(r), static_cast<u8>(g), static_cast<u8>(b), 255};
}

void interpret_bounds(SlideInfo& info) {
  const Level& level = info.levels.front();
  info.bounds = {0, 0, level.width, level.height};
  const auto read = [&info](const char* name) -> std::optional<double> {
    const std::string* text = find(info, name);
    return text ? number(*text) : std::nullopt;
  };
  const auto x = read("openslide.bounds-x"), y = read("openslide.bounds-y");
  const auto w = read("openslide.bounds-width"), h = read("openslide.bounds-height");
  if (!x || !y || !w || !h) return;
  // Clamped as doubles first: a hostile value must not overflow the conversion.
  const double cw = static_cast<double>(level.width), ch = static_cast<double>(level.height);
  const double x0 = std::clamp(*x, 0.0, cw), y0 = std::clamp(*y, 0.0, ch);
  const double x1 = std::clamp(*x + *w, 0.0, cw), y1 = std::clamp(*y + *h, 0.0, ch);
  if (x1 - x0 < 1 || y1 - y0 < 1) {
    info.warnings.push_back("The file states bounds that lie outside the slide; they are ignored.");
    return;
  }
  info.bounds = {static_cast<i64>(x0), static_cast<i64>(y0), static_cast<i64>(x1) - static_cast<i64>(x0),
                 static_cast<i64>(y1) - static_cast<i64>(y0)};
}

/// Bytes of the well-formed UTF-8 sequence at `s`, or 0. Rejects overlong forms, surrogates and values above U+10FFFF.
std::size_t sequence_length(const unsigned char* s, std::size_t left) {
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < left && s[i] >= low && s[i] <= high;
  };
  const unsigned c = s[0];
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c <= 0xDF) return follows(1) ? 2 : 0;
  if (c >= 0xE0 && c <= 0xEF) return follows(1, c == 0xE0 ? 0xA0 : 0x80, c == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (c >= 0xF0 && c <= 0xF4)
    return follows(1, c == 0xF0 ? 0x90 : 0x80, c == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

}  // namespace

std::string valid_utf8(const std::string& text, std::size_t most) {
  std::string out;
  out.reserve(std::min(text.size(), most));
  const auto* s = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t i = 0; i < text.size() && out.size() < most;) {
    const std::size_t n = sequence_length(s + i, text.size() - i);
    if (n == 0) out += "\xEF\xBF\xBD";
    else out.append(text, i, n);
    i += n == 0 ? 1 : n;
  }
  return out;
}

void interpret_properties(SlideInfo& info) {
  interpret_bounds(info);
  interpret_background(info);
  if (const std::string* power = find(info, "openslide.objective-power")) {
    const auto value = number(*power);
    if (value && *value > 0 && *value <= 1000) info.objective_power = *value;
  }
  interpret_mpp(info);
}

}  // namespace morpho::slide
