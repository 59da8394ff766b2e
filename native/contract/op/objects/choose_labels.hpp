// choose_labels: which labels a rule keeps, from their sums.
#pragma once
#include "label_sums.hpp"

namespace morpho::op {

/// map[l] = 1, 2, … for the labels l in [1, count] that the rule keeps, in ascending order, and 0 for the others and for l = 0.
struct choose_labels : ArrayOperation<void(Context&, const LabelSums*, i32, i32*, const LabelRule&)> {
  static void check(const LabelSums* sums, i32 count, const i32* map, const LabelRule& rule) {
    check_count(count);
    check_array("sums", sums, count);
    check_array("map", map, count);
    check_params(rule);
  }
  static i64 cpu_need(const need::Image&) { return need::kSlack; }
};

}  // namespace morpho::op
