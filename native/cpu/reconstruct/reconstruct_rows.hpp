// One row of a reconstruction sweep, and the search of a row for pixels that can still move.
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>

#include "contract/ops.hpp"
#include "cpu/reconstruct/reconstruct_wide.hpp"
#include "cpu/runtime/lanes.hpp"

namespace morpho::cpu {

/// Both directions of the reconstruction as one lattice: values move "up" (join) and are held by the mask (meet).
/// by dilation: join = max, meet = min; by erosion the other way round.
template <class T, By by>
struct Lattice {
  static constexpr T bottom = by == By::dilation ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  static constexpr T top = by == By::dilation ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
  static T join(T a, T b) { return by == By::dilation ? std::max(a, b) : std::min(a, b); }
  static T meet(T a, T b) { return by == By::dilation ? std::min(a, b) : std::max(a, b); }
  static bool above(T a, T b) { return by == By::dilation ? a > b : a < b; }
#ifdef MORPHO_LANES
  static __m128i join(__m128i a, __m128i b) { return by == By::dilation ? Lanes<T>::larger(a, b) : Lanes<T>::smaller(a, b); }
  static __m128i meet(__m128i a, __m128i b) { return by == By::dilation ? Lanes<T>::smaller(a, b) : Lanes<T>::larger(a, b); }
#endif
};

/// A copy of a row with `pad` bottom pixels before and after it (more after, up to a whole block), so that its neighbours load
/// freely.
template <class T>
struct Line {
  static constexpr i32 pad = 16;
  T* data = nullptr;  ///< pixel 0; data[-pad .. width + 2*pad) exist
  static std::size_t elements(i32 width) { return static_cast<std::size_t>(width) + 4 * pad; }
  void place(T* memory, i32 width, T bottom) {
    data = memory + pad;
    std::fill_n(memory, elements(width), bottom);
  }
};

#ifdef MORPHO_LANES
/// The identity of composition in the lanes that a shift leaves empty: `bottom` for the lower clamp, `top` for the upper one.
template <int bytes, bool forward>
inline __m128i shift(__m128i v, __m128i ones_where_all_set) {
  if constexpr (forward) return _mm_or_si128(_mm_slli_si128(v, bytes), _mm_srli_si128(ones_where_all_set, 16 - bytes));
  else return _mm_or_si128(_mm_srli_si128(v, bytes), _mm_slli_si128(ones_where_all_set, 16 - bytes));
}

/// r[i] = clamp(r[i-1]) with clamp_i(v) = meet(join(v, low[i]), high[i]): a parallel prefix over clamps, which compose into
/// clamps.
template <class T, By by, bool forward, int bytes>
inline void compose(__m128i& low, __m128i& high) {
  using L = Lattice<T, by>;
  const __m128i ones = _mm_set1_epi8(-1), none = _mm_setzero_si128();
  const __m128i l = shift<bytes, forward>(low, by == By::dilation ? none : ones);
  const __m128i h = shift<bytes, forward>(high, by == By::dilation ? ones : none);
  const __m128i next = L::meet(L::join(h, low), high);
  low = L::meet(L::join(l, low), high);
  high = next;
}

/// One block: `t` = the vertical part, `m` = mask, `carry` = the pixel before in all lanes. Returns the finished pixels.
template <class T, By by, bool forward>
inline __m128i run_through(__m128i t, __m128i m, __m128i& carry) {
  using L = Lattice<T, by>;
  constexpr int size = sizeof(T);
  // Most blocks of most sweeps are stable already: one step that moves nothing proves that no number of steps would.
  __m128i before;
  if constexpr (forward) before = _mm_or_si128(_mm_slli_si128(t, size), _mm_srli_si128(carry, 16 - size));
  else before = _mm_or_si128(_mm_srli_si128(t, size), _mm_slli_si128(carry, 16 - size));
  const __m128i once = L::meet(L::join(t, before), m);
  if (!all_set(Lanes<T>::equal(once, t))) {
    __m128i low = t, high = m;
    if constexpr (size == 1) compose<T, by, forward, 1>(low, high);
    compose<T, by, forward, 2>(low, high);
    compose<T, by, forward, 4>(low, high);
    compose<T, by, forward, 8>(low, high);
    t = L::meet(L::join(carry, low), high);
  }
  carry = forward ? Lanes<T>::spread_last(t) : Lanes<T>::spread_first(t);
  return t;
}
#endif

/// Writes row = meet(join(marker, neighbours in `prev`, the pixel before in the direction of travel), mask), pixel after pixel,
/// to `out` and to `line`. `marker` may be `out`. Returns whether the row now differs from `marker`.
template <class T, By by, bool forward>
bool sweep_row(const T* marker, const T* mask, const T* prev, T* out, T* line, i32 width, bool eight) {
  using L = Lattice<T, by>;
  bool changed = false;
#ifdef MORPHO_LANES
  if constexpr (has_lanes<T>) {
    constexpr i32 n = Lanes<T>::count;
    __m128i carry = Lanes<T>::fill(L::bottom);
    __m128i same = _mm_set1_epi8(-1);
    const auto vertical = [&](i32 x, __m128i c, __m128i m) {
      __m128i t = L::join(c, load16(prev + x));
      if (eight) t = L::join(t, L::join(load16(prev + x - 1), load16(prev + x + 1)));
      return L::meet(t, m);
    };
    const auto block = [&](i32 x) {
      const __m128i c = load16(marker + x), m = load16(mask + x);
      const __m128i r = run_through<T, by, forward>(vertical(x, c, m), m, carry);
      store16(out + x, r);
      store16(line + x, r);
      same = _mm_and_si128(same, Lanes<T>::equal(r, c));
    };
    const auto tail = [&](i32 x) {  // the last, short block, by way of padded copies; its padding stays at the bottom
      T c[n], m[n];
      std::fill_n(c, n, L::bottom);
      std::fill_n(m, n, L::bottom);
      std::memcpy(c, marker + x, sizeof(T) * static_cast<std::size_t>(width - x));
      std::memcpy(m, mask + x, sizeof(T) * static_cast<std::size_t>(width - x));
      const __m128i cv = load16(c), mv = load16(m);
      const __m128i r = run_through<T, by, forward>(vertical(x, cv, mv), mv, carry);
      store16(c, r);
      std::memcpy(out + x, c, sizeof(T) * static_cast<std::size_t>(width - x));
      store16(line + x, r);
      same = _mm_and_si128(same, Lanes<T>::equal(r, cv));
    };
    const i32 whole = width / n * n;
    i32 wide = 0;  // pixels before it go in blocks of twice the size
    bool wide_same = true;
    const auto wide_blocks = [&] {
#ifdef MORPHO_WIDE_SWEEPS
      if (wide == 0) return;
      // A copy: what another function may write would have to lie in memory for all blocks.
      __m128i by_now = carry;
      wide_same = eight ? sweep_wide<T, by, forward, true>(marker, mask, prev, out, line, 0, wide, by_now)
                        : sweep_wide<T, by, forward, false>(marker, mask, prev, out, line, 0, wide, by_now);
      carry = by_now;
#endif
    };
#ifdef MORPHO_WIDE_SWEEPS
    if (has_wide_lanes()) wide = width / (2 * n) * (2 * n);
#endif
    if constexpr (forward) {
      wide_blocks();
      for (i32 x = wide; x < whole; x += n) block(x);
      if (whole < width) tail(whole);
    } else {
      if (whole < width) tail(whole);
      for (i32 x = whole - n; x >= wide; x -= n) block(x);
      wide_blocks();
    }
    return !(wide_same && all_set(same));
  }
#endif
  T carry = L::bottom;
  const auto pixel = [&](i32 x) {
    T t = L::join(marker[x], L::join(prev[x], carry));
    if (eight) t = L::join(t, L::join(prev[x - 1], prev[x + 1]));
    carry = L::meet(t, mask[x]);
    changed |= carry != marker[x];
    out[x] = line[x] = carry;
  };
  if constexpr (forward) {
    for (i32 x = 0; x < width; ++x) pixel(x);
  } else {
    for (i32 x = width - 1; x >= 0; --x) pixel(x);
  }
  return changed;
}

/// Calls raise(x, value) for pixels of row `mid` that a neighbour can still move to `value`, left to right. The three rows are
/// padded lines. `raise` may change the image but not the lines; pixels that become movable thereby are its business.
template <class T, By by, class Raise>
void find_movable(const T* up, const T* mid, const T* down, const T* mask, i32 width, bool eight, Raise&& raise) {
  using L = Lattice<T, by>;
  i32 x = 0;
#ifdef MORPHO_LANES
  if constexpr (has_lanes<T>) {
    constexpr i32 n = Lanes<T>::count;
    for (; x + n <= width; x += n) {
      const __m128i c = load16(mid + x);
      __m128i t = L::join(L::join(load16(up + x), load16(down + x)), L::join(load16(mid + x - 1), load16(mid + x + 1)));
      if (eight) {
        t = L::join(
            t, L::join(L::join(load16(up + x - 1), load16(up + x + 1)), L::join(load16(down + x - 1), load16(down + x + 1))));
      }
      const __m128i r = L::meet(L::join(t, c), load16(mask + x));
      if (all_set(Lanes<T>::equal(r, c))) continue;
      T value[n];
      store16(value, r);
      for (i32 k = 0; k < n; ++k) {
        if (value[k] != mid[x + k]) raise(x + k, value[k]);
      }
    }
  }
#endif
  for (; x < width; ++x) {
    T t = L::join(L::join(up[x], down[x]), L::join(mid[x - 1], mid[x + 1]));
    if (eight) t = L::join(t, L::join(L::join(up[x - 1], up[x + 1]), L::join(down[x - 1], down[x + 1])));
    const T r = L::meet(L::join(t, mid[x]), mask[x]);
    if (r != mid[x]) raise(x, r);
  }
}

}  // namespace morpho::cpu
