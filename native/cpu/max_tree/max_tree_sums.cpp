// Sums over the pixels of every node of a max-tree.
#include <algorithm>
#include <limits>

#include "cpu/cpu_ops.hpp"
#include "cpu/max_tree/max_tree_nodes.hpp"
#include "cpu/max_tree/node_tiles.hpp"

namespace morpho::cpu {
namespace {

/// What is gathered of a node: what NodeSums have, but for what the table says. The fewer bytes, the more of a tile's nodes lie
/// in the second cache.
template <bool MinTree>
struct AllSums {
  static constexpr bool needs_places = true;
  i32 area, peak;
  i32 min_x, min_y, max_x, max_y;
  i64 value;
  u64 x, y, xx, yy, xy;  ///< modulo 2^64, as add_to_sum() says
  void begin(i32 altitude, i64 own) {
    constexpr i32 far = std::numeric_limits<i32>::max();
    *this = {static_cast<i32>(own), altitude, far, far, -1, -1, own * altitude, 0, 0, 0, 0, 0};
  }
  void run(i32 x0, i32 x1, i32 row) {
    const RunSums run(x0, x1);
    const u64 at = static_cast<u64>(row), rows = run.n * at;
    x += run.x, y += rows, xx += run.xx, yy += rows * at, xy += run.x * at;
    min_x = std::min(min_x, x0), min_y = std::min(min_y, row);
    max_x = std::max(max_x, x1 - 1), max_y = std::max(max_y, row);
  }
  void add(const AllSums& o) {
    area += o.area, value += o.value, x += o.x, y += o.y, xx += o.xx, yy += o.yy, xy += o.xy;
    min_x = std::min(min_x, o.min_x), min_y = std::min(min_y, o.min_y);
    max_x = std::max(max_x, o.max_x), max_y = std::max(max_y, o.max_y);
    peak = MinTree ? std::min(peak, o.peak) : std::max(peak, o.peak);
  }
  NodeSums sums(i32 altitude, i32 above) const {
    const auto whole = [](u64 v) { return static_cast<i64>(v); };
    return {area,  value, whole(x), whole(y), whole(xx), whole(yy), whole(xy),
            min_x, min_y, max_x,    max_y,    altitude,  peak,      above};
  }
};

template <bool MinTree>
void sum_nodes(Context& ctx, View<const i32> node, const NodeTable& nodes, NodeSums* sums) {
  sum_components<AllSums<MinTree>>(ctx, node, nodes, false, [&](i32 i, const AllSums<MinTree>& all) {
    sums[i] = all.sums(nodes.altitude[i], nodes.altitude[nodes.parent[i]]);
  });
}

}  // namespace

/// Shape: node and nodes as max_tree_nodes gives them; sums: nodes.count elements, in the table's order. Units: px, grey
/// values.
/// Cost: one pass over the pixels, one over the nodes, by tiles in parallel. Memory: 72 bytes for the nodes of a tile and for
/// those that span tiles, a thread. Source: Berger 2007 §3; Salembier 1998 (attributes).
/// Second moments are modulo 2^64, exact where the sum of x² over the component fits an i64 (46340 squared does).
void max_tree_sums(Context& ctx, ConstPlane node, const NodeTable& nodes, NodeSums* sums, bool min_tree) {
  op::check_node_table(node, nodes);
  if (node.extent.empty()) return;
  if (!sums) reject("sums", "an array of " + std::to_string(nodes.count) + " elements", "a null pointer");
  if (min_tree) sum_nodes<true>(ctx, node.view<i32>(), nodes, sums);
  else sum_nodes<false>(ctx, node.view<i32>(), nodes, sums);
}

}  // namespace morpho::cpu
