// Area opening of a region: what a tile can decide at once, the border trees joined, and then the pixels that waited for them.
#include <atomic>
#include <iterator>
#include <mutex>

#include "contract/require.hpp"
#include "max_tree_join.hpp"
#include "max_tree_ops.hpp"
#include "max_tree_tile.hpp"
#include "engine/region/region_ops.hpp"

namespace morpho::engine::region {
namespace {

template <class T>
class Opening {
 public:
  Opening(Workers& workers, const Raster& f, Raster& out, i64 tile, const OpenRegionParams& params)
      : workers_(workers),
        f_(f),
        out_(out),
        grid_(f.width(), f.height(), tile),
        params_(params),
        flip_(params.min_tree ? std::numeric_limits<T>::max() : T{0}),
        line_(static_cast<std::size_t>(grid_.count())),
        first_(static_cast<std::size_t>(grid_.count())),
        waiting_(static_cast<std::size_t>(grid_.count())) {}

  void run() {
    workers_.each(grid_.count(), "max-tree", [&](Worker& worker, i64 i) { decide(worker, i); });
    if (grid_.count() == 1) return;
    join();
    workers_.each(grid_.count(), "area", [&](Worker& worker, i64 i) { finish(worker, i); });
  }

 private:
  /// Pixels whose value is that of a node of the border trees.
  struct Pending {
    i32 pixel, node;  ///< index of the tile; number among the tile's border nodes
  };
  struct Waiting {
    std::vector<Pending> pixels;
    bool again = false;  ///< too many: the tree is built again
  };

  /// The tile's tree; tree.own becomes the nodes' areas in the tile.
  TileTree tree_of(Worker& worker, i64 i) const {
    TileTree tree = build_tile_tree(worker, f_, grid_.rect(i), params_.connectivity, params_.min_tree, false);
    for (i32 n = 0; n < tree.root(); ++n) tree.own[tree.parent[n]] += tree.own[n];
    return tree;
  }
  bool stays(const TileTree& tree, i32 n) const { return tree.own[n] >= params_.area; }
  BorderTree border_of(TileTree& tree, i64 i) const {
    return border_tree(grid_, i, tree, [&](i32 n) { return stays(tree, n); });
  }

  /// Each node's value, to tree.pixel: that of the nearest ancestor that stays; undecided(k) where the k-th border node
  /// decides.
  template <class Undecided>
  i32* values_of(TileTree& tree, Undecided&& undecided) const {
    i32* value = tree.pixel;
    for (i32 n = tree.root(); n >= 0; --n) {
      if (stays(tree, n)) value[n] = tree.altitude[n];
      else if (tree.number[n] >= 0) value[n] = undecided(tree.number[n]);
      else value[n] = n == tree.root() ? tree.altitude[n] : value[tree.parent[n]];
    }
    return value;
  }

  void decide(Worker& worker, i64 i) {
    TileTree tree = tree_of(worker, i);
    const BorderTree border = border_of(tree, i);
    publish(tree, border, i);
    const i32* value = values_of(tree, [](i32 k) { return ~k; });
    Waiting& waiting = waiting_[static_cast<std::size_t>(i)];
    T* out = reinterpret_cast<T*>(tree.pixels);
    const i64 n = tree.rect.width * tree.rect.height;
    const std::size_t most = static_cast<std::size_t>(n / 16 + 1024);
    waiting.again = false;
    for (i64 p = 0; p < n; ++p) {
      const i32 v = value[tree.node[p]];
      out[p] = static_cast<T>(v);
      if (v < 0 && !waiting.again) {
        waiting.pixels.push_back({static_cast<i32>(p), ~v});
        waiting.again = waiting.pixels.size() > most;
      }
    }
    waiting.pixels.shrink_to_fit();
    const i64 bytes = static_cast<i64>(waiting.pixels.size() * sizeof(Pending));
    if (waiting.again || (pending_bytes_ += bytes) > kMostPendingBytes) {
      if (!waiting.again) pending_bytes_ -= bytes;
      waiting = {{}, true};
      return;
    }
    out_.write(tree.rect, out, static_cast<std::size_t>(tree.rect.width) * sizeof(T));
  }

  /// The tile's border tree to those of the others: of each node what its component has in the tile beyond its children there.
  void publish(const TileTree& tree, const BorderTree& border, i64 i) {
    const std::lock_guard lock(mutex_);
    const i32 base = first_[static_cast<std::size_t>(i)] = trees_.add(border.place.size());
    area_.resize(trees_.up.size());
    for (std::size_t k = 0; k < border.place.size(); ++k) {
      const i32 n = border.place[k], above = tree.number[tree.parent[n]];
      const std::size_t here = static_cast<std::size_t>(base) + k;
      const bool top = n == tree.root() || stays(tree, n);
      trees_.level[here] = static_cast<T>(tree.altitude[n] ^ flip_);
      trees_.up[here] = top ? static_cast<i32>(here) : base + above;
      area_[here] += stays(tree, n) ? params_.area : tree.own[n];
      if (!top && !stays(tree, tree.parent[n])) area_[static_cast<std::size_t>(trees_.up[here])] -= tree.own[n];
    }
    Border<i32>& line = line_[static_cast<std::size_t>(i)];
    line = border.line;
    for (std::vector<i32>* side : {&line.top, &line.bottom, &line.left, &line.right}) {
      for (i32& k : *side) k += base;
    }
  }

  /// The value of every border node, to trees_.level.
  void join() {
    const bool eight = params_.connectivity == Connectivity::eight;
    const auto area = [&](i32 n) -> i64& { return area_[static_cast<std::size_t>(n)]; };
    // What is above a node that stays, stays, in whatever tree: no branch is followed further.
    trees_.join(grid_, line_, eight, workers_.options().cancel, [&](i32 a, i32 b) {
      if (area(a) < params_.area) return false;
      area(b) = params_.area;
      return true;
    });
    line_ = {};
    const std::vector<i32> order = trees_.settle();
    const auto up = [&](i32 n) { return trees_.up[static_cast<std::size_t>(n)]; };
    const auto level = [&](i32 n) -> T& { return trees_.level[static_cast<std::size_t>(n)]; };
    const auto add = [&](i32 to, i64 more) { area(to) = std::min(area(to) + more, params_.area); };
    constexpr i64 joined = -1;
    for (i32 n = 0; n < trees_.count(); ++n) {
      if (!trees_.is_joined(n)) continue;
      add(up(n), area(n));
      area(n) = joined;
    }
    for (i32 n : order) {
      if (up(n) != n) add(up(n), area(n));
    }
    for (auto n = order.rbegin(); n != order.rend(); ++n) {
      if (area(*n) < params_.area) level(*n) = level(up(*n));  // a root's own
    }
    for (i32 n = 0; n < trees_.count(); ++n) {
      if (area(n) == joined) level(n) = level(up(n));
    }
    area_ = {};
    trees_.up = {};
  }
  T value_of(i64 i, i32 k) const {
    const i32 n = first_[static_cast<std::size_t>(i)] + k;
    return static_cast<T>(trees_.level[static_cast<std::size_t>(n)] ^ flip_);
  }

  void finish(Worker& worker, i64 i) {
    Waiting& waiting = waiting_[static_cast<std::size_t>(i)];
    const Rect r = grid_.rect(i);
    if (!waiting.again) {
      T* row = worker.host().workspace.take<T>(static_cast<std::size_t>(r.width));
      for (auto p = waiting.pixels.begin(), end = p; p != waiting.pixels.end(); p = end) {
        const i64 y = p->pixel / r.width, x0 = p->pixel % r.width;
        while (end != waiting.pixels.end() && end->pixel / r.width == y) ++end;
        const Rect part{r.x + x0, r.y + y, std::prev(end)->pixel % r.width - x0 + 1, 1};
        out_.read(part, row, 0);
        for (auto q = p; q != end; ++q) row[q->pixel % r.width - x0] = value_of(i, q->node);
        out_.write(part, row, 0);
      }
      waiting.pixels = {};
      return;
    }
    TileTree tree = tree_of(worker, i);
    border_of(tree, i);
    const i32* value = values_of(tree, [&](i32 k) { return i32{value_of(i, k)}; });
    T* out = reinterpret_cast<T*>(tree.pixels);
    for (i64 p = 0; p < r.width * r.height; ++p) out[p] = static_cast<T>(value[tree.node[p]]);
    out_.write(r, out, static_cast<std::size_t>(r.width) * sizeof(T));
  }

  Workers& workers_;
  const Raster& f_;
  Raster& out_;
  Grid grid_;
  OpenRegionParams params_;
  T flip_;
  std::mutex mutex_;  ///< of what tiles publish
  JoinedTrees<T> trees_;
  std::vector<i64> area_;          ///< by node, at most params.area
  std::vector<Border<i32>> line_;  ///< by tile
  std::vector<i32> first_;         ///< by tile: the number of its first border node
  std::vector<Waiting> waiting_;   ///< by tile
  std::atomic<i64> pending_bytes_{0};
};

}  // namespace

void open_region(Workers& workers, const Raster& f, Raster& out, i64 tile, const OpenRegionParams& params) {
  if (f.width() == 0 || f.height() == 0) return;
  if (f.type() == PixelType::u8) Opening<u8>(workers, f, out, tile, params).run();
  else Opening<u16>(workers, f, out, tile, params).run();
}

void area_open(Workers& workers, const Raster& f, Raster& out, i64 tile, const AreaOpenParams& params) {
  require_tile(tile);
  require_tree_rasters(f, out, params.connectivity);
  if (params.area < 1) reject("area", "an area of at least 1 pixel", std::to_string(params.area));
  open_region(workers, f, out, tile, {params.area, params.connectivity, params.closing});
}

}  // namespace morpho::engine::region
