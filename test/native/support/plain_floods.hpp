// What the floods of certainty find, said plainly: sets of pixels, and each question asked anew of the whole image.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>
#include <vector>

#include "engine/certainty/uncertainty_flood.hpp"

namespace morpho::test {

struct PlainFloods {
  using Set = std::set<i32>;
  using Of = std::function<i64(i32)>;  ///< a pixel's value

  const i32 width, height;
  const engine::CutSides cut;
  const engine::Uncertainty frame;
  const Connectivity connectivity;
  std::vector<bool> certain;

  PlainFloods(Extent extent, const engine::CutSides& sides, const engine::Uncertainty& d, Connectivity c)
      : width(extent.width), height(extent.height), cut(sides), frame(d), connectivity(c) {
    for (i32 y = 0; y < height; ++y)
      for (i32 x = 0; x < width; ++x) certain.push_back(x >= d.x0 && x < d.x1 && y >= d.y0 && y < d.y1);
    for (const i32 p : d.list) certain[static_cast<std::size_t>(p)] = false;
  }
  bool is_certain(i32 x, i32 y) const {
    return x >= 0 && y >= 0 && x < width && y < height && certain[static_cast<std::size_t>(y * width + x)];
  }
  /// In raster order.
  std::vector<i32> neighbours(i32 p) const {
    std::vector<i32> all;
    const i32 x = p % width, y = p / width;
    for (i32 v = y - 1; v <= y + 1; ++v) {
      for (i32 u = x - 1; u <= x + 1; ++u) {
        const i32 steps = std::abs(u - x) + std::abs(v - y);
        if (steps > 0 && (connectivity == Connectivity::eight || steps == 1) && is_certain(u, v)) all.push_back(v * width + u);
      }
    }
    return all;
  }
  /// Certain pixels beside a cut side, or beside a pixel of the list.
  Set front() const {
    Set all;
    for (i32 y = frame.y0; y < frame.y1; ++y) {
      for (i32 x = frame.x0; x < frame.x1; ++x) {
        const bool at_side = (cut.left && x == frame.x0) || (cut.top && y == frame.y0) || (cut.right && x == frame.x1 - 1) ||
                             (cut.bottom && y == frame.y1 - 1);
        const bool at_listed = std::any_of(frame.list.begin(), frame.list.end(), [&](i32 q) {
          return std::max(std::abs(q % width - x), std::abs(q / width - y)) == 1;
        });
        if (is_certain(x, y) && (at_side || at_listed)) all.insert(y * width + x);
      }
    }
    return all;
  }
  /// `all`, and what leads to it step by step.
  template <class Fn>
  Set closure(const Set& begun, Fn&& leads) const {
    std::vector<bool> in(certain.size());
    std::vector<i32> all(begun.begin(), begun.end());
    for (const i32 p : all) in[static_cast<std::size_t>(p)] = true;
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (const i32 p : neighbours(all[k])) {
        if (in[static_cast<std::size_t>(p)] || !leads(p, all[k])) continue;
        in[static_cast<std::size_t>(p)] = true;
        all.push_back(p);
      }
    }
    return {all.begin(), all.end()};
  }
  template <class Fn>
  Set component(i32 start, Fn&& in) const {
    return closure({start}, [&](i32 p, i32) { return in(p); });
  }
  Set with_neighbours(const Set& s) const {
    Set all = s;
    for (const i32 p : s)
      for (const i32 q : neighbours(p)) all.insert(q);
    return all;
  }

  Set area(const Of& v, bool background, i64 enough) const {
    Set found;
    for (const i32 start : front()) {
      if ((v(start) == 0) != background || found.count(start)) continue;
      const Set all = component(start, [&](i32 p) { return v(p) == v(start); });
      if (static_cast<i64>(all.size()) < enough) found.insert(all.begin(), all.end());
    }
    return found;
  }
  Set marked_components(const Of& marker, const Of& mask) const {
    Set found;
    for (const i32 start : front()) {
      if (!mask(start) || found.count(start)) continue;
      const Set all = component(start, [&](i32 p) { return mask(p) != 0; });
      if (std::none_of(all.begin(), all.end(), [&](i32 p) { return marker(p) != 0; })) found.insert(all.begin(), all.end());
    }
    return found;
  }
  Set overlapping(const Of& kept, const Of& candidates) const {
    const auto label = [&](const Of& v, i32 start) {
      return v(start) <= 0 ? Set{} : component(start, [&](i32 p) { return v(p) == v(start); });
    };
    Set touching, winners, unsure;
    const auto candidate = [&](i32 p) {
      if (winners.count(p)) return;
      const Set all = label(candidates, p);
      winners.insert(all.begin(), all.end());
      if (!all.empty()) unsure.insert(static_cast<i32>(candidates(p)));
    };
    for (const i32 p : front()) {
      const Set all = touching.count(p) ? Set{} : label(kept, p);
      touching.insert(all.begin(), all.end());
      candidate(p);
    }
    for (const i32 p : touching) candidate(p);
    Set found = touching;
    found.insert(winners.begin(), winners.end());
    Set asked;
    for (const i32 p : winners) {
      if (asked.count(p)) continue;
      const Set all = label(kept, p);
      asked.insert(all.begin(), all.end());
      for (const i32 o : unsure) {
        const auto on = std::count_if(all.begin(), all.end(), [&](i32 q) { return candidates(q) == o; });
        if (2 * on > static_cast<i64>(all.size())) found.insert(all.begin(), all.end());
      }
    }
    return with_neighbours(found);
  }
  Set distance(const Of& squared, i32 limit) const {
    Set reached, found, ring = front();
    for (i64 steps = 1; !ring.empty(); ++steps) {
      Set next;
      for (const i32 p : ring) {
        const bool near = steps <= 2 || (steps - 2) * (steps - 2) <= squared(p);
        if (!near || (limit > 0 && steps > limit + 2) || !reached.insert(p).second) continue;
        if (squared(p) > 0) found.insert(p);
        for (const i32 q : neighbours(p))
          if (!reached.count(q)) next.insert(q);
      }
      ring = next;
    }
    return found;
  }
  Set nodes(const Of& f, i64 enough, i32 level) const {
    Set found;
    for (const i32 start : front()) {
      for (i64 at = f(start); at >= level; --at) {
        const Set node = component(start, [&](i32 p) { return f(p) >= at; });
        if (static_cast<i64>(node.size()) < enough) found.insert(node.begin(), node.end());
      }
    }
    return found;
  }
  /// By pixel: from where nothing that is reached without going down lies more than h higher. Nothing uncertain is a cap.
  std::vector<bool> caps_of(const Of& z, i64 h) const {
    std::vector<bool> caps;
    for (i32 start = 0; start < width * height; ++start) {
      const i64 from = z(start);
      bool climbs = !certain[static_cast<std::size_t>(start)];
      if (!climbs) {
        component(start, [&](i32 p) {
          climbs = climbs || z(p) > from + h;
          return !climbs && z(p) >= from;
        });
      }
      caps.push_back(!climbs);
    }
    return caps;
  }
  /// mask, markers: empty where there is none.
  Set caps(const Of& z, i64 h, const Of& mask) const {
    const std::vector<bool> is_cap = caps_of(z, h);
    const auto is = [&](i32 p) {
      return (mask ? mask(p) != 0 : z(p) > 0) && (z(p) <= 0 || is_cap[static_cast<std::size_t>(p)]);
    };
    Set begun;
    for (const i32 p : front())
      if (is(p)) begun.insert(p);
    return closure(begun, [&](i32 p, i32) { return is(p); });
  }
  Set basins(const Of& z, const Of& markers, const Of& mask, i64 h, bool lines) const {
    const auto exists = [&](i32 p) { return !mask || mask(p) != 0; };
    const auto marker = [&](i32 p) { return markers ? markers(p) : 0; };
    const std::vector<bool> is_cap = caps_of(z, h);
    const auto uneven = [&](i32 p) { return h > 0 && (z(p) <= 0 || is_cap[static_cast<std::size_t>(p)]); };
    const Set raised = h > 0 ? caps(z, h, mask) : Set{};
    Set begun = raised;
    for (const i32 p : with_neighbours(raised))
      if (exists(p) && !marker(p)) begun.insert(p);
    for (const i32 p : front())
      if (exists(p)) begun.insert(p);
    const Set found = closure(begun, [&](i32 p, i32 q) {
      if (!exists(p)) return false;
      if (marker(p)) return marker(p) == marker(q);
      if (uneven(p)) return true;
      if (z(q) < z(p)) return false;
      std::vector<i32> up = neighbours(p);
      std::erase_if(up, [&](i32 n) { return !exists(n) || z(n) <= z(p); });
      if (up.empty()) return true;
      const i32 best = *std::max_element(up.begin(), up.end(), [&](i32 a, i32 b) { return z(a) < z(b); });
      return best == q || uneven(best);
    });
    if (!lines) return found;
    Set all = found;
    for (const i32 p : with_neighbours(found))
      if (exists(p)) all.insert(p);
    return all;
  }
};

}  // namespace morpho::test
