// Binary images as one bit a pixel: 32 pixels of a row to a word, the leftmost in bit 0; rows start at whole words, spare bits
// are 0.
#pragma once
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

constexpr i32 words_for(i32 width) { return (width + 31) / 32; }

/// Bit k of the result: byte k of v is not zero.
__device__ inline u32 nonzero_bytes(u32 v) {
  // One in bit 0 of each such byte; the product then moves bits 0, 8, 16, 24 to 28, 29, 30, 31, and all else stays below.
  return (__vsetne4(v, 0) * 0x10204080u) >> 28;
}

/// Bits of up to 32 pixels at p.
__device__ inline u32 pack_pixels(const u8* p, i32 n) {
  u32 bits = 0;
  const u32 misaligned = static_cast<u32>(reinterpret_cast<std::uintptr_t>(p));
  if (n == 32 && (misaligned & 15) == 0) {
    const uint4 a = reinterpret_cast<const uint4*>(p)[0], b = reinterpret_cast<const uint4*>(p)[1];
    bits = nonzero_bytes(a.x) | nonzero_bytes(a.y) << 4 | nonzero_bytes(a.z) << 8 | nonzero_bytes(a.w) << 12 |
           nonzero_bytes(b.x) << 16 | nonzero_bytes(b.y) << 20 | nonzero_bytes(b.z) << 24 | nonzero_bytes(b.w) << 28;
  } else if (n == 32 && (misaligned & 3) == 0) {
#pragma unroll
    for (i32 k = 0; k < 8; ++k) bits |= nonzero_bytes(reinterpret_cast<const u32*>(p)[k]) << (4 * k);
  } else {
    for (i32 k = 0; k < n; ++k) bits |= static_cast<u32>(p[k] != 0) << k;
  }
  return bits;
}

/// Enqueues bits[y * words + w] for every word of the image. `bits` holds words_for(width) * height elements.
void pack_bits(const Context& ctx, const View<const u8>& binary, u32* bits);

}  // namespace morpho::gpu
