// The stain vectors that recipes name, inverted into the fixed-point rows that stain separation takes.
#include <cmath>

#include "stain_set.hpp"

namespace morpho::engine {

namespace {

using Vector = StainVectors::Vector;

// Optical density of each stain in R, G, B: Ruifrok & Johnston 2001.
constexpr Vector kHematoxylin = {0.65, 0.70, 0.29};
constexpr Vector kEosin = {0.07, 0.99, 0.11};
constexpr Vector kDab = {0.27, 0.57, 0.78};

/// Of a stain's vector; of the sine of the angle between two; of the volume of three: below, rounding and noise are all there
/// is.
constexpr double kLeastLength = 0.1, kLeastApart = 0.05, kLeastVolume = 0.05;

Vector unit(const Vector& v) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return {v[0] / length, v[1] / length, v[2] / length};
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// One row of an inverse, times 65536.
void set_row(StainParams& p, const Vector& dual, double volume) {
  for (std::size_t i = 0; i < 3; ++i) p.row[i] = static_cast<i32>(std::lround(dual[i] / volume * 65536));
}

/// Stains of unit length; the third is the residual, at right angles to both, which takes what neither stain explains.
/// A pixel's OD is Σ concentration_s * stain_s, so concentration_s = OD · dual_s with dual_a = (b × c) / (a · (b × c)), and so
/// on.
StainSet make(const char* id, const char* second_name, const StainVectors& v) {
  const Vector a = unit(v.first), b = unit(v.second), c = unit(cross(a, b));
  const double volume = dot(a, cross(b, c));
  const Vector duals[3] = {cross(b, c), cross(c, a), cross(a, b)};
  StainSet set{id, {"hematoxylin", second_name, "residual"}, {}};
  for (int s = 0; s < 3; ++s) set_row(set.stains[s], duals[s], volume);
  return set;
}

/// What a camera saw of light that shines: its own three channels.
StainSet channels() {
  StainSet set{"rgb", {"red", "green", "blue"}, {}};
  for (int s = 0; s < 3; ++s) {
    StainParams& p = set.stains[s];
    for (int i = 0; i < 3; ++i) p.row[i] = i == s ? 65536 : 0;
    p.intensity = true;
    p.units_per_od = 256;
  }
  return set;
}

}  // namespace

// The rows keep StainParams' default scale, 100 grey values an OD, and white 255.
const StainSet& stain_set(const std::string& id) {
  static const StainSet h_e = make("h-e", "eosin", {kHematoxylin, kEosin}), h_dab = make("h-dab", "dab", {kHematoxylin, kDab}),
                        rgb = channels();
  if (id == h_e.id) return h_e;
  if (id == h_dab.id) return h_dab;
  if (id == rgb.id) return rgb;
  reject("stains", "h-e, h-dab or rgb", "\"" + id + "\"");
}

StainVectors stain_vectors(const Params& params, const StainSet& set) {
  StainVectors v;
  const auto read = [&](const std::string& stain, Vector& to) {
    const char* channels[3] = {"Red", "Green", "Blue"};
    for (std::size_t i = 0; i < 3; ++i) to[i] = params.number("stains." + stain + channels[i], 0, 1);
    if (dot(to, to) < kLeastLength * kLeastLength) {
      refuse("stains." + stain + "Red", "a length of at least " + text_of(kLeastLength) + " with green and blue",
             text_of(std::sqrt(dot(to, to))));
    }
  };
  read(set.names[0], v.first);
  read(set.names[1], v.second);
  const Vector apart = cross(unit(v.first), unit(v.second));
  if (dot(apart, apart) < kLeastApart * kLeastApart) {
    refuse("stains." + set.names[1] + "Red", "a colour that is not " + set.names[0] + "'s, with green and blue",
           text_of(v.second[0]));
  }
  return v;
}

StainSet stain_set(const std::string& id, const StainVectors& vectors) {
  const StainSet& usual = stain_set(id);
  return make(usual.id.c_str(), usual.names[1].c_str(), vectors);
}

StainParams hematoxylin_beside_dab(const StainVectors& v) {
  const Vector a = unit(v.first), b = unit(v.second), c = unit(kDab), dual = cross(b, c);
  const double volume = dot(a, dual);
  if (!(volume > kLeastVolume)) {
    refuse("stains.hematoxylinRed", "hematoxylin that is bluer than eosin and brown", text_of(v.first[0]));
  }
  StainParams p;
  set_row(p, dual, volume);
  return p;
}

}  // namespace morpho::engine
