// IWPP nuclei: the segmentation that the authors of the irregular wavefront propagation pattern run (Teodoro 2012), step by
// step.
#include "recipe_steps.hpp"

namespace morpho::engine {
namespace iwpp {
namespace {

/// Depths in 1/256 px, so that the h-minima of height h are those of the exact distance to that precision.
constexpr i32 kDepthUnits = 256;
/// Ratios of colours are compared as integers times this.
constexpr i32 kRatioUnits = 1024;

struct Values {
  double background_level, red_strong, red_weak, red_over_blue;
  double open_radius, reach, marker_level, marker_min, marker_end, mask_level;
  double smooth_radius, mask_min, grow_radius, split_depth, min_area, max_area;

  explicit Values(const Params& p)
      : background_level(p.number("background.level", 0, 255)),
        red_strong(p.number("redCells.strongRatio", 0, 100)),
        red_weak(p.number("redCells.weakRatio", 0, 100)),
        red_over_blue(p.number("redCells.blueRatio", 0, 100)),
        open_radius(p.number("marker.openRadius", 0, 400)),
        reach(p.number("marker.reach", 0, 1000)),
        marker_level(p.number("marker.level", 0, 255)),
        marker_min(p.number("marker.minArea", 0, 1e8)),
        marker_end(p.number("marker.maxArea", 0, 1e8)),
        mask_level(p.number("mask.level", 0, 255)),
        smooth_radius(p.number("mask.openRadius", 0, 200)),
        mask_min(p.number("mask.minArea", 0, 1e8)),
        grow_radius(p.number("mask.growRadius", 0, 200)),
        split_depth(p.number("split.depth", 0, 200)),
        min_area(p.number("objects.minArea", 0, 1e8)),
        max_area(p.number("objects.maxArea", 0, 1e8)) {}
};

/// The opening's reach, the reconstruction's, and the longest axis of the largest object if it is twice as long as wide.
i32 halo(const Params& params) {
  const Values v(params);
  return reconstruction_halo(radius_px(v.open_radius), radius_px(v.reach)) + 2 * radius_px(v.smooth_radius) +
         radius_px(v.grow_radius) + static_cast<i32>(std::ceil(std::sqrt(8 / 3.14159265358979 * v.max_area)));
}

void overview(Stages&) {}  // the authors' levels are fixed

i32 ratio(double r) { return static_cast<i32>(std::floor(r * kRatioUnits + 0.5)); }

/// 1 on red blood cells: components of weakly red pixels that hold a strongly red one, where red exceeds blue.
void red_cells(Stages& s, const Values& v, Field out) {
  Field strong = s.plane_u8(), weak = s.plane_u8();
  ColorRuleParams rule;
  rule.r_over_g_den = rule.r_over_b_den = kRatioUnits;
  rule.r_over_g_num = ratio(v.red_strong);
  s.color_rule(strong, rule);
  rule.r_over_g_num = ratio(v.red_weak);
  s.color_rule(weak, rule);
  s.components_with(strong, weak, out);
  rule.r_over_g_num = 0;
  rule.r_over_b_num = ratio(v.red_over_blue);
  s.color_rule(weak, rule);
  s.combine(out, weak, out, Combine::both);
}

/// Channel minus its opening by a disk reconstructed under it: what is darker than its surroundings and narrower than the disk.
/// Background counts as 0. The authors skip a tile that is 99 % background; here no pixel's result depends on its tile.
void top_hat(Stages& s, const Values& v, Field channel, Field background, Field difference) {
  Field opened = s.plane_u8(), bright = s.plane_u8();
  s.morphology(channel, opened, Morphology::open, Shape::disk, radius_px(v.open_radius));
  s.clear_cut_rims(opened, 2 * radius_px(v.open_radius));
  s.reconstruct_within(opened, channel, background, radius_px(v.reach));
  s.combine(channel, background, difference, Combine::subtract);
  ColorRuleParams rule;
  for (i32& a : rule.above) a = static_cast<i32>(v.background_level);
  s.color_rule(bright, rule);
  s.scale(bright, bright, 255);
  s.combine(difference, bright, difference, Combine::subtract);
}

void run(Stages& s) {
  const Values v(s.params);
  Field channel = s.plane_u8(), background = s.plane_u8(), difference = s.plane_u8(), marker = s.plane_u8(),
        mask = s.plane_u8(), depth = s.plane_i32(), labels = s.plane_i32();
  s.stage("channel", [&] { nuclear_channel(s, channel, "red"); });
  s.keep("channel", channel);
  s.stage("background", [&] { top_hat(s, v, channel, background, difference); });
  s.keep("background", background);
  s.keep("difference", difference);
  s.stage("marker", [&] {
    s.threshold(difference, marker, static_cast<i32>(v.marker_level));
    s.fill_small_holes(marker, marker, area_px(v.marker_end));
    s.area_filter(marker, marker, area_px(v.marker_min), area_px(v.marker_end));
  });
  s.keep("marker", marker, true);
  s.stage("mask", [&] {
    Field candidates = s.plane_u8();
    s.threshold(difference, candidates, static_cast<i32>(v.mask_level));
    s.decided({{Decides::above, "mask.level", v.mask_level}});
    s.components_with(marker, candidates, mask);
    s.decided({{Decides::peak, "marker.level", v.marker_level}, {Decides::marker, "marker.minArea", v.marker_min}}, difference);
    red_cells(s, v, candidates);
    s.combine(mask, candidates, mask, Combine::without);
    s.decided({{Decides::excluded, "redCells.strongRatio", v.red_strong}});
    s.fill_small_holes(mask, mask, area_px(v.max_area));
    s.decided({{Decides::hole_area, "objects.maxArea", v.max_area}});
    s.morphology(mask, mask, Morphology::open, Shape::cross, radius_px(v.smooth_radius));
    s.decided({{Decides::opened, "mask.openRadius", v.smooth_radius}});
    s.area_filter(mask, mask, area_px(v.mask_min), 2147483647);
    s.decided({{Decides::min_area, "mask.minArea", v.mask_min}});
    s.morphology(mask, mask, Morphology::dilate, Shape::cross, radius_px(v.grow_radius));
  });
  s.keep("mask", mask, true);
  s.stage("distance", [&] { s.depth(mask, depth, kDepthUnits); });
  s.keep_scaled("distance", depth, 8, 8);
  s.stage("split", [&] {
    // The minima of -depth that are deeper than h are the maxima of depth that are higher than h.
    const i32 h = static_cast<i32>(std::floor(v.split_depth * kDepthUnits + 0.5));
    Field smooth = s.plane_i32();
    if (h >= 1) s.h_maxima(depth, smooth, h);
    s.scale(h >= 1 ? smooth : depth, smooth, -1);
    s.watershed(smooth, {}, mask, labels, true);
    s.decided({{Decides::border, "split.depth", v.split_depth}});
  });
  s.stage("objects", [&] {
    Field parts = s.plane_u8();
    s.threshold(labels, parts, 0);
    s.area_filter(parts, parts, area_px(v.min_area), area_px(v.max_area), Connectivity::four);
    s.decided({{Decides::min_area, "objects.minArea", v.min_area}, {Decides::end_area, "objects.maxArea", v.max_area}});
    s.fill_small_holes(parts, parts, area_px(v.max_area), Connectivity::eight);
    s.label(parts, labels, Connectivity::four);
  });
  s.keep("labels", labels);
  s.stage("measure", [&] { s.measure(labels, stain_set("h-e")); });
}

}  // namespace
}  // namespace iwpp

const Recipe& iwpp_recipe() {
  static const Recipe r{
      {"iwpp-nuclei", {"channel", "background", "difference", "marker", "mask", "distance", "labels"}, 23, 65536},
      iwpp::halo,
      iwpp::overview,
      iwpp::run};
  return r;
}

}  // namespace morpho::engine
