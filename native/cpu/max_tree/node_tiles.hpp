// Walks a table of max-tree nodes upwards, tiles at once: what node sums and filters by attributes share.
#pragma once
#include <algorithm>

#include "contract/ops.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {

/// The pixels of a view without gaps between rows: its own, or a copy.
template <class V>
const V* flat(Context& ctx, View<const V> view) {
  if (view.contiguous()) return view.data;
  V* copy = ctx.workspace.take<V>(static_cast<std::size_t>(view.extent.area()));
  for (i32 y = 0; y < view.height(); ++y) std::copy_n(view.row(y), view.width(), copy + static_cast<i64>(y) * view.width());
  return copy;
}

/// The k-th tile of a node table: columns [x0, x1) of rows [y0, y1).
struct NodeTile {
  i32 x0, y0, x1, y1;
  NodeTile(Extent e, i64 k) {
    const i32 across = node_tiles_across(e);
    x0 = static_cast<i32>(k % across) * kNodeTile.width, y0 = static_cast<i32>(k / across) * kNodeTile.height;
    x1 = std::min(x0 + kNodeTile.width, e.width), y1 = std::min(y0 + kNodeTile.height, e.height);
  }
};

/// The i-th tile to be worked on of `tiles`: each number once. Neighbours follow each other for one thread, as they share pages
/// of memory; each of several threads begins in a part of its own, so that they seldom write to the same lines at the same
/// time.
inline i64 tile_in_turn(i64 i, i64 tiles, i64 threads) {
  const i64 part = i % threads;
  return tiles / threads * part + std::min(part, tiles % threads) + i / threads;
}

/// How many workers may each keep a value of their own for each of the `joint` nodes that span tiles: no more of them together
/// than nodes.
inline int joint_workers(const Context& ctx, const NodeTable& nodes, i64 joint) {
  return static_cast<int>(std::clamp<i64>(nodes.count / std::max<i64>(joint, 1), 1, std::max(ctx.threads, 1)));
}

/// A run of columns [x0, x1) of one row: its pixels, and the sums of x and x², modulo 2^64. By a loop: most runs are one or two
/// pixels long, and the closed form's chain of products takes longer than the loop that it saves.
struct RunSums {
  u64 n, x = 0, xx = 0;
  RunSums(i32 x0, i32 x1) : n(static_cast<u64>(x1 - x0)) {
    for (u64 at = static_cast<u64>(x0), end = static_cast<u64>(x1); at < end; ++at) x += at, xx += at * at;
  }
};

/// Calls done(i, sums) once for every node i with what Known gathers over its component; of several threads at once. `upwards`:
/// after its children's calls. Known is begun with a node's altitude and number of own pixels, takes in children by `add` (in
/// any order), and, where it has `needs_places`, runs of own pixels by run(x0, x1, y).
/// Cost: one pass over the nodes (and one over the pixels), by tiles in parallel; nodes that span tiles are added one after the
/// other, and done with in parallel, but for `upwards`.
/// Memory: sizeof(Known) for the nodes of a tile and for those that span tiles, a thread.
template <class Known, class Done>
void sum_components(Context& ctx, View<const i32> node, const NodeTable& nodes, bool upwards, Done&& done) {
  const Workspace::Scope scope(ctx.workspace);
  const i32 tiles = node_tiles(node.extent), inner = nodes.first[tiles], joint = nodes.count - inner;
  const std::size_t joints = static_cast<std::size_t>(joint);
  i32 most = 0;
  for (i32 k = 0; k < tiles; ++k) most = std::max(most, nodes.first[k + 1] - nodes.first[k]);
  Context some = ctx;
  some.threads = joint_workers(ctx, nodes, joint);
  Known* inside = ctx.workspace.take<Known>(static_cast<std::size_t>(most) * static_cast<std::size_t>(some.threads));
  Known* across = ctx.workspace.take<Known>(joints * static_cast<std::size_t>(some.threads));
  parallel_for(some, some.threads, 1, [&](i64 w, i64, int) {
    Known* mine = across + w * joint;
    for (i32 j = 0; j < joint; ++j) mine[j].begin(nodes.altitude[inner + j], w == 0 ? nodes.own[inner + j] : 0);
  });
  parallel_for(some, tiles, 1, [&](i64 k, i64, int worker) {
    const i32 begin = nodes.first[k], end = nodes.first[k + 1];
    Known* mine = inside + static_cast<i64>(worker) * most;
    Known* shared = across + static_cast<i64>(worker) * joint;
    for (i32 i = begin; i < end; ++i) mine[i - begin].begin(nodes.altitude[i], nodes.own[i]);
    const auto at = [&](i32 i) -> Known& { return i < end ? mine[i - begin] : shared[i - inner]; };
    if constexpr (Known::needs_places) {
      const NodeTile tile(node.extent, k);
      for (i32 y = tile.y0; y < tile.y1; ++y) {
        const i32* row = node.row(y);
        for (i32 x = tile.x0, x1; x < tile.x1; x = x1) {
          for (x1 = x + 1; x1 < tile.x1 && row[x1] == row[x];) ++x1;
          at(row[x]).run(x, x1, y);
        }
      }
    }
    for (i32 i = begin; i < end; ++i) {
      const Known& sums = mine[i - begin];
      at(nodes.parent[i]).add(sums);
      done(i, sums);
    }
  });
  ctx.check_cancelled();
  if (some.threads > 1) {
    parallel_for(some, joint, 1 << 14, [&](i64 begin, i64 end, int) {
      for (int w = 1; w < some.threads; ++w) {
        for (i64 j = begin; j < end; ++j) across[j].add(across[static_cast<i64>(w) * joint + j]);
      }
    });
  }
  for (i32 j = 0; j < joint; ++j) {
    const i32 above = nodes.parent[inner + j] - inner;
    if (above != j) across[above].add(across[j]);
    if (upwards) done(inner + j, across[j]);
  }
  if (upwards) return;
  parallel_for(some, joint, 1 << 14, [&](i64 begin, i64 end, int) {
    for (i32 j = static_cast<i32>(begin); j < end; ++j) done(inner + j, across[j]);
  });
}

}  // namespace morpho::cpu
