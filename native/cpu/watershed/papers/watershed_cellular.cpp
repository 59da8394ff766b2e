// Watershed by a cellular automaton: every pixel looks at its neighbours for a shorter path, again and again, until nothing
// changes.
#include <algorithm>
#include <utility>

#include "cpu/watershed/watershed_graph.hpp"
#include "cpu/watershed/watershed_variants.hpp"

namespace morpho::cpu {
namespace {

constexpr i32 kFar = 2147483647;  ///< no path off the plateau is known
constexpr i32 kOutside = -1;      ///< no pixel

/// A row of cells: steps to the plateau's outlet, and the sink (a marker's label, or the pixel that stands for a minimum).
struct CellRow {
  const i32* steps;
  const i32* sink;
};

template <class T>
class Automaton {
 public:
  Automaton(Context& ctx, View<const T> f, const WatershedInputs& in, Connectivity connectivity)
      : ctx_(ctx),
        in_(in),
        graph_(ctx.workspace, f.extent, connectivity == Connectivity::eight),
        width_(f.width()),
        height_(f.height()) {
    Workspace& w = ctx.workspace;
    fill_levels(ctx, f, in, graph_.inner(), connectivity);
    graph_.pad();
    steps_ = w.take<i32>(FlowGraph<T>::pixels(f.extent));
    sink_ = w.take<i32>(FlowGraph<T>::pixels(f.extent));
    stale_ = w.take<u8>(static_cast<std::size_t>(height_));
    before_ = w.take<i32>(static_cast<std::size_t>(height_));
    bands_ = static_cast<i32>(std::min<i64>(std::max(1, ctx.threads), std::max<i64>(1, height_ / 32)));
    active_ = w.take<u8>(static_cast<std::size_t>(bands_));
    halos_ = w.take<i32>(4 * static_cast<std::size_t>(graph_.pitch) * static_cast<std::size_t>(bands_));
  }

  i32 run(View<i32> labels, Work& work) {
    start();
    // Each band iterates until it is stable, reading its neighbours' border rows as they were before the round; then those
    // whose border rows have changed go on.
    for (bool first = true; exchange(first); first = false) {
      ++work.rounds;
      parallel_for(ctx_, bands_, 1, [&](i64 begin, i64 end, int) {
        for (i64 b = begin; b < end; ++b) {
          if (active_[b]) settle(static_cast<i32>(b));
        }
      });
    }
    return finish(labels);
  }

 private:
  i32 first_row(i32 b) const { return static_cast<i32>(static_cast<i64>(height_) * b / bands_); }
  /// A band's copy of the row above (side 0) or below it (side 1): steps, then sinks.
  i32* halo(i32 b, int side) const {
    return halos_ +
           (2 * static_cast<std::size_t>(b) + static_cast<std::size_t>(side)) * 2 * static_cast<std::size_t>(graph_.pitch) + 1;
  }
  CellRow row(i32 y) const { return {steps_ + graph_.index(0, y), sink_ + graph_.index(0, y)}; }

  void start() {
    std::fill_n(stale_, height_, u8{1});
    for (i32 y : {-1, height_}) {
      std::fill_n(steps_ + graph_.index(-1, y), graph_.pitch, kOutside);
      std::fill_n(sink_ + graph_.index(-1, y), graph_.pitch, 0);
    }
    each_row([&](i32 y) {
      const i64 at = graph_.index(0, y);
      u8* dir = graph_.dir + at;
      i32* steps = steps_ + at;
      i32* sink = sink_ + at;
      descend_row(graph_, graph_.g + at, dir, width_);
      steps[-1] = steps[width_] = kOutside;
      sink[-1] = sink[width_] = 0;
      for (i32 x = 0; x < width_; ++x) {
        if (!in_.in_mask(x, y)) {
          dir[x] = flow::outside, steps[x] = kOutside, sink[x] = 0;
        } else if (in_.is_marker(x, y)) {
          dir[x] = flow::sink, steps[x] = 0, sink[x] = in_.markers.at(x, y);
        } else {
          steps[x] = dir[x] == flow::pending ? kFar : 0;
          sink[x] = in_.marked() ? 0 : static_cast<i32>(at + x);
        }
      }
    });
  }

  /// Refreshes the copies of border rows; bands whose copies change become active. Returns whether any is.
  bool exchange(bool first) {
    const std::size_t bytes = sizeof(i32) * static_cast<std::size_t>(width_ + 2);
    bool any = false;
    for (i32 b = 0; b < bands_; ++b) {
      active_[b] = first;
      const auto refresh = [&](int side, i32 y, i32 border_row) {
        i32* copy = halo(b, side) - 1;
        const CellRow from = row(y);
        bool same = !first;
        for (const i32* cells : {from.steps, from.sink}) {
          same = same && std::memcmp(copy, cells - 1, bytes) == 0;
          std::memcpy(copy, cells - 1, bytes);
          copy += graph_.pitch;
        }
        if (same) return;
        active_[b] = 1;
        stale_[border_row] = 1;
      };
      refresh(0, first_row(b) - 1, first_row(b));
      refresh(1, first_row(b + 1), first_row(b + 1) - 1);
      any = any || active_[b];
    }
    return any;
  }

  /// Sweeps over the stale rows of a band, down and up in turn, until none is stale.
  void settle(i32 b) {
    const i32 begin = first_row(b), end = first_row(b + 1);
    const auto cells = [&](i32 y) {
      if (y < begin) return CellRow{halo(b, 0), halo(b, 0) + graph_.pitch};
      if (y >= end) return CellRow{halo(b, 1), halo(b, 1) + graph_.pitch};
      return row(y);
    };
    i32 visited = 0;
    for (bool again = true, down = true; again; down = !down) {
      again = false;
      for (i32 k = begin; k < end; ++k) {
        const i32 y = down ? k : end - 1 - (k - begin);
        if (!stale_[y]) continue;
        if (++visited % 64 == 0) ctx_.check_cancelled();
        stale_[y] = 0;
        const CellRow rows[3] = {cells(y - 1), row(y), cells(y + 1)};
        if (!update_row(y, rows, down)) continue;
        again = true;
        for (i32 n = std::max(begin, y - 1); n < std::min(end, y + 2); ++n) stale_[n] = 1;
      }
      for (i32 y = begin; y < end && !again; ++y) again = stale_[y] != 0;
    }
  }

  bool update_row(i32 y, const CellRow (&rows)[3], bool forward) {
    const i64 at = graph_.index(0, y);
    const u8* dir = graph_.dir + at;
    i32* steps = steps_ + at;
    i32* sink = sink_ + at;
    bool changed = false;
    const auto cell = [&](i32 x) {
      if (dir[x] == flow::sink || dir[x] == flow::outside) return;
      i32 near = 0, to;
      if (dir[x] < 8) {
        to = rows[flow::dy[dir[x]] + 1].sink[x + flow::dx[dir[x]]];
      } else {
        // The neighbour on the plateau that is nearest to an outlet, the first of equals; while there is none, the smallest of
        // the pixels that might stand for a minimum.
        near = kFar;
        to = sink[x];
        const T* g = graph_.g + at + x;
        graph_.each_step([&](int k, i32 step) {
          const CellRow& r = rows[flow::dy[k] + 1];
          const i32 qx = x + flow::dx[k], q_steps = r.steps[qx];
          if (q_steps == kOutside || g[step] != *g) return;
          if (q_steps < near) near = q_steps, to = r.sink[qx];
          else if (near == kFar && r.sink[qx] < to) to = r.sink[qx];
        });
        if (near != kFar) ++near;
      }
      if (near == steps[x] && to == sink[x]) return;
      steps[x] = near, sink[x] = to;
      changed = true;
    };
    if (forward) {
      for (i32 x = 0; x < width_; ++x) cell(x);
    } else {
      for (i32 x = width_ - 1; x >= 0; --x) cell(x);
    }
    return changed;
  }

  i32 finish(View<i32> labels) {
    const bool marked = in_.marked();
    const i32 n = marked ? 0 : number_minima();
    each_row([&, marked](i32 y) {
      const i64 at = graph_.index(0, y);
      const u8* dir = graph_.dir + at;
      const i32 *sink = sink_ + at, *number = steps_;
      i32* __restrict to = labels.row(y);
      for (i32 x = 0; x < width_; ++x) to[x] = dir[x] == flow::outside ? 0 : marked ? sink[x] : number[sink[x]];
    });
    return n;
  }

  /// A minimum's first pixel stands for it and gets the next number in raster order, in place of its steps. Returns how many
  /// there are.
  i32 number_minima() {
    each_row([&](i32 y) {
      const i32 first = static_cast<i32>(graph_.index(0, y));
      const i32 *steps = steps_ + first, *sink = sink_ + first;
      i32 count = 0;
      for (i32 x = 0; x < width_; ++x) count += static_cast<i32>(steps[x] == kFar) & static_cast<i32>(sink[x] == first + x);
      before_[y] = count;
    });
    i32 n = 0;
    for (i32 y = 0; y < height_; ++y) n += std::exchange(before_[y], n);
    each_row([&](i32 y) {
      i32 next = before_[y];
      const i32 last = y + 1 < height_ ? before_[y + 1] : n;
      const i32 first = static_cast<i32>(graph_.index(0, y));
      for (i32 p = first; next < last; ++p) {
        if (steps_[p] == kFar && sink_[p] == p) steps_[p] = ++next;
      }
    });
    return n;
  }

  template <class Row>
  void each_row(Row&& row_at) const {
    parallel_for(ctx_, height_, rows_per_piece(width_), [&](i64 begin, i64 end, int) {
      for (i64 y = begin; y < end; ++y) row_at(static_cast<i32>(y));
    });
  }

  Context& ctx_;
  const WatershedInputs& in_;
  FlowGraph<T> graph_;
  i32 width_, height_, bands_ = 1;
  i32* steps_ = nullptr;
  i32* sink_ = nullptr;
  i32* halos_ = nullptr;
  u8* stale_ = nullptr;
  i32* before_ = nullptr;  ///< a row's number of minima, then how many lie in the rows before it
  u8* active_ = nullptr;
};

}  // namespace

/// The watershed by cellular automaton: a cell holds the length of its shortest path off its plateau and the sink at its end,
/// and relaxes both from its neighbours (Ford-Bellman) until nothing changes. As the definition lets every pixel with a lower
/// neighbour flow to the lowest, that arrow takes the place of the topographic cost; on plateaus the number of steps is the
/// second component of the lexicographic cost, so no lower completion is needed. Minima find their first pixel by the same
/// rule. The stable state is unique, so the order of updates, the bands and the threads do not show. Exact.
/// Cost: as many sweeps as the longest path has turns against the sweeps; rows that nothing can change are passed over. Made to
/// be compared: a path that winds through the image (spiral) costs a sweep a turn.
/// Memory: f's type and 9 bytes a pixel, 5 bytes a row, 16 bytes a column and thread, and with markers what fill_levels needs.
/// Source: Körbes 2011 §3, §4.2 (after Kauffmann and Piche); blocks iterate to their own stability as its kernel `iterate`
/// does.
i32 watershed_cellular(Context& ctx, ConstPlane f, const WatershedInputs& in, View<i32> labels, Connectivity connectivity,
                       Work& work) {
  const Workspace::Scope scope(ctx.workspace);
  return visit_pixel_type(f.type, [&](auto zero) {
    using T = decltype(zero);
    return Automaton<T>(ctx, f.view<T>(), in, connectivity).run(labels, work);
  });
}

}  // namespace morpho::cpu
