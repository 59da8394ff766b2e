// The judgement of TIFF slides, what the parts share, and the order in which a file is judged.
#include "plausible.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "slide_metadata.hpp"

namespace morpho::slide {
namespace {

/// Below this many tiles a table that is too short costs nothing: libtiff fills it with zeros, and the tiles are absent.
constexpr u64 kFewTiles = 1 << 16;
/// Of an Aperio's reduced level: each stands for some 16 tiles of the level before it, which take 3 ms each.
constexpr u64 kMostAbsentTiles = 128;
constexpr std::size_t kMostAbsurdTiles = 4096;
/// Of a slide with so many directories OpenSlide walks the chain of all for each: 16,384 take it some seconds.
constexpr std::size_t kMostTiledDirectories = 16384;
/// For its checksum OpenSlide opens the file once for each tile of a directory that states little data in all: 8 µs each.
constexpr u64 kManyTiles = u64{1} << 17, kLeastBytesOfATile = 16;

std::string px(u64 w, u64 h) { return std::to_string(w) + " × " + std::to_string(h) + " px"; }

/// Trestle states overlaps; one as large as a tile leaves no step from tile to tile, and OpenSlide would walk for ever.
void judge_trestle(const std::string& path, const TiffIndex& index, const std::string& description) {
  const std::size_t begin = description.find("OverlapsXY=");
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(description.find(';', begin), description.size());
  std::size_t at = description.find(' ', begin);
  for (std::size_t k = 0; at != std::string::npos && at < end; ++k) {
    const auto overlap = static_cast<std::int32_t>(std::strtoull(description.c_str() + at + 1, nullptr, 10));
    const std::size_t level = k / 2;
    if (level >= index.directories().size()) break;
    const TiffDirectory& d = index.directories()[level];
    const u64 side = k % 2 == 0 ? d.stated_tile_width : d.stated_tile_height;
    if (overlap > 0 && side > 0 && static_cast<u64>(overlap) >= side)
      refuse_damaged(path, "OverlapsXY states an overlap of " + std::to_string(overlap) + " px for tiles of " +
                               std::to_string(side) + " px");
    if (overlap < 0 && -static_cast<i64>(overlap) > static_cast<i64>(kLargestSide))
      refuse_damaged(path, "OverlapsXY states an overlap of " + std::to_string(overlap) + " px");
    at = description.find(' ', at + 1);
  }
}

/// NDPI keeps each level as one JPEG, whose restart intervals OpenSlide takes for tiles.
void judge_ndpi(const std::string& path, const TiffIndex& index, const TiffDirectory& d, const std::string& where) {
  const RandomFile& file = index.file();
  if (d.strip_offsets.count != 1) return;
  const auto offset = index.item(d.strip_offsets, 0), bytes = index.item(d.strip_bytes, 0);
  if (!offset || !bytes) return;
  u8 magic[2] = {};
  if (!file.read(*offset, magic, 2) || magic[0] != 0xFF || magic[1] != 0xD8) return;
  const auto jpeg = jpeg_header(file, *offset);
  if (!jpeg) refuse_damaged(path, where + " holds a JPEG whose header runs beyond the end of the file");
  if (jpeg->end > *bytes)
    refuse_damaged(path, where + " states " + std::to_string(*bytes) +
                             " bytes (StripByteCounts) for a JPEG whose header alone has " + std::to_string(jpeg->end));
  const u64 w = d.stated_width, h = d.stated_height;
  if (jpeg->restart_interval == 0) {
    if (w > 0 && h > kMostTilePx / w) refuse_damaged(path, where + " is one JPEG of " + px(w, h) + " without restart markers");
    return;
  }
  const u64 across = w / (jpeg->mcu_width * jpeg->restart_interval), down = h / jpeg->mcu_height;
  if (across > 0 && down > file.size() / across)
    refuse_damaged(path, where + " claims " + px(w, h) + ", which is more restart intervals than the file has bytes");
  index.for_each(d.mcu_starts, [&](u64, u64 start) {
    if (start > *bytes)
      refuse_damaged(path, where + " states that a restart interval begins at byte " + std::to_string(start) + " of " +
                               std::to_string(*bytes) + " (McuStarts)");
    return true;
  });
}

void judge_directory(const std::string& path, const TiffIndex& index, std::size_t k) {
  const TiffDirectory& d = index.directories()[k];
  const std::string where = "directory " + std::to_string(k + 1);
  // Libraries differ in which of two they take.
  if (d.xmp_twice) refuse_damaged(path, where + " states its XMP twice");
  const bool tiled = d.stated_tile_width > 0 || d.stated_tile_height > 0 || d.tile_offsets.count > 0;
  // Of other directories the table of tiles is judged; a level of an absurd size is left out when it is known which it is.
  if (k == 0 && (d.stated_width > kLargestSide || d.stated_height > kLargestSide))
    refuse_damaged(path, where + " claims " + px(d.stated_width, d.stated_height) +
                             " (ImageWidth, ImageLength), more than any scanner gives");
  if (d.ndpi) judge_ndpi(path, index, d, where);
  if (!tiled) return;
  const u64 tw = d.stated_tile_width, th = d.stated_tile_height;
  // Strips with one side of a tile are tiles to libtiff, and it divides by the other side (SIGFPE).
  if (d.stripped && (tw == 0) != (th == 0))
    refuse_damaged(path, where + " states tiles of " + px(tw, th) + " (TileWidth, TileLength)");
  // It takes no directory whose tiles have no side; the others of the slide stay.
  if (tw == 0 || th == 0) return;
  if (tw > kMostTilePx || th > kMostTilePx / tw)
    refuse_damaged(path, where + " states tiles of " + px(tw, th) + " (TileWidth, TileLength), beyond the " +
                             std::to_string(kMostTilePx >> 20) + " megapixels that a tile may have");
  // It decodes no samples of more than 64 bits.
  const u64 bits = static_cast<u64>(std::max(d.stated_samples, 1u)) * std::clamp(d.stated_bits, 1u, 64u);
  if (bits > kMostDecodedBytes * 8 / (tw * th))
    refuse_damaged(path, where + " states tiles of " + px(tw, th) + " with " + std::to_string(d.stated_samples) +
                             " samples of " + std::to_string(d.stated_bits) +
                             " bits (SamplesPerPixel, BitsPerSample): more than the " +
                             std::to_string(kMostDecodedBytes >> 20) + " MiB that a tile may take");
  // TIFF's sides have 32 bits.
  constexpr u64 longest = 0xFFFFFFFF;
  const u64 across = (std::min(d.stated_width, longest) + tw - 1) / tw,
            down = (std::min(d.stated_height, longest) + th - 1) / th;
  const u64 stated = std::min(d.tile_offsets.count, d.tile_bytes.count);
  if (across > 0 && down > std::max(stated, kFewTiles) / across)
    refuse_damaged(path, where + " claims " + px(d.stated_width, d.stated_height) + " in " + std::to_string(across) + " × " +
                             std::to_string(down) + " tiles, and the file lists " + std::to_string(stated) +
                             " (TileOffsets, TileByteCounts)");
}

/// OpenSlide draws what an Aperio's reduced level lacks from the level before it, and draws anew what the levels after it show
/// there: a coarse tile may then cost the decoding of half the slide, in one call that nothing can end.
void judge_aperio(const std::string& path, const TiffIndex& index) {
  for (std::size_t k = 1; k < index.directories().size(); ++k) {
    const TiffDirectory& d = index.directories()[k];
    if (d.tile_width == 0 || d.tile_height == 0) continue;
    const u64 absent = absent_tiles(index, d);
    if (absent > kMostAbsentTiles)
      refuse_damaged(path, "directory " + std::to_string(k + 1) + " holds no data for " + std::to_string(absent) + " of its " +
                               std::to_string(d.tiles_across() * d.tiles_down()) + " tiles (TileOffsets, TileByteCounts)");
  }
}

/// Whether any tile has bytes. Reads no further than to the first. Without a table libtiff works out what there is.
bool has_data(const TiffIndex& index, const TiffDirectory& d) {
  bool any = d.tile_bytes.count == 0;
  index.for_each(d.tile_bytes, [&](u64, u64 bytes) {
    any |= bytes > 0;
    return !any;
  });
  return any;
}

/// Tables of tiles that cost more to go through than the file has pictures: each claim by itself may be one of a real slide.
void judge_tables(const std::string& path, const TiffIndex& index) {
  const auto& all = index.directories();
  const auto is_tiled = [](const TiffDirectory& d) { return d.stated_tile_width > 0 && d.stated_tile_height > 0; };
  if (!is_tiled(all.front())) return;
  if (all.size() > kMostTiledDirectories)
    refuse_damaged(path, "it is a tiled TIFF of " + std::to_string(all.size()) + " directories, more than the " +
                             std::to_string(kMostTiledDirectories) + " that a slide may have");
  // Those that share one table cost as much as if each had its own.
  u64 table_bytes = 0;
  for (const TiffDirectory& d : all) table_bytes += d.tile_bytes.count * d.tile_bytes.item_bytes;
  if (table_bytes > index.file().size())
    refuse_damaged(path, "its directories list more tiles together than the file has bytes (TileByteCounts)");
  bool any = false;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const TiffDirectory& d = all[k];
    if (!is_tiled(d)) continue;
    any = any || has_data(index, d);
    const u64 tiles = d.tiles_across() * d.tiles_down();
    if (tiles <= kManyTiles) continue;
    u64 stated = 0;
    index.for_each(d.tile_bytes, [&](u64, u64 bytes) {
      stated += std::min(bytes, kMostCompressedBytes);
      return stated < tiles * kLeastBytesOfATile;
    });
    if (stated < tiles * kLeastBytesOfATile)
      refuse_damaged(path, "directory " + std::to_string(k + 1) + " claims " + px(d.stated_width, d.stated_height) + " in " +
                               std::to_string(tiles) + " tiles, and states " + std::to_string(stated) +
                               " bytes for all of them together (TileByteCounts)");
  }
  if (!any)
    refuse_damaged(path, "it claims " + px(all.front().stated_width, all.front().stated_height) +
                             " and holds no data for any of its tiles (TileByteCounts)");
}

}  // namespace

void refuse_damaged(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::slide_unreadable,
              path + " is damaged: " + valid_utf8(what) + ". Copy the file again from where it came, or export it anew.",
              "damaged");
}

std::vector<u64> absurd_tiles(const TiffIndex& index, const TiffDirectory& d) {
  std::vector<u64> tiles;
  const u64 most = std::min(kMostCompressedBytes, index.file().size());
  index.for_each(d.tile_bytes, [&](u64 k, u64 bytes) {
    if (bytes > most) tiles.push_back(k);
    return tiles.size() < kMostAbsurdTiles;
  });
  return tiles;
}

u64 absent_tiles(const TiffIndex& index, const TiffDirectory& d) {
  const u64 tiles = d.tiles_across() * d.tiles_down();
  u64 listed = std::min(std::min(d.tile_offsets.count, d.tile_bytes.count), tiles), absent = tiles - listed;
  index.for_each(d.tile_bytes, [&](u64 k, u64 bytes) {
    if (k >= listed) return false;
    absent += bytes == 0;
    return true;
  });
  return absent;
}

void require_plausible_tiff(const std::string& path, const TiffIndex& index) {
  for (std::size_t k = 0; k < index.directories().size(); ++k) judge_directory(path, index, k);
  judge_tables(path, index);
  require_plausible_ventana(path, index);
  const TiffDirectory& first = index.directories().front();
  if (index.text(first.description).rfind("Aperio", 0) == 0) judge_aperio(path, index);
  if (index.text(first.software).rfind("MedScan", 0) == 0) judge_trestle(path, index, index.text(first.description));
}

std::optional<JpegHeader> jpeg_header(const RandomFile& file, u64 offset) {
  u8 b[20];
  if (!file.read(offset, b, 2) || b[0] != 0xFF || b[1] != 0xD8) return std::nullopt;
  JpegHeader header;
  u64 components = 0;
  for (u64 at = offset + 2;;) {
    if (!file.read(at, b, 2) || b[0] != 0xFF) return std::nullopt;
    const u8 marker = b[1];
    if (marker == 0xD8 || marker == 0xFF) {  // fill bytes, and a second SOI, which OpenSlide passes over
      at += marker == 0xFF ? 1 : 2;
      continue;
    }
    if (!file.read(at + 2, b, 2)) return std::nullopt;
    const u64 length = static_cast<u64>(b[0]) << 8 | b[1];
    if (length < 2 || !file.contains(at + 2, length)) return std::nullopt;
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame && length >= 8) {
      header.frame = at - offset;
      file.read(at + 4, b, 6);
      header.height = static_cast<u64>(b[1]) << 8 | b[2];
      header.width = static_cast<u64>(b[3]) << 8 | b[4];
      header.components = components = b[5];
      header.buffered = marker > 0xC1;
      u64 across = 1, down = 1;
      for (u64 i = 0; i < components && 8 + 3 * (i + 1) <= length; ++i) {
        file.read(at + 10 + 3 * i, b, 3);
        across = std::max<u64>(across, b[1] >> 4);
        down = std::max<u64>(down, b[1] & 15);
      }
      header.mcu_width = 8 * across;
      header.mcu_height = 8 * down;
    } else if (marker == 0xDD && length >= 4) {
      file.read(at + 4, b, 2);
      header.restart_interval = static_cast<u64>(b[0]) << 8 | b[1];
    } else if (marker == 0xDA) {
      if (length >= 3 && file.read(at + 4, b, 1)) {
        header.buffered |= b[0] < components;
        if (b[0] == 1) header.mcu_width = header.mcu_height = 8;
      }
      header.end = at + 2 + length - offset;
      return header;
    }
    at += 2 + length;
  }
}

void require_inside(const std::string& path, const std::string& folder, const std::string& name, const std::string& entry) {
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::slide_unreadable,
                path + " names the file \"" + valid_utf8(name, 200) + "\" (" + entry + "), " + why +
                    ". A slide may only name files beside it or in folders below it: put them there, and correct the entry.",
                "outside");
  };
  if (name.find('\0') != std::string::npos) refuse("whose name has a zero byte");
  const bool drive = name.size() >= 2 && name[1] == ':';
  if (!name.empty() && (name[0] == '/' || name[0] == '\\' || drive)) refuse("which is an absolute path");
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t to = std::min(name.find_first_of("/\\", from), name.size());
    if (name.compare(from, to - from, "..") == 0) refuse("which leads out of the slide's folder");
    from = to + 1;
  }
#ifdef _WIN32
  const std::string there = valid_utf8(name);  // names are UTF-16 there: what is not UTF-8 names no file
#else
  const std::string& there = name;
#endif
  std::error_code error;
  const fs::path root = fs::weakly_canonical(native_path(folder), error);
  if (error) return;  // a folder that is not there is told by name later
  const fs::path target = fs::weakly_canonical(native_path(folder) / native_path(there), error);
  if (error) refuse("which cannot be followed (" + error.message() + ")");
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), target.begin(), target.end());
  if (end != root.end()) refuse("which is a link that leads out of the slide's folder");
  const fs::file_status found = fs::status(target, error);
  // A pipe would hold whoever opens it for ever. What is not there is told by name later.
  if (fs::exists(found) && !fs::is_regular_file(found) && !fs::is_directory(found)) refuse("which is no regular file");
}

void require_plausible(const std::string& path) {
  std::string problem;
  if (const auto index = TiffIndex::open(path, problem)) {
    if (!problem.empty()) refuse_damaged(path, problem);
    return require_plausible_tiff(path, *index);
  }
  if (!problem.empty()) refuse_damaged(path, problem);
  require_plausible_hamamatsu(path);
  require_plausible_mirax(path);
}

}  // namespace morpho::slide
