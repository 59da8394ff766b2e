// Max-tree nuclei: the nodes of the nuclear channel's max-tree that look most like nuclei, no two of them nested.
#include <algorithm>

#include "pipeline_objects.hpp"
#include "pipeline_parts.hpp"

namespace morpho::engine {
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

void channel(Stages& s, const Values& v, Plane out) {
  nuclear_channel(s, out, v.image);
  s.gaussian(out, out, v.smoothing);
}

void overview(Stages& s, Params& result) {
  Plane f = s.plane_u8();
  channel(s, Values(s.params), f);
  result.set("overview.level", static_cast<double>(level_of(s, f)));
}

/// What makes a node acceptable, and how well it looks, in integers.
class NodeChoice {
 public:
  NodeChoice(const Values& v, i32 slide_level)
      : values_(v),
        elliptic_(v.min_ellipticity),
        elongation_(v.max_elongation),
        level_(static_cast<i64>(std::ceil(v.level * slide_level))),
        contrast_(static_cast<i64>(std::floor(v.min_contrast * slide_level * kLevelUnits + 0.5))) {}

  /// 0 where the node is not acceptable; else sqrt(area) * ellipticity^power: one well-shaped node beats its ragged parent, and
  /// beats its own fragments unless these are better shaped.
  i64 score(const NodeSums& n) const {
    if (n.area < values_.min_area || n.area >= values_.max_area || n.value < level_) return 0;
    if ((n.sum_value - n.parent_value * n.area) * kLevelUnits < contrast_ * n.area) return 0;
    const ObjectSums sums{n.area, n.sum_x, n.sum_y, n.sum_xx, n.sum_yy, n.sum_xy, 0, 0, 0};
    if (!elongation_.passes(sums) || !elliptic_.passes(sums)) return 0;
    const i64 shape = ellipticity_q10(sums);
    i64 power = 1024;
    for (i32 k = 0; k < values_.shape_power; ++k) power = (power * shape) >> 10;
    // The square root of a whole number and a product by a power of two are exact roundings: the same on every machine.
    const i64 score = (static_cast<i64>(std::sqrt(static_cast<double>(n.area)) * 1024) * power) >> 10;
    return score > 1 ? score : 1;
  }

 private:
  const Values& values_;
  EllipticityTest elliptic_;
  ElongationTest elongation_;
  i64 level_, contrast_;
};

/// The set of acceptable nodes, none inside another, with the largest total score (a node wins a tie over its descendants),
/// painted as 1. One pass up the tree decides, one pass down paints.
void choose_nodes(Stages& s, const NodeChoice& choice, ConstPlane node, const NodeTable& nodes, const NodeSums* computed_sums, Plane out) {
  const std::size_t count = static_cast<std::size_t>(nodes.count);
  const NodeSums* sums = s.read(computed_sums, count);
  const i32* parent = s.read(static_cast<const i32*>(nodes.parent), count);
  u8* chosen = s.host_memory<u8>(count);
  i64* best = s.host_memory<i64>(count);
  std::fill_n(best, count, 0);
  for (i32 i = 0; i < nodes.count; ++i) {  // children before their parents
    const i64 own = choice.score(sums[i]);
    chosen[i] = own > 0 && own >= best[i];
    if (chosen[i]) best[i] = own;
    if (parent[i] != i) best[parent[i]] += best[i];
  }
  s.ctx.check_cancelled();
  for (i32 i = nodes.count - 2; i >= 0; --i) chosen[i] |= chosen[parent[i]];
  const View<const i32> places = s.read<i32>(node);
  s.edit<u8>(out, [&](View<u8> marker) {
    for (i32 y = 0; y < places.height(); ++y) {
      for (i32 x = 0; x < places.width(); ++x) marker.at(x, y) = chosen[places.at(x, y)];
    }
  });
}

void run(Stages& s) {
  const Values v(s.params);
  const i32 level = static_cast<i32>(s.params.number("overview.level", 0, 255));
  Plane f = s.plane_u8(), parent = s.plane_i32(), order = s.plane_i32(), node = s.plane_i32(), marker = s.plane_u8(), labels = s.plane_i32();
  s.stage("channel", [&] { channel(s, v, f); });
  s.keep("channel", f);
  // 4-connected: thin diagonal bridges between nuclei then do not join them.
  s.stage("tree", [&] { s.ops.max_tree(s.ctx, f, parent, order, {Connectivity::four, false}); });
  s.stage("nodes", [&] {
    const Workspace::Scope scope(s.ctx.workspace);
    NodeTable nodes = take_node_table(s.ctx.workspace, s.extent);
    s.ops.max_tree_nodes(s.ctx, f, parent, order, node, nodes);
    NodeSums* sums = s.ctx.workspace.take<NodeSums>(static_cast<std::size_t>(nodes.count));
    s.ops.max_tree_sums(s.ctx, node, nodes, sums, false);
    choose_nodes(s, NodeChoice(v, level), node, nodes, sums, marker);
  });
  s.keep("marker", marker, true);
  s.stage("objects", [&] {
    Plane parts = s.plane_u8();
    s.fill_small_holes(marker, parts, area_px(v.hole_area), Connectivity::eight);
    s.morphology(parts, parts, Morphology::open, Shape::disk, radius_px(v.open_radius));
    s.area_filter(parts, parts, area_px(v.min_area), 2147483647, Connectivity::four);
    if (s.wants_planes()) s.keep("mask", parts, true);
    s.label(parts, labels, Connectivity::four);
  });
  s.keep("labels", labels);
  s.stage("measure", [&] { s.measure(labels, stain_set("h-e")); });
}

}  // namespace

const Recipe& max_tree_recipe() {
  static const Recipe r{{"max-tree-nuclei", {"channel", "marker", "mask", "labels"}}, halo, overview, run};
  return r;
}

}  // namespace morpho::engine
