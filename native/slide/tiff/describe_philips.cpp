// Philips TIFF: tiled directories are levels, padded to whole tiles; the description says by what each was divided.
#include <algorithm>
#include <cmath>

#include "../slide_metadata.hpp"
#include "layout.hpp"

namespace morpho::slide {
namespace {

constexpr std::size_t kMostPhilipsLevels = 64, kMostPhilipsValue = 4000, kMostPhilipsValues = 4096;
const char* const kRepresentations = "PIIM_PIXEL_DATA_REPRESENTATION_SEQUENCE";

/// A picture in the description: the slide itself, its label, its overview.
struct PhilipsImage {
  std::string type, data;  ///< base 64, where it was asked for
  bool has_data = false;
  std::map<std::string, std::string> values;
  std::vector<std::string> spacings;  ///< of its levels
};

/// Reads Attributes, whose names stand in them. Those that hold others have no value of their own.
class PhilipsDescription {
 public:
  explicit PhilipsDescription(const std::string& xml, bool with_data = false) : with_data_(with_data) {
    require_read(read_xml(
        xml, [&](const XmlElement& e, const std::vector<std::string>& path) { open(e, path); },
        [&](const std::string& text, const std::vector<std::string>& path) { say(text, path.size()); }));
    shrink(0);
  }
  std::vector<PhilipsImage> images;
  std::map<std::string, std::string> values;

 private:
  struct Open {
    std::string name, says, text;
    std::size_t number = 0, children = 0;
  };
  void open(const XmlElement& e, const std::vector<std::string>& path) {
    shrink(path.size() - 1);
    Open one{path.back(), attribute_of(e, "Name"), "", 0, 0};
    if (!stack_.empty()) one.number = stack_.back().children++;
    stack_.push_back(std::move(one));
    if (stack_.size() == 4 && in_image()) images.emplace_back();
  }
  void say(const std::string& text, std::size_t depth) {
    shrink(depth);
    Open& e = stack_.back();
    if (e.says == "PIM_DP_IMAGE_DATA") e.text += with_data_ ? text : "";
    else if (e.text.size() < kMostPhilipsValue) e.text += text;
  }
  void shrink(std::size_t depth) {
    for (; stack_.size() > depth; stack_.pop_back())
      if (stack_.back().name == "Attribute" && stack_.back().children == 0) keep(stack_.back());
  }
  bool in_image() const {
    return stack_.size() >= 4 && stack_[1].says == "PIM_DP_SCANNED_IMAGES" && stack_[2].name == "Array" &&
           stack_[3].name == "DataObject";
  }
  void keep(const Open& e) {
    const auto put = [&](std::map<std::string, std::string>& in, const std::string& name) {
      if (in.size() < kMostPhilipsValues) in[valid_utf8(name, 200)] = valid_utf8(e.text, kMostPhilipsValue);
    };
    if (stack_.size() == 2) return put(values, e.says);
    if (!in_image() || images.empty()) return;
    PhilipsImage& image = images.back();
    if (stack_.size() == 5) {
      if (e.says == "PIM_DP_IMAGE_TYPE") image.type = trimmed(e.text);
      if (e.says != "PIM_DP_IMAGE_DATA") return put(image.values, e.says);
      image.has_data = true;
      image.data = e.text;
      return;
    }
    if (stack_.size() != 8 || stack_[4].says != kRepresentations || stack_[6].name != "DataObject") return;
    if (e.says == "DICOM_PIXEL_SPACING" && image.spacings.size() < kMostPhilipsLevels) image.spacings.push_back(e.text);
    put(image.values, std::string(kRepresentations) + "[" + std::to_string(stack_[6].number) + "]." + e.says);
  }

  bool with_data_;
  std::vector<Open> stack_;
};

/// "\"0.00025\" \"0.00025\"": of rows, then of columns, in mm.
std::pair<double, double> spacing_of(std::string text) {
  std::replace(text.begin(), text.end(), '"', ' ');
  text = trimmed(text);
  const std::size_t gap = text.find(' ');
  if (gap == std::string::npos) throw NotUnderstood{"whose pixel spacing is \"" + valid_utf8(text, 40) + "\""};
  return {number_of(text.substr(gap), "pixel spacing"), number_of(text.substr(0, gap), "pixel spacing")};
}

void add_levels(TiffLayout& layout, const TiffIndex& index, const PhilipsImage& slide) {
  std::vector<TiffDirectory> levels;
  for (const TiffDirectory& d : index.directories())
    if (d.tile_width > 0) levels.push_back(d);
  if (levels.empty() || levels.size() > kMostPhilipsLevels || levels.size() != slide.spacings.size())
    throw NotUnderstood{"with " + std::to_string(levels.size()) + " tiled levels, and a pixel spacing for " +
                        std::to_string(slide.spacings.size())};
  const auto first = spacing_of(slide.spacings.front());
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const TiffDirectory& d = levels[k];
    if (k > 0 && (d.subfile_type & 1) == 0) throw NotUnderstood{"with a level that is not said to be a smaller one"};
    if (k > 0 && (d.width > levels[k - 1].width || d.height > levels[k - 1].height))
      throw NotUnderstood{"whose levels do not become smaller"};
    const auto own = spacing_of(slide.spacings[k]);
    const double divided = k == 0 ? 1 : std::round((own.first / first.first + own.second / first.second) / 2);
    if (!(divided >= 1 && divided <= 1e6)) throw NotUnderstood{"whose levels have a pixel spacing that no scanner's have"};
    CanvasLevel level;
    level.width = static_cast<i64>(static_cast<double>(levels.front().width) / divided);
    level.height = static_cast<i64>(static_cast<double>(levels.front().height) / divided);
    level.tiles.push_back(all_tiles(d));
    level.sparse = true;
    layout.canvases.push_back(std::move(level));
  }
}

/// Directories first, then what the description holds itself.
void add_images(TiffLayout& layout, const TiffIndex& index, const PhilipsDescription& description) {
  const auto has = [&](const std::string& name) {
    return std::any_of(layout.associated.begin(), layout.associated.end(), [&](const auto& one) { return one.first == name; });
  };
  for (const TiffDirectory& d : index.directories()) {
    if (d.tile_width > 0) continue;
    const std::string text = index.text(d.description);
    for (const auto& [begins, name] : {std::pair("Label", "label"), std::pair("Macro", "macro")})
      if (text.rfind(begins, 0) == 0 && !has(name)) layout.associated.emplace_back(name, d);
  }
  for (const auto& [type, name] : {std::pair<std::string, const char*>("LABELIMAGE", "label"), {"MACROIMAGE", "macro"}}) {
    const auto found = std::find_if(description.images.begin(), description.images.end(),
                                    [&type = type](const PhilipsImage& i) { return i.type == type; });
    if (has(name) || found == description.images.end() || !found->has_data) continue;
    const std::size_t k = static_cast<std::size_t>(found - description.images.begin());
    // Read when somebody asks. The index lives as long as its slide.
    layout.associated_jpegs.push_back({name, [&index, k] {
                                         const std::string xml(until_zero(index.text(index.directories().front().description)));
                                         return from_base64(PhilipsDescription(xml, true).images.at(k).data);
                                       }});
  }
}

}  // namespace

bool is_philips(const TiffIndex& index) {
  const TiffDirectory& first = index.directories().front();
  return index.text(first.software).rfind("Philips", 0) == 0 &&
         index.text(first.description).find("DPUfsImport") != std::string::npos;
}

TiffLayout describe_philips(const TiffIndex& index, const std::string& xml) {
  const PhilipsDescription description(xml);
  const auto is_slide = [](const PhilipsImage& image) { return image.type == "WSI"; };
  const auto slides = std::count_if(description.images.begin(), description.images.end(), is_slide);
  if (slides != 1) throw NotUnderstood{"whose description has " + std::to_string(slides) + " pictures of the slide"};
  const PhilipsImage& slide = *std::find_if(description.images.begin(), description.images.end(), is_slide);
  TiffLayout layout;
  layout.format = "philips";
  add_levels(layout, index, slide);
  for (const auto* values : {&description.values, &slide.values})
    for (const auto& [name, value] : *values) layout.properties["philips." + name] = value;
  if (const auto found = slide.values.find("DICOM_PIXEL_SPACING"); found != slide.values.end()) {
    const auto [x, y] = spacing_of(found->second);
    layout.properties["openslide.mpp-x"] = number_text(1e3 * x);
    layout.properties["openslide.mpp-y"] = number_text(1e3 * y);
  }
  add_images(layout, index, description);
  return layout;
}

}  // namespace morpho::slide
