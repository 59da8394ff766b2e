// Sums over the pixels of every label.
#include <cstddef>

#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {
namespace {

using ull = unsigned long long;
constexpr i32 kThreads = 128;
/// Rows of a strip; 8 are read before any is looked at. The sums below fit 32 bits for up to 256.
constexpr i32 kStrip = 64, kAhead = 8;

/// What one column, or one strip, has of a label: sums relative to the strip's corner.
struct Part {
  i32 n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0, value = 0;
  i32 first = 0x7FFFFFFF;  ///< 32 * row + column
};

/// Where a label's first pixel is kept until the end: the row in the upper half, so that the least is the first in raster
/// order.
__device__ ull* first_of(LabelSums& s) { return reinterpret_cast<ull*>(&s.first_x); }

/// Adds a part to its label, in the image's coordinates, modulo 2^64: what wraps on the way is right again once sums are moved
/// to the first pixel. Integers: the order of additions does not show.
template <bool kValue>
__device__ void add_part(LabelSums& to, const Part& p, i32 left, i32 top) {
  const auto wide = [](i32 v) { return static_cast<ull>(static_cast<long long>(v)); };
  const auto add = [](i64& sum, ull v) { atomicAdd(reinterpret_cast<ull*>(&sum), v); };
  const ull a = wide(left), b = wide(top), n = wide(p.n), x = wide(p.x), y = wide(p.y);
  add(to.area, n);
  add(to.x, n * a + x);
  add(to.y, n * b + y);
  add(to.xx, n * a * a + 2 * a * x + wide(p.xx));
  add(to.yy, n * b * b + 2 * b * y + wide(p.yy));
  add(to.xy, n * a * b + a * y + b * x + wide(p.xy));
  if (kValue) add(to.value, wide(p.value));
  atomicMin(first_of(to), (b + wide(p.first / 32)) << 32 | (a + wide(p.first % 32)));
}

__global__ void label_sums_begin_kernel(LabelSums* __restrict__ sums, i64 n) {
  const i64 l = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (l >= n) return;
  sums[l] = {};
  *first_of(sums[l]) = ~ull{0};
}

/// A warp owns a strip of 32 columns and 64 rows, a lane a column, which it walks down. It sums in registers as long as no
/// other label comes (background between does not count), then adds its part to the label. At the strip's end the lanes of each
/// label add theirs up first: an object is some 8 atomics a strip, and one that fills the image no more. Loops over strips
/// where the grid is too short.
template <class V, bool kValue, bool kBelow>
__global__ void label_sums_add_kernel(Image<const i32> labels, Image<const V> value, Image<const V> below, i32 count,
                                      LabelSums* sums) {
  const i32 x = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x), lane = static_cast<i32>(lane_id());
  const bool inside = x < labels.width;
  for (i64 next = i64{kStrip} * blockIdx.y; next < labels.height; next += i64{kStrip} * gridDim.y) {
    const i32 top = static_cast<i32>(next), rows = min(kStrip, labels.height - top);
    i32 label = 0;
    Part part;
    for (i32 y = 0; inside && y < rows; y += kAhead) {
      i32 l[kAhead], v[kAhead];
#pragma unroll
      for (i32 k = 0; k < kAhead; ++k) {
        l[k] = y + k < rows ? labels.at(x, top + y + k) : 0;
        v[k] = 0;
        if (kValue && y + k < rows) v[k] = value.at(x, top + y + k);
        if (kBelow && y + k < rows) v[k] -= below.at(x, top + y + k);
      }
#pragma unroll
      for (i32 k = 0; k < kAhead; ++k) {
        if (l[k] <= 0 || l[k] > count) continue;
        if (l[k] != label) {
          if (label > 0) {
            part.x = part.n * lane, part.xx = part.x * lane, part.xy = part.y * lane;
            add_part<kValue>(sums[label], part, x - lane, top);
          }
          part = Part{};
          label = l[k];
          part.first = 32 * (y + k) + lane;
        }
        part.n += 1, part.y += y + k, part.yy += (y + k) * (y + k), part.value += v[k];
      }
    }
    part.x = part.n * lane, part.xx = part.x * lane, part.xy = part.y * lane;
    for (u32 waiting = __ballot_sync(kFullWarp, label > 0); waiting;) {
      const i32 leader = __ffs(waiting) - 1, shared_label = __shfl_sync(kFullWarp, label, leader);
      const bool mine = label == shared_label;
      const auto sum = [&](i32 own) { return warp_sum(mine ? own : 0); };
      const Part all{sum(part.n),
                     sum(part.x),
                     sum(part.y),
                     sum(part.xx),
                     sum(part.yy),
                     sum(part.xy),
                     kValue ? sum(part.value) : 0,
                     warp_min(mine ? part.first : 0x7FFFFFFF)};
      if (lane == leader) add_part<kValue>(sums[shared_label], all, x - lane, top);
      waiting &= ~__ballot_sync(kFullWarp, mine);
    }
  }
}

/// Moves every label's sums to its first pixel; a thread owns a label.
__global__ void label_sums_finish_kernel(LabelSums* __restrict__ sums, i64 count) {
  const i64 l = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (l >= count) return;
  LabelSums s = sums[l];
  const ull first = *first_of(sums[l]);
  if (s.area == 0) {
    sums[l] = {};
    return;
  }
  const ull a = first & 0xFFFFFFFFu, b = first >> 32, n = static_cast<ull>(s.area), x = static_cast<ull>(s.x),
            y = static_cast<ull>(s.y);
  s.xx = static_cast<i64>(static_cast<ull>(s.xx) - 2 * a * x + n * a * a);
  s.yy = static_cast<i64>(static_cast<ull>(s.yy) - 2 * b * y + n * b * b);
  s.xy = static_cast<i64>(static_cast<ull>(s.xy) - a * y - b * x + n * a * b);
  s.x = static_cast<i64>(x - n * a);
  s.y = static_cast<i64>(y - n * b);
  s.first_x = static_cast<i32>(a);
  s.first_y = static_cast<i32>(b);
  sums[l] = s;
}

}  // namespace

// Memory: none. Cost: one pass over the images, 8 atomics for each label of each strip of 32 × 64 pixels and each change of
// labels down a column; two passes over the labels. sync: none.
void label_sums(Context& ctx, ConstPlane labels, i32 count, ConstPlane value, ConstPlane below, LabelSums* sums) {
  static_assert(offsetof(LabelSums, first_y) == offsetof(LabelSums, first_x) + 4 && offsetof(LabelSums, first_x) % 8 == 0);
  op::label_sums::check(labels, count, value, below, sums);
  ctx.check_cancelled();
  const cudaStream_t stream = stream_of(ctx);
  const i64 n = i64{count} + 1;
  label_sums_begin_kernel<<<blocks_for(n, kThreads), kThreads, 0, stream>>>(sums, n);
  check_launch("label_sums_begin_kernel");
  if (!labels.extent.empty()) {
    const View<const i32> l = labels.view<i32>();
    const dim3 grid = tiles_for(labels.extent, kThreads, kStrip);
    const auto add = [&]<class V>(V) {
      const auto grey = [](const ConstPlane& p) { return p.present() ? p.view<V>() : View<const V>(); };
      const View<const V> v = grey(value), b = grey(below);
      if (below.present()) label_sums_add_kernel<V, true, true><<<grid, kThreads, 0, stream>>>(l, v, b, count, sums);
      else if (value.present()) label_sums_add_kernel<V, true, false><<<grid, kThreads, 0, stream>>>(l, v, b, count, sums);
      else label_sums_add_kernel<V, false, false><<<grid, kThreads, 0, stream>>>(l, v, b, count, sums);
    };
    value.type == PixelType::u16 ? add(u16{}) : add(u8{});
    check_launch("label_sums_add_kernel");
  }
  label_sums_finish_kernel<<<blocks_for(n, kThreads), kThreads, 0, stream>>>(sums, n);
  check_launch("label_sums_finish_kernel");
}

}  // namespace morpho::gpu
