// What every recipe is written with: planes, timed stages, and operations of the table by short names, recorded as a program.
#pragma once
#include <cmath>
#include <utility>

#include "../../contract/object_choice.hpp"
#include "pipeline.hpp"
#include "engine/program/program.hpp"

namespace morpho::engine {

/// A length in px as a radius: rounded to nearest, halves up.
inline i32 radius_px(double length) { return static_cast<i32>(std::floor(length + 0.5)); }
/// An area in px² as a pixel count: rounded to nearest, halves up.
inline i32 area_px(double area) { return static_cast<i32>(std::floor(area + 0.5)); }
/// The halo that a reconstruction of an opening by this radius asks for. Without a limit (reach 0) no halo is enough, and none
/// is needed: windows take what it gives of the whole slide (program_split.hpp).
inline i32 reconstruction_halo(i32 radius, i32 reach) { return reach > 0 ? 2 * radius + reach : 0; }
/// How far a Gaussian of this sigma reaches, as ops.hpp states it.
inline i32 gaussian_reach(double sigma) { return static_cast<i32>(std::ceil(3 * sigma)); }

/// What an object's pixels are stained by, and above which OD.
struct StainedPixels {
  int stain = -1;  ///< of the set; -1: nobody asks
  double above = 0;
};

/// A recipe's hand: every call adds steps to a program, and computes nothing. Planes live until the program ends, or until the
/// end of the block (stage, scoped, look) that they were taken in.
class Stages {
 public:
  explicit Stages(const Params& params) : params(params) {}
  const Params& params;
  /// What was recorded. Called once, at the end.
  Program take_program() { return std::move(program_); }

  /// fn's steps as one timed stage.
  template <class Fn>
  void stage(const char* name, Fn&& fn) {
    block(Op::stage, name, fn);
  }
  /// Planes that fn takes go when it ends: what comes later may use their memory.
  template <class Fn>
  void scoped(Fn&& fn) {
    block(Op::scope, "", fn);
  }
  /// The same for steps that only serve planes to look at: left out where nobody asked for planes.
  template <class Fn>
  void look(Fn&& fn) {
    block(Op::look, "", fn);
  }

  Field plane(PixelType type);
  Field plane_like(Field f) { return plane(program_.planes[static_cast<std::size_t>(f.number)]); }
  Field plane_u8() { return plane(PixelType::u8); }
  Field plane_u16() { return plane(PixelType::u16); }
  Field plane_i32() { return plane(PixelType::i32); }

  /// Says of the step recorded last which parameters decide what stays there, and what its markers are cut from.
  void decided(std::vector<Decision> by, Field seen = {}) {
    program_.steps.back().decisions = std::move(by);
    program_.steps.back().seen = seen;
  }
  /// Gives the core part of an intermediate image away, if planes are asked for.
  void keep(const char* name, Field p, bool binary = false);
  /// The same for an i32 or u16 image to look at: (v * multiply) >> shift, clamped to grey 0..255.
  void keep_scaled(const char* name, Field p, i32 multiply, i32 shift);
  /// A value that the overview is for; `per` of its units are one of the parameter's.
  void result(const char* name, Register value, i32 per = 1) {
    program_.results.emplace_back(name, value);
    program_.result_per = per;
  }

  /// Any operation of the table, by its descriptor: `run<op::median>({f}, {out}, {radius})`. It reaches as far as that says.
  template <class O>
  Step& run(const std::vector<Field>& in, const std::vector<Field>& out, const typename O::Params& p) {
    return add(OpOf<O>::value, in, out, p, O::reach(p));
  }

  /// The window's samples at 16 bits; out u16.
  void sample(Field out) { add(Op::sample, {}, {out}, SampleParams{}); }

  // Operations with their parameters in line. Each writes `out` and returns nothing, as the table's entries do.
  void stain(Field out, const StainParams& p) { run<op::stain>({}, {out}, p); }
  void weights(Field out, const WeightsParams& p) { run<op::weights>({}, {out}, p); }
  void color_rule(Field out, const ColorRuleParams& p) { run<op::color_rule>({}, {out}, p); }
  void morphology(Field f, Field out, Morphology kind, Shape shape, i32 radius) {
    run<op::morphology>({f}, {out}, {kind, shape, radius});
  }
  void gaussian(Field f, Field out, double sigma) { run<op::gaussian>({f}, {out}, {sigma}); }
  void box_mean(Field f, Field out, i32 radius) { run<op::box_mean>({f}, {out}, {radius}); }
  void median(Field f, Field out, i32 radius) { run<op::median>({f}, {out}, {radius}); }
  void threshold(Field f, Field out, i32 above) { run<op::threshold>({f}, {out}, {above}); }
  void combine(Field a, Field b, Field out, Combine kind) { run<op::combine>({a, b}, {out}, {kind}); }
  void scale(Field a, Field out, i32 multiply, i64 add_ = 0, i32 shift = 0) {
    run<op::scale>({a}, {out}, {multiply, add_, shift});
  }
  void reconstruct(Field marker, Field mask, Field out) { run<op::reconstruct>({marker, mask}, {out}, {}); }
  /// The same of binary images: the components of `mask` that hold a marker.
  void components_with(Field marker, Field mask, Field out, Connectivity c = Connectivity::eight) {
    Step& step = run<op::reconstruct>({marker, mask}, {out}, {By::dilation, c});
    step.reach = kComponent;
    step.binary = true;
  }
  void h_maxima(Field f, Field out, i32 h) { run<op::h_extrema>({f}, {out}, {Extremum::maxima, h}); }
  void extended_maxima(Field f, Field out, i32 h) { run<op::extended_extrema>({f}, {out}, {Extremum::maxima, h}); }
  void max_tree(Field f, Field parent, Field order, Connectivity c) { run<op::max_tree>({f}, {parent, order}, {c}); }
  /// limit, px: where distances beyond it only need to be beyond it; 0: nowhere.
  void distance(Field binary, Field squared, i32 limit = 0) { run<op::distance>({binary}, {squared}, {}).limit = limit; }
  /// Fills holes: 4-connected ones of an 8-connected foreground, 8-connected ones of a 4-connected foreground (such as
  /// watershed parts, whose separating lines would otherwise be filled). In place allowed, unlike the table's entry.
  void fill_holes(Field binary, Field out, Connectivity holes = Connectivity::four);
  void area_filter(Field f, Field out, i32 min_area, i32 end_area, Connectivity c = Connectivity::eight) {
    run<op::area_filter>({f}, {out}, {c, min_area, end_area});
  }
  /// The count of labels, which only the pixels tell.
  Register label(Field f, Field out, Connectivity c = Connectivity::eight);
  /// `markers` and `mask` may be absent. rise: markers hold every peak of -f that stands out by so much; zero: f outside of
  /// all.
  void watershed(Field f, Field markers, Field mask, Field labels, bool lines, i32 rise = 0, i32 zero = 0) {
    Step& step = run<op::watershed>({f, markers, mask}, {labels}, {Connectivity::eight, lines});
    if (mask.present()) step.reach = kComponent;
    step.rise = rise;
    step.zero = zero;
  }
  /// out: the pixels of labels 1..count that the rule keeps, with new labels 1, 2, … in ascending order of the old ones (u8:
  /// 255 at most). `value` and `below` may be absent where the rule asks for neither contrast nor mean. In place allowed.
  void choose_labels(Field labels, Register count, Field value, Field below, Field out, const LabelRule& rule);
  /// out u8: 1 on the objects of `kept` and `candidates` that are better where they lie over each other, by the pixels' `edge`.
  void better_labels(Field kept, Register count, Field candidates, Register also, Field edge, Field out,
                     const PreferenceRule& rule);
  /// out u8: 1 on the nodes of f's max-tree that the rule chooses; `node` i32 is written on the way.
  void choose_nodes(Field f, Field parent, Field order, Field node, Field out, const NodeRule& rule) {
    add(Op::choose_nodes, {f, parent, order}, {node, out}, rule, kComponent);
  }
  /// The same for holes of fewer than end_area pixels only. Background that reaches the window's rim is no hole.
  void fill_small_holes(Field binary, Field out, i32 end_area, Connectivity holes = Connectivity::four) {
    add(Op::fill_small_holes, {binary}, {out}, AreaFilterParams{holes, 0, end_area}, kComponent);
  }
  /// Reconstruction by dilation that goes at most `reach` px from the marker (8-connected steps): so many geodesic dilations.
  /// Unlike the full one its halo is known, so that a window gives what the whole slide gives. reach 0: the full
  /// reconstruction.
  void reconstruct_within(Field marker, Field mask, Field out, i32 reach);
  /// Zeroes what lies within `reach` of a rim at which the window was cut out of the slide (the core is a whole halo away from
  /// it): values there were computed without their neighbours, and a reconstruction would carry them to the core.
  void clear_cut_rims(Field p, i32 reach) { add(Op::clear_cut_rims, {p}, {p}, CutRimParams{reach}); }
  /// Squared distances of `binary` as depths, `units` a pixel, rounded down. `depth` is u16 (saturating) or i32.
  void depth(Field binary, Field depth, i32 units);
  /// Otsu's level of an image, raised to `least`; `spare` as LevelParams has it.
  Register otsu(Field f, i32 least, i32 spare = 0);
  /// Outlines, moments and stain statistics of the labels into the output.
  void measure(Field labels, const StainSet& stains) { measure(labels, stains, {}, {}, 1, 1); }
  /// The same, and by how much `value` stands out from `below`: `level` grey levels are a contrast of 1 (0 is taken as 1), of
  /// an object of typical_area. `stained`: and of what share of its area a stain says so.
  void measure(Field labels, const StainSet& stains, Field value, Field below, i32 level, double typical_area,
               StainedPixels stained = {});

 private:
  Step& add(Op op, std::vector<Field> in, std::vector<Field> out, const StepParams& params, Reach reach = {});
  template <class Fn>
  void block(Op op, const char* name, Fn&& fn) {
    add(op, {}, {}, {}).name = name;
    fn();
    add(Op::end, {}, {}, {});
  }
  Program program_;
};

/// Grey levels per OD of the stain channels: 1.7 OD reach 255, so that dark nuclei are not clipped and pale ones keep 30
/// levels.
inline constexpr i32 kChannelUnits = 150;
/// The channel in which nuclei are bright. "hematoxylin": stain concentration; "red": 255 - R; "darkness": inverted luminance.
void nuclear_channel(Stages& s, Field out, const std::string& image);
/// The same with a recipe's own stains.
void nuclear_channel(Stages& s, Field out, const std::string& image, const StainParams& hematoxylin);
/// The slide's level of a nuclear channel: Otsu's, but at least kLeastLevel (0.08 OD), below which "stain" is glass and camera
/// noise.
inline constexpr i32 kLeastLevel = 12;
inline Register level_of(Stages& s, Field channel) { return s.otsu(channel, kLeastLevel); }

/// One bundled recipe. `overview` records a program whose results are "overview.*" parameters, `run` the recipe itself.
struct Recipe {
  PipelineInfo info;
  i32 (*halo)(const Params&);
  void (*overview)(Stages&);
  void (*run)(Stages&);
};
const Recipe& he_recipe();
const Recipe& ihc_recipe();
const Recipe& fluorescence_recipe();
const Recipe& iwpp_recipe();
const Recipe& max_tree_recipe();
const Recipe& cell_detection_recipe();

}  // namespace morpho::engine
