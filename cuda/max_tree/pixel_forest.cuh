// Union-find over pixels that may also hang on the ground, and a barrier of the whole grid for kernels of several phases.
#pragma once
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {

// An entry of a forest is kPixel | the index of a pixel of the same component, no larger than its own and its own at a root; or
// it is smaller than kPixel: on the ground, as then the whole component is. Entries only fall, so a pixel that is no root never
// is one again.
inline constexpr u32 kPixel = 0x80000000u, kGround = kPixel - 1;

__device__ inline u32 entry_of(const u32* up, u32 pixel) { return *static_cast<const volatile u32*>(up + (pixel & ~kPixel)); }

/// The root of a pixel (kPixel | index), or kGround. Halves the way, by atomics, so that no entry rises again and no store
/// meets a load.
__device__ inline u32 root_of(u32* up, u32 a) {
  while (a >= kPixel) {
    const u32 next = entry_of(up, a);
    if (next == a) return a;
    if (next < kPixel) break;
    const u32 after = entry_of(up, next);
    if (after == next) return next;
    if (after < kPixel) break;
    atomicMin(up + (a & ~kPixel), after);
    a = after;
  }
  return kGround;
}
/// Joins two pixels, or a pixel and kGround.
__device__ inline void join(u32* up, u32 a, u32 b) {
  for (;;) {
    a = root_of(up, a);
    b = root_of(up, b);
    if (a == b) return;
    if (a < b) {
      const u32 t = a;
      a = b;
      b = t;
    }
    const u32 old = atomicMin(up + (a & ~kPixel), b);
    if (old == a) return;
    a = old;
  }
}

/// All blocks of a grid that launch_together has launched wait for each other; what was written before is visible afterwards.
/// *d_arrived is 0 before the kernel, `rounds` at its beginning.
__device__ inline void wait_for_grid(u32* d_arrived, u32& rounds) {
  ++rounds;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(d_arrived, 1u);
    while (DeviceAtomic<u32>(*d_arrived).load(cuda::memory_order_acquire) < rounds * gridDim.x) __nanosleep(40);
    __threadfence();
  }
  __syncthreads();
}

/// Launches at most `blocks` blocks, no more than are resident together; where a device cannot promise that, one does all the
/// work.
template <class Args>
void launch_together(Context& ctx, void (*kernel)(Args), u32 threads, i64 blocks, const Args& args, const char* name) {
  int per_multiprocessor = 0, device = 0, together = 0;
  MORPHO_CUDA(cudaGetDevice(&device));
  MORPHO_CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, device));
  MORPHO_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, static_cast<int>(threads), 0));
  const i64 resident = static_cast<i64>(multiprocessors()) * (per_multiprocessor > 1 ? per_multiprocessor : 1);
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute cooperative{};
  config.gridDim = dim3(together ? static_cast<u32>(blocks < resident ? blocks : resident) : 1u);
  config.blockDim = dim3(threads);
  config.stream = stream_of(ctx);
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  config.attrs = &cooperative;
  config.numAttrs = together ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, args), name);
}

}  // namespace morpho::gpu
