// Joins canonical max-trees of neighbouring parts of an image along their border.
#pragma once
#include <algorithm>
#include <atomic>
#include <utility>

#include "contract/ops.hpp"

namespace morpho::cpu {

/// The trees of all parts in the image's own indices. Every pixel leads to its node's canonical pixel, canonical pixels to one
/// of the parent node, as long as neither is `demoted`; a demoted pixel was canonical until a join found a smaller index of its
/// node, and leads there.
template <class T>
struct JoinedTree {
  const T* f;  ///< row after row without gaps
  T flip;      ///< all ones for a min-tree
  i32* parent;
  const i32* leap;  ///< of 16 bits: from a canonical pixel to an ancestor in its tile; joins add ancestors and take none away
  u64* demoted;     ///< a bit for each pixel

  i32 value(i32 p) const { return static_cast<T>(f[p] ^ flip); }
  void demote(i32 p) { std::atomic_ref<u64>(demoted[p >> 6]).fetch_or(u64{1} << (p & 63), std::memory_order_relaxed); }
  bool is_demoted(i32 p) const { return demoted[p >> 6] >> (p & 63) & 1; }

  i32 canonical(i32 p) {
    const i32 first = parent[p];
    if (first == p || f[first] != f[p]) return p;
    i32 root = first;
    for (i32 q; (q = parent[root]) != root && f[q] == f[p];) root = q;
    while (parent[p] != root) p = std::exchange(parent[p], root);
    return root;
  }

  /// The ancestor to look at next for the lowest one of at least `level`: the canonical pixel `next` above `a`, or farther.
  i32 towards(i32 a, i32 next, i32 level) {
    if constexpr (sizeof(T) == 1) return next;
    const i32 far = leap[a];
    return far != a && value(far) >= level ? canonical(far) : next;
  }

  /// Joins the branches of two neighbouring pixels. Source: Wilkinson 2008; Blin 2021 §3.
  void connect(i32 a, i32 b) {
    a = canonical(a), b = canonical(b);
    i32 va = value(a), vb = value(b);
    while (a != b) {
      if (va < vb || (va == vb && a < b)) std::swap(a, b), std::swap(va, vb);  // of one level, the smaller index is the root
      const i32 above = parent[a];
      const bool root = above == a;
      const i32 next = root ? a : canonical(above), vn = value(next);
      if (!root && vn >= vb) {
        a = towards(a, next, vb), va = value(a);
        continue;
      }
      parent[a] = b;
      if (va == vb) demote(a);
      if (root) return;
      a = b, va = vb;
      b = next, vb = vn;
    }
  }

  /// Joins two rows (or columns) of `count` pixels that face each other: a + i * step to b + i * step, and across the corners
  /// where `eight`. A pair that its neighbouring pairs connect as high already is left out: only pairs whose lower value stands
  /// out along the border are joined.
  void join_border(i32 a, i32 b, i32 step, i32 count, bool eight) {
    i32 a1 = value(a), b1 = value(b), before = -1;
    bool crossed = false;  // a corner joined the pixels before and here, higher than the pair here
    for (i32 i = 0; i < count; ++i, a += step, b += step) {
      const i32 here = std::min(a1, b1);
      i32 a2 = -1, b2 = -1;
      if (i + 1 < count) a2 = value(a + step), b2 = value(b + step);
      const i32 after = std::min(a2, b2);
      bool cross = false;
      if (eight) {
        if (std::min(a1, b2) > std::max(b1, a2)) connect(a, b + step), cross = true;
        else if (std::min(a2, b1) > std::max(a1, b2)) connect(a + step, b), cross = true;
      }
      if (!cross && !crossed && before < here && after <= here) connect(a, b);
      before = here, crossed = cross, a1 = a2, b1 = b2;
    }
  }

  /// The canonical form of p's pointer after all joins, while other threads do the same to other pixels.
  i32 settled(i32 q) const {
    while (is_demoted(q)) q = std::atomic_ref<i32>(parent[q]).load(std::memory_order_relaxed);
    return q;
  }
};

}  // namespace morpho::cpu
