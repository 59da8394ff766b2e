// The nodes of a built max-tree as a compact list in which children come before their parents, neighbours near each other.
#pragma once
#include <algorithm>

#include "contract/ops.hpp"
#include "cpu/parallel.hpp"

namespace morpho::cpu {

/// f and parent by pixel index, without gaps. `node` holds each canonical pixel's place in the list (others: unspecified).
template <class T>
struct NodeList {
  const T* f;
  const i32* parent;
  i32 count = 0;
  i32* pixel = nullptr;  ///< the canonical pixel of each node
  i32* up = nullptr;     ///< the parent's place; the root, last, has its own
  i32* node = nullptr;

  bool canonical(i32 p) const { return parent[p] == p || f[parent[p]] != f[p]; }
  i32 node_of(i32 p) const { return node[canonical(p) ? p : parent[p]]; }

  /// Cost: three passes over the pixels, each near the last pixel's memory. Memory: 4 bytes a pixel, 8 bytes a node.
  NodeList(Context& ctx, const T* values, const i32* parents, Extent e) : f(values), parent(parents) {
    const i32 n = static_cast<i32>(e.area());
    node = ctx.workspace.take<i32>(static_cast<std::size_t>(n));
    i32* missing = node;  // children that are not in the list yet, less one for a leaf; the root also misses itself
    std::fill_n(missing, n, 0);
    for (i32 p = 0; p < n; ++p) {
      const bool is_node = canonical(p);
      missing[parent[p]] += is_node;
      count += is_node;
    }
    ctx.check_cancelled();
    pixel = ctx.workspace.take<i32>(static_cast<std::size_t>(count));
    up = ctx.workspace.take<i32>(static_cast<std::size_t>(count));
    i32 at = 0;
    for (i32 p = 0; p < n; ++p) {
      if (missing[p] != 0 || !canonical(p)) continue;
      i32 q = p;
      do {
        missing[q] = -1 - at;  // negative: in the list
        pixel[at++] = q;
        q = parent[q];
      } while (--missing[q] == 0);
    }
    // All but the root are listed; it misses nothing but itself.
    for (i32 i = 0; i < n && at < count; ++i) {
      if (parent[i] == i) missing[i] = -1 - at, pixel[at++] = i;
    }
    ctx.check_cancelled();
    for (i32 i = 0; i < n; ++i) node[i] = -1 - node[i];
    for (i32 i = 0; i < count; ++i) up[i] = node[parent[pixel[i]]];
  }
};

}  // namespace morpho::cpu
