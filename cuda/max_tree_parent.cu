// Builds a max-tree's parents: trees of tiles in shared memory, joined along the tiles' borders, then the canonical form.
#include <algorithm>

#include "max_tree_parent.cuh"
#include "tile_queue.cuh"

namespace morpho::gpu {
namespace {

// Pixels are totally ordered by value, then index. A pixel's parent comes before it in that order; within one value the pixel that comes
// first is its node's level root, which therefore is the node's smallest index. Joining two pixels merges their ancestors' chains in
// that order, one atomic step after the other; a step that finds a changed parent starts again from what it found.

constexpr i32 kSide = 64, kArea = kSide * kSide, kThreads = 256, kShift = 12;
constexpr i32 kBorderPiece = 1024, kBorderThreads = 128;
constexpr u32 kKey = 1u << 28;  ///< set in every key, so that 0 can say: no parent

__device__ u32 key_of(u32 value, i32 i) { return kKey | value << kShift | static_cast<u32>(i); }
__device__ u32 index_of(u32 key) { return key & (kArea - 1); }
__device__ bool same_level(u32 a, u32 b) { return a >> kShift == b >> kShift; }

/// The level root of a pixel of the tile. Halves the path on the way: both ends of a shortcut lie in one node, so no link is lost.
__device__ u32 tile_level_root(u32* up, u32 key) {
  for (;;) {
    u32* at = up + index_of(key);
    const u32 q = DeviceAtomic<u32>(*at).load(cuda::memory_order_relaxed);
    if (!same_level(q, key)) return key;
    const u32 r = DeviceAtomic<u32>(up[index_of(q)]).load(cuda::memory_order_relaxed);
    if (!same_level(r, key)) return q;
    atomicCAS(at, q, r);
    key = r;
  }
}
/// Joins the branches of two pixels of the tile.
__device__ void tile_connect(u32* up, u32 a, u32 b) {
  for (;;) {
    a = tile_level_root(up, a);
    b = tile_level_root(up, b);
    if (a == b) return;
    if (a < b) {
      const u32 t = a;
      a = b, b = t;
    }
    const u32 old = atomicMax(up + index_of(a), b);  // the later of the two becomes, or stays, the parent
    if (old == b || old == 0) return;
    if (old < b) a = b, b = old;
    else a = old;
  }
}

/// Trees of tiles of 64x64. One block a tile, one thread 16 pixels; shared memory holds the values and each pixel's parent as a key
/// (value and index in the tile), 0 for none. Runs of equal pixels are linked first, then rows, then rows to rows where the edge is
/// the highest of its surroundings; joins are lock-free, and each moves parents up the order, so they end. Last, the canonical form.
template <class T, bool eight>
__global__ void __launch_bounds__(kThreads) max_tree_tile_kernel(const T* d_f, i32 width, i32 height, i32 across, T flip, i32* d_parent) {
  __shared__ u32 up[kArea];
  __shared__ T value[kArea];
  const i32 x0 = static_cast<i32>(blockIdx.x) % across * kSide, y0 = static_cast<i32>(blockIdx.x) / across * kSide;
  const i32 w = min(kSide, width - x0), h = min(kSide, height - y0);
  const T* from = d_f + static_cast<i64>(y0) * width + x0;
#pragma unroll 4
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const i32 lx = i % kSide, ly = i / kSide;
    const bool inside = lx < w && ly < h;
    const u32 v = inside ? static_cast<u32>(from[static_cast<i64>(ly) * width + lx] ^ flip) : 0x10000u;
    const u32 before = __shfl_up_sync(kFullWarp, v, 1), lane = lane_id();
    const u32 starts = __ballot_sync(kFullWarp, lane == 0 || v != before);
    const i32 back = static_cast<i32>(lane) - (31 - __clz(static_cast<int>(starts & ((2u << lane) - 1))));
    value[i] = static_cast<T>(v);
    up[i] = inside && back > 0 ? key_of(v, i - back) : 0;
  }
  __syncthreads();
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const i32 lx = i % kSide, ly = i / kSide;
    if (lx == 0 || lx >= w || ly >= h) continue;
    const u32 v = value[i], before = value[i - 1];
    if (v != before || lx == 32) tile_connect(up, key_of(v, i), key_of(before, i - 1));
  }
  __syncthreads();
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const i32 lx = i % kSide, ly = i / kSide;
    if (ly == 0 || lx >= w || ly >= h) continue;
    const i32 above = i - kSide;
    const u32 v = value[i], va = value[above], level = min(v, va);
    // An edge whose neighbour edge is as high is implied by it and the rows; of equals the last is kept.
    const bool implied = (lx + 1 < w && min(value[i + 1], value[above + 1]) >= level) || (lx > 0 && min(value[i - 1], value[above - 1]) > level);
    if (!implied) tile_connect(up, key_of(v, i), key_of(va, above));
    if (!eight) continue;
    // A diagonal counts only where both pixels beside it are lower.
    if (lx > 0) {
      const u32 d = value[above - 1], low = min(v, d);
      if (va < low && value[i - 1] < low) tile_connect(up, key_of(v, i), key_of(d, above - 1));
    }
    if (lx + 1 < w) {
      const u32 d = value[above + 1], low = min(v, d);
      if (va < low && value[i + 1] < low) tile_connect(up, key_of(v, i), key_of(d, above + 1));
    }
  }
  __syncthreads();
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const i32 lx = i % kSide, ly = i / kSide;
    if (lx >= w || ly >= h) continue;
    const u32 own = key_of(value[i], i);
    u32 to = tile_level_root(up, own);
    if (to == own) {
      const u32 parent = DeviceAtomic<u32>(up[i]).load(cuda::memory_order_relaxed);
      if (parent != 0) to = tile_level_root(up, parent);
    }
    const i32 at = static_cast<i32>(index_of(to));
    d_parent[static_cast<i64>(y0 + ly) * width + x0 + lx] = (y0 + at / kSide) * width + x0 + at % kSide;
  }
}

/// The whole image's tree while it is being joined; a root is its own parent.
template <class T>
struct JoinedTree {
  const T* d_f;
  i32* d_parent;
  T flip;

  __device__ u32 value(i32 p) const { return static_cast<u32>(static_cast<T>(d_f[p] ^ flip)); }
  __device__ i32 up(i32 p) const { return static_cast<i32>(load_pixel(d_parent + p)); }
  __device__ i32 level_root(i32 p, u32 v) const {
    for (;;) {
      const i32 q = up(p);
      if (q == p || value(q) != v) return p;
      const i32 r = up(q);
      if (r == q || value(r) != v) return q;
      atomicCAS(d_parent + p, q, r);
      p = r;
    }
  }
  __device__ void connect(i32 a, i32 b) const {
    u32 va = value(a), vb = value(b);
    for (;;) {
      a = level_root(a, va);
      b = level_root(b, vb);
      if (a == b) return;
      if (va < vb || (va == vb && a < b)) {
        const i32 p = a;
        const u32 v = va;
        a = b, va = vb;
        b = p, vb = v;
      }
      const i32 q = up(a);
      if (q == a) {
        if (atomicCAS(d_parent + a, a, b) == a) return;
        continue;
      }
      if (q == b) return;
      const u32 vq = value(q);
      if (vq > vb || (vq == vb && q > b)) {
        a = q, va = vq;
      } else if (atomicCAS(d_parent + a, q, b) == q) {
        a = b, va = vb;
        b = q, vb = vq;
      }
    }
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
  for (u32 i = atomicAdd(&taken, 1u); i < listed; i = atomicAdd(&taken, 1u)) tree.connect(edges[i][0], edges[i][1]);
}

/// The canonical form in place: everybody's level root, or for level roots that of their parent. One thread a pixel; parents are only
/// ever replaced by ancestors that say the same, so it does not matter what other threads have replaced.
template <class T>
__global__ void max_tree_flatten_kernel(JoinedTree<T> tree, i64 n) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const i32 p = static_cast<i32>(t), was = tree.up(p);
  i32 to = tree.level_root(p, tree.value(p));
  if (to == p) {
    const i32 q = tree.up(p);
    to = q == p ? p : tree.level_root(q, tree.value(q));
  }
  if (to != was) store_pixel(tree.d_parent + p, static_cast<u32>(to));
}

template <class T, bool eight>
void build(Context& ctx, const T* d_f, Extent e, i32* d_parent, T flip) {
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
  max_tree_flatten_kernel<T><<<blocks_for(e.area(), 256), 256, 0, stream>>>(tree, e.area());
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
