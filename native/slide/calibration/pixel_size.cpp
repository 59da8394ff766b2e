// The order in which statements are believed, and what each is held against.
#include "pixel_size.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "../slide_metadata.hpp"

namespace morpho::slide {
namespace {

std::string text_of(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// The value of `key` in an ImageJ description: lines of key=value after one that begins with "ImageJ=".
std::string imagej_value(const std::string& description, const std::string& key) {
  if (description.rfind("ImageJ=", 0) != 0) return {};
  std::istringstream lines(description.substr(0, description.find('\0')));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.rfind(key + "=", 0) == 0) return line.substr(key.size() + 1);
  }
  return {};
}

/// Where one axis alone is stated the pixels are taken as square.
std::optional<PixelSize> both(std::optional<double> x, std::optional<double> y, const char* source) {
  if (!x && !y) return std::nullopt;
  return PixelSize{x.value_or(y.value_or(0)), y.value_or(x.value_or(0)), source};
}

/// A resolution in px per unit as µm per px. `told`: in what words what is not believed is told.
std::optional<double> from_resolution(std::optional<double> resolution, double um_per_unit, double largest,
                                      const std::string& told, Warnings& warnings) {
  // Writers that know of none write 0.
  if (!resolution || *resolution == 0) return std::nullopt;
  const double mpp = um_per_unit / *resolution;
  if (std::isfinite(mpp) && mpp >= kSmallestMpp && mpp <= largest) return mpp;
  warn_once(warnings, "The TIFF states a resolution of " + text_of(*resolution) + " px per " + told);
  return std::nullopt;
}

}  // namespace

std::optional<double> stated_number(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return std::nullopt;
  std::string s = text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
  if (s.find('.') == std::string::npos) std::replace(s.begin(), s.end(), ',', '.');
  if (s[0] == '+') s.erase(0, 1);
  double value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc{} || end != s.data() + s.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string shortened(const std::string& s) { return s.size() <= 40 ? valid_utf8(s) : valid_utf8(s.substr(0, 40)) + "…"; }

void warn_once(Warnings& warnings, const std::string& text) {
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

double um_per(const std::string& unit) {
  // Both Unicode spellings of micro (U+00B5, U+03BC) are in use, ImageJ's escape, and Latin-1 that was read as UTF-8.
  for (const char* micron :
       {"µm", "μm", "um", "micron", "microns", "micrometer", "micrometre", "\\u00B5m", "\\u03BCm", "\xB5m", "\xEF\xBF\xBDm"})
    if (unit == micron) return 1;
  if (unit == "nm" || unit == "nanometer") return 1e-3;
  if (unit == "mm" || unit == "millimeter") return 1e3;
  if (unit == "cm" || unit == "centimeter") return 1e4;
  if (unit == "m" || unit == "meter") return 1e6;
  if (unit == "pm") return 1e-6;
  if (unit == "Å") return 1e-4;
  return unit == "in" || unit == "inch" ? 25400 : 0;
}

std::optional<PixelSize> stated_pixel_size(const StatedSize& stated, double largest_tiff_mpp, Warnings& warnings) {
  const auto& [width, height, x, y, unit, description] = stated;
  const std::string imagej = imagej_value(description, "unit");
  Warnings of_resolution;
  if (unit == "inch" || unit == "centimeter") {
    const std::string told = unit + ", which is that of a print, not of a microscope; it is ignored.";
    // Each axis in a fixed order, so that the warnings come in one, too.
    const auto mx = from_resolution(x, um_per(unit), largest_tiff_mpp, told, of_resolution);
    const auto my = from_resolution(y, um_per(unit), largest_tiff_mpp, told, of_resolution);
    if (auto size = both(mx, my, "tiff-resolution")) {
      warnings.insert(warnings.end(), of_resolution.begin(), of_resolution.end());
      return size;
    }
  }
  if (const double um = um_per(imagej); um > 0) {
    const std::string told = shortened(imagej) + ", which no microscope gives; it is ignored.";
    const auto mx = from_resolution(x, um, kLargestMpp, told, warnings),
               my = from_resolution(y, um, kLargestMpp, told, warnings);
    if (auto size = both(mx, my, "tiff-resolution")) return size;
  }
  if (!description.empty())
    if (auto size = ome_pixel_size(description, width, height, warnings)) return size;
  warnings.insert(warnings.end(), of_resolution.begin(), of_resolution.end());
  return std::nullopt;
}

}  // namespace morpho::slide
