// Geodesic dilation by so many steps on the GPU: many steps a launch, in registers.
#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

// How it is done. A block holds a tile of 128 × 128 pixels of image and mask in registers: a warp 16 rows, a lane 4
// neighbouring pixels of each, as two words of two 16-bit pixels, (p0, p2) and (p1, p3), so that a neighbour's word is at hand
// for half of all neighbours. A step takes the maximum over three columns by a shuffle to each side, over three rows in
// registers, and passes the first and last row of each warp through shared memory. What a step gets at the tile's sides is
// wrong, and by a pixel further with each step: after 16 steps the middle 96 × 96 are right, and written. A tile stops when a
// step changes nothing in it: no later one will. Launches write by turns to two images; where the last launch changed nothing
// in a tile and its eight neighbours, the next cannot either (values only rise, and 16 steps pass no tile), and the image that
// it would write has held the same values since the launch before the last: it writes nothing.

namespace morpho::gpu {

namespace {

constexpr i32 kWarps = 8, kRows = 16, kTile = kWarps * kRows;
constexpr i32 kMostSteps = 16, kInner = kTile - 2 * kMostSteps;
constexpr i32 kLook = 4;  ///< steps after which a block looks whether anything changes
static_assert(kTile == 4 * 32 && kMostSteps == kRows,
              "a lane has four pixels a row; the first and the last warp are the rows that are not written");

/// Four pixels of a row: (p0, p2) and (p1, p3), 16 bits each.
struct Quad {
  u32 a, b;
};
template <class T>
struct alignas(4 * sizeof(T)) FourPixels {
  T v[4];
};
template <class T>
__device__ inline bool whole(const T* row, i32 x, i32 width) {
  return x >= 0 && x + 4 <= width && reinterpret_cast<std::uintptr_t>(row + x) % sizeof(FourPixels<T>) == 0;
}
/// Pixels outside the image are 0, which raises nothing.
template <class T>
__device__ inline Quad load_quad(const Image<const T>& image, i32 x, i32 y) {
  FourPixels<T> p{};
  if (y >= 0 && y < image.height) {
    const T* row = image.row(y);
    if (whole(row, x, image.width)) p = *reinterpret_cast<const FourPixels<T>*>(row + x);
    else {
      for (i32 k = 0; k < 4; ++k) p.v[k] = x + k >= 0 && x + k < image.width ? row[x + k] : T{0};
    }
  }
  return {p.v[0] | static_cast<u32>(p.v[2]) << 16, p.v[1] | static_cast<u32>(p.v[3]) << 16};
}
template <class T>
__device__ inline void store_quad(const Image<T>& image, i32 x, i32 y, Quad q) {
  const FourPixels<T> p{{static_cast<T>(q.a), static_cast<T>(q.b), static_cast<T>(q.a >> 16), static_cast<T>(q.b >> 16)}};
  T* row = image.row(y);
  if (whole(row, x, image.width)) *reinterpret_cast<FourPixels<T>*>(row + x) = p;
  else {
    for (i32 k = 0; k < 4 && x + k < image.width; ++k) row[x + k] = p.v[k];
  }
}

/// The maximum of each pixel and its two neighbours in the row. All lanes call; a tile's first and last pixel count themselves
/// twice.
__device__ inline Quad across(Quad q) {
  const u32 before = __shfl_up_sync(kFullWarp, q.b, 1), after = __shfl_down_sync(kFullWarp, q.a, 1);
  return {__vimax3_u16x2(q.a, q.b, __byte_perm(before, q.b, 0x5432)),
          __vimax3_u16x2(q.a, q.b, __byte_perm(q.a, after, 0x5432))};
}

/// One step of a warp's rows; `above` and `below` are the maxima across of the rows beyond, `first` and `last` those of its
/// own. Returns bits that are set where something changed, if asked to look.
template <bool Look>
__device__ inline u32 step(Quad (&v)[kRows], const Quad (&limit)[kRows], Quad above, Quad first, Quad last, Quad below) {
  u32 changed = 0;
  Quad prev = above, here = first;
#pragma unroll
  for (i32 r = 0; r < kRows; ++r) {
    const Quad next = r + 1 == kRows ? below : r + 2 == kRows ? last : across(v[r + 1]);
    const Quad now = {__vminu2(__vimax3_u16x2(prev.a, here.a, next.a), limit[r].a),
                      __vminu2(__vimax3_u16x2(prev.b, here.b, next.b), limit[r].b)};
    if (Look) changed |= (now.a ^ v[r].a) | (now.b ^ v[r].b);
    v[r] = now;
    prev = here, here = next;
  }
  return changed;
}

/// A block owns a tile's middle: out = `steps` steps of min(from, mask). before: which tiles the last launch changed, or null;
/// changed: which ones this one does, or null. Shared memory: the warps' first and last rows, by turns.
template <class T>
__global__ void __launch_bounds__(32 * kWarps, 2)
    geodesic_dilate_kernel(Image<const T> from, Image<const T> mask, Image<T> out, i32 steps, i32 tiles_across, i32 tiles_down,
                           const u8* __restrict__ before, u8* __restrict__ changed) {
  __shared__ Quad edges[2][kWarps][2][32];
  const i32 lane = static_cast<i32>(lane_id()), warp = static_cast<i32>(threadIdx.x / 32);
  const i32 tile = static_cast<i32>(blockIdx.x), by = tile / tiles_across, bx = tile - by * tiles_across;
  if (before) {
    const i32 nx = bx + static_cast<i32>(threadIdx.x) % 3 - 1, ny = by + static_cast<i32>(threadIdx.x) / 3 - 1;
    const bool near = threadIdx.x < 9 && nx >= 0 && ny >= 0 && nx < tiles_across && ny < tiles_down;
    if (!__syncthreads_or(near && before[ny * tiles_across + nx])) {
      if (threadIdx.x == 0) changed[tile] = 0;
      return;
    }
  }
  const i32 x = bx * kInner - kMostSteps + 4 * lane, y = by * kInner - kMostSteps + kRows * warp;
  Quad v[kRows], limit[kRows];
#pragma unroll
  for (i32 r = 0; r < kRows; ++r) {
    const Quad f = load_quad(from, x, y + r);
    limit[r] = load_quad(mask, x, y + r);
    v[r] = {__vminu2(f.a, limit[r].a), __vminu2(f.b, limit[r].b)};
  }
  u32 moved = 0;
  for (i32 s = 0; s < steps; ++s) {
    const Quad first = across(v[0]), last = across(v[kRows - 1]);
    edges[s & 1][warp][0][lane] = first;
    edges[s & 1][warp][1][lane] = last;
    if (s > 0 && s % kLook == 0) {
      if (!__syncthreads_or(moved != 0)) break;
    } else {
      __syncthreads();
    }
    const Quad above = warp > 0 ? edges[s & 1][warp - 1][1][lane] : first,
               below = warp + 1 < kWarps ? edges[s & 1][warp + 1][0][lane] : last;
    if (s % kLook == kLook - 1) moved = step<true>(v, limit, above, first, last, below);
    else step<false>(v, limit, above, first, last, below);
  }
  bool differs = false;
  i32 top = y;
  asm volatile(
      ""
      : "+r"(top));  // else what the loads computed of their rows is kept for here, and takes 40 registers through all steps
  if (warp > 0 && warp + 1 < kWarps && 4 * lane >= kMostSteps && 4 * lane < kMostSteps + kInner && x < out.width) {
#pragma unroll
    for (i32 r = 0; r < kRows; ++r) {
      if (top + r >= out.height) break;
      if (changed) {
        const Quad was = load_quad(from, x, top + r);
        differs = differs || was.a != v[r].a || was.b != v[r].b;
      }
      store_quad(out, x, top + r, v[r]);
    }
  }
  if (!changed) return;
  const bool any = __syncthreads_or(differs);
  if (threadIdx.x == 0) changed[tile] = any;
}

template <class T>
void run(Context& ctx, const View<const T>& marker, const View<const T>& mask, const View<T>& out, i32 steps) {
  const Workspace::Scope scope(ctx.workspace);
  const i32 across = static_cast<i32>(divide_up(out.width(), kInner)), down = static_cast<i32>(divide_up(out.height(), kInner));
  const u32 tiles = static_cast<u32>(across) * static_cast<u32>(down);
  const i32 launches = steps > kMostSteps ? static_cast<i32>(divide_up(steps, kMostSteps)) : 1;
  View<T> image[2] = {out, View<T>()};
  u8* changed[2] = {nullptr, nullptr};
  if (launches > 1) {
    image[1] = View<T>(ctx.workspace.take<T>(static_cast<std::size_t>(out.extent.area())), out.extent);
    for (u8*& c : changed) c = ctx.workspace.take<u8>(tiles);
  }
  View<const T> from = marker;
  for (i32 k = 0; k < launches; ++k) {
    ctx.check_cancelled();
    const View<T>& to = image[(launches - 1 - k) % 2];
    const i32 count = k + 1 < launches ? kMostSteps : steps - k * kMostSteps;
    // The first launch changes the marker's image, which none writes to.
    geodesic_dilate_kernel<T><<<tiles, 32 * kWarps, 0, stream_of(ctx)>>>(
        from, mask, to, count, across, down, k > 1 ? changed[(k - 1) % 2] : nullptr, k > 0 ? changed[k % 2] : nullptr);
    check_launch("geodesic_dilate_kernel");
    from = to;
  }
}

}  // namespace

// Memory: one plane and 2 bytes for each 96 × 96 pixels where there are more than 16 steps. Cost: a launch for each 16 steps;
// tiles at rest end at once. sync: none.
void geodesic_dilate(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const GeodesicParams& p) {
  op::geodesic_dilate::check(marker, mask, out, p);
  if (out.extent.empty()) return;
  if (out.type == PixelType::u8) run<u8>(ctx, marker.view<u8>(), mask.view<u8>(), out.view<u8>(), p.steps);
  else run<u16>(ctx, marker.view<u16>(), mask.view<u16>(), out.view<u16>(), p.steps);
}

}  // namespace morpho::gpu
