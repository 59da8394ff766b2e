// Area-averaging change of scale in fixed point.
#include <algorithm>
#include <cstring>

#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "contract/check_local.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {

namespace {

using u32 = std::uint32_t;
constexpr i64 kOne = 65536;

/// The input pixels [first, last] that [begin, end) in 1/65536 px touches, clipped to [0, n); last < first where there are
/// none.
struct Span {
  i32 first, last;
  i64 begin, end;

  Span(i64 b, i64 e, i32 n) : begin(b < 0 ? 0 : b), end(e > n * kOne ? n * kOne : e) {
    first = begin < end ? static_cast<i32>(begin / kOne) : 0;
    last = begin < end ? static_cast<i32>((end - 1) / kOne) : -1;
  }
  /// How much of pixel i is covered, in 1/65536.
  i64 weight(i32 i) const {
    const i64 b = i * kOne > begin ? i * kOne : begin, e = (i + 1) * kOne < end ? (i + 1) * kOne : end;
    return e - b;
  }
};

/// column[i] += w * in[i] over bytes: at most 65536 * 255 a row.
MORPHO_CLONES void add_row_u32(u32* __restrict column, const u8* __restrict in, u32 w, i64 n) {
  for (i64 i = 0; i < n; ++i) column[i] += w * in[i];
}
MORPHO_CLONES void add_row_u64(u64* __restrict column, const u8* __restrict in, u32 w, i64 n) {
  for (i64 i = 0; i < n; ++i) column[i] += static_cast<u64>(w * in[i]);
}
void add_row(u32* c, const u8* in, u32 w, i64 n) { add_row_u32(c, in, w, n); }
void add_row(u64* c, const u8* in, u32 w, i64 n) { add_row_u64(c, in, w, n); }

/// Output row j: the input rows under it are summed column by column, then the columns under each output pixel.
/// Sums stay below 255 * 2^27 * 2^27 < 2^62.
template <class S>
void resample_row(const View<const Rgba>& in, const View<Rgba>& out, i32 j, S* column, const ResampleParams& p) {
  Rgba* o = out.row(j);
  const i32 w = out.width();
  const Span rows(p.y0 + j * p.step_y, p.y0 + (j + 1) * p.step_y, in.height());
  const Span all(p.x0, p.x0 + w * p.step_x, in.width());
  if (rows.last < rows.first || all.last < all.first) {
    for (i32 i = 0; i < w; ++i) o[i] = Rgba{0, 0, 0, 0};
    return;
  }
  const i64 n = 4 * static_cast<i64>(all.last - all.first + 1);
  for (i64 i = 0; i < n; ++i) column[i] = 0;
  for (i32 y = rows.first; y <= rows.last; ++y) {
    add_row(column, reinterpret_cast<const u8*>(in.row(y) + all.first), static_cast<u32>(rows.weight(y)), n);
  }
  const u64 height = static_cast<u64>(rows.end - rows.begin);
  for (i32 i = 0; i < w; ++i) {
    const Span columns(p.x0 + i * p.step_x, p.x0 + (i + 1) * p.step_x, in.width());
    if (columns.last < columns.first) {
      o[i] = Rgba{0, 0, 0, 0};
      continue;
    }
    u64 sum[4] = {0, 0, 0, 0};
    const S* c = column + 4 * static_cast<i64>(columns.first - all.first);
    for (i32 x = columns.first; x <= columns.last; ++x, c += 4) {
      const u64 weight = static_cast<u64>(columns.weight(x));
      for (int k = 0; k < 4; ++k) sum[k] += weight * c[k];
    }
    const u64 area = height * static_cast<u64>(columns.end - columns.begin);
    const auto rounded = [&](u64 s) {
      // A power of two (whole steps of 1, 2, 4, …) spares the division.
      return static_cast<u8>((area & (area - 1)) == 0 ? (s + (area >> 1)) >> __builtin_ctzll(area)
                                                      : (2 * s + area) / (2 * area));
    };
    o[i] = Rgba{rounded(sum[0]), rounded(sum[1]), rounded(sum[2]), rounded(sum[3])};
  }
}

/// out[i] = the rounded mean of the pixels 2i and 2i + 1 of both rows, two channels of a pixel in the halves of a word at a
/// time.
MORPHO_CLONES void halve_row(u8* __restrict out, const u8* __restrict upper, const u8* __restrict lower, i64 n) {
  constexpr u32 even = 0x00FF00FF, half = 0x00020002;
  const auto pixel = [](const u8* p) {
    u32 v;
    std::memcpy(&v, p, 4);
    return v;
  };
  constexpr i64 block = 64,
                ahead = 3072;  // bytes ahead: two streams of this length are more than the processor fetches by itself
  for (i64 begin = 0; begin < n; begin += block) {
    for (i64 k = 8 * begin + ahead; k < 8 * (begin + block) + ahead; k += 64)
      __builtin_prefetch(upper + k), __builtin_prefetch(lower + k);
    const i64 end = begin + block < n ? begin + block : n;
    for (i64 i = begin; i < end; ++i) {
      const u32 a = pixel(upper + 8 * i), b = pixel(upper + 8 * i + 4), c = pixel(lower + 8 * i), d = pixel(lower + 8 * i + 4);
      const u32 low = (a & even) + (b & even) + (c & even) + (d & even) + half;
      const u32 high = (a >> 8 & even) + (b >> 8 & even) + (c >> 8 & even) + (d >> 8 & even) + half;
      const u32 mean = (low >> 2 & even) | (high >> 2 & even) << 8;
      std::memcpy(out + 4 * i, &mean, 4);
    }
  }
}

/// Halves output row j as far as its pixels cover four whole pixels each. Returns how far that is.
i32 halve(const View<const Rgba>& in, const View<Rgba>& out, i32 j, const ResampleParams& p) {
  if (p.step_x != 2 * kOne || p.step_y != 2 * kOne || p.x0 % kOne != 0 || p.y0 % kOne != 0 || p.x0 < 0 || p.y0 < 0) return 0;
  const i64 x = p.x0 / kOne, y = p.y0 / kOne + 2 * static_cast<i64>(j);
  if (y + 1 >= in.height() || x + 1 >= in.width()) return 0;
  const i32 n = static_cast<i32>(std::min<i64>(out.width(), (in.width() - x) / 2));
  const auto row = [&](i64 at) { return reinterpret_cast<const u8*>(in.row(static_cast<i32>(at)) + x); };
  halve_row(reinterpret_cast<u8*>(out.row(j)), row(y), row(y + 1), n);
  return n;
}

template <class S>
void run(Context& ctx, const View<const Rgba>& in, const View<Rgba>& out, const ResampleParams& p) {
  const std::size_t threads = static_cast<std::size_t>(ctx.threads < 1 ? 1 : ctx.threads);
  const std::size_t length = 4 * static_cast<std::size_t>(in.width());
  Workspace::Scope scope(ctx.workspace);
  S* columns = ctx.workspace.take<S>(threads * length);
  const i64 cost = out.width() + in.width() * (p.step_y / kOne + 1);  // of an output row, in pixels
  const i64 grain = (1 << 17) / cost;
  parallel_for(ctx, out.height(), grain < 1 ? 1 : grain, [&](i64 begin, i64 end, int worker) {
    for (i32 j = static_cast<i32>(begin); j < end; ++j) {
      const i32 done = halve(in, out, j, p);
      if (done == out.width()) continue;
      ResampleParams rest = p;
      rest.x0 += done * p.step_x;
      resample_row(in, out.sub(done, 0, {out.width() - done, out.height()}), j,
                   columns + static_cast<std::size_t>(worker) * length, rest);
    }
  });
}

}  // namespace

// Memory: 16 bytes (32 for steps above 256 px) an input column and thread. Cost: one product for each input value and output
// row that it touches, and four divisions an output pixel where the area is no power of two.
void resample(Context& ctx, View<const Rgba> in, View<Rgba> out, const ResampleParams& p) {
  check::resample(in, out, p);
  if (out.extent.empty()) return;
  // 256 whole rows of 255 * 65536, the most that 32 bits hold; a span of 256 px touches 257 rows, but their weights sum to 256.
  if (p.step_y <= 256 * kOne) run<u32>(ctx, in, out, p);
  else run<u64>(ctx, in, out, p);
}

}  // namespace morpho::cpu
