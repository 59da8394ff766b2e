// IHC nuclei: brown nuclei by themselves, beside blue ones, and of several thresholds the objects that look most like nuclei.
// At the higher ones a brown nucleus is its core: what takes red light, as brown cytoplasm and membranes hardly do.
#include "candidates.hpp"

namespace morpho::engine {
namespace stained_nuclei {
namespace {

/// What brown nuclei are found by.
struct Brown {
  bool apart;
  double level, share, radius, smoothing, open_radius, min_area, gap, core;
  explicit Brown(const Params& p)
      : apart(p.toggle("brown.apart")),
        level(p.number("brown.level", 0.02, 1.5)),
        share(p.number("brown.share", 0, 1)),
        radius(p.number("brown.radius", 0, 200)),
        smoothing(p.number("brown.smoothing", 0, 16)),
        open_radius(p.number("brown.openRadius", 0, 200)),
        min_area(p.number("brown.minArea", 0, 1e8)),
        gap(p.number("brown.gap", 0, 50)),
        core(p.number("brown.core", 0, 1)) {}
};

/// 1 on nuclei that are brown through and through. Browner than `level`, an OD, and than `share` of the brownest around. Brown
/// is what DAB is, or what takes blue light: black nuclei take all colours, so that little of their stain would be DAB's.
void brown_nuclei(Stages& s, const Values& v, const Brown& b, Field out) {
  s.scoped([&] {
    /// What hematoxylin takes of blue light at most, OD.
    constexpr double kBlueOfHematoxylin = 0.3;
    const Field brown = s.plane_u8(), other = s.plane_u8();
    StainParams dab = set_of(v).stains[1], blue;
    dab.units_per_od = blue.units_per_od = kChannelUnits;
    blue.row[0] = 0, blue.row[2] = 65536;
    s.stain(brown, dab);
    s.stain(other, blue);
    s.scale(other, other, 1, static_cast<i64>(-kBlueOfHematoxylin * kChannelUnits));
    s.combine(brown, other, other, Combine::maximum);
    s.gaussian(other, brown, b.smoothing);
    s.threshold(brown, out, static_cast<i32>(std::floor(b.level * kChannelUnits)));
    s.morphology(brown, other, Morphology::dilate, Shape::disk, radius_px(b.radius));
    s.scale(other, other, static_cast<i32>(std::floor(b.share * 256)), 0, 8);
    s.combine(brown, other, other, Combine::greater);
    s.combine(out, other, out, Combine::both);
    s.fill_small_holes(out, out, area_px(v.hole_area));
    s.morphology(out, out, Morphology::open, Shape::disk, radius_px(b.open_radius));
    s.area_filter(out, out, area_px(b.min_area), 2147483647);
  });
}

/// What the cores of brown nuclei are taken from.
struct Red {
  Field taken, most;  ///< red light that is taken, and the most that is around
};

/// Red light that is taken, up to one OD: black nuclei do not hide brown ones.
void red_light(Stages& s, const Brown& b, const Red& out) {
  StainParams red;
  red.units_per_od = 255;
  s.stain(out.most, red);
  s.gaussian(out.most, out.taken, b.smoothing);
  s.morphology(out.taken, out.most, Morphology::dilate, Shape::disk, radius_px(b.radius));
}

/// In and around brown the channel has its ceiling, and shows no edges. Red light does.
void edges_in_brown(Stages& s, const Candidates& c, Field brown, Field red, Field edge) {
  s.scoped([&] {
    const Field here = s.plane_u8(), near = s.plane_u8();
    steepness(s, red, c.radius(), here);
    s.morphology(brown, near, Morphology::dilate, Shape::disk, c.radius() + 1);
    s.scale(near, near, 255);
    s.combine(here, near, here, Combine::minimum);
    s.combine(edge, here, edge, Combine::maximum);
  });
}

/// Of brown what takes this share of the red light that is taken around.
void cores(Stages& s, const Values& v, const Brown& b, const Red& red, double share, Field brown, Field out) {
  s.scoped([&] {
    const Field most = s.plane_u8();
    s.scale(red.most, most, static_cast<i32>(std::floor(share * 256)), 0, 8);
    s.combine(red.taken, most, out, Combine::greater);
    s.combine(out, brown, out, Combine::both);
    s.fill_small_holes(out, out, area_px(v.hole_area));
    s.morphology(out, out, Morphology::open, Shape::disk, radius_px(b.open_radius));
    s.area_filter(out, out, area_px(b.min_area), 2147483647);
  });
}

/// What the steps of one threshold work on.
struct Planes {
  Field fine, coarse, low, brown, mask, markers, depth, labels;
  Field cores;  ///< of `brown`, what is nuclei; `brown` itself where it is nuclei as it is
};

/// The mask without what is brown, and brown nuclei: pieces that are split each by itself. The mask holds these, and no other
/// brown.
void part_by_stain(Stages& s, const Values& v, const Brown& b, const Planes& p, Field parts) {
  s.morphology(p.brown, parts, Morphology::dilate, Shape::disk, radius_px(b.gap));
  s.combine(p.mask, parts, parts, Combine::without);
  s.morphology(parts, parts, Morphology::open, Shape::disk, radius_px(v.open_radius));
  s.combine(parts, p.cores, parts, Combine::either);
  if (p.cores.number != p.brown.number) s.combine(p.mask, p.brown, p.mask, Combine::without);
  s.combine(p.mask, p.cores, p.mask, Combine::either);
}

/// What of the mask is no piece belongs to the piece that is nearest: outside of pieces the landscape falls with the distance
/// to them, by less in all than a marker stands out. So each pixel's way up is told by what is near, and nothing is level.
void slope_to_pieces(Stages& s, const Values& v, const StainShare& share, Field parts, Field mask, Field depth) {
  /// µm are not known here: what the opening took away lies this near to what it left.
  const i32 height = split_height(v), reach = std::max(1, 2 * radius_px(v.open_radius));
  s.scoped([&] {
    const Field outside = s.plane_u8(), squared = s.plane_i32(), slope = s.plane(share.type), least = s.plane(share.type);
    const i32 units = std::max(1, (height - 1) / reach), limit = std::max(1, (height - 2) / units + 1);  // where it is level
    // What lies so far from the mask's pixels outside of pieces counts as a piece: no distance that is looked for is long.
    s.combine(mask, parts, outside, Combine::without);
    // Pixels of the mask have all of their surroundings, whatever is known of those: there, and nothing else is looked at, it
    // is as certain as the pieces.
    s.run<op::morphology>({outside}, {outside}, {Morphology::dilate, Shape::disk, limit}).reach = {};
    s.combine(outside, parts, outside, Combine::without);
    s.distance(outside, squared, limit);
    s.run<op::root>({squared}, {slope}, {units * units});
    s.scale(slope, slope, -1, height);
    s.scale(mask, least, 1);
    s.combine(slope, least, slope, Combine::maximum);
    s.combine(depth, slope, depth, Combine::add);
    s.scale(mask, least, share.all());
    s.combine(depth, least, depth, Combine::minimum);
  });
}

/// The objects of one threshold, from its mask.
Register objects_of(Stages& s, const Values& v, const Brown& b, const StainShare& share, i32 level, const Planes& p,
                    bool shown) {
  s.scoped([&] {
    const Field parts = b.apart ? s.plane_u8() : p.mask;
    if (b.apart) part_by_stain(s, v, b, p, parts);
    if (shown) s.keep("mask", p.mask, true);
    landscape(s, v, share, parts, p.coarse, p.depth);
    if (b.apart) slope_to_pieces(s, v, share, parts, p.mask, p.depth);
    if (shown) s.keep_scaled("distance", p.depth, 8, 6);
    split_markers(s, v, parts, p.depth, p.markers);
    if (shown) {
      s.look([&] {
        const Field marker = s.plane_u8();
        s.threshold(p.markers, marker, 0);
        s.keep("marker", marker, true);
      });
    }
    s.scale(p.depth, p.depth, -1, share.ground());
    s.watershed(p.depth, p.markers, p.mask, p.labels, true, split_height(v), share.ground());
    if (shown) s.decided({{Decides::border, "split.depth", v.split_depth}});
  });
  Register count;
  s.scoped([&] {
    count = separated(s, v, p.labels);
    accept(s, v, level, count, p.fine, p.low, p.labels);
  });
  return count;
}

/// The objects of a look: of a higher threshold than the middle one with cores for brown nuclei, by a share that is the
/// smaller the lower the threshold is.
Register objects_at(Stages& s, const Values& v, const Brown& b, const Candidates& c, const StainShare& share, i32 level,
                    const Look& at, const Red& red, Planes p) {
  Register count;
  s.scoped([&] {
    const bool higher = at.threshold < c.middle() && b.core > 0;
    p.cores = b.apart && (higher || at.rest) ? s.plane_u8() : p.brown;
    if (b.apart && at.rest) {
      // What is left of brown is cytoplasm.
      s.scale(p.brown, p.cores, 0);
    } else if (b.apart && higher) {
      cores(s, v, b, red, b.core / std::pow(c.ratio, at.threshold), p.brown, p.cores);
    }
    count = objects_of(s, v, b, share, level, p, at.shown);
  });
  return count;
}

Candidates candidates_of(const Params& p) {
  Candidates c(p);
  c.rest_radius = p.number("candidates.restRadius", 0, 200);
  return c;
}

/// Pixels that are brown, of which a nucleus may have a share.
StainedPixels stained_pixels(const Params& p) { return {1, p.number("classes.brownAbove", 0, 3)}; }

void run_ihc(Stages& s) {
  const Values v(s.params, Stained::h_dab);
  const Brown b(s.params);
  const Candidates c = candidates_of(s.params);
  const i32 level = static_cast<i32>(s.params.number("overview.level", 0, 255));
  const StainShare share(v, level);
  Planes p;
  p.fine = s.plane_u8(), p.coarse = s.plane_u8(), p.low = s.plane_u8(), p.brown = s.plane_u8();
  const Field limit = s.plane_u16(), weighted = s.plane_u16(), kept = s.plane_i32();
  s.stage("channel", [&] { channels(s, v, level, p.fine, p.coarse); });
  s.keep("channel", p.fine);
  s.stage("threshold", [&] {
    envelope(s, p.coarse, p.low, Morphology::erode, radius_px(v.contrast_radius));
    const Field part = s.plane_u8(), first = s.plane_u8();
    nuclear_limit(s, v, level, p.fine, p.coarse, p.low, {part, first, weighted, limit});
  });
  s.keep("background", p.low);
  s.look([&] {
    const Field difference = s.plane_u8();
    s.combine(p.fine, p.low, difference, Combine::subtract);
    s.keep("difference", difference);
  });
  s.stage("brown", [&] {
    if (b.apart) brown_nuclei(s, v, b, p.brown);
    else s.scale(p.fine, p.brown, 0);
  });
  s.keep("brown", p.brown, true);
  Register count;
  s.stage("candidates", [&] {
    const CandidatePlanes planes(s, kept);
    p.mask = s.plane_u8(), p.markers = s.plane_i32(), p.depth = s.plane(share.type), p.labels = s.plane_i32();
    const bool has_cores = b.apart && b.core > 0 && c.middle() > 0;
    Red red;
    if (has_cores) red = {s.plane_u8(), s.plane_u8()};
    steepness(s, p.fine, c.radius(), planes.edge);
    if (has_cores) {
      red_light(s, b, red);
      edges_in_brown(s, c, p.brown, red.taken, planes.edge);
    }
    count = better_of(s, v, c, level, {{}, {}, weighted, limit}, p.mask, p.labels, planes,
                      [&](const Look& at) { return objects_at(s, v, b, c, share, level, at, red, p); });
  });
  // What lost a part to another may be too small now.
  s.stage("objects", [&] { accept(s, v, level, count, p.fine, p.low, kept); });
  s.keep("labels", kept);
  s.stage("measure", [&] { s.measure(kept, set_of(v), p.fine, p.low, level, v.typical_area, stained_pixels(s.params)); });
}

}  // namespace
}  // namespace stained_nuclei

const Recipe& ihc_recipe() {
  using namespace stained_nuclei;
  static const Recipe r{
      {"ihc-nuclei", {"channel", "background", "difference", "brown", "mask", "distance", "marker", "labels"}, 49, 65536},
      [](const Params& p) {
        const stained_nuclei::Values v(p, Stained::h_dab);
        Brown{p}, candidates_of(p), stained_pixels(p);  // for their refusals: they look no farther
        return halo(v);
      },
      [](Stages& s) { overview(s, stained_nuclei::Values(s.params, Stained::h_dab)); },
      run_ihc};
  return r;
}

}  // namespace morpho::engine
