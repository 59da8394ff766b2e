// The row phase of the exact distance: min over x' of weight*(x - x')² + the column phase's value at x'.
#pragma once
#include <algorithm>

#include "contract/ops.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {

/// Scratch for rows of one width.
struct DistanceRow {
  static constexpr i32 reach = 64;  ///< how far the near search looks before it gives the row to the envelope
  static constexpr i32 block = 32;
  i32* g = nullptr;     ///< squared column distances; kNoBackground: none in this column
  u16* near = nullptr;  ///< the same cut off at 65535, with `reach` such pixels at each side and room for a whole last block
  i32* site = nullptr;  ///< the envelope's parabolas, by their columns
  i32* from = nullptr;  ///< the first column of each
  static std::size_t near_elements(i32 width) { return static_cast<std::size_t>(width) + 2 * reach + block; }
};

/// The best squared distances of a block of columns, and what the near search asks of them.
template <int bytes>
class NearBlock {
 public:
  MORPHO_INLINED explicit NearBlock(const u16* g) {
    for (i32 i = 0; i < parts; ++i) best_[i] = cpu::load<V>(g + i * lanes);
  }

  /// best = min(best, g at distance k on both sides + step).
  MORPHO_INLINED void step(const u16* g, i32 k, u16 step) {
    const V add = fill<V>(step);
    for (i32 i = 0; i < parts; ++i) {
      const u16* const at = g + i * lanes;
      best_[i] = smaller(best_[i], add_saturating(smaller(cpu::load<V>(at - k), cpu::load<V>(at + k)), add));
    }
  }
  /// Whether one of them is greater.
  MORPHO_INLINED bool any_above(u16 limit) const {
    V most = best_[0];
    for (i32 i = 1; i < parts; ++i) most = larger(most, best_[i]);
    return !all_set(subtract_saturating(most, fill<V>(limit)) == V{});
  }
  MORPHO_INLINED void store(i32* out) const {
    for (i32 i = 0; i < parts; ++i) {
      const V low = zipped<false>(best_[i], V{}), high = zipped<true>(best_[i], V{});
      i32* const to = out + i * lanes;
      if constexpr (bytes == 16) {
        cpu::store(to, low);
        cpu::store(to + lanes / 2, high);
      } else {
        cpu::store(to, joined(half<0>(low), half<0>(high)));
        cpu::store(to + lanes / 2, joined(half<1>(low), half<1>(high)));
      }
    }
  }

 private:
  using V = Vec<u16, bytes>;
  static constexpr i32 lanes = bytes / sizeof(u16), parts = DistanceRow::block / lanes;
  V best_[parts];
};

/// The row by looking outwards from each block until nothing further away can be nearer. Needs scratch.near; false where some
/// pixel's nearest zero is out of reach, and then `out` is to be done by the envelope. Cost: proportional to the distances.
template <int bytes>
MORPHO_INLINE bool near_row(const u16* near, i32 width, i32 weight, i32* out) {
  const u16* g = near + DistanceRow::reach;
  for (i32 x = 0; x < width; x += DistanceRow::block) {
    const i32 n = std::min(DistanceRow::block, width - x);
    const bool whole = n == DistanceRow::block;
    // Columns past the row are 0 from the start, so that they never ask for another step.
    u16 padded[DistanceRow::block] = {};
    if (!whole) std::copy_n(g + x, n, padded);
    NearBlock<bytes> best(whole ? g + x : padded);
    for (i32 k = 1;; ++k) {
      const i64 step = static_cast<i64>(weight) * k * k;
      if (step >= 65535 || !best.any_above(static_cast<u16>(step))) break;
      if (k > DistanceRow::reach) return false;
      best.step(g + x, k, static_cast<u16>(step));
    }
    if (best.any_above(65534)) return false;  // cut off: not exact
    if (whole) {
      best.store(out + x);
    } else {
      i32 wide[DistanceRow::block];
      best.store(wide);
      std::copy_n(wide, n, out + x);
    }
  }
  return true;
}

inline i64 floor_div(i64 a, i64 b) { return a / b - (a % b < 0); }

/// The row by the lower envelope of parabolas (Meijster 2000 §3): linear, whatever the distances. Needs scratch.g.
inline void envelope_row(const DistanceRow& s, i32 width, i32 weight, i32* out) {
  const i32* g = s.g;
  i32 last = -1;
  for (i32 u = 0; u < width; ++u) {
    if (g[u] == kNoBackground) continue;
    i64 start = 0;
    while (last >= 0) {
      // The last column where site v is still at most as far as u is floor((v + u + (g[u]-g[v]) / (weight (u-v))) / 2): the
      // inner quotient may be floored first, so nothing overflows.
      const i64 v = s.site[last], d = u - v;
      start = v + floor_div(floor_div(static_cast<i64>(g[u]) - g[v], weight * d) + d, 2) + 1;
      if (start > s.from[last]) break;
      --last;
      start = 0;
    }
    if (last < 0) start = 0;
    if (start >= width) continue;
    ++last;
    s.site[last] = u;
    s.from[last] = static_cast<i32>(start);
  }
  if (last < 0) {
    std::fill_n(out, width, kNoBackground);
    return;
  }
  for (i32 k = 0; k <= last; ++k) {
    const i32 v = s.site[k], end = k < last ? s.from[k + 1] : width;
    const i64 base = g[v];
    for (i32 x = s.from[k]; x < end; ++x) {
      // Beyond it saturates anyway
      const i64 d = std::min<i64>(x > v ? static_cast<i64>(x) - v : static_cast<i64>(v) - x, 46341);
      out[x] = static_cast<i32>(std::min<i64>(base + weight * d * d, kNoBackground - 1));
    }
  }
}

}  // namespace morpho::cpu
