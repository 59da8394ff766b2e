// One row of a reconstruction sweep, and the search of a row for pixels that can still move.
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>

#include "contract/ops.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {

/// Both directions of the reconstruction as one lattice: values move "up" (join) and are held by the mask (meet).
/// by dilation: join = max, meet = min; by erosion the other way round.
template <class T, By by>
struct Lattice {
  static constexpr T bottom = by == By::dilation ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  static constexpr T top = by == By::dilation ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
  static T join(T a, T b) { return by == By::dilation ? std::max(a, b) : std::min(a, b); }
  static T meet(T a, T b) { return by == By::dilation ? std::min(a, b) : std::max(a, b); }
  static bool above(T a, T b) { return by == By::dilation ? a > b : a < b; }
  template <class V>
  static MORPHO_INLINE V join(V a, V b) {
    return by == By::dilation ? larger(a, b) : smaller(a, b);
  }
  template <class V>
  static MORPHO_INLINE V meet(V a, V b) {
    return by == By::dilation ? smaller(a, b) : larger(a, b);
  }
};

/// A copy of a row with `pad` bottom pixels before and after it (more after, up to a whole block), so that its neighbours load
/// freely.
template <class T>
struct Line {
  static constexpr i32 pad = 16;
  T* data = nullptr;  ///< pixel 0; data[-pad .. width + 2*pad) exist
  static std::size_t elements(i32 width) { return static_cast<std::size_t>(width) + 4 * pad; }
  void place(T* memory, i32 width, T bottom) {
    data = memory + pad;
    std::fill_n(memory, elements(width), bottom);
  }
};

/// r[i] = clamp(r[i-1]) with clamp_i(v) = meet(join(v, low[i]), high[i]): a step of a parallel prefix over clamps, which
/// compose into clamps, in each half of 16 bytes by itself. What comes in is the identity: `bottom` below and `top` above.
template <class T, By by, bool forward, int bytes, class V>
MORPHO_INLINE void compose(V& low, V& high) {
  using L = Lattice<T, by>;
  const V l = moved<bytes, forward>(low, fill<V>(L::bottom)), h = moved<bytes, forward>(high, fill<V>(L::top));
  const V next = L::meet(L::join(h, low), high);
  low = L::meet(L::join(l, low), high);
  high = next;
}

/// One block: `t` = the vertical part, `m` = mask, `carry` = the pixel before in all lanes. Returns the finished pixels.
template <class T, By by, bool forward, class V>
MORPHO_INLINE V run_through(V t, V m, Vec<T>& carry) {
  using L = Lattice<T, by>;
  constexpr int size = sizeof(T);
  constexpr bool wide = sizeof(V) > 16;
  const auto spread = [](Vec<T> v) MORPHO_INLINED { return forward ? spread_last(v) : spread_first(v); };
  // Most blocks of most sweeps are stable already: one step that moves nothing proves that no number of steps would.
  V in;
  if constexpr (!wide) in = carry;
  else if constexpr (forward) in = joined(carry, half<0>(t));
  else in = joined(half<1>(t), carry);
  if (all_set(L::meet(L::join(t, moved<size, forward>(t, in)), m) == t)) {
    carry = spread(half<forward ? 1 : 0>(t));
    return t;
  }
  // The prefix of both halves at once, which wait for nothing; then what comes in goes through the one and the other.
  V low = t, high = m;
  if constexpr (size == 1) compose<T, by, forward, 1>(low, high);
  compose<T, by, forward, 2>(low, high);
  compose<T, by, forward, 4>(low, high);
  compose<T, by, forward, 8>(low, high);
  const auto through = [&](Vec<T> l, Vec<T> h) MORPHO_INLINED {
    const Vec<T> r = L::meet(L::join(carry, l), h);
    carry = spread(r);
    return r;
  };
  if constexpr (!wide) return through(low, high);
  else {
    constexpr int first = forward ? 0 : 1;
    const Vec<T> a = through(half<first>(low), half<first>(high)), b = through(half<1 - first>(low), half<1 - first>(high));
    return forward ? joined(a, b) : joined(b, a);
  }
}

/// sweep_row() with blocks of so many bytes.
template <class T, By by, bool forward, bool eight, int bytes>
MORPHO_INLINE bool sweep_blocks(const T* marker, const T* mask, const T* prev, T* out, T* line, i32 width) {
  using L = Lattice<T, by>;
  constexpr i32 n = 16 / sizeof(T), wide_n = bytes / sizeof(T);
  Vec<T> carry = fill<Vec<T>>(L::bottom);
  const auto finished = [&](auto c, auto m, i32 x) MORPHO_INLINED {
    using V = decltype(c);
    V t = L::join(c, load<V>(prev + x));
    if constexpr (eight) t = L::join(t, L::join(load<V>(prev + x - 1), load<V>(prev + x + 1)));
    const V r = run_through<T, by, forward>(L::meet(t, m), m, carry);
    store(line + x, r);
    return r;
  };
  bool all_same = true;
  const auto blocks = [&]<class V>(V, i32 begin, i32 end) MORPHO_INLINED {
    constexpr i32 step = sizeof(V) / sizeof(T);
    auto same = V{} == V{};
    for (i32 x = forward ? begin : end - step; forward ? x < end : x >= begin; x += forward ? step : -step) {
      const V c = load<V>(marker + x), r = finished(c, load<V>(mask + x), x);
      store(out + x, r);
      same &= r == c;
    }
    all_same &= all_set(same);
  };
  const i32 whole = width / n * n, wide = width / wide_n * wide_n;
  const auto tail = [&]() MORPHO_INLINED {  // the last, short block, by way of padded copies; its padding stays at the bottom
    if (whole == width) return;
    T c[n], m[n];
    const std::size_t left = sizeof(T) * static_cast<std::size_t>(width - whole);
    std::fill_n(c, n, L::bottom);
    std::fill_n(m, n, L::bottom);
    std::memcpy(c, marker + whole, left);
    std::memcpy(m, mask + whole, left);
    const Vec<T> r = finished(load<Vec<T>>(c), load<Vec<T>>(m), whole);
    all_same &= all_set(r == load<Vec<T>>(c));
    std::memcpy(out + whole, &r, left);
  };
  if (!forward) tail();
  if (forward || bytes == 16) blocks(Vec<T, bytes>{}, 0, wide);
  if constexpr (bytes > 16) {
    blocks(Vec<T>{}, wide, whole);
    if (!forward) blocks(Vec<T, bytes>{}, 0, wide);
  }
  if (forward) tail();
  return !all_same;
}

/// Writes row = meet(join(marker, neighbours in `prev`, the pixel before in the direction of travel), mask), pixel after pixel,
/// to `out` and to `line`. `marker` may be `out`. Returns whether the row now differs from `marker`.
template <class T, By by, bool forward>
bool sweep_row(const T* marker, const T* mask, const T* prev, T* out, T* line, i32 width, bool eight) {
  using L = Lattice<T, by>;
  if constexpr (has_lanes<T>) {
    return widest([=](auto bytes) MORPHO_INLINED {
      return eight ? sweep_blocks<T, by, forward, true, bytes>(marker, mask, prev, out, line, width)
                   : sweep_blocks<T, by, forward, false, bytes>(marker, mask, prev, out, line, width);
    });
  }
  bool changed = false;
  T carry = L::bottom;
  const auto pixel = [&](i32 x) {
    T t = L::join(marker[x], L::join(prev[x], carry));
    if (eight) t = L::join(t, L::join(prev[x - 1], prev[x + 1]));
    carry = L::meet(t, mask[x]);
    changed |= carry != marker[x];
    out[x] = line[x] = carry;
  };
  if constexpr (forward) {
    for (i32 x = 0; x < width; ++x) pixel(x);
  } else {
    for (i32 x = width - 1; x >= 0; --x) pixel(x);
  }
  return changed;
}

/// Calls raise(x, value) for pixels of row `mid` that a neighbour can still move to `value`, left to right. The three rows are
/// padded lines. `raise` may change the image but not the lines; pixels that become movable thereby are its business.
template <class T, By by, class Raise>
void find_movable(const T* up, const T* mid, const T* down, const T* mask, i32 width, bool eight, Raise&& raise) {
  using L = Lattice<T, by>;
  i32 x = 0;
  if constexpr (has_lanes<T>) {
    using V = Vec<T>;
    constexpr i32 n = 16 / sizeof(T);
    for (; x + n <= width; x += n) {
      const V c = load<V>(mid + x);
      V t = L::join(L::join(load<V>(up + x), load<V>(down + x)), L::join(load<V>(mid + x - 1), load<V>(mid + x + 1)));
      if (eight) {
        t = L::join(t, L::join(L::join(load<V>(up + x - 1), load<V>(up + x + 1)),
                               L::join(load<V>(down + x - 1), load<V>(down + x + 1))));
      }
      const V r = L::meet(L::join(t, c), load<V>(mask + x));
      if (all_set(r == c)) continue;
      T value[n];
      store(value, r);
      for (i32 k = 0; k < n; ++k) {
        if (value[k] != mid[x + k]) raise(x + k, value[k]);
      }
    }
  }
  for (; x < width; ++x) {
    T t = L::join(L::join(up[x], down[x]), L::join(mid[x - 1], mid[x + 1]));
    if (eight) t = L::join(t, L::join(L::join(up[x - 1], up[x + 1]), L::join(down[x - 1], down[x + 1])));
    const T r = L::meet(L::join(t, mid[x]), mask[x]);
    if (r != mid[x]) raise(x, r);
  }
}

}  // namespace morpho::cpu
