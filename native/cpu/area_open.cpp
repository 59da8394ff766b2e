// Area opening and closing, from the image alone.
#include <algorithm>
#include <utility>

#include "cpu/cpu_ops.hpp"
#include "cpu/max_tree_parent.hpp"
#include "cpu/parallel.hpp"
#include "contract/require.hpp"

namespace morpho::cpu {
namespace {

template <class T>
void open(Context& ctx, View<const T> f, View<T> out, const AreaOpenParams& params) {
  constexpr std::size_t levels = std::size_t{1} << (8 * sizeof(T));
  const Workspace::Scope scope(ctx.workspace);
  const i32 width = f.width(), height = f.height();
  const i32 n = width * height;
  const auto flat_row = [&](auto* image, i64 y) { return image + y * width; };
  i32* parent = ctx.workspace.take<i32>(static_cast<std::size_t>(n));
  max_tree_parent(ctx, f, View<i32>(parent, f.extent), {params.connectivity, params.closing});

  T* level = ctx.workspace.take<T>(static_cast<std::size_t>(n));
  parallel_for(ctx, height, rows_per_piece(width), [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) std::copy_n(f.row(static_cast<i32>(y)), width, flat_row(level, y));
  });

  // A node's area is kept at its canonical pixel, its first: 0 elsewhere. Its own pixels are counted in raster order, which is kind
  // to memory; only whole nodes then travel upwards, highest first.
  i32* area = ctx.workspace.take<i32>(static_cast<std::size_t>(n));
  i32* count = ctx.workspace.take<i32>(levels + 1);
  std::fill_n(count, levels + 1, 0);
  const T flip = params.closing ? static_cast<T>(levels - 1) : T{0};
  for (i32 y = 0, p = 0; y < height; ++y) {
    if (y % 64 == 0) ctx.check_cancelled();
    for (i32 x = 0; x < width; ++x, ++p) {
      const i32 q = parent[p];
      const bool canonical = q == p || level[q] != level[p];
      area[p] = canonical;
      if (canonical) ++count[(level[p] ^ flip) + 1];
      else ++area[q];
    }
  }
  for (std::size_t v = 0; v < levels; ++v) count[v + 1] += count[v];
  const i32 nodes = count[levels];
  i32* ascending = ctx.workspace.take<i32>(static_cast<std::size_t>(nodes));
  for (i32 p = 0; p < n; ++p) {
    if (area[p] > 0) ascending[count[level[p] ^ flip]++] = p;
  }
  ctx.check_cancelled();
  for (i32 i = nodes - 1; i > 0; --i) area[parent[ascending[i]]] += area[ascending[i]];
  ctx.check_cancelled();
  for (i32 i = 1; i < nodes; ++i) {  // node 0 is the root: always kept
    const i32 p = ascending[i];
    if (area[p] < params.area) level[p] = level[parent[p]];
  }
  parallel_for(ctx, height, rows_per_piece(width), [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) {
      T* row = out.row(static_cast<i32>(y));
      const i32 first = static_cast<i32>(y * width);
      for (i32 x = 0; x < width; ++x) row[x] = level[area[first + x] > 0 ? first + x : parent[first + x]];
    }
  });
}

}  // namespace

/// Shape: f, out [h, w] u8 or u16. Units: area in pixels, at least 1; components of at least `area` pixels stay. Reach: global. Unique.
/// Cost: the max-tree's parents, three passes over the pixels, two over the nodes. Memory: the larger of max_tree's need plus
/// 4 bytes a pixel, and 8 bytes and f's type a pixel plus 4 bytes a node.
/// Source: Vincent 1993 (area openings); Salembier 1998 (by max-tree, an increasing criterion).
void area_open(Context& ctx, ConstPlane f, Plane out, const AreaOpenParams& params) {
  require_plane("f", f);
  require_plane("out", out);
  require_type("f", f, {PixelType::u8, PixelType::u16});
  require_same_type("out", f, out);
  require_same_extent("out", f, out);
  require_apart("out", out, f);
  require_connectivity(params.connectivity);
  require_room_for_padding("f", f.extent);
  if (params.area < 1) reject("area", "an area of at least 1 pixel", std::to_string(params.area));
  if (f.extent.empty()) return;
  if (f.type == PixelType::u8) open<u8>(ctx, f.view<u8>(), out.view<u8>(), params);
  else open<u16>(ctx, f.view<u16>(), out.view<u16>(), params);
}

}  // namespace morpho::cpu
