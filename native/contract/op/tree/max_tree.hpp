// max_tree: the tree of the components of upper (lower) level sets.
#pragma once
#include "../../node_table.hpp"
#include "../certainty.hpp"

namespace morpho {

enum class MaxTreeVariant : std::uint8_t {
  /// CPU: tile_merge, always (max_tree.cpp, max_tree_parent). GPU: trees of tiles joined along their borders, u16 by bands of
  /// values first; union_find and tile_merge are the same there (max_tree.cu, build; max_tree_parent.cuh, kBandShift).
  automatic,
  union_find,         ///< pixels sorted by value, joined from the highest down (Berger 2007)
  flooding,           ///< one flood with a stack of levels (Salembier 1998, Wilkinson 2011)
  tile_merge,         ///< trees of tiles in parallel, joined along their borders (Blin 2021 §3)
  column_union_find,  ///< trees of columns, joined by a concurrent union-find, GPU only (Blin 2021 §4)
  border_trees,       ///< the same; tiles meet through the trees of their borders alone, GPU only (Blin 2021 §6)
};
template <>
struct Names<MaxTreeVariant> {
  using enum MaxTreeVariant;
  static constexpr Named<MaxTreeVariant> all[] = {
      {automatic, "auto"},
      {union_find, "union-find"},
      {flooding, "flooding"},
      {tile_merge, "tile-merge"},
      {column_union_find, "column-union-find"},
      {border_trees, "border-trees"},
  };
};
template <>
struct Absent<MaxTreeVariant> {
  using enum MaxTreeVariant;
  static constexpr MaxTreeVariant cpu[] = {column_union_find, border_trees}, gpu[] = {flooding};
  static constexpr int on_cpu = 2, on_gpu = 1;
};

struct MaxTreeParams {
  Connectivity connectivity = Connectivity::eight;
  bool min_tree = false;  ///< the same on the inverted image
  MaxTreeVariant variant = MaxTreeVariant::automatic;
  static constexpr void visit(auto& p, auto&& v) {
    v(op::kConnectivity, p.connectivity);
    v(op::Spec{"min_tree", "the tree of lower level sets instead"}, p.min_tree);
    v(op::Spec{"variant", "algorithm; every one gives the same tree"}, p.variant);
  }
  bool operator==(const MaxTreeParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Max-tree (min-tree) of f (u8, u16). `parent` i32: canonical pixel of a node = smallest index among its own-level pixels;
/// canonical: index of the parent node's canonical pixel (root: itself); others: their node's canonical pixel. Unique.
/// `order` i32, a permutation of all pixels in which every parent comes before its children (roots first): ascending
/// altitude, then index; may be absent (default-constructed) where nobody needs it. Source: Berger 2007, Blin 2021 §3.
struct max_tree : Operation<max_tree, void(Context&, ConstPlane, Plane, Plane, const MaxTreeParams&)> {
  static constexpr Slot in[] = {{"f", "image", "grey values", grey}};
  static constexpr Slot out[] = {{"parent", "parent", "canonical pixel of the node, or of its parent node", i32_only},
                                 {"order", "order", "every parent before its children", i32_only, -1, true}};
  static void check_more(const ConstPlane& f, const Plane&, const Plane&, const Params&) {
    require_room_for_padding("f", f.extent);
  }
  static Reach reach(const Params&) { return kGlobal; }
  /// 1/8 byte a pixel and 0.5 MB a thread, of 16 bits 4 1/8 and 0.75 MB; union_find 8 bytes a pixel; flooding 9 bytes and one
  /// image. Then 4 bytes a grey level and thread for the order.
  static i64 cpu_need(const need::Image& i, const Params& p = {}) {
    const i64 order = 4 * i.levels() * i.workers();
    i64 tree = i.area() / 8 + 500'000 * i.workers();
    if (i.bytes() == 2) tree += 4 * i.area() + 250'000 * i.workers();
    if (p.variant == MaxTreeVariant::union_find) tree = 8 * i.area() + order;
    if (p.variant == MaxTreeVariant::flooding) tree = i.padded() * (9 + i.bytes()) + 8 * i.levels();
    return std::max(tree, order) + need::kSlack;
  }
  /// No pixel of the tree is looked at but by a choice of its nodes, whose rule follows the image that the tree is of.
  struct Certainty {
    static constexpr Frame frame(const StepFacts&, const MaxTreeParams& p) {
      return p.min_tree ? Frame::unknown : Frame::inputs;
    }
    static void before(auto& d, const MaxTreeParams& p) { d.tree_of(p.connectivity); }
  };
};

/// `known` bytes for each node of one tile a thread, and for those that span tiles: never more threads than keep these below
/// one a pixel.
inline i64 component_sums_need(const need::Image& i, i64 known) {
  const i64 tile = kNodeTile.area();
  return known * (i.area() + std::min(tile, i.area()) * i.workers());
}
/// A table as max_tree_nodes gives it.
inline void check_node_table(const ConstPlane& node, const NodeTable& nodes) {
  require_plane("node", node);
  require_type("node", node, {PixelType::i32});
  if (node.extent.empty()) return;
  if (!nodes.parent || !nodes.pixel || !nodes.own || !nodes.altitude || !nodes.first)
    reject("nodes", "a table with memory", "a null pointer");
  require_range("nodes.count", nodes.count, 1, node.extent.area());
}

}  // namespace op
}  // namespace morpho
