// What uncertain pixels of a window make uncertain in their turn: found by flooding from them inwards.
#pragma once
#include <vector>

#include "pipeline.hpp"

namespace morpho::engine {

/// Which pixels of one plane are uncertain: all that lie outside `sure`, and those of `list` inside it. What lies beyond the
/// window's cut sides is uncertain always; beyond its other sides there is nothing.
struct Doubt {
  i32 x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< sure: [x0, x1) × [y0, y1)
  std::vector<i32> list;               ///< indices of pixels inside sure
};

/// One window's floods. Memory: one byte a pixel.
class DoubtFlood {
 protected:
  DoubtFlood(Extent extent, const CutSides& sides);

  enum Mark : u8 { listed = 1, visited = 2, large = 4, known = 8, cap = 16, climbed = 32, touched = 64 };

  Doubt fresh() const;
  /// Nothing is certain, and nobody looks further: it would cost more than a larger window.
  Doubt everything() const;
  bool empty(const Doubt& d) const { return d.x0 >= d.x1 || d.y0 >= d.y1; }
  void intersect(Doubt& to, const Doubt& with) const;
  void shrink(Doubt& d, i32 by) const;
  Doubt dilated(Doubt d, i32 by);

  // All below work on one doubt, between open() and close().
  void open(const Doubt& d);
  void add_to(Doubt& d);  ///< what was found, and close
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
  /// Components of certain pixels that touch the uncertain, grown by same(from, to) from pixels where in(p): those of which
  /// fewer than `enough` pixels are seen are found.
  template <class In, class Same>
  void small_components(i64 enough, In&& in, Same&& same);
  template <class T>
  void area(const T* v, bool background, i64 enough);
  void marked_components(const u8* marker, const u8* mask);
  void distance(const i32* squared, i32 limit);
  void nodes(const u8* f, i64 enough, i32 level);

  /// Heights of what watersheds and maxima climb: ±f.
  struct Heights {
    const void* data = nullptr;
    PixelType type = PixelType::i32;
    i32 sign = 1;
    i64 at(i32 p) const;
  };
  /// May one not climb by more than h from p without going down first, among certain pixels? Remembered.
  bool is_cap(const Heights& z, i32 p, i64 h);
  /// Caps that caps lead to from the uncertain: there, and nowhere else, may the uncertain raise a reconstruction of z - h.
  void caps(const Heights& z, i64 h, const u8* mask);
  bool stands_out(const Heights& z, i64 h) const;
  /// Pixels of which the way up z may lead to the uncertain; with lines their neighbours too. Markers hold every peak that
  /// stands out by h; without markers h is 0.
  void basins(const Heights& z, const i32* markers, const u8* mask, i64 h, bool lines);

  const i32 width_, height_;
  const bool cut_[4];  ///< left, top, right, bottom
  Connectivity connectivity_ = Connectivity::eight;

 private:
  std::vector<u8> map_;
  std::vector<i32> touched_, stack_;

 protected:
  std::vector<i32> found_;
  Doubt now_;
  bool too_much_ = false;
};

}  // namespace morpho::engine
