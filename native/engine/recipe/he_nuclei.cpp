// H&E nuclei, the default recipe, and fluorescence nuclei: one threshold, one splitting, or on request several thresholds of
// H&E. They differ in the channel.
#include <optional>

#include "candidates.hpp"

namespace morpho::engine {
namespace stained_nuclei {
namespace {

/// Parts of `mask`, from the markers of its landscape.
void split(Stages& s, const Values& v, const StainShare& share, Field mask, Field depth, Field markers, Field labels) {
  split_markers(s, v, mask, depth, markers);
  s.scale(depth, depth, -1, share.ground());
  s.watershed(depth, markers, mask, labels, true, split_height(v), share.ground());
  s.decided({{Decides::border, "split.depth", v.split_depth}});
}

template <Stained kBy>
void run(Stages& s) {
  const Values v(s.params, kBy);
  std::optional<Candidates> several;
  if constexpr (kBy == Stained::h_e) {
    if (const Candidates c(s.params); c.levels > 1) several = c;
  }
  const i32 slide_level = level_of(v, s.params.number("overview.level", 0, 255)), level = level_after(v, slide_level);
  const StainShare share(v, level);
  Field fine = s.plane(v.grey()), coarse = s.plane(v.grey()), low = s.plane(v.grey()), mask = s.plane_u8(),
        markers = s.plane_i32(), depth = s.plane(share.type), labels = s.plane_i32(), weighted, limit, kept = labels;
  if (several) weighted = s.plane(v.limits()), limit = s.plane(v.limits()), kept = s.plane_i32();
  s.stage("channel", [&] { channels(s, v, slide_level, fine, coarse); });
  show(s, v, "channel", fine);
  s.stage("threshold", [&] {
    envelope(s, coarse, low, Morphology::erode, radius_px(v.contrast_radius));
    const Field part = s.plane(v.grey()), first = s.plane(v.grey());
    if (!several) weighted = s.plane(v.limits()), limit = s.plane(v.limits());
    nuclear_limit(s, v, level, fine, coarse, low, {part, first, weighted, limit});
    if (!several) cut_at(s, v, level, {part, first, weighted, limit}, mask);
  });
  show(s, v, "background", low);
  s.look([&] {
    const Field difference = s.plane(v.grey());
    s.combine(fine, low, difference, Combine::subtract);
    show(s, v, "difference", difference);
  });
  const auto show_markers = [&] {
    s.look([&] {
      const Field marker = s.plane_u8();
      s.threshold(markers, marker, 0);
      s.keep("marker", marker, true);
    });
  };
  Register count;
  if (several) {
    s.stage("candidates", [&] {
      const CandidatePlanes planes(s, kept);
      steepness(s, fine, several->radius(), planes.edge);
      count = better_of(s, v, *several, level, {{}, {}, weighted, limit}, mask, labels, planes, [&](const Look& at) {
        if (at.shown) s.keep("mask", mask, true);
        landscape(s, v, share, mask, coarse, depth);
        if (at.shown) s.keep_scaled("distance", depth, 8, 6);
        split(s, v, share, mask, depth, markers, labels);
        if (at.shown) show_markers();
        const Register parts = separated(s, v, labels);
        accept(s, v, level, parts, fine, low, labels);
        return parts;
      });
    });
  } else {
    s.keep("mask", mask, true);
    s.stage("distance", [&] { landscape(s, v, share, mask, coarse, depth); });
    s.keep_scaled("distance", depth, 8, 6);
    s.stage("split", [&] { split(s, v, share, mask, depth, markers, labels); });
  }
  s.stage("objects", [&] {
    if (!several) count = separated(s, v, labels);
    accept(s, v, level, count, fine, low, kept);
    drop_what_is_no_nucleus(s, v.rejections, count, kept, radius_px(v.contrast_radius));
  });
  if (!several) show_markers();
  s.keep("labels", kept);
  s.stage("measure", [&] { s.measure(kept, set_of(v), fine, low, level, v.typical_area); });
}

template <Stained kBy>
Recipe recipe_of(const char* id, i64 deep_bytes_per_pixel = 0) {
  return {
      {id, {"channel", "background", "difference", "mask", "distance", "marker", "labels"}, 27, 65536, deep_bytes_per_pixel},
      [](const Params& p) {
        const Values v(p, kBy);
        if constexpr (kBy == Stained::h_e) Candidates{p};  // for its refusals: it looks no farther
        return halo(v);
      },
      [](Stages& s) { overview(s, Values(s.params, kBy)); },
      run<kBy>};
}

}  // namespace
}  // namespace stained_nuclei

const Recipe& he_recipe() {
  static const Recipe r = stained_nuclei::recipe_of<stained_nuclei::Stained::h_e>("he-nuclei");
  return r;
}
const Recipe& fluorescence_recipe() {
  static const Recipe r = stained_nuclei::recipe_of<stained_nuclei::Stained::light>("fluorescence-nuclei", 37);
  return r;
}

}  // namespace morpho::engine
