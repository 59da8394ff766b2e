// Erosion and dilation by disks of moderate radius: all in one launch, in shared memory.
#include "cuda/local/morphology_disk.cuh"

// How it is done (for an erosion; a dilation is the same with maxima). A disk is a stack of horizontal chords. A block holds
// its tile and the disk's reach around it in shared memory, a word for 4 pixels of 8 bits or 2 of 16. There it widens windows
// in the rows: the minimum over a half-width of c + g is that of three windows of half-width c, at x - g, x and x + g, as long
// as g <= 2 c + 1. So c takes all the half-widths that the disk's chords have, from the shortest up, and after each a thread
// folds the rows of that chord into the 8 pixels × 8 rows that it keeps in registers. Two buffers by turns: a step reads one
// and writes the other, with one barrier.
// * Bytes are compared by instructions for two 16-bit numbers: of the words as they are, the upper byte of each number wins,
//   whatever lies below; so the odd pixels are compared in the words, and the even ones in the words moved up by a byte.
// * Chords of a later step lie nearer to the middle: the rows beyond are not widened any more.

namespace morpho::gpu {

namespace {

constexpr i32 kWide = 32;            ///< words of a row of a tile: a lane each
constexpr i32 kWarps = 8, kOwn = 8;  ///< rows of a thread
constexpr i32 kHigh = kWarps * kOwn;
constexpr i32 kThreads = 32 * kWarps;
constexpr i32 kMostSteps = 160;   ///< what kernels may be given with their arguments; a radius of 200 takes 122
constexpr i32 kMostRadius = 200;  ///< what the steps and their bytes hold; shared memory ends before, in disk_by_tiles

/// One step: windows grow by `grow` pixels on both sides in `rows` rows above and below the tile, and are then the chords of
/// the rows first … last above and below the middle (none where last < first).
struct DiskStep {
  u8 grow, rows;
  short first, last;
};
struct DiskSteps {
  i32 count;
  DiskStep at[kMostSteps];
};

__device__ inline u32 fold(u32 a, u32 b, u32 c, bool erosion) {
  return erosion ? __vimin3_u16x2(a, b, c) : __vimax3_u16x2(a, b, c);
}

/// A block owns a tile of 32 words × 64 rows; `side` words on either side of it are read. Shared memory: the tile with the
/// disk's reach, twice. One function, not phases: with these in functions of their own a radius of 50 took 8 % longer (H200,
/// 16384²: 14.2 -> 15.3 ms), with as many registers and instructions.
template <class T, bool kErosion>
__global__ void __launch_bounds__(kThreads)
    morphology_disk_tile_kernel(Image<const T> in, Image<T> out, i32 radius, i32 side, i32 tiles_across,
                                const __grid_constant__ DiskSteps steps) {
  extern __shared__ u32 words[];
  constexpr i32 kPixels = 4 / static_cast<i32>(sizeof(T));
  constexpr u32 kNeutral = kErosion ? 0xFFFFFFFFu : 0;
  const i32 wide = kWide + 2 * side, high = kHigh + 2 * radius;
  const i32 ty = static_cast<i32>(blockIdx.x) / tiles_across, tx = static_cast<i32>(blockIdx.x) - ty * tiles_across;
  const i32 t = static_cast<i32>(threadIdx.x), lane = static_cast<i32>(lane_id()), own = kOwn * (t / 32);
  const i32 step_column = kThreads % wide;
  u32 *from = words, *to = words + wide * high;
  {
    const i32 x0 = (tx * kWide - side) * kPixels, y0 = ty * kHigh - radius;
    for (i32 k = t; k < wide * high; k += kThreads) {
      const i32 row = k / wide, x = x0 + (k - row * wide) * kPixels, y = y0 + row;
      u32 w = kNeutral;
      if (y >= 0 && y < in.height && x > -kPixels && x < in.width) {
        const T* p = in.row(y) + x;
        if (x >= 0 && x + kPixels <= in.width && reinterpret_cast<std::uintptr_t>(p) % 4 == 0)
          w = *reinterpret_cast<const u32*>(p);
        else {
          T v[kPixels];
          for (i32 q = 0; q < kPixels; ++q) v[q] = x + q >= 0 && x + q < in.width ? p[q] : static_cast<T>(kNeutral);
          w = 0;
          for (i32 q = 0; q < kPixels; ++q) w |= static_cast<u32>(v[q]) << (8 * static_cast<i32>(sizeof(T)) * q);
        }
      }
      from[k] = w;
    }
  }
  u32 odd[kOwn], even[kOwn];  // u16: `odd` alone
#pragma unroll
  for (i32 j = 0; j < kOwn; ++j) odd[j] = even[j] = kNeutral;
  __syncthreads();
  for (i32 s = 0; s < steps.count; ++s) {
    const DiskStep step = steps.at[s];
    if (step.grow > 0) {
      const i32 bytes = step.grow * static_cast<i32>(sizeof(T)), far = bytes / 4, bits = 8 * (bytes % 4);
      const i32 end = wide * (radius + kHigh + step.rows);
      i32 column = t % wide;
      for (i32 k = wide * (radius - step.rows) + t; k < end; k += kThreads) {
        // Words whose windows would leave the tile are in nobody's reach.
        if (column > far && column + far + 1 < wide) {
          const u32* w = from + k;
          const u32 here = w[0];
          const u32 left = __funnelshift_l(w[-far - 1], far == 0 ? here : w[-far], bits),
                    right = __funnelshift_r(far == 0 ? here : w[far], w[far + 1], bits);
          u32 v = fold(left, here, right, kErosion);
          if constexpr (sizeof(T) == 1) v = __byte_perm(fold(left << 8, here << 8, right << 8, kErosion), v, 0x7351);
          to[k] = v;
        }
        column += step_column;
        if (column >= wide) column -= wide;
      }
      __syncthreads();
      u32* const swap = from;
      from = to, to = swap;
    }
    for (i32 d = step.first; d <= step.last; ++d) {
      const u32 *below = from + (radius + own + d) * wide + side + lane, *above = below - 2 * d * wide;
#pragma unroll
      for (i32 j = 0; j < kOwn; ++j) {
        const u32 a = above[j * wide], b = below[j * wide];
        odd[j] = fold(odd[j], a, b, kErosion);
        if constexpr (sizeof(T) == 1) even[j] = fold(even[j], a << 8, b << 8, kErosion);
      }
    }
  }
  const i32 x = (tx * kWide + lane) * kPixels;
  if (x >= out.width) return;
#pragma unroll
  for (i32 j = 0; j < kOwn; ++j) {
    const i32 y = ty * kHigh + own + j;
    if (y >= out.height) break;
    const u32 v = sizeof(T) == 1 ? __byte_perm(even[j], odd[j], 0x7351) : odd[j];
    T* p = out.row(y) + x;
    if (x + kPixels <= out.width && reinterpret_cast<std::uintptr_t>(p) % 4 == 0) *reinterpret_cast<u32*>(p) = v;
    else {
      for (i32 q = 0; q < kPixels && x + q < out.width; ++q) p[q] = static_cast<T>(v >> (8 * static_cast<i32>(sizeof(T)) * q));
    }
  }
}

/// The half-widths of the chords from the shortest, with what lies between where a window cannot grow so far at once.
DiskSteps steps_for(i32 radius) {
  DiskSteps s{};
  i32 reached = 0;
  for (i32 d = radius, c = 0; d >= 0;) {
    while ((c + 1) * (c + 1) + d * d <= radius * radius) ++c;
    const i32 last = d;
    while (d >= 0 && (c + 1) * (c + 1) + d * d > radius * radius) --d;
    i32 grow;
    do {
      grow = c - reached < 2 * reached + 1 ? c - reached : 2 * reached + 1;
      reached += grow;
      const bool there = reached == c;
      s.at[s.count++] = {static_cast<u8>(grow), static_cast<u8>(last), static_cast<short>(there ? d + 1 : 1),
                         static_cast<short>(there ? last : 0)};
    } while (reached < c);
  }
  return s;
}

template <class T>
void launch(const Context& ctx, void (*kernel)(Image<const T>, Image<T>, i32, i32, i32, DiskSteps), std::size_t most,
            const View<const T>& f, const View<T>& out, i32 radius, i32 side, std::size_t shared) {
  // All that the kernel can have, not what this radius needs, which another caller's radius would lower.
  allow_dynamic_shared(kernel, most);
  const i32 across = static_cast<i32>(divide_up(out.width(), kWide * (4 / static_cast<i32>(sizeof(T)))));
  const u32 tiles = static_cast<u32>(across) * blocks_for(out.height(), kHigh);
  kernel<<<tiles, kThreads, shared, stream_of(ctx)>>>(f, out, radius, side, across, steps_for(radius));
  check_launch("morphology_disk_tile_kernel");
}

}  // namespace

template <class T>
bool disk_by_tiles(const Context& ctx, const View<const T>& f, const View<T>& out, i32 radius, bool erosion) {
  if (radius > kMostRadius) return false;
  // Here the radius that shared memory holds is decided, by what a block of this GPU can have: no constant for an architecture.
  // One word more than the reach: a window that is made of windows reads whole words.
  const i32 side = static_cast<i32>(divide_up(radius * static_cast<i32>(sizeof(T)), 4)) + 1;
  const std::size_t shared = 2 * sizeof(u32) * static_cast<std::size_t>(kWide + 2 * side) *
                             static_cast<std::size_t>(kHigh + 2 * radius);
  const auto kernel = erosion ? morphology_disk_tile_kernel<T, true> : morphology_disk_tile_kernel<T, false>;
  const std::size_t most = most_dynamic_shared(kernel);
  if (shared > most) return false;
  launch(ctx, kernel, most, f, out, radius, side, shared);
  return true;
}
template bool disk_by_tiles(const Context&, const View<const u8>&, const View<u8>&, i32, bool);
template bool disk_by_tiles(const Context&, const View<const u16>&, const View<u16>&, i32, bool);

}  // namespace morpho::gpu
