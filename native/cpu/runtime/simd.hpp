// Vectors of pixels by the vector types of GCC and clang, and row loops compiled for the longest that the processor may have.
#pragma once
#include <atomic>
#include <cstring>
#include <type_traits>
#include <utility>

#include "contract/view.hpp"
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// Vectors of 32 bytes are passed between inlined functions only: the warning, how they are passed elsewhere, says nothing.
#pragma GCC diagnostic ignored "-Wpsabi"
#if defined(__clang__)
// Not every loop that MORPHO_APART stands before has vectors that gain.
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/// What a row loop consists of, as functions and as lambdas: inlined into widest(), it is compiled for each instruction set.
#define MORPHO_INLINED __attribute__((always_inline))
#define MORPHO_INLINE inline MORPHO_INLINED

/// Before a loop: no iteration reads what another wrote. What a row loop is told by __restrict is lost where it is inlined.
#if defined(__clang__)
#define MORPHO_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define MORPHO_APART _Pragma("GCC ivdep")
#endif

namespace morpho::cpu {

using i16 = std::int16_t;
using u32 = std::uint32_t;

inline bool processor_has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}
inline std::atomic<bool> avx2_runs{processor_has_avx2()};
/// Whether loops for AVX2 may run: asked once a row, so one value. What runs before it is set runs without.
inline bool has_avx2() { return avx2_runs.load(std::memory_order_relaxed); }
/// Tests take AVX2 away, to hold what is computed without it against what is computed with it.
inline void take_avx2_away(bool away) { avx2_runs = !away && processor_has_avx2(); }

#if defined(__x86_64__)
#define MORPHO_AVX2 __attribute__((target("avx2")))
template <class Loop>
MORPHO_AVX2 auto in_avx2(Loop loop) {
  return loop(std::integral_constant<int, 32>{});
}
#endif

/// loop(bytes) with the bytes of the longest vectors, a constant: 32 and compiled for AVX2 where the processor has it, else 16.
/// To be called once a row: [=](auto bytes) MORPHO_INLINED { a MORPHO_INLINE function, by its values }.
template <class Loop>
inline auto widest(Loop loop) {
#if defined(__x86_64__)
  if (has_avx2()) return in_avx2(loop);
#endif
  return loop(std::integral_constant<int, 16>{});
}

template <class T, int bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
};
/// So many bytes of T as one value. The operators of C work on all lanes, and a comparison sets all bits of a lane or none.
template <class T, int bytes = 16>
using Vec = typename VectorOf<T, bytes>::type;

/// Where sweeps go by vectors: SSE2 has neither maximum nor minimum of 32 bits.
template <class T>
inline constexpr bool has_lanes = sizeof(T) < 4;

template <class V>
MORPHO_INLINE V load(const void* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class V>
MORPHO_INLINE void store(void* p, V v) {
  std::memcpy(p, &v, sizeof v);
}
#if defined(__x86_64__)
template <class V, class T>
MORPHO_AVX2 inline void fill_avx2(V& out, T v) {
  out = V{} + v;
}
MORPHO_AVX2 inline void subtract_saturating_avx2(Vec<u8, 32>& a, const Vec<u8, 32>& b) {
  a = (Vec<u8, 32>)_mm256_subs_epu8((__m256i)a, (__m256i)b);
}
MORPHO_AVX2 inline void subtract_saturating_avx2(Vec<u16, 32>& a, const Vec<u16, 32>& b) {
  a = (Vec<u16, 32>)_mm256_subs_epu16((__m256i)a, (__m256i)b);
}
MORPHO_AVX2 inline void add_saturating_avx2(Vec<u16, 32>& a, const Vec<u16, 32>& b) {
  a = (Vec<u16, 32>)_mm256_adds_epu16((__m256i)a, (__m256i)b);
}
#endif
/// An integer in all lanes.
template <class V, class T>
MORPHO_INLINE V fill(T v) {
#if defined(__x86_64__)
  if constexpr (sizeof(V) == 32) {
    V out;
    return fill_avx2(out, v), out;
  }
#endif
  return V{} + v;
}
template <class V>
MORPHO_INLINE V larger(V a, V b) {
  return a > b ? a : b;
}
/// a - b, at least 0.
template <class V>
MORPHO_INLINE V subtract_saturating(V a, V b) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<V, Vec<u8, 32>> || std::is_same_v<V, Vec<u16, 32>>) return subtract_saturating_avx2(a, b), a;
  if constexpr (std::is_same_v<V, Vec<u8>>) return (V)_mm_subs_epu8((__m128i)a, (__m128i)b);
  if constexpr (std::is_same_v<V, Vec<u16>>) return (V)_mm_subs_epu16((__m128i)a, (__m128i)b);
#endif
  return larger(a, b) - b;
}
template <class V>
MORPHO_INLINE V smaller(V a, V b) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<V, Vec<u16>>) return a - subtract_saturating(a, b);  // SSE2 has no minimum of them
#endif
  return a < b ? a : b;
}

template <class V>
using LaneOf = std::remove_reference_t<decltype(std::declval<V&>()[0])>;
template <class V>
using LaneNumbers = std::make_integer_sequence<int, static_cast<int>(sizeof(V) / sizeof(LaneOf<V>))>;

template <int lane, class V, int... i>
MORPHO_INLINE V spread(V v, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(v, v, (lane + 0 * i)...);
}
/// The last (first) lane in all lanes.
template <class V>
MORPHO_INLINE V spread_last(V v) {
  return spread<static_cast<int>(LaneNumbers<V>::size()) - 1>(v, LaneNumbers<V>{});
}
template <class V>
MORPHO_INLINE V spread_first(V v) {
  return spread<0>(v, LaneNumbers<V>{});
}

template <int first, class V, int... i>
MORPHO_INLINE auto run_of_lanes(V a, V b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, (first + i)...);
}
/// The lower (0) or upper (1) 16 bytes of 32.
template <int which, class V>
MORPHO_INLINE auto half(V v) {
  using Half = Vec<LaneOf<V>>;
  if constexpr (sizeof(V) == 16) return v;
  else return run_of_lanes<which* static_cast<int>(LaneNumbers<Half>::size())>(v, v, LaneNumbers<Half>{});
}
template <class V>
MORPHO_INLINE auto joined(V lower, V upper) {
  return run_of_lanes<0>(lower, upper, LaneNumbers<Vec<LaneOf<V>, 32>>{});
}

// What follows has an instruction on some processors that neither compiler makes of the vector types. Of 32 bytes it is by
// reference, as clang has none of them in arguments to a function for AVX2.

/// a + b, at most the type's maximum.
template <class V>
MORPHO_INLINE V add_saturating(V a, V b) {
  static_assert(sizeof(LaneOf<V>) == 2);
#if defined(__x86_64__)
  if constexpr (sizeof(V) == 32) return add_saturating_avx2(a, b), a;
  else return (V)_mm_adds_epu16((__m128i)a, (__m128i)b);
#else
  return a + smaller(b, ~a);
#endif
}
/// The highest bit of each byte, from the lowest byte up; on other processors each byte is to have all bits set or none.
template <class V>
MORPHO_INLINE unsigned bits_of(V v) {
  static_assert(sizeof(V) == 16);
#if defined(__x86_64__)
  return static_cast<unsigned>(_mm_movemask_epi8((__m128i)v));
#else
  const Vec<u8> own = (Vec<u8>)v & Vec<u8>{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
#if defined(__aarch64__)
  const uint8x16_t bits = (uint8x16_t)own;
  return static_cast<unsigned>(vaddv_u8(vget_low_u8(bits)) | vaddv_u8(vget_high_u8(bits)) << 8);
#else
  unsigned bits = 0;
  for (int i = 0; i < 16; ++i) bits |= static_cast<unsigned>(own[i]) << i / 8 * 8;
  return bits;
#endif
#endif
}

#if defined(__x86_64__)
MORPHO_AVX2 inline bool all_set_avx2(const Vec<u8, 32>& v) { return _mm256_movemask_epi8((__m256i)v) == -1; }
#endif
/// Whether a comparison holds in all lanes.
template <class V>
MORPHO_INLINE bool all_set(V v) {
#if defined(__x86_64__)
  if constexpr (sizeof(V) == 32) return all_set_avx2((Vec<u8, 32>)v);
  else return bits_of(v) == 0xFFFF;
#elif defined(__aarch64__)
  return vminvq_u8((uint8x16_t)v) == 0xFF;
#else
  const Vec<u64> words = (Vec<u64>)v;
  return (words[0] & words[1]) == ~u64{0};
#endif
}

#if defined(__x86_64__)
MORPHO_AVX2 inline void add_products_avx2(Vec<i32, 32>& sum, const Vec<i16, 32>& a, const Vec<i16, 32>& b) {
  sum = (Vec<i32, 32>)((Vec<u32, 32>)sum + (Vec<u32, 32>)_mm256_madd_epi16((__m256i)a, (__m256i)b));
}
MORPHO_AVX2 inline void multiply_low_avx2(Vec<u64, 32>& a, const Vec<u64, 32>& b) {
  a = (Vec<u64, 32>)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}
MORPHO_AVX2 inline void multiply_low_avx2(Vec<i64, 32>& a, const Vec<i64, 32>& b) {
  a = (Vec<i64, 32>)_mm256_mul_epi32((__m256i)a, (__m256i)b);
}
MORPHO_AVX2 inline void narrow_avx2(Vec<u8, 32>& out, const Vec<u16, 32>& a, const Vec<u16, 32>& b) {
  out = (Vec<u8, 32>)_mm256_packus_epi16((__m256i)a, (__m256i)b);
}
MORPHO_AVX2 inline void narrow_avx2(Vec<u16, 32>& out, const Vec<u32, 32>& a, const Vec<u32, 32>& b) {
  out = (Vec<u16, 32>)_mm256_packus_epi32((__m256i)a, (__m256i)b);
}
MORPHO_AVX2 inline void widen_avx2(Vec<u16, 32>& out, const Vec<u8>& v) {
  out = (Vec<u16, 32>)_mm256_cvtepu8_epi16((__m128i)v);
}
MORPHO_AVX2 inline void widen_avx2(Vec<i32, 32>& out, const Vec<i16>& v) {
  out = (Vec<i32, 32>)_mm256_cvtepi16_epi32((__m128i)v);
}
#endif

/// sum[i] + a[2i] * b[2i] + a[2i + 1] * b[2i + 1], modulo 2^32.
template <class S, class V>
MORPHO_INLINE S add_products(S sum, V a, V b) {
#if defined(__x86_64__)
  if constexpr (sizeof(V) == 32) add_products_avx2(sum, a, b);
  else sum = (S)((Vec<u32>)sum + (Vec<u32>)_mm_madd_epi16((__m128i)a, (__m128i)b));
  return sum;
#else
  using U = Vec<u32, sizeof(S)>;
  const S x = (S)a, y = (S)b;
  return (S)((U)sum + (U)(((x << 16) >> 16) * ((y << 16) >> 16)) + (U)((x >> 16) * (y >> 16)));
#endif
}
/// The products of the lower halves of 64 bits, signed as the lanes are.
template <class V>
MORPHO_INLINE V multiply_low(V a, V b) {
#if defined(__x86_64__)
  if constexpr (sizeof(V) == 32) return multiply_low_avx2(a, b), a;
  else if constexpr (std::is_same_v<V, Vec<u64>>) return (V)_mm_mul_epu32((__m128i)a, (__m128i)b);
#elif defined(__aarch64__)
  if constexpr (std::is_same_v<V, Vec<u64>>) return (V)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
#endif
  return ((a << 32) >> 32) * ((b << 32) >> 32);
}

template <class Out, class V, int... i>
MORPHO_INLINE Out narrow_by_shuffle(V a, V b, std::integer_sequence<int, i...>) {
  constexpr int n = sizeof...(i), each = 16 / sizeof(LaneOf<Out>);  // lanes, and those of 16 bytes
  return __builtin_shufflevector((Out)a, (Out)b, ((i % each < each / 2 ? 0 : n) + i / each * each + i % each * 2 % each)...);
}
/// Values of 0 to the greatest as lanes of half the size: in each half of 16 bytes those of a, then those of b.
template <class Out, class V>
MORPHO_INLINE Out narrow(V a, V b) {
  Out out;
#if defined(__x86_64__)
  if constexpr (sizeof(V) == 32) return narrow_avx2(out, a, b), out;
  else if constexpr (sizeof(LaneOf<V>) == 2) return (Out)_mm_packus_epi16((__m128i)a, (__m128i)b);
#endif
  return out = narrow_by_shuffle<Out>(a, b, LaneNumbers<Out>{});
}
/// The same of a comparison.
MORPHO_INLINE Vec<u8> narrow_mask(Vec<i16> a, Vec<i16> b) {
#if defined(__x86_64__)
  return (Vec<u8>)_mm_packs_epi16((__m128i)a, (__m128i)b);
#else
  return narrow<Vec<u8>>((Vec<u16>)a, (Vec<u16>)b);
#endif
}
MORPHO_INLINE Vec<i16> narrow_mask(Vec<i32> a, Vec<i32> b) {
#if defined(__x86_64__)
  return (Vec<i16>)_mm_packs_epi32((__m128i)a, (__m128i)b);
#else
  return (Vec<i16>)narrow<Vec<u16>>((Vec<u32>)a, (Vec<u32>)b);
#endif
}
/// What two steps of narrow(), or one, leave in order in each half only: the quarters 0, 2, 1, 3.
template <class V>
MORPHO_INLINE V quarters_in_order(V v) {
  if constexpr (sizeof(V) == 16) return v;
  else return (V)__builtin_shufflevector((Vec<u64, 32>)v, (Vec<u64, 32>)v, 0, 2, 1, 3);
}

/// Half as many bytes from p on, as lanes of twice the size.
template <class V, class T>
MORPHO_INLINE V load_wide(const T* p) {
#if defined(__x86_64__)
  if constexpr (sizeof(V) == 32) {
    V out;
    return widen_avx2(out, load<Vec<T>>(p)), out;
  } else {
    const __m128i v = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
    if constexpr (sizeof(T) == 1) return (V)_mm_unpacklo_epi8(v, _mm_setzero_si128());
    else return (V)_mm_unpacklo_epi16(v, v) >> 16;
  }
#elif defined(__aarch64__)
  if constexpr (sizeof(T) == 1) return (V)vmovl_u8(vld1_u8(p));
  else return (V)vmovl_s16(vld1_s16(p));
#else
  return __builtin_convertvector((load<Vec<T, sizeof(V) / 2>>(p)), V);
#endif
}

template <bool upper, class V, int... i>
MORPHO_INLINE V zipped(V a, V b, std::integer_sequence<int, i...>) {
  constexpr int n = sizeof...(i), each = 16 / sizeof(LaneOf<V>);
  return __builtin_shufflevector(a, b, (i % 2 * n + i / each * each + i % each / 2 + (upper ? each / 2 : 0))...);
}
/// Lanes of a and b by turns, of the lower or the upper part of each half of 16 bytes.
template <bool upper, class V>
MORPHO_INLINE V zipped(V a, V b) {
  return zipped<upper>(a, b, LaneNumbers<V>{});
}

/// Each half of 16 bytes moved by `by` bytes, up (towards its last lane) or down; as many of `in` come in from the other side.
template <int by, bool up, class V, int... i>
MORPHO_INLINE V moved(V v, V in, std::integer_sequence<int, i...>) {
  using Bytes = Vec<u8, sizeof(V)>;
  constexpr int n = sizeof(V);
#if defined(__x86_64__)
  if constexpr (n == 16) {  // SSE2 shifts bytes, and GCC finds no shuffle for it
    const __m128i a = (__m128i)v, b = (__m128i)in;
    if constexpr (up) return (V)_mm_or_si128(_mm_slli_si128(a, by), _mm_srli_si128(b, 16 - by));
    else return (V)_mm_or_si128(_mm_srli_si128(a, by), _mm_slli_si128(b, 16 - by));
  } else
#endif
      if constexpr (up) {
    return (V)__builtin_shufflevector((Bytes)in, (Bytes)v, (i % 16 < by ? i + 16 - by : n + i - by)...);
  } else {
    return (V)__builtin_shufflevector((Bytes)v, (Bytes)in, (i % 16 < 16 - by ? i + by : n + i - 16 + by)...);
  }
}
template <int by, bool up, class V>
MORPHO_INLINE V moved(V v, V in) {
  return moved<by, up>(v, in, std::make_integer_sequence<int, sizeof(V)>{});
}

}  // namespace morpho::cpu
