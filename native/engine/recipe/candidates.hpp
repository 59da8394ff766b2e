// Of several thresholds the objects that look most like nuclei: what crowds at a low one parts at a high one, and pale nuclei
// show at a low one alone. Beside dark ones they show in what these leave of the lowest mask.
#pragma once
#include <functional>

#include "contract/object_preference.hpp"
#include "nuclear_steps.hpp"

namespace morpho::engine::stained_nuclei {

/// How many thresholds and how far apart; and what makes an object of one better than an object of another.
struct Candidates {
  i32 levels;
  double ratio, fit_none, fit_full, edge, edge_radius, whole_area;
  double rest_radius = 0;  ///< what of the last mask is left is looked at too, opened by this; 0: it is not

  /// Throws INVALID_PARAMETER.
  explicit Candidates(const Params& p);
  /// What the k-th threshold's level is multiplied by: the highest first, 1 in the middle.
  double factor(i32 k) const { return std::pow(ratio, levels / 2 - k); }
  i32 middle() const { return levels / 2; }
  i32 radius() const { return std::max(1, radius_px(edge_radius)); }
  PreferenceRule rule(i32 slide_level) const;
};

/// What a choice among thresholds works on: `kept` holds its objects.
struct CandidatePlanes {
  Field edge, here, better, kept;
  CandidatePlanes(Stages& s, Field kept_) : edge(s.plane_u8()), here(s.plane_u16()), better(s.plane_u8()), kept(kept_) {}
};

/// How steep the image is: the rise from the lowest to the highest pixel within the radius.
void steepness(Stages& s, Field f, i32 radius, Field out);

/// One look for objects: at a threshold, or at the rest of the last one's mask.
struct Look {
  i32 threshold;  ///< 0 is the highest
  bool shown;     ///< the middle threshold's, whose planes are shown
  bool rest;
};

/// The better objects of all thresholds as labels of to.kept, and their count. `limit`: of a factor of 1. `to.edge` is how
/// steep the image is. Each threshold's mask goes to `mask`; `objects_of` makes it the labels of its objects, and says their
/// count.
Register better_of(Stages& s, const Values& v, const Candidates& c, i32 slide_level, const Limit& limit, Field mask,
                   Field labels, const CandidatePlanes& to, const std::function<Register(const Look&)>& objects_of);

}  // namespace morpho::engine::stained_nuclei
