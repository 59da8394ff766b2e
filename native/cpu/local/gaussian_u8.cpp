// Sums over taps, 16 pixels and two taps a step: 16-bit sums of mirrored taps, multiplied and added in pairs.
#include "cpu/local/gaussian_u8.hpp"

#include "cpu/runtime/simd.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define MORPHO_TAP_PAIRS 1
#endif

namespace morpho::cpu {
namespace {

void sum_taps_one(u8* out, const u8* const* before, const u8* const* after, const u8* mid, i32 radius,
                  const std::uint32_t* weight, i32 from, i32 n) {
  for (i32 i = from; i < n; ++i) {
    std::uint32_t sum = 32768u + weight[0] * mid[i];
    for (i32 k = 1; k <= radius; ++k) sum += weight[k] * (std::uint32_t{before[k][i]} + after[k][i]);
    out[i] = static_cast<u8>(sum >> 16);
  }
}

}  // namespace

bool has_tap_pairs(const std::uint32_t* weight, i32 radius) {
#ifdef MORPHO_TAP_PAIRS
  for (i32 k = 0; k <= radius; ++k) {
    if (weight[k] > 32767) return false;
  }
  return has_avx2();
#else
  return false;
#endif
}

#ifdef MORPHO_TAP_PAIRS
__attribute__((target("avx2"))) void sum_taps_pairs(u8* out, const u8* const* before, const u8* const* after, const u8* mid,
                                                    i32 radius, const std::uint32_t* weight, i32 n) {
  i32 x = 0;
  for (; x + 32 <= n; x += 32) {
    const auto load = [&](const u8* p) __attribute__((target("avx2"), always_inline)) {
      return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + x)));
    };
    __m256i sum[4];
    for (auto& s : sum) s = _mm256_set1_epi32(32768);
    const auto add = [&](int half, __m256i a, __m256i b, __m256i w) __attribute__((target("avx2"), always_inline)) {
      sum[2 * half] = _mm256_add_epi32(sum[2 * half], _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), w));
      sum[2 * half + 1] = _mm256_add_epi32(sum[2 * half + 1], _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), w));
    };
    const auto pair = [&](std::uint32_t a, std::uint32_t b) __attribute__((target("avx2"), always_inline)) {
      return _mm256_set1_epi32(static_cast<int>(a | b << 16));
    };
    // The middle goes with the first pair, an odd last pair with nothing.
    const __m256i first = pair(weight[0], radius >= 1 ? weight[1] : 0);
    for (int half = 0; half < 2; ++half) {
      const __m256i beside = radius >= 1 ? _mm256_add_epi16(load(before[1] + 16 * half), load(after[1] + 16 * half))
                                         : _mm256_setzero_si256();
      add(half, load(mid + 16 * half), beside, first);
    }
    for (i32 k = 2; k <= radius; k += 2) {
      const bool both = k < radius;
      const __m256i w = pair(weight[k], both ? weight[k + 1] : 0);
      const u8 *b = before[both ? k + 1 : k], *a = after[both ? k + 1 : k];
      for (int half = 0; half < 2; ++half) {
        add(half, _mm256_add_epi16(load(before[k] + 16 * half), load(after[k] + 16 * half)),
            _mm256_add_epi16(load(b + 16 * half), load(a + 16 * half)), w);
      }
    }
    for (auto& s : sum) s = _mm256_srli_epi32(s, 16);
    const __m256i low = _mm256_packus_epi32(sum[0], sum[1]), high = _mm256_packus_epi32(sum[2], sum[3]);
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xD8);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + x), bytes);
  }
  sum_taps_one(out, before, after, mid, radius, weight, x, n);
}
#else
void sum_taps_pairs(u8* out, const u8* const* before, const u8* const* after, const u8* mid, i32 radius,
                    const std::uint32_t* weight, i32 n) {
  sum_taps_one(out, before, after, mid, radius, weight, 0, n);
}
#endif

}  // namespace morpho::cpu
