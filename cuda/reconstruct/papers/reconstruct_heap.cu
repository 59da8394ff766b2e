// PH_GPU: reconstruction by wavefronts that the highest pixels lead, one heap a block, many pixels a node (He 2016).
#include <algorithm>

#include "cuda/reconstruct/papers/reconstruct_papers.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

constexpr u32 kNode = 128;  ///< the paper's r: pixels of a node, and threads of a block, one for each
/// Pixels that can be sorted at once: the new ones of a round (8 r), the root's, another node's, and what was left.
constexpr u32 kBuffer = 2048;
constexpr u32 kScanThreads = 256;

/// A pixel in a heap: its value when it was queued in the high word, its index in the low one. 0: none (a queued pixel is above
/// 0).
using Item = unsigned long long;
__device__ Item item_of(u32 value, u32 pixel) { return static_cast<Item>(value) << 32 | pixel; }

struct HeapArgs {
  RaisedPair p;
  Item* d_heap;   ///< [blocks][nodes][kNode], node k's children being 2k + 1 and 2k + 2, each falling
  u32* d_seeds;   ///< pixels from which a wave starts
  u32* d_counts;  ///< how many those are; 1 where a pixel was dropped
  u32 nodes;      ///< of a block's heap
  u32 seeds;      ///< room for them
};

/// Lists the pixels that would raise a neighbour. One thread a pixel; a block sums its finds and reserves their places at once.
__global__ void __launch_bounds__(kScanThreads) reconstruct_seeds_kernel(HeapArgs a, i64 n) {
  __shared__ u32 sums[33];
  __shared__ u32 base;
  const i64 t = static_cast<i64>(blockIdx.x) * kScanThreads + threadIdx.x;
  const u32 starts = t < n && starts_wave(a.p, t);
  u32 total = 0;
  const u32 before = block_exclusive_sum<u32>(starts, sums, total);
  if (threadIdx.x == 0 && total > 0) base = atomicAdd(a.d_counts, total);
  __syncthreads();
  if (!starts) return;
  if (base + before < a.seeds) a.d_seeds[base + before] = static_cast<u32>(t);
  else store_pixel(a.d_counts + 1, 1);  // dropped: the whole phase runs again
}

/// Sorts the first n items, falling; those up to the next power of two are filled with none. The whole block calls, after a
/// barrier; ends with one. Bitonic: in every step a thread compares pairs that no other thread touches. Not CUB's block sorts:
/// those always sort as many items as they are compiled for, here kBuffer, however few a round has.
__device__ void sort_items(Item* items, u32 n) {
  u32 size = 2;
  while (size < n) size *= 2;
  for (u32 i = n + threadIdx.x; i < size; i += kNode) items[i] = 0;
  __syncthreads();
  for (u32 run = 2; run <= size; run *= 2) {
    for (u32 step = run / 2; step > 0; step /= 2) {
      for (u32 k = threadIdx.x; k < size / 2; k += kNode) {
        const u32 i = 2 * k - (k & (step - 1)), j = i + step;
        const Item a = items[i], b = items[j];
        if ((a < b) == ((i & run) == 0)) items[i] = b, items[j] = a;
      }
      __syncthreads();
    }
  }
}

/// How many of a node's falling items are above `key`, or, where `equal`, not below it.
__device__ u32 above(const Item* node, Item key, bool equal) {
  u32 low = 0, high = kNode;
  while (low < high) {
    const u32 middle = (low + high) / 2;
    if (node[middle] > key || (equal && node[middle] == key)) low = middle + 1;
    else high = middle;
  }
  return low;
}
/// Merges `nodes` falling nodes that follow one another in shared memory: thread t places item t of each by how many come
/// before it, of equal ones those of earlier nodes. `merged` is other shared memory. The whole block calls, after a barrier;
/// ends with one.
template <u32 nodes>
__device__ void merge_nodes(const Item* from, Item* merged) {
#pragma unroll
  for (u32 n = 0; n < nodes; ++n) {
    const Item key = from[n * kNode + threadIdx.x];
    u32 place = threadIdx.x;
#pragma unroll
    for (u32 m = 0; m < nodes; ++m) {
      if (m != n) place += above(from + m * kNode, key, m < n);
    }
    merged[place] = key;
  }
  __syncthreads();
}

/// One block's heap. Only its block touches it, so that barriers are all that its memory needs.
struct Heap {
  Item* d_nodes;
  Item* from;    ///< shared, 3 nodes
  Item* merged;  ///< shared, 3 nodes
  u32 size = 0;  ///< nodes; all but a lone root are full

  __device__ Item& at(u32 node) const { return d_nodes[static_cast<i64>(node) * kNode + threadIdx.x]; }

  /// Delete-update: from the root down, the highest of a node and its children stay, the lowest go to the child whose lowest
  /// was higher, as all that lies below the other is still no higher than what that one gets.
  __device__ void settle_root() const {
    for (u32 node = 0; 2 * node + 1 < size;) {
      const u32 left = 2 * node + 1, right = left + 1;
      from[threadIdx.x] = at(node);
      from[kNode + threadIdx.x] = at(left);
      from[2 * kNode + threadIdx.x] = right < size ? at(right) : 0;
      __syncthreads();
      const Item least = from[kNode - 1];
      const bool settled = least >= from[kNode] && least >= from[2 * kNode];
      const bool lowest_left = from[2 * kNode - 1] > from[3 * kNode - 1];
      if (settled) break;  // the same for all threads
      merge_nodes<3>(from, merged);
      at(node) = merged[threadIdx.x];
      const u32 low = lowest_left || right >= size ? left : right, middle = low == left ? right : left;
      // A missing right child is empty and stays so: of three nodes with one empty, the last third is what is empty.
      if (right < size) {
        at(middle) = merged[kNode + threadIdx.x];
        at(low) = merged[2 * kNode + threadIdx.x];
      } else {
        at(left) = merged[kNode + threadIdx.x];
      }
      __syncthreads();
      node = low;
    }
    __syncthreads();
  }
  /// Insert-update: a full node's items go down the way from the root to the new last node; at each the higher half stays.
  /// `items` are shared and falling. Returns false where there is no room.
  __device__ bool insert(const Item* items, u32 room) {
    if (size >= room) return false;
    const u32 target = size + 1;  // counted from 1, its bits after the first are the way
    from[kNode + threadIdx.x] = items[threadIdx.x];
    for (int bit = 30 - __clz(static_cast<int>(target)); bit >= 0; --bit) {
      const u32 node = (target >> (bit + 1)) - 1;
      from[threadIdx.x] = at(node);
      __syncthreads();
      merge_nodes<2>(from, merged);
      at(node) = merged[threadIdx.x];
      from[kNode + threadIdx.x] = merged[kNode + threadIdx.x];
      __syncthreads();
    }
    at(size) = from[kNode + threadIdx.x];
    ++size;
    __syncthreads();
    return true;
  }
};

/// A round of a block: its buffer (pixels not yet in the heap) and the round's phases, each called by the whole block. Those
/// that write the buffer leave the barrier behind them to the kernel; the others end with one.
struct Round {
  const HeapArgs& a;
  Heap& heap;
  Item* buffer;  ///< shared
  u32* sums;     ///< shared, for the block's sums
  u32& waiting;  ///< items in the buffer from the round before
  u32& in_root;  ///< items in the heap's root

  /// The next seeds to the buffer, a thread one.
  __device__ __forceinline__ void take_seeds(u32& next_seed, u32 end_seed) const {
    const u32 take = min(kNode, end_seed - next_seed);
    if (threadIdx.x < take) {
      const u32 p = a.d_seeds[next_seed + threadIdx.x];
      buffer[waiting + threadIdx.x] = item_of(load_pixel(a.p.d_j + p), p);
    }
    next_seed += take;
    waiting += take;
  }
  /// The root to the buffer, and where that would not fill the root again the last node too. Returns how many items there are.
  __device__ __forceinline__ u32 take_root() const {
    u32 total = waiting;
    if (heap.size > 0) {
      if (threadIdx.x < in_root) buffer[total + threadIdx.x] = heap.at(0);
      total += in_root;
      if (waiting < kNode && heap.size > 1) {
        --heap.size;
        buffer[total + threadIdx.x] = heap.at(heap.size);
        total += kNode;
      }
    }
    return total;
  }
  /// Of the sorted items those from `begin` on become the new root, from which the heap is settled downwards.
  __device__ __forceinline__ void renew_root(u32 begin, u32 total) const {
    in_root = min(total - begin, kNode);
    if (in_root > 0 || heap.size > 0) {
      heap.at(0) = threadIdx.x < in_root ? buffer[begin + threadIdx.x] : 0;
      if (heap.size == 0) heap.size = 1;
      if (in_root == 0) heap.size = 0;  // only a lone root is ever left empty
    }
    __syncthreads();
    if (heap.size > 1) heap.settle_root();
  }
  /// Of the items from `begin` on full nodes are inserted; what is left, less than a node, moves to the buffer's beginning.
  /// Returns false where a full heap has dropped some.
  __device__ __forceinline__ bool insert_rest(u32 begin, u32 total) const {
    bool held = true;
    for (; total - begin >= kNode; begin += kNode) {
      if (!heap.insert(buffer + begin, a.nodes)) held = false;
    }
    waiting = total - begin;
    const Item left = threadIdx.x < waiting ? buffer[begin + threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x < waiting) buffer[threadIdx.x] = left;
    return held;
  }
  /// A thread spreads one item, unless its pixel has been raised since and so was queued again, by atomicMax; the block sums
  /// the finds and each thread puts its own into the buffer.
  __device__ __forceinline__ void spread(Item mine) const {
    const int neighbours = a.p.eight ? 8 : 4;
    u32 found = 0;  // bit k: neighbour k was raised
    const u32 at = static_cast<u32>(mine), v = static_cast<u32>(mine >> 32);
    const i32 x = static_cast<i32>(at % static_cast<u32>(a.p.width)), y = static_cast<i32>(at / static_cast<u32>(a.p.width));
    if (mine != 0 && load_pixel(a.p.d_j + at) == v) {
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const i32 qx = x + step_x(k), qy = y + step_y(k);
        if (k >= neighbours || !inside(a.p, qx, qy)) continue;
        const u32 q = static_cast<u32>(qy) * static_cast<u32>(a.p.width) + static_cast<u32>(qx), reach = min(v, a.p.d_i[q]);
        if (load_pixel(a.p.d_j + q) < reach && atomicMax(a.p.d_j + q, reach) < reach) found |= 1u << k;
      }
    }
    u32 finds = 0;
    u32 place = waiting + block_exclusive_sum<u32>(static_cast<u32>(__popc(found)), sums, finds);
    for (; found; found &= found - 1) {
      const int k = __ffs(static_cast<int>(found)) - 1;
      const i32 qx = x + step_x(k), qy = y + step_y(k);
      const u32 q = static_cast<u32>(qy) * static_cast<u32>(a.p.width) + static_cast<u32>(qx);
      buffer[place++] = item_of(min(v, a.p.d_i[q]), q);
    }
    waiting += finds;
  }
};

/// Carries the wave on until the block's heap and buffer are empty; blocks do not meet. One block of r = 128 threads a heap;
/// shared memory holds the buffer and room to merge three nodes. A round takes the root into the buffer and sorts it: the
/// highest r are spread, the next r are the new root, and of the rest full nodes are inserted. A full heap drops pixels and
/// says so. It ends because values only rise.
__global__ void __launch_bounds__(kNode) reconstruct_heap_kernel(HeapArgs a) {
  __shared__ Item buffer[kBuffer];
  __shared__ Item from[3 * kNode], merged[3 * kNode];
  __shared__ u32 sums[33];
  Heap heap{a.d_heap + static_cast<i64>(blockIdx.x) * a.nodes * kNode, from, merged};
  const u32 seeds = min(a.d_counts[0], a.seeds), share = (seeds + gridDim.x - 1) / gridDim.x;
  u32 next_seed = min(blockIdx.x * share, seeds);
  const u32 end_seed = min(next_seed + share, seeds);
  u32 waiting = 0, in_root = 0;
  const Round round{a, heap, buffer, sums, waiting, in_root};
  bool dropped = false;
  for (;;) {
    // The heap is built as the rounds go: the seeds come in by nodes before anything is spread.
    const bool building = next_seed < end_seed;
    if (building) round.take_seeds(next_seed, end_seed);
    const u32 total = round.take_root();
    if (total == 0) break;
    __syncthreads();
    sort_items(buffer, total);
    const u32 spread = building ? 0 : min(total, kNode);
    const Item mine = threadIdx.x < spread ? buffer[threadIdx.x] : 0;
    round.renew_root(spread, total);
    if (!round.insert_rest(spread + in_root, total)) dropped = true;
    round.spread(mine);
    __syncthreads();
  }
  if (dropped && threadIdx.x == 0) store_pixel(a.d_counts + 1, 1);
}

}  // namespace

/// Memory: 2 bytes a pixel for the heaps and 1 for the seeds.
/// Source: He 2016 §2.1 (phases), §2.2 (the heap, its updates from the top down, the buffer), §2.3 (a cluster of independent
/// heaps, a thread for each item of a node, places by a parallel scan). Ours: a round finishes its updates before the next
/// begins, where the paper lets those of several rounds follow each other down the levels; heaps are built by insertions in
/// place of one sort of all seeds; and the heaps' bounded memory, with the repetition of what was dropped, is that of Teodoro
/// 2012 §3.2.
i64 reconstruct_by_heaps(Context& ctx, const RaisedPair& p) {
  const Workspace::Scope scope(ctx.workspace);
  const i64 n = static_cast<i64>(p.width) * p.height;
  const u32 blocks = static_cast<u32>(std::max<i64>(1, std::min<i64>(8 * static_cast<i64>(multiprocessors()), n / 4096)));
  HeapArgs a{p, nullptr, nullptr, nullptr, 0, 0};
  // The stated size: room for a quarter of the pixels at a time; more are dropped, and found again in another run.
  a.nodes = static_cast<u32>(std::max<i64>(divide_up(n / 4, static_cast<i64>(blocks) * kNode), 4));
  a.seeds = static_cast<u32>(std::max<i64>(n / 4, 256));
  a.d_heap = ctx.workspace.take<Item>(static_cast<std::size_t>(blocks) * a.nodes * kNode);
  a.d_seeds = ctx.workspace.take<u32>(a.seeds);
  a.d_counts = ctx.workspace.take<u32>(2);
  i64 rounds = 0;
  for (u32 again = 1; again; ++rounds) {
    ctx.check_cancelled();
    set_bytes(ctx, a.d_counts, 0, 2);
    reconstruct_seeds_kernel<<<blocks_for(n, kScanThreads), kScanThreads, 0, stream_of(ctx)>>>(a, n);
    check_launch("reconstruct_seeds_kernel");
    reconstruct_heap_kernel<<<blocks, kNode, 0, stream_of(ctx)>>>(a);
    check_launch("reconstruct_heap_kernel");
    fetch(ctx, &again, a.d_counts + 1, 1);  // sync: whether pixels were dropped, so that the phase must run again
  }
  return rounds;
}

}  // namespace morpho::gpu
