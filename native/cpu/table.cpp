// Fills the operation tables with the CPU implementations.
#include "cpu/cpu_ops.hpp"

namespace morpho::cpu {

const OpTable& table() {
  static const OpTable t = {
      .device = "cpu",
      .reconstruct = reconstruct,
      .geodesic_dilate = geodesic_dilate,
      .h_extrema = h_extrema,
      .extended_extrema = extended_extrema,
      .regional_extrema = regional_extrema,
      .fill_holes = fill_holes,
      .clear_border = clear_border,
      .distance = distance,
      .max_tree = max_tree,
      .max_tree_nodes = max_tree_nodes,
      .max_tree_sums = max_tree_sums,
      .attribute_filter = attribute_filter,
      .area_open = area_open,
      .label = label,
      .watershed = watershed,
      .area_filter = area_filter,
      .morphology = morphology,
      .gaussian = gaussian,
      .median = median,
      .box_mean = box_mean,
      .threshold = threshold,
      .combine = combine,
      .scale = scale,
      .root = root,
      .histogram = histogram,
      .stain = stain,
      .weights = weights,
      .color_rule = color_rule,
      .resample = resample,
      .measure = measure,
      .label_sums = label_sums,
      .choose_labels = choose_labels,
      .relabel = relabel,
      .choose_nodes = choose_nodes,
      .clear_rim = clear_rim,
  };
  return t;
}

const TiledTable& tiled_table() {
  static const TiledTable t = {.distance_strip = distance_strip};
  return t;
}

}  // namespace morpho::cpu
