// Removes the small nodes of a built max-tree: the area opening without sums of any other kind.
#pragma once
#include <algorithm>

#include "contract/ops.hpp"
#include "cpu/parallel.hpp"

namespace morpho::cpu {

/// What is known of a node while the tree is peeled: pixels counted so far in the low half, children still to come in the high half.
/// Both stop counting at their half's top bit: a node with as many pixels or children is large enough for any `area` allowed here.
template <class S>
struct PeelState {
  static constexpr int half = 4 * sizeof(S);
  static constexpr S child = S{1} << half, full = child >> 1, done = ~S{0};
  static S counted(S s, bool is_child) {
    const S one_child = (static_cast<S>(~s) >> (2 * half - 1)) << half, one_pixel = static_cast<S>(~s) >> (half - 1) & 1;
    return s + (is_child ? one_child : one_pixel);
  }
};

/// Writes to `out` f without the nodes of fewer than `area` pixels (1 .. PeelState<S>::full), which take the altitude of the nearest
/// ancestor that stays; the root stays. f and parent by pixel index, without gaps.
/// Cost: one pass that counts, one that walks up from every leaf as long as nodes are small and complete, one that writes.
/// Memory: sizeof(S) and f's type a pixel, 4 bytes a node.
template <class S, class T>
void open_tree(Context& ctx, const T* f, const i32* parent, View<T> out, S area) {
  using P = PeelState<S>;
  const i32 width = out.width(), height = out.height(), n = width * height;
  const Workspace::Scope scope(ctx.workspace);
  S* state = ctx.workspace.take<S>(static_cast<std::size_t>(n));
  T* level = ctx.workspace.take<T>(static_cast<std::size_t>(n));
  const i64 grain = rows_per_piece(width);
  parallel_for(ctx, height, grain, [&](i64 begin, i64 end, int) {
    std::fill(state + begin * width, state + end * width, S{0});
    std::copy(f + begin * width, f + end * width, level + begin * width);
  });
  i32 nodes = 0;
  for (i32 y = 0, p = 0; y < height; ++y) {
    if (y % 64 == 0) ctx.check_cancelled();
    for (const i32 end = p + width; p < end; ++p) {
      const i32 q = parent[p];
      const bool canonical = (q == p) | (f[q] != f[p]);  // the root becomes a child of its own, and is never complete
      state[q] = P::counted(state[q], canonical);
      state[p] += canonical;
      nodes += canonical;
    }
  }
  i32* removed = ctx.workspace.take<i32>(static_cast<std::size_t>(nodes));
  i32 count = 0;
  for (i32 y = 0, p = 0; y < height; ++y) {
    if (y % 64 == 0) ctx.check_cancelled();
    for (const i32 end = p + width; p < end; ++p) {
      if (static_cast<S>(state[p] - 1) >= P::child - 1) continue;  // no canonical pixel, or children to come
      S size = state[p];
      for (i32 node = p; size < area;) {
        state[node] = P::done;
        removed[count++] = node;
        node = parent[node];
        S s = state[node];
        if (s >> (2 * P::half - 1)) break;  // large, whatever comes
        s += size - P::child;
        const S pixels = s & (P::child - 1);
        if (pixels > P::full) s -= pixels - P::full;
        state[node] = s;
        if (s >= P::child) break;
        size = s;
      }
    }
  }
  ctx.check_cancelled();
  while (count-- > 0) level[removed[count]] = level[parent[removed[count]]];
  parallel_for(ctx, height, grain, [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) {
      T* row = out.row(static_cast<i32>(y));
      const i32 first = static_cast<i32>(y * width);
      for (i32 x = 0; x < width; ++x) {
        const i32 p = first + x, q = parent[p];
        row[x] = level[f[q] == f[p] ? q : p];  // the root is its own parent
      }
    }
  });
}

/// The same for any area.
template <class T>
void open_tree(Context& ctx, const T* f, const i32* parent, View<T> out, i64 area) {
  if (area <= static_cast<i64>(PeelState<std::uint32_t>::full)) {
    open_tree<std::uint32_t>(ctx, f, parent, out, static_cast<std::uint32_t>(std::max<i64>(1, area)));
  } else {
    open_tree<u64>(ctx, f, parent, out, static_cast<u64>(std::min<i64>(area, PeelState<u64>::full)));
  }
}

}  // namespace morpho::cpu
