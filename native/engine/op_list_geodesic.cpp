// Describes reconstruction and what derives from it for the registry.
#include "op_entry.hpp"

namespace morpho::engine {

namespace {

void reconstruct(OpRun& r) {
  const Plane out = r.out("out", r.in("mask").type, r.extent());
  const ReconstructParams p{r.choice_as<By>("by"), r.connectivity(), r.choice_as<ReconstructVariant>("variant")};
  r.timed([&] { r.ops.reconstruct(r.ctx, r.in("marker"), r.in("mask"), out, p); });
}

using ExtremaOp = decltype(OpTable::h_extrema);
template <ExtremaOp OpTable::* Op, Extremum Kind>
void extrema(OpRun& r) {
  constexpr bool grey = Op == &OpTable::h_extrema, takes_h = Op != &OpTable::regional_extrema;
  const Plane out = r.out("out", grey ? r.in("image").type : PixelType::u8, r.extent());
  const ExtremaParams p{Kind, takes_h ? r.integer("h") : 1, r.connectivity()};
  r.timed([&] { (r.ops.*Op)(r.ctx, r.in("image"), out, p); });
}

using ConnectivityOp = decltype(OpTable::fill_holes);
template <ConnectivityOp OpTable::* Op>
void with_connectivity(OpRun& r) {
  const Plane out = r.out("out", r.in("image").type, r.extent());
  r.timed([&] { (r.ops.*Op)(r.ctx, r.in("image"), out, {r.connectivity()}); });
}

template <Morphology Kind>
void by_reconstruction(OpRun& r) {
  const ConstPlane image = r.in("image");
  const Plane out = r.out("out", image.type, r.extent()), marker = r.scratch(image.type, r.extent());
  const MorphologyParams shape{Kind, r.choice_as<Shape>("shape"), r.integer("radius")};
  const ReconstructParams p{Kind == Morphology::erode ? By::dilation : By::erosion, r.connectivity(),
                            ReconstructVariant::automatic};
  r.timed([&] {
    r.ops.morphology(r.ctx, image, marker, shape);
    r.ops.reconstruct(r.ctx, marker, image, out, p);
  });
}

OpEntry extrema_entry(const char* name, const char* help, bool h, const char* out_help, bool grey, void (*run)(OpRun&)) {
  OpInfo info{name,
              help,
              {slot("image", kAnyType, "grey values")},
              {slot("out", grey ? kAnyType : kU8, out_help)},
              {connectivity_param()}};
  if (h) info.params.insert(info.params.begin(), required(integer_param("h", "height in grey values", 1, 2147483647, 1)));
  return {info, run};
}

}  // namespace

std::vector<OpEntry> geodesic_ops() {
  const OpParam shape = choice_of("shape", "structuring element", Shape::disk);
  using enum ReconstructVariant;
  const OpParam radius = required(integer_param("radius", "of the structuring element, px", 0, 1024, 1));
  const std::vector<OpSlot> grey_in = {slot("image", kU8U16, "grey or binary values")},
                            grey_out = {slot("out", kU8U16, "as the image")};
  return {
      {{"reconstruct",
        "morphological reconstruction of a mask from a marker",
        {slot("marker", kAnyType, "where the reconstruction starts; of the mask's type"),
         slot("mask", kAnyType, "what bounds it")},
        {slot("out", kAnyType, "as the mask")},
        {choice_of("by", "dilation grows below the mask, erosion shrinks above it", By::dilation), connectivity_param(),
         variant_param("algorithm; every one gives the same pixels", {naive_queue, prefix_queue, parallel_heap},
                       {queue, downhill, priority_queue, tiled_fast_hybrid, parallel_fast_hybrid})}},
       reconstruct},
      extrema_entry("h-maxima", "lowers every peak by h: the reconstruction of image - h under the image", true, "as the image",
                    true, extrema<&OpTable::h_extrema, Extremum::maxima>),
      extrema_entry("h-minima", "fills every pit by h: the dual of h-maxima", true, "as the image", true,
                    extrema<&OpTable::h_extrema, Extremum::minima>),
      extrema_entry("extended-maxima", "the regional maxima of h-maxima", true, "1 on the maxima", false,
                    extrema<&OpTable::extended_extrema, Extremum::maxima>),
      extrema_entry("extended-minima", "the regional minima of h-minima", true, "1 on the minima", false,
                    extrema<&OpTable::extended_extrema, Extremum::minima>),
      extrema_entry("regional-maxima", "plateaus without a higher neighbour", false, "1 on the maxima", false,
                    extrema<&OpTable::regional_extrema, Extremum::maxima>),
      extrema_entry("regional-minima", "plateaus without a lower neighbour", false, "1 on the minima", false,
                    extrema<&OpTable::regional_extrema, Extremum::minima>),
      {{"fill-holes",
        "raises what no path of lower values joins to the image border",
        grey_in,
        grey_out,
        {connectivity_param()}},
       with_connectivity<&OpTable::fill_holes>},
      {{"clear-border", "removes what touches the image border", grey_in, grey_out, {connectivity_param()}},
       with_connectivity<&OpTable::clear_border>},
      {{"open-by-reconstruction",
        "reconstruction of the image from its erosion",
        grey_in,
        grey_out,
        {shape, radius, connectivity_param()}},
       by_reconstruction<Morphology::erode>},
      {{"close-by-reconstruction",
        "reconstruction by erosion of the image from its dilation",
        grey_in,
        grey_out,
        {shape, radius, connectivity_param()}},
       by_reconstruction<Morphology::dilate>},
  };
}

}  // namespace morpho::engine
