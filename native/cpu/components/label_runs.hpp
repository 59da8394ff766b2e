// The runs of a label image: what sums, choices and new numbers of labels walk in place of its pixels.
#pragma once
#include <algorithm>
#include <bit>
#include <cstring>

#include "contract/context.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {

/// Bit i: whether p[i] is another value than p[i - 1], for 64 pixels.
inline u64 changes_of(const i32* p) {
  const auto same = [&](int at) MORPHO_INLINED { return load<Vec<i32>>(p + at) == load<Vec<i32>>(p + at - 1); };
  u64 bits = 0;
  for (int k = 0; k < 64; k += 16) {
    const Vec<u8> equal = narrow_mask(narrow_mask(same(k), same(k + 4)), narrow_mask(same(k + 8), same(k + 12)));
    bits |= static_cast<u64>(bits_of(equal)) << k;
  }
  return ~bits;
}
/// The same for n pixels, if they are fewer.
inline u64 changes_of(const i32* p, i32 n) {
  if (n >= 64) return changes_of(p);
  i32 tail[65];
  std::memcpy(tail, p - 1, sizeof(i32) * (static_cast<std::size_t>(n) + 1));
  std::fill(tail + n + 1, tail + 65, tail[n]);
  return changes_of(tail + 1);
}

inline bool is_label(i32 v, i32 count) { return v > 0 && v <= count; }

/// fn(x0, x1, label) for the longest runs of a row along which it keeps a label of 1..count.
template <class Fn>
void each_label_run(const i32* row, i32 width, i32 count, Fn&& fn) {
  i32 from = 0, value = row[0];
  for (i32 x = 1; x < width; x += 64) {
    for (u64 changes = changes_of(row + x, width - x); changes != 0; changes &= changes - 1) {
      const i32 at = x + std::countr_zero(changes);
      if (is_label(value, count)) fn(from, at, value);
      from = at, value = row[at];
    }
  }
  if (is_label(value, count)) fn(from, width, value);
}

struct LabelRun {
  i32 x0, x1, label;
};

/// The runs of a label image, row after row, from left to right.
struct LabelRuns {
  const i32* row_begin = nullptr;
  const LabelRun* all = nullptr;
  const LabelRun* begin(i64 y) const { return all + row_begin[y]; }
  const LabelRun* end(i64 y) const { return all + row_begin[y + 1]; }
};

/// Memory: 4 bytes a row and 12 a run, until the caller's Scope ends. Cost: two passes.
inline LabelRuns label_runs(Context& ctx, const View<const i32>& labels, i32 count) {
  const i32 width = labels.width(), height = labels.height();
  i32* row_begin = ctx.workspace.take<i32>(static_cast<std::size_t>(height) + 1);
  const auto rows = [&](auto&& fn) {
    parallel_for(ctx, height, rows_per_piece(width), [&](i64 begin, i64 end, int) {
      for (i64 y = begin; y < end; ++y) fn(labels.row(static_cast<i32>(y)), y);
    });
  };
  rows([&](const i32* row, i64 y) {
    i32 runs = is_label(row[0], count);
    for (i32 x = 1; x < width; x += 64) {
      for (u64 changes = changes_of(row + x, width - x); changes != 0; changes &= changes - 1)
        runs += is_label(row[x + std::countr_zero(changes)], count);
    }
    row_begin[y + 1] = runs;
  });
  row_begin[0] = 0;
  for (i32 y = 0; y < height; ++y) row_begin[y + 1] += row_begin[y];
  LabelRun* all = ctx.workspace.take<LabelRun>(static_cast<std::size_t>(row_begin[height]));
  rows([&](const i32* row, i64 y) {
    LabelRun* to = all + row_begin[y];
    each_label_run(row, width, count, [&](i32 x0, i32 x1, i32 label) { *to++ = {x0, x1, label}; });
  });
  return {row_begin, all};
}

}  // namespace morpho::cpu
