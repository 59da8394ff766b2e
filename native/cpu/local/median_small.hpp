// Medians of 3×3, 5×5 and 7×7 windows for a vector of pixels at a time, by forgetful selection.
#pragma once
#include "contract/view.hpp"

namespace morpho::cpu {

/// The most pixels of T that one step takes; a row must hold at least as many.
template <class T>
inline constexpr i32 kMedianLanes = static_cast<i32>(32 / sizeof(T));

inline constexpr i32 kMaxSmallMedian = 3;

/// out[x] = median of rows[0 .. 2r][x .. x + 2r] for x in [0, n), n >= kMedianLanes<T>, 1 <= r <= kMaxSmallMedian.
void median_row(u8* out, const u8* const* rows, i32 n, i32 r);
void median_row(u16* out, const u16* const* rows, i32 n, i32 r);

}  // namespace morpho::cpu
