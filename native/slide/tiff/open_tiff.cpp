// Opens a TIFF for our own reader: decides whether it is one for it, and says what of it is shown.
#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>

#include "../level_agreement.hpp"
#include "../level_scale.hpp"
#include "../plausible.hpp"
#include "../slide_metadata.hpp"
#include "../xml_reader.hpp"
#include "libtiff_library.hpp"
#include "tiff_slide.hpp"

namespace morpho::slide {
namespace {

constexpr std::uint32_t kWhiteIsZero = 0, kBlackIsZero = 1, kRgbPixels = 2, kYCbCrTiles = 6;
/// For the ranges of all channels together, and of one at most.
constexpr i64 kMostSurveyedPx = i64{1} << 24, kMostSurveyedOfChannel = i64{1} << 22;
constexpr i64 kMostSurveyedBytes = i64{1} << 30;

std::string base_name(const std::string& path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Names that channels of a nuclear stain have.
bool is_nuclear(const std::string& name) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* word : {"dapi", "hoechst", "dna", "draq5", "nuclei", "nuclear", "nucleus", "h33342"})
    if (lower.find(word) != std::string::npos) return true;
  return false;
}

std::string number_text(double v) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, v);
  return error == std::errc{} ? std::string(text, end) : "?";
}
std::string short_number(double v) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, v, std::chars_format::general, 6);
  return error == std::errc{} ? std::string(text, end) : "?";
}

std::string list_of(const std::vector<Channel>& channels) {
  constexpr std::size_t most = 12;
  std::string out;
  for (std::size_t k = 0; k < std::min(channels.size(), most); ++k) out += (k == 0 ? "" : ", ") + channels[k].name;
  return channels.size() > most ? out + " and " + std::to_string(channels.size() - most) + " more" : out;
}

bool has_known_colors(const TiffDirectory& d) {
  constexpr std::uint32_t jpeg = 7;
  return d.photometric == kWhiteIsZero || d.photometric == kBlackIsZero || d.photometric == kRgbPixels ||
         (d.photometric == kYCbCrTiles && d.compression == jpeg);
}
bool is_bytes(const TiffDirectory& d) { return d.bits <= 8 && d.bits > 0 && (d.sample_format == 1 || d.sample_format == 4); }
bool is_words(const TiffDirectory& d) { return d.bits == 16 && (d.sample_format == 1 || d.sample_format == 4); }
/// Of one picture that any reader of pictures shows in full: grey, or red, green and blue, with opacity or without.
bool is_picture(const TiffLayout& layout) { return layout.channels.size() == (layout.colors ? 3u : 1u); }

/// Whether others show less of the file than there is, or something else.
bool is_for_us(const TiffLayout& layout, bool has_openslide, const std::string& vendor) {
  const TiffDirectory& first = layout.levels.front().front();
  const bool tiled = first.tile_width > 0, plain = first.orientation <= 1 && !first.color_profile;
  if (!is_picture(layout)) return true;
  if (!is_bytes(first)) return tiled || !is_words(first) || plain;
  // The libvips that comes with sharp has no Zstandard.
  constexpr std::uint32_t zstandard = 50000;
  if (!tiled) return first.compression == zstandard && plain;
  if (has_openslide && !vendor.empty()) return layout.levels.size() > 1 && first.sub_directories.count > 0;
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

u64 next_tiff_serial() {
  // Apart from those of other readers.
  static std::atomic<u64> last{u64{1} << 62};
  return ++last;
}

}  // namespace

TiffSlide::TiffSlide(const std::string& path, std::unique_ptr<TiffIndex> index, TiffLayout layout, TileCache& cache)
    : index_(std::move(index)), layout_(std::move(layout)), cache_(cache), serial_(next_tiff_serial()) {
  info_.path = path;
  info_.vendor = layout_.format;
  info_.reader = "Morphoscope TIFF";
  info_.reader_version = libtiff_library() ? "(libtiff " + libtiff_status() + ")" : "(without libtiff)";
  info_.warnings = layout_.warnings;
  for (const auto& level : layout_.levels) {
    std::vector<TiffImage> pages;
    pages.reserve(level.size());
    for (const TiffDirectory& d : level) pages.emplace_back(*index_, d);
    images_.push_back(std::move(pages));
  }
  for (const auto& image : layout_.associated) info_.associated.push_back(image.first);
  add_levels();
  add_channels();
  add_properties();
}

void TiffSlide::add_levels() {
  const TiffImage& whole = images_.front().front();
  for (const auto& pages : images_) {
    const TiffImage& image = pages.front();
    Level level{image.width(), image.height(), 1, 0, 0};
    const double mean = (static_cast<double>(whole.width()) / static_cast<double>(image.width()) +
                         static_cast<double>(whole.height()) / static_cast<double>(image.height())) /
                        2;
    const LevelScale own = level_scale(whole.width(), whole.height(), image.width(), image.height(), mean);
    level.own_x = own.x;
    level.own_y = own.y;
    level.downsample = whole.width() >= whole.height() ? own.x : own.y;
    const Extent piece = image.piece();
    const bool useful = image.tiled() && piece.width >= 64 && piece.height >= 64 && piece.width <= 4096 && piece.height <= 4096;
    if (useful) level.tile_width = piece.width, level.tile_height = piece.height;
    info_.levels.push_back(level);
  }
}

void TiffSlide::add_channels() {
  const bool colors = layout_.colors;
  std::size_t shown = 0;
  if (!colors)
    for (std::size_t k = layout_.channels.size(); k-- > 0;)
      if (is_nuclear(layout_.channels[k].name)) shown = k;
  page_ = layout_.channels[shown].page;
  const i64 most = std::clamp(kMostSurveyedPx / static_cast<i64>(layout_.channels.size()), i64{1} << 16,
                              kMostSurveyedOfChannel);
  // The finest level that can be read whole, else the smallest.
  std::size_t level = 0;
  while (level + 1 < images_.size() && images_[level].front().width() * images_[level].front().height() > most) ++level;
  i64 most_bytes = kMostSurveyedBytes;
  const std::vector<std::uint32_t> picture_samples = colors ? std::vector<std::uint32_t>{0, 1, 2}
                                                            : std::vector<std::uint32_t>{layout_.channels[shown].sample};
  // What is shown comes first: the others' ranges are but told.
  const Survey seen = survey(images_[level][page_], picture_samples, most, most_bytes);
  const bool whole = level == 0 && seen.whole;
  for (std::size_t k = 0; k < layout_.channels.size(); ++k) {
    const ChannelSource& source = layout_.channels[k];
    const TiffImage& image = images_[level][source.page];
    const bool of_picture = colors && k < 3, is_shown = of_picture || (!colors && k == shown);
    const Range range = is_shown ? seen.range : survey(image, {source.sample}, most, most_bytes).range;
    constexpr Shown kParts[] = {Shown::red, Shown::green, Shown::blue};
    info_.channels.push_back({source.name, source.color, image.type(), range.low, range.high,
                              of_picture ? kParts[k]
                              : is_shown ? Shown::gray
                                         : Shown::no});
  }
  composition_.range = seen.range;
  const TiffDirectory& first = layout_.levels.front().front();
  composition_.samples = picture_samples;
  composition_.alpha = layout_.alpha;
  composition_.premultiplied = layout_.premultiplied;
  composition_.inverted = !colors && first.photometric == kWhiteIsZero;
  // Around what has light of its own there is none.
  if (!colors && !composition_.inverted && layout_.alpha == std::nullopt)
    composition_.background = info_.background = {0, 0, 0, 255};
  const SampleType type = images_.front()[page_].type();
  if (!is_picture(layout_))
    info_.warnings.push_back("The file holds " + std::to_string(layout_.channels.size()) +
                             " channels: " + list_of(info_.channels) + ". " +
                             (colors ? "Red, green and blue are" : "\"" + layout_.channels[shown].name + "\" is") +
                             " shown and analysed" + (colors ? "" : ", in grey") + "; objects are measured in all of them.");
  if (type != SampleType::u8)
    info_.warnings.push_back("The image has " + std::string(sample_name(type)) + " samples: " +
                             short_number(composition_.range.low) + " to " + short_number(composition_.range.high) +
                             (seen.clipped ? ", without outliers beyond,"
                              : whole      ? ", all that it holds,"
                                           : ", what a part of it holds,") +
                             " were taken as 0 to 255.");
  if (!seen.lost.empty())
    info_.uncertain_pixels = "Parts that could not be read while the file was opened (" + seen.lost +
                             ") are not in the range of its samples, " + short_number(composition_.range.low) + " to " +
                             short_number(composition_.range.high) +
                             ", that is taken as 0 to 255: all its pixels may be darker or brighter than the intact file's.";
  if (first.orientation > 1)
    info_.warnings.push_back("The file asks to be turned or mirrored (Orientation " + std::to_string(first.orientation) +
                             "): it is shown as it is stored.");
}

void TiffSlide::add_properties() {
  const TiffDirectory& d = layout_.levels.front().front();
  auto& p = info_.properties;
  const std::string own(until_zero(index_->text(d.description)));
  const std::string first(until_zero(index_->text(index_->directories().front().description)));
  const std::string& description = own.empty() || layout_.format == "ome-tiff" ? first : own;
  p["tiff.format"] = layout_.format;
  if (!description.empty()) p["tiff.ImageDescription"] = valid_utf8(description);
  if (d.software.count > 0) p["tiff.Software"] = valid_utf8(std::string(until_zero(index_->text(d.software))));
  if (d.x_resolution.count > 0) p["tiff.XResolution"] = number_text(index_->real(d.x_resolution));
  if (d.y_resolution.count > 0) p["tiff.YResolution"] = number_text(index_->real(d.y_resolution));
  const u64 unit = d.resolution_unit;
  p["tiff.ResolutionUnit"] = unit == 2 ? "inch" : unit == 3 ? "centimeter" : unit == 1 ? "none" : std::to_string(unit);
  if (layout_.format == "aperio") add_aperio_properties(p, description);
  const Rgba background = info_.background;
  interpret_properties(info_, &description);
  info_.background = background;
}

void TiffSlide::take(const LevelAgreement& agreement) {
  const std::vector<int>& levels = agreement.left_out;
  const std::string uncertain = uncertain_by_levels(info_, agreement.unjudged);
  if (!uncertain.empty()) info_.uncertain_pixels += (info_.uncertain_pixels.empty() ? "" : " ") + uncertain;
  if (levels.empty()) return;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const Level& one = info_.levels[static_cast<std::size_t>(*level)];
    info_.warnings.push_back("Level " + std::to_string(*level) + " (" + std::to_string(one.width) + " × " +
                             std::to_string(one.height) +
                             " px) shows another picture than the finer levels and is not used; they stand in for it.");
    info_.levels.erase(info_.levels.begin() + *level);
    images_.erase(images_.begin() + *level);
    layout_.levels.erase(layout_.levels.begin() + *level);
  }
  cache_.forget(serial_);
  serial_ = next_tiff_serial();
}

namespace {

std::shared_ptr<TiffSlide> made_slide(const std::string& path, std::unique_ptr<TiffIndex> index, TiffLayout layout) {
  auto slide = std::make_shared<TiffSlide>(path, std::move(index), std::move(layout), decoded_tiles());
  slide->take(judge_levels(*slide));
  return slide;
}

}  // namespace

std::shared_ptr<TiffSlide> open_tiff_alone(const std::string& path) {
  std::string problem;
  auto index = TiffIndex::open(path, problem);
  if (!index || !problem.empty() || is_foreign_tiff(*index)) return nullptr;
  TiffLayout layout = describe_tiff(*index, base_name(path));
  if (!has_known_colors(layout.levels.front().front()) || !judge_layout(*index, layout).empty()) return nullptr;
  return made_slide(path, std::move(index), std::move(layout));
}

std::shared_ptr<Slide> open_tiff(const std::string& path, bool has_openslide, const std::string& vendor) {
  if (has_openslide && !vendor.empty() && vendor != "generic-tiff") return nullptr;
  std::string problem;
  auto index = TiffIndex::open(path, problem);
  if (!index || !problem.empty() || is_foreign_tiff(*index)) return nullptr;
  TiffLayout layout = describe_tiff(*index, base_name(path));
  const TiffDirectory& first = layout.levels.front().front();
  if (!has_known_colors(first) || !is_for_us(layout, has_openslide, vendor)) return nullptr;
  const std::string why = judge_layout(*index, layout);
  if (why.empty()) return made_slide(path, std::move(index), std::move(layout));
  // Others would show a part of it, or its samples' highest bits alone, without a word.
  const bool others_do = is_picture(layout) && is_bytes(first);
  if (others_do) return nullptr;
  throw Error(ErrorCode::slide_unreadable,
              path + " is a TIFF " + why +
                  ". Export it anew, as a tiled TIFF of 8, 16 or 32 bits a sample with Deflate or LZW or uncompressed.",
              "unsupported-samples");
}

}  // namespace morpho::slide
