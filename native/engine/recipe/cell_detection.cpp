// Cell detection with the parameters that QuPath's users know: blobs of the hematoxylin channel, split by shape, grown to
// cells.
#include <algorithm>

#include "recipe_steps.hpp"

namespace morpho::engine {
namespace cell_detection {
namespace {

/// Blurred channels are u16 in 1/128 grey level, so that two close Gaussians can be told apart.
constexpr i32 kFineUnits = 128;
constexpr i32 kDepthUnits = 64;
/// The second Gaussian of the blob filter, relative to the first: their difference is the Laplacian's sign.
constexpr double kOuterSigma = 1.2;

struct Values {
  std::string image, object;
  double background_radius, reach, median_radius, sigma, min_area, max_area, threshold, max_background, split_depth, expansion;
  bool by_reconstruction, split;

  explicit Values(const Params& p)
      : image(p.choice("detection.image", {"hematoxylin", "red", "darkness"})),
        object(p.choice("cell.object", {"nucleus", "cell", "both"})),
        background_radius(p.number("detection.backgroundRadius", 0, 400)),
        reach(p.number("detection.backgroundReach", 0, 1000)),
        median_radius(p.number("detection.medianRadius", 0, 64)),
        sigma(p.number("detection.sigma", 0.1, 50)),
        min_area(p.number("nucleus.minArea", 0, 1e8)),
        max_area(p.number("nucleus.maxArea", 0, 1e8)),
        threshold(p.number("nucleus.threshold", 0, 1.7)),
        max_background(p.number("nucleus.maxBackground", 0, 1000)),
        split_depth(p.number("nucleus.splitDepth", 0, 200)),
        expansion(p.number("cell.expansion", 0, 400)),
        by_reconstruction(p.toggle("detection.backgroundByReconstruction")),
        split(p.toggle("nucleus.splitByShape")) {}
};

i32 halo(const Params& params) {
  const Values v(params);
  const i32 radius = radius_px(v.background_radius), reach = v.by_reconstruction ? radius_px(v.reach) : 1;
  return reconstruction_halo(radius, reach) + radius_px(v.median_radius) + gaussian_reach(kOuterSigma * v.sigma) +
         radius_px(v.expansion) + static_cast<i32>(std::ceil(std::sqrt(8 / 3.14159265358979 * v.max_area)));
}

void overview(Stages&) {}  // the threshold is a fixed optical density

/// The detection image without its background: the channel minus its opening, reconstructed or not. Where the background itself
/// exceeds the allowed maximum, nothing is detected.
void detection_image(Stages& s, const Values& v, Field channel, Field background, Field out) {
  nuclear_channel(s, channel, v.image);
  if (v.background_radius == 0) {
    s.scale(channel, background, 0);
    s.scale(channel, out, 1);
  } else {
    Field opened = s.plane_u8();
    s.morphology(channel, opened, Morphology::open, Shape::disk, radius_px(v.background_radius));
    if (v.by_reconstruction) {
      s.clear_cut_rims(opened, 2 * radius_px(v.background_radius));
      s.reconstruct_within(opened, channel, background, radius_px(v.reach));
    } else {
      s.scale(opened, background, 1);
    }
    s.combine(channel, background, out, Combine::subtract);
    const double most = std::floor(v.max_background * kChannelUnits);
    if (most < 255) {
      s.threshold(background, opened, static_cast<i32>(most));
      s.scale(opened, opened, 255);
      s.combine(out, opened, out, Combine::subtract);
    }
  }
  const i32 median = radius_px(v.median_radius);
  if (median > 0) {
    Field rough = s.plane_u8();
    s.scale(out, rough, 1);
    s.median(rough, out, median);
  }
}

/// 1 where the blurred image curves downwards (a blob's inside ends at the inflection of its profile) and exceeds the
/// threshold.
void blobs(Stages& s, const Values& v, Field difference, Field out) {
  Field inner = s.plane_u16(), outer = s.plane_u16(), bright = s.plane_u8();
  s.scale(difference, outer, kFineUnits);
  s.gaussian(outer, inner, v.sigma);
  s.gaussian(outer, outer, kOuterSigma * v.sigma);
  s.combine(inner, outer, out, Combine::greater);
  s.decided({{Decides::curved, "detection.sigma", v.sigma}});
  s.threshold(inner, bright, static_cast<i32>(std::floor(v.threshold * kChannelUnits * kFineUnits)));
  s.decided({{Decides::above, "nucleus.threshold", v.threshold, double(kChannelUnits) * kFineUnits}});
  s.combine(out, bright, out, Combine::both);
  s.fill_small_holes(out, out, area_px(v.max_area));
  s.decided({{Decides::hole_area, "nucleus.maxArea", v.max_area}});
}

/// Labels of the nuclei: the mask's components, cut where their depth has separate maxima, of the wanted area and mean density.
void nuclei(Stages& s, const Values& v, Field difference, Field mask, Field marker, Field labels) {
  Field parts = s.plane_u8();
  if (v.split) {
    Field depth = s.plane_i32(), markers = s.plane_i32();
    const i32 h = std::max(1, static_cast<i32>(std::floor(v.split_depth * kDepthUnits + 0.5)));
    s.depth(mask, depth, kDepthUnits);
    s.extended_maxima(depth, marker, h);
    s.combine(marker, mask, marker, Combine::both);
    s.label(marker, markers);
    s.scale(depth, depth, -1);
    s.watershed(depth, markers, mask, labels, true, h);
    s.decided({{Decides::border, "nucleus.splitDepth", v.split_depth}});
    s.threshold(labels, parts, 0);
  } else {
    s.scale(mask, marker, 1);
    s.scale(mask, parts, 1);
  }
  const Register n = s.label(parts, labels, Connectivity::four);
  LabelRule rule;
  rule.min_area = objects::whole_area(v.min_area);
  rule.end_area = objects::whole_area(v.max_area);
  rule.mean_above = static_cast<i64>(std::floor(v.threshold * kChannelUnits * 1024));
  s.choose_labels(labels, n, difference, {}, labels, rule);
  s.decided({{Decides::min_area, "nucleus.minArea", v.min_area},
             {Decides::end_area, "nucleus.maxArea", v.max_area},
             {Decides::mean, "nucleus.threshold", v.threshold, double(kChannelUnits)}});
}

/// Cells: each pixel within `expansion` of a nucleus, to the nearest one as the watershed of the distance divides them.
void grow_cells(Stages& s, const Values& v, Field nuclei, Field cells) {
  const i32 radius = radius_px(v.expansion);
  Field outside = s.plane_u8(), reach = s.plane_u8(), distance = s.plane_i32();
  s.threshold(nuclei, outside, 0);
  s.scale(outside, outside, -1, 1);
  s.distance(outside, distance, radius);
  // reach: distance² <= radius².
  s.threshold(distance, reach, radius * radius);
  s.scale(reach, reach, -1, 1);
  s.watershed(distance, nuclei, reach, cells, false);
}

void run(Stages& s) {
  const Values v(s.params);
  Field channel = s.plane_u8(), background = s.plane_u8(), difference = s.plane_u8(), mask = s.plane_u8(),
        marker = s.plane_u8(), labels = s.plane_i32(), cells = s.plane_i32();
  s.stage("detection", [&] { detection_image(s, v, channel, background, difference); });
  s.keep("channel", channel);
  s.keep("background", background);
  s.keep("difference", difference);
  s.stage("mask", [&] { blobs(s, v, difference, mask); });
  s.keep("mask", mask, true);
  s.stage("nucleus", [&] { nuclei(s, v, difference, mask, marker, labels); });
  s.keep("marker", marker, true);
  s.keep("labels", labels);
  const bool measure_cells = v.object == "cell";
  const auto cell = [&] {
    s.stage("cell", [&] { grow_cells(s, v, labels, cells); });
    s.keep("cells", cells);
  };
  if (measure_cells) cell();
  else s.look(cell);
  s.stage("measure", [&] { s.measure(measure_cells ? cells : labels, stain_set("h-e")); });
}

}  // namespace
}  // namespace cell_detection

const Recipe& cell_detection_recipe() {
  static const Recipe r{
      {"cell-detection", {"channel", "background", "difference", "mask", "marker", "labels", "cells"}, 33, 262144},
      cell_detection::halo,
      cell_detection::overview,
      cell_detection::run};
  return r;
}

}  // namespace morpho::engine
