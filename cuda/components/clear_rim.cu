// Sets the pixels at an image's sides to 0.
#include <algorithm>

#include "cuda/gpu_ops.hpp"
#include "cuda/runtime/device.cuh"

namespace morpho::gpu {

// Memory: none. Cost: the pixels that are set. sync: none.
void clear_rim(Context& ctx, Plane image, const RimParams& p) {
  op::clear_rim::check(image, p);
  if (image.extent.empty()) return;
  const i32 width = image.extent.width, height = image.extent.height;
  const std::size_t pixel = pixel_bytes(image.type), pitch = static_cast<std::size_t>(image.stride) * pixel;
  const auto clear = [&](i32 x, i32 y, i32 across, i32 down) {
    if (across <= 0 || down <= 0) return;
    u8* at = static_cast<u8*>(image.data) + static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x) * pixel;
    MORPHO_CUDA(cudaMemset2DAsync(at, pitch, 0, static_cast<std::size_t>(across) * pixel, static_cast<std::size_t>(down),
                                  stream_of(ctx)));
  };
  const i32 left = std::min(p.left, width), right = std::min(p.right, width), top = std::min(p.top, height),
            bottom = std::min(p.bottom, height);
  clear(0, 0, width, top);
  clear(0, height - bottom, width, bottom);
  clear(0, 0, left, height);
  clear(width - right, 0, right, height);
}

}  // namespace morpho::gpu
