// attribute_filter: keeps the nodes of a max-tree whose attribute is large enough.
#pragma once
#include "max_tree.hpp"

namespace morpho {

/// Attributes of a node's component, all from its NodeSums (p: the parent's altitude; the root's parent is itself):
/// * area: px; volume: sum |value - p|; box_width, box_height, box_diagonal: px, inclusive;
/// * height: |peak - p|; contrast: |mean - p|; mean: of the grey values;
/// * elongation: sqrt(l1 / l2) >= 1, the ratio of the axes; l1 >= l2 are the eigenvalues of the pixels' covariance with each
/// pixel a
///   unit square (1/12 added to both variances);
/// * inertia: (mu20 + mu02) / area² of the pixel centres (Hu's first moment: 1/2π for a disk, more for any other shape).
/// Doubles from exact integer sums by + - * / sqrt alone, so the same on every IEEE machine that does not contract.
enum class Attribute : u8 { area, height, volume, box_width, box_height, box_diagonal, elongation, inertia, contrast, mean };
template <>
struct Names<Attribute> {
  using enum Attribute;
  static constexpr Named<Attribute> all[] = {
      {area, "area"},
      {height, "height"},
      {volume, "volume"},
      {box_width, "box-width"},
      {box_height, "box-height"},
      {box_diagonal, "box-diagonal"},
      {elongation, "elongation"},
      {inertia, "inertia"},
      {contrast, "contrast"},
      {mean, "mean"},
  };
};
enum class FilterRule : u8 { direct, min, max, subtractive };
template <>
struct Names<FilterRule> {
  using enum FilterRule;
  static constexpr Named<FilterRule> all[] = {{direct, "direct"}, {min, "min"}, {max, "max"}, {subtractive, "subtractive"}};
};

struct AttributeFilterParams {
  Attribute attribute = Attribute::area;
  FilterRule rule = FilterRule::direct;
  double at_least = 0;  ///< a node is kept where its attribute >= this
  bool min_tree = false;
  static constexpr void visit(auto& p, auto&& v) {
    v(op::Spec{"attribute", "what a node is judged by"}, p.attribute);
    v(op::Spec{"rule", "what becomes of a node that fails"}, p.rule);
    v(op::required(op::real("at_least", "a node is kept where its attribute is at least this", -1e18, 1e18)), p.at_least);
    v(op::Spec{"min_tree", "the tree of lower level sets instead"}, p.min_tree);
  }
  bool operator==(const AttributeFilterParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Filters by one attribute, from what max_tree_nodes gave; `out` has the type of the image the tree is of. Rules: direct (a
/// removed node takes its nearest kept ancestor's altitude), min (a node is kept where it and all its ancestors pass), max
/// (kept where it or a descendant passes), subtractive (removed contrast is subtracted from the descendants too). The root is
/// always kept.
/// Source: Salembier 1998, Urbach 2007.
struct attribute_filter : ArrayOperation<void(Context&, ConstPlane, const NodeTable&, Plane, const AttributeFilterParams&)> {
  static void check(const ConstPlane& node, const NodeTable& nodes, const Plane& out, const AttributeFilterParams& p) {
    static constexpr Slot in{"node", "", "", i32_only};
    static constexpr Slot to{"out", "", "", grey};
    check_node_table(node, nodes);
    check_images(&in, &node, 1, &to, &out, 1);
    check_params(p);
  }
  /// One image and 1 byte a node; for the nodes of a tile and those that span tiles, a thread: area 4 bytes, height 8, box,
  /// volume, contrast and mean 16, elongation and inertia 64.
  static i64 cpu_need(const need::Image& i, Attribute attribute) {
    const bool moments = attribute == Attribute::elongation || attribute == Attribute::inertia;
    const i64 known = attribute == Attribute::area ? 4 : attribute == Attribute::height ? 8 : moments ? 64 : 16;
    return i.area() * (i.bytes() + 1) + component_sums_need(i, known) + need::kSlack;
  }
};

}  // namespace op
}  // namespace morpho
