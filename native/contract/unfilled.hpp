// Vectors for results: new elements are not set to zero first, so that who writes them all, with several threads, is the first
// to touch them.
#pragma once
#include <memory>
#include <vector>

namespace morpho {

/// std::allocator, but elements that nobody gives a value hold none: they must be written before they are read.
template <class T>
struct Unfilled : std::allocator<T> {
  Unfilled() = default;
  template <class U>
  Unfilled(const Unfilled<U>&) {}
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
};

/// `resize` adds elements of plain types without a value; all else is a vector's.
template <class T>
using ResultVector = std::vector<T, Unfilled<T>>;

}  // namespace morpho
