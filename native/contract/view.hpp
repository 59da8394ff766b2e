// What an image is to every operation: a pointer that somebody else owns, an extent and a stride.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "error.hpp"

namespace morpho {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

/// Width and height in pixels. Either may be 0 (an empty image); index(p) = y*width + x must fit an i32.
struct Extent {
  i32 width = 0;
  i32 height = 0;
  constexpr i64 area() const { return static_cast<i64>(width) * height; }
  constexpr bool empty() const { return width <= 0 || height <= 0; }
  friend constexpr bool operator==(Extent a, Extent b) { return a.width == b.width && a.height == b.height; }
};

/// A rectangle in pixels; x and y may be negative where a caller says so.
struct Rect {
  i64 x = 0, y = 0;
  i64 width = 0, height = 0;
};

/// One pixel as slides deliver it. Analysis ignores `a`: readers composite on the slide's background first.
struct Rgba {
  u8 r, g, b, a;
};
static_assert(sizeof(Rgba) == 4);

/// A row-major image that it does not own; `stride` counts elements between rows.
template <class T>
struct View {
  T* data = nullptr;
  Extent extent;
  std::ptrdiff_t stride = 0;

  View() = default;
  View(T* d, Extent e) : data(d), extent(e), stride(e.width) {}
  View(T* d, Extent e, std::ptrdiff_t s) : data(d), extent(e), stride(s) {}
  /// View<T> converts to View<const T>.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  View(const View<U>& other) : data(other.data), extent(other.extent), stride(other.stride) {}

  i32 width() const { return extent.width; }
  i32 height() const { return extent.height; }
  T* row(i32 y) const { return data + static_cast<std::ptrdiff_t>(y) * stride; }
  T& at(i32 x, i32 y) const { return row(y)[x]; }
  bool contiguous() const { return stride == extent.width; }
  View sub(i32 x, i32 y, Extent e) const { return View(row(y) + x, e, stride); }
};

enum class PixelType : u8 { u8, u16, i32 };

constexpr std::size_t pixel_bytes(PixelType t) { return t == PixelType::u8 ? 1 : t == PixelType::u16 ? 2 : 4; }
constexpr const char* pixel_type_name(PixelType t) {
  return t == PixelType::u8 ? "uint8" : t == PixelType::u16 ? "uint16" : "int32";
}
template <class T>
constexpr PixelType pixel_type_of() {
  using V = std::remove_const_t<T>;
  static_assert(std::is_same_v<V, u8> || std::is_same_v<V, u16> || std::is_same_v<V, i32>);
  if constexpr (std::is_same_v<V, u8>) return PixelType::u8;
  else if constexpr (std::is_same_v<V, u16>) return PixelType::u16;
  else return PixelType::i32;
}

/// A view whose pixel type is known at run time: what the operation table takes. On a GPU `data` is a device address.
template <class Void>
struct BasicPlane {
  Void* data = nullptr;
  PixelType type = PixelType::u8;
  Extent extent;
  std::ptrdiff_t stride = 0;

  BasicPlane() = default;
  BasicPlane(Void* d, PixelType t, Extent e) : data(d), type(t), extent(e), stride(e.width) {}
  BasicPlane(Void* d, PixelType t, Extent e, std::ptrdiff_t s) : data(d), type(t), extent(e), stride(s) {}
  template <class T, class = std::enable_if_t<std::is_convertible_v<T*, Void*>>>
  BasicPlane(const View<T>& v) : data(v.data), type(pixel_type_of<T>()), extent(v.extent), stride(v.stride) {}
  template <class V, class = std::enable_if_t<std::is_convertible_v<V*, Void*> && !std::is_same_v<V, Void>>>
  BasicPlane(const BasicPlane<V>& p) : data(p.data), type(p.type), extent(p.extent), stride(p.stride) {}

  bool present() const { return data != nullptr || extent.area() > 0; }
  /// The typed view. Throws INTERNAL where the type does not match: callers dispatch first.
  template <class T>
  auto view() const {
    using Q = std::conditional_t<std::is_const_v<Void>, const T, T>;
    if (type != pixel_type_of<T>()) throw Error(ErrorCode::internal, "plane viewed as another pixel type than it has");
    return View<Q>(static_cast<Q*>(data), extent, stride);
  }
};
using Plane = BasicPlane<void>;
using ConstPlane = BasicPlane<const void>;

/// Calls fn(T{}) with the C++ type that `type` names: the one place where a run-time type becomes a template argument.
template <class Fn>
decltype(auto) visit_pixel_type(PixelType type, Fn&& fn) {
  switch (type) {
    case PixelType::u8: return fn(u8{});
    case PixelType::u16: return fn(u16{});
    default: return fn(i32{});
  }
}

enum class Connectivity : u8 { four = 4, eight = 8 };

}  // namespace morpho
