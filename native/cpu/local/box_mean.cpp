// The mean of a square window by running sums, in time independent of the radius.
#include <type_traits>

#include "cpu/local/box_mean_rows.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {

namespace {

using u32 = std::uint32_t;

// Sums of columns, of which one row enters and one leaves.
template <class C, class T>
void slide(C* column, const T* enter, const T* leave, i32 n) {
  widest([=](auto) MORPHO_INLINED {
    MORPHO_APART for (i32 x = 0; x < n; ++x) column[x] = static_cast<C>(column[x] + enter[x] - leave[x]);
  });
}

/// round(sum / count), halves up = floor((2 sum + count) / (2 count)). The double product is exact enough: the true quotient
/// lies at least 1/(8 count) >= 2^-26 from the integers on either side once 1/4 is added to the dividend, and the error is
/// below 2^-34.
void divide(u16* out, const i64* sum, i32 n, i64 count) {
  const double inverse = 1.0 / (2.0 * static_cast<double>(count)), half = static_cast<double>(count) + 0.25;
  widest([=](auto) MORPHO_INLINED {
    MORPHO_APART for (i32 x = 0; x < n; ++x)
        out[x] = static_cast<u16>(static_cast<i32>((2.0 * static_cast<double>(sum[x]) + half) * inverse));
  });
}

/// One row of means from the sums of its columns over `rows` rows. `sums`: room for a row, where r > kShortSums.
void mean_row(u16* out, i64* sums, const u32* column, i32 n, i32 r, i32 rows) {
  if (r <= kShortSums) return mean_row_u16(out, column, n, r, rows);
  const i32 inner_begin = r < n ? r : n, inner_end = n - r > inner_begin ? n - r : inner_begin;
  i64 sum = 0;
  for (i32 x = 0; x < inner_begin; ++x) sum += static_cast<i64>(column[x]);
  const auto ends = [&](i32 x) {
    if (x + r < n) sum += static_cast<i64>(column[x + r]);
    if (x - r - 1 >= 0) sum -= static_cast<i64>(column[x - r - 1]);
    sums[x] = sum;
  };
  i32 x = 0;
  for (; x < n && x <= r; ++x) ends(x);
  for (; x < inner_end; ++x) sums[x] = sum += static_cast<i64>(column[x + r]) - static_cast<i64>(column[x - r - 1]);
  for (; x < n; ++x) ends(x);
  const auto edge = [&](i32 at) {
    const i64 columns = (at + r < n ? at + r : n - 1) - (at - r > 0 ? at - r : 0) + 1, count = columns * rows;
    out[at] = static_cast<u16>((2 * static_cast<i64>(sums[at]) + count) / (2 * count));
  };
  for (x = 0; x < inner_begin; ++x) edge(x);
  divide(out + inner_begin, sums + inner_begin, inner_end - inner_begin, static_cast<i64>(2 * r + 1) * rows);
  for (x = inner_end; x < n; ++x) edge(x);
}
template <class C>
void mean_row(u8* out, i64*, const C* column, i32 n, i32 r, i32 rows) {
  mean_row_u8(out, column, n, r, rows);
}

/// C holds the sum of a column.
template <class C, class T>
void mean(Context& ctx, const View<const T>& f, const View<T>& out, i32 r) {
  const i32 w = f.width(), h = f.height();
  const std::size_t threads = static_cast<std::size_t>(ctx.threads < 1 ? 1 : ctx.threads);
  Workspace::Scope scope(ctx.workspace);
  C* columns = ctx.workspace.take<C>(threads * static_cast<std::size_t>(w));
  const bool wide = !std::is_same_v<T, u8> && r > kShortSums;
  i64* sums = ctx.workspace.take<i64>(!wide ? 0 : threads * static_cast<std::size_t>(w));
  T* zeros = ctx.workspace.take<T>(static_cast<std::size_t>(w));
  for (i32 x = 0; x < w; ++x) zeros[x] = 0;
  // A piece first sums 2r+1 rows, so it should have several times as many; one thread takes the image as one piece.
  const i64 piece = rows_per_piece(w), grain = ctx.threads <= 1 ? h : piece > 4 * r ? piece : 4 * r;
  parallel_for(ctx, h, grain, [&](i64 begin, i64 end, int worker) {
    C* column = columns + static_cast<std::size_t>(worker) * static_cast<std::size_t>(w);
    i64* sum = !wide ? nullptr : sums + static_cast<std::size_t>(worker) * static_cast<std::size_t>(w);
    for (i32 x = 0; x < w; ++x) column[x] = 0;
    const i32 y0 = static_cast<i32>(begin), y1 = static_cast<i32>(end);
    for (i32 y = y0 - r < 0 ? 0 : y0 - r; y < y0 + r && y < h; ++y) slide(column, f.row(y), zeros, w);
    for (i32 y = y0; y < y1; ++y) {
      // On entry the columns hold rows [y - r - 1, y + r) of the image, or [y0 - r, y0 + r) on the first row.
      const T* enter = y + r < h ? f.row(y + r) : zeros;
      const T* leave = y > y0 && y - r - 1 >= 0 ? f.row(y - r - 1) : zeros;
      slide(column, enter, leave, w);
      const i32 rows = (y + r < h ? y + r : h - 1) - (y - r > 0 ? y - r : 0) + 1;
      mean_row(out.row(y), sum, column, w, r, rows);
    }
  });
}

}  // namespace

// Memory: 4 bytes (u8 up to a radius of 63: 2; u16 above 90: 12) a column and thread, and one row. Cost: three additions and a
// product a pixel, whatever the radius.
void box_mean(Context& ctx, ConstPlane f, Plane out, const RadiusParams& p) {
  op::box_mean::check(f, out, p);
  if (f.extent.empty()) return;
  if (f.type == PixelType::u16) mean<u32>(ctx, f.view<u16>(), out.view<u16>(), p.radius);
  else if (p.radius <= kShortColumns) mean<u16>(ctx, f.view<u8>(), out.view<u8>(), p.radius);
  else mean<u32>(ctx, f.view<u8>(), out.view<u8>(), p.radius);
}

}  // namespace morpho::cpu
