// Division of many numbers by the same one, as a product and a shift.
#pragma once
#include <bit>
#include <cstdint>

namespace morpho::cpu {

/// floor(t / n) for every t < 256 n, where 1 <= n <= 2^23: t * multiply >> shift. 2^shift is 2^31 times the least power of two
/// that is at least n, and multiply = ceil(2^shift / n) = (2^shift + e) / n, e < n. So the product, over 2^shift, is t / n + t
/// e / (n 2^shift); as t e < 256 n² <= 2^31 n <= 2^shift, that adds less than 1 / n, which takes no quotient to the next
/// integer. multiply < 2^32; shift >= 32 for n > 1. For n <= 32767 the same holds for every t < 65537 n, as 65537 n < 2^31:
/// sums of 16 bits, which then fit 31.
struct Reciprocal {
  int shift;
  std::uint32_t multiply;

  explicit Reciprocal(std::uint32_t n)
      : shift(31 + std::bit_width(n - 1)), multiply(static_cast<std::uint32_t>(((std::uint64_t{1} << shift) + n - 1) / n)) {}

  std::uint32_t divide(std::uint32_t t) const { return static_cast<std::uint32_t>(std::uint64_t{t} * multiply >> shift); }
};

}  // namespace morpho::cpu
