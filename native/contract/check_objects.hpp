// What the operations that recipes decide by check of their arguments, on every device alike.
#pragma once
#include "ops.hpp"
#include "require.hpp"
#include "text.hpp"

namespace morpho::check {

/// Grey values over labels, which may be absent: `below` only beside `value`.
inline void values(const ConstPlane& labels, const ConstPlane& value, const ConstPlane& below) {
  if (below.present() && !value.present()) reject("below", "an image only beside a value", "one without");
  const auto grey = [&](const char* name, const ConstPlane& p) {
    if (!p.present()) return;
    require_plane(name, p);
    require_type(name, p, {PixelType::u8});
    require_same_extent(name, labels, p);
  };
  grey("value", value);
  grey("below", below);
}

inline void measure(const ConstPlane& labels, const View<const Rgba>& rgba, const ConstPlane& value, const ConstPlane& below,
                    const MeasureParams& p) {
  require_plane("labels", labels);
  require_type("labels", labels, {PixelType::i32});
  values(labels, value, below);
  require_range("contrast_per", p.contrast_per, 1, 65535);
  require_range("contrast_area", p.contrast_area, 1, 1000000);
  // Written so that NaN fails.
  if (!(p.aspect >= 1 / kMostAspect && p.aspect <= kMostAspect))
    reject("aspect", "a number from " + text_of(1 / kMostAspect) + " to " + text_of(kMostAspect), text_of(p.aspect));
  if (rgba.data) {
    require_plane("rgba", as_plane(rgba));
    require_same_extent("rgba", labels, as_plane(rgba));
  }
  for (const StainParams& s : p.stains) {
    for (i32 w : s.white) require_range("white", w, 1, 255);
    for (i32 r : s.row) require_range("row", r, -(1 << 24), 1 << 24);
  }
}

inline void label_sums(const ConstPlane& labels, i32 count, const ConstPlane& value, const ConstPlane& below,
                       const LabelSums* sums) {
  require_plane("labels", labels);
  require_type("labels", labels, {PixelType::i32});
  require_range("count", count, 0, 2147483646);
  values(labels, value, below);
  if (!sums) reject("sums", "an array of " + std::to_string(i64{count} + 1) + " elements", "a null pointer");
}

inline void choose_labels(const LabelSums* sums, i32 count, const i32* map) {
  require_range("count", count, 0, 2147483646);
  if (!sums || !map)
    reject(sums ? "map" : "sums", "an array of " + std::to_string(i64{count} + 1) + " elements", "a null pointer");
}

inline void relabel(const ConstPlane& labels, const Plane& out, const i32* map, i32 count) {
  require_plane("labels", labels);
  require_plane("out", out);
  require_type("labels", labels, {PixelType::i32});
  require_type("out", out, {PixelType::u8, PixelType::i32});
  require_same_extent("out", labels, out);
  require_range("count", count, 0, 2147483646);
  if (!map) reject("map", "an array of " + std::to_string(i64{count} + 1) + " elements", "a null pointer");
  const bool same = labels.data == out.data && labels.type == out.type && labels.stride == out.stride;
  if (!same) require_apart("out", labels, out);
}

inline void choose_nodes(const NodeTable& nodes, const NodeSums* sums, const i32* map, const NodeRule& r) {
  require_range("nodes.count", nodes.count, 0, 2147483647);
  require_range("shape_power", r.shape_power, 0, 16);
  if (nodes.count == 0) return;
  if (!nodes.parent) reject("nodes", "a table with memory", "a null pointer");
  if (!sums || !map)
    reject(sums ? "map" : "sums", "an array of " + std::to_string(nodes.count) + " elements", "a null pointer");
}

inline void clear_rim(const Plane& image, const RimParams& r) {
  require_plane("image", image);
  require_range("left", r.left, 0, 2147483647);
  require_range("top", r.top, 0, 2147483647);
  require_range("right", r.right, 0, 2147483647);
  require_range("bottom", r.bottom, 0, 2147483647);
}

}  // namespace morpho::check
