// The watershed's passes over whole images, by rows: levels, markers, mask and lines, for the longest vectors there are.
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>

#include "cpu/runtime/simd.hpp"
#include "cpu/watershed/watershed_graph.hpp"

namespace morpho::cpu {

/// Pixels that are looked at together: where none of them is in the mask, what there is to write is known.
inline constexpr i32 kMaskBlock = 32;

MORPHO_INLINE bool none_in_mask(const u8* mask) {
  u64 words[kMaskBlock / 8];
  std::memcpy(words, mask, sizeof words);
  return (words[0] | words[1] | words[2] | words[3]) == 0;
}

/// level: f on markers; floor: f; both the type's maximum outside the mask, and level elsewhere too.
template <class T>
MORPHO_INLINE void level_block(const T* f, const i32* marker, const u8* mask, T* level, T* floor, i32 n) {
  constexpr T top = std::numeric_limits<T>::max();
  MORPHO_APART for (i32 x = 0; x < n; ++x) {
    const T v = f[x], inside = mask[x] ? v : top;  // loaded whatever the mask says, or there are no vectors
    floor[x] = inside;
    level[x] = marker[x] > 0 ? inside : top;
  }
}
template <class T>
void level_row(const T* f, const i32* marker, const u8* mask, T* level, T* floor, i32 n) {
  widest([=](auto) MORPHO_INLINED {
    i32 x = 0;
    for (; x + kMaskBlock <= n; x += kMaskBlock) {
      if (none_in_mask(mask + x)) {
        std::fill_n(level + x, kMaskBlock, std::numeric_limits<T>::max());
        std::fill_n(floor + x, kMaskBlock, std::numeric_limits<T>::max());
      } else {
        level_block(f + x, marker + x, mask + x, level + x, floor + x, kMaskBlock);
      }
    }
    level_block(f + x, marker + x, mask + x, level + x, floor + x, n - x);
  });
}

/// A vector of descend_row's.
template <int bytes, bool kEight, class T>
MORPHO_INLINE Vec<T, bytes> descend(const T* p, const i32* step) {
  using V = Vec<T, bytes>;
  V best = load<V>(p), code = fill<V>(T{flow::pending});
  for (int k = 0; k < 8; ++k) {
    if (!kEight && flow::dx[k] != 0 && flow::dy[k] != 0) continue;
    const V v = load<V>(p + step[k]);
    code = v >= best ? code : fill<V>(static_cast<T>(k));
    best = smaller(v, best);
  }
  return code;
}
template <int bytes, bool kEight, class T>
MORPHO_INLINE void descend_block(const T* g, const i32* step, u8* dir) {
  using Bytes = Vec<u8, bytes>;
  using Shorts = Vec<u16, bytes>;
  constexpr i32 lanes = bytes / sizeof(T);
  for (i32 x = 0; x < kMaskBlock; x += bytes) {
    const auto codes = [=](i32 k) MORPHO_INLINED { return descend<bytes, kEight>(g + x + k * lanes, step); };
    if constexpr (sizeof(T) == 1) {
      store(dir + x, codes(0));
    } else if constexpr (sizeof(T) == 2) {
      store(dir + x, quarters_in_order(narrow<Bytes>(codes(0), codes(1))));
    } else {
      using Words = Vec<u32, bytes>;
      const auto low = narrow<Shorts>((Words)codes(0), (Words)codes(1)),
                 high = narrow<Shorts>((Words)codes(2), (Words)codes(3));
      const auto all = (Words)narrow<Bytes>(low, high);
      if constexpr (bytes == 32) store(dir + x, __builtin_shufflevector(all, all, 0, 4, 1, 5, 2, 6, 3, 7));
      else store(dir + x, all);
    }
  }
}
template <bool kEight, class T>
MORPHO_INLINE void descend_plainly(const T* g, const i32* step, u8* dir, i32 n) {
  for (i32 x = 0; x < n; ++x) {
    T best = g[x];
    u8 code = flow::pending;
    for (int k = 0; k < 8; ++k) {
      if (!kEight && flow::dx[k] != 0 && flow::dy[k] != 0) continue;
      const T v = g[x + step[k]];
      if (v < best) best = v, code = static_cast<u8>(k);
    }
    dir[x] = code;
  }
}

/// dir[0..n) = the direction of the lowest neighbour that is lower, smallest code at ties; pending where none is. Where a
/// whole block is not in the mask, which may be absent, dir is `outside`.
template <class T>
void descend_row(const FlowGraph<T>& graph, const T* g, u8* dir, i32 n, const u8* mask = nullptr) {
  const i32* const step = graph.step;
  const auto row = [=](auto bytes, auto eight) MORPHO_INLINED {
    i32 x = 0;
    for (; x + kMaskBlock <= n; x += kMaskBlock) {
      if (mask && none_in_mask(mask + x)) std::memset(dir + x, flow::outside, kMaskBlock);
      else descend_block<bytes, eight>(g + x, step, dir + x);
    }
    descend_plainly<eight>(g + x, step, dir + x, n - x);
  };
  const bool eight = graph.eight;
  widest([=](auto bytes) MORPHO_INLINED { eight ? row(bytes, std::true_type{}) : row(bytes, std::false_type{}); });
}

/// A label that is not known yet; each of its bytes is the same.
inline constexpr i32 kUnknown = -1;

/// Of pixels whose directions are known, the labels of sinks, 0 outside and kUnknown elsewhere; markers are sinks.
template <bool kMarked, bool kMasked>
MORPHO_INLINE void settle_block(u8* dir, i32* label, const i32* marker, const u8* mask, i32 n) {
  MORPHO_APART for (i32 x = 0; x < n; ++x) {
    const i32 m = kMarked ? marker[x] : 0, own = m > 0 ? m : kUnknown;
    label[x] = kMasked && !mask[x] ? 0 : own;
  }
  MORPHO_APART for (i32 x = 0; x < n; ++x) {
    const u8 d = dir[x], own = kMarked && marker[x] > 0 ? flow::sink : d;
    dir[x] = kMasked && !mask[x] ? flow::outside : own;
  }
}
inline i32 pending_in(const u8* dir, i32 n) {
  return widest([=](auto) MORPHO_INLINED {
    i32 pending = 0;
    for (i32 x = 0; x < n; ++x) pending += dir[x] == flow::pending;
    return pending;
  });
}

/// settle_block of a row, `marker` and `mask` may be absent. Returns how many pixels are pending.
inline i32 settle_row(u8* dir, i32* label, const i32* marker, const u8* mask, i32 n) {
  if (!mask) {
    if (marker) widest([=](auto) MORPHO_INLINED { settle_block<true, false>(dir, label, marker, nullptr, n); });
    else std::memset(label, kUnknown, sizeof(i32) * static_cast<std::size_t>(n));
    return pending_in(dir, n);
  }
  const auto block = [=](i32 x, i32 m) MORPHO_INLINED {
    if (marker) settle_block<true, true>(dir + x, label + x, marker + x, mask + x, m);
    else settle_block<false, true>(dir + x, label + x, nullptr, mask + x, m);
    i32 pending = 0;
    for (i32 i = x; i < x + m; ++i) pending += dir[i] == flow::pending;
    return pending;
  };
  return widest([=](auto) MORPHO_INLINED {
    i32 pending = 0, x = 0;
    for (; x + kMaskBlock <= n; x += kMaskBlock) {
      if (none_in_mask(mask + x)) {
        std::memset(dir + x, flow::outside, kMaskBlock);
        std::memset(label + x, 0, kMaskBlock * sizeof(i32));
      } else {
        pending += block(x, kMaskBlock);
      }
    }
    return pending + block(x, n - x);
  });
}

/// The largest marker inside the mask, which may be absent, and whether any marker of the row is negative.
inline i32 largest_of_row(const i32* marker, const u8* mask, i32 n, bool& negative) {
  i32 most = 0, signs = 0;
  widest([=, &most, &signs](auto) MORPHO_INLINED {
    i32 largest = 0, any = 0;
    if (mask) {
      for (i32 x = 0; x < n; ++x) {
        any |= marker[x];
        const i32 inside = mask[x] ? marker[x] : 0;
        largest = largest > inside ? largest : inside;
      }
    } else {
      for (i32 x = 0; x < n; ++x) {
        any |= marker[x];
        largest = largest > marker[x] ? largest : marker[x];
      }
    }
    most = largest, signs = any;
  });
  negative = signs < 0;
  return most;
}

/// row[x] = now[x], or 0 where one of its four neighbours is larger; now[-1] and now[n] exist.
inline void cut_row(const i32* up, const i32* now, const i32* down, i32* row, i32 n) {
  widest([=](auto) MORPHO_INLINED {
    MORPHO_APART for (i32 x = 0; x < n; ++x) {
      const i32 across = up[x] > down[x] ? up[x] : down[x], along = now[x - 1] > now[x + 1] ? now[x - 1] : now[x + 1];
      const i32 most = across > along ? across : along;
      row[x] = now[x] < most ? 0 : now[x];
    }
  });
}

}  // namespace morpho::cpu
