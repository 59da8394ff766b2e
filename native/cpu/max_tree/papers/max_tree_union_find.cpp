// The max-tree by union-find over the pixels of the whole image, from the highest down.
#include "cpu/max_tree/max_tree_order.hpp"
#include "cpu/max_tree/max_tree_parent.hpp"

namespace morpho::cpu {
namespace {

template <class T>
void build_by_union_find(Context& ctx, View<const T> f, i32* parent, const MaxTreeParams& params) {
  const i32 width = f.width(), height = f.height();
  const std::size_t n = static_cast<std::size_t>(f.extent.area());
  const Workspace::Scope scope(ctx.workspace);
  i32* order = ctx.workspace.take<i32>(n);
  i32* joined = ctx.workspace.take<i32>(n);  // towards the pixel of the joined set that came last; -1: not reached
  sort_pixels<T>(ctx, f, View<i32>(order, f.extent), params.min_tree);
  std::fill_n(joined, n, -1);
  const auto find = [&](i32 p) {
    while (joined[p] != p) p = joined[p] = joined[joined[p]];
    return p;
  };
  const bool eight = params.connectivity == Connectivity::eight;
  // Of one level the larger indices come first, so that the pixel on top of a node is its smallest index.
  for (i64 i = static_cast<i64>(n) - 1; i >= 0; --i) {
    if ((i & 0xFFFFF) == 0) ctx.check_cancelled();
    const i32 p = order[i], y = p / width, x = p - y * width;
    parent[p] = joined[p] = p;
    for (i32 dy = -1; dy <= 1; ++dy) {
      for (i32 dx = -1; dx <= 1; ++dx) {
        if ((!eight && dx != 0 && dy != 0) || x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
        const i32 q = p + dy * width + dx;
        if (joined[q] < 0) continue;
        const i32 root = find(q);
        if (root != p) parent[root] = joined[root] = p;
      }
    }
  }
  const auto value = [&](i32 p) { return f.contiguous() ? f.data[p] : f.at(p % width, p / width); };
  for (std::size_t i = 0; i < n; ++i) {
    if ((i & 0xFFFFF) == 0) ctx.check_cancelled();
    const i32 p = order[i], q = parent[p];
    if (value(parent[q]) == value(q)) parent[p] = parent[q];
  }
}

}  // namespace

/// Cost: a counting sort, all neighbours of every pixel, paths halved as they are walked. One thread but for the sort.
/// Memory: 8 bytes a pixel, 4 bytes a grey level and thread. Source: Berger 2007 (Najman, Couprie 2006).
void max_tree_union_find(Context& ctx, ConstPlane f, i32* parent, const MaxTreeParams& params) {
  if (f.type == PixelType::u8) build_by_union_find<u8>(ctx, f.view<u8>(), parent, params);
  else build_by_union_find<u16>(ctx, f.view<u16>(), parent, params);
}

}  // namespace morpho::cpu
