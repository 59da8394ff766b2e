// The Gaussian's sums over taps: two taps a multiplication.
#pragma once
#include "contract/tables.hpp"
#include "contract/view.hpp"

namespace morpho::cpu {

/// True where sum_taps_pairs() may be called: no weight exceeds 15 bits, the middle's not twice that. So always but for a copy.
bool has_tap_pairs(const std::uint32_t* weight, i32 radius);

/// out[i] = (32768 + weight[0] * mid[i] + Σ weight[k] * (before[k][i] + after[k][i])) >> 16 for i in [0, n), k in 1 .. radius.
void sum_taps_pairs(u8* out, const u8* const* before, const u8* const* after, const u8* mid, i32 radius,
                    const std::uint32_t* weight, i32 n);
void sum_taps_pairs(u16* out, const u16* const* before, const u16* const* after, const u16* mid, i32 radius,
                    const std::uint32_t* weight, i32 n);

}  // namespace morpho::cpu
