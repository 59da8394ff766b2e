// The checks that colour operations make on views of Rgba pixels.
#pragma once
#include "cpu/require.hpp"

namespace morpho::cpu {

/// The view as a plane of 4-byte pixels: what the checks of require.hpp take. Its pixels are never read through it.
inline ConstPlane as_plane(const View<const Rgba>& v) { return ConstPlane(v.data, PixelType::i32, v.extent, v.stride); }

/// `rgba` and the single-channel `out` of type u8: legal, apart, of one extent.
inline void require_rgba_to_u8(const View<const Rgba>& rgba, const Plane& out) {
  require_plane("rgba", as_plane(rgba));
  require_plane("out", out);
  require_type("out", out, {PixelType::u8});
  require_same_extent("out", as_plane(rgba), out);
  require_apart("out", as_plane(rgba), out);
}

inline void require_range(const char* name, i64 value, i64 low, i64 high) {
  if (value < low || value > high) {
    reject(name, std::to_string(low) + " to " + std::to_string(high), std::to_string(value));
  }
}

}  // namespace morpho::cpu
