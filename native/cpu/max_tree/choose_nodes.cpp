// The best set of tree nodes of which none is inside another.
#include <algorithm>

#include "contract/object_choice.hpp"
#include "cpu/cpu_ops.hpp"

namespace morpho::cpu {

// Memory: 8 bytes a node. Cost: one pass up the nodes with some products of 128 bits for each, one pass down.
void choose_nodes(Context& ctx, const NodeTable& nodes, const NodeSums* sums, i32* map, const NodeRule& rule) {
  op::choose_nodes::check(nodes, sums, map, rule);
  const Workspace::Scope scope(ctx.workspace);
  i64* best = ctx.workspace.take<i64>(static_cast<std::size_t>(nodes.count));
  std::fill_n(best, nodes.count, 0);
  for (i32 i = 0; i < nodes.count; ++i) {  // children before their parents
    const i64 own = objects::node_score(rule, sums[i]);
    map[i] = own > 0 && own >= best[i];
    if (map[i]) best[i] = own;
    if (nodes.parent[i] != i) best[nodes.parent[i]] += best[i];
  }
  ctx.check_cancelled();
  for (i32 i = nodes.count - 2; i >= 0; --i) map[i] |= map[nodes.parent[i]];
}

}  // namespace morpho::cpu
