// label_sums: exact sums over the pixels of each label.
#pragma once
#include "../../object_rules.hpp"
#include "../operation.hpp"

namespace morpho::op {

/// Grey values over labels, which may be absent: `below` only beside `value`.
inline void check_values(const ConstPlane& labels, const ConstPlane& value, const ConstPlane& below) {
  if (below.present() && !value.present()) reject("below", "an image only beside a value", "one without");
  const auto grey = [&](const char* name, const ConstPlane& p) {
    if (!p.present()) return;
    require_plane(name, p);
    require_type(name, p, {PixelType::u8, PixelType::u16});
    require_same_extent(name, labels, p);
  };
  grey("value", value);
  grey("below", below);
  if (below.present()) require_same_type("below", value, below);
}
inline void check_count(i32 count) { require_range("count", count, 0, kMostInt - 1); }
/// count + 1 elements.
inline void check_array(const char* name, const void* array, i64 count) {
  if (!array) reject(name, "an array of " + std::to_string(count + 1) + " elements", "a null pointer");
}

/// Sums of each label 1..count of `labels` i32, other values being background; sums: count + 1 elements, [0] zeros. `value`
/// and `below`, u8 or u16 both, may be absent (below only where value is): sums[l].value adds value - below. Sums are exact as
/// long as they fit an i64. Reach: global. No result goes to the host.
struct label_sums : ArrayOperation<void(Context&, ConstPlane, i32, ConstPlane, ConstPlane, LabelSums*)> {
  static void check(const ConstPlane& labels, i32 count, const ConstPlane& value, const ConstPlane& below,
                    const LabelSums* sums) {
    require_plane("labels", labels);
    require_type("labels", labels, {PixelType::i32});
    check_count(count);
    check_values(labels, value, below);
    check_array("sums", sums, count);
  }
  /// 64 bytes a label and thread, one thread where that were more than a byte a pixel.
  static i64 cpu_need(const need::Image& i, i64 count) {
    const i64 bytes = 64 * (count + 1);
    return bytes * (bytes > i.area() ? 1 : i.workers()) + need::kSlack;
  }
};

}  // namespace morpho::op
