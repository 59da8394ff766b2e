// Morphological reconstruction: tiles settled by one warp each, and a worklist that carries changes across their borders.
#include <algorithm>
#include <atomic>

#include "cuda/runtime/device.cuh"
#include "contract/choices.hpp"
#include "cuda/for_tests.hpp"
#include "cuda/gpu_ops.hpp"
#include "cuda/local/packed_row.cuh"
#include "cuda/reconstruct/reconstruct_bits.cuh"
#include "cuda/reconstruct/papers/reconstruct_papers.cuh"
#include "cuda/runtime/work.cuh"

namespace morpho::gpu {
namespace {

constexpr i32 kRows = TileGrid::height;
constexpr i32 kPitch = 33;  ///< words between rows in shared memory: rows and columns are both free of bank conflicts
/// Of a block; each has a tile, 8.25 KiB of shared memory. Six such blocks, which the kernel's launch bounds ask for, are what
/// a multiprocessor's registers hold, and the 228 KiB of shared memory of an H200; where there is less, fewer run at once.
constexpr i32 kWarps = 4;

/// Every type and both directions become one: unsigned, by dilation. Reconstruction by erosion is that by dilation of the
/// complement; i32 is ordered as u32 once its sign bit is turned.
template <class T>
u32 order_flip(By by) {
  const u32 sign = std::is_same_v<T, i32> ? 0x80000000u : 0u;
  return by == By::dilation ? sign : ~sign;
}
template <class T>
using Raised = std::conditional_t<std::is_same_v<T, i32>, u32, T>;

template <class U>
struct ReconstructArgs {
  U* d_out;
  const U* d_mask;
  i64 out_stride, mask_stride;
  i32 width, height;
  u32 flip;
  bool words;  ///< both images may be read in aligned words
  TileGrid grid;
  TileQueue queue;
};

/// One warp's access to both images in the raised order; pixels outside the image are 0 in both.
template <class U>
struct Access {
  const ReconstructArgs<U>& a;
  static constexpr u32 low = sizeof(U) == 4 ? 0xFFFFFFFFu : (1u << (8 * (sizeof(U) & 3))) - 1;

  __device__ u32 out(i32 x, i32 y) const {
    if (x < 0 || y < 0 || x >= a.width || y >= a.height) return 0;
    return (load_pixel(a.d_out + y * a.out_stride + x) ^ a.flip) & low;
  }
  __device__ u32 mask(i32 x, i32 y) const {
    if (x < 0 || y < 0 || x >= a.width || y >= a.height) return 0;
    return (static_cast<u32>(a.d_mask[y * a.mask_stride + x]) ^ a.flip) & low;
  }
  __device__ u32 out_word(i32 x, i32 y) const {
    if (y < 0 || y >= a.height || x >= a.width) return 0;
    if (a.words && x + Packed<U>::count <= a.width)
      return load_pixel(reinterpret_cast<const u32*>(a.d_out + y * a.out_stride + x)) ^ a.flip;
    u32 w = 0;
    for (int k = 0; k < Packed<U>::count; ++k) w |= out(x + k, y) << (k * 8 * sizeof(U));
    return w;
  }
  __device__ u32 mask_word(i32 x, i32 y) const {
    if (y < 0 || y >= a.height || x >= a.width) return 0;
    if (a.words && x + Packed<U>::count <= a.width)
      return *reinterpret_cast<const u32*>(a.d_mask + y * a.mask_stride + x) ^ a.flip;
    u32 w = 0;
    for (int k = 0; k < Packed<U>::count; ++k) w |= mask(x + k, y) << (k * 8 * sizeof(U));
    return w;
  }
  __device__ void store_word(i32 x, i32 y, u32 w) const {
    if (y >= a.height || x >= a.width) return;
    w ^= a.flip;
    if (a.words && x + Packed<U>::count <= a.width) {
      store_pixel(reinterpret_cast<u32*>(a.d_out + y * a.out_stride + x), w);
      return;
    }
    for (int k = 0; k < Packed<U>::count && x + k < a.width; ++k)
      store_pixel(a.d_out + y * a.out_stride + x + k, Packed<U>::pixel(w, k));
  }
};

/// A tile in one warp's shared memory: lane l holds word l of every row, so rows meet no other lane's words but by shuffles.
template <class U, bool eight>
struct ReconstructTile {
  using P = Packed<U>;
  const Access<U>& image;
  u32* d_j;  ///< shared: the image so far
  u32* d_i;  ///< shared: the mask
  i32 x0, y0;
  u32 dirty = 0;      ///< rows one of whose neighbours has changed since they were settled
  u32 unsettled = 0;  ///< rows that have not been settled along themselves
  u32 changed = 0;    ///< rows that differ from the image in memory
  u32 lane_changed = 0;

  __device__ i32 word_x() const { return x0 + static_cast<i32>(lane_id()) * P::count; }
  __device__ u32& j(i32 y) const { return d_j[y * kPitch + static_cast<i32>(lane_id())]; }
  __device__ u32 i(i32 y) const { return d_i[y * kPitch + static_cast<i32>(lane_id())]; }
  __device__ static u32 spread(u32 row) { return eight ? P::largest(row, P::before(row), P::after(row)) : row; }

  __device__ void load() {
    constexpr i32 batch = 8;  // rows whose loads are in flight together
    if (image.a.words && x0 + 32 * P::count <= image.a.width && y0 + kRows <= image.a.height) {
      const U* out = image.a.d_out + y0 * image.a.out_stride + word_x();
      const U* mask = image.a.d_mask + y0 * image.a.mask_stride + word_x();
      for (i32 y = 0; y < kRows; y += batch) {
        u32 v[batch], m[batch];
#pragma unroll
        for (i32 k = 0; k < batch; ++k) {
          v[k] = __ldcg(reinterpret_cast<const u32*>(out + (y + k) * image.a.out_stride));
          m[k] = __ldcs(reinterpret_cast<const u32*>(mask + (y + k) * image.a.mask_stride));
        }
#pragma unroll
        for (i32 k = 0; k < batch; ++k) {
          j(y + k) = v[k] ^ image.a.flip;
          d_i[(y + k) * kPitch + static_cast<i32>(lane_id())] = m[k] ^ image.a.flip;
        }
      }
      __syncwarp();
      return;
    }
    for (i32 y = 0; y < kRows; ++y) {
      j(y) = image.out_word(word_x(), y0 + y);
      d_i[y * kPitch + static_cast<i32>(lane_id())] = image.mask_word(word_x(), y0 + y);
    }
    __syncwarp();
  }

  /// What the pixels around the tile do to its edge. They are read once a visit; whoever changes them later asks for another.
  __device__ void apply_surroundings() {
    const i32 right = x0 + 32 * P::count;
    for (int side = 0; side < 2; ++side) {
      const i32 outside = side ? y0 + kRows : y0 - 1, y = side ? kRows - 1 : 0;
      const u32 row = image.out_word(word_x(), outside);
      u32 reach = row;
      if (eight) {
        const u32 first = image.out(x0 - 1, outside) << (32 - P::bits), last = image.out(right, outside);
        reach = P::largest(row, P::before(row, first), P::after(row, last));
      }
      const u32 c = j(y), t = P::clamped(c, reach, i(y));
      if (__any_sync(kFullWarp, t != c)) {
        j(y) = t;
        mark(y, t != c);
      }
    }
    // The columns: lane r has row r.
    const i32 r = static_cast<i32>(lane_id());
    __syncwarp();
    for (int side = 0; side < 2; ++side) {
      u32 reach = image.out(side ? right : x0 - 1, y0 + r);
      if (eight) reach = column_spread(reach);
      u32& word = d_j[r * kPitch + (side ? 31 : 0)];
      const int k = side ? P::count - 1 : 0;
      const u32 c = P::pixel(word, k), t = min(max(c, reach), P::pixel(d_i[r * kPitch + (side ? 31 : 0)], k));
      if (t != c) word += (t - c) << (k * P::bits % 32);
      const u32 rows = __ballot_sync(kFullWarp, t != c);
      changed |= rows;
      unsettled |= rows;
      dirty |= rows | rows << 1 | rows >> 1;
      if (rows && r == (side ? 31 : 0)) lane_changed = 1;
    }
    __syncwarp();
  }
  __device__ static u32 column_spread(u32 v) {
    const u32 up = __shfl_up_sync(kFullWarp, v, 1), down = __shfl_down_sync(kFullWarp, v, 1), r = lane_id();
    return max(v, max(r > 0 ? up : 0, r < 31 ? down : 0));
  }
  __device__ void mark(i32 y, bool mine) {
    const u32 row = 1u << y;
    changed |= row;
    unsettled |= row;
    dirty |= row | row << 1 | row >> 1;
    lane_changed |= mine;
  }

  /// Brings row y to what its neighbour rows and its own pixels make of it.
  __device__ void settle_row(i32 y) {
    const u32 row = 1u << y;
    dirty &= ~row;
    const u32 c = j(y), mask = i(y);
    const u32 near = P::larger(y > 0 ? j(y - 1) : 0, y + 1 < kRows ? j(y + 1) : 0);
    u32 t = P::clamped(c, spread(near), mask);
    if (!(unsettled & row) && !__any_sync(kFullWarp, t != c)) return;
    unsettled &= ~row;
    const u32 step = P::clamped(t, P::larger(P::before(t), P::after(t)), mask);
    if (__any_sync(kFullWarp, step != t)) t = P::settle(t, mask);  // one step that moves nothing proves that none would
    if (!__any_sync(kFullWarp, t != c)) return;
    j(y) = t;
    changed |= row;
    dirty |= row << 1 | row >> 1;
    lane_changed |= t != c;
  }
  __device__ void settle() {
    while (dirty) {
      for (u32 m = dirty; m;) {
        const i32 y = __ffs(static_cast<int>(m)) - 1;
        settle_row(y);
        m = y == 31 ? 0 : dirty & (0xFFFFFFFEu << y);
      }
      for (u32 m = dirty; m;) {
        const i32 y = 31 - __clz(static_cast<int>(m));
        settle_row(y);
        m = dirty & ((1u << y) - 1);
      }
    }
  }
  __device__ void store() const {
    for (u32 m = changed; m; m &= m - 1) {
      const i32 y = __ffs(static_cast<int>(m)) - 1;
      image.store_word(word_x(), y0 + y, j(y));
    }
  }

  /// Which of the 8 tiles around (NW N NE W E SW S SE, bit 0 first) have a pixel that this tile's edge would still raise.
  __device__ u32 raised_neighbours() const {
    const i32 lane = static_cast<i32>(lane_id());
    const i32 right = x0 + 32 * P::count;
    u32 found = 0;
    for (int side = 0; side < 2; ++side) {
      const i32 y = side ? kRows - 1 : 0, outside = side ? y0 + kRows : y0 - 1;
      if (!(changed >> y & 1)) continue;
      const u32 q = image.out_word(word_x(), outside);
      const u32 t = P::smaller(spread(j(y)), image.mask_word(word_x(), outside));
      if (__any_sync(kFullWarp, P::larger(t, q) != q)) found |= side ? 1u << 6 : 1u << 1;
      if (!eight) continue;
      // The corners: lanes 0 and 31 have the pixels next to them.
      const bool corner = lane == 0 || lane == 31;
      const i32 x = lane == 0 ? x0 - 1 : right;
      const u32 v = lane == 0 ? P::pixel(j(y), 0) : P::pixel(j(y), P::count - 1);
      const u32 corners = __ballot_sync(kFullWarp, corner && min(v, image.mask(x, outside)) > image.out(x, outside));
      if (corners & 1) found |= side ? 1u << 5 : 1u << 0;
      if (corners >> 31) found |= side ? 1u << 7 : 1u << 2;
    }
    const u32 lanes = __ballot_sync(kFullWarp, lane_changed != 0);
    for (int side = 0; side < 2; ++side) {
      if (!(lanes >> (side ? 31 : 0) & 1)) continue;
      const i32 x = side ? right : x0 - 1;
      u32 v = P::pixel(d_j[lane * kPitch + (side ? 31 : 0)], side ? P::count - 1 : 0);
      if (eight) v = column_spread(v);
      if (__any_sync(kFullWarp, min(v, image.mask(x, y0 + lane)) > image.out(x, y0 + lane))) found |= side ? 1u << 4 : 1u << 3;
    }
    return found;
  }
};

/// Settles tiles until none can change. One warp visits a tile: lane l owns word l of its 32 rows; image and mask of the tile
/// sit in shared memory. Rows are settled down and up while a neighbour row has changed; then the changed rows are written, and
/// those of the 8 tiles around are asked for whose pixels the new edge would raise. Values only rise and are bounded by the
/// mask, so it ends; the result is the reconstruction, which is unique, whatever the order of visits.
template <class U, bool eight>
__global__ void __launch_bounds__(32 * kWarps, 6) reconstruct_tiles_kernel(const __grid_constant__ ReconstructArgs<U> a) {
  __shared__ u32 shared[kWarps][2][kRows * kPitch], depth[kWarps];
  const u32 warp = threadIdx.x >> 5, lane = lane_id();
  const Access<U> image{a};
  for (;;) {
    const auto [tile, first, begun] = a.queue.take();
    if (tile < 0) return;
    if (lane == 0) depth[warp] = begun;  // here, since the registers are full
    const i32 tx = tile % a.grid.across, ty = tile / a.grid.across;
    ReconstructTile<U, eight> t{image, shared[warp][0], shared[warp][1], tx * a.grid.width, ty * kRows};
    t.load();
    // The first visit looks at every row; a later one only at what has changed around the tile.
    if (first) t.dirty = t.unsettled = 0xFFFFFFFFu;
    for (bool again = true; again;) {
      t.apply_surroundings();
      t.settle();
      t.store();
      __threadfence();
      __syncwarp();
      const u32 found = t.raised_neighbours();
      if (lane < 8 && (found >> lane & 1)) {
        const i32 k = static_cast<i32>(lane < 4 ? lane : lane + 1);
        const i32 nx = tx + k % 3 - 1, ny = ty + k / 3 - 1;
        if (nx >= 0 && ny >= 0 && nx < a.grid.across && ny < a.grid.down) a.queue.ask(ny * a.grid.across + nx, depth[warp]);
      }
      __syncwarp();
      u32 more = 0;
      if (lane == 0) {
        more = a.queue.again(tile);
        if (more && depth[warp] < a.queue.most_depth) ++depth[warp];
      }
      again = __shfl_sync(kFullWarp, more, 0) != 0;
      __syncwarp();  // what lane 0 has acquired, all lanes have
      t.changed = t.lane_changed = 0;
    }
  }
}

/// out = min(marker, mask) in the raised order. One thread a word of pixels where the rows allow it, else a pixel.
template <class U>
__global__ void reconstruct_begin_kernel(Image<const U> marker, Image<const U> mask, Image<U> out, u32 flip, bool words) {
  constexpr int n = Packed<U>::count;
  const i32 step = words ? n : 1;
  const i32 x = (blockIdx.x * blockDim.x + threadIdx.x) * step;
  if (x >= out.width) return;
  for (i32 y = blockIdx.y; y < out.height; y += gridDim.y) {
    if (words && x + n <= out.width) {
      const u32 a = *reinterpret_cast<const u32*>(&marker.at(x, y)) ^ flip,
                b = *reinterpret_cast<const u32*>(&mask.at(x, y)) ^ flip;
      *reinterpret_cast<u32*>(&out.at(x, y)) = Packed<U>::smaller(a, b) ^ flip;
      continue;
    }
    for (i32 k = 0; k < step && x + k < out.width; ++k) {
      const U f = static_cast<U>(flip), a = static_cast<U>(marker.at(x + k, y) ^ f), b = static_cast<U>(mask.at(x + k, y) ^ f);
      out.at(x + k, y) = static_cast<U>((a < b ? a : b) ^ f);
    }
  }
}

template <class U, bool eight>
void settle_tiles(Context& ctx, const ReconstructArgs<U>& args) {
  const auto kernel = reconstruct_tiles_kernel<U, eight>;
  int per_multiprocessor = 0;
  MORPHO_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, 32 * kWarps, 0));
  const i64 resident = static_cast<i64>(multiprocessors()) * std::max(per_multiprocessor, 1);
  const u32 blocks = static_cast<u32>(std::min<i64>(resident, divide_up(args.queue.tiles, kWarps)));
  kernel<<<blocks, 32 * kWarps, 0, stream_of(ctx)>>>(args);
  check_launch("reconstruct_tiles_kernel");
}

template <class U>
bool word_rows(const U* data, i64 stride) {
  return reinterpret_cast<std::uintptr_t>(data) % 4 == 0 && stride * static_cast<i64>(sizeof(U)) % 4 == 0;
}

/// How far waves may wind before the list gives up. Waves of images of tissue, of noise, and of noise at the percolation
/// threshold, with markers near or far, were at most 1.1 times as deep as the image is tiles wide and high together, with at
/// most 16 visits a tile; along a corridor of one pixel it is 400 (serpentine) and 1000 times at 4096². The limits cost about
/// as much as what follows them.
constexpr u32 kMostTurns = 4, kMostVisits = 256;
std::atomic<i32> forced_depth{-1};
void have_patience(TileQueue& queue, const TileGrid& grid) {
  const i32 forced = forced_wave_depth();
  queue.most_depth = forced >= 0 ? static_cast<u32>(forced) : kMostTurns * static_cast<u32>(grid.across + grid.down);
  queue.most_tickets = static_cast<u32>(std::min<u64>(u64{kMostVisits} * queue.tiles, 0xFFFFFFFFu));
}

template <class T>
void run(Context& ctx, View<const T> marker, View<const T> mask, View<T> out, By by, bool eight) {
  using U = Raised<T>;
  const auto raised = [](auto view) {
    using V = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(view.data)>>, const U, U>;
    return View<V>(reinterpret_cast<V*>(view.data), view.extent, view.stride);
  };
  const Workspace::Scope scope(ctx.workspace);
  const Extent e = out.extent;
  const u32 flip = order_flip<T>(by);
  const bool words = word_rows(out.data, out.stride) && word_rows(mask.data, mask.stride);
  const bool marker_words = words && word_rows(marker.data, marker.stride);
  const i64 threads = divide_up(e.width, marker_words ? Packed<U>::count : 1);
  const TileGrid grid(e, 32 * Packed<U>::count);
  TileQueue queue(ctx, grid.count());
  have_patience(queue, grid);
  queue.start(ctx);
  const dim3 blocks(blocks_for(threads, 128), static_cast<u32>(std::min<i64>(divide_up(e.height, 8), 65535)));
  reconstruct_begin_kernel<U><<<blocks, 128, 0, stream_of(ctx)>>>(Image<const U>(raised(marker)), Image<const U>(raised(mask)),
                                                                  Image<U>(raised(out)), flip, marker_words);
  check_launch("reconstruct_begin_kernel");
  const ReconstructArgs<U> args{
      raised(out).data, raised(mask).data, out.stride, mask.stride, e.width, e.height, flip, words, grid, queue};
  if (eight) settle_tiles<U, true>(ctx, args);
  else settle_tiles<U, false>(ctx, args);
  note_queue(ctx, {"reconstruct", "queue of tiles"}, "queue of tiles, then bit by bit", queue);
  reconstruct_by_bits<U>(ctx, raised(mask), raised(out), flip, eight, queue.gave_up(),
                         {queue.counters + 4, queue.counters + 5});
}

}  // namespace

void limit_wave_depth(i32 visits) { forced_depth.store(visits, std::memory_order_relaxed); }
i32 forced_wave_depth() { return forced_depth.load(std::memory_order_relaxed); }

/// Shape: marker, mask, out [h, w] of one type (u8, u16, i32); `out` may be `marker`. Reach: global. Unique.
/// Variants: automatic (without a synchronisation); raster_sweeps is SR_GPU; fast_hybrid is FH_GPU with prefix sums and thread
/// queues, prefix_queue without the latter, naive_queue with neither; parallel_heap is PH_GPU (reconstruct_papers.cuh).
/// Cost of automatic: 3 passes over the pixels for marker and mask, then one visit a tile of 4 KB and one more for each time
/// that a wave crosses into it; where waves wind too long, what reconstruct_by_bits costs in their place.
/// Memory: 4 bytes a pixel, and at most 12 a tile of 32 rows by 128 bytes. Sync: none.
/// Source: Teodoro 2012 §3, §4 (wavefronts, tiles, border propagation). The running clamp of a row is a warp scan over clamps.
void reconstruct(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& asked) {
  const ReconstructParams params = chosen(ctx, asked);
  op::reconstruct::check(marker, mask, out, params);
  if (out.extent.empty()) return;
  ctx.check_cancelled();
  if (params.variant != ReconstructVariant::automatic) return reconstruct_variant(ctx, marker, mask, out, params);
  visit_pixel_type(out.type, [&](auto zero) {
    using T = decltype(zero);
    run<T>(ctx, marker.view<T>(), mask.view<T>(), out.view<T>(), params.by, params.connectivity == Connectivity::eight);
  });
}

}  // namespace morpho::gpu
