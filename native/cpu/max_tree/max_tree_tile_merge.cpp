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
  JoinedTree<T> tree{f.data, params.min_tree ? std::numeric_limits<T>::max() : T{0}, parent, ctx.workspace.take<u64>(words)};
  std::fill_n(tree.demoted, words, u64{0});
  const int workers = std::max(1, ctx.threads);
  TileScratch<T>* scratch = ctx.workspace.take<TileScratch<T>>(static_cast<std::size_t>(workers));
  for (int i = 0; i < workers; ++i) scratch[i].take(ctx.workspace);
  const HigherNeighbours neighbours(params.connectivity, TreeTile::pitch);

  // Tiles to rows of tiles, rows to ever higher groups of rows: no two threads share a tree.
  const i64 rows = (height + TreeTile::height - 1) / TreeTile::height;
  parallel_for(ctx, rows, 1, [&](i64 row, i64, int worker) {
    const i32 y0 = static_cast<i32>(row) * TreeTile::height, y1 = std::min(y0 + TreeTile::height, height);
    TileTree<T> tile(scratch[worker], neighbours);
    for (i32 x0 = 0; x0 < width; x0 += TreeTile::width) {
      tile.build(f, parent, x0, y0, std::min(x0 + TreeTile::width, width), y1, tree.flip);
      if (x0 > 0) tree.join_border(y0 * width + x0 - 1, y0 * width + x0, width, y1 - y0, eight);
    }
  });
  for (i64 group = 1; group < rows; group *= 2) {
    parallel_for(ctx, (rows + 2 * group - 1) / (2 * group), 1, [&](i64 pair, i64, int) {
      const i64 y = (pair * 2 + 1) * group * TreeTile::height;
      if (y < height) tree.join_border(static_cast<i32>((y - 1) * width), static_cast<i32>(y * width), 1, width, eight);
    });
  }
  parallel_for(ctx, height, rows_per_piece(width), [&](i64 begin, i64 end, int) {
    for (i32 p = static_cast<i32>(begin * width), stop = static_cast<i32>(end * width); p < stop; ++p) {
      const i32 q = parent[p];
      if (tree.is_demoted(q)) std::atomic_ref<i32>(parent[p]).store(tree.settled(q), std::memory_order_relaxed);
    }
  });
}

}  // namespace

/// Cost: a tile's pixels are marked (vectors), sorted and joined in the second cache, about one union-find step a pixel;
/// borders are joined at the pairs that stand out, at most a fifth of them on tissue; one pass follows the few canonical pixels
/// that the joins demoted.
/// Memory: 1/8 byte a pixel; 0.5 MB a thread. Source: Wilkinson 2008 and Blin 2021 §3 (joining); Berger 2007 (tiles, canonical
/// form).
void max_tree_tile_merge(Context& ctx, ConstPlane f, i32* parent, const MaxTreeParams& params) {
  if (f.type == PixelType::u8) build_by_tiles<u8>(ctx, f.view<u8>(), parent, params);
  else build_by_tiles<u16>(ctx, f.view<u16>(), parent, params);
}

}  // namespace morpho::cpu
