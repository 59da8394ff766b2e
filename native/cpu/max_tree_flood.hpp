// Builds the max-tree of one band of rows by flooding, and joins the trees of neighbouring bands.
#pragma once
#include <bit>
#include <cstring>

#include "contract/ops.hpp"

namespace morpho::cpu {

/// The image and its tree in one frame of padding. `parent[p]` leads to a pixel of p's own node, or from one pixel of the node (its
/// level root) to a pixel of the parent node; the root's level root leads to itself.
template <class T>
struct TreeFrame {
  Extent extent;
  i32 pitch = 0;
  bool eight = true;
  T* f = nullptr;
  i32* parent = nullptr;
  i32 step[8] = {};
  int steps = 0;

  static std::size_t pixels(Extent e) { return (static_cast<std::size_t>(e.width) + 2) * (static_cast<std::size_t>(e.height) + 2); }
  TreeFrame(Workspace& w, Extent e, bool eight_connected) : extent(e), pitch(e.width + 2), eight(eight_connected) {
    f = w.take<T>(pixels(e));
    parent = w.take<i32>(pixels(e));
    for (i32 s : {-pitch, -1, 1, pitch}) step[steps++] = s;
    if (eight) {
      for (i32 s : {-pitch - 1, -pitch + 1, pitch - 1, pitch + 1}) step[steps++] = s;
    }
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

/// Scratch of one band's flood.
struct FloodScratch {
  i32* next = nullptr;   ///< per pixel of the padded image (shared by the bands: each touches its own rows)
  u8* seen = nullptr;    ///< per padded pixel of the band, then the number of neighbours already looked at, plus one
  i32* waiting = nullptr;  ///< per level: the pixel that waits first
  i32* stack = nullptr;  ///< per level: the level roots of the nodes being flooded, lowest first
};

/// Floods rows [y0, y1) from their first pixel: uphill at once, otherwise on from the highest pixel that waits. A pixel left for a
/// higher neighbour waits too, and goes on where it stopped. Cost: every pixel enters a list once for each climb from it.
/// Source: Salembier 1998 (hierarchical queues); Nistér, Stewénius 2008 (climbing without recursion).
template <class T>
void flood_band(const Context& ctx, TreeFrame<T>& tree, i32 y0, i32 y1, const FloodScratch& s) {
  const i32 pitch = tree.pitch;
  const T* f = tree.f;
  i32* parent = tree.parent;
  std::memset(s.seen, 1, static_cast<std::size_t>(pitch) * static_cast<std::size_t>(y1 - y0 + 2));
  u8* seen = s.seen - (tree.index(-1, y0) - pitch);  // so that it takes the whole image's indices
  for (i32 y = y0; y < y1; ++y) std::memset(seen + tree.index(0, y), 0, static_cast<std::size_t>(tree.extent.width));
  std::fill_n(s.waiting, std::size_t{1} << (8 * sizeof(T)), -1);

  LevelSet<T> levels;
  const auto wait = [&](i32 p) {
    const i32 v = f[p];
    s.next[p] = s.waiting[v];
    if (s.waiting[v] < 0) levels.add(v);
    s.waiting[v] = p;
  };
  i32 p = tree.index(0, y0), depth = 0;
  seen[p] = 1;
  s.stack[depth++] = p;
  parent[p] = p;
  u64 turns = 0;
  for (;;) {
    if ((++turns & 0xFFFFF) == 0) ctx.check_cancelled();
    const T level = f[p];
    int k = seen[p] - 1;
    i32 up = -1;
    for (; k < tree.steps; ++k) {
      const i32 q = p + tree.step[k];
      if (seen[q]) continue;
      seen[q] = 1;
      if (f[q] > level) {
        up = q;
        break;
      }
      wait(q);
    }
    if (up >= 0) {
      seen[p] = static_cast<u8>(k + 2);
      wait(p);
      p = up;
      s.stack[depth++] = p;
      parent[p] = p;
      continue;
    }
    const i32 root = s.stack[depth - 1];
    if (p != root) parent[p] = root;
    const i32 below = levels.highest();
    if (below < 0) break;
    p = s.waiting[below];
    s.waiting[below] = s.next[p];
    if (s.next[p] < 0) levels.remove(below);
    if (below == level) continue;
    // Close the nodes above the new level; the lowest of them hangs on the node of that level, which may begin here.
    while (depth > 1 && f[s.stack[depth - 2]] >= below) {
      parent[s.stack[depth - 1]] = s.stack[depth - 2];
      --depth;
    }
    if (f[s.stack[depth - 1]] > below) {
      parent[s.stack[depth - 1]] = p;
      s.stack[depth - 1] = p;
      parent[p] = p;
    }
  }
  for (; depth > 1; --depth) parent[s.stack[depth - 1]] = s.stack[depth - 2];
}

/// The level root of p's node, with the path to it shortened.
template <class T>
i32 level_root(const TreeFrame<T>& tree, i32 p) {
  const T v = tree.f[p];
  i32 root = p;
  while (tree.parent[root] != root && tree.f[tree.parent[root]] == v) root = tree.parent[root];
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
  if (tree.f[a] < tree.f[b]) std::swap(a, b);
  while (a != b) {
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
