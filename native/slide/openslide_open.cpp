// Opens a slide with OpenSlide: levels, properties and names are checked here once, before anyone trusts them.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "jpeg_splice.hpp"
#include "jpeg_tiles.hpp"
#include "level_agreement.hpp"
#include "level_scale.hpp"
#include "misplaced_rows.hpp"
#include "openslide_reader.hpp"
#include "plausible.hpp"
#include "refusal.hpp"
#include "slide_metadata.hpp"
#include "dicom/dicom_slide.hpp"
#include "tiff/tiff_slide.hpp"
#include "zarr/zarr_slide.hpp"

namespace morpho::slide {
namespace {

constexpr std::int32_t kMostLevels = 64;
constexpr i64 kChunk = 2048;

std::string extent_text(i64 w, i64 h) { return std::to_string(w) + " × " + std::to_string(h) + " px"; }
bool sane(i64 w, i64 h) {
  constexpr i64 largest = kLargestSide;
  return w >= 1 && h >= 1 && w <= largest && h <= largest;
}
/// Whether a level shows the whole slide: its sides are the slide's divided by one number, or nearly (real levels are off by up
/// to 0.4 %).
bool axes_agree(const Level& level, const Level& first) {
  if (whole_factor(first.width, first.height, level.width, level.height) > 0) return true;
  const auto off = [&](i64 side, i64 whole) {
    const double covered = static_cast<double>(side) * level.downsample, exact = static_cast<double>(whole);
    return std::abs(covered - exact) > 0.01 * exact + 3 * level.downsample;
  };
  return !off(level.width, first.width) && !off(level.height, first.height);
}

i64 tile_hint(const SlideInfo& info, std::int32_t level, const char* side) {
  const auto it = info.properties.find("openslide.level[" + std::to_string(level) + "].tile-" + side);
  if (it == info.properties.end() || it->second.size() > 9 || it->second.empty()) return 0;
  i64 value = 0;
  for (char c : it->second) {
    if (c < '0' || c > '9') return 0;
    value = value * 10 + (c - '0');
  }
  return value;
}
/// NDPI reports strips of 3968×8: a tile that is no use for tiling is none.
bool useful_tile(i64 w, i64 h) { return w >= 64 && h >= 64 && w <= 4096 && h <= 4096; }

}  // namespace

OpenSlideReader::OpenSlideReader(const OpenSlideLibrary& library, const std::string& path, const LevelAgreement& levels)
    : lib_(library) {
  mark_ = FileMark::of(path);
  info_.path = path;
  info_.reader = "OpenSlide";
  info_.reader_version = valid_utf8(lib_.get_version());
  const std::string reader = info_.reader + " " + info_.reader_version;
  const char* vendor = lib_.detect_vendor(path.c_str());
  if (!vendor) throw refusal(path, "", reader);
  info_.vendor = valid_utf8(vendor);
  handle_ = lib_.open(path.c_str());
  if (!handle_) throw refusal(path, "it starts like a " + info_.vendor + " slide but is not one", reader);
  try {
    if (const char* error = lib_.get_error(handle_)) throw refusal(path, error, reader);
    shape_ = shape_of(handle_);
    read_properties();
    read_levels();
    info_.uncertain_pixels = uncertain_by_levels(info_, levels.unjudged);
    leave_out(levels.left_out);
    // A property is cut at 1 MiB, which many planes' OME-XML exceeds.
    const char* description = lib_.get_property_value(handle_, "tiff.ImageDescription");
    const std::string whole = description ? description : "";
    interpret_properties(info_, description ? &whole : nullptr);
    plan_pass_through();
    if (asks_libtiff() && openslide_misplaces_last_rows())
      info_.warnings.push_back(
          "The last rows of its tiles may be shown in the wrong place: this system's OpenSlide uses a libtiff that puts them "
          "there. Update both.");
    require_same_again();
  } catch (...) {
    lib_.close(handle_);
    handle_ = nullptr;
    throw;
  }
}

u64 OpenSlideReader::shape_of(OpenSlideHandle* handle) const {
  u64 hash = 0xcbf29ce484222325u;
  const auto add = [&](const void* data, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) hash = (hash ^ static_cast<const u8*>(data)[k]) * 0x100000001b3u;
  };
  const auto text = [&](const char* t) { add(t ? t : "", t ? std::strlen(t) + 1 : 1); };
  for (const char* const* name = lib_.get_property_names(handle); name && *name; ++name) {
    text(*name);
    text(lib_.get_property_value(handle, *name));
  }
  for (const char* const* name = lib_.get_associated_image_names(handle); name && *name; ++name) text(*name);
  const std::int32_t count = lib_.get_level_count(handle);
  for (std::int32_t i = 0; i < std::min(count, kMostLevels); ++i) {
    i64 sides[2] = {0, 0};
    lib_.get_level_dimensions(handle, i, &sides[0], &sides[1]);
    add(sides, sizeof sides);
  }
  return hash;
}

/// libtiff passes over directories and tags that it cannot read: then a slide is opened as one of another kind, without its
/// pixel size or with fewer levels, and nobody hears of an error. What the drive did not give once it gives the second time, or
/// says so.
void OpenSlideReader::require_same_again() const {
  if (!tiff_) return;
  OpenSlideHandle* again = lib_.open(info_.path.c_str());
  const char* said = again ? lib_.get_error(again) : nullptr;
  const std::string error = said ? said : "";
  const bool same = again && error.empty() && shape_of(again) == shape_;
  if (again) lib_.close(again);
  if (speaks_of_memory(error)) throw short_of_memory(info_.path, error);
  if (!same)
    throw Error(ErrorCode::slide_unreadable,
                info_.path +
                    " could not be read in full while it was opened: its drive answered once and not the other time. "
                    "Look after the drive, and open the slide again.",
                "unsteady");
}

void OpenSlideReader::read_properties() {
  for (const char* const* name = lib_.get_property_names(handle_); name && *name; ++name)
    if (const char* value = lib_.get_property_value(handle_, *name)) info_.properties[valid_utf8(*name)] = valid_utf8(value);
  for (const char* const* name = lib_.get_associated_image_names(handle_); name && *name; ++name) {
    // A name that is not valid UTF-8 could not be asked for again.
    if (valid_utf8(*name) == *name) info_.associated.emplace_back(*name);
  }
}

void OpenSlideReader::read_levels() {
  const std::int32_t count = std::min(lib_.get_level_count(handle_), kMostLevels);
  for (std::int32_t i = 0; i < count; ++i) {
    Level level;
    lib_.get_level_dimensions(handle_, i, &level.width, &level.height);
    LevelPlan plan;
    plan.index = i;
    plan.downsample = level.downsample = lib_.get_level_downsample(handle_, i);
    if (i == 0) {
      if (!sane(level.width, level.height))
        throw Error(ErrorCode::slide_unreadable,
                    info_.path + " claims " + extent_text(level.width, level.height) +
                        ", more than any scanner gives: it is damaged. Export the slide anew.",
                    "damaged");
      plan.downsample = level.downsample = 1;
    } else if (sane(level.width, level.height) && !axes_agree(level, info_.levels.front())) {
      info_.warnings.push_back("Level " + std::to_string(i) + " claims " + extent_text(level.width, level.height) +
                               ", another shape than the slide's " +
                               extent_text(info_.levels.front().width, info_.levels.front().height) +
                               ", and is not used; other levels stand in for it.");
      continue;
    } else if (!sane(level.width, level.height) || !(level.downsample > info_.levels.back().downsample) ||
               level.downsample > 1e6) {
      info_.warnings.push_back("Level " + std::to_string(i) + " claims " + extent_text(level.width, level.height) +
                               " and is not used; other levels stand in for it.");
      continue;
    }
    if (i > 0) {
      const Level& whole = info_.levels.front();
      const LevelScale own = level_scale(whole.width, whole.height, level.width, level.height, level.downsample);
      level.own_x = own.x;
      level.own_y = own.y;
      level.downsample = whole.width >= whole.height ? own.x : own.y;
    }
    const i64 tw = tile_hint(info_, i, "width"), th = tile_hint(info_, i, "height");
    // Of formats that cannot be judged beforehand (Sakura's tiles lie in a database) this is the first that is known.
    if (tw > 0 && th > static_cast<i64>(kMostTilePx) / tw)
      refuse_damaged(info_.path, "level " + std::to_string(i) + " has tiles of " + extent_text(tw, th) + ", beyond the " +
                                     std::to_string(kMostTilePx >> 20) + " megapixels that a tile may have");
    if (useful_tile(tw, th)) {
      level.tile_width = plan.cell_w = tw;
      level.tile_height = plan.cell_h = th;
    }
    plan.aligned = plan.downsample == std::floor(plan.downsample);
    if (plan.aligned) {
      plan.chunk_w = std::max<i64>(1, kChunk / plan.cell_w) * plan.cell_w;
      plan.chunk_h = std::max<i64>(1, kChunk / plan.cell_h) * plan.cell_h;
    } else {
      // Whole chunks are read for any pixel in them, so they are small; a retried cell must be the very same rectangle.
      plan.cell_w = plan.cell_h = plan.chunk_w = plan.chunk_h = 256;
    }
    info_.levels.push_back(level);
    plans_.push_back(std::move(plan));
  }
  if (info_.levels.empty())
    throw Error(ErrorCode::slide_unreadable, info_.path + " has no levels: it is damaged. Export the slide anew.", "damaged");
}

/// `levels` in ascending order; never level 0.
void OpenSlideReader::leave_out(const std::vector<int>& levels) {
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const Level& one = info_.levels[static_cast<std::size_t>(*level)];
    const auto said = info_.warnings.begin();
    info_.warnings.insert(said, "Level " + std::to_string(plans_[static_cast<std::size_t>(*level)].index) + " (" +
                                    extent_text(one.width, one.height) +
                                    ") shows another picture than the finer levels and is not used; they stand in for it.");
    info_.levels.erase(info_.levels.begin() + *level);
    plans_.erase(plans_.begin() + *level);
  }
}

/// Finds the one tiled JPEG directory of each level. Only formats whose level is one directory, tile for tile: Leica, Trestle,
/// Ventana, MIRAX and Hamamatsu place or cut their tiles in other ways.
void OpenSlideReader::plan_pass_through() {
  std::string problem;
  tiff_ = TiffIndex::open(info_.path, problem);
  if (!tiff_ || !problem.empty()) return;
  refuse_unseen_alpha(info_.path, *tiff_, info_.reader);
  if (info_.vendor != "aperio" && info_.vendor != "generic-tiff" && info_.vendor != "philips") return shun_absurd_tiles({});
  std::vector<const TiffDirectory*> of_level(plans_.size(), nullptr);
  bool redrawn = false;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const Level& level = info_.levels[i];
    const TiffDirectory* match = nullptr;
    int matches = 0;
    for (const TiffDirectory& d : tiff_->directories()) {
      if (d.width != static_cast<u64>(level.width) || d.height != static_cast<u64>(level.height) || d.tile_width == 0) continue;
      match = &d;
      ++matches;
    }
    // Two directories of one size (focal planes, channels): which one OpenSlide shows is not known.
    if (matches != 1) continue;
    of_level[i] = match;
    if (info_.vendor == "generic-tiff" && match->planar == 1) plans_[i].sparse = match;
    // What an Aperio's reduced level lacks OpenSlide draws from the one before, and then draws the ones after it anew, too: its
    // pixels there are not the tiles'.
    redrawn |= info_.vendor == "aperio" && i > 0 && absent_tiles(*tiff_, *match) > 0;
    if (match->tile_width != static_cast<u64>(level.tile_width) || match->tile_height != static_cast<u64>(level.tile_height))
      continue;
    // Aperio's scanner writes every tile; others leave out tiles of bare glass, and that is no loss.
    if (info_.vendor == "aperio" && plans_[i].aligned) plans_[i].whole = match;
    constexpr std::uint32_t rgb_codestreams = 33005;
    if (info_.vendor == "aperio" && !redrawn && match->compression == rgb_codestreams && match->bits == 8 &&
        match->samples == 3 && match->planar == 1)
      plans_[i].codestreams = match;
    if (redrawn || match->compression != 7 || match->bits != 8 || match->planar != 1) continue;
    plans_[i].tables = tiff_->jpeg_tables(*match);
    plans_[i].tiles = match;
  }
  shun_absurd_tiles(of_level);
}

/// Marks tiles for which the file states an absurd number of bytes as unreadable, as OpenSlide would end the process trying to
/// get them. Where it is not known which part of a level they are, the slide is refused.
void OpenSlideReader::shun_absurd_tiles(const std::vector<const TiffDirectory*>& of_level) {
  for (const TiffDirectory& d : tiff_->directories()) {
    const auto tiles = absurd_tiles(*tiff_, d);
    if (tiles.empty()) continue;
    const u64 stated = tiff_->item(d.tile_bytes, tiles.front()).value_or(0);
    const std::string reason = "the file states " + std::to_string(stated) + " bytes for this tile and has " +
                               std::to_string(tiff_->file().size());
    const auto level = std::find(of_level.begin(), of_level.end(), &d);
    if (level == of_level.end() || d.tile_width == 0 || d.tile_height == 0)
      refuse_damaged(info_.path, "tile " + std::to_string(tiles.front()) + " of directory " +
                                     std::to_string(&d - tiff_->directories().data() + 1) + " states " +
                                     std::to_string(stated) + " bytes (TileByteCounts)");
    const int k = static_cast<int>(level - of_level.begin());
    const LevelPlan& plan = plans_[static_cast<std::size_t>(k)];
    const i64 tw = static_cast<i64>(d.tile_width), th = static_cast<i64>(d.tile_height);
    const i64 across = static_cast<i64>(d.tiles_across()), planes = across * static_cast<i64>(d.tiles_down());
    for (const u64 tile : tiles) {
      const i64 t = static_cast<i64>(tile) % planes, x = t % across * tw, y = t / across * th;
      for (i64 cy = y / plan.cell_h; cy * plan.cell_h < y + th; ++cy)
        for (i64 cx = x / plan.cell_w; cx * plan.cell_w < x + tw; ++cx) bad_.emplace(Cell{k, cx, cy}, reason);
    }
    any_bad_.store(true);
  }
}

std::optional<std::vector<u8>> OpenSlideReader::tile_jpeg(int level, i64 tx, i64 ty) {
  if (level < 0 || level >= static_cast<int>(plans_.size()))
    reject("level", "0 to " + std::to_string(plans_.size() - 1), std::to_string(level));
  const LevelPlan& plan = plans_[static_cast<std::size_t>(level)];
  if (!plan.tiles || tx < 0 || ty < 0) return std::nullopt;
  const auto bytes = tiff_->tile_bytes(*plan.tiles, static_cast<u64>(tx), static_cast<u64>(ty));
  if (!bytes) return std::nullopt;
  const TiffDirectory& d = *plan.tiles;
  return splice_jpeg(*bytes, plan.tables, {d.tile_width, d.tile_height, d.photometric, d.samples});
}

std::optional<std::vector<u8>> OpenSlideReader::tile_codestream(int level, i64 tx, i64 ty) const {
  if (!has_resampled_codestreams(level) || tx < 0 || ty < 0) return std::nullopt;
  return tiff_->tile_bytes(*plans_[static_cast<std::size_t>(level)].codestreams, static_cast<u64>(tx), static_cast<u64>(ty));
}

std::shared_ptr<Slide> open_slide(const std::string& path, const std::string& channel) {
  if (auto slide = open_zarr(path, channel)) return slide;
  require_file(path);
  const OpenSlideLibrary* library = openslide_library();
  require_plausible(path);
  if (auto slide = open_dicom(path, channel)) return slide;
  const char* vendor = library ? library->detect_vendor(path.c_str()) : nullptr;
  if (auto slide = open_tiff(path, library != nullptr, vendor ? vendor : "", channel)) return slide;
  if (!library)
    throw Error(ErrorCode::slide_unreadable, path + " cannot be opened: " + openslide_status().reason + ".",
                "openslide-missing");
  LevelAgreement levels;
  for (bool judged = false;; judged = true) {
    auto reader = std::make_unique<OpenSlideReader>(*library, path, levels);
    const TurboJpegLibrary* decoder = turbojpeg_library();
    // Our own reader is right in every row of the slides that it knows.
    if ((reader->asks_libtiff() || !decoder) && channel.empty() && openslide_misplaces_last_rows())
      if (auto own = open_tiff_alone(path)) return own;
    std::shared_ptr<Slide> slide;
    if (decoder) slide = std::make_shared<JpegTileReader>(std::move(reader), *decoder, decoded_tiles());
    else slide = std::move(reader);
    if (judged) return slide;
    if (!channel.empty()) throw no_channels(path);
    levels = judge_levels(*slide);
    if (levels.left_out.empty() && levels.unjudged.empty()) return slide;
  }
}

}  // namespace morpho::slide
