// The sums of concentrations, a stain after the other, or all three at once by AVX2.
#include "stain_sums.hpp"

#include <algorithm>

#include "cpu/runtime/simd.hpp"

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

namespace {

/// AVX2 shifts 64 bits without their sign. This much more is in each sum of three entries, so that none is below 0.
constexpr i64 kRaised = i64{1} << 40;

/// `lanes`: [channel][value], with kRaised in the first channel. The four lanes of AVX2: two times two would gain nothing.
MORPHO_INLINE StainSums all_at_once(const Run* runs, const Run* end, const View<const Rgba>& rgba, const i64* lanes) {
  using V = Vec<u64, 32>;
  using Values = Vec<i32, 32>;
  const auto entry = [&](int channel, u8 value) MORPHO_INLINED { return load<V>(lanes + 4 * (256 * channel + value)); };
  Values low = fill<Values>(INT32_MAX), high = fill<Values>(INT32_MIN);
  StainSums all;
  const Run* r = runs;
  for (i32 from = runs->x0; r != end;) {
    V sum = {}, square = {};
    for (i64 room = kSquares; r != end && room > 0;) {
      const Rgba* row = rgba.row(r->y);
      const i32 to = static_cast<i32>(std::min<i64>(r->x1, from + room));
      for (i32 x = from; x < to; ++x) {
        const V q = ((entry(0, row[x].r) + entry(1, row[x].g) + entry(2, row[x].b)) >> 16) - fill<V>(u64{kRaised >> 16});
        sum += q;
        square += (V)multiply_low((Vec<i64, 32>)q, (Vec<i64, 32>)q);
        low = smaller(low, (Values)q);
        high = larger(high, (Values)q);
      }
      room -= to - from;
      from = to;
      if (to == r->x1 && ++r != end) from = r->x0;
    }
    for (int s = 0; s < 3; ++s) all.sum[s] += static_cast<i64>(sum[s]), all.square[s] += static_cast<i64>(square[s]);
  }
  // Of each stain the lower half: the upper one is its sign.
  for (int s = 0; s < 3; ++s) all.low[s] = low[2 * s], all.high[s] = high[2 * s];
  return all;
}

}  // namespace

StainAdder::StainAdder(const ObjectStainTables& tables) : tables_(tables) {
  if (!has_avx2()) return;
  lanes_ = std::make_unique<Lanes[]>(3 * 256);
  for (int c = 0; c < 3; ++c) {
    for (int v = 0; v < 256; ++v) {
      for (int s = 0; s < 3; ++s) lanes_[256 * c + v].stain[s] = tables.of[s][c][v] + (c == 0 ? kRaised : 0);
    }
  }
}

StainAdder::~StainAdder() = default;

StainSums StainAdder::sums(const Run* runs, const Run* end, const View<const Rgba>& rgba) const {
  if (lanes_ && runs != end) {
    return widest([=, &rgba, this](auto bytes) MORPHO_INLINED {
      if constexpr (bytes == 32) return all_at_once(runs, end, rgba, lanes_[0].stain);
      else return one_after_the_other(runs, end, rgba, tables_);
    });
  }
  return one_after_the_other(runs, end, rgba, tables_);
}

}  // namespace morpho::cpu
