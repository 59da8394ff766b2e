// better_labels: of two segmentations of one image, the objects that are better.
#pragma once
#include <algorithm>

#include "label_sums.hpp"

namespace morpho::op {

/// Labels of one segmentation, and their sums.
struct Segmentation {
  ConstPlane labels;  ///< i32; labels 1..count, of which no two have 4-neighbours, other values being background
  i32 count = 0;
  const LabelSums* sums = nullptr;  ///< of label_sums: count + 1 elements
};

/// out u8: 1 on the pixels of the objects that are better, where `kept` and `candidates` lie over each other.
///
/// A kept object belongs to the candidate that holds more than half of its pixels, if one does. A candidate wins where
/// * its score (object_preference.hpp) is at least rule.least;
/// * at most half of it lies on kept objects that do not belong to it;
/// * its score exceeds that of the one object that belongs to it, or, times 1.5, the sum of the scores of several.
/// What belongs to a winner goes. All other kept objects stay as they are. A winner is its pixels but for those that lie on an
/// object that stays, or have a 4-neighbour there: so the 4-connected components of `out` are pieces of one object each.
///
/// `edge` u8: how steep the image is. An object's edge is its mean over the pixels with a 4-neighbour outside the object.
/// Ties: a candidate whose score only equals does not win. Reach: global. No result goes to the host.
struct better_labels
    : ArrayOperation<void(Context&, const Segmentation&, const Segmentation&, ConstPlane, Plane, const PreferenceRule&)> {
  static void check(const Segmentation& kept, const Segmentation& candidates, const ConstPlane& edge, const Plane& out,
                    const PreferenceRule& rule) {
    static constexpr Slot in[] = {
        {"kept", "kept", "", i32_only}, {"candidates", "candidates", "", i32_only}, {"edge", "edge", "", u8_only}};
    static constexpr Slot to{"out", "out", "", u8_only};
    const ConstPlane planes[] = {kept.labels, candidates.labels, edge};
    check_images(in, planes, 3, &to, &out, 1);
    for (const Segmentation* s : {&kept, &candidates}) check_count(s->count), check_array("sums", s->sums, s->count);
    check_params(rule);
    if (rule.fit_full <= rule.fit_none) reject("fit_full", "more than fit_none", std::to_string(rule.fit_full));
  }
  /// 12 bytes a run of each, of which a row has at most half of its pixels, and 4 a row; 8 bytes a label of each, and a table
  /// of 16 bytes a label and thread of one of them, one thread where that were more than a byte a pixel; or 4 bytes a kept
  /// label and two such tables of 8 bytes; or 25 bytes a candidate and one of them; in the end 3 bytes a column and thread.
  static i64 cpu_need(const need::Image& i, i64 kept, i64 candidates) {
    const auto table = [&](i64 bytes) { return bytes * (bytes > i.area() ? 1 : i.workers()); };
    const i64 a = kept + 1, b = candidates + 1;
    const i64 homes = 2 * table(8 * a), wins = 25 * b + table(8 * b);
    const i64 rows = b + 3 * (i.width() + 2) * i.workers(), runs = (i.width() + 1) / 2 * i.height();
    const i64 most = std::max({table(16 * a), table(16 * b), 4 * a + std::max({homes, wins, rows})});
    return 2 * (12 * runs + 4 * (i.height() + 1)) + 8 * (a + b) + most + need::kSlack;
  }
};

}  // namespace morpho::op
