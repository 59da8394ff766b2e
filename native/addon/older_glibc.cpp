// The static C++ library asks for arc4random, which glibc has since 2.36. This one takes its place, for Ubuntu 22.04's 2.35.
#ifdef __linux__
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

/// Of the kernel's. Only std::random_device calls it, which nothing here uses on Linux. It has no way to say that it failed.
extern "C" std::uint32_t arc4random() noexcept {
  std::uint32_t number = 0;
  // So few bytes come whole, or not at all: from a kernel without the call, or one that was interrupted at its start.
  for (int tries = 0; tries < 100; ++tries)
    if (getrandom(&number, sizeof number, 0) == sizeof number) return number;
  std::abort();
}
#endif
