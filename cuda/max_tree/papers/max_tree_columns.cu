// The paper's max-tree: trees of columns, joined by concurrent union-find in tiles, then between them; border trees too.
#include "cuda/max_tree/max_tree_parent.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

// Pixels are totally ordered by value, then index; a parent comes before its children, and within one value the first is the
// level root. Three trees are joined in the same way: a tile's in shared memory, the borders' of a column of tiles, and the
// whole image's.

constexpr i32 kWide = 64, kHigh = 16, kArea = kWide * kHigh;  ///< a tile: the paper's best
constexpr u32 kThreads = 256;
constexpr u32 kNone = 0xFFFFFFFFu;   ///< a root's parent
constexpr u32 kClaimed = kNone - 1;  ///< in a border tree, at a place not known yet

__device__ u32 load(u32* p) { return DeviceAtomic<u32>(*p).load(cuda::memory_order_relaxed); }

/// Nodes are indices in the tile.
template <class T>
struct TileTree {
  const T* values;
  u32* up;
  __device__ u32 value(u32 p) const { return values[p]; }
  __device__ u32 parent(u32 p) const { return load(up + p); }
  __device__ bool replace(u32 p, u32 was, u32 to) const { return atomicCAS(up + p, was, to) == was; }
  __device__ bool before(u32 p, u32 q) const { return p < q; }
};
/// Nodes are indices in the image; a root is its own parent.
template <class T>
struct ImageTree {
  const T* d_f;
  u32* d_parent;
  T flip;
  __device__ u32 value(u32 p) const { return static_cast<u32>(static_cast<T>(d_f[p] ^ flip)); }
  __device__ u32 parent(u32 p) const {
    const u32 q = load(d_parent + p);
    return q == p ? kNone : q;
  }
  __device__ bool replace(u32 p, u32 was, u32 to) const {
    const u32 held = was == kNone ? p : was;
    return atomicCAS(d_parent + p, held, to) == held;
  }
  __device__ bool before(u32 p, u32 q) const { return p < q; }
};
/// Nodes are places in the lists of the border trees: a list for each column of tiles, those of its tiles one after the other.
template <class T>
struct BorderTrees {
  u32* d_up;     ///< a node's parent; a root is its own
  u32* d_pixel;  ///< a node's index in the image
  T* d_value;
  u32*
      d_first;  ///< [tiles]: where a tile's begins in its column's list: its top row, its bottom row, and what lies above those
  u32* d_size;  ///< [columns of tiles]
  __device__ u32 value(u32 p) const { return d_value[p]; }
  __device__ u32 parent(u32 p) const {
    const u32 q = load(d_up + p);
    return q == p ? kNone : q;
  }
  __device__ bool replace(u32 p, u32 was, u32 to) const {
    const u32 held = was == kNone ? p : was;
    return atomicCAS(d_up + p, held, to) == held;
  }
  __device__ bool before(u32 p, u32 q) const { return d_pixel[p] < d_pixel[q]; }
};

template <class Tree>
__device__ u32 level_root(const Tree& t, u32 p, u32 v) {
  for (;;) {
    const u32 q = t.parent(p);
    if (q == kNone || t.value(q) != v) return p;
    p = q;
  }
}
/// The concurrent union-find (Listing 4.2): joins the branches of two nodes. The lower one's level root becomes the parent of
/// the last node of the other branch that is no lower, by compare and swap; then it has to be joined with the parent that it
/// replaced. A swap that fails looks again. Parents only move up the order, so it ends. No paths are compressed, as in the
/// paper. Ours: of two equal ones the parent is read again after they have changed roles.
template <class Tree>
__device__ void join(const Tree& t, u32 a, u32 b) {
  u32 va = t.value(a), vb = t.value(b);
  const auto change_roles = [&] {
    const u32 p = a, v = va;
    a = b, va = vb;
    b = p, vb = v;
  };
  for (;;) {
    if (va > vb) change_roles();
    a = level_root(t, a, va);
    u32 above;
    for (;;) {
      above = t.parent(b);
      if (above == kNone) break;
      const u32 v = t.value(above);
      if (v < va) break;
      b = above, vb = v;
    }
    if (a == b) return;
    if (va == vb && t.before(b, a)) {
      change_roles();
      above = t.parent(b);
      if (above != kNone && t.value(above) >= va) continue;
    }
    if (!t.replace(b, above, a)) continue;
    if (above == kNone) return;
    b = above, vb = t.value(above);
  }
}
/// The canonical parent: a pixel's level root, or for level roots that of their parent (kNone: none).
template <class Tree>
__device__ u32 canonical_parent(const Tree& t, u32 p) {
  const u32 root = level_root(t, p, t.value(p));
  if (root != p) return root;
  const u32 q = t.parent(p);
  return q == kNone ? kNone : level_root(t, q, t.value(q));
}

/// A column's tree from top to bottom (Listing 4.1). The paper's stack is the chain of parents itself: while the column is
/// read, the parent of the last pixel's node is the next lower one so far. One thread; the column is its own until the next
/// barrier.
template <class T>
__device__ void build_column(const T* value, u32* up, u32 x, u32 h) {
  u32 last = x;
  up[x] = kNone;
  for (u32 p = x + kWide; p < h * kWide; p += kWide) {
    const u32 v = value[p];
    if (v >= value[last]) {
      up[p] = last;
      if (v > value[last]) last = p;
      continue;
    }
    for (;;) {
      const u32 top = up[last];
      if (top == kNone || value[top] < v) {
        up[p] = top;
        up[last] = p;
        last = p;
        break;
      }
      last = top;
      if (value[top] == v) {
        up[p] = top;
        break;
      }
    }
  }
}

/// Writes the tree of a tile's top and bottom rows to its column's list: those pixels, then all that lie above them in the
/// tile's tree. All threads call, after a barrier; `place` is shared memory for every pixel's place in the list. A thread
/// climbs from its two pixels until it meets a pixel that another has claimed.
template <class T>
__device__ void extract_border(const TileTree<T>& t, u32* place, const BorderTrees<T>& out, u32 x, u32 w, u32 h, u32 tile,
                               u32 column, u32 column_first, u32 first_pixel, u32 pitch) {
  __shared__ u32 size, base;
  for (u32 y = 0; y < h; ++y) place[y * kWide + x] = kNone;
  const u32 bottom = (h - 1) * kWide + x;
  if (x < w) {
    place[x] = x;
    if (h > 1) place[bottom] = w + x;
  }
  if (x == 0) size = h > 1 ? 2 * w : w;
  __syncthreads();
  for (u32 side = 0; side < 2 && x < w; ++side) {
    for (u32 p = t.up[side ? bottom : x]; p != kNone; p = t.up[p]) {
      if (atomicCAS(place + p, kNone, kClaimed) != kNone) break;
      atomicExch(place + p, atomicAdd(&size, 1u));
    }
  }
  __syncthreads();
  if (x == 0) {
    base = atomicAdd(out.d_size + column, size);
    out.d_first[tile] = base;
  }
  __syncthreads();
  const u32 first = column_first + base;
  for (u32 y = 0; y < h && x < w; ++y) {
    const u32 p = y * kWide + x;
    if (place[p] == kNone) continue;
    const u32 at = first + place[p], parent = t.up[p];
    out.d_up[at] = parent == kNone ? at : first + place[parent];
    out.d_pixel[at] = first_pixel + y * pitch + x;
    out.d_value[at] = t.values[p];
  }
}

/// Trees of tiles of 64 x 16. One block of 64 threads a tile, one thread a column: it builds the column's tree, then joins each
/// of its pixels with those to the right, all columns at once; then makes its pixels' parents canonical and writes them. Shared
/// memory holds values and parents, and with border trees each pixel's place in them.
template <class T, bool eight, bool border>
__global__ void __launch_bounds__(kWide)
    max_tree_columns_kernel(ImageTree<T> image, BorderTrees<T> out, i32 width, i32 height, i32 across) {
  __shared__ T value[kArea];
  __shared__ u32 up[kArea];
  __shared__ u32 place[border ? kArea : 1];
  const u32 x = threadIdx.x, column = blockIdx.x % static_cast<u32>(across), x0 = column * kWide,
            y0 = blockIdx.x / static_cast<u32>(across) * kHigh;
  const u32 pitch = static_cast<u32>(width), w = min(static_cast<u32>(kWide), pitch - x0),
            h = min(static_cast<u32>(kHigh), static_cast<u32>(height) - y0);
  const u32 first = y0 * pitch + x0;
  const TileTree<T> t{value, up};
  if (x < w) {
#pragma unroll 4
    for (u32 y = 0; y < h; ++y) value[y * kWide + x] = static_cast<T>(image.d_f[first + y * pitch + x] ^ image.flip);
    build_column(value, up, x, h);
  }
  __syncthreads();
  for (u32 y = 0; y < h && x + 1 < w; ++y) {
    const u32 p = y * kWide + x;
    join(t, p, p + 1);
    if (!eight) continue;
    if (y > 0) join(t, p, p + 1 - kWide);
    if (y + 1 < h) join(t, p, p + 1 + kWide);
  }
  __syncthreads();
  for (u32 y = 0; y < h && x < w; ++y) {
    const u32 p = y * kWide + x, to = canonical_parent(t, p), q = to == kNone ? p : to;
    image.d_parent[first + y * pitch + x] = first + q / kWide * pitch + q % kWide;
    // Others may be climbing here: they find an ancestor that says the same.
    if (border) DeviceAtomic<u32>(up[p]).store(to, cuda::memory_order_relaxed);
  }
  if constexpr (border) {
    __syncthreads();
    extract_border(t, place, out, x, w, h, blockIdx.x, column, x0 * static_cast<u32>(height), first, pitch);
  }
}

/// Joins tiles one above the other. One thread a pixel below a border; joins are lock-free. `trees` are the border trees of
/// every column, or the image's own tree, whose nodes `node` gives for a pixel of the tile with this number at (x, y) of it, x
/// being that in the image.
template <class Tree, class Node, bool eight>
__global__ void __launch_bounds__(kThreads) max_tree_join_rows_kernel(Tree trees, Node node, i32 width, i32 height, i64 n) {
  const i64 i = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  const i32 x = static_cast<i32>(i % width), y = static_cast<i32>(i / width + 1) * kHigh;
  const u32 a = node(x, y - 1);
  join(trees, a, node(x, y));
  if (!eight) return;
  // Diagonals into the columns of tiles beside belong to the upright borders.
  if (x % kWide > 0) join(trees, a, node(x - 1, y));
  if (x % kWide < kWide - 1 && x + 1 < width) join(trees, a, node(x + 1, y));
}
struct PixelNode {
  u32 width;
  __device__ u32 operator()(i32 x, i32 y) const { return static_cast<u32>(y) * width + static_cast<u32>(x); }
};
/// Pixels of a tile's top and bottom rows in the lists of the border trees.
struct BorderNode {
  const u32* d_first;
  u32 width, height, across;
  __device__ u32 operator()(i32 px, i32 py) const {
    const u32 x = static_cast<u32>(px), y = static_cast<u32>(py), column = x / kWide, x0 = column * kWide;
    const u32 bottom = y % kHigh == 0 ? 0 : min(static_cast<u32>(kWide), width - x0);
    return x0 * height + d_first[y / kHigh * across + column] + bottom + x - x0;
  }
};

/// Writes the border trees' parents back. One thread a place of every list; one pass.
template <class T>
__global__ void __launch_bounds__(kThreads) max_tree_commit_kernel(BorderTrees<T> trees, u32* d_parent, i32 height, i64 n) {
  const i64 i = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  const i64 list = static_cast<i64>(kWide) * height, column = i / list;
  if (i - column * list < trees.d_size[column]) d_parent[trees.d_pixel[i]] = trees.d_pixel[trees.d_up[i]];
}

/// Joins tiles side by side. One thread a pixel to the left of an upright border; joins are lock-free.
template <class T, bool eight>
__global__ void __launch_bounds__(kThreads) max_tree_join_columns_kernel(ImageTree<T> tree, i32 width, i32 height, i64 n) {
  const i64 i = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  const i32 y = static_cast<i32>(i % height);
  const u32 pitch = static_cast<u32>(width), b = static_cast<u32>(y) * pitch + static_cast<u32>(i / height + 1) * kWide;
  join(tree, b - 1, b);
  if (!eight) return;
  if (y > 0) join(tree, b - 1, b - pitch);
  if (y + 1 < height) join(tree, b - 1, b + pitch);
}

/// The canonical form in place. One thread a pixel; parents are only ever replaced by ancestors that say the same.
template <class T>
__global__ void __launch_bounds__(kThreads) max_tree_columns_flatten_kernel(ImageTree<T> tree, i64 n) {
  const i64 i = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  const u32 p = static_cast<u32>(i), to = canonical_parent(tree, p);
  if (to != kNone && to != load(tree.d_parent + p)) store_pixel(tree.d_parent + p, to);
}

template <class T, bool eight>
void build(Context& ctx, const T* d_f, Extent e, i32* d_parent, T flip, bool border) {
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  const i64 area = e.area();
  const i32 across = static_cast<i32>(divide_up(e.width, kWide)), down = static_cast<i32>(divide_up(e.height, kHigh));
  const u32 tiles = static_cast<u32>(across) * static_cast<u32>(down);
  const ImageTree<T> tree{d_f, reinterpret_cast<u32*>(d_parent), flip};
  BorderTrees<T> trees{};
  const i64 row_pixels = static_cast<i64>(e.width) * (down - 1), column_pixels = static_cast<i64>(e.height) * (across - 1);
  if (border) {
    const std::size_t n = static_cast<std::size_t>(area);
    trees = {ctx.workspace.take<u32>(n), ctx.workspace.take<u32>(n), ctx.workspace.take<T>(n), ctx.workspace.take<u32>(tiles),
             ctx.workspace.take<u32>(static_cast<std::size_t>(across))};
    set_bytes(ctx, trees.d_size, 0, static_cast<std::size_t>(across));
    max_tree_columns_kernel<T, eight, true><<<tiles, kWide, 0, stream>>>(tree, trees, e.width, e.height, across);
  } else {
    max_tree_columns_kernel<T, eight, false><<<tiles, kWide, 0, stream>>>(tree, trees, e.width, e.height, across);
  }
  check_launch("max_tree_columns_kernel");
  ctx.check_cancelled();
  if (row_pixels > 0) {
    const u32 blocks = blocks_for(row_pixels, kThreads);
    if (border) {
      const BorderNode node{trees.d_first, static_cast<u32>(e.width), static_cast<u32>(e.height), static_cast<u32>(across)};
      max_tree_join_rows_kernel<BorderTrees<T>, BorderNode, eight>
          <<<blocks, kThreads, 0, stream>>>(trees, node, e.width, e.height, row_pixels);
      check_launch("max_tree_join_rows_kernel");
      max_tree_commit_kernel<T><<<blocks_for(area, kThreads), kThreads, 0, stream>>>(trees, tree.d_parent, e.height, area);
      check_launch("max_tree_commit_kernel");
    } else {
      max_tree_join_rows_kernel<ImageTree<T>, PixelNode, eight>
          <<<blocks, kThreads, 0, stream>>>(tree, PixelNode{static_cast<u32>(e.width)}, e.width, e.height, row_pixels);
      check_launch("max_tree_join_rows_kernel");
    }
  }
  if (column_pixels > 0) {
    max_tree_join_columns_kernel<T, eight>
        <<<blocks_for(column_pixels, kThreads), kThreads, 0, stream>>>(tree, e.width, e.height, column_pixels);
    check_launch("max_tree_join_columns_kernel");
  }
  max_tree_columns_flatten_kernel<T><<<blocks_for(area, kThreads), kThreads, 0, stream>>>(tree, area);
  check_launch("max_tree_columns_flatten_kernel");
}

}  // namespace

/// Source: Blin 2021 §4 (columns after Menotti 2007, concurrent union-find after Wilkinson 2008, tiles of 64 x 16 as measured
/// in §6.6.1), §6 (border trees of top and bottom rows for the joins of tiles one above the other). Ours: 8-connectivity, by
/// diagonals as further joins; among equal pixels the smallest index is always the root, so that the tree is the canonical one
/// whoever comes first.
template <class T>
void max_tree_parent_by_columns(Context& ctx, const T* d_f, Extent e, i32* d_parent, T flip, bool eight, bool border_trees) {
  if (eight) build<T, true>(ctx, d_f, e, d_parent, flip, border_trees);
  else build<T, false>(ctx, d_f, e, d_parent, flip, border_trees);
}
template void max_tree_parent_by_columns<u8>(Context&, const u8*, Extent, i32*, u8, bool, bool);
template void max_tree_parent_by_columns<u16>(Context&, const u16*, Extent, i32*, u16, bool, bool);

}  // namespace morpho::gpu
