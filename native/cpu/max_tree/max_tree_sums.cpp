// Sums over the pixels of every node of a max-tree.
#include <algorithm>
#include <limits>

#include "cpu/cpu_ops.hpp"
#include "cpu/max_tree/max_tree_nodes.hpp"
#include "cpu/max_tree/node_tiles.hpp"
#include "contract/check_tree.hpp"
#include "contract/node_attribute.hpp"

namespace morpho::cpu {
namespace {

template <bool MinTree>
struct AllSums {
  static constexpr bool needs_places = true;
  NodeSums s;
  void begin(i32 altitude, i64 own) {
    constexpr i32 far = std::numeric_limits<i32>::max();
    s = {own, own * altitude, 0, 0, 0, 0, 0, far, far, -1, -1, altitude, altitude, altitude};
  }
  void run(i32 x0, i32 x1, i32 y) {
    u64 x_sum = 0, xx_sum = 0;
    for (u64 x = static_cast<u64>(x0); x < static_cast<u64>(x1); ++x) x_sum += x, xx_sum += x * x;
    const u64 n = static_cast<u64>(x1 - x0), row = static_cast<u64>(y);
    add_to_sum(s.sum_x, x_sum), add_to_sum(s.sum_y, n * row);
    add_to_sum(s.sum_xx, xx_sum), add_to_sum(s.sum_yy, n * row * row), add_to_sum(s.sum_xy, x_sum * row);
    s.min_x = std::min(s.min_x, x0), s.min_y = std::min(s.min_y, y);
    s.max_x = std::max(s.max_x, x1 - 1), s.max_y = std::max(s.max_y, y);
  }
  void add(const AllSums& o) {
    s.area += o.s.area, s.sum_value += o.s.sum_value;
    add_to_sum(s.sum_x, o.s.sum_x), add_to_sum(s.sum_y, o.s.sum_y);
    add_to_sum(s.sum_xx, o.s.sum_xx), add_to_sum(s.sum_yy, o.s.sum_yy), add_to_sum(s.sum_xy, o.s.sum_xy);
    s.min_x = std::min(s.min_x, o.s.min_x), s.min_y = std::min(s.min_y, o.s.min_y);
    s.max_x = std::max(s.max_x, o.s.max_x), s.max_y = std::max(s.max_y, o.s.max_y);
    s.peak = MinTree ? std::min(s.peak, o.s.peak) : std::max(s.peak, o.s.peak);
  }
};

template <bool MinTree>
void sum_nodes(Context& ctx, View<const i32> node, const NodeTable& nodes, NodeSums* sums) {
  sum_components<AllSums<MinTree>>(ctx, node, nodes, false, [&](i32 i, const AllSums<MinTree>& all) {
    sums[i] = all.s;
    sums[i].parent_value = nodes.altitude[nodes.parent[i]];
  });
}

}  // namespace

/// Shape: node and nodes as max_tree_nodes gives them; sums: nodes.count elements, in the table's order. Units: px, grey
/// values.
/// Cost: one pass over the pixels, one over the nodes, by tiles in parallel. Memory: 88 bytes for the nodes of a tile and for
/// those that span tiles, a thread. Source: Berger 2007 §3; Salembier 1998 (attributes).
/// Second moments are modulo 2^64, exact where the sum of x² over the component fits an i64 (46340 squared does).
void max_tree_sums(Context& ctx, ConstPlane node, const NodeTable& nodes, NodeSums* sums, bool min_tree) {
  check::node_table(node, nodes);
  if (node.extent.empty()) return;
  if (!sums) reject("sums", "an array of " + std::to_string(nodes.count) + " elements", "a null pointer");
  if (min_tree) sum_nodes<true>(ctx, node.view<i32>(), nodes, sums);
  else sum_nodes<false>(ctx, node.view<i32>(), nodes, sums);
}

}  // namespace morpho::cpu
