// Judges the sizes, counts and offsets that a slide file states against the file itself, before any library trusts them.
#pragma once
#include <string>
#include <vector>

#include "slide.hpp"
#include "tiff_index.hpp"

namespace morpho::slide {

/// OpenSlide and GLib end the process where a size that a file states cannot be allocated, and libtiff believes counts. So
/// what could make them allocate, loop or read more than the file can hold is refused here: SLIDE_UNREADABLE (detail
/// "damaged") names the file, the field and its value. What merely makes a part unreadable passes: one bad tile must not
/// stop a slide. Cost: the directories and the table of tile sizes of a TIFF, the headers of other formats.
void require_plausible(const std::string& path);

/// The most px that one decoded tile may have: 64 Mpx are 256 MiB in OpenSlide, and ten times the largest real tile.
inline constexpr u64 kMostTilePx = u64{1} << 26;
/// Far beyond any scanner (a 100x scan of a 75 mm slide has 10^6 px), and all index arithmetic stays far inside an i64.
inline constexpr u64 kLargestSide = u64{1} << 26;
/// Of a tile or strip with all its samples, and of one compressed tile.
inline constexpr u64 kMostDecodedBytes = u64{512} << 20;
inline constexpr u64 kMostCompressedBytes = u64{256} << 20;

/// The tiles of `directory` that must never be asked of OpenSlide, because it would allocate the absurd number of bytes that
/// the file states for them; indices in raster order, at most 4096 of them.
std::vector<u64> absurd_tiles(const TiffIndex& index, const TiffDirectory& directory);
/// How many of the directory's tiles the file has no bytes for: not listed, or listed with none. Reads its table.
u64 absent_tiles(const TiffIndex& index, const TiffDirectory& directory);

// The parts, by format; each returns without a word where the file is not of its format.
void require_plausible_tiff(const std::string& path, const TiffIndex& index);
void require_plausible_ventana(const std::string& path, const TiffIndex& index);
void require_plausible_hamamatsu(const std::string& path);
void require_plausible_mirax(const std::string& path);

/// `name`, which `path` states under `entry`, must lie inside `folder`: no absolute path, no "..", no link that leads out.
void require_inside(const std::string& path, const std::string& folder, const std::string& name, const std::string& entry);

/// SLIDE_UNREADABLE, detail "damaged": "PATH is damaged: WHAT. Copy the file again …".
[[noreturn]] void refuse_damaged(const std::string& path, const std::string& what);

/// What the header of a JPEG inside a file says.
struct JpegHeader {
  u64 width = 0, height = 0;
  u64 restart_interval = 0;  ///< MCUs; 0 = none
  u64 mcu_width = 8, mcu_height = 8;
  u64 components = 0;
  u64 frame = 0;          ///< where its frame's segment begins, from the JPEG's beginning
  u64 end = 0;            ///< of the header, from the JPEG's beginning
  bool buffered = false;  ///< progressive or in several scans: a decoder holds all coefficients
};
/// Nothing where there is no JPEG at `offset` or its header runs beyond the file.
std::optional<JpegHeader> jpeg_header(const RandomFile& file, u64 offset);

}  // namespace morpho::slide
