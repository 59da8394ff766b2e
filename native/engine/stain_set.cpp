// The stain vectors that recipes name, inverted into the fixed-point rows that stain separation takes.
#include <array>
#include <cmath>

#include "pipeline.hpp"

namespace morpho::engine {

namespace {

using Vector = std::array<double, 3>;

// Optical density of each stain in R, G, B: Ruifrok & Johnston 2001.
constexpr Vector kHematoxylin = {0.65, 0.70, 0.29};
constexpr Vector kEosin = {0.07, 0.99, 0.11};
constexpr Vector kDab = {0.27, 0.57, 0.78};

Vector unit(const Vector& v) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return {v[0] / length, v[1] / length, v[2] / length};
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Stains of unit length; the third is the residual, at right angles to both, which takes what neither stain explains.
/// A pixel's OD is Σ concentration_s * stain_s, so concentration_s = OD · dual_s with dual_a = (b × c) / (a · (b × c)), and so
/// on.
StainSet make(const char* id, const char* second_name, const Vector& second_vector) {
  const Vector a = unit(kHematoxylin), b = unit(second_vector), c = unit(cross(a, b));
  const double volume = dot(a, cross(b, c));
  const Vector duals[3] = {cross(b, c), cross(c, a), cross(a, b)};
  StainSet set{id, {"hematoxylin", second_name, "residual"}, {}};
  for (int s = 0; s < 3; ++s) {
    for (int i = 0; i < 3; ++i) {
      set.stains[s].row[i] = static_cast<i32>(std::lround(duals[s][static_cast<std::size_t>(i)] / volume * 65536));
    }
  }
  return set;
}

}  // namespace

// The rows keep StainParams' default scale, 100 grey values an OD, and white 255.
const StainSet& stain_set(const std::string& id) {
  static const StainSet h_e = make("h-e", "eosin", kEosin), h_dab = make("h-dab", "dab", kDab);
  if (id == h_e.id) return h_e;
  if (id == h_dab.id) return h_dab;
  reject("stains", "h-e or h-dab", "\"" + id + "\"");
}

}  // namespace morpho::engine
