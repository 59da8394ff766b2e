// What uncertain pixels of a window make uncertain in their turn: found by flooding from them inwards.
#pragma once
#include <cstring>
#include <vector>

#include "engine/program/program.hpp"
#include "rim_layout.hpp"
#include "trust.hpp"

namespace morpho::engine {

/// Which pixels of one plane are uncertain: all that lie outside `sure`, and those of `list` inside it. What lies beyond the
/// window's cut sides is uncertain always; beyond its other sides there is nothing.
struct Uncertainty {
  i32 x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< sure: [x0, x1) × [y0, y1)
  std::vector<i32> list;               ///< indices of pixels inside sure
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
    u8& at = marks(p);
    if (!at) touched_.push_back(p);
    at = static_cast<u8>(at | bit | touched);
  }
  void unmark(i32 p, u8 bit) { marks(p) &= static_cast<u8>(~bit); }
  bool has(i32 p, u8 bit) const { return (map_[kPadding + static_cast<std::size_t>(p)] & bit) != 0; }
  Pixel pixel(i32 p) const {
    const i32 y = rows_.quotient(p);
    return {p, p - y * width_, y};
  }
  bool in_frame(const Pixel& p) const { return p.x >= now_.x0 && p.y >= now_.y0 && p.x < now_.x1 && p.y < now_.y1; }
  bool certain(const Pixel& p) const { return in_frame(p) && !has(p.at, listed); }
  /// Certain pixels with an uncertain neighbour, each once or more often; those with one of these marks may be left out.
  template <class Fn>
  void front(u8 without, Fn&& fn);
  /// p's certain neighbours that have none of these marks, in raster order, which decides ties. p is in the frame, and fn gives
  /// these marks to no other pixel than its own.
  template <class Fn>
  void neighbours(const Pixel& p, u8 without, Fn&& fn) const {
    around(p, connectivity_, without | listed, fn);
  }
  /// Adds the longest runs of uncertain pixels of a row between two columns. Nothing is marked since open().
  void add_uncertain_runs(i32 y, i32 left, i32 right, std::vector<Run>& to) const;
  /// Components of certain pixels that touch the uncertain: member_from(start) says whether one begins there, and gives what
  /// says of other pixels whether they are in it. Those are found of which fewer than `enough` pixels are seen, and none that
  /// decides(p).
  template <class MemberFrom, class Decides>
  void small_components(i64 enough, MemberFrom&& member_from, Decides&& decides);
  template <class T>
  void area(const Values<T>& v, bool background, i64 enough);
  /// Pixels of labels that touch the uncertain, of candidates over kept ones that do, of what belongs to such candidates, and
  /// what lies beside them.
  void overlapping(const Values<i32>& kept, const Values<i32>& candidates);
  void marked_components(const Values<u8>& marker, const Values<u8>& mask);
  void distance(const Values<i32>& squared, i32 limit);
  void nodes(const Values<u8>& f, i64 enough, i32 level);

  /// Heights of what watersheds and maxima climb: ±f.
  template <class T>
  struct Heights {
    Values<T> values;
    i32 sign = 1;
    i32 zero = 0;  ///< the value that stands for no height
    i64 operator[](const Pixel& p) const { return sign * (i64{values[p]} - zero); }
  };
  /// May one not climb by more than h from p, which is at `from`, without going down first, among certain pixels? Remembered.
  template <class T>
  bool is_cap(const Heights<T>& z, const Pixel& p, i64 from, i64 h);
  /// Caps that caps lead to from the uncertain: there, and nowhere else, may the uncertain raise a reconstruction of z - h.
  template <class T>
  void caps(const Heights<T>& z, i64 h, const Values<u8>& mask);
  template <class T>
  bool stands_out(const Heights<T>& z, i64 h) const;
  /// Pixels of which the way up z may lead to the uncertain; with lines their neighbours too. Markers hold every peak that
  /// stands out by h; without markers h is 0.
  template <class T>
  void basins(const Heights<T>& z, const Values<i32>& markers, const Values<u8>& mask, i64 h, bool lines);

  std::size_t pixel_count() const { return static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_); }
  bool most_touched() const { return touched_.size() > pixel_count() / 2; }

  const i32 width_, height_;
  const bool cut_[4];  ///< left, top, right, bottom
  Connectivity connectivity_ = Connectivity::eight;

 private:
  template <class Fn>
  void around(const Pixel& p, Connectivity connectivity, u8 without, Fn&& fn) const;
  u8& marks(i32 p) { return map_[kPadding + static_cast<std::size_t>(p)]; }
  void make_map() {
    if (map_.empty()) map_.resize(pixel_count() + 2 * kPadding);
  }
  void clear_touched() {
    for (const i32 p : touched_) marks(p) = 0;
    touched_.clear();
  }

  /// So many bytes lie before and behind the map, as its words reach beyond it.
  static constexpr std::size_t kPadding = 4;
  const Divisor rows_;
  std::vector<u8> map_;
  std::vector<i32> touched_, stack_;

 protected:
  std::vector<i32> found_;
  Uncertainty now_;
  bool too_much_ = false;
};

}  // namespace morpho::engine
