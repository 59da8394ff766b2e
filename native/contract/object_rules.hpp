// What recipes know of an object, and by what they keep it: exact integer sums over its pixels, and rules in whole numbers.
#pragma once
#include <cstdint>

#include "view.hpp"

namespace morpho {

/// Sums over one label's pixels. Coordinates are relative to the label's first pixel in raster order, so that sums stay small
/// and do not depend on where the window lies. A label without pixels holds zeros.
struct LabelSums {
  i64 area;
  i64 x, y, xx, yy, xy;
  i64 value;             ///< of the image given, minus `below` where given
  i32 first_x, first_y;  ///< the first pixel
};

/// No limit on the mean value.
inline constexpr i64 kAnyMean = INT64_MIN;

/// What a label must pass, all of it, in whole numbers, so that every device decides alike. object_choice.hpp makes them of
/// what users say, and states the tests.
struct LabelRule {
  i64 min_area = 0, end_area = INT64_MAX;  ///< area in [min_area, end_area)
  i64 ellipticity = 0;                     ///< from ellipticity_factor(); 0: any
  i64 contrast = 0, contrast_area = 1;     ///< from contrast_level() and contrast_area(); level 0: any
  i64 mean_above = kAnyMean;               ///< mean value > mean_above / 1024
  bool operator==(const LabelRule&) const = default;
};

/// What makes a max-tree node acceptable, and how much its shape counts.
struct NodeRule {
  i64 min_area = 0, end_area = INT64_MAX;
  i32 level = 0;        ///< altitude at least
  i64 contrast = 0;     ///< mean above the parent's altitude, in 1/256: at least
  i64 elongation = 0;   ///< from elongation_factor()
  i64 ellipticity = 0;  ///< from ellipticity_factor(); 0: any
  i32 shape_power = 0;  ///< 0..16: a node's score is sqrt(area) * ellipticity^shape_power
  bool operator==(const NodeRule&) const = default;
};

/// How many px of each side become 0; more than there are: all of them.
struct RimParams {
  i32 left = 0, top = 0, right = 0, bottom = 0;  ///< >= 0
};

}  // namespace morpho
