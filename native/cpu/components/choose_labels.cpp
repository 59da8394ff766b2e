// Which labels stay, and the image with the labels that they get.
#include <algorithm>

#include "contract/object_choice.hpp"
#include "cpu/components/label_runs.hpp"
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

// Memory: none. Cost: one pass, by runs where 64 pixels have few of them: images of nodes have many, those of objects few.
void relabel(Context& ctx, ConstPlane labels, Plane out, const i32* map, i32 count) {
  op::relabel::check(labels, out, map, count);
  const View<const i32> from = labels.view<i32>();
  const bool in_place = out.data == labels.data && out.type == PixelType::i32;
  const auto value = [&](i32 v) { return v < 0 || v > count ? 0 : map[v]; };
  const auto with = [&](auto to, auto&& kept) {
    const i32 width = from.width();
    parallel_for(ctx, from.height(), rows_per_piece(width), [&](i64 begin, i64 end, int) {
      for (i32 y = static_cast<i32>(begin); y < end; ++y) {
        const i32* row = from.row(y);
        auto* written = to.row(y);
        written[0] = kept(value(row[0]));
        for (i32 x = 1; x < width; x += 64) {
          const i32 past = std::min(x + 64, width);
          u64 changes = changes_of(row + x, past - x) & ~u64{1};  // what is before may be rewritten already
          if (changes != 0 && std::popcount(changes) > 12) {
            for (i32 k = x; k < past; ++k) written[k] = kept(value(row[k]));
            continue;
          }
          for (i32 at = x; at < past; changes &= changes - 1) {
            const i32 next = changes != 0 ? x + std::countr_zero(changes) : past, v = row[at], own = value(v);
            if (!in_place || own != v) std::fill(written + at, written + next, kept(own));
            at = next;
          }
        }
      }
    });
  };
  if (out.type == PixelType::u8) with(out.view<u8>(), [](i32 v) { return static_cast<u8>(std::clamp(v, 0, 255)); });
  else with(out.view<i32>(), [](i32 v) { return v; });
}

}  // namespace morpho::cpu
