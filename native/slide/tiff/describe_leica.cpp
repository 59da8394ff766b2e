// Leica SCN: the description places pictures, each with its levels, on the slide's glass.
#include <algorithm>
#include <cmath>

#include "../slide_metadata.hpp"
#include "layout.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kMostLeicaImages = 4096, kMostLeicaLevels = 64;

struct LeicaDimension {
  i64 directory = 0, width = 0;
};
/// Places are in nm.
struct LeicaImage {
  std::string created, model, version, light, objective, aperture;
  i64 width = 0, height = 0, x = 0, y = 0;
  bool placed = false;
  std::vector<LeicaDimension> dimensions;
};
struct LeicaSlide {
  std::string barcode;
  i64 width = 0, height = 0;
  std::vector<LeicaImage> images;

  bool is_macro(const LeicaImage& i) const { return i.x == 0 && i.y == 0 && i.width == width && i.height == height; }
};

i64 whole(const XmlElement& e, const char* name) { return whole_of(attribute_of(e, name), name); }

void take_element(LeicaSlide& slide, const XmlElement& e, const std::vector<std::string>& path) {
  if (path.size() < 2 || path[0] != "scn" || path[1] != "collection") return;
  const std::string& name = path.back();
  if (path.size() == 2) {
    if (slide.width > 0) throw NotUnderstood{"with two collections"};
    slide.width = whole(e, "sizeX");
    slide.height = whole(e, "sizeY");
    // As the older namespace has it.
    slide.barcode = attribute_of(e, "barcode");
    return;
  }
  if (path.size() == 3 && name == "image") {
    if (slide.images.size() >= kMostLeicaImages) throw NotUnderstood{"with more than 4096 images"};
    slide.images.emplace_back();
    return;
  }
  if (slide.images.empty() || path[2] != "image") return;
  LeicaImage& image = slide.images.back();
  if (path.size() == 4 && name == "view") {
    if (image.placed) throw NotUnderstood{"with two views of one image"};
    image.placed = true;
    image.width = whole(e, "sizeX");
    image.height = whole(e, "sizeY");
    image.x = whole(e, "offsetX");
    image.y = whole(e, "offsetY");
  } else if (path.size() == 4 && name == "device") {
    image.model = attribute_of(e, "model");
    image.version = attribute_of(e, "version");
  } else if (path.size() == 5 && path[3] == "pixels" && name == "dimension") {
    // The first focal plane is shown.
    if (const XmlAttribute* z = e.find("z"); z && z->value != "0") return;
    if (image.dimensions.size() >= kMostLeicaLevels) throw NotUnderstood{"with more than 64 levels"};
    image.dimensions.push_back({whole(e, "ifd"), whole(e, "sizeX")});
  }
}

void take_text(LeicaSlide& slide, const std::string& text, const std::vector<std::string>& path) {
  if (path.size() < 3 || path[1] != "collection") return;
  const std::string& name = path.back();
  if (path.size() == 3 && name == "barcode") {
    const std::vector<u8> decoded = from_base64(text);
    slide.barcode.assign(decoded.begin(), decoded.end());
  }
  if (slide.images.empty() || path[2] != "image") return;
  LeicaImage& image = slide.images.back();
  const std::string& parent = path[path.size() - 2];
  if (path.size() == 4 && name == "creationDate") image.created = text;
  if (path.size() != 6 || path[3] != "scanSettings") return;
  if (parent == "illuminationSettings" && name == "illuminationSource") image.light = text;
  if (parent == "illuminationSettings" && name == "numericalAperture") image.aperture = text;
  if (parent == "objectiveSettings" && name == "objective") image.objective = text;
}

LeicaSlide read_leica(const std::string& xml) {
  LeicaSlide slide;
  require_read(read_xml(
      xml, [&](const XmlElement& e, const std::vector<std::string>& path) { take_element(slide, e, path); },
      [&](const std::string& text, const std::vector<std::string>& path) { take_text(slide, text, path); }));
  if (slide.width < 1 || slide.height < 1) throw NotUnderstood{"whose canvas has no size"};
  for (LeicaImage& image : slide.images) {
    if (!image.placed || image.width < 1 || image.height < 1) throw NotUnderstood{"with an image that lies nowhere"};
    if (image.dimensions.empty()) throw NotUnderstood{"with an image without levels"};
    for (const LeicaDimension& d : image.dimensions)
      if (d.width < 1) throw NotUnderstood{"with a level without a size"};
    std::stable_sort(image.dimensions.begin(), image.dimensions.end(),
                     [](const LeicaDimension& a, const LeicaDimension& b) { return a.width > b.width; });
  }
  return slide;
}

double nm_per_px(const LeicaImage& image, std::size_t level) {
  return static_cast<double>(image.width) / static_cast<double>(image.dimensions[level].width);
}

/// Whole px from the canvas's corner to the picture's.
double place(i64 nm, double nm_per_pixel) { return std::floor(static_cast<double>(nm) / nm_per_pixel); }

std::vector<const LeicaImage*> main_images(const LeicaSlide& slide, Warnings& warnings) {
  std::vector<const LeicaImage*> found;
  std::size_t other_light = 0;
  for (const LeicaImage& image : slide.images) {
    if (slide.is_macro(image)) continue;
    if (image.light == "brightfield") found.push_back(&image);
    else ++other_light;
  }
  if (found.empty()) throw NotUnderstood{"without a picture in bright field"};
  if (other_light > 0)
    warnings.push_back(std::to_string(other_light) + " pictures of the slide are not in bright field, and are not shown.");
  for (const LeicaImage* image : found)
    if (image->objective != found.front()->objective || image->dimensions.size() != found.front()->dimensions.size())
      throw NotUnderstood{"whose regions were scanned with different objectives or levels"};
  return found;
}

CanvasLevel level_of(const TiffIndex& index, const LeicaSlide& slide, const std::vector<const LeicaImage*>& images,
                     std::size_t k) {
  double finest = nm_per_px(*images.front(), k);
  for (const LeicaImage* image : images) {
    constexpr double kAlike = 0.02;
    const double own = nm_per_px(*image, k), first = nm_per_px(*images.front(), k);
    if (std::abs(own - first) > kAlike * first) throw NotUnderstood{"whose regions have px of different sizes"};
    finest = std::min(finest, own);
  }
  CanvasLevel level;
  const double width = std::ceil(static_cast<double>(slide.width) / finest),
               height = std::ceil(static_cast<double>(slide.height) / finest);
  constexpr double kFar = 1e12;
  if (!(width < kFar && height < kFar)) throw NotUnderstood{"whose canvas is larger than any glass"};
  level.width = static_cast<i64>(width);
  level.height = static_cast<i64>(height);
  for (const LeicaImage* image : images)
    level.tiles.push_back(
        all_tiles(directory_at(index, image->dimensions[k].directory), place(image->x, finest), place(image->y, finest)));
  return level;
}

void add_places(TiffLayout& layout) {
  double left = 1e15, top = 1e15, right = -1e15, bottom = -1e15;
  std::size_t n = 0;
  const auto text = [](double v) { return std::to_string(static_cast<i64>(v)); };
  for (const PlacedTiles& p : layout.canvases.front().tiles) {
    const double w = static_cast<double>(p.directory.width), h = static_cast<double>(p.directory.height);
    const std::string name = "openslide.region[" + std::to_string(n++) + "].";
    layout.properties[name + "x"] = text(p.x);
    layout.properties[name + "y"] = text(p.y);
    layout.properties[name + "width"] = text(w);
    layout.properties[name + "height"] = text(h);
    left = std::min(left, p.x), top = std::min(top, p.y);
    right = std::max(right, p.x + w), bottom = std::max(bottom, p.y + h);
  }
  layout.properties["openslide.bounds-x"] = text(left);
  layout.properties["openslide.bounds-y"] = text(top);
  layout.properties["openslide.bounds-width"] = text(right - left);
  layout.properties["openslide.bounds-height"] = text(bottom - top);
}

}  // namespace

bool is_leica(const std::string& description) {
  return description.find("http://www.leica-microsystems.com/scn/2010/10/01") != std::string::npos ||
         description.find("http://www.leica-microsystems.com/scn/2010/03/10") != std::string::npos;
}

TiffLayout describe_leica(const TiffIndex& index, const std::string& description) {
  const LeicaSlide slide = read_leica(description);
  TiffLayout layout;
  layout.format = "leica";
  const auto images = main_images(slide, layout.warnings);
  for (std::size_t k = 0; k < images.front()->dimensions.size(); ++k)
    layout.canvases.push_back(level_of(index, slide, images, k));
  // Around regions there are no px: glass.
  add_places(layout);
  const auto put = [&](const char* name, const std::string& value) {
    if (!value.empty()) layout.properties[name] = valid_utf8(value, 200);
  };
  const LeicaImage& first = *images.front();
  put("leica.barcode", slide.barcode);
  put("leica.aperture", first.aperture);
  put("leica.creation-date", first.created);
  put("leica.device-model", first.model);
  put("leica.device-version", first.version);
  put("leica.illumination-source", first.light);
  put("leica.objective", first.objective);
  put("openslide.objective-power", first.objective);
  const TiffDirectory& d = directory_at(index, first.dimensions.front().directory);
  constexpr u64 kCentimeter = 3;
  // In single precision, as libtiff hands it over.
  const auto um = [&](const TiffArray& resolution) {
    return number_text(1e4 / static_cast<double>(static_cast<float>(index.real(resolution))));
  };
  if (d.resolution_unit == kCentimeter && d.x_resolution.count > 0) put("openslide.mpp-x", um(d.x_resolution));
  if (d.resolution_unit == kCentimeter && d.y_resolution.count > 0) put("openslide.mpp-y", um(d.y_resolution));
  for (const LeicaImage& image : slide.images)
    if (slide.is_macro(image) && image.light == "brightfield" && layout.associated.empty())
      layout.associated.emplace_back("macro", directory_at(index, image.dimensions.front().directory));
  return layout;
}

}  // namespace morpho::slide
