// Lets gcc compile a hot row loop for several instruction sets and pick one when the program starts.
#pragma once

// Only the free functions that hold a whole row loop carry this: the choice costs one indirect call a row. Every version gives
// the same integers. Sanitizers run before the choice is made, so they get the plain version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define MORPHO_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define MORPHO_CLONES
#endif
