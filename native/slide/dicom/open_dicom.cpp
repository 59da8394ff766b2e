// Makes levels and channels from the files of a series.
#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "../calibration/pixel_size.hpp"
#include "../level_scale.hpp"
#include "../pieces/libtiff_library.hpp"
#include "../plausible.hpp"
#include "../slide_metadata.hpp"
#include "dicom_slide.hpp"
#include "series.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kMostLevelsOfDicom = 64;

using Instances = std::vector<std::unique_ptr<DicomInstance>>;

[[noreturn]] void refuse(const std::string& path, const std::string& what, const std::string& next, const char* detail) {
  throw Error(ErrorCode::slide_unreadable, path + " is a DICOM " + what + ". " + next, detail);
}

/// Stored alike: frames of one picture.
bool alike(const DicomInstance& a, const DicomInstance& b) {
  const auto key = [](const DicomInstance& i) {
    return std::tie(i.total_columns, i.total_rows, i.columns, i.rows, i.samples, i.bits_allocated, i.bits_stored, i.is_signed,
                    i.planar, i.photometric, i.syntax);
  };
  return key(a) == key(b) && a.pixels.encapsulated == b.pixels.encapsulated;
}

std::string judge(const DicomInstance& i) {
  if (i.pixels.kind != DicomEvent::Kind::pixels) return "slide without pixels";
  if (i.total_columns == 0 || i.total_rows == 0 || i.total_columns > kLargestSide || i.total_rows > kLargestSide)
    return "slide of " + std::to_string(i.total_columns) + " × " + std::to_string(i.total_rows) + " px";
  if (i.frames == 0 || i.frames > kMostFrames || i.first_frame > kMostFrames)
    return "slide of " + std::to_string(i.frames) + " frames";
  if (std::string why = cannot_read(i); !why.empty()) return "slide " + why;
  const u64 across = (i.total_columns + i.columns - 1) / i.columns, down = (i.total_rows + i.rows - 1) / i.rows;
  if (across > kMostFrames / down) return "slide of " + std::to_string(across) + " × " + std::to_string(down) + " frames";
  return {};
}

/// A grid whose frames all have their place needs no list of them (PS3.3 C.7.6.17.3).
bool is_full(const DicomInstance& i) { return i.organization == "TILED_FULL" || (i.organization.empty() && i.places.empty()); }

/// One level: its grid for each optical path.
class LevelOfFrames {
 public:
  explicit LevelOfFrames(const DicomInstance& i)
      : across_((i.total_columns + i.columns - 1) / i.columns),
        down_((i.total_rows + i.rows - 1) / i.rows),
        empty_(is_full(i) ? FrameOfCell::kMissing : FrameOfCell::kUnscanned) {}

  /// Lays an instance's frames on the grids. Gives what is wrong with it, or an empty text.
  std::string add(std::shared_ptr<const FrameTable> table) {
    const DicomInstance& i = table->instance();
    const i32 file = static_cast<i32>(files_.size());
    files_.push_back(std::move(table));
    const bool full = is_full(i);
    if (!full && i.places.size() != i.frames)
      return "it states places for " + std::to_string(i.places.size()) + " of its " + std::to_string(i.frames) + " frames";
    return full ? add_full(i, file) : add_sparse(i, file);
  }

  bool other_planes() const { return other_planes_; }
  /// Of the optical paths, in the order of their first frames; names are for people.
  const std::vector<std::string>& identifiers() const { return identifiers_; }
  const std::vector<std::string>& names() const { return names_; }
  /// Null where no frame is of that path.
  std::unique_ptr<PieceImage> image(const std::string& identifier) const {
    const auto found = std::find(identifiers_.begin(), identifiers_.end(), identifier);
    if (found == identifiers_.end()) return nullptr;
    return std::make_unique<FrameImage>(files_, grids_[static_cast<std::size_t>(found - identifiers_.begin())]);
  }

 private:
  std::size_t grid_of(const DicomInstance& i, const std::string& identifier) {
    std::string name = identifier;
    for (const auto& [each, description] : i.paths)
      if (each == identifier && !description.empty()) name = description;
    const auto found = std::find(identifiers_.begin(), identifiers_.end(), identifier);
    if (found != identifiers_.end()) return static_cast<std::size_t>(found - identifiers_.begin());
    identifiers_.push_back(identifier);
    names_.push_back(valid_utf8(name, 200));
    grids_.emplace_back(static_cast<std::size_t>(across_ * down_), FrameOfCell{empty_, 0});
    return grids_.size() - 1;
  }

  std::string add_full(const DicomInstance& i, i32 file) {
    const u64 cells = across_ * down_, planes = std::max<u64>(1, i.planes), shown = planes / 2;
    const u64 paths = std::max<u64>(1, i.paths.size());
    if (i.organization.empty() && i.frames != cells * planes * paths)
      return "it has " + std::to_string(i.frames) + " frames for a grid of " + std::to_string(cells) +
             ", and states no place of any";
    if (planes > 1) other_planes_ = true;
    for (u64 frame = 0; frame < i.frames; ++frame) {
      const u64 place = i.first_frame + frame, cell = place % cells, plane = place / cells % planes,
                path = place / cells / planes;
      if (path >= paths) return "it has more frames than its grid and optical paths have places";
      if (plane != shown) continue;
      lay(grid_of(i, i.paths.empty() ? "" : i.paths[static_cast<std::size_t>(path)].first), cell, file, frame);
    }
    return {};
  }

  std::string add_sparse(const DicomInstance& i, i32 file) {
    std::vector<u64> of_depth(i.depth_names.size());
    for (const DicomPlace& place : i.places) ++of_depth[place.depth];
    // The middle of the planes that have frames, by height.
    std::vector<std::size_t> depths;
    for (std::size_t k = 0; k < of_depth.size(); ++k)
      if (of_depth[k] > 0) depths.push_back(k);
    std::sort(depths.begin(), depths.end(), [&](std::size_t a, std::size_t b) {
      return stated_number(i.depth_names[a]).value_or(0) < stated_number(i.depth_names[b]).value_or(0);
    });
    if (depths.size() > 1) other_planes_ = true;
    const std::size_t shown = depths[depths.size() / 2];
    for (const DicomPlace& place : i.places)
      if (place.column == 0 || place.row == 0 || (place.column - 1) % i.columns != 0 || (place.row - 1) % i.rows != 0 ||
          place.column > i.total_columns || place.row > i.total_rows)
        return "its frame " + std::to_string(&place - i.places.data() + 1) + " lies at (" + std::to_string(place.column) +
               ", " + std::to_string(place.row) + "), which is no place of its grid";
    for (u64 frame = 0; frame < i.frames; ++frame) {
      const DicomPlace& place = i.places[static_cast<std::size_t>(frame)];
      if (place.depth != shown) continue;
      const u64 cell = (place.row - 1) / i.rows * across_ + (place.column - 1) / i.columns;
      const std::string& path = i.path_names[place.path];
      lay(grid_of(i, path.empty() && !i.paths.empty() ? i.paths.front().first : path), cell, file, frame);
    }
    return {};
  }

  /// The first of several frames of one place is shown.
  void lay(std::size_t grid, u64 cell, i32 file, u64 frame) {
    FrameOfCell& there = grids_[grid][static_cast<std::size_t>(cell)];
    if (there.file < 0) there = {file, static_cast<std::uint32_t>(frame)};
    else other_planes_ = true;
  }

  u64 across_, down_;
  i32 empty_;  ///< what a cell without a frame is
  std::vector<std::shared_ptr<const FrameTable>> files_;
  std::vector<std::string> identifiers_, names_;
  std::vector<std::vector<FrameOfCell>> grids_;
  bool other_planes_ = false;
};

std::string file_name(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

/// What a file holds of the slide, frames or a level, nobody knows.
void do_without(const std::string& name, const std::string& problem, PiecedPicture& picture) {
  picture.warnings.push_back(name + " is not used: " + problem + ".");
  if (picture.uncertain.empty())
    picture.uncertain = name + " in the slide's folder could not be used (" + problem +
                        "): what it holds of the slide is missing.";
}

/// The level of the files of one size. Files that are stored otherwise than the first are not used. Null where none is.
std::unique_ptr<LevelOfFrames> level_of(Instances& files, PiecedPicture& picture) {
  std::unique_ptr<LevelOfFrames> level;
  std::shared_ptr<const FrameTable> first;
  for (auto& file : files) {
    const std::string name = file_name(file->path);
    const u64 frame_bytes = file->columns * file->rows * file->samples * (file->bits_allocated / 8);
    std::string problem;
    if (first && !alike(*file, first->instance()))
      problem = "its frames are stored otherwise than those of " + file_name(first->instance().path);
    std::shared_ptr<const FrameTable> table = problem.empty() ? FrameTable::of(std::move(file), frame_bytes, problem) : nullptr;
    // The grid is the first good file's: one that is not used may have frames of another size.
    if (table && !first) level = std::make_unique<LevelOfFrames>(table->instance());
    if (table) problem = level->add(table);
    if (problem.empty() && !first) first = table;
    if (!problem.empty()) do_without(name, problem, picture);
  }
  if (!first || level->identifiers().empty()) return nullptr;
  if (level->other_planes() && picture.levels.empty())
    picture.warnings.push_back("The slide has several focal planes. The middle one is shown and analysed.");
  return level;
}

void add_channels(PiecedPicture& picture, const std::vector<std::string>& names, u64 samples) {
  picture.colors = samples == 3;
  if (picture.colors) {
    for (std::uint32_t k = 0; k < 3; ++k)
      picture.channels.push_back({k == 0 ? "Red" : k == 1 ? "Green" : "Blue", std::nullopt, 0, k});
    if (names.size() > 1)
      picture.warnings.push_back("The slide has " + std::to_string(names.size()) +
                                 " optical paths in colour: the first is shown and analysed, the others are not read.");
    return;
  }
  for (std::size_t k = 0; k < names.size(); ++k)
    picture.channels.push_back({names[k].empty() ? "Channel " + std::to_string(k + 1) : names[k], std::nullopt, k, 0});
}

std::string associated_name(const std::string& flavor) {
  return flavor == "LABEL" ? "label" : flavor == "OVERVIEW" ? "macro" : flavor == "THUMBNAIL" ? "thumbnail" : "";
}

/// None of them says who the patient is.
std::map<std::string, std::string> properties_of(const DicomInstance& whole) {
  std::map<std::string, std::string> p;
  if (!whole.manufacturer.empty()) p["dicom.Manufacturer"] = valid_utf8(whole.manufacturer, 200);
  if (!whole.model.empty()) p["dicom.ManufacturerModelName"] = valid_utf8(whole.model, 200);
  p["dicom.TransferSyntaxUID"] = valid_utf8(whole.syntax, 64);
  p["dicom.PhotometricInterpretation"] = valid_utf8(whole.photometric, 64);
  const auto micrometres = [](const std::optional<double>& mm) { return mm && *mm > 0 ? std::to_string(*mm * 1000) : ""; };
  if (const std::string x = micrometres(whole.column_spacing), y = micrometres(whole.row_spacing); !x.empty() && !y.empty()) {
    p["openslide.mpp-x"] = x;
    p["openslide.mpp-y"] = y;
  }
  if (whole.objective_power > 0) p["openslide.objective-power"] = std::to_string(whole.objective_power);
  return p;
}

/// Shows all of the whole, smaller.
bool is_level_of(const std::pair<u64, u64>& whole, const std::pair<u64, u64>& size) {
  const auto side = [](u64 v) { return static_cast<i64>(v); };
  if (whole_factor(side(whole.first), side(whole.second), side(size.first), side(size.second)) > 0) return true;
  const double x = static_cast<double>(whole.first) / static_cast<double>(size.first);
  const double y = static_cast<double>(whole.second) / static_cast<double>(size.second);
  return std::abs(x - y) <= 0.01 * std::min(x, y);
}

/// By size, the largest first; those of one size in the order of their files.
using BySize = std::map<std::pair<u64, u64>, Instances, std::greater<>>;

/// Fills the picture's levels and channels. False where no level could be made.
bool add_levels(BySize& by_size, PiecedPicture& picture) {
  std::vector<std::string> paths;
  std::pair<u64, u64> whole;
  for (auto& each : by_size) {
    const auto& size = each.first;
    Instances& files = each.second;
    if (picture.levels.size() >= kMostLevelsOfDicom) break;
    const bool first = picture.levels.empty();
    // A scaled level of a few px has no shape to speak of.
    constexpr u64 tiny = 64;
    const auto not_used = [&](const std::string& why) {
      if (std::max(size.first, size.second) >= tiny)
        picture.warnings.push_back("The level of " + std::to_string(size.first) + " × " + std::to_string(size.second) +
                                   " px is not used: " + why + ".");
    };
    if (!first && !is_level_of(whole, size)) {
      not_used("it has another shape than the slide");
      continue;
    }
    const u64 samples = files.front()->samples;
    const auto level = level_of(files, picture);
    if (!level) continue;
    if (first) {
      whole = size;
      paths = level->identifiers();
      add_channels(picture, level->names(), samples);
    }
    std::vector<std::unique_ptr<PieceImage>> pages;
    for (const std::string& path : paths)
      if (auto image = level->image(path)) pages.push_back(std::move(image));
    const bool fits = pages.size() == paths.size() && (samples == 3) == picture.colors &&
                      (first || pages.front()->type() == picture.levels.front().front()->type());
    if (fits) picture.levels.push_back(std::move(pages));
    else not_used("it has other channels than the slide");
  }
  return !picture.levels.empty();
}

/// The file that stands for the slide, whichever of its files was opened: of the largest level's the first by name.
std::string first_path(const Instances& files) {
  std::string first = files.front()->path;
  for (const auto& file : files) first = std::min(first, file->path);
  return first;
}

}  // namespace

DicomSlide::DicomSlide(PiecedPicture picture, std::map<std::string, std::string> properties,
                       std::map<std::string, std::unique_ptr<PieceImage>> associated, TileCache& cache)
    : PiecedSlide(std::move(picture), cache), associated_(std::move(associated)) {
  for (const auto& image : associated_) info_.associated.push_back(image.first);
  info_.properties = std::move(properties);
  const Rgba background = info_.background;
  interpret_properties(info_, nullptr);
  info_.background = background;
}

std::vector<Rgba> DicomSlide::associated(const std::string& name, Extent& extent) {
  const auto found = associated_.find(name);
  if (found == associated_.end()) throw Error(ErrorCode::not_found, info_.path + " has no associated image \"" + name + "\".");
  try {
    return whole_picture(*found->second, false, extent);
  } catch (const PieceError& e) {
    throw Error(ErrorCode::slide_unreadable, info_.path + ": the \"" + name + "\" image cannot be read: " + e.what(),
                "damaged");
  }
}

std::shared_ptr<Slide> open_dicom(const std::string& path, const std::string& channel) {
  PiecedPicture picture;
  std::string problem;
  std::vector<std::pair<std::string, std::string>> broken;
  Instances series = read_series(path, problem, broken);
  if (!problem.empty())
    refuse(path, "file that is damaged: " + problem, "Copy it again from where it came, or export it anew.", "damaged");
  if (series.empty()) return nullptr;
  if (!series.front()->is_slide()) {
    const std::string kind = series.front()->kind.empty() ? "not stated" : valid_utf8(series.front()->kind, 64);
    refuse(path, "file, and not one of a whole slide (its SOP class is " + kind + ")", "Choose a file of a slide's series.",
           "unsupported-format");
  }
  for (const auto& [name, why] : broken) do_without(name, why, picture);
  std::map<std::string, std::unique_ptr<PieceImage>> associated;
  BySize by_size;
  std::string refused;
  for (auto& i : series) {
    if (const std::string why = judge(*i); !why.empty()) {
      if (refused.empty()) refused = why;
      picture.warnings.push_back(file_name(i->path) + " is not used: it is a DICOM " + why + ".");
      continue;
    }
    if (i->flavor() == "VOLUME") {
      by_size[{i->total_columns, i->total_rows}].push_back(std::move(i));
      continue;
    }
    const std::string name = associated_name(i->flavor());
    if (name.empty() || associated.contains(name)) continue;
    PiecedPicture unused;
    Instances one;
    one.push_back(std::move(i));
    if (const auto level = level_of(one, unused)) associated[name] = level->image(level->identifiers().front());
  }
  if (by_size.empty() && refused.empty())
    refuse(path, "file of a slide's label or overview, and no file of its series beside it has the slide itself",
           "Copy all files of the series into one folder.", "incomplete");
  if (by_size.empty())
    refuse(path, refused, "Export it anew, as JPEG, JPEG 2000 or uncompressed, or convert it to a tiled TIFF.",
           "unsupported-samples");
  auto properties = properties_of(*by_size.begin()->second.front());
  picture.path = first_path(by_size.begin()->second);
  picture.analysed = channel;
  picture.format = "dicom";
  picture.reader = "Morphoscope DICOM";
  picture.reader_version = libtiff_library() ? "(libtiff " + libtiff_status() + ")" : "(without libtiff)";
  picture.inverted = by_size.begin()->second.front()->photometric == "MONOCHROME1";
  if (!add_levels(by_size, picture))
    refuse_damaged(path, picture.warnings.empty() ? "it has no frames" : picture.warnings.back());
  auto slide = std::make_shared<DicomSlide>(std::move(picture), std::move(properties), std::move(associated), decoded_tiles());
  slide->take(judge_levels(*slide));
  return slide;
}

}  // namespace morpho::slide
