// Lets gcc compile a hot row loop for several instruction sets and pick one when the program starts.
#pragma once
#include <atomic>

// Only the free functions that hold a whole row loop carry this: the choice costs one indirect call a row. Every version gives
// the same integers. Sanitizers run before the choice is made, so they get the plain version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define MORPHO_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define MORPHO_CLONES
#endif

namespace morpho::cpu {

/// Tests take AVX2 away, to hold what is computed without it against what is computed with it.
inline std::atomic<bool> avx2_is_taken_away{false};

/// Whether hand-written loops for AVX2 may run. The versions that MORPHO_CLONES makes are the compiler's, and are not asked.
inline bool has_avx2() {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has = __builtin_cpu_supports("avx2");
  return has && !avx2_is_taken_away.load(std::memory_order_relaxed);
#else
  return false;
#endif
}

}  // namespace morpho::cpu
