// One row of a box mean: running sums as prefix sums of the lanes, the division as a product and a shift.
#include "cpu/local/box_mean_rows.hpp"

#include "cpu/local/reciprocal.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {
namespace {

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

template <int bytes>
MORPHO_INLINE void differences(Vec<u32, bytes>* d, const u32* enter, const u32* leave) {
  using V = Vec<u32, bytes>;
  for (int i = 0; i < 4; ++i) d[i] = load<V>(enter + bytes / 4 * i) - load<V>(leave + bytes / 4 * i);
}
template <int bytes>
MORPHO_INLINE void differences(Vec<u32, bytes>* d, const u16* enter, const u16* leave) {
  using V = Vec<i16, bytes>;
  i16 both[2 * bytes / 2];
  for (int i = 0; i < 2; ++i) store(both + bytes / 2 * i, load<V>(enter + bytes / 2 * i) - load<V>(leave + bytes / 2 * i));
  for (int i = 0; i < 4; ++i) d[i] = (Vec<u32, bytes>)load_wide<Vec<i32, bytes>>(both + bytes / 4 * i);
}

/// The lanes of even number of a, those of odd number of b.
template <class V, int... i>
MORPHO_INLINE V even_and_odd(V a, V b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, (i % 2 == 0 ? i : static_cast<int>(sizeof...(i)) + i)...);
}

/// The same, `bytes` pixels a step; returns where it stopped. Needs by.shift >= 32, so a count above 1.
template <int bytes, class T, class C>
MORPHO_INLINE i32 inner_by_vectors(T* out, const C* column, i32 r, i32 from, i32 to, u32& t, const Reciprocal& by) {
  using V = Vec<u32, bytes>;
  using Product = Vec<u64, bytes>;
  const Product multiply = fill<Product>(u64{by.multiply});
  const int shift = by.shift;
  V carry = fill<V>(t);
  i32 x = from;
  for (; x + bytes <= to; x += bytes) {
    V v[4];
    differences<bytes>(v, column + x + r, column + x - r - 1);
    for (auto& s : v) {
      s += moved<4, true>(s, V{});
      s += moved<8, true>(s, V{});
      if constexpr (bytes == 32) s += __builtin_shufflevector(s, s, 3, 3, 3, 3, 3, 3, 3, 3) & V{0, 0, 0, 0, ~0u, ~0u, ~0u, ~0u};
      // What is waited for from one step to the next is one addition only.
      const V total = spread_last(s);
      s += carry;
      carry += total;
      const Product even = multiply_low((Product)s, multiply), odd = multiply_low((Product)s >> 32, multiply);
      // The odd quotients stand in the upper halves; what is left below them is the even ones' place.
      s = even_and_odd((V)(even >> shift), (V)(odd >> (shift - 32)), LaneNumbers<V>{});
    }
    using Half = Vec<u16, bytes>;
    const Half low = narrow<Half>(v[0], v[1]), high = narrow<Half>(v[2], v[3]);
    if constexpr (sizeof(T) == 1) {
      const auto w = (V)narrow<Vec<u8, bytes>>(low, high);
      if constexpr (bytes == 32) store(out + x, __builtin_shufflevector(w, w, 0, 4, 1, 5, 2, 6, 3, 7));
      else store(out + x, w);
    } else {
      store(out + x, quarters_in_order(low));
      store(out + x + bytes / 2, quarters_in_order(high));
    }
  }
  t = carry[0];
  return x;
}

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
    if (count > 1) {
      x = widest([=, &t, &by](auto bytes)
                     MORPHO_INLINED { return inner_by_vectors<bytes>(out, column, r, x, inner_end, t, by); });
    }
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
