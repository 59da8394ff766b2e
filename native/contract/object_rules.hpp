// What recipes know of an object, and by what they keep it: exact integer sums over its pixels, and rules in whole numbers.
#pragma once
#include <cstdint>

#include "op/params.hpp"

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
  i64 contrast_per = 1;                    ///< units of the value that are one of the level's
  i64 mean_above = kAnyMean;               ///< mean value > mean_above / 1024
  static constexpr void visit(auto& r, auto&& v) {
    v(op::Spec{"min_area", "px"}, r.min_area), v(op::Spec{"end_area", "px"}, r.end_area);
    v(op::Spec{"ellipticity"}, r.ellipticity);
    v(op::Spec{"contrast"}, r.contrast), v(op::Spec{"contrast_area", "px"}, r.contrast_area);
    v(op::whole("contrast_per", "units of the value in one of the level", 1, 65535), r.contrast_per);
    v(op::Spec{"mean_above", "in 1/1024"}, r.mean_above);
  }
  bool operator==(const LabelRule& o) const { return op::same(*this, o); }
};

/// What makes a max-tree node acceptable, and how much its shape counts.
struct NodeRule {
  i64 min_area = 0, end_area = INT64_MAX;
  i32 level = 0;        ///< altitude at least
  i64 contrast = 0;     ///< mean above the parent's altitude, in 1/256: at least
  i64 elongation = 0;   ///< from elongation_factor()
  i64 ellipticity = 0;  ///< from ellipticity_factor(); 0: any
  i32 shape_power = 0;  ///< a node's score is sqrt(area) * ellipticity^shape_power
  static constexpr void visit(auto& r, auto&& v) {
    v(op::Spec{"min_area", "px"}, r.min_area), v(op::Spec{"end_area", "px"}, r.end_area);
    v(op::Spec{"level", "grey value"}, r.level), v(op::Spec{"contrast", "in 1/256"}, r.contrast);
    v(op::Spec{"elongation"}, r.elongation), v(op::Spec{"ellipticity"}, r.ellipticity);
    v(op::whole("shape_power", "how much a node's shape counts", 0, 16), r.shape_power);
  }
  bool operator==(const NodeRule& o) const { return op::same(*this, o); }
};

/// By what one of two objects that lie over each other is better, in whole numbers. object_preference.hpp makes them of what
/// users say, and states the score.
struct PreferenceRule {
  i32 fit_none = 0, fit_full = 1024;  ///< ellipticity in 1/1024 that counts nothing, and in full
  i32 edge_full = 256;                ///< mean edge that counts in full, grey levels in 1/256
  i32 area_full = 1;                  ///< an area that counts in full, px
  i32 least = 0;                      ///< a score of less than this is no object, in 1/2^20
  static constexpr void visit(auto& r, auto&& v) {
    v(op::whole("fit_none", "in 1/1024", 0, 4096), r.fit_none), v(op::whole("fit_full", "in 1/1024", 1, 4097), r.fit_full);
    v(op::whole("edge_full", "in 1/256", 1, 65280), r.edge_full);
    v(op::whole("area_full", "px", 1, 100000000), r.area_full);
    v(op::whole("least", "in 1/2^20", 0, 1 << 20), r.least);
  }
  bool operator==(const PreferenceRule& o) const { return op::same(*this, o); }
};

/// How many px of each side become 0; more than there are: all of them.
struct RimParams {
  i32 left = 0, top = 0, right = 0, bottom = 0;
  static constexpr void visit(auto& r, auto&& v) {
    v(op::whole("left", "px", 0, op::kMostInt), r.left), v(op::whole("top", "px", 0, op::kMostInt), r.top);
    v(op::whole("right", "px", 0, op::kMostInt), r.right), v(op::whole("bottom", "px", 0, op::kMostInt), r.bottom);
  }
  bool operator==(const RimParams& o) const { return op::same(*this, o); }
};

}  // namespace morpho
