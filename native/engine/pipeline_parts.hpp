// What every recipe is written with: planes in the workspace, timed stages, and operations of the table by short names.
#pragma once
#include <cmath>

#include "../contract/object_choice.hpp"
#include "pipeline.hpp"

namespace morpho::engine {

/// A length in px as a radius: rounded to nearest, halves up.
inline i32 radius_px(double length) { return static_cast<i32>(std::floor(length + 0.5)); }
/// An area in px² as a pixel count: rounded to nearest, halves up.
inline i32 area_px(double area) { return static_cast<i32>(std::floor(area + 0.5)); }
/// The halo that a reconstruction of an opening by this radius asks for. Without a limit (reach 0) no halo is exact: eight
/// radii then keep most objects the same (test/bench/results/quality.md).
inline i32 reconstruction_halo(i32 radius, i32 reach) { return 2 * radius + (reach > 0 ? reach : 8 * radius); }
/// How far a Gaussian of this sigma reaches, as ops.hpp states it.
inline i32 gaussian_reach(double sigma) { return static_cast<i32>(std::ceil(3 * sigma)); }

/// One window on its way through a recipe. Planes live until the Stages object ends, or until the Scope they were taken in. On
/// a GPU the window is uploaded at the start; what is decided about objects is decided there, and planes come down only to be
/// looked at: keep().
class Stages {
 private:
  Place& place_;
  Workspace::Scope scope_, host_scope_;  // before all that takes memory

 public:
  /// `halo` tells the window's rims that are cuts from those that are the slide's own edge: see clear_cut_rims.
  Stages(Place& place, const Params& params, View<const Rgba> rgba, Rect core, i32 halo, bool want_planes, WindowOutput* out)
      : place_(place),
        scope_(place.context().workspace),
        host_scope_(place.host_workspace()),
        ops(place.ops()),
        ctx(place.context()),
        params(params),
        rgba(placed(rgba)),
        extent(rgba.extent),
        core_(core),
        halo_(halo),
        want_planes_(want_planes),
        out_(out) {}

  const OpTable& ops;
  Context& ctx;
  const Params& params;
  const View<const Rgba> rgba;
  const Extent extent;

  /// Runs fn as one stage: refuses to start once cancelled, and notes what it cost but for its transfers. Temporary planes
  /// taken inside go when it ends: what is enqueued later comes later. The host does not wait for a stage's end.
  template <class Fn>
  void stage(const char* name, Fn&& fn, const char* variant = "auto") {
    ctx.check_cancelled();
    Span span{name, variant, place_.mark(), 0, place_.waits()};
    {
      Workspace::Scope temporary(ctx.workspace), host_temporary(place_.host_workspace());
      fn();
    }
    span.to = place_.mark();
    span.waits = place_.waits() - span.waits;
    spans_.push_back(span);
  }
  /// Writes what the stages cost, and the window's transfers where there are any. Called once, after the last stage. sync:
  /// times are known when the work is done.
  void note_times();

  Plane plane(PixelType type) {
    const std::size_t n = static_cast<std::size_t>(extent.area());
    return Plane(ctx.workspace.take<u8>(n * pixel_bytes(type)), type, extent);
  }
  Plane plane_u8() { return plane(PixelType::u8); }
  Plane plane_u16() { return plane(PixelType::u16); }
  Plane plane_i32() { return plane(PixelType::i32); }

  bool wants_planes() const { return want_planes_; }
  /// Gives the core part of an intermediate image away, if planes were asked for.
  void keep(const char* name, ConstPlane p, bool binary = false);
  /// The same for an i32 or u16 image to look at: (v * multiply) >> shift, clamped to grey 0..255.
  void keep_scaled(const char* name, ConstPlane p, i32 multiply, i32 shift);

  // Operations with their parameters in line. Each writes `out` and returns nothing, as the table's entries do.
  void morphology(ConstPlane f, Plane out, Morphology kind, Shape shape, i32 radius) {
    ops.morphology(ctx, f, out, {kind, shape, radius});
  }
  void gaussian(ConstPlane f, Plane out, double sigma) { ops.gaussian(ctx, f, out, {sigma}); }
  void box_mean(ConstPlane f, Plane out, i32 radius) { ops.box_mean(ctx, f, out, {radius}); }
  void threshold(ConstPlane f, Plane out, i32 above) { ops.threshold(ctx, f, out, {above}); }
  void combine(ConstPlane a, ConstPlane b, Plane out, Combine kind) { ops.combine(ctx, a, b, out, {kind}); }
  void scale(ConstPlane a, Plane out, i32 multiply, i64 add = 0, i32 shift = 0) {
    ops.scale(ctx, a, out, {multiply, add, shift});
  }
  void reconstruct(ConstPlane marker, ConstPlane mask, Plane out, Connectivity c = Connectivity::eight) {
    ops.reconstruct(ctx, marker, mask, out, {By::dilation, c, ReconstructVariant::automatic});
  }
  /// Fills holes: 4-connected ones of an 8-connected foreground, 8-connected ones of a 4-connected foreground (such as
  /// watershed parts, whose separating lines would otherwise be filled). In place allowed, unlike the table's entry.
  void fill_holes(ConstPlane binary, Plane out, Connectivity holes = Connectivity::four);
  void area_filter(ConstPlane f, Plane out, i32 min_area, i32 end_area, Connectivity c = Connectivity::eight) {
    ops.area_filter(ctx, f, out, {c, min_area, end_area});
  }
  i32 label(ConstPlane f, Plane out, Connectivity c = Connectivity::eight) { return ops.label(ctx, f, out, {c}); }
  /// out: the pixels of labels 1..count that the rule keeps, with new labels 1, 2, … in ascending order of the old ones (u8:
  /// 255 at most). `value` and `below` may be absent where the rule asks for neither contrast nor mean. In place allowed.
  void choose_labels(ConstPlane labels, i32 count, ConstPlane value, ConstPlane below, Plane out, const LabelRule& rule);
  /// The same for holes of fewer than end_area pixels only. Background that reaches the window's rim is no hole.
  void fill_small_holes(ConstPlane binary, Plane out, i32 end_area, Connectivity holes = Connectivity::four);
  /// Reconstruction by dilation that goes at most `reach` px from the marker (8-connected steps): so many geodesic dilations.
  /// Unlike the full one its halo is known, so that a window gives what the whole slide gives. reach 0: the full
  /// reconstruction.
  void reconstruct_within(ConstPlane marker, ConstPlane mask, Plane out, i32 reach);
  /// Zeroes what lies within `reach` of a rim at which the window was cut out of the slide (the core is a whole halo away from
  /// it): values there were computed without their neighbours, and a reconstruction would carry them to the core.
  void clear_cut_rims(Plane p, i32 reach);
  /// Squared distances of `binary` as depths, `units` a pixel, rounded down. `depth` is u16 (saturating) or i32.
  void depth(ConstPlane binary, Plane depth, i32 units);
  /// Outlines, moments and stain statistics of the labels into the output.
  void measure(ConstPlane labels, const StainSet& stains);

 private:
  View<const Rgba> placed(View<const Rgba> host);
  /// n elements in the place's memory as the host sees them. sync: nothing moves on the CPU; a GPU's are downloaded, valid as
  /// long as the place's host workspace keeps them.
  const u8* read(const u8* from, std::size_t n) {
    if (place_.on_host() || n == 0) return from;
    u8* copy = place_.host_workspace().take<u8>(n);
    place_.download(copy, from, n);  // sync: the caller looks at them
    return copy;
  }
  /// A stage between two points of the place's time.
  struct Span {
    const char *name, *variant;
    std::size_t from, to;
    u64 waits;
  };
  Rect core_;
  i32 halo_;
  bool want_planes_;
  WindowOutput* out_;
  std::vector<Span> spans_;
};

/// Grey levels per OD of the stain channels: 1.7 OD reach 255, so that dark nuclei are not clipped and pale ones keep 30
/// levels.
inline constexpr i32 kChannelUnits = 150;
/// The channel in which nuclei are bright. "hematoxylin": stain concentration; "red": 255 - R; "darkness": inverted luminance.
void nuclear_channel(Stages& s, Plane out, const std::string& image);
/// The slide's level of a nuclear channel: Otsu's, but at least kLeastLevel (0.08 OD), below which "stain" is glass and camera
/// noise.
inline constexpr i32 kLeastLevel = 12;
i32 level_of(Stages& s, ConstPlane channel);

/// One bundled recipe. `overview` adds "overview.*" entries; `run` fills the output that its Stages was given.
struct Recipe {
  PipelineInfo info;
  i32 (*halo)(const Params&);
  void (*overview)(Stages&, Params& result);
  void (*run)(Stages&);
};
const Recipe& he_recipe();
const Recipe& iwpp_recipe();
const Recipe& max_tree_recipe();
const Recipe& cell_detection_recipe();

}  // namespace morpho::engine
