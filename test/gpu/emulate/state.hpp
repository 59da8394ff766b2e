// What launches and calls of the emulation share: the last error, what is to fail, what the device is.
#pragma once
#include "../faults.hpp"
#include "cuda_runtime.h"

namespace emulate {

/// Counts a call, and returns what it is to fail with: what was asked for, or what has poisoned the context.
cudaError_t begin(morpho::test::faults::Call);
/// Notes an error for cudaGetLastError, and returns it.
cudaError_t note(cudaError_t);
/// Whether kernels may be launched on a stream by the calling thread.
bool is_of_current_device(const void* stream);
/// What a block can have of shared memory where its kernel asks for it.
std::size_t most_shared();
inline constexpr std::size_t kSharedUnasked = 48 << 10;

struct Listed {
  const char *file, *name;
};
std::vector<Listed>& listed_kernels();
/// Notes that a kernel's threads ran.
void ran(const Kernel&);

}  // namespace emulate
