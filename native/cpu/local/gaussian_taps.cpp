// Sums over taps, two taps a step, multiplied and added in pairs: of u8 16-bit sums of mirrored taps.
#include "cpu/local/gaussian_taps.hpp"

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
    // The middle goes with the first pair, an odd last pair with nothing. A weight of more than 15 bits is two.
    for (int k = 0; k < 2; ++k) {
      const V middle = load_wide<V>(mid + x + half * k), beside = radius >= 1 ? two(before[1], after[1], k) : V{};
      const u32 first = radius >= 1 ? weight[1] : 0;
      if (weight[0] > 32767) {
        add(k, middle, middle, weight[0] / 2 | (weight[0] - weight[0] / 2) << 16);
        add(k, beside, V{}, first);
      } else {
        add(k, middle, beside, weight[0] | first << 16);
      }
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

/// The same of u16, whose products take 32 bits: mirrored taps in pairs, each value less 2^15, so that it is signed. Blocks of
/// which all taps are 0, as between objects, are 0.
template <int bytes>
MORPHO_INLINE i32 sum_mirrored(u16* out, const u16* const* before, const u16* const* after, const u16* mid, i32 radius,
                               const u32* weight, i32 n) {
  using V = Vec<u16, bytes>;
  using Signed = Vec<i16, bytes>;
  using Sum = Vec<i32, bytes>;
  constexpr i32 lanes = bytes / 2;
  u32 total = weight[0];
  for (i32 k = 1; k <= radius; ++k) total += 2 * weight[k];
  const V half = fill<V>(u16{32768});
  const Sum start = (Sum)fill<Vec<u32, bytes>>(32768u + total * 32768u);  // modulo 2^32, as all sums
  // The middle is its own mirrored tap, with half of its weight each, which 15 bits hold.
  const auto middle = (Signed)fill<Vec<u32, bytes>>(weight[0] / 2 | (weight[0] - weight[0] / 2) << 16);
  i32 x = 0;
  for (; x + lanes <= n; x += lanes) {
    V any = load<V>(mid + x);
    for (i32 k = 1; k <= radius; ++k) any |= load<V>(before[k] + x) | load<V>(after[k] + x);
    if (all_set(any == V{})) {
      store(out + x, V{});
      continue;
    }
    Sum low = start, high = start;
    const auto add = [&](const u16* a, const u16* b, Signed weights) MORPHO_INLINED {
      const V p = load<V>(a + x) ^ half, q = load<V>(b + x) ^ half;
      low = add_products(low, (Signed)zipped<false>(p, q), weights);
      high = add_products(high, (Signed)zipped<true>(p, q), weights);
    };
    add(mid, mid, middle);
    for (i32 k = 1; k <= radius; ++k) add(before[k], after[k], (Signed)fill<Vec<u32, bytes>>(weight[k] * 65537u));
    using Wide = Vec<u32, bytes>;
    store(out + x, narrow<V>((Wide)low >> 16, (Wide)high >> 16));
  }
  return x;
}

template <class T>
void sum_rest(T* out, const T* const* before, const T* const* after, const T* mid, i32 radius, const u32* weight, i32 begin,
              i32 n) {
  for (i32 i = begin; i < n; ++i) {
    u32 sum = 32768u + weight[0] * mid[i];
    for (i32 k = 1; k <= radius; ++k) sum += weight[k] * (u32{before[k][i]} + after[k][i]);
    out[i] = static_cast<T>(sum >> 16);
  }
}

}  // namespace

bool has_tap_pairs(const u32* weight, i32 radius) {
  for (i32 k = 1; k <= radius; ++k) {
    if (weight[k] > 32767) return false;
  }
  return weight[0] <= 65534;
}

void sum_taps_pairs(u8* out, const u8* const* before, const u8* const* after, const u8* mid, i32 radius, const u32* weight,
                    i32 n) {
  const i32 begin = widest([=](auto bytes)
                               MORPHO_INLINED { return sum_pairs<bytes>(out, before, after, mid, radius, weight, n); });
  sum_rest(out, before, after, mid, radius, weight, begin, n);
}

void sum_taps_pairs(u16* out, const u16* const* before, const u16* const* after, const u16* mid, i32 radius, const u32* weight,
                    i32 n) {
  const i32 begin = widest([=](auto bytes)
                               MORPHO_INLINED { return sum_mirrored<bytes>(out, before, after, mid, radius, weight, n); });
  sum_rest(out, before, after, mid, radius, weight, begin, n);
}

}  // namespace morpho::cpu
