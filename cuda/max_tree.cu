// The max-tree in its canonical form, and the order of its pixels.
#include <algorithm>
#include <limits>

#include "contract/check_tree.hpp"
#include "gpu_ops.hpp"
#include "max_tree_parent.cuh"
#include "scan.cuh"

namespace morpho::gpu {
namespace {

constexpr i32 kThreads = 256, kWarps = kThreads / 32, kDigits = 256;
constexpr i64 kChunk = 16384;  ///< pixels that one block sorts
constexpr i32 kPerWarp = static_cast<i32>(kChunk) / kWarps;

/// One digit of the stable sort: what is read (`from`: indices, or null: all pixels in raster order) and where it goes.
template <class T>
struct SortPass {
  const T* d_f;
  T flip;
  int shift;          ///< of the digit, 8 bits, in the value
  const i32* d_from;
  i32* d_to;
  i32* d_count;       ///< [digit][chunk]
  i32* d_base;        ///< [digit], and one more
  i64 n;
  i32 chunks;
  i32 width;          ///< of d_to's rows
  i64 stride;

  __device__ i32 item(i64 i) const { return d_from ? d_from[i] : static_cast<i32>(i); }
  __device__ u32 digit(i32 p) const { return static_cast<u32>(static_cast<T>(d_f[p] ^ flip)) >> shift & 255; }
};

/// Counts each chunk's digits. One block a chunk, one thread every 256th pixel; the counts gather in shared memory.
template <class T>
__global__ void __launch_bounds__(kThreads) max_tree_count_kernel(SortPass<T> s) {
  __shared__ i32 count[kDigits];
  count[threadIdx.x] = 0;
  __syncthreads();
  const i64 first = static_cast<i64>(blockIdx.x) * kChunk, end = min(first + kChunk, s.n);
  for (i64 i = first + threadIdx.x; i < end; i += kThreads) atomicAdd(count + s.digit(s.item(i)), 1);
  __syncthreads();
  s.d_count[static_cast<i64>(threadIdx.x) * s.chunks + blockIdx.x] = count[threadIdx.x];
}

/// Turns each digit's counts into sums over the chunks before, and leaves the digit's total. One block a digit; rounds of 1024 chunks
/// carry their total on.
static __global__ void __launch_bounds__(1024) max_tree_sum_kernel(i32* d_count, i32 chunks, i32* d_base) {
  __shared__ i32 shared[33];
  i32* mine = d_count + static_cast<i64>(blockIdx.x) * chunks;
  i32 carry = 0;
  for (i32 begin = 0; begin < chunks; begin += 1024) {
    const i32 i = begin + static_cast<i32>(threadIdx.x);
    i32 total = 0;
    const i32 before = block_exclusive_sum<i32>(i < chunks ? mine[i] : 0, shared, total);
    if (i < chunks) mine[i] = carry + before;
    carry += total;
    __syncthreads();
  }
  if (threadIdx.x == 0) d_base[blockIdx.x] = carry;
}

/// Writes a chunk's pixels to their places, in order. One block a chunk, one warp 2048 consecutive pixels of it; shared memory holds each
/// warp's next place for each digit: counted first, then summed over the warps before, then given out 32 pixels at a time.
template <class T>
__global__ void __launch_bounds__(kThreads) max_tree_scatter_kernel(SortPass<T> s) {
  __shared__ i32 place[kWarps][kDigits];
  const i32 warp = static_cast<i32>(threadIdx.x >> 5);
  const u32 lane = lane_id();
  for (i32 w = 0; w < kWarps; ++w) place[w][threadIdx.x] = 0;
  __syncthreads();
  const i64 first = static_cast<i64>(blockIdx.x) * kChunk + static_cast<i64>(warp) * kPerWarp, end = min(first + kPerWarp, s.n);
  for (i64 i = first + lane; i < end; i += 32) atomicAdd(place[warp] + s.digit(s.item(i)), 1);
  __syncthreads();
  i32 sum = s.d_base[threadIdx.x] + s.d_count[static_cast<i64>(threadIdx.x) * s.chunks + blockIdx.x];
  for (i32 w = 0; w < kWarps; ++w) {
    const i32 count = place[w][threadIdx.x];
    place[w][threadIdx.x] = sum;
    sum += count;
  }
  __syncthreads();
  for (i64 begin = first; begin < end; begin += 32) {
    const i64 i = begin + lane;
    const bool mine = i < end;
    const i32 p = mine ? s.item(i) : 0;
    const u32 digit = mine ? s.digit(p) : 256 + lane;
    const u32 peers = __match_any_sync(kFullWarp, digit);
    const u32 before = __popc(peers & ((1u << lane) - 1));
    const i32 at = mine ? place[warp][digit] + static_cast<i32>(before) : 0;
    __syncwarp();
    if (mine && before == 0) place[warp][digit] += __popc(peers);
    __syncwarp();
    if (mine) s.d_to[s.stride == s.width ? at : at / s.width * s.stride + at % s.width] = p;
  }
}

template <class T>
void sort_digit(Context& ctx, const SortPass<T>& s) {
  max_tree_count_kernel<T><<<static_cast<u32>(s.chunks), kThreads, 0, stream_of(ctx)>>>(s);
  check_launch("max_tree_count_kernel");
  max_tree_sum_kernel<<<kDigits, 1024, 0, stream_of(ctx)>>>(s.d_count, s.chunks, s.d_base);
  check_launch("max_tree_sum_kernel");
  scan_totals(ctx, s.d_base, kDigits);
  max_tree_scatter_kernel<T><<<static_cast<u32>(s.chunks), kThreads, 0, stream_of(ctx)>>>(s);
  check_launch("max_tree_scatter_kernel");
}

/// Ascending value, then index: a stable sort by one digit (u8) or two (u16).
template <class T>
void sort_pixels(Context& ctx, const T* d_f, Extent e, View<i32> order, T flip) {
  const Workspace::Scope scope(ctx.workspace);
  const i32 chunks = static_cast<i32>(divide_up(e.area(), kChunk));
  SortPass<T> s{d_f, flip, 0, nullptr, order.data, nullptr, nullptr, e.area(), chunks, e.width, order.stride};
  s.d_count = ctx.workspace.take<i32>(static_cast<std::size_t>(chunks) * kDigits);
  s.d_base = ctx.workspace.take<i32>(kDigits + 1);
  if constexpr (sizeof(T) == 2) {
    SortPass<T> low = s;
    i32* d_middle = ctx.workspace.take<i32>(static_cast<std::size_t>(e.area()));
    low.d_to = d_middle;
    low.stride = e.width;
    sort_digit(ctx, low);
    s.d_from = d_middle;
    s.shift = 8;
  }
  sort_digit(ctx, s);
}

template <class T>
void build(Context& ctx, View<const T> f, View<i32> parent, Plane order, const MaxTreeParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const T flip = params.min_tree ? std::numeric_limits<T>::max() : T{0};
  const T* d_f = flat_rows(ctx, f);
  i32* d_parent = parent.contiguous() ? parent.data : ctx.workspace.take<i32>(static_cast<std::size_t>(f.extent.area()));
  const bool eight = params.connectivity == Connectivity::eight, border_trees = params.variant == MaxTreeVariant::border_trees;
  if (border_trees || params.variant == MaxTreeVariant::column_union_find) max_tree_parent_by_columns<T>(ctx, d_f, f.extent, d_parent, flip, eight, border_trees);
  else max_tree_parent<T>(ctx, d_f, f.extent, d_parent, flip, eight);
  if (!parent.contiguous()) copy_rows(ctx, View<const i32>(d_parent, f.extent), parent);
  if (!order.present()) return;
  ctx.check_cancelled();
  sort_pixels<T>(ctx, d_f, f.extent, order.view<i32>(), flip);
}

}  // namespace

/// Shape: f [h, w] u8, u16 -> parent, order [h, w] i32; `order` may be absent. Units: pixel indices of the image. Reach: global. Unique. Sync: none.
/// Variants: automatic, union_find, tile_merge (one algorithm); column_union_find and border_trees are the paper's (max_tree_columns.cu). Cost: one pass in tiles, joins along their borders, one pass for the
/// canonical form, a counting sort of one pass (u16: two). Memory: two bits a pixel and 4 bytes for each 64 pixels, u16: 4 bytes a pixel more; 4 bytes and f's
/// type a pixel for images that have a stride.
/// Source: Berger 2007 (union by levels, canonical form); Wilkinson 2008 and Blin 2021 §3, §4 (concurrent joins of tiles).
void max_tree(Context& ctx, ConstPlane f, Plane parent, Plane order, const MaxTreeParams& params) {
  check::max_tree(f, parent, order, params);
  if (params.variant == MaxTreeVariant::flooding || static_cast<int>(params.variant) > static_cast<int>(MaxTreeVariant::border_trees)) {
    reject("variant", "automatic, union_find, tile_merge, column_union_find or border_trees (on the GPU)", std::to_string(static_cast<int>(params.variant)));
  }
  if (f.extent.empty()) return;
  ctx.check_cancelled();
  if (f.type == PixelType::u8) build<u8>(ctx, f.view<u8>(), parent.view<i32>(), order, params);
  else build<u16>(ctx, f.view<u16>(), parent.view<i32>(), order, params);
}

}  // namespace morpho::gpu
