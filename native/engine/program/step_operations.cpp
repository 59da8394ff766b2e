// The steps that are several entries of the table.
#include "step_operations.hpp"

#include <algorithm>

namespace morpho::engine::step {

void fill_small_holes::run(const OpTable& ops, Context& ctx, ConstPlane binary, Plane out, const Params& p) {
  const Workspace::Scope temporary(ctx.workspace);
  const auto take = [&] {
    return Plane(ctx.workspace.take<u8>(static_cast<std::size_t>(binary.extent.area())), PixelType::u8, binary.extent);
  };
  const Plane filled = take(), large = take();
  ops.fill_holes(ctx, binary, filled, {p.connectivity});
  ops.combine(ctx, filled, binary, large, {Combine::without});
  ops.area_filter(ctx, large, large, {p.connectivity, p.end_area, 2147483647});
  ops.combine(ctx, filled, large, out, {Combine::without});
}

void choose_labels::run(const OpTable& ops, Context& ctx, ConstPlane labels, i32 count, ConstPlane value, ConstPlane below,
                        Plane out, const Params& rule) {
  const Workspace::Scope temporary(ctx.workspace);
  const std::size_t n = static_cast<std::size_t>(count) + 1;
  LabelSums* sums = ctx.workspace.take<LabelSums>(n);
  i32* map = ctx.workspace.take<i32>(n);
  ops.label_sums(ctx, labels, count, value, below, sums);
  ops.choose_labels(ctx, sums, count, map, rule);
  ops.relabel(ctx, labels, out, map, count);
}

void better_labels::run(const OpTable& ops, Context& ctx, ConstPlane kept, i32 count, ConstPlane candidates, i32 also,
                        ConstPlane edge, Plane out, const Params& rule) {
  const Workspace::Scope temporary(ctx.workspace);
  const auto segmentation = [&](ConstPlane labels, i32 n) {
    LabelSums* sums = ctx.workspace.take<LabelSums>(static_cast<std::size_t>(n) + 1);
    ops.label_sums(ctx, labels, n, {}, {}, sums);
    return op::Segmentation{labels, n, sums};
  };
  ops.better_labels(ctx, segmentation(kept, count), segmentation(candidates, also), edge, out, rule);
}

void choose_nodes::run(const OpTable& ops, Context& ctx, ConstPlane f, ConstPlane parent, ConstPlane order, Plane node,
                       Plane out, const Params& rule) {
  const Workspace::Scope temporary(ctx.workspace);
  NodeTable nodes = take_node_table(ctx.workspace, f.extent);
  ops.max_tree_nodes(ctx, f, parent, order, node, nodes);
  NodeSums* sums = ctx.workspace.take<NodeSums>(static_cast<std::size_t>(nodes.count));
  ops.max_tree_sums(ctx, node, nodes, sums, false);
  i32* chosen = ctx.workspace.take<i32>(static_cast<std::size_t>(nodes.count) + 1);
  ops.choose_nodes(ctx, nodes, sums, chosen, rule);
  ops.relabel(ctx, node, out, chosen, nodes.count > 0 ? nodes.count - 1 : 0);
}

i32 otsu::run(const OpTable& ops, Context& ctx, ConstPlane f, const Params& p) {
  u64 bins[256];
  ops.histogram(ctx, f, bins);
  return std::max(otsu_level(bins, 256), p.least);
}

}  // namespace morpho::engine::step
