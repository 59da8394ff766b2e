// Builds a max-tree's parents: trees of tiles in shared memory, joined along the tiles' borders, then the canonical form.
#include <algorithm>

#include "max_tree_parent.cuh"
#include "tile_queue.cuh"

namespace morpho::gpu {
namespace {

// Pixels are totally ordered by value, then index. A pixel's parent comes before it in that order; within one value the pixel that comes
// first is its node's level root, which therefore is the node's smallest index. Joining two pixels merges their ancestors' chains in
// that order, one atomic step after the other; a step that finds a changed parent starts again from what it found. Chains are walked
// pixel by pixel, without looking for level roots on the way (they are short because every stage before left its trees canonical).

constexpr i32 kSide = 64, kArea = kSide * kSide, kShift = 12, kLevels = 6;
constexpr i32 kThreads = 256, kWarps = kThreads / 32;
constexpr i32 kBorderPiece = 1024, kBorderThreads = 128;
constexpr u32 kKey = 1u << 28;        ///< set in every key, so that 0 can say: no parent
constexpr u32 kOutside = 0xFFFFFFFF;  ///< a key that comes after all others
/// The levels of a tile's joins before which its trees are made canonical (bit per level): measured, see README.md.
constexpr u32 kCanonicalBefore = 0b111000;
constexpr i32 kSteps = 4;  ///< of a join between two looks at who has finished

__device__ u32 key_of(u32 value, i32 i) { return kKey | value << kShift | static_cast<u32>(i); }
__device__ u32 index_of(u32 key) { return key & (kArea - 1); }
__device__ bool same_level(u32 a, u32 b) { return a >> kShift == b >> kShift; }
__device__ u32 load_shared(const u32* at) { return *static_cast<const volatile u32*>(at); }

/// One warp: the canonical tree of 32 pixels side by side, a lane each, as the parent's key (0: none). In a line a pixel's parent is the
/// later of the nearest earlier pixels (in the order) on its left and on its right; those are found by doubling windows of minima. `key`
/// is kOutside beyond the tile.
__device__ u32 line_parent(u32 key) {
  const i32 lane = static_cast<i32>(lane_id());
  u32 parent = 0;
  i32 root = lane;  ///< lane of the level root
  {
    u32 lowest[5];  ///< of the 2^j keys that end here
    lowest[0] = key;
#pragma unroll
    for (i32 j = 1; j < 5; ++j) lowest[j] = min(lowest[j - 1], __shfl_up_sync(kFullWarp, lowest[j - 1], 1 << (j - 1)));
    i32 at = lane - 1;
#pragma unroll
    for (i32 j = 4; j >= 0; --j) {
      const u32 low = __shfl_sync(kFullWarp, lowest[j], at & 31);
      if (at >= 0 && low > key) at -= 1 << j;
    }
    const u32 left = __shfl_sync(kFullWarp, key, at & 31);
    if (at >= 0) {
      parent = left;
      if (same_level(left, key)) root = at;
    }
  }
  {
    u32 lowest[5];  ///< of the 2^j keys that begin here
    lowest[0] = key;
#pragma unroll
    for (i32 j = 1; j < 5; ++j) lowest[j] = min(lowest[j - 1], __shfl_down_sync(kFullWarp, lowest[j - 1], 1 << (j - 1)));
    i32 at = lane + 1;
#pragma unroll
    for (i32 j = 4; j >= 0; --j) {
      const u32 low = __shfl_sync(kFullWarp, lowest[j], at & 31);
      if (at < 32 && low > key) at += 1 << j;
    }
    const u32 right = __shfl_sync(kFullWarp, key, at & 31);
    if (at < 32) parent = max(parent, right);
  }
  for (;;) {  // a lane's root is ever further left on the same level, so this ends; mostly after one round
    const i32 next = __shfl_sync(kFullWarp, root, root);
    if (!__any_sync(kFullWarp, next != root)) break;
    root = next;
  }
  const u32 own_root = __shfl_sync(kFullWarp, key, root);
  const i32 parents_root = __shfl_sync(kFullWarp, root, static_cast<i32>(index_of(parent)) & 31);
  const u32 parent_key = __shfl_sync(kFullWarp, key, parents_root);
  return root != lane ? own_root : parent == 0 ? 0 : parent_key;
}

/// One step of joining the branches of two pixels of the tile, a after b in the order, until b is 0. The later of b and a's parent
/// becomes, or stays, a's parent; then that one and the earlier of the two are left to be joined.
__device__ void tile_step(u32* up, u32& a, u32& b) {
  if (b == 0) return;
  const u32 old = atomicMax(up + index_of(a), b);
  a = max(old, b);
  b = a == min(old, b) ? 0 : min(old, b);
}

/// The level root of the level that `key` lies on; 0 for 0. All lanes go on as long as one has to: apart they would stay apart.
__device__ u32 tile_level_root(const u32* up, u32 key) {
  bool on = key != 0;
  for (;;) {
    const u32 next = on ? load_shared(up + index_of(key)) : 0;
    on = next != 0 && same_level(next, key);
    if (!__any_sync(kFullWarp, on)) return key;
    if (on) key = next;
  }
}

/// Trees of tiles of 64x64. One block a tile. Shared memory holds the values, each pixel's parent as a key (value and index in the tile)
/// and lists of the edges that count. A warp makes the trees of rows (two halves), a lane a pixel; then pairs of rows are joined, pairs
/// of pairs, …, 64 rows at last: with each level half as many edges are left, and a thread walks one edge's chains at a time. Joins are
/// lock-free, and each moves parents up the order, so they end. Canonical pixels (that lie on another level than their parent) write
/// their parent as its complement, or their own where there is none; the others write their level root.
template <class T, bool eight>
__global__ void __launch_bounds__(kThreads) max_tree_tile_kernel(const T* __restrict__ d_f, i32 width, i32 height, i32 across, T flip, i32* __restrict__ d_parent) {
  // Of neighbouring edges across a pair of rows one implies the other, so at most every second counts; of two diagonals that cross one.
  constexpr i32 kPerRow = eight ? 98 : 34;
  __shared__ u32 up[kArea];
  __shared__ T value[kArea];
  __shared__ u16 edges[kSide * kPerRow];  ///< pixel, and where the other one lies: above, above left, above right, left
  __shared__ u32 listed[kLevels];
  enum : u32 { above = 0, above_left = 1u << kShift, above_right = 2u << kShift, left = 3u << kShift };
  const auto list_of = [&](i32 level) { return edges + (kSide - (kSide >> level)) * kPerRow; };  // level 0 has 32 rows, the next 16, …
  const i32 x0 = static_cast<i32>(blockIdx.x) % across * kSide, y0 = static_cast<i32>(blockIdx.x) / across * kSide;
  const i32 w = min(kSide, width - x0), h = min(kSide, height - y0);
  const i32 lane = static_cast<i32>(lane_id()), warp = static_cast<i32>(threadIdx.x) / 32;
  const T* from = d_f + static_cast<i64>(y0) * width + x0;
  if (threadIdx.x < kLevels) listed[threadIdx.x] = 0;
#pragma unroll 2
  for (i32 half = warp; half < 2 * kSide; half += kWarps) {
    const i32 lx = (half & 1) * 32 + lane, ly = half / 2, i = ly * kSide + lx;
    const bool inside = lx < w && ly < h;
    const u32 v = inside ? static_cast<u32>(from[static_cast<i64>(ly) * width + lx] ^ flip) : 0;
    value[i] = static_cast<T>(v);
    const u32 parent = line_parent(inside ? key_of(v, i) : kOutside);
    up[i] = inside ? parent : 0;
  }
  __syncthreads();
  for (i32 ly = warp; ly < h; ly += kWarps) {
    const i32 level = ly == 0 ? 0 : __ffs(ly) - 1;
    u16* list = list_of(level);
    const auto add = [&](bool counts, i32 i, u32 where) {
      const u32 votes = __ballot_sync(kFullWarp, counts);
      if (votes == 0) return;
      u32 first = 0;
      if (lane == 0) first = atomicAdd(&listed[level], static_cast<u32>(__popc(votes)));
      first = __shfl_sync(kFullWarp, first, 0);
      if (counts) list[first + __popc(votes & ((1u << lane) - 1))] = static_cast<u16>(static_cast<u32>(i) | where);
    };
    for (i32 lx = lane; lx < kSide; lx += 32) {
      const i32 i = ly * kSide + lx, a = i - kSide;
      const bool next = lx + 1 < w, before = lx > 0, inside = lx < w && ly > 0;
      u32 v = 0, va = 0, v_next = 0, a_next = 0, v_before = 0, a_before = 0;
      if (inside) {
        v = value[i], va = value[a];
        if (next) v_next = value[i + 1], a_next = value[a + 1];
        if (before) v_before = value[i - 1], a_before = value[a - 1];
      }
      const u32 low = min(v, va);
      // An edge whose neighbour edge is as high is implied by it and the rows; of equals the last is kept.
      add(inside && !(next && min(v_next, a_next) >= low) && !(before && min(v_before, a_before) > low), i, above);
      if (eight) {  // a diagonal counts only where both pixels beside it are lower
        const u32 low_before = min(v, a_before), low_next = min(v, a_next);
        add(inside && before && va < low_before && v_before < low_before, i, above_left);
        add(inside && next && va < low_next && v_next < low_next, i, above_right);
      }
    }
    if (32 < w && lane == 0) {
      // The halves of a row, at the level of the row's own edges; row 0 has none of its own, so level 0 has room for it.
      list[atomicAdd(&listed[level], 1u)] = static_cast<u16>(static_cast<u32>(ly * kSide + 32) | left);
    }
  }
  __syncthreads();
  for (i32 level = 0; level < kLevels; ++level) {
    if (kCanonicalBefore >> level & 1) {
      for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
        const u32 parent = load_shared(up + i), root = tile_level_root(up, parent);
        if (root != parent) *static_cast<volatile u32*>(up + i) = root;  // others see the old parent or the new: both lead on
      }
      __syncthreads();
    }
    const u16* list = list_of(level);
    const u32 count = listed[level];
    u32 next = threadIdx.x, a = 0, b = 0;  // b is 0: no edge in hand
    for (;;) {
      if (b == 0 && next < count) {
        const u32 e = list[next], where = e & ~static_cast<u32>(kArea - 1);
        next += kThreads;
        const i32 i = static_cast<i32>(e & (kArea - 1));
        const i32 j = where == left ? i - 1 : i - kSide + (where == above_right) - (where == above_left);
        const u32 one = key_of(value[i], i), other = key_of(value[j], j);
        a = max(one, other), b = min(one, other);
      }
      if (!__any_sync(kFullWarp, b != 0)) break;
#pragma unroll
      for (i32 k = 0; k < kSteps; ++k) tile_step(up, a, b);
    }
    __syncthreads();
  }
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const i32 lx = i % kSide, ly = i / kSide;
    const u32 own = key_of(value[i], i), root = tile_level_root(up, load_shared(up + i)), to = root == 0 ? own : root;
    const i32 at = static_cast<i32>(index_of(to));
    const i32 p = (y0 + at / kSide) * width + x0 + at % kSide;
    if (lx < w && ly < h) d_parent[static_cast<i64>(y0 + ly) * width + x0 + lx] = to != own && same_level(to, own) ? p : ~p;
  }
}

/// The whole image's tree while it is being joined, as the tiles wrote it: canonical pixels have the complement of their parent, which is
/// canonical too, or their own where there is none. Only those are changed here.
template <class T>
struct JoinedTree {
  const T* d_f;
  i32* d_parent;
  T flip;

  /// A canonical pixel of a tile, its grey value, and its parent: that may be outdated, but then lies further up the same chain.
  struct Node {
    i32 at, parent;
    u32 value;
  };
  __device__ u32 value(i32 p) const { return static_cast<u32>(static_cast<T>(d_f[p] ^ flip)); }
  __device__ i32 word(i32 p) const { return static_cast<i32>(load_pixel(d_parent + p)); }
  __device__ Node node(i32 p) const { return {p, ~word(p), value(p)}; }
  /// The node of any pixel.
  __device__ Node node_of(i32 p) const {
    const i32 w = word(p);
    return w < 0 ? Node{p, ~w, value(p)} : node(w);
  }
  __device__ bool set_parent(i32 p, i32 was, i32 to) const { return atomicCAS(d_parent + p, ~was, ~to) == ~was; }

  /// A place on a branch: a node, its parent, and the node of its level from which it was reached (or -1).
  struct Branch {
    Node node, parent;
    i32 behind;
    __device__ bool root() const { return node.at == parent.at; }
    __device__ bool level_root() const { return root() || node.value != parent.value; }
  };
  __device__ Branch branch_of(i32 p) const {
    const Node n = node_of(p);
    return {n, node(n.parent), -1};
  }
  /// One step of joining two branches; true when it was the last. Both places know their parents already, and every way through a step
  /// reads the same one node, so that a warp waits for memory once a step, whatever its lanes do. Nodes of one level are joined at their
  /// level roots, as in union-find: their chain is kept short instead of sorted, and on the way it is shortened for whoever comes next.
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
      if (level && a.behind >= 0) set_parent(a.behind, a.node.at, a.parent.at);  // if it is still what it was
      a.behind = level ? a.node.at : -1;
      a.node = a.parent;
      a.parent = next;
      return false;
    }
    const i32 was = atomicCAS(d_parent + a.node.at, ~a.parent.at, ~b.node.at);
    if (was != ~a.parent.at) {
      a.parent = node(~was);
      a.behind = -1;
      return false;
    }
    if (a.root()) return true;
    const Branch rest{a.parent, next, -1};
    a = b;
    b = rest;
    return false;
  }
};

/// Joins the tiles along one direction of borders. A block owns 1024 pixels next to a border (`k` along it, the border between lines
/// `line - 1` and `line`), and lists in shared memory the edges across it that count: those that are the highest of their surroundings
/// in the tile and, for 8-connectivity, diagonals beside two lower pixels. Threads then take edges from the list, as a join may be long
/// or short. `along`, `step`: index distance of neighbours along the border and across it. Parents live in global memory; joins are
/// lock-free as in the tiles.
template <class T, bool eight>
__global__ void __launch_bounds__(kBorderThreads) max_tree_border_kernel(JoinedTree<T> tree, i32 length, i32 borders, i32 along, i32 step, bool every_diagonal) {
  __shared__ i32 edges[2 * kBorderPiece][2];  // a pixel has at most its edge and one diagonal: of two one would lie beside a higher pixel
  __shared__ u32 listed, taken;
  if (threadIdx.x == 0) listed = taken = 0;
  __syncthreads();
  const auto list = [&](i32 p, i32 q) {
    const u32 at = atomicAdd(&listed, 1u);
    edges[at][0] = p, edges[at][1] = q;
  };
  const i64 first = static_cast<i64>(blockIdx.x) * kBorderPiece, end = min(first + kBorderPiece, static_cast<i64>(length) * borders);
  for (i64 t = first + threadIdx.x; t < end; t += kBorderThreads) {
    const i32 k = static_cast<i32>(t % length), line = (static_cast<i32>(t / length) + 1) * kSide;
    const i32 b = line * step + k * along, a = b - step;
    const u32 va = tree.value(a), vb = tree.value(b), level = min(va, vb);
    const bool next = k + 1 < length;
    const u32 next_a = next ? tree.value(a + along) : 0, next_b = next ? tree.value(b + along) : 0;
    // Only edges within one tile's side imply one another: between tiles, what would carry the path may itself be left out.
    const bool implied = (next && (k + 1) % kSide != 0 && min(next_a, next_b) >= level) ||
                         (k % kSide != 0 && min(tree.value(a - along), tree.value(b - along)) > level);
    if (!implied) list(a, b);
    if (!eight || !next || ((k + 1) % kSide == 0 && !every_diagonal)) continue;
    const u32 down = min(va, next_b), up = min(vb, next_a);
    if (vb < down && next_a < down) list(a, b + along);
    if (va < up && next_b < up) list(b, a + along);
  }
  __syncthreads();
  typename JoinedTree<T>::Branch a{}, b{};
  bool busy = false, more = true;
  for (;;) {
    if (!busy && more) {
      const u32 i = atomicAdd(&taken, 1u);
      more = busy = i < listed;
      if (busy) a = tree.branch_of(edges[i][0]), b = tree.branch_of(edges[i][1]);
    }
    if (!__any_sync(kFullWarp, busy)) break;
    if (busy) busy = !tree.step(a, b);
  }
}

constexpr i32 kPixels = 4;  ///< that a thread of the last two passes owns, a warp's width apart: their reads wait together

/// Nodes of tiles that the joins made part of another node's level point at that level's root now, uncomplemented, and d_canonical gets a
/// bit for each pixel that is canonical in the image. A warp owns four words of bits. Chains along a level only lead to earlier pixels,
/// and what other threads have replaced meanwhile says the same.
template <class T>
__global__ void max_tree_resolve_kernel(JoinedTree<T> tree, i64 n, u32* __restrict__ d_canonical) {
  const i64 warp = (static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const i64 first = warp * 32 * kPixels + lane_id();
  i32 word[kPixels];
  u32 level[kPixels], above[kPixels];
#pragma unroll
  for (i32 k = 0; k < kPixels; ++k) {
    const i64 t = first + 32 * k;
    word[k] = t < n ? tree.word(static_cast<i32>(t)) : 0;
    level[k] = t < n ? tree.value(static_cast<i32>(t)) : 0;
  }
#pragma unroll
  for (i32 k = 0; k < kPixels; ++k) above[k] = word[k] < 0 ? tree.value(~word[k]) : 0;
#pragma unroll
  for (i32 k = 0; k < kPixels; ++k) {
    const i64 t = first + 32 * k;
    const bool canonical = word[k] < 0 && (above[k] != level[k] || ~word[k] == static_cast<i32>(t));
    if (word[k] < 0 && !canonical) {
      i32 to = ~word[k];
      for (;;) {
        const i32 next = tree.word(to), up = next < 0 ? ~next : next;
        if (up == to || tree.value(up) != level[k]) break;
        to = up;
      }
      store_pixel(tree.d_parent + t, static_cast<u32>(to));
    }
    const u32 bits = __ballot_sync(kFullWarp, canonical);
    if (lane_id() == 0 && t < n) d_canonical[t / 32] = bits;
  }
}

/// The canonical form in place: canonical pixels get their parent, and whoever points at a pixel that is not canonical gets that one's
/// root. Only pixels that are not canonical are read by others, and those keep what they have.
static __global__ void max_tree_flatten_kernel(i32* d_parent, i64 n, const u32* __restrict__ d_canonical) {
  const i64 warp = (static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const i64 first = warp * 32 * kPixels + lane_id();
  i32 word[kPixels];
  u32 bits[kPixels];
#pragma unroll
  for (i32 k = 0; k < kPixels; ++k) word[k] = first + 32 * k < n ? d_parent[first + 32 * k] : 0;
#pragma unroll
  for (i32 k = 0; k < kPixels; ++k) bits[k] = d_canonical[(word[k] < 0 ? ~word[k] : word[k]) >> 5];
#pragma unroll
  for (i32 k = 0; k < kPixels; ++k) {
    if (first + 32 * k >= n) continue;
    const i32 q = word[k] < 0 ? ~word[k] : word[k], to = bits[k] >> (q & 31) & 1 ? q : d_parent[q];
    if (to != word[k]) d_parent[first + 32 * k] = to;
  }
}

template <class T, bool eight>
void build(Context& ctx, const T* d_f, Extent e, i32* d_parent, T flip) {
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  const i32 across = static_cast<i32>(divide_up(e.width, kSide)), down = static_cast<i32>(divide_up(e.height, kSide));
  max_tree_tile_kernel<T, eight><<<static_cast<u32>(across) * static_cast<u32>(down), kThreads, 0, stream>>>(d_f, e.width, e.height, across, flip, d_parent);
  check_launch("max_tree_tile_kernel");
  const JoinedTree<T> tree{d_f, d_parent, flip};
  const auto join = [&](i32 length, i32 borders, i32 along, i32 step, bool every_diagonal) {
    if (borders == 0) return;
    const u32 blocks = blocks_for(static_cast<i64>(length) * borders, kBorderPiece);
    max_tree_border_kernel<T, eight><<<blocks, kBorderThreads, 0, stream>>>(tree, length, borders, along, step, every_diagonal);
    check_launch("max_tree_border_kernel");
  };
  join(e.height, across - 1, e.width, 1, true);   // the diagonals at corners of tiles belong to the upright borders
  join(e.width, down - 1, 1, e.width, false);
  const i64 n = e.area();
  u32* d_canonical = ctx.workspace.take<u32>(static_cast<std::size_t>(divide_up(n, 32)));
  max_tree_resolve_kernel<T><<<blocks_for(n, 256 * kPixels), 256, 0, stream>>>(tree, n, d_canonical);
  check_launch("max_tree_resolve_kernel");
  max_tree_flatten_kernel<<<blocks_for(n, 256 * kPixels), 256, 0, stream>>>(d_parent, n, d_canonical);
  check_launch("max_tree_flatten_kernel");
}

}  // namespace

template <class T>
void max_tree_parent(Context& ctx, const T* d_f, Extent e, i32* d_parent, T flip, bool eight) {
  if (eight) build<T, true>(ctx, d_f, e, d_parent, flip);
  else build<T, false>(ctx, d_f, e, d_parent, flip);
}
template void max_tree_parent<u8>(Context&, const u8*, Extent, i32*, u8, bool);
template void max_tree_parent<u16>(Context&, const u16*, Extent, i32*, u16, bool);

}  // namespace morpho::gpu
