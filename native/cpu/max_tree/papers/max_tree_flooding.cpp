// The max-tree by one flood of the whole image with a queue for each grey level.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "cpu/max_tree/max_tree_parent.hpp"

namespace morpho::cpu {
namespace {

/// Which grey levels have waiting pixels: a tree of bits, so that the highest is found in a few steps for 16 bits too.
template <class T>
class LevelSet {
 public:
  void add(i32 v) {
    words_[v >> 6] |= u64{1} << (v & 63);
    if constexpr (sizeof(T) == 2) groups_[v >> 12] |= u64{1} << (v >> 6 & 63);
  }
  void remove(i32 v) {
    words_[v >> 6] &= ~(u64{1} << (v & 63));
    if constexpr (sizeof(T) == 2) {
      if (words_[v >> 6] == 0) groups_[v >> 12] &= ~(u64{1} << (v >> 6 & 63));
    }
  }
  /// -1: none.
  i32 highest() const {
    if constexpr (sizeof(T) == 1) {
      for (i32 i = 3; i >= 0; --i) {
        if (words_[i]) return 64 * i + 63 - std::countl_zero(words_[i]);
      }
    } else {
      for (i32 i = 15; i >= 0; --i) {
        if (!groups_[i]) continue;
        const i32 word = 64 * i + 63 - std::countl_zero(groups_[i]);
        return 64 * word + 63 - std::countl_zero(words_[word]);
      }
    }
    return -1;
  }

 private:
  static constexpr i32 levels = 1 << (8 * sizeof(T));
  u64 words_[levels / 64] = {};
  u64 groups_[sizeof(T) == 2 ? levels / 4096 : 1] = {};
};

/// The flood's state, in images with one pixel of padding around.
template <class T>
class Flood {
 public:
  Flood(Context& ctx, View<const T> f, const MaxTreeParams& params)
      : ctx_(ctx),
        width_(f.width()),
        height_(f.height()),
        pitch_(f.width() + 2),
        steps_(params.connectivity == Connectivity::eight ? 8 : 4) {
    const std::size_t n = static_cast<std::size_t>(pitch_) * (static_cast<std::size_t>(height_) + 2);
    constexpr std::size_t levels = std::size_t{1} << (8 * sizeof(T));
    f_ = ctx.workspace.take<T>(n);
    seen_ = ctx.workspace.take<u8>(n);
    next_ = ctx.workspace.take<i32>(n);
    parent_ = ctx.workspace.take<i32>(n);
    waiting_ = ctx.workspace.take<i32>(levels);
    stack_ = ctx.workspace.take<i32>(levels);
    std::fill_n(waiting_, levels, none);
    std::memset(seen_, 1, n);
    const T flip = params.min_tree ? std::numeric_limits<T>::max() : T{0};
    for (i32 y = 0; y < height_; ++y) {
      std::memset(seen_ + index(0, y), 0, static_cast<std::size_t>(width_));
      for (i32 x = 0; x < width_; ++x) f_[index(x, y)] = static_cast<T>(f.at(x, y) ^ flip);
    }
  }

  /// Uphill at once, otherwise on from the highest pixel that waits. A pixel left for a higher neighbour waits too, and goes on
  /// where it stopped.
  void run() {
    const i32 step[8] = {-pitch_, -1, 1, pitch_, -pitch_ - 1, -pitch_ + 1, pitch_ - 1, pitch_ + 1};
    i32 p = index(0, 0);
    seen_[p] = 1;
    begin_node(p);
    for (u64 visits = 0;; ++visits) {
      if ((visits & 0xFFFFF) == 0) ctx_.check_cancelled();
      const T level = f_[p];
      i32 up = none;
      for (int k = seen_[p] - 1; k < steps_; ++k) {
        const i32 q = p + step[k];
        if (seen_[q]) continue;
        seen_[q] = 1;
        if (f_[q] > level) {
          seen_[p] = static_cast<u8>(k + 2);
          up = q;
          break;
        }
        wait(q);
      }
      if (up != none) {
        wait(p);
        p = up;
        begin_node(p);
        continue;
      }
      const i32 root = stack_[depth_ - 1];
      if (p != root) parent_[p] = root;
      // Nothing that waits is above the level being flooded.
      const i32 below = waiting_[level] != none ? level : levels_.highest();
      if (below < 0) break;
      p = waiting_[below];
      waiting_[below] = next_[p];
      if (next_[p] == none) levels_.remove(below);
      if (below == level) continue;
      // Close the nodes above the new level; the lowest of them hangs on the node of that level, which may begin here.
      while (depth_ > 1 && f_[stack_[depth_ - 2]] >= below) {
        parent_[stack_[depth_ - 1]] = stack_[depth_ - 2];
        --depth_;
      }
      if (f_[stack_[depth_ - 1]] > below) {
        parent_[stack_[--depth_]] = p;
        begin_node(p);
      }
    }
    for (; depth_ > 1; --depth_) parent_[stack_[depth_ - 1]] = stack_[depth_ - 2];
  }

  /// Every level root is replaced by the smallest index of its node, every index by that of the image.
  void write(i32* out) const {
    i32* first = next_;  // the flood is over: nothing waits
    std::fill_n(first, static_cast<std::size_t>(pitch_) * (static_cast<std::size_t>(height_) + 2),
                std::numeric_limits<i32>::max());
    const auto root_of = [&](i32 p) { return f_[parent_[p]] == f_[p] ? parent_[p] : p; };
    for (i32 y = 0; y < height_; ++y) {
      for (i32 x = 0; x < width_; ++x) {
        i32& slot = first[root_of(index(x, y))];
        slot = std::min(slot, y * width_ + x);
      }
    }
    for (i32 y = 0, i = 0; y < height_; ++y) {
      for (i32 x = 0; x < width_; ++x, ++i) {
        const i32 root = root_of(index(x, y)), own = first[root];
        out[i] = own == i ? first[parent_[root]] : own;
      }
    }
  }

 private:
  static constexpr i32 none = -1;
  i32 index(i32 x, i32 y) const { return (y + 1) * pitch_ + x + 1; }
  void wait(i32 p) {
    const i32 v = f_[p];
    next_[p] = waiting_[v];
    if (waiting_[v] == none) levels_.add(v);
    waiting_[v] = p;
  }
  void begin_node(i32 p) { parent_[p] = stack_[depth_++] = p; }

  Context& ctx_;
  const i32 width_, height_, pitch_;
  const int steps_;
  T* f_ = nullptr;
  u8* seen_ = nullptr;      ///< 0 not seen; else the number of neighbours already looked at, plus one
  i32* next_ = nullptr;     ///< the pixel that waits after this one
  i32* parent_ = nullptr;   ///< to the node's level root (its first flooded pixel), from there to the parent node's
  i32* waiting_ = nullptr;  ///< per level: the pixel that waits first
  i32* stack_ = nullptr;    ///< the level roots of the nodes being flooded, lowest first
  i32 depth_ = 0;
  LevelSet<T> levels_;
};

template <class T>
void build_by_flooding(Context& ctx, View<const T> f, i32* parent, const MaxTreeParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  Flood<T> flood(ctx, f, params);
  flood.run();
  flood.write(parent);
}

}  // namespace

/// Cost: every pixel enters a queue once, and once more for each climb from it. One thread. Memory: 9 bytes and f's type a
/// pixel.
/// Source: Salembier 1998 (hierarchical queues); Nistér, Stewénius 2008 (climbing without recursion); Wilkinson 2011.
void max_tree_flooding(Context& ctx, ConstPlane f, i32* parent, const MaxTreeParams& params) {
  if (f.type == PixelType::u8) build_by_flooding<u8>(ctx, f.view<u8>(), parent, params);
  else build_by_flooding<u16>(ctx, f.view<u16>(), parent, params);
}

}  // namespace morpho::cpu
