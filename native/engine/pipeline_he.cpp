// H&E nuclei, the default recipe: hematoxylin, a threshold between the slide's level and the neighbourhood's, splitting by
// depth and darkness, and acceptance of objects by size and contrast.
#include "pipeline_parts.hpp"

namespace morpho::engine {
namespace {

/// Depths and stain are added up in 1/64 px: a u16 then holds depths up to 1023 px.
constexpr i32 kDepthUnits = 64;
/// Weights of the threshold's parts are multiples of 1/128: the sum of 255 * 128 * weights below 2 fits a u16.
constexpr i32 kThresholdUnits = 128;

struct Values {
  std::string image;
  double smoothing, envelope_smoothing;
  double level, local_weight, local_radius, contrast_weight, contrast_radius, contrast_position;
  double open_radius, hole_area, min_component;
  double split_smoothing, split_depth, split_stain, whole_ellipticity, whole_area, separate_radius;
  double min_area, max_area, min_contrast, typical_area;

  explicit Values(const Params& p)
      : image(p.choice("channel.image", {"hematoxylin", "red", "darkness"})),
        smoothing(p.number("channel.smoothing", 0, 16)),
        envelope_smoothing(p.number("channel.coarseSmoothing", 0, 16)),
        level(p.number("threshold.level", 0.1, 4)),
        local_weight(p.number("threshold.localWeight", 0, 1)),
        local_radius(p.number("threshold.localRadius", 0, 400)),
        contrast_weight(p.number("threshold.contrastWeight", 0, 1)),
        contrast_radius(p.number("threshold.contrastRadius", 0, 400)),
        contrast_position(p.number("threshold.contrastPosition", 0, 1)),
        open_radius(p.number("mask.openRadius", 0, 200)),
        hole_area(p.number("mask.holeArea", 0, 1e8)),
        min_component(p.number("mask.minArea", 0, 1e8)),
        split_smoothing(p.number("split.smoothing", 0, 16)),
        split_depth(p.number("split.depth", 0, 200)),
        split_stain(p.number("split.stain", 0, 200)),
        whole_ellipticity(p.number("split.wholeEllipticity", 0, 1.2)),
        whole_area(p.number("split.wholeArea", 0, 1e8)),
        separate_radius(p.number("split.separateRadius", 0, 200)),
        min_area(p.number("objects.minArea", 0, 1e8)),
        max_area(p.number("objects.maxArea", 0, 1e8)),
        min_contrast(p.number("objects.minContrast", 0, 4)),
        typical_area(p.number("objects.typicalArea", 1, 1e8)) {
    if (local_weight + contrast_weight > 1) {
      refuse("threshold.contrastWeight", "at most 1 together with threshold.localWeight",
             text_of(local_weight + contrast_weight));
    }
  }
};

/// What the threshold looks at around a pixel, plus the extent of an object: about the longest axis of the largest object
/// wanted if it is twice as long as wide (area = π/8 length²), so that a core pixel's object is inside the window whole.
i32 halo(const Params& params) {
  const Values v(params);
  const i32 coarse = gaussian_reach(v.envelope_smoothing), fine = gaussian_reach(v.smoothing);
  const i32 local = 2 * radius_px(v.local_radius) + fine, contrast = 2 * radius_px(v.contrast_radius) + coarse;
  const double longest = std::sqrt(8 / 3.14159265358979 * std::fmin(v.max_area, 8 * v.typical_area));
  return (local > contrast ? local : contrast) + 2 * radius_px(v.open_radius) + static_cast<i32>(std::ceil(longest));
}

/// The fine channel, which the threshold is compared with, and the coarse one, which envelopes and splitting are taken from.
void channels(Stages& s, const Values& v, Field fine, Field coarse) {
  Field raw = s.plane_u8();
  nuclear_channel(s, raw, v.image);
  s.gaussian(raw, fine, v.smoothing);
  s.gaussian(raw, coarse, v.envelope_smoothing);
}

void overview(Stages& s) {
  const Values v(s.params);
  Field fine = s.plane_u8(), coarse = s.plane_u8();
  channels(s, v, fine, coarse);
  s.result("overview.level", level_of(s, fine));
}

/// Flat dilation (erosion) by a square, then its mean over the same square: a smooth upper (lower) envelope.
void envelope(Stages& s, Field f, Field out, Morphology kind, i32 radius) {
  s.scoped([&] {
    const Field extreme = s.plane_u8();
    s.morphology(f, extreme, kind, Shape::square, radius);
    s.box_mean(extreme, out, radius);
  });
}

i32 in_units(double weight) { return static_cast<i32>(std::floor(weight * kThresholdUnits + 0.5)); }

/// 1 where the fine channel exceeds a weighted mean of three levels: the slide's; the mean of the neighbourhood; a position
/// between the neighbourhood's envelopes. All in units of 1/128 grey level.
void nuclear_mask(Stages& s, const Values& v, i32 slide_level, Field fine, Field coarse, Field low, Field mask) {
  Field part = s.plane_u8(), first = s.plane_u8(), weighted = s.plane_u16(), level = s.plane_u16();
  const i32 local = in_units(v.local_weight), high = in_units(v.contrast_weight * v.contrast_position);
  const i32 bottom = in_units(v.contrast_weight) - high, slide = kThresholdUnits - local - high - bottom;
  const i32 radius = radius_px(v.local_radius);
  // Two box means: the weight falls off with distance, so that no square edge shows.
  s.box_mean(fine, first, radius);
  s.box_mean(first, part, radius);
  s.scale(part, level, local, static_cast<i64>(std::floor(slide * v.level * slide_level + 0.5)));
  s.scale(low, weighted, bottom);
  s.combine(level, weighted, level, Combine::add);
  envelope(s, coarse, part, Morphology::dilate, radius_px(v.contrast_radius));
  s.scale(part, weighted, high);
  s.combine(level, weighted, level, Combine::add);
  s.scale(fine, weighted, kThresholdUnits);
  s.combine(weighted, level, mask, Combine::greater);

  s.fill_small_holes(mask, mask, area_px(v.hole_area));
  s.morphology(mask, mask, Morphology::open, Shape::disk, radius_px(v.open_radius));
  s.area_filter(mask, mask, area_px(v.min_component), 2147483647);
}

/// Smoothed depth inside the mask plus a share of the stain: a pixel as dark as the slide's level counts as `split.stain` of
/// depth.
void landscape(Stages& s, const Values& v, i32 slide_level, Field mask, Field coarse, Field out) {
  Field stain = s.plane_i32(), inside = s.plane_i32(), depth = s.plane_u16();
  s.depth(mask, depth, kDepthUnits);
  s.gaussian(depth, depth, v.split_smoothing);
  s.scale(depth, out, 1);
  const double per_level = v.split_stain * kDepthUnits / (slide_level > 0 ? slide_level : 1);
  s.scale(coarse, stain, static_cast<i32>(std::floor(per_level * 65536 + 0.5)), 0, 16);
  s.combine(out, stain, out, Combine::add);
  s.scale(mask, inside, 2147483647);
  s.combine(out, inside, out, Combine::minimum);
}

/// How far a maximum must stand out to be a marker.
i32 split_height(const Values& v) {
  const i32 h = static_cast<i32>(std::floor(v.split_depth * kDepthUnits + 0.5));
  return h < 1 ? 1 : h;
}

/// Markers: the maxima of the landscape that stand out by `split.depth`; a component that is one ellipse of a nucleus's size
/// already is a marker as a whole, so that texture cannot split it.
void split_markers(Stages& s, const Values& v, Field mask, Field landscape, Field markers) {
  Field peaks = s.plane_u8(), components = s.plane_i32();
  s.extended_maxima(landscape, peaks, split_height(v));
  s.combine(peaks, mask, peaks, Combine::both);
  const Register n = s.label(mask, components);
  Field whole = s.plane_u8();
  LabelRule rule;
  rule.end_area = objects::whole_area(v.whole_area);
  rule.ellipticity = objects::ellipticity_factor(v.whole_ellipticity);
  s.choose_labels(components, n, {}, {}, whole, rule);
  s.combine(peaks, whole, peaks, Combine::either);
  s.label(peaks, markers);
}

/// Keeps objects of the wanted area that stand out enough from the lower envelope around them; numbers them in raster order.
void accept(Stages& s, const Values& v, i32 slide_level, Register count, Field fine, Field low, Field labels) {
  LabelRule rule;
  rule.min_area = objects::whole_area(v.min_area);
  rule.end_area = objects::whole_area(v.max_area);
  rule.contrast = objects::contrast_level(v.min_contrast * slide_level);
  rule.contrast_area = objects::contrast_area(v.typical_area);
  s.choose_labels(labels, count, fine, low, labels, rule);
}

void run(Stages& s) {
  const Values v(s.params);
  const i32 level = static_cast<i32>(s.params.number("overview.level", 0, 255));
  Field fine = s.plane_u8(), coarse = s.plane_u8(), low = s.plane_u8(), mask = s.plane_u8(), markers = s.plane_i32(),
        depth = s.plane_i32(), labels = s.plane_i32();
  s.stage("channel", [&] { channels(s, v, fine, coarse); });
  s.keep("channel", fine);
  s.stage("threshold", [&] {
    envelope(s, coarse, low, Morphology::erode, radius_px(v.contrast_radius));
    nuclear_mask(s, v, level, fine, coarse, low, mask);
  });
  s.keep("background", low);
  s.look([&] {
    const Field difference = s.plane_u8();
    s.combine(fine, low, difference, Combine::subtract);
    s.keep("difference", difference);
  });
  s.keep("mask", mask, true);
  s.stage("distance", [&] { landscape(s, v, level, mask, coarse, depth); });
  s.keep_scaled("distance", depth, 8, 6);
  s.stage("split", [&] {
    split_markers(s, v, mask, depth, markers);
    s.scale(depth, depth, -1);
    s.watershed(depth, markers, mask, labels, true, split_height(v));
  });
  s.stage("objects", [&] {
    // The watershed's lines part the objects, so that one opening rounds each of them by itself.
    Field parts = s.plane_u8();
    s.threshold(labels, parts, 0);
    s.morphology(parts, parts, Morphology::open, Shape::disk, radius_px(v.separate_radius));
    const Register count = s.label(parts, labels, Connectivity::four);
    accept(s, v, level, count, fine, low, labels);
  });
  s.look([&] {
    const Field marker = s.plane_u8();
    s.threshold(markers, marker, 0);
    s.keep("marker", marker, true);
  });
  s.keep("labels", labels);
  s.stage("measure", [&] { s.measure(labels, stain_set("h-e")); });
}

}  // namespace

const Recipe& he_recipe() {
  static const Recipe r{
      {"he-nuclei", {"channel", "background", "difference", "mask", "distance", "marker", "labels"}, 33, 262144},
      halo,
      overview,
      run};
  return r;
}

}  // namespace morpho::engine
