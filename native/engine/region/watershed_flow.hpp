// One tile's part of a watershed: its flow graph, with the pixels around it as far as they are known.
#pragma once
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "cpu/watershed/watershed_graph.hpp"
#include "engine/region/grid.hpp"
#include "engine/region/raster.hpp"

namespace morpho::engine::region {

/// Geodesic steps on its plateau from a pixel to one that is a sink or has a lower neighbour, which has 0.
namespace depth {
inline constexpr i64 none = std::numeric_limits<i64>::max();  ///< no such pixel is known
inline constexpr i64 absent = -1;                             ///< the pixel does not exist
}  // namespace depth

/// The tile `rect` of a region, of which `window` is the tile and the pixels around it: the rim, which is the frame of `graph`.
template <class T>
struct FlowTile {
  Context& ctx;
  Rect rect, window;
  cpu::FlowGraph<T> graph;
  i64* depth;  ///< as graph.g is laid out

  FlowTile(Context& context, const Rect& r, const Rect& w, bool eight)
      : ctx(context),
        rect(r),
        window(w),
        graph(context.workspace, extent_of(r), eight),
        depth(context.workspace.take<i64>(cpu::FlowGraph<T>::pixels(extent_of(r)))) {}

  i64 index(i64 x, i64 y) const { return graph.index(static_cast<i32>(x - rect.x), static_cast<i32>(y - rect.y)); }
  i64 pixels() const { return static_cast<i64>(graph.pitch) * (graph.extent.height + 2); }

  /// Reads levels, mask and markers; directions downhill. Pixels outside the mask do not exist. The rim's depths are absent
  /// until somebody says otherwise. Returns the largest marker.
  i32 load(const Raster& levels, const Raster* markers, const Raster* mask) {
    namespace flow = cpu::flow;
    const std::size_t pitch = static_cast<std::size_t>(graph.pitch);
    graph.pad();
    levels.read(window, graph.g + index(window.x, window.y), pitch * sizeof(T));
    std::fill_n(depth, pixels(), depth::absent);
    u8* exists = nullptr;
    if (mask) {
      exists = ctx.workspace.take<u8>(static_cast<std::size_t>(pixels()));
      mask->read(window, exists + index(window.x, window.y), pitch);
      for (i64 y = window.y; y < window.y + window.height; ++y) {
        const i64 row = index(window.x, y);
        for (i64 p = row; p < row + window.width; ++p) graph.g[p] = exists[p] ? graph.g[p] : std::numeric_limits<T>::max();
      }
    }
    i32* marker = markers ? ctx.workspace.take<i32>(static_cast<std::size_t>(rect.width)) : nullptr;
    i32 largest = 0;
    for (i64 y = rect.y; y < rect.y + rect.height; ++y) {
      const i64 row = index(rect.x, y);
      u8* dir = graph.dir + row;
      cpu::descend_row(graph, graph.g + row, dir, graph.extent.width);
      if (marker) markers->read({rect.x, y, rect.width, 1}, marker, 0);
      for (i32 x = 0; x < graph.extent.width; ++x) {
        if (exists && !exists[row + x]) {
          dir[x] = flow::outside;
          continue;
        }
        if (marker && marker[x] > 0) dir[x] = flow::sink, largest = std::max(largest, marker[x]);
        depth[row + x] = dir[x] == flow::pending ? depth::none : 0;
      }
    }
    return largest;
  }

  /// The depths of pending pixels, from those of the others and of the rim: breadth first, the rim's pixels as they come in
  /// order.
  void spread() {
    namespace flow = cpu::flow;
    i64 pending = 0;
    each_row([&](i64 row) { cpu::each_pending(graph.dir + row, graph.extent.width, [&](i32) { ++pending; }); });
    if (pending == 0) return;
    const Workspace::Scope scope(ctx.workspace);
    i32* queue = ctx.workspace.take<i32>(static_cast<std::size_t>(pending));
    std::vector<std::pair<i64, i32>> from_rim;  // depths above 1
    i64 head = 0, tail = 0;
    each_row([&](i64 row) {
      cpu::each_pending(graph.dir + row, graph.extent.width, [&](i32 x) {
        const i64 p = row + x;
        i64 best = depth::none;
        graph.each_step([&](int, i32 step) {
          const i64 q = p + step, d = depth[q];
          // In the tile only what had no need to wait; others are not known yet.
          if (graph.g[q] == graph.g[p] && d >= 0 && d != depth::none && (d == 0 || graph.dir[q] == flow::outside))
            best = std::min(best, d + 1);
        });
        if (best == depth::none) return;
        depth[p] = best;
        if (best > 1) from_rim.emplace_back(best, static_cast<i32>(p));
        else queue[tail++] = static_cast<i32>(p);
      });
    });
    std::sort(from_rim.begin(), from_rim.end());
    auto next = from_rim.begin();
    for (i64 taken = 0;; ++taken) {
      if ((taken & 0xFFFF) == 0xFFFF) ctx.check_cancelled();
      while (next != from_rim.end() && depth[next->second] != next->first) ++next;  // a shorter way was found meanwhile
      i64 p;
      if (head < tail && (next == from_rim.end() || depth[queue[head]] <= next->first)) p = queue[head++];
      else if (next != from_rim.end()) p = next++->second;
      else return;
      const i64 further = depth[p] + 1;
      graph.each_step([&](int, i32 step) {
        const i64 q = p + step;
        if (graph.dir[q] != flow::pending || graph.g[q] != graph.g[p] || depth[q] <= further) return;
        depth[q] = further;
        queue[tail++] = static_cast<i32>(q);
      });
    }
  }

  /// Where pending pixels flow; those whose depth is none stay pending.
  void direct() {
    each_row([&](i64 row) {
      u8* dir = graph.dir + row;
      cpu::each_pending(dir, graph.extent.width, [&](i32 x) {
        const i64 p = row + x;
        if (depth[p] == depth::none) return;
        u8 found = cpu::flow::pending;
        graph.each_step([&](int k, i32 step) {
          const i64 q = p + step;
          if (found == cpu::flow::pending && graph.g[q] == graph.g[p] && depth[q] == depth[p] - 1) found = static_cast<u8>(k);
        });
        dir[x] = found;
      });
    });
  }

  /// What a pixel's way ends in, as `label` has it (laid out as graph.g), which has the labels of sinks and of pixels that stay
  /// pending: a label; or, where it leads over the border, exit_at(index) of the rim's pixel.
  static i32 exit_at(i64 p) { return static_cast<i32>(-1 - p); }
  void follow(i32* label) {
    namespace flow = cpu::flow;
    constexpr i32 unknown = std::numeric_limits<i32>::min();
    const auto rim = [&](i32 x, i32 y) { label[graph.index(x, y)] = exit_at(graph.index(x, y)); };
    const i32 width = graph.extent.width, height = graph.extent.height;
    for (i32 x = -1; x <= width; ++x) rim(x, -1), rim(x, height);
    for (i32 y = 0; y < height; ++y) rim(-1, y), rim(width, y);
    each_row([&](i64 row) {
      for (i64 p = row; p < row + rect.width; ++p) {
        const u8 d = graph.dir[p];
        if (d == flow::outside) label[p] = 0;
        else if (d < 8) label[p] = unknown;
      }
    });
    each_row([&](i64 row) {
      for (i64 start = row; start < row + rect.width; ++start) {
        i64 p = start;
        while (label[p] == unknown) p += graph.step[graph.dir[p]];
        const i32 found = label[p];
        for (p = start; label[p] == unknown; p += graph.step[graph.dir[p]]) label[p] = found;
      }
    });
  }

 private:
  template <class Fn>
  void each_row(Fn&& fn) const {
    for (i32 y = 0; y < graph.extent.height; ++y) fn(graph.index(0, y));
  }
};

}  // namespace morpho::engine::region
