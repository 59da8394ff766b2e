// The median of a square window on the GPU.
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

namespace {

constexpr i32 kMostSmall = 3, kWarps = 4, kBand = 64;

/// Rank, counted from 0, of the lower median of n values.
__device__ inline i32 rank_of(i32 n) { return (n - 1) / 2; }

/// Puts the least of v[0 … K) first and the greatest last.
template <int K>
__device__ __forceinline__ void extremes(u32* v) {
#pragma unroll
  for (int i = 0; i < K / 2; ++i) {
    const u32 a = v[i], b = v[K - 1 - i];
    v[i] = min(a, b);
    v[K - 1 - i] = max(a, b);
  }
#pragma unroll
  for (int i = 1; i < (K + 1) / 2; ++i) {
    const u32 a = v[0], b = v[i];
    v[0] = min(a, b);
    v[i] = max(a, b);
  }
#pragma unroll
  for (int i = K / 2; i < K - 1; ++i) {
    const u32 a = v[i], b = v[K - 1];
    v[i] = min(a, b);
    v[K - 1] = max(a, b);
  }
}
/// Of K values the least and the greatest cannot be the median: both go, the next pixel comes, until three are held.
template <int K, int Next, class Load>
__device__ __forceinline__ void forget(u32* v, Load load) {
  extremes<K>(v);
  if constexpr (K > 3) {
    v[0] = load(Next);
    forget<K - 1, Next + 1>(v, load);
  }
}

/// A thread owns one pixel. Inside, half the window and two are held in registers; at the border of the image the value is
/// found by counting.
template <class T, int R>
__global__ void median_small_kernel(Image<const T> in, Image<T> out) {
  constexpr int side = 2 * R + 1, count = side * side, held = count / 2 + 2;
  const i32 x = static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= in.width) return;
  for (i32 y = static_cast<i32>(blockIdx.y); y < in.height; y += static_cast<i32>(gridDim.y)) {
    if (x >= R && y >= R && x + R < in.width && y + R < in.height) {
      const auto load = [&](int i) { return static_cast<u32>(in.at(x - R + i % side, y - R + i / side)); };
      u32 v[held];
#pragma unroll
      for (int i = 0; i < held; ++i) v[i] = load(i);
      forget<held, held>(v, load);
      out.at(x, y) = static_cast<T>(v[1]);
      continue;
    }
    const i32 x0 = max(x - R, 0), x1 = min(x + R, in.width - 1), y0 = max(y - R, 0), y1 = min(y + R, in.height - 1);
    const i32 rank = rank_of((x1 - x0 + 1) * (y1 - y0 + 1));
    T median = 0;
    for (i32 i = 0; i < (x1 - x0 + 1) * (y1 - y0 + 1); ++i) {
      const T v = in.at(x0 + i % (x1 - x0 + 1), y0 + i / (x1 - x0 + 1));
      i32 less = 0, equal = 0;
      for (i32 b = y0; b <= y1; ++b) {
        for (i32 a = x0; a <= x1; ++a) {
          less += in.at(a, b) < v;
          equal += in.at(a, b) == v;
        }
      }
      if (less <= rank && rank < less + equal) median = v;
    }
    out.at(x, y) = median;
  }
}

/// Which of 256 counts of a warp's table holds `rank`; `rank` becomes the rank inside that bin. All lanes call and get the
/// same.
__device__ inline i32 bin_of_rank(const u32* counts, i32& rank) {
  const i32 lane = static_cast<i32>(lane_id());
  i32 mine[8], sum = 0;
#pragma unroll
  for (i32 k = 0; k < 8; ++k) sum += mine[k] = static_cast<i32>(counts[8 * lane + k]);
  const i32 upto = warp_inclusive_sum(sum);
  const i32 owner = __ffs(__ballot_sync(kFullWarp, upto > rank)) - 1;
  i32 bin = 0, left = rank - (upto - sum);
#pragma unroll
  for (i32 k = 0; k < 7; ++k) {
    if (bin == k && left >= mine[k]) {
      left -= mine[k];
      bin = k + 1;
    }
  }
  rank = __shfl_sync(kFullWarp, left, owner);
  return __shfl_sync(kFullWarp, 8 * lane + bin, owner);
}

/// A warp owns a column of 64 pixels; its table in shared memory counts the high bytes (of u8: the values) of the window, which
/// slides down: the lanes add the row that comes and take off the row that goes. For u16 a second table then counts the low
/// bytes of those pixels of the window that share the median's high byte.
template <class T>
__global__ void __launch_bounds__(32 * kWarps) median_sliding_kernel(Image<const T> in, i32 r, Image<T> out) {
  __shared__ u32 tables[kWarps][2][256];
  u32 *counts = tables[threadIdx.x / 32][0], *fine = tables[threadIdx.x / 32][1];
  constexpr i32 shift = sizeof(T) == 2 ? 8 : 0;
  const i32 lane = static_cast<i32>(lane_id()), x = static_cast<i32>(blockIdx.x) * kWarps + static_cast<i32>(threadIdx.x / 32);
  if (x >= in.width) return;  // whole warps
  const i32 x0 = max(x - r, 0), x1 = min(x + r, in.width - 1);
  for (i64 top = static_cast<i64>(blockIdx.y) * kBand; top < in.height; top += static_cast<i64>(gridDim.y) * kBand) {
    const i32 begin = static_cast<i32>(top), end = static_cast<i32>(min(top + kBand, static_cast<i64>(in.height)));
    for (i32 i = lane; i < 256; i += 32) counts[i] = 0;
    __syncwarp();
    const auto add_row = [&](i32 y, u32 by) {
      if (y < 0 || y >= in.height) return;
      for (i32 u = x0 + lane; u <= x1; u += 32) atomicAdd(counts + (in.at(u, y) >> shift), by);
    };
    for (i32 y = begin - r; y < begin + r; ++y) add_row(y, 1);
    for (i32 y = begin; y < end; ++y) {
      add_row(y + r, 1);
      __syncwarp();
      const i32 y0 = max(y - r, 0), y1 = min(y + r, in.height - 1);
      i32 rank = rank_of((x1 - x0 + 1) * (y1 - y0 + 1));
      i32 value = bin_of_rank(counts, rank);
      if constexpr (sizeof(T) == 2) {
        for (i32 i = lane; i < 256; i += 32) fine[i] = 0;
        __syncwarp();
        for (i32 v = y0; v <= y1; ++v) {
          for (i32 u = x0 + lane; u <= x1; u += 32) {
            const i32 p = in.at(u, v);
            if (p >> 8 == value) atomicAdd(fine + (p & 255), 1u);
          }
        }
        __syncwarp();
        value = value << 8 | bin_of_rank(fine, rank);
      }
      if (lane == 0) out.at(x, y) = static_cast<T>(value);
      __syncwarp();
      add_row(y - r, ~0u);
      __syncwarp();
    }
  }
}

template <class T>
void run(Context& ctx, const View<const T>& f, const View<T>& out, i32 r) {
  const cudaStream_t stream = stream_of(ctx);
  const dim3 grid = tiles_for(f.extent, 128, 1);
  if (r == 0) return copy_rows(ctx, f, out);
  if (r == 1) median_small_kernel<T, 1><<<grid, 128, 0, stream>>>(f, out);
  else if (r == 2) median_small_kernel<T, 2><<<grid, 128, 0, stream>>>(f, out);
  else if (r <= kMostSmall) median_small_kernel<T, 3><<<grid, 128, 0, stream>>>(f, out);
  else median_sliding_kernel<T><<<tiles_for(f.extent, kWarps, kBand), 32 * kWarps, 0, stream>>>(f, r, out);
  check_launch("median kernel");
}

}  // namespace

// Memory: none. Cost a pixel: radius 1, 2 and 3 about 40, 300 and 1000 steps in registers; larger ones, for a warp, some 40
// steps and (2 radius + 1) / 16 more (u8), or the whole window once (u16). sync: none. Source: Huang 1979 for the sliding
// counts.
void median(Context& ctx, ConstPlane f, Plane out, const RadiusParams& p) {
  op::median::check(f, out, p);
  if (f.extent.empty()) return;
  if (f.type == PixelType::u8) run<u8>(ctx, f.view<u8>(), out.view<u8>(), p.radius);
  else run<u16>(ctx, f.view<u16>(), out.view<u16>(), p.radius);
}

}  // namespace morpho::gpu
