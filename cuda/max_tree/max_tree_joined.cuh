// The tree of an image while the tiles' trees are joined, in global memory.
#pragma once
#include "cuda/max_tree/max_tree_parent.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {

// The order of pixels and what joining means is as in max_tree_tiles.cu; here only the tiles' nodes take part.

/// The whole image's tree while it is being joined, as the tiles wrote it: canonical pixels have their parent, which is
/// canonical too, or themselves where there is none. Only those are changed here.
template <class T>
struct JoinedTree {
  const T* d_f;
  i32* d_parent;
  u32* d_canonical;  ///< a bit a pixel: nodes that become part of another one's level lose it
  T flip;
  const u16* d_below;  ///< as max_tree_tiles gave it, or null where there are no bands
  i32 width;

  /// A pixel, its grey value, and its parent: that may be outdated, but then lies further up the same chain.
  struct Node {
    i32 at, parent;
    u32 value;
  };
  __device__ u32 value(i32 p) const { return static_cast<u32>(static_cast<T>(d_f[p] ^ flip)); }
  __device__ Node node(i32 p) const { return {p, static_cast<i32>(load_pixel(d_parent + p)), value(p)}; }

  /// A place on a branch: a pixel (after the first step a node), its parent, and the one of its level from which it was reached
  /// (or -1).
  struct Branch {
    Node node, parent;
    i32 behind;
    __device__ bool root() const { return node.at == parent.at; }
    __device__ bool level_root() const { return root() || node.value != parent.value; }
  };
  __device__ Branch branch_of(i32 p) const {
    const Node n = node(p);
    return {n, node(n.parent), -1};
  }
  /// One step of joining two branches; true when it was the last. Both places know their parents already, and every way through
  /// a step reads the same one node, so that a warp waits for memory once a step, whatever its lanes do. Nodes of one level are
  /// joined at their level roots, as in union-find: their chain is kept short instead of sorted, and on the way it is shortened
  /// for whoever comes next.
  __device__ bool step(Branch& a, Branch& b) const {
    if (a.node.at == b.node.at) return true;
    const bool a_roots = a.level_root(), b_roots = b.level_root();
    const bool b_is_later = b.node.value > a.node.value || (b.node.value == a.node.value && b.node.at > a.node.at);
    if (a_roots && (!b_roots || b_is_later)) {  // a is the one to go on from
      const Branch t = a;
      a = b, b = t;
    }
    const bool level = !a.level_root();
    if (!level && a.parent.at == b.node.at) return true;
    const bool climbs = level || (!a.root() && a.parent.value >= b.node.value);
    const Node next = node(a.parent.parent);
    if (climbs) {
      if (level && a.behind >= 0) atomicCAS(d_parent + a.behind, a.node.at, a.parent.at);  // if it is still what it was
      a.behind = level ? a.node.at : -1;
      a.node = a.parent;
      a.parent = next;
      return false;
    }
    const i32 was = atomicCAS(d_parent + a.node.at, a.parent.at, b.node.at);
    if (was != a.parent.at) {
      a.parent = node(was);
      a.behind = -1;
      return false;
    }
    if (a.node.value == b.node.value) atomicAnd(d_canonical + (a.node.at >> 5), ~(1u << (a.node.at & 31)));
    if (a.root()) return true;
    const Branch rest{a.parent, next, -1};
    a = b;
    b = rest;
    return false;
  }

  /// Where one of two branches to be joined lies two bands or more above the other: goes to its tile's next band at once, where
  /// that is not past the other. `tried`: the band of the last try, so that each is tried once.
  __device__ void leap(Branch& a, Branch& b, u32& tried) const {
    constexpr i32 shift = kBandShift<T>;
    const u32 band = max(a.node.value, b.node.value) >> shift, low = min(a.node.value, b.node.value);
    if (band < (low >> shift) + 2 || band == tried) return;
    tried = band;
    if (a.node.value < b.node.value) {
      const Branch t = a;
      a = b, b = t;
    }
    const u32 to = d_below[a.node.at];
    if (to == kNoneBelow) return;
    const i32 x = a.node.at % width, y = a.node.at / width;
    const i32 p = (y / kTreeTile.height * kTreeTile.height + static_cast<i32>(to) / kTreeTile.width) * width +
                  x / kTreeTile.width * kTreeTile.width + static_cast<i32>(to) % kTreeTile.width;
    if (value(p) >= low) a = branch_of(p);
  }
};

/// Enqueues: joins the branches below the highest edge of every two neighbouring tiles, as far as the tiles' trees reach.
/// Memory: 2 KiB and 8 bytes for each two neighbours.
template <class T>
void max_tree_join_bands(Context& ctx, const JoinedTree<T>& tree, Extent e);

}  // namespace morpho::gpu
