// Ventana BIF: each camera field is a tile. The XMP says which areas were scanned, and by how much their tiles lie over one
// another.
#include <algorithm>
#include <cmath>

#include "../plausible.hpp"
#include "../slide_metadata.hpp"
#include "layout.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kMostAreas = 1024, kMostVentanaLevels = 64;

struct VentanaArea {
  i64 columns = 0, rows = 0, first_column = 0, first_row = 0;
  double x = 0, y = 0;  ///< of its corner on the canvas
  bool scanned = true;
};
/// Sums over the joints of tiles, each as sure as the file says.
struct Joints {
  double offset = 0, weight = 0;
  double step(u64 side) const { return static_cast<double>(side) + offset / weight; }
};
struct VentanaCanvas {
  std::vector<VentanaArea> areas;
  std::vector<std::pair<i64, i64>> origins;
  Joints x, y;
};

i64 whole_in(const XmlElement& e, const char* name) { return whole_of(attribute_of(e, name), name); }
double number(const XmlElement& e, const char* name) { return number_of(attribute_of(e, name), name); }

/// Tiles are numbered from the lower left one, to and fro.
std::pair<i64, i64> place_of(const VentanaArea& area, i64 tile) {
  if (tile < 1 || tile > area.columns * area.rows) throw NotUnderstood{"that joins tile " + std::to_string(tile)};
  const i64 row = (tile - 1) / area.columns, column = (tile - 1) % area.columns;
  return {row % 2 == 0 ? column : area.columns - column - 1, area.rows - row - 1};
}

void take_joint(VentanaCanvas& canvas, const XmlElement& e) {
  const VentanaArea& area = canvas.areas.back();
  if (!area.scanned) return;
  const auto [x1, y1] = place_of(area, whole_in(e, "Tile1"));
  const auto [x2, y2] = place_of(area, whole_in(e, "Tile2"));
  const std::string direction = attribute_of(e, "Direction");
  const bool right = direction == "RIGHT", up = direction == "UP";
  if (!right && !up) throw NotUnderstood{"that joins tiles to the direction \"" + valid_utf8(direction, 40) + "\""};
  if (right ? x2 != x1 + 1 || y2 != y1 : x2 != x1 || y2 != y1 - 1)
    throw NotUnderstood{"that joins tiles which are no neighbours (" + direction + ")"};
  const double overlap_x = number(e, "OverlapX"), overlap_y = number(e, "OverlapY");
  const double sure = static_cast<double>(whole_in(e, "Confidence"));
  Joints& joints = right ? canvas.x : canvas.y;
  joints.offset -= sure * (right ? overlap_x : overlap_y);
  joints.weight += sure;
}

void take_area(VentanaCanvas& canvas, const XmlElement& e, const TiffDirectory& first) {
  if (canvas.areas.size() >= kMostAreas) throw NotUnderstood{"with more than 1024 areas"};
  VentanaArea area;
  area.scanned = whole_in(e, "AOIScanned") != 0;
  if (area.scanned) {
    area.columns = whole_in(e, "NumCols");
    area.rows = whole_in(e, "NumRows");
    constexpr i64 most = i64{1} << 22;
    if (area.columns < 1 || area.rows < 1 || area.columns > most || area.rows > most / area.columns)
      throw NotUnderstood{"with an area of " + std::to_string(area.columns) + " × " + std::to_string(area.rows) + " tiles"};
    if (whole_in(e, "Width") != static_cast<i64>(first.tile_width) ||
        whole_in(e, "Height") != static_cast<i64>(first.tile_height))
      throw NotUnderstood{"whose fields are not as large as its tiles"};
    area.x = std::trunc(number(e, "Pos-X"));
    area.y = std::trunc(number(e, "Pos-Y"));
  }
  canvas.areas.push_back(area);
}

/// Areas with their places on the canvas: the file counts y upwards, to a place below all of them.
VentanaCanvas read_canvas(const std::string& xml, const TiffDirectory& first) {
  VentanaCanvas canvas;
  require_read(read_xml(xml, [&](const XmlElement& e, const std::vector<std::string>& path) {
    if (path.front() != "EncodeInfo") throw NotUnderstood{"whose areas are described in " + valid_utf8(path.front(), 40)};
    if (path.size() == 3 && path[1] == "SlideStitchInfo" && path[2] == "ImageInfo") take_area(canvas, e, first);
    if (path.size() == 4 && path[2] == "ImageInfo" && path[3] == "TileJointInfo") take_joint(canvas, e);
    if (path.size() == 3 && path[1] == "AoiOrigin") {
      if (canvas.origins.size() >= kMostAreas) throw NotUnderstood{"with more than 1024 areas"};
      canvas.origins.emplace_back(whole_in(e, "OriginX"), whole_in(e, "OriginY"));
    }
  }));
  if (canvas.areas.size() != canvas.origins.size() || canvas.areas.empty())
    throw NotUnderstood{"that has " + std::to_string(canvas.areas.size()) + " areas, and places for " +
                        std::to_string(canvas.origins.size())};
  const i64 tw = static_cast<i64>(first.tile_width), th = static_cast<i64>(first.tile_height);
  for (std::size_t k = 0; k < canvas.areas.size(); ++k) {
    const auto [x, y] = canvas.origins[k];
    if (!canvas.areas[k].scanned) continue;
    if (x < 0 || y < 0 || x % tw != 0 || y % th != 0) throw NotUnderstood{"whose areas do not begin with whole tiles"};
    canvas.areas[k].first_column = x / tw;
    canvas.areas[k].first_row = y / th;
  }
  std::erase_if(canvas.areas, [](const VentanaArea& a) { return !a.scanned; });
  if (canvas.areas.empty()) throw NotUnderstood{"without an area that was scanned"};
  return canvas;
}

/// Turns the areas' y around, as the canvas has it.
void turn(VentanaCanvas& canvas, double step_y, u64 tile_height) {
  double top = 0;
  const auto height = [&](const VentanaArea& a) {
    return std::trunc(static_cast<double>(a.rows - 1) * step_y + static_cast<double>(tile_height));
  };
  for (const VentanaArea& a : canvas.areas) top = std::max(top, a.y + height(a));
  for (VentanaArea& a : canvas.areas) a.y = top - a.y - height(a);
}

struct VentanaLevel {
  TiffDirectory directory;
  i64 divided = 1;
};

/// "level=1 mag=10 quality=90".
std::optional<VentanaLevel> level_of(const std::string& description, const TiffDirectory& d, std::size_t expected,
                                     double& first_magnification) {
  if (description.find("level=") == std::string::npos) return std::nullopt;
  const auto value = [&](const std::string& key) {
    const std::size_t at = (" " + description).find(" " + key + "=");
    if (at == std::string::npos) throw NotUnderstood{"with a level without " + key};
    const std::size_t from = at + key.size() + 1;
    return description.substr(from, description.find(' ', from) - from);
  };
  if (whole_of(value("level"), "level") != static_cast<i64>(expected)) throw NotUnderstood{"whose levels are not in order"};
  const double magnification = number_of(value("mag"), "magnification");
  if (expected == 0) first_magnification = magnification;
  const double divided = first_magnification / magnification;
  if (!(divided >= 1 && divided <= 65536) || divided != std::floor(divided))
    throw NotUnderstood{"with a level at " + number_text(magnification) + " of " + number_text(first_magnification)};
  return VentanaLevel{d, static_cast<i64>(divided)};
}

CanvasLevel canvas_of(const VentanaLevel& level, const VentanaCanvas& canvas, double step_x, double step_y) {
  CanvasLevel out;
  const double n = static_cast<double>(level.divided);
  double right = 0, bottom = 0;
  for (const VentanaArea& a : canvas.areas) {
    PlacedTiles p = all_tiles(level.directory);
    const double w = static_cast<double>(p.width) / n, h = static_cast<double>(p.height) / n;
    p.width = p.width % level.divided == 0 ? p.width / level.divided : 0;
    p.height = p.height % level.divided == 0 ? p.height / level.divided : 0;
    p.step_x = step_x / n;
    p.step_y = step_y / n;
    p.x = (a.x - static_cast<double>(a.first_column) * step_x) / n;
    p.y = (a.y - static_cast<double>(a.first_row) * step_y) / n;
    p.first_column = a.first_column;
    p.first_row = a.first_row;
    p.columns = a.columns;
    p.rows = a.rows;
    right = std::max(right, p.x + static_cast<double>(a.first_column + a.columns - 1) * p.step_x + w);
    bottom = std::max(bottom, p.y + static_cast<double>(a.first_row + a.rows - 1) * p.step_y + h);
    out.tiles.push_back(std::move(p));
  }
  constexpr double kFar = static_cast<double>(kLargestSide);
  if (!(right <= kFar && bottom <= kFar)) throw NotUnderstood{"whose areas lie farther apart than on any glass"};
  out.width = static_cast<i64>(std::ceil(right));
  out.height = static_cast<i64>(std::ceil(bottom));
  return out;
}

void add_areas(TiffLayout& layout, const VentanaCanvas& canvas, const TiffDirectory& first, double step_x, double step_y) {
  std::size_t n = 0;
  const auto text = [](double v) { return std::to_string(static_cast<i64>(v)); };
  for (const VentanaArea& a : canvas.areas) {
    const std::string name = "openslide.region[" + std::to_string(n++) + "].";
    layout.properties[name + "x"] = text(step_x * static_cast<double>(a.first_column));
    layout.properties[name + "y"] = text(step_y * static_cast<double>(a.first_row));
    layout.properties[name + "width"] = text(
        std::ceil(step_x * static_cast<double>(a.columns - 1) + static_cast<double>(first.tile_width)));
    layout.properties[name + "height"] = text(
        std::ceil(step_y * static_cast<double>(a.rows - 1) + static_cast<double>(first.tile_height)));
  }
}

void take_scan(TiffLayout& layout, const std::string& xml) {
  bool found = false;
  require_read(read_xml(xml, [&](const XmlElement& e, const std::vector<std::string>& path) {
    const bool scan = path.back() == "iScan" && (path.size() == 1 || (path.size() == 2 && path[0] == "Metadata"));
    if (!scan || found) return;
    found = true;
    for (const XmlAttribute& a : e.attributes)
      if (!a.value.empty()) layout.properties["ventana." + std::string(local_name(a.name))] = valid_utf8(a.value, 4000);
  }));
  if (!found) throw NotUnderstood{"without its scanner's description (iScan)"};
  const auto copy = [&](const char* from, const char* to) {
    if (const auto at = layout.properties.find(from); at != layout.properties.end()) layout.properties[to] = at->second;
  };
  copy("ventana.Magnification", "openslide.objective-power");
  copy("ventana.ScanRes", "openslide.mpp-x");
  copy("ventana.ScanRes", "openslide.mpp-y");
}

}  // namespace

bool is_ventana(const TiffIndex& index) {
  const std::string xmp = index.text(index.directories().front().xmp);
  return xmp.find("iScan") != std::string::npos;
}

TiffLayout describe_ventana(const TiffIndex& index) {
  TiffLayout layout;
  layout.format = "ventana";
  take_scan(layout, std::string(until_zero(index.text(index.directories().front().xmp))));
  std::vector<VentanaLevel> levels;
  double magnification = 0;
  for (const TiffDirectory& d : index.directories()) {
    const std::string description(until_zero(index.text(d.description)));
    if (auto level = level_of(description, d, levels.size(), magnification)) levels.push_back(std::move(*level));
    else if (description == "Label Image" || description == "Label_Image") layout.associated.emplace_back("macro", d);
    else if (description == "Thumbnail") layout.associated.emplace_back("thumbnail", d);
    if (levels.size() > kMostVentanaLevels) throw NotUnderstood{"with more than 64 levels"};
  }
  if (levels.empty()) throw NotUnderstood{"without a level"};
  const TiffDirectory first = levels.front().directory;
  for (std::size_t k = 1; k < levels.size(); ++k)
    if (levels[k].divided <= levels[k - 1].divided || levels[k].directory.tile_width != first.tile_width ||
        levels[k].directory.tile_height != first.tile_height)
      throw NotUnderstood{"whose levels are not alike"};
  if (first.tile_width == 0 || first.tile_height == 0) throw NotUnderstood{"whose levels are not all tiled"};
  if (first.xmp.count == 0) {
    for (const VentanaLevel& level : levels)
      layout.canvases.push_back({static_cast<i64>(level.directory.width),
                                 static_cast<i64>(level.directory.height),
                                 {all_tiles(level.directory)},
                                 false});
    return layout;
  }
  VentanaCanvas canvas = read_canvas(std::string(until_zero(index.text(first.xmp))), first);
  const double step_x = canvas.x.step(first.tile_width), step_y = canvas.y.step(first.tile_height);
  // Of one column or row nothing is joined, and nobody steps.
  const auto several = [&](auto count) { return std::any_of(canvas.areas.begin(), canvas.areas.end(), count); };
  const bool joined_x = canvas.x.weight > 0, joined_y = canvas.y.weight > 0;
  if ((!joined_x && several([](const VentanaArea& a) { return a.columns > 1; })) ||
      (!joined_y && several([](const VentanaArea& a) { return a.rows > 1; })))
    throw NotUnderstood{"that does not say how its tiles are joined"};
  const double x = joined_x ? step_x : static_cast<double>(first.tile_width),
               y = joined_y ? step_y : static_cast<double>(first.tile_height);
  turn(canvas, y, first.tile_height);
  for (const VentanaLevel& level : levels) layout.canvases.push_back(canvas_of(level, canvas, x, y));
  add_areas(layout, canvas, first, x, y);
  if (x != std::floor(x) || y != std::floor(y))
    layout.warnings.push_back("Tiles lie " + number_text(x) + " × " + number_text(y) +
                              " px apart: each is shown at the nearest whole px.");
  return layout;
}

}  // namespace morpho::slide
