// What every kernel file needs: errors from CUDA's codes, the stream, images as kernels see them, grid sizes, warp and block
// sums.
#pragma once
#include <cuda_runtime.h>

#include <initializer_list>
#include <type_traits>

#include "contract/ops.hpp"
#include "contract/require.hpp"

namespace morpho::gpu {

using u32 = std::uint32_t;

/// Throws the Error that a CUDA code stands for, with CUDA's own text; returns on success.
void throw_cuda_error(cudaError_t code, const char* what);
inline void check(cudaError_t code, const char* what) {
  if (code != cudaSuccess) throw_cuda_error(code, what);
}
/// After a launch: errors of the launch itself, not of the kernel's run (those show at the next synchronisation).
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }
#define MORPHO_CUDA(call) ::morpho::gpu::check((call), #call)

inline cudaStream_t stream_of(const Context& ctx) { return static_cast<cudaStream_t>(ctx.stream); }

/// Makes the context's GPU the calling thread's, for launches and CUDA's own questions. The table calls it at the door of every
/// operation, so that one thread may serve several GPUs.
void enter(const Context& ctx);

/// Counts one wait of the calling thread, and what it fetched: gpu.hpp's host_traffic().
void count_wait(std::size_t fetched_bytes = 0);
/// Waits for the stream. Every use carries a `// sync:` comment of its own.
inline void wait(const Context& ctx, std::size_t fetched_bytes = 0) {
  count_wait(fetched_bytes);
  MORPHO_CUDA(cudaStreamSynchronize(stream_of(ctx)));
}
/// An array and its place in pageable memory of the host.
struct ToHost {
  void* to;
  const void* d_from;
  std::size_t bytes;
  bool early = false;  ///< it is there since mark_early(): the copy need not wait for what was enqueued later
};
/// From here on in the stream's work, what is copied early is there, and nothing writes to it.
void mark_early(const Context& ctx);
/// Copies arrays to the host and waits for them, once. Every use carries a `// sync:` comment of its own.
void fetch(const Context& ctx, std::initializer_list<ToHost> arrays);
/// Copies n elements to the host and waits for them. Every use carries a `// sync:` comment of its own.
template <class T>
void fetch(const Context& ctx, T* to, const T* d_from, std::size_t n) {
  fetch(ctx, {{to, d_from, n * sizeof(T)}});  // sync: as the caller says
}
/// Sets the bytes of n elements.
template <class T>
void set_bytes(const Context& ctx, T* d_to, int byte, std::size_t n) {
  MORPHO_CUDA(cudaMemsetAsync(d_to, byte, n * sizeof(T), stream_of(ctx)));
}
/// Copies rows of one device image to another, whatever their strides.
template <class T>
void copy_rows(const Context& ctx, const View<const T>& from, const View<T>& to) {
  if (from.extent.empty()) return;
  MORPHO_CUDA(cudaMemcpy2DAsync(to.data, static_cast<std::size_t>(to.stride) * sizeof(T), from.data,
                                static_cast<std::size_t>(from.stride) * sizeof(T),
                                static_cast<std::size_t>(from.width()) * sizeof(T), static_cast<std::size_t>(from.height()),
                                cudaMemcpyDeviceToDevice, stream_of(ctx)));
}

/// Multiprocessors of the current GPU: what persistent grids are sized by.
i32 multiprocessors();
/// Shared memory that a block of the current GPU can have in all. No constant of ours is by architecture: kernels hold less
/// than the 48 KiB that every GPU gives, or up to 56 KiB, which all since sm_75 give where asked (area_open_tiles.cu,
/// max_tree_tiles.cu), and where more is of use the GPU decides, by most_dynamic_shared: the disk's radius
/// (morphology_disk.cu), and whether a tile's values are kept beside its tree (max_tree_tiles.cu).
std::size_t most_shared_bytes();
/// The same less what this kernel holds for itself: the dynamic shared memory that it can be launched with.
template <class Kernel>
std::size_t most_dynamic_shared(Kernel kernel) {
  cudaFuncAttributes held{};
  MORPHO_CUDA(cudaFuncGetAttributes(&held, kernel));
  const std::size_t most = most_shared_bytes();
  return most > held.sharedSizeBytes ? most - held.sharedSizeBytes : 0;
}
/// Lets the kernel be launched with so many bytes of dynamic shared memory. The limit is the kernel's, for every thread: what
/// is asked for must be the same always, or another caller's smaller number would come between this and the launch.
template <class Kernel>
void allow_dynamic_shared(Kernel kernel, std::size_t bytes) {
  MORPHO_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

/// An image as a kernel sees it.
template <class T>
struct Image {
  T* data;
  i32 width, height;
  i64 stride;

  template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
  Image(const View<U>& v) : data(v.data), width(v.extent.width), height(v.extent.height), stride(v.stride) {}
  __device__ T* row(i32 y) const { return data + y * stride; }
  __device__ T& at(i32 x, i32 y) const { return data[y * stride + x]; }
  __device__ bool holds(i32 x, i32 y) const { return x >= 0 && y >= 0 && x < width && y < height; }
};

constexpr i64 divide_up(i64 n, i64 by) { return (n + by - 1) / by; }
/// Blocks for n threads (or pieces of work); at least one.
inline u32 blocks_for(i64 n, i64 per_block) { return n < 1 ? 1u : static_cast<u32>(divide_up(n, per_block)); }
/// A grid of tiles: x may be as many as there are; y is limited to 65535 by the hardware, so kernels that use it loop over y.
inline dim3 tiles_for(Extent e, i32 tile_width, i32 tile_height) {
  const i64 down = divide_up(e.height, tile_height);
  return dim3(blocks_for(e.width, tile_width), static_cast<u32>(down < 1 ? 1 : down > 65535 ? 65535 : down));
}

inline constexpr u32 kFullWarp = 0xFFFFFFFFu;
__device__ inline u32 lane_id() { return threadIdx.x & 31; }

/// Inclusive sum over the lanes below and at the calling one. All 32 lanes call.
template <class T>
__device__ T warp_inclusive_sum(T v) {
  const u32 lane = lane_id();
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const T other = __shfl_up_sync(kFullWarp, v, step);
    if (lane >= static_cast<u32>(step)) v += other;
  }
  return v;
}
/// Sum over the warp, in every lane.
template <class T>
__device__ T warp_sum(T v) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(kFullWarp, v, step);
  return v;
}
/// Minimum over the warp, in every lane.
template <class T>
__device__ T warp_min(T v) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v = min(v, __shfl_xor_sync(kFullWarp, v, step));
  return v;
}
/// Exclusive sum over a block of up to 1024 threads in x (a multiple of 32), and the block's total. `shared` holds 33 elements;
/// every thread calls, and the two barriers inside leave `shared` free for the next call once all have returned and met at a
/// barrier.
/// Not cub::BlockScan: its block size is a template argument, and the emulation, which runs this very text, would have to run a
/// stand-in. Nobody has measured the two.
template <class T>
__device__ T block_exclusive_sum(T v, T* shared, T& total) {
  const u32 lane = lane_id(), warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  const T inclusive = warp_inclusive_sum(v);
  if (lane == 31) shared[warp] = inclusive;
  __syncthreads();
  if (warp == 0) {
    const T mine = lane < warps ? shared[lane] : T{0};
    const T upto = warp_inclusive_sum(mine);
    shared[lane] = upto - mine;
    if (lane == 31) shared[32] = upto;
  }
  __syncthreads();
  total = shared[32];
  return shared[warp] + inclusive - v;
}

}  // namespace morpho::gpu
