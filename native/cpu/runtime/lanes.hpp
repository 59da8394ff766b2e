// Sixteen bytes of pixels as one value, on SSE2: what the sweeps over rows are written with. Other machines use plain loops.
#pragma once
#include "contract/view.hpp"
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define MORPHO_LANES 1
#endif

namespace morpho::cpu {

/// True where Lanes<T> exists on this machine.
template <class T>
inline constexpr bool has_lanes = false;

#ifdef MORPHO_LANES
template <class T>
struct Lanes;

template <>
struct Lanes<u8> {
  static constexpr int count = 16;
  static __m128i fill(u8 v) { return _mm_set1_epi8(static_cast<char>(v)); }
  static __m128i larger(__m128i a, __m128i b) { return _mm_max_epu8(a, b); }
  static __m128i smaller(__m128i a, __m128i b) { return _mm_min_epu8(a, b); }
  static __m128i equal(__m128i a, __m128i b) { return _mm_cmpeq_epi8(a, b); }
  /// The last (first) lane in all lanes.
  static __m128i spread_last(__m128i v) {
    v = _mm_shufflehi_epi16(_mm_unpackhi_epi8(v, v), 0xFF);
    return _mm_unpackhi_epi64(v, v);
  }
  static __m128i spread_first(__m128i v) {
    v = _mm_shufflelo_epi16(_mm_unpacklo_epi8(v, v), 0x00);
    return _mm_unpacklo_epi64(v, v);
  }
};

template <>
struct Lanes<u16> {
  static constexpr int count = 8;
  static __m128i fill(u16 v) { return _mm_set1_epi16(static_cast<short>(v)); }
  // SSE2 has no unsigned 16-bit max and min; saturating subtraction gives both.
  static __m128i larger(__m128i a, __m128i b) { return _mm_adds_epu16(_mm_subs_epu16(a, b), b); }
  static __m128i smaller(__m128i a, __m128i b) { return _mm_sub_epi16(a, _mm_subs_epu16(a, b)); }
  static __m128i equal(__m128i a, __m128i b) { return _mm_cmpeq_epi16(a, b); }
  static __m128i spread_last(__m128i v) {
    v = _mm_shufflehi_epi16(v, 0xFF);
    return _mm_unpackhi_epi64(v, v);
  }
  static __m128i spread_first(__m128i v) {
    v = _mm_shufflelo_epi16(v, 0x00);
    return _mm_unpacklo_epi64(v, v);
  }
};
template <>
inline constexpr bool has_lanes<u8> = true;
template <>
inline constexpr bool has_lanes<u16> = true;

inline __m128i load16(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
inline void store16(void* p, __m128i v) { _mm_storeu_si128(static_cast<__m128i*>(p), v); }
inline bool all_set(__m128i v) { return _mm_movemask_epi8(v) == 0xFFFF; }
#endif

}  // namespace morpho::cpu
