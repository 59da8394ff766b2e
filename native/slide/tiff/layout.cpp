// The descriptions that need no XML: plain pyramids, ImageJ's stacks, Aperio's without OpenSlide; and what all have in common.
#include "layout.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "../level_scale.hpp"
#include "../slide_metadata.hpp"
#include "../xml_reader.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kMostLevelsOfTiff = 64, kMostAssociatedOfTiff = 64;
/// Of the directories' XML together.
constexpr std::size_t kMostXmlBytes = std::size_t{64} << 20;

bool same_size(const TiffDirectory& a, const TiffDirectory& b) { return a.width == b.width && a.height == b.height; }
double area_of(const TiffDirectory& d) { return static_cast<double>(d.width) * static_cast<double>(d.height); }
bool is_reduced(const TiffDirectory& d) { return (d.subfile_type & 1) != 0; }

/// Whether `d` shows all of `whole`, smaller: its sides are the slide's divided by one number, or nearly.
bool is_level_of(const TiffDirectory& whole, const TiffDirectory& d) {
  if (d.width == 0 || d.height == 0 || area_of(d) >= area_of(whole) || !alike(whole, d)) return false;
  const auto side = [](u64 v) { return static_cast<i64>(v); };
  if (whole_factor(side(whole.width), side(whole.height), side(d.width), side(d.height)) > 0) return true;
  const double x = static_cast<double>(whole.width) / static_cast<double>(d.width);
  const double y = static_cast<double>(whole.height) / static_cast<double>(d.height);
  return std::abs(x - y) <= 0.01 * std::min(x, y);
}

std::string unprefixed(const std::string& text, const std::string& key) {
  const std::size_t at = text.find("\n" + key + "=");
  if (at == std::string::npos) return {};
  const std::size_t from = at + key.size() + 2;
  return text.substr(from, text.find('\n', from) - from);
}
u64 count_in(const std::string& text, const std::string& key) {
  const std::string value = unprefixed(text, key);
  u64 count = 1;
  std::from_chars(value.data(), value.data() + value.size(), count);
  return std::clamp<u64>(count, 1, kMostPlanes);
}

/// Pages of one slide: the largest directory and all that are like it, in the file's order.
std::vector<TiffDirectory> pages_of(const std::vector<TiffDirectory>& all) {
  const TiffDirectory* largest = &all.front();
  for (const TiffDirectory& d : all)
    if (!is_reduced(d) && (area_of(d) > area_of(*largest) || is_reduced(*largest))) largest = &d;
  std::vector<TiffDirectory> pages;
  for (const TiffDirectory& d : all)
    if (pages.size() < kMostPlanes && same_size(d, *largest) && alike(d, *largest) && is_reduced(d) == is_reduced(*largest))
      pages.push_back(d);
  return pages;
}

void describe_imagej(TiffLayout& layout, const std::string& description) {
  auto& pages = layout.levels.front();
  layout.format = "imagej";
  const u64 images = count_in(description, "images"), channels = count_in(description, "channels");
  const u64 planes = count_in(description, "slices") * count_in(description, "frames");
  if (images > pages.size())
    layout.warnings.push_back("ImageJ states " + std::to_string(images) + " images, and the file's directories hold " +
                              std::to_string(pages.size()) + ": the others are not read.");
  // Channels come first, then slices, then frames.
  if (planes > 1)
    layout.warnings.push_back("The file holds " + std::to_string(planes) + " focal planes or times: the first is shown.");
  pages.resize(std::min<std::size_t>(pages.size(), channels));
}

/// "label" and "macro" of Aperio's strips: the second line of their description begins so. The one without is the thumbnail.
void describe_aperio(TiffLayout& layout, const TiffIndex& index) {
  layout.format = "aperio";
  layout.levels.front().resize(1);
  for (const TiffDirectory& d : index.directories()) {
    if (d.tile_width > 0 || layout.associated.size() >= kMostAssociatedOfTiff) continue;
    const std::string text(until_zero(index.text(d.description)));
    const std::size_t line = text.find('\n');
    const std::string second = line == std::string::npos ? "" : text.substr(line + 1);
    const char* name = second.rfind("label", 0) == 0 ? "label" : second.rfind("macro", 0) == 0 ? "macro" : "thumbnail";
    layout.associated.emplace_back(name, d);
  }
}

/// Names of a QPTIFF's pages; its thumbnail, label and overview by name.
std::vector<ChannelSource> describe_qptiff(TiffLayout& layout, const TiffIndex& index) {
  layout.format = "qptiff";
  std::vector<ChannelSource> named;
  std::vector<TiffDirectory> slides;
  std::size_t xml_bytes = 0;
  for (const TiffDirectory& d : index.directories()) {
    const std::string xml(xml_bytes < kMostXmlBytes ? index.text(d.description) : "");
    xml_bytes += xml.size();
    const auto page = qptiff_page(std::string(until_zero(xml)));
    if (!page || page->image_type == "FullResolution" || page->image_type == "ReducedResolution") slides.push_back(d);
    else if (layout.associated.size() < kMostAssociatedOfTiff)
      layout.associated.emplace_back(page->image_type == "Overview" ? "macro"
                                     : page->image_type == "Label"  ? "label"
                                                                    : "thumbnail",
                                     d);
    if (page && page->image_type == "FullResolution") named.push_back({page->name, page->color, named.size(), 0});
  }
  if (!slides.empty()) layout.levels = {pages_of(slides)};
  return named;
}

}  // namespace

bool alike(const TiffDirectory& a, const TiffDirectory& b) {
  return a.samples == b.samples && a.bits == b.bits && a.sample_format == b.sample_format &&
         (a.tile_width > 0) == (b.tile_width > 0);
}

void add_channels(TiffLayout& layout, const TiffIndex& index, const std::vector<ChannelSource>& named) {
  auto& pages = layout.levels.front();
  const TiffDirectory& first = pages.front();
  constexpr std::uint32_t kRgb = 2, kYCbCr = 6;
  // Only an extra sample that is said to be opacity is one.
  const u64 extra = first.extra_samples.count;
  for (u64 k = 0; k < extra && k < first.samples; ++k) {
    const u64 kind = index.item(first.extra_samples, k).value_or(0);
    if ((kind != 1 && kind != 2) || layout.alpha) continue;
    layout.alpha = static_cast<std::uint32_t>(first.samples - extra + k);
    layout.premultiplied = kind == 1;
  }
  if (extra >= first.samples) layout.alpha.reset();
  layout.colors = first.samples >= 3 && (first.photometric == kRgb || first.photometric == kYCbCr);
  if (layout.colors && pages.size() > 1) {
    layout.warnings.push_back("The file holds " + std::to_string(pages.size()) +
                              " images of this size (focus planes or channels): the first is shown.");
    pages.resize(1);
  }
  constexpr const char* kColors[] = {"red", "green", "blue"};
  for (std::size_t page = 0; page < pages.size(); ++page)
    for (std::uint32_t sample = 0; sample < first.samples && layout.channels.size() < kMostPlanes; ++sample) {
      if (layout.alpha == sample) continue;
      const std::size_t k = layout.channels.size();
      ChannelSource source{"Channel " + std::to_string(k + 1), std::nullopt, page, sample};
      if (layout.colors && sample < 3) source.name = kColors[sample];
      else if (k < named.size()) {
        if (!named[k].name.empty()) source.name = named[k].name;
        source.color = named[k].color;
      }
      layout.channels.push_back(std::move(source));
    }
}

void add_reduced_levels(TiffLayout& layout, const TiffIndex& index) {
  const auto pages = layout.levels.front();
  const TiffDirectory& whole = pages.front();
  std::vector<std::vector<TiffDirectory>> found;
  if (whole.sub_directories.count > 0) {
    std::size_t looked_at = 0;
    for (std::size_t p = 0; p < pages.size(); ++p) {
      std::string problem;
      std::vector<TiffDirectory> smaller;
      for (const TiffDirectory& d : index.children(pages[p], std::min<std::size_t>(64, kMostPlanes - looked_at), problem)) {
        ++looked_at;
        if (is_level_of(whole, d)) smaller.push_back(d);
      }
      if (!problem.empty()) warn_once(layout.warnings, "Smaller levels of the file are not used: " + problem + ".");
      if (p == 0) found.resize(smaller.size());
      // A level that one page lacks is none.
      found.resize(std::min(found.size(), smaller.size()));
      for (std::size_t k = 0; k < found.size(); ++k) found[k].push_back(smaller[k]);
    }
    std::erase_if(found, [](const auto& level) {
      return std::any_of(level.begin(), level.end(), [&](const TiffDirectory& d) { return !same_size(d, level.front()); });
    });
  } else {
    for (const TiffDirectory& d : index.directories()) {
      if (same_size(d, whole) || !is_level_of(whole, d)) continue;
      const auto level = std::find_if(found.begin(), found.end(),
                                      [&](const auto& group) { return same_size(group.front(), d); });
      if (level != found.end()) level->push_back(d);
      else if (found.size() < kMostLevelsOfTiff) found.push_back({d});
    }
    std::erase_if(found, [&](const auto& level) { return level.size() < pages.size(); });
    for (auto& level : found) level.resize(pages.size());
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return area_of(a.front()) > area_of(b.front()); });
  for (auto& level : found)
    if (area_of(level.front()) < area_of(layout.levels.back().front())) layout.levels.push_back(std::move(level));
}

TiffLayout describe_tiff(const TiffIndex& index, const std::string& file) {
  const std::string description(until_zero(index.text(index.directories().front().description)));
  TiffLayout layout;
  if (auto ome = describe_ome(index, file, description, layout.warnings)) return std::move(*ome);
  layout.format = "generic-tiff";
  layout.levels = {pages_of(index.directories())};
  std::vector<ChannelSource> named;
  if (description.rfind("ImageJ=", 0) == 0) describe_imagej(layout, description);
  else if (description.rfind("Aperio", 0) == 0) describe_aperio(layout, index);
  else if (qptiff_page(description)) named = describe_qptiff(layout, index);
  add_channels(layout, index, named);
  add_reduced_levels(layout, index);
  return layout;
}

}  // namespace morpho::slide
