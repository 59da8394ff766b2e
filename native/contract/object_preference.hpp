// Which of two objects that lie over each other is better: one code for the CPU and for kernels, in whole numbers.
#pragma once
#include "object_choice.hpp"

namespace morpho::objects {

/// What the edge of an object is made of.
struct EdgeSums {
  i64 pixels, sum;
};

/// The factors of a score are not less than this, in 1/1024: a ragged object with a sharp edge is still an object.
inline constexpr i64 kLeastFit = 51, kLeastEdge = 205;

/// In 1/2^20, at least 1: how elliptic the object is, times how steep its edge is, times the square root of its area's share in
/// a whole nucleus, each in 1/1024 and at most 1. An object without an edge, which fills the image, has the least.
MORPHO_EVERYWHERE inline i64 preference(const PreferenceRule& r, const LabelSums& s, const EdgeSums& e) {
  const auto within = [](i64 v, i64 least) { return v < least ? least : v > 1024 ? i64{1024} : v; };
  const i64 fit = within((ellipticity_q10(s) - r.fit_none) * 1024 / (r.fit_full - r.fit_none), kLeastFit);
  const i64 edge = e.pixels == 0 ? kLeastEdge : within(e.sum * 256 * 1024 / (e.pixels * r.edge_full), kLeastEdge);
  const i64 area = s.area < r.area_full ? s.area : r.area_full, share = (area << 20) / r.area_full;
  // The square root of a whole number is an exact rounding: the same on every machine.
  const i64 size = static_cast<i64>(sqrt(static_cast<double>(share)));
  const i64 score = fit * edge * size >> 10;
  return score > 1 ? score : 1;
}

/// What a candidate has below it.
struct Below {
  i64 others;  ///< of its pixels, those on kept objects that belong elsewhere
  i64 sum;     ///< of the scores of those that belong to it
  i32 count;   ///< of them
};
MORPHO_EVERYWHERE inline bool wins(const PreferenceRule& r, i64 score, i64 area, const Below& b) {
  if (area == 0 || score < r.least || 2 * b.others > area) return false;
  return b.count > 1 ? 3 * score > 2 * b.sum : score > b.sum;
}

}  // namespace morpho::objects
