// Exclusive sums of short lists, by one block.
// Not cub::DeviceScan: that is two launches and memory of its own, for lists of one number for 256 elements or more.
#include "cuda/runtime/scan.cuh"

namespace morpho::gpu {

namespace {

/// One block; a thread owns four neighbouring values of each chunk of 4096, and the sum so far is carried in a register of
/// each.
template <class T>
__global__ void __launch_bounds__(1024) scan_totals_kernel(T* values, i32 n) {
  __shared__ T sums[33];
  T carry = 0;
  for (i32 begin = 0; begin < n; begin += 4096) {
    const i32 first = begin + 4 * static_cast<i32>(threadIdx.x);
    T v[4], mine = 0, total;
#pragma unroll
    for (i32 k = 0; k < 4; ++k) {
      v[k] = first + k < n ? values[first + k] : T{0};
      mine += v[k];
    }
    T sum = carry + block_exclusive_sum(mine, sums, total);
#pragma unroll
    for (i32 k = 0; k < 4; ++k) {
      if (first + k < n) values[first + k] = sum;
      sum += v[k];
    }
    carry += total;
    __syncthreads();  // `sums` is used again
  }
  if (threadIdx.x == 0) values[n] = carry;
}

template <class T>
void scan(const Context& ctx, T* values, i32 n) {
  scan_totals_kernel<T><<<1, 1024, 0, stream_of(ctx)>>>(values, n);
  check_launch("scan_totals_kernel");
}

}  // namespace

void scan_totals(const Context& ctx, i32* values, i32 n) { scan(ctx, values, n); }
void scan_totals(const Context& ctx, i64* values, i32 n) { scan(ctx, values, n); }

}  // namespace morpho::gpu
