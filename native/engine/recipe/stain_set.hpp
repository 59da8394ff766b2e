// The stains that recipes separate colours by.
#pragma once
#include <array>
#include <string>

#include "params.hpp"

namespace morpho::engine {

/// The three stain channels that a recipe's pipelines, the layer switch and the measurements share.
struct StainSet {
  std::string id;        ///< "h-e", "h-dab", "rgb"
  std::string names[3];  ///< hematoxylin, eosin | dab, residual; red, green, blue
  StainParams stains[3];
};
/// Throws INVALID_PARAMETER for an unknown id. Source: Ruifrok & Johnston 2001.
const StainSet& stain_set(const std::string& id);
/// Two stains as the optical density of red, green and blue, of any length.
struct StainVectors {
  using Vector = std::array<double, 3>;
  Vector first, second;
};
/// As the stage `stains` of a recipe has them. Throws INVALID_PARAMETER where they are no two colours.
StainVectors stain_vectors(const Params& params, const StainSet& set);
/// The set with other vectors for its two stains: "h-e" or "h-dab".
StainSet stain_set(const std::string& id, const StainVectors& vectors);
/// Hematoxylin beside the second stain and DAB: the channel of H&E nuclei. With a residual in DAB's place, as in the sets,
/// nuclei separate worse (test/bench/results/quality.md). Throws INVALID_PARAMETER where the three lie in one plane.
StainParams hematoxylin_beside_dab(const StainVectors& vectors);

}  // namespace morpho::engine
