// Medians of 3×3, 5×5 and 7×7 windows for a vector of pixels at a time, by forgetful selection.
#include "cpu/local/median_small.hpp"

#include "cpu/runtime/simd.hpp"

// Forgetful selection: of n values, hold n/2 + 2; the least and the greatest of those cannot be the median of all, so drop both
// and take one more value in; after the last value three are held, and the middle one is the median. Each step is a fixed set
// of compare-exchanges, so it runs on whole vectors of pixels without a branch. Values are held in an array that the compiler
// keeps in registers as far as they go, because every index is known when it is compiled.

namespace morpho::cpu {

namespace {

template <class V>
MORPHO_INLINE void exchange(V& a, V& b) {
  const V low = smaller(a, b);
  b = larger(a, b);
  a = low;
}

/// Moves the least of v[0 .. K-1] to v[0] and the greatest to v[K-1].
template <int K, class V>
MORPHO_INLINE void extremes(V* v) {
#pragma GCC unroll 32
  for (int i = 0; i < K / 2; ++i) exchange(v[i], v[K - 1 - i]);
#pragma GCC unroll 32
  for (int i = 1; i < (K + 1) / 2; ++i) exchange(v[0], v[i]);
#pragma GCC unroll 32
  for (int i = K / 2; i < K - 1; ++i) exchange(v[i], v[K - 1]);
}

template <int R, class V, class T>
MORPHO_INLINE V value(const T* const* rows, i32 x, int i) {
  return load<V>(rows[i / (2 * R + 1)] + x + i % (2 * R + 1));
}

/// Drops two of the K held values and takes in value `Next`, until three are held.
template <int R, int K, int Next, class V, class T>
MORPHO_INLINE void forget(V* v, const T* const* rows, i32 x) {
  extremes<K>(v);
  if constexpr (K > 3) {
    v[0] = value<R, V>(rows, x, Next);
    forget<R, K - 1, Next + 1>(v, rows, x);
  }
}

template <int R, class V, class T>
MORPHO_INLINE void row(T* out, const T* const* rows, i32 n) {
  constexpr int count = (2 * R + 1) * (2 * R + 1), held = count / 2 + 2;
  constexpr i32 lanes = sizeof(V) / sizeof(T);
  for (i32 x = 0; x < n; x += lanes) {
    const i32 at = x + lanes <= n ? x : n - lanes;  // the last vector overlaps the one before it
    V v[held];
#pragma GCC unroll 32
    for (int i = 0; i < held; ++i) v[i] = value<R, V>(rows, at, i);
    forget<R, held, held>(v, rows, at);
    store(out + at, v[1]);
  }
}

template <class T>
void row_of(T* out, const T* const* rows, i32 n, i32 r) {
  widest([=](auto bytes) MORPHO_INLINED {
    using V = Vec<T, bytes>;
    r == 1 ? row<1, V>(out, rows, n) : r == 2 ? row<2, V>(out, rows, n) : row<3, V>(out, rows, n);
  });
}

}  // namespace

void median_row(u8* out, const u8* const* rows, i32 n, i32 r) { row_of(out, rows, n, r); }
void median_row(u16* out, const u16* const* rows, i32 n, i32 r) { row_of(out, rows, n, r); }

}  // namespace morpho::cpu
