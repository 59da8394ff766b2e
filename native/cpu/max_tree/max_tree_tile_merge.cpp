// The max-tree from the trees of tiles, joined along their borders.
#include <algorithm>
#include <limits>

#include "cpu/max_tree/max_tree_join.hpp"
#include "cpu/max_tree/max_tree_parent.hpp"
#include "cpu/max_tree/max_tree_tile.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {
namespace {

template <class T>
void build_by_tiles(Context& ctx, View<const T> f, i32* parent, const MaxTreeParams& params) {
  const i32 width = f.width(), height = f.height();
  const bool eight = params.connectivity == Connectivity::eight;
  const std::size_t words = static_cast<std::size_t>((f.extent.area() + 63) / 64);
  const Workspace::Scope scope(ctx.workspace);
  i32* leap = sizeof(T) == 1 ? nullptr : ctx.workspace.take<i32>(static_cast<std::size_t>(f.extent.area()));
  const T flip = params.min_tree ? std::numeric_limits<T>::max() : T{0};
  JoinedTree<T> tree{f.data, flip, parent, leap, ctx.workspace.take<u64>(words)};
  std::fill_n(tree.demoted, words, u64{0});
  const int workers = std::max(1, ctx.threads);
  TileScratch<T>* scratch = ctx.workspace.take<TileScratch<T>>(static_cast<std::size_t>(workers));
  for (int i = 0; i < workers; ++i) scratch[i].take(ctx.workspace);
  const HigherNeighbours neighbours(params.connectivity, TreeTile::pitch);

  // Tiles to blocks, whose trees stay in the second cache; blocks to ever larger ones: no two threads share a tree.
  const auto join_across = [&](i32 x, i32 y0, i32 y1) {
    tree.join_border(y0 * width + x - 1, y0 * width + x, width, y1 - y0, eight);
  };
  const auto join_down = [&](i32 y, i32 x0, i32 x1) {
    tree.join_border((y - 1) * width + x0, y * width + x0, 1, x1 - x0, eight);
  };
  i64 across = 2 * TreeTile::width, down = 4 * TreeTile::height;
  const auto count = [](i32 side, i64 each) { return (side + each - 1) / each; };
  const auto end_of = [](i64 begin, i64 each, i32 side) { return static_cast<i32>(std::min<i64>(begin + each, side)); };
  const i64 columns = count(width, across);
  parallel_for(ctx, columns * count(height, down), 1, [&](i64 block, i64, int worker) {
    const i32 left = static_cast<i32>(block % columns * across), right = end_of(left, across, width);
    const i32 top = static_cast<i32>(block / columns * down), bottom = end_of(top, down, height);
    TileTree<T> tile(scratch[worker], neighbours);
    for (i32 y0 = top; y0 < bottom; y0 += TreeTile::height) {
      const i32 y1 = std::min(y0 + TreeTile::height, bottom);
      for (i32 x0 = left; x0 < right; x0 += TreeTile::width) {
        tile.build(f, parent, leap, x0, y0, std::min(x0 + TreeTile::width, right), y1, flip);
        if (x0 > left) join_across(x0, y0, y1);
      }
      if (y0 > top) join_down(y0, left, right);
    }
  });
  while (across < width || down < height) {
    if (down >= height || (across < width && across <= down)) {
      const i64 bands = count(height, down);
      parallel_for(ctx, count(width, 2 * across) * bands, 1, [&](i64 pair, i64, int) {
        const i64 x = (pair / bands * 2 + 1) * across, y0 = pair % bands * down;
        if (x < width) join_across(static_cast<i32>(x), static_cast<i32>(y0), end_of(y0, down, height));
      });
      across *= 2;
    } else {
      const i64 bands = count(width, across);
      parallel_for(ctx, count(height, 2 * down) * bands, 1, [&](i64 pair, i64, int) {
        const i64 y = (pair / bands * 2 + 1) * down, x0 = pair % bands * across;
        if (y < height) join_down(static_cast<i32>(y), static_cast<i32>(x0), end_of(x0, across, width));
      });
      down *= 2;
    }
  }
  // By tiles, as pixels lead to one of their tile.
  const i64 tiles_across = count(width, TreeTile::width);
  parallel_for(ctx, tiles_across * count(height, TreeTile::height), 4, [&](i64 begin, i64 end, int) {
    for (i64 at = begin; at < end; ++at) {
      const i32 left = static_cast<i32>(at % tiles_across) * TreeTile::width, right = end_of(left, TreeTile::width, width);
      const i32 top = static_cast<i32>(at / tiles_across) * TreeTile::height, bottom = end_of(top, TreeTile::height, height);
      for (i32 y = top; y < bottom; ++y) {
        for (i32 p = y * width + left, stop = y * width + right; p < stop; ++p) {
          const i32 q = parent[p];
          if (tree.is_demoted(q)) std::atomic_ref<i32>(parent[p]).store(tree.settled(q), std::memory_order_relaxed);
        }
      }
    }
  });
}

}  // namespace

/// Cost: a tile's pixels are marked (vectors), sorted and joined in the second cache, about one union-find step a pixel;
/// borders are joined at the pairs that stand out, at most a fifth of them on tissue; one pass follows the canonical pixels
/// that the joins demoted. Memory: 1/8 byte a pixel, of 16 bits 4 1/8; 0.5 or 0.75 MB a thread. Source: Wilkinson 2008 and Blin
/// 2021 §3 (joining); Berger 2007 (tiles, canonical form).
void max_tree_tile_merge(Context& ctx, ConstPlane f, i32* parent, const MaxTreeParams& params) {
  if (f.type == PixelType::u8) build_by_tiles<u8>(ctx, f.view<u8>(), parent, params);
  else build_by_tiles<u16>(ctx, f.view<u16>(), parent, params);
}

}  // namespace morpho::cpu
