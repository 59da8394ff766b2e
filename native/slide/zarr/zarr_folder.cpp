// Follows every link of a key before anything is opened.
#include "zarr_folder.hpp"

#include <algorithm>

#include "../pieces/unpack.hpp"

namespace morpho::slide {
namespace {

std::string utf8_text(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return std::string(text.begin(), text.end());
}

/// Of a key of this program's or of metadata; for messages.
[[noreturn]] void fails(const std::string& key, const std::string& why) {
  throw PieceError("\"" + key.substr(0, 120) + "\" in its folder " + why);
}

}  // namespace

std::shared_ptr<const ZarrFolder> ZarrFolder::of(const std::string& path) {
  std::error_code error;
  if (path.empty() || path.find('\0') != std::string::npos || !std::filesystem::is_directory(native_path(path), error))
    return nullptr;
  const auto root = std::filesystem::canonical(native_path(path), error);
  if (error) return nullptr;
  for (const char* name : {".zattrs", ".zgroup", ".zarray", "zarr.json"})
    if (std::filesystem::exists(root / name, error)) return std::shared_ptr<const ZarrFolder>(new ZarrFolder(root));
  return nullptr;
}

bool ZarrFolder::is_inside(const std::string& path) {
  if (path.empty() || path.size() > 1024) return false;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t end = std::min(path.find('/', from), path.size());
    const std::string part = path.substr(from, end - from);
    if (part.empty() || part == "." || part == ".." || part.size() > 255) return false;
    for (const char c : part)
      if (static_cast<unsigned char>(c) < 0x20 || c == '\\' || c == ':') return false;
    from = end + 1;
  }
  return true;
}

std::filesystem::path ZarrFolder::place_of(const std::string& key) const {
  if (!is_inside(key)) fails(key, "is no name of a file");
  std::error_code error;
  auto place = std::filesystem::canonical(root_ / native_path(key), error);
  if (error == std::errc::no_such_file_or_directory) return {};
  if (error) fails(key, "could not be looked at: " + error.message());
  const auto [of_root, rest] = std::mismatch(root_.begin(), root_.end(), place.begin(), place.end());
  if (of_root != root_.end()) fails(key, "is a link that leads out of the folder");
  return place;
}

std::unique_ptr<RandomFile> ZarrFolder::file(const std::string& key) const {
  const auto place = place_of(key);
  if (place.empty()) return nullptr;
  std::error_code error;
  // A pipe would wait for ever.
  if (!std::filesystem::is_regular_file(place, error)) fails(key, "is no regular file");
  auto file = std::make_unique<RandomFile>(utf8_text(place));
  const u64 size = std::filesystem::file_size(place, error);
  if (error || file->size() != size) fails(key, "may not be read by this user, or changes");
  return file;
}

std::optional<Json> ZarrFolder::json(const std::string& key) const {
  const auto found = file(key);
  if (!found) return std::nullopt;
  if (found->size() > kMostJsonBytes) fails(key, "has " + std::to_string(found->size()) + " bytes, which no metadata has");
  std::string text(static_cast<std::size_t>(found->size()), '\0');
  // A drive may answer the second time.
  if (!found->read(0, text.data(), text.size()) && !found->read(0, text.data(), text.size())) fails(key, "could not be read");
  try {
    return read_json(text);
  } catch (const JsonError& e) {
    fails(key, std::string("is damaged: ") + e.what());
  }
}

bool ZarrFolder::has_folder(const std::string& key) const {
  std::error_code error;
  const auto place = place_of(key);
  return !place.empty() && std::filesystem::is_directory(place, error);
}

bool ZarrFolder::has_chunks(const std::string& key) const {
  std::error_code error;
  const auto place = place_of(key);
  for (std::filesystem::directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = utf8_text(entry->path().filename());
    if (!name.starts_with('.') && name != "zarr.json") return true;
  }
  return false;
}

}  // namespace morpho::slide
