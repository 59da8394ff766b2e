// Rings cut into loops where they touch themselves, and loops put together as polygons.
#include "polygons.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace morpho::exports {
namespace {

/// A ring's corners by their places: open addressing in a table that each thread keeps.
class CornerMap {
 public:
  explicit CornerMap(std::size_t corners) : slots_(table()) {
    const std::size_t wanted = std::bit_ceil(corners * 2 + 2);
    if (slots_.size() < wanted) slots_.resize(wanted);
    mask_ = wanted - 1;
    std::fill_n(slots_.begin(), wanted, Slot{{0, 0}, kFree});
  }
  /// Where the corner is in the walk, or none.
  i64 place(const Point& p) const {
    const Slot& s = slots_[find(p)];
    return s.place >= 0 ? s.place : -1;
  }
  void put(const Point& p, i64 place) { slots_[find(p)] = {p, place}; }
  void forget(const Point& p) {
    // Its slot stays taken, so that others behind it are found.
    Slot& s = slots_[find(p)];
    if (s.place >= 0) s.place = kGone;
  }

 private:
  static constexpr i64 kFree = -1, kGone = -2;
  struct Slot {
    Point at;
    i64 place;
  };
  static std::vector<Slot>& table() {
    thread_local std::vector<Slot> slots;
    return slots;
  }
  std::size_t find(const Point& p) const {
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(p.x)) << 32 | static_cast<std::uint32_t>(p.y);
    std::size_t at = static_cast<std::size_t>(key * 0x9e3779b97f4a7c15u >> 32) & mask_;
    while (slots_[at].place != kFree && slots_[at].at != p) at = (at + 1) & mask_;
    return at;
  }
  std::vector<Slot>& slots_;
  std::size_t mask_;
};

/// Even-odd rule; points on the ring may fall on either side.
bool contains(const Loop& ring, double x, double y) {
  bool inside = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const double xi = ring[i].x, yi = ring[i].y, xj = ring[j].x, yj = ring[j].y;
    if ((yi > y) != (yj > y) && x < (xj - xi) * (y - yi) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

struct Place {
  double x, y;
};
/// A point strictly inside a hole: just right of its leftmost edge.
Place inside_point(const Loop& ring) {
  Place best{static_cast<double>(ring[0].x), static_cast<double>(ring[0].y)};
  double best_x = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const double x0 = ring[i].x, y0 = ring[i].y;
    const Point& next = ring[(i + 1) % ring.size()];
    const double x1 = next.x, y1 = next.y;
    if (y0 == y1) continue;
    // Off the middle, and off the integers of either axis, where other corners and edges lie.
    constexpr double along = 0.4375;
    const double x = x0 + (x1 - x0) * along;
    if (x < best_x) {
      best_x = x;
      best = {x + 1e-3, y0 + (y1 - y0) * along + 1e-4};
    }
  }
  return best;
}

int sign(i64 value) { return (value > 0) - (value < 0); }

}  // namespace

i64 double_area(const Loop& ring) {
  i64 sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point &a = ring[i], &b = ring[i + 1 < ring.size() ? i + 1 : 0];
    sum += i64{a.x} * b.y - i64{b.x} * a.y;
  }
  return sum;
}

std::vector<Loop> split_loops(Loop ring) {
  std::vector<Loop> loops;
  const auto keep = [&](Loop&& loop) {
    if (loop.size() >= 3 && double_area(loop) != 0) loops.push_back(std::move(loop));
  };
  CornerMap places(ring.size());
  std::size_t held = 0;  // the walk so far is the ring's first `held` points: what is cut out of it leaves no gap
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point p = ring[i];
    if (const i64 place = places.place(p); place >= 0) {
      const auto begin = ring.begin() + place, end = ring.begin() + static_cast<i64>(held);
      for (auto q = begin; q != end; ++q) places.forget(*q);
      keep(Loop(begin, end));
      held = static_cast<std::size_t>(place);
    }
    places.put(p, static_cast<i64>(held));
    ring[held++] = p;
  }
  ring.resize(held);
  keep(std::move(ring));
  return loops;
}

std::vector<Polygon> polygons_of(const std::vector<Ring>& rings) {
  struct Outer {
    i64 area;
    Polygon polygon;
  };
  std::vector<Outer> outers;
  std::vector<Loop> holes;
  for (const Ring& ring : rings) {
    Loop corners(ring.xy.size() / 2);
    for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = {ring.xy[2 * i], ring.xy[2 * i + 1]};
    const int sense = sign(double_area(corners)) * (ring.hole ? -1 : 1);
    for (Loop& loop : split_loops(std::move(corners))) {
      const i64 area = double_area(loop);
      const bool outer = sign(area) == sense;
      // Outer rings stand upright, holes the other way.
      if ((area > 0) != outer) std::reverse(loop.begin(), loop.end());
      if (outer) outers.push_back({std::abs(area), {std::move(loop)}});
      else holes.push_back(std::move(loop));
    }
  }
  for (Loop& hole : holes) {
    const Place p = inside_point(hole);
    // The smallest outer ring around it: an island in a lake may have a lake of its own.
    Outer* owner = nullptr;
    for (Outer& outer : outers)
      if ((!owner || outer.area < owner->area) && contains(outer.polygon[0], p.x, p.y)) owner = &outer;
    if (owner) owner->polygon.push_back(std::move(hole));
  }
  std::vector<Polygon> polygons;
  polygons.reserve(outers.size());
  for (Outer& outer : outers) polygons.push_back(std::move(outer.polygon));
  return polygons;
}

}  // namespace morpho::exports
