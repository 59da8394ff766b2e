// Area-averaging change of scale in fixed point, on the GPU.
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

namespace {

constexpr i64 kOne = 65536;

/// The input pixels [first, last] that [begin, end) in 1/65536 px touches, clipped to [0, n); last < first where there are
/// none.
struct Span {
  i32 first, last;
  i64 begin, end;

  __device__ Span(i64 b, i64 e, i32 n) : begin(b < 0 ? 0 : b), end(e > n * kOne ? n * kOne : e) {
    first = begin < end ? static_cast<i32>(begin / kOne) : 0;
    last = begin < end ? static_cast<i32>((end - 1) / kOne) : -1;
  }
  /// How much of pixel i is covered, in 1/65536.
  __device__ u32 weight(i32 i) const {
    const i64 b = i * kOne > begin ? i * kOne : begin, e = (i + 1) * kOne < end ? (i + 1) * kOne : end;
    return static_cast<u32>(e - b);
  }
};

/// A thread owns one output pixel of each row it comes to, and sums the input under it: row by row, then the rows. Nothing is
/// shared. Sums stay below 255 * 2^27 * 2^27 < 2^62.
__global__ void resample_average_kernel(Image<const Rgba> in, Image<Rgba> out, ResampleParams p) {
  const i32 i = static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= out.width) return;
  const Span columns(p.x0 + i * p.step_x, p.x0 + (i64{i} + 1) * p.step_x, in.width);
  for (i32 j = static_cast<i32>(blockIdx.y); j < out.height; j += static_cast<i32>(gridDim.y)) {
    const Span rows(p.y0 + j * p.step_y, p.y0 + (i64{j} + 1) * p.step_y, in.height);
    if (rows.last < rows.first || columns.last < columns.first) {
      out.at(i, j) = Rgba{0, 0, 0, 0};
      continue;
    }
    u64 sum[4] = {0, 0, 0, 0};
    for (i32 y = rows.first; y <= rows.last; ++y) {
      const Rgba* row = in.row(y);
      u64 across[4] = {0, 0, 0, 0};
      for (i32 x = columns.first; x <= columns.last; ++x) {
        const Rgba c = row[x];
        const u32 w = columns.weight(x);
        across[0] += w * c.r;
        across[1] += w * c.g;
        across[2] += w * c.b;
        across[3] += w * c.a;
      }
      const u64 w = rows.weight(y);
      for (i32 k = 0; k < 4; ++k) sum[k] += w * across[k];
    }
    const u64 area = static_cast<u64>(rows.end - rows.begin) * static_cast<u64>(columns.end - columns.begin);
    const auto rounded = [&](u64 s) {
      // A power of two (whole steps of 1, 2, 4, …) spares the division.
      return static_cast<u8>((area & (area - 1)) == 0 ? (s + (area >> 1)) >> (__ffsll(static_cast<long long>(area)) - 1)
                                                      : (2 * s + area) / (2 * area));
    };
    out.at(i, j) = Rgba{rounded(sum[0]), rounded(sum[1]), rounded(sum[2]), rounded(sum[3])};
  }
}

}  // namespace

// Memory: none. Cost: one product a channel for each input pixel that an output pixel touches. sync: none.
void resample(Context& ctx, View<const Rgba> in, View<Rgba> out, const ResampleParams& p) {
  op::resample::check(in, out, p);
  if (out.extent.empty()) return;
  resample_average_kernel<<<tiles_for(out.extent, 128, 1), 128, 0, stream_of(ctx)>>>(in, out, p);
  check_launch("resample_average_kernel");
}

}  // namespace morpho::gpu
