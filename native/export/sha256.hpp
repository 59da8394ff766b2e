// SHA-256 (FIPS 180-4), for the objects' UUIDs: a few hundred bytes each, millions of times.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "contract/view.hpp"

namespace morpho::exports {

/// Of bytes that come in parts. Copies are cheap: what begins alike is hashed once.
class Sha256 {
 public:
  void update(std::span<const u8> bytes);
  /// Of what came so far. Call once.
  std::array<u8, 32> digest();

 private:
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<u8, 64> block_{};
  std::uint64_t bytes_ = 0;
};

}  // namespace morpho::exports
