// Every operation of the tables, once: who needs all of them goes through these lists.
#pragma once
#include "color/color_rule.hpp"
#include "color/resample.hpp"
#include "color/stain.hpp"
#include "color/weights.hpp"
#include "geodesic/clear_border.hpp"
#include "geodesic/extended_extrema.hpp"
#include "geodesic/fill_holes.hpp"
#include "geodesic/geodesic_dilate.hpp"
#include "geodesic/h_extrema.hpp"
#include "geodesic/reconstruct.hpp"
#include "geodesic/regional_extrema.hpp"
#include "local/box_mean.hpp"
#include "local/combine.hpp"
#include "local/gaussian.hpp"
#include "local/histogram.hpp"
#include "local/median.hpp"
#include "local/morphology.hpp"
#include "local/root.hpp"
#include "local/scale.hpp"
#include "local/threshold.hpp"
#include "objects/area_filter.hpp"
#include "objects/better_labels.hpp"
#include "objects/choose_labels.hpp"
#include "objects/clear_rim.hpp"
#include "objects/distance.hpp"
#include "objects/label.hpp"
#include "objects/label_sums.hpp"
#include "objects/measure.hpp"
#include "objects/relabel.hpp"
#include "objects/watershed.hpp"
#include "tree/area_open.hpp"
#include "tree/attribute_filter.hpp"
#include "tree/choose_nodes.hpp"
#include "tree/max_tree.hpp"
#include "tree/max_tree_nodes.hpp"
#include "tree/max_tree_sums.hpp"

// clang-format off: a line each
/// Operations on images (op::Operation): steps of programs, and calls by name.
#define MORPHO_IMAGE_OPERATIONS(X) \
  X(stain)                         \
  X(weights)                       \
  X(color_rule)                    \
  X(reconstruct)                   \
  X(geodesic_dilate)               \
  X(h_extrema)                     \
  X(extended_extrema)              \
  X(regional_extrema)              \
  X(fill_holes)                    \
  X(clear_border)                  \
  X(distance)                      \
  X(max_tree)                      \
  X(area_open)                     \
  X(label)                         \
  X(watershed)                     \
  X(area_filter)                   \
  X(morphology)                    \
  X(gaussian)                      \
  X(median)                        \
  X(box_mean)                      \
  X(threshold)                     \
  X(combine)                       \
  X(scale)                         \
  X(root)
/// Those that take arrays and tables too (op::ArrayOperation): parts of such.
#define MORPHO_ARRAY_OPERATIONS(X) \
  X(max_tree_nodes)                \
  X(max_tree_sums)                 \
  X(attribute_filter)              \
  X(histogram)                     \
  X(resample)                      \
  X(measure)                       \
  X(label_sums)                    \
  X(choose_labels)                 \
  X(relabel)                       \
  X(better_labels)                 \
  X(choose_nodes)                  \
  X(clear_rim)
// clang-format on
#define MORPHO_OPERATIONS(X) MORPHO_IMAGE_OPERATIONS(X) MORPHO_ARRAY_OPERATIONS(X)
