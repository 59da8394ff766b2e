// Builds the max-tree of one tile by flooding, and joins the trees of neighbouring tiles.
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "contract/ops.hpp"

namespace morpho::cpu {

/// The image and its tree in one frame of padding. `parent[p]` leads to a pixel of p's own node, or from one pixel of the node (its
/// level root, always its smallest index) to a pixel of the parent node; the root's level root leads to itself.
template <class T>
struct TreeFrame {
  Extent extent;
  i32 pitch = 0;
  bool eight = true;
  T* f = nullptr;
  i32* parent = nullptr;
  int steps = 8;  ///< neighbours of a pixel

  static std::size_t pixels(Extent e) { return (static_cast<std::size_t>(e.width) + 2) * (static_cast<std::size_t>(e.height) + 2); }
  TreeFrame(Workspace& w, Extent e, bool eight_connected) : extent(e), pitch(e.width + 2), eight(eight_connected), steps(eight_connected ? 8 : 4) {
    f = w.take<T>(pixels(e));
    parent = w.take<i32>(pixels(e));
  }
  i32 index(i32 x, i32 y) const { return static_cast<i32>((static_cast<i64>(y) + 1) * pitch + x + 1); }
};

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

/// A tile small enough that its flood stays in the fast caches; the pitch is a power of two, so that indices split by shifts.
struct FloodTile {
  static constexpr i32 shift = 8, pitch = 1 << shift;
  static constexpr i32 width = pitch - 2, height = 126;  ///< without the padding; indices fit 16 bits
  static constexpr std::size_t pixels = static_cast<std::size_t>(pitch) * (height + 2);
};

/// Scratch of one thread's floods. `waiting` must hold `none` everywhere before the first; each flood leaves it so.
template <class T>
struct FloodScratch {
  static constexpr u16 none = 65535;  ///< never a pixel: the padding's last index
  T* f = nullptr;
  u8* seen = nullptr;      ///< 0 not seen; else the number of neighbours already looked at, plus one
  u16* next = nullptr;     ///< the pixel that waits after this one
  u16* parent = nullptr;
  u16* waiting = nullptr;  ///< per level: the pixel that waits first
  u16* stack = nullptr;    ///< the level roots of the nodes being flooded, lowest first
  static constexpr std::size_t levels = std::size_t{1} << (8 * sizeof(T));
  void take(Workspace& w) {
    f = w.take<T>(FloodTile::pixels);
    seen = w.take<u8>(FloodTile::pixels);
    next = w.take<u16>(FloodTile::pixels);
    parent = w.take<u16>(FloodTile::pixels);
    waiting = w.take<u16>(levels);
    stack = w.take<u16>(std::min(levels, FloodTile::pixels));
    std::fill_n(waiting, levels, none);
  }
};

/// Writes the flooded tile's parents to the image's tree, every level root replaced by the smallest index of its node.
template <class T>
void write_canonical(TreeFrame<T>& tree, i32 x0, i32 y0, i32 x1, i32 y1, const FloodScratch<T>& s) {
  constexpr i32 pitch = FloodTile::pitch;
  const i32 width = x1 - x0, height = y1 - y0;
  u16* first = s.next;  // the flood is over: nothing waits
  std::fill_n(first, static_cast<std::size_t>(pitch) * static_cast<std::size_t>(height + 2), FloodScratch<T>::none);
  const auto root_of = [&](i32 p) { return s.f[s.parent[p]] == s.f[p] ? static_cast<i32>(s.parent[p]) : p; };
  for (i32 y = 0; y < height; ++y) {
    for (i32 p = (y + 1) * pitch + 1, end = p + width; p < end; ++p) {
      u16& slot = first[root_of(p)];
      slot = std::min(slot, static_cast<u16>(p));  // `none` is the largest value
    }
  }
  const i32 origin = tree.index(x0 - 1, y0 - 1);
  for (i32 y = 0; y < height; ++y) {
    i32* out = tree.parent + tree.index(x0, y0 + y);
    const i32 row = (y + 1) * pitch + 1;
    for (i32 x = 0; x < width; ++x) {
      const i32 root = root_of(row + x);
      const i32 own = first[root], above = first[s.parent[root]];  // both, unasked: the choice is a coin toss to a branch predictor
      const i32 to = own == row + x ? above : own;
      out[x] = origin + (to >> FloodTile::shift) * tree.pitch + (to & (pitch - 1));
    }
  }
}

/// Floods the tile [x0, x1) x [y0, y1) of `tree.f`, which may not exceed FloodTile's extent, from its first pixel: uphill at once,
/// otherwise on from the highest pixel that waits. A pixel left for a higher neighbour waits too, and goes on where it stopped.
/// Cost: every pixel enters a list once, and once more for each climb from it.
/// Source: Salembier 1998 (hierarchical queues); Nistér, Stewénius 2008 (climbing without recursion).
template <class T>
void flood_tile(TreeFrame<T>& tree, i32 x0, i32 y0, i32 x1, i32 y1, const FloodScratch<T>& s) {
  constexpr i32 pitch = FloodTile::pitch;
  const i32 width = x1 - x0, height = y1 - y0;
  const std::size_t rows = static_cast<std::size_t>(height) + 2;
  std::memset(s.seen, 1, pitch * rows);
  for (i32 y = 0; y < height; ++y) {
    const i32 row = (y + 1) * pitch + 1;
    std::memset(s.seen + row, 0, static_cast<std::size_t>(width));
    std::memcpy(s.f + row, tree.f + tree.index(x0, y0 + y), sizeof(T) * static_cast<std::size_t>(width));
  }
  const i32 step[8] = {-pitch, -1, 1, pitch, -pitch - 1, -pitch + 1, pitch - 1, pitch + 1};

  const T* f = s.f;
  LevelSet<T> levels;
  const auto wait = [&](i32 p) {
    const i32 v = f[p];
    s.next[p] = s.waiting[v];
    if (s.waiting[v] == FloodScratch<T>::none) levels.add(v);
    s.waiting[v] = static_cast<u16>(p);
  };
  i32 p = pitch + 1, depth = 0;
  const auto begin_node = [&](i32 q) { s.parent[q] = s.stack[depth++] = static_cast<u16>(q); };
  s.seen[p] = 1;
  begin_node(p);
  for (;;) {
    const T level = f[p];
    int k = s.seen[p] - 1;
    i32 up = -1;
    for (; k < tree.steps; ++k) {
      const i32 q = p + step[k];
      if (s.seen[q]) continue;
      s.seen[q] = 1;
      if (f[q] > level) {
        up = q;
        break;
      }
      wait(q);
    }
    if (up >= 0) {
      s.seen[p] = static_cast<u8>(k + 2);
      wait(p);
      p = up;
      begin_node(p);
      continue;
    }
    const u16 root = s.stack[depth - 1];
    if (p != root) s.parent[p] = root;
    // Nothing that waits is above the level being flooded.
    const i32 below = s.waiting[level] != FloodScratch<T>::none ? level : levels.highest();
    if (below < 0) break;
    p = s.waiting[below];
    s.waiting[below] = s.next[p];
    if (s.next[p] == FloodScratch<T>::none) levels.remove(below);
    if (below == level) continue;
    // Close the nodes above the new level; the lowest of them hangs on the node of that level, which may begin here.
    while (depth > 1 && f[s.stack[depth - 2]] >= below) {
      s.parent[s.stack[depth - 1]] = s.stack[depth - 2];
      --depth;
    }
    if (f[s.stack[depth - 1]] > below) {
      s.parent[s.stack[--depth]] = static_cast<u16>(p);
      begin_node(p);
    }
  }
  for (; depth > 1; --depth) s.parent[s.stack[depth - 1]] = s.stack[depth - 2];

  write_canonical(tree, x0, y0, x1, y1, s);
}

/// The level root of p's node; only reads.
template <class T>
i32 seek_level_root(const TreeFrame<T>& tree, i32 p) {
  const T v = tree.f[p];
  for (i32 q = tree.parent[p]; q != p && tree.f[q] == v; q = tree.parent[p]) p = q;
  return p;
}

/// The same while other threads do so too: long paths are shortened, by stores that any thread may see or miss.
template <class T>
i32 seek_level_root_shared(const TreeFrame<T>& tree, i32 p) {
  const auto parent = [&](i32 q) { return std::atomic_ref<i32>(tree.parent[q]); };
  const T v = tree.f[p];
  i32 root = p, hops = 0;
  for (i32 q; (q = parent(root).load(std::memory_order_relaxed)) != root && tree.f[q] == v; ++hops) root = q;
  for (; hops > 1; --hops) {
    const i32 next = parent(p).load(std::memory_order_relaxed);
    if (next == root) break;
    parent(p).store(root, std::memory_order_relaxed);
    p = next;
  }
  return root;
}

/// The level root of p's node, with the path to it shortened.
template <class T>
i32 level_root(const TreeFrame<T>& tree, i32 p) {
  const i32 root = seek_level_root(tree, p);
  while (p != root) {
    const i32 next = tree.parent[p];
    tree.parent[p] = root;
    p = next;
  }
  return root;
}

/// Joins the branches of two neighbouring pixels of different trees (or of one). Source: Wilkinson 2008; Blin 2021 §3.
template <class T>
void connect_branches(TreeFrame<T>& tree, i32 a, i32 b) {
  a = level_root(tree, a);
  b = level_root(tree, b);
  for (;;) {
    if (a == b) return;
    if (tree.f[a] < tree.f[b] || (tree.f[a] == tree.f[b] && a < b)) std::swap(a, b);  // of one level, the smaller index is the root
    const i32 above = tree.parent[a];
    const i32 next = above == a ? -1 : level_root(tree, above);  // a's parent node; -1: a is a root
    if (next >= 0 && tree.f[next] >= tree.f[b]) {
      a = next;
      continue;
    }
    tree.parent[a] = b;
    if (next < 0) return;
    a = b;
    b = next;
  }
}

}  // namespace morpho::cpu
