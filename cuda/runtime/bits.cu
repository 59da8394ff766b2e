// Packs binary images into bits.
#include "cuda/runtime/bits.cuh"

namespace morpho::gpu {

namespace {

/// A thread owns one word: it reads its 32 pixels as two 16-byte loads where the row's alignment allows. Nothing is shared.
__global__ void bits_pack_kernel(Image<const u8> in, u32* __restrict__ bits, i32 words, i64 count) {
  const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const i32 y = static_cast<i32>(i / words), w = static_cast<i32>(i - static_cast<i64>(y) * words);
  bits[i] = pack_pixels(in.row(y) + 32 * w, min(32, in.width - 32 * w));
}

}  // namespace

void pack_bits(const Context& ctx, const View<const u8>& binary, u32* bits) {
  const i32 words = words_for(binary.width());
  const i64 count = static_cast<i64>(words) * binary.height();
  if (count == 0) return;
  bits_pack_kernel<<<blocks_for(count, 256), 256, 0, stream_of(ctx)>>>(binary, bits, words, count);
  check_launch("bits_pack_kernel");
}

}  // namespace morpho::gpu
