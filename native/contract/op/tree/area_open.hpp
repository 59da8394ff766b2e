// area_open: removes components of upper (lower) level sets that are smaller than an area.
#pragma once
#include "attribute_filter.hpp"
#include "max_tree_nodes.hpp"

namespace morpho {

struct AreaOpenParams {
  i32 area = 1;  ///< components of an upper (lower) level set with fewer pixels go; the root is always kept
  Connectivity connectivity = Connectivity::eight;
  bool closing = false;
  static constexpr void visit(auto& p, auto&& v) {
    v(op::required(op::whole("area", "the smallest area that stays, px", 1, op::kMostInt)), p.area);
    v(op::kConnectivity, p.connectivity);
    v(op::Spec{"closing", "of lower level sets instead"}, p.closing);
  }
  bool operator==(const AreaOpenParams& o) const { return op::same(*this, o); }
};

namespace op {

/// Area opening (closing): attribute_filter by area, from the image alone.
struct area_open : Operation<area_open, void(Context&, ConstPlane, Plane, const AreaOpenParams&)> {
  static constexpr Slot in[] = {{"f", "image", "grey values", grey}};
  static constexpr Slot out[] = {{"out", "out", "as the image", grey, 0}};
  static inline const ByName<Params> by_name[] = {
      {"area-open", "removes components of upper level sets that are smaller than an area", nullptr, {}, {"closing"}},
      {"area-close",
       "removes components of lower level sets that are smaller than an area",
       nullptr,
       {1, Connectivity::eight, true},
       {"closing"}}};
  static void check_more(const ConstPlane& f, const Plane&, const Params&) { require_room_for_padding("f", f.extent); }
  static Reach reach(const Params&) { return kGlobal; }
  /// 22 bytes a pixel, and the largest need of max_tree, max_tree_nodes and attribute_filter by area.
  static i64 cpu_need(const need::Image& i, const Params& = {}) {
    return 22 * i.area() + 4 * (node_tiles(i.extent) + 1) +
           std::max({max_tree::cpu_need(i), max_tree_nodes::cpu_need(i), attribute_filter::cpu_need(i, Attribute::area)}) +
           need::kSlack;
  }
  // No rule of certainty: nobody asks yet.
};

}  // namespace op
}  // namespace morpho
