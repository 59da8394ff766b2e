// What two runs of a recipe on one window differ in: every object, run and plane, bit by bit.
#pragma once
#include <cstring>
#include <string>
#include <tuple>

#include "engine/window/window_output.hpp"

namespace morpho::test {

inline auto integers_of(const ObjectMeasurement& m) {
  return std::make_tuple(m.label, m.first_x, m.first_y, m.min_x, m.min_y, m.max_x, m.max_y, m.area);
}
inline bool same_doubles(const ObjectMeasurement& a, const ObjectMeasurement& b) {
  const auto same = [](const auto& p, const auto& q) { return std::memcmp(&p, &q, sizeof p) == 0; };
  return same(a.perimeter, b.perimeter) && same(a.centroid_x, b.centroid_x) && same(a.centroid_y, b.centroid_y) &&
         same(a.major_axis, b.major_axis) && same(a.minor_axis, b.minor_axis) && same(a.eccentricity, b.eccentricity) &&
         same(a.orientation, b.orientation) && same(a.circularity, b.circularity) && same(a.solidity, b.solidity) &&
         same(a.stain_mean, b.stain_mean) && same(a.stain_std, b.stain_std) && same(a.stain_min, b.stain_min) &&
         same(a.stain_max, b.stain_max) && same(a.contrast, b.contrast) && same(a.score, b.score) &&
         same(a.stained_area, b.stained_area);
}

/// "" where nothing differs, else the first thing that does.
inline std::string window_difference(const engine::WindowOutput& got, const engine::WindowOutput& want) {
  if (got.planes.size() != want.planes.size()) return "the number of planes";
  for (std::size_t i = 0; i < got.planes.size(); ++i) {
    if (got.planes[i].name != want.planes[i].name || got.planes[i].bytes != want.planes[i].bytes)
      return "plane " + want.planes[i].name;
  }
  if (got.objects.objects.size() != want.objects.objects.size()) return "the number of objects";
  if (got.objects.run_offsets != want.objects.run_offsets) return "the objects' runs";
  for (std::size_t r = 0; r < got.objects.runs.size(); ++r) {
    const Run &a = got.objects.runs[r], &b = want.objects.runs[r];
    if (a.y != b.y || a.x0 != b.x0 || a.x1 != b.x1) return "run " + std::to_string(r);
  }
  for (std::size_t o = 0; o < got.objects.objects.size(); ++o) {
    const ObjectMeasurement &a = got.objects.objects[o], &b = want.objects.objects[o];
    if (integers_of(a) != integers_of(b) || !same_doubles(a, b)) return "object " + std::to_string(o);
  }
  return "";
}

}  // namespace morpho::test
