// The separable Gaussian in fixed point, on the GPU.
#include "contract/tables.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

namespace {

constexpr i32 kColumns = 256, kRowsPerThread = 4;

struct Kernel {
  i32 radius;
  u32 weight[kMaxGaussianRadius + 1];
};

/// The value where some taps lie outside: first … last are those inside.
template <class Tap>
__device__ u32 border_value(const Kernel& g, i32 first, i32 last, Tap tap) {
  u64 sum = 0, weight = 0;
  for (i32 k = first; k <= last; ++k) {
    const u32 w = g.weight[abs(k)];
    weight += w;
    sum += static_cast<u64>(w) * tap(k);
  }
  return static_cast<u32>((2 * sum + weight) / (2 * weight));
}

/// A block owns 256 pixels of each row it comes to, a thread one. Shared memory holds them and the radius on either side.
template <class T>
__global__ void __launch_bounds__(kColumns)
    gaussian_rows_kernel(const __grid_constant__ Kernel g, Image<const T> in, Image<T> out) {
  __shared__ T line[kColumns + 2 * kMaxGaussianRadius];
  const i32 x0 = static_cast<i32>(blockIdx.x) * kColumns, t = static_cast<i32>(threadIdx.x), x = x0 + t, r = g.radius;
  for (i32 y = static_cast<i32>(blockIdx.y); y < in.height; y += static_cast<i32>(gridDim.y)) {
    for (i32 i = t; i < kColumns + 2 * r; i += kColumns) {
      const i32 u = x0 - r + i;
      line[i] = u >= 0 && u < in.width ? in.at(u, y) : T{0};
    }
    __syncthreads();
    if (x < in.width) {
      const T* at = line + r + t;
      u32 v;
      if (x >= r && x + r < in.width) {
        u32 sum = 32768 + g.weight[0] * at[0];
        for (i32 k = 1; k <= r; ++k) sum += g.weight[k] * (static_cast<u32>(at[-k]) + at[k]);
        v = sum >> 16;
      } else {
        v = border_value(g, -min(r, x), min(r, in.width - 1 - x), [&](i32 k) { return static_cast<u32>(at[k]); });
      }
      out.at(x, y) = static_cast<T>(v);
    }
    __syncthreads();
  }
}

/// A thread owns four pixels one below the other: it reads each row of their windows once and adds it to the sums it belongs
/// to. Nothing is shared; the rows come from the cache.
template <class T>
__global__ void gaussian_columns_kernel(const __grid_constant__ Kernel g, Image<const T> in, Image<T> out) {
  const i32 x = static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x), r = g.radius;
  if (x >= in.width) return;
  for (i64 top = static_cast<i64>(blockIdx.y) * kRowsPerThread; top < in.height;
       top += static_cast<i64>(gridDim.y) * kRowsPerThread) {
    const i32 y = static_cast<i32>(top);
    if (y >= r && y + kRowsPerThread - 1 + r < in.height) {
      u32 sum[kRowsPerThread];
#pragma unroll
      for (i32 j = 0; j < kRowsPerThread; ++j) sum[j] = 32768;
      for (i32 v = y - r; v <= y + kRowsPerThread - 1 + r; ++v) {
        const u32 value = in.at(x, v);
#pragma unroll
        for (i32 j = 0; j < kRowsPerThread; ++j) {
          const i32 k = abs(v - y - j);
          if (k <= r) sum[j] += g.weight[k] * value;
        }
      }
#pragma unroll
      for (i32 j = 0; j < kRowsPerThread; ++j) out.at(x, y + j) = static_cast<T>(sum[j] >> 16);
    } else {
      for (i32 v = y; v < min(y + kRowsPerThread, in.height); ++v) {
        out.at(x, v) = static_cast<T>(
            border_value(g, -min(r, v), min(r, in.height - 1 - v), [&](i32 k) { return static_cast<u32>(in.at(x, v + k)); }));
      }
    }
  }
}

template <class T>
void blur(Context& ctx, const View<const T>& f, const View<T>& out, const Kernel& g) {
  const Workspace::Scope scope(ctx.workspace);
  const View<T> middle(ctx.workspace.take<T>(static_cast<std::size_t>(f.extent.area())), f.extent);
  gaussian_rows_kernel<T><<<tiles_for(f.extent, kColumns, 4), kColumns, 0, stream_of(ctx)>>>(g, f, middle);
  check_launch("gaussian_rows_kernel");
  gaussian_columns_kernel<T><<<tiles_for(f.extent, 128, kRowsPerThread), 128, 0, stream_of(ctx)>>>(g, middle, out);
  check_launch("gaussian_columns_kernel");
}

}  // namespace

// Memory: one plane of f's type. Cost: two passes of 2 ceil(3 sigma) + 1 products a pixel. `out` may be f: the first pass reads
// f and writes the workspace, the second writes out. sync: none.
void gaussian(Context& ctx, ConstPlane f, Plane out, const GaussianParams& p) {
  op::gaussian::check(f, out, p);
  if (f.extent.empty()) return;
  Kernel g{};
  i32 weight[kMaxGaussianRadius + 1];
  g.radius = gaussian_weights(p.sigma, weight);
  for (i32 k = 0; k <= g.radius; ++k) g.weight[k] = static_cast<u32>(weight[k]);
  if (f.type == PixelType::u8) blur<u8>(ctx, f.view<u8>(), out.view<u8>(), g);
  else blur<u16>(ctx, f.view<u16>(), out.view<u16>(), g);
}

}  // namespace morpho::gpu
