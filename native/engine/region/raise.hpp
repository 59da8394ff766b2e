// Border propagation of a reconstruction: what comes over a settled tile's border goes on inside it, pixel by pixel.
#pragma once
#include <vector>

#include "contract/ops.hpp"

namespace morpho::engine::region {

/// The pixels around a tile as its neighbours have them: rows of width + 2 above and below, columns of height to the sides.
/// What is not there, or may not be looked at, holds the value that raises nothing.
template <class T>
struct Rim {
  std::vector<T> above, below, left, right;
  Rim(std::size_t width, std::size_t height, T nothing)
      : above(width + 2, nothing), below(width + 2, nothing), left(height, nothing), right(height, nothing) {}
};

/// A tile's pixels in memory, `pitch` elements from row to row.
template <class T>
struct TilePixels {
  T* data;
  std::size_t pitch;
  i32 width, height;
  T& at(i32 x, i32 y) const { return data[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)]; }
};

/// Raises (lowers) a settled state by a FIFO queue that begins at the border pixels which the rim raises (Vincent 1993's second
/// phase; Teodoro 2012 §4, border propagation).
template <class T, By by>
class Raise {
 public:
  Raise(const TilePixels<T>& state, const TilePixels<const T>& mask, bool eight) : state_(state), mask_(mask), eight_(eight) {}

  static bool higher(T a, T b) { return by == By::dilation ? a > b : a < b; }
  static T bounded(T a, T bound) { return higher(a, bound) ? bound : a; }

  /// Whether all is settled again after at most `most` moves; if not, the state is on its way there, and only has to be settled
  /// from what it is.
  bool run(const Rim<T>& rim, std::size_t most) {
    begin(rim);
    const i32 steps[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      if (head >= most) return false;
      const Location p = queue_[head];
      const T value = state_.at(p.x, p.y);
      for (i32 k = 0; k < (eight_ ? 8 : 4); ++k) {
        const i32 x = p.x + steps[k][0], y = p.y + steps[k][1];
        if (x >= 0 && y >= 0 && x < state_.width && y < state_.height) offer(x, y, value);
      }
    }
    return true;
  }
  std::size_t moves() const { return queue_.size(); }
  i32 first_row() const { return first_row_; }  ///< of those that moved; beyond last_row() where nothing did
  i32 last_row() const { return last_row_; }

 private:
  struct Location {
    i32 x, y;
  };
  void offer(i32 x, i32 y, T value) {
    T& own = state_.at(x, y);
    const T to = bounded(value, mask_.at(x, y));
    if (!higher(to, own)) return;
    own = to;
    if (y < first_row_) first_row_ = y;
    if (y > last_row_) last_row_ = y;
    queue_.push_back({x, y});
  }
  void begin(const Rim<T>& rim) {
    const i32 w = state_.width, h = state_.height;
    for (i32 x = 0; x < w; ++x) {
      // rim.above[x + 1] lies above pixel x.
      const std::size_t c = static_cast<std::size_t>(x) + 1;
      for (std::size_t k = eight_ ? c - 1 : c; k <= (eight_ ? c + 1 : c); ++k) {
        offer(x, 0, rim.above[k]);
        offer(x, h - 1, rim.below[k]);
      }
    }
    for (i32 y = 0; y < h; ++y) {
      for (i32 v = eight_ ? y - 1 : y; v <= (eight_ ? y + 1 : y); ++v) {
        if (v < 0 || v >= h) continue;  // corners are in the rows
        offer(0, y, rim.left[static_cast<std::size_t>(v)]);
        offer(w - 1, y, rim.right[static_cast<std::size_t>(v)]);
      }
    }
  }

  TilePixels<T> state_;
  TilePixels<const T> mask_;
  bool eight_;
  std::vector<Location> queue_;
  i32 first_row_ = 2147483647, last_row_ = -1;
};

}  // namespace morpho::engine::region
