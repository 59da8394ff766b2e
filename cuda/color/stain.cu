// Turns colours into grey values or rules, on the GPU: stain separation by optical density, weighted sums, colour rules.
#include "contract/stain_table.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

namespace {

struct StainTables {
  i64 of[768];  ///< per channel and value: row * OD * units_per_od, half a unit of rounding in the first channel
};

/// A thread owns four neighbouring pixels of each row its block comes to. Shared memory holds the three tables.
__global__ void stain_separate_kernel(const __grid_constant__ StainTables tables, Image<const Rgba> in, Image<u8> out) {
  __shared__ i64 t[768];
  for (i32 i = static_cast<i32>(threadIdx.x); i < 768; i += static_cast<i32>(blockDim.x)) t[i] = tables.of[i];
  __syncthreads();
  const i32 x0 = 4 * static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x);
  for (i32 y = static_cast<i32>(blockIdx.y); y < in.height; y += static_cast<i32>(gridDim.y)) {
    for (i32 x = x0; x < min(x0 + 4, in.width); ++x) {
      const Rgba c = in.at(x, y);
      const i64 sum = (t[c.r] + t[256 + c.g] + t[512 + c.b]) >> 26;
      out.at(x, y) = static_cast<u8>(sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
  }
}

/// A negative sum is 0 whatever the divisor, so the division need not round towards minus infinity.
struct Weighted {
  WeightsParams p;
  __device__ u8 operator()(Rgba c) const {
    const i64 sum = static_cast<i64>(p.r) * c.r + static_cast<i64>(p.g) * c.g + static_cast<i64>(p.b) * c.b + p.offset;
    const i64 top = static_cast<i64>(p.divisor) * 256;
    if (sum < 0) return 0;
    if (sum >= top) return 255;
    if (p.divisor == 65536) return static_cast<u8>(sum >> 16);
    if (top <= 0xFFFFFFFFLL) return static_cast<u8>(static_cast<u32>(sum) / static_cast<u32>(p.divisor));
    return static_cast<u8>(sum / p.divisor);
  }
};
struct Rule {
  ColorRuleParams p;
  __device__ u8 operator()(Rgba c) const {
    const i32 r = c.r, g = c.g, b = c.b;
    const bool over_g = p.r_over_g_num == 0 || r * p.r_over_g_den > g * p.r_over_g_num;
    const bool over_b = p.r_over_b_num == 0 || r * p.r_over_b_den > b * p.r_over_b_num;
    return r > p.above[0] && g > p.above[1] && b > p.above[2] && over_g && over_b;
  }
};

/// A thread owns one pixel of each row its block comes to. Nothing is shared.
template <class Fn>
__global__ void color_map_kernel(Image<const Rgba> in, Image<u8> out, Fn fn) {
  const i32 x = static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= in.width) return;
  for (i32 y = static_cast<i32>(blockIdx.y); y < in.height; y += static_cast<i32>(gridDim.y)) out.at(x, y) = fn(in.at(x, y));
}

template <class Fn>
void map_colors(const Context& ctx, const View<const Rgba>& in, const View<u8>& out, Fn fn) {
  if (in.extent.empty()) return;
  color_map_kernel<Fn><<<tiles_for(in.extent, 256, 4), 256, 0, stream_of(ctx)>>>(in, out, fn);
  check_launch("color_map_kernel");
}

}  // namespace

// Memory: none. Cost: three table reads a pixel. sync: none.
void stain(Context& ctx, View<const Rgba> rgba, Plane out, const StainParams& p) {
  op::stain::check(rgba, out, p);
  if (rgba.extent.empty()) return;
  StainTables tables;
  for (int c = 0; c < 3; ++c) {
    i32 od[256];
    stain_table(p, c, od);
    for (i32 v = 0; v < 256; ++v) tables.of[c * 256 + v] = static_cast<i64>(p.row[c]) * od[v] * p.units_per_od;
  }
  // concentration * units * 2^26 (16 bits of the row, 10 of the OD): half a unit once makes the shift round to nearest.
  for (i32 v = 0; v < 256; ++v) tables.of[v] += i64{1} << 25;
  stain_separate_kernel<<<tiles_for(rgba.extent, 512, 16), 128, 0, stream_of(ctx)>>>(tables, rgba, out.view<u8>());
  check_launch("stain_separate_kernel");
}

// Memory: none. Cost: one pass. sync: none.
void weights(Context& ctx, View<const Rgba> rgba, Plane out, const WeightsParams& p) {
  op::weights::check(rgba, out, p);
  map_colors(ctx, rgba, out.view<u8>(), Weighted{p});
}

// Memory: none. Cost: one pass. sync: none.
void color_rule(Context& ctx, View<const Rgba> rgba, Plane out, const ColorRuleParams& p) {
  op::color_rule::check(rgba, out, p);
  map_colors(ctx, rgba, out.view<u8>(), Rule{p});
}

}  // namespace morpho::gpu
