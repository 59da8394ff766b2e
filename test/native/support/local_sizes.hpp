// The image sizes and thread counts that every local operation is tried on.
#pragma once
#include "oracle.hpp"

namespace morpho::test {

inline const std::vector<Extent>& odd_sizes() {
  static const std::vector<Extent> sizes = {{0, 0}, {0, 5},   {5, 0},   {1, 1},   {1, 9},  {9, 1},
                                            {2, 3}, {33, 17}, {65, 40}, {150, 7}, {6, 130}};
  return sizes;
}
inline constexpr int kThreadCounts[] = {1, 2, 3, 8};

/// Fills the pixels beyond the rows with a mark, and says whether they still hold it: an operation must not write there.
template <class T>
void mark_margin(Image<T>& image, T mark) {
  for (i32 y = 0; y < image.extent.height; ++y) {
    for (i32 x = image.extent.width; x < image.stride(); ++x) image.at(x, y) = mark;
  }
}
template <class T>
bool margin_holds(const Image<T>& image, T mark) {
  for (i32 y = 0; y < image.extent.height; ++y) {
    for (i32 x = image.extent.width; x < image.stride(); ++x) {
      if (image.at(x, y) != mark) return false;
    }
  }
  return true;
}

}  // namespace morpho::test
