// Max-trees of tiles, in shared memory: the first stage of the tree of an image.
#include "max_tree_parent.cuh"

namespace morpho::gpu {
namespace {

// Pixels are totally ordered by value, then index. A pixel's parent comes before it in that order; within one value the pixel that comes
// first is its node's level root, which therefore is the node's smallest index. Joining two pixels merges their ancestors' chains in
// that order, one atomic step after the other; a step that finds a changed parent starts again from what it found.
// Here chains are walked pixel by pixel, without looking for level roots on the way: they are short, because rows begin as canonical trees
// and the later levels of joins make them canonical again first.

constexpr i32 kShift = 14;                 ///< bits of an index in the largest tile
constexpr u32 kKey = 1u << 30;             ///< set in every key, so that 0 can say: no parent
constexpr u32 kOutside = 0xFFFFFFFF;       ///< a key that comes after all others
constexpr i32 kSteps = 8;                  ///< of a join between two looks at who has finished

/// Tiles as large as shared memory lets them be with enough blocks at once: what is joined there costs a fiftieth of a join in global
/// memory. `canonical_before`: the levels of joins before which a tile's trees are made canonical (a bit a level). `keeps_values`: in shared
/// memory too, where there is room; else they are read again, from the first-level cache. Measured, see README.md.
template <class T, bool eight, bool keeps_values>
struct Tile {
  static constexpr i32 width = kTreeTile.width, height = kTreeTile.height, area = width * height, threads = area / 16;
  static constexpr i32 levels = 6;
  static_assert(height == 1 << levels && area <= 1 << kShift);
  static constexpr u32 canonical_before = 0b111000;
  /// Edges that a row can have: of neighbouring ones across a pair of rows one implies the other, so every second at most; of two
  /// diagonals that cross one; and what joins the row's parts of 32 pixels. Row 0 has only these, and is counted with the others.
  static constexpr i32 edges = width / 2 + width / 32 + (eight ? width : 0);
  static constexpr std::size_t shared_bytes = sizeof(u32) * area + sizeof(u16) * height * edges + (keeps_values ? sizeof(T) * area : 0);
  static constexpr i32 blocks = (eight ? 1536 : 2048) / threads;  ///< at once on a multiprocessor, as far as registers decide
};

__device__ u32 key_of(u32 value, i32 i) { return kKey | value << kShift | static_cast<u32>(i); }
__device__ u32 index_of(u32 key) { return key & ((1u << kShift) - 1); }
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

/// Trees of tiles. One block a tile. Shared memory holds each pixel's parent as a key (value and index in the tile) and lists of the edges
/// that count, and where there is room the values. A warp makes the trees of rows (32 pixels at a
/// time), a lane a pixel; then pairs of rows are joined, pairs of pairs, …, all rows at last: with each level half as many edges are left,
/// and a thread walks one edge's chains at a time. Joins are lock-free, and each moves parents up the order, so they end. Canonical
/// pixels (that lie on another level than their parent) write their parent as its complement, or their own where there is none, and
/// have their bit set in d_canonical; the others write their level root.
template <class T, bool eight, bool keeps_values>
__global__ void __launch_bounds__(Tile<T, eight, keeps_values>::threads, Tile<T, eight, keeps_values>::blocks)
max_tree_tile_kernel(const T* __restrict__ d_f, i32 width, i32 height, i32 across, T flip, i32* __restrict__ d_parent, u32* __restrict__ d_canonical) {
  using Shape = Tile<T, eight, keeps_values>;
  constexpr i32 parts = Shape::width / 32, warps = Shape::threads / 32, per_row = Shape::edges;
  extern __shared__ u32 up[];
  u16* edges = reinterpret_cast<u16*>(up + Shape::area);  ///< a pixel, and where the other one lies: above, above left, above right, left
  __shared__ u32 listed[Shape::levels];
  enum : u32 { above = 0, above_left = 1u << kShift, above_right = 2u << kShift, left = 3u << kShift };
  const auto list_of = [&](i32 level) { return edges + (Shape::height - (Shape::height >> level)) * per_row; };  // level 0 has half of the rows, …
  const i32 x0 = static_cast<i32>(blockIdx.x) % across * Shape::width, y0 = static_cast<i32>(blockIdx.x) / across * Shape::height;
  const i32 w = min(Shape::width, width - x0), h = min(Shape::height, height - y0);
  const i32 lane = static_cast<i32>(lane_id()), warp = static_cast<i32>(threadIdx.x) / 32;
  const T* from = d_f + static_cast<i64>(y0) * width + x0;
  T* kept = reinterpret_cast<T*>(edges + Shape::height * per_row);
  const auto read = [&](i32 lx, i32 ly) { return static_cast<u32>(static_cast<T>(from[static_cast<i64>(ly) * width + lx] ^ flip)); };
  const auto value = [&](i32 lx, i32 ly) {
    if constexpr (keeps_values) return static_cast<u32>(kept[ly * Shape::width + lx]);
    else return read(lx, ly);
  };
  const auto key = [&](i32 i) { return key_of(value(i % Shape::width, i / Shape::width), i); };
  if (threadIdx.x < Shape::levels) listed[threadIdx.x] = 0;
#pragma unroll 2
  for (i32 part = warp; part < parts * Shape::height; part += warps) {
    const i32 lx = part % parts * 32 + lane, ly = part / parts, i = ly * Shape::width + lx;
    const bool inside = lx < w && ly < h;
    const u32 v = inside ? read(lx, ly) : 0;
    if constexpr (keeps_values) kept[i] = static_cast<T>(v);
    const u32 parent = line_parent(inside ? key_of(v, i) : kOutside);
    up[i] = inside ? parent : 0;
  }
  __syncthreads();
  for (i32 ly = warp; ly < h; ly += warps) {
    const i32 level = ly == 0 ? 0 : __ffs(ly) - 1;
    u16* list = list_of(level);
    const auto add = [&](bool counts, i32 lx, u32 where) {
      const u32 votes = __ballot_sync(kFullWarp, counts);
      if (votes == 0) return;
      u32 first = 0;
      if (lane == 0) first = atomicAdd(&listed[level], static_cast<u32>(__popc(votes)));
      first = __shfl_sync(kFullWarp, first, 0);
      if (counts) list[first + __popc(votes & ((1u << lane) - 1))] = static_cast<u16>(static_cast<u32>(ly * Shape::width + lx) | where);
    };
    add(lane < parts - 1 && 32 * (lane + 1) < w, 32 * (lane + 1), left);
    if (ly == 0) continue;
    for (i32 lx = lane; lx < Shape::width; lx += 32) {
      const bool inside = lx < w, next = lx + 1 < w, before = inside && lx > 0;
      const u32 v = inside ? value(lx, ly) : 0, va = inside ? value(lx, ly - 1) : 0, low = min(v, va);
      const u32 v_next = next ? value(lx + 1, ly) : 0, a_next = next ? value(lx + 1, ly - 1) : 0;
      const u32 v_before = before ? value(lx - 1, ly) : 0, a_before = before ? value(lx - 1, ly - 1) : 0;
      // An edge whose neighbour edge is as high is implied by it and the rows; of equals the last is kept.
      add(inside && !(next && min(v_next, a_next) >= low) && !(before && min(v_before, a_before) > low), lx, above);
      if (eight) {  // a diagonal counts only where both pixels beside it are lower
        const u32 low_before = min(v, a_before), low_next = min(v, a_next);
        add(before && va < low_before && v_before < low_before, lx, above_left);
        add(next && va < low_next && v_next < low_next, lx, above_right);
      }
    }
  }
  __syncthreads();
  for (i32 level = 0; level < Shape::levels; ++level) {
    if (Shape::canonical_before >> level & 1) {
      for (i32 i = static_cast<i32>(threadIdx.x); i < Shape::area; i += Shape::threads) {
        const u32 parent = load_shared(up + i), root = tile_level_root(up, parent);
        if (root != parent) atomicMin(up + i, root);  // others see the old parent or the new: both lead on
      }
      __syncthreads();
    }
    const u16* list = list_of(level);
    const u32 count = listed[level];
    u32 next = threadIdx.x, a = 0, b = 0;  // b is 0: no edge in hand
    for (;;) {
      if (b == 0 && next < count) {
        const u32 e = list[next], where = e & (3u << kShift);
        next += Shape::threads;
        const i32 i = static_cast<i32>(index_of(e));
        const i32 j = where == left ? i - 1 : i - Shape::width + (where == above_right) - (where == above_left);
        const u32 one = key(i), other = key(j);
        a = max(one, other), b = min(one, other);
      }
      if (!__any_sync(kFullWarp, b != 0)) break;
#pragma unroll
      for (i32 k = 0; k < kSteps; ++k) tile_step(up, a, b);
    }
    __syncthreads();
  }
  for (i32 part = warp; part < parts * Shape::height; part += warps) {
    const i32 lx = part % parts * 32 + lane, ly = part / parts, i = ly * Shape::width + lx;
    const bool inside = lx < w && ly < h;
    const u32 own = inside ? key_of(value(lx, ly), i) : 0, root = tile_level_root(up, load_shared(up + i)), to = root == 0 ? own : root;
    const i32 at = static_cast<i32>(index_of(to)), p = (y0 + at / Shape::width) * width + x0 + at % Shape::width;
    const bool canonical = inside && (to == own || !same_level(to, own));
    const i32 here = (y0 + ly) * width + x0 + lx;
    if (inside) d_parent[here] = canonical ? ~p : p;
    const u32 bits = __ballot_sync(kFullWarp, canonical);
    if (lane == 0 && inside) {
      u32* to_bits = d_canonical + (here >> 5);
      if (width % 32 == 0) {
        *to_bits = bits;
      } else {  // words reach across rows and tiles
        const u32 low = static_cast<u32>(here) & 31, rest = low ? bits >> (32 - low) : 0;
        atomicOr(to_bits, bits << low);
        if (rest) atomicOr(to_bits + 1, rest);
      }
    }
  }
}

template <class T, bool eight, bool keeps_values>
void launch(Context& ctx, const T* d_f, Extent e, i32* d_parent, u32* d_canonical, T flip) {
  using Shape = Tile<T, eight, keeps_values>;
  const i32 across = static_cast<i32>(divide_up(e.width, Shape::width)), down = static_cast<i32>(divide_up(e.height, Shape::height));
  const auto kernel = max_tree_tile_kernel<T, eight, keeps_values>;
  MORPHO_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(Shape::shared_bytes)));
  kernel<<<static_cast<u32>(across) * static_cast<u32>(down), Shape::threads, Shape::shared_bytes, stream_of(ctx)>>>(d_f, e.width, e.height, across, flip, d_parent,
                                                                                                                  d_canonical);
  check_launch("max_tree_tile_kernel");
}

template <class T, bool eight>
void launch_best(Context& ctx, const T* d_f, Extent e, i32* d_parent, u32* d_canonical, T flip) {
  if constexpr (sizeof(T) == 1) {
    if (Tile<T, eight, true>::shared_bytes <= most_shared_bytes()) return launch<T, eight, true>(ctx, d_f, e, d_parent, d_canonical, flip);
  }
  launch<T, eight, false>(ctx, d_f, e, d_parent, d_canonical, flip);
}

}  // namespace

template <class T>
void max_tree_tiles(Context& ctx, const T* d_f, Extent e, i32* d_parent, u32* d_canonical, T flip, bool eight) {
  if (eight) launch_best<T, true>(ctx, d_f, e, d_parent, d_canonical, flip);
  else launch_best<T, false>(ctx, d_f, e, d_parent, d_canonical, flip);
}
template void max_tree_tiles<u8>(Context&, const u8*, Extent, i32*, u32*, u8, bool);
template void max_tree_tiles<u16>(Context&, const u16*, Extent, i32*, u32*, u16, bool);

}  // namespace morpho::gpu
