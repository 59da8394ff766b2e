// Medians of 3×3, 5×5 and 7×7 windows for a vector of pixels at a time, by forgetful selection.
#include "cpu/local/median_small.hpp"

#include <cstring>

#include "cpu/runtime/simd.hpp"

// Forgetful selection: of n values, hold n/2 + 2; the least and the greatest of those cannot be the median of all, so drop both
// and take one more value in; after the last value three are held, and the middle one is the median. Each step is a fixed set
// of compare-exchanges, so it runs on whole vectors of pixels without a branch. Values are held in an array that the compiler
// keeps in registers as far as they go, because every index is known when it is compiled.

namespace morpho::cpu {

namespace {

#define MORPHO_INLINE inline __attribute__((always_inline))

typedef u8 Pixels8 __attribute__((vector_size(32)));
typedef u16 Pixels16 __attribute__((vector_size(32)));

template <class V>
MORPHO_INLINE void exchange(V& a, V& b) {
  const V low = a < b ? a : b, high = a < b ? b : a;
  a = low;
  b = high;
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
MORPHO_INLINE void load(V& v, const T* const* rows, i32 x, int i) {
  std::memcpy(&v, rows[i / (2 * R + 1)] + x + i % (2 * R + 1), sizeof v);
}

/// Drops two of the K held values and takes in value `Next`, until three are held.
template <int R, int K, int Next, class V, class T>
MORPHO_INLINE void forget(V* v, const T* const* rows, i32 x) {
  extremes<K>(v);
  if constexpr (K > 3) {
    load<R>(v[0], rows, x, Next);
    forget<R, K - 1, Next + 1>(v, rows, x);
  }
}

template <int R, class V, class T>
MORPHO_INLINE void row(T* out, const T* const* rows, i32 n) {
  constexpr int count = (2 * R + 1) * (2 * R + 1), held = count / 2 + 2;
  constexpr i32 lanes = kMedianLanes<T>;
  for (i32 x = 0; x < n; x += lanes) {
    const i32 at = x + lanes <= n ? x : n - lanes;  // the last vector overlaps the one before it
    V v[held];
#pragma GCC unroll 32
    for (int i = 0; i < held; ++i) load<R>(v[i], rows, at, i);
    forget<R, held, held>(v, rows, at);
    std::memcpy(out + at, &v[1], sizeof v[1]);
  }
}

MORPHO_CLONES void row8_1(u8* out, const u8* const* rows, i32 n) { row<1, Pixels8>(out, rows, n); }
MORPHO_CLONES void row8_2(u8* out, const u8* const* rows, i32 n) { row<2, Pixels8>(out, rows, n); }
MORPHO_CLONES void row8_3(u8* out, const u8* const* rows, i32 n) { row<3, Pixels8>(out, rows, n); }
MORPHO_CLONES void row16_1(u16* out, const u16* const* rows, i32 n) { row<1, Pixels16>(out, rows, n); }
MORPHO_CLONES void row16_2(u16* out, const u16* const* rows, i32 n) { row<2, Pixels16>(out, rows, n); }
MORPHO_CLONES void row16_3(u16* out, const u16* const* rows, i32 n) { row<3, Pixels16>(out, rows, n); }

}  // namespace

void median_row(u8* out, const u8* const* rows, i32 n, i32 r) { (r == 1 ? row8_1 : r == 2 ? row8_2 : row8_3)(out, rows, n); }
void median_row(u16* out, const u16* const* rows, i32 n, i32 r) {
  (r == 1 ? row16_1 : r == 2 ? row16_2 : row16_3)(out, rows, n);
}

}  // namespace morpho::cpu
