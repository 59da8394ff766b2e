// The steps that are several entries of the table.
#include "step_operations.hpp"

#include <algorithm>
#include <vector>

namespace morpho::engine::step {
namespace {

/// One shape, as noise, has at most 3/4 of its variance between the parts that Otsu's level cuts it into (an even spread; a
/// Gaussian 2/π).
constexpr double kClearlyTwo = 0.8, kBright = 4;

/// How much of the variance lies between the values up to `level` and the others. What is kBright times as far above the mean
/// of the former as the level is, and more, counts as so much: it is blurred rims of what was left out.
double between(const std::vector<u64>& bins, i32 level) {
  double n = 0, sum = 0, squares = 0, below = 0, sum_below = 0;
  for (i32 v = 0; v <= level; ++v) {
    const double count = static_cast<double>(bins[static_cast<std::size_t>(v)]);
    below += count, sum_below += count * v;
  }
  const double dark = below > 0 ? sum_below / below : 0, most = dark + kBright * (level + 1 - dark);
  for (std::size_t v = 0; v < bins.size(); ++v) {
    const double count = static_cast<double>(bins[v]), value = std::min(static_cast<double>(v), most);
    n += count, sum += count * value, squares += count * value * value;
  }
  const double all = n * squares - sum * sum, apart = n * sum_below - below * sum;
  return below > 0 && below < n && all > 0 ? apart * apart / (below * (n - below) * all) : 0;
}

/// Otsu's level. Where fewer than `spare` in a thousand lie above it they are left out, and so on, up to twice as many: a few
/// very bright things, and their blurred rims, would hide all that they outshine.
i32 level_without_brightest(std::vector<u64>& bins, i32 spare) {
  const auto count = static_cast<i32>(bins.size());
  const i32 first = otsu_level(bins.data(), count);
  u64 all = 0, left_out = 0;
  for (const u64 n : bins) all += n;
  const u64 few = all * static_cast<u64>(spare);
  for (i32 level = first;;) {
    u64 above = 0;
    for (std::size_t v = static_cast<std::size_t>(level) + 1; v < bins.size(); ++v) above += bins[v];
    if (1000 * above >= few) return level == first || between(bins, level) < kClearlyTwo ? first : level;
    left_out += above;
    if (above == 0 || 500 * left_out >= few) return first;
    std::fill(bins.begin() + level + 1, bins.end(), u64{0});
    level = otsu_level(bins.data(), count);
  }
}

}  // namespace

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
  const i32 levels = f.type == PixelType::u16 ? 65536 : 256;
  std::vector<u64> bins(static_cast<std::size_t>(levels));
  ops.histogram(ctx, f, bins.data());
  return std::max(level_without_brightest(bins, p.spare), p.least);
}

}  // namespace morpho::engine::step
