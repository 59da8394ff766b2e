// See nuclear_steps.hpp.
#include "nuclear_steps.hpp"

namespace morpho::engine::stained_nuclei {
namespace {

/// Light below this is a camera's noise on black: so many of 255, and at 16 bits so many of a camera's that has 12.
constexpr i32 kLeastLight = 4, kLeastDeepLight = 4 * 16;
/// Fewer than so many of a thousand pixels are a bright thing beside the nuclei: at 8 bits nuclei that it outshines are not
/// there, at 16 they are.
constexpr i32 kBrightThings = 10;

const char* stains_of(Stained by) { return by == Stained::h_e ? "h-e" : by == Stained::h_dab ? "h-dab" : "rgb"; }
const std::vector<std::string>& images_of(Stained by) {
  static const std::vector<std::string> h_e = {"hematoxylin", "red", "darkness"}, h_dab = {"both", "hematoxylin", "dab"},
                                        light = {"brightest", "red", "green", "blue"};
  return by == Stained::h_e ? h_e : by == Stained::h_dab ? h_dab : light;
}

/// Hematoxylin and DAB as one: the stronger of the two at each pixel, DAB weighted. What is stronger than `channel.strongest`
/// is as strong as that, so that brown nuclei, ten times as dark, do not lift the slide's level above the blue ones.
void either_stain(Stages& s, const Values& v, Field out) {
  const StainSet set = set_of(v);
  const auto stain = [&](std::size_t k, double weight, Field to) {
    StainParams p = set.stains[k];
    p.units_per_od = static_cast<i32>(std::floor(255 / v.strongest * weight + 0.5));
    s.stain(to, p);
  };
  if (v.image != "dab") stain(0, 1, out);
  if (v.image == "dab") stain(1, v.dab_weight, out);
  if (v.image == "both") {
    s.scoped([&] {
      const Field dab = s.plane_u8();
      stain(1, v.dab_weight, dab);
      s.combine(out, dab, out, Combine::maximum);
    });
  }
}

/// How the brightness of a slide whose level is so much is spread over grey values, 0 for as it is: light that is `strongest`
/// times the level, and more, is 255. So a dim exposure gives what a bright one gives, and what shines most hides nothing.
i32 gain(const Values& v, i32 slide_level) {
  if (slide_level == 0) return 256;
  const double units = std::floor(256.0 * 255 * v.units() / (v.strongest * slide_level) + 0.5);
  return units < 1 ? 1 : static_cast<i32>(units);
}

/// What shines most of red, green and blue, or one of them; at 16 bits all of them are the one channel that is analysed.
void brightness(Stages& s, const Values& v, i32 slide_level, Field out) {
  if (v.deep) {
    s.sample(out);
    s.scale(out, out, gain(v, slide_level), 128, 8);
    return;
  }
  const StainSet& channels = stain_set("rgb");
  const auto light = [&](std::size_t k, Field to) {
    StainParams p = channels.stains[k];
    p.units_per_od = gain(v, slide_level);
    s.stain(to, p);
  };
  for (std::size_t k = 0; k < 3; ++k)
    if (v.image == channels.names[k]) return light(k, out);
  light(0, out);
  for (std::size_t k = 1; k < 3; ++k) {
    s.scoped([&] {
      const Field other = s.plane_u8();
      light(k, other);
      s.combine(out, other, out, Combine::maximum);
    });
  }
}

i32 in_units(double weight) { return static_cast<i32>(std::floor(weight * kThresholdUnits + 0.5)); }

/// Mends rims: a hole of fewer than end_area px that appears when gaps of up to 2 radius px are closed is filled, with what was
/// closed within 2 radius of it. A closing anywhere else would join neighbours.
void mend_rims(Stages& s, Field mask, i32 radius, i32 end_area) {
  s.scoped([&] {
    const Field closed = s.plane_u8(), holes = s.plane_u8(), rims = s.plane_u8();
    s.morphology(mask, closed, Morphology::close, Shape::disk, radius);
    s.fill_small_holes(closed, holes, end_area);
    s.combine(holes, closed, holes, Combine::subtract);
    s.morphology(holes, rims, Morphology::dilate, Shape::disk, 2 * radius);
    s.combine(rims, closed, rims, Combine::both);
    s.combine(mask, rims, mask, Combine::either);
    s.combine(mask, holes, mask, Combine::either);
  });
}

}  // namespace

Values::Values(const Params& p, Stained by)
    : stained(by),
      image(p.choice("channel.image", images_of(by))),
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
  if (by != Stained::light) stains = stain_vectors(p, stain_set(stains_of(by)));
  if (by == Stained::h_dab) {
    strongest = p.number("channel.strongest", 0.05, 4);
    dab_weight = p.number("channel.dabWeight", 0.05, 4);
  }
  if (by == Stained::light) {
    strongest = p.number("channel.strongest", 1, 255);
    deep = p.has(kPixelDepth) && p.number(kPixelDepth, 8, 16) > 8;
  }
  if (by == Stained::h_e) {
    gap_radius = p.number("mask.gapRadius", 0, 50);
    rejections = Rejections(p);
    hematoxylin = hematoxylin_beside_dab(stains);
  }
}

StainSet set_of(const Values& v) {
  return v.stained == Stained::light ? stain_set("rgb") : stain_set(stains_of(v.stained), v.stains);
}

i32 halo(const Values& v) {
  const i32 coarse = gaussian_reach(v.envelope_smoothing), fine = gaussian_reach(v.smoothing);
  const i32 local = 2 * radius_px(v.local_radius) + fine, contrast = 2 * radius_px(v.contrast_radius) + coarse;
  const double longest = std::sqrt(8 / 3.14159265358979 * std::fmin(v.max_area, 8 * v.typical_area));
  // Several thresholds see whole crowds: with less, most windows of IHC had to grow.
  const int lengths = v.stained == Stained::h_dab ? 3 : 1;
  return (local > contrast ? local : contrast) + 2 * (2 * radius_px(v.gap_radius) + radius_px(v.open_radius)) +
         static_cast<i32>(std::ceil(lengths * longest));
}

i32 level_of(const Values& v, double told) { return static_cast<i32>(v.deep ? std::floor(told * kDeepUnits + 0.5) : told); }

i32 level_after(const Values& v, i32 slide_level) {
  if (v.stained != Stained::light) return slide_level;
  const i64 level = (i64{slide_level} * gain(v, slide_level) + 128) >> 8, least = v.units(), most = 255 * least;
  return static_cast<i32>(level < least ? least : level > most ? most : level);
}

void channels(Stages& s, const Values& v, i32 slide_level, Field fine, Field coarse) {
  Field raw = s.plane(v.grey());
  if (v.stained == Stained::h_e) nuclear_channel(s, raw, v.image, v.hematoxylin);
  else if (v.stained == Stained::h_dab) either_stain(s, v, raw);
  else brightness(s, v, slide_level, raw);
  s.gaussian(raw, fine, v.smoothing);
  s.gaussian(raw, coarse, v.envelope_smoothing);
}

void overview(Stages& s, const Values& v) {
  Field fine = s.plane(v.grey()), coarse = s.plane(v.grey());
  channels(s, v, 0, fine, coarse);
  if (v.stained != Stained::light) return s.result("overview.level", engine::level_of(s, fine));
  const Register level = v.deep ? s.otsu(fine, kLeastDeepLight, kBrightThings) : s.otsu(fine, kLeastLight);
  s.result("overview.level", level, v.units());
}

void show(Stages& s, const Values& v, const char* name, Field f) {
  if (v.deep) s.keep_scaled(name, f, 1, 8);
  else s.keep(name, f);
}

void envelope(Stages& s, Field f, Field out, Morphology kind, i32 radius) {
  s.scoped([&] {
    const Field extreme = s.plane_like(f);
    s.morphology(f, extreme, kind, Shape::square, radius);
    s.box_mean(extreme, out, radius);
  });
}

Weights::Weights(const Values& v)
    : local(in_units(v.local_weight)),
      high(in_units(v.contrast_weight * v.contrast_position)),
      bottom(in_units(v.contrast_weight) - high),
      slide(kThresholdUnits - local - high - bottom) {}

void nuclear_limit(Stages& s, const Values& v, i32 slide_level, Field fine, Field coarse, Field low, const Limit& to) {
  const Weights w(v);
  const i32 radius = radius_px(v.local_radius);
  // Two box means: the weight falls off with distance, so that no square edge shows.
  s.box_mean(fine, to.first, radius);
  s.box_mean(to.first, to.part, radius);
  s.scale(to.part, to.level, w.local, static_cast<i64>(std::floor(w.slide * v.level * slide_level + 0.5)));
  s.scale(low, to.weighted, w.bottom);
  s.combine(to.level, to.weighted, to.level, Combine::add);
  envelope(s, coarse, to.part, Morphology::dilate, radius_px(v.contrast_radius));
  s.scale(to.part, to.weighted, w.high);
  s.combine(to.level, to.weighted, to.level, Combine::add);
  s.scale(fine, to.weighted, kThresholdUnits);
}

void cut_at(Stages& s, const Values& v, i32 slide_level, const Limit& limit, Field mask) {
  s.combine(limit.weighted, limit.level, mask, Combine::greater);
  // So much of the threshold is one of the slide's levels.
  const Weights w(v);
  if (w.slide > 0 && slide_level > 0) s.decided({{Decides::above, "threshold.level", v.level, double(w.slide) * slide_level}});

  if (const i32 gap = radius_px(v.gap_radius); gap > 0) mend_rims(s, mask, gap, area_px(v.hole_area));
  s.fill_small_holes(mask, mask, area_px(v.hole_area));
  s.decided({{Decides::hole_area, "mask.holeArea", v.hole_area}});
  s.morphology(mask, mask, Morphology::open, Shape::disk, radius_px(v.open_radius));
  s.decided({{Decides::opened, "mask.openRadius", v.open_radius}});
  s.area_filter(mask, mask, area_px(v.min_component), 2147483647);
  s.decided({{Decides::min_area, "mask.minArea", v.min_component}});
}

StainShare::StainShare(const Values& v, i32 slide_level)
    // A level at 16 bits is at least kDeepUnits: what is multiplied fits an i32 at either depth.
    : shift(v.deep ? 24 : 16),
      per_level(
          static_cast<i32>(std::floor(v.split_stain * kDepthUnits / (slide_level > 0 ? slide_level : 1) * (1 << shift) + 0.5))),
      most(static_cast<i32>((i64{255} * v.units() * per_level) >> shift)),
      // Half of a u16 is more depth than any window has; beyond that stain is the landscape, and takes the room it needs.
      type(most < 32768 ? PixelType::u16 : PixelType::i32) {}

void landscape(Stages& s, const Values& v, const StainShare& share, Field mask, Field coarse, Field out) {
  Field stain = s.plane(share.type), inside = s.plane(share.type), depth = s.plane_u16();
  s.depth(mask, depth, kDepthUnits);
  s.gaussian(depth, depth, v.split_smoothing);
  if (share.type == PixelType::u16) {
    // Up by the most that stain can be and one, where a u16 ends, and down again by what of it is not there.
    const i32 room = share.most + 1;
    s.scale(depth, out, 1, room);
    s.scale(coarse, stain, -share.per_level, (i64{room + 1} << share.shift) - 1, share.shift);
    s.combine(out, stain, out, Combine::subtract);
  } else {
    s.scale(depth, out, 1);
    s.scale(coarse, stain, share.per_level, 0, share.shift);
    s.combine(out, stain, out, Combine::add);
  }
  s.scale(mask, inside, share.all());
  s.combine(out, inside, out, Combine::minimum);
}

i32 split_height(const Values& v) {
  const i32 h = static_cast<i32>(std::floor(v.split_depth * kDepthUnits + 0.5));
  return h < 1 ? 1 : h;
}

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

Register separated(Stages& s, const Values& v, Field labels) {
  Field parts = s.plane_u8();
  s.threshold(labels, parts, 0);
  s.morphology(parts, parts, Morphology::open, Shape::disk, radius_px(v.separate_radius));
  s.decided({{Decides::opened, "split.separateRadius", v.separate_radius}});
  return s.label(parts, labels, Connectivity::four);
}

void accept(Stages& s, const Values& v, i32 slide_level, Register count, Field fine, Field low, Field labels) {
  LabelRule rule;
  rule.min_area = objects::whole_area(v.min_area);
  rule.end_area = objects::whole_area(v.max_area);
  rule.contrast = objects::contrast_level(v.min_contrast * slide_level / v.units());
  rule.contrast_per = v.units();
  rule.contrast_area = objects::contrast_area(v.typical_area);
  s.choose_labels(labels, count, fine, low, labels, rule);
  s.decided({{Decides::min_area, "objects.minArea", v.min_area},
             {Decides::end_area, "objects.maxArea", v.max_area},
             {Decides::contrast, "objects.minContrast", v.min_contrast, slide_level > 0 ? double(slide_level) : 1}});
}

}  // namespace morpho::engine::stained_nuclei
