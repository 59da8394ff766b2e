// Reconstruction bit by bit: each is a question of connected components, which union-find answers whatever their shapes.
#include "cuda/max_tree/pixel_forest.cuh"
#include "cuda/reconstruct/reconstruct_bits.cuh"

namespace morpho::gpu {
namespace {

// Dropping the lowest k bits of marker and mask drops those of the reconstruction R: both are monotone. So let J lie between
// the marker and R, with R's bits above k already, and call J >> k a pixel's level. A pixel is open where its level is even and
// the mask's is higher: its bit k is not decided. Paths that raise it run through open pixels of its own level until they meet
// a pixel of a higher level (one whose bit k is set, or one that has risen further): it rises by one level exactly where its
// component of open pixels of one level touches a higher one. Its lower bits become 0, which is still between marker and R, and
// the next bit follows.

constexpr i32 kSide = 64, kArea = kSide * kSide, kThreads = 256;
constexpr u32 kHigher = kGround;      ///< what components that touch a higher level hang on
constexpr u32 kClosed = 0xFFFFFFFFu;  ///< in shared memory: not an open pixel

template <class U>
struct BitsArgs {
  Image<U> out;
  Image<const U> mask;
  u32 flip;
  i32 across, tiles;
  u32* d_parent;  ///< [h, w]: the forest of the open pixels; others' entries mean nothing
  const u32* d_wanted;
  BitsControl control;

  static constexpr u32 low = sizeof(U) == 4 ? 0xFFFFFFFFu : (1u << (8 * (sizeof(U) & 3))) - 1;
  __device__ u32 level(i32 x, i32 y, int k) const { return ((static_cast<u32>(out.at(x, y)) ^ flip) & low) >> k; }
  __device__ bool open(i32 x, i32 y, u32 level, int k) const {
    return (level & 1) == 0 && ((static_cast<u32>(mask.at(x, y)) ^ flip) & low) >> k > level;
  }
  __device__ u32 index(i32 x, i32 y) const { return kPixel | static_cast<u32>(y * out.width + x); }
};

/// Components inside a tile of 64x64, in shared memory; then every open pixel's root to global memory. Returns whether a pixel
/// is open.
template <class U, bool eight>
__device__ bool join_tile(const BitsArgs<U>& a, i32 tile, int k, u32* up, U* level) {
  const i32 x0 = tile % a.across * kSide, y0 = tile / a.across * kSide;
  bool found = false;
#pragma unroll 4
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const i32 x = x0 + i % kSide, y = y0 + i / kSide;
    const bool inside = x < a.out.width && y < a.out.height;
    const u32 v = inside ? a.level(x, y, k) : 0;
    const bool open = inside && a.open(x, y, v, k);
    const u32 before = __shfl_up_sync(kFullWarp, v, 1), opens = __ballot_sync(kFullWarp, open), lane = lane_id();
    const u32 starts = __ballot_sync(kFullWarp, lane == 0 || v != before || !(opens >> (lane - 1) & 1));
    const i32 back = static_cast<i32>(lane) - (31 - __clz(static_cast<int>(starts & ((2u << lane) - 1))));
    level[i] = static_cast<U>(v);
    up[i] = open ? kPixel | static_cast<u32>(i - back) : kClosed;
    found |= open;
  }
  if (!__syncthreads_or(found)) return false;
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const u32 p = kPixel | static_cast<u32>(i);
    if (entry_of(up, p) == kClosed) continue;
    const i32 lx = i % kSide, ly = i / kSide;
    const U v = level[i];
    // 2: higher; 1: open and of one level; 0: neither, or not in the tile.
    const auto met = [&](i32 dx, i32 dy) {
      if (lx + dx < 0 || lx + dx >= kSide || ly + dy < 0 || ly + dy >= kSide) return 0;
      const i32 q = i + dy * kSide + dx;
      return level[q] > v ? 2 : level[q] == v && entry_of(up, static_cast<u32>(q)) != kClosed ? 1 : 0;
    };
    const int west = met(-1, 0), north = met(0, -1);
    int highest = max(max(west, north), max(met(1, 0), met(0, 1)));
    int north_west = 0, north_east = 0;
    if (eight) {
      north_west = met(-1, -1), north_east = met(1, -1);
      highest = max(max(highest, max(north_west, north_east)), max(met(-1, 1), met(1, 1)));
    }
    if (highest == 2) join(up, p, kHigher);
    if (west == 1 && lx % 32 == 0) join(up, p, p - 1);
    // What the pixel to the west has joined with its own neighbour above is the same two runs.
    if (north == 1 && !(west == 1 && lx % 32 != 0 && level[i - kSide - 1] == v && entry_of(up, p - kSide - 1) != kClosed))
      join(up, p, p - kSide);
    if (north_west == 1 && north != 1 && west != 1) join(up, p, p - kSide - 1);
    if (north_east == 1 && north != 1) join(up, p, p - kSide + 1);
  }
  __syncthreads();
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    if (entry_of(up, static_cast<u32>(i)) == kClosed) continue;
    const u32 root = root_of(up, kPixel | static_cast<u32>(i));
    const i32 r = static_cast<i32>(root & ~kPixel);
    a.d_parent[a.index(x0 + i % kSide, y0 + i / kSide) & ~kPixel] = root == kHigher ? kHigher
                                                                                    : a.index(x0 + r % kSide, y0 + r / kSide);
  }
  return true;
}

/// What the pixels of a tile's first row (side 0) or first column (side 1) have to do with those of other tiles. A warp owns 32
/// of them.
template <class U, bool eight>
__device__ void join_border(const BitsArgs<U>& a, i32 tile, i32 side, i32 along, int k) {
  const i32 x = tile % a.across * kSide + (side ? 0 : along), y = tile / a.across * kSide + (side ? along : 0);
  const bool inside = x < a.out.width && y < a.out.height;
  const u32 v = inside ? a.level(x, y, k) : 0;
  const bool open = inside && a.open(x, y, v, k);
#pragma unroll
  for (i32 step = eight ? -1 : 0; step <= (eight ? 1 : 0); ++step) {
    const i32 qx = side ? x - 1 : x + step, qy = side ? y + step : y - 1;
    const bool there = inside && qx >= 0 && qy >= 0 && qx < a.out.width && qy < a.out.height;
    const u32 u = there ? a.level(qx, qy, k) : 0;
    const bool other = there && a.open(qx, qy, u, k);
    const bool same = open && other && u == v;
    // Pixels along the border that are joined already join their neighbours over it.
    const u32 lane = lane_id(), all = __ballot_sync(kFullWarp, same), before = __shfl_up_sync(kFullWarp, v, 1);
    if (same && step == 0 && lane > 0 && (all >> (lane - 1) & 1) && before == v) continue;
    const u32 p = a.index(x, y), q = a.index(qx, qy);
    if (same) join(a.d_parent, p, q);
    else if (there && open && u > v) join(a.d_parent, p, kHigher);
    else if (other && inside && v > u) join(a.d_parent, q, kHigher);
  }
}

/// Lets the open pixels of components that touch a higher level rise.
template <class U>
__device__ void raise_tile(const BitsArgs<U>& a, i32 tile, int k) {
  const i32 x0 = tile % a.across * kSide, y0 = tile / a.across * kSide;
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const i32 x = x0 + i % kSide, y = y0 + i / kSide;
    if (x >= a.out.width || y >= a.out.height) continue;
    const u32 v = a.level(x, y, k);
    if (!a.open(x, y, v, k) || root_of(a.d_parent, a.index(x, y)) != kHigher) continue;
    a.out.at(x, y) = static_cast<U>((v | 1) << k ^ a.flip);
  }
}

/// One grid for all bits, from the highest down; its blocks are resident all at once and wait for each other. A block owns
/// every gridDim.x-th tile of 64x64: it finds their components (shared memory: a parent and a level a pixel), joins them over
/// the tiles' borders, and raises the pixels whose component touches a higher level. As many rounds as a pixel has bits.
template <class U, bool eight>
__global__ void __launch_bounds__(kThreads) reconstruct_bits_kernel(const __grid_constant__ BitsArgs<U> a) {
  __shared__ u32 up[kArea];
  __shared__ U level[kArea];
  if (*a.d_wanted == 0) return;
  u32 rounds = 0;
  for (int k = 8 * static_cast<int>(sizeof(U)) - 1; k >= 0; --k) {
    bool found = false;
    for (i32 tile = static_cast<i32>(blockIdx.x); tile < a.tiles; tile += static_cast<i32>(gridDim.x)) {
      found |= join_tile<U, eight>(a, tile, k, up, level);
      __syncthreads();
    }
    if (found && threadIdx.x == 0) atomicOr(a.control.d_open, 1u << k);
    wait_for_grid(a.control.d_arrived, rounds);
    if ((load_pixel(a.control.d_open) >> k & 1) == 0) continue;
    const i64 warps = static_cast<i64>(gridDim.x) * (kThreads / 32), borders = static_cast<i64>(a.tiles) * 4;
    for (i64 w = static_cast<i64>(blockIdx.x) * (kThreads / 32) + (threadIdx.x >> 5); w < borders; w += warps) {
      join_border<U, eight>(a, static_cast<i32>(w / 4), static_cast<i32>(w >> 1 & 1),
                            static_cast<i32>((w & 1) * 32 + lane_id()), k);
    }
    wait_for_grid(a.control.d_arrived, rounds);
    for (i32 tile = static_cast<i32>(blockIdx.x); tile < a.tiles; tile += static_cast<i32>(gridDim.x))
      raise_tile<U>(a, tile, k);
    wait_for_grid(a.control.d_arrived, rounds);
  }
}

}  // namespace

template <class U>
void reconstruct_by_bits(Context& ctx, View<const U> mask, View<U> out, u32 flip, bool eight, const u32* d_wanted,
                         BitsControl control) {
  const Workspace::Scope scope(ctx.workspace);
  const Extent e = out.extent;
  const i32 across = static_cast<i32>(divide_up(e.width, kSide)), tiles = across * static_cast<i32>(divide_up(e.height, kSide));
  const BitsArgs<U> args{out,      mask,   flip, across, tiles, ctx.workspace.take<u32>(static_cast<std::size_t>(e.area())),
                         d_wanted, control};
  const auto kernel = eight ? reconstruct_bits_kernel<U, true> : reconstruct_bits_kernel<U, false>;
  launch_together(ctx, kernel, kThreads, tiles, args, "reconstruct_bits_kernel");
}
template void reconstruct_by_bits<u8>(Context&, View<const u8>, View<u8>, u32, bool, const u32*, BitsControl);
template void reconstruct_by_bits<u16>(Context&, View<const u16>, View<u16>, u32, bool, const u32*, BitsControl);
template void reconstruct_by_bits<u32>(Context&, View<const u32>, View<u32>, u32, bool, const u32*, BitsControl);

}  // namespace morpho::gpu
