// From traced rings of pixel corners to valid polygons: no ring touches itself, every hole lies in its own outer ring.
#pragma once
#include <vector>

#include "contract/ops.hpp"

namespace morpho::exports {

struct Point {
  i32 x, y;
  bool operator==(const Point&) const = default;
};
/// Not closed: the first point is not repeated.
using Loop = std::vector<Point>;
/// An outer ring (anticlockwise where y points up, as RFC 7946 has it) and its holes (clockwise).
using Polygon = std::vector<Loop>;

/// Twice the signed area: positive where the ring is anticlockwise with y up.
i64 double_area(const Loop& ring);

/// Cuts a ring at every corner that it visits twice (two pixels of the object that touch there), inner loops first. Such a ring
/// is invalid for JTS, and so for QuPath; its loops are not. What encloses no area is left out. Linear, whatever the ring.
std::vector<Loop> split_loops(Loop ring);

/// `rings` as trace_outline gives them, simplified or not. A hole that simplification has pushed out of its ring bounds
/// nothing and is left out. Cost: holes × the corners of the outer rings.
std::vector<Polygon> polygons_of(const std::vector<Ring>& rings);

}  // namespace morpho::exports
