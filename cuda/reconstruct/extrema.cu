// What derives from reconstruction: h-extrema, extended and regional extrema, hole filling, border clearing.
#include <algorithm>
#include <limits>

#include "cuda/runtime/device.cuh"
#include "cuda/gpu_ops.hpp"

namespace morpho::gpu {
namespace {

constexpr u32 kThreads = 256;
dim3 rows_of(Extent e) {
  return dim3(blocks_for(e.width, kThreads), static_cast<u32>(std::min<i64>(std::max<i64>(1, divide_up(e.height, 8)), 65535)));
}

/// to = f + step, held at the type's ends. One thread a pixel of every gridDim.y-th row; no shared memory; one pass.
template <class T>
__global__ void extrema_shift_kernel(Image<const T> f, Image<T> to, i64 step, i64 lowest, i64 highest) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= f.width) return;
  for (i32 y = blockIdx.y; y < f.height; y += gridDim.y) {
    const i64 v = f.at(x, y) + step;
    to.at(x, y) = static_cast<T>(v < lowest ? lowest : v > highest ? highest : v);
  }
}

void h_extrema_into(Context& ctx, ConstPlane f, Plane out, const ExtremaParams& params) {
  const bool maxima = params.kind == Extremum::maxima;
  visit_pixel_type(f.type, [&](auto zero) {
    using T = decltype(zero);
    extrema_shift_kernel<T><<<rows_of(f.extent), kThreads, 0, stream_of(ctx)>>>(
        Image<const T>(f.view<T>()), Image<T>(out.view<T>()), maxima ? -static_cast<i64>(params.h) : params.h,
        std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    check_launch("extrema_shift_kernel");
  });
  reconstruct(ctx, out, f, out, {maxima ? By::dilation : By::erosion, params.connectivity, ReconstructVariant::automatic});
}

/// out = 1 where f differs from g (which may be out), and *d_any = 1 where any pixel does. One thread a pixel of every
/// gridDim.y-th row; no shared memory; one pass.
template <class T>
__global__ void extrema_compare_kernel(Image<const T> f, Image<const T> g, Image<u8> out, u32* d_any) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  bool found = false;
  for (i32 y = blockIdx.y; y < f.height && x < f.width; y += gridDim.y) {
    const bool differs = f.at(x, y) != g.at(x, y);
    out.at(x, y) = differs;
    found |= differs;
  }
  if (__any_sync(kFullWarp, found) && lane_id() == 0) *d_any = 1;
}
/// A constant image at its type's end is one plateau: f - 1 is held there, and nothing differs. One thread a pixel; returns at
/// once where something did.
__global__ void extrema_constant_kernel(Image<u8> out, const u32* d_any) {
  if (*d_any) return;
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  for (i32 y = blockIdx.y; y < out.height && x < out.width; y += gridDim.y) out.at(x, y) = 1;
}

Plane like(Context& ctx, ConstPlane f) {
  return Plane(ctx.workspace.take<u8>(static_cast<std::size_t>(f.extent.area()) * pixel_bytes(f.type)), f.type, f.extent);
}

/// out = f on the image border and `inside` elsewhere. One thread a pixel of every gridDim.y-th row; no shared memory; one
/// pass.
template <class T>
__global__ void extrema_border_kernel(Image<const T> f, Image<T> out, T inside) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= f.width) return;
  for (i32 y = blockIdx.y; y < f.height; y += gridDim.y) {
    const bool border = x == 0 || y == 0 || x + 1 == f.width || y + 1 == f.height;
    out.at(x, y) = border ? f.at(x, y) : inside;
  }
}
/// out = f - out. One thread a pixel of every gridDim.y-th row; no shared memory; one pass.
template <class T>
__global__ void extrema_remainder_kernel(Image<const T> f, Image<T> out) {
  const i32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= f.width) return;
  for (i32 y = blockIdx.y; y < f.height; y += gridDim.y) out.at(x, y) = static_cast<T>(f.at(x, y) - out.at(x, y));
}

void border_marker(Context& ctx, ConstPlane f, Plane out, int fill) {
  const auto fill_with = [&](auto zero) {
    using T = decltype(zero);
    extrema_border_kernel<T><<<rows_of(f.extent), kThreads, 0, stream_of(ctx)>>>(Image<const T>(f.view<T>()),
                                                                                 Image<T>(out.view<T>()), static_cast<T>(fill));
    check_launch("extrema_border_kernel");
  };
  if (f.type == PixelType::u8) fill_with(u8{});
  else fill_with(u16{});
}

}  // namespace

/// Shape: f, out [h, w] of one type (u8, u16, i32). Units: h in grey values, at least 1. Reach: global. Unique. Sync: none.
/// Cost: one pass over f, then reconstruct. Memory: that of reconstruct. Source: Soille 2003 §6.3.4; Vincent 1993 (h-domes).
void h_extrema(Context& ctx, ConstPlane f, Plane out, const ExtremaParams& params) {
  op::h_extrema::check(f, out, params);
  require_same_type("out", f, out);
  if (!f.extent.empty()) h_extrema_into(ctx, f, out, params);
}

/// Shape: f [h, w] u8, u16, i32 -> out [h, w] u8 of 0 and 1. Reach: global. Unique. Whole plateaus; a constant image is one of
/// them.
/// Cost: two passes and one reconstruct. Memory: that of reconstruct, and for u16 and i32 one image of f's type. Sync: none.
/// Source: Soille 2003 §6.3.3: on integers the regional maxima are where f exceeds the reconstruction of f - 1 under f.
void regional_extrema(Context& ctx, ConstPlane f, Plane out, const ExtremaParams& params) {
  op::regional_extrema::check(f, out, params);
  require_type("out", out, {PixelType::u8});
  if (f.extent.empty()) return;
  const Workspace::Scope scope(ctx.workspace);
  const Plane lowered = f.type == PixelType::u8 ? out : like(ctx, f);
  u32* d_any = ctx.workspace.take<u32>(1);
  set_bytes(ctx, d_any, 0, 1);
  ExtremaParams one = params;
  one.h = 1;
  h_extrema_into(ctx, f, lowered, one);
  visit_pixel_type(f.type, [&](auto zero) {
    using T = decltype(zero);
    extrema_compare_kernel<T><<<rows_of(f.extent), kThreads, 0, stream_of(ctx)>>>(
        Image<const T>(f.view<T>()), Image<const T>(ConstPlane(lowered).view<T>()), Image<u8>(out.view<u8>()), d_any);
    check_launch("extrema_compare_kernel");
  });
  extrema_constant_kernel<<<rows_of(f.extent), kThreads, 0, stream_of(ctx)>>>(Image<u8>(out.view<u8>()), d_any);
  check_launch("extrema_constant_kernel");
}

/// Shape: f [h, w] u8, u16, i32 -> out [h, w] u8 of 0 and 1. Units: h in grey values, at least 1. Reach: global. Unique. Sync:
/// none.
/// Cost: h_extrema, then regional_extrema of its result. Memory: one image of f's type, plus the larger need of the two.
/// Source: Soille 2003 §6.3.5: the regional extrema of the h-extrema image, whole plateaus.
void extended_extrema(Context& ctx, ConstPlane f, Plane out, const ExtremaParams& params) {
  op::extended_extrema::check(f, out, params);
  require_type("out", out, {PixelType::u8});
  if (f.extent.empty()) return;
  const Workspace::Scope scope(ctx.workspace);
  const Plane levelled = like(ctx, f);
  h_extrema_into(ctx, f, levelled, params);
  regional_extrema(ctx, levelled, out, params);
}

/// Shape: f, out [h, w] u8 or u16 (binary is the case of two values). Reach: global. Unique. Sync: none.
/// `connectivity` is that of the reconstruction: with 4 a diagonal gap in a ring does not open it.
/// Cost: one pass, then reconstruct. Memory: that of reconstruct. Source: Soille 2003 §6.3.7.
void fill_holes(Context& ctx, ConstPlane f, Plane out, const ConnectivityParams& params) {
  op::fill_holes::check(f, out, params);
  if (f.extent.empty()) return;
  border_marker(ctx, f, out, 0xFFFF);
  reconstruct(ctx, out, f, out, {By::erosion, params.connectivity, ReconstructVariant::automatic});
}

/// Shape: f, out [h, w] u8 or u16. Reach: global. Unique. Sync: none.
/// Cost: one pass, reconstruct, one subtraction. Memory: that of reconstruct. Source: Soille 2003 §6.3.8.
void clear_border(Context& ctx, ConstPlane f, Plane out, const ConnectivityParams& params) {
  op::clear_border::check(f, out, params);
  if (f.extent.empty()) return;
  border_marker(ctx, f, out, 0);
  reconstruct(ctx, out, f, out, {By::dilation, params.connectivity, ReconstructVariant::automatic});
  const auto subtract = [&](auto zero) {
    using T = decltype(zero);
    extrema_remainder_kernel<T>
        <<<rows_of(f.extent), kThreads, 0, stream_of(ctx)>>>(Image<const T>(f.view<T>()), Image<T>(out.view<T>()));
    check_launch("extrema_remainder_kernel");
  };
  if (f.type == PixelType::u8) subtract(u8{});
  else subtract(u16{});
}

}  // namespace morpho::gpu
