// Looks at a refused file's first bytes, so that the user learns what it is instead of that it is not a slide.
#include "refusal.hpp"

#include <algorithm>
#include <cstring>

#include "slide_metadata.hpp"
#include "tiff_index.hpp"

namespace morpho::slide {
namespace {

std::string lower_extension(const std::string& path) {
  const std::size_t dot = path.find_last_of("./\\");
  if (dot == std::string::npos || path[dot] != '.') return {};
  std::string e = path.substr(dot + 1);
  std::transform(e.begin(), e.end(), e.begin(),
                 [](unsigned char c) { return c < 128 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c); });
  return e;
}

Error damaged(const std::string& path, const std::string& what) {
  return Error(ErrorCode::slide_unreadable,
               path + " is damaged: " + what + ". Copy the file again from where it came, or export it anew.", "damaged");
}

Error unsupported(const std::string& path, const std::string& what, const std::string& next) {
  return Error(ErrorCode::slide_unreadable, path + " is " + what + ". " + next, "unsupported-format");
}

/// Where a name's bytes were no UTF-8 (old programs wrote Latin-1) they came as U+FFFD, and no file has that name.
std::string advice_for(const std::string& path) {
  return path.find("\xEF\xBF\xBD") == std::string::npos
             ? "Check the path, and that its drive is connected."
             : "Its name, or a folder's, holds bytes that are not UTF-8, shown as \xEF\xBF\xBD: rename it in UTF-8.";
}

Error odd_key_file(const std::string& path, const std::string& openslide_error, const std::string& reader) {
  const bool mirax = lower_extension(path) == "mrxs";
  const std::string file = mirax ? "Slidedat.ini in " + path.substr(0, path.size() - 5) : path;
  return Error(ErrorCode::slide_unreadable,
               path + " is not read by " + reader + ", as " + file + " has a line that it does not take: \"" +
                   valid_utf8(openslide_error, 400) +
                   "\". The slide need not be damaged: correct that line in a copy of it (a line is KEY=VALUE, in UTF-8).",
               "unsupported-line");
}

constexpr std::uint32_t kSeparated = 5;  // CMYK
const char* const kConvert =
    "Convert it to a tiled pyramid TIFF (for example: vips tiffsave IN OUT.tif --tile --pyramid --compression jpeg).";

std::string compression_name(std::uint32_t compression) {
  const bool jpeg2000 = compression == 33003 || compression == 33004 || compression == 33005 || compression == 34712;
  return (jpeg2000 ? "JPEG 2000, " : "") + std::string("compression ") + std::to_string(compression);
}

Error refused_tiff(const std::string& path, const TiffIndex& index, const std::string& problem, const std::string& reader) {
  if (!problem.empty()) return damaged(path, problem);
  if (index.big_endian()) return unsupported(path, "a big-endian TIFF, which " + reader + " does not read", kConvert);
  const auto& all = index.directories();
  if (std::none_of(all.begin(), all.end(), [](const TiffDirectory& d) { return d.tile_width > 0; }))
    return unsupported(path, "a TIFF without tiles (in strips), which " + reader + " does not read", kConvert);
  return unsupported(
      path, "a TIFF of a kind that " + reader + " does not know (" + compression_name(all.front().compression) + ")", kConvert);
}

}  // namespace

Error no_channels(const std::string& path) {
  return Error(ErrorCode::invalid_parameter,
               path + " is one picture, and has no channels of which one could be analysed. Open it without a channel.");
}

void refuse_unseen_alpha(const std::string& path, const TiffIndex& index, const std::string& reader) {
  for (const TiffDirectory& d : index.directories()) {
    const u64 extra = index.item(d.extra_samples, 0).value_or(0);
    if (d.tile_width > 0 && d.photometric == kSeparated && d.samples > 4 && (extra == 1 || extra == 2))
      throw unsupported(path, "a TIFF of tiles in CMYK with transparency, which " + reader + " shows without it", kConvert);
  }
}

void require_file(const std::string& path) {
  if (path.empty()) reject("path", "the path of a slide", "an empty text");
  if (path.find('\0') != std::string::npos) reject("path", "a path without zero bytes", "one with a zero byte");
  std::error_code error;
  const auto native = native_path(path);
  const auto status = std::filesystem::status(native, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw Error(ErrorCode::not_found, path + " does not exist. " + advice_for(path));
  if (error) throw Error(ErrorCode::slide_unreadable, path + " could not be looked at: " + error.message() + ".", "permission");
  if (std::filesystem::is_directory(status))
    throw Error(ErrorCode::slide_unreadable,
                path +
                    " is a folder. Choose the slide file inside or beside it (for MIRAX the .mrxs file, for DICOM any file of "
                    "the slide, for OME-Zarr the folder that holds .zattrs or zarr.json).",
                "folder");
  if (!std::filesystem::is_regular_file(status))
    throw Error(ErrorCode::slide_unreadable, path + " is not a regular file.", "unsupported-format");
  std::ifstream probe(native, std::ios::binary);
  if (!probe)
    throw Error(ErrorCode::slide_unreadable, path + " may not be read by this user. Change its permissions, or copy it.",
                "permission");
}

bool speaks_of_memory(const std::string& text) {
  for (const char* words : {"Insufficient memory (case 2)", "Insufficient memory (case 4)", "Out of memory", "out of memory",
                            "Cannot allocate memory", "Not enough memory"}) {
    if (text.find(words) != std::string::npos) return true;
  }
  return false;
}
Error short_of_memory(const std::string& path, const std::string& text) {
  return Error(ErrorCode::out_of_memory, "There is not enough memory to read " + path + " (" + valid_utf8(text, 400) +
                                             "); close other programs, or ask for a smaller region.");
}

Error refusal(const std::string& path, const std::string& openslide_error, const std::string& reader) {
  if (speaks_of_memory(openslide_error)) return short_of_memory(path, openslide_error);
  const std::string extension = lower_extension(path);
  if (extension == "mrxs") {
    std::error_code ignored;
    const std::string folder = path.substr(0, path.size() - 5);
    if (!std::filesystem::is_directory(native_path(folder), ignored))
      return Error(ErrorCode::slide_unreadable,
                   path + " is a MIRAX slide without its folder: " + folder +
                       " is missing. Copy the file together with the folder of the same name.",
                   "incomplete");
  }
  std::string unused;
  if (openslide_error.find("Unsupported TIFF compression") != std::string::npos)
    if (const auto index = TiffIndex::open(path, unused)) return refused_tiff(path, *index, unused, reader);
  // GLib's words for a line of a key file without a key, and for a text of it that is not UTF-8. Both leave the pixels whole.
  for (const char* words : {"which is not a key-value pair", "which is not UTF-8", "invalid UTF-8"})
    if (openslide_error.find(words) != std::string::npos) return odd_key_file(path, openslide_error, reader);
  if (!openslide_error.empty()) {
    std::string text = valid_utf8(openslide_error, 400);
    while (!text.empty() && text.back() == '.') text.pop_back();
    return damaged(path, reader + " says \"" + text + "\"");
  }

  const RandomFile file(path);
  if (file.size() == 0) return damaged(path, "it is empty (0 bytes)");
  unsigned char head[132] = {};
  const std::size_t n = static_cast<std::size_t>(std::min<u64>(file.size(), sizeof head));
  file.read(0, head, n);
  const auto starts = [&](std::size_t at, const char* bytes, std::size_t count) {
    return at + count <= n && std::memcmp(head + at, bytes, count) == 0;
  };

  std::string problem;
  if (const auto index = TiffIndex::open(path, problem)) return refused_tiff(path, *index, problem, reader);
  if (!problem.empty()) return damaged(path, problem);
  if (starts(0, "\x89PNG", 4)) return unsupported(path, "a PNG image, not a slide", "It can be opened as a plain image.");
  if (starts(0, "\xFF\xD8\xFF", 3)) return unsupported(path, "a JPEG image, not a slide", "It can be opened as a plain image.");
  return unsupported(path, "not in a format that " + reader + " knows",
                     "Check that it is a slide; a wrong extension does not matter, the content does.");
}

}  // namespace morpho::slide
