// Of two segmentations of one image the objects that are better.
#include <algorithm>
#include <bit>

#include "contract/object_preference.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {
namespace {

using objects::Below, objects::EdgeSums;
using ull = unsigned long long;
constexpr i32 kThreads = 128;
constexpr i32 kStrip = 64;

/// A label image of which other values than 1..count are background.
struct LabelImage {
  Image<const i32> image;
  i32 count;
  __device__ i32 at(i32 x, i32 y) const {
    const i32 v = image.at(x, y);
    return v > 0 && v <= count ? v : 0;
  }
  __device__ bool has_edge(i32 x, i32 y, i32 label) const {
    return (x > 0 && at(x - 1, y) != label) || (x + 1 < image.width && at(x + 1, y) != label) ||
           (y > 0 && at(x, y - 1) != label) || (y + 1 < image.height && at(x, y + 1) != label);
  }
};

__device__ void add_to(i64& sum, i64 value) { atomicAdd(reinterpret_cast<ull*>(&sum), static_cast<ull>(value)); }

/// What is told of each label is added up in integers: the order of additions does not show. A thread walks down a column of a
/// strip and adds to a label once for each run of it.
__global__ void better_labels_edges_kernel(LabelImage labels, Image<const u8> edge, EdgeSums* __restrict__ edges) {
  const i32 x = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  if (x >= labels.image.width) return;
  for (i64 top = i64{kStrip} * blockIdx.y; top < labels.image.height; top += i64{kStrip} * gridDim.y) {
    const i32 end = static_cast<i32>(min(top + kStrip, i64{labels.image.height}));
    i32 label = 0;
    i64 pixels = 0, sum = 0;
    const auto give = [&] {
      if (pixels > 0) add_to(edges[label].pixels, pixels), add_to(edges[label].sum, sum);
      pixels = sum = 0;
    };
    for (i32 y = static_cast<i32>(top); y < end; ++y) {
      const i32 l = labels.at(x, y);
      if (l == 0 || !labels.has_edge(x, y, l)) continue;
      if (l != label) give();
      label = l;
      pixels += 1, sum += edge.at(x, y);
    }
    give();
  }
}

/// fn(a, b, n) for the runs down a strip's columns along which both images keep their labels, of kept ones.
template <class Fn>
__device__ void each_run(const LabelImage& kept, const LabelImage& candidates, Fn&& fn) {
  const i32 x = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  if (x >= kept.image.width) return;
  for (i64 top = i64{kStrip} * blockIdx.y; top < kept.image.height; top += i64{kStrip} * gridDim.y) {
    const i32 end = static_cast<i32>(min(top + kStrip, i64{kept.image.height}));
    i32 a = 0, b = 0, n = 0;
    for (i32 y = static_cast<i32>(top); y < end; ++y) {
      const i32 next_a = kept.at(x, y), next_b = candidates.at(x, y);
      if (next_a != a || next_b != b) {
        if (a > 0) fn(a, b, n);
        a = next_a, b = next_b, n = 0;
      }
      ++n;
    }
    if (a > 0) fn(a, b, n);
  }
}

/// Of each kept label and each bit of a candidate's number, how many pixels lie on candidates that have it.
__global__ void better_labels_bits_kernel(LabelImage kept, LabelImage candidates, i32 bits, i32* __restrict__ counts) {
  each_run(kept, candidates, [&](i32 a, i32 b, i32 n) {
    for (i32 left = b; left != 0; left &= left - 1) atomicAdd(&counts[i64{a} * bits + __ffs(left) - 1], n);
  });
}
/// A thread owns a kept label: where a candidate holds more than half of it, its number has the bits that more than half of the
/// pixels have. Whether one does is counted afterwards.
__global__ void better_labels_guess_kernel(const LabelSums* __restrict__ sums, i32 count, i32 most, i32 bits,
                                           const i32* __restrict__ counts, i32* __restrict__ home) {
  const i64 l = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (l > count) return;
  i32 number = 0;
  for (i32 k = 0; l > 0 && k < bits; ++k) number |= (2 * i64{counts[l * bits + k]} > sums[l].area ? 1 : 0) << k;
  home[l] = number > most ? 0 : number;
}
__global__ void better_labels_held_kernel(LabelImage kept, LabelImage candidates, const i32* __restrict__ home,
                                          i32* __restrict__ held) {
  each_run(kept, candidates, [&](i32 a, i32 b, i32 n) {
    if (b > 0 && home[a] == b) atomicAdd(&held[a], n);
  });
}
/// A thread owns a kept label, and gives its score to the candidate that it belongs to.
__global__ void better_labels_belong_kernel(const LabelSums* __restrict__ sums, const EdgeSums* __restrict__ edges, i32 count,
                                            PreferenceRule rule, const i32* __restrict__ held, i32* __restrict__ home,
                                            Below* __restrict__ below) {
  const i64 l = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (l < 1 || l > count || sums[l].area == 0) return;
  if (2 * i64{held[l]} <= sums[l].area) home[l] = 0;
  if (home[l] == 0) return;
  add_to(below[home[l]].sum, objects::preference(rule, sums[l], edges[l]));
  atomicAdd(&below[home[l]].count, 1);
}
__global__ void better_labels_others_kernel(LabelImage kept, LabelImage candidates, const i32* __restrict__ home,
                                            Below* __restrict__ below) {
  each_run(kept, candidates, [&](i32 a, i32 b, i32 n) {
    if (b > 0 && home[a] != b) add_to(below[b].others, n);
  });
}
/// A thread owns a candidate.
__global__ void better_labels_win_kernel(const LabelSums* __restrict__ sums, const EdgeSums* __restrict__ edges, i32 count,
                                         PreferenceRule rule, const Below* __restrict__ below, u8* __restrict__ won) {
  const i64 l = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (l > count) return;
  won[l] = l > 0 && sums[l].area > 0 &&
           objects::wins(rule, objects::preference(rule, sums[l], edges[l]), sums[l].area, below[l]);
}
/// A thread owns a pixel.
__global__ void better_labels_write_kernel(LabelImage kept, LabelImage candidates, const i32* __restrict__ home,
                                           const u8* __restrict__ won, Image<u8> out) {
  const i32 x = static_cast<i32>(blockIdx.x) * kThreads + static_cast<i32>(threadIdx.x);
  if (x >= out.width) return;
  const auto stays = [&](i32 u, i32 v) {
    const i32 l = kept.at(u, v);
    return l > 0 && !won[home[l]];
  };
  for (i32 y = static_cast<i32>(blockIdx.y); y < out.height; y += static_cast<i32>(gridDim.y)) {
    const auto beside = [&] {
      return (x > 0 && stays(x - 1, y)) || (x + 1 < out.width && stays(x + 1, y)) || (y > 0 && stays(x, y - 1)) ||
             (y + 1 < out.height && stays(x, y + 1));
    };
    out.at(x, y) = stays(x, y) || (won[candidates.at(x, y)] && !beside());
  }
}

template <class T>
T* zeros(Context& ctx, std::size_t n) {
  T* array = ctx.workspace.take<T>(n);
  set_bytes(ctx, array, 0, n);
  return array;
}

}  // namespace

// Memory: 24 bytes a label and 4 for each bit of the candidates' count and kept label; 25 bytes a candidate more. Cost: seven
// passes over the label images, a few atomics for each run of labels down a column of 64; five passes over the labels. sync:
// none.
void better_labels(Context& ctx, const op::Segmentation& kept, const op::Segmentation& candidates, ConstPlane edge, Plane out,
                   const PreferenceRule& rule) {
  op::better_labels::check(kept, candidates, edge, out, rule);
  const Extent e = kept.labels.extent;
  if (e.empty()) return;
  ctx.check_cancelled();
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  const std::size_t na = static_cast<std::size_t>(kept.count) + 1, nb = static_cast<std::size_t>(candidates.count) + 1;
  const i32 bits = std::max(1, static_cast<i32>(std::bit_width(static_cast<u32>(candidates.count))));
  EdgeSums *edges_a = zeros<EdgeSums>(ctx, na), *edges_b = zeros<EdgeSums>(ctx, nb);
  i32 *counts = zeros<i32>(ctx, na * static_cast<std::size_t>(bits)), *held = zeros<i32>(ctx, na);
  i32* home = ctx.workspace.take<i32>(na);
  Below* below = zeros<Below>(ctx, nb);
  u8* won = ctx.workspace.take<u8>(nb);

  const LabelImage a{kept.labels.view<i32>(), kept.count}, b{candidates.labels.view<i32>(), candidates.count};
  const View<const u8> steep = edge.view<u8>();
  const dim3 strips = tiles_for(e, kThreads, kStrip);
  const u32 blocks_a = blocks_for(static_cast<i64>(na), kThreads), blocks_b = blocks_for(static_cast<i64>(nb), kThreads);
  better_labels_edges_kernel<<<strips, kThreads, 0, stream>>>(a, steep, edges_a);
  better_labels_edges_kernel<<<strips, kThreads, 0, stream>>>(b, steep, edges_b);
  check_launch("better_labels_edges_kernel");
  better_labels_bits_kernel<<<strips, kThreads, 0, stream>>>(a, b, bits, counts);
  check_launch("better_labels_bits_kernel");
  better_labels_guess_kernel<<<blocks_a, kThreads, 0, stream>>>(kept.sums, kept.count, candidates.count, bits, counts, home);
  check_launch("better_labels_guess_kernel");
  better_labels_held_kernel<<<strips, kThreads, 0, stream>>>(a, b, home, held);
  check_launch("better_labels_held_kernel");
  better_labels_belong_kernel<<<blocks_a, kThreads, 0, stream>>>(kept.sums, edges_a, kept.count, rule, held, home, below);
  check_launch("better_labels_belong_kernel");
  better_labels_others_kernel<<<strips, kThreads, 0, stream>>>(a, b, home, below);
  check_launch("better_labels_others_kernel");
  better_labels_win_kernel<<<blocks_b, kThreads, 0, stream>>>(candidates.sums, edges_b, candidates.count, rule, below, won);
  check_launch("better_labels_win_kernel");
  better_labels_write_kernel<<<tiles_for(e, kThreads, 1), kThreads, 0, stream>>>(a, b, home, won, out.view<u8>());
  check_launch("better_labels_write_kernel");
}

}  // namespace morpho::gpu
