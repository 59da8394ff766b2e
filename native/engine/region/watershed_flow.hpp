// One tile's part of a watershed: its flow graph, with the pixels around it as far as they are known.
#pragma once
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "cpu/watershed/watershed_plateaus.hpp"
#include "cpu/watershed/watershed_rows.hpp"
#include "borders.hpp"
#include "grid.hpp"
#include "raster.hpp"

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
  i64 pending = 0;  ///< pixels without a lower neighbour that are no sinks

  FlowTile(Context& context, const Rect& r, const Rect& w, bool eight)
      : ctx(context), rect(r), window(w), graph(context.workspace, extent_of(r), eight) {}

  i64 index(i64 x, i64 y) const { return graph.index(static_cast<i32>(x - rect.x), static_cast<i32>(y - rect.y)); }
  i64 pixels() const { return static_cast<i64>(graph.pitch) * (graph.extent.height + 2); }

  /// Reads levels, mask and markers; directions downhill. Pixels outside the mask do not exist. Returns the largest marker.
  i32 load(const Raster& levels, const Raster* markers, const Raster* mask) {
    namespace flow = cpu::flow;
    const std::size_t pitch = static_cast<std::size_t>(graph.pitch);
    graph.pad();
    levels.read(window, graph.g + index(window.x, window.y), pitch * sizeof(T));
    u8* exists = nullptr;
    if (mask) {
      exists = ctx.workspace.take<u8>(static_cast<std::size_t>(pixels()));
      mask->read(window, exists + index(window.x, window.y), pitch);
      for (i64 y = window.y; y < window.y + window.height; ++y) {
        const i64 row = index(window.x, y);
        for (i64 p = row; p < row + window.width; ++p) graph.g[p] = exists[p] ? graph.g[p] : std::numeric_limits<T>::max();
      }
    }
    const i32 width = graph.extent.width;
    i32* marker = markers ? ctx.workspace.take<i32>(static_cast<std::size_t>(width)) : nullptr;
    i32 largest = 0;
    each_row([&](i64 row) {
      u8* dir = graph.dir + row;
      cpu::descend_row(graph, graph.g + row, dir, width);
      if (marker) {
        markers->read({rect.x, rect.y + row / graph.pitch - 1, rect.width, 1}, marker, 0);
        for (i32 x = 0; x < width; ++x) dir[x] = marker[x] > 0 ? flow::sink : dir[x];
        if (exists) {
          for (i32 x = 0; x < width; ++x) marker[x] = exists[row + x] ? marker[x] : 0;
        }
        for (i32 x = 0; x < width; ++x) largest = std::max(largest, marker[x]);
      }
      if (exists) {
        for (i32 x = 0; x < width; ++x) dir[x] = exists[row + x] ? dir[x] : flow::outside;
      }
      i32 found = 0;
      for (i32 x = 0; x < width; ++x) found += dir[x] == flow::pending;
      pending += found;
    });
    return largest;
  }

  /// A pixel of the rim with its depth, which is there.
  struct Source {
    i64 depth;
    i32 at;  ///< index of graph
    bool operator<(const Source& o) const { return depth < o.depth; }
  };

  /// Leads every pending pixel whose plateau has an outlet, in the tile or by way of the rim, one step nearer to it (ties:
  /// smallest index), breadth first; the rim's pixels have their turn where their depth comes. Those left pending know of no
  /// outlet. `border` becomes the depths of the pixels along the tile's border.
  void drain(std::vector<Source> rim, Border<i64>& border) const {
    namespace flow = cpu::flow;
    depths_before(border);
    if (pending == 0) return;
    const cpu::FlowGraph<T> own = graph;  // a copy: bytes stored through `dir` might else be its members
    u8* const dir = own.dir;
    const T* const g = own.g;
    // The frame's own neighbours may lie outside of it.
    const auto inward = [&](i64 p, auto&& fn) {
      own.each_step([&](int k, i32 step) {
        if (p + step >= 0 && p + step < pixels()) fn(k, p + step);
      });
    };
    std::erase_if(rim, [&](const Source& s) {
      bool any = false;
      inward(s.at, [&](int, i64 q) { any = any || (dir[q] == flow::pending && g[q] == g[s.at]); });
      return !any;
    });
    std::sort(rim.begin(), rim.end());
    const Workspace::Scope scope(ctx.workspace);
    i32* const queue = ctx.workspace.take<i32>(static_cast<std::size_t>(pending));
    i64 head = 0, end = 0, tail = 0, level = 0;
    each_row([&](i64 row) {
      cpu::each_pending(dir + row, own.extent.width, [&](i32 x) {
        const i64 p = row + x;
        for (int k = 0; k < 8; ++k) {
          if (!flow::used(k, own.eight)) continue;
          const i64 q = p + own.step[k];
          if (g[q] != g[p] || (dir[q] >= 8 && dir[q] != flow::sink)) continue;
          dir[p] = static_cast<u8>(flow::reached + k);
          queue[tail++] = static_cast<i32>(p);
          break;
        }
      });
    });
    const auto reach = [&](i64 p, i64 q, int k) {
      if (cpu::reach<false>(dir[q], static_cast<u8>(flow::reached + 7 - k), g[q], g[p])) queue[tail++] = static_cast<i32>(q);
    };
    auto expand_rim = [&, next = rim.begin()]() mutable {
      for (; next != rim.end() && next->depth == level; ++next) inward(next->at, [&](int k, i64 q) { reach(next->at, q, k); });
      return next == rim.end() ? depth::none : next->depth;
    };
    for (i64 waits = expand_rim(); head < tail || waits != depth::none;) {
      ctx.check_cancelled();
      end = tail;
      level = head < end ? level + 1 : waits;
      for (i64 i = head; i < end; ++i) {
        const i64 p = queue[i];
        dir[p] &= 7;
        if (p < 2 * own.pitch || p >= static_cast<i64>(own.extent.height) * own.pitch || dir[p - 1] == flow::outside ||
            dir[p + 1] == flow::outside)
          note_depth(border, p, level);
      }
      for (i64 i = head; i < end; ++i) {
        const i64 p = queue[i];
        own.each_step([&](int k, i32 step) { reach(p, p + step, k); });
      }
      head = end;
      waits = expand_rim();
    }
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
  void depths_before(Border<i64>& border) const {
    Border<u8> dirs;
    dirs.take(graph.dir + graph.index(0, 0), static_cast<std::size_t>(graph.pitch), rect);
    const auto fill = [](const std::vector<u8>& from, std::vector<i64>& to) {
      to.resize(from.size());
      std::transform(from.begin(), from.end(), to.begin(), [](u8 d) {
        return d == cpu::flow::outside ? depth::absent : d == cpu::flow::pending ? depth::none : i64{0};
      });
    };
    fill(dirs.top, border.top), fill(dirs.bottom, border.bottom), fill(dirs.left, border.left), fill(dirs.right, border.right);
  }
  void note_depth(Border<i64>& border, i64 p, i64 depth) const {
    const i64 x = p % graph.pitch - 1, y = p / graph.pitch - 1;
    if (y == 0) border.top[static_cast<std::size_t>(x)] = depth;
    if (y == rect.height - 1) border.bottom[static_cast<std::size_t>(x)] = depth;
    if (x == 0) border.left[static_cast<std::size_t>(y)] = depth;
    if (x == rect.width - 1) border.right[static_cast<std::size_t>(y)] = depth;
  }
};

}  // namespace morpho::engine::region
