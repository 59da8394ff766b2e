// Counts grey values, and finds Otsu's threshold of the counts in exact integers.
#include <cstring>

#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {

namespace {

using u32 = std::uint32_t;
constexpr i32 kTables = 8;  // one a byte of a 64-bit word, so that equal neighbours do not wait for each other's count

void count_row(const u8* row, i32 n, u32* tables) {
  i32 x = 0;
  for (; x + 8 <= n; x += 8) {
    u64 v;
    std::memcpy(&v, row + x, 8);
    ++tables[v & 255];
    ++tables[256 + (v >> 8 & 255)];
    ++tables[512 + (v >> 16 & 255)];
    ++tables[768 + (v >> 24 & 255)];
    ++tables[1024 + (v >> 32 & 255)];
    ++tables[1280 + (v >> 40 & 255)];
    ++tables[1536 + (v >> 48 & 255)];
    ++tables[1792 + (v >> 56)];
  }
  for (; x < n; ++x) ++tables[row[x]];
}
void count_row(const u16* row, i32 n, u32* table) {
  for (i32 x = 0; x < n; ++x) ++table[row[x]];
}

/// Counts two neighbours at once, in a table of 65536: half the counting, and on images neighbours are alike, so that the part
/// of the table in use is small. Equal pairs wait for each other's count no longer than equal pixels would.
void count_pairs(const u8* row, i32 n, u32* pairs) {
  i32 x = 0;
  for (; x + 8 <= n; x += 8) {
    u64 v;
    std::memcpy(&v, row + x, 8);
    ++pairs[v & 65535];
    ++pairs[v >> 16 & 65535];
    ++pairs[v >> 32 & 65535];
    ++pairs[v >> 48];
  }
  for (; x + 2 <= n; x += 2) ++pairs[row[x] | row[x + 1] << 8];
}
void add_pairs(const u32* pairs, u64* bins) {
  for (int high = 0; high < 256; ++high) {
    u64 sum = 0;
    for (int low = 0; low < 256; ++low) {
      sum += pairs[256 * high + low];
      bins[low] += pairs[256 * high + low];
    }
    bins[high] += sum;
  }
}

/// Calls row(y, table) for every row, each thread with a table of its own, then add(table) for each of these.
template <class Row, class Add>
void count_rows(Context& ctx, Extent e, std::size_t size, Row&& row, Add&& add) {
  const std::size_t threads = static_cast<std::size_t>(ctx.threads < 1 ? 1 : ctx.threads);
  const Workspace::Scope scope(ctx.workspace);
  u32* tables = ctx.workspace.take<u32>(threads * size);  // an image has fewer than 2^31 pixels: u32 counts suffice
  u8* used = ctx.workspace.take<u8>(threads);
  std::memset(used, 0, threads);
  parallel_for(ctx, e.height, rows_per_piece(e.width, 1 << 18), [&](i64 begin, i64 end, int worker) {
    u32* mine = tables + static_cast<std::size_t>(worker) * size;
    if (!used[worker]) std::memset(mine, 0, size * sizeof(u32));
    used[worker] = 1;
    for (i32 y = static_cast<i32>(begin); y < end; ++y) row(y, mine);
  });
  for (std::size_t t = 0; t < threads; ++t) {
    if (used[t]) add(tables + t * size);
  }
}

void count(Context& ctx, const View<const u8>& f, u64* bins) {
  constexpr i64 many = 1 << 19;  // pixels, from which the large table pays for being cleared and added up
  const i32 width = f.width();
  std::memset(bins, 0, 256 * sizeof(u64));
  if (f.extent.area() < many) {
    count_rows(
        ctx, f.extent, 256 * kTables, [&](i32 y, u32* tables) { count_row(f.row(y), width, tables); },
        [&](const u32* tables) {
          for (int i = 0; i < 256 * kTables; ++i) bins[i % 256] += tables[i];
        });
    return;
  }
  count_rows(
      ctx, f.extent, 65536, [&](i32 y, u32* pairs) { count_pairs(f.row(y), width, pairs); },
      [&](const u32* pairs) { add_pairs(pairs, bins); });
  if (width % 2) {
    for (i32 y = 0; y < f.height(); ++y) ++bins[f.row(y)[width - 1]];
  }
}
void count(Context& ctx, const View<const u16>& f, u64* bins) {
  std::memset(bins, 0, 65536 * sizeof(u64));
  count_rows(
      ctx, f.extent, 65536, [&](i32 y, u32* table) { count_row(f.row(y), f.width(), table); },
      [&](const u32* table) {
        for (int i = 0; i < 65536; ++i) bins[i] += table[i];
      });
}

}  // namespace

// Memory: 256 KiB a thread (u8 below 2^19 pixels: 8 KiB). Cost: one pass.
void histogram(Context& ctx, ConstPlane f, u64* bins) {
  op::histogram::check(f, bins);
  if (f.type == PixelType::u8) count(ctx, f.view<u8>(), bins);
  else count(ctx, f.view<u16>(), bins);
}

}  // namespace morpho::cpu

namespace morpho {

namespace {

__extension__ typedef unsigned __int128 u128;

/// A number below 2^384, least digit first: large enough for d1² * n2 below.
struct Wide {
  u64 digit[6] = {0, 0, 0, 0, 0, 0};

  explicit Wide(u128 v) {
    digit[0] = static_cast<u64>(v);
    digit[1] = static_cast<u64>(v >> 64);
  }
  friend Wide operator*(const Wide& a, const Wide& b) {
    Wide r{u128{0}};
    for (int i = 0; i < 6; ++i) {
      u128 carry = 0;
      for (int j = 0; i + j < 6; ++j) {
        carry += static_cast<u128>(a.digit[i]) * b.digit[j] + r.digit[i + j];
        r.digit[i + j] = static_cast<u64>(carry);
        carry >>= 64;
      }
    }
    return r;
  }
  friend bool operator>(const Wide& a, const Wide& b) {
    for (int i = 5; i >= 0; --i) {
      if (a.digit[i] != b.digit[i]) return a.digit[i] > b.digit[i];
    }
    return false;
  }
};

}  // namespace

// With N pixels of sum S, n and s of them at or below t, the between-class variance is (N s - n S)² / (N² n (N - n)). N² is
// common, so two levels are compared by d1² * (n2 (N - n2)) > d2² * (n1 (N - n1)). Bounds: N < 2^48, levels < 2^16, so S <
// 2^64, d < 2^112, d² < 2^224, the product < 2^320.
i32 otsu_level(const u64* bins, i32 count) {
  if (count < 0 || count > 65536) reject("count", "0 to 65536 bins", std::to_string(count));
  u128 total = 0, sum = 0;
  i32 used = 0, last = 0;
  for (i32 v = 0; v < count; ++v) {
    if (!bins[v]) continue;
    total += bins[v];
    sum += static_cast<u128>(bins[v]) * static_cast<u64>(v);
    ++used;
    last = v;
  }
  if (total >> 48) reject("bins", "fewer than 2^48 pixels in all", "more");
  if (used < 2) return last;
  u128 n = 0, s = 0;
  Wide best_square{u128{0}}, best_weight{u128{1}};
  i32 best = 0;
  for (i32 v = 0; v < last; ++v) {
    if (!bins[v]) continue;  // the same classes as at the level before: it came first
    n += bins[v];
    s += static_cast<u128>(bins[v]) * static_cast<u64>(v);
    const u128 a = total * s, b = n * sum;
    const Wide d(a > b ? a - b : b - a), weight(n * (total - n));
    const Wide square = d * d;
    if (square * best_weight > best_square * weight) {
      best_square = square;
      best_weight = weight;
      best = v;
    }
  }
  return best;
}

}  // namespace morpho
