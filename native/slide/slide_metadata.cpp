// Interprets slide properties: each number is parsed without the locale and held against what a microscope can give.
#include "slide_metadata.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "calibration/pixel_size.hpp"

namespace morpho::slide {
namespace {

const char* const
    kUncalibrated = "The file does not say how large a pixel is: lengths and areas are in pixels until you state the size.";

const std::string* find(const SlideInfo& info, const std::string& name) {
  const auto it = info.properties.find(name);
  return it == info.properties.end() ? nullptr : &it->second;
}

/// The named property as µm per px; warns where it is stated but useless.
std::optional<double> vendor_mpp(SlideInfo& info, const std::string& name) {
  const std::string* text = find(info, name);
  if (!text) return std::nullopt;
  const auto value = stated_number(*text);
  if (value && *value >= kSmallestMpp && *value <= kLargestMpp) return value;
  warn_once(info.warnings,
            "The file states \"" + shortened(*text) + "\" µm per pixel, which no microscope gives; it is ignored.");
  return std::nullopt;
}

/// What the properties say of level 0. `description` is the whole text where the property may be cut.
StatedSize stated_by_tiff(const SlideInfo& info, const std::string* description) {
  const auto text = [&info](const char* name) {
    const std::string* found = find(info, name);
    return found ? *found : std::string();
  };
  const auto resolution = [&](const char* name) { return stated_number(text(name)); };
  StatedSize stated{info.levels.front().width,      info.levels.front().height,
                    resolution("tiff.XResolution"), resolution("tiff.YResolution"),
                    text("tiff.ResolutionUnit"),    description ? *description : text("tiff.ImageDescription")};
  if (stated.description.empty()) stated.description = text("openslide.comment");
  return stated;
}

void interpret_mpp(SlideInfo& info, const std::string* description) {
  // In a fixed order, so that the warnings come in one, too.
  const auto x = vendor_mpp(info, "openslide.mpp-x"), y = vendor_mpp(info, "openslide.mpp-y");
  std::optional<PixelSize> size;
  if (x || y) size = PixelSize{x.value_or(y.value_or(0)), y.value_or(x.value_or(0)), "vendor"};
  else size = stated_pixel_size(stated_by_tiff(info, description), kLargestTiffMpp, info.warnings);
  if (!size) {
    info.mpp_source = "none";
    info.warnings.push_back(kUncalibrated);
    return;
  }
  info.mpp_x = size->x;
  info.mpp_y = size->y;
  info.mpp_source = size->source;
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
    return text ? stated_number(*text) : std::nullopt;
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

void append_utf8(std::string& to, std::uint32_t c) {
  const auto put = [&to](std::uint32_t byte) { to += static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (c < 0x800) return put(0xC0 | c >> 6), put(0x80 | (c & 63));
  if (c < 0x10000) return put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 63)), put(0x80 | (c & 63));
  put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 63)), put(0x80 | (c >> 6 & 63)), put(0x80 | (c & 63));
}

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

void interpret_properties(SlideInfo& info, const std::string* description) {
  interpret_bounds(info);
  interpret_background(info);
  if (const std::string* power = find(info, "openslide.objective-power")) {
    const auto value = stated_number(*power);
    if (value && *value > 0 && *value <= 1000) info.objective_power = *value;
  }
  interpret_mpp(info, description);
}

}  // namespace morpho::slide
