// A stable counting sort of pixels by digits of 8 bits: blocks sort chunks in shared memory, and write runs of equal digits.
#pragma once
#include "cuda/runtime/device.cuh"

// Not cub::DeviceRadixSort, which sorts pairs from memory to memory: an index a pixel would be written, and read again, before
// the first digit. Here digits come from the image, or from its chosen pixels alone, and goals take the items as they come.

namespace morpho::gpu::pixel_sort {

constexpr i32 kThreads = 512, kWarps = kThreads / 32, kDigits = 256, kRounds = 16, kPerWarp = 32 * kRounds;
/// Items that a block sorts: 32 KiB of shared memory, which with the counts makes 41 of the 48 that every GPU gives.
constexpr i32 kChunk = kWarps * kPerWarp;
static_assert(kThreads >= kDigits, "a thread looks after a digit");
constexpr i32 kLocalBits = 13;
static_assert(kChunk == 1 << kLocalBits);

/// Where the digits of every chunk go.
struct Places {
  i32* d_count;  ///< [digit][chunk]: first how many, then how many in the chunks before
  i32* d_base;   ///< [digit]: how many of lower digits; then how many in all
  i32 chunks;

  __device__ i32& of(u32 digit, u32 chunk) const { return d_count[static_cast<i64>(digit) * chunks + chunk]; }
};
/// Memory: 1 KB for each chunk of 8192 items.
Places take_places(Context& ctx, i64 items);
/// Enqueues: counts become sums.
void sum_places(Context& ctx, const Places& places);

/// Which of 32 items from `begin` there are, as bits.
__device__ inline u32 items_before(i64 begin, i64 end) {
  return begin + 32 <= end ? kFullWarp : begin >= end ? 0 : (1u << (end - begin)) - 1;
}

/// Sources say what is sorted: item i's digit, and the word that stands for it in shared memory.

/// The pixels of a flat image in raster order by (value ^ flip), u16 by its lower 8 bits; where there are d_chosen, one bit a
/// pixel, those alone. Words: place in the chunk, digit, and u16's upper digit.
template <class T>
struct Pixels {
  static constexpr bool kListed = false;
  const T* d_f;
  i64 n;
  T flip = 0;
  const u32* d_chosen = nullptr;
  const T* d_flip = nullptr;  ///< where the host does not know `flip`

  __device__ void begin() {
    if (d_flip) flip = *d_flip;
  }
  __device__ i64 items() const { return n; }
  __device__ u32 value(i64 i) const { return static_cast<T>(d_f[i] ^ flip); }
  __device__ u32 digit(i64 i) const { return value(i) & 255; }
  __device__ u32 live(i64 first, i64 end) const {
    return first >= end ? 0 : d_chosen ? d_chosen[first / 32] : items_before(first, end);
  }
  __device__ u32 word(i64 i, u32 local, u32 digit) const {
    const u32 word = local | digit << kLocalBits;
    if constexpr (sizeof(T) == 2) return word | value(i) >> 8 << (kLocalBits + 8);
    return word;
  }
};

/// A list of pixels, and their digits. Words: the pixels.
struct Listed {
  static constexpr bool kListed = true;
  const i32* d_pixel;
  const u8* d_digit;
  i64 n;
  const i32* d_n = nullptr;  ///< where the host does not know how many there are, of n at most

  __device__ void begin() {}
  __device__ i64 items() const { return d_n ? *d_n : n; }
  __device__ u32 digit(i64 i) const { return d_digit[i]; }
  __device__ u32 live(i64 first, i64 end) const { return items_before(first, end); }
  __device__ u32 word(i64 i, u32, u32) const { return static_cast<u32>(d_pixel[i]); }
};

/// Goals take what is sorted: number(p, at) as the items come, write(source, at, p, digit, word) in the order of `at`.

/// A list for the next digit, which lies above the first one in the words.
struct ToList {
  i32* d_pixel;
  u8* d_digit;

  __device__ void number(i32, i32) const {}
  template <class Source>
  __device__ void write(const Source&, i32 at, i32 p, u32, u32 word) const {
    d_pixel[at] = p;
    d_digit[at] = static_cast<u8>(word >> (kLocalBits + 8));
  }
};

/// Counts each chunk's digits. One block a chunk; the counts gather in shared memory.
template <class Source>
__global__ void __launch_bounds__(kThreads) pixel_sort_count_kernel(Source source, Places places) {
  __shared__ i32 count[kDigits];
  if (threadIdx.x < kDigits) count[threadIdx.x] = 0;
  source.begin();
  __syncthreads();
  const i64 first = static_cast<i64>(blockIdx.x) * kChunk, end = min(first + kChunk, source.items());
  constexpr i32 kAtOnce = 4;
  for (i64 i = first + threadIdx.x; i < end; i += kAtOnce * kThreads) {
    u32 digit[kAtOnce];
#pragma unroll
    for (i32 k = 0; k < kAtOnce; ++k) digit[k] = i + k * kThreads < end ? source.digit(i + k * kThreads) : kDigits;
#pragma unroll
    for (i32 k = 0; k < kAtOnce; ++k) {
      if (digit[k] < kDigits) atomicAdd(count + digit[k], 1);
    }
  }
  __syncthreads();
  if (threadIdx.x < kDigits) places.of(threadIdx.x, blockIdx.x) = count[threadIdx.x];
}

/// A chunk being sorted: what shared memory holds of it, and the phases of the kernel, each called by the whole block, with a
/// barrier of the kernel's between two. A warp owns 512 consecutive items, 32 a round; a thread keeps for each of its items its
/// digit, then in that place its rank, as both do not fit in the registers; none (kFullWarp) for an item that is not there.
struct Chunk {
  u32 (&item)[kChunk];
  u16 (&count)[kWarps][kDigits];  ///< what each warp has of each digit; then where its first one goes
  i32 (&shift)[kDigits];          ///< from a place in the chunk to the place in the result
  i32 (&sums)[33];
  u32 warp, lane;
  static_assert(sizeof(u16[kWarps][kDigits]) >= kChunk);

  /// Of listed items, when the counts are no longer needed.
  __device__ __forceinline__ u8* item_digit() const { return reinterpret_cast<u8*>(&count[0][0]); }

  /// A thread's digits.
  template <class Source>
  __device__ __forceinline__ static void read_digits(const Source& source, i64 begin, i32 left, u32 (&ranks)[kRounds]) {
#pragma unroll
    for (i32 r = 0; r < kRounds; ++r) ranks[r] = r * 32 < left ? source.digit(begin + r * 32) : 0;
  }
  /// Digits become ranks among the warp's items of the same digit: lanes with equal digits find each other by a vote on each
  /// bit, and what the warp has met of each digit before stands in its counts, which nobody else touches.
  /// `live`: in lane r the items of round r.
  __device__ __forceinline__ void rank(u32 live, u32 (&ranks)[kRounds]) const {
    const u32 below = (1u << lane) - 1;
#pragma unroll
    for (i32 r = 0; r < kRounds; ++r) {
      const u32 digit = ranks[r];
      u32 peers = __shfl_sync(kFullWarp, live, r);
      const bool mine = peers >> lane & 1;
#pragma unroll
      for (i32 bit = 0; bit < 8; ++bit) {
        const bool set = digit >> bit & 1;
        const u32 votes = __ballot_sync(kFullWarp, set);
        peers &= set ? votes : ~votes;
      }
      const u32 before = static_cast<u32>(__popc(peers & below)), had = count[warp][digit];
      __syncwarp();
      if (mine && before == 0) count[warp][digit] = static_cast<u16>(had + static_cast<u32>(__popc(peers)));
      __syncwarp();
      ranks[r] = mine ? had + before : kFullWarp;
    }
  }
  /// Counts become places in the chunk, by sums over the digits and the warps. The first threads own a digit each, of which the
  /// chunk's first goes to `base` in the result. Returns how many items the chunk has.
  __device__ __forceinline__ i32 sum_counts(i32 base) const {
    const bool counts = threadIdx.x < kDigits;
    i32 total = 0, all;
    if (counts) {
      for (i32 w = 0; w < kWarps; ++w) total += count[w][threadIdx.x];
    }
    const i32 start = block_exclusive_sum(total, sums, all);
    if (counts) {
      shift[threadIdx.x] = base - start;
      i32 sum = start;
      for (i32 w = 0; w < kWarps; ++w) {
        const i32 had = count[w][threadIdx.x];
        count[w][threadIdx.x] = static_cast<u16>(sum);
        sum += had;
      }
    }
    return all;
  }
  /// The items gather in shared memory, each at its place. `begin`: the thread's first item.
  template <class Source, class Goal>
  __device__ __forceinline__ void gather(const Source& source, const Goal& goal, i64 begin, u32 (&ranks)[kRounds]) const {
    if constexpr (Source::kListed) {
#pragma unroll
      for (i32 r = 0; r < kRounds; ++r) {
        if (ranks[r] != kFullWarp) ranks[r] += count[warp][source.digit(begin + r * 32)];
      }
      __syncthreads();  // the counts make room for the digits
    }
#pragma unroll
    for (i32 r = 0; r < kRounds; ++r) {
      if (ranks[r] != kFullWarp) {
        const i64 i = begin + r * 32;
        const u32 digit = source.digit(i), at = ranks[r] + (Source::kListed ? 0u : count[warp][digit]);
        const u32 word = source.word(i, warp * kPerWarp + static_cast<u32>(r) * 32 + lane, digit);
        item[at] = word;
        if constexpr (Source::kListed) item_digit()[at] = static_cast<u8>(digit);
        goal.number(static_cast<i32>(Source::kListed ? word : i), shift[digit] + static_cast<i32>(at));
      }
    }
  }
  /// Neighbouring threads write neighbouring items. `first`: the chunk's first item.
  template <class Source, class Goal>
  __device__ __forceinline__ void write(const Source& source, const Goal& goal, i64 first, i32 all) const {
#pragma unroll 4
    for (i32 at = static_cast<i32>(threadIdx.x); at < all; at += kThreads) {
      const u32 word = item[at];
      if constexpr (Source::kListed) {
        const u32 digit = item_digit()[at];
        goal.write(source, shift[digit] + at, static_cast<i32>(word), digit, word);
      } else {
        const u32 digit = word >> kLocalBits & 255;
        goal.write(source, shift[digit] + at, static_cast<i32>(first) + static_cast<i32>(word & (kChunk - 1)), digit, word);
      }
    }
  }
};

/// Sorts a chunk and writes it. One block a chunk, one warp 512 consecutive items, one thread every 32nd of them, and the first
/// threads a digit. No atomics: the order is that of the items whatever comes first.
template <class Source, class Goal>
__global__ void __launch_bounds__(kThreads, 3) pixel_sort_scatter_kernel(Source source, Places places, Goal goal) {
  __shared__ u32 item[kChunk];
  __shared__ u16 count[kWarps][kDigits];
  __shared__ i32 shift[kDigits], sums[33];
  const i64 first = static_cast<i64>(blockIdx.x) * kChunk, end = min(first + kChunk, source.items());
  if (first >= end) return;
  source.begin();
  const u32 warp = threadIdx.x >> 5, lane = lane_id();
  const Chunk chunk{item, count, shift, sums, warp, lane};
  const i64 begin = first + warp * kPerWarp + lane;

  u32 ranks[kRounds];
  chunk.read_digits(source, begin, static_cast<i32>(end - begin), ranks);
  const u32 live = lane < kRounds ? source.live(first + warp * kPerWarp + lane * 32, end) : 0;
  const i32 base = threadIdx.x < kDigits ? places.d_base[threadIdx.x] + places.of(threadIdx.x, blockIdx.x) : 0;
  for (u32 i = threadIdx.x; i < kWarps * kDigits; i += kThreads) count[i / kDigits][i % kDigits] = 0;
  __syncthreads();
  chunk.rank(live, ranks);
  __syncthreads();
  const i32 all = chunk.sum_counts(base);
  __syncthreads();
  chunk.gather(source, goal, begin, ranks);
  __syncthreads();
  chunk.write(source, goal, first, all);
}

/// Enqueues the second half of a sort: `places` holds counts.
template <class Source, class Goal>
void scatter(Context& ctx, const Source& source, const Places& places, const Goal& goal) {
  sum_places(ctx, places);
  pixel_sort_scatter_kernel<Source, Goal>
      <<<static_cast<u32>(places.chunks), kThreads, 0, stream_of(ctx)>>>(source, places, goal);
  check_launch("pixel_sort_scatter_kernel");
}
/// Enqueues a sort by one digit. Cost: two reads of the digits, one of the items, one write.
template <class Source, class Goal>
void sort(Context& ctx, const Source& source, const Places& places, const Goal& goal) {
  pixel_sort_count_kernel<Source><<<static_cast<u32>(places.chunks), kThreads, 0, stream_of(ctx)>>>(source, places);
  check_launch("pixel_sort_count_kernel");
  scatter(ctx, source, places, goal);
}

}  // namespace morpho::gpu::pixel_sort
