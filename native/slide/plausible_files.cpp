// The judgement of slides in several files: Hamamatsu's VMS and VMU, 3DHISTECH's MIRAX. What they name, and how much they
// claim.
#include <algorithm>
#include <cmath>

#include "ini_text.hpp"
#include "plausible.hpp"

namespace morpho::slide {
namespace {

constexpr u64 kMostVmsBytes = 64 << 10, kMostSlidedatBytes = 1 << 20;  // OpenSlide's own limits
constexpr double kMostImages = 1 << 16;                                // of a VMS: columns × rows
constexpr double kMostPositions = 1 << 24;                             // of a MIRAX: camera positions
constexpr double kMostFileLevels = 64, kMostDataFiles = 65536;
constexpr double kMostTiles = 1 << 24;
/// Tiles that are looked up for each read because some tile lies far from where its number says.
constexpr double kMostExtraTiles = 1 << 16;
const std::string kVms = "Virtual Microscope Specimen", kVmu = "Uncompressed Virtual Microscope Specimen";

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

std::string whole(double v) { return std::to_string(static_cast<i64>(std::clamp(v, -1e18, 1e18))); }

bool starts_with(const std::string& s, const std::string& with) { return s.rfind(with, 0) == 0; }

void judge_jpeg_file(const std::string& path, const std::string& name) {
  const RandomFile file(folder_of(path) + name);
  if (file.size() == 0) return;  // a missing file has its own message
  const auto jpeg = jpeg_header(file, 0);
  if (!jpeg) refuse_damaged(path, name + " beside it is no JPEG, or its header runs beyond its end");
  const u64 across = jpeg->restart_interval == 0 ? 0 : jpeg->width / (jpeg->mcu_width * jpeg->restart_interval);
  if (across > 0 && jpeg->height / jpeg->mcu_height > file.size() / across)
    refuse_damaged(path, name + " beside it claims " + std::to_string(jpeg->width) + " × " + std::to_string(jpeg->height) +
                             " px, which is more restart intervals than it has bytes");
}

void judge_ngr_file(const std::string& path, const std::string& name) {
  const RandomFile file(folder_of(path) + name);
  u8 b[24];
  if (!file.read(4, b, 24)) return;
  const auto word = [&](int at) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(b[at]) | static_cast<std::uint32_t>(b[at + 1]) << 8 |
                                     static_cast<std::uint32_t>(b[at + 2]) << 16 | static_cast<std::uint32_t>(b[at + 3]) << 24);
  };
  const i64 w = word(0), h = word(4), column = word(8);
  constexpr i64 side = kLargestSide, tile_height = 64;
  if (w < 1 || h < 1 || column < 1 || w > side || h > side || column * tile_height > static_cast<i64>(kMostTilePx))
    refuse_damaged(path, name + " beside it claims " + std::to_string(w) + " × " + std::to_string(h) + " px in columns of " +
                             std::to_string(column));
}

/// 32-bit little-endian integers of a file, as the index of a MIRAX slide is written; -1 beyond its end, as OpenSlide has it.
struct IndexFile {
  RandomFile file;
  std::int32_t at(i64 offset) const {
    u8 b[4];
    if (offset < 0 || !file.read(static_cast<u64>(offset), b, 4)) return -1;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(b[0]) | static_cast<std::uint32_t>(b[1]) << 8 |
                                     static_cast<std::uint32_t>(b[2]) << 16 | static_cast<std::uint32_t>(b[3]) << 24);
  }
};

struct Mirax {
  const std::string& path;
  const std::string folder;
  const IniText ini;
  double columns = 0, rows = 0, divisions = 1, image_w = 0, image_h = 0, overlap_x = 0, overlap_y = 0;
  double positions_x = 0, positions_y = 0;

  explicit Mirax(const std::string& p)
      : path(p), folder(p.substr(0, p.size() - 5)), ini(folder + "/Slidedat.ini", kMostSlidedatBytes) {}

  [[noreturn]] void refuse(const std::string& what) const { refuse_damaged(path, "Slidedat.ini states " + what); }
  double number(const std::string& group, const std::string& key) const { return ini.number(group, key); }

  void judge_counts() {
    columns = number("GENERAL", "IMAGENUMBER_X");
    rows = number("GENERAL", "IMAGENUMBER_Y");
    divisions = std::max(1.0, number("GENERAL", "CameraImageDivisionsPerSide"));
    positions_x = std::floor(columns / divisions);
    positions_y = std::floor(rows / divisions);
    if (columns > kMostPositions || rows > kMostPositions || columns * rows > 16 * kMostPositions ||
        positions_x * positions_y > kMostPositions)
      refuse(whole(columns) + " × " + whole(rows) + " images (IMAGENUMBER_X, IMAGENUMBER_Y)");
    if (const double n = number("HIERARCHICAL", "HIER_0_COUNT"); n > kMostFileLevels)
      refuse(whole(n) + " levels (HIER_0_COUNT)");
    if (const double n = number("DATAFILE", "FILE_COUNT"); n > kMostDataFiles) refuse(whole(n) + " data files (FILE_COUNT)");
    for (int i = 0; i < std::min(1024.0, number("HIERARCHICAL", "NONHIER_COUNT")); ++i) {
      const std::string key = "NONHIER_" + std::to_string(i) + "_COUNT";
      if (const double n = number("HIERARCHICAL", key); n < 0 || n > kMostDataFiles) refuse(whole(n) + " layers (" + key + ")");
    }
    for (const IniEntry& e : ini.entries()) {
      const bool file = e.group == "DATAFILE" && starts_with(e.key, "FILE_") && e.key != "FILE_COUNT";
      if (file || (e.group == "HIERARCHICAL" && e.key == "INDEXFILE"))
        require_inside(path, folder, e.value, e.key + " in Slidedat.ini");
    }
  }

  /// The tiles of each level: their size, the step from one to the next, and how many the index makes of its images.
  void judge_levels() {
    const IndexFile index{RandomFile(folder + "/" + ini.value("HIERARCHICAL", "INDEXFILE").value_or(""))};
    const i64 root = 5 + static_cast<i64>(ini.value("GENERAL", "SLIDE_ID").value_or("").size());
    const i64 levels_at = index.at(root);
    const bool placed = has_positions();
    int exponent = 0;
    for (int i = 0; i < number("HIERARCHICAL", "HIER_0_COUNT"); ++i) {
      const auto group = ini.value("HIERARCHICAL", "HIER_0_VAL_" + std::to_string(i) + "_SECTION");
      if (!group) return;
      const double w = number(*group, "DIGITIZER_WIDTH"), h = number(*group, "DIGITIZER_HEIGHT");
      const std::string where = " in " + valid_group(*group);
      if (w > static_cast<double>(kMostTilePx) || w * h > static_cast<double>(kMostTilePx))
        refuse("images of " + whole(w) + " × " + whole(h) + " px (DIGITIZER_WIDTH, DIGITIZER_HEIGHT" + where + ")");
      const double factor = number(*group, "IMAGE_CONCAT_FACTOR");
      if (!(factor >= 0 && factor <= 30) || exponent + factor > 30)
        refuse("a step of 2^" + whole(factor) + " (IMAGE_CONCAT_FACTOR" + where + ")");
      exponent += static_cast<int>(factor);
      const double ox = number(*group, "OVERLAP_X"), oy = number(*group, "OVERLAP_Y");
      if (i == 0) image_w = w, image_h = h, overlap_x = ox, overlap_y = oy;
      const double concat = std::ldexp(1.0, exponent);
      const double per_image = placed || overlap_x != 0 || overlap_y != 0 ? std::max(1.0, std::floor(concat / divisions)) : 1;
      const double per_position = std::max(1.0, std::floor(divisions / concat));
      if (!(w / per_image - ox / per_position >= 0.5) || !(h / per_image - oy / per_position >= 0.5) || !(ox > -1e6) ||
          !(oy > -1e6))
        refuse("overlaps of " + whole(ox) + " and " + whole(oy) + " px for images of " + whole(w) + " × " + whole(h) +
               " px (OVERLAP_X, OVERLAP_Y" + where + ")");
      judge_index(index, index.at(levels_at + 4 * i), i,
                  std::min(per_image, positions_x + 1) * std::min(per_image, positions_y + 1));
    }
  }

  bool has_positions() const {
    for (const IniEntry& e : ini.entries())
      if (e.value == "VIMSLIDE_POSITION_BUFFER" || e.value == "StitchingIntensityLayer") return true;
    return false;
  }

  static std::string valid_group(const std::string& group) { return group.substr(0, 60); }

  void judge_index(const IndexFile& index, i64 level_at, int level, double tiles_per_image) const {
    i64 at = level_at < 0 ? -1 : index.at(level_at + 4);
    double tiles = 0;
    // Pages follow one another in the file; each begins with its length and with whether another follows.
    for (i64 next = 1; at >= 0 && next > 0;) {
      const i64 count = index.at(at);
      next = index.at(at + 4);
      at += 8;
      if (count < 0) continue;
      if (count > static_cast<i64>(index.file.size() / 16))
        refuse_damaged(path,
                       "its index claims " + std::to_string(count) + " images on a page of level " + std::to_string(level));
      at += 16 * count;
      tiles += static_cast<double>(count) * tiles_per_image;
      if (tiles > kMostTiles)
        refuse_damaged(
            path, "its index makes more than " + whole(kMostTiles) + " tiles of the images of level " + std::to_string(level));
    }
  }

  /// Where each camera position lies. One that lies far from its place makes every read look through all tiles between.
  void judge_positions() const {
    int record = 0;
    const int layers = static_cast<int>(std::min(1024.0, number("HIERARCHICAL", "NONHIER_COUNT")));
    for (int i = 0;; ++i) {
      const std::string prefix = "NONHIER_" + std::to_string(i);
      if (i >= layers) return;
      if (ini.value("HIERARCHICAL", prefix + "_NAME") == "VIMSLIDE_POSITION_BUFFER") break;
      record += static_cast<int>(number("HIERARCHICAL", prefix + "_COUNT"));
    }
    const IndexFile index{RandomFile(folder + "/" + ini.value("HIERARCHICAL", "INDEXFILE").value_or(""))};
    const i64 root = 9 + static_cast<i64>(ini.value("GENERAL", "SLIDE_ID").value_or("").size());
    const i64 page = index.at(index.at(index.at(root) + 4 * static_cast<i64>(record)) + 4);
    const i64 offset = index.at(page + 16), bytes = index.at(page + 20), file = index.at(page + 24);
    const auto name = ini.value("DATAFILE", "FILE_" + std::to_string(file));
    if (!name) return;  // OpenSlide says so
    const RandomFile data(folder + "/" + *name);
    if (offset < 0 || bytes < 0 || !data.contains(static_cast<u64>(offset), static_cast<u64>(bytes)))
      refuse_damaged(path, "its index states " + std::to_string(bytes) + " bytes of camera positions from byte " +
                               std::to_string(offset) + " of " + *name + ", which has " + std::to_string(data.size()));
    judge_offsets(data, static_cast<u64>(offset), static_cast<u64>(bytes));
  }

  void judge_offsets(const RandomFile& data, u64 offset, u64 bytes) const {
    std::vector<u8> records(static_cast<std::size_t>(bytes));
    if (bytes == 0 || positions_x < 1 || !data.read(offset, records.data(), records.size())) return;
    const double step_x = image_w * divisions - overlap_x, step_y = image_h * divisions - overlap_y;
    double far_x = 0, far_y = 0;
    for (std::size_t k = 0; 9 * k + 9 <= records.size(); ++k) {
      const auto word = [&](std::size_t at) {
        std::uint32_t v = 0;
        for (int i = 3; i >= 0; --i) v = v << 8 | records[9 * k + at + static_cast<std::size_t>(i)];
        return static_cast<double>(static_cast<std::int32_t>(v));
      };
      const double x = word(1), y = word(5);
      if (x == 0 && y == 0) continue;  // marks a position without images
      const double column = static_cast<double>(k % static_cast<std::size_t>(positions_x));
      const std::size_t whole_rows = k / static_cast<std::size_t>(positions_x);
      const double row = static_cast<double>(whole_rows);
      far_x = std::max(far_x, std::abs(x - column * step_x));
      far_y = std::max(far_y, std::abs(y - row * step_y));
    }
    const double tiles_x = far_x / std::max(1.0, image_w), tiles_y = far_y / std::max(1.0, image_h);
    if ((tiles_x + 1) * (tiles_y + 1) > std::max(kMostExtraTiles, columns * rows))
      refuse_damaged(path, "a camera position lies " + whole(far_x) + " × " + whole(far_y) + " px from its place");
  }
};

}  // namespace

void require_plausible_hamamatsu(const std::string& path) {
  const IniText ini(path, kMostVmsBytes);
  const std::string group = ini.has_group(kVms) ? kVms : ini.has_group(kVmu) ? kVmu : "";
  if (group.empty()) return;
  const double columns = ini.number(group, "NoJpegColumns"), rows = ini.number(group, "NoJpegRows");
  if (columns > kMostImages || rows > kMostImages || columns * rows > kMostImages)
    refuse_damaged(path, "it states " + whole(columns) + " × " + whole(rows) + " images (NoJpegColumns, NoJpegRows)");
  for (const IniEntry& e : ini.entries()) {
    if (e.group != group) continue;
    const bool image = starts_with(e.key, "ImageFile") || starts_with(e.key, "MapFile");
    if (!image && !starts_with(e.key, "MacroImage") && !starts_with(e.key, "OptimisationFile")) continue;
    const std::string name = IniText::unescaped(e.value);
    if (name.empty()) continue;
    require_inside(path, folder_of(path), name, e.key);
    if (image && group == kVms) judge_jpeg_file(path, name);
    if (image && group == kVmu) judge_ngr_file(path, name);
  }
}

void require_plausible_mirax(const std::string& path) {
  // OpenSlide knows these slides by the ending, in lower case.
  if (path.size() <= 5 || path.compare(path.size() - 5, 5, ".mrxs") != 0) return;
  std::error_code ignored;
  Mirax mirax(path);
  if (!std::filesystem::is_directory(native_path(mirax.folder), ignored)) return;  // refusal() says what is missing
  const std::size_t slash = mirax.folder.find_last_of("/\\");
  require_inside(path, folder_of(path), slash == std::string::npos ? mirax.folder : mirax.folder.substr(slash + 1),
                 "the slide's folder");
  require_inside(path, mirax.folder, "Slidedat.ini", "the slide's description");
  mirax.judge_counts();
  mirax.judge_levels();
  mirax.judge_positions();
}

}  // namespace morpho::slide
