// The sums of concentrations, a stain after the other, or all three at once by AVX2.
#include "stain_sums.hpp"

#include <algorithm>

#include "cpu/runtime/simd.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define MORPHO_HAS_AVX2_CODE 1
#endif

namespace morpho::cpu {

using namespace objects;

namespace {

/// A concentration is below 2^21 (rows up to 2^24, at most 2464/1024 OD in each of three channels), so so many squares fit an
/// i64.
constexpr i64 kSquares = i64{1} << 20;

StainSums one_after_the_other(const Run* runs, const Run* end, const View<const Rgba>& rgba, const ObjectStainTables& tables) {
  constexpr i32 most = static_cast<i32>(kSquares);
  StainSums all;
  for (const Run* r = runs; r != end; ++r) {
    const Rgba* row = rgba.row(r->y);
    for (i32 x0 = r->x0; x0 < r->x1; x0 += std::min(most, r->x1 - x0)) {
      const i32 x1 = x0 + std::min(most, r->x1 - x0);
      for (int s = 0; s < 3; ++s) {
        const auto& t = tables.of[s];
        i64 sum = 0, square = 0, low = all.low[s], high = all.high[s];
        for (i32 x = x0; x < x1; ++x) {
          const i64 q = (t[0][row[x].r] + t[1][row[x].g] + t[2][row[x].b]) >> 16;
          sum += q;
          square += q * q;
          low = std::min(low, q);
          high = std::max(high, q);
        }
        all.sum[s] += sum;
        all.square[s] += square;
        all.low[s] = low;
        all.high[s] = high;
      }
    }
  }
  return all;
}

}  // namespace

/// The stains' entries of one value of a channel; the fourth is unused.
struct alignas(32) StainAdder::Lanes {
  i64 stain[4];
};

#ifdef MORPHO_HAS_AVX2_CODE
namespace {

/// AVX2 shifts 64 bits without their sign. This much more is in each sum of three entries, so that none is below 0.
constexpr i64 kRaised = i64{1} << 40;

/// `lanes`: [channel][value], with kRaised in the first channel.
__attribute__((target("avx2"))) StainSums all_at_once(const Run* runs, const Run* end, const View<const Rgba>& rgba,
                                                      const i64* lanes) {
  const auto entry = [&](int channel, u8 value) __attribute__((target("avx2"), always_inline)) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(lanes + 4 * (256 * channel + value)));
  };
  const __m256i raised = _mm256_set1_epi64x(kRaised >> 16);
  __m256i low = _mm256_set1_epi32(INT32_MAX), high = _mm256_set1_epi32(INT32_MIN);
  StainSums all;
  const Run* r = runs;
  for (i32 from = runs->x0; r != end;) {
    __m256i sum = _mm256_setzero_si256(), square = sum;
    for (i64 room = kSquares; r != end && room > 0;) {
      const Rgba* row = rgba.row(r->y);
      const i32 to = static_cast<i32>(std::min<i64>(r->x1, from + room));
      for (i32 x = from; x < to; ++x) {
        const __m256i raised_sum = _mm256_add_epi64(_mm256_add_epi64(entry(0, row[x].r), entry(1, row[x].g)),
                                                    entry(2, row[x].b));
        const __m256i q = _mm256_sub_epi64(_mm256_srli_epi64(raised_sum, 16), raised);
        sum = _mm256_add_epi64(sum, q);
        square = _mm256_add_epi64(square, _mm256_mul_epi32(q, q));
        low = _mm256_min_epi32(low, q);
        high = _mm256_max_epi32(high, q);
      }
      room -= to - from;
      from = to;
      if (to == r->x1 && ++r != end) from = r->x0;
    }
    alignas(32) i64 sums[4], squares[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(sums), sum);
    _mm256_store_si256(reinterpret_cast<__m256i*>(squares), square);
    for (int s = 0; s < 3; ++s) all.sum[s] += sums[s], all.square[s] += squares[s];
  }
  // Of each stain the lower half: the upper one is its sign.
  alignas(32) i32 lows[8], highs[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lows), low);
  _mm256_store_si256(reinterpret_cast<__m256i*>(highs), high);
  for (int s = 0; s < 3; ++s) all.low[s] = lows[2 * s], all.high[s] = highs[2 * s];
  return all;
}

}  // namespace
#endif

StainAdder::StainAdder(const ObjectStainTables& tables) : tables_(tables) {
#ifdef MORPHO_HAS_AVX2_CODE
  if (!has_avx2()) return;
  lanes_ = std::make_unique<Lanes[]>(3 * 256);
  for (int c = 0; c < 3; ++c) {
    for (int v = 0; v < 256; ++v) {
      for (int s = 0; s < 3; ++s) lanes_[256 * c + v].stain[s] = tables.of[s][c][v] + (c == 0 ? kRaised : 0);
    }
  }
#endif
}

StainAdder::~StainAdder() = default;

StainSums StainAdder::sums(const Run* runs, const Run* end, const View<const Rgba>& rgba) const {
#ifdef MORPHO_HAS_AVX2_CODE
  if (lanes_ && runs != end) return all_at_once(runs, end, rgba, lanes_[0].stain);
#endif
  return one_after_the_other(runs, end, rgba, tables_);
}

}  // namespace morpho::cpu
