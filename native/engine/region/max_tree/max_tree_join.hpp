// Border trees of all tiles, joined along the tiles' borders.
#pragma once
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "contract/context.hpp"
#include "engine/region/borders.hpp"

namespace morpho::engine::region {

/// Nodes of all tiles, numbered as they come. Levels are altitudes that grow from the root to the leaves (those of a min-tree
/// inverted). A node leads to its parent, or, where joins have made one node of several, to another of its level. T is u8 or
/// u16. Memory: 4 bytes and sizeof(T) a node.
template <class T>
struct JoinedTrees {
  std::vector<T> level;
  std::vector<i32> up;  ///< roots: themselves

  i32 count() const { return static_cast<i32>(up.size()); }
  /// Makes room for a tile's nodes, and returns the number of the first. Throws OUT_OF_MEMORY where there are 2^31 and more.
  i32 add(std::size_t nodes) {
    const std::size_t first = up.size();
    if (first + nodes > static_cast<std::size_t>(std::numeric_limits<i32>::max()))
      throw Error(ErrorCode::out_of_memory, "the trees along the tiles' borders have 2^31 nodes and more; use larger tiles");
    level.resize(first + nodes), up.resize(first + nodes);
    return static_cast<i32>(first);
  }
  bool is_joined(i32 n) const { return up[at(n)] != n && level[at(up[at(n)])] == level[at(n)]; }

  /// The one node that stands for all that are one with n.
  i32 canonical(i32 n) {
    i32 top = n;
    while (is_joined(top)) top = up[at(top)];
    while (n != top) n = std::exchange(up[at(n)], top);
    return top;
  }

  /// Joins the branches of two pixels that are neighbours. `ends(a, b)`, where a is at least as high as b, may end it: what is
  /// above both is of no interest. Source: Wilkinson 2008; Blin 2021 §3.
  template <class Ends>
  void connect(i32 a, i32 b, Ends&& ends) {
    a = canonical(a), b = canonical(b);
    while (a != b) {
      if (level[at(a)] < level[at(b)]) std::swap(a, b);
      if (ends(a, b)) return;
      const bool root = up[at(a)] == a;
      const i32 next = root ? a : canonical(up[at(a)]);
      if (!root && level[at(next)] >= level[at(b)]) {
        a = next;
        continue;
      }
      up[at(a)] = b;
      if (root) return;
      a = b, b = next;
    }
  }

  /// Joins all tiles. line[i]: for each pixel on tile i's lines that another tile faces, its node. A pair of pixels that its
  /// neighbouring pairs connect as high already is left out (the cycle rule of maximum spanning trees): only pairs whose lower
  /// level stands out along the border are joined. Throws Cancelled. Cost: the steps down the branches from the pairs that
  /// stand out.
  template <class Ends>
  void join(const Grid& grid, const std::vector<Border<i32>>& line, bool eight, const CancelFlag* cancel, Ends&& ends) {
    for (i64 i = 0; i < grid.count(); ++i) {
      if (cancel && cancel->load(std::memory_order_relaxed)) throw Cancelled{};
      each_side(eight, [&](i64 dx, i64 dy) {
        const i64 j = grid.beside(i, dx, dy);
        if (j < i) return;  // none, or it did
        std::size_t n = 0;
        const i32* from = line[static_cast<std::size_t>(i)].facing(dx, dy, n);
        const i32* to = line[static_cast<std::size_t>(j)].facing(-dx, -dy, n);
        join_lines(from, to, n, eight, ends);
      });
    }
  }

  /// All nodes that stand for themselves, from the highest level down. Call where joins are done: all lead straight to the node
  /// that stands for them, or for their parent.
  std::vector<i32> settle() {
    std::vector<u32> next((std::size_t{1} << (8 * sizeof(T))) + 1, 0);
    for (i32 n = 0; n < count(); ++n) {
      if (is_joined(n)) {
        canonical(n);
        continue;
      }
      up[at(n)] = canonical(up[at(n)]);
      ++next[place(n) + 1];
    }
    for (std::size_t v = 1; v < next.size(); ++v) next[v] += next[v - 1];
    std::vector<i32> order(next.back());
    for (i32 n = 0; n < count(); ++n) {
      if (!is_joined(n)) order[next[place(n)]++] = n;
    }
    return order;
  }

 private:
  using u32 = std::uint32_t;
  static std::size_t at(i32 n) { return static_cast<std::size_t>(n); }
  std::size_t place(i32 n) const { return static_cast<std::size_t>(std::numeric_limits<T>::max() - level[at(n)]); }

  template <class Ends>
  void join_lines(const i32* a, const i32* b, std::size_t n, bool eight, Ends& ends) {
    const auto value = [&](i32 node) { return static_cast<i32>(level[at(node)]); };
    i32 a1 = value(a[0]), b1 = value(b[0]), before = -1;
    bool crossed = false;  // a corner joined the pixels before and here, higher than the pair here
    for (std::size_t k = 0; k < n; ++k) {
      const i32 here = std::min(a1, b1);
      i32 a2 = -1, b2 = -1;
      if (k + 1 < n) a2 = value(a[k + 1]), b2 = value(b[k + 1]);
      const i32 after = std::min(a2, b2);
      bool cross = false;
      if (eight && k + 1 < n) {
        if (std::min(a1, b2) > std::max(b1, a2)) connect(a[k], b[k + 1], ends), cross = true;
        else if (std::min(a2, b1) > std::max(a1, b2)) connect(a[k + 1], b[k], ends), cross = true;
      }
      if (!cross && !crossed && before < here && after <= here) connect(a[k], b[k], ends);
      before = here, crossed = cross, a1 = a2, b1 = b2;
    }
  }
};

}  // namespace morpho::engine::region
