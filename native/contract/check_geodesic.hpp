// What the geodesic operations, distances, labels and basins check of their arguments, on every device alike. Which variants
// there are is each device's own business.
#pragma once
#include "ops.hpp"
#include "require.hpp"

namespace morpho::check {

inline void reconstruct(const ConstPlane& marker, const ConstPlane& mask, const Plane& out, const ReconstructParams& p) {
  require_plane("marker", marker);
  require_plane("mask", mask);
  require_plane("out", out);
  require_same_type("mask", marker, mask);
  require_same_type("out", marker, out);
  require_same_extent("mask", marker, mask);
  require_same_extent("out", marker, out);
  require_apart("out", out, mask);
  if (out.data != marker.data || out.stride != marker.stride) require_apart("out", out, marker);
  require_connectivity(p.connectivity);
  if (p.by != By::dilation && p.by != By::erosion) reject("by", "dilation or erosion", std::to_string(static_cast<int>(p.by)));
}

inline void geodesic_dilate(const ConstPlane& marker, const ConstPlane& mask, const Plane& out, const GeodesicParams& p) {
  require_plane("marker", marker);
  require_plane("mask", mask);
  require_plane("out", out);
  require_type("marker", marker, {PixelType::u8, PixelType::u16});
  require_same_type("mask", marker, mask);
  require_same_type("out", marker, out);
  require_same_extent("mask", marker, mask);
  require_same_extent("out", marker, out);
  require_apart("out", out, mask);
  require_apart("out", out, marker);
  require_range("steps", p.steps, 0, 1 << 20);
}

/// Of h_extrema, extended_extrema and regional_extrema; the last has no h.
inline void extrema(const ConstPlane& f, const Plane& out, const ExtremaParams& p, bool uses_h) {
  require_plane("f", f);
  require_plane("out", out);
  require_same_extent("out", f, out);
  require_apart("out", out, f);
  require_connectivity(p.connectivity);
  if (p.kind != Extremum::maxima && p.kind != Extremum::minima)
    reject("kind", "maxima or minima", std::to_string(static_cast<int>(p.kind)));
  if (uses_h && p.h < 1) reject("h", "a height of at least 1", std::to_string(p.h));
}

/// Of fill_holes and clear_border.
inline void border(const ConstPlane& f, const Plane& out, const ConnectivityParams& p) {
  require_grey_pair(f, out);
  require_apart("out", out, f);
  require_connectivity(p.connectivity);
}

inline void distance(const ConstPlane& binary, const Plane& squared, const DistanceParams& p) {
  require_plane("binary", binary);
  require_plane("squared", squared);
  require_type("binary", binary, {PixelType::u8});
  require_type("squared", squared, {PixelType::i32});
  require_same_extent("squared", binary, squared);
  require_apart("squared", squared, binary);
  for (const auto& [name, weight] : {std::pair{"weight_x", p.weight_x}, {"weight_y", p.weight_y}}) {
    if (weight < 1 || weight > 65536) reject(name, "a squared spacing from 1 to 65536", std::to_string(weight));
  }
  if (static_cast<int>(p.variant) > static_cast<int>(DistanceVariant::danielsson)) {
    reject("variant", "automatic, exact or danielsson", std::to_string(static_cast<int>(p.variant)));
  }
}

inline void label(const ConstPlane& in, const Plane& labels, const ConnectivityParams& p) {
  require_plane("in", in);
  require_plane("labels", labels);
  require_type("labels", labels, {PixelType::i32});
  require_same_extent("labels", in, labels);
  require_apart("labels", labels, in);
  require_connectivity(p.connectivity);
}

/// But for the markers' values.
inline void watershed(const ConstPlane& f, const ConstPlane& markers, const ConstPlane& mask, const Plane& labels,
                      const WatershedParams& p) {
  require_plane("f", f);
  require_plane("labels", labels);
  require_type("labels", labels, {PixelType::i32});
  require_same_extent("labels", f, labels);
  require_apart("labels", labels, f);
  require_connectivity(p.connectivity);
  require_room_for_padding("f", f.extent);
  const auto beside = [&](const char* name, const ConstPlane& image, PixelType type) {
    if (!image.present()) return;
    require_plane(name, image);
    require_type(name, image, {type});
    require_same_extent(name, f, image);
    require_apart("labels", labels, image);
  };
  beside("markers", markers, PixelType::i32);
  beside("mask", mask, PixelType::u8);
  if (static_cast<int>(p.variant) > static_cast<int>(WatershedVariant::cellular_automaton)) {
    reject("variant", "automatic, drop_of_water or cellular_automaton", std::to_string(static_cast<int>(p.variant)));
  }
}

inline void area_filter(const ConstPlane& binary, const Plane& out, const AreaFilterParams& p) {
  require_plane("binary", binary);
  require_plane("out", out);
  require_type("binary", binary, {PixelType::u8});
  require_type("out", out, {PixelType::u8});
  require_same_extent("out", binary, out);
  if (out.data != binary.data || out.stride != binary.stride) require_apart("out", out, binary);
  require_connectivity(p.connectivity);
  if (p.min_area < 0) reject("min_area", "an area of at least 0", std::to_string(p.min_area));
  if (p.end_area < 0) reject("end_area", "an area of at least 0", std::to_string(p.end_area));
}

}  // namespace morpho::check
