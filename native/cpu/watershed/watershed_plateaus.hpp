// The watershed's plateaus: those with an outlet are drained to it, the others are numbered.
#pragma once
#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "contract/work_log.hpp"
#include "cpu/watershed/watershed_rows.hpp"

namespace morpho::cpu {

/// Rows in pieces, each with a part of one list that has room for the piece's pending pixels.
struct PendingPieces {
  i64 rows = 1;  ///< of a piece
  i64 count = 0;
  i64* begin = nullptr;  ///< count + 1 places in the list
  i64* used = nullptr;   ///< how many of them are in use

  template <class T>
  PendingPieces(Context& ctx, const FlowGraph<T>& graph, i64 pixels = 1 << 17)
      : rows(rows_per_piece(graph.extent.width, pixels)) {
    const i32 width = graph.extent.width, height = graph.extent.height;
    count = (height + rows - 1) / rows;
    begin = ctx.workspace.take<i64>(static_cast<std::size_t>(count) + 1);
    used = ctx.workspace.take<i64>(static_cast<std::size_t>(count));
    parallel_for(ctx, height, rows, [&](i64 y0, i64 y1, int) {
      i64 found = 0;
      for (i64 y = y0; y < y1; ++y) {
        const u8* dir = graph.dir + graph.index(0, static_cast<i32>(y));
        found += pending_in(dir, width);
      }
      begin[y0 / rows + 1] = found;
    });
    begin[0] = 0;
    std::partial_sum(begin, begin + count + 1, begin);
  }
};

/// Lets a pixel of altitude `level` reach its neighbour of altitude g, whose direction is at `place`: true where the neighbour
/// is reached for the first time. `shared`: other threads may do so at once; the smallest direction stays.
template <bool shared, class T>
bool reach(u8& place, u8 back, T g, T level) {
  std::atomic_ref<u8> dir(place);
  u8 d = dir.load(std::memory_order_relaxed);
  while (d > back && d <= flow::pending && d != flow::sink && g == level) {
    if constexpr (shared) {
      if (!dir.compare_exchange_weak(d, back, std::memory_order_relaxed)) continue;
    } else {
      place = back;
    }
    return d == flow::pending;
  }
  return false;
}

/// Pixels of a level that one thread does sooner than several would be told of them.
inline constexpr i64 kSmallLevel = 1 << 13;

/// The neighbours of queue[head, end), all at one distance from their outlets, that are still pending take their place behind
/// `end`; each flows to its smallest neighbour of that distance. Returns the new end. With threads the order in the queue
/// varies, no direction does.
template <class T>
i64 drain_level(Context& ctx, const FlowGraph<T>& shared, i32* queue, i64 head, i64 end) {
  constexpr i64 block = 1 << 12;
  if (ctx.threads <= 1 || end - head < kSmallLevel) {
    const FlowGraph<T> graph = shared;  // a copy, here and below: bytes stored through `dir` might else be its members
    u8* const dir = graph.dir;
    const T* const g = graph.g;
    i64 tail = end;
    for (i64 i = head; i < end; ++i) dir[queue[i]] &= 7;
    for (i64 i = head; i < end; ++i) {
      if (i % block == 0) ctx.check_cancelled();
      const i64 p = queue[i];
      graph.each_step([&](int k, i32 step) {
        const i64 q = p + step;
        if (reach<false>(dir[q], static_cast<u8>(flow::reached + 7 - k), g[q], g[p])) queue[tail++] = static_cast<i32>(q);
      });
    }
    return tail;
  }
  std::atomic<i64> tail{end};
  parallel_for(ctx, end - head, block, [&](i64 i0, i64 i1, int) {
    for (i64 i = head + i0; i < head + i1; ++i) shared.dir[queue[i]] &= 7;
  });
  parallel_for(ctx, end - head, block, [&](i64 i0, i64 i1, int) {
    const FlowGraph<T> graph = shared;
    u8* const dir = graph.dir;
    const T* const g = graph.g;
    constexpr i64 room = 1024;
    i32 found[room + 8];
    i64 n = 0;
    for (i64 i = head + i0; i < head + i1; ++i) {
      const i64 p = queue[i];
      graph.each_step([&](int k, i32 step) {
        const i64 q = p + step;
        if (reach<true>(dir[q], static_cast<u8>(flow::reached + 7 - k), g[q], g[p])) found[n++] = static_cast<i32>(q);
      });
      if (n >= room || i + 1 == head + i1) {
        std::copy_n(found, n, queue + tail.fetch_add(n, std::memory_order_relaxed));
        n = 0;
      }
    }
  });
  return tail;
}

/// A level of the plateau search, with the pixels of each piece in the piece's own part of the queue, from `head` on: what a
/// piece reaches of itself nobody else writes, so there is nothing to lock. Pixels that reach into another piece follow on one
/// thread. Returns how many pixels the next level has.
template <class T>
i64 drain_level_in_pieces(Context& ctx, const FlowGraph<T>& shared, const PendingPieces& pieces, i32* queue, i64* head,
                          i64* first, i64* at_edge) {
  std::atomic<i64> next{0};
  const auto low_of = [&](i64 k) {
    return shared.index(-1, static_cast<i32>(std::min<i64>(k * pieces.rows, shared.extent.height)));
  };
  parallel_for(ctx, pieces.count, 1, [&](i64 k0, i64 k1, int) {
    const FlowGraph<T> graph = shared;
    u8* const dir = graph.dir;
    const T* const g = graph.g;
    for (i64 k = k0; k < k1; ++k) {
      const i64 low = low_of(k), high = low_of(k + 1), end = pieces.used[k];
      for (i64 i = head[k]; i < end; ++i) dir[queue[i]] &= 7;
      i64 tail = end, edge = head[k];
      for (i64 i = head[k]; i < end; ++i) {
        const i64 p = queue[i];
        if (p < low + graph.pitch || p >= high - graph.pitch)
          queue[edge++] = static_cast<i32>(p);  // where entries have been read
        graph.each_step([&](int step_k, i32 step) {
          const i64 q = p + step;
          if (q < low || q >= high) return;
          if (reach<false>(dir[q], static_cast<u8>(flow::reached + 7 - step_k), g[q], g[p]))
            queue[tail++] = static_cast<i32>(q);
        });
      }
      at_edge[k] = edge - head[k];
      pieces.used[k] = tail;
      next.fetch_add(tail - end, std::memory_order_relaxed);
      first[k] = end;
    }
  });
  i64 crossed = 0;
  for (i64 k = 0; k < pieces.count; ++k) {
    const i64 low = low_of(k), high = low_of(k + 1);
    for (i64 i = head[k]; i < head[k] + at_edge[k]; ++i) {
      const i64 p = queue[i];
      shared.each_step([&](int step_k, i32 step) {
        const i64 q = p + step;
        if (q >= low && q < high) return;
        if (!reach<false>(shared.dir[q], static_cast<u8>(flow::reached + 7 - step_k), shared.g[q], shared.g[p])) return;
        queue[pieces.used[q < low ? k - 1 : k + 1]++] = static_cast<i32>(q);
        ++crossed;
      });
    }
  }
  std::copy_n(first, pieces.count, head);
  return next + crossed;
}

/// Leads every pending pixel whose plateau has an outlet one geodesic step nearer to it (ties: smallest index), breadth first.
/// `queue` has room for every pending pixel. Those left pending afterwards belong to plateaus without any outlet. Returns the
/// levels of the search, and the pixels that they held.
template <class T>
Work drain_plateaus(Context& ctx, const FlowGraph<T>& shared, i32* queue) {
  const Workspace::Scope scope(ctx.workspace);
  // Larger pieces than elsewhere: what crosses from one to the next is one thread's work.
  const PendingPieces pieces(ctx, shared, std::clamp<i64>(shared.extent.area() / 32, 1 << 17, 1 << 19));
  parallel_for(ctx, shared.extent.height, pieces.rows, [&](i64 y0, i64 y1, int) {
    const FlowGraph<T> graph = shared;
    u8* const dir = graph.dir;
    const T* const g = graph.g;
    const i64 piece = y0 / pieces.rows;
    i64 tail = pieces.begin[piece];
    for (i64 y = y0; y < y1; ++y) {
      const i64 row = graph.index(0, static_cast<i32>(y));
      each_pending(dir + row, graph.extent.width, [&](i32 x) {
        const i64 p = row + x;
        for (int k = 0; k < 8; ++k) {
          if (!flow::used(k, graph.eight)) continue;
          const i64 q = p + graph.step[k];
          if (g[q] != g[p]) continue;
          const u8 d = std::atomic_ref<u8>(dir[q]).load(std::memory_order_relaxed);  // pending or reached: no outlet yet
          if (d >= 8 && d != flow::sink) continue;
          std::atomic_ref<u8>(dir[p]).store(static_cast<u8>(flow::reached + k), std::memory_order_relaxed);
          queue[tail++] = static_cast<i32>(p);
          break;
        }
      });
    }
    pieces.used[piece] = tail;
  });
  const std::size_t n = static_cast<std::size_t>(pieces.count);
  i64 *const head = ctx.workspace.take<i64>(3 * n), *const first = head + n, *const at_edge = first + n;
  i64 found = 0;
  for (i64 k = 0; k < pieces.count; ++k) found += pieces.used[k] - (head[k] = pieces.begin[k]);
  // Large levels first, as on tissue; then one queue for all pieces, which small levels in any number do not make slow.
  Work done{"watershed", "arrows + queue of plateaus"};
  const auto level = [&done](i64 pixels) {
    ++done.rounds;
    done.queued += pixels;
    done.longest = std::max(done.longest, pixels);
  };
  while (ctx.threads > 1 && found >= kSmallLevel) {
    level(found);
    found = drain_level_in_pieces(ctx, shared, pieces, queue, head, first, at_edge);
  }
  i64 tail = 0;
  for (i64 k = 0; k < pieces.count; ++k) {
    if (tail < head[k]) std::copy(queue + head[k], queue + pieces.used[k], queue + tail);
    tail += pieces.used[k] - head[k];
  }
  for (i64 begin = 0; begin < tail;) {
    level(tail - begin);
    begin = std::exchange(tail, drain_level(ctx, shared, queue, begin, tail));
  }
  return done;
}

/// What `labels` holds on minima until their numbers are known: provisional(i) of the i-th place in a table of numbers.
inline constexpr i32 provisional(i64 place) { return static_cast<i32>(-2 - place); }

/// Finds the plateaus that are still pending. Without markers these are the minima: `labels` leads to their numbers (see
/// above), which are in raster order of their first pixels; with markers no marker reaches them, and all get 0. Returns how
/// many minima there are. `list` and `number` have room for every pending pixel. Pieces number their parts of plateaus, which
/// are then united across the cuts: the smallest part holds the first pixel.
template <class T>
i32 number_minima(Context& ctx, const FlowGraph<T>& shared, View<i32> labels, bool marked, i32* list, i32* number) {
  const Workspace::Scope scope(ctx.workspace);
  const FlowGraph<T> graph = shared;
  const PendingPieces pieces(ctx, graph);
  const i32 width = graph.extent.width, height = graph.extent.height;
  parallel_for(ctx, height, pieces.rows, [&](i64 y0, i64 y1, int) {
    const FlowGraph<T> own = shared;
    u8* const dir = own.dir;
    const T* const g = own.g;
    const std::uint32_t pitch = static_cast<std::uint32_t>(own.pitch);
    const i64 piece = y0 / pieces.rows, low = own.index(0, static_cast<i32>(y0)), high = own.index(0, static_cast<i32>(y1)) - 1;
    i32* const stack = list + pieces.begin[piece];
    i64 place = pieces.begin[piece];
    for (i64 y = y0; y < y1; ++y) {
      const i64 row = own.index(0, static_cast<i32>(y));
      each_pending(dir + row, width, [&](i32 first) {
        const i32 label = marked ? 0 : provisional(place);
        if (!marked) number[place] = static_cast<i32>(place), ++place;
        i64 top = 0;
        const auto take = [&](i64 p) {
          dir[p] = flow::sink;
          stack[top++] = static_cast<i32>(p);
        };
        take(row + first);
        for (i64 taken = 0; top > 0; ++taken) {
          if ((taken & 0xFFFF) == 0xFFFF) ctx.check_cancelled();
          const i64 p = stack[--top];
          const std::uint32_t at = static_cast<std::uint32_t>(p), line = at / pitch;
          labels.at(static_cast<i32>(at - line * pitch) - 1, static_cast<i32>(line) - 1) = label;
          own.each_step([&](int, i32 step) {
            const i64 q = p + step;
            if (q >= low && q < high && dir[q] == flow::pending && g[q] == g[p]) take(q);
          });
        }
      });
    }
    pieces.used[piece] = place;
  });
  if (marked) return 0;
  const auto find = [&](i32 i) {
    while (number[i] != i) i = number[i] = number[number[i]];
    return i;
  };
  const auto place_of = [&](i64 p, i64 y) {
    return provisional(labels.at(static_cast<i32>(p - graph.index(0, static_cast<i32>(y))), static_cast<i32>(y)));
  };
  for (i64 piece = 1; piece < pieces.count; ++piece) {
    const i64 y = piece * pieces.rows, row = graph.index(0, static_cast<i32>(y));
    for (i64 p = row; p < row + width; ++p) {
      if (graph.dir[p] != flow::sink) continue;
      graph.each_step([&](int k, i32 step) {
        if (flow::dy[k] >= 0 || graph.dir[p + step] != flow::sink || graph.g[p + step] != graph.g[p]) return;
        const i32 a = find(place_of(p, y)), b = find(place_of(p + step, y - 1));
        number[std::max(a, b)] = std::min(a, b);
      });
    }
  }
  i32 n = 0;
  for (i64 piece = 0; piece < pieces.count; ++piece) {
    for (i64 i = pieces.begin[piece]; i < pieces.used[piece]; ++i)
      number[i] = number[i] == i ? ++n : number[number[i]];  // below i: known
  }
  return n;
}

}  // namespace morpho::cpu
