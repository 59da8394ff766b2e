// The exact squared Euclidean distance on the GPU: the column phase and the entry point.
#include "cuda/distance/distance.cuh"
#include "contract/work_log.hpp"
#include "cuda/gpu_ops.hpp"

namespace morpho::gpu {

namespace {

constexpr i32 kPackThreads = 128, kSegments = 32;

/// A thread owns four columns of a band of 32 rows: it reads four pixels a row, side by side with its neighbours, and keeps the
/// four words in registers. Nothing is shared.
__global__ void __launch_bounds__(kPackThreads)
    distance_pack_kernel(Image<const u8> in, u32* __restrict__ bits, i64 pitch, i32 bands, i32* any) {
  const i32 x = 4 * (static_cast<i32>(blockIdx.x) * kPackThreads + static_cast<i32>(threadIdx.x));
  for (i32 band = static_cast<i32>(blockIdx.y); band < bands; band += static_cast<i32>(gridDim.y)) {
    if (x >= in.width) return;
    const i32 rows = min(32, in.height - 32 * band);
    const u8* p = in.row(32 * band) + x;
    u32 w[4] = {0, 0, 0, 0};
    const auto add = [&](u32 pixels, i32 j) {
      const u32 zero = __vseteq4(pixels, 0);
#pragma unroll
      for (i32 c = 0; c < 4; ++c) w[c] |= (zero >> (8 * c) & 1) << j;
    };
    const bool aligned = ((reinterpret_cast<std::uintptr_t>(p) | static_cast<u64>(in.stride)) & 3) == 0 && x + 4 <= in.width;
    if (aligned && rows == 32) {
#pragma unroll 8
      for (i32 j = 0; j < 32; ++j) add(*reinterpret_cast<const u32*>(p + j * in.stride), j);
    } else {
      for (i32 j = 0; j < rows; ++j) {
        u32 pixels = 0;
        for (i32 c = 0; c < 4; ++c) pixels |= static_cast<u32>(x + c < in.width ? p[j * in.stride + c] : 255) << (8 * c);
        add(pixels, j);
      }
    }
    *reinterpret_cast<uint4*>(bits + band * pitch + x) = make_uint4(w[0], w[1], w[2], w[3]);
    if ((w[0] | w[1] | w[2] | w[3]) && *static_cast<volatile i32*>(any) == 0) atomicExch(any, 1);
  }
}

/// A block owns 32 columns, thread (x, s) the s-th of 32 segments of column x. Shared memory holds the last and first site of
/// each segment; from those of the segments above and below (and, of a strip, from what lies `beyond` it), each thread goes
/// through its own words twice, down and up.
__global__ void __launch_bounds__(32 * kSegments)
    distance_carry_kernel(const u32* __restrict__ bits, i64 pitch, i32 width, i32 height, i32 bands, StripColumns beyond,
                          i32* __restrict__ above, i32* __restrict__ below, i32* any) {
  __shared__ i32 last[kSegments][32], first[kSegments][32];
  const i32 lane = static_cast<i32>(threadIdx.x), s = static_cast<i32>(threadIdx.y);
  const i32 x = static_cast<i32>(blockIdx.x) * 32 + lane;
  const i32 each = (bands + kSegments - 1) / kSegments, begin = min(bands, s * each), end = min(bands, begin + each);
  const bool inside = x < width;
  i32 mine_last = kNoneAbove, mine_first = INT32_MAX;
  if (inside) {
#pragma unroll 4
    for (i32 k = begin; k < end; ++k) {
      const u32 w = bits[k * pitch + x];
      if (w) {
        mine_last = 32 * k + 31 - __clz(w);
        if (mine_first == INT32_MAX) mine_first = 32 * k + __ffs(w) - 1;
      }
    }
  }
  last[s][lane] = mine_last;
  first[s][lane] = mine_first;
  __syncthreads();
  if (!inside) return;
  i32 from = kNoneAbove, to = INT32_MAX;
  if (beyond.above && beyond.above[x] != kNoSite) from = -1 - beyond.above[x];
  if (beyond.below && beyond.below[x] != kNoSite) to = height + beyond.below[x];
  if ((from != kNoneAbove || to != INT32_MAX) && *static_cast<volatile i32*>(any) == 0) atomicExch(any, 1);
  for (i32 k = 0; k < s; ++k) from = max(from, last[k][lane]);
  for (i32 k = s + 1; k < kSegments; ++k) to = min(to, first[k][lane]);
#pragma unroll 4
  for (i32 k = begin; k < end; ++k) {
    above[k * pitch + x] = from;
    const u32 w = bits[k * pitch + x];
    if (w) from = 32 * k + 31 - __clz(w);
  }
#pragma unroll 4
  for (i32 k = end - 1; k >= begin; --k) {
    below[k * pitch + x] = to;
    const u32 w = bits[k * pitch + x];
    if (w) to = 32 * k + __ffs(w) - 1;
  }
}

/// Both phases, on checked planes that are not empty.
void exact(Context& ctx, View<const u8> in, const StripColumns& beyond, View<i32> out, const DistanceParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  SiteColumns s;
  s.width = in.width();
  s.height = in.height();
  s.bands = static_cast<i32>(divide_up(in.height(), 32));
  s.pitch = (static_cast<i64>(s.width) + 3) / 4 * 4;
  const std::size_t words = static_cast<std::size_t>(s.pitch) * static_cast<std::size_t>(s.bands);
  u32* bits = ctx.workspace.take<u32>(words);
  i32 *above = ctx.workspace.take<i32>(words), *below = ctx.workspace.take<i32>(words), *any = ctx.workspace.take<i32>(1);
  set_bytes(ctx, any, 0, 1);
  const dim3 grid(blocks_for(s.width, 4 * kPackThreads), static_cast<u32>(s.bands < 65535 ? s.bands : 65535));
  distance_pack_kernel<<<grid, kPackThreads, 0, stream>>>(in, bits, s.pitch, s.bands, any);
  check_launch("distance_pack_kernel");
  distance_carry_kernel<<<blocks_for(s.width, 32), dim3(32, kSegments), 0, stream>>>(bits, s.pitch, s.width, s.height, s.bands,
                                                                                     beyond, above, below, any);
  check_launch("distance_carry_kernel");
  s.bits = bits;
  s.above = above;
  s.below = below;
  s.any = any;
  ctx.check_cancelled();
  distance_rows(ctx, s, out, static_cast<u32>(params.weight_x), static_cast<u32>(params.weight_y));
}

}  // namespace

/// Shape: binary [h, w] u8 -> squared [h, w] i32. Units: squared px times the weights (squared spacings). Reach: global. Exact.
/// Variants: automatic is exact, as described here; danielsson is the IWPP paper's wavefront, in distance_danielsson.cu.
/// Cost: one read of the image, three words for each 32 pixels of a column, one write, and per pixel a search as long as its
/// distance in shared memory; tiles with pixels further than 128 px from a zero are searched again by blocks of 32 and of 1024
/// columns.
/// Memory: 12 bytes for each 32 pixels, 4 bytes for each 32 and each 1024 pixels of a row and 4 a tile. sync: none.
/// Source: Meijster 2000 (columns, then rows); the columns as bits and the search from them are our own.
void distance(Context& ctx, ConstPlane binary, Plane squared, const DistanceParams& params) {
  op::distance::check(binary, squared, params);
  if (binary.extent.empty()) return;
  ctx.check_cancelled();
  if (params.variant == DistanceVariant::danielsson) {
    const i64 rounds = distance_danielsson(ctx, binary.view<u8>(), squared.view<i32>(), params);
    return note(ctx, {"distance", std::string(name_of(params.variant)), 1, rounds});
  }
  note(ctx, {"distance", std::string(name_of(DistanceVariant::exact))});
  exact(ctx, binary.view<u8>(), {}, squared.view<i32>(), params);
}

/// As distance().
void distance_strip(Context& ctx, ConstPlane binary, const StripColumns& beyond, Plane squared, const DistanceParams& params) {
  op::distance::check(binary, squared, params);
  if (binary.extent.empty()) return;
  ctx.check_cancelled();
  exact(ctx, binary.view<u8>(), beyond, squared.view<i32>(), params);
}

}  // namespace morpho::gpu
