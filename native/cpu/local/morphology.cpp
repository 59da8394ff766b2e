// Flat erosion, dilation, opening and closing by disks, squares, lines and crosses.
#include <cstring>
#include <limits>

#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

// How it is done. Everything is built of one vectorised step: a row becomes the pointwise minimum (maximum) of two rows.
// * Horizontal windows: minima of 2, 4, 8, … pixels by doubling; any length is the minimum of two overlapping powers of two.
// * Vertical windows: van Herk 1992 / Gil & Werman 1993 with rows in place of pixels: three steps a row whatever the radius.
// * Diagonals: vertical windows of the sheared image.
// * Disks: every input row gives its horizontal minima once for each different chord of the disk (they share their powers of
//   two), and is then folded into the 2r+1 output rows that see it.
// Work is cut into tiles of columns and rows with scratch that fits a cache. Outside the image stands the identity of the
// minimum (maximum), which is the same as ignoring it.

namespace morpho::cpu {

namespace {

/// A minimum or maximum over rows: of two rows, of a row into another, of a row into two others; and what changes nothing.
template <class Pixel, bool kLeast>
struct Fold {
  using T = Pixel;
  static constexpr T identity = kLeast ? std::numeric_limits<T>::max() : 0;
  static MORPHO_INLINE T of(T a, T b) { return kLeast ? smaller(a, b) : larger(a, b); }
  static void fold(T* out, const T* a, const T* b, i32 n) {
    widest([=](auto) MORPHO_INLINED { MORPHO_APART for (i32 x = 0; x < n; ++x) out[x] = of(a[x], b[x]); });
  }
  static void into(T* out, const T* a, i32 n) {
    widest([=](auto) MORPHO_INLINED { MORPHO_APART for (i32 x = 0; x < n; ++x) out[x] = of(out[x], a[x]); });
  }
  static void into2(T* out, T* other, const T* a, i32 n) {
    widest([=](auto) MORPHO_INLINED {
      MORPHO_APART for (i32 x = 0; x < n; ++x) {
        const T v = a[x];
        out[x] = of(out[x], v);
        other[x] = of(other[x], v);
      }
    });
  }
};
using MinU8 = Fold<u8, true>;
using MaxU8 = Fold<u8, false>;
using MinU16 = Fold<u16, true>;
using MaxU16 = Fold<u16, false>;

constexpr i32 kLane = 64;    // scratch rows are whole multiples of this, so that no loop has a remainder
constexpr i32 kLevels = 11;  // 2^11 <= 2*1024 + 1 < 2^12
i32 padded(i32 n) { return (n + kLane - 1) / kLane * kLane; }
i32 floor_log2(i32 n) { return 31 - __builtin_clz(static_cast<unsigned>(n)); }

template <class T>
void fill(T* row, i32 n, T value) {
  for (i32 i = 0; i < n; ++i) row[i] = value;
}

/// dst[i] = row y of f at x0 + i, the identity outside the image.
template <class T>
void load_row(T* dst, const View<const T>& f, i64 y, i64 x0, i32 n, T identity) {
  const i64 begin = x0 < 0 ? (-x0 < n ? -x0 : n) : 0;
  i64 end = f.width() - x0 < n ? f.width() - x0 : n;
  if (y < 0 || y >= f.height() || end < begin) end = begin;
  fill(dst, static_cast<i32>(begin), identity);
  if (end > begin)
    std::memcpy(dst + begin, f.row(static_cast<i32>(y)) + x0 + begin, static_cast<std::size_t>(end - begin) * sizeof(T));
  fill(dst + end, static_cast<i32>(n - end), identity);
}

/// Horizontal windows of one row: level[k][i] holds the minimum of pixels [i, i + 2^k) of the padded row.
template <class Op>
struct Doubling {
  using T = typename Op::T;
  T* level[kLevels + 1];
  i32 length;  // of level 0: padded(columns) + 2 * padded radius

  static std::size_t need(i32 length, i32 levels) {
    return static_cast<std::size_t>(levels + 1) * static_cast<std::size_t>(length + kLane);
  }
  Doubling(T* memory, i32 length_, i32 levels) : length(length_) {
    for (i32 k = 0; k <= levels; ++k) {
      level[k] = memory + static_cast<std::size_t>(k) * static_cast<std::size_t>(length + kLane);
      fill(level[k] + length, kLane, Op::identity);
    }
  }
  /// Level 0 is filled. Makes levels 1..last; their last 2^k - 1 entries mean nothing and are never used.
  void build(i32 last) {
    for (i32 k = 1; k <= last; ++k) {
      const i32 step = 1 << (k - 1);
      Op::fold(level[k], level[k - 1], level[k - 1] + step, length - step);
    }
  }
  /// out[i] = minimum of the 2*half + 1 pixels centred on pixel i, where pixel 0 stands at `origin` of level 0.
  void window(T* out, i32 origin, i32 half, i32 n) const {
    const i32 k = floor_log2(2 * half + 1);
    Op::fold(out, level[k] + origin - half, level[k] + origin + half + 1 - (1 << k), n);
  }
};

/// One tile of the output: columns [x0, x0 + n), rows [y0, y1).
struct Tile {
  i32 x0, n, y0, y1;
};

/// Vertical windows of `rows[-r .. +r]`. load(y, dst) gives padded(n) pixels of row y (the identity outside), store(y, src)
/// takes the result. Scratch: (2r + 3) rows.
template <class Op, class Load, class Store>
void vertical(const Tile& t, i32 r, typename Op::T* scratch, Load&& load, Store&& store) {
  using T = typename Op::T;
  const i32 n = padded(t.n), block = 2 * r + 1;
  const auto row = [&](i32 i) { return scratch + static_cast<std::size_t>(i) * static_cast<std::size_t>(n); };
  T *prefix = row(block), *result = row(block + 1);
  // Window of output row y is rows [y - r, y + r]: the tail of one block (its suffix minimum) and the head of the next (its
  // prefix minimum). Blocks start at y0 - r.
  for (i32 i = 0; i < block; ++i) load(t.y0 - r + i, row(i));
  for (i32 i = block - 2; i >= 0; --i) Op::into(row(i), row(i + 1), n);
  store(t.y0, row(0));
  i32 at = 0;  // rows of the next block that are in the prefix
  for (i32 y = t.y0 + 1; y < t.y1; ++y) {
    // Row `at` of the old block has left every later window: the new row takes its place.
    load(y + r, row(at));
    if (at == 0) std::memcpy(prefix, row(0), static_cast<std::size_t>(n) * sizeof(T));
    else Op::into(prefix, row(at), n);
    ++at;
    if (at == block) {
      store(y, prefix);
      for (i32 i = block - 2; i >= 0; --i) Op::into(row(i), row(i + 1), n);
      at = 0;
    } else {
      Op::fold(result, row(at), prefix, n);
      store(y, result);
    }
  }
}

/// A rectangle of (2rx + 1) × (2ry + 1).
template <class Op>
void rectangle_tile(const View<const typename Op::T>& f, const View<typename Op::T>& out, const Tile& t, i32 rx, i32 ry,
                    typename Op::T* scratch) {
  using T = typename Op::T;
  const i32 n = padded(t.n), levels = floor_log2(2 * rx + 1), length = n + 2 * rx;
  Doubling<Op> row(scratch, length, levels);
  const auto load = [&](i32 y, T* dst) {
    if (y < 0 || y >= f.height()) return fill(dst, n, Op::identity);
    if (rx == 0) return load_row(dst, f, y, t.x0, n, Op::identity);
    load_row(row.level[0], f, y, i64{t.x0} - rx, length, Op::identity);
    row.build(levels);
    row.window(dst, rx, rx, n);
  };
  const auto store = [&](i32 y, const T* src) {
    std::memcpy(out.row(y) + t.x0, src, static_cast<std::size_t>(t.n) * sizeof(T));
  };
  vertical<Op>(t, ry, scratch + Doubling<Op>::need(length, levels), load, store);
}

/// A diagonal: columns of the sheared image u = x - slope * y. The tile's columns are values of u.
template <class Op>
void diagonal_tile(const View<const typename Op::T>& f, const View<typename Op::T>& out, const Tile& t, i32 r, i32 slope,
                   typename Op::T* scratch) {
  using T = typename Op::T;
  const i32 n = padded(t.n);
  const auto load = [&](i32 y, T* dst) { load_row(dst, f, y, i64{t.x0} + i64{slope} * y, n, Op::identity); };
  const auto store = [&](i32 y, const T* src) {
    const i64 x0 = i64{t.x0} + i64{slope} * y, begin = x0 < 0 ? -x0 : 0, end = f.width() - x0 < t.n ? f.width() - x0 : t.n;
    if (begin < end) std::memcpy(out.row(y) + x0 + begin, src + begin, static_cast<std::size_t>(end - begin) * sizeof(T));
  };
  vertical<Op>(t, r, scratch, load, store);
}

/// half[d] = the largest dx with dx² + d² <= r².
void disk_chords(i32 r, i32* half) {
  i32 c = r;
  for (i32 d = 0; d <= r; ++d) {
    while (c * c + d * d > r * r) --c;
    half[d] = c;
  }
}

template <class Op>
void disk_tile(const View<const typename Op::T>& f, const View<typename Op::T>& out, const Tile& t, i32 r, const i32* half,
               typename Op::T* scratch) {
  using T = typename Op::T;
  const i32 n = padded(t.n), levels = floor_log2(2 * r + 1), length = n + 2 * r, ring = 2 * r + 1;
  Doubling<Op> row(scratch, length, levels);
  T* chord = scratch + Doubling<Op>::need(length, levels);
  T* sums = chord + n;  // output row y is gathered in row y mod ring
  const auto gather = [&](i32 y) { return sums + static_cast<std::size_t>(y % ring) * static_cast<std::size_t>(n); };
  const i32 first = t.y0 - r > 0 ? t.y0 - r : 0, end = t.y1 - 1 + r < f.height() ? t.y1 + r : f.height();
  const i32 ready = t.y0 + r < t.y1 ? t.y0 + r : t.y1;
  for (i32 y = t.y0; y < ready; ++y) fill(gather(y), n, Op::identity);
  for (i32 y = first; y < end; ++y) {
    if (y + r >= t.y0 && y + r < t.y1) fill(gather(y + r), n, Op::identity);
    load_row(row.level[0], f, y, i64{t.x0} - r, length, Op::identity);
    row.build(floor_log2(2 * half[0] + 1));
    i32 known = -1;
    for (i32 d = 0; d <= r; ++d) {
      const bool above = y - d >= t.y0 && y - d < t.y1, below = d > 0 && y + d >= t.y0 && y + d < t.y1;
      if (!above && !below) continue;
      const T* src = row.level[0] + r;
      if (half[d] > 0) {
        if (half[d] != known) row.window(chord, r, half[d], n);
        known = half[d];
        src = chord;
      }
      if (above && below) Op::into2(gather(y - d), gather(y + d), src, n);
      else Op::into(gather(above ? y - d : y + d), src, n);
    }
    // No later row reaches output row y - r.
    if (y - r >= t.y0) std::memcpy(out.row(y - r) + t.x0, gather(y - r), static_cast<std::size_t>(t.n) * sizeof(T));
  }
  for (i32 y = end - r > t.y0 ? end - r : t.y0; y < t.y1; ++y) {
    std::memcpy(out.row(y) + t.x0, gather(y), static_cast<std::size_t>(t.n) * sizeof(T));
  }
}

/// Cuts `width` columns by the rows of f into tiles and runs fn(tile, scratch) on each. `rows` is how many scratch rows of a
/// tile there are beside the doubling levels, `reach` what a tile's rows are longer than the tile.
template <class T, class Fn>
void for_tiles(Context& ctx, i32 x_begin, i32 width, i32 height, i32 reach, i32 levels, i32 rows, i32 overlap, Fn&& fn) {
  // About 128 KiB of scratch rows a tile, but never so narrow that the overlap dominates.
  i32 columns = padded(static_cast<i32>((std::size_t{1} << 17) / (sizeof(T) * static_cast<std::size_t>(rows))));
  if (columns < 512) columns = 512;
  if (columns < 2 * reach) columns = padded(2 * reach);
  if (columns > 4096) columns = 4096;
  if (columns > width) columns = width;
  const i32 across = pieces_of(width, columns);
  columns = padded(pieces_of(width, across));
  // One thread takes whole columns of tiles; several share them out in bands much taller than their overlap, and many of them,
  // so that no thread waits long for the last one.
  i32 band = height;
  if (ctx.threads > 1) {
    const i32 wanted = (16 * ctx.threads + across - 1) / across;
    band = pieces_of(height, wanted);
    if (band < 8 * overlap) band = 8 * overlap;
    const i32 few = (4 * ctx.threads + across - 1) / across, tall = pieces_of(height, few);
    if (band > tall) band = tall > 2 * overlap ? tall : 2 * overlap;
    if (band < 32) band = 32;
    if (band > height) band = height;
  }
  const i32 down = pieces_of(height, band);
  const std::size_t length = static_cast<std::size_t>(padded(columns)) + static_cast<std::size_t>(reach + kLane);
  const std::size_t need = length * static_cast<std::size_t>(levels + 1) +
                           static_cast<std::size_t>(padded(columns)) * static_cast<std::size_t>(rows);
  const std::size_t threads = static_cast<std::size_t>(ctx.threads < 1 ? 1 : ctx.threads),
                    pitch = (need * sizeof(T) + 63) / 64 * 64 / sizeof(T);
  Workspace::Scope scope(ctx.workspace);
  T* scratch = ctx.workspace.take<T>(pitch * threads);
  parallel_for(ctx, static_cast<i64>(across) * down, 1, [&](i64 begin, i64 end, int worker) {
    for (i64 i = begin; i < end; ++i) {
      const i32 x = static_cast<i32>(i % across) * columns, y = static_cast<i32>(i / across) * band;
      const Tile t{x_begin + x, columns < width - x ? columns : width - x, y, band < height - y ? y + band : height};
      if (t.n > 0) fn(t, scratch + pitch * static_cast<std::size_t>(worker));
    }
  });
}

template <class Op>
void rectangle(Context& ctx, const View<const typename Op::T>& f, const View<typename Op::T>& out, i32 rx, i32 ry) {
  using T = typename Op::T;
  for_tiles<T>(ctx, 0, f.width(), f.height(), 2 * rx, floor_log2(2 * rx + 1), 2 * ry + 3, 2 * ry,
               [&](const Tile& t, T* scratch) { rectangle_tile<Op>(f, out, t, rx, ry, scratch); });
}

template <class Op>
void diagonal(Context& ctx, const View<const typename Op::T>& f, const View<typename Op::T>& out, i32 r, i32 slope) {
  using T = typename Op::T;
  const i32 w = f.width(), h = f.height();
  // u = x - slope*y runs over w + h - 1 values; tiles that miss the image in their band cost only identity rows.
  for_tiles<T>(ctx, slope > 0 ? 1 - h : 0, w + h - 1, h, 0, 0, 2 * r + 3, 2 * r,
               [&](const Tile& t, T* scratch) { diagonal_tile<Op>(f, out, t, r, slope, scratch); });
}

/// One erosion or dilation; `out` does not overlap f.
template <class Op>
void apply(Context& ctx, const View<const typename Op::T>& f, const View<typename Op::T>& out, Shape shape, i32 r) {
  using T = typename Op::T;
  // The largest useful radius is the image's own: it keeps scratch small where a radius exceeds the image.
  const i32 longest = f.width() > f.height() ? f.width() : f.height();
  if (shape != Shape::disk && r > longest) r = longest;
  const i32 rx = r < f.width() ? r : f.width(), ry = r < f.height() ? r : f.height();
  switch (shape) {
    case Shape::square: return rectangle<Op>(ctx, f, out, rx, ry);
    case Shape::line_horizontal: return rectangle<Op>(ctx, f, out, rx, 0);
    case Shape::line_vertical: return rectangle<Op>(ctx, f, out, 0, ry);
    case Shape::line_diagonal: return diagonal<Op>(ctx, f, out, r, 1);
    case Shape::line_antidiagonal: return diagonal<Op>(ctx, f, out, r, -1);
    case Shape::cross: {
      Workspace::Scope scope(ctx.workspace);
      const View<T> across(ctx.workspace.take<T>(static_cast<std::size_t>(f.extent.area())), f.extent);
      rectangle<Op>(ctx, f, across, rx, 0);
      rectangle<Op>(ctx, f, out, 0, ry);
      parallel_for(ctx, f.height(), rows_per_piece(f.width()), [&](i64 begin, i64 end, int) {
        for (i32 y = static_cast<i32>(begin); y < end; ++y) Op::into(out.row(y), across.row(y), f.width());
      });
      return;
    }
    case Shape::disk: {
      i32 half[1025];
      disk_chords(r, half);
      for_tiles<T>(ctx, 0, f.width(), f.height(), 2 * r, floor_log2(2 * r + 1), 2 * r + 2, 2 * r,
                   [&](const Tile& t, T* scratch) { disk_tile<Op>(f, out, t, r, half, scratch); });
      return;
    }
  }
}

template <class T>
void copy(const View<const T>& f, const View<T>& out) {
  for (i32 y = 0; y < f.height(); ++y) std::memmove(out.row(y), f.row(y), static_cast<std::size_t>(f.width()) * sizeof(T));
}

template <class Min, class Max>
void run(Context& ctx, const View<const typename Min::T>& f, const View<typename Min::T>& out, bool in_place,
         const MorphologyParams& p) {
  using T = typename Min::T;
  if (p.radius == 0) {
    if (!in_place) copy(f, out);
    return;
  }
  const bool one = p.kind == Morphology::erode || p.kind == Morphology::dilate;
  Workspace::Scope scope(ctx.workspace);
  View<T> middle;
  if (in_place || !one) middle = View<T>(ctx.workspace.take<T>(static_cast<std::size_t>(f.extent.area())), f.extent);
  View<const T> from = f;
  if (one && in_place) {
    copy(f, middle);
    from = middle;
  }
  if (p.kind == Morphology::erode) return apply<Min>(ctx, from, out, p.shape, p.radius);
  if (p.kind == Morphology::dilate) return apply<Max>(ctx, from, out, p.shape, p.radius);
  if (p.kind == Morphology::open) {
    apply<Min>(ctx, f, middle, p.shape, p.radius);
    apply<Max>(ctx, middle, out, p.shape, p.radius);
  } else {
    apply<Max>(ctx, f, middle, p.shape, p.radius);
    apply<Min>(ctx, middle, out, p.shape, p.radius);
  }
}

}  // namespace

// Memory: for each thread a tile's rows, (2 radius + 3) rows of 512 to 4096 columns and log2(2 radius + 1) longer ones; one
// plane of f's type for opening, closing and in-place use, one more for a cross. Cost a pixel in vector steps: square and lines
// log2(radius) + 3, disk 2 radius + 1 and one for each different chord.
void morphology(Context& ctx, ConstPlane f, Plane out, const MorphologyParams& p) {
  op::morphology::check(f, out, p);
  const bool in_place = f.data == out.data;  // the very same pixels: the check lets nothing else overlap
  if (f.extent.empty()) return;
  if (f.type == PixelType::u8) run<MinU8, MaxU8>(ctx, f.view<u8>(), out.view<u8>(), in_place, p);
  else run<MinU16, MaxU16>(ctx, f.view<u16>(), out.view<u16>(), in_place, p);
}

}  // namespace morpho::cpu
