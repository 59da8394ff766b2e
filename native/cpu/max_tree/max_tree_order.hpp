// The pixels of an image by value, then index.
#pragma once
#include <algorithm>
#include <utility>

#include "contract/ops.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {

/// Ascending value (of the inverted image where `inverted`), then index: a counting sort, bands of rows in parallel.
/// Memory: 4 bytes a grey level and thread.
template <class T>
void sort_pixels(Context& ctx, View<const T> f, View<i32> order, bool inverted) {
  constexpr std::size_t levels = std::size_t{1} << (8 * sizeof(T));
  const T flip = inverted ? static_cast<T>(levels - 1) : T{0};
  const i32 width = f.width(), height = f.height();
  const i32 bands = static_cast<i32>(std::clamp<i64>(ctx.threads, 1, std::max<i64>(1, f.extent.area() >> 16)));
  const auto first_row = [&](i64 b) { return static_cast<i32>(static_cast<i64>(height) * b / bands); };
  const Workspace::Scope scope(ctx.workspace);
  i32* counts = ctx.workspace.take<i32>(levels * static_cast<std::size_t>(bands));
  std::fill_n(counts, levels * static_cast<std::size_t>(bands), 0);
  parallel_for(ctx, bands, 1, [&](i64 b, i64, int) {
    i32* count = counts + levels * static_cast<std::size_t>(b);
    for (i32 y = first_row(b); y < first_row(b + 1); ++y) {
      for (i32 x = 0; x < width; ++x) ++count[f.at(x, y) ^ flip];
    }
  });
  i32 at = 0;
  for (std::size_t v = 0; v < levels; ++v) {
    for (i32 b = 0; b < bands; ++b) at += std::exchange(counts[levels * static_cast<std::size_t>(b) + v], at);
  }
  parallel_for(ctx, bands, 1, [&](i64 b, i64, int) {
    i32* next = counts + levels * static_cast<std::size_t>(b);
    const bool flat = order.contiguous();
    for (i32 y = first_row(b); y < first_row(b + 1); ++y) {
      if (y % 64 == 0) ctx.check_cancelled();
      const T* row = f.row(y);
      const i32 p = y * width;
      for (i32 x = 0; x < width; ++x) {
        const i32 to = next[row[x] ^ flip]++;
        if (flat) order.data[to] = p + x;
        else order.at(to % width, to / width) = p + x;
      }
    }
  });
}

}  // namespace morpho::cpu
