// What of a watershed or of its peaks the uncertain pixels of a window reach: floods that climb.
#include "uncertainty_walk.hpp"

namespace morpho::engine {
namespace {

/// More pixels than this are not climbed to learn whether one pixel is a cap.
constexpr std::size_t kMostClimbed = 4096;

}  // namespace

template <class T>
bool UncertaintyFlood::is_cap(const Heights<T>& z, const Pixel& p, i64 from, i64 h) {
  if (has(p.at, known)) return has(p.at, cap);
  bool climbs = false;
  stack_.assign(1, p.at);
  mark(p.at, climbed);
  for (std::size_t k = 0; k < stack_.size() && !climbs && stack_.size() < kMostClimbed; ++k) {
    neighbours(pixel(stack_[k]), climbed, [&](const Pixel& q) {
      if (climbs) return;
      const i64 v = z[q];
      if (v < from) return;
      // Who climbs from a pixel that is no lower climbs from here.
      climbs = v > from + h || (has(q.at, known) && !has(q.at, cap));
      if (climbs) return;
      mark(q.at, climbed);
      stack_.push_back(q.at);
    });
  }
  // The others as high climb where this one does; from higher ones no more is reached than was, and no higher. So a plateau is
  // looked at once, not once a pixel.
  const bool saw_all = !climbs && stack_.size() < kMostClimbed;
  for (const i32 q : stack_) {
    unmark(q, climbed);
    if (!saw_all && z[pixel(q)] != from) continue;
    mark(q, known);
    if (!climbs) mark(q, cap);
  }
  return !climbs;
}

template <class T>
void UncertaintyFlood::caps(const Heights<T>& z, i64 h, const Values<u8>& mask) {
  // Without a mask nothing is asked of pixels at 0 and below: the recipes' landscapes are 0 outside their mask.
  const auto is = [&](const Pixel& p) {
    const i64 height = z[p];
    const bool low = height <= 0;
    return (mask.present() ? mask[p] != 0 : !low) && (low || is_cap(z, p, height, h));
  };
  const auto add = [&](const Pixel& p) {
    if (has(p.at, visited) || !is(p)) return;
    mark(p.at, visited);
    found_.push_back(p.at);
  };
  front(visited, add);
  for (std::size_t k = 0; k < found_.size() && !most_touched(); ++k) neighbours(pixel(found_[k]), visited, add);
}

template <class T>
bool UncertaintyFlood::stands_out(const Heights<T>& z, i64 h) const {
  bool all = true;
  for (i32 y = now_.y0; y < now_.y1; ++y) {
    for (i32 x = now_.x0; x < now_.x1; ++x) {
      const Pixel p{y * width_ + x, x, y};
      const bool there = z.values.holds(p);
      all = all && there;
      if (there && z[p] > h && !has(p.at, listed)) return true;
    }
  }
  if (!all) throw BeyondRim{};
  return false;
}

template <class T>
void UncertaintyFlood::basins(const Heights<T>& z, const Values<i32>& markers, const Values<u8>& mask, i64 h, bool lines) {
  const auto exists = [&](const Pixel& p) { return !mask.present() || mask[p] != 0; };
  const auto is_sink = [&](const Pixel& p) { return markers.present() && markers[p] != 0; };
  // The flood's level differs from f on caps alone: from elsewhere one climbs to a marker without going down. A cap's level is
  // certain unless caps lead from it to the uncertain.
  if (h > 0) caps(z, h, mask);
  const auto uneven = [&](const Pixel& p, i64 height) { return h > 0 && (height <= 0 || is_cap(z, p, height, h)); };
  const auto add = [&](const Pixel& p) {
    if (has(p.at, visited)) return;
    mark(p.at, visited);
    found_.push_back(p.at);
  };
  // Whose neighbours' levels are uncertain, its step is.
  const std::size_t uncertain_levels = found_.size();
  for (std::size_t k = 0; k < uncertain_levels; ++k) {
    neighbours(pixel(found_[k]), visited, [&](const Pixel& p) {
      if (exists(p) && !is_sink(p)) add(p);
    });
  }
  front(visited, [&](const Pixel& p) {
    if (exists(p)) add(p);  // of a marker: it may go on beyond
  });
  const auto flows = [&](const Pixel& p, const Pixel& q) {
    if (is_sink(p)) return is_sink(q) && markers[p] == markers[q];
    const i64 own = z[p], to = z[q];
    if (uneven(p, own)) return true;
    if (to < own) return false;
    Pixel best{-1, 0, 0};
    i64 highest = own;
    neighbours(p, 0, [&](const Pixel& n) {
      if (!exists(n)) return;
      const i64 height = z[n];
      if (height > highest) best = n, highest = height;
    });
    if (best.at < 0 || best.at == q.at) return true;  // a plateau that the uncertain reaches, or the step itself
    return uneven(best, highest);
  };
  for (std::size_t k = 0; k < found_.size() && !most_touched(); ++k) {
    const Pixel q = pixel(found_[k]);
    neighbours(q, visited, [&](const Pixel& p) {
      if (exists(p) && flows(p, q)) add(p);
    });
  }
  if (!lines) return;
  // Lines: a neighbour of an uncertain basin may or may not be one.
  const std::size_t n = found_.size();
  for (std::size_t k = 0; k < n; ++k) {
    neighbours(pixel(found_[k]), visited, [&](const Pixel& p) {
      if (exists(p)) add(p);
    });
  }
}

#define MORPHO_CLIMBS(T)                                                              \
  template void UncertaintyFlood::caps<T>(const Heights<T>&, i64, const Values<u8>&); \
  template bool UncertaintyFlood::stands_out<T>(const Heights<T>&, i64) const;        \
  template void UncertaintyFlood::basins<T>(const Heights<T>&, const Values<i32>&, const Values<u8>&, i64, bool);
MORPHO_CLIMBS(u8)
MORPHO_CLIMBS(u16)
MORPHO_CLIMBS(i32)
#undef MORPHO_CLIMBS

}  // namespace morpho::engine
