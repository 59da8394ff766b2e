// Max-tree nuclei: the nodes of the nuclear channel's max-tree that look most like nuclei, no two of them nested.
#include "recipe_steps.hpp"

namespace morpho::engine {
namespace max_tree_nuclei {
namespace {

constexpr i32 kLevelUnits = 256;

struct Values {
  std::string image;
  double smoothing, level, min_area, max_area, max_elongation, min_ellipticity, min_contrast;
  i32 shape_power;
  double hole_area, open_radius;

  explicit Values(const Params& p)
      : image(p.choice("channel.image", {"hematoxylin", "red", "darkness"})),
        smoothing(p.number("channel.smoothing", 0, 16)),
        level(p.number("nodes.level", 0, 4)),
        min_area(p.number("nodes.minArea", 0, 1e8)),
        max_area(p.number("nodes.maxArea", 0, 1e8)),
        max_elongation(p.number("nodes.maxElongation", 1, 100)),
        min_ellipticity(p.number("nodes.minEllipticity", 0, 1.2)),
        min_contrast(p.number("nodes.minContrast", 0, 4)),
        shape_power(static_cast<i32>(p.number("nodes.shapeWeight", 0, 16))),
        hole_area(p.number("objects.holeArea", 0, 1e8)),
        open_radius(p.number("objects.openRadius", 0, 200)) {}
};

/// The longest axis of the largest node wanted (an ellipse has area = π/4 length² / elongation, elongations above 4 being rare
/// at that size), so that every node that could be chosen over a core pixel lies in the window, with all its descendants.
i32 halo(const Params& params) {
  const Values v(params);
  const double longest = std::sqrt(4 / 3.14159265358979 * v.max_area * std::fmin(v.max_elongation, 4));
  return gaussian_reach(v.smoothing) + 2 * radius_px(v.open_radius) + static_cast<i32>(std::ceil(longest));
}

void channel(Stages& s, const Values& v, Field out) {
  nuclear_channel(s, out, v.image);
  s.gaussian(out, out, v.smoothing);
}

void overview(Stages& s) {
  Field f = s.plane_u8();
  channel(s, Values(s.params), f);
  s.result("overview.level", level_of(s, f));
}

/// What makes a node acceptable, and how well it looks, in integers.
NodeRule rule_of(const Values& v, i32 slide_level) {
  NodeRule r;
  r.min_area = objects::whole_area(v.min_area);
  r.end_area = objects::whole_area(v.max_area);
  r.level = static_cast<i32>(std::ceil(v.level * slide_level));
  r.contrast = static_cast<i64>(std::floor(v.min_contrast * slide_level * kLevelUnits + 0.5));
  r.elongation = objects::elongation_factor(v.max_elongation);
  r.ellipticity = objects::ellipticity_factor(v.min_ellipticity);
  r.shape_power = v.shape_power;
  return r;
}

void run(Stages& s) {
  const Values v(s.params);
  const i32 level = static_cast<i32>(s.params.number("overview.level", 0, 255));
  Field f = s.plane_u8(), parent = s.plane_i32(), order = s.plane_i32(), node = s.plane_i32(), marker = s.plane_u8(),
        labels = s.plane_i32();
  s.stage("channel", [&] { channel(s, v, f); });
  s.keep("channel", f);
  // 4-connected: thin diagonal bridges between nuclei then do not join them.
  s.stage("tree", [&] { s.max_tree(f, parent, order, Connectivity::four); });
  s.stage("nodes", [&] {
    s.choose_nodes(f, parent, order, node, marker, rule_of(v, level));
    const double slide = level > 0 ? level : 1;
    s.decided({{Decides::min_area, "nodes.minArea", v.min_area},
               {Decides::end_area, "nodes.maxArea", v.max_area},
               {Decides::level, "nodes.level", v.level, slide},
               {Decides::contrast, "nodes.minContrast", v.min_contrast, slide},
               {Decides::elongation, "nodes.maxElongation", v.max_elongation},
               {Decides::ellipticity, "nodes.minEllipticity", v.min_ellipticity},
               {Decides::rival, "nodes.shapeWeight", double(v.shape_power)}});
  });
  s.keep("marker", marker, true);
  s.stage("objects", [&] {
    Field parts = s.plane_u8();
    s.fill_small_holes(marker, parts, area_px(v.hole_area), Connectivity::eight);
    s.decided({{Decides::hole_area, "objects.holeArea", v.hole_area}});
    s.morphology(parts, parts, Morphology::open, Shape::disk, radius_px(v.open_radius));
    s.decided({{Decides::opened, "objects.openRadius", v.open_radius}});
    s.area_filter(parts, parts, area_px(v.min_area), 2147483647, Connectivity::four);
    s.decided({{Decides::min_area, "nodes.minArea", v.min_area}});
    s.keep("mask", parts, true);
    s.label(parts, labels, Connectivity::four);
  });
  s.keep("labels", labels);
  s.stage("measure", [&] { s.measure(labels, stain_set("h-e")); });
}

}  // namespace
}  // namespace max_tree_nuclei

const Recipe& max_tree_recipe() {
  static const Recipe r{{"max-tree-nuclei", {"channel", "marker", "mask", "labels"}, 43, 1572864},
                        max_tree_nuclei::halo,
                        max_tree_nuclei::overview,
                        max_tree_nuclei::run};
  return r;
}

}  // namespace morpho::engine
