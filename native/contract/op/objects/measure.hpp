// measure: every label as an object, with its shape and what its pixels hold.
#pragma once
#include "../../unfilled.hpp"
#include "../color/stain.hpp"
#include "label_sums.hpp"

namespace morpho {

/// One object as its labels and the pixels beneath give it. Units: px of the analysed image; OD where said. Lengths (perimeter,
/// axes) are in sides of a square of a pixel's area, which are px where pixels are square.
struct ObjectMeasurement {
  i32 label;
  i32 first_x, first_y;            ///< first pixel in raster order: it decides which tile owns the object
  i32 min_x, min_y, max_x, max_y;  ///< inclusive bounding box
  i64 area;                        ///< pixels
  double perimeter;                ///< px, see measure
  double centroid_x, centroid_y;   ///< px, pixel centres at integer + 0.5; multiples of 2^-20, see measure
  /// Px: full axes of the ellipse with the same second moments (pixels are unit squares: +1/12)
  double major_axis, minor_axis;
  double eccentricity;  ///< 0 circle .. 1 line
  double orientation;   ///< degrees in (-90, 90], counter-clockwise from the x axis as seen on screen
  double circularity;   ///< 4π area / perimeter², at most 1
  double solidity;      ///< area / area of the convex hull of the pixels' corners
  /// Concentration of each of three stains over the object's pixels, in OD, not clamped at 0, from values rounded to 1/1024;
  /// std is that of the whole population. All 0 where `measure` is given no colours.
  double stain_mean[3], stain_std[3], stain_min[3], stain_max[3];
  double contrast;      ///< objects::contrast of the pixels; kNotMeasured where `measure` is given no values
  double score;         ///< objects::score_of of that and the shape, a whole number 0..100; kNotMeasured as contrast is
  double stained_area;  ///< % of the pixels that MeasureParams::stained takes for stained; kNotMeasured where it asks for none
};
/// So many times as wide as high, or as high as wide, a pixel may be: more than any two pixel sizes that a file is believed.
inline constexpr double kMostAspect = 1e6;
/// In place of a measurement that nothing gives; never 0, which says something.
inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
/// A horizontal run of one object's pixels: x in [x0, x1).
struct Run {
  i32 y, x0, x1;
};
struct MeasureParams {
  StainParams stains[3];  ///< the channels that the OD statistics are taken of, with their own units_per_od
  i32 contrast_per = 1;   ///< grey levels that are a contrast of 1
  i64 contrast_area = 1;  ///< px: from objects::contrast_area()
  double aspect = 1;      ///< a pixel's width over its height
  i32 stained = -1;       ///< which of the stains a pixel is stained by; -1: nobody asks
  i32 stained_above = 0;  ///< 1/1024 OD above which it is
  static constexpr void visit(auto& p, auto&& v) {
    for (auto& stain : p.stains) v(op::Spec{"stain"}, stain);
    v(op::whole("contrast_per", "grey levels that are a contrast of 1", 1, 65535), p.contrast_per);
    v(op::whole("contrast_area", "an object's typical area, px", 1, 1000000), p.contrast_area);
    v(op::real("aspect", "a pixel's width over its height", 1 / kMostAspect, kMostAspect), p.aspect);
    v(op::whole("stained", "which stain's share of the area is measured, -1: none", -1, 2), p.stained);
    v(op::whole("stained_above", "1/1024 OD above which a pixel is stained", -(1 << 22), 1 << 22), p.stained_above);
  }
  bool operator==(const MeasureParams& o) const { return op::same(*this, o); }
};
struct ObjectSet {
  ResultVector<ObjectMeasurement> objects;  ///< ascending label
  ResultVector<Run> runs;                   ///< object after object, raster order inside each
  ResultVector<i64> run_offsets;            ///< objects.size() + 1 offsets into runs
};

namespace op {

/// Measures every label > 0 of `labels` i32 (labels need not be dense; other values are background); `rgba` may be absent,
/// and so may `value` and `below`, u8 or u16 both (below only where value is): contrast is that of value - below, summed
/// exactly.
/// perimeter: Crofton's formula in 4 directions, π/4 (n0 + n90 + (n45 + n135) / √2), where n_d counts the pixels of the
/// object whose next pixel in direction d is not of the object: the length of all its borders, those of holes included. It is
/// what scikit-image's perimeter_crofton(directions=4) gives; on disks of radius 5 and more it is off by 0.1 % on average and
/// by 3 % at most, whatever their centre. Of pixels w wide and h high, with w h = 1 and w / h the aspect, it is
/// π/4 (2 (h³ n0 + w³ n90) / (w² + h²) + (n45 + n135) / √(w² + h²)), where 45° is a pixel's diagonal: lines in each direction
/// by their own distance, and with the weights that are exact for a circle and for the second harmonic of any outline. With
/// an aspect of 2 or 1/2 it is off by 1.3 % at most on large ellipses twice as long as wide. centroid: the mean of the
/// pixels' centres, rounded to the nearest multiple of 2^-20 px (about 1e-6) about the corner of the object's box. So whole
/// pixels add to it exactly: an object moved by whole pixels, or found in another window, has its centroid moved by just
/// these. circularity: 4π area / perimeter², at most 1. axes, eccentricity, orientation: from exact integer second moments
/// about the centroid plus the 1/12 px² of each pixel's own square on both axes (scikit-image leaves that out: its axis² is
/// ours - 4/3); orientation is 0 where no direction stands out. With an aspect x counts w times and y h times, and a pixel's
/// own square is its rectangle. solidity: exact hull of the corners of the pixels.
struct measure
    : ArrayOperation<void(Context&, ConstPlane, View<const Rgba>, ConstPlane, ConstPlane, ObjectSet&, const MeasureParams&)> {
  static void check(const ConstPlane& labels, const View<const Rgba>& rgba, const ConstPlane& value, const ConstPlane& below,
                    const MeasureParams& p) {
    require_plane("labels", labels);
    require_type("labels", labels, {PixelType::i32});
    check_values(labels, value, below);
    check_params(p);
    if (rgba.data) {
      require_plane("rgba", as_plane(rgba));
      require_same_extent("rgba", labels, as_plane(rgba));
    }
    for (const StainParams& s : p.stains) {
      for (i32 r : s.row) require_range("row", r, -(1 << 24), 1 << 24);
    }
  }
  /// 20 bytes a run (at most one a pixel), 16 KiB for each 32768 runs (512 KiB at most), 8 a row; or 64 a row and thread where
  /// that is more; the result's vectors (12 bytes a run, 240 an object) come on top.
  static i64 cpu_need(const need::Image& i) {
    const i64 sort = 20 * i.area() + 16384 * std::clamp<i64>(i.area() >> 15, 1, 32);
    return std::max(sort, 64 * i.height() * i.workers()) + 8 * i.height() + need::kSlack;
  }
};

}  // namespace op
}  // namespace morpho
