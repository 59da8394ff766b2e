// Of several thresholds the objects that look most like nuclei.
#include "candidates.hpp"

namespace morpho::engine::stained_nuclei {
namespace {

/// What of the mask no object of `kept` has or touches, opened by the radius.
void left_over(Stages& s, Field kept, i32 radius, Field mask) {
  s.scoped([&] {
    const Field taken = s.plane_u8();
    s.threshold(kept, taken, 0);
    s.morphology(taken, taken, Morphology::dilate, Shape::disk, 1);
    s.combine(mask, taken, mask, Combine::without);
    s.morphology(mask, mask, Morphology::open, Shape::disk, radius);
  });
}

}  // namespace

void steepness(Stages& s, Field f, i32 radius, Field out) {
  s.scoped([&] {
    const Field low = s.plane_u8();
    s.morphology(f, low, Morphology::erode, Shape::disk, radius);
    s.morphology(f, out, Morphology::dilate, Shape::disk, radius);
    s.combine(out, low, out, Combine::subtract);
  });
}

Candidates::Candidates(const Params& p)
    : levels(static_cast<i32>(p.number("candidates.levels", 1, 9))),
      ratio(p.number("candidates.ratio", 1, 3)),
      fit_none(p.number("candidates.fitNone", 0, 1)),
      fit_full(p.number("candidates.fitFull", 0, 1.2)),
      edge(p.number("candidates.edge", 0.01, 10)),
      edge_radius(p.number("candidates.edgeRadius", 0.001, 50)),
      whole_area(p.number("candidates.wholeArea", 1, 1e8)) {
  if (fit_full < fit_none + 0.01) refuse("candidates.fitFull", "more than candidates.fitNone", text_of(fit_full));
}

PreferenceRule Candidates::rule(i32 slide_level) const {
  const auto whole = [](double value, double most) {
    return static_cast<i32>(std::fmin(std::fmax(std::floor(value + 0.5), 1), most));
  };
  PreferenceRule r;
  r.fit_none = static_cast<i32>(fit_none * 1024), r.fit_full = static_cast<i32>(fit_full * 1024);
  // The edge is measured over a whole number of pixels.
  r.edge_full = whole(256 * edge * slide_level * radius() / edge_radius, 65280);
  r.area_full = whole(whole_area, 1e8);
  return r;
}

Register better_of(Stages& s, const Values& v, const Candidates& c, i32 slide_level, const Limit& limit, Field mask,
                   Field labels, const CandidatePlanes& to, const std::function<Register(const Look&)>& objects_of) {
  const double per_factor = Weights(v).slide * v.level * slide_level;
  s.scale(to.edge, to.better, 0);
  Register count = s.label(to.better, to.kept, Connectivity::four);
  const auto look = [&](const Look& at) {
    const Register found = objects_of(at);
    s.better_labels(to.kept, count, labels, found, to.edge, to.better, c.rule(slide_level));
    count = s.label(to.better, to.kept, Connectivity::four);
  };
  for (i32 k = 0; k < c.levels; ++k) {
    s.scale(limit.level, to.here, 1, static_cast<i64>(std::floor((c.factor(k) - 1) * per_factor + 0.5)));
    cut_at(s, v, slide_level, {{}, {}, limit.weighted, to.here}, mask);
    look({k, k == c.middle(), false});
  }
  if (c.levels > 1 && c.rest_radius > 0) {
    left_over(s, to.kept, radius_px(c.rest_radius), mask);
    look({c.levels - 1, false, true});
  }
  return count;
}

}  // namespace morpho::engine::stained_nuclei
