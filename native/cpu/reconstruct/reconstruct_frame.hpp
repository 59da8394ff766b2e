// Marker and mask in one frame of padding that no wave enters, for the reconstructions that address pixels by one index.
#pragma once
#include <algorithm>
#include <cstdint>

#include "contract/ops.hpp"

namespace morpho::cpu {

/// Keys: pixel values mapped to unsigned numbers so that the reconstruction is always by dilation and 0 is the bottom.
template <class K>
struct KeyFrame {
  Extent extent;
  i32 pitch = 0;
  K* f = nullptr;     ///< the growing image
  K* mask = nullptr;  ///< what bounds it
  i32 step[8] = {};
  int steps = 0;

  static std::size_t pixels(Extent e) {
    return (static_cast<std::size_t>(e.width) + 2) * (static_cast<std::size_t>(e.height) + 2);
  }
  KeyFrame(Workspace& w, Extent e, bool eight) : extent(e), pitch(e.width + 2) {
    f = w.take<K>(pixels(e));
    mask = w.take<K>(pixels(e));
    for (i32 dy = -1; dy <= 1; ++dy) {
      for (i32 dx = -1; dx <= 1; ++dx) {
        if ((dx == 0 && dy == 0) || (!eight && dx != 0 && dy != 0)) continue;
        step[steps++] = dy * pitch + dx;
      }
    }
    for (K* image : {f, mask}) {  // bottom under a mask of bottom: neither a source nor raised
      std::fill_n(image, static_cast<std::size_t>(pitch), K{0});
      std::fill_n(image + index(-1, e.height), static_cast<std::size_t>(pitch), K{0});
      for (i32 y = 0; y < e.height; ++y) image[index(-1, y)] = image[index(e.width, y)] = K{0};
    }
  }
  i32 index(i32 x, i32 y) const { return (y + 1) * pitch + x + 1; }

  /// Fills both images; `key` maps a pixel to its key and keeps the lattice's order. The marker is cut off at the mask.
  template <class T, class Key>
  void fill(const Context& ctx, View<const T> marker, View<const T> bound, Key&& key) {
    for (i32 y = 0; y < extent.height; ++y) {
      if (y % 64 == 0) ctx.check_cancelled();
      K* to = f + index(0, y);
      K* to_mask = mask + index(0, y);
      for (i32 x = 0; x < extent.width; ++x) {
        to_mask[x] = key(bound.row(y)[x]);
        to[x] = std::min(key(marker.row(y)[x]), to_mask[x]);
      }
    }
  }
  template <class T, class Value>
  void write(View<T> out, Value&& value) const {
    for (i32 y = 0; y < extent.height; ++y) {
      const K* from = f + index(0, y);
      for (i32 x = 0; x < extent.width; ++x) out.row(y)[x] = value(from[x]);
    }
  }
};

/// The key of a pixel where keys are as wide as pixels: order-preserving for dilation, reversing for erosion; its own inverse
/// up to type.
template <class T, By by>
struct ValueKey {
  using K = std::make_unsigned_t<T>;
  static constexpr K flip = static_cast<K>((std::is_signed_v<T> ? K{1} << (8 * sizeof(K) - 1) : K{0}) ^
                                           (by == By::erosion ? ~K{0} : K{0}));
  static K key(T v) { return static_cast<K>(static_cast<K>(v) ^ flip); }
  static T value(K k) { return static_cast<T>(static_cast<K>(k ^ flip)); }
};

}  // namespace morpho::cpu
