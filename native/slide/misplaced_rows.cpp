// Asks OpenSlide for the first pixel of a made TIFF, whose only tile is twice as high as the picture.
#include "misplaced_rows.hpp"

#include <array>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "openslide_library.hpp"
#include "random_file.hpp"

namespace morpho::slide {
namespace {

/// Of a tile. Whole KiB: libtiff fails at others where they are not compressed and the file's last.
constexpr std::uint32_t kAcross = 64, kDown = 16, kTileBytes = kAcross * kDown * 3;
/// Of the picture.
constexpr std::uint32_t kRows = 8;

void add16(std::string& to, std::uint32_t v) {
  to += static_cast<char>(v & 255);
  to += static_cast<char>(v >> 8 & 255);
}
void add32(std::string& to, std::uint32_t v) {
  add16(to, v & 65535);
  add16(to, v >> 16);
}

/// As OpenSlide gives it: opacity, red, green, blue.
constexpr std::uint32_t kRed = 0xffff0000;

/// Red all over: one tile, of which half of the rows are the picture's.
std::string made_tiff() {
  struct Entry {
    std::uint32_t tag, type, count, value;
  };
  constexpr std::uint32_t kShort = 3, kLong = 4, kEntries = 11;
  constexpr std::uint32_t bits_at = 8 + 2 + 12 * kEntries + 4, tile_at = bits_at + 6;
  constexpr std::array<Entry, kEntries> entries{{{256, kShort, 1, kAcross},
                                                 {257, kShort, 1, kRows},
                                                 {258, kShort, 3, bits_at},
                                                 {259, kShort, 1, 1},
                                                 {262, kShort, 1, 2},
                                                 {277, kShort, 1, 3},
                                                 {284, kShort, 1, 1},
                                                 {322, kShort, 1, kAcross},
                                                 {323, kShort, 1, kDown},
                                                 {324, kLong, 1, tile_at},
                                                 {325, kLong, 1, kTileBytes}}};
  std::string tiff("II*\0", 4);
  add32(tiff, 8);
  add16(tiff, kEntries);
  for (const Entry& e : entries) {
    add16(tiff, e.tag);
    add16(tiff, e.type);
    add32(tiff, e.count);
    add32(tiff, e.value);
  }
  add32(tiff, 0);
  for (int sample = 0; sample < 3; ++sample) add16(tiff, 8);
  for (std::uint32_t px = 0; px < kAcross * kDown; ++px) tiff += std::string("\xff\0\0", 3);
  return tiff;
}

bool misplaces(const OpenSlideLibrary& library, const std::string& path) {
  OpenSlideHandle* handle = library.open(path.c_str());
  if (handle == nullptr) return false;
  bool wrong = false;
  if (library.get_error(handle) == nullptr) {
    std::uint32_t first = 0;
    library.read_region(handle, &first, 0, 0, 0, 1, 1);
    // Where the rows lie too low, it is whatever the memory held.
    wrong = library.get_error(handle) == nullptr && first != kRed;
  }
  library.close(handle);
  return wrong;
}

bool found_out(const OpenSlideLibrary& library) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (failed) return false;
  // A folder of our own, where nobody else can have put a link: others may write beside it.
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const auto mark = reinterpret_cast<std::uintptr_t>(&failed) ^ static_cast<std::uintptr_t>(now);
  const std::filesystem::path own = folder / ("morphoscope-rows-" + std::to_string(mark));
  if (!std::filesystem::create_directory(own, failed) || failed) return false;
  std::filesystem::permissions(own, std::filesystem::perms::owner_all, failed);
  const std::filesystem::path path = own / "rows.tif";
  bool wrong = false;
  {
    std::ofstream file(path, std::ios::binary);
    const std::string tiff = made_tiff();
    file.write(tiff.data(), static_cast<std::streamsize>(tiff.size()));
    file.close();
    const std::u8string text = path.u8string();
    wrong = file.good() && misplaces(library, std::string(text.begin(), text.end()));
  }
  std::filesystem::remove(path, failed);
  std::filesystem::remove(own, failed);
  return wrong;
}

}  // namespace

bool openslide_misplaces_last_rows() {
  const OpenSlideLibrary* library = openslide_library();
  static const bool known = library != nullptr && found_out(*library);
  return known;
}

}  // namespace morpho::slide
