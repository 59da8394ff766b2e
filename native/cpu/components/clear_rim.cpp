// Sets the pixels at an image's sides to 0.
#include <algorithm>
#include <cstring>

#include "cpu/cpu_ops.hpp"

namespace morpho::cpu {

// Memory: none. Cost: the pixels that are set.
void clear_rim(Context&, Plane image, const RimParams& p) {
  op::clear_rim::check(image, p);
  if (image.extent.empty()) return;
  const i32 width = image.extent.width, height = image.extent.height;
  const std::size_t pixel = pixel_bytes(image.type), left = static_cast<std::size_t>(std::min(p.left, width)),
                    right = static_cast<std::size_t>(std::min(p.right, width));
  const i32 top = std::min(p.top, height), bottom = height - std::min(p.bottom, height);
  for (i32 y = 0; y < height; ++y) {
    u8* row = static_cast<u8*>(image.data) + static_cast<std::size_t>(y * image.stride) * pixel;
    const bool all = y < top || y >= bottom;
    std::memset(row, 0, pixel * (all ? static_cast<std::size_t>(width) : left));
    std::memset(row + pixel * (static_cast<std::size_t>(width) - right), 0, pixel * right);
  }
}

}  // namespace morpho::cpu
