// The median of a square window, clipped to the image.
#include <algorithm>
#include <bit>
#include <cstring>

#include "cpu/cpu_ops.hpp"
#include "cpu/local/median_small.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

// Three ways to one result. Radius 1 to 3: the selection of median_small.hpp inside the image, and the definition on its
// border. Larger radius, u8: histograms of columns, as in Perreault & Hébert 2007 (constant time a pixel). Larger radius, u16:
// one histogram that slides along the row, as in Huang 1979, with a coarse level of 256 bins.

namespace morpho::cpu {

namespace {

/// The rank of the (lower) median among `count` values, from 0.
i32 rank_of(i64 count) { return static_cast<i32>((count - 1) / 2); }

struct Span {
  i32 begin, end;
  i32 size() const { return end - begin; }
};
Span window(i32 at, i32 r, i32 n) { return {std::max(0, at - r), std::min(n, at + r + 1)}; }

// ---------------------------------------------------------------- radius 1 to 3

template <class T>
T median_by_definition(const View<const T>& f, i32 x, i32 y, i32 r) {
  T values[(2 * kMaxSmallMedian + 1) * (2 * kMaxSmallMedian + 1)];
  i32 n = 0;
  const Span xs = window(x, r, f.width()), ys = window(y, r, f.height());
  for (i32 v = ys.begin; v < ys.end; ++v) {
    for (i32 u = xs.begin; u < xs.end; ++u) values[n++] = f.at(u, v);
  }
  std::nth_element(values, values + rank_of(n), values + n);
  return values[rank_of(n)];
}

template <class T>
void small_median(Context& ctx, const View<const T>& f, const View<T>& out, i32 r) {
  const i32 w = f.width(), h = f.height(), inner = w - 2 * r;
  parallel_for(ctx, h, rows_per_piece(w, 1 << 15), [&](i64 begin, i64 end, int) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) {
      const bool whole = y >= r && y < h - r && inner >= kMedianLanes<T>;
      for (i32 x = 0; x < (whole ? r : w); ++x) out.at(x, y) = median_by_definition(f, x, y, r);
      if (!whole) continue;
      const T* rows[2 * kMaxSmallMedian + 1];
      for (i32 i = 0; i <= 2 * r; ++i) rows[i] = f.row(y - r + i);
      median_row(out.row(y) + r, rows, inner, r);
      for (i32 x = w - r; x < w; ++x) out.at(x, y) = median_by_definition(f, x, y, r);
    }
  });
}

// ---------------------------------------------------------------- u8, any radius

/// Histograms of the columns of a tile over the rows of the window: 16 coarse bins, and 256 fine ones kept as 16 segments, each
/// with its columns side by side. Bins are cumulative (over their segment): bin k counts the values up to it, so that sums of
/// columns are searched without adding up. Counts are at most 129 a column, 16641 a window.
struct Columns {
  u16* coarse;  // [column][16]
  u16* fine;    // [segment][column][16]
  i32 count;

  static std::size_t need(i32 columns) { return static_cast<std::size_t>(columns) * (16 + 256); }
  Columns(u16* memory, i32 columns) : coarse(memory), fine(memory + static_cast<std::size_t>(columns) * 16), count(columns) {
    std::memset(memory, 0, need(columns) * sizeof(u16));
  }
};

/// steps[v][k]: 1 where bin k counts the value v.
struct StepTable {
  alignas(32) u16 steps[16][16];
  constexpr StepTable() : steps{} {
    for (int v = 0; v < 16; ++v) {
      for (int k = v; k < 16; ++k) steps[v][k] = 1;
    }
  }
};
constexpr StepTable kSteps;

/// bins += sign * by, 16 of them.
template <int bytes, int sign>
MORPHO_INLINE void change(u16* bins, const u16* by) {
  using V = Vec<u16, bytes>;
  for (int k = 0; k < 32; k += bytes) {
    u16* const at = bins + k / 2;
    if constexpr (sign > 0) store<V>(at, load<V>(at) + load<V>(by + k / 2));
    else store<V>(at, load<V>(at) - load<V>(by + k / 2));
  }
}

template <int bytes, int sign>
MORPHO_INLINE void count_row(u16* coarse, u16* fine, const u8* row, i32 count) {
  for (i32 i = 0; i < count; ++i) {
    const i32 v = row[i];
    change<bytes, sign>(coarse + i * 16, kSteps.steps[v >> 4]);
    change<bytes, sign>(fine + (static_cast<std::ptrdiff_t>(v >> 4) * count + i) * 16, kSteps.steps[v & 15]);
  }
}
/// Adds a row of `count` pixels to the columns, or takes it out (`sign` 1 or -1).
void count_row(u16* coarse, u16* fine, const u8* row, i32 count, i32 sign) {
  widest([=](auto bytes) MORPHO_INLINED {
    sign > 0 ? count_row<bytes, 1>(coarse, fine, row, count) : count_row<bytes, -1>(coarse, fine, row, count);
  });
}

/// How many of 16 cumulative counts are at most `left`.
MORPHO_INLINE i32 bins_passed(const u16* sums, i32 left) {
  using V = Vec<i16>;
  const V most = fill<V>(static_cast<i16>(left));
  return std::countr_zero(bits_of(narrow_mask(load<V>(sums) > most, load<V>(sums + 8) > most)) | 0x10000u);
}

/// One row of a tile. Column i of `columns` is image column first + i; the tile is image columns [x0, x1).
template <int bytes>
MORPHO_INLINE void median_row_columns(u8* out, const u16* coarse, const u16* fine, i32 count, i32 first, i32 x0, i32 x1, i32 r,
                                      i32 width, i32 rows) {
  alignas(32) u16 top[16] = {0}, segment[16][16] = {{0}};
  i32 from[16] = {0}, to[16] = {0};  // the columns that each segment's sums hold
  i32 begin = 0, end = 0;            // the columns that the coarse sums hold
  for (i32 x = x0; x < x1; ++x) {
    const i32 want_begin = (x - r > 0 ? x - r : 0) - first, want_end = (x + r + 1 < width ? x + r + 1 : width) - first;
    for (; end < want_end; ++end) change<bytes, 1>(top, coarse + end * 16);
    for (; begin < want_begin; ++begin) change<bytes, -1>(top, coarse + begin * 16);
    i32 left = (rows * (want_end - want_begin) - 1) / 2;  // values that come before the median
    const i32 s = bins_passed(top, left);
    left -= s > 0 ? top[s - 1] : 0;
    // Only the segment that holds the median is brought up to date, over the columns that it missed.
    u16* sums = segment[s];
    const u16* columns = fine + static_cast<std::ptrdiff_t>(s) * count * 16;
    if (to[s] - want_begin <= want_begin - from[s]) {  // cheaper to begin again
      for (i32 k = 0; k < 16; ++k) sums[k] = 0;
      from[s] = to[s] = want_begin;
    }
    for (; to[s] < want_end; ++to[s]) change<bytes, 1>(sums, columns + to[s] * 16);
    for (; from[s] < want_begin; ++from[s]) change<bytes, -1>(sums, columns + from[s] * 16);
    out[x] = static_cast<u8>(s * 16 + bins_passed(sums, left));
  }
}

void column_median(Context& ctx, const View<const u8>& f, const View<u8>& out, i32 r) {
  const i32 w = f.width(), h = f.height();
  const i32 columns = std::min(w, std::max(256, 4 * r)), across = (w + columns - 1) / columns;
  // A band first counts 2r + 1 rows, so it should be several times as tall, and no shorter than it takes to keep the threads
  // busy.
  const i32 wanted = (3 * std::max(1, ctx.threads) + across - 1) / across;
  const i32 band = ctx.threads <= 1 ? h : std::min(h, std::max(8 * r, (h + wanted - 1) / wanted)), down = (h + band - 1) / band;
  const i32 most = std::min(w, columns + 2 * r);
  const std::size_t need = (Columns::need(most) + 31) / 32 * 32;
  Workspace::Scope scope(ctx.workspace);
  u16* scratch = ctx.workspace.take<u16>(need * static_cast<std::size_t>(std::max(1, ctx.threads)));
  parallel_for(ctx, static_cast<i64>(across) * down, 1, [&](i64 first_tile, i64 end_tile, int worker) {
    for (i64 t = first_tile; t < end_tile; ++t) {
      const i32 x0 = static_cast<i32>(t % across) * columns, x1 = std::min(w, x0 + columns);
      const i32 y0 = static_cast<i32>(t / across) * band, y1 = std::min(h, y0 + band);
      const i32 first = std::max(0, x0 - r), last = std::min(w, x1 + r);
      Columns histograms(scratch + need * static_cast<std::size_t>(worker), last - first);
      Span held{window(y0, r, h).begin, window(y0, r, h).begin};
      for (i32 y = y0; y < y1; ++y) {
        const Span rows = window(y, r, h);
        for (; held.end < rows.end; ++held.end)
          count_row(histograms.coarse, histograms.fine, f.row(held.end) + first, histograms.count, 1);
        for (; held.begin < rows.begin; ++held.begin)
          count_row(histograms.coarse, histograms.fine, f.row(held.begin) + first, histograms.count, -1);
        widest([=, to = out.row(y), coarse = histograms.coarse, fine = histograms.fine, count = histograms.count](auto bytes)
                   MORPHO_INLINED { median_row_columns<bytes>(to, coarse, fine, count, first, x0, x1, r, w, rows.size()); });
      }
    }
  });
}

// ---------------------------------------------------------------- u16, any radius

constexpr std::size_t kSlidingBins = 65536 + 256;

void sliding_median_row(u16* out, const View<const u16>& f, i32 y, i32 r, u16* fine) {
  const i32 w = f.width();
  const Span rows = window(y, r, f.height());
  u16* coarse = fine + 65536;
  std::memset(fine, 0, kSlidingBins * sizeof(u16));
  i32 bin = 0, below = 0;  // below: values in coarse bins before `bin`
  Span held{0, 0};
  const auto column = [&](i32 x, int by) {
    for (i32 v = rows.begin; v < rows.end; ++v) {
      const i32 value = f.at(x, v);
      fine[value] = static_cast<u16>(fine[value] + by);
      coarse[value >> 8] = static_cast<u16>(coarse[value >> 8] + by);
      if (value >> 8 < bin) below += by;
    }
  };
  for (i32 x = 0; x < w; ++x) {
    const Span columns = window(x, r, w);
    for (; held.end < columns.end; ++held.end) column(held.end, 1);
    for (; held.begin < columns.begin; ++held.begin) column(held.begin, -1);
    const i32 rank = rank_of(static_cast<i64>(rows.size()) * columns.size());
    while (below > rank) below -= coarse[--bin];
    while (below + coarse[bin] <= rank) below += coarse[bin++];
    i32 left = rank - below, value = bin << 8;
    while (fine[value] <= left) left -= fine[value++];
    out[x] = static_cast<u16>(value);
  }
}

void sliding_median(Context& ctx, const View<const u16>& f, const View<u16>& out, i32 r) {
  Workspace::Scope scope(ctx.workspace);
  u16* scratch = ctx.workspace.take<u16>(kSlidingBins * static_cast<std::size_t>(std::max(1, ctx.threads)));
  parallel_for(ctx, f.height(), rows_per_piece(f.width(), 1 << 12), [&](i64 begin, i64 end, int worker) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) {
      sliding_median_row(out.row(y), f, y, r, scratch + kSlidingBins * static_cast<std::size_t>(worker));
    }
  });
}

}  // namespace

// Memory: radius 1 to 3 none; larger: u8 544 bytes for each of a tile's columns, 256 + 2 radius as a rule, and thread; u16 129
// KiB a thread. Cost a pixel: radius 1, 2 and 3 about 40, 300 and 1000 vector steps for 16 or 32 pixels; u8 independent of the
// radius; u16 linear in it.
void median(Context& ctx, ConstPlane f, Plane out, const RadiusParams& p) {
  op::median::check(f, out, p);
  if (f.extent.empty()) return;
  const auto copy = [&](const auto& from, const auto& to) {
    for (i32 y = 0; y < from.height(); ++y) std::copy_n(from.row(y), from.width(), to.row(y));
  };
  if (f.type == PixelType::u8) {
    const View<const u8> in = f.view<u8>();
    if (p.radius == 0) copy(in, out.view<u8>());
    else if (p.radius <= kMaxSmallMedian) small_median(ctx, in, out.view<u8>(), p.radius);
    else column_median(ctx, in, out.view<u8>(), p.radius);
  } else {
    const View<const u16> in = f.view<u16>();
    if (p.radius == 0) copy(in, out.view<u16>());
    else if (p.radius <= kMaxSmallMedian) small_median(ctx, in, out.view<u16>(), p.radius);
    else sliding_median(ctx, in, out.view<u16>(), p.radius);
  }
}

}  // namespace morpho::cpu
