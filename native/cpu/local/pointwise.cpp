// Operations on one pixel at a time: threshold, combination of two images, affine scaling, square root.
#include <cmath>
#include <limits>
#include <type_traits>

#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace morpho::cpu {

namespace {

template <class Fn>
void for_rows(const Context& ctx, Extent e, Fn&& fn) {
  parallel_for(ctx, e.height, rows_per_piece(e.width), [&](i64 begin, i64 end, int) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) fn(y);
  });
}

/// out[x] = fn(a[x], b[x]). `out` may be a or b, so the compiler is told only that no iteration reads what another wrote.
template <class T, class O, class Fn>
void map2(const Context& ctx, const View<const T>& a, const View<const T>& b, const View<O>& out, Fn fn) {
  for_rows(ctx, a.extent, [&](i32 y) {
    const T *p = a.row(y), *q = b.row(y);
    O* o = out.row(y);
    const i32 n = a.width();
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (i32 x = 0; x < n; ++x) o[x] = static_cast<O>(fn(p[x], q[x]));
  });
}

template <class T, class O, class Fn>
void map1(const Context& ctx, const View<const T>& a, const View<O>& out, Fn fn) {
  for_rows(ctx, a.extent, [&](i32 y) {
    const T* __restrict p = a.row(y);
    O* __restrict o = out.row(y);
    const i32 n = a.width();
    for (i32 x = 0; x < n; ++x) o[x] = static_cast<O>(fn(p[x]));
  });
}

#if defined(__GNUC__) && !defined(__clang__)
#define MORPHO_IVDEP _Pragma("GCC ivdep")
#else
#define MORPHO_IVDEP
#endif
// The saturating ones of u8 and u16, written so that nothing is wider than a pixel, and for vectors as long as there are. The
// threshold is a saturating difference and a minimum: gcc widens the truth of a comparison to 32 bits.
#define MORPHO_PAIRS(name, T, expression)                          \
  MORPHO_CLONES void name(const T* a, const T* b, T* out, i32 n) { \
    MORPHO_IVDEP for (i32 x = 0; x < n; ++x) {                     \
      const T p = a[x], q = b[x];                                  \
      out[x] = static_cast<T>(expression);                         \
    }                                                              \
  }
#define MORPHO_SATURATING(T)                                                                    \
  MORPHO_PAIRS(subtract_##T, T, (p > q ? p : q) - q)                                            \
  MORPHO_PAIRS(difference_##T, T, (p > q ? p : q) - (p > q ? q : p))                            \
  MORPHO_PAIRS(saturating_add_##T, T, p + (q < static_cast<T>(~p) ? q : static_cast<T>(~p)))    \
  MORPHO_PAIRS(minimum_##T, T, p < q ? p : q)                                                   \
  MORPHO_PAIRS(maximum_##T, T, p > q ? p : q)                                                   \
  MORPHO_CLONES void threshold_##T(const T* __restrict f, u8* __restrict out, i32 n, T above) { \
    for (i32 x = 0; x < n; ++x) {                                                               \
      const T over = static_cast<T>((f[x] > above ? f[x] : above) - above);                     \
      out[x] = static_cast<u8>(over < 1 ? over : 1);                                            \
    }                                                                                           \
  }
MORPHO_SATURATING(u8)
MORPHO_SATURATING(u16)
#undef MORPHO_SATURATING
#undef MORPHO_PAIRS

/// clamp((v * multiply + add) >> shift, low, high), where v * multiply + add fits 32 bits for every v of the input's type.
#define MORPHO_SCALE(T, O)                                                                                       \
  MORPHO_CLONES void scale_row(const T* a, O* out, i32 n, i32 multiply, i32 add, i32 shift, i32 low, i32 high) { \
    MORPHO_IVDEP for (i32 x = 0; x < n; ++x) {                                                                   \
      const i32 v = (a[x] * multiply + add) >> shift, cut = v < high ? v : high;                                 \
      out[x] = static_cast<O>(cut > low ? cut : low);                                                            \
    }                                                                                                            \
  }
MORPHO_SCALE(u8, u8)
MORPHO_SCALE(u8, u16)
MORPHO_SCALE(u8, i32)
MORPHO_SCALE(u16, u8)
MORPHO_SCALE(u16, u16)
MORPHO_SCALE(u16, i32)
#undef MORPHO_SCALE

#if defined(__x86_64__) && defined(__GNUC__)
/// The same, and returns where it stopped. Four vectors are read before any is written, which memory likes better than turns.
__attribute__((target("avx2"))) i32 threshold_avx2(const u8* f, u8* out, i32 n, u8 above) {
  const __m256i level = _mm256_set1_epi8(static_cast<char>(above)), one = _mm256_set1_epi8(1);
  i32 x = 0;
  for (; x + 128 <= n; x += 128) {
    __m256i v[4];
    for (int i = 0; i < 4; ++i) v[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(f + x + 32 * i));
    for (auto& p : v) p = _mm256_min_epu8(_mm256_subs_epu8(p, level), one);
    for (int i = 0; i < 4; ++i) _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + x + 32 * i), v[i]);
  }
  return x;
}
void threshold_row(const u8* f, u8* out, i32 n, u8 above) {
  const i32 done = has_avx2() ? threshold_avx2(f, out, n, above) : 0;
  if (done < n) threshold_u8(f + done, out + done, n - done, above);
}
#else
void threshold_row(const u8* f, u8* out, i32 n, u8 above) { threshold_u8(f, out, n, above); }
#endif
void threshold_row(const u16* f, u8* out, i32 n, u16 above) { threshold_u16(f, out, n, above); }

/// True where `kind` is one of these, and done.
template <class T>
bool combine_saturating(const Context& ctx, const View<const T>& a, const View<const T>& b, const Plane& out, Combine kind) {
  if constexpr (sizeof(T) < 4) {
    using Row = void (*)(const T*, const T*, T*, i32);
    constexpr bool bytes = std::is_same_v<T, u8>;
    Row row = nullptr;
    if constexpr (bytes)
      row = kind == Combine::subtract     ? subtract_u8
            : kind == Combine::difference ? difference_u8
            : kind == Combine::add        ? saturating_add_u8
            : kind == Combine::minimum    ? minimum_u8
            : kind == Combine::maximum    ? maximum_u8
                                          : nullptr;
    else
      row = kind == Combine::subtract     ? subtract_u16
            : kind == Combine::difference ? difference_u16
            : kind == Combine::add        ? saturating_add_u16
            : kind == Combine::minimum    ? minimum_u16
            : kind == Combine::maximum    ? maximum_u16
                                          : nullptr;
    if (!row) return false;
    const View<T> to = out.view<T>();
    for_rows(ctx, a.extent, [&](i32 y) { row(a.row(y), b.row(y), to.row(y), a.width()); });
    return true;
  }
  return false;
}

template <class T>
void combine_typed(const Context& ctx, const View<const T>& a, const View<const T>& b, const Plane& out, Combine kind) {
  if (combine_saturating<T>(ctx, a, b, out, kind)) return;
  // i32 sums and differences are taken in i64 and saturate; u8 and u16 fit an i32, which vectorises better.
  using W = std::conditional_t<std::is_same_v<T, i32>, i64, i32>;
  constexpr W low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  const auto saturate = [](W v) { return v < low ? low : v > high ? high : v; };
  switch (kind) {
    case Combine::subtract:
      return map2(ctx, a, b, out.view<T>(), [=](T p, T q) { return p > q ? saturate(W{p} - W{q}) : W{0}; });
    case Combine::add: return map2(ctx, a, b, out.view<T>(), [=](T p, T q) { return saturate(W{p} + W{q}); });
    case Combine::minimum: return map2(ctx, a, b, out.view<T>(), [](T p, T q) { return p < q ? p : q; });
    case Combine::maximum: return map2(ctx, a, b, out.view<T>(), [](T p, T q) { return p > q ? p : q; });
    case Combine::difference:
      return map2(ctx, a, b, out.view<T>(), [=](T p, T q) { return saturate(p > q ? W{p} - W{q} : W{q} - W{p}); });
    case Combine::greater: return map2(ctx, a, b, out.view<u8>(), [](T p, T q) { return p > q; });
    case Combine::both: return map2(ctx, a, b, out.view<u8>(), [](T p, T q) { return (p != 0) & (q != 0); });
    case Combine::without: return map2(ctx, a, b, out.view<u8>(), [](T p, T q) { return (p != 0) & (q == 0); });
    case Combine::either: return map2(ctx, a, b, out.view<u8>(), [](T p, T q) { return (p != 0) | (q != 0); });
  }
}

bool fits_i32(i64 v) { return v == static_cast<i32>(v); }

i64 scaled(i64 value, const ScaleParams& p, i64 low, i64 high) {
  const i64 v = (value * p.multiply + p.add) >> p.shift;
  return v < low ? low : v > high ? high : v;
}

/// floor(sqrt(v)) for 0 <= v < 2^62: the double is off by one at most, and is set right.
i64 floor_sqrt(i64 v) {
  i64 r = static_cast<i64>(std::sqrt(static_cast<double>(v)));
  r -= r * r > v;
  r += (r + 1) * (r + 1) <= v;
  return r;
}

}  // namespace

// Memory: none. Cost: one pass.
void threshold(Context& ctx, ConstPlane f, Plane out, const ThresholdParams& p) {
  op::threshold::check(f, out, p);
  visit_pixel_type(f.type, [&](auto t) {
    using T = decltype(t);
    // Compared in the pixel's own type, so that a vector holds as many pixels as it can.
    const i32 low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    if (p.above < low) return map1(ctx, f.view<T>(), out.view<u8>(), [](T) { return 1; });
    if (p.above >= high) return map1(ctx, f.view<T>(), out.view<u8>(), [](T) { return 0; });
    const T above = static_cast<T>(p.above);
    if constexpr (sizeof(T) < 4) {
      const View<const T> from = f.view<T>();
      const View<u8> to = out.view<u8>();
      return for_rows(ctx, from.extent, [&](i32 y) { threshold_row(from.row(y), to.row(y), from.width(), above); });
    }
    map1(ctx, f.view<T>(), out.view<u8>(), [above](T v) { return v > above; });
  });
}

// Memory: none. Cost: one pass.
void combine(Context& ctx, ConstPlane a, ConstPlane b, Plane out, const CombineParams& p) {
  op::combine::check(a, b, out, p);
  visit_pixel_type(a.type, [&](auto t) {
    using T = decltype(t);
    combine_typed<T>(ctx, a.view<T>(), b.view<T>(), out, p.kind);
  });
}

// Memory: none. Cost: one pass, with vectors where 32 bits suffice; else a u8 input is mapped through a table of 256 results.
void scale(Context& ctx, ConstPlane a, Plane out, const ScaleParams& p) {
  op::scale::check(a, out, p);
  visit_pixel_type(a.type, [&](auto t) {
    visit_pixel_type(out.type, [&](auto o) {
      using T = decltype(t);
      using O = decltype(o);
      const i64 low = std::numeric_limits<O>::min(), high = std::numeric_limits<O>::max();
      const View<const T> in = a.view<T>();
      if constexpr (sizeof(T) < 4) {
        const i64 most = i64{std::numeric_limits<T>::max()} * p.multiply;  // and the sum lies between `add` and `most + add`
        if (fits_i32(most) && fits_i32(p.add) && fits_i32(most + p.add)) {
          const View<O> to = out.view<O>();
          return for_rows(ctx, in.extent, [&](i32 y) {
            scale_row(in.row(y), to.row(y), in.width(), p.multiply, static_cast<i32>(p.add), p.shift, static_cast<i32>(low),
                      static_cast<i32>(high));
          });
        }
      }
      if constexpr (std::is_same_v<T, u8>) {
        O table[256];
        for (i32 v = 0; v < 256; ++v) table[v] = static_cast<O>(scaled(v, p, low, high));
        map2(ctx, in, in, out.view<O>(), [&](T v, T) { return table[v]; });
      } else {
        map2(ctx, in, in, out.view<O>(), [&](T v, T) { return scaled(v, p, low, high); });
      }
    });
  });
}

// Memory: none. Cost: one pass with a square root a pixel.
void root(Context& ctx, ConstPlane a, Plane out, const RootParams& p) {
  op::root::check(a, out, p);
  const View<const i32> in = a.view<i32>();
  const auto one = [&](i32 v) { return v <= 0 ? i64{0} : floor_sqrt(static_cast<i64>(p.scale) * v); };
  if (out.type == PixelType::u16) {
    map1(ctx, in, out.view<u16>(), [&](i32 v) {
      const i64 r = one(v);
      return r > 65535 ? 65535 : r;
    });
  } else {
    map2(ctx, in, in, out.view<i32>(), [&](i32 v, i32) { return one(v); });  // below 2^31: the square root of less than 2^62
  }
}

}  // namespace morpho::cpu
