// FH_GPU: reconstruction by one scan each way and then by wavefronts of pixels, in one queue a block (Teodoro 2012 §3).
#include <algorithm>

#include "cuda/reconstruct/papers/reconstruct_papers.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

constexpr u32 kThreads = 256;
constexpr u32 kThreadQueue = 16;                                 ///< pixels of one thread's own queue
constexpr u32 kBlockQueue = 6144;                                ///< of a block's, in shared memory: 40 KiB with the threads'
constexpr u32 kFlushAt = kBlockQueue - kThreads * kThreadQueue;  ///< one step adds no more than the rest

struct Wave {
  RaisedPair p;
  u32* d_queue;    ///< two queues a block, of `capacity` pixels each
  u32* d_initial;  ///< pixels from which a wave starts
  u32* d_counts;   ///< how many those are; 1 where a pixel was dropped; then one counter a block
  u32 capacity;    ///< of a block's queue
  u32 initial_capacity;
};

/// Lists the pixels that would raise a neighbour. One thread a pixel; a block sums its finds and reserves their places at once.
__global__ void __launch_bounds__(kThreads) reconstruct_wave_begin_kernel(Wave w, i64 n) {
  __shared__ u32 sums[33];
  __shared__ u32 base;
  const i64 t = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  const u32 starts = t < n && starts_wave(w.p, t);
  u32 total = 0;
  const u32 before = block_exclusive_sum<u32>(starts, sums, total);
  if (threadIdx.x == 0) base = atomicAdd(w.d_counts, total);
  __syncthreads();
  if (!starts) return;
  if (base + before < w.initial_capacity) w.d_initial[base + before] = static_cast<u32>(t);
  else w.d_counts[1] = 1;  // dropped: the whole phase runs again
}

/// A block's queues in one round. naive: finds go to global memory, each by an atomic of its own. prefix_sum: a warp sums its
/// finds and reserves their places in the block's queue, which lies in shared memory and is copied to global memory when it is
/// full. thread_queues: finds gather in a short queue of each thread first, so that warps sum less often. A full queue in
/// global memory drops pixels and says so.
template <QueueKind kind>
struct RoundQueues {
  const Wave& w;
  u32* block_queue;   ///< shared
  u32* thread_queue;  ///< shared, [kThreadQueue][kThreads]
  u32& in_block;      ///< shared: pixels in the block's queue
  u32& in_global;     ///< shared: pixels in the queue of the next round
  u32& flushed;       ///< shared
  u32* d_tail;        ///< naive: pixels in the queue of the next round, and some that were dropped
  u32* to;            ///< the queue of the next round

  /// The whole warp: places in the block's queue for `finds` pixels of each lane; returns the lane's first.
  __device__ __forceinline__ u32 reserve(u32 finds) const {
    const u32 upto = warp_inclusive_sum(finds);
    u32 base = 0;
    if (lane_id() == 31 && upto > 0) base = atomicAdd(&in_block, upto);
    return __shfl_sync(kFullWarp, base, 31) + upto - finds;
  }
  /// The whole warp: `mine` pixels of each thread's queue move to the block's.
  __device__ __forceinline__ void empty_threads_queues(u32 mine) const {
    const u32 base = reserve(mine);
    for (u32 k = 0; k < mine; ++k) block_queue[base + k] = thread_queue[k * kThreads + threadIdx.x];
  }
  /// The whole block, after a barrier: the block's queue moves to global memory.
  __device__ __forceinline__ void flush() const {
    if (threadIdx.x == 0) {
      flushed = in_global;
      in_global += in_block;
    }
    __syncthreads();
    for (u32 k = threadIdx.x; k < in_block; k += kThreads) {
      if (flushed + k < w.capacity) to[flushed + k] = block_queue[k];
      else w.d_counts[1] = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) in_block = 0;
    __syncthreads();
  }

  /// The whole warp, a thread a pixel of the round: raises its neighbours with atomicMax, and queues those that it raised.
  /// `mine`: pixels in the thread's own queue.
  __device__ __forceinline__ void spread(bool active, u32 at, u32& mine) const {
    const int neighbours = w.p.eight ? 8 : 4;
    u32 found[8], finds = 0;
    const i32 x = static_cast<i32>(at % static_cast<u32>(w.p.width)), y = static_cast<i32>(at / static_cast<u32>(w.p.width));
    const u32 v = active ? load_pixel(w.p.d_j + at) : 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      found[k] = 0xFFFFFFFFu;
      const i32 qx = x + step_x(k), qy = y + step_y(k);
      if (!active || k >= neighbours || !inside(w.p, qx, qy)) continue;
      const u32 q = static_cast<u32>(qy) * static_cast<u32>(w.p.width) + static_cast<u32>(qx), reach = min(v, w.p.d_i[q]);
      if (load_pixel(w.p.d_j + q) >= reach || atomicMax(w.p.d_j + q, reach) >= reach) continue;
      if constexpr (kind == QueueKind::naive) {
        const u32 place = atomicAdd(d_tail, 1u);
        if (place < w.capacity) to[place] = q;
        else w.d_counts[1] = 1;
      } else if constexpr (kind == QueueKind::thread_queues) {
        thread_queue[mine++ * kThreads + threadIdx.x] = q;
      } else {
        found[k] = q;
        ++finds;
      }
    }
    if constexpr (kind == QueueKind::prefix_sum) {
      u32 place = reserve(finds);
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        if (found[k] != 0xFFFFFFFFu) block_queue[place++] = found[k];
      }
    } else if constexpr (kind == QueueKind::thread_queues) {
      if (__any_sync(kFullWarp, mine > kThreadQueue - 8)) {
        empty_threads_queues(mine);
        mine = 0;
      }
    }
  }
  /// The whole block, between two steps of a round: makes room for what the next one may find.
  __device__ __forceinline__ void make_room() const {
    if constexpr (kind != QueueKind::naive) {
      __syncthreads();
      const bool full = in_block > kFlushAt;
      __syncthreads();  // all have looked before anybody adds
      if (full) flush();
    }
  }
  /// The whole block, at the end of a round: all finds are in global memory then, and in_global says how many.
  __device__ __forceinline__ void end_round(u32 mine) const {
    if constexpr (kind == QueueKind::thread_queues) empty_threads_queues(mine);
    __syncthreads();
    if constexpr (kind == QueueKind::naive) {
      if (threadIdx.x == 0) in_global = DeviceAtomic<u32>(*d_tail).load(cuda::memory_order_relaxed);
      __syncthreads();
    } else {
      flush();
    }
  }
};

/// Carries the wave on, round after round, until the block's queue is empty; blocks do not meet. A thread takes every 256th
/// pixel of the round. It ends because values only rise.
template <QueueKind kind>
__global__ void __launch_bounds__(kThreads) reconstruct_wave_kernel(Wave w) {
  __shared__ u32 block_queue[kind == QueueKind::naive ? 1 : kBlockQueue];
  __shared__ u32 thread_queue[kind == QueueKind::thread_queues ? kThreads * kThreadQueue : 1];
  __shared__ u32 in_block, in_global, flushed;
  const u32 initial = min(w.d_counts[0], w.initial_capacity), share = (initial + gridDim.x - 1) / gridDim.x;
  const u32 first = min(blockIdx.x * share, initial);
  const u32* from = w.d_initial + first;
  u32 count = min(share, initial - first);
  u32* queue[2] = {w.d_queue + static_cast<i64>(2 * blockIdx.x) * w.capacity,
                   w.d_queue + static_cast<i64>(2 * blockIdx.x + 1) * w.capacity};
  u32* d_tail = w.d_counts + 2 + blockIdx.x;
  for (u32 round = 0; count > 0; ++round) {
    u32* to = queue[round & 1];
    const RoundQueues<kind> queues{w, block_queue, thread_queue, in_block, in_global, flushed, d_tail, to};
    if (threadIdx.x == 0) in_block = in_global = *d_tail = 0;
    u32 mine = 0;  // in this thread's own queue
    __syncthreads();
    for (u32 begin = 0; begin < count; begin += kThreads) {
      const bool active = begin + threadIdx.x < count;
      queues.spread(active, active ? from[begin + threadIdx.x] : 0, mine);
      queues.make_room();
    }
    queues.end_round(mine);
    count = min(in_global, w.capacity);
    from = to;
    __syncthreads();
  }
}

}  // namespace

i64 reconstruct_by_wavefronts(Context& ctx, const RaisedPair& p, QueueKind kind) {
  const Workspace::Scope scope(ctx.workspace);
  const i64 n = static_cast<i64>(p.width) * p.height;
  const u32 blocks = static_cast<u32>(std::min<i64>(4 * static_cast<i64>(multiprocessors()), divide_up(n, 4096)));
  Wave w{p, nullptr, nullptr, nullptr, 0, 0};
  // The stated size: room for a quarter of the pixels in the queues of each round; more are dropped, and found again in another
  // run.
  w.capacity = static_cast<u32>(std::max<i64>(divide_up(n / 4, blocks), 256));
  w.initial_capacity = static_cast<u32>(std::max<i64>(n / 4, 256));
  w.d_queue = ctx.workspace.take<u32>(2 * static_cast<std::size_t>(blocks) * w.capacity);
  w.d_initial = ctx.workspace.take<u32>(w.initial_capacity);
  w.d_counts = ctx.workspace.take<u32>(static_cast<std::size_t>(blocks) + 2);
  scan_both_ways(ctx, p, w.d_counts);
  i64 rounds = 0;
  for (u32 again = 1; again; ++rounds) {
    ctx.check_cancelled();
    set_bytes(ctx, w.d_counts, 0, static_cast<std::size_t>(blocks) + 2);
    reconstruct_wave_begin_kernel<<<blocks_for(n, kThreads), kThreads, 0, stream_of(ctx)>>>(w, n);
    check_launch("reconstruct_wave_begin_kernel");
    if (kind == QueueKind::naive) reconstruct_wave_kernel<QueueKind::naive><<<blocks, kThreads, 0, stream_of(ctx)>>>(w);
    else if (kind == QueueKind::prefix_sum)
      reconstruct_wave_kernel<QueueKind::prefix_sum><<<blocks, kThreads, 0, stream_of(ctx)>>>(w);
    else reconstruct_wave_kernel<QueueKind::thread_queues><<<blocks, kThreads, 0, stream_of(ctx)>>>(w);
    check_launch("reconstruct_wave_kernel");
    fetch(ctx, &again, w.d_counts + 1, 1);  // sync: whether pixels were dropped, so that the phase must run again
  }
  return rounds;
}

}  // namespace morpho::gpu
