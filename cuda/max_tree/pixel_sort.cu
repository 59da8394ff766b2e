// The sums between the two halves of a counting sort.
#include "cuda/max_tree/pixel_sort.cuh"
#include "cuda/runtime/scan.cuh"

namespace morpho::gpu::pixel_sort {

/// Turns each digit's counts into sums over the chunks before, and leaves the digit's total. One block a digit, one thread four
/// neighbouring chunks of each 4096; rounds carry their total on. As many scans as digits at once, where cub::DeviceScan is
/// one.
static __global__ void __launch_bounds__(1024) pixel_sort_sum_kernel(Places places) {
  __shared__ i32 shared[33];
  i32 carry = 0;
  for (i32 begin = 0; begin < places.chunks; begin += 4096) {
    const i32 first = begin + 4 * static_cast<i32>(threadIdx.x);
    i32 v[4], mine = 0, total = 0;
#pragma unroll
    for (i32 k = 0; k < 4; ++k) {
      v[k] = first + k < places.chunks ? places.of(blockIdx.x, static_cast<u32>(first + k)) : 0;
      mine += v[k];
    }
    i32 sum = carry + block_exclusive_sum(mine, shared, total);
#pragma unroll
    for (i32 k = 0; k < 4; ++k) {
      if (first + k < places.chunks) places.of(blockIdx.x, static_cast<u32>(first + k)) = sum;
      sum += v[k];
    }
    carry += total;
    __syncthreads();  // `shared` is used again
  }
  if (threadIdx.x == 0) places.d_base[blockIdx.x] = carry;
}

Places take_places(Context& ctx, i64 items) {
  const i32 chunks = static_cast<i32>(divide_up(items, kChunk));
  i32* d_count = ctx.workspace.take<i32>(static_cast<std::size_t>(chunks) * kDigits);
  return {d_count, ctx.workspace.take<i32>(kDigits + 1), chunks};
}

void sum_places(Context& ctx, const Places& places) {
  pixel_sort_sum_kernel<<<kDigits, 1024, 0, stream_of(ctx)>>>(places);
  check_launch("pixel_sort_sum_kernel");
  scan_totals(ctx, places.d_base, kDigits);
}

}  // namespace morpho::gpu::pixel_sort
