// Which host memory is page-locked for windows: uploads from it need no staging.
#pragma once
#include "cuda/gpu.hpp"

namespace morpho::gpu {

/// Makes a GPU the calling thread's; false where it is not there, or lost.
bool try_device(i32 device);
/// Whether all of these bytes lie in one block of allocate_pinned().
bool is_pinned(const void* from, std::size_t bytes);

}  // namespace morpho::gpu
