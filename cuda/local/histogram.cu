// Counts grey values on the GPU.
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

namespace {

using ull = unsigned long long;
constexpr i32 kThreads = 256, kPerThread = 16;

/// A thread owns 16 neighbouring pixels of each row its block comes to; equal neighbours are counted together. Shared memory
/// holds 256 counts for each warp; at its end the block adds them to the image's.
__global__ void __launch_bounds__(kThreads) histogram_u8_kernel(Image<const u8> f, ull* bins) {
  __shared__ u32 counts[kThreads / 32][256];
  for (i32 i = static_cast<i32>(threadIdx.x); i < kThreads / 32 * 256; i += kThreads) (&counts[0][0])[i] = 0;
  __syncthreads();
  u32* mine = counts[threadIdx.x / 32];
  const i64 x0 = kPerThread * (static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x);
  for (i32 y = static_cast<i32>(blockIdx.y); y < f.height; y += static_cast<i32>(gridDim.y)) {
    const u8* row = f.row(y);
    const i32 n = static_cast<i32>(min(i64{kPerThread}, f.width - x0));
    if (n <= 0) break;
    u8 v[kPerThread];
    if (n == kPerThread && reinterpret_cast<std::uintptr_t>(row + x0) % 16 == 0) {
      *reinterpret_cast<uint4*>(v) = *reinterpret_cast<const uint4*>(row + x0);
    } else {
#pragma unroll
      for (i32 k = 0; k < kPerThread; ++k) v[k] = k < n ? row[x0 + k] : 0;
    }
    u32 same = 1;
#pragma unroll
    for (i32 k = 0; k < kPerThread; ++k) {
      if (k >= n) continue;
      if (k + 1 < n && v[k] == v[(k + 1) % kPerThread]) {
        ++same;
        continue;
      }
      atomicAdd(mine + v[k], same);
      same = 1;
    }
  }
  __syncthreads();
  u32 sum = 0;
  for (i32 w = 0; w < kThreads / 32; ++w) sum += counts[w][threadIdx.x];
  if (sum) atomicAdd(bins + threadIdx.x, static_cast<ull>(sum));
}

/// A thread owns one pixel of each row its block comes to, and counts it in the image's own table: too large for shared memory,
/// and large enough that threads seldom meet. Lanes of a warp that hold one value count it once.
__global__ void __launch_bounds__(kThreads) histogram_u16_kernel(Image<const u16> f, ull* bins) {
  const i32 x = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  for (i32 y = static_cast<i32>(blockIdx.y); y < f.height; y += static_cast<i32>(gridDim.y)) {
    const i32 v = x < f.width ? f.at(x, y) : -1;
    const u32 same = __match_any_sync(kFullWarp, v);
    if (v >= 0 && (same & ((1u << lane_id()) - 1)) == 0) atomicAdd(bins + v, static_cast<ull>(__popc(same)));
  }
}

}  // namespace

// Memory: 8 bytes a bin. Cost: one pass. sync: once, for the counts.
void histogram(Context& ctx, ConstPlane f, u64* bins) {
  op::histogram::check(f, bins);
  const std::size_t levels = f.type == PixelType::u8 ? 256 : 65536;
  for (std::size_t i = 0; i < levels; ++i) bins[i] = 0;
  if (f.extent.empty()) return;
  const Workspace::Scope scope(ctx.workspace);
  ull* d_bins = ctx.workspace.take<ull>(levels);
  set_bytes(ctx, d_bins, 0, levels);
  Extent e = f.extent;
  if (f.stride == e.width) e = {static_cast<i32>(e.area()), 1};
  if (f.type == PixelType::u8) {
    const View<const u8> in(f.view<u8>().data, e, f.stride == f.extent.width ? e.width : f.stride);
    const u32 across = blocks_for(e.width, kThreads * kPerThread);
    const u32 most = static_cast<u32>(multiprocessors()) * 8;
    if (e.height == 1 && across > most) {
      // One long row is folded into as many rows as keep every block busy for a while; what is left over is a row of its own.
      const i32 width = static_cast<i32>(most) * kThreads * kPerThread, rows = e.width / width, rest = e.width - rows * width;
      histogram_u8_kernel<<<dim3(most, 1), kThreads, 0, stream_of(ctx)>>>(View<const u8>(in.data, {width, rows}), d_bins);
      if (rest > 0) {
        const View<const u8> tail(in.data + static_cast<i64>(rows) * width, {rest, 1});
        histogram_u8_kernel<<<dim3(blocks_for(rest, kThreads * kPerThread), 1), kThreads, 0, stream_of(ctx)>>>(tail, d_bins);
      }
    } else {
      const u32 down = most / across + 1;
      histogram_u8_kernel<<<dim3(across, down), kThreads, 0, stream_of(ctx)>>>(in, d_bins);
    }
    check_launch("histogram_u8_kernel");
  } else {
    histogram_u16_kernel<<<tiles_for(f.extent, kThreads, 16), kThreads, 0, stream_of(ctx)>>>(f.view<u16>(), d_bins);
    check_launch("histogram_u16_kernel");
  }
  static_assert(sizeof(ull) == sizeof(u64));
  fetch(ctx, bins, reinterpret_cast<const u64*>(d_bins), levels);  // sync: the caller reads the counts next
}

}  // namespace morpho::gpu
