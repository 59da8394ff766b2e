// The mean of a square window on the GPU, in time that hardly depends on the radius.
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

namespace {

constexpr i32 kSegment = 1024, kThreads = 256, kMostRadius = 1024;

/// A block owns 1024 pixels of each row it comes to. Shared memory holds the running sums of them and the radius on either
/// side; a thread sums a stretch of neighbours, the block sums the stretches, and a window is the difference of two running
/// sums.
template <class T>
__global__ void __launch_bounds__(kThreads) box_mean_rows_kernel(Image<const T> in, i32 r, u32* __restrict__ sums) {
  __shared__ u32 upto[kSegment + 2 * kMostRadius + 1];
  __shared__ u32 scratch[33];
  const i32 x0 = static_cast<i32>(blockIdx.x) * kSegment, t = static_cast<i32>(threadIdx.x);
  const i32 n = kSegment + 2 * r, each = (n + kThreads - 1) / kThreads, begin = min(n, t * each), end = min(n, begin + each);
  for (i32 y = static_cast<i32>(blockIdx.y); y < in.height; y += static_cast<i32>(gridDim.y)) {
    const T* row = in.row(y);
    for (i32 i = t; i < n; i += kThreads) {
      const i32 u = x0 - r + i;
      upto[i + 1] = u >= 0 && u < in.width ? row[u] : 0u;
    }
    if (t == 0) upto[0] = 0;
    __syncthreads();
    u32 mine = 0, total;
    for (i32 i = begin; i < end; ++i) mine += upto[i + 1];
    u32 sum = block_exclusive_sum(mine, scratch, total);
    for (i32 i = begin; i < end; ++i) upto[i + 1] = sum += upto[i + 1];
    __syncthreads();
    for (i32 i = t; i < kSegment && x0 + i < in.width; i += kThreads) {
      sums[static_cast<i64>(y) * in.width + x0 + i] = upto[i + 2 * r + 1] - upto[i];
    }
    __syncthreads();
  }
}

/// A thread owns a column of `band` pixels: it sums the first window, then adds the row that comes and takes off the row that
/// goes. Nothing is shared; neighbours read neighbouring sums. round(sum / count), halves up, is floor((2 sum + count) / (2
/// count)).
template <class T>
__global__ void box_mean_columns_kernel(const u32* __restrict__ sums, i32 r, i32 band, Image<T> out) {
  using Sum = std::conditional_t<std::is_same_v<T, u8>, u32, u64>;  // u8: 2 * 255 * 2049² + 2049² < 2^32
  const i32 x = static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= out.width) return;
  const u32 columns = static_cast<u32>(min(x + r, out.width - 1) - max(x - r, 0) + 1);
  const auto at = [&](i32 y) -> Sum { return y >= 0 && y < out.height ? sums[static_cast<i64>(y) * out.width + x] : 0; };
  for (i64 top = static_cast<i64>(blockIdx.y) * band; top < out.height; top += static_cast<i64>(gridDim.y) * band) {
    const i32 y0 = static_cast<i32>(top), y1 = static_cast<i32>(min(top + band, static_cast<i64>(out.height)));
    Sum sum = 0;
    for (i32 y = max(y0 - r, 0); y < min(y0 + r, out.height); ++y) sum += at(y);
    for (i32 y = y0; y < y1; ++y) {
      sum += at(y + r);
      const Sum count = static_cast<Sum>(columns) * static_cast<Sum>(min(y + r, out.height - 1) - max(y - r, 0) + 1);
      out.at(x, y) = static_cast<T>((2 * sum + count) / (2 * count));
      sum -= at(y - r);
    }
  }
}

template <class T>
void mean(Context& ctx, const View<const T>& f, const View<T>& out, i32 r) {
  const Workspace::Scope scope(ctx.workspace);
  u32* sums = ctx.workspace.take<u32>(static_cast<std::size_t>(f.extent.area()));
  box_mean_rows_kernel<T><<<tiles_for(f.extent, kSegment, 2), kThreads, 0, stream_of(ctx)>>>(f, r, sums);
  check_launch("box_mean_rows_kernel");
  const i32 band = r < 32 ? 64 : 2 * r;
  box_mean_columns_kernel<T><<<tiles_for(f.extent, 128, band), 128, 0, stream_of(ctx)>>>(sums, r, band, out);
  check_launch("box_mean_columns_kernel");
}

}  // namespace

// Memory: 4 bytes a pixel. Cost: two passes, in the second two reads a pixel and a division. sync: none.
void box_mean(Context& ctx, ConstPlane f, Plane out, const RadiusParams& p) {
  op::box_mean::check(f, out, p);
  if (f.extent.empty()) return;
  if (f.type == PixelType::u8) mean<u8>(ctx, f.view<u8>(), out.view<u8>(), p.radius);
  else mean<u16>(ctx, f.view<u16>(), out.view<u16>(), p.radius);
}

}  // namespace morpho::gpu
