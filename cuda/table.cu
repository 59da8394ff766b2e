// Fills the operation tables with the GPU implementations.
#include "cuda/gpu.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

namespace {

/// An entry: the operation, on the context's own GPU.
template <auto op>
struct On;
template <class R, class... A, R (*op)(Context&, A...)>
struct On<op> {
  static R entry(Context& ctx, A... arguments) {
    enter(ctx);
    return op(ctx, arguments...);
  }
};

}  // namespace

const OpTable& table() {
  static const OpTable t = {
      .device = "gpu",
      .reconstruct = On<reconstruct>::entry,
      .geodesic_dilate = On<geodesic_dilate>::entry,
      .h_extrema = On<h_extrema>::entry,
      .extended_extrema = On<extended_extrema>::entry,
      .regional_extrema = On<regional_extrema>::entry,
      .fill_holes = On<fill_holes>::entry,
      .clear_border = On<clear_border>::entry,
      .distance = On<distance>::entry,
      .max_tree = On<max_tree>::entry,
      .max_tree_nodes = On<max_tree_nodes>::entry,
      .max_tree_sums = On<max_tree_sums>::entry,
      .attribute_filter = On<attribute_filter>::entry,
      .area_open = On<area_open>::entry,
      .label = On<label>::entry,
      .watershed = On<watershed>::entry,
      .area_filter = On<area_filter>::entry,
      .morphology = On<morphology>::entry,
      .gaussian = On<gaussian>::entry,
      .median = On<median>::entry,
      .box_mean = On<box_mean>::entry,
      .threshold = On<threshold>::entry,
      .combine = On<combine>::entry,
      .scale = On<scale>::entry,
      .root = On<root>::entry,
      .histogram = On<histogram>::entry,
      .stain = On<stain>::entry,
      .weights = On<weights>::entry,
      .color_rule = On<color_rule>::entry,
      .resample = On<resample>::entry,
      .measure = On<measure>::entry,
      .label_sums = On<label_sums>::entry,
      .choose_labels = On<choose_labels>::entry,
      .relabel = On<relabel>::entry,
      .choose_nodes = On<choose_nodes>::entry,
      .clear_rim = On<clear_rim>::entry,
  };
  return t;
}

const TiledTable& tiled_table() {
  static const TiledTable t = {.distance_strip = On<distance_strip>::entry};
  return t;
}

}  // namespace morpho::gpu
