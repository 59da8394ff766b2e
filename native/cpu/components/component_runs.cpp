// Extracts runs 64 pixels at a time and joins touching runs of neighbouring rows by union-find.
#include "cpu/components/component_runs.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {
namespace {

/// Bit i is set where p[i] is not the background, for 64 pixels.
inline u64 run_bits(const u8* p, u8 background) {
  u64 bits = 0;
  for (int k = 0; k < 4; ++k)
    bits |= static_cast<u64>(bits_of(load<Vec<u8>>(p + 16 * k) == fill<Vec<u8>>(background))) << (16 * k);
  return ~bits;
}
inline u64 run_bits(const u8* p, i32 n, u8 background) {
  if (n >= 64) return run_bits(p, background);
  u8 tail[64];
  std::memset(tail, background, sizeof(tail));
  std::memcpy(tail, p, static_cast<std::size_t>(n));
  return run_bits(tail, background);
}

i32 count_row(const u8* p, i32 width, u8 background) {
  i32 runs = 0;
  u64 before = 0;  // the last pixel of the word before, as bit 0
  for (i32 x = 0; x < width; x += 64) {
    const u64 bits = run_bits(p + x, width - x, background);
    const u64 starts = bits & ~(bits << 1 | before);
    if (starts != 0) runs += std::popcount(starts);  // without the processor's instruction that is a call
    before = bits >> 63;
  }
  return runs;
}
void fill_row(const u8* p, i32 width, i32* x0, i32* x1, u8 background) {
  u64 before = 0;
  for (i32 x = 0; x < width; x += 64) {
    const u64 bits = run_bits(p + x, width - x, background);
    u64 changes = bits ^ (bits << 1 | before);
    bool inside = before != 0;
    while (changes) {
      const i32 at = x + std::countr_zero(changes);
      changes &= changes - 1;
      if (inside) *x1++ = at;
      else *x0++ = at;
      inside = !inside;
    }
    before = bits >> 63;
  }
  if (before) *x1 = width;  // only a full last word can end inside a run: shorter ones end in background
}

template <class T>
i32 count_row(const T* p, i32 width, u8) {
  i32 runs = 0;
  T before = 0;
  for (i32 x = 0; x < width; ++x) {
    runs += p[x] != before && p[x] != 0;
    before = p[x];
  }
  return runs;
}
template <class T>
void fill_row(const T* p, i32 width, i32* x0, i32* x1, u8) {
  T before = 0;
  for (i32 x = 0; x < width; ++x) {
    if (p[x] == before) continue;
    if (before != 0) *x1++ = x;
    if (p[x] != 0) *x0++ = x;
    before = p[x];
  }
  if (before != 0) *x1 = width;
}

inline i32 find(i32* root, i32 i) {
  while (root[i] != i) {
    root[i] = root[root[i]];
    i = root[i];
  }
  return i;
}
/// The smaller root stays. `cut`: between bands, where every run points at its band's root and keeps doing so; areas add up.
template <bool cut>
inline void unite(const RunSet& runs, i32 a, i32 b) {
  i32* const root = runs.root;
  if constexpr (cut) {
    const i32 ra = find(root, root[a]), rb = find(root, root[b]);
    if (ra == rb) return;
    root[std::max(ra, rb)] = std::min(ra, rb);
    if (runs.area) runs.area[std::min(ra, rb)] += runs.area[std::max(ra, rb)];
  } else {
    const i32 ra = find(root, a);
    const i32 rb = root[b] == b ? b : find(root, b);
    if (ra < rb) root[rb] = ra;
    else root[ra] = rb;
  }
}

/// Joins the runs of row y with those of row y - 1. `reach` is 1 where corners touch (8), else 0.
template <bool cut, class T>
void join_rows(const RunSet& runs, const View<const T>& in, i32 y, i32 reach) {
  constexpr bool valued = !std::is_same_v<T, u8>;
  const T* upper = in.row(y - 1);
  const T* lower = in.row(y);
  i32 a = runs.row_begin[y - 1], b = runs.row_begin[y];
  const i32 a_end = b, b_end = runs.row_begin[y + 1];
  const auto same = [&](i32 i, i32 j) { return !valued || upper[runs.x0[i]] == lower[runs.x0[j]]; };
  while (a < a_end && b < b_end) {
    const i32 a1 = runs.x1[a], b1 = runs.x1[b];
    if (runs.x0[a] < b1 + reach && runs.x0[b] < a1 + reach && same(a, b)) unite<cut>(runs, a, b);
    if (a1 < b1) {
      ++a;
    } else if (b1 < a1) {
      ++b;
    } else {
      if constexpr (valued) {
        // Runs of different values may follow each other without a gap, so that corners touch across a common end.
        if (reach) {
          if (b + 1 < b_end && runs.x0[b + 1] == a1 && same(a, b + 1)) unite<cut>(runs, a, b + 1);
          if (a + 1 < a_end && runs.x0[a + 1] == b1 && same(a + 1, b)) unite<cut>(runs, a + 1, b);
        }
      }
      ++a, ++b;
    }
  }
}

/// Lets every run of [begin, end), whose components lie within, point at its root; with `areas` the roots get theirs. No
/// branches: whether a run is a root nobody can guess.
template <bool areas>
void settle(const RunSet& runs, i32 begin, i32 end) {
  i32 *const root = runs.root, *const area = runs.area;
  for (i32 i = begin; i < end; ++i) {
    const i32 r = root[root[i]];  // what is below i points at its root already
    root[i] = r;
    if constexpr (areas) {
      const i32 length = runs.x1[i] - runs.x0[i];
      area[i] = length;
      area[r] += r == i ? 0 : length;
    }
  }
}

/// Calls fn(root) for the roots that runs on both sides of every cut between bands have in their band, be they roots still or
/// not: each component that reaches over a cut has some there.
template <class Fn>
void each_root_at_cuts(const RunSet& runs, i32 height, Fn&& fn) {
  const auto row = [&](i64 y, i32 band_first) {
    for (i32 i = runs.row_begin[y]; i < runs.row_begin[y + 1]; ++i) {
      const i32 r = runs.root[i];
      fn(r < band_first ? i : r);  // a number, or a run of another band: i was its band's root itself
    }
  };
  for (i64 y = runs.band_rows; y < height; y += runs.band_rows) {
    row(y - 1, runs.row_begin[y - runs.band_rows]);
    row(y, runs.row_begin[y]);
  }
}

template <class T>
RunSet connect(Context& ctx, View<const T> in, i32 reach, const RunOptions& options) {
  const i32 width = in.width(), height = in.height();
  RunSet runs;
  runs.row_begin = ctx.workspace.take<i32>(static_cast<std::size_t>(height) + 1);
  // Enough bands for any number of threads; few, since the rows where they meet are joined by one thread.
  const i64 rows = rows_per_piece(width, std::clamp<i64>(in.extent.area() / 32, i64{1} << 16, i64{1} << 18));
  runs.band_rows = rows;
  parallel_for(ctx, height, rows, [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) runs.row_begin[y + 1] = count_row(in.row(static_cast<i32>(y)), width, options.background);
  });
  runs.row_begin[0] = 0;
  for (i32 y = 0; y < height; ++y) runs.row_begin[y + 1] += runs.row_begin[y];
  runs.count = runs.row_begin[height];
  const std::size_t n = static_cast<std::size_t>(runs.count);
  runs.x0 = ctx.workspace.take<i32>(n);
  runs.x1 = ctx.workspace.take<i32>(n);
  runs.root = ctx.workspace.take<i32>(n);
  if (options.areas) runs.area = ctx.workspace.take<i32>(n);

  parallel_for(ctx, height, rows, [&](i64 begin, i64 end, int) {
    for (i64 i = begin; i < end; ++i) {
      const i32 y = static_cast<i32>(i), first = runs.row_begin[y];
      fill_row(in.row(y), width, runs.x0 + first, runs.x1 + first, options.background);
      for (i32 r = first; r < runs.row_begin[y + 1]; ++r) runs.root[r] = r;
      if (i > begin) join_rows<false>(runs, in, y, reach);  // a band's first row waits: the band above has its own forest
    }
    if (options.areas) settle<true>(runs, runs.row_begin[begin], runs.row_begin[end]);
    else settle<false>(runs, runs.row_begin[begin], runs.row_begin[end]);
  });
  for (i64 y = rows; y < height; y += rows) join_rows<true>(runs, in, static_cast<i32>(y), reach);
  each_root_at_cuts(runs, height, [&](i32 own) { runs.root[own] = find(runs.root, own); });  // the root of all, by one step
  return runs;
}

}  // namespace

RunSet connect_runs(Context& ctx, ConstPlane in, Connectivity connectivity, const RunOptions& options) {
  const i32 reach = connectivity == Connectivity::eight ? 1 : 0;
  return visit_pixel_type(in.type, [&](auto zero) { return connect(ctx, in.view<decltype(zero)>(), reach, options); });
}

i32 number_components(Context& ctx, RunSet& runs, i32 height) {
  const i64 bands = (height + runs.band_rows - 1) / runs.band_rows;
  const auto first = [&](i64 band) { return runs.row_begin[std::min<i64>(band * runs.band_rows, height)]; };
  i32* const root = runs.root;
  const Workspace::Scope scope(ctx.workspace);
  i32* numbers = ctx.workspace.take<i32>(static_cast<std::size_t>(bands) + 1);  // before each band
  if (ctx.threads > 1) {
    parallel_for(ctx, bands, 1, [&](i64 begin, i64 end, int) {
      for (i64 b = begin; b < end; ++b) {
        i32 roots = 0;
        for (i32 i = first(b); i < first(b + 1); ++i) roots += root[i] == i;
        numbers[b + 1] = roots;
      }
    });
    for (i64 b = 0; b < bands; ++b) numbers[b + 1] += b ? numbers[b] : 0;
  }
  numbers[0] = 0;
  parallel_for(ctx, bands, 1, [&](i64 begin, i64 end, int) {
    for (i64 b = begin; b < end; ++b) {
      i32 n = numbers[b];
      for (i32 i = first(b), last = first(b + 1); i < last; ++i) {
        const i32 r = root[i], own = r == i;
        n += own;
        root[i] = own ? ~n : r;
      }
      if (ctx.threads <= 1) numbers[b + 1] = n;
    }
  });
  each_root_at_cuts(runs, height, [&](i32 own) {
    if (root[own] >= 0) root[own] = root[root[own]];
  });
  return numbers[bands];
}

}  // namespace morpho::cpu
