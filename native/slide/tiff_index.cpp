// Parses TIFF and BigTIFF directories without trusting a single number in them.
#include "tiff_index.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

namespace morpho::slide {
namespace {

using u32 = std::uint32_t;

constexpr u64 kMostDirectories = 65535;          // libtiff's own limit; stacks of focal planes have thousands
constexpr u64 kMostEntries = 4096;               // of one directory; real ones have 20 to 60
constexpr u64 kMostEntriesInAll = u64{1} << 22;  // directories may overlap, so that the file's size is no bound
constexpr u64 kMostTextBytes = u64{16} << 20;
constexpr u64 kMostTileBytes = u64{64} << 20;
constexpr u64 kMostTableBytes = u64{1} << 20;
constexpr u32 kAscii = 2;

namespace tag_id {
enum : u32 {
  subfile_type = 254,
  image_width = 256,
  image_length = 257,
  bits_per_sample = 258,
  compression = 259,
  photometric = 262,
  fill_order = 266,
  description = 270,
  strip_offsets = 273,
  orientation = 274,
  samples_per_pixel = 277,
  rows_per_strip = 278,
  strip_byte_counts = 279,
  x_resolution = 282,
  y_resolution = 283,
  planar_configuration = 284,
  resolution_unit = 296,
  software = 305,
  predictor = 317,
  tile_width = 322,
  tile_length = 323,
  tile_offsets = 324,
  tile_byte_counts = 325,
  sub_directories = 330,
  extra_samples = 338,
  sample_format = 339,
  jpeg_tables = 347,
  xmp = 700,
  color_profile = 34675,
  ndpi_format = 65420,
  ndpi_source_lens = 65421,
  ndpi_slide_x = 65422,
  ndpi_slide_y = 65423,
  ndpi_focus_z = 65424,
  ndpi_mcu_starts = 65426,
  ndpi_reference = 65427,
  ndpi_mcu_starts_high = 65432,
  ndpi_property_map = 65449
};
}  // namespace tag_id

/// Bytes of one item of a TIFF field type; 0 for types that are not integers or bytes, and where a resolution is expected also
/// of the other numbers.
u32 item_size(u32 type, bool resolution) {
  if (resolution && (type == 5 || type == 10 || type == 12)) return 8;  // RATIONAL, SRATIONAL, DOUBLE
  if (resolution && type == 11) return 4;                               // FLOAT
  switch (type) {
    case 1:
    case 2:
    case 6:
    case 7: return 1;  // BYTE, ASCII, SBYTE, UNDEFINED
    case 3:
    case 8: return 2;  // SHORT
    case 4:
    case 9:
    case 13: return 4;  // LONG, IFD
    case 16:
    case 17:
    case 18: return 8;  // LONG8, IFD8
    default: return 0;
  }
}

}  // namespace

u64 TiffIndex::integer(const u8* p, u32 bytes) const {
  u64 value = 0;
  for (u32 i = 0; i < bytes; ++i) value = value << 8 | p[big_endian_ ? i : bytes - 1 - i];
  return value;
}

std::optional<u64> TiffIndex::item(const TiffArray& array, u64 index) const {
  if (index >= array.count || array.item_bytes == 0) return std::nullopt;
  u8 raw[8];
  if (!file_.read(array.offset + index * array.item_bytes, raw, array.item_bytes)) return std::nullopt;
  return integer(raw, array.item_bytes) + array.above;
}

double TiffIndex::real(const TiffArray& array) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (array.count == 0) return none;
  u8 raw[8];
  if (!file_.read(array.offset, raw, array.item_bytes)) return none;
  const auto word = [&](int at) { return static_cast<u32>(integer(raw + at, 4)); };
  switch (array.type) {
    case 5: return static_cast<double>(word(0)) / static_cast<double>(word(4));
    case 10: return static_cast<double>(static_cast<std::int32_t>(word(0))) / static_cast<std::int32_t>(word(4));
    case 6: return static_cast<double>(static_cast<std::int8_t>(raw[0]));
    case 8: return static_cast<double>(static_cast<std::int16_t>(integer(raw, 2)));
    case 9: return static_cast<double>(static_cast<std::int32_t>(word(0)));
    case 11: return static_cast<double>(std::bit_cast<float>(word(0)));
    case 12: return std::bit_cast<double>(integer(raw, 8));
    default: return static_cast<double>(integer(raw, array.item_bytes));
  }
}

void TiffIndex::for_each(const TiffArray& array, const std::function<bool(u64, u64)>& each) const {
  if (array.item_bytes == 0) return;
  std::vector<u8> block;
  constexpr u64 kItems = 1 << 16;
  for (u64 done = 0; done < array.count; done += kItems) {
    const u64 n = std::min(kItems, array.count - done);
    block.resize(static_cast<std::size_t>(n * array.item_bytes));
    if (!file_.read(array.offset + done * array.item_bytes, block.data(), block.size())) return;
    for (u64 i = 0; i < n; ++i)
      if (!each(done + i, integer(block.data() + i * array.item_bytes, array.item_bytes))) return;
  }
}

std::string TiffIndex::text(const TiffArray& array) const {
  const u64 bytes = std::min(array.count * array.item_bytes, kMostTextBytes);
  std::string s(static_cast<std::size_t>(bytes), '\0');
  if (bytes > 0 && !file_.read(array.offset, s.data(), s.size())) return {};
  return s;
}

bool TiffIndex::read_directory(u64 offset, TiffDirectory& out, u64& next, std::string& problem) const {
  const u32 count_bytes = big_ ? 8 : 2, entry_bytes = big_ ? 20 : 12, offset_bytes = big_ ? 8 : 4;
  u8 raw[8];
  if (!file_.read(offset, raw, count_bytes)) {
    problem = "a directory lies beyond the end of the file (at byte " + std::to_string(offset) + " of " +
              std::to_string(file_.size()) + "): the file is cut short";
    return false;
  }
  const u64 entries = integer(raw, count_bytes);
  if (entries > kMostEntries) {
    problem = "a directory claims " + std::to_string(entries) + " entries";
    return false;
  }
  const u64 begin = offset + count_bytes;
  std::vector<u8> body(static_cast<std::size_t>(entries * entry_bytes + offset_bytes));
  out.offset = offset;
  out.entries = entries;
  if (!file_.read(begin, body.data(), body.size())) {
    problem = "a directory runs beyond the end of the file: the file is cut short";
    return false;
  }
  // NDPI goes beyond 4 GiB with 4 more bytes of each value, which lie together behind the link to the next directory.
  for (u64 i = 0; i < entries && !big_; ++i) out.ndpi |= integer(body.data() + i * entry_bytes, 2) == tag_id::ndpi_format;
  std::vector<u8> high;
  if (out.ndpi && file_.size() >= u64{1} << 32) {
    high.resize(static_cast<std::size_t>(entries * 4));
    if (!file_.read(begin + entries * entry_bytes + 8, high.data(), high.size())) high.clear();
  }
  for (u64 i = 0; i < entries; ++i) {
    const u8* e = body.data() + i * entry_bytes;
    const u64 above = high.empty() ? 0 : integer(high.data() + i * 4, 4) << 32;
    const u32 tag = static_cast<u32>(integer(e, 2)), type = static_cast<u32>(integer(e + 2, 2));
    const bool resolution = tag == tag_id::x_resolution || tag == tag_id::y_resolution || tag == tag_id::ndpi_source_lens;
    if ((resolution && tag != tag_id::ndpi_source_lens) || tag == tag_id::resolution_unit)
      out.resolution_entries.push_back(begin + i * entry_bytes);
    const u32 size = item_size(type, resolution);
    if (size == 0) continue;
    TiffArray array{0, integer(e + 4, offset_bytes), size, type};
    if (array.count == 0) continue;
    const u8* value = e + 4 + offset_bytes;
    // A value of at most offset_bytes stands in the entry itself. The division keeps hostile counts from overflowing.
    // NDPI never has a text there.
    const bool in_place = array.count <= offset_bytes / size && !(out.ndpi && type == kAscii);
    array.offset = in_place ? begin + static_cast<u64>(value - body.data()) : integer(value, offset_bytes) + above;
    if (in_place && size == 4 && array.count == 1) array.above = above;
    if (array.count > file_.size() / size || !file_.contains(array.offset, array.count * size)) continue;
    const auto first = [&] { return in_place ? integer(value, size) + array.above : item(array, 0).value_or(0); };
    // Of the samples; 0 where they differ.
    const auto common = [&] {
      u64 value = first();
      for (u64 k = 1; k < std::min<u64>(array.count, 16); ++k)
        if (item(array, k) != first()) value = 0;
      return static_cast<u32>(value);
    };
    switch (tag) {
      case tag_id::image_width:
        out.width = first();
        out.stated_width = std::max(out.stated_width, out.width);
        break;
      case tag_id::image_length:
        out.height = first();
        out.stated_height = std::max(out.stated_height, out.height);
        break;
      case tag_id::bits_per_sample:
        out.bits = common();
        for (u64 k = 0; k < std::min<u64>(array.count, 16); ++k)
          out.stated_bits = std::max(out.stated_bits, static_cast<u32>(item(array, k).value_or(0)));
        break;
      case tag_id::sample_format: out.sample_format = common(); break;
      case tag_id::predictor: out.predictor = static_cast<u32>(first()); break;
      case tag_id::fill_order: out.fill_order = static_cast<u32>(first()); break;
      case tag_id::orientation: out.orientation = static_cast<u32>(first()); break;
      case tag_id::subfile_type: out.subfile_type = static_cast<u32>(first()); break;
      case tag_id::sub_directories: out.sub_directories = array; break;
      case tag_id::color_profile: out.color_profile = array; break;
      case tag_id::compression: out.compression = static_cast<u32>(first()); break;
      case tag_id::photometric: out.photometric = static_cast<u32>(first()); break;
      case tag_id::strip_offsets:
        out.stripped = true;
        out.strip_offsets = array;
        break;
      case tag_id::strip_byte_counts: out.strip_bytes = array; break;
      case tag_id::rows_per_strip: out.rows_per_strip = first(); break;
      case tag_id::x_resolution: out.x_resolution = array; break;
      case tag_id::y_resolution: out.y_resolution = array; break;
      case tag_id::resolution_unit: out.resolution_unit = first(); break;
      case tag_id::extra_samples: out.extra_samples = array; break;
      case tag_id::description: out.description = array; break;
      case tag_id::software: out.software = array; break;
      case tag_id::xmp:
        out.xmp_twice |= out.xmp.count > 0;
        out.xmp = array;
        break;
      case tag_id::ndpi_format: out.ndpi = true; break;
      case tag_id::ndpi_source_lens: out.source_lens = array; break;
      case tag_id::ndpi_slide_x: out.slide_x = array; break;
      case tag_id::ndpi_slide_y: out.slide_y = array; break;
      case tag_id::ndpi_focus_z: out.focus_z = array; break;
      case tag_id::ndpi_mcu_starts: out.mcu_starts = array; break;
      case tag_id::ndpi_mcu_starts_high: out.mcu_starts_high = array; break;
      case tag_id::ndpi_reference: out.reference = array; break;
      case tag_id::ndpi_property_map: out.property_map = array; break;
      case tag_id::samples_per_pixel:
        out.samples = static_cast<u32>(first());
        out.stated_samples = std::max(out.stated_samples, out.samples);
        break;
      case tag_id::planar_configuration: out.planar = static_cast<u32>(first()); break;
      case tag_id::tile_width:
        out.tile_width = first();
        out.stated_tile_width = std::max(out.stated_tile_width, out.tile_width);
        break;
      case tag_id::tile_length:
        out.tile_height = first();
        out.stated_tile_height = std::max(out.stated_tile_height, out.tile_height);
        break;
      case tag_id::tile_offsets: out.tile_offsets = array; break;
      case tag_id::tile_byte_counts: out.tile_bytes = array; break;
      case tag_id::jpeg_tables: out.jpeg_tables = array; break;
      default: break;
    }
  }
  // Sizes beyond any slide would overflow the arithmetic of tiles_across: such a directory has no usable tiles.
  constexpr u64 kLargest = u64{1} << 31;
  if (out.width >= kLargest || out.height >= kLargest || out.tile_width >= kLargest || out.tile_height >= kLargest)
    out.tile_width = out.tile_height = 0;
  const u8* link = body.data() + entries * entry_bytes;
  next = integer(link, offset_bytes);
  // NDPI links its directories with 8 bytes even in a classic TIFF, and so goes beyond 4 GiB.
  u8 wide[8];
  if (out.ndpi && !big_ && file_.read(begin + entries * entry_bytes, wide, 8)) next = integer(wide, 8);
  return true;
}

std::unique_ptr<TiffIndex> TiffIndex::open(const std::string& path, std::string& problem) {
  problem.clear();
  std::unique_ptr<TiffIndex> index(new TiffIndex(path));
  u8 head[16] = {};
  if (!index->file_.read(0, head, 8)) return nullptr;
  if (head[0] == 'M' && head[1] == 'M') index->big_endian_ = true;
  else if (!(head[0] == 'I' && head[1] == 'I')) return nullptr;
  const u64 magic = index->integer(head + 2, 2);
  u64 offset = 0;
  if (magic == 42) {
    offset = index->integer(head + 4, 4);
  } else if (magic == 43) {
    index->big_ = true;
    if (index->integer(head + 4, 2) != 8 || index->integer(head + 6, 2) != 0 || !index->file_.read(0, head, 16)) {
      problem = "its BigTIFF header is damaged";
      return nullptr;
    }
    offset = index->integer(head + 8, 8);
  } else {
    return nullptr;
  }

  std::set<u64> seen;
  u64 entries = 0;
  while (offset != 0) {
    if (!seen.insert(offset).second) {
      problem = "its directories form a loop";
      break;
    }
    if (index->directories_.size() >= kMostDirectories) {
      problem = "it claims more than " + std::to_string(kMostDirectories) + " directories";
      break;
    }
    TiffDirectory directory;
    u64 next = 0;
    // An NDPI beyond 4 GiB states its first directory in 8 bytes, although it is a classic TIFF.
    if (seen.size() == 1 && !index->big_ && index->file_.size() >= u64{1} << 32 && index->file_.read(4, head, 8)) {
      const u64 wide = index->integer(head, 8);
      std::string none;
      if (wide != offset && index->read_directory(wide, directory, next, none) && directory.ndpi) offset = wide;
      directory = {};
    }
    if (!index->read_directory(offset, directory, next, problem)) break;
    entries += directory.entries;
    if (entries > kMostEntriesInAll) {
      problem = "its directories claim more than " + std::to_string(kMostEntriesInAll) + " entries together";
      break;
    }
    index->directories_.push_back(directory);
    offset = next;
  }
  if (index->directories_.empty()) {
    if (problem.empty()) problem = "it has no directory";
    return nullptr;
  }
  return index;
}

std::vector<TiffDirectory> TiffIndex::children(const TiffDirectory& d, std::size_t most, std::string& problem) const {
  std::vector<TiffDirectory> found;
  std::set<u64> seen{d.offset};
  for_each(d.sub_directories, [&](u64, u64 offset) {
    TiffDirectory child;
    u64 next = 0;
    if (found.size() >= most) problem = "it claims more than " + std::to_string(most) + " SubIFDs";
    else if (!seen.insert(offset).second) problem = "its SubIFDs form a loop";
    else if (read_directory(offset, child, next, problem)) found.push_back(child);
    return problem.empty();
  });
  return found;
}

std::optional<std::vector<u8>> TiffIndex::bytes(u64 offset, u64 count, u64 most) const {
  if (count == 0 || count > most || !file_.contains(offset, count)) return std::nullopt;
  std::vector<u8> bytes(static_cast<std::size_t>(count));
  if (!file_.read(offset, bytes.data(), bytes.size())) return std::nullopt;
  return bytes;
}

std::optional<std::vector<u8>> TiffIndex::tile_bytes(const TiffDirectory& d, u64 tx, u64 ty) const {
  const u64 across = d.tiles_across(), down = d.tiles_down();
  if (tx >= across || ty >= down) return std::nullopt;
  const u64 k = ty * across + tx;
  const auto offset = item(d.tile_offsets, k), count = item(d.tile_bytes, k);
  return offset && count ? bytes(*offset, *count, kMostTileBytes) : std::nullopt;
}

bool TiffIndex::tile_is_absent(const TiffDirectory& d, u64 tx, u64 ty) const {
  const u64 across = d.tiles_across(), down = d.tiles_down();
  if (tx >= across || ty >= down) return false;
  // A table that is too short: libtiff takes the rest for 0.
  const u64 k = ty * across + tx;
  if (k >= d.tile_bytes.count) return true;
  const auto count = item(d.tile_bytes, k);
  return count && *count == 0;
}

std::vector<u8> TiffIndex::jpeg_tables(const TiffDirectory& d) const {
  const u64 bytes = d.jpeg_tables.count * d.jpeg_tables.item_bytes;
  if (bytes == 0 || bytes > kMostTableBytes) return {};
  std::vector<u8> tables(static_cast<std::size_t>(bytes));
  if (!file_.read(d.jpeg_tables.offset, tables.data(), tables.size())) return {};
  return tables;
}

}  // namespace morpho::slide
