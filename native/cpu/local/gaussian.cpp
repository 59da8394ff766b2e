// Separable Gaussian smoothing with Q16 integer weights.
#include <cstring>

#include "contract/tables.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/local/gaussian_taps.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {

namespace {

using u32 = std::uint32_t;
constexpr i32 kChunk = 1024;  // pixels summed at a time: their sums stay in the first-level cache

// The steps of out[i] = (32768 + weight[0] * mid[i] + Σ weight[k] * (before[k][i] + after[k][i])) >> 16, which never exceeds
// 2^32 - 1. Each is a function of its own because gcc 12 vectorises all of them so, and not the loop nest that they make.
template <class T>
void begin(u32* sum, const T* mid, u32 w, i32 n) {
  widest([=](auto) MORPHO_INLINED { MORPHO_APART for (i32 i = 0; i < n; ++i) sum[i] = 32768u + w * mid[i]; });
}
template <class T>
void add(u32* sum, const T* a, const T* b, u32 w, i32 n) {
  widest([=](auto) MORPHO_INLINED { MORPHO_APART for (i32 i = 0; i < n; ++i) sum[i] += w * (u32(a[i]) + b[i]); });
}
template <class T>
void end(T* out, const u32* sum, i32 n) {
  widest([=](auto) MORPHO_INLINED { MORPHO_APART for (i32 i = 0; i < n; ++i) out[i] = static_cast<T>(sum[i] >> 16); });
}

/// The taps come as pointers, so the same loop does a row (pointers into one row) and a column (pointers into 2r+1 rows).
template <class T>
void sum_taps(T* out, const T* const* before, const T* const* after, const T* mid, i32 radius, const u32* weight, i32 n) {
  if (has_tap_pairs(weight, radius)) return sum_taps_pairs(out, before, after, mid, radius, weight, n);
  alignas(64) u32 sum[kChunk];
  for (i32 x = 0; x < n; x += kChunk) {
    const i32 m = n - x < kChunk ? n - x : kChunk;
    begin(sum, mid + x, weight[0], m);
    for (i32 k = 1; k <= radius; ++k) add(sum, before[k] + x, after[k] + x, weight[k], m);
    end(out + x, sum, m);
  }
}

struct Kernel {
  i32 radius;
  u32 weight[kMaxGaussianRadius + 1];
};

/// One value of a row near its end: the taps inside [0, n), over the sum of their weights, halves up.
template <class T>
T border_value(const T* row, i32 x, i32 n, const Kernel& g) {
  u64 sum = 0, weight = 0;
  const i32 first = x - g.radius < 0 ? 0 : x - g.radius, last = x + g.radius >= n ? n - 1 : x + g.radius;
  for (i32 i = first; i <= last; ++i) {
    const u32 w = g.weight[i < x ? x - i : i - x];
    sum += static_cast<u64>(w) * row[i];
    weight += w;
  }
  return static_cast<T>((2 * sum + weight) / (2 * weight));
}

template <class T>
void blur_row(T* out, const T* in, i32 n, const Kernel& g) {
  const i32 r = g.radius;
  if (n <= 2 * r) {
    for (i32 x = 0; x < n; ++x) out[x] = border_value(in, x, n, g);
    return;
  }
  for (i32 x = 0; x < r; ++x) out[x] = border_value(in, x, n, g);
  const T *before[kMaxGaussianRadius + 1], *after[kMaxGaussianRadius + 1];
  for (i32 k = 1; k <= r; ++k) {
    before[k] = in + r - k;
    after[k] = in + r + k;
  }
  sum_taps(out + r, before, after, in + r, r, g.weight, n - 2 * r);
  for (i32 x = n - r; x < n; ++x) out[x] = border_value(in, x, n, g);
}

/// Row y of the vertical pass where some taps lie outside: the same sums with a weight total of their own, in u64.
template <class T>
void border_row(T* __restrict out, u64* __restrict sum, const View<T>& mid, i32 y, const Kernel& g) {
  const i32 n = mid.width(), h = mid.height();
  const i32 first = y - g.radius < 0 ? 0 : y - g.radius, last = y + g.radius >= h ? h - 1 : y + g.radius;
  u64 weight = 0;
  for (i32 x = 0; x < n; ++x) sum[x] = 0;
  for (i32 i = first; i <= last; ++i) {
    const u32 w = g.weight[i < y ? y - i : i - y];
    const T* row = mid.row(i);
    weight += w;
    for (i32 x = 0; x < n; ++x) sum[x] += static_cast<u64>(w) * row[x];
  }
  // weight <= 65536, so both sides of this division fit 34 bits; the compiler has no faster exact form for a run-time divisor.
  for (i32 x = 0; x < n; ++x) out[x] = static_cast<T>((2 * sum[x] + weight) / (2 * weight));
}

template <class T>
void blur(Context& ctx, const View<const T>& f, const View<T>& out, const Kernel& g) {
  const i32 w = f.width(), h = f.height(), r = g.radius;
  Workspace::Scope scope(ctx.workspace);
  // Rows an odd number of cache lines apart: at a power of two the taps of a column would all fall into one cache set.
  const std::ptrdiff_t pitch = static_cast<std::ptrdiff_t>(((static_cast<std::size_t>(w) * sizeof(T) + 63) / 64 | 1) * 64 /
                                                           sizeof(T));
  const View<T> mid(ctx.workspace.take<T>(static_cast<std::size_t>(pitch) * static_cast<std::size_t>(h)), f.extent, pitch);
  u64* sums = ctx.workspace.take<u64>(static_cast<std::size_t>(w) *
                                      static_cast<std::size_t>(ctx.threads < 1 ? 1 : ctx.threads));
  parallel_for(ctx, h, rows_per_piece(w), [&](i64 begin, i64 end, int) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) blur_row(mid.row(y), f.row(y), w, g);
  });
  parallel_for(ctx, h, rows_per_piece(w), [&](i64 begin, i64 end, int worker) {
    const T *before[kMaxGaussianRadius + 1], *after[kMaxGaussianRadius + 1];
    for (i32 y = static_cast<i32>(begin); y < end; ++y) {
      if (y < r || y >= h - r) {
        border_row(out.row(y), sums + static_cast<std::size_t>(worker) * static_cast<std::size_t>(w), mid, y, g);
        continue;
      }
      for (i32 k = 1; k <= r; ++k) {
        before[k] = mid.row(y - k);
        after[k] = mid.row(y + k);
      }
      sum_taps(out.row(y), before, after, mid.row(y), r, g.weight, w);
    }
  });
}

}  // namespace

// Memory: one plane of f's type with its rows padded by up to 127 bytes, and 8 bytes a column and thread; none for a copy.
// Cost: two passes of ceil(3 sigma) + 1 products a pixel. `out` may be f: the first pass reads f and writes the workspace, the
// second writes out.
void gaussian(Context& ctx, ConstPlane f, Plane out, const GaussianParams& p) {
  op::gaussian::check(f, out, p);
  if (f.extent.empty()) return;
  Kernel g;
  i32 weight[kMaxGaussianRadius + 1];
  g.radius = gaussian_weights(p.sigma, weight);
  for (i32 k = 0; k <= g.radius; ++k) g.weight[k] = static_cast<u32>(weight[k]);
  // All of the weight is the middle's: a copy.
  if (weight[0] == 65536) {
    const std::size_t pixel = pixel_bytes(f.type), row = static_cast<std::size_t>(f.extent.width) * pixel;
    return parallel_for(ctx, f.extent.height, rows_per_piece(f.extent.width), [&](i64 begin, i64 end, int) {
      for (i64 y = begin; y < end; ++y) {
        std::memmove(static_cast<u8*>(out.data) + static_cast<std::size_t>(y * out.stride) * pixel,
                     static_cast<const u8*>(f.data) + static_cast<std::size_t>(y * f.stride) * pixel, row);
      }
    });
  }
  if (f.type == PixelType::u8) blur<u8>(ctx, f.view<u8>(), out.view<u8>(), g);
  else blur<u16>(ctx, f.view<u16>(), out.view<u16>(), g);
}

}  // namespace morpho::cpu
