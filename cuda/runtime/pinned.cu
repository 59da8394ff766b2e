// Page-locked host memory, and which addresses lie in it.
#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <new>
#include <shared_mutex>

#include "cuda/runtime/pinned.cuh"

namespace morpho::gpu {

namespace {

/// By their first byte.
struct Blocks {
  std::shared_mutex mutex;
  std::map<const u8*, std::size_t> bytes;
};
Blocks& blocks() {
  static Blocks all;
  return all;
}

}  // namespace

bool is_pinned(const void* from, std::size_t bytes) {
  const u8* const p = static_cast<const u8*>(from);
  const std::shared_lock lock(blocks().mutex);
  auto block = blocks().bytes.upper_bound(p);
  if (block == blocks().bytes.begin()) return false;
  --block;
  const std::size_t at = static_cast<std::size_t>(p - block->first);
  return at < block->second && bytes <= block->second - at;
}

void* allocate_pinned(i32 device, std::size_t bytes) {
  void* p = nullptr;
  if (!try_device(device)) return nullptr;
  if (cudaMallocHost(&p, bytes ? bytes : 1) != cudaSuccess) return cudaGetLastError(), nullptr;
  try {
    const std::lock_guard lock(blocks().mutex);
    blocks().bytes.emplace(static_cast<const u8*>(p), bytes);
  } catch (const std::bad_alloc&) {
    cudaFreeHost(p);
    return nullptr;
  }
  return p;
}

void release_pinned(void* p) noexcept {
  if (!p) return;
  {
    const std::lock_guard lock(blocks().mutex);
    blocks().bytes.erase(static_cast<const u8*>(p));
  }
  cudaFreeHost(p);
  cudaGetLastError();  // where its GPU was lost it went with the context
}

}  // namespace morpho::gpu
