// The watershed's plateaus, by waves through tiles: distances to outlets, and the first pixels of plateaus without any.
#include <algorithm>

#include "cuda/watershed/watershed_graph.cuh"

namespace morpho::gpu {
namespace {

constexpr i32 kRows = TileGrid::height, kPitch = 33, kWarps = 4;
constexpr u32 kNone = 0xFFFFFFFFu;
/// Plateaus of so many tiles across are left to union-find, which costs about as much as three visits of every tile: on a flat
/// image every tile is visited again for each tile on its way from the first one.
constexpr u32 kMostDepth = 8;

/// The key that a pixel gets from a linked one d steps away: distances grow, indices travel unchanged.
__device__ u32 onward(u32 key, u32 d = 1) { return key < kIndexKey ? key + d : key; }

__device__ u32 warp_or(u32 v) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v |= __shfl_xor_sync(kFullWarp, v, step);
  return v;
}

/// A tile of 32x32 keys in one warp's shared memory; lane l owns column l, so that rows meet other lanes' keys by shuffles
/// only. Links say which neighbours count, so 4-connectivity is the case without diagonal ones.
struct PlateauTile {
  const PlateauArgs& a;
  u32* d_k;  ///< shared: keys
  u8* d_l;   ///< shared: links
  i32 x0, y0;
  u32 dirty = 0;      ///< rows one of whose neighbours has changed since they were settled
  u32 unsettled = 0;  ///< rows that have not been settled along themselves
  u32 changed = 0;    ///< rows that differ from the keys in memory
  u32 lane_changed = 0;

  __device__ i32 lane() const { return static_cast<i32>(lane_id()); }
  __device__ u32& key(i32 y) const { return d_k[y * kPitch + lane()]; }
  __device__ u32 links(i32 y) const { return d_l[y * 32 + lane()]; }
  __device__ u32 outside_key(i32 x, i32 y) const { return load_pixel(a.d_key + static_cast<i64>(y) * a.width + x); }

  __device__ void load(u32 rows) {
    const i32 x = x0 + lane();
    const i64 first = static_cast<i64>(y0) * a.width + x;
#pragma unroll 8
    for (i32 y = 0; y < kRows; ++y) {
      u32 k = kNone;
      u8 l = 0;
      if ((rows >> y & 1) && x < a.width) {  // such a row lies inside the image
        l = a.d_link[first + static_cast<i64>(y) * a.width];
        if (l) k = __ldcg(a.d_key + first + static_cast<i64>(y) * a.width);  // others have no key, or nobody to give it to
      }
      key(y) = k;
      d_l[y * 32 + lane()] = l;
    }
    __syncwarp();
  }
  /// Keys that come in over the tile's edge. They are read once a visit; whoever lowers them later asks for another.
  __device__ void apply_surroundings(u32 rows) {
    for (int side = 0; side < 2; ++side) {
      const i32 y = side ? kRows - 1 : 0;
      if (!(rows >> y & 1)) continue;
      const u32 c = key(y), t = incoming(c, links(y) & (side ? 0xE0u : 0x07u), x0 + lane(), y0 + y);
      if (__any_sync(kFullWarp, t != c)) {
        key(y) = t;
        changed |= 1u << y, unsettled |= 1u << y;
        dirty |= 1u << y | (side ? 1u << 30 : 2u);
        lane_changed |= t != c;
      }
    }
    __syncwarp();
    for (int side = 0; side < 2; ++side) {  // lane r has row r
      const i32 r = lane(), x = side ? 31 : 0;
      u32& k = d_k[r * kPitch + x];
      const u32 c = k, t = incoming(c, d_l[r * 32 + x] & (side ? flow::east : flow::west), x0 + x, y0 + r);
      if (t != c) k = t;
      const u32 hit = __ballot_sync(kFullWarp, t != c);
      changed |= hit, unsettled |= hit;
      dirty |= hit | hit << 1 | hit >> 1;
      if (hit && r == x) lane_changed = 1;
    }
    __syncwarp();
  }
  __device__ u32 incoming(u32 t, u32 link, i32 x, i32 y) const {
    for (; link; link &= link - 1) {
      const int k = __ffs(static_cast<int>(link)) - 1;
      t = min(t, onward(outside_key(x + flow::dx(k), y + flow::dy(k))));
    }
    return t;
  }

  __device__ void settle_row(i32 y) {
    const u32 row = 1u << y;
    dirty &= ~row;
    const u32 link = links(y) & ~(lane() == 0 ? flow::west : lane() == 31 ? flow::east : 0u);
    const u32 west = __ballot_sync(kFullWarp, (link & 8u) != 0), east = __ballot_sync(kFullWarp, (link & 16u) != 0);
    const u32 c = key(y);
    u32 t = c;
    const u32 up = y > 0 ? onward(key(y - 1)) : kNone, down = y + 1 < kRows ? onward(key(y + 1)) : kNone;
    if (link & 2u) t = min(t, up);
    if (link & 64u) t = min(t, down);
    if (__any_sync(kFullWarp, (link & 0xA5u) != 0)) {
      const u32 nw = __shfl_up_sync(kFullWarp, up, 1), ne = __shfl_down_sync(kFullWarp, up, 1);
      const u32 sw = __shfl_up_sync(kFullWarp, down, 1), se = __shfl_down_sync(kFullWarp, down, 1);
      if (link & 1u) t = min(t, nw);
      if (link & 4u) t = min(t, ne);
      if (link & 32u) t = min(t, sw);
      if (link & 128u) t = min(t, se);
    }
    if (!(unsettled & row) && !__any_sync(kFullWarp, t != c)) return;
    unsettled &= ~row;
    if (west | east) t = settle_along(t, west, east);
    if (!__any_sync(kFullWarp, t != c)) return;
    key(y) = t;
    changed |= row;
    dirty |= row << 1 | row >> 1;
    lane_changed |= t != c;
  }
  /// The best key of the linked stretch that the lane lies in, by doubling steps that never leave the stretch.
  __device__ u32 settle_along(u32 t, u32 west, u32 east) const {
    const int l = lane();
    const u32 broken_west = ~west & (2u << l) - 1;  // bit h: pixel h has no link to h - 1; bit 0 always
    const int before = l - (31 - __clz(static_cast<int>(broken_west)));
    const u32 broken_east = ~east & ~((1u << l) - 1);  // bit 31 always
    const int after = __ffs(static_cast<int>(broken_east)) - 1 - l;
    u32 right = t, left = t;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      const u32 a1 = __shfl_up_sync(kFullWarp, right, d), b1 = __shfl_down_sync(kFullWarp, left, d);
      if (d <= before) right = min(right, onward(a1, static_cast<u32>(d)));
      if (d <= after) left = min(left, onward(b1, static_cast<u32>(d)));
    }
    return min(right, left);
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
  __device__ void store(u32 rows) const {
    const i32 x = x0 + lane();
    for (u32 m = changed & rows; m; m &= m - 1) {
      const i32 y = __ffs(static_cast<int>(m)) - 1;
      if (x < a.width && links(y)) store_pixel(a.d_key + static_cast<i64>(y0 + y) * a.width + x, key(y));
    }
  }
  /// Which of the 8 tiles around have a linked pixel whose key this tile's edge would still lower.
  __device__ u32 lowered_neighbours() const {
    u32 found = 0;
    const i32 l = lane();
    for (int side = 0; side < 2; ++side) {
      const i32 y = side ? kRows - 1 : 0;
      if (changed >> y & 1) found |= lowered(key(y), links(y) & (side ? 0xE0u : 0x07u), l, y);
    }
    const u32 lanes = __ballot_sync(kFullWarp, lane_changed != 0);
    for (int side = 0; side < 2; ++side) {
      const i32 x = side ? 31 : 0;
      if (lanes >> x & 1) found |= lowered(d_k[l * kPitch + x], d_l[l * 32 + x] & (side ? flow::east : flow::west), x, l);
    }
    return warp_or(found);
  }
  __device__ u32 lowered(u32 k, u32 link, i32 x, i32 y) const {
    u32 found = 0;
    for (; link; link &= link - 1) {
      const int n = __ffs(static_cast<int>(link)) - 1;
      const i32 qx = x + flow::dx(n), qy = y + flow::dy(n);
      if (outside_key(x0 + qx, y0 + qy) <= onward(k)) continue;
      const int tile = (qx < 0 ? 0 : qx > 31 ? 2 : 1) + 3 * (qy < 0 ? 0 : qy > 31 ? 2 : 1);
      found |= 1u << (tile < 4 ? tile : tile - 1);
    }
    return found;
  }
};

/// Settles the keys. One warp visits a tile of 32x32 pixels: lane l owns column l; keys and links sit in shared memory. Rows
/// are settled down and up while a neighbour row has changed, then written, and the tiles around are asked for whose keys the
/// new edge would lower. Keys only fall, so it ends; the least keys are unique, whatever the order of visits.
__global__ void __launch_bounds__(32 * kWarps) watershed_plateau_kernel(const __grid_constant__ PlateauArgs a) {
  __shared__ u32 keys[kWarps][kRows * kPitch];
  __shared__ u8 links[kWarps][kRows * 32];
  const u32 warp = threadIdx.x >> 5, lane = lane_id();
  if (a.queue.ended()) return;
  for (;;) {
    const auto [tile, first, begun] = a.queue.take();
    if (tile < 0) return;
    u32 depth = __shfl_sync(kFullWarp, begun, 0);
    const u32 rows = a.d_rows[tile];
    if (rows == 0) {  // nothing to carry here, and nobody ever asks
      if (lane == 0) a.queue.again(tile);
      continue;
    }
    const i32 tx = tile % a.grid.across, ty = tile / a.grid.across;
    PlateauTile t{a, keys[warp], links[warp], tx * 32, ty * kRows};
    t.load(rows);
    if (first) t.dirty = t.unsettled = rows;
    for (bool again = true; again;) {
      t.apply_surroundings(rows);
      t.settle();
      t.store(rows);
      __threadfence();
      __syncwarp();
      const u32 found = t.lowered_neighbours();
      if (lane < 8 && (found >> lane & 1)) {
        const i32 k = static_cast<i32>(lane < 4 ? lane : lane + 1);
        a.queue.ask((ty + k / 3 - 1) * a.grid.across + tx + k % 3 - 1, depth);  // linked pixels lie inside the image
      }
      __syncwarp();
      u32 more = 0;
      if (lane == 0) more = a.queue.again(tile);
      again = __shfl_sync(kFullWarp, more, 0) != 0;
      __syncwarp();  // what lane 0 has acquired, all lanes have
      t.changed = t.lane_changed = 0;
      if (depth < a.queue.most_depth) ++depth;
    }
  }
}

}  // namespace

void settle_plateaus(Context& ctx, const PlateauArgs& plateaus) {
  PlateauArgs args = plateaus;
  const auto kernel = watershed_plateau_kernel;
  int per_multiprocessor = 0;
  MORPHO_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, 32 * kWarps, 0));
  const i64 resident = static_cast<i64>(multiprocessors()) * std::max(per_multiprocessor, 1);
  const u32 blocks = static_cast<u32>(std::min<i64>(resident, divide_up(args.queue.tiles, kWarps)));
  args.queue.start(ctx);
  const i32 forced = forced_wave_depth();
  args.queue.most_depth = forced >= 0 ? static_cast<u32>(forced) : kMostDepth;
  kernel<<<blocks, 32 * kWarps, 0, stream_of(ctx)>>>(args);
  check_launch("watershed_plateau_kernel");
  settle_basins(ctx, args);
  // Where nothing was given up, the list is empty, and both return at once. Else only distances are still on their way.
  args.queue.most_depth = TileQueue::never;
  kernel<<<blocks, 32 * kWarps, 0, stream_of(ctx)>>>(args);
  check_launch("watershed_plateau_kernel");
}

}  // namespace morpho::gpu
