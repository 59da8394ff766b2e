// What the operations on max-trees check of their arguments, on every device alike. Which variants there are is each device's
// own business.
#pragma once
#include <cmath>

#include "ops.hpp"
#include "require.hpp"

namespace morpho::check {

inline void max_tree(const ConstPlane& f, const Plane& parent, const Plane& order, const MaxTreeParams& p) {
  require_plane("f", f);
  require_plane("parent", parent);
  require_type("f", f, {PixelType::u8, PixelType::u16});
  require_type("parent", parent, {PixelType::i32});
  require_same_extent("parent", f, parent);
  require_apart("parent", parent, f);
  if (order.present()) {
    require_plane("order", order);
    require_type("order", order, {PixelType::i32});
    require_same_extent("order", f, order);
    require_apart("order", order, f);
    require_apart("order", order, parent);
  }
  require_connectivity(p.connectivity);
  require_room_for_padding("f", f.extent);
}

/// A table as max_tree_nodes gives it.
inline void node_table(const ConstPlane& node, const NodeTable& nodes) {
  require_plane("node", node);
  require_type("node", node, {PixelType::i32});
  if (node.extent.empty()) return;
  if (!nodes.parent || !nodes.pixel || !nodes.own || !nodes.altitude || !nodes.first)
    reject("nodes", "a table with memory", "a null pointer");
  require_range("nodes.count", nodes.count, 1, node.extent.area());
}

/// Sets nodes.count to what an image of this extent has at least.
inline void max_tree_nodes(const ConstPlane& f, const ConstPlane& parent, const ConstPlane& order, const Plane& node,
                           NodeTable& nodes) {
  require_plane("f", f);
  require_plane("parent", parent);
  require_plane("order", order);
  require_type("f", f, {PixelType::u8, PixelType::u16});
  require_type("parent", parent, {PixelType::i32});
  require_type("order", order, {PixelType::i32});
  require_same_extent("parent", f, parent);
  require_same_extent("order", f, order);
  require_same_extent("node", f, node);
  for (const ConstPlane& input : {f, parent, order}) require_apart("node", node, input);
  nodes.count = f.extent.empty() ? 0 : 1;
  node_table(node, nodes);
}

inline void attribute_filter(const ConstPlane& node, const NodeTable& nodes, const Plane& out, const AttributeFilterParams& p) {
  node_table(node, nodes);
  require_plane("out", out);
  require_type("out", out, {PixelType::u8, PixelType::u16});
  require_same_extent("out", node, out);
  require_apart("out", out, node);
  if (static_cast<int>(p.attribute) > static_cast<int>(Attribute::mean)) {
    reject("attribute", "one of the ten attributes", std::to_string(static_cast<int>(p.attribute)));
  }
  if (static_cast<int>(p.rule) > static_cast<int>(FilterRule::subtractive)) {
    reject("rule", "direct, min, max or subtractive", std::to_string(static_cast<int>(p.rule)));
  }
  if (std::isnan(p.at_least)) reject("at_least", "a number", "NaN");
}

inline void area_open(const ConstPlane& f, const Plane& out, const AreaOpenParams& p) {
  require_grey_pair(f, out);
  require_apart("out", out, f);
  require_connectivity(p.connectivity);
  require_room_for_padding("f", f.extent);
  if (p.area < 1) reject("area", "an area of at least 1 pixel", std::to_string(p.area));
}

}  // namespace morpho::check
