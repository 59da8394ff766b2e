// The watershed's flow graph: every pixel's step towards its sink, as one direction code in a padded image.
#pragma once
#include <cstring>
#include <limits>

#include "contract/ops.hpp"
#include "cpu/runtime/simd.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {

/// Direction codes 0..7 are the neighbours in ascending index order (NW N NE W E SW S SE), so the smallest code is the smallest
/// index and 7 - code leads back.
namespace flow {
inline constexpr u8 reached = 8;  ///< 8 + code: found on the level now being searched
inline constexpr u8 sink = 16;
inline constexpr u8 pending = 17;   ///< on a plateau, not yet known where it flows
inline constexpr u8 outside = 255;  ///< not in the mask, or the padding
inline constexpr i32 dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1};
inline constexpr i32 dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
inline bool used(int k, bool eight) { return eight || dx[k] == 0 || dy[k] == 0; }
}  // namespace flow

/// g and its directions in one frame of padding, g's being the type's maximum: nothing flows out of the image.
template <class T>
struct FlowGraph {
  Extent extent;
  i32 pitch = 0;
  bool eight = true;
  T* g = nullptr;
  u8* dir = nullptr;
  i32 step[8] = {};

  static std::size_t pixels(Extent e) {
    return (static_cast<std::size_t>(e.width) + 2) * (static_cast<std::size_t>(e.height) + 2) + 64;
  }
  FlowGraph(Workspace& w, Extent e, bool eight_connected) : extent(e), pitch(e.width + 2), eight(eight_connected) {
    g = w.take<T>(pixels(e));
    dir = w.take<u8>(pixels(e));
    for (int k = 0; k < 8; ++k) step[k] = flow::dy[k] * pitch + flow::dx[k];
  }
  i64 index(i32 x, i32 y) const { return (static_cast<i64>(y) + 1) * pitch + x + 1; }
  View<T> inner() const { return View<T>(g + index(0, 0), extent, pitch); }
  template <class Fn>
  void each_step(Fn&& fn) const {
    for (int k = 0; k < 8; ++k) {
      if (flow::used(k, eight)) fn(k, step[k]);
    }
  }
  void pad() {
    constexpr T top = std::numeric_limits<T>::max();
    const std::size_t row = static_cast<std::size_t>(pitch);
    std::fill_n(g, row, top);
    std::fill_n(g + index(-1, extent.height), row, top);
    std::memset(dir, flow::outside, row);
    std::memset(dir + index(-1, extent.height), flow::outside, row);
    for (i32 y = 0; y < extent.height; ++y) {
      for (i32 x : {-1, extent.width}) {
        g[index(x, y)] = top;
        dir[index(x, y)] = flow::outside;
      }
    }
  }
};

/// Calls fn(x) for the pending pixels of a row, left to right.
template <class Fn>
void each_pending(const u8* dir, i32 n, Fn&& fn) {
  i32 x = 0;
  for (; x + 16 <= n; x += 16) {
    unsigned bits = bits_of(load<Vec<u8>>(dir + x) == fill<Vec<u8>>(flow::pending));
    for (i32 k = x; bits; bits >>= 1, ++k) {
      if ((bits & 1) && dir[k] == flow::pending) fn(k);
    }
  }
  for (; x < n; ++x) {
    if (dir[x] == flow::pending) fn(x);
  }
}

}  // namespace morpho::cpu
