// How many threads a test compares, and whether a sanitizer looks at it for bounds.
#pragma once
#include "oracle.hpp"

namespace morpho::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kLooksForBounds = true;
#else
inline constexpr bool kLooksForBounds = false;
#endif

/// Of races three threads show what more do; bounds are those of the fewest and of the most.
inline std::vector<int> fewer_threads(const std::vector<int>& all) {
  return kLooksForBounds && all.size() > 2 ? std::vector<int>{all.front(), all.back()} : thread_counts(all);
}

}  // namespace morpho::test
