// morphology: flat erosion, dilation, opening and closing.
#pragma once
#include "../certainty.hpp"

namespace morpho {

enum class Shape : u8 { disk, square, line_horizontal, line_vertical, line_diagonal, line_antidiagonal, cross };
template <>
struct Names<Shape> {
  using enum Shape;
  static constexpr Named<Shape> all[] = {
      {disk, "disk"},
      {square, "square"},
      {line_horizontal, "line-horizontal"},
      {line_vertical, "line-vertical"},
      {line_diagonal, "line-diagonal"},
      {line_antidiagonal, "line-antidiagonal"},
      {cross, "cross"},
  };
};
enum class Morphology : u8 { erode, dilate, open, close };
template <>
struct Names<Morphology> {
  using enum Morphology;
  static constexpr Named<Morphology> all[] = {{erode, "erode"}, {dilate, "dilate"}, {open, "open"}, {close, "close"}};
};

struct MorphologyParams {
  Morphology kind = Morphology::erode;
  Shape shape = Shape::disk;
  i32 radius = 1;  ///< disk: dx*dx + dy*dy <= radius*radius; others: 2*radius+1 pixels a side
  static constexpr void visit(auto& p, auto&& v) {
    v(op::Spec{"kind", "what to do"}, p.kind);
    v(op::Spec{"shape", "structuring element"}, p.shape);
    v(op::required(op::whole("radius", "px; a disk holds dx² + dy² <= radius²", 0, 1024)), p.radius);
  }
  bool operator==(const MorphologyParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Flat erosion, dilation, opening, closing of u8 or u16; pixels outside the image are ignored. In place allowed.
/// line_diagonal holds (t, t), line_antidiagonal (t, -t) in (dx, dy), |t| <= radius; cross is both axis-parallel lines.
/// Reach: halo radius (2 radius for opening and closing).
struct morphology : Operation<morphology, void(Context&, ConstPlane, Plane, const MorphologyParams&)> {
  static constexpr Slot in[] = {{"f", "image", "grey or binary values", grey}};
  static constexpr Slot out[] = {{"out", "out", "as the image", grey, 0, false, 1}};
  static inline const ByName<Params> by_name[] = {
      {"erode", "the least value under the structuring element", nullptr, {Morphology::erode}, {"kind"}},
      {"dilate", "the greatest value under the structuring element", nullptr, {Morphology::dilate}, {"kind"}},
      {"open", "erosion, then dilation", nullptr, {Morphology::open}, {"kind"}},
      {"close", "dilation, then erosion", nullptr, {Morphology::close}, {"kind"}}};
  static Reach reach(const Params& p) {
    return halo_reach(p.kind == Morphology::open || p.kind == Morphology::close ? 2 * p.radius : p.radius);
  }
  /// A tile's rows for each thread: (2 radius + 3; 3 for a horizontal line) of 512 to 4096 columns, and log2(2 radius + 1) + 1
  /// longer ones; one image for opening, closing and in place, one for a cross.
  static i64 cpu_need(const need::Image& i, const Params& p, bool in_place = false) {
    const i64 s = i.bytes(), rows = p.shape == Shape::line_horizontal ? 3 : 2 * i64{p.radius} + 3;
    const bool diagonal = p.shape == Shape::line_diagonal || p.shape == Shape::line_antidiagonal;
    const i64 across = diagonal ? i.width() + i.height() : i.width();
    const i64 columns = std::min<i64>(across,
                                      std::min<i64>(4096, std::max<i64>({131072 / (s * rows) + 64, 512, 4 * i64{p.radius}}))) +
                        64;
    const i64 levels = std::bit_width(2 * static_cast<u64>(p.radius) + 1);
    const i64 tile = columns * rows + levels * (columns + 2 * p.radius + 64) + 64;
    const i64 images = (p.kind == Morphology::open || p.kind == Morphology::close || in_place ? 1 : 0) +
                       (p.shape == Shape::cross ? 1 : 0);
    return i.workers() * s * tile + images * s * i.area() + need::kSlack;
  }
  /// By reach; and where there is nothing, openings and erosions leave nothing.
  struct Certainty : ByReach {
    static constexpr bool shrinks(const MorphologyParams& p) {
      return p.kind == Morphology::open || p.kind == Morphology::erode;
    }
    static constexpr u8 looks(const StepFacts&, const MorphologyParams& p) { return shrinks(p) ? 1 : 0; }
    static void flood(auto& d, const MorphologyParams& p) {
      if (shrinks(p)) d.drop_decided(0, true, false);
    }
  };
};

}  // namespace op
}  // namespace morpho
