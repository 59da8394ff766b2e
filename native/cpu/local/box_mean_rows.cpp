// One row of a box mean: running sums as prefix sums of eight lanes, the division as a product and a shift.
#include "cpu/local/box_mean_rows.hpp"

#include "cpu/local/reciprocal.hpp"
#include "cpu/runtime/simd.hpp"
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define MORPHO_PREFIX_SUMS 1
#endif

namespace morpho::cpu {
namespace {

using u32 = std::uint32_t;

// Throughout, t = sum + count / 2: floor((2 sum + count) / (2 count)) = floor(t / count), since an odd count's half is below 1.

/// Pixels [from, to) whose windows lie inside the row: t enters as that of from - 1, and leaves as that of to - 1.
template <class T, class C>
i32 inner_plain(T* out, const C* column, i32 r, i32 from, i32 to, u32& t, const Reciprocal& by) {
  for (i32 x = from; x < to; ++x) {
    t += static_cast<u32>(column[x + r]) - static_cast<u32>(column[x - r - 1]);
    out[x] = static_cast<T>(by.divide(t));
  }
  return to;
}

#ifdef MORPHO_PREFIX_SUMS
#define MORPHO_AVX2 __attribute__((target("avx2")))
#define MORPHO_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline

MORPHO_AVX2_INLINE void differences(__m256i* d, const u32* enter, const u32* leave) {
  for (int i = 0; i < 4; ++i) {
    d[i] = _mm256_sub_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(enter + 8 * i)),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(leave + 8 * i)));
  }
}
MORPHO_AVX2_INLINE void differences(__m256i* d, const std::uint16_t* enter, const std::uint16_t* leave) {
  for (int i = 0; i < 2; ++i) {
    const __m256i both = _mm256_sub_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(enter + 16 * i)),
                                          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(leave + 16 * i)));
    d[2 * i] = _mm256_cvtepi16_epi32(_mm256_castsi256_si128(both));
    d[2 * i + 1] = _mm256_cvtepi16_epi32(_mm256_extracti128_si256(both, 1));
  }
}

/// The same, 32 pixels a step; returns where it stopped. Needs by.shift >= 32, so a count above 1.
template <class T, class C>
MORPHO_AVX2 i32 inner_avx2(T* out, const C* column, i32 r, i32 from, i32 to, u32& t, const Reciprocal& by) {
  const __m256i multiply = _mm256_set1_epi32(static_cast<int>(by.multiply)), third = _mm256_set1_epi32(3),
                last = _mm256_set1_epi32(7);
  [[maybe_unused]] const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7),
                                 upper = _mm256_setr_epi32(0, 0, 0, 0, -1, -1, -1, -1);
  const __m128i shift = _mm_cvtsi32_si128(by.shift), less = _mm_cvtsi32_si128(by.shift - 32);
  __m256i carry = _mm256_set1_epi32(static_cast<int>(t));
  i32 x = from;
  for (; x + 32 <= to; x += 32) {
    __m256i v[4];
    differences(v, column + x + r, column + x - r - 1);
    for (auto& s : v) {
      s = _mm256_add_epi32(s, _mm256_slli_si256(s, 4));
      s = _mm256_add_epi32(s, _mm256_slli_si256(s, 8));
      s = _mm256_add_epi32(s, _mm256_and_si256(_mm256_permutevar8x32_epi32(s, third), upper));
      // What is waited for from one step to the next is one addition only.
      const __m256i total = _mm256_permutevar8x32_epi32(s, last);
      s = _mm256_add_epi32(s, carry);
      carry = _mm256_add_epi32(carry, total);
      const __m256i even = _mm256_mul_epu32(s, multiply), odd = _mm256_mul_epu32(_mm256_srli_epi64(s, 32), multiply);
      // The odd quotients stand in the upper halves; what is left below them is the even ones' place.
      s = _mm256_blend_epi32(_mm256_srl_epi64(even, shift), _mm256_srl_epi64(odd, less), 0xAA);
    }
    const __m256i low = _mm256_packus_epi32(v[0], v[1]), high = _mm256_packus_epi32(v[2], v[3]);
    if constexpr (sizeof(T) == 1) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + x),
                          _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), in_order));
    } else {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + x), _mm256_permute4x64_epi64(low, 0xD8));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + x + 16), _mm256_permute4x64_epi64(high, 0xD8));
    }
  }
  t = static_cast<u32>(_mm256_cvtsi256_si32(carry));
  return x;
}
#endif

template <class T, class C>
void mean_row(T* out, const C* column, i32 n, i32 r, i32 rows) {
  u32 sum = 0;
  for (i32 x = 0; x < r && x < n; ++x) sum += column[x];
  const auto end = [&](i32 x) {
    if (x + r < n) sum += column[x + r];
    if (x - r - 1 >= 0) sum -= column[x - r - 1];
    const i32 first = x - r > 0 ? x - r : 0, last = x + r < n ? x + r : n - 1;
    const u32 count = static_cast<u32>(last - first + 1) * static_cast<u32>(rows);
    out[x] = static_cast<T>((sum + count / 2) / count);
  };
  i32 x = 0;
  for (; x <= r && x < n; ++x) end(x);
  const i32 inner_end = n - r;
  if (x < inner_end) {
    const u32 count = static_cast<u32>(2 * r + 1) * static_cast<u32>(rows);
    const Reciprocal by(count);
    u32 t = sum + count / 2;
#ifdef MORPHO_PREFIX_SUMS
    if (has_avx2() && count > 1) x = inner_avx2(out, column, r, x, inner_end, t, by);
#endif
    x = inner_plain(out, column, r, x, inner_end, t, by);
    sum = t - count / 2;
  }
  for (; x < n; ++x) end(x);
}

}  // namespace

void mean_row_u8(u8* out, const std::uint16_t* column, i32 n, i32 r, i32 rows) { mean_row(out, column, n, r, rows); }
void mean_row_u8(u8* out, const std::uint32_t* column, i32 n, i32 r, i32 rows) { mean_row(out, column, n, r, rows); }
void mean_row_u16(u16* out, const std::uint32_t* column, i32 n, i32 r, i32 rows) { mean_row(out, column, n, r, rows); }

}  // namespace morpho::cpu
