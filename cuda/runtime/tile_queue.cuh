// A worklist of tiles on the device: warps take tiles, and give back those that an outside pixel can still change, until none
// is left.
#pragma once
#include <cuda/atomic>

#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

template <class T>
using DeviceAtomic = cuda::atomic_ref<T, cuda::thread_scope_device>;

/// Pixels that another warp may be writing: read and written whole and past the first-level cache.
__device__ inline u32 load_pixel(const u8* p) {
  u32 v;
  asm volatile("{ .reg .b16 t; ld.relaxed.gpu.global.u8 t, [%1]; cvt.u32.u16 %0, t; }" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ inline u32 load_pixel(const u16* p) {
  u16 v;
  asm volatile("ld.relaxed.gpu.global.u16 %0, [%1];" : "=h"(v) : "l"(p) : "memory");
  return v;
}
__device__ inline u32 load_pixel(const u32* p) {
  u32 v;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ inline u32 load_pixel(const i32* p) { return load_pixel(reinterpret_cast<const u32*>(p)); }
__device__ inline void store_pixel(u8* p, u32 v) {
  asm volatile("{ .reg .b16 t; cvt.u16.u32 t, %1; st.relaxed.gpu.global.u8 [%0], t; }" ::"l"(p), "r"(v) : "memory");
}
__device__ inline void store_pixel(u16* p, u32 v) {
  asm volatile("st.relaxed.gpu.global.u16 [%0], %1;" ::"l"(p), "h"(static_cast<u16>(v)) : "memory");
}
__device__ inline void store_pixel(u32* p, u32 v) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ inline void store_pixel(i32* p, u32 v) { store_pixel(reinterpret_cast<u32*>(p), v); }

/// The queue: tickets are given out in order; the first `tiles` tickets are the tiles themselves, all of which begin queued;
/// later ones stand for slots of a ring that `push` fills. A tile is queued at most once and never visited by two warps at
/// once.
///
/// A wave that winds through corridors is one visit after another, however many warps wait. So every visit has a depth, the
/// number of visits that led to it one after the other, and a visit of the depth `most_depth`, or with a ticket past
/// `most_tickets`, asks for no further ones but says that it has given up: what is queued is visited still, and the list ends
/// as ever, with less done.
struct TileQueue {
  u32* counters;  ///< next ticket to take; next ticket to give; tiles queued or being visited; 1 where a visit has given up;
                  ///< the rest is free, and 0
  u32* state;     ///< per tile: bit 0 asked for, bit 1 being visited; while asked for, above them the visit's depth
  u32* slots;     ///< ring: tile + 1, or 0
  u32 tiles;
  u32 ring;  ///< slots, a power of two of at least `tiles`
  static constexpr u32 never = 0xFFFFFFFFu;
  u32 most_depth = never, most_tickets = never;

  static constexpr u32 asked = 1, running = 2, depth_bit = 4;
  static constexpr u32 counted = 16;  ///< counters

  /// 4 bytes a tile and as many a slot, from the workspace; enqueues their initialisation.
  TileQueue(Context& ctx, u32 count) : tiles(count), ring(1) {
    while (ring < count) ring *= 2;
    counters = ctx.workspace.take<u32>(counted);
    state = ctx.workspace.take<u32>(count);
    slots = ctx.workspace.take<u32>(ring);
  }
  void start(Context& ctx) const;
  __host__ __device__ u32* gave_up() const { return counters + 3; }

  /// No tile is queued or being visited, as after a kernel that has run the list down.
  __device__ bool ended() const { return load_pixel(counters + 2) == 0; }
  struct Taken {
    i32 tile;    ///< -1: no tile is queued or being visited any more
    bool first;  ///< its first visit
    u32 depth;   ///< lane 0: the visit's depth
  };
  /// The whole warp calls: the next tile, marked as being visited.
  __device__ Taken take() const {
    i32 v = 0;
    u32 depth = 0;
    if (lane_id() == 0) v = pop(depth);
    v = __shfl_sync(kFullWarp, v, 0);
    __syncwarp();  // what lane 0 has acquired, all lanes have
    return {v < 0 ? -1 : v >> 1, (v & 1) != 0, depth};
  }
  __device__ i32 pop(u32& depth) const {
    const u32 ticket = atomicAdd(counters, 1u);
    i32 tile;
    if (ticket < tiles) {
      tile = static_cast<i32>(ticket);
    } else {
      u32* slot = slots + (ticket & (ring - 1));
      u32 v = 0;
      // More warps than slots may wait, so that two look at one slot, a whole ring of tickets apart: which of them takes the
      // tile is the same to all, but only one may.
      while (DeviceAtomic<u32>(*slot).load(cuda::memory_order_acquire) == 0 ||
             (v = DeviceAtomic<u32>(*slot).exchange(0, cuda::memory_order_acq_rel)) == 0) {
        if (DeviceAtomic<u32>(counters[2]).load(cuda::memory_order_acquire) == 0) return -1;
        __nanosleep(40);
      }
      tile = static_cast<i32>(v - 1);
    }
    depth = begin(tile);
    if (ticket >= most_tickets) depth = most_depth;
    return tile << 1 | (ticket < tiles ? 1 : 0);
  }
  /// Whatever was written before the tile was asked for is visible to the caller afterwards. Returns the visit's depth.
  __device__ u32 begin(i32 tile) const {
    return DeviceAtomic<u32>(state[tile]).exchange(running, cuda::memory_order_acq_rel) / depth_bit;
  }
  /// Asks for a visit of `tile` by one of that depth; the caller's writes, fenced, are what the visit shall see.
  __device__ void ask(i32 tile, u32 depth) const {
    if (depth >= most_depth) {
      store_pixel(gave_up(), 1);
      return;
    }
    if (DeviceAtomic<u32>(state[tile]).fetch_or(asked, cuda::memory_order_acq_rel) != 0)
      return;  // queued, or its visitor looks again
    // Nobody else writes more than `asked` here before the tile is taken.
    store_pixel(state + tile, asked | (depth + 1) * depth_bit);
    atomicAdd(counters + 2, 1u);
    u32* slot = slots + (atomicAdd(counters + 1, 1u) & (ring - 1));
    // The slot's last tile may still wait for its reader, and another writer for the slot: none may overwrite the other's.
    for (u32 empty = 0;
         !DeviceAtomic<u32>(*slot).compare_exchange_strong(empty, static_cast<u32>(tile) + 1, cuda::memory_order_acq_rel);
         empty = 0)
      __nanosleep(40);
  }
  /// Ends a visit: true where the tile was asked for meanwhile, and is the caller's to visit again at once, one deeper.
  __device__ bool again(i32 tile) const {
    u32 expected = running;
    if (DeviceAtomic<u32>(state[tile]).compare_exchange_strong(expected, 0u, cuda::memory_order_acq_rel)) {
      DeviceAtomic<u32>(counters[2]).fetch_sub(1, cuda::memory_order_acq_rel);
      return false;
    }
    begin(tile);
    return true;
  }
};

/// What limit_wave_depth (cuda/for_tests.hpp) has set.
i32 forced_wave_depth();

/// Sets the queue up. One thread a tile or slot; no shared memory; one pass.
static __global__ void tile_queue_start_kernel(TileQueue q) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < q.tiles) q.state[i] = TileQueue::asked;
  if (i < q.ring) q.slots[i] = 0;
  if (i < TileQueue::counted) q.counters[i] = i == 1 || i == 2 ? q.tiles : 0;
}
inline void TileQueue::start(Context& ctx) const {
  tile_queue_start_kernel<<<blocks_for(ring < counted ? counted : ring, 256), 256, 0, stream_of(ctx)>>>(*this);
  check_launch("tile_queue_start_kernel");
}

/// Which tiles lie where: 32 rows high, a fixed number of pixels wide, in raster order.
struct TileGrid {
  i32 across, down, width;
  static constexpr i32 height = 32;
  TileGrid(Extent e, i32 tile_width)
      : across(static_cast<i32>(divide_up(e.width, tile_width))),
        down(static_cast<i32>(divide_up(e.height, height))),
        width(tile_width) {}
  u32 count() const { return static_cast<u32>(across) * static_cast<u32>(down); }
};

}  // namespace morpho::gpu
