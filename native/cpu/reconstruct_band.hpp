// Reconstruction of one band of rows by sweeps and a bounded queue; its neighbours' border rows come in as halos.
#pragma once
#include <bit>
#include <mutex>

#include "cpu/reconstruct_rows.hpp"

namespace morpho::cpu {

/// How a band is brought to stability: all four variants are points in this space.
struct SweepPlan {
  int sweeps = 4;      ///< sweeps before the queue, down and up in turn; negative: until nothing moves, and no queue
  bool skip = true;    ///< later sweeps pass over rows whose inputs have not changed
  int more = 0;        ///< sweeps added to these for as long as each moves something in most rows
  bool brief = false;  ///< gives up where the last sweep moved something in most rows, or the queue has much to do
  bool turns = true;   ///< else gives up where the queue has more to do than an eighth of the pixels, large images after some turns
};

struct Pixel {
  i32 x, y;
};

/// Scratch of one band; see bytes().
template <class T>
struct BandScratch {
  T* lines = nullptr;       ///< four padded rows
  u8* stale = nullptr;      ///< two flags a row
  Pixel* queue = nullptr;   ///< a ring of `capacity` entries, a power of two
  i64 capacity = 0;
};

/// The rows next to each band, as its neighbours last told them while all sweep at once: what crosses a border then need not wait for the
/// queue. When they tell is a matter of chance; that the result is not is the business of who calls resume() until nothing moves.
template <class T>
class SharedHalos {
 public:
  /// rows: 2 rows of `width` for each band, above and below it; told: 2 flags a band, whether that row is news.
  SharedHalos(T* rows, u8* told, i32 bands, i32 width) : rows_(rows), told_(told), bands_(bands), width_(width) { std::fill_n(told_, 2 * static_cast<std::size_t>(bands), u8{0}); }
  /// What band b's neighbours are to know: its first and its last row.
  void tell(i32 b, const T* first, const T* last) {
    const std::lock_guard<std::mutex> hold(lock_);
    if (b > 0) put(b - 1, 1, first);
    if (b + 1 < bands_) put(b + 1, 0, last);
  }
  /// Copies the row above (side 0) or below (1) band b to `line`. False where nothing new was told.
  bool take(i32 b, int side, T* line) {
    const std::lock_guard<std::mutex> hold(lock_);
    u8& told = told_[2 * b + side];
    if (told == 0) return false;
    told = 0;
    std::memcpy(line, row(b, side), bytes());
    return true;
  }

 private:
  std::size_t bytes() const { return sizeof(T) * static_cast<std::size_t>(width_); }
  T* row(i32 b, int side) const { return rows_ + (2 * static_cast<std::size_t>(b) + static_cast<std::size_t>(side)) * static_cast<std::size_t>(width_); }
  void put(i32 b, int side, const T* from) {
    std::memcpy(row(b, side), from, bytes());
    told_[2 * b + side] = 1;
  }
  std::mutex lock_;
  T* rows_;
  u8* told_;
  i32 bands_, width_;
};

template <class T, By by>
class Band {
  using L = Lattice<T, by>;

 public:
  Band(const Context& ctx, View<T> out, View<const T> mask, bool eight, BandScratch<T> scratch)
      : ctx_(ctx), out_(out), mask_(mask), eight_(eight), s_(scratch), width_(out.width()), height_(out.height()) {
    const std::size_t n = Line<T>::elements(width_);
    for (int i = 0; i < 4; ++i) lines_[i].place(s_.lines + static_cast<std::size_t>(i) * n, width_, L::bottom);
  }

  /// From the marker to stability inside the band, as if there were nothing outside it but, for the sweeps, what `shared` tells of the
  /// neighbours of this band, its `number`-th. False where it gave up.
  bool solve(View<const T> marker, SweepPlan plan, SharedHalos<T>* shared = nullptr, i32 number = 0) {
    shared_ = shared;
    number_ = number;
    std::fill_n(s_.stale, 2 * static_cast<std::size_t>(height_), u8{0});
    if (plan.sweeps == 0) {
      for (i32 y = 0; y < height_; ++y) {
        pause(y);
        for (i32 x = 0; x < width_; ++x) out_.row(y)[x] = L::meet(marker.row(y)[x], mask_.row(y)[x]);
      }
      std::fill_n(s_.stale, 2 * static_cast<std::size_t>(height_), u8{1});
    } else {
      sweep<true>(marker, false);
      std::fill_n(s_.stale, 2 * static_cast<std::size_t>(height_), u8{1});
      // The queue moves a pixel of a corridor once, but a pixel of noise again and again, where sweeps do better; so they take turns.
      // (One place calls each sweep: with more of them gcc's sweeps are a sixth slower.)
      // Without turns a large image still gets one for each doubling of its side beyond 2048: waves on tissue have further to go there.
      int spare = std::bit_width(static_cast<unsigned>(std::max(width_, height_) - 1) / 2048);
      for (int i = 1, most = plan.sweeps, turn = 32;; ++i) {
        if (plan.sweeps >= 0 && i >= most) {
          if (plan.more == 0 || settle_most(plan.turns ? 9 : 2)) break;
          if (!plan.turns && spare-- == 0) return false;
          most = i + turn;
          turn *= 2;
        }
        const i32 moved = i % 2 ? sweep<false>(out_, plan.skip) : sweep<true>(out_, plan.skip);
        if (moved == 0) break;  // and the sweep before left it stable the other way, or the queue will
        if (i + 1 == most && moved > height_ / 2) {
          if (plan.brief) return false;
          if (most < plan.sweeps + plan.more) ++most;
        }
      }
    }
    limit(plan);
    if (plan.sweeps >= 0) settle(nullptr, nullptr);
    return !gave_up();
  }

  /// To stability again after the halo rows have changed (null: none). Returns whether a pixel moved.
  bool resume(const T* above, const T* below, SweepPlan plan = {}) {
    limit(plan);
    std::fill_n(s_.stale, 2 * static_cast<std::size_t>(height_), u8{0});
    if (above) s_.stale[0] = 1;
    if (below) s_.stale[2 * (height_ - 1)] = 1;
    return settle(above, below);
  }

  /// To stability again after changes outside. feed(raise) calls raise(x, y, value) with what each border pixel may take over from its
  /// neighbours outside. Returns whether a pixel moved.
  template <class Feed>
  bool resume_from(Feed&& feed) {
    std::fill_n(s_.stale, 2 * static_cast<std::size_t>(height_), u8{0});
    bool moved = false;
    feed([&](i32 x, i32 y, T value) {
      T& at = out_.row(y)[x];
      const T reach = L::meet(value, mask_.row(y)[x]);
      if (!L::above(reach, at)) return;
      at = reach;
      moved = true;
      push({x, y});
    });
    drain();
    settle(nullptr, nullptr);  // what the queue had no room for
    return moved;
  }

  bool gave_up() const { return moves_left_ <= 0; }

 private:
  /// Moves that cost about a millisecond, allowed to every band: small images would else give up for nothing.
  static constexpr i64 kFreeMoves = 1 << 17;
  i64 area() const { return static_cast<i64>(width_) * height_; }
  /// A brief plan allows the queue as many moves as cost about as much as two sweeps, one without turns twice as many.
  void limit(SweepPlan plan) {
    if (plan.brief || !plan.turns) moves_left_ = plan.brief ? area() / 16 + 0x2000 : area() / 8 * (shared_ ? 2 : 1) + kFreeMoves;
  }
  /// Settles if the queue needs no more moves than this share of the pixels (9 is enough for any corridor: half of its pixels are its walls).
  /// Else false, and every row is stale.
  bool settle_most(i32 sixteenths) {
    // Without turns, of the border's waves: with what neighbours tell, one band may have more than its share. Holes do better with sweeps.
    const bool more = shared_ && by == By::dilation;
    moves_left_ = area() / 16 * sixteenths + kFreeMoves * (more ? 3 : 1);
    settle(nullptr, nullptr);
    const bool settled = !gave_up();
    moves_left_ = std::numeric_limits<i64>::max();
    if (!settled) std::fill_n(s_.stale, 2 * static_cast<std::size_t>(height_), u8{1});
    return settled;
  }
  u8& down_stale(i32 y) { return s_.stale[2 * y]; }
  u8& up_stale(i32 y) { return s_.stale[2 * y + 1]; }
  void pause(i32 y) const {
    if (y % 64 == 0) ctx_.check_cancelled();
  }
  void load(Line<T>& line, const T* row) {
    if (row) std::memcpy(line.data, row, sizeof(T) * static_cast<std::size_t>(width_));
    else std::fill_n(line.data, width_, L::bottom);
  }

  /// Returns the number of rows in which a pixel moved.
  template <bool forward>
  i32 sweep(View<const T> marker, bool skip) {
    i32 moved = 0;
    const T* prev = nullptr;  // the row before, where it is at hand in a line
    const bool news = shared_ && shared_->take(number_, forward ? 0 : 1, lines_[3].data);
    const i32 first = forward ? 0 : height_ - 1, step = forward ? 1 : -1;
    for (i32 k = 0; k < height_; ++k) {
      const i32 y = first + k * step;
      pause(k);
      u8& mine = forward ? down_stale(y) : up_stale(y);
      if (k == 0 && news) prev = lines_[3].data;
      if (skip && !mine && prev != lines_[3].data) {
        prev = nullptr;
        continue;
      }
      if (!prev) {
        load(lines_[2], k == 0 ? nullptr : out_.row(y - step));
        prev = lines_[2].data;
      }
      T* line = prev == lines_[0].data ? lines_[1].data : lines_[0].data;
      const bool changed = sweep_row<T, by, forward>(marker.row(y), mask_.row(y), prev, out_.row(y), line, width_, eight_);
      prev = line;
      mine = 0;
      if (!changed) continue;
      ++moved;
      (forward ? up_stale(y) : down_stale(y)) = 1;
      if (y > 0) up_stale(y - 1) = 1;
      if (y + 1 < height_) down_stale(y + 1) = 1;
    }
    if (shared_ && moved > 0) shared_->tell(number_, out_.row(0), out_.row(height_ - 1));
    return moved;
  }

  /// Searches the stale rows for movable pixels, moves them and lets the queue carry the change on, until no row is stale.
  bool settle(const T* above, const T* below) {
    bool moved = false;
    for (bool again = true; again && !gave_up();) {
      again = false;
      for (i32 y = 0; y < height_; ++y) {
        pause(y);
        if (!down_stale(y) && !up_stale(y)) continue;
        down_stale(y) = up_stale(y) = 0;
        again = true;
        load(lines_[0], y > 0 ? out_.row(y - 1) : above);
        load(lines_[1], out_.row(y));
        load(lines_[2], y + 1 < height_ ? out_.row(y + 1) : below);
        T* row = out_.row(y);
        find_movable<T, by>(lines_[0].data, lines_[1].data, lines_[2].data, mask_.row(y), width_, eight_, [&](i32 x, T value) {
          moved = true;
          row[x] = L::join(row[x], value);
          push({x, y});
        });
        if (tail_ - head_ > s_.capacity / 2) drain();
      }
      drain();
    }
    return moved;
  }

  void push(Pixel p) {
    if (tail_ - head_ == s_.capacity) {
      // Full: the pixel's rows are searched again instead. Slower, and the result is the same.
      down_stale(p.y) = 1;
      if (p.y > 0) down_stale(p.y - 1) = 1;
      if (p.y + 1 < height_) down_stale(p.y + 1) = 1;
      return;
    }
    s_.queue[tail_++ & (s_.capacity - 1)] = p;
  }

  void drain() {
    while (head_ != tail_) {
      if ((head_ & 0xFFF) == 0) {
        ctx_.check_cancelled();
        if ((moves_left_ -= 0x1000) <= 0) {  // given up, see SweepPlan::brief and settle_most()
          head_ = tail_;
          return;
        }
      }
      const Pixel p = s_.queue[head_++ & (s_.capacity - 1)];
      T* at = out_.row(p.y) + p.x;
      const T* mask = mask_.row(p.y) + p.x;
      const T v = *at;
      const bool inside = p.x > 0 && p.x + 1 < width_ && p.y > 0 && p.y + 1 < height_;
      const auto visit = [&](i32 dx, i32 dy) {
        if (!inside && (p.x + dx < 0 || p.x + dx >= width_ || p.y + dy < 0 || p.y + dy >= height_)) return;
        T& q = at[dy * out_.stride + dx];
        const T reach = L::meet(v, mask[dy * mask_.stride + dx]);
        if (!L::above(reach, q)) return;
        q = reach;
        push({p.x + dx, p.y + dy});
      };
      visit(0, -1), visit(-1, 0), visit(1, 0), visit(0, 1);
      if (eight_) visit(-1, -1), visit(1, -1), visit(-1, 1), visit(1, 1);
    }
  }

  const Context& ctx_;
  View<T> out_;
  View<const T> mask_;
  bool eight_;
  BandScratch<T> s_;
  i32 width_, height_;
  Line<T> lines_[4];
  SharedHalos<T>* shared_ = nullptr;
  i32 number_ = 0;
  i64 head_ = 0, tail_ = 0, moves_left_ = std::numeric_limits<i64>::max();
};

}  // namespace morpho::cpu
