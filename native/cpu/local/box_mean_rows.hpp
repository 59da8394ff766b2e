// One row of a box mean, from the sums of its columns.
#pragma once
#include <cstdint>

#include "contract/view.hpp"

namespace morpho::cpu {

/// The largest radius whose sums of a column (255 * 127) fit 15 bits, so that their differences fit 16.
inline constexpr i32 kShortColumns = 63;
/// The largest radius whose windows, of 181 * 181 pixels, have a Reciprocal for sums of u16; these fit 31 bits.
inline constexpr i32 kShortSums = 90;

/// out[x] = the mean, halves up, of the columns [x - r, x + r] that exist, x in [0, n), each the sum of `rows` rows; 0 <= r <=
/// 1024, 1 <= rows <= 2049. u16 columns: r <= kShortColumns. Exact. Cost: one subtraction, a running sum and a product a pixel;
/// a division at the r pixels at each end. Memory: none.
void mean_row_u8(u8* out, const std::uint16_t* column, i32 n, i32 r, i32 rows);
void mean_row_u8(u8* out, const std::uint32_t* column, i32 n, i32 r, i32 rows);
/// The same for pixels of 16 bits: r <= kShortSums, rows <= 2 r + 1.
void mean_row_u16(u16* out, const std::uint32_t* column, i32 n, i32 r, i32 rows);

}  // namespace morpho::cpu
