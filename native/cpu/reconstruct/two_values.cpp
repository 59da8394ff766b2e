// Hole filling and border clearing of images with two values.
#include "cpu/reconstruct/two_values.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "cpu/components/component_runs.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {
namespace {

struct TwoValues {
  u8 low, high;  ///< equal where the image has one value
};

/// 255 where a pixel is neither a nor b.
u8 others_in_row(const u8* row, i32 n, u8 a, u8 b) {
  return widest([=](auto) MORPHO_INLINED {
    u8 other = 0;
    for (i32 x = 0; x < n; ++x) other |= static_cast<u8>((row[x] != a) & (row[x] != b));
    return other;
  });
}

/// False where f holds more than two values.
bool two_values(const Context& ctx, View<const u8> f, TwoValues& values) {
  const u8 a = f.row(0)[0];
  u8 b = a;
  const i32 width = f.width();
  i32 first = 0;  // the rows before hold nothing but a
  for (; first < f.height() && b == a; first += b == a) {
    if (!others_in_row(f.row(first), width, a, a)) continue;
    b = *std::find_if(f.row(first), f.row(first) + width, [a](u8 v) { return v != a; });
  }
  std::atomic<bool> more{false};
  parallel_for(ctx, f.height() - first, rows_per_piece(width), [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end && !more.load(std::memory_order_relaxed); ++y) {
      if (others_in_row(f.row(static_cast<i32>(first + y)), width, a, b)) more.store(true, std::memory_order_relaxed);
    }
  });
  values = {std::min(a, b), std::max(a, b)};
  return !more;
}

/// The components of the pixels that are not `background`: open[root] is 1 where one touches the image's border.
struct Components {
  RunSet runs;
  u8* open;

  Components(Context& ctx, View<const u8> f, Connectivity connectivity, u8 background)
      : runs(connect_runs(ctx, ConstPlane(f), connectivity, {.background = background})),
        open(ctx.workspace.take<u8>(static_cast<std::size_t>(runs.count))) {
    ctx.check_cancelled();
    std::memset(open, 0, static_cast<std::size_t>(runs.count));
    for (i32 y = 0; y < f.height(); ++y) {
      const i32 begin = runs.row_begin[y], end = runs.row_begin[y + 1];
      const bool edge = y == 0 || y + 1 == f.height();
      for (i32 r = begin; r < end; r += edge ? 1 : std::max(1, end - 1 - begin)) {
        if (edge || runs.x0[r] == 0 || runs.x1[r] == f.width()) open[runs.root_of(r)] = 1;
      }
    }
  }
  /// Calls fn(x0, length) for the runs of row y that belong to closed components.
  template <class Fn>
  void each_closed(i32 y, Fn&& fn) const {
    for (i32 r = runs.row_begin[y]; r < runs.row_begin[y + 1]; ++r) {
      if (!open[runs.root_of(r)]) fn(runs.x0[r], static_cast<std::size_t>(runs.x1[r] - runs.x0[r]));
    }
  }
};

}  // namespace

bool seems_of_two(View<const u8> f) {
  const i32 step = std::max(1, f.height() / 16);
  u8 a = f.row(0)[0], b = a;
  for (i32 y = 0; y < f.height(); y += step) {
    if (!others_in_row(f.row(y), f.width(), a, b)) continue;
    if (b != a) return false;
    b = *std::find_if(f.row(y), f.row(y) + f.width(), [a](u8 v) { return v != a; });
    if (others_in_row(f.row(y), f.width(), a, b)) return false;
  }
  return true;
}

bool fill_holes_of_two(Context& ctx, View<const u8> f, View<u8> out, Connectivity connectivity) {
  TwoValues values{};
  if (!two_values(ctx, f, values)) return false;
  const Workspace::Scope scope(ctx.workspace);
  const Components low(ctx, f, connectivity, values.high);
  parallel_for(ctx, f.height(), rows_per_piece(f.width()), [&](i64 begin, i64 end, int) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) {
      u8* row = out.row(y);
      std::memcpy(row, f.row(y), static_cast<std::size_t>(f.width()));
      low.each_closed(y, [&](i32 x, std::size_t n) { std::memset(row + x, values.high, n); });
    }
  });
  return true;
}

bool clear_border_of_two(Context& ctx, View<const u8> f, View<u8> out, Connectivity connectivity) {
  TwoValues values{};
  if (!two_values(ctx, f, values)) return false;
  const Workspace::Scope scope(ctx.workspace);
  const Components high(ctx, f, connectivity, values.low);
  // From the border the low value reaches every pixel, the high one only its components there: what is left above that is the
  // difference.
  const int left = values.high - values.low;
  parallel_for(ctx, f.height(), rows_per_piece(f.width()), [&](i64 begin, i64 end, int) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) {
      u8* row = out.row(y);
      std::memset(row, 0, static_cast<std::size_t>(f.width()));
      high.each_closed(y, [&](i32 x, std::size_t n) { std::memset(row + x, left, n); });
    }
  });
  return true;
}

}  // namespace morpho::cpu
