// Connected-component labelling on the GPU.
#include "cuda/components/components.cuh"
#include "contract/work_log.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/scan.cuh"

namespace morpho::gpu {

namespace {

constexpr i32 kThreads = 256;

/// A block owns the runs of 1024 words, a thread four neighbours of each 1024 runs: each root's parent becomes minus its
/// number, which is roots_before of the block and those before it in the block. Shared: one number a warp.
__global__ void label_number_kernel(const i32* __restrict__ before, const i32* __restrict__ roots_before,
                                    i32* __restrict__ parent) {
  constexpr i32 each = 4;
  __shared__ i32 sums[33];
  const i32 end = before[blockIdx.x + 1];
  i32 numbered = roots_before[blockIdx.x];
  for (i32 begin = before[blockIdx.x]; begin < end; begin += each * kThreads) {
    const i32 first = begin + each * static_cast<i32>(threadIdx.x);
    bool root[each];
    i32 mine = 0, total;
#pragma unroll
    for (i32 k = 0; k < each; ++k) {
      root[k] = k < end - first && parent[first + k] == first + k;
      mine += root[k];
    }
    i32 number = numbered + block_exclusive_sum(mine, sums, total);
#pragma unroll
    for (i32 k = 0; k < each; ++k) {
      if (root[k]) parent[first + k] = -(++number);
    }
    numbered += total;
    __syncthreads();  // `sums` is used again
  }
}

/// The word of a lane while its warp writes 32 of them.
struct Word {
  u32 fg = 0, starts = 0;
  i32 first = 0, pixels = 0;  ///< its first run, counted from the warp's first; its pixels inside the image
  i64 at = 0;                 ///< of its first pixel in the labels
};

/// The labels of a warp's n runs to shared memory: minus what the run says, or its tile's root, or that one's root. A lane owns
/// every 32nd of the runs, four at once.
__device__ __forceinline__ void look_up_labels(const i32* __restrict__ parent, i32 begin, i32 n, i32* value) {
  constexpr i32 each = 4;
  for (i32 from = static_cast<i32>(lane_id()); from < n; from += each * 32) {
    i32 v[each];
#pragma unroll
    for (i32 k = 0; k < each; ++k) v[k] = from + 32 * k < n ? parent[begin + from + 32 * k] : -1;
#pragma unroll
    for (i32 step = 0; step < 2; ++step) {
#pragma unroll
      for (i32 k = 0; k < each; ++k) {
        if (v[k] >= 0) v[k] = parent[v[k]];
      }
    }
#pragma unroll
    for (i32 k = 0; k < each; ++k) {
      if (from + 32 * k < n) value[from + 32 * k] = -v[k];
    }
  }
}
/// Where rows allow 16-byte stores: a lane writes four pixels, and the warp four words at once.
__device__ __forceinline__ void write_by_four(const Word& own, const i32* value, i32* labels) {
  const i32 lane = static_cast<i32>(lane_id());
#pragma unroll 2
  for (i32 k = 0; k < 8; ++k) {
    const i32 word = 4 * k + lane / 8, bit = lane % 8 * 4;
    const u32 on = __shfl_sync(kFullWarp, own.fg, word) >> bit, begins = __shfl_sync(kFullWarp, own.starts, word);
    const i32 left = __shfl_sync(kFullWarp, own.pixels, word) - bit;
    i32* const to = labels + __shfl_sync(kFullWarp, own.at, word) + bit;
    i32 run = __shfl_sync(kFullWarp, own.first, word) + __popc(begins & ((1u << bit) - 1)) - 1;
    int v[4];
#pragma unroll
    for (i32 j = 0; j < 4; ++j) {
      run += static_cast<i32>(begins >> (bit + j) & 1);
      v[j] = on >> j & 1 ? value[run] : 0;
    }
    if (left >= 4) {
      __stcs(reinterpret_cast<int4*>(to), int4{v[0], v[1], v[2], v[3]});
    } else {
#pragma unroll
      for (i32 j = 0; j < 3; ++j) {
        if (j < left) to[j] = v[j];
      }
    }
  }
}
/// Elsewhere a lane writes one pixel, and the warp a word.
__device__ __forceinline__ void write_by_one(const Word& own, const i32* value, i32* labels) {
  const i32 lane = static_cast<i32>(lane_id());
#pragma unroll 4
  for (i32 word = 0; word < 32; ++word) {
    const u32 on = __shfl_sync(kFullWarp, own.fg, word), begins = __shfl_sync(kFullWarp, own.starts, word);
    const i32 run = __shfl_sync(kFullWarp, own.first, word) + __popc(begins & (kFullWarp >> (31 - lane))) - 1;
    const i32 v = on >> lane & 1 ? value[run] : 0;
    const bool there = lane < __shfl_sync(kFullWarp, own.pixels, word);
    const i64 to = __shfl_sync(kFullWarp, own.at, word) + lane;
    if (there) labels[to] = v;
  }
}

/// A warp owns 32 words, a lane one of them: looks up the labels of their runs, and writes those of the pixels. Shared: the
/// labels of the warp's runs.
template <bool Valued>
__global__ void __launch_bounds__(kThreads)
    label_write_kernel(LinkWords m, i64 count, const i32* __restrict__ first_run, const i32* __restrict__ parent, bool by_four,
                       Image<i32> labels) {
  __shared__ i32 values[kThreads / 32][32 * kMostRuns<Valued>];
  i32* const value = values[threadIdx.x / 32];
  const i64 i = static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x;
  if (i - static_cast<i32>(lane_id()) >= count) return;
  Word own;
  if (i < count) {
    const i32 y = static_cast<i32>(i / m.words), x = 32 * static_cast<i32>(i - static_cast<i64>(y) * m.words);
    own.fg = m.fg[i];
    own.starts = starts_of<Valued>(m, i);
    own.first = first_run[i];
    own.pixels = min(32, m.width - x);
    own.at = y * labels.stride + x;
  }
  const i32 begin = __shfl_sync(kFullWarp, own.first, 0), n = warp_sum(__popc(own.starts));
  own.first -= begin;
  look_up_labels(parent, begin, n, value);
  __syncwarp();
  if (by_four) write_by_four(own, value, labels.data);
  else write_by_one(own, value, labels.data);
}

}  // namespace

/// Shape: in [h, w] u8 (binary) or u16, i32 (equal values) -> labels [h, w] i32; returns the number of components.
/// Units: labels 1..n in raster order of first pixels. Reach: global.
/// Cost: one read of `in`, one write of `labels`, and passes over one bit a pixel and 4 bytes a run. Memory: that of connect().
/// sync: once, for the count. Source: run-wise union-find with atomicMin (Allegretti et al. 2019), our own in the words, the
/// runs' numbers and the ranks.
i32 label(Context& ctx, ConstPlane in, Plane labels, const ConnectivityParams& params) {
  op::label::check(in, labels, params);
  if (in.extent.empty()) return 0;

  note(ctx, {"label", "union-find of runs"});
  const Workspace::Scope scope(ctx.workspace);
  const Components c = connect(ctx, in, params.connectivity, false);
  ctx.check_cancelled();
  const cudaStream_t stream = stream_of(ctx);
  scan_totals(ctx, c.roots, static_cast<i32>(c.blocks));
  label_number_kernel<<<c.blocks, kThreads, 0, stream>>>(c.before, c.roots, c.parent);
  check_launch("label_number_kernel");
  const View<i32> out = labels.view<i32>();
  const bool by_four = reinterpret_cast<std::uintptr_t>(out.data) % 16 == 0 && out.stride % 4 == 0;
  const u32 writers = blocks_for(c.count, kThreads);
  if (in.type == PixelType::u8)
    label_write_kernel<false><<<writers, kThreads, 0, stream>>>(c.links, c.count, c.first, c.parent, by_four, out);
  else label_write_kernel<true><<<writers, kThreads, 0, stream>>>(c.links, c.count, c.first, c.parent, by_four, out);
  check_launch("label_write_kernel");
  i32 n = 0;
  fetch(ctx, &n, c.roots + c.blocks, 1);  // sync: the caller gets the number of labels
  return n;
}

}  // namespace morpho::gpu
