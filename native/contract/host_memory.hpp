// Where large host memory comes from: whole huge pages where the system has them on request.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#ifdef __linux__
#include <sys/mman.h>
#elif defined(_WIN32)
#include <malloc.h>
#endif

namespace morpho {

/// `bytes` of host memory, aligned to 64 bytes, uninitialised; null where there is not so much. release_host_memory releases
/// it. The huge pages (2 MiB) that lie wholly within it are asked for: trees, queues and neighbours in other rows are reached
/// at random, and one entry of the processor's page table then covers 512 times as much (native/cpu/runtime/README.md has the
/// figures). The block itself does not begin at one: blocks at equal places of their pages evict each other from the caches.
inline void* allocate_host_memory(std::size_t bytes) {
#ifdef _WIN32
  void* p = _aligned_malloc((bytes + 63) / 64 * 64, 64);
#else
  void* p = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
#endif
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
  const auto from = (reinterpret_cast<std::uintptr_t>(p) + page - 1) / page * page;
  const auto to = (reinterpret_cast<std::uintptr_t>(p) + bytes) / page * page;
  // A wish: where the system has none, usual pages are as good.
  if (p && from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
#endif
  return p;
}
inline void release_host_memory(void* p) {
#ifdef _WIN32
  _aligned_free(p);
#else
  std::free(p);
#endif
}

}  // namespace morpho
