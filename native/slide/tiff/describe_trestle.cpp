// Trestle: directories are levels, one after the other, and tiles of a level lie over one another by what the description
// states.
#include <algorithm>

#include "../random_file.hpp"
#include "../slide_metadata.hpp"
#include "layout.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kMostTrestleLevels = 64;
constexpr u64 kMostMacroBytes = u64{64} << 20;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(at, from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

/// "OverlapsXY= 64 64 0 0": of each level along x and y.
std::vector<i64> overlaps(const std::string& stated) {
  std::vector<i64> found;
  for (const std::string& word : split(trimmed(stated), ' '))
    if (!word.empty()) found.push_back(whole_of(word, "OverlapsXY"));
  return found;
}

void set_background(TiffLayout& layout, const std::string& stated) {
  unsigned long value = 0;
  std::size_t used = 0;
  for (const char c : stated) used += static_cast<std::size_t>(std::isxdigit(static_cast<unsigned char>(c)) != 0);
  if (used != stated.size() || used == 0 || used > 6) return;
  value = std::stoul(stated, nullptr, 16);
  layout.background = {static_cast<u8>(value >> 16), static_cast<u8>(value >> 8), static_cast<u8>(value), 255};
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string text;
  for (int shift = 20; shift >= 0; shift -= 4) text += kDigits[value >> shift & 15];
  layout.properties["openslide.background-color"] = text;
}

/// The file beside the slide that shows all of the glass.
void add_macro(TiffLayout& layout, const std::string& path) {
  const std::size_t dot = path.rfind('.'), slash = path.find_last_of("/\\");
  const bool named = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  const std::string macro = (named ? path.substr(0, dot) : path) + ".Full";
  std::error_code none;
  if (!std::filesystem::is_regular_file(native_path(macro), none)) return;
  layout.associated_jpegs.push_back({"macro", [macro] {
                                       const RandomFile file(macro);
                                       if (file.size() > kMostMacroBytes) return std::vector<u8>();
                                       std::vector<u8> bytes(static_cast<std::size_t>(file.size()));
                                       if (!file.read(0, bytes.data(), bytes.size())) bytes.clear();
                                       return bytes;
                                     }});
}

}  // namespace

bool is_trestle(const TiffIndex& index) {
  const auto& all = index.directories();
  return index.text(all.front().software).rfind("MedScan", 0) == 0 && all.front().description.count > 0 &&
         std::all_of(all.begin(), all.end(), [](const TiffDirectory& d) { return d.tile_width > 0; });
}

TiffLayout describe_trestle(const TiffIndex& index, const std::string& description, const std::string& path) {
  TiffLayout layout;
  layout.format = "trestle";
  std::vector<i64> stated;
  for (const std::string& pair : split(description, ';')) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = trimmed(pair.substr(0, equals)), value = trimmed(pair.substr(equals + 1));
    if (name.empty()) continue;
    layout.properties["trestle." + valid_utf8(name, 100)] = valid_utf8(value, 400);
    if (name == "OverlapsXY") stated = overlaps(value);
    if (name == "Background Color") set_background(layout, value);
    if (name == "Objective Power") layout.properties["openslide.objective-power"] = valid_utf8(value, 40);
  }
  if (index.directories().size() > kMostTrestleLevels) throw NotUnderstood{"with more than 64 levels"};
  for (std::size_t k = 0; k < index.directories().size(); ++k) {
    const TiffDirectory& d = index.directories()[k];
    const bool told = 2 * k + 1 < stated.size();
    const i64 x = told ? stated[2 * k] : 0, y = told ? stated[2 * k + 1] : 0;
    if (x < 0 || y < 0) throw NotUnderstood{"whose tiles have gaps between them (OverlapsXY)"};
    CanvasLevel level;
    level.tiles.push_back(all_tiles(d, 0, 0, x, y));
    level.width = static_cast<i64>(d.width);
    level.height = static_cast<i64>(d.height);
    if (d.width >= d.tile_width) level.width -= (static_cast<i64>(d.tiles_across()) - 1) * x;
    if (d.height >= d.tile_height) level.height -= (static_cast<i64>(d.tiles_down()) - 1) * y;
    layout.canvases.push_back(std::move(level));
  }
  // µm stand where others have px of a unit of length.
  const TiffDirectory& first = index.directories().front();
  if (first.x_resolution.count > 0) layout.properties["openslide.mpp-x"] = number_text(index.real(first.x_resolution));
  if (first.y_resolution.count > 0) layout.properties["openslide.mpp-y"] = number_text(index.real(first.y_resolution));
  add_macro(layout, path);
  return layout;
}

}  // namespace morpho::slide
