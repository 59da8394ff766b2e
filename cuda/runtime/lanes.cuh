// Lanes of a warp with equal keys: runs of neighbours, or wherever they are.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

/// The run of neighbouring lanes with the calling one's key: where it begins and ends. All 32 lanes call.
struct LaneRun {
  i32 first, end;
  __device__ explicit LaneRun(u32 key) {
    const u32 lane = lane_id(), before = __shfl_up_sync(kFullWarp, key, 1);
    const u32 heads = __ballot_sync(kFullWarp, lane == 0 || key != before), upto = (2u << lane) - 1, after = heads & ~upto;
    first = 31 - __clz(static_cast<int>(heads & upto));
    end = after ? __ffs(static_cast<int>(after)) - 1 : 32;
  }
  __device__ bool leads() const { return first == static_cast<i32>(lane_id()); }
};

/// Another lane's value, whatever its type. All 32 lanes call.
template <class S>
__device__ S lane_value(const S& s, i32 from) {
  static_assert(sizeof(S) % 4 == 0);
  constexpr std::size_t words = sizeof(S) / 4;
  union Words {
    u32 word[words];
    S s;
    __device__ Words() {}
  } got;
  got.s = s;
#pragma unroll
  for (std::size_t i = 0; i < words; ++i) got.word[i] = __shfl_sync(kFullWarp, got.word[i], from);
  return got.s;
}

/// Whether the calling lane is the lowest of its group.
__device__ inline bool leads(u32 group) { return __ffs(static_cast<int>(group)) - 1 == static_cast<i32>(lane_id()); }

/// Sums values over the lanes of each group by add(to, value); the lowest lane of a group gets its sum, the others keep parts.
/// All 32 lanes call, each with the lanes of its own group, or 0. As many rounds as the largest group's size has bits.
template <class S, class Add>
__device__ void sum_groups(u32 group, S& s, Add&& add) {
  const u32 lane = lane_id();
  u32 rank = static_cast<u32>(__popc(group & ((1u << lane) - 1)));
  u32 above = group & ~((2u << lane) - 1);
  while (__any_sync(kFullWarp, above != 0)) {
    const i32 next = __ffs(static_cast<int>(above)) - 1;
    const S other = lane_value(s, next < 0 ? static_cast<i32>(lane) : next);
    if (next >= 0) add(s, other);
    above &= __ballot_sync(kFullWarp, (rank & 1) == 0);  // every second lane of a group has given its part away
    rank >>= 1;
  }
}

}  // namespace morpho::gpu
