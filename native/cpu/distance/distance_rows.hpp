// The row phase of the exact distance: min over x' of weight*(x - x')² + the column phase's value at x'.
#pragma once
#include <algorithm>

#include "contract/ops.hpp"
#include "cpu/runtime/lanes.hpp"

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

/// One step of the near search: best = min(best, g at distance k on both sides + step), for a block. Returns the block's
/// maximum.
inline u16 near_step(const u16* g, i32 k, u16 step, u16* best) {
#ifdef MORPHO_LANES
  using L = Lanes<u16>;
  const __m128i add = L::fill(step);
  __m128i most = _mm_setzero_si128();
  for (i32 i = 0; i < DistanceRow::block; i += L::count) {
    const __m128i side = _mm_adds_epu16(L::smaller(load16(g + i - k), load16(g + i + k)), add);
    const __m128i b = L::smaller(load16(best + i), side);
    store16(best + i, b);
    most = L::larger(most, b);
  }
  u16 lane[L::count];
  store16(lane, most);
  return *std::max_element(lane, lane + L::count);
#else
  u16 most = 0;
  for (i32 i = 0; i < DistanceRow::block; ++i) {
    const i32 side = std::min<i32>(std::min(g[i - k], g[i + k]) + step, 65535);
    best[i] = static_cast<u16>(std::min<i32>(best[i], side));
    most = std::max(most, best[i]);
  }
  return most;
#endif
}

/// The row by looking outwards from each block until nothing further away can be nearer. Needs scratch.near; false where some
/// pixel's nearest zero is out of reach, and then `out` is to be done by the envelope. Cost: proportional to the distances.
inline bool near_row(const DistanceRow& s, i32 width, i32 weight, i32* out) {
  const u16* g = s.near + DistanceRow::reach;
  for (i32 x = 0; x < width; x += DistanceRow::block) {
    const i32 n = std::min(DistanceRow::block, width - x);
    alignas(16) u16 best[DistanceRow::block];
    std::copy_n(g + x, DistanceRow::block, best);
    u16 most = *std::max_element(best, best + n);
    // The lanes past the row's end do not count.
    for (i32 k = 1; static_cast<i64>(weight) * k * k < most; ++k) {
      if (k > DistanceRow::reach) return false;
      most = near_step(g + x, k, static_cast<u16>(weight * k * k), best);
      if (n < DistanceRow::block) most = *std::max_element(best, best + n);
    }
    if (most == 65535) return false;  // cut off: not exact
    for (i32 i = 0; i < n; ++i) out[x + i] = best[i];
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
