// Reads multiscales and omero. What is not understood of a name or colour is left out; what decides pixels or sizes is refused
// or told.
#include "ome_metadata.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "../calibration/pixel_size.hpp"
#include "../slide_metadata.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kMostZarrLevels = 64, kMostOmeroChannels = 4096;

/// µm of a unit as OME-Zarr names it (UDUNITS-2); 0 where it is none of length.
double um_per_unit(const std::string& unit) {
  constexpr std::pair<const char*, double> known[] = {{"angstrom", 1e-4}, {"picometer", 1e-6}, {"nanometer", 1e-3},
                                                      {"micrometer", 1},  {"millimeter", 1e3}, {"centimeter", 1e4},
                                                      {"decimeter", 1e5}, {"meter", 1e6},      {"inch", 25400},
                                                      {"micrometre", 1},  {"nanometre", 1e-3}, {"millimetre", 1e3}};
  for (const auto& [name, um] : known)
    if (unit == name) return um;
  return um_per(unit);
}

std::string plain_number(double v) {
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, v);
  return error == std::errc{} ? std::string(text, end) : "?";
}

/// The scale along one axis of a list of transformations; 1 where none is stated, nothing where it is none.
std::optional<double> scale_of(const Json& transformations, std::size_t axis) {
  double scale = 1;
  for (const Json& each : transformations.items) {
    if (each["type"].words() != "scale") continue;
    const Json& values = each["scale"];
    if (axis >= values.items.size() || !values.items[axis].is(Json::Kind::number)) return std::nullopt;
    scale *= values.items[axis].number;
  }
  return scale;
}

/// A label is a text, or a number.
std::string label_of(const Json& label) {
  if (label.is(Json::Kind::number)) return plain_number(label.number);
  return valid_utf8(label.words(), 200);
}

std::optional<Rgba> omero_color(const std::string& text) {
  const std::size_t from = text.starts_with('#') ? 1 : 0;
  std::uint32_t value = 0;
  const char *begin = text.data() + from, *end = text.data() + text.size();
  if (end - begin != 6 || std::from_chars(begin, end, value, 16).ptr != end) return std::nullopt;
  return Rgba{static_cast<u8>(value >> 16), static_cast<u8>(value >> 8), static_cast<u8>(value), 255};
}

std::string window_of(const Json& window) {
  const Json &start = window["start"], &end = window["end"];
  if (!start.is(Json::Kind::number) || !end.is(Json::Kind::number)) return "";
  return plain_number(start.number) + " to " + plain_number(end.number);
}

void read_omero(const Json& omero, OmeImage& image) {
  const auto& channels = omero["channels"].items;
  for (std::size_t k = 0; k < std::min(channels.size(), kMostOmeroChannels); ++k)
    image.channels.push_back(
        {label_of(channels[k]["label"]), omero_color(channels[k]["color"].words()), window_of(channels[k]["window"])});
  image.greyscale = omero["rdefs"]["model"].words() == "greyscale";
}

void read_axes(const Json& axes, std::vector<std::string>& names, std::vector<std::string>& units) {
  for (const Json& axis : axes.items) {
    // Of 0.3 a text alone.
    names.push_back(axis.is(Json::Kind::text) ? axis.text : axis["name"].words());
    units.push_back(axis["unit"].words());
    // The name is free; the type says what it is.
    if (axis["type"].words() == "channel") names.back() = "c";
    if (axis["type"].words() == "time") names.back() = "t";
  }
}

void read_size(const Json& multiscale, const std::vector<std::string>& units, OmeImage& image) {
  const auto size = [&](const char* name) -> double {
    const auto axis = static_cast<std::size_t>(std::find(image.axes.begin(), image.axes.end(), name) - image.axes.begin());
    if (axis >= units.size() || units[axis].empty()) return 0;
    const double um = um_per_unit(units[axis]);
    if (um == 0) {
      warn_once(image.warnings, "The unit \"" + shortened(valid_utf8(units[axis], 100)) +
                                    "\" of the image's axes is none of length: it says nothing of a pixel's size.");
      return 0;
    }
    const auto own = scale_of(multiscale["datasets"].items.front()["coordinateTransformations"], axis),
               whole = scale_of(multiscale["coordinateTransformations"], axis);
    const double mpp = own && whole ? *own * *whole * um : 0;
    if (mpp >= kSmallestMpp && mpp <= kLargestMpp) return mpp;
    warn_once(image.warnings, "The image states " + (own && whole ? plain_number(mpp) : std::string("no number of")) +
                                  " µm per pixel, which no microscope gives; it is ignored.");
    return 0;
  };
  image.mpp_x = size("x");
  image.mpp_y = size("y");
}

int index_of(const std::vector<std::string>& names, const char* name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

/// Names that no stain has: none, a number, "Channel 0", or the colour's own.
bool is_name_of_color(const std::string& name, std::size_t k) {
  constexpr const char* words[][2] = {{"red", "r"}, {"green", "g"}, {"blue", "b"}};
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower == words[k][0] || lower == words[k][1]) return true;
  for (const char* start : {"channel", "ch", "c"})
    if (lower.starts_with(start)) {
      lower.erase(0, std::string(start).size());
      break;
    }
  return std::all_of(lower.begin(), lower.end(),
                     [](char c) { return c == ' ' || c == ':' || c == '_' || (c >= '0' && c <= '9'); });
}

}  // namespace

OmeImage read_ome_image(const Json& attributes) {
  const Json& multiscales = attributes["multiscales"];
  if (!multiscales.is(Json::Kind::list) || multiscales.items.empty()) throw PieceError("it states no multiscales");
  const Json& first = multiscales.items.front();
  OmeImage image;
  if (multiscales.items.size() > 1)
    image.warnings.push_back("The folder states " + std::to_string(multiscales.items.size()) +
                             " images: the first is shown and analysed.");
  const std::string& version = first["version"].words();
  image.version = valid_utf8(version.empty() ? attributes["version"].words() : version, 40);
  image.name = valid_utf8(first["name"].words(), 200);
  const auto& datasets = first["datasets"].items;
  if (datasets.empty()) throw PieceError("its multiscales name no levels");
  for (std::size_t k = 0; k < std::min(datasets.size(), kMostZarrLevels); ++k) {
    const std::string& path = datasets[k]["path"].words();
    if (!ZarrFolder::is_inside(path))
      throw PieceError("it names its level " + std::to_string(k) + " \"" + shortened(valid_utf8(path, 100)) +
                       "\", which is no place in its folder");
    image.levels.push_back(path);
  }
  std::vector<std::string> units;
  read_axes(first["axes"], image.axes, units);
  read_size(first, units, image);
  read_omero(attributes["omero"], image);
  return image;
}

ZarrAxes axes_of(const OmeImage& image, const ZarrArray& array) {
  std::vector<std::string> names = image.axes;
  const std::size_t count = array.shape.size();
  // Before 0.3 there were these five.
  if (names.empty() && count == 5) names = {"t", "c", "z", "y", "x"};
  if (names.size() != count)
    throw PieceError("it states " + std::to_string(names.size()) + " axes, and its arrays have " + std::to_string(count));
  const ZarrAxes axes{index_of(names, "t"), index_of(names, "c"), index_of(names, "z"), index_of(names, "y"),
                      index_of(names, "x")};
  if (axes.x < 0 || axes.y < 0) throw PieceError("it has no axes x and y");
  for (std::size_t k = 0; k < count; ++k) {
    const int axis = static_cast<int>(k);
    const bool known = axis == axes.t || axis == axes.c || axis == axes.z || axis == axes.y || axis == axes.x;
    if (!known && array.shape[k] > 1)
      throw PieceError("it has an axis \"" + shortened(valid_utf8(names[k], 100)) + "\" of " + std::to_string(array.shape[k]) +
                       ", and t, c, z, y and x are known");
  }
  return axes;
}

bool is_rgb(const OmeImage& image, const ZarrArray& array, const ZarrAxes& axes) {
  if (array.type != SampleType::u8 || axes.c < 0 || array.shape[static_cast<std::size_t>(axes.c)] != 3) return false;
  if (image.channels.size() != 3 || image.greyscale) return false;
  constexpr Rgba colors[] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}};
  for (std::size_t k = 0; k < 3; ++k) {
    const OmeChannel& channel = image.channels[k];
    const bool colored = channel.color && channel.color->r == colors[k].r && channel.color->g == colors[k].g &&
                         channel.color->b == colors[k].b;
    const bool named = !channel.name.empty() && !channel.color &&
                       std::isalpha(static_cast<unsigned char>(channel.name[0])) != 0 && (channel.name[0] | 32) == "rgb"[k];
    if (!is_name_of_color(channel.name, k) || (!colored && !named)) return false;
  }
  return true;
}

}  // namespace morpho::slide
