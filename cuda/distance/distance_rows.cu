// The row phase of the exact distance: min over x' of weight_x (x - x')² + weight_y (rows to the nearest site of column x')².
#include "cuda/distance/distance.cuh"

namespace morpho::gpu {

namespace {

constexpr i32 kReach = 128;  // how far the near search looks to either side
constexpr i32 kTile = 256;   // columns of a tile; it is 32 rows high
constexpr i32 kSpan = kTile + 2 * kReach;
constexpr u32 kMostStep = 16384;         // weight_x * k² stays at or below this in the near search
constexpr u32 kFar = 65535 - kMostStep;  // so that a sum fits 16 bits: "too far to say"
constexpr u32 kSaturated = 2147483646u;  // kNoBackground - 1
constexpr i32 kBlock = 32;               // columns that the far search can pass over at once
constexpr i32 kGroup = 32;               // blocks that it can pass over at once: 1024 columns

struct Weights {
  u32 x, y;
  i32 reach;  // of the near search
  u32 limit;  // what the near search finds at or below this is exact
};

/// Both halves of each 32-bit word: min(a + b, c), unsigned 16 bits each.
__device__ inline u32 add_min2(u32 a, u32 b, u32 c) { return __viaddmin_u16x2(a, b, c); }

/// weight * rows² of one column, at rows 4q … 4q + 3 of the band, cut off at kFar, packed by twos.
__device__ inline u32 near_value(u32 rows, u32 weight) {
  const u32 r = min(rows, 255u);
  return min(r * r * weight, kFar);
}

/// One column of a band to shared memory: the column phase's squares, cut off at 16 bits, four rows to a uint2; of a column
/// outside the image all too far. Up and down its 32 rows, from the nearest site beyond the band on either side.
__device__ __forceinline__ void read_column(const SiteColumns& s, u32 weight_y, i32 band, i32 u, uint2 (&near)[8][kSpan],
                                            i32 c) {
  u32 bits = 0, up = 1000, down = 1000;
  if (u >= 0 && u < s.width) {
    const i32 top = 32 * band;
    const i64 i = band * s.pitch + u;
    bits = s.bits[i];
    const i32 a = s.above[i], b = s.below[i];
    if (a != kNoneAbove) up = static_cast<u32>(min(top - a, 1000)) - 1;
    if (b != INT32_MAX) down = static_cast<u32>(min(b - (top + 31), 1000)) - 1;
  }
  u32 d[32];
#pragma unroll
  for (i32 j = 0; j < 32; ++j) d[j] = up = bits >> j & 1 ? 0 : up + 1;
#pragma unroll
  for (i32 j = 31; j >= 0; --j) {
    down = bits >> j & 1 ? 0 : down + 1;
    d[j] = near_value(min(d[j], down), weight_y);
  }
#pragma unroll
  for (i32 q = 0; q < 8; ++q) near[q][c] = make_uint2(d[4 * q] | d[4 * q + 1] << 16, d[4 * q + 2] | d[4 * q + 3] << 16);
}

/// The least of four rows of a column, which stands at `row`: outwards as long as weight_x k² alone is less than the worst of
/// the four.
__device__ __forceinline__ uint2 search_near(const uint2* row, Weights weight) {
  uint2 best = row[0];
  const auto worst = [&] {
    const u32 m = __vmaxu2(best.x, best.y);
    return max(m & 0xFFFF, m >> 16);
  };
  u32 most = worst();
  for (i32 k = 1; k <= weight.reach && weight.x * static_cast<u32>(k * k) < most;) {
#pragma unroll
    for (i32 step = 0; step < 4; ++step, ++k) {
      // Past the reach nothing is added: the step is at most kMostStep, so the sums do not wrap.
      const i32 at = min(k, weight.reach);
      const u32 add = weight.x * static_cast<u32>(at * at) * 0x10001u;
      const uint2 l = row[-at], r = row[at];
      best.x = add_min2(__vminu2(l.x, r.x), add, best.x);
      best.y = add_min2(__vminu2(l.y, r.y), add, best.y);
    }
    most = worst();
  }
  return best;
}

/// A block owns a tile of 256 columns by 32 rows, a thread a column of it. Shared memory holds the columns of the tile and 128
/// on either side: [8 groups of 4 rows][512 columns]. Tiles with a pixel that is too far go to the list of the far search, and
/// their bands are marked.
__global__ void __launch_bounds__(kTile, 4)
    distance_near_kernel(SiteColumns s, Weights weight, Image<i32> out, i32* far_count, i32* far_tiles, i32* far_bands) {
  __shared__ uint2 near[8][kSpan];
  const i32 x0 = static_cast<i32>(blockIdx.x) * kTile, t = static_cast<i32>(threadIdx.x), x = x0 + t;
  const bool any = *s.any != 0;
  for (i32 band = static_cast<i32>(blockIdx.y); band < s.bands; band += static_cast<i32>(gridDim.y)) {
    const i32 top = 32 * band, rows = min(32, s.height - top);
    if (!any) {
      for (i32 j = 0; j < rows && x < s.width; ++j) out.at(x, top + j) = kNoBackground;
      continue;
    }
    for (i32 c = t; c < kSpan; c += kTile) read_column(s, weight.y, band, x0 - kReach + c, near, c);
    __syncthreads();
    bool far = false;
    for (i32 q = 0; q < 8 && x < s.width; ++q) {
      const uint2 best = search_near(near[q] + kReach + t, weight);
      const u32 v[4] = {best.x & 0xFFFF, best.x >> 16, best.y & 0xFFFF, best.y >> 16};
#pragma unroll
      for (i32 j = 0; j < 4; ++j) {
        if (4 * q + j >= rows) break;
        const bool exact = v[j] <= weight.limit;
        far |= !exact;
        out.at(x, top + 4 * q + j) = exact ? static_cast<i32>(v[j]) : -1;
      }
    }
    if (__syncthreads_or(far) && t == 0) {
      far_tiles[atomicAdd(far_count, 1)] = band * static_cast<i32>(gridDim.x) + static_cast<i32>(blockIdx.x);
      far_bands[band] = 1;
    }
  }
}

/// A warp owns 32 columns of a marked band: lane by lane a row's fewest rows to a site, for the far search to skip by; those of
/// groups of 32 such blocks by atomicMin (`groups` begins as kNoRow).
__global__ void distance_minima_kernel(SiteColumns s, const i32* __restrict__ far_bands, u32* __restrict__ minima, i32 blocks,
                                       u32* __restrict__ groups, i32 groups_across) {
  const i32 lane = static_cast<i32>(lane_id()), b = static_cast<i32>((blockIdx.x * blockDim.x + threadIdx.x) / 32),
            x = b * kBlock + lane;
  for (i32 band = static_cast<i32>(blockIdx.y); band < s.bands; band += static_cast<i32>(gridDim.y)) {
    if (b >= blocks || far_bands[band] == 0) continue;
    u32 mine = kNoRow;
    for (i32 j = 0; j < 32; ++j) {
      const u32 d = x < s.width ? rows_to_site(s, x, 32 * band + j) : kNoRow;
      const u32 least = warp_min(d);
      if (lane == j) mine = least;
    }
    if (32 * band + lane >= s.height) continue;
    minima[static_cast<i64>(32 * band + lane) * blocks + b] = mine;
    if (mine != kNoRow) atomicMin(groups + static_cast<i64>(32 * band + lane) * groups_across + b / kGroup, mine);
  }
}

__device__ inline u32 saturated_square(u32 d, u32 weight) {
  if (d >= 46341) return kSaturated;  // whose square saturates
  const u64 v = static_cast<u64>(d * d) * weight;
  return v < kSaturated ? static_cast<u32>(v) : kSaturated;
}
__device__ inline u32 saturated_sum(u32 a, u32 b) { return min(a + b, kSaturated); }

/// A block owns a tile of the list at a time, a thread a column of it, row by row. It looks outwards by blocks of 32 columns,
/// into those alone whose fewest rows and distance could beat what it has, and passes over groups of 32 blocks by the same
/// rule. Bounded by the row's width; nothing is shared, neighbours read the same words.
__global__ void __launch_bounds__(kTile, 4)
    distance_far_kernel(SiteColumns s, Weights weight, Image<i32> out, const i32* __restrict__ far_count,
                        const i32* __restrict__ far_tiles, i32 tiles_across, const u32* __restrict__ minima, i32 blocks,
                        const u32* __restrict__ groups, i32 groups_across) {
  const i32 count = *far_count;
  for (i32 item = static_cast<i32>(blockIdx.x); item < count; item += static_cast<i32>(gridDim.x)) {
    const i32 tile = far_tiles[item], top = tile / tiles_across * 32, rows = min(32, s.height - top);
    const i32 x = tile % tiles_across * kTile + static_cast<i32>(threadIdx.x);
    if (x >= s.width) continue;
    for (i32 y = top; y < top + rows; ++y) {
      if (out.at(x, y) >= 0) continue;
      const u32* least = minima + static_cast<i64>(y) * blocks;
      u32 best = kSaturated;
      const auto along = [&](i32 dx) { return saturated_square(static_cast<u32>(dx), weight.x); };
      // Columns [first, first + 32): at most what is there is looked at.
      const auto search_block = [&](i32 b) {
        const i32 first = b * kBlock, last = min(first + kBlock, s.width) - 1;
        const u32 nearest = along(x < first ? first - x : x > last ? x - last : 0), rows_least = least[b];
        if (rows_least == kNoRow || saturated_sum(nearest, saturated_square(rows_least, weight.y)) >= best) return;
        for (i32 u = first; u <= last; ++u) {
          const u32 across = along(u < x ? x - u : u - x);
          if (across >= best) continue;
          const u32 d = rows_to_site(s, u, y);
          if (d != kNoRow) best = min(best, saturated_sum(across, saturated_square(d, weight.y)));
        }
      };
      const i32 own = x / kBlock;
      search_block(own);
      // Whether any of a group's columns, `dx` and more away, could beat what was found.
      const auto worth = [&](i32 group, i32 dx) {
        const u32 rows_least = groups[static_cast<i64>(y) * groups_across + group];
        return rows_least != kNoRow && saturated_sum(along(dx), saturated_square(rows_least, weight.y)) < best;
      };
      i32 l = own - 1, r = own + 1;
      while (l >= 0 || r < blocks) {
        if (l >= 0) {
          const i32 dx = x - (l * kBlock + kBlock - 1);
          if (along(dx) >= best) l = -1;
          else if (l % kGroup == kGroup - 1 && !worth(l / kGroup, dx)) l -= kGroup;
          else search_block(l--);
        }
        if (r < blocks) {
          const i32 dx = r * kBlock - x;
          if (along(dx) >= best) r = blocks;
          else if (r % kGroup == 0 && !worth(r / kGroup, dx)) r += kGroup;
          else search_block(r++);
        }
      }
      out.at(x, y) = static_cast<i32>(best);
    }
  }
}

}  // namespace

void distance_rows(Context& ctx, const SiteColumns& s, const View<i32>& out, u32 weight_x, u32 weight_y) {
  Weights weight{weight_x, weight_y, 0, 0};
  while (weight.reach < kReach && weight_x * static_cast<u32>((weight.reach + 1) * (weight.reach + 1)) <= kMostStep)
    ++weight.reach;
  const u64 next = static_cast<u64>(weight_x) * static_cast<u64>((weight.reach + 1) * (weight.reach + 1));
  weight.limit = next < kFar - 1 ? static_cast<u32>(next) : kFar - 1;

  const cudaStream_t stream = stream_of(ctx);
  const i32 across = static_cast<i32>(divide_up(s.width, kTile)), blocks = static_cast<i32>(divide_up(s.width, kBlock));
  const std::size_t tiles = static_cast<std::size_t>(across) * static_cast<std::size_t>(s.bands);
  // One block: count, marks of the bands, list of tiles.
  i32* far_count = ctx.workspace.take<i32>(1 + static_cast<std::size_t>(s.bands) + tiles);
  i32 *far_bands = far_count + 1, *far_tiles = far_bands + s.bands;
  u32* minima = ctx.workspace.take<u32>(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(s.height));
  const i32 groups_across = static_cast<i32>(divide_up(blocks, kGroup));
  const std::size_t group_count = static_cast<std::size_t>(groups_across) * static_cast<std::size_t>(s.height);
  u32* groups = ctx.workspace.take<u32>(group_count);
  set_bytes(ctx, groups, 0xFF, group_count);
  set_bytes(ctx, far_count, 0, 1 + static_cast<std::size_t>(s.bands));
  const u32 down = static_cast<u32>(s.bands < 65535 ? s.bands : 65535);
  distance_near_kernel<<<dim3(static_cast<u32>(across), down), kTile, 0, stream>>>(s, weight, out, far_count, far_tiles,
                                                                                   far_bands);
  check_launch("distance_near_kernel");
  distance_minima_kernel<<<dim3(blocks_for(static_cast<i64>(blocks) * 32, 256), down), 256, 0, stream>>>(
      s, far_bands, minima, blocks, groups, groups_across);
  check_launch("distance_minima_kernel");
  distance_far_kernel<<<static_cast<u32>(8 * multiprocessors()), kTile, 0, stream>>>(
      s, weight, out, far_count, far_tiles, across, minima, blocks, groups, groups_across);
  check_launch("distance_far_kernel");
}

}  // namespace morpho::gpu
