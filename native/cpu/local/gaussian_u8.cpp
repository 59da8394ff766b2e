// Sums over taps, two taps a step: 16-bit sums of mirrored taps, multiplied and added in pairs.
#include "cpu/local/gaussian_u8.hpp"

#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {
namespace {

/// Whole vectors from 0 on; returns where it stopped.
template <int bytes>
MORPHO_INLINE i32 sum_pairs(u8* out, const u8* const* before, const u8* const* after, const u8* mid, i32 radius,
                            const u32* weight, i32 n) {
  using V = Vec<u16, bytes>;
  using Sum = Vec<i32, bytes>;
  constexpr i32 half = bytes / 2;  // pixels of a V
  i32 x = 0;
  for (; x + bytes <= n; x += bytes) {
    const auto two = [&](const u8* b, const u8* a, int k)
                         MORPHO_INLINED { return load_wide<V>(b + x + half * k) + load_wide<V>(a + x + half * k); };
    Sum sum[4];
    for (auto& s : sum) s = fill<Sum>(i32{32768});
    const auto add = [&](int k, V a, V b, u32 w) MORPHO_INLINED {
      const auto weights = (Vec<i16, bytes>)fill<Vec<u32, bytes>>(w);
      sum[2 * k] = add_products(sum[2 * k], (Vec<i16, bytes>)zipped<false>(a, b), weights);
      sum[2 * k + 1] = add_products(sum[2 * k + 1], (Vec<i16, bytes>)zipped<true>(a, b), weights);
    };
    // The middle goes with the first pair, an odd last pair with nothing.
    for (int k = 0; k < 2; ++k) {
      const V beside = radius >= 1 ? two(before[1], after[1], k) : V{};
      add(k, load_wide<V>(mid + x + half * k), beside, weight[0] | (radius >= 1 ? weight[1] << 16 : 0));
    }
    for (i32 i = 2; i <= radius; i += 2) {
      const i32 j = i < radius ? i + 1 : i;
      const u32 w = weight[i] | (i < radius ? weight[j] << 16 : 0);
      for (int k = 0; k < 2; ++k) add(k, two(before[i], after[i], k), two(before[j], after[j], k), w);
    }
    Vec<u32, bytes> v[4];
    for (int k = 0; k < 4; ++k) v[k] = (Vec<u32, bytes>)sum[k] >> 16;
    const auto bytes_of_halves = narrow<Vec<u8, bytes>>(narrow<V>(v[0], v[1]), narrow<V>(v[2], v[3]));
    store(out + x, quarters_in_order(bytes_of_halves));
  }
  return x;
}

}  // namespace

bool has_tap_pairs(const u32* weight, i32 radius) {
  for (i32 k = 0; k <= radius; ++k) {
    if (weight[k] > 32767) return false;
  }
  return true;
}

void sum_taps_pairs(u8* out, const u8* const* before, const u8* const* after, const u8* mid, i32 radius, const u32* weight,
                    i32 n) {
  const i32 begin = widest([=](auto bytes)
                               MORPHO_INLINED { return sum_pairs<bytes>(out, before, after, mid, radius, weight, n); });
  for (i32 i = begin; i < n; ++i) {
    u32 sum = 32768u + weight[0] * mid[i];
    for (i32 k = 1; k <= radius; ++k) sum += weight[k] * (u32{before[k][i]} + after[k][i]);
    out[i] = static_cast<u8>(sum >> 16);
  }
}

}  // namespace morpho::cpu
