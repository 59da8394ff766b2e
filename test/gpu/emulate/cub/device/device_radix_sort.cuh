// Stands for CUB's radix sort in the emulation: a stable sort by the low bits of the keys.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "../../cuda_runtime.h"

namespace cub {
struct DeviceRadixSort {
  template <class K, class V, class N>
  static cudaError_t SortPairs(void* scratch, std::size_t& bytes, const K* keys, K* sorted_keys, const V* values,
                               V* sorted_values, N n, int begin = 0, int end = 8 * sizeof(K), cudaStream_t = nullptr) {
    if (!scratch) return bytes = 1, cudaSuccess;
    std::vector<std::size_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto part = [&](K k) {
      return (static_cast<unsigned long long>(k) >> begin) & ((end - begin >= 64 ? 0ull : 1ull << (end - begin)) - 1);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return part(keys[a]) < part(keys[b]); });
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted_keys[i] = keys[order[i]];
      sorted_values[i] = values[order[i]];
    }
    return cudaSuccess;
  }
};
}  // namespace cub
