// The max-tree in its canonical form.
#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "cpu/cpu_ops.hpp"
#include "cpu/max_tree_flood.hpp"
#include "cpu/max_tree_parent.hpp"
#include "cpu/parallel.hpp"
#include "contract/require.hpp"

namespace morpho::cpu {
namespace {

/// Ascending value, then index: a stable counting sort, bands of rows in parallel.
template <class T>
void sort_pixels(Context& ctx, View<const T> f, View<i32> order, bool inverted) {
  constexpr std::size_t levels = std::size_t{1} << (8 * sizeof(T));
  const T flip = inverted ? static_cast<T>(levels - 1) : T{0};
  const i32 width = f.width(), height = f.height();
  const i32 bands = static_cast<i32>(std::clamp<i64>(ctx.threads, 1, std::max<i64>(1, f.extent.area() >> 16)));
  const auto first_row = [&](i64 b) { return static_cast<i32>(static_cast<i64>(height) * b / bands); };
  const Workspace::Scope scope(ctx.workspace);
  i32* counts = ctx.workspace.take<i32>(levels * static_cast<std::size_t>(bands));
  std::fill_n(counts, levels * static_cast<std::size_t>(bands), 0);
  parallel_for(ctx, bands, 1, [&](i64 b, i64, int) {
    i32* count = counts + levels * static_cast<std::size_t>(b);
    for (i32 y = first_row(b); y < first_row(b + 1); ++y) {
      for (i32 x = 0; x < width; ++x) ++count[f.at(x, y) ^ flip];
    }
  });
  i32 at = 0;
  for (std::size_t v = 0; v < levels; ++v) {
    for (i32 b = 0; b < bands; ++b) at += std::exchange(counts[levels * static_cast<std::size_t>(b) + v], at);
  }
  parallel_for(ctx, bands, 1, [&](i64 b, i64, int) {
    i32* next = counts + levels * static_cast<std::size_t>(b);
    const bool flat = order.contiguous();
    for (i32 y = first_row(b); y < first_row(b + 1); ++y) {
      if (y % 64 == 0) ctx.check_cancelled();
      const T* row = f.row(y);
      const i32 p = y * width;
      for (i32 x = 0; x < width; ++x) {
        const i32 to = next[row[x] ^ flip]++;
        if (flat) order.data[to] = p + x;
        else order.at(to % width, to / width) = p + x;
      }
    }
  });
}

/// Floods every tile and joins them: tiles to rows of tiles, rows to ever higher groups of rows, so that no two threads share a tree.
template <class T>
void flood_and_join(Context& ctx, View<const T> f, TreeFrame<T>& tree, bool inverted) {
  const T flip = inverted ? std::numeric_limits<T>::max() : T{0};
  const i32 width = f.width(), height = f.height(), reach = tree.eight ? 1 : 0;
  const Workspace::Scope scope(ctx.workspace);
  const int workers = std::max(1, ctx.threads);
  FloodScratch<T>* scratch = ctx.workspace.take<FloodScratch<T>>(static_cast<std::size_t>(workers));
  for (int i = 0; i < workers; ++i) scratch[i].take(ctx.workspace);

  const i64 rows = (height + FloodTile::height - 1) / FloodTile::height;
  parallel_for(ctx, rows, 1, [&](i64 row, i64, int worker) {
    const i32 y0 = static_cast<i32>(row) * FloodTile::height, y1 = std::min(y0 + FloodTile::height, height);
    for (i32 y = y0; y < y1; ++y) {
      const T* from = f.row(y);
      T* to = tree.f + tree.index(0, y);
      for (i32 x = 0; x < width; ++x) to[x] = static_cast<T>(from[x] ^ flip);
    }
    for (i32 x0 = 0; x0 < width; x0 += FloodTile::width) {
      flood_tile(tree, x0, y0, std::min(x0 + FloodTile::width, width), y1, scratch[worker]);
      if (x0 == 0) continue;
      for (i32 y = y0; y < y1; ++y) {
        for (i32 d = std::max(-reach, y0 - y); d <= std::min(reach, y1 - 1 - y); ++d) {
          connect_branches(tree, tree.index(x0 - 1, y), tree.index(x0, y + d));
        }
      }
    }
  });
  for (i64 group = 1; group < rows; group *= 2) {
    parallel_for(ctx, (rows + 2 * group - 1) / (2 * group), 1, [&](i64 pair, i64, int) {
      const i64 y = (pair * 2 + 1) * group * FloodTile::height;
      if (y >= height) return;
      for (i32 x = 0; x < width; ++x) {
        for (i32 d = std::max(-reach, -x); d <= std::min(reach, width - 1 - x); ++d) {
          connect_branches(tree, tree.index(x, static_cast<i32>(y) - 1), tree.index(x + d, static_cast<i32>(y)));
        }
      }
    });
  }
}

template <class T>
void build(Context& ctx, View<const T> f, View<i32> parent, const MaxTreeParams& params) {
  const i32 width = f.width(), height = f.height();
  const Workspace::Scope scope(ctx.workspace);
  TreeFrame<T> tree(ctx.workspace, f.extent, params.connectivity == Connectivity::eight);
  flood_and_join(ctx, f, tree, params.min_tree);

  // Level roots are the smallest indices already: the canonical form only needs everybody's root, in the image's own indices.
  const double per_row = 1.0 / tree.pitch;
  const auto image_index = [&](i32 p) {
    i32 row = static_cast<i32>(p * per_row);  // exact but for rounding at a row's ends
    i32 column = p - row * tree.pitch;
    if (column < 0) --row, column += tree.pitch;
    if (column >= tree.pitch) ++row, column -= tree.pitch;
    return (row - 1) * width + column - 1;
  };
  parallel_for(ctx, height, rows_per_piece(width), [&](i64 begin, i64 end, int) {
    for (i64 i = begin; i < end; ++i) {
      const i32 y = static_cast<i32>(i);
      i32* out = parent.row(y);
      for (i32 x = 0; x < width; ++x) {
        const i32 p = tree.index(x, y);
        i32 to = seek_level_root_shared(tree, p);
        if (to == p) to = seek_level_root_shared(tree, std::atomic_ref<i32>(tree.parent[p]).load(std::memory_order_relaxed));
        out[x] = image_index(to);
      }
    }
  });
}

}  // namespace

void max_tree_parent(Context& ctx, ConstPlane f, View<i32> parent, const MaxTreeParams& params) {
  if (f.type == PixelType::u8) build<u8>(ctx, f.view<u8>(), parent, params);
  else build<u16>(ctx, f.view<u16>(), parent, params);
}

/// Shape: f [h, w] u8, u16 -> parent, order [h, w] i32. Units: pixel indices of the image. Reach: global. Unique.
/// Cost: a flood (each pixel looks at its neighbours once, and waits in a list once for each climb from it), one pass for the
/// canonical form, a counting sort. The flood runs in tiles of 254 x 126 pixels, in the fast caches, which are then joined along their
/// borders; threads share tiles and joins.
/// Memory: 4 bytes and f's type a pixel; 0.2 MB (u16: 0.5 MB) a thread for tiles, 4 bytes a grey level and thread for the order.
/// Source: Salembier 1998 and Nistér, Stewénius 2008 (flood); Wilkinson 2008 and Blin 2021 §3 (joining); Berger 2007 (canonical form).
void max_tree(Context& ctx, ConstPlane f, Plane parent, Plane order, const MaxTreeParams& params) {
  require_plane("f", f);
  require_plane("parent", parent);
  require_plane("order", order);
  require_type("f", f, {PixelType::u8, PixelType::u16});
  require_type("parent", parent, {PixelType::i32});
  require_type("order", order, {PixelType::i32});
  require_same_extent("parent", f, parent);
  require_same_extent("order", f, order);
  require_apart("parent", parent, f);
  require_apart("order", order, f);
  require_apart("order", order, parent);
  require_connectivity(params.connectivity);
  require_room_for_padding("f", f.extent);
  if (f.extent.empty()) return;
  max_tree_parent(ctx, f, parent.view<i32>(), params);
  if (f.type == PixelType::u8) sort_pixels<u8>(ctx, f.view<u8>(), order.view<i32>(), params.min_tree);
  else sort_pixels<u16>(ctx, f.view<u16>(), order.view<i32>(), params.min_tree);
}

}  // namespace morpho::cpu
