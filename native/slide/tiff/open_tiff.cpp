// Opens a TIFF for our own reader: decides whether it is one for it, and says what of it is shown.
#include <algorithm>
#include <charconv>
#include <map>

#include "../slide_metadata.hpp"
#include "../xml_reader.hpp"
#include "../pieces/libtiff_library.hpp"
#include "tiff_slide.hpp"
#include "whole_jpeg.hpp"

namespace morpho::slide {
namespace {

constexpr std::uint32_t kWhiteIsZero = 0, kBlackIsZero = 1, kRgbPixels = 2, kYCbCrTiles = 6;

std::string base_name(const std::string& path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

bool has_known_colors(const TiffDirectory& d) {
  constexpr std::uint32_t jpeg = 7, aperio_ycc = 33003;
  return d.photometric == kWhiteIsZero || d.photometric == kBlackIsZero || d.photometric == kRgbPixels ||
         (d.photometric == kYCbCrTiles && (d.compression == jpeg || d.compression == aperio_ycc));
}
bool is_bytes(const TiffDirectory& d) { return d.bits <= 8 && d.bits > 0 && (d.sample_format == 1 || d.sample_format == 4); }
/// Which no picture library here unpacks.
bool is_jpeg2000(const TiffDirectory& d) {
  return (d.compression >= 33003 && d.compression <= 33005) || d.compression == 34712;
}
bool is_words(const TiffDirectory& d) { return d.bits == 16 && (d.sample_format == 1 || d.sample_format == 4); }
/// Of one picture that any reader of pictures shows in full: grey, or red, green and blue, with opacity or without.
bool is_picture(const TiffLayout& layout) { return layout.channels.size() == (layout.colors ? 3u : 1u); }

/// Uncompressed tiles of no whole KiB: the last of a file is damaged for the libtiff behind OpenSlide, which reads whole ones.
bool has_odd_tiles(const TiffDirectory& d) {
  const u64 samples = d.planar == 2 ? 1 : d.samples;
  return d.compression == 1 && d.tile_width > 0 && (d.tile_width * samples * d.bits + 7) / 8 * d.tile_height % 1024 != 0;
}

/// Whether others show less of the file than there is, or something else.
bool is_for_us(const TiffLayout& layout, bool has_openslide, const std::string& vendor) {
  const TiffDirectory& first = layout.levels.front().front();
  const bool tiled = first.tile_width > 0, plain = first.orientation <= 1;
  if (!is_picture(layout)) return true;
  if (!is_bytes(first)) return tiled || !is_words(first) || plain;
  // The libvips that comes with sharp has no Zstandard, LZMA and JPEG 2000, OpenSlide the latter of Aperio's slides alone.
  constexpr std::uint32_t zstandard = 50000, lzma = 34925;
  if (is_jpeg2000(first)) return plain;
  if (!tiled) return (first.compression == zstandard || first.compression == lzma) && plain;
  if (has_openslide && !vendor.empty())
    return (layout.levels.size() > 1 && first.sub_directories.count > 0) || (plain && has_odd_tiles(first));
  return !has_openslide || plain;
}

/// Takes out of the layout what TiffImage does not read. Gives why its first level is not, or an empty text.
std::string judge_layout(const TiffIndex& index, TiffLayout& layout) {
  for (const TiffDirectory& d : layout.levels.front())
    if (std::string why = TiffImage::cannot_read(index, d); !why.empty()) return why;
  std::erase_if(layout.levels, [&](const std::vector<TiffDirectory>& level) {
    return std::any_of(level.begin(), level.end(),
                       [&](const TiffDirectory& d) { return !TiffImage::cannot_read(index, d).empty(); });
  });
  return {};
}

/// "… |AppMag = 20|MPP = 0.4990": as OpenSlide names them.
void add_aperio_properties(std::map<std::string, std::string>& properties, const std::string& description) {
  const auto value = [&](const std::string& key) {
    const std::size_t at = description.find("|" + key + " = ");
    if (at == std::string::npos) return std::string();
    const std::size_t from = at + key.size() + 4;
    return valid_utf8(description.substr(from, description.find('|', from) - from), 200);
  };
  if (const std::string mpp = value("MPP"); !mpp.empty()) properties["openslide.mpp-x"] = properties["openslide.mpp-y"] = mpp;
  if (const std::string power = value("AppMag"); !power.empty()) properties["openslide.objective-power"] = power;
}

PiecedPicture picture_of(const std::string& path, const TiffIndex& index, const TiffLayout& layout,
                         const std::string& channel) {
  PiecedPicture p;
  p.path = path;
  p.analysed = channel;
  p.format = layout.format;
  p.reader = "Morphoscope TIFF";
  p.reader_version = libtiff_library() ? "(libtiff " + libtiff_status() + ")" : "(without libtiff)";
  std::map<u64, std::shared_ptr<const RestartJpeg>> jpegs;
  for (const JpegLevel& level : layout.jpeg_levels) {
    auto& jpeg = jpegs[level.directory.offset];
    if (!jpeg) jpeg = std::make_shared<RestartJpeg>(index, level.directory);
    p.levels.emplace_back().push_back(std::make_unique<RestartImage>(jpeg, level.divisor));
  }
  for (const CanvasLevel& level : layout.canvases)
    p.levels.emplace_back().push_back(std::make_unique<TileCanvas>(index, level, layout.background));
  for (const auto& level : layout.levels) {
    if (!layout.canvases.empty() || !layout.jpeg_levels.empty()) break;
    auto& pages = p.levels.emplace_back();
    for (const TiffDirectory& d : level) pages.push_back(std::make_unique<TiffImage>(index, d, layout.format == "aperio"));
  }
  p.channels = layout.channels;
  p.colors = layout.colors;
  p.inverted = !layout.colors && layout.levels.front().front().photometric == kWhiteIsZero;
  p.alpha = layout.alpha;
  p.premultiplied = layout.premultiplied;
  p.warnings = layout.warnings;
  return p;
}

}  // namespace

TiffSlide::TiffSlide(const std::string& path, std::unique_ptr<TiffIndex> index, const TiffLayout& layout, TileCache& cache,
                     const std::string& channel)
    : PiecedSlide(picture_of(path, *index, layout, channel), cache),
      index_(std::move(index)),
      associated_(layout.associated),
      associated_jpegs_(layout.associated_jpegs) {
  const TiffDirectory& first = layout.levels.front().front();
  if (first.orientation > 1)
    info_.warnings.push_back("The file asks to be turned or mirrored (Orientation " + std::to_string(first.orientation) +
                             "): it is shown as it is stored.");
  for (const auto& image : associated_) info_.associated.push_back(image.first);
  for (const AssociatedJpeg& image : associated_jpegs_) info_.associated.push_back(image.name);
  add_properties(layout);
}

void TiffSlide::add_properties(const TiffLayout& layout) {
  const TiffDirectory& d = layout.levels.front().front();
  auto& p = info_.properties;
  const std::string own(until_zero(index_->text(d.description)));
  const std::string first(until_zero(index_->text(index_->directories().front().description)));
  const std::string& description = own.empty() || layout.format == "ome-tiff" ? first : own;
  p["tiff.format"] = layout.format;
  // What a scanner's XML says stands in properties of its own.
  const bool described = layout.format == "leica" || layout.format == "philips";
  if (!description.empty() && !described) p["tiff.ImageDescription"] = valid_utf8(description);
  if (d.software.count > 0) p["tiff.Software"] = valid_utf8(std::string(until_zero(index_->text(d.software))));
  if (d.x_resolution.count > 0) p["tiff.XResolution"] = number_text(index_->real(d.x_resolution));
  if (d.y_resolution.count > 0) p["tiff.YResolution"] = number_text(index_->real(d.y_resolution));
  const u64 unit = d.resolution_unit;
  p["tiff.ResolutionUnit"] = unit == 2 ? "inch" : unit == 3 ? "centimeter" : unit == 1 ? "none" : std::to_string(unit);
  if (layout.format == "aperio") add_aperio_properties(p, description);
  for (const auto& [name, value] : layout.properties) p[name] = value;
  const Rgba background = layout.canvases.empty() ? info_.background : layout.background;
  interpret_properties(info_, &description);
  info_.background = background;
}

std::vector<Rgba> TiffSlide::associated(const std::string& name, Extent& extent) {
  const auto found = std::find_if(associated_.begin(), associated_.end(),
                                  [&](const auto& image) { return image.first == name; });
  const auto jpeg = std::find_if(associated_jpegs_.begin(), associated_jpegs_.end(),
                                 [&](const AssociatedJpeg& image) { return image.name == name; });
  if (found == associated_.end() && jpeg == associated_jpegs_.end())
    throw Error(ErrorCode::not_found, info_.path + " has no associated image \"" + name + "\".");
  const auto refuse = [&](const std::string& why) {
    return Error(ErrorCode::slide_unreadable, info_.path + ": the \"" + name + "\" image cannot be read: " + why, "damaged");
  };
  try {
    if (found == associated_.end()) return whole_jpeg(jpeg->bytes(), extent);
    const TiffDirectory& d = found->second;
    if (const std::string why = TiffImage::cannot_read(*index_, d); !why.empty()) throw refuse("it is a picture " + why);
    return whole_picture(TiffImage(*index_, d), d.photometric == kWhiteIsZero, extent);
  } catch (const PieceError& e) {
    throw refuse(e.what());
  }
}

namespace {

std::shared_ptr<TiffSlide> made_slide(const std::string& path, std::unique_ptr<TiffIndex> index, const TiffLayout& layout,
                                      const std::string& channel = {}) {
  auto slide = std::make_shared<TiffSlide>(path, std::move(index), layout, decoded_tiles(), channel);
  slide->take(judge_levels(*slide));
  return slide;
}

}  // namespace

std::shared_ptr<TiffSlide> open_tiff_alone(const std::string& path) {
  std::string problem;
  auto index = TiffIndex::open(path, problem);
  if (!index || !problem.empty()) return nullptr;
  if (const auto scanner = describe_scanner(*index, path))
    return scanner->problem.empty() ? made_slide(path, std::move(index), scanner->layout) : nullptr;
  TiffLayout layout = describe_tiff(*index, base_name(path));
  if (!has_known_colors(layout.levels.front().front()) || !judge_layout(*index, layout).empty()) return nullptr;
  return made_slide(path, std::move(index), layout);
}

std::shared_ptr<Slide> open_tiff(const std::string& path, bool has_openslide, const std::string& vendor,
                                 const std::string& channel) {
  const bool ndpi = vendor == "hamamatsu";
  if (has_openslide && !vendor.empty() && vendor != "generic-tiff" && !ndpi) return nullptr;
  std::string problem;
  auto index = TiffIndex::open(path, problem);
  if (!index || !problem.empty()) return nullptr;
  if (const auto scanner = describe_scanner(*index, path)) {
    // OpenSlide 3.4.1 leaves out the last parts of NDPI's rows and columns, and some of what lies beyond 4 GiB.
    if (scanner->problem.empty() && (!has_openslide || ndpi))
      return made_slide(path, std::move(index), scanner->layout, channel);
    // It may show directories as they are, of what it does not take for the scanner's.
    if (has_openslide) return nullptr;
    throw Error(ErrorCode::slide_unreadable,
                path + " is a " + scanner->maker + " slide " + scanner->problem +
                    ", which is not read without OpenSlide. Install OpenSlide, or export the slide as a tiled TIFF.",
                "unsupported-layout");
  }
  if (ndpi) return nullptr;
  TiffLayout layout = describe_tiff(*index, base_name(path));
  const TiffDirectory& first = layout.levels.front().front();
  if (!has_known_colors(first) || !is_for_us(layout, has_openslide, vendor)) return nullptr;
  const std::string why = judge_layout(*index, layout);
  if (why.empty()) return made_slide(path, std::move(index), layout, channel);
  // Others would show a part of it, or its samples' highest bits alone, without a word.
  const bool others_do = is_picture(layout) && is_bytes(first) && !is_jpeg2000(first);
  if (others_do) return nullptr;
  throw Error(ErrorCode::slide_unreadable,
              path + " is a TIFF " + why +
                  ". Export it anew, as a tiled TIFF of 8, 16 or 32 bits a sample with Deflate or LZW or uncompressed.",
              "unsupported-samples");
}

}  // namespace morpho::slide
