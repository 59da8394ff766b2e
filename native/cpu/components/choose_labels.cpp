// Which labels stay, and the image with the labels that they get.
#include <algorithm>

#include "contract/object_choice.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {

// Memory: none. Cost: some products of 128 bits a label.
void choose_labels(Context&, const LabelSums* sums, i32 count, i32* map, const LabelRule& rule) {
  op::choose_labels::check(sums, count, map, rule);
  i32 kept = 0;
  map[0] = 0;
  for (std::size_t l = 1; l <= static_cast<std::size_t>(count); ++l) map[l] = objects::keeps(rule, sums[l]) ? ++kept : 0;
}

// Memory: none. Cost: one pass.
void relabel(Context& ctx, ConstPlane labels, Plane out, const i32* map, i32 count) {
  op::relabel::check(labels, out, map, count);
  const View<const i32> from = labels.view<i32>();
  const auto with = [&](auto to, auto&& value) {
    parallel_for(ctx, from.height(), rows_per_piece(from.width()), [&](i64 begin, i64 end, int) {
      for (i32 y = static_cast<i32>(begin); y < end; ++y) {
        const i32* row = from.row(y);
        auto* written = to.row(y);
        for (i32 x = 0; x < from.width(); ++x) written[x] = value(row[x] < 0 || row[x] > count ? 0 : map[row[x]]);
      }
    });
  };
  if (out.type == PixelType::u8) with(out.view<u8>(), [](i32 v) { return static_cast<u8>(std::clamp(v, 0, 255)); });
  else with(out.view<i32>(), [](i32 v) { return v; });
}

}  // namespace morpho::cpu
