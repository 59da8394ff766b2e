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
// nobody has to know which pixels are canonical. Tiles count in shared memory; what leaves a tile is carried on in global memory. Only
// whether an area reaches the limit matters. So whatever finds that a node has reached it goes no further: all that had been counted there
// before has gone on to its ancestors, or was stopped at one in the same way, so that they reach the limit too. Nodes that stay below it
// stopped nothing, nor did any below them: their counts are exact. The order of additions does not show.

constexpr i32 kSide = 64, kArea = kSide * kSide, kSlots = 1024, kProbes = 8;
constexpr u32 kOutside = 0xFFFF;

/// A tile's place, and pixels' numbers in it.
struct Tile {
  i32 x0, y0, w, h, width;
  float by_width;
  __device__ Tile(i32 tile, i32 across, i32 width_, i32 height)
      : x0(tile % across * kSide), y0(tile / across * kSide), w(min(kSide, width_ - x0)), h(min(kSide, height - y0)), width(width_),
        by_width(1.0f / static_cast<float>(width_)) {}
  __device__ bool holds(i32 i) const { return i % kSide < w && i / kSide < h; }
  __device__ i32 pixel(i32 i) const { return (y0 + i / kSide) * width + x0 + i % kSide; }
  /// The number of pixel q in the tile, or kOutside.
  __device__ u32 number(i32 q) const {
    const i32 from = q - y0 * width;
    if (from < 0 || from >= h * width) return kOutside;
    // Rows of the tile are few, so the estimate is off by one row at most.
    i32 y = static_cast<i32>(static_cast<float>(from) * by_width), x = from - y * width;
    if (x < 0) --y, x += width;
    if (x >= width) ++y, x -= width;
    x -= x0;
    return x >= 0 && x < w ? static_cast<u32>(y * kSide + x) : kOutside;
  }
};

/// Pixels on their way up: the node that gets them next, its parent, and its area without its own pixel as it was seen.
struct Carried {
  i32 node = -1, parent = -1;  ///< node < 0: arrived
  u32 count = 0, seen = 0;
};
__device__ Carried carried(const i32* d_parent, const u32* d_below, i32 node, u32 count) {
  return {node, d_parent[node], count, load_pixel(d_below + node)};
}
/// Adds the pixels to their node; they end there where it has reached the limit, or is the root. What the next step needs is read while
/// the addition is under way, so that a step waits once.
__device__ void carry_step(const i32* d_parent, u32* d_below, Carried& c, u32 limit) {
  if (c.seen >= limit) {
    c.node = -1;
    return;
  }
  const Carried next = carried(d_parent, d_below, c.parent, c.count);
  const u32 was = atomicAdd(d_below + c.node, c.count);
  const bool ends = was >= limit || c.parent == c.node;
  c = next;
  if (ends) c.node = -1;
}

/// Counts. A block owns a tile of 64x64, a thread 16 pixels. Shared memory: for every pixel its parent in the tile, and in one word the
/// pixels below it so far (upper half) and the children still to come; whoever brings a pixel's last child goes on from it, so a path is no
/// longer than there are grey levels. What leaves the tile for one node is summed in a small table, or goes on by itself where that is full;
/// the table's places are listed as they are taken, so that all lanes have something to carry at the end.
__global__ void __launch_bounds__(kThreads)
area_open_tile_kernel(const i32* d_parent, i32 width, i32 height, i32 across, u32* d_below, u32 limit) {
  __shared__ u32 word[kArea];
  __shared__ u16 up[kArea];
  __shared__ i32 slot_node[kSlots];
  __shared__ u32 slot_count[kSlots];
  __shared__ u16 taken[kSlots];
  __shared__ u32 takes;
  const Tile tile(static_cast<i32>(blockIdx.x), across, width, height);
  const i32 thread = static_cast<i32>(threadIdx.x);
#pragma unroll 4
  for (i32 i = thread; i < kArea; i += kThreads) {
    const i32 p = tile.pixel(i), q = tile.holds(i) ? d_parent[p] : -1;
    up[i] = static_cast<u16>(q < 0 || q == p ? kOutside : tile.number(q));
    word[i] = 1u << 16;
  }
  for (i32 i = thread; i < kSlots; i += kThreads) slot_node[i] = -1, slot_count[i] = 0;
  if (thread == 0) takes = 0;
  __syncthreads();
  for (i32 i = thread; i < kArea; i += kThreads) {
    const u32 q = up[i];
    const LaneRun run(q);
    if (q != kOutside && run.leads()) atomicAdd(word + q, static_cast<u32>(run.end - run.first));
  }
  __syncthreads();
  u32 leaves = 0;
  for (i32 k = 0; k < kArea / kThreads; ++k) leaves |= static_cast<u32>((word[thread + k * kThreads] & 0xFFFF) == 0) << k;
  __syncthreads();
  u32 goes = 0;  ///< leaves that came last to their parent
  for (i32 k = 0; k < kArea / kThreads; ++k) {
    const u32 q = leaves >> k & 1 ? up[thread + k * kThreads] : kOutside;
    const LaneRun run(q);
    if (q != kOutside && run.leads()) {  // leaves side by side come as one, one pixel each
      const u32 children = static_cast<u32>(run.end - run.first);
      if ((atomicAdd(word + q, (children << 16) - children) & 0xFFFF) == children) goes |= 1u << k;
    }
    __syncwarp();
  }
  // A lane takes its next way up as soon as the last one ends: one long way keeps nobody waiting.
  u32 at = kOutside;
  for (;;) {
    if (at == kOutside && goes) {
      at = up[thread + (__ffs(goes) - 1) * kThreads];
      goes &= goes - 1;
    }
    if (!__any_sync(kFullWarp, at != kOutside)) break;
    if (at == kOutside) continue;
    const u32 q = up[at], below = static_cast<const volatile u32*>(word)[at] >> 16;  // all of it: the last child has come
    at = q != kOutside && (atomicAdd(word + q, (below << 16) - 1) & 0xFFFF) == 1 ? q : kOutside;
  }
  __syncthreads();
  for (i32 i = thread; i < kArea; i += kThreads) {
    const u32 area = word[i] >> 16;
    const i32 p = tile.pixel(i);
    const bool inside = tile.holds(i);
    if (inside && area > 1) atomicAdd(d_below + p, area - 1);
    i32 q = inside && up[i] == kOutside ? d_parent[p] : -1;
    if (q == p) q = -1;
    if (__any_sync(kFullWarp, q >= 0)) {
      const LaneRun run(static_cast<u32>(q));
      const u32 sum = warp_inclusive_sum(area), before = __shfl_sync(kFullWarp, sum - area, run.first);
      if (q >= 0 && run.end - 1 == static_cast<i32>(lane_id())) {
        const u32 slot = static_cast<u32>(q) * 2654435761u >> 22;
        i32 probe = 0;
        for (; probe < kProbes; ++probe) {
          const u32 at = (slot + static_cast<u32>(probe)) % kSlots;
          i32 had = static_cast<volatile i32*>(slot_node)[at];  // once taken, a slot stays its node's
          if (had == -1) {
            had = atomicCAS(slot_node + at, -1, q);
            if (had == -1) taken[atomicAdd(&takes, 1u)] = static_cast<u16>(at);
          }
          if (had != -1 && had != q) continue;
          atomicAdd(slot_count + at, sum - before);
          break;
        }
        if (probe == kProbes) {
          for (Carried c = carried(d_parent, d_below, q, sum - before); c.node >= 0;) carry_step(d_parent, d_below, c, limit);
        }
      }
      __syncwarp();
    }
  }
  __syncthreads();
  // A lane takes its next place as soon as it has carried the last one.
  Carried c;
  u32 next = threadIdx.x;
  for (;;) {
    if (c.node < 0 && next < takes) {
      c = carried(d_parent, d_below, slot_node[taken[next]], slot_count[taken[next]]);
      next += kThreads;
    }
    if (!__any_sync(kFullWarp, c.node >= 0)) break;
    if (c.node >= 0) carry_step(d_parent, d_below, c, limit);
  }
}

/// out = the value of the nearest ancestor that reaches the limit, or of the root; of oneself where one reaches it. Blocks, threads and
/// paths as above. Shared memory: every pixel's parent in the tile, itself where the search ends, and the value found there.
template <class T>
__global__ void __launch_bounds__(kThreads)
area_open_fill_kernel(const T* d_f, const i32* d_parent, i32 across, const u32* d_below, u32 limit, Image<T> out) {
  __shared__ u16 up[kArea];
  __shared__ T value[kArea];
  const Tile tile(static_cast<i32>(blockIdx.x), across, out.width, out.height);
  const i32 thread = static_cast<i32>(threadIdx.x);
#pragma unroll 4
  for (i32 i = thread; i < kArea; i += kThreads) {
    if (!tile.holds(i)) continue;
    const i32 p = tile.pixel(i);
    i32 q = d_parent[p];
    T v = d_f[p];
    u32 to = static_cast<u32>(i);
    if (q != p && d_below[p] < limit) {
      const u32 number = tile.number(q);
      if (number != kOutside) {
        to = number;
      } else {
        for (i32 above = d_parent[q]; above != q && d_below[q] < limit; above = d_parent[q]) q = above;
        v = d_f[q];
      }
    }
    up[i] = static_cast<u16>(to);
    value[i] = v;
  }
  __syncthreads();
  for (i32 i = thread; i < kArea; i += kThreads) {
    u32 at = static_cast<u32>(i), to = tile.holds(i) ? up[at] : at;
    while (__any_sync(kFullWarp, to != at)) {  // together: lanes that part here stay apart
      at = to;
      to = tile.holds(i) ? up[at] : at;
    }
    if (tile.holds(i)) out.at(tile.x0 + i % kSide, tile.y0 + i / kSide) = value[at];
  }
}

template <class T>
void open_by_tiles(Context& ctx, const T* d_f, const i32* d_parent, View<T> out, u32 limit) {
  const Extent e = out.extent;
  const cudaStream_t stream = stream_of(ctx);
  u32* d_below = ctx.workspace.take<u32>(static_cast<std::size_t>(e.area()));
  set_bytes(ctx, d_below, 0, static_cast<std::size_t>(e.area()));
  const i32 across = static_cast<i32>(divide_up(e.width, kSide));
  const u32 tiles = static_cast<u32>(across) * static_cast<u32>(divide_up(e.height, kSide));
  area_open_tile_kernel<<<tiles, kThreads, 0, stream>>>(d_parent, e.width, e.height, across, d_below, limit);
  check_launch("area_open_tile_kernel");
  area_open_fill_kernel<T><<<tiles, kThreads, 0, stream>>>(d_f, d_parent, across, d_below, limit, Image<T>(out));
  check_launch("area_open_fill_kernel");
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
  max_tree_parent<T>(ctx, d_f, f.extent, d_parent, flip, params.connectivity == Connectivity::eight);
  ctx.check_cancelled();
  if (sizeof(T) == 1 || params.area <= kLongestPath) open_by_tiles(ctx, d_f, d_parent, out, static_cast<u32>(params.area - 1));
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
