// One pass over the pixels of one or two images with a function of a pixel.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// Pixels that a thread reads and writes as one vector.
inline constexpr i32 kMapped = 8;

template <class T>
struct alignas(sizeof(T) * kMapped > 16 ? 16 : sizeof(T) * kMapped) MapVector {
  T v[kMapped];
};
template <class T>
__device__ bool vector_aligned(const T* p) {
  return reinterpret_cast<std::uintptr_t>(p) % alignof(MapVector<T>) == 0;
}

/// A thread owns 8 neighbouring pixels of a row: one vector of each image where it is aligned, else pixel by pixel. Nothing is
/// shared; a thread has read its pixels before it writes them, so `out` may be `a` or `b`.
template <class T, class O, class Fn>
__global__ void map_pixels_kernel(Image<const T> a, Image<const T> b, Image<O> out, Fn fn) {
  const i64 x = kMapped * (static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x);
  if (x >= out.width) return;
  for (i32 y = static_cast<i32>(blockIdx.y); y < out.height; y += static_cast<i32>(gridDim.y)) {
    const T *p = a.row(y) + x, *q = b.row(y) + x;
    O* o = out.row(y) + x;
    if (x + kMapped <= out.width && vector_aligned(p) && vector_aligned(q) && vector_aligned(o)) {
      const MapVector<T> u = *reinterpret_cast<const MapVector<T>*>(p), v = *reinterpret_cast<const MapVector<T>*>(q);
      MapVector<O> r;
#pragma unroll
      for (i32 k = 0; k < kMapped; ++k) r.v[k] = static_cast<O>(fn(u.v[k], v.v[k]));
      *reinterpret_cast<MapVector<O>*>(o) = r;
    } else {
      for (i32 k = 0; k < kMapped && x + k < out.width; ++k) o[k] = static_cast<O>(fn(p[k], q[k]));
    }
  }
}

/// Enqueues out = fn(a, b) for every pixel; images without gaps between their rows are taken as one row.
template <class T, class O, class Fn>
void map_pixels(const Context& ctx, View<const T> a, View<const T> b, View<O> out, Fn fn) {
  if (out.extent.empty()) return;
  if (a.contiguous() && b.contiguous() && out.contiguous()) {
    const Extent row{static_cast<i32>(out.extent.area()), 1};
    a = View<const T>(a.data, row);
    b = View<const T>(b.data, row);
    out = View<O>(out.data, row);
  }
  const u32 down = static_cast<u32>(out.height() < 65535 ? out.height() : 65535);
  map_pixels_kernel<T, O, Fn><<<dim3(blocks_for(out.width(), kMapped * 128), down), 128, 0, stream_of(ctx)>>>(a, b, out, fn);
  check_launch("map_pixels_kernel");
}

}  // namespace morpho::gpu
