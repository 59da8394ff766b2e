// What a slide in pieces has: its levels and channels, and in words which of them are shown over which range.
#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>

#include "../level_scale.hpp"
#include "../refusal.hpp"
#include "pieced_slide.hpp"

namespace morpho::slide {
namespace {

/// For the ranges of all channels together, and of one at most.
constexpr i64 kMostSurveyedPx = i64{1} << 24, kMostSurveyedOfChannel = i64{1} << 22;
constexpr i64 kMostSurveyedBytes = i64{1} << 30;

std::string lower_case(const std::string& text) {
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// Names that channels of a nuclear stain have.
bool is_nuclear(const std::string& name) {
  const std::string lower = lower_case(name);
  for (const char* word : {"dapi", "hoechst", "dna", "draq5", "nuclei", "nuclear", "nucleus", "h33342"})
    if (lower.find(word) != std::string::npos) return true;
  return false;
}

std::string short_number(double v) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, v, std::chars_format::general, 6);
  return error == std::errc{} ? std::string(text, end) : "?";
}

template <class Channels>
std::string list_of(const Channels& channels) {
  constexpr std::size_t most = 12;
  std::string out;
  for (std::size_t k = 0; k < std::min(channels.size(), most); ++k) out += (k == 0 ? "" : ", ") + channels[k].name;
  return channels.size() > most ? out + " and " + std::to_string(channels.size() - most) + " more" : out;
}

u64 next_pieced_serial() {
  // Apart from those of other readers.
  static std::atomic<u64> last{u64{1} << 62};
  return ++last;
}

}  // namespace

PiecedSlide::PiecedSlide(PiecedPicture picture, TileCache& cache)
    : picture_(std::move(picture)), cache_(cache), serial_(next_pieced_serial()) {
  info_.path = picture_.path;
  info_.vendor = picture_.format;
  info_.reader = picture_.reader;
  info_.reader_version = picture_.reader_version;
  info_.warnings = picture_.warnings;
  info_.uncertain_pixels = picture_.uncertain;
  add_levels();
  add_channels();
}

void PiecedSlide::add_levels() {
  const PieceImage& whole = *picture_.levels.front().front();
  for (const auto& pages : picture_.levels) {
    const PieceImage& image = *pages.front();
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

std::size_t PiecedSlide::analysed_channel() const {
  const auto& channels = picture_.channels;
  const std::string& wanted = picture_.analysed;
  if (picture_.colors) {
    if (!wanted.empty()) throw no_channels(picture_.path);
    return 0;
  }
  const auto first = [&](auto&& is) {
    return static_cast<std::size_t>(std::find_if(channels.begin(), channels.end(), is) - channels.begin());
  };
  if (wanted.empty()) {
    const std::size_t nuclear = first([](const ChannelSource& c) { return is_nuclear(c.name); });
    return nuclear < channels.size() ? nuclear : 0;
  }
  // Names go before numbers, and just so before in other letters: both "cd8" and "CD8" may be there.
  if (const std::size_t k = first([&](const ChannelSource& c) { return c.name == wanted; }); k < channels.size()) return k;
  const std::string lower = lower_case(wanted);
  if (const std::size_t k = first([&](const ChannelSource& c) { return lower_case(c.name) == lower; }); k < channels.size())
    return k;
  std::size_t number = 0;
  const char* end = wanted.data() + wanted.size();
  const auto [read_to, error] = std::from_chars(wanted.data() + (wanted.front() == '#' ? 1 : 0), end, number);
  if (error == std::errc{} && read_to == end && number >= 1 && number <= channels.size()) return number - 1;
  throw Error(ErrorCode::invalid_parameter, picture_.path + " has no channel \"" + wanted + "\". It has " + list_of(channels) +
                                                ": choose one of them, by its name or its number (1 to " +
                                                std::to_string(channels.size()) + ").");
}

void PiecedSlide::add_channels() {
  const bool colors = picture_.colors;
  const std::size_t shown = analysed_channel();
  page_ = picture_.channels[shown].page;
  const i64 most = std::clamp(kMostSurveyedPx / static_cast<i64>(picture_.channels.size()), i64{1} << 16,
                              kMostSurveyedOfChannel);
  // The finest level that can be read whole, else the smallest.
  std::size_t level = 0;
  const auto& levels = picture_.levels;
  while (level + 1 < levels.size() && levels[level].front()->width() * levels[level].front()->height() > most) ++level;
  i64 most_bytes = kMostSurveyedBytes;
  const std::vector<std::uint32_t> picture_samples = colors ? std::vector<std::uint32_t>{0, 1, 2}
                                                            : std::vector<std::uint32_t>{picture_.channels[shown].sample};
  // What is shown comes first: the others' ranges are but told.
  const Survey seen = survey(*levels[level][page_], picture_samples, most, most_bytes);
  const bool whole = level == 0 && seen.whole;
  for (std::size_t k = 0; k < picture_.channels.size(); ++k) {
    const ChannelSource& source = picture_.channels[k];
    const PieceImage& image = *levels[level][source.page];
    const bool of_picture = colors && k < 3, is_shown = of_picture || (!colors && k == shown);
    const Range range = is_shown ? seen.range : survey(image, {source.sample}, most, most_bytes).range;
    constexpr Shown kParts[] = {Shown::red, Shown::green, Shown::blue};
    info_.channels.push_back({source.name, source.color, image.type(), range.low, range.high,
                              of_picture ? kParts[k]
                              : is_shown ? Shown::gray
                                         : Shown::no});
  }
  composition_.range = seen.range;
  composition_.samples = picture_samples;
  composition_.alpha = picture_.alpha;
  composition_.premultiplied = picture_.premultiplied;
  composition_.inverted = picture_.inverted;
  const SampleType type = info_.channels[shown].type;
  if (!colors && type != SampleType::u8 && type != SampleType::i8 && !picture_.alpha) info_.depth = 16;
  // Around what has light of its own there is none.
  if (!colors && !composition_.inverted && picture_.alpha == std::nullopt)
    composition_.background = info_.background = {0, 0, 0, 255};
  say_what_is_shown(seen, whole, shown);
}

void PiecedSlide::add_uncertain(const std::string& why) {
  if (!why.empty()) info_.uncertain_pixels += (info_.uncertain_pixels.empty() ? "" : " ") + why;
}

void PiecedSlide::say_what_is_shown(const Survey& seen, bool whole, std::size_t shown) {
  const bool colors = picture_.colors, is_one_picture = picture_.channels.size() == (colors ? 3u : 1u);
  if (!is_one_picture)
    info_.warnings.push_back("The file holds " + std::to_string(picture_.channels.size()) +
                             " channels: " + list_of(info_.channels) + ". " +
                             (colors ? "Red, green and blue are" : "\"" + picture_.channels[shown].name + "\" is") +
                             " analysed; objects are measured in all of them.");
  const std::string range = short_number(seen.range.low) + " to " + short_number(seen.range.high);
  if (const SampleType type = info_.channels[shown].type; type != SampleType::u8)
    info_.warnings.push_back("The image has " + std::string(sample_name(type)) + " samples: " + range +
                             (seen.clipped ? ", without outliers beyond,"
                              : whole      ? ", all that it holds,"
                                           : ", what a part of it holds,") +
                             " were taken as 0 to 255" + (info_.depth > 8 ? ", by Fluorescence nuclei as 0 to 65535." : "."));
  if (!seen.lost.empty())
    add_uncertain("Parts that could not be read while the file was opened (" + seen.lost +
                  ") are not in the range of its samples, " + range +
                  ", that is taken as 0 to 255: all its pixels may be darker or brighter than the intact file's.");
}

void PiecedSlide::take(const LevelAgreement& agreement) {
  const std::vector<int>& levels = agreement.left_out;
  add_uncertain(uncertain_by_levels(info_, agreement.unjudged));
  if (levels.empty()) return;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const Level& one = info_.levels[static_cast<std::size_t>(*level)];
    info_.warnings.push_back("Level " + std::to_string(*level) + " (" + std::to_string(one.width) + " × " +
                             std::to_string(one.height) +
                             " px) shows another picture than the finer levels and is not used; they stand in for it.");
    info_.levels.erase(info_.levels.begin() + *level);
    picture_.levels.erase(picture_.levels.begin() + *level);
  }
  cache_.forget(serial_);
  serial_ = next_pieced_serial();
}

}  // namespace morpho::slide
