// The checks that every operation of every table makes on its planes before it touches a pixel.
#pragma once
#include <initializer_list>
#include <string>

#include "view.hpp"

namespace morpho {

inline std::string extent_text(Extent e) { return std::to_string(e.width) + "x" + std::to_string(e.height); }

/// A plane must have a legal extent, fewer than 2^31 pixels, rows that do not overlap, and data unless it is empty.
template <class Void>
void require_plane(const char* name, const BasicPlane<Void>& p) {
  if (p.extent.width < 0 || p.extent.height < 0) reject(name, "an extent of at least 0x0", extent_text(p.extent));
  if (p.extent.area() > 2147483647) reject(name, "fewer than 2147483648 pixels", extent_text(p.extent));
  if (p.extent.area() == 0) return;
  if (!p.data) reject(name, "pixels", "a null pointer");
  if (p.stride < p.extent.width) {
    reject(name, "a stride of at least its width " + std::to_string(p.extent.width), std::to_string(p.stride));
  }
}

template <class Void>
void require_type(const char* name, const BasicPlane<Void>& p, std::initializer_list<PixelType> allowed) {
  std::string expected;
  for (PixelType t : allowed) {
    if (p.type == t) return;
    expected += (expected.empty() ? "" : " or ") + std::string(pixel_type_name(t));
  }
  reject(name, "pixels of type " + expected, pixel_type_name(p.type));
}

/// `b` must have the extent of `a`.
template <class A, class B>
void require_same_extent(const char* name, const BasicPlane<A>& a, const BasicPlane<B>& b) {
  if (!(a.extent == b.extent)) reject(name, "the extent " + extent_text(a.extent), extent_text(b.extent));
}

template <class A, class B>
void require_same_type(const char* name, const BasicPlane<A>& a, const BasicPlane<B>& b) {
  if (a.type != b.type) reject(name, std::string("pixels of type ") + pixel_type_name(a.type), pixel_type_name(b.type));
}

/// The bytes of the planes must not overlap (rows of one may lie between the rows of the other: then they only look as if they
/// did, so interleaved views of one buffer are refused only where they share pixels of the same rows).
template <class A, class B>
void require_apart(const char* name, const BasicPlane<A>& a, const BasicPlane<B>& b) {
  if (a.extent.empty() || b.extent.empty()) return;
  const auto begin = [](const auto& p) { return reinterpret_cast<std::uintptr_t>(p.data); };
  const auto end = [&](const auto& p) {
    return begin(p) + (static_cast<std::size_t>(p.extent.height - 1) * static_cast<std::size_t>(p.stride) +
                       static_cast<std::size_t>(p.extent.width)) *
                          pixel_bytes(p.type);
  };
  if (end(a) <= begin(b) || end(b) <= begin(a)) return;
  // Two windows of one buffer with one row pitch overlap only where their column ranges do.
  const std::size_t pitch = static_cast<std::size_t>(a.stride) * pixel_bytes(a.type);
  if (pitch == static_cast<std::size_t>(b.stride) * pixel_bytes(b.type)) {
    const std::size_t wa = static_cast<std::size_t>(a.extent.width) * pixel_bytes(a.type);
    const std::size_t wb = static_cast<std::size_t>(b.extent.width) * pixel_bytes(b.type);
    const std::size_t gap = begin(a) <= begin(b) ? (begin(b) - begin(a)) % pitch : (begin(a) - begin(b)) % pitch;
    const std::size_t first = begin(a) <= begin(b) ? wa : wb, second = begin(a) <= begin(b) ? wb : wa;
    if (gap >= first && gap + second <= pitch) return;
  }
  reject(name, "memory of its own", "memory that an input also uses");
}

/// For operations that work in a copy with one pixel of padding around and index it with an i32.
inline void require_room_for_padding(const char* name, Extent e) {
  if ((static_cast<i64>(e.width) + 2) * (static_cast<i64>(e.height) + 2) > 2147483647) {
    reject(name, "fewer than 2147483648 pixels with one pixel of padding around", extent_text(e));
  }
}

inline void require_connectivity(Connectivity c) {
  if (c != Connectivity::four && c != Connectivity::eight)
    reject("connectivity", "4 or 8", std::to_string(static_cast<int>(c)));
}

inline void require_range(const char* name, i64 value, i64 low, i64 high) {
  if (value < low || value > high) {
    reject(name, std::to_string(low) + " to " + std::to_string(high), std::to_string(value));
  }
}

/// `f` and `out` of one type (u8 or u16) and extent, legal: what grey filters take.
inline void require_grey_pair(const ConstPlane& f, const Plane& out) {
  require_plane("f", f);
  require_plane("out", out);
  require_type("f", f, {PixelType::u8, PixelType::u16});
  require_same_type("out", f, out);
  require_same_extent("out", f, out);
}

/// The view as a plane of 4-byte pixels: what the checks above take. Its pixels are never read through it.
inline ConstPlane as_plane(const View<const Rgba>& v) { return ConstPlane(v.data, PixelType::i32, v.extent, v.stride); }

/// `rgba` and the single-channel `out` of type u8: legal, apart, of one extent.
inline void require_rgba_to_u8(const View<const Rgba>& rgba, const Plane& out) {
  require_plane("rgba", as_plane(rgba));
  require_plane("out", out);
  require_type("out", out, {PixelType::u8});
  require_same_extent("out", as_plane(rgba), out);
  require_apart("out", as_plane(rgba), out);
}

}  // namespace morpho
