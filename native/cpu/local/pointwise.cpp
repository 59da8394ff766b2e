// Operations on one pixel at a time: threshold, combination of two images, affine scaling, square root.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

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
    widest([=](auto) MORPHO_INLINED { MORPHO_APART for (i32 x = 0; x < n; ++x) o[x] = static_cast<O>(fn(p[x], q[x])); });
  });
}

template <class T, class O, class Fn>
void map1(const Context& ctx, const View<const T>& a, const View<O>& out, Fn fn) {
  for_rows(ctx, a.extent, [&](i32 y) {
    const T* p = a.row(y);
    O* o = out.row(y);
    const i32 n = a.width();
    widest([=](auto) MORPHO_INLINED { MORPHO_APART for (i32 x = 0; x < n; ++x) o[x] = static_cast<O>(fn(p[x])); });
  });
}

/// The saturating ones of u8 and u16, written so that nothing is wider than a pixel.
template <Combine kind, class T>
MORPHO_INLINE void combine_saturating(const T* a, const T* b, T* out, i32 n) {
  MORPHO_APART for (i32 x = 0; x < n; ++x) {
    const T p = a[x], q = b[x], not_p = static_cast<T>(~p);
    out[x] = static_cast<T>(kind == Combine::subtract     ? larger(p, q) - q
                            : kind == Combine::difference ? larger(p, q) - smaller(p, q)
                            : kind == Combine::add        ? p + smaller(q, not_p)
                            : kind == Combine::minimum    ? smaller(p, q)
                                                          : larger(p, q));
  }
}
template <class T>
void combine_saturating(const T* a, const T* b, T* out, i32 n, Combine kind) {
  widest([=](auto) MORPHO_INLINED {
    switch (kind) {
      case Combine::subtract: return combine_saturating<Combine::subtract>(a, b, out, n);
      case Combine::difference: return combine_saturating<Combine::difference>(a, b, out, n);
      case Combine::add: return combine_saturating<Combine::add>(a, b, out, n);
      case Combine::minimum: return combine_saturating<Combine::minimum>(a, b, out, n);
      default: return combine_saturating<Combine::maximum>(a, b, out, n);
    }
  });
}

/// The threshold is a saturating difference and a minimum: gcc widens the truth of a comparison to 32 bits. Four vectors of
/// bytes are read before any is written, which memory likes better than turns.
template <int bytes, class T>
MORPHO_INLINE void threshold_row(const T* f, u8* out, i32 n, T above) {
  i32 x = 0;
  if constexpr (sizeof(T) == 1) {
    using V = Vec<u8, bytes>;
    const V level = fill<V>(above), one = fill<V>(u8{1});
    for (; x + 8 * bytes <= n; x += 8 * bytes) {
      V v[8];
      for (int i = 0; i < 8; ++i) v[i] = load<V>(f + x + bytes * i);
      for (int i = 0; i < 8; ++i) store(out + x + bytes * i, smaller(subtract_saturating(v[i], level), one));
    }
  }
  MORPHO_APART for (; x < n; ++x) {
    const T over = static_cast<T>(larger(f[x], above) - above);
    out[x] = static_cast<u8>(smaller(over, T{1}));
  }
}

/// clamp((v * multiply + add) >> shift, low, high), where v * multiply + add fits 32 bits for every v of the input's type.
template <class T, class O>
void scale_row(const T* a, O* out, i32 n, i32 multiply, i32 add, i32 shift, i32 low, i32 high) {
  widest([=](auto) MORPHO_INLINED {
    MORPHO_APART for (i32 x = 0; x < n; ++x) {
      const i32 v = (a[x] * multiply + add) >> shift, cut = v < high ? v : high;
      out[x] = static_cast<O>(cut > low ? cut : low);
    }
  });
}

template <class T>
void combine_typed(const Context& ctx, const View<const T>& a, const View<const T>& b, const Plane& out, Combine kind) {
  if constexpr (sizeof(T) < 4) {
    if (kind <= Combine::difference) {  // it is the last of the saturating ones
      const View<T> to = out.view<T>();
      return for_rows(ctx, a.extent, [&](i32 y) { combine_saturating(a.row(y), b.row(y), to.row(y), a.width(), kind); });
    }
  }
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
    case Combine::both:
      return map2(ctx, a, b, out.view<u8>(), [](T p, T q) { return p == 0 ? u8{0} : q == 0 ? u8{0} : u8{1}; });
    case Combine::without:
      return map2(ctx, a, b, out.view<u8>(), [](T p, T q) { return p == 0 ? u8{0} : q == 0 ? u8{1} : u8{0}; });
    case Combine::either: return map2(ctx, a, b, out.view<u8>(), [](T p, T q) { return (p | q) == 0 ? u8{0} : u8{1}; });
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

/// A u8 scaled to u16 without a shift, where no value leaves u16: 16 bits suffice, as what is beyond them is lost in the end.
MORPHO_INLINE void scale_row_u16(const u8* a, u16* out, i32 n, u16 multiply, u16 add) {
  MORPHO_APART for (i32 x = 0; x < n; ++x) out[x] = static_cast<u16>(static_cast<u16>(a[x] * multiply) + add);
}

/// Below it the square root of a whole number is so far from the next one up that its double has the same floor.
constexpr i64 kExactRoots = i64{1} << 52;

/// floor(sqrt(scale * a)), at most `most`, and 0 for a below 0. Most blocks of an image of distances are 0.
template <class O>
MORPHO_INLINE void root_row(const i32* a, O* out, i32 n, i32 scale, i32 most) {
  constexpr i32 kBlock = 32;
  const double by = scale;
  for (i32 x = 0; x < n; x += kBlock) {
    const i32 end = n - x < kBlock ? n : x + kBlock;
    i32 largest = 0;
    for (i32 i = x; i < end; ++i) largest = largest > a[i] ? largest : a[i];
    if (largest == 0) {
      std::fill_n(out + x, end - x, O{0});
    } else if (i64{scale} * largest < kExactRoots) {
      MORPHO_APART for (i32 i = x; i < end; ++i) {
        const i32 v = a[i] > 0 ? a[i] : 0, r = static_cast<i32>(__builtin_sqrt(v * by));
        out[i] = static_cast<O>(r < most ? r : most);
      }
    } else {
      for (i32 i = x; i < end; ++i) {
        const i64 r = a[i] <= 0 ? 0 : floor_sqrt(i64{scale} * a[i]);
        out[i] = static_cast<O>(r < most ? r : most);
      }
    }
  }
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
      return for_rows(ctx, from.extent, [&](i32 y) {
        widest([=, row = from.row(y), o = to.row(y), n = from.width()](auto bytes)
                   MORPHO_INLINED { threshold_row<bytes>(row, o, n, above); });
      });
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
void scale(Context& ctx, ConstPlane a, Plane out, const ScaleParams& asked) {
  op::scale::check(a, out, asked);
  ScaleParams p = asked;
  // A 1 that is more than the greatest already, as of masks, needs no greater factor: then 32 bits suffice for u8 and u16.
  if (p.add == 0 && p.shift == 0 && out.type != PixelType::i32) p.multiply = std::min(p.multiply, 65535);
  if (a.type == PixelType::u8 && out.type == PixelType::u16 && p.shift == 0) {
    const i64 at_most = i64{255} * p.multiply + p.add;
    if (std::min(p.add, at_most) >= 0 && std::max(p.add, at_most) <= 65535) {
      const View<const u8> in = a.view<u8>();
      const View<u16> to = out.view<u16>();
      return for_rows(ctx, in.extent, [&](i32 y) {
        widest([=, row = in.row(y), o = to.row(y), n = in.width(), m = static_cast<u16>(p.multiply),
                add = static_cast<u16>(p.add)](auto) MORPHO_INLINED { scale_row_u16(row, o, n, m, add); });
      });
    }
  }
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

// Memory: none. Cost: one pass with a square root a pixel, by vectors, except in blocks of zeros.
void root(Context& ctx, ConstPlane a, Plane out, const RootParams& p) {
  op::root::check(a, out, p);
  const View<const i32> in = a.view<i32>();
  const auto into = [&](auto to, i32 most) {
    for_rows(ctx, in.extent, [&](i32 y) {
      widest([=, from = in.row(y), o = to.row(y), n = in.width(), scale = p.scale](auto)
                 MORPHO_INLINED { root_row(from, o, n, scale, most); });
    });
  };
  if (out.type == PixelType::u16) into(out.view<u16>(), 65535);
  else into(out.view<i32>(), std::numeric_limits<i32>::max());  // the square root of less than 2^62 is less
}

}  // namespace morpho::cpu
