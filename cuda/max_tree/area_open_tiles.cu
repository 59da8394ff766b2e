// Area opening on the tree of a shallow image: counted and filled by tiles.
#include "cuda/max_tree/area_open.cuh"
#include "cuda/max_tree/area_open_tile.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

using namespace opening;

// Every pixel counts for its parent, and so on up: a node's area is the number of pixels below it in the parent image, so
// nobody has to know which pixels are canonical. Tiles (the tree's) count in shared memory; what leaves a tile is then carried
// on in global memory. Only whether an area reaches the limit matters. So whatever finds that a node has reached it goes no
// further: all that had been counted there before has gone on to its ancestors, or was stopped at one in the same way, so that
// they reach the limit too. Nodes that stay below it stopped nothing, nor did any below them: their counts are exact. The order
// of additions does not show.

/// Nodes that a list holds: with them a block has 54 and 56 KiB of shared memory, so that four fit on a multiprocessor of an
/// H200, and one on those of all GPUs since sm_75.
constexpr u32 kStarts = 3000, kNodes = 4000;
constexpr i32 kClimbs = 4;  ///< steps up between two looks at who has finished
constexpr i32 kSteps = 4;   ///< steps to where a node's search ends, made at a time
constexpr u32 kCarryThreads = 256;

/// A tile's counts, in shared memory, and the phases of the kernel that makes them: each is called by the whole block, with a
/// barrier of the kernel's between two. A thread owns the pixels of its groups (area_open_tile.cuh), of which it keeps masks.
struct TileCounts {
  const Tile& tile;
  u32* word;  ///< shared: the pixels below each pixel so far (lower half), and the nodes among its children still to come
  u16* up;    ///< shared: each pixel's parent in the tile, or kOutside, which has a word too: nobody's

  /// Parents to shared memory, and words empty. `outside`, `inside`: the thread's pixels with a parent in another tile, in
  /// this.
  template <bool fours>
  __device__ __forceinline__ void read_parents(const i32* __restrict__ d_parent, u32& outside, u32& inside) const {
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
    if (threadIdx.x == 0) word[kArea] = 0;
  }

  /// Every pixel counts for its parent.
  __device__ __forceinline__ void count_pixels() const {
#pragma unroll
    for (i32 g = 0; g < kGroups; ++g) {
      const Four<u16> to = *reinterpret_cast<const Four<u16>*>(up + Tile::group(g));
#pragma unroll
      for (i32 j = 0; j < 4; ++j) atomicAdd(word + to.v[j], 1u);
    }
  }
  /// Those of `nodes` tell their parent that they will come.
  __device__ __forceinline__ void count_nodes(u32 nodes) const {
#pragma unroll
    for (i32 g = 0; g < kGroups; ++g) {
      const Four<u16> to = *reinterpret_cast<const Four<u16>*>(up + Tile::group(g));
#pragma unroll
      for (i32 j = 0; j < 4; ++j) {
        if (nodes >> (4 * g + j) & 1) atomicAdd(word + to.v[j], 1u << 16);
      }
    }
  }
  /// The thread's pixels whose word is as asked.
  template <class Asked>
  __device__ __forceinline__ u32 which(Asked asked) const {
    u32 mask = 0;
#pragma unroll
    for (i32 g = 0; g < kGroups; ++g) {
      const Four<u32> words = *reinterpret_cast<const Four<u32>*>(word + Tile::group(g));
#pragma unroll
      for (i32 j = 0; j < 4; ++j) mask |= static_cast<u32>(asked(words.v[j])) << (4 * g + j);
    }
    return mask;
  }

  /// Nodes go up: who brings a node's last child goes on from it, or who brings what makes it reach the limit: nobody waits for
  /// the rest then. So a path is no longer than there are grey levels, and long ones are begun in many places. A lane takes its
  /// next way up as soon as the last one ends: one long way keeps nobody waiting. What the list cannot hold it has kept.
  __device__ __forceinline__ void climb(const u16* start, u32 listed, u32 kept, u32 limit) const {
    u32 next = threadIdx.x, at = 0, count = 0;
    bool busy = false;
    for (;;) {
      if (!busy && (kept || next < listed)) {
        const bool own = kept != 0;
        const u32 from = own ? take(kept) : start[next];
        if (!own) next += kTileThreads;
        count = static_cast<const volatile u32*>(word)[from] & 0xFFFF;  // all of it, or enough to reach the limit
        at = up[from];
        busy = true;
      }
      if (!__any_sync(kFullWarp, busy)) break;
#pragma unroll
      for (i32 k = 0; busy && k < kClimbs; ++k) {
        const u32 above = up[at], old = atomicAdd(word + at, count - (1u << 16)), had = old & 0xFFFF;
        count += had;
        at = above;
        busy = had < limit && (count >= limit || old >> 16 == 1) && at != kOutside;
      }
    }
  }

  template <bool fours>
  __device__ __forceinline__ void write_counts(u32* d_below) const {
#pragma unroll
    for (i32 g = 0; g < kGroups; ++g) {
      const i32 i = Tile::group(g);
      Four<u32> below = *reinterpret_cast<const Four<u32>*>(word + i);
#pragma unroll
      for (i32 j = 0; j < 4; ++j) below.v[j] &= 0xFFFF;
      tile.write<fours>(d_below + tile.pixel(static_cast<u32>(i)), i, below);
    }
  }
  /// The thread's nodes whose parent is outside: number, and count from bit 13 on.
  __device__ __forceinline__ void write_leaving(u32 outside, u32* to) const {
    while (outside) {
      const u32 i = take(outside);
      *to++ = i | (word[i] & 0xFFFF) << 13;
    }
  }
};

/// Counts. A block owns a tile. Each pixel counts for its parent first; then nodes go up, beginning with those that wait for no
/// child or have reached the limit. d_below gets every pixel's count, and the tile's part of d_leaving the nodes whose parent
/// is outside. Ends because parents lead up, and every way ends at another that is to come, at the limit or outside.
template <bool fours>
__global__ void __launch_bounds__(kTileThreads, 4)
    area_open_tile_kernel(const i32* __restrict__ d_parent, i32 width, i32 height, i32 across, u32* d_below, u32* d_leaving,
                          u32* d_leave, u32 limit) {
  extern __shared__ u32 word[];
  u16* const up = reinterpret_cast<u16*>(word + kArea + 4);
  u16* const start = up + kArea;  ///< nodes to go up from
  __shared__ u32 places;          ///< taken so far: of `start` (upper half) and of the tile's part of d_leaving
  const Tile tile(static_cast<i32>(blockIdx.x), across, width, height);
  const TileCounts counts{tile, word, up};
  u32 outside = 0, inside = 0;
  counts.read_parents<fours>(d_parent, outside, inside);
  if (threadIdx.x == 0) places = 0;
  __syncthreads();
  counts.count_pixels();
  __syncthreads();
  const u32 nodes = counts.which([](u32 count) { return count != 0; }) & inside;
  __syncthreads();
  counts.count_nodes(nodes);
  __syncthreads();
  u32 begin = counts.which([&](u32 count) { return count >> 16 == 0 || (count & 0xFFFF) >= limit; }) & nodes;
  const u32 own = static_cast<u32>(__popc(begin)) << 16 | static_cast<u32>(__popc(outside)), place = places_for(own, places);
  put(start, kStarts, begin, place >> 16);
  __syncthreads();
  counts.climb(start, min(places >> 16, kStarts), begin, limit);
  __syncthreads();
  counts.write_counts<fours>(d_below);
  counts.write_leaving(outside, d_leaving + tile.first() + (place & 0xFFFF));
  if (threadIdx.x == 0) d_leave[blockIdx.x] = places & 0xFFFF;
}

/// What leaves the tiles goes up in global memory: to each node on its way the pixels are added, until one has reached the
/// limit (in its tile, which all know by now, or by such additions) or is the root. A block owns a tile's list, and a lane
/// takes its next place in it as soon as it has carried the last one. A step waits once, for the next node's parent and area.
/// Shared memory: the places taken.
__global__ void __launch_bounds__(kCarryThreads)
    area_open_carry_kernel(const i32* __restrict__ d_parent, i32 width, i32 height, i32 across, u32* d_below,
                           const u32* __restrict__ d_leaving, const u32* __restrict__ d_leave, u32 limit) {
  const Tile tile(static_cast<i32>(blockIdx.x), across, width, height);
  const u32* const list = d_leaving + tile.first();
  const u32 listed = d_leave[blockIdx.x];
  __shared__ u32 taken;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  u32 count = 0, seen = 0, next_count = 0;
  i32 node = -1, parent = -1, next_node = -1;
  bool more = true;
  const auto fetch = [&] {  // the next place's node, while others go up
    next_node = -1;
    const u32 place = more ? atomicAdd(&taken, 1u) : listed;
    more = place < listed;
    if (!more) return;
    const u32 entry = list[place];
    next_count = (entry >> 13) + 1;
    next_node = d_parent[tile.pixel(entry & (kArea - 1))];
  };
  fetch();
  for (;;) {
    if (node < 0 && next_node >= 0) {
      node = next_node;
      count = next_count;
      parent = d_parent[node];
      seen = load_pixel(d_below + node);
      fetch();
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

/// Nodes below the limit whose parent is in another tile point at their nearest ancestor that has reached it, or at the root.
/// Blocks as above, and every lane has its share of the list; what others have put there meanwhile leads to the same place.
__global__ void __launch_bounds__(kCarryThreads)
    area_open_shorten_tiles_kernel(i32* d_parent, i32 width, i32 height, i32 across, const u32* __restrict__ d_below,
                                   const u32* __restrict__ d_leaving, const u32* __restrict__ d_leave, u32 limit) {
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

/// Shared memory of the next kernel. Pixels are named by twice their number there: where their entries lie.
template <class T>
struct FillShared {
  u16 up[kArea], further[kArea];  ///< ways to where a pixel's search ends; there they lead to themselves
  T value[kArea];                 ///< at the ends
  u16 node[kNodes];
  u32 nodes;
};
__device__ u32 entry(const u16* entries, u32 twice) {
  return *reinterpret_cast<const u16*>(reinterpret_cast<const char*>(entries) + twice);
}

/// For every listed node kSteps steps, or the last ones (as many as it takes), by the entries of others: nobody reads what is
/// written.
template <bool last>
__device__ void follow(const u16* from, u16* to, const u16* list, u32 listed, u32 unlisted) {
  const auto go = [&](u32 node) {
    u32 at = entry(from, 2 * node);
    if constexpr (last) {
      for (u32 next = entry(from, at); next != at; next = entry(from, at)) at = next;
    } else {
#pragma unroll
      for (i32 k = 1; k < kSteps; ++k) at = entry(from, at);
    }
    to[node] = static_cast<u16>(at);
  };
  for (u32 n = threadIdx.x; n < listed; n += kTileThreads) go(list[n]);
  while (unlisted) go(take(unlisted));
}

/// out = the value of the nearest ancestor that reaches the limit, or of the root; of oneself where one reaches it. Blocks and
/// threads as in the first kernel. Only nodes below the limit look for the end, by single steps, then by steps of kSteps, then
/// of kSteps * kSteps; everybody else takes what its parent has found.
template <class T, bool fours>
__global__ void __launch_bounds__(kTileThreads, 4)
    area_open_fill_kernel(const T* __restrict__ d_f, const i32* __restrict__ d_parent, i32 across,
                          const u32* __restrict__ d_below, u32 limit, Image<T> out) {
  extern __shared__ uint4 shared_words[];
  FillShared<T>& shared = *reinterpret_cast<FillShared<T>*>(shared_words);
  const Tile tile(static_cast<i32>(blockIdx.x), across, out.width, out.height);
  if (threadIdx.x == 0) shared.nodes = 0;
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
      to.v[j] = static_cast<u16>(2 * number);
      nodes |= static_cast<u32>(number != own && below.v[j] != 0) << (4 * g + j);
    }
    *reinterpret_cast<Four<u16>*>(shared.up + i) = to;
    *reinterpret_cast<Four<u16>*>(shared.further + i) = to;
    *reinterpret_cast<Four<T>*>(shared.value + i) = values;
  }
  __syncthreads();
  put(shared.node, kNodes, nodes, places_for(static_cast<u32>(__popc(nodes)), shared.nodes));
  __syncthreads();
  const u32 listed = min(shared.nodes, kNodes);
  follow<false>(shared.up, shared.further, shared.node, listed, nodes);
  __syncthreads();
  follow<false>(shared.further, shared.up, shared.node, listed, nodes);
  __syncthreads();
  follow<true>(shared.up, shared.further, shared.node, listed, nodes);
  __syncthreads();
#pragma unroll
  for (i32 g = 0; g < kGroups; ++g) {
    const i32 i = Tile::group(g);
    const Four<u16> parents = *reinterpret_cast<const Four<u16>*>(shared.further + i);
    Four<T> values;
#pragma unroll
    for (i32 j = 0; j < 4; ++j) values.v[j] = shared.value[entry(shared.further, parents.v[j]) / 2];
    if (i / kWidth < tile.h) tile.write<fours>(out.row(tile.y0 + i / kWidth) + tile.x0 + i % kWidth, i, values);
  }
}

template <class T, bool fours>
void open_by_tiles(Context& ctx, const T* d_f, i32* d_parent, View<T> out, u32 limit) {
  const Extent e = out.extent;
  const cudaStream_t stream = stream_of(ctx);
  const i32 across = static_cast<i32>(divide_up(e.width, kWidth));
  const u32 tiles = static_cast<u32>(across) * static_cast<u32>(divide_up(e.height, kHeight));
  const std::size_t n = static_cast<std::size_t>(e.area());
  u32 *d_below = ctx.workspace.take<u32>(n), *d_leaving = ctx.workspace.take<u32>(n), *d_leave = ctx.workspace.take<u32>(tiles);
  constexpr int shared = (kArea + 4) * sizeof(u32) + (kArea + kStarts) * sizeof(u16);
  allow_dynamic_shared(area_open_tile_kernel<fours>, shared);
  area_open_tile_kernel<fours>
      <<<tiles, kTileThreads, shared, stream>>>(d_parent, e.width, e.height, across, d_below, d_leaving, d_leave, limit);
  check_launch("area_open_tile_kernel");
  area_open_carry_kernel<<<tiles, kCarryThreads, 0, stream>>>(d_parent, e.width, e.height, across, d_below, d_leaving, d_leave,
                                                              limit);
  check_launch("area_open_carry_kernel");
  area_open_shorten_tiles_kernel<<<tiles, kCarryThreads, 0, stream>>>(d_parent, e.width, e.height, across, d_below, d_leaving,
                                                                      d_leave, limit);
  check_launch("area_open_shorten_tiles_kernel");
  constexpr int fill_shared = static_cast<int>(sizeof(FillShared<T>));
  allow_dynamic_shared(area_open_fill_kernel<T, fours>, fill_shared);
  area_open_fill_kernel<T, fours>
      <<<tiles, kTileThreads, fill_shared, stream>>>(d_f, d_parent, across, d_below, limit, Image<T>(out));
  check_launch("area_open_fill_kernel");
}

}  // namespace

template <class T>
void area_open_by_tiles(Context& ctx, const T* d_f, i32* d_parent, View<T> out, u32 limit) {
  const auto begins = [](const T* p) { return reinterpret_cast<std::uintptr_t>(p) % (4 * sizeof(T)) == 0; };
  if (out.extent.width % 4 == 0 && out.stride % 4 == 0 && begins(d_f) && begins(out.data))
    open_by_tiles<T, true>(ctx, d_f, d_parent, out, limit);
  else open_by_tiles<T, false>(ctx, d_f, d_parent, out, limit);
}
template void area_open_by_tiles<u8>(Context&, const u8*, i32*, View<u8>, u32);
template void area_open_by_tiles<u16>(Context&, const u16*, i32*, View<u16>, u32);

}  // namespace morpho::gpu
