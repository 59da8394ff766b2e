// A row of pixels in one warp: 4 u8, 2 u16 or 1 u32 in each lane's word, and the lattice arithmetic of reconstruction on it.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// T is u8, u16 or u32; larger is higher, 0 the bottom. Pixel k of a word sits at bit k * bits.
template <class T>
struct Packed {
  static constexpr int bits = 8 * sizeof(T), count = 32 / bits;

  __device__ static u32 larger(u32 a, u32 b) {
#if __CUDA_ARCH__ >= 900
    if constexpr (bits == 8) return by_pairs([](u32 p, u32 q, u32) { return __vmaxu2(p, q); }, a, b, 0);
#endif
    if constexpr (bits == 8) return __vmaxu4(a, b);
    else if constexpr (bits == 16) return __vmaxu2(a, b);
    else return max(a, b);
  }
  __device__ static u32 largest(u32 a, u32 b, u32 c) {
#if __CUDA_ARCH__ >= 900
    if constexpr (bits == 8) return by_pairs([](u32 p, u32 q, u32 r) { return __vmaxu2(__vmaxu2(p, q), r); }, a, b, c);
#endif
    return larger(a, larger(b, c));
  }
  /// v where it is at least `low`, else that, and at most `high`.
  __device__ static u32 clamped(u32 v, u32 low, u32 high) {
#if __CUDA_ARCH__ >= 900
    if constexpr (bits == 8) return by_pairs([](u32 p, u32 q, u32 r) { return __vminu2(__vmaxu2(p, q), r); }, v, low, high);
#endif
    return smaller(larger(v, low), high);
  }
  __device__ static u32 smaller(u32 a, u32 b) {
#if __CUDA_ARCH__ >= 900
    if constexpr (bits == 8) return by_pairs([](u32 p, u32 q, u32) { return __vminu2(p, q); }, a, b, 0);
#endif
    if constexpr (bits == 8) return __vminu4(a, b);
    else if constexpr (bits == 16) return __vminu2(a, b);
    else return min(a, b);
  }
  /// Every pixel gets the one before (after) it in the row; the row's ends get `outside`'s last (first) pixel.
  __device__ static u32 before(u32 row, u32 outside = 0) {
    u32 up = __shfl_up_sync(kFullWarp, row, 1);
    if (lane_id() == 0) up = outside;
    return __funnelshift_lc(up, row, bits);
  }
  __device__ static u32 after(u32 row, u32 outside = 0) {
    u32 down = __shfl_down_sync(kFullWarp, row, 1);
    if (lane_id() == 31) down = outside;
    return __funnelshift_rc(row, down, bits);
  }
  __device__ static u32 pixel(u32 word, int k) {
    if constexpr (bits == 32) return word;
    else return word >> (k * bits) & ((1u << bits) - 1);
  }
  __device__ static u32 settle(u32 row, u32 mask);

 private:
  /// fn of four bytes each, by comparisons of 16 bits, which GPUs since Hopper have and of bytes have not: a byte decides over
  /// the one below it, so the upper bytes are right with anything below them, and the lower ones with nothing above.
  template <class Fn>
  __device__ static u32 by_pairs(Fn fn, u32 a, u32 b, u32 c) {
    constexpr u32 lower = 0x00FF00FFu;
    return (fn(a, b, c) & ~lower) | fn(a & lower, b & lower, c & lower);
  }
};

namespace packed {
/// Clamps, low in the low half and high in the high half: `after` applied to what `before` gives.
__device__ inline u32 compose(u32 before, u32 after) {
  return __vminu2(__vmaxu2(before, __byte_perm(after, 0, 0x1010)), __byte_perm(after, 0, 0x3232));
}
__device__ inline u32 clamp(u32 v, u32 low, u32 high) { return __vminu2(__vmaxu2(v, low), high); }
/// The clamp of all lanes before the calling one (after it), applied to the bottom. cub::WarpScan has no way backwards.
template <bool forward>
__device__ u32 carry_into_lane(u32 clamp_of_lane) {
  const int lane = static_cast<int>(lane_id());
  u32 p = clamp_of_lane;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const u32 other = forward ? __shfl_up_sync(kFullWarp, p, d) : __shfl_down_sync(kFullWarp, p, d);
    const u32 both = compose(other, p);
    if (forward ? lane >= d : lane + d < 32) p = both;
  }
  const u32 carry = (forward ? __shfl_up_sync(kFullWarp, p, 1) : __shfl_down_sync(kFullWarp, p, 1)) & 0xFFFF;
  return lane == (forward ? 0 : 31) ? 0 : carry;
}
}  // namespace packed

/// The row's own reconstruction under its mask, along the row in both directions. v -> min(max(v, pixel), mask) is closed under
/// composition: each lane composes its pixels, the warp scans the lanes' clamps, each lane runs its pixels through from its
/// carry.
template <>
__device__ inline u32 Packed<u8>::settle(u32 row, u32 mask) {
  constexpr u32 kIdentity = 0xFFFF0000u;
  u32 right = kIdentity, left = kIdentity;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const u32 r = 0x4040u + 0x0101u * k, l = 0x4040u + 0x0101u * (3 - k);
    right = packed::clamp(right, __byte_perm(row, 0, r), __byte_perm(mask, 0, r));
    left = packed::clamp(left, __byte_perm(row, 0, l), __byte_perm(mask, 0, l));
  }
  // From here the low half runs right, pixel k, and the high half runs left, pixel 3 - k.
  u32 w[4];
  u32 v = packed::carry_into_lane<true>(right) | packed::carry_into_lane<false>(left) << 16;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const u32 s = 0x4040u + static_cast<u32>(k) + (static_cast<u32>(3 - k) << 8);
    v = w[k] = packed::clamp(v, __byte_perm(row, 0, s), __byte_perm(mask, 0, s));
  }
  const u32 r = __byte_perm(__byte_perm(w[0], w[1], 0x40), __byte_perm(w[2], w[3], 0x40), 0x5410);
  const u32 l = __byte_perm(__byte_perm(w[3], w[2], 0x62), __byte_perm(w[1], w[0], 0x62), 0x5410);
  return larger(r, l);
}
template <>
__device__ inline u32 Packed<u16>::settle(u32 row, u32 mask) {
  constexpr u32 kIdentity = 0xFFFF0000u;
  const u32 row0 = __byte_perm(row, 0, 0x1010), row1 = __byte_perm(row, 0, 0x3232);
  const u32 mask0 = __byte_perm(mask, 0, 0x1010), mask1 = __byte_perm(mask, 0, 0x3232);
  const u32 right = packed::clamp(packed::clamp(kIdentity, row0, mask0), row1, mask1);
  const u32 left = packed::clamp(packed::clamp(kIdentity, row1, mask1), row0, mask0);
  const u32 v = packed::carry_into_lane<true>(right) | packed::carry_into_lane<false>(left) << 16;
  const u32 first = packed::clamp(v, row, mask);  // low: pixel 0 running right; high: pixel 1 running left
  const u32 second = packed::clamp(first, __byte_perm(row, 0, 0x1032), __byte_perm(mask, 0, 0x1032));
  return __vmaxu2(__byte_perm(first, second, 0x5410), __byte_perm(second, first, 0x7632));
}
template <>
__device__ inline u32 Packed<u32>::settle(u32 row, u32 mask) {
  const int lane = static_cast<int>(lane_id());
  u32 right = row, left = row, right_high = mask, left_high = mask;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const u32 a = __shfl_up_sync(kFullWarp, right, d), a_high = __shfl_up_sync(kFullWarp, right_high, d);
    const u32 b = __shfl_down_sync(kFullWarp, left, d), b_high = __shfl_down_sync(kFullWarp, left_high, d);
    if (lane >= d) {
      const u32 low = min(max(a, right), right_high);
      right_high = min(max(a_high, right), right_high);
      right = low;
    }
    if (lane + d < 32) {
      const u32 low = min(max(b, left), left_high);
      left_high = min(max(b_high, left), left_high);
      left = low;
    }
  }
  return max(right, left);
}

}  // namespace morpho::gpu
