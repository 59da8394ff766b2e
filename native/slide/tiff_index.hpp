// Where the tiles of a TIFF lie: a bounds-checked index of its directories, for handing out compressed tiles unchanged.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "random_file.hpp"

namespace morpho::slide {

/// An array that a directory entry names, still in the file: `count` integers of `item_bytes` each from `offset`.
struct TiffArray {
  u64 offset = 0, count = 0;
  std::uint32_t item_bytes = 0;
  std::uint32_t type = 0;  ///< TIFF's
  u64 above = 0;           ///< of NDPI's single values, what is beyond their 32 bits
};
struct TiffDirectory {
  u64 width = 0, height = 0;
  u64 tile_width = 0, tile_height = 0;  ///< 0 for strips
  std::uint32_t compression = 1, photometric = 0, samples = 1, planar = 1;
  std::uint32_t bits = 1;           ///< of the first sample; 0 where the samples differ
  std::uint32_t sample_format = 1;  ///< 1 unsigned, 2 signed, 3 floating point; 0 where the samples differ
  std::uint32_t predictor = 1, fill_order = 1, orientation = 1, subfile_type = 0;
  TiffArray tile_offsets, tile_bytes;
  TiffArray jpeg_tables;
  bool stripped = false;
  u64 offset = 0;  ///< of the directory itself
  u64 entries = 0;
  /// The largest that any entry states, also where that is absurd or stated twice: what the plausibility checks judge.
  u64 stated_width = 0, stated_height = 0, stated_tile_width = 0, stated_tile_height = 0;
  std::uint32_t stated_samples = 1, stated_bits = 1;
  u64 rows_per_strip = 0;
  TiffArray strip_offsets, strip_bytes;
  TiffArray description, software, xmp;   ///< texts
  TiffArray mcu_starts, mcu_starts_high;  ///< NDPI: where its restart intervals begin, and what of that is beyond 32 bits
  TiffArray source_lens;                  ///< NDPI: what it magnifies; -1 of the macro, -2 of the map
  TiffArray slide_x, slide_y, focus_z;    ///< NDPI: nm from the slide's centre, and from the focal plane in the middle
  TiffArray reference, property_map;      ///< NDPI: texts
  TiffArray extra_samples;
  TiffArray color_profile;               ///< ICC's bytes
  TiffArray sub_directories;             ///< offsets of the SubIFDs
  TiffArray x_resolution, y_resolution;  ///< RATIONAL, FLOAT or an integer
  u64 resolution_unit = 2;               ///< inches where nothing else is stated, as the standard has it
  std::vector<u64> resolution_entries;   ///< where the entries of the three begin
  bool ndpi = false;
  bool xmp_twice = false;

  u64 tiles_across() const { return tile_width ? (width + tile_width - 1) / tile_width : 0; }
  u64 tiles_down() const { return tile_height ? (height + tile_height - 1) / tile_height : 0; }
};

/// Directories of a classic or BigTIFF of either byte order. Every offset and count is held against the size of the file,
/// loops end the chain, and nothing is allocated that the file does not hold. Thread-safe after construction.
class TiffIndex {
 public:
  /// Null where the file is no TIFF; `problem` then stays empty. A TIFF whose chain of directories is broken gives the good
  /// ones before the break and says what was wrong in `problem` (null where not even the first is good).
  static std::unique_ptr<TiffIndex> open(const std::string& path, std::string& problem);

  const std::vector<TiffDirectory>& directories() const { return directories_; }
  bool big_endian() const { return big_endian_; }
  bool big_tiff() const { return big_; }

  /// The SubIFDs of a directory, in the file's order, and theirs of none: nothing can form a loop. `problem` says why some are
  /// missing. At most `most` of them.
  std::vector<TiffDirectory> children(const TiffDirectory& directory, std::size_t most, std::string& problem) const;
  /// The compressed bytes of tile (tx, ty), or nothing: outside, empty, beyond the file's end, or over 64 MiB.
  std::optional<std::vector<u8>> tile_bytes(const TiffDirectory& directory, u64 tx, u64 ty) const;
  /// `count` bytes from `offset`, or nothing: none, beyond the file's end, or over `most`.
  std::optional<std::vector<u8>> bytes(u64 offset, u64 count, u64 most) const;
  /// True where the directory has tile (tx, ty) but the file holds not one byte of it.
  bool tile_is_absent(const TiffDirectory& directory, u64 tx, u64 ty) const;
  /// Item `index` of an array, or nothing where it lies beyond the array or the file.
  std::optional<u64> item(const TiffArray& array, u64 index) const;
  /// The first item of any number's type, with its sign; NaN where it lies beyond the file. A denominator of 0 gives no finite
  /// number.
  double real(const TiffArray& array) const;
  /// Calls `each` with the index and value of every item until it says false. Reads the array in blocks.
  void for_each(const TiffArray& array, const std::function<bool(u64 index, u64 value)>& each) const;
  /// The bytes of a text entry, at most 16 MiB; empty where absent.
  std::string text(const TiffArray& array) const;
  const RandomFile& file() const { return file_; }
  /// The bytes of the JPEGTables tag; empty where absent.
  std::vector<u8> jpeg_tables(const TiffDirectory& directory) const;

 private:
  explicit TiffIndex(const std::string& path) : file_(path) {}
  u64 integer(const u8* p, std::uint32_t bytes) const;
  bool read_directory(u64 offset, TiffDirectory& out, u64& next, std::string& problem) const;

  RandomFile file_;
  bool big_endian_ = false, big_ = false;
  std::vector<TiffDirectory> directories_;
};

}  // namespace morpho::slide
