// Reconstruction by all threads on one shared image: sweeps, then queues of each thread's own that raise pixels by atomic
// maximum.
#include <atomic>
#include <bit>

#include "cpu/runtime/parallel.hpp"
#include "cpu/reconstruct/reconstruct_band.hpp"
#include "cpu/reconstruct/reconstruct_variants.hpp"

namespace morpho::cpu {
namespace {

template <class T, By by>
class SharedImage {
  using L = Lattice<T, by>;
  static constexpr i64 kChunk = 1024;  ///< seeds handed out at a time

 public:
  SharedImage(Context& ctx, View<const T> mask, View<T> out, bool eight)
      : ctx_(ctx),
        mask_(mask),
        out_(out),
        eight_(eight),
        workers_(std::max(1, ctx.threads)),
        grain_(rows_per_piece(out.width(), 1 << 19)) {
    Workspace& w = ctx.workspace;
    const i64 area = out.extent.area();
    seeds_room_ = std::max<i64>(4096, area / 16);
    seeds_ = w.take<Pixel>(static_cast<std::size_t>(seeds_room_));
    capacity_ = static_cast<i64>(std::bit_floor(static_cast<u64>(std::max<i64>(1024, area / 16 / workers_))));
    stale_ = w.take<u8>(static_cast<std::size_t>(out.height()));
    std::fill_n(stale_, out.height(), u8{1});
    line_ = Line<T>::elements(out.width());
    lines_ = w.take<T>(3 * line_ * static_cast<std::size_t>(workers_));
    found_ = w.take<i32>(static_cast<std::size_t>(out.width()) * static_cast<std::size_t>(workers_));
    queues_ = w.take<Pixel>(static_cast<std::size_t>(capacity_) * static_cast<std::size_t>(workers_));
  }

  Work run(View<const T> marker) {
    sweep(marker);
    Work work;
    // A round: find the pixels that can move (nobody writes), then propagate from them. Rows that found no room in a queue come
    // again.
    for (i64 n = find_seeds(); n > 0; n = find_seeds()) {
      parallel_for(ctx_, n, kChunk, [&](i64 begin, i64 end, int worker) { propagate(begin, end, worker); });
      ++work.rounds;
    }
    work.queued = queued_;
    return work;
  }

 private:
  Line<T> line(int worker, int i) const {
    Line<T> l;
    l.place(lines_ + (3 * static_cast<std::size_t>(worker) + static_cast<std::size_t>(i)) * line_, out_.width(), L::bottom);
    return l;
  }

  /// One sweep down and one up in each piece of rows, as if there were nothing outside it.
  void sweep(View<const T> marker) {
    const i32 width = out_.width();
    parallel_for(ctx_, out_.height(), grain_, [&](i64 begin, i64 end, int worker) {
      const Line<T> none = line(worker, 2);
      Line<T> now = line(worker, 0), before = line(worker, 1);
      const T* above = none.data;
      for (i32 y = static_cast<i32>(begin); y < end; ++y) {
        sweep_row<T, by, true>(marker.row(y), mask_.row(y), above, out_.row(y), now.data, width, eight_);
        std::swap(now, before);
        above = before.data;
      }
      const T* below = none.data;
      for (i32 y = static_cast<i32>(end) - 1; y >= begin; --y) {
        sweep_row<T, by, false>(out_.row(y), mask_.row(y), below, out_.row(y), now.data, width, eight_);
        std::swap(now, before);
        below = before.data;
      }
    });
  }

  /// Collects the pixels of stale rows that a neighbour can raise, as many as there is room for. Returns their number.
  i64 find_seeds() {
    const i32 width = out_.width(), height = out_.height();
    std::atomic<i64> taken{0};
    parallel_for(ctx_, height, grain_, [&](i64 begin, i64 end, int worker) {
      const Line<T> up = line(worker, 0), mid = line(worker, 1), down = line(worker, 2);
      const auto load = [&](const Line<T>& l, i32 y) {
        if (y < 0 || y >= height) std::fill_n(l.data, width, L::bottom);
        else std::memcpy(l.data, out_.row(y), sizeof(T) * static_cast<std::size_t>(width));
      };
      i32* found = found_ + static_cast<std::size_t>(worker) * static_cast<std::size_t>(width);
      for (i32 y = static_cast<i32>(begin); y < end; ++y) {
        if (!stale_[y]) continue;
        load(up, y - 1), load(mid, y), load(down, y + 1);
        i32 n = 0;
        find_movable<T, by>(up.data, mid.data, down.data, mask_.row(y), width, eight_, [&](i32 x, T) { found[n++] = x; });
        const i64 at = n > 0 ? taken.fetch_add(n, std::memory_order_relaxed) : 0;
        const i64 room = std::clamp<i64>(seeds_room_ - at, 0, n);
        for (i64 i = 0; i < room; ++i) seeds_[at + i] = {found[i], y};
        stale_[y] = room < n;
      }
    });
    return std::min<i64>(taken, seeds_room_);
  }

  static T get(T& v) { return std::atomic_ref<T>(v).load(std::memory_order_relaxed); }
  /// Atomic join; true where it raised the pixel.
  static bool raise(T& pixel, T value) {
    std::atomic_ref<T> at(pixel);
    T now = at.load(std::memory_order_relaxed);
    while (L::above(value, now)) {
      if (at.compare_exchange_weak(now, value, std::memory_order_relaxed)) return true;
    }
    return false;
  }
  template <class Fn>
  void each_neighbour(Pixel p, Fn&& fn) const {
    const auto visit = [&](i32 dx, i32 dy) {
      const i32 x = p.x + dx, y = p.y + dy;
      if (x >= 0 && x < out_.width() && y >= 0 && y < out_.height()) fn(Pixel{x, y}, out_.row(y)[x]);
    };
    visit(0, -1), visit(-1, 0), visit(1, 0), visit(0, 1);
    if (eight_) visit(-1, -1), visit(1, -1), visit(-1, 1), visit(1, 1);
  }

  /// Seeds take over what their neighbours offer; the worker's queue carries the changes on. Whoever raises a pixel queues it,
  /// so the last to do so propagates its final value.
  void propagate(i64 begin, i64 end, int worker) {
    Pixel* queue = queues_ + static_cast<std::size_t>(worker) * static_cast<std::size_t>(capacity_);
    i64 head = 0, tail = 0;
    const auto push = [&](Pixel p) {
      if (tail - head == capacity_) {
        for (i32 y = std::max(0, p.y - 1); y <= std::min(out_.height() - 1, p.y + 1); ++y) {
          std::atomic_ref<u8>(stale_[y]).store(1, std::memory_order_relaxed);
        }
        return;
      }
      queue[tail++ & (capacity_ - 1)] = p;
    };
    for (i64 i = begin; i < end; ++i) {
      const Pixel p = seeds_[i];
      T best = L::bottom;
      each_neighbour(p, [&](Pixel, T& q) { best = L::join(best, get(q)); });
      if (raise(out_.row(p.y)[p.x], L::meet(best, mask_.row(p.y)[p.x]))) push(p);
      if (i + 1 < end && tail - head < capacity_ / 2) continue;
      for (; head != tail; ++head) {
        if ((head & 0xFFFF) == 0) ctx_.check_cancelled();
        const Pixel from = queue[head & (capacity_ - 1)];
        const T v = get(out_.row(from.y)[from.x]);
        each_neighbour(from, [&](Pixel to, T& q) {
          if (raise(q, L::meet(v, mask_.row(to.y)[to.x]))) push(to);
        });
      }
    }
    queued_.fetch_add(head, std::memory_order_relaxed);
  }

  Context& ctx_;
  View<const T> mask_;
  View<T> out_;
  bool eight_;
  int workers_;
  i64 grain_;
  i64 seeds_room_ = 0, capacity_ = 0;
  std::atomic<i64> queued_{0};  ///< entries that any queue has handed out
  std::size_t line_ = 0;
  Pixel* seeds_ = nullptr;
  Pixel* queues_ = nullptr;  ///< a ring of `capacity_` (a power of two) a worker
  u8* stale_ = nullptr;
  T* lines_ = nullptr;
  i32* found_ = nullptr;
};

}  // namespace

/// Reconstruction by all threads on one image, without tiles: one sweep each way in pieces of rows, then the pixels that can
/// still move are handed out among the threads, each of which follows its waves wherever they lead, with a queue of its own and
/// an atomic maximum (compare and swap) for every pixel it raises. The order differs from run to run; the result is the unique
/// fixed point. Exact.
/// Cost: FH's and an atomic update for every raised pixel; threads that meet in one region share its cache lines, which is why
/// the paper found tiles faster.
/// Memory: one byte a pixel (half for the seeds, half for the queues; bounded: on overflow rows are searched again), 3 rows of
/// pixels and one of i32 a thread.
/// Source: Teodoro 2012 §5.1 (non-tiled parallelisation).
Work reconstruct_parallel(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  Work work;
  visit_reconstruction(out.type, params.by, [&](auto zero, auto by) {
    using T = decltype(zero);
    SharedImage<T, by()> shared(ctx, mask.view<T>(), out.view<T>(), params.connectivity == Connectivity::eight);
    work = shared.run(marker.view<T>());
  });
  return work;
}

}  // namespace morpho::cpu
