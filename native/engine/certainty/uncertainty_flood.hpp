// What uncertain pixels of a window make uncertain in their turn: found by flooding from them inwards.
#pragma once
#include <vector>

#include "engine/program/program.hpp"
#include "trust.hpp"

namespace morpho::engine {

/// Which pixels of one plane are uncertain: all that lie outside `sure`, and those of `list` inside it. What lies beyond the
/// window's cut sides is uncertain always; beyond its other sides there is nothing.
struct Uncertainty {
  i32 x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< sure: [x0, x1) × [y0, y1)
  std::vector<i32> list;               ///< indices of pixels inside sure
};

/// Where a plane's pixels lie that are not all on the host: of a rectangle of it the rows at its top, those at its bottom, and
/// of the rows between what is at its left and right, packed in this order.
struct RimLayout {
  i32 window_width = 0;
  i32 x0 = 0, y0 = 0, width = 0, height = 0;     ///< the rectangle
  i32 left = 0, top = 0, right = 0, bottom = 0;  ///< px that are there at each side; top == height: all are
  std::size_t pixels() const {
    const auto n = [](i32 a, i32 b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); };
    return n(top + bottom, width) + n(left + right, height - top - bottom);
  }
  bool holds(i32 p) const {
    const i32 x = p % window_width - x0, y = p / window_width - y0;
    if (x < 0 || y < 0 || x >= width || y >= height) return false;
    return y < top || y >= height - bottom || x < left || x >= width - right;
  }
  /// Of the window's pixel p. Throws BeyondRim.
  std::size_t backend(i32 p) const;
};
/// A pixel was asked for that is not there.
struct BeyondRim {};

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
  bool holds(i32 p) const { return !rim_ || rim_->holds(p); }
  T operator[](i32 p) const { return data_[rim_ ? rim_->backend(p) : static_cast<std::size_t>(p)]; }

 private:
  const T* data_ = nullptr;
  const RimLayout* rim_ = nullptr;
};

/// One window's floods. Memory: one byte a pixel.
class UncertaintyFlood {
 protected:
  UncertaintyFlood(Extent extent, const CutSides& sides);

  enum Mark : u8 { listed = 1, visited = 2, large = 4, known = 8, cap = 16, climbed = 32, touched = 64 };

  Uncertainty fresh() const;
  /// Nothing is certain, and nobody looks further: it would cost more than a larger window.
  Uncertainty everything() const;
  bool empty(const Uncertainty& d) const { return d.x0 >= d.x1 || d.y0 >= d.y1; }
  /// Not between open() and add_to().
  void intersect(Uncertainty& to, const Uncertainty& with);
  void shrink(Uncertainty& d, i32 by) const;
  Uncertainty dilated(Uncertainty d, i32 by);

  // All below work on one uncertainty, between open() and close().
  void open(const Uncertainty& d);
  void add_to(Uncertainty& d);  ///< what was found, and close
  void mark(i32 p, u8 bit) {
    u8& at = map_[static_cast<std::size_t>(p)];
    if (!at) touched_.push_back(p);
    at = static_cast<u8>(at | bit | touched);
  }
  bool has(i32 p, u8 bit) const { return (map_[static_cast<std::size_t>(p)] & bit) != 0; }
  bool inside(i32 x, i32 y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }
  bool certain(i32 x, i32 y) const {
    return x >= now_.x0 && y >= now_.y0 && x < now_.x1 && y < now_.y1 && !has(y * width_ + x, listed);
  }
  /// Certain pixels with an uncertain neighbour, each once or more often.
  template <class Fn>
  void front(Fn&& fn);
  template <class Fn>
  void neighbours(i32 p, Fn&& fn) const;
  /// Components of certain pixels that touch the uncertain, grown by same(from, to) from pixels where in(p): those are found of
  /// which fewer than `enough` pixels are seen, and none that decides(p).
  template <class In, class Same, class Decides>
  void small_components(i64 enough, In&& in, Same&& same, Decides&& decides);
  template <class T>
  void area(const Values<T>& v, bool background, i64 enough);
  /// Pixels of labels that touch the uncertain, of candidates over kept ones that do, of what belongs to such candidates, and
  /// what lies beside them.
  void overlapping(const Values<i32>& kept, const Values<i32>& candidates);
  void marked_components(const Values<u8>& marker, const Values<u8>& mask);
  void distance(const Values<i32>& squared, i32 limit);
  void nodes(const Values<u8>& f, i64 enough, i32 level);

  /// Heights of what watersheds and maxima climb: ±f.
  struct Heights {
    SeenPlane plane;
    i32 sign = 1;
    i32 zero = 0;  ///< the value that stands for no height
    i64 at(i32 p) const;
  };
  /// May one not climb by more than h from p without going down first, among certain pixels? Remembered.
  bool is_cap(const Heights& z, i32 p, i64 h);
  /// Caps that caps lead to from the uncertain: there, and nowhere else, may the uncertain raise a reconstruction of z - h.
  void caps(const Heights& z, i64 h, const Values<u8>& mask);
  bool stands_out(const Heights& z, i64 h) const;
  /// Pixels of which the way up z may lead to the uncertain; with lines their neighbours too. Markers hold every peak that
  /// stands out by h; without markers h is 0.
  void basins(const Heights& z, const Values<i32>& markers, const Values<u8>& mask, i64 h, bool lines);

  const i32 width_, height_;
  const bool cut_[4];  ///< left, top, right, bottom
  Connectivity connectivity_ = Connectivity::eight;

 private:
  std::vector<u8> map_;
  std::vector<i32> touched_, stack_;

 protected:
  std::vector<i32> found_;
  Uncertainty now_;
  bool too_much_ = false;
};

}  // namespace morpho::engine
