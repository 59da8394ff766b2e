// Sweeps of a reconstruction over the rows of an image, by threads that take over rows from each other.
#pragma once
#include <atomic>
#include <new>

#include "cpu/runtime/parallel.hpp"
#include "cpu/reconstruct/reconstruct_rows.hpp"

namespace morpho::cpu {

/// The rows that one worker still has to do in this sweep, counted in their direction of travel: [first, end) and the direction
/// in one word, so that whoever takes rows takes them at once.
struct alignas(64) RowShare {
  std::atomic<u64> rows{0};
  static constexpr u64 kUp = u64{1} << 63;
  static constexpr u64 pack(u64 up, i32 first, i32 end) { return up | static_cast<u64>(first) << 32 | static_cast<u64>(end); }
  static constexpr i32 first(u64 rows) { return static_cast<i32>(rows >> 32 & 0x7FFFFFFF); }
  static constexpr i32 end(u64 rows) { return static_cast<i32>(rows & 0xFFFFFFFF); }

  void set(bool up, i32 first, i32 end) { rows.store(pack(up ? kUp : 0, first, end), std::memory_order_relaxed); }
  bool up() const { return rows.load(std::memory_order_relaxed) >= kUp; }
  i32 left() const {
    const u64 now = rows.load(std::memory_order_relaxed);
    return end(now) - first(now);
  }
  /// Takes up to n rows from the front. False where none is left.
  bool take(i32 n, i32& begin, i32& stop) {
    for (u64 now = rows.load(std::memory_order_relaxed);;) {
      begin = first(now);
      stop = std::min(begin + n, end(now));
      if (begin >= stop) return false;
      if (rows.compare_exchange_weak(now, pack(now & kUp, stop, end(now)), std::memory_order_relaxed)) return true;
    }
  }
  /// Takes the latter half of what is left, where that is at least `least` rows.
  bool take_half(i32 least, bool& up, i32& begin, i32& stop) {
    for (u64 now = rows.load(std::memory_order_relaxed);;) {
      up = now >= kUp;
      stop = end(now);
      if (stop - first(now) < least) return false;
      begin = stop - (stop - first(now)) / 2;
      if (rows.compare_exchange_weak(now, pack(now & kUp, first(now), begin), std::memory_order_relaxed)) return true;
    }
  }
};

/// Sweeps down and up in turn; of several workers each has a range of rows, and neighbours travel in opposite directions, so
/// that a worker that starts at a border starts from what its neighbour has just brought there. What the border between two
/// ranges keeps from travelling on, be it one that was there from the start or one where rows were taken over, goes on in a
/// later sweep, as the rows on both sides stay stale. No row is read while another worker may write it.
template <class T, By by>
class Sweeps {
  using L = Lattice<T, by>;
  static constexpr i32 kRows = 16;         ///< taken at a time: a few us
  static constexpr i32 kWorthTaking = 64;  ///< rows left to another worker, of which half are taken over

 public:
  static constexpr int lines_each = 4;  ///< padded rows of scratch a worker
  /// lines: lines_each padded rows a worker; stale: two flags a row (see down_stale), whose neighbours a sweep would have to
  /// look at again; shares: one a worker.
  Sweeps(const Context& ctx, View<T> out, View<const T> mask, bool eight, i32 workers, T* lines, u8* stale, RowShare* shares)
      : ctx_(ctx),
        out_(out),
        mask_(mask),
        eight_(eight),
        workers_(workers),
        lines_(lines),
        stale_(stale),
        shares_(shares),
        width_(out.width()),
        height_(out.height()) {
    for (i32 i = 0; i < lines_each * workers; ++i)
      line(i).place(lines_ + static_cast<std::size_t>(i) * Line<T>::elements(width_), width_, L::bottom);
    for (i32 w = 0; w < workers; ++w) new (shares_ + w) RowShare;
  }

  void all_stale() { std::fill_n(stale_, 2 * static_cast<std::size_t>(height_), u8{1}); }

  /// The first sweep of all reads the marker, which may be out; later ones read out. `skip` passes over rows whose inputs have
  /// not changed. Returns the number of rows in which a pixel moved.
  i32 sweep(View<const T> from, bool skip) {
    for (i32 w = 0; w < workers_; ++w) {
      const i32 top = begin_of(w), end = begin_of(w + 1);
      const bool up = (sweeps_ + w) % 2 != 0;
      shares_[w].set(up, up ? height_ - end : top, up ? height_ - top : end);
      // The row before, as it is now: while all sweep it belongs to another worker.
      const i32 before = up ? end : top - 1;
      if (before >= 0 && before < height_)
        std::memcpy(line(lines_each * w + 3).data, out_.row(before), sizeof(T) * static_cast<std::size_t>(width_));
    }
    std::atomic<i32> moved{0};
    parallel_for(ctx_, workers_, 1, [&](i64 begin, i64 end, int) {
      for (i64 w = begin; w < end; ++w) moved.fetch_add(work(from, skip, static_cast<i32>(w)), std::memory_order_relaxed);
    });
    if (sweeps_++ == 0) all_stale();
    return moved;
  }

 private:
  u8& down_stale(i32 y) { return stale_[i64{2} * y]; }
  u8& up_stale(i32 y) { return stale_[i64{2} * y + 1]; }
  Line<T> line(i32 i) const {
    Line<T> l;
    l.data = lines_ + static_cast<std::size_t>(i) * Line<T>::elements(width_) + Line<T>::pad;
    return l;
  }

  i32 begin_of(i32 w) const { return static_cast<i32>(static_cast<i64>(height_) * w / workers_); }

  bool take_over(i32 w) {
    for (;;) {
      i32 most = 0, begin = 0, end = 0;
      for (i32 v = 1; v < workers_; ++v) {
        if (shares_[v].left() > shares_[most].left()) most = v;
      }
      if (shares_[most].left() < kWorthTaking) return false;
      bool up = false;
      if (!shares_[most].take_half(kWorthTaking, up, begin, end)) continue;
      shares_[w].set(up, begin, end);
      return true;
    }
  }

  /// What worker w has to do, then what it can take over. Returns the number of rows in which a pixel moved.
  i32 work(View<const T> from, bool skip, i32 w) {
    i32 moved = 0;
    const T* halo = sweeps_ > 0 ? line(lines_each * w + 3).data : nullptr;
    do {
      moved += shares_[w].up() ? travel<false>(from, skip, w, halo) : travel<true>(from, skip, w, halo);
      halo = nullptr;  // of rows that are taken over nobody knows the row before
    } while (workers_ > 1 && take_over(w));
    return moved;
  }

  template <bool down>
  i32 travel(View<const T> from, bool skip, i32 w, const T* halo) {
    T *const one = line(lines_each * w).data, *const other = line(lines_each * w + 1).data,
             *const copy = line(lines_each * w + 2).data;
    const auto row_of = [&](i32 k) { return down ? k : height_ - 1 - k; };
    constexpr i32 step = down ? 1 : -1;
    i32 moved = 0, begin = 0, end = 0, last = -1;
    const T* prev = nullptr;  // the row before, where it is at hand
    bool news = false, at_start = true, last_changed = false;
    while (shares_[w].take(kRows, begin, end)) {
      ctx_.check_cancelled();
      if (at_start && begin > 0) prev = halo;
      if (at_start) news = prev != nullptr;
      if (last_changed) (down ? down_stale(row_of(begin)) : up_stale(row_of(begin))) = 1;  // a row of this range after all
      last = row_of(end - 1);
      for (i32 k = begin; k < end; ++k) {
        const i32 y = row_of(k);
        u8& mine = down ? down_stale(y) : up_stale(y);
        const bool beside_border = at_start && k > 0;
        last_changed = false;
        if (skip && !mine && !news) {
          prev = nullptr;
        } else {
          news = false;
          if (!prev) {
            if (at_start) std::fill_n(copy, width_, L::bottom);
            else std::memcpy(copy, out_.row(y - step), sizeof(T) * static_cast<std::size_t>(width_));
            prev = copy;
          }
          T* to = prev == one ? other : one;
          const bool changed = sweep_row<T, by, down>(from.row(y), mask_.row(y), prev, out_.row(y), to, width_, eight_);
          prev = to;
          mine = 0;
          if (changed) {
            ++moved;
            (down ? up_stale(y) : down_stale(y)) = 1;
            if (!at_start) (down ? up_stale(y - 1) : down_stale(y + 1)) = 1;
            if (k + 1 < end) (down ? down_stale(y + 1) : up_stale(y - 1)) = 1;
            else last_changed = true;
          }
        }
        if (beside_border) down_stale(y) = up_stale(y) = 1;
        at_start = false;
      }
    }
    // What lies beyond the end of the range was not seen, nor told.
    if (last >= 0 && last != row_of(height_ - 1)) down_stale(last) = up_stale(last) = 1;
    return moved;
  }

  const Context& ctx_;
  View<T> out_;
  View<const T> mask_;
  bool eight_;
  i32 workers_;
  T* lines_;
  u8* stale_;
  RowShare* shares_;
  i32 width_, height_;
  i32 sweeps_ = 0;
};

}  // namespace morpho::cpu
