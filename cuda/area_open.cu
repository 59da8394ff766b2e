// Area opening and closing, from the image alone.
#include <algorithm>
#include <limits>

#include "contract/check_tree.hpp"
#include "gpu_ops.hpp"
#include "lanes.cuh"
#include "max_tree_parent.cuh"
#include "tile_queue.cuh"

namespace morpho::gpu {
namespace {

constexpr u32 kThreads = 256;

// The usual way. Every pixel counts for its parent, and so on up: a node's area is the number of pixels below it in the parent image, so
// nobody has to know which pixels are canonical. Tiles (the tree's) count in shared memory; what leaves a tile is then carried on in global
// memory. Only whether an area reaches the limit matters. So whatever finds that a node has reached it goes no further: all that had been
// counted there before has gone on to its ancestors, or was stopped at one in the same way, so that they reach the limit too. Nodes that
// stay below it stopped nothing, nor did any below them: their counts are exact. The order of additions does not show.

constexpr i32 kWidth = kTreeTile.width, kHeight = kTreeTile.height, kArea = kWidth * kHeight;
constexpr i32 kTileThreads = 512, kGroups = kArea / (4 * kTileThreads);  ///< a thread owns some groups of 4 pixels side by side
constexpr i32 kStarts = 3072;  ///< listed nodes: what four blocks of a multiprocessor have room for
constexpr i32 kStride = 4;     ///< steps made at once
constexpr u32 kOutside = 0xFFFF;
constexpr u32 kCarryThreads = 128;
static_assert(kGroups * 4 == 16 && kWidth == 128 && kArea == 1 << 13);

/// Four neighbours of a row, in one access.
template <class S>
struct alignas(4 * sizeof(S)) Four {
  S v[4];
};

/// A tile's place, and pixels' numbers in it. `fours`: rows begin where four pixels can be read at once, and are multiples of that long.
struct Tile {
  i32 x0, y0, w, h, width, base;
  float by_width, shift;
  __device__ Tile(i32 tile, i32 across, i32 width_, i32 height)
      : x0(tile % across * kWidth), y0(tile / across * kHeight), w(min(kWidth, width_ - x0)), h(min(kHeight, height - y0)), width(width_),
        base(y0 * width_ + x0), by_width(1.0f / static_cast<float>(width_)), shift((0.5f * static_cast<float>(width_ - w) + 0.5f) * by_width) {}
  /// Pixels in the tiles before it: where its part of a plane begins that is laid out by tiles.
  __device__ i32 first() const { return y0 * width + x0 * h; }
  __device__ bool holds(i32 x, i32 y) const { return x < w && y < h; }
  __device__ i32 pixel(u32 i) const { return base + static_cast<i32>(i) / kWidth * width + static_cast<i32>(i) % kWidth; }
  /// The number of pixel q in the tile, or kOutside. The row is estimated: pixels of the tile lie so far from where it would change that it is
  /// right for them; whatever it is for others, only a pixel of the tile has a place in it.
  __device__ u32 number(i32 q) const {
    const i32 from = q - base, y = static_cast<i32>(fmaf(static_cast<float>(from), by_width, shift));
    const i32 x = static_cast<i32>(static_cast<u32>(from) - static_cast<u32>(y) * static_cast<u32>(width));
    return static_cast<u32>(x) < static_cast<u32>(w) && static_cast<u32>(y) < static_cast<u32>(h) ? static_cast<u32>(y * kWidth + x) : kOutside;
  }
  /// Group g of the calling thread: the number of its first pixel.
  __device__ static i32 group(i32 g) { return (g * kTileThreads + static_cast<i32>(threadIdx.x)) * 4; }
  /// The pixel that bit k of a mask of the calling thread's pixels stands for.
  __device__ static i32 of_bit(i32 k) { return group(k >> 2) + (k & 3); }
  template <bool fours, class S>
  __device__ Four<S> read(const S* d_from, i32 i, S other) const {
    const i32 x = i % kWidth, y = i / kWidth;
    const S* from = d_from + base + y * width + x;
    Four<S> four;
    if constexpr (fours) {
      if (holds(x, y)) return *reinterpret_cast<const Four<S>*>(from);
#pragma unroll
      for (i32 j = 0; j < 4; ++j) four.v[j] = other;
    } else {
#pragma unroll
      for (i32 j = 0; j < 4; ++j) four.v[j] = holds(x + j, y) ? from[j] : other;
    }
    return four;
  }
  /// Writes four pixels to a row of an image, from its x on.
  template <bool fours, class S>
  __device__ void write(S* row, i32 i, const Four<S>& four) const {
    const i32 x = i % kWidth, y = i / kWidth;
    if constexpr (fours) {
      if (holds(x, y)) *reinterpret_cast<Four<S>*>(row) = four;
    } else {
#pragma unroll
      for (i32 j = 0; j < 4; ++j) {
        if (holds(x + j, y)) row[j] = four.v[j];
      }
    }
  }
};

/// Counts. A block owns a tile. Shared memory: for every pixel its parent in the tile, and in one word the pixels below it so far (lower
/// half) and the nodes among its children still to come. Each pixel counts for its parent first; then nodes go up, and who brings a node's
/// last child goes on from it, or who brings what makes it reach the limit: nobody waits for the rest then. So a path is no longer than
/// there are grey levels, and long ones are begun in many places. d_below gets every pixel's count, and the tile's part of d_leaving the
/// nodes whose parent is outside (number, and count from bit 13 on).
template <bool fours>
__global__ void __launch_bounds__(kTileThreads, 4)
area_open_tile_kernel(const i32* __restrict__ d_parent, i32 width, i32 height, i32 across, u32* d_below, u32* d_leaving, u32* d_leave, u32 limit) {
  extern __shared__ u32 word[];
  u16* const up = reinterpret_cast<u16*>(word + kArea);
  u16* const start = up + kArea;  ///< nodes to go up from
  __shared__ u32 places;  ///< taken so far: of `start` (upper half) and of the tile's part of d_leaving
  const Tile tile(static_cast<i32>(blockIdx.x), across, width, height);
  u32 outside = 0, inside = 0;  ///< pixels whose parent is in another tile, or in this one
#pragma unroll
  for (i32 g = 0; g < kGroups; ++g) {
    const i32 i = Tile::group(g), p = tile.pixel(static_cast<u32>(i));
    const Four<i32> parents = tile.read<fours>(d_parent, i, -1);
    Four<u16> to;
#pragma unroll
    for (i32 j = 0; j < 4; ++j) {
      const i32 q = parents.v[j];
      const bool none = q < 0 || q == p + j;
      const u32 number = none ? kOutside : tile.number(q);
      to.v[j] = static_cast<u16>(number);
      outside |= static_cast<u32>(!none && number == kOutside) << (4 * g + j);
      inside |= static_cast<u32>(number != kOutside) << (4 * g + j);
    }
    *reinterpret_cast<Four<u16>*>(up + i) = to;
    *reinterpret_cast<Four<u32>*>(word + i) = Four<u32>{{0, 0, 0, 0}};
  }
  if (threadIdx.x == 0) places = 0;
  __syncthreads();
#pragma unroll
  for (i32 g = 0; g < kGroups; ++g) {
    const Four<u16> to = *reinterpret_cast<const Four<u16>*>(up + Tile::group(g));
#pragma unroll
    for (i32 j = 0; j < 4; ++j) {
      if (inside >> (4 * g + j) & 1) atomicAdd(word + to.v[j], 1u);
    }
  }
  __syncthreads();
  u32 nodes = 0;  ///< those that go up in the tile
#pragma unroll
  for (i32 g = 0; g < kGroups; ++g) {
    const Four<u32> words = *reinterpret_cast<const Four<u32>*>(word + Tile::group(g));
#pragma unroll
    for (i32 j = 0; j < 4; ++j) nodes |= static_cast<u32>(words.v[j] != 0) << (4 * g + j);
  }
  nodes &= inside;
  __syncthreads();
#pragma unroll
  for (i32 g = 0; g < kGroups; ++g) {
    const Four<u16> to = *reinterpret_cast<const Four<u16>*>(up + Tile::group(g));
#pragma unroll
    for (i32 j = 0; j < 4; ++j) {
      if (nodes >> (4 * g + j) & 1) atomicAdd(word + to.v[j], 1u << 16);
    }
  }
  __syncthreads();
  u32 begin = 0;  ///< nodes without nodes among their children, or that have reached the limit
#pragma unroll
  for (i32 g = 0; g < kGroups; ++g) {
    const Four<u32> words = *reinterpret_cast<const Four<u32>*>(word + Tile::group(g));
#pragma unroll
    for (i32 j = 0; j < 4; ++j) begin |= static_cast<u32>(words.v[j] >> 16 == 0 || (words.v[j] & 0xFFFF) >= limit) << (4 * g + j);
  }
  begin &= nodes;
  const u32 own = static_cast<u32>(__popc(begin)) << 16 | static_cast<u32>(__popc(outside)), upto = warp_inclusive_sum(own);
  u32 place = lane_id() == 31 ? atomicAdd(&places, upto) : 0;
  place = __shfl_sync(kFullWarp, place, 31) + upto - own;
  for (u32 at = place >> 16; begin && at < kStarts; begin &= begin - 1) start[at++] = static_cast<u16>(Tile::of_bit(__ffs(static_cast<int>(begin)) - 1));
  __syncthreads();
  // A lane takes its next way up as soon as the last one ends: one long way keeps nobody waiting. What the list cannot hold it has kept.
  const u32 listed = min(places >> 16, static_cast<u32>(kStarts));
  u32 next = threadIdx.x, at = 0, count = 0;
  bool busy = false;
  for (;;) {
    if (!busy && (begin || next < listed)) {
      u32 from;
      if (begin) {
        from = static_cast<u32>(Tile::of_bit(__ffs(static_cast<int>(begin)) - 1));
        begin &= begin - 1;
      } else {
        from = start[next];
        next += kTileThreads;
      }
      count = static_cast<const volatile u32*>(word)[from] & 0xFFFF;  // all of it, or enough to reach the limit
      at = up[from];
      busy = true;
    }
    if (!__any_sync(kFullWarp, busy)) break;
    if (busy) {
      const u32 above = up[at], old = atomicAdd(word + at, count - (1u << 16)), had = old & 0xFFFF;
      count += had;
      busy = had < limit && (count >= limit || old >> 16 == 1) && above != kOutside;
      at = above;
    }
  }
  __syncthreads();
#pragma unroll
  for (i32 g = 0; g < kGroups; ++g) {
    const i32 i = Tile::group(g);
    Four<u32> below = *reinterpret_cast<const Four<u32>*>(word + i);
#pragma unroll
    for (i32 j = 0; j < 4; ++j) below.v[j] &= 0xFFFF;
    tile.write<fours>(d_below + tile.pixel(static_cast<u32>(i)), i, below);
  }
  u32* to = d_leaving + tile.first() + (place & 0xFFFF);
  for (; outside; outside &= outside - 1) {
    const u32 i = static_cast<u32>(Tile::of_bit(__ffs(static_cast<int>(outside)) - 1));
    *to++ = i | (word[i] & 0xFFFF) << 13;
  }
  if (threadIdx.x == 0) d_leave[blockIdx.x] = places & 0xFFFF;
}

/// What leaves the tiles goes up in global memory: to each node on its way the pixels are added, until one has reached the limit (in its
/// tile, which all know by now, or by such additions) or is the root. A block owns a tile's list, and a lane takes its next place in it as
/// soon as it has carried the last one. A step waits once, for the next node's parent and area. No shared memory.
__global__ void __launch_bounds__(kCarryThreads)
area_open_carry_kernel(const i32* __restrict__ d_parent, i32 width, i32 height, i32 across, u32* d_below, const u32* __restrict__ d_leaving,
                       const u32* __restrict__ d_leave, u32 limit) {
  const Tile tile(static_cast<i32>(blockIdx.x), across, width, height);
  const u32* const list = d_leaving + tile.first();
  const u32 listed = d_leave[blockIdx.x];
  u32 next = threadIdx.x, count = 0, seen = 0;
  i32 node = -1, parent = -1;
  for (;;) {
    if (node < 0 && next < listed) {
      const u32 entry = list[next];
      next += kCarryThreads;
      count = (entry >> 13) + 1;
      node = d_parent[tile.pixel(entry & (kArea - 1))];
      parent = d_parent[node];
      seen = load_pixel(d_below + node);
    }
    if (!__any_sync(kFullWarp, node >= 0)) break;
    if (node >= 0) {
      if (seen < limit) atomicAdd(d_below + node, count);
      node = seen < limit && parent != node ? parent : -1;
      if (node >= 0) {
        parent = d_parent[node];
        seen = load_pixel(d_below + node);
      }
    }
  }
}

/// Nodes below the limit whose parent is in another tile point at their nearest ancestor that has reached it, or at the root. Blocks and
/// lanes as above; what others have put there meanwhile leads to the same place.
__global__ void __launch_bounds__(kCarryThreads)
area_open_shorten_tiles_kernel(i32* d_parent, i32 width, i32 height, i32 across, const u32* __restrict__ d_below, const u32* __restrict__ d_leaving,
                               const u32* __restrict__ d_leave, u32 limit) {
  const Tile tile(static_cast<i32>(blockIdx.x), across, width, height);
  const u32* const list = d_leaving + tile.first();
  const u32 listed = d_leave[blockIdx.x];
  u32 next = threadIdx.x;
  i32 own = 0, node = -1;
  for (;;) {
    if (node < 0 && next < listed) {
      own = tile.pixel(list[next] & (kArea - 1));
      next += kCarryThreads;
      if (d_below[own] < limit) node = static_cast<i32>(load_pixel(d_parent + own));
    }
    if (!__any_sync(kFullWarp, node >= 0 || next < listed)) break;
    if (node >= 0) {
      const i32 above = static_cast<i32>(load_pixel(d_parent + node));
      if (d_below[node] >= limit || above == node) {
        store_pixel(d_parent + own, static_cast<u32>(node));
        node = -1;
      } else {
        node = above;
      }
    }
  }
}

/// out = the value of the nearest ancestor that reaches the limit, or of the root; of oneself where one reaches it. Blocks and threads as in
/// the first kernel. Shared memory: every pixel's parent in the tile, itself where the search ends, and the value found there. Only nodes
/// look for the end, first a few steps, then by such steps; everybody else takes what its parent has found.
template <class T, bool fours>
__global__ void __launch_bounds__(kTileThreads, 4)
area_open_fill_kernel(const T* __restrict__ d_f, const i32* __restrict__ d_parent, i32 across, const u32* __restrict__ d_below, u32 limit, Image<T> out) {
  alignas(16) __shared__ u16 up[kArea], further[kArea];
  alignas(16) __shared__ T value[kArea];
  const Tile tile(static_cast<i32>(blockIdx.x), across, out.width, out.height);
  u32 nodes = 0;
#pragma unroll 2
  for (i32 g = 0; g < kGroups; ++g) {
    const i32 i = Tile::group(g);
    const Four<i32> parents = tile.read<fours>(d_parent, i, -1);
    const Four<u32> below = tile.read<fours>(d_below, i, limit);
    Four<T> values = tile.read<fours>(d_f, i, T{0});
    Four<u16> to;
#pragma unroll
    for (i32 j = 0; j < 4; ++j) {
      const u32 own = static_cast<u32>(i + j);
      u32 number = own;
      if (below.v[j] < limit) {
        number = tile.number(parents.v[j]);
        if (number == kOutside) {
          number = own;
          values.v[j] = d_f[parents.v[j]];
        }
      }
      to.v[j] = static_cast<u16>(number);
      nodes |= static_cast<u32>(number != own && below.v[j] != 0) << (4 * g + j);
    }
    *reinterpret_cast<Four<u16>*>(up + i) = to;
    *reinterpret_cast<Four<u16>*>(further + i) = to;
    *reinterpret_cast<Four<T>*>(value + i) = values;
  }
  __syncthreads();
  for (u32 rest = nodes; rest; rest &= rest - 1) {
    const i32 i = Tile::of_bit(__ffs(static_cast<int>(rest)) - 1);
    u32 to = up[i];
#pragma unroll
    for (i32 k = 1; k < kStride; ++k) to = up[to];
    further[i] = static_cast<u16>(to);
  }
  __syncthreads();
  u32 at = 0, to = 0, own = kArea;  // own: whose end is being looked for
  for (;;) {
    if (own == kArea && nodes) {
      own = static_cast<u32>(Tile::of_bit(__ffs(static_cast<int>(nodes)) - 1));
      nodes &= nodes - 1;
      to = further[own];
    }
    if (!__any_sync(kFullWarp, own != kArea)) break;
    if (own != kArea) {
      at = to;
      to = further[at];
      if (to == at) {
        up[own] = static_cast<u16>(at);
        own = kArea;
      }
    }
  }
  __syncthreads();
#pragma unroll
  for (i32 g = 0; g < kGroups; ++g) {
    const i32 i = Tile::group(g);
    const Four<u16> parents = *reinterpret_cast<const Four<u16>*>(up + i);
    Four<T> values;
#pragma unroll
    for (i32 j = 0; j < 4; ++j) values.v[j] = value[up[parents.v[j]]];
    if (i / kWidth < tile.h) tile.write<fours>(out.row(tile.y0 + i / kWidth) + tile.x0 + i % kWidth, i, values);
  }
}

template <class T, bool fours>
void open_by_tiles(Context& ctx, const T* d_f, i32* d_parent, View<T> out, u32 limit) {
  const Extent e = out.extent;
  const cudaStream_t stream = stream_of(ctx);
  const i32 across = static_cast<i32>(divide_up(e.width, kWidth));
  const u32 tiles = static_cast<u32>(across) * static_cast<u32>(divide_up(e.height, kHeight));
  u32 *d_below = ctx.workspace.take<u32>(static_cast<std::size_t>(e.area())), *d_leaving = ctx.workspace.take<u32>(static_cast<std::size_t>(e.area())),
      *d_leave = ctx.workspace.take<u32>(tiles);
  constexpr int shared = kArea * (sizeof(u32) + sizeof(u16)) + kStarts * sizeof(u16);
  MORPHO_CUDA(cudaFuncSetAttribute(area_open_tile_kernel<fours>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  area_open_tile_kernel<fours><<<tiles, kTileThreads, shared, stream>>>(d_parent, e.width, e.height, across, d_below, d_leaving, d_leave, limit);
  check_launch("area_open_tile_kernel");
  area_open_carry_kernel<<<tiles, kCarryThreads, 0, stream>>>(d_parent, e.width, e.height, across, d_below, d_leaving, d_leave, limit);
  check_launch("area_open_carry_kernel");
  area_open_shorten_tiles_kernel<<<tiles, kCarryThreads, 0, stream>>>(d_parent, e.width, e.height, across, d_below, d_leaving, d_leave, limit);
  check_launch("area_open_shorten_tiles_kernel");
  area_open_fill_kernel<T, fours><<<tiles, kTileThreads, 0, stream>>>(d_f, d_parent, across, d_below, limit, Image<T>(out));
  check_launch("area_open_fill_kernel");
}

template <class T>
void open_by_tiles(Context& ctx, const T* d_f, i32* d_parent, View<T> out, u32 limit) {
  const auto begins = [](const T* p) { return reinterpret_cast<std::uintptr_t>(p) % (4 * sizeof(T)) == 0; };
  if (out.extent.width % 4 == 0 && out.stride % 4 == 0 && begins(d_f) && begins(out.data)) open_by_tiles<T, true>(ctx, d_f, d_parent, out, limit);
  else open_by_tiles<T, false>(ctx, d_f, d_parent, out, limit);
}

// The way for deep trees, where many tiles would carry over long paths: exact areas of all nodes, every node once.

/// A node's area so far in the upper half; in the lower one the children still to come, and a bit that stays: it has, or had, children.
using Sum = unsigned long long;
constexpr u32 kHadChildren = 0x80000000u;

/// Adds each node's own pixels to its area (kept at its canonical pixel) and counts its children. One thread a pixel; a warp whose pixels
/// all belong to one node adds once. No shared memory.
template <class T>
__global__ void area_open_count_kernel(const T* d_f, const i32* d_parent, i64 n, Sum* d_sum) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool inside = t < n;
  const i32 p = inside ? static_cast<i32>(t) : 0;
  const i32 q = inside ? d_parent[p] : -1;
  const bool node = inside && canonical(d_f, p, q);
  const i32 to = node ? p : q;
  if (__all_sync(kFullWarp, __shfl_sync(kFullWarp, to, 0) == to)) {
    if (lane_id() == 0 && inside) atomicAdd(d_sum + to, Sum{32} << 32);
  } else if (inside) {
    atomicAdd(d_sum + to, Sum{1} << 32);
  }
  if (node && q != p) {
    const Sum old = atomicAdd(d_sum + q, Sum{1});
    if (static_cast<u32>(old) == 0) atomicAdd(d_sum + q, Sum{kHadChildren});
  }
}

/// Carries areas up. A thread owns one leaf; whoever brings the last child of a node goes on from that node, with one atomic a node. A
/// path has no more nodes than there are grey levels.
template <class T>
__global__ void area_open_climb_kernel(const T* d_f, const i32* d_parent, i64 n, Sum* d_sum) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= n) return;
  i32 p = static_cast<i32>(t), q = d_parent[p];
  if (!canonical(d_f, p, q)) return;
  const Sum own = DeviceAtomic<Sum>(d_sum[p]).load(cuda::memory_order_relaxed);
  if (static_cast<u32>(own) != 0) return;  // not a leaf
  Sum area = own >> 32;
  while (q != p) {
    const Sum old = atomicAdd(d_sum + q, (area << 32) - 1);
    if ((static_cast<u32>(old) & ~kHadChildren) != 1) return;
    area += old >> 32;
    p = q;
    q = d_parent[p];
  }
}

/// Lets removed nodes point at their nearest kept ancestor. One thread a pixel; others' shortcuts lead to the same places.
template <class T>
__global__ void area_open_shorten_kernel(const T* d_f, i32* d_parent, i64 n, const Sum* d_sum, Sum least) {
  const i64 t = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const i32 p = static_cast<i32>(t), q = static_cast<i32>(load_pixel(d_parent + p));
  if (!canonical(d_f, p, q) || q == p || d_sum[p] >> 32 >= least) return;
  i32 kept = q;
  while (d_sum[kept] >> 32 < least) {
    const i32 up = static_cast<i32>(load_pixel(d_parent + kept));
    if (up == kept) break;  // the root is always kept
    kept = up;
  }
  if (kept != q) store_pixel(d_parent + p, static_cast<u32>(kept));
}

/// out = the value of the nearest kept ancestor. One thread a pixel of every gridDim.y-th row.
template <class T>
__global__ void area_open_write_kernel(const T* d_f, const i32* d_parent, const Sum* d_sum, Sum least, Image<T> out) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= out.width) return;
  for (i32 y = blockIdx.y; y < out.height; y += gridDim.y) {
    const i32 p = y * out.width + x;
    const i32 q = d_parent[p];
    const i32 node = canonical(d_f, p, q) ? p : q;
    const i32 above = node == p ? q : d_parent[node];
    out.at(x, y) = d_sum[node] >> 32 >= least ? d_f[node] : d_f[above];
  }
}

template <class T>
void open_deep(Context& ctx, const T* d_f, i32* d_parent, View<T> out, Sum least) {
  const cudaStream_t stream = stream_of(ctx);
  const Extent e = out.extent;
  const i64 n = e.area();
  Sum* d_sum = ctx.workspace.take<Sum>(static_cast<std::size_t>(n));
  set_bytes(ctx, d_sum, 0, static_cast<std::size_t>(n));
  const u32 blocks = blocks_for(n, kThreads);
  area_open_count_kernel<T><<<blocks, kThreads, 0, stream>>>(d_f, d_parent, n, d_sum);
  check_launch("area_open_count_kernel");
  area_open_climb_kernel<T><<<blocks, kThreads, 0, stream>>>(d_f, d_parent, n, d_sum);
  check_launch("area_open_climb_kernel");
  area_open_shorten_kernel<T><<<blocks, kThreads, 0, stream>>>(d_f, d_parent, n, d_sum, least);
  check_launch("area_open_shorten_kernel");
  const dim3 rows(blocks_for(e.width, kThreads), static_cast<u32>(std::min<i64>(divide_up(e.height, 8), 65535)));
  area_open_write_kernel<T><<<rows, kThreads, 0, stream>>>(d_f, d_parent, d_sum, least, Image<T>(out));
  check_launch("area_open_write_kernel");
}

/// Paths below the limit are no longer than this by tiles: their nodes have fewer pixels than the limit, and different values.
constexpr i32 kLongestPath = 256;

template <class T>
void open(Context& ctx, View<const T> f, View<T> out, const AreaOpenParams& params) {
  if (params.area == 1) return copy_rows(ctx, f, out);
  const Workspace::Scope scope(ctx.workspace);
  const T* d_f = flat_rows(ctx, f);
  i32* d_parent = ctx.workspace.take<i32>(static_cast<std::size_t>(f.extent.area()));
  const T flip = params.closing ? std::numeric_limits<T>::max() : T{0};
  const bool by_tiles = sizeof(T) == 1 || params.area <= kLongestPath;
  max_tree_parent<T>(ctx, d_f, f.extent, d_parent, flip, params.connectivity == Connectivity::eight, !by_tiles);
  ctx.check_cancelled();
  if (by_tiles) open_by_tiles(ctx, d_f, d_parent, out, static_cast<u32>(params.area - 1));
  else open_deep(ctx, d_f, d_parent, out, static_cast<Sum>(params.area));
}

}  // namespace

/// Shape: f, out [h, w] u8 or u16. Units: area in pixels, at least 1; components of at least `area` pixels stay. Reach: global. Unique.
/// Cost: the max-tree's parents and two passes over the pixels; u16 with areas above 256: four passes and one atomic a node. Memory: 8
/// bytes a pixel (such u16: 12), and f's type where f has a stride. Sync: none.
/// Source: Vincent 1993 (area openings); Salembier 1998 (by max-tree, an increasing criterion). Carrying up to the limit is ours.
void area_open(Context& ctx, ConstPlane f, Plane out, const AreaOpenParams& params) {
  check::area_open(f, out, params);
  if (f.extent.empty()) return;
  ctx.check_cancelled();
  if (f.type == PixelType::u8) open<u8>(ctx, f.view<u8>(), out.view<u8>(), params);
  else open<u16>(ctx, f.view<u16>(), out.view<u16>(), params);
}

}  // namespace morpho::gpu
