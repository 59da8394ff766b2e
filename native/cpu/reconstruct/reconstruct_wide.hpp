// Blocks of a reconstruction sweep's row, 32 bytes at once where the processor has AVX2.
#pragma once
#include "contract/ops.hpp"
#include "cpu/runtime/lanes.hpp"
#include "cpu/runtime/simd.hpp"

#if defined(MORPHO_LANES) && defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define MORPHO_WIDE_SWEEPS 1
#define MORPHO_WIDE __attribute__((target("avx2")))
#define MORPHO_WIDE_INLINE __attribute__((target("avx2"), always_inline)) inline

namespace morpho::cpu {

inline bool has_wide_lanes() { return has_avx2(); }

template <class T, By by>
struct WideLattice {
  static MORPHO_WIDE_INLINE __m256i larger(__m256i a, __m256i b) {
    if constexpr (sizeof(T) == 1) return _mm256_max_epu8(a, b);
    else return _mm256_max_epu16(a, b);
  }
  static MORPHO_WIDE_INLINE __m256i smaller(__m256i a, __m256i b) {
    if constexpr (sizeof(T) == 1) return _mm256_min_epu8(a, b);
    else return _mm256_min_epu16(a, b);
  }
  static MORPHO_WIDE_INLINE __m256i join(__m256i a, __m256i b) { return by == By::dilation ? larger(a, b) : smaller(a, b); }
  static MORPHO_WIDE_INLINE __m256i meet(__m256i a, __m256i b) { return by == By::dilation ? smaller(a, b) : larger(a, b); }
  static MORPHO_WIDE_INLINE __m256i equal(__m256i a, __m256i b) {
    if constexpr (sizeof(T) == 1) return _mm256_cmpeq_epi8(a, b);
    else return _mm256_cmpeq_epi16(a, b);
  }
};

MORPHO_WIDE_INLINE __m256i load32(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
MORPHO_WIDE_INLINE void store32(void* p, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }
MORPHO_WIDE_INLINE bool all_set(__m256i v) { return _mm256_movemask_epi8(v) == -1; }

/// As shift() of reconstruct_rows.hpp, in each half by itself; `fill`: what comes in, all bits set or none.
template <int bytes, bool forward, bool fill>
MORPHO_WIDE_INLINE __m256i shift_halves(__m256i v) {
  const __m256i ones = _mm256_set1_epi8(-1);
  if constexpr (forward) {
    const __m256i moved = _mm256_slli_si256(v, bytes);
    return fill ? _mm256_or_si256(moved, _mm256_srli_si256(ones, 16 - bytes)) : moved;
  } else {
    const __m256i moved = _mm256_srli_si256(v, bytes);
    return fill ? _mm256_or_si256(moved, _mm256_slli_si256(ones, 16 - bytes)) : moved;
  }
}

/// A step of the parallel prefix over clamps (compose() of reconstruct_rows.hpp), in each half by itself.
template <class T, By by, bool forward, int bytes>
MORPHO_WIDE_INLINE void compose_halves(__m256i& low, __m256i& high) {
  using L = WideLattice<T, by>;
  const __m256i l = shift_halves<bytes, forward, by == By::erosion>(low);
  const __m256i h = shift_halves<bytes, forward, by == By::dilation>(high);
  const __m256i next = L::meet(L::join(h, low), high);
  low = L::meet(L::join(l, low), high);
  high = next;
}

/// sweep_row()'s pixels [begin, end), whole blocks of 32 bytes, in the direction of travel. carry: the pixel before in all
/// lanes, as it goes in and comes out. Returns whether all are `marker`'s.
template <class T, By by, bool forward, bool eight>
MORPHO_WIDE bool sweep_wide(const T* marker, const T* mask, const T* prev, T* out, T* line, i32 begin, i32 end,
                            __m128i& carry) {
  using L = WideLattice<T, by>;
  constexpr int size = sizeof(T), n = 32 / size;
  __m128i before = carry;
  __m256i same = _mm256_set1_epi8(-1);
  for (i32 x = forward ? begin : end - n; forward ? x < end : x >= begin; x += forward ? n : -n) {
    const __m256i c = load32(marker + x), m = load32(mask + x);
    __m256i t = L::join(c, load32(prev + x));
    if constexpr (eight) t = L::join(t, L::join(load32(prev + x - 1), load32(prev + x + 1)));
    t = L::meet(t, m);
    // As in run_through(): where one step moves nothing no number of steps would.
    const __m256i outside = _mm256_broadcastsi128_si256(before);
    __m256i shifted;
    if constexpr (forward) shifted = _mm256_alignr_epi8(t, _mm256_permute2x128_si256(outside, t, 0x20), 16 - size);
    else shifted = _mm256_alignr_epi8(_mm256_permute2x128_si256(t, outside, 0x21), t, size);
    const __m256i once = L::meet(L::join(t, shifted), m);
    if (!all_set(L::equal(once, t))) {
      // The prefix of both halves at once, which wait for nothing; then what comes in goes through the one and the other.
      __m256i low = t, high = m;
      if constexpr (size == 1) compose_halves<T, by, forward, 1>(low, high);
      compose_halves<T, by, forward, 2>(low, high);
      compose_halves<T, by, forward, 4>(low, high);
      compose_halves<T, by, forward, 8>(low, high);
      const auto through = [&](__m128i in, int half) __attribute__((target("avx2"), always_inline)) {
        const __m128i l = half ? _mm256_extracti128_si256(low, 1) : _mm256_castsi256_si128(low);
        const __m128i h = half ? _mm256_extracti128_si256(high, 1) : _mm256_castsi256_si128(high);
        const __m256i r = L::meet(L::join(_mm256_castsi128_si256(in), _mm256_castsi128_si256(l)), _mm256_castsi128_si256(h));
        return _mm256_castsi256_si128(r);
      };
      if constexpr (forward) {
        const __m128i first = through(before, 0);
        t = _mm256_set_m128i(through(Lanes<T>::spread_last(first), 1), first);
      } else {
        const __m128i first = through(before, 1);
        t = _mm256_set_m128i(first, through(Lanes<T>::spread_first(first), 0));
      }
    }
    before = forward ? Lanes<T>::spread_last(_mm256_extracti128_si256(t, 1))
                     : Lanes<T>::spread_first(_mm256_castsi256_si128(t));
    store32(out + x, t);
    store32(line + x, t);
    same = _mm256_and_si256(same, L::equal(t, c));
  }
  carry = before;
  return all_set(same);
}

}  // namespace morpho::cpu
#endif
