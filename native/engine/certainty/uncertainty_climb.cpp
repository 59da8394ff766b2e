// What of a watershed or of its peaks the uncertain pixels of a window reach: floods that climb.
#include "uncertainty_walk.hpp"

namespace morpho::engine {
namespace {

/// More pixels than this are not climbed to learn whether one pixel is a cap.
constexpr std::size_t kMostClimbed = 4096;

}  // namespace

i64 UncertaintyFlood::Heights::at(i32 p) const {
  const i64 v = visit_pixel_type(plane.type, [&](auto t) { return static_cast<i64>(Values<decltype(t)>(plane)[p]); });
  return sign * (v - zero);
}

bool UncertaintyFlood::is_cap(const Heights& z, i32 p, i64 h) {
  if (has(p, known)) return has(p, cap);
  const i64 from = z.at(p);
  bool climbs = false;
  stack_.assign(1, p);
  mark(p, climbed);
  for (std::size_t k = 0; k < stack_.size() && !climbs && stack_.size() < kMostClimbed; ++k) {
    neighbours(stack_[k], [&](i32 q) {
      const i64 v = z.at(q);
      if (v < from || climbs) return;
      // Who climbs from a pixel that is no lower climbs from here.
      climbs = v > from + h || (has(q, known) && !has(q, cap));
      if (climbs || has(q, climbed)) return;
      mark(q, climbed);
      stack_.push_back(q);
    });
  }
  // The others as high climb where this one does; from higher ones no more is reached than was, and no higher. So a plateau is
  // looked at once, not once a pixel.
  const bool saw_all = !climbs && stack_.size() < kMostClimbed;
  for (const i32 q : stack_) {
    map_[static_cast<std::size_t>(q)] &= static_cast<u8>(~climbed);
    if (!saw_all && z.at(q) != from) continue;
    mark(q, known);
    if (!climbs) mark(q, cap);
  }
  return !climbs;
}

void UncertaintyFlood::caps(const Heights& z, i64 h, const Values<u8>& mask) {
  // Without a mask nothing is asked of pixels at 0 and below: the recipes' landscapes are 0 outside their mask.
  const auto is = [&](i32 p) {
    const bool low = z.at(p) <= 0;
    return (mask.present() ? mask[p] != 0 : !low) && (low || is_cap(z, p, h));
  };
  const auto add = [&](i32 p) {
    if (has(p, visited) || !is(p)) return;
    mark(p, visited);
    found_.push_back(p);
  };
  front(add);
  for (std::size_t k = 0; k < found_.size() && touched_.size() <= map_.size() / 2; ++k) neighbours(found_[k], add);
}

bool UncertaintyFlood::stands_out(const Heights& z, i64 h) const {
  bool all = true;
  for (i32 y = now_.y0; y < now_.y1; ++y) {
    for (i32 x = now_.x0; x < now_.x1; ++x) {
      const bool there = !z.plane.rim || z.plane.rim->holds(y * width_ + x);
      all = all && there;
      if (there && z.at(y * width_ + x) > h && certain(x, y)) return true;
    }
  }
  if (!all) throw BeyondRim{};
  return false;
}

void UncertaintyFlood::basins(const Heights& z, const Values<i32>& markers, const Values<u8>& mask, i64 h, bool lines) {
  const auto exists = [&](i32 p) { return !mask.present() || mask[p] != 0; };
  const auto is_sink = [&](i32 p) { return markers.present() && markers[p] != 0; };
  // The flood's level differs from f on caps alone: from elsewhere one climbs to a marker without going down. A cap's level is
  // certain unless caps lead from it to the uncertain.
  if (h > 0) caps(z, h, mask);
  const auto uneven = [&](i32 p) { return h > 0 && (z.at(p) <= 0 || is_cap(z, p, h)); };
  const auto add = [&](i32 p) {
    if (has(p, visited)) return;
    mark(p, visited);
    found_.push_back(p);
  };
  // Whose neighbours' levels are uncertain, its step is.
  const std::size_t uncertain_levels = found_.size();
  for (std::size_t k = 0; k < uncertain_levels; ++k) {
    neighbours(found_[k], [&](i32 p) {
      if (exists(p) && !is_sink(p)) add(p);
    });
  }
  front([&](i32 p) {
    if (!exists(p)) return;
    add(p);  // of a marker: it may go on beyond
  });
  const auto flows = [&](i32 p, i32 q) {
    if (is_sink(p)) return is_sink(q) && markers[p] == markers[q];
    const i64 own = z.at(p), to = z.at(q);
    if (uneven(p)) return true;
    if (to < own) return false;
    i32 best = -1;
    i64 highest = own;
    neighbours(p, [&](i32 n) {
      if (exists(n) && z.at(n) > highest) best = n, highest = z.at(n);
    });
    if (best < 0 || best == q) return true;  // a plateau that the uncertain reaches, or the step itself
    return uneven(best);
  };
  for (std::size_t k = 0; k < found_.size() && touched_.size() <= map_.size() / 2; ++k) {
    const i32 q = found_[k];
    neighbours(q, [&](i32 p) {
      if (!has(p, visited) && exists(p) && flows(p, q)) add(p);
    });
  }
  if (!lines) return;
  // Lines: a neighbour of an uncertain basin may or may not be one.
  const std::size_t n = found_.size();
  for (std::size_t k = 0; k < n; ++k) {
    neighbours(found_[k], [&](i32 p) {
      if (exists(p)) add(p);
    });
  }
}

}  // namespace morpho::engine
