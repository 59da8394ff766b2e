// Describes the operations on trees, distances, labels and basins for the registry.
#include <algorithm>

#include "op_entry.hpp"

namespace morpho::engine {

namespace {

void distance(OpRun& r) {
  const Plane out = r.out("out", PixelType::i32, r.extent());
  r.timed([&] {
    r.ops.distance(r.ctx, r.in("image"), out,
                   {r.integer("weight-x"), r.integer("weight-y"), r.choice_as<DistanceVariant>("variant")});
  });
}

/// Areas are added up along `order`, in the output itself: a table of nodes with their sums would take a hundred bytes a pixel.
void max_tree(OpRun& r) {
  const ConstPlane image = r.in("image"), seen_image = r.host_in("image");
  const Plane parent = r.out("parent", PixelType::i32, r.extent()), order = r.scratch(PixelType::i32, r.extent());
  i32* areas = r.host_out<i32>("area", r.extent());
  const MaxTreeParams p{r.connectivity(), r.toggle("min-tree"), r.choice_as<MaxTreeVariant>("variant")};
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

void attribute_filter(OpRun& r) {
  const ConstPlane image = r.in("image");
  const Plane out = r.out("out", image.type, r.extent());
  const Plane parent = r.scratch(PixelType::i32, r.extent()), order = r.scratch(PixelType::i32, r.extent());
  const Plane node = r.scratch(PixelType::i32, r.extent());
  const bool min_tree = r.toggle("min-tree");
  const AttributeFilterParams p{r.choice_as<Attribute>("attribute"), r.choice_as<FilterRule>("rule"), r.number("at-least"),
                                min_tree};
  r.timed([&] {
    r.ops.max_tree(r.ctx, image, parent, order, {r.connectivity(), min_tree});
    const Workspace::Scope scope(r.ctx.workspace);
    NodeTable nodes = take_node_table(r.ctx.workspace, r.extent());
    r.ops.max_tree_nodes(r.ctx, image, parent, order, node, nodes);
    r.ops.attribute_filter(r.ctx, node, nodes, out, p);
  });
}

template <bool Closing>
void area_open(OpRun& r) {
  const Plane out = r.out("out", r.in("image").type, r.extent());
  r.timed([&] { r.ops.area_open(r.ctx, r.in("image"), out, {r.integer("area"), r.connectivity(), Closing}); });
}

void label(OpRun& r) {
  const Plane out = r.out("labels", PixelType::i32, r.extent());
  i32 count = 0;
  r.timed([&] { count = r.ops.label(r.ctx, r.in("image"), out, {r.connectivity()}); });
  r.scalar("count", count);
}

void watershed(OpRun& r) {
  const ConstPlane markers = r.in_i32("markers");
  const Plane out = r.out("labels", PixelType::i32, r.extent());
  i32 largest = 0;
  const WatershedParams p{r.connectivity(), r.toggle("lines"), r.choice_as<WatershedVariant>("variant")};
  r.timed([&] { largest = r.ops.watershed(r.ctx, r.in("image"), markers, r.in("mask"), out, p); });
  r.scalar("largest", largest);
}

void area_filter(OpRun& r) {
  const Plane out = r.out("out", PixelType::u8, r.extent());
  r.timed(
      [&] { r.ops.area_filter(r.ctx, r.in("image"), out, {r.connectivity(), r.integer("min-area"), r.integer("end-area")}); });
}

}  // namespace

std::vector<OpEntry> object_ops() {
  constexpr double most = 2147483647;
  const OpSlot grey = slot("image", kU8U16, "grey values"), grey_out = slot("out", kU8U16, "as the image"),
               binary = slot("image", kU8, "binary: 0 is background");
  const OpParam min_tree = toggle_param("min-tree", "the tree of lower level sets instead");
  const OpParam area = required(integer_param("area", "the smallest area that stays, px", 1, most, 1));
  return {
      {{"distance",
        "squared Euclidean distance to the nearest zero pixel; 2147483647 where there is none",
        {binary},
        {slot("out", kI32, "squared px")},
        {integer_param("weight-x", "squared pixel spacing along x", 1, 65536, 1),
         integer_param("weight-y", "squared pixel spacing along y", 1, 65536, 1),
         variant_param<DistanceVariant>(
             "algorithm: exact is separable, danielsson the wavefront of pointers; both give the same pixels")}},
       distance},
      {{"max-tree",
        "the tree of the components of upper level sets",
        {grey},
        {slot("parent", kI32, "canonical pixel of the node, or of its parent node"),
         slot("area", kI32, "pixels of the component")},
        {connectivity_param(), min_tree,
         variant_param("algorithm; every one gives the same tree",
                       {MaxTreeVariant::column_union_find, MaxTreeVariant::border_trees}, {MaxTreeVariant::flooding})}},
       max_tree},
      {{"attribute-filter",
        "keeps the max-tree nodes whose attribute is large enough",
        {grey},
        {grey_out},
        {choice_of("attribute", "what a node is judged by", Attribute::area),
         choice_of("rule", "what becomes of a node that fails", FilterRule::direct),
         required(number_param("at-least", "a node is kept where its attribute is at least this", -1e18, 1e18, 0)),
         connectivity_param(), min_tree}},
       attribute_filter},
      {{"area-open",
        "removes components of upper level sets that are smaller than an area",
        {grey},
        {grey_out},
        {area, connectivity_param()}},
       area_open<false>},
      {{"area-close",
        "removes components of lower level sets that are smaller than an area",
        {grey},
        {grey_out},
        {area, connectivity_param()}},
       area_open<true>},
      {{"label",
        "connected components, numbered in raster order of their first pixel",
        {slot("image", kAnyType, "binary (uint8), or areas of equal nonzero value")},
        {slot("labels", kI32, "0 is background")},
        {connectivity_param()}},
       label},
      {{"watershed",
        "catchment basins of the image's minima, or of markers",
        {slot("image", kAnyType, "grey values, low inside a basin"), slot("markers", kAnyType, "labels to grow", true),
         slot("mask", kU8, "binary: where to grow", true)},
        {slot("labels", kI32, "0 where nothing reaches")},
        {connectivity_param(), toggle_param("lines", "0 on pixels with a 4-neighbour of a larger label"),
         variant_param<WatershedVariant>("algorithm; every one gives the same labels")}},
       watershed},
      {{"area-filter",
        "keeps components of a binary image by their area",
        {binary},
        {slot("out", kU8, "0 or 1")},
        {integer_param("min-area", "smallest area that stays, px", 0, most, 0),
         integer_param("end-area", "smallest area above that goes, px", 0, most, most), connectivity_param()}},
       area_filter},
  };
}

}  // namespace morpho::engine
