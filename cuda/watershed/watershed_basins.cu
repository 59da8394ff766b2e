// The watershed's wide plateaus: which have no outlet, and their first pixels, by union-find whatever their shapes are.
#include "cuda/max_tree/pixel_forest.cuh"
#include "cuda/watershed/watershed_graph.cuh"

namespace morpho::gpu {
namespace {

// The keys of the plateau search are a forest already: kIndexKey + an index is a smaller pixel of the same plateau, a distance
// says that the plateau has an outlet. kGround stands for a distance that is not known yet: larger than all others.
static_assert(kIndexKey == kPixel);

constexpr i32 kSide = 64, kArea = kSide * kSide, kThreads = 256;
constexpr u32 kNorthWest = 1, kNorth = 2, kNorthEast = 4, kWest = 8, kEast = 16, kSouthWest = 32, kSouth = 64;

struct BasinsArgs {
  PlateauArgs plateau;
  i32 across, tiles;

  __device__ u32 link(i32 x, i32 y) const {
    return x < plateau.width && y < plateau.height ? plateau.d_link[static_cast<i64>(y) * plateau.width + x] : 0;
  }
  __device__ u32 index(i32 x, i32 y) const { return kPixel | static_cast<u32>(y * plateau.width + x); }
  __device__ u32& key(i32 x, i32 y) const { return plateau.d_key[static_cast<i64>(y) * plateau.width + x]; }
};

/// Plateaus inside a tile of 64x64, in shared memory; then each linked pixel's root to its key, where that is no distance.
__device__ void join_tile(const BasinsArgs& a, i32 tile, u32* up, u8* links) {
  const i32 x0 = tile % a.across * kSide, y0 = tile / a.across * kSide;
  bool found = false;
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const u32 link = a.link(x0 + i % kSide, y0 + i / kSide), lane = lane_id();
    const u32 starts = __ballot_sync(kFullWarp, lane == 0 || !(link & kWest));
    const i32 back = static_cast<i32>(lane) - (31 - __clz(static_cast<int>(starts & ((2u << lane) - 1))));
    links[i] = static_cast<u8>(link);
    up[i] = kPixel | static_cast<u32>(i - back);
    found |= link != 0;
  }
  if (!__syncthreads_or(found)) return;
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const u32 link = links[i], p = kPixel | static_cast<u32>(i);
    if (link == 0) continue;
    const i32 lx = i % kSide, ly = i / kSide;
    if (a.key(x0 + lx, y0 + ly) < kPixel) join(up, p, kGround);
    if ((link & kWest) && lx == 32) join(up, p, p - 1);
    if (ly == 0) continue;
    // Of two neighbours that are linked to each other one is enough.
    const bool implied = (link & kWest) && lx % 32 != 0 && (links[i - 1] & kNorth);
    if ((link & kNorth) && !implied) join(up, p, p - kSide);
    if ((link & (kNorthWest | kNorth | kWest)) == kNorthWest && lx > 0) join(up, p, p - kSide - 1);
    if ((link & (kNorthEast | kNorth | kEast)) == kNorthEast && lx + 1 < kSide) join(up, p, p - kSide + 1);
  }
  __syncthreads();
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    if (links[i] == 0) continue;
    u32& key = a.key(x0 + i % kSide, y0 + i / kSide);
    if (key < kPixel) continue;
    const u32 root = root_of(up, kPixel | static_cast<u32>(i));
    const i32 r = static_cast<i32>(root & ~kPixel);
    key = root == kGround ? kGround : a.index(x0 + r % kSide, y0 + r / kSide);
  }
}

/// Joins the pixels of a tile's first row (side 0) or first column (side 1) with those of other tiles. A warp owns 32 of them.
__device__ void join_border(const BasinsArgs& a, i32 tile, i32 side, i32 along) {
  const i32 x = tile % a.across * kSide + (side ? 0 : along), y = tile / a.across * kSide + (side ? along : 0);
  const u32 link = a.link(x, y), before = __shfl_up_sync(kFullWarp, link, 1), lane = lane_id(), p = a.index(x, y);
  const u32 over = side ? kWest : kNorth, aside = side ? kNorth : kWest;
  const bool implied = lane > 0 && (link & aside) && (before & over);
  if ((link & over) && !implied) join(a.plateau.d_key, p, side ? a.index(x - 1, y) : a.index(x, y - 1));
  if ((link & (kNorthWest | kNorth | kWest)) == kNorthWest) join(a.plateau.d_key, p, a.index(x - 1, y - 1));
  if (side == 0 && (link & (kNorthEast | kNorth | kEast)) == kNorthEast) join(a.plateau.d_key, p, a.index(x + 1, y - 1));
  if (side == 1 && (link & (kSouthWest | kSouth | kWest)) == kSouthWest) join(a.plateau.d_key, p, a.index(x - 1, y + 1));
}

/// Gives every linked pixel its root, or kGround where its plateau has an outlet that no wave has brought to it yet.
__device__ void finish_tile(const BasinsArgs& a, i32 tile) {
  const i32 x0 = tile % a.across * kSide, y0 = tile / a.across * kSide;
  for (i32 i = static_cast<i32>(threadIdx.x); i < kArea; i += kThreads) {
    const i32 x = x0 + i % kSide, y = y0 + i / kSide;
    if (a.link(x, y) == 0) continue;
    const u32 key = entry_of(a.plateau.d_key, a.index(x, y));
    if (key < kPixel) continue;
    const u32 root = root_of(a.plateau.d_key, key);
    if (root != key) *static_cast<volatile u32*>(&a.key(x, y)) = root;
  }
}

/// Where the list has given up: ends the search for plateaus without outlets, and queues every tile anew for the distances. One
/// grid whose blocks are resident all at once and wait for each other twice; a block owns every gridDim.x-th tile of 64x64
/// (shared memory: 5 bytes a pixel).
__global__ void __launch_bounds__(kThreads) watershed_basins_kernel(const __grid_constant__ BasinsArgs a) {
  __shared__ u32 up[kArea];
  __shared__ u8 links[kArea];
  const TileQueue& queue = a.plateau.queue;
  if (*queue.gave_up() == 0) return;
  u32 rounds = 0;
  for (i32 tile = static_cast<i32>(blockIdx.x); tile < a.tiles; tile += static_cast<i32>(gridDim.x)) {
    join_tile(a, tile, up, links);
    __syncthreads();
  }
  wait_for_grid(queue.counters + 4, rounds);
  const i64 warps = static_cast<i64>(gridDim.x) * (kThreads / 32), borders = static_cast<i64>(a.tiles) * 4;
  for (i64 w = static_cast<i64>(blockIdx.x) * (kThreads / 32) + (threadIdx.x >> 5); w < borders; w += warps) {
    join_border(a, static_cast<i32>(w / 4), static_cast<i32>(w >> 1 & 1), static_cast<i32>((w & 1) * 32 + lane_id()));
  }
  wait_for_grid(queue.counters + 4, rounds);
  for (i32 tile = static_cast<i32>(blockIdx.x); tile < a.tiles; tile += static_cast<i32>(gridDim.x)) finish_tile(a, tile);
  const u32 first = blockIdx.x * kThreads + threadIdx.x;
  for (u32 i = first; i < queue.tiles; i += gridDim.x * kThreads) queue.state[i] = TileQueue::asked;
  if (first < 3) queue.counters[first] = first == 0 ? 0 : queue.tiles;
}

}  // namespace

void settle_basins(Context& ctx, const PlateauArgs& plateau) {
  const i32 across = static_cast<i32>(divide_up(plateau.width, kSide)),
            tiles = across * static_cast<i32>(divide_up(plateau.height, kSide));
  launch_together(ctx, watershed_basins_kernel, kThreads, tiles, BasinsArgs{plateau, across, tiles}, "watershed_basins_kernel");
}

}  // namespace morpho::gpu
