// Operations on one pixel at a time, on the GPU: threshold, combination of two images, affine scaling, square root.
#include <limits>

#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/map.cuh"

namespace morpho::gpu {

namespace {

struct Above {
  i32 level;
  template <class T>
  __device__ bool operator()(T v, T) const {
    return static_cast<i32>(v) > level;
  }
};

/// The arithmetic combinations; sums and differences of i32 are taken in i64 and saturate.
struct Arithmetic {
  Combine kind;
  template <class T>
  __device__ T operator()(T p, T q) const {
    using W = std::conditional_t<std::is_same_v<T, i32>, i64, i32>;
    constexpr W low = std::is_same_v<T, i32> ? -2147483648LL : 0, high = std::is_same_v<T, i32>  ? 2147483647LL
                                                                         : std::is_same_v<T, u8> ? 255
                                                                                                 : 65535;
    const auto saturate = [=](W v) { return static_cast<T>(v < low ? low : v > high ? high : v); };
    switch (kind) {
      case Combine::subtract: return p > q ? saturate(W{p} - W{q}) : T{0};
      case Combine::add: return saturate(W{p} + W{q});
      case Combine::minimum: return p < q ? p : q;
      case Combine::maximum: return p > q ? p : q;
      default: return saturate(p > q ? W{p} - W{q} : W{q} - W{p});
    }
  }
};
struct Logic {
  Combine kind;
  template <class T>
  __device__ bool operator()(T p, T q) const {
    switch (kind) {
      case Combine::greater: return p > q;
      case Combine::both: return (p != 0) & (q != 0);
      case Combine::without: return (p != 0) & (q == 0);
      default: return (p != 0) | (q != 0);
    }
  }
};
struct Affine {
  i64 multiply, add, low, high;
  i32 shift;
  template <class T>
  __device__ i64 operator()(T value, T) const {
    const i64 v = (static_cast<i64>(value) * multiply + add) >> shift;
    return v < low ? low : v > high ? high : v;
  }
};
/// floor(sqrt(scale * v)): the double is off by one at most, and is set right.
struct Root {
  i64 scale, high;
  __device__ i64 operator()(i32 value, i32) const {
    if (value <= 0) return 0;
    const i64 v = scale * value;
    i64 r = static_cast<i64>(sqrt(static_cast<double>(v)));
    r -= r * r > v;
    r += (r + 1) * (r + 1) <= v;
    return r > high ? high : r;
  }
};

}  // namespace

// Memory: none. Cost: one pass. sync: none.
void threshold(Context& ctx, ConstPlane f, Plane out, const ThresholdParams& p) {
  op::threshold::check(f, out, p);
  visit_pixel_type(f.type, [&](auto t) {
    using T = decltype(t);
    map_pixels(ctx, f.view<T>(), f.view<T>(), out.view<u8>(), Above{p.above});
  });
}

// Memory: none. Cost: one pass. sync: none.
void combine(Context& ctx, ConstPlane a, ConstPlane b, Plane out, const CombineParams& p) {
  op::combine::check(a, b, out, p);
  visit_pixel_type(a.type, [&](auto t) {
    using T = decltype(t);
    if (p.kind >= Combine::greater) map_pixels(ctx, a.view<T>(), b.view<T>(), out.view<u8>(), Logic{p.kind});
    else map_pixels(ctx, a.view<T>(), b.view<T>(), out.view<T>(), Arithmetic{p.kind});
  });
}

// Memory: none. Cost: one pass. sync: none.
void scale(Context& ctx, ConstPlane a, Plane out, const ScaleParams& p) {
  op::scale::check(a, out, p);
  visit_pixel_type(a.type, [&](auto t) {
    using T = decltype(t);
    visit_pixel_type(out.type, [&](auto o) {
      using O = decltype(o);
      map_pixels(ctx, a.view<T>(), a.view<T>(), out.view<O>(),
                 Affine{p.multiply, p.add, std::numeric_limits<O>::min(), std::numeric_limits<O>::max(), p.shift});
    });
  });
}

// Memory: none. Cost: one pass with a square root a pixel. sync: none.
void root(Context& ctx, ConstPlane a, Plane out, const RootParams& p) {
  op::root::check(a, out, p);
  const View<const i32> in = a.view<i32>();
  if (out.type == PixelType::u16) map_pixels(ctx, in, in, out.view<u16>(), Root{p.scale, 65535});
  else map_pixels(ctx, in, in, out.view<i32>(), Root{p.scale, 2147483647});
}

}  // namespace morpho::gpu
