// What tests alone may set in the GPU library; free of CUDA's types, as gpu.hpp is, and nothing else includes it.
#pragma once
#include "contract/view.hpp"

namespace morpho::gpu {

/// Waves of `reconstruct` and `watershed` (automatic) that are longer than so many visits of tiles end early, and what follows
/// them does the rest; -1 (the beginning): by the image's size. Results are the same. For all threads.
void limit_wave_depth(i32 visits);

}  // namespace morpho::gpu
