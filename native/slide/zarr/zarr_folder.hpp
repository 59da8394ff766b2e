// The files of a Zarr's folder: each is found by a key, and none of them lies outside.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "../random_file.hpp"
#include "json.hpp"

namespace morpho::slide {

/// Thread-safe.
class ZarrFolder {
 public:
  /// Null where `path` is no folder, or none that could be a Zarr.
  static std::shared_ptr<const ZarrFolder> of(const std::string& path);

  /// The file of a key, as "0/c/1/2"; null where there is none. Throws PieceError where it is no regular file, lies outside by
  /// a link, or may not be read.
  std::unique_ptr<RandomFile> file(const std::string& key) const;
  /// The JSON in it; nothing where there is none. Throws PieceError.
  std::optional<Json> json(const std::string& key) const;
  /// Whether the folder of `key` holds more than metadata. Stops at the first.
  bool has_chunks(const std::string& key) const;
  /// Whether a folder of that name is there, which leads to no place outside.
  bool has_folder(const std::string& key) const;

  /// Whether `path`, as metadata states it, names a place inside: relative, without "..", "." or an empty part.
  static bool is_inside(const std::string& path);

 private:
  explicit ZarrFolder(std::filesystem::path root) : root_(std::move(root)) {}
  /// With all links followed; empty where nothing is there. Throws PieceError where it leads outside.
  std::filesystem::path place_of(const std::string& key) const;

  std::filesystem::path root_;  ///< without links
};

}  // namespace morpho::slide
