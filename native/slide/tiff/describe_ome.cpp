// OME-TIFF: which directory is which channel, as its OME-XML says, where that agrees with the directories.
#include <algorithm>
#include <charconv>

#include "../plausible.hpp"
#include "../slide_metadata.hpp"
#include "../xml_reader.hpp"
#include "layout.hpp"

namespace morpho::slide {
namespace {

struct OmeChannel {
  std::string name;
  std::optional<Rgba> color;
  u64 samples = 1;
};
struct OmeData {
  std::optional<u64> ifd, planes;
  u64 c = 0, z = 0, t = 0;
  std::string file;  ///< of the UUID inside it
};
struct OmeImage {
  std::string name, order = "XYZCT";
  u64 width = 0, height = 0, c = 1, z = 1, t = 1;
  std::vector<OmeChannel> channels;
  std::vector<OmeData> data;
};

std::optional<u64> whole_number(const XmlElement& e, const char* name) {
  const XmlAttribute* a = e.find(name);
  if (!a) return std::nullopt;
  u64 value = 0;
  const auto [end, error] = std::from_chars(a->value.data(), a->value.data() + a->value.size(), value);
  return error == std::errc{} && end == a->value.data() + a->value.size() ? std::optional(value) : std::nullopt;
}
std::string attribute(const XmlElement& e, const char* name) {
  const XmlAttribute* a = e.find(name);
  return a ? valid_utf8(a->value, 200) : std::string();
}

/// Red, green, blue and opacity as one signed number of 32 bits.
std::optional<Rgba> ome_color(const XmlElement& e) {
  const XmlAttribute* a = e.find("Color");
  i64 value = 0;
  if (!a || std::from_chars(a->value.data(), a->value.data() + a->value.size(), value).ec != std::errc{}) return std::nullopt;
  const auto bits = static_cast<std::uint32_t>(value);
  return Rgba{static_cast<u8>(bits >> 24), static_cast<u8>(bits >> 16), static_cast<u8>(bits >> 8), 255};
}

std::string read_images(const std::string& xml, std::vector<OmeImage>& images) {
  using Path = std::vector<std::string>;
  return read_xml(xml, [&](const XmlElement& e, const Path& path) {
    if (path == Path{"OME", "Image"} && images.size() < kMostPlanes) images.emplace_back().name = attribute(e, "Name");
    if (images.empty() || path.size() < 3 || path[1] != "Image" || path[2] != "Pixels") return;
    OmeImage& image = images.back();
    if (path.size() == 3) {
      image.width = whole_number(e, "SizeX").value_or(0);
      image.height = whole_number(e, "SizeY").value_or(0);
      image.c = whole_number(e, "SizeC").value_or(1);
      image.z = whole_number(e, "SizeZ").value_or(1);
      image.t = whole_number(e, "SizeT").value_or(1);
      if (const std::string order = attribute(e, "DimensionOrder"); order.size() == 5) image.order = order;
    } else if (path.size() == 4 && path[3] == "Channel" && image.channels.size() < kMostPlanes) {
      image.channels.push_back({attribute(e, "Name"), ome_color(e), whole_number(e, "SamplesPerPixel").value_or(1)});
    } else if (path.size() == 4 && path[3] == "TiffData" && image.data.size() < 65536) {
      image.data.push_back({whole_number(e, "IFD"), whole_number(e, "PlaneCount"), whole_number(e, "FirstC").value_or(0),
                            whole_number(e, "FirstZ").value_or(0), whole_number(e, "FirstT").value_or(0), ""});
    } else if (path.size() == 5 && path[4] == "UUID" && !image.data.empty()) {
      image.data.back().file = attribute(e, "FileName");
    }
  });
}

/// Which plane of the image, in its own order, (c, 0, 0) is; planes hold all samples of a channel.
struct PlaneOrder {
  u64 c, z, t;  ///< how many planes on the next of each is
  PlaneOrder(const OmeImage& image, u64 channels) : c(1), z(1), t(1) {
    u64 step = 1;
    for (const char axis : image.order.substr(2)) {
      if (axis == 'C') c = step, step *= channels;
      if (axis == 'Z') z = step, step *= image.z;
      if (axis == 'T') t = step, step *= image.t;
    }
  }
  u64 of(u64 channel, u64 plane, u64 time) const { return channel * c + plane * z + time * t; }
};

/// The directory of the first plane and time of a channel; nothing where it is in another file, or in none.
std::optional<u64> directory_of(const OmeImage& image, u64 channels, u64 channel, bool& elsewhere, const std::string& own) {
  const PlaneOrder order(image, channels);
  const u64 wanted = order.of(channel, 0, 0), all = channels * image.z * image.t;
  if (image.data.empty()) return wanted;
  for (const OmeData& d : image.data) {
    const u64 first = order.of(d.c, d.z, d.t);
    const u64 planes = d.planes.value_or(d.ifd ? 1 : all);
    if (wanted < first || wanted - first >= planes) continue;
    if (!d.file.empty() && d.file != own) {
      elsewhere = true;
      continue;
    }
    return d.ifd.value_or(0) + wanted - first;
  }
  return std::nullopt;
}

/// By what name the image's planes mean this file, which may have been renamed.
std::string own_name(const OmeImage& image, const std::string& file) {
  for (const OmeData& d : image.data)
    if (d.file == file) return file;
  return image.data.empty() ? "" : image.data.front().file;
}

bool is_sane(const OmeImage& i) {
  constexpr u64 most = 65536;
  // Each channel is looked for among all of the data.
  if (i.c > kMostPlanes || i.channels.size() * i.data.size() > u64{1} << 26 || i.c * i.data.size() > u64{1} << 26) return false;
  return i.width > 0 && i.height > 0 && i.width <= kLargestSide && i.height <= kLargestSide && i.c > 0 && i.c <= kMostPlanes &&
         i.z > 0 && i.z <= most && i.t > 0 && i.t <= most;
}

/// Its pages as the first level; an empty level where they are not all like each other and of the image's size.
std::vector<TiffDirectory> pages_of_image(const TiffIndex& index, const OmeImage& image, const std::string& file,
                                          std::vector<std::size_t>& of_channel, Warnings& warnings) {
  const auto& all = index.directories();
  const u64 planes = std::max<u64>(1, image.channels.empty() ? image.c : image.channels.size());
  const std::string own = own_name(image, file);
  std::vector<TiffDirectory> pages;
  bool elsewhere = false;
  std::size_t missing = 0;
  for (u64 c = 0; c < planes && c < kMostPlanes; ++c) {
    const auto at = directory_of(image, planes, c, elsewhere, own);
    if (!at || *at >= all.size()) {
      ++missing;
      continue;
    }
    const TiffDirectory& d = all[static_cast<std::size_t>(*at)];
    if (d.width != image.width || d.height != image.height || (!pages.empty() && !alike(pages.front(), d))) return {};
    pages.push_back(d);
    of_channel.push_back(static_cast<std::size_t>(c));
  }
  if (missing > 0 && !pages.empty() && pages.front().samples == 1)
    warnings.push_back(std::to_string(missing) + " of the " + std::to_string(planes) + " channels in the OME description " +
                       (elsewhere ? "lie in other files" : "are not in the file") + ", and are not read.");
  return pages;
}

}  // namespace

std::optional<TiffLayout> describe_ome(const TiffIndex& index, const std::string& file, const std::string& xml,
                                       Warnings& warnings) {
  if (xml.find("<OME") == std::string::npos && xml.find(":OME") == std::string::npos) return std::nullopt;
  std::vector<OmeImage> images;
  // What cannot be read is told by who looks for the pixel size in it.
  if (!read_images(xml.substr(std::min(xml.find_first_not_of(" \t\r\n"), xml.size())), images).empty()) return std::nullopt;
  const OmeImage* slide = nullptr;
  for (const OmeImage& image : images)
    if (is_sane(image) && (!slide || image.width * image.height > slide->width * slide->height)) slide = &image;
  if (!slide) return std::nullopt;
  TiffLayout layout;
  layout.format = "ome-tiff";
  std::vector<std::size_t> of_channel;
  layout.levels = {pages_of_image(index, *slide, file, of_channel, layout.warnings)};
  if (layout.levels.front().empty()) {
    warnings.push_back("The OME description does not agree with the file's directories, which are used as they are.");
    return std::nullopt;
  }
  const u64 planes = slide->z * slide->t;
  if (planes > 1)
    layout.warnings.push_back("The file holds " + std::to_string(planes) + " focal planes or times: the first is shown.");
  std::vector<ChannelSource> named;
  const std::uint32_t samples = layout.levels.front().front().samples;
  for (const std::size_t c : of_channel)
    for (std::uint32_t s = 0; s < samples; ++s) {
      // One channel of several samples, or as many channels in one page.
      const std::size_t k = samples > 1 && of_channel.size() == 1 && slide->channels.size() == samples ? s : c;
      if (k >= slide->channels.size()) continue;
      const OmeChannel& channel = slide->channels[k];
      const bool several = k == c && samples > 1;
      const std::string part = several && !channel.name.empty() ? " " + std::to_string(s + 1) : "";
      named.push_back({channel.name + part, channel.color, 0, 0});
    }
  add_channels(layout, index, named);
  add_reduced_levels(layout, index);
  for (const OmeImage& image : images) {
    bool elsewhere = false;
    if (&image == slide || !is_sane(image)) continue;
    const auto at = directory_of(image, 1, 0, elsewhere, own_name(image, file));
    if (!at || *at >= index.directories().size() || image.name.empty()) continue;
    const TiffDirectory& d = index.directories()[static_cast<std::size_t>(*at)];
    if (d.width == image.width && d.height == image.height) layout.associated.emplace_back(image.name, d);
  }
  return layout;
}

}  // namespace morpho::slide
