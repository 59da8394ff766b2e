// Reconstruction of one band of rows by a bounded queue, after sweeps; its neighbours' border rows come in as halos.
#pragma once
#include <algorithm>
#include <limits>

#include "cpu/reconstruct/reconstruct_rows.hpp"

namespace morpho::cpu {

struct Pixel {
  i32 x, y;
};

/// Scratch of one band; see bytes().
template <class T>
struct BandScratch {
  T* lines = nullptr;      ///< three padded rows
  u8* stale = nullptr;     ///< two flags a row
  Pixel* queue = nullptr;  ///< a ring of `capacity` entries, a power of two
  i64 capacity = 0;
};

template <class T, By by>
class Band {
  using L = Lattice<T, by>;

 public:
  Band(const Context& ctx, View<T> out, View<const T> mask, bool eight, BandScratch<T> scratch)
      : ctx_(ctx), out_(out), mask_(mask), eight_(eight), s_(scratch), width_(out.width()), height_(out.height()) {
    const std::size_t n = Line<T>::elements(width_);
    for (int i = 0; i < 3; ++i) lines_[i].place(s_.lines + static_cast<std::size_t>(i) * n, width_, L::bottom);
  }

  /// Allows the queue about so many moves from now on, and a search so many pixels to begin with; more, and the band gives up.
  void allow(i64 moves, i64 begun) {
    moves_left_ = moves;
    begun_ = begun;
  }
  bool gave_up() const { return moves_left_ <= 0; }
  /// Entries taken from the queue so far, and the most that were in it at once where anybody looked.
  i64 moves() const { return head_; }
  i64 longest() const { return longest_; }

  /// To stability from what its stale rows hold and from the rows next to it (null: none). Returns whether a pixel moved.
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
        if (tail_ - head_ > begun_) {  // it would run out of moves
          head_ = tail_;
          moves_left_ = 0;
          return moved;
        }
        if (tail_ - head_ > s_.capacity / 2) drain();
      }
      drain();
    }
    return moved;
  }

  /// The same after the rows next to it have changed, and nothing else.
  bool resume(const T* above, const T* below) {
    std::fill_n(s_.stale, 2 * static_cast<std::size_t>(height_), u8{0});
    if (above) down_stale(0) = 1;
    if (below) down_stale(height_ - 1) = 1;
    return settle(above, below);
  }

  /// To stability again after changes outside. feed(raise) calls raise(x, y, value) with what each border pixel may take over
  /// from its neighbours outside. Returns whether a pixel moved.
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

 private:
  u8& down_stale(i32 y) { return s_.stale[i64{2} * y]; }
  u8& up_stale(i32 y) { return s_.stale[i64{2} * y + 1]; }
  void pause(i32 y) const {
    if (y % 64 == 0) ctx_.check_cancelled();
  }
  void load(Line<T>& line, const T* row) {
    if (row) std::memcpy(line.data, row, sizeof(T) * static_cast<std::size_t>(width_));
    else std::fill_n(line.data, width_, L::bottom);
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
        longest_ = std::max(longest_, tail_ - head_);
        if ((moves_left_ -= 0x1000) <= 0) {  // given up, see allow()
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
  Line<T> lines_[3];
  i64 head_ = 0, tail_ = 0, longest_ = 0, moves_left_ = std::numeric_limits<i64>::max(), begun_ = moves_left_;
};

}  // namespace morpho::cpu
