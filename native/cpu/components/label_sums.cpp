// Sums over the pixels of every label.
#include <algorithm>

#include "cpu/components/label_runs.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {
namespace {

/// Sums in the image's coordinates, modulo 2^64: what wraps on the way is right again once they are moved to the first pixel.
struct Raw {
  u64 area, x, y, xx, yy, xy, value;
  i64 first;  ///< index of the first pixel, -1 where there is none
};

/// Adds a run of one label: closed forms, so that the cost per pixel is that of reading it.
void add_run(Raw& s, i64 x0, i64 x1, i64 y, i64 width, i64 value) {
  const u64 n = static_cast<u64>(x1 - x0), a = static_cast<u64>(x0), row = static_cast<u64>(y);
  const u64 steps = n * (n - 1) / 2;  // 0 + 1 + … + (n - 1)
  // 0² + 1² + … + (n - 1)² = steps * (2n - 1) / 3, the division by 3 as a product modulo 2^64: it leaves no remainder.
  const u64 squares = steps * (2 * n - 1) * 0xAAAAAAAAAAAAAAABu;
  const u64 sum = n * a + steps;
  if (s.first < 0) s.first = y * width + x0;
  s.area += n;
  s.x += sum;
  s.y += n * row;
  s.xx += n * a * a + 2 * a * steps + squares;
  s.yy += n * row * row;
  s.xy += sum * row;
  s.value += static_cast<u64>(value);
}

template <class V>
void add_rows(const View<const i32>& labels, i32 count, const View<const V>& value, const View<const V>& below, i32 begin,
              i32 end, Raw* sums) {
  const i32 width = labels.width();
  for (i32 y = begin; y < end; ++y) {
    const i32* row = labels.row(y);
    const V* v = value.data ? value.row(y) : nullptr;
    const V* b = below.data ? below.row(y) : nullptr;
    each_label_run(row, width, count, [&](i32 x0, i32 x1, i32 label) {
      i64 total = 0;
      if (b) {
        for (i32 k = x0; k < x1; ++k) total += v[k] - b[k];
      } else if (v) {
        for (i32 k = x0; k < x1; ++k) total += v[k];
      }
      add_run(sums[label], x0, x1, y, width, total);
    });
  }
}

LabelSums relative(const Raw& s, i64 width) {
  if (s.first < 0) return {};
  const i64 x = s.first % width, y = s.first / width;
  const u64 a = static_cast<u64>(x), b = static_cast<u64>(y), n = s.area;
  const auto whole = [](u64 v) { return static_cast<i64>(v); };
  return {whole(n),
          whole(s.x - n * a),
          whole(s.y - n * b),
          whole(s.xx - 2 * a * s.x + n * a * a),
          whole(s.yy - 2 * b * s.y + n * b * b),
          whole(s.xy - a * s.y - b * s.x + n * a * b),
          whole(s.value),
          static_cast<i32>(x),
          static_cast<i32>(y)};
}

}  // namespace

// Memory: 64 bytes a label and thread; one thread where that were more than one byte a pixel. Cost: one pass over the pixels,
// one over the labels. Bands of rows are summed at once, each thread's by itself; integers: which band a thread had does not
// show.
void label_sums(Context& ctx, ConstPlane labels, i32 count, ConstPlane value, ConstPlane below, LabelSums* sums) {
  op::label_sums::check(labels, count, value, below, sums);
  const View<const i32> l = labels.view<i32>();
  const std::size_t n = static_cast<std::size_t>(count) + 1;
  const i64 width = l.width(), height = l.extent.empty() ? 0 : l.height();
  const Workspace::Scope scope(ctx.workspace);
  const int workers = 64 * static_cast<i64>(n) > l.extent.area() ? 1 : ctx.threads;
  Raw* raw = ctx.workspace.take<Raw>(n * static_cast<std::size_t>(workers));
  std::fill_n(raw, n * static_cast<std::size_t>(workers), Raw{0, 0, 0, 0, 0, 0, 0, -1});
  parallel_for(ctx, height, workers == 1 ? height : rows_per_piece(l.width()), [&](i64 begin, i64 end, int worker) {
    const auto add = [&]<class V>(V) {
      const auto grey = [](const ConstPlane& p) { return p.present() ? p.view<V>() : View<const V>(); };
      add_rows<V>(l, count, grey(value), grey(below), static_cast<i32>(begin), static_cast<i32>(end),
                  raw + n * static_cast<std::size_t>(worker));
    };
    value.type == PixelType::u16 ? add(u16{}) : add(u8{});
  });
  for (std::size_t i = 0; i < n; ++i) {
    Raw all = raw[i];
    for (int w = 1; w < workers; ++w) {
      const Raw& part = raw[n * static_cast<std::size_t>(w) + i];
      if (part.first < 0) continue;
      all.area += part.area, all.x += part.x, all.y += part.y, all.xx += part.xx, all.yy += part.yy, all.xy += part.xy,
          all.value += part.value;
      all.first = all.first < 0 ? part.first : std::min(all.first, part.first);
    }
    sums[i] = relative(all, width);
  }
}

}  // namespace morpho::cpu
