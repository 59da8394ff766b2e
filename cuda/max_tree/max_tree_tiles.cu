// Max-trees of tiles, in shared memory: the first stage of the tree of an image.
#include "cuda/max_tree/max_tree_parent.cuh"

namespace morpho::gpu {
namespace {

// Pixels are totally ordered by value, then index. A pixel's parent comes before it in that order; within one value the pixel
// that comes first is its node's level root, which therefore is the node's smallest index. Joining two pixels merges their
// ancestors' chains in that order, one atomic step after the other; a step that finds a changed parent starts again from what
// it found. Here chains are walked pixel by pixel, without looking for level roots on the way: they are short, because columns
// begin as canonical trees and the later levels of joins make them canonical again first.

// A key is a pixel's value and index, so that keys are in the pixels' order; the index counts bytes of shared memory, which
// saves an instruction at every step of every way.
constexpr i32 kShift = 15;      ///< bits of the largest index
constexpr u32 kKey = 1u << 31;  ///< set in every key, so that 0 can say: no parent
constexpr i32 kSteps = 8;       ///< of a join between two looks at who has finished

/// Tiles as large as shared memory lets them be with enough blocks at once: what is joined there costs a fiftieth of a join in
/// global memory. `canonical_before`: the levels of joins before which a tile's trees are made canonical (a bit a level).
/// `keeps_values`: in shared memory too, where there is room; else they are read again, from the first-level cache. Measured,
/// see README.md.
template <class T, bool eight, bool keeps_values>
struct Tile {
  static constexpr i32 width = kTreeTile.width, height = kTreeTile.height, area = width * height, threads = area / 16;
  /// The last one joins all columns that are left at once: their edges are too few for a level each
  static constexpr i32 levels = 6;
  static_assert(width == 4 * 32 && height == 64 && 4 * area == 1 << kShift);
  static constexpr u32 canonical_before = 0b111000;
  /// Edges that a pair of columns can have: of neighbouring ones one implies the other, so every second at most; of two
  /// diagonals that cross one.
  static constexpr i32 edges = height / 2 + (eight ? height : 0);
  static constexpr std::size_t shared_bytes = sizeof(u32) * area + sizeof(u16) * width * edges +
                                              (keeps_values ? sizeof(T) * area : 0);
  static constexpr i32 blocks = (eight ? 1536 : 2048) / threads;  ///< at once on a multiprocessor, as far as registers decide
};

__device__ u32 key_of(u32 value, i32 i) { return kKey | value << kShift | static_cast<u32>(i) << 2; }
__device__ u32 index_of(u32 key) { return (key & ((1u << kShift) - 1)) >> 2; }
/// Of two keys, or of one and 0.
__device__ bool same_level(u32 a, u32 b) { return (a ^ b) < 1u << kShift; }
/// The parent of the pixel with this key.
__device__ u32* parent_of(u32* up, u32 key) {
  return reinterpret_cast<u32*>(reinterpret_cast<char*>(up) + (key & ((1u << kShift) - 1)));
}
__device__ u32 load_shared(const u32* at) { return *static_cast<const volatile u32*>(at); }

/// One step of joining the branches of two pixels of the tile, a after b in the order, until b is 0. The later of b and a's
/// parent becomes, or stays, a's parent; then that one and the earlier of the two are left to be joined. Lanes with nothing to
/// join go through the same instructions, each at a pixel of its own (`idle`), as a branch would cost more than the step.
__device__ void tile_step(u32* up, u32& a, u32& b, u32 idle) {
  const u32 old = atomicMax(parent_of(up, a), b), later = max(old, b), earlier = min(old, b);
  const bool done = earlier == 0 || later == earlier;
  a = done ? idle : later;
  b = done ? 0 : earlier;
}

/// The level root of the level that `key` lies on.
__device__ u32 tile_level_root(u32* up, u32 key) {
  u32 next = load_shared(parent_of(up, key));
  while (same_level(next, key)) key = next, next = load_shared(parent_of(up, key));
  __syncwarp();
  return key;
}

/// One lane: the canonical tree of a column of `h` pixels, from top to bottom. The way up from the pixel above passes its
/// branch, later pixels first; the new pixel goes in where the order has it, or points at the level root where there is one.
/// All lanes of the warp call (h = 0 for none), and wait for the longest way: apart they would stay apart.
template <class Value>
__device__ void column_tree(u32* up, i32 x, i32 width, i32 rows, i32 h, Value value) {
  u32 last = 0;  ///< level root of the pixel above
  u32 v = h > 0 ? value(x, 0) : 0;
  for (i32 y = 0; y < rows; ++y) {
    const bool inside = y < h;
    const u32 own = key_of(v, y * width + x), end_of_level = own | ((1u << kShift) - 1);
    if (y + 1 < h) v = value(x, y + 1);
    u32 later = 0, at = inside ? last : 0;
    while (at > end_of_level) later = at, at = *parent_of(up, at);
    __syncwarp();
    if (inside) *parent_of(up, own) = at;
    const bool joins_level = same_level(at, own);
    if (later != 0 && !joins_level) *parent_of(up, later) = own;
    last = joins_level ? at : own;
  }
}

constexpr u32 kCrosses = 1;  ///< set in a parent's key, below its index, where the parent lies in a lower band

/// The pixels' nearest ancestors in lower bands (max_tree_bands.cu), as indices in the tile, from canonical parents with
/// kCrosses: every key takes its own parent's key until it has that bit, or there is none. Whoever is ahead is met further up,
/// so that the ways double. `d_to`: for the tile's first pixel. The whole block calls; it leaves the parents behind changed.
template <class Shape>
__device__ void write_below(u32* up, i32 w, i32 h, u16* d_to, i32 width) {
  bool more;
  do {
    more = false;
#pragma unroll 4
    for (i32 i = static_cast<i32>(threadIdx.x); i < Shape::area; i += Shape::threads) {
      const u32 to = load_shared(up + i);
      if (to == 0 || (to & kCrosses) != 0) continue;
      const u32 next = load_shared(up + index_of(to));
      atomicExch(up + i, next);
      more |= next != 0 && (next & kCrosses) == 0;
    }
  } while (__syncthreads_or(more));
  for (i32 i = static_cast<i32>(threadIdx.x); i < Shape::area; i += Shape::threads) {
    const i32 lx = i % Shape::width, ly = i / Shape::width;
    const u32 to = up[i];
    if (lx < w && ly < h)
      d_to[static_cast<i64>(ly) * width + lx] = (to & kCrosses) != 0 ? static_cast<u16>(index_of(to)) : kNoneBelow;
  }
}

/// A tile while its tree is made: its place in the image, what shared memory holds of it, and the phases of the kernel, each
/// called by the whole block (but for the two that share it) and ended by a barrier of the kernel's.
template <class T, bool eight, bool keeps_values>
struct TileTree {
  using Shape = Tile<T, eight, keeps_values>;
  static constexpr i32 parts = Shape::width / 32, warps = Shape::threads / 32;
  /// An edge is a pixel, and where the other one lies: from the pixel to its right, or below that; or from the pixel below to
  /// its right.
  enum : u32 { right = 0, falling = 1u << 14, rising = 2u << 14, kind_bits = 3u << 14 };

  u32* up;        ///< shared: every pixel's parent as a key, or 0; behind it the lists of edges, and the values if kept
  u32* listed;    ///< shared: how many edges each level has
  u32* taken;     ///< shared: how many of them threads have taken
  const T* from;  ///< the tile's first pixel in the image
  i32 width, x0, y0, w, h;
  T flip;
  i32 lane, warp;

  /// The edges that a level joins: the first one has room for half of the columns, the second for a quarter, …
  __device__ __forceinline__ u16* list_of(i32 level) const {
    return reinterpret_cast<u16*>(up + Shape::area) + (Shape::width - (Shape::width >> level)) * Shape::edges;
  }
  __device__ __forceinline__ T* kept() const {
    return reinterpret_cast<T*>(reinterpret_cast<u16*>(up + Shape::area) + Shape::width * Shape::edges);
  }
  __device__ __forceinline__ u32 read(i32 lx, i32 ly) const {
    return static_cast<u32>(static_cast<T>(from[static_cast<i64>(ly) * width + lx] ^ flip));
  }
  __device__ __forceinline__ u32 value(i32 lx, i32 ly) const {
    if constexpr (keeps_values) return static_cast<u32>(kept()[ly * Shape::width + lx]);
    else return read(lx, ly);
  }
  __device__ __forceinline__ u32 key(i32 i) const { return key_of(value(i % Shape::width, i / Shape::width), i); }

  /// Shared memory as the next phases expect it: lists empty, no parents beyond the image's border, and the values where they
  /// are kept. A warp owns every so manieth row, a lane four bytes of it or one value of each 32.
  __device__ __forceinline__ void begin() const {
    if (threadIdx.x < Shape::levels) listed[threadIdx.x] = 0, taken[threadIdx.x] = Shape::threads;
    if (w < Shape::width || h < Shape::height) {
      for (i32 i = static_cast<i32>(threadIdx.x); i < Shape::area; i += Shape::threads) up[i] = 0;
    }
    if constexpr (keeps_values) {
      if (sizeof(T) == 1 && w == Shape::width && width % 4 == 0 && reinterpret_cast<std::uintptr_t>(from) % 4 == 0) {
        const u32 flips = 0x01010101u * static_cast<u8>(flip);
#pragma unroll 4
        for (i32 ly = warp; ly < h; ly += warps) {
          const u32* row = reinterpret_cast<const u32*>(from + static_cast<i64>(ly) * width);
          reinterpret_cast<u32*>(kept())[ly * 32 + lane] = row[lane] ^ flips;
        }
      } else {
        for (i32 part = warp; part < parts * Shape::height; part += warps) {
          const i32 lx = part % parts * 32 + lane, ly = part / parts;
          kept()[ly * Shape::width + lx] = static_cast<T>(lx < w && ly < h ? read(lx, ly) : 0);
        }
      }
    }
  }

  /// The first warps, a lane a column.
  __device__ __forceinline__ void make_columns() const {
    const i32 lx = warp * 32 + lane;
    column_tree(up, lx, Shape::width, h, lx < w ? h : 0, [&](i32 x, i32 y) { return value(x, y); });
  }

  /// A lane's five pixels of a row, the last of them the next lane's first, -1 where there is none; `low`: of a pixel and its
  /// right neighbour the lower value, -1 where there is no such pair. The whole warp calls.
  __device__ __forceinline__ void read_row(i32 ly, i32 (&row)[5], i32 (&low)[4]) const {
    const bool exists = ly >= 0 && ly < h;
    const i32 lx = 4 * lane;
    if constexpr (keeps_values && sizeof(T) == 1) {
      const u32 four = exists ? *reinterpret_cast<const u32*>(kept() + ly * Shape::width + lx) : 0;
#pragma unroll
      for (i32 j = 0; j < 4; ++j) row[j] = exists && lx + j < w ? static_cast<i32>(four >> 8 * j & 255) : -1;
    } else {
#pragma unroll
      for (i32 j = 0; j < 4; ++j) row[j] = exists && lx + j < w ? static_cast<i32>(value(lx + j, ly)) : -1;
    }
    row[4] = __shfl_down_sync(kFullWarp, row[0], 1);
    if (lane == 31) row[4] = -1;
#pragma unroll
    for (i32 j = 0; j < 4; ++j) low[j] = min(row[j], row[j + 1]);
  }
  /// The other warps: the edges between columns that count, to the lists of the levels that join their columns. A warp owns
  /// some rows, a lane four pixels of each.
  __device__ __forceinline__ void list_edges() const {
    constexpr i32 rows = (Shape::height + warps - parts - 1) / (warps - parts);
    const i32 first = (warp - parts) * rows, end = min(first + rows, h), lx = 4 * lane;
    i32 before[4], here[4], next[4], v[5] = {}, below[5] = {};
    read_row(first - 1, v, before);
    read_row(first, v, here);
    for (i32 ly = first; ly < end; ++ly) {
      read_row(ly + 1, below, next);
#pragma unroll
      for (i32 j = 0; j < 4; ++j) {
        const i32 level = j % 2 == 0 ? 0 : j == 1 ? 1 : min(1 + __ffs(lane + 1), Shape::levels - 1);
        const auto add = [&](u32 kind) {
          list_of(level)[atomicAdd(&listed[level], 1u)] = static_cast<u16>(static_cast<u32>(ly * Shape::width + lx + j) | kind);
        };
        // An edge whose neighbour edge is as high is implied by it and the columns; of equals the last is kept.
        if (here[j] > next[j] && here[j] >= before[j]) add(right);
        if (eight) {  // a diagonal counts only where both pixels beside it are lower
          const i32 fall = min(v[j], below[j + 1]), rise = min(below[j], v[j + 1]);
          if (fall > max(below[j], v[j + 1])) add(falling);
          else if (rise > max(v[j], below[j + 1])) add(rising);
        }
      }
#pragma unroll
      for (i32 j = 0; j < 4; ++j) before[j] = here[j], here[j] = next[j];
#pragma unroll
      for (i32 j = 0; j < 5; ++j) v[j] = below[j];
    }
  }

  /// Every pixel's parent becomes the level root of the level that it leads to. A thread owns every so manieth pixel.
  __device__ __forceinline__ void make_canonical() const {
    for (i32 i = static_cast<i32>(threadIdx.x); i < Shape::area; i += Shape::threads) {
      const u32 parent = load_shared(up + i), at = parent == 0 ? key_of(0, i) : parent, root = tile_level_root(up, at);
      if (root != at) atomicMin(up + i, root);  // others see the old parent or the new: both lead on
    }
  }

  /// Joins what a level's edges connect. A thread walks one edge's chains at a time, and takes the next when they are joined.
  __device__ __forceinline__ void join_level(i32 level) const {
    const u16* list = list_of(level);
    const u32 count = listed[level];
    const u32 idle = static_cast<u32>(lane) << 2;
    u32 next = threadIdx.x, a = idle, b = 0;  // b is 0: no edge in hand
    for (;;) {
      if (b == 0 && next < count) {
        const u32 e = list[next], kind = e & kind_bits;
        next = atomicAdd(&taken[level], 1u);
        const i32 i = static_cast<i32>(e & ~kind_bits);
        const u32 one = key(kind == rising ? i + Shape::width : i), other = key(kind == falling ? i + 1 + Shape::width : i + 1);
        a = max(one, other), b = min(one, other);
      }
      if (!__any_sync(kFullWarp, b != 0)) break;
#pragma unroll
      for (i32 k = 0; k < kSteps; ++k) tile_step(up, a, b, idle);
    }
  }

  /// The tile's part of the image's parents and canonical pixels. A warp owns every so manieth row, a lane a pixel of each 32.
  /// With bands, parents in shared memory become canonical, with kCrosses.
  __device__ __forceinline__ void write(i32* __restrict__ d_parent, u32* __restrict__ d_canonical) const {
    for (i32 ly = warp; ly < h; ly += warps) {
#pragma unroll 1
      for (i32 part = 0; part < parts; ++part) {
        const i32 lx = part * 32 + lane, i = ly * Shape::width + lx, here = (y0 + ly) * width + x0 + lx;
        const bool inside = lx < w;
        const u32 own = key_of(inside ? value(lx, ly) : 0, i), parent = load_shared(up + i),
                  to = tile_level_root(up, parent == 0 ? own : parent);
        const bool canonical = inside && !same_level(parent, own);
        const i32 at = static_cast<i32>(index_of(to)), p = (y0 + at / Shape::width) * width + x0 + at % Shape::width;
        if (inside) d_parent[here] = p;
        if constexpr (kBandShift<T> > 0) {  // whoever looks for a level root meets the old parent or the new
          if (parent != 0) atomicExch(up + i, to | ((own ^ to) >> (kShift + kBandShift<T>) != 0 ? kCrosses : 0));
        }
        const u32 bits = __ballot_sync(kFullWarp, canonical);
        if (lane == 0 && inside) write_bits(d_canonical + (here >> 5), static_cast<u32>(here) & 31, bits);
      }
    }
  }
  /// 32 pixels' bits from bit `low` of a word on.
  __device__ __forceinline__ void write_bits(u32* to, u32 low, u32 bits) const {
    if (width % 32 == 0) {
      *to = bits;
    } else {  // words reach across rows and tiles
      const u32 rest = low ? bits >> (32 - low) : 0;
      atomicOr(to, bits << low);
      if (rest) atomicOr(to + 1, rest);
    }
  }
};

/// Trees of tiles. One block a tile. Shared memory holds each pixel's parent as a key (value and index in the tile) and lists
/// of the edges that count, and where there is room the values. A few warps make the trees of columns, while the others list
/// the edges between columns; then pairs of columns are joined, pairs of pairs, …, all columns at last: with each level half as
/// many edges are left. Joins are lock-free, and each moves parents up the order, so they end. Canonical pixels (that lie on
/// another level than their parent) write their parent, or themselves where there is none, and have their bit set in
/// d_canonical; the others write their level root.
template <class T, bool eight, bool keeps_values>
__global__ void __launch_bounds__(Tile<T, eight, keeps_values>::threads, Tile<T, eight, keeps_values>::blocks)
    max_tree_tile_kernel(const T* __restrict__ d_f, i32 width, i32 height, i32 across, T flip, i32* __restrict__ d_parent,
                         u32* __restrict__ d_canonical, u16* __restrict__ d_below) {
  using Shape = Tile<T, eight, keeps_values>;
  extern __shared__ u32 up[];
  __shared__ u32 listed[Shape::levels], taken[Shape::levels];
  const i32 x0 = static_cast<i32>(blockIdx.x) % across * Shape::width,
            y0 = static_cast<i32>(blockIdx.x) / across * Shape::height;
  const i64 first = static_cast<i64>(y0) * width + x0;
  const TileTree<T, eight, keeps_values> tile{.up = up,
                                              .listed = listed,
                                              .taken = taken,
                                              .from = d_f + first,
                                              .width = width,
                                              .x0 = x0,
                                              .y0 = y0,
                                              .w = min(Shape::width, width - x0),
                                              .h = min(Shape::height, height - y0),
                                              .flip = flip,
                                              .lane = static_cast<i32>(lane_id()),
                                              .warp = static_cast<i32>(threadIdx.x) / 32};
  tile.begin();
  __syncthreads();
  if (tile.warp < tile.parts) tile.make_columns();
  else tile.list_edges();
  __syncthreads();
  for (i32 level = 0; level < Shape::levels; ++level) {
    if (Shape::canonical_before >> level & 1) {
      tile.make_canonical();
      __syncthreads();
    }
    tile.join_level(level);
    __syncthreads();
  }
  tile.write(d_parent, d_canonical);
  if constexpr (kBandShift<T> > 0) {
    __syncthreads();
    write_below<Shape>(up, tile.w, tile.h, d_below + first, width);
  }
}

template <class T, bool eight, bool keeps_values>
void launch(Context& ctx, const T* d_f, Extent e, i32* d_parent, u32* d_canonical, u16* d_below, T flip) {
  using Shape = Tile<T, eight, keeps_values>;
  const i32 across = static_cast<i32>(divide_up(e.width, Shape::width)),
            down = static_cast<i32>(divide_up(e.height, Shape::height));
  const auto kernel = max_tree_tile_kernel<T, eight, keeps_values>;
  allow_dynamic_shared(kernel, Shape::shared_bytes);
  kernel<<<static_cast<u32>(across) * static_cast<u32>(down), Shape::threads, Shape::shared_bytes, stream_of(ctx)>>>(
      d_f, e.width, e.height, across, flip, d_parent, d_canonical, d_below);
  check_launch("max_tree_tile_kernel");
}

template <class T, bool eight>
void launch_best(Context& ctx, const T* d_f, Extent e, i32* d_parent, u32* d_canonical, u16* d_below, T flip) {
  if constexpr (sizeof(T) == 1) {  // 8-connected that is 64 KiB and some bytes: more than sm_75 gives
    if (Tile<T, eight, true>::shared_bytes <= most_dynamic_shared(max_tree_tile_kernel<T, eight, true>))
      return launch<T, eight, true>(ctx, d_f, e, d_parent, d_canonical, d_below, flip);
  }
  launch<T, eight, false>(ctx, d_f, e, d_parent, d_canonical, d_below, flip);
}

}  // namespace

template <class T>
void max_tree_tiles(Context& ctx, const T* d_f, Extent e, i32* d_parent, u32* d_canonical, u16* d_below, T flip, bool eight) {
  if (eight) launch_best<T, true>(ctx, d_f, e, d_parent, d_canonical, d_below, flip);
  else launch_best<T, false>(ctx, d_f, e, d_parent, d_canonical, d_below, flip);
}
template void max_tree_tiles<u8>(Context&, const u8*, Extent, i32*, u32*, u16*, u8, bool);
template void max_tree_tiles<u16>(Context&, const u16*, Extent, i32*, u32*, u16*, u16, bool);

}  // namespace morpho::gpu
