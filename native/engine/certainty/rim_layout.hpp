// Where the pixels of a window's planes lie on the host: whole planes, and the rims that were fetched of others.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "contract/view.hpp"

namespace morpho::engine {

/// Divides by a number that is known once: a product and a shift.
/// Source: Granlund and Montgomery, "Division by invariant integers using multiplication", 1994, theorem 4.2.
class Divisor {
 public:
  /// by > 0.
  explicit Divisor(i32 by)
      : shift_(31 + std::bit_width(static_cast<std::uint32_t>(by) - 1)),
        factor_(((u64{1} << shift_) - 1) / static_cast<u64>(by) + 1) {}
  /// Of p >= 0, exactly.
  i32 quotient(i32 p) const { return static_cast<i32>((factor_ * static_cast<std::uint32_t>(p)) >> shift_); }

 private:
  int shift_;
  u64 factor_;
};

/// A pixel of a window: its index, column and row.
struct Pixel {
  i32 at, x, y;
};

/// A pixel was asked for that is not there.
struct BeyondRim {};

/// Where a plane's pixels lie that are not all on the host: of a rectangle of it the rows at its top, those at its bottom, and
/// of the rows between what is at its left and right, packed in this order.
struct RimLayout {
  i32 x0 = 0, y0 = 0, width = 0, height = 0;     ///< the rectangle
  i32 left = 0, top = 0, right = 0, bottom = 0;  ///< px that are there at each side; top == height: all are

  std::size_t pixels() const { return product(top + bottom, width) + product(left + right, height - top - bottom); }
  bool holds(const Pixel& p) const {
    const i32 x = p.x - x0, y = p.y - y0;
    if (x < 0 || y < 0 || x >= width || y >= height) return false;
    return y < top || y >= height - bottom || x < left || x >= width - right;
  }
  /// Throws BeyondRim.
  std::size_t index(const Pixel& p) const {
    if (!holds(p)) throw BeyondRim{};
    const i32 x = p.x - x0, y = p.y - y0;
    if (y < top) return product(y, width) + offset(x);
    if (y >= height - bottom) return product(y - (height - bottom) + top, width) + offset(x);
    const std::size_t bands = product(top + bottom, width);
    if (x < left) return bands + product(y - top, left) + offset(x);
    return bands + product(height - top - bottom, left) + product(y - top, right) + offset(x - (width - right));
  }

 private:
  static std::size_t offset(i32 a) { return static_cast<std::size_t>(a); }
  static std::size_t product(i32 a, i32 b) { return offset(a) * offset(b); }
};

/// A plane as the host sees it.
struct SeenPlane {
  const void* data = nullptr;
  PixelType type = PixelType::u8;
  const RimLayout* rim = nullptr;  ///< null: it is whole
};
/// Its values by the window's pixels.
template <class T>
class Values {
 public:
  Values() = default;
  explicit Values(const SeenPlane& plane) : data_(static_cast<const T*>(plane.data)), rim_(plane.rim) {}
  bool present() const { return data_ != nullptr; }
  bool holds(const Pixel& p) const { return !rim_ || rim_->holds(p); }
  T operator[](const Pixel& p) const { return data_[rim_ ? rim_->index(p) : static_cast<std::size_t>(p.at)]; }

 private:
  const T* data_ = nullptr;
  const RimLayout* rim_ = nullptr;
};

}  // namespace morpho::engine
