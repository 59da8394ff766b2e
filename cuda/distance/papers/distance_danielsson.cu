// The IWPP paper's distance: a wavefront of pointers to the nearest zero pixel over 8 neighbours, in synchronous rounds.
#include "cuda/distance/distance.cuh"
#include "cuda/runtime/tile_queue.cuh"

namespace morpho::gpu {
namespace {

constexpr u32 kThreads = 256;
constexpr i32 kRoundsAWait = 16;  ///< rounds that are enqueued before the host asks whether the wave has ended
using Wide = unsigned long long;

/// A place in the image, or a pointer to one: a bit that says "in the next wavefront", then y, then x, so that words order as
/// indices.
template <class W>
struct Pointer {
  static constexpr int x_bits = sizeof(W) == 4 ? 16 : 32;
  static constexpr W queued = W{1} << (8 * sizeof(W) - 1);
  static constexpr W nowhere = queued - 1;  ///< no image is that large: see fits()
  static bool fits(Extent e) { return e.width <= (i64{1} << x_bits) && e.height <= static_cast<i64>(nowhere >> x_bits); }
  __device__ static W of(i32 x, i32 y) { return static_cast<W>(y) << x_bits | static_cast<W>(x); }
  __device__ static i64 x(W p) { return static_cast<i64>(p & ((W{1} << x_bits) - 1)); }
  __device__ static i64 y(W p) { return static_cast<i64>(p >> x_bits); }
};

template <class W>
struct WaveArgs {
  W* d_site;          ///< [h, w]: VR, each pixel's pointer
  W *d_even, *d_odd;  ///< the places of the wavefront in even and odd rounds, each the other's next
  W* d_held;          ///< what a pixel of the wavefront pointed to when the round began
  u32* d_count;       ///< [2]: lengths of the fronts
  i32 width, height;
  i64 weight_x, weight_y;

  __device__ W* front(int odd) const { return odd ? d_odd : d_even; }
  __device__ W* site(i64 x, i64 y) const { return d_site + y * width + x; }
  __device__ i64 squared(i64 x, i64 y, W site) const {
    i64 dx = Pointer<W>::x(site) - x, dy = Pointer<W>::y(site) - y;
    if constexpr (sizeof(W) == 8) {
      // Beyond the cut-off the result saturates anyway, and below it nothing overflows.
      constexpr i64 cut = i64{1} << 22;
      dx = min(max(dx, -cut), cut), dy = min(max(dy, -cut), cut);
    }
    return weight_x * dx * dx + weight_y * dy * dy;
  }
  /// The whole warp calls: `finds` places of each lane go to the end of front `to`, with one atomic addition for the warp.
  template <class Fn>
  __device__ void append(int to, u32 finds, Fn&& item) const {
    const u32 upto = warp_inclusive_sum(finds);
    u32 base = 0;
    if (lane_id() == 31 && upto > 0) base = atomicAdd(d_count + to, upto);
    base = __shfl_sync(kFullWarp, base, 31) + upto - finds;
    for (u32 k = 0; k < finds; ++k) front(to)[base + k] = item(k);
  }
};

/// Neighbour k of the 8.
__device__ i32 step_x(int k) { return (k < 4 ? k : k + 1) % 3 - 1; }
__device__ i32 step_y(int k) { return (k < 4 ? k : k + 1) / 3 - 1; }

/// Zero pixels point to themselves, others nowhere; zero pixels with a neighbour that is none are the first front. One thread a
/// pixel of every gridDim.y-th row; nothing is shared; one pass.
template <class W>
__global__ void __launch_bounds__(kThreads) distance_wave_begin_kernel(Image<const u8> in, WaveArgs<W> a) {
  const i32 x = static_cast<i32>(blockIdx.x * kThreads + threadIdx.x);
  for (i32 y = static_cast<i32>(blockIdx.y); y < a.height; y += static_cast<i32>(gridDim.y)) {
    u32 front = 0;
    if (x < a.width) {
      const bool zero = in.at(x, y) == 0;
      *a.site(x, y) = zero ? Pointer<W>::of(x, y) : Pointer<W>::nowhere;
      for (int k = 0; k < 8 && zero; ++k) {
        if (in.holds(x + step_x(k), y + step_y(k)) && in.at(x + step_x(k), y + step_y(k)) != 0) front = 1;
      }
    }
    a.append(0, front, [&](u32) { return Pointer<W>::of(x, y); });
  }
}

/// Begins a round: takes the front's pixels out of the queue, writes down what they point to, and empties the next front. A
/// thread owns every gridDim.x * 256-th pixel of the front; nothing is shared.
template <class W>
__global__ void __launch_bounds__(kThreads) distance_wave_hold_kernel(WaveArgs<W> a, int from) {
  const u32 n = a.d_count[from];
  for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
    const W p = a.front(from)[i];
    W* at = a.site(Pointer<W>::x(p), Pointer<W>::y(p));
    const W held = *at & ~Pointer<W>::queued;
    *at = held;
    a.d_held[i] = held;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) a.d_count[from ^ 1] = 0;
}

/// The round: every pixel of the front offers what it held to its 8 neighbours, which take the nearest offer (at equal distance
/// that of smaller index) by compare and swap, and are queued once. A thread owns every gridDim.x * 256-th pixel of the front
/// and keeps its finds in registers; a warp sums them and reserves their places at once. A swap that fails looks again;
/// pointers only get nearer, so it ends.
template <class W>
__global__ void __launch_bounds__(kThreads) distance_wave_spread_kernel(WaveArgs<W> a, int from) {
  using P = Pointer<W>;
  const u32 n = a.d_count[from], stride = gridDim.x * kThreads;
  for (u32 first = blockIdx.x * kThreads; first < n; first += stride) {
    const u32 i = first + threadIdx.x;
    W place = 0;
    u32 found = 0;  // bit k: neighbour k
    if (i < n) {
      place = a.front(from)[i];
      const W offered = a.d_held[i];
      const i32 x = static_cast<i32>(P::x(place)), y = static_cast<i32>(P::y(place));
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const i32 qx = x + step_x(k), qy = y + step_y(k);
        if (qx < 0 || qy < 0 || qx >= a.width || qy >= a.height) continue;
        W* at = a.site(qx, qy);
        W now = DeviceAtomic<W>(*at).load(cuda::memory_order_relaxed);
        for (;;) {
          const W held = now & ~P::queued;
          if (held == offered) break;  // as most of those behind the front
          if (held != P::nowhere) {
            const i64 offer = a.squared(qx, qy, offered), has = a.squared(qx, qy, held);
            if (offer > has || (offer == has && offered > held)) break;
          }
          const W old = atomicCAS(at, now, offered | P::queued);
          if (old == now) {
            if (!(now & P::queued)) found |= 1u << k;
            break;
          }
          now = old;
        }
      }
    }
    a.append(from ^ 1, __popc(found), [&](u32) {
      const int k = __ffs(static_cast<int>(found)) - 1;
      found &= found - 1;
      return P::of(static_cast<i32>(P::x(place)) + step_x(k), static_cast<i32>(P::y(place)) + step_y(k));
    });
  }
}

/// The distances to the final pointers. One thread a pixel of every gridDim.y-th row; one pass.
template <class W>
__global__ void __launch_bounds__(kThreads) distance_wave_end_kernel(WaveArgs<W> a, Image<i32> out) {
  const i32 x = static_cast<i32>(blockIdx.x * kThreads + threadIdx.x);
  if (x >= a.width) return;
  for (i32 y = static_cast<i32>(blockIdx.y); y < a.height; y += static_cast<i32>(gridDim.y)) {
    const W site = *a.site(x, y);
    out.at(x, y) = site == Pointer<W>::nowhere
                       ? kNoBackground
                       : static_cast<i32>(min(a.squared(x, y, site), static_cast<i64>(kNoBackground - 1)));
  }
}

/// Returns the rounds that were enqueued: of the last 16 some may have found nothing to do.
template <class W>
i64 run(Context& ctx, View<const u8> binary, View<i32> squared, const DistanceParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const cudaStream_t stream = stream_of(ctx);
  const Extent e = binary.extent;
  const std::size_t area = static_cast<std::size_t>(e.area());
  const auto take = [&] { return ctx.workspace.take<W>(area); };
  const WaveArgs<W> a{take(),  take(),   take(),          take(),         ctx.workspace.take<u32>(2),
                      e.width, e.height, params.weight_x, params.weight_y};
  const dim3 rows(blocks_for(e.width, kThreads),
                  static_cast<u32>(divide_up(e.height, 8) < 65535 ? divide_up(e.height, 8) : 65535));
  const i64 resident = 8 * static_cast<i64>(multiprocessors()), wanted = divide_up(e.area(), kThreads);
  const u32 blocks = static_cast<u32>(wanted < resident ? wanted : resident);
  set_bytes(ctx, a.d_count, 0, 2);
  distance_wave_begin_kernel<W><<<rows, kThreads, 0, stream>>>(Image<const u8>(binary), a);
  check_launch("distance_wave_begin_kernel");
  i64 rounds = 0;
  for (u32 waiting = 1; waiting; rounds += kRoundsAWait) {
    ctx.check_cancelled();
    for (i32 round = 0; round < kRoundsAWait; ++round) {
      distance_wave_hold_kernel<W><<<blocks, kThreads, 0, stream>>>(a, round & 1);
      check_launch("distance_wave_hold_kernel");
      distance_wave_spread_kernel<W><<<blocks, kThreads, 0, stream>>>(a, round & 1);
      check_launch("distance_wave_spread_kernel");
    }
    static_assert(kRoundsAWait % 2 == 0, "the next front is the first again");
    fetch(ctx, &waiting, a.d_count, 1);  // sync: whether the wavefront is empty
  }
  distance_wave_end_kernel<W><<<rows, kThreads, 0, stream>>>(a, Image<i32>(squared));
  check_launch("distance_wave_end_kernel");
  return rounds;
}

}  // namespace

/// EDT by wavefront: the paper's, but in rounds for the whole image in place of one queue a block, as the CPU's variant of the
/// same name: a pixel offers the pointer that it held when the round began. So the result is one image, and exact
/// (native/cpu/distance_danielsson.cpp has the argument); the paper's blocks run ahead of each other, and their result depends
/// on it.
/// Cost: as many rounds as the largest chessboard distance, of two launches each; each pixel that takes a pointer looks at 8
/// neighbours.
/// Memory: 16 bytes a pixel; twice that where the image is wider than 65536 or higher than 32767. Sync: one every 16 rounds.
/// Source: Danielsson 1980; Teodoro 2012 §3.2 (queue with prefix sums), §3.4, Algorithm 6.
i64 distance_danielsson(Context& ctx, View<const u8> binary, View<i32> squared, const DistanceParams& params) {
  if (Pointer<u32>::fits(binary.extent)) return run<u32>(ctx, binary, squared, params);
  return run<Wide>(ctx, binary, squared, params);
}

}  // namespace morpho::gpu
