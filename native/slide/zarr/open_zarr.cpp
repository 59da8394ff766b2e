// Finds the image in a folder, and makes levels and channels of its arrays.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "../level_scale.hpp"
#include "../slide_metadata.hpp"
#include "codec_libraries.hpp"
#include "ome_metadata.hpp"
#include "zarr_slide.hpp"

namespace morpho::slide {
namespace {

[[noreturn]] void refuse_zarr(
    const std::string& path, const std::string& why, const char* detail,
    const std::string& next = "Copy the whole folder again, or write it anew as OME-Zarr 0.4 or 0.5.") {
  throw Error(ErrorCode::slide_unreadable, path + " is a Zarr folder, and cannot be read: " + why + ". " + next, detail);
}

/// What a group's metadata says, whatever the version.
struct ZarrGroup {
  int version = 2;
  bool is_array = false;
  Json attributes;  ///< OME's
};

/// `key` of the group: "" or "0/". Nothing where there is none.
std::optional<ZarrGroup> read_group(const ZarrFolder& folder, const std::string& key) {
  ZarrGroup group;
  if (const auto metadata = folder.json(key + "zarr.json")) {
    group.version = 3;
    group.is_array = (*metadata)["node_type"].words() == "array";
    const Json& attributes = (*metadata)["attributes"];
    // Some wrote what 0.4 says into the third version.
    group.attributes = attributes["ome"].is(Json::Kind::object) ? attributes["ome"] : attributes;
    return group;
  }
  const auto attributes = folder.json(key + ".zattrs");
  group.is_array = folder.json(key + ".zarray").has_value();
  if (!attributes && !group.is_array && !folder.json(key + ".zgroup")) return std::nullopt;
  if (attributes) group.attributes = *attributes;
  return group;
}

struct FoundImage {
  std::string key;  ///< "" or "0/"
  ZarrGroup group;
  std::vector<std::string> warnings;
};

/// The folder's own image, or the first of several that bioformats2raw wrote.
FoundImage find_image(const std::string& path, const ZarrFolder& folder) {
  FoundImage found;
  auto group = read_group(folder, "");
  if (!group) throw PieceError("it has no metadata");
  found.group = std::move(*group);
  const Json& attributes = found.group.attributes;
  if (attributes["multiscales"].is(Json::Kind::list)) return found;
  if (found.group.is_array)
    refuse_zarr(path, "it is one level of an image", "unsupported-samples", "Choose the folder that holds it.");
  if (attributes["plate"].is(Json::Kind::object) || attributes["well"].is(Json::Kind::object))
    refuse_zarr(path, "it is a plate or well with many images", "unsupported-samples",
                "Choose the folder of one image in it, such as A/1/0.");
  auto first = read_group(folder, "0/");
  if (!first || !first->attributes["multiscales"].is(Json::Kind::list))
    refuse_zarr(path, "it states no image (multiscales)", "unsupported-samples",
                "Choose the folder of an OME-Zarr image, which may be one inside this folder.");
  if (folder.has_folder("1"))
    found.warnings.push_back("The folder holds several images: the one in its folder 0 is shown and analysed.");
  found.key = "0/";
  found.group = std::move(*first);
  return found;
}

/// Shows all of the whole, smaller.
bool is_smaller_whole(const ZarrImage& whole, const ZarrImage& level) {
  if (level.width() > whole.width() || level.height() > whole.height()) return false;
  if (whole_factor(whole.width(), whole.height(), level.width(), level.height()) > 0) return true;
  const double x = static_cast<double>(whole.width()) / static_cast<double>(level.width());
  const double y = static_cast<double>(whole.height()) / static_cast<double>(level.height());
  return std::abs(x - y) <= 0.01 * std::min(x, y);
}

ZarrArray read_level(const ZarrFolder& folder, const std::string& key, int version, std::string& metadata) {
  metadata = key + (version == 3 ? "/zarr.json" : "/.zarray");
  const auto stated = folder.json(metadata);
  if (!stated) throw PieceError("its metadata (" + metadata + ") is missing");
  return read_zarr_array(*stated, version);
}

std::unique_ptr<ZarrImage> image_of(const std::shared_ptr<const ZarrFolder>& folder, const std::string& key, int version,
                                    const OmeImage& ome) {
  std::string metadata;
  ZarrArray array = read_level(*folder, key, version, metadata);
  const ZarrAxes axes = axes_of(ome, array);
  if (std::string why = ZarrImage::cannot_show(array, axes); !why.empty()) throw PieceError(why);
  if (!folder->has_chunks(key)) throw PieceError("its folder holds no chunk");
  return std::make_unique<ZarrImage>(folder, key, metadata, std::move(array), axes);
}

void tell_first_planes(const ZarrImage& image, const ZarrAxes& axes, PiecedPicture& picture) {
  const auto side = [&](int axis) { return axis < 0 ? u64{1} : image.array().shape[static_cast<std::size_t>(axis)]; };
  if (side(axes.t) > 1)
    picture.warnings.push_back("The image has " + std::to_string(side(axes.t)) +
                               " points in time. The first is shown and analysed.");
  if (side(axes.z) > 1)
    picture.warnings.push_back("The image has " + std::to_string(side(axes.z)) +
                               " focal planes. The first is shown and analysed.");
}

/// Level 0 must be there; others may be left out, and are told.
void add_zarr_levels(const std::shared_ptr<const ZarrFolder>& folder, const FoundImage& found, const OmeImage& ome,
                     PiecedPicture& picture) {
  for (std::size_t k = 0; k < ome.levels.size(); ++k) {
    std::unique_ptr<ZarrImage> image;
    std::string why;
    try {
      image = image_of(folder, found.key + ome.levels[k], found.group.version, ome);
    } catch (const PieceError& e) {
      why = e.what();
      if (k == 0) throw PieceError("its level 0 cannot be read: " + why);
    }
    const ZarrImage* whole = k == 0 ? image.get() : static_cast<const ZarrImage*>(picture.levels.front().front().get());
    if (why.empty() && (image->type() != whole->type() || image->samples() != whole->samples()))
      why = "it has other channels than the slide";
    if (why.empty() && k > 0 && !is_smaller_whole(*whole, *image)) why = "it has another shape than the slide";
    if (why.empty() && k > 0 && image->width() >= picture.levels.back().front()->width() &&
        image->height() >= picture.levels.back().front()->height())
      why = "it is no smaller than the one before";
    if (why.empty()) {
      picture.levels.emplace_back().push_back(std::move(image));
    } else {
      picture.warnings.push_back("The level \"" + valid_utf8(ome.levels[k], 100) + "\" is not used: " + why + ".");
    }
  }
}

void add_zarr_channels(const OmeImage& ome, std::uint32_t count, PiecedPicture& picture) {
  for (std::uint32_t k = 0; k < count; ++k) {
    if (picture.colors) {
      picture.channels.push_back({k == 0 ? "Red" : k == 1 ? "Green" : "Blue", std::nullopt, 0, k});
      continue;
    }
    const OmeChannel stated = k < ome.channels.size() ? ome.channels[k] : OmeChannel{};
    picture.channels.push_back({stated.name.empty() ? "Channel " + std::to_string(k + 1) : stated.name, stated.color, 0, k});
  }
}

std::map<std::string, std::string> properties_of_zarr(const OmeImage& ome, const ZarrArray& array, int version) {
  std::map<std::string, std::string> p;
  p["zarr.format"] = std::to_string(version);
  p["zarr.codecs"] = codec_names(array.codecs);
  if (array.shard) p["zarr.sharding"] = std::to_string(array.shard->chunks()) + " chunks per shard";
  if (!ome.version.empty()) p["ome-zarr.version"] = ome.version;
  if (!ome.name.empty()) p["ome-zarr.name"] = ome.name;
  for (std::size_t k = 0; k < ome.channels.size(); ++k)
    if (!ome.channels[k].window.empty()) p["omero.channel[" + std::to_string(k) + "].window"] = ome.channels[k].window;
  const auto number = [](double v) {
    char text[40];
    return std::string(text, std::to_chars(text, text + sizeof text, v).ptr);
  };
  if (ome.mpp_x > 0 && ome.mpp_y > 0) {
    p["openslide.mpp-x"] = number(ome.mpp_x);
    p["openslide.mpp-y"] = number(ome.mpp_y);
  }
  return p;
}

std::string codec_versions() {
  const auto version = [](const char* name, bool there, const std::string& status) {
    return there ? std::string(name) + " " + status : std::string("without ") + name;
  };
  return "(" + version("zlib", zlib_library() != nullptr, zlib_status()) + ", " +
         version("zstd", zstd_library() != nullptr, zstd_status()) + ", " +
         version("blosc", blosc_library() != nullptr, blosc_status()) + ")";
}

}  // namespace

ZarrSlide::ZarrSlide(PiecedPicture picture, std::map<std::string, std::string> properties, TileCache& cache)
    : PiecedSlide(std::move(picture), cache) {
  info_.properties = std::move(properties);
  const Rgba background = info_.background;
  interpret_properties(info_, nullptr);
  info_.background = background;
}

std::vector<Rgba> ZarrSlide::associated(const std::string& name, Extent&) {
  throw Error(ErrorCode::not_found, info_.path + " has no associated image \"" + name + "\".");
}

std::shared_ptr<Slide> open_zarr(const std::string& path, const std::string& channel) {
  const auto folder = ZarrFolder::of(path);
  if (!folder) return nullptr;
  try {
    const FoundImage found = find_image(path, *folder);
    const OmeImage ome = read_ome_image(found.group.attributes);
    PiecedPicture picture;
    picture.path = path;
    picture.analysed = channel;
    picture.format = "ome-zarr";
    picture.reader = "Morphoscope OME-Zarr";
    picture.reader_version = codec_versions();
    picture.warnings = found.warnings;
    picture.warnings.insert(picture.warnings.end(), ome.warnings.begin(), ome.warnings.end());
    add_zarr_levels(folder, found, ome, picture);
    const auto& whole = static_cast<const ZarrImage&>(*picture.levels.front().front());
    const ZarrAxes axes = axes_of(ome, whole.array());
    tell_first_planes(whole, axes, picture);
    picture.colors = is_rgb(ome, whole.array(), axes);
    add_zarr_channels(ome, whole.samples(), picture);
    auto properties = properties_of_zarr(ome, whole.array(), found.group.version);
    auto slide = std::make_shared<ZarrSlide>(std::move(picture), std::move(properties), decoded_tiles());
    slide->take(judge_levels(*slide));
    return slide;
  } catch (const PieceError& e) {
    refuse_zarr(path, e.what(), "damaged");
  }
}

}  // namespace morpho::slide
