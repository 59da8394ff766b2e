// Calls by name that are made of several operations, or that say more than their operation does.
#include <algorithm>
#include <cmath>

#include "op_entry.hpp"
#include "engine/recipe/stain_set.hpp"

namespace morpho::engine {

namespace {

template <Morphology Kind>
void by_reconstruction(OpInvocation& r) {
  const ConstPlane image = r.in("image");
  const Plane out = r.out("out", image.type, r.extent()), marker = r.scratch(image.type, r.extent());
  const MorphologyParams shape = r.read(MorphologyParams{Kind});
  const ReconstructParams p = r.read(ReconstructParams{Kind == Morphology::erode ? By::dilation : By::erosion});
  r.timed([&] {
    r.ops.morphology(r.ctx, image, marker, shape);
    r.ops.reconstruct(r.ctx, marker, image, out, p);
  });
}

std::vector<u64> counted(OpInvocation& r) {
  std::vector<u64> bins(r.in("image").type == PixelType::u8 ? 256 : 65536);
  r.timed([&] { r.ops.histogram(r.ctx, r.in("image"), bins.data()); });
  return bins;
}

void histogram(OpInvocation& r) {
  const std::vector<u64> bins = counted(r);
  const i32 n = static_cast<i32>(bins.size());
  i32* out = r.host_out<i32>("bins", {n, 1});
  for (std::size_t v = 0; v < bins.size(); ++v) out[v] = static_cast<i32>(bins[v]);
  r.scalar("otsu", otsu_level(bins.data(), n));
}

void otsu(OpInvocation& r) {
  const Plane out = r.out("out", PixelType::u8, r.extent());
  const std::vector<u64> bins = counted(r);
  r.timed([&] {
    const i32 level = otsu_level(bins.data(), static_cast<i32>(bins.size()));
    r.ops.threshold(r.ctx, r.in("image"), out, {level});
    r.scalar("threshold", level);
  });
}

/// Areas are added up along `order`, in the output itself: a table of nodes with their sums would take a hundred bytes a pixel.
void max_tree(OpInvocation& r) {
  const ConstPlane image = r.in("image"), seen_image = r.host_in("image");
  const Plane parent = r.out("parent", PixelType::i32, r.extent()), order = r.scratch(PixelType::i32, r.extent());
  i32* areas = r.host_out<i32>("area", r.extent());
  const auto p = r.read<MaxTreeParams>();
  r.timed([&] { r.ops.max_tree(r.ctx, image, parent, order, p); });
  const std::size_t n = static_cast<std::size_t>(r.extent().area());
  std::vector<i32> kept_parent, kept_order;
  const i32* up = r.look(static_cast<const i32*>(parent.data), n, kept_parent);
  const i32* sorted = r.look(static_cast<const i32*>(order.data), n, kept_order);
  std::fill_n(areas, n, 1);
  for (std::size_t i = n; i-- > 0;) {  // children first
    const i32 q = sorted[i];
    if (up[q] != q) areas[up[q]] += areas[q];
  }
  i64 nodes = 0;
  visit_pixel_type(image.type, [&](auto zero) {
    const auto* f = static_cast<const decltype(zero)*>(seen_image.data);
    for (std::size_t q = 0; q < n; ++q) {
      const std::size_t above = static_cast<std::size_t>(up[q]);
      if (above == q || f[above] != f[q]) ++nodes;
      else areas[q] = areas[above];  // not a canonical pixel: that of its node's, which nothing is written to here
    }
  });
  r.scalar("nodes", static_cast<double>(nodes));
}

void attribute_filter(OpInvocation& r) {
  const ConstPlane image = r.in("image");
  const Plane out = r.out("out", image.type, r.extent());
  const Plane parent = r.scratch(PixelType::i32, r.extent()), order = r.scratch(PixelType::i32, r.extent());
  const Plane node = r.scratch(PixelType::i32, r.extent());
  const auto p = r.read<AttributeFilterParams>();
  const auto tree = r.read<MaxTreeParams>();
  r.timed([&] {
    r.ops.max_tree(r.ctx, image, parent, order, tree);
    const Workspace::Scope scope(r.ctx.workspace);
    NodeTable nodes = take_node_table(r.ctx.workspace, r.extent());
    r.ops.max_tree_nodes(r.ctx, image, parent, order, node, nodes);
    r.ops.attribute_filter(r.ctx, node, nodes, out, p);
  });
}

void stain(OpInvocation& r) {
  const StainSet& set = stain_set(r.choice("stains"));
  const std::string channel = r.choice("channel");
  int index = -1;
  for (int i = 0; i < 3; ++i) {
    if (channel == set.names[i] || channel == std::to_string(i)) index = i;
  }
  if (index < 0)
    reject("channel", set.names[0] + ", " + set.names[1] + " or " + set.names[2] + " (a stain of " + set.id + ")",
           "\"" + channel + "\"");
  StainParams p = r.read(set.stains[index]);
  for (i32& w : p.white) w = r.integer("white");
  const Plane out = r.out("out", PixelType::u8, r.extent());
  r.timed([&] { r.ops.stain(r.ctx, r.rgba("image"), out, p); });
}

void weights(OpInvocation& r) {
  const std::string preset = r.choice("preset");
  WeightsParams p = r.read<WeightsParams>();
  if (preset == "gray" || preset == "inverted-luminance") p = {-299, -587, -114, 255499, 1000};
  if (preset == "luminance") p = {299, 587, 114, 500, 1000};
  if (preset == "inverted-red") p = {-1, 0, 0, 255, 1};
  const Plane out = r.out("out", PixelType::u8, r.extent());
  r.timed([&] { r.ops.weights(r.ctx, r.rgba("image"), out, p); });
}

void resample(OpInvocation& r) {
  const auto fixed = [](double px) { return static_cast<i64>(std::llround(px * 65536)); };
  const ResampleParams p{fixed(r.number("x0")), fixed(r.number("y0")), std::max<i64>(1, fixed(r.number("step-x"))),
                         std::max<i64>(1, fixed(r.number("step-y")))};
  // As many output pixels as begin inside the image, unless told.
  const auto count = [](i32 asked, i32 size, i64 origin, i64 step) {
    const i64 fit = (static_cast<i64>(size) * 65536 - origin + step - 1) / step;
    return asked > 0 ? i64{asked} : std::max<i64>(0, fit);
  };
  const i64 width = count(r.integer("width"), r.extent().width, p.x0, p.step_x),
            height = count(r.integer("height"), r.extent().height, p.y0, p.step_y);
  if (width > 2147483647 || height > 2147483647 || width * height > 2147483647) {
    reject("step-x and step-y", "an output of fewer than 2147483648 pixels",
           std::to_string(width) + "x" + std::to_string(height));
  }
  const View<Rgba> out = r.out_rgba("out", {static_cast<i32>(width), static_cast<i32>(height)});
  r.timed([&] { r.ops.resample(r.ctx, r.rgba("image"), out, p); });
}

}  // namespace

std::vector<OpEntry> compound_ops() {
  constexpr double high = 2147483647;
  const std::vector<OpSlot> image = {rgba_slot("image", "RGBA; alpha is not looked at")},
                            grey = {slot("image", kU8U16, "grey values")},
                            grey_in = {slot("image", kU8U16, "grey or binary values")},
                            grey_out = {slot("out", kU8U16, "as the image")};
  const OpParam connectivity = param_of<op::reconstruct>("connectivity"), shape = param_of<op::morphology>("shape");
  const OpParam radius = required(integer_param("radius", "of the structuring element, px", 0, 1024, 1));
  std::vector<OpParam> weights_params = {
      choice_param("preset", "named weights", {"custom", "gray", "inverted-luminance", "luminance", "inverted-red"}, "custom")};
  for (const char* name : {"r", "g", "b", "offset", "divisor"}) weights_params.push_back(param_of<op::weights>(name));
  return {
      {{"open-by-reconstruction",
        "reconstruction of the image from its erosion",
        grey_in,
        grey_out,
        {shape, radius, connectivity}},
       by_reconstruction<Morphology::erode>},
      {{"close-by-reconstruction",
        "reconstruction by erosion of the image from its dilation",
        grey_in,
        grey_out,
        {shape, radius, connectivity}},
       by_reconstruction<Morphology::dilate>},
      {{"histogram",
        "counts of each grey value, and Otsu's level",
        grey_in,
        {slot("bins", kI32, "one row of 256 or 65536 counts")},
        {}},
       histogram},
      {{"otsu", "threshold at Otsu's level", grey_in, {slot("out", kU8, "0 or 1")}, {}}, otsu},
      {{"max-tree",
        "the tree of the components of upper level sets",
        grey,
        {slot("parent", kI32, "canonical pixel of the node, or of its parent node"),
         slot("area", kI32, "pixels of the component")},
        {connectivity, param_of<op::max_tree>("min_tree"), param_of<op::max_tree>("variant")}},
       max_tree},
      {{"attribute-filter",
        "keeps the max-tree nodes whose attribute is large enough",
        grey,
        grey_out,
        {param_of<op::attribute_filter>("attribute"), param_of<op::attribute_filter>("rule"),
         param_of<op::attribute_filter>("at_least"), connectivity, param_of<op::max_tree>("min_tree")}},
       attribute_filter},
      {{"stain",
        "one stain's concentration by colour deconvolution",
        image,
        {slot("out", kU8, "concentration in units of 1/units-per-od")},
        {choice_param("stains", "stain vectors", {"h-e", "h-dab"}, "h-e"),
         choice_param("channel", "stain, by name or number", {"hematoxylin", "eosin", "dab", "residual", "0", "1", "2"},
                      "hematoxylin"),
         param_of<op::stain>("units_per_od"), integer_param("white", "the intensity of OD 0", 1, 255, 255)}},
       stain},
      {{"weights",
        "clamp(floor((r R + g G + b B + offset) / divisor)); gray and inverted-luminance are 255 - (299 R + 587 G + 114 B + "
        "500) // 1000",
        image,
        {slot("out", kU8, "grey values")},
        weights_params},
       weights},
      {{"resample",
        "another scale, by area averaging",
        image,
        {rgba_slot("out", "RGBA")},
        {number_param("x0", "left edge of the output, input px", -1e6, 1e6, 0),
         number_param("y0", "top edge of the output, input px", -1e6, 1e6, 0),
         number_param("step-x", "input px an output pixel", 1.0 / 65536, 2048, 1),
         number_param("step-y", "input px an output pixel", 1.0 / 65536, 2048, 1),
         integer_param("width", "of the output, px; 0: to the right edge", 0, high, 0),
         integer_param("height", "of the output, px; 0: to the bottom", 0, high, 0)}},
       resample},
  };
}

}  // namespace morpho::engine
