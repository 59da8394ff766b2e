// Components of a region: labelled tile by tile, joined over the tiles' borders, numbered in raster order of their first
// pixels.
#include <algorithm>
#include <numeric>

#include "contract/require.hpp"
#include "borders.hpp"
#include "region_ops.hpp"

namespace morpho::engine::region {
namespace {

/// What is kept of a labelled tile. Its labels are in raster order of their first pixels, so those that begin in row y are the
/// ones from rows[y] + 1 to rows[y + 1].
struct Labelled {
  Border<i32> border;            ///< labels
  Border<i32> value_border;      ///< the image's values, where they tell components apart
  std::vector<i32> rows;         ///< [height + 1]
  std::vector<i32> at_border;    ///< labels on the border, ascending
  std::vector<i64> area;         ///< of these
  std::vector<i32> absorbed;     ///< of these, those whose component begins in another tile, ascending
  i64 first_node = 0;            ///< number of at_border[0] among all tiles'
  i64 row_of(i32 label) const {  ///< in which it begins
    return std::upper_bound(rows.begin(), rows.end(), label - 1) - rows.begin() - 1;
  }
  std::size_t node_of(i32 label) const {
    return static_cast<std::size_t>(std::lower_bound(at_border.begin(), at_border.end(), label) - at_border.begin());
  }
};

/// Sets that are joined; the root is the member with the smallest number.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), i64{0}); }
  i64 root(i64 a) {
    while (parent_[static_cast<std::size_t>(a)] != a)
      a = parent_[static_cast<std::size_t>(a)] = parent_[static_cast<std::size_t>(parent_[static_cast<std::size_t>(a)])];
    return a;
  }
  void join(i64 a, i64 b) {
    a = root(a), b = root(b);
    if (a != b) parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<i64> parent_;
};

/// Labels all tiles and joins what meets at their borders.
class Components {
 public:
  /// `keep` may take each tile's labels while they are there (i32, the tile's extent).
  using Keep = std::function<void(Worker&, const Rect&, const i32* labels, i32 count)>;

  Components(Workers& workers, const Raster& in, i64 tile, Connectivity connectivity)
      : workers_(workers),
        in_(in),
        grid_(in.width(), in.height(), tile),
        connectivity_(connectivity),
        tiles_(static_cast<std::size_t>(grid_.count())) {}

  const Grid& grid() const { return grid_; }
  Labelled& tile(i64 i) { return tiles_[static_cast<std::size_t>(i)]; }

  void label_tiles(bool areas, const Keep& keep) {
    workers_.each(grid_.count(), "label", [&](Worker& worker, i64 i) {
      const Rect r = grid_.rect(i);
      i32 count = 0;
      const i32* labels = labels_of(worker, i, count, &tile(i));
      note(tile(i), r, labels, count, areas);
      if (keep) keep(worker, r, labels, count);
    });
  }
  /// A tile's labels, in memory of the visit. `into` gets the values along the border where they matter.
  const i32* labels_of(Worker& worker, i64 i, i32& count, Labelled* into) {
    const Rect r = grid_.rect(i);
    const std::size_t n = static_cast<std::size_t>(r.width) * static_cast<std::size_t>(r.height);
    u8* pixels = worker.take(n * in_.pixel());
    i32* labels = reinterpret_cast<i32*>(worker.take(n * sizeof(i32)));
    in_.read(r, pixels, static_cast<std::size_t>(r.width) * in_.pixel());
    if (into && in_.type() != PixelType::u8) note_values(*into, r, pixels);
    worker.mark_read();
    const Plane host(labels, PixelType::i32, extent_of(r));
    worker.compute([&](Backend& backend) {
      const Plane f = Worker::uploaded(backend, Plane(pixels, in_.type(), extent_of(r)));
      Plane to = host;
      if (!backend.on_host()) to.data = backend.context().workspace.take<i32>(n);
      count = backend.ops().label(backend.context(), f, to, {connectivity_});
      Worker::fetch(backend, to, host);
    });
    return labels;
  }

  /// Joins components over borders. A set's root is its member that begins first in the region's raster order.
  void join() {
    // Nodes are numbered in the order in which components begin: by row, then by column of tiles, then by label.
    i64 nodes = 0;
    for (Labelled& t : tiles_) t.first_node = nodes, nodes += static_cast<i64>(t.at_border.size());
    struct Node {
      i64 row, node;
      i32 tile_column;
    };
    std::vector<Node> order(static_cast<std::size_t>(nodes));
    for (i64 i = 0; i < grid_.count(); ++i) {
      const Labelled& t = tile(i);
      const i64 y = grid_.rect(i).y;
      for (std::size_t k = 0; k < t.at_border.size(); ++k) {
        const i64 node = t.first_node + static_cast<i64>(k);
        order[static_cast<std::size_t>(node)] = {y + t.row_of(t.at_border[k]), node, static_cast<i32>(grid_.column(i))};
      }
    }
    // A tile's nodes are in order already, and `node` grows with the column of tiles within a row of them.
    std::sort(order.begin(), order.end(), [](const Node& a, const Node& b) {
      return a.row != b.row ? a.row < b.row : a.tile_column != b.tile_column ? a.tile_column < b.tile_column : a.node < b.node;
    });
    rank_.resize(static_cast<std::size_t>(nodes));
    node_at_.resize(static_cast<std::size_t>(nodes));
    for (std::size_t k = 0; k < order.size(); ++k) {
      rank_[static_cast<std::size_t>(order[k].node)] = static_cast<i64>(k);
      node_at_[k] = order[k].node;
    }
    order = {};
    Sets sets(static_cast<std::size_t>(nodes));
    const bool eight = connectivity_ == Connectivity::eight;
    for (i64 i = 0; i < grid_.count(); ++i) {
      // Each border once: to the right, and to the three below.
      each_side(eight, [&](i64 dx, i64 dy) {
        if (dy < 0 || (dy == 0 && dx < 0)) return;
        const i64 j = grid_.beside(i, dx, dy);
        if (j >= 0) join_border(sets, tile(i), tile(j), dx, dy, eight);
      });
    }
    root_.resize(static_cast<std::size_t>(nodes));
    for (i64 n = 0; n < nodes; ++n)
      root_[static_cast<std::size_t>(n)] = node_at_[static_cast<std::size_t>(sets.root(rank_[static_cast<std::size_t>(n)]))];
    for (Labelled& t : tiles_) {
      for (std::size_t k = 0; k < t.at_border.size(); ++k) {
        const i64 node = t.first_node + static_cast<i64>(k);
        if (root_[static_cast<std::size_t>(node)] != node) t.absorbed.push_back(t.at_border[k]);
      }
    }
  }
  i64 nodes() const { return static_cast<i64>(root_.size()); }
  i64 root(i64 node) const { return root_[static_cast<std::size_t>(node)]; }

 private:
  void note_values(Labelled& t, const Rect& r, const u8* pixels) {
    visit_pixel_type(in_.type(), [&](auto zero) {
      using T = decltype(zero);
      Border<T> b;
      b.take(reinterpret_cast<const T*>(pixels), static_cast<std::size_t>(r.width), r);
      t.value_border.top.assign(b.top.begin(), b.top.end());
      t.value_border.bottom.assign(b.bottom.begin(), b.bottom.end());
      t.value_border.left.assign(b.left.begin(), b.left.end());
      t.value_border.right.assign(b.right.begin(), b.right.end());
    });
  }
  static void note(Labelled& t, const Rect& r, const i32* labels, i32 count, bool areas) {
    const std::size_t width = static_cast<std::size_t>(r.width);
    t.border.take(labels, width, r);
    for (const auto* line : {&t.border.top, &t.border.bottom, &t.border.left, &t.border.right})
      t.at_border.insert(t.at_border.end(), line->begin(), line->end());
    std::sort(t.at_border.begin(), t.at_border.end());
    t.at_border.erase(std::unique(t.at_border.begin(), t.at_border.end()), t.at_border.end());
    if (!t.at_border.empty() && t.at_border.front() == 0) t.at_border.erase(t.at_border.begin());
    t.at_border.shrink_to_fit();
    t.rows.resize(static_cast<std::size_t>(r.height) + 1);
    i32 seen = 0;
    for (i64 y = 0; y < r.height; ++y) {
      const i32* row = labels + static_cast<std::size_t>(y) * width;
      i32 most = seen;
      for (std::size_t x = 0; x < width; ++x) most = std::max(most, row[x]);
      t.rows[static_cast<std::size_t>(y)] = seen;
      seen = most;
    }
    t.rows.back() = seen;
    if (!areas) return;
    std::vector<i64> area(static_cast<std::size_t>(count) + 1);
    for (std::size_t k = 0; k < width * static_cast<std::size_t>(r.height); ++k) ++area[static_cast<std::size_t>(labels[k])];
    for (const i32 label : t.at_border) t.area.push_back(area[static_cast<std::size_t>(label)]);
  }
  void join_border(Sets& sets, const Labelled& a, const Labelled& b, i64 dx, i64 dy, bool eight) const {
    std::size_t n = 0;
    const i32 *from = a.border.facing(dx, dy, n), *to = b.border.facing(-dx, -dy, n);
    const bool valued = !a.value_border.empty();
    const i32* from_value = valued ? a.value_border.facing(dx, dy, n) : nullptr;
    const i32* to_value = valued ? b.value_border.facing(-dx, -dy, n) : nullptr;
    i32 last_from = 0, last_to = 0;  // most pairs repeat the one before
    each_pair(n, eight, [&](std::size_t k, std::size_t l) {
      if (from[k] == 0 || to[l] == 0 || (valued && from_value[k] != to_value[l])) return;
      if (from[k] == last_from && to[l] == last_to) return;
      last_from = from[k], last_to = to[l];
      sets.join(rank_[static_cast<std::size_t>(a.first_node) + a.node_of(from[k])],
                rank_[static_cast<std::size_t>(b.first_node) + b.node_of(to[l])]);
    });
  }

  Workers& workers_;
  const Raster& in_;
  Grid grid_;
  Connectivity connectivity_;
  std::vector<Labelled> tiles_;
  std::vector<i64> rank_, node_at_, root_;  ///< of nodes: place in the order of beginnings, its inverse, first node of the set
};

}  // namespace

i64 label(Workers& workers, const Raster& in, Raster& labels, i64 tile, const ConnectivityParams& params) {
  require_tile(tile);
  require_same_extent("labels", in, labels);
  require_connectivity(params.connectivity);
  if (labels.type() != PixelType::i32) reject("labels", "pixels of type int32", pixel_type_name(labels.type()));
  if (in.width() == 0 || in.height() == 0) return 0;
  Components all(workers, in, tile, params.connectivity);
  all.label_tiles(false, [&](Worker&, const Rect& r, const i32* of_tile, i32) {
    labels.write(r, of_tile, static_cast<std::size_t>(r.width) * sizeof(i32));
  });
  all.join();
  const Grid& grid = all.grid();

  // How many components begin in the region before row y of a tile: rows from above, tiles from the left.
  std::vector<std::vector<i64>> before(static_cast<std::size_t>(grid.count()));
  const auto begins = [&](const Labelled& t, std::size_t y) {
    const i32 from = t.rows[y], to = t.rows[y + 1];
    const auto absorbed = std::lower_bound(t.absorbed.begin(), t.absorbed.end(), to + 1) -
                          std::lower_bound(t.absorbed.begin(), t.absorbed.end(), from + 1);
    return static_cast<i64>(to - from) - absorbed;
  };
  i64 count = 0;
  for (i64 row = 0; row < grid.rows(); ++row) {
    const std::size_t height = static_cast<std::size_t>(grid.rect(row * grid.columns()).height);
    for (i64 c = 0; c < grid.columns(); ++c) before[static_cast<std::size_t>(row * grid.columns() + c)].resize(height);
    for (std::size_t y = 0; y < height; ++y) {
      for (i64 c = 0; c < grid.columns(); ++c) {
        const i64 i = row * grid.columns() + c;
        before[static_cast<std::size_t>(i)][y] = count;
        count += begins(all.tile(i), y);
      }
    }
  }
  if (count > 2147483647) reject("labels", "fewer than 2147483648 components", std::to_string(count));

  // The region's number of a label that begins where its component does.
  const auto number = [&](i64 i, i32 label) {
    const Labelled& t = all.tile(i);
    const std::size_t y = static_cast<std::size_t>(t.row_of(label));
    const auto absorbed = std::lower_bound(t.absorbed.begin(), t.absorbed.end(), label) -
                          std::lower_bound(t.absorbed.begin(), t.absorbed.end(), t.rows[y] + 1);
    return before[static_cast<std::size_t>(i)][y] + (label - t.rows[y]) - absorbed;
  };
  std::vector<i64> of_node(static_cast<std::size_t>(all.nodes()));
  for (i64 i = 0; i < grid.count(); ++i) {
    const Labelled& t = all.tile(i);
    for (std::size_t k = 0; k < t.at_border.size(); ++k) {
      const i64 node = t.first_node + static_cast<i64>(k);
      if (all.root(node) == node) of_node[static_cast<std::size_t>(node)] = number(i, t.at_border[k]);
    }
  }
  workers.each_on_cpu(grid.count(), "renumber", [&](Worker& worker, i64 i) {
    const Rect r = grid.rect(i);
    const Labelled& t = all.tile(i);
    const std::size_t own = static_cast<std::size_t>(t.rows.back());
    i32* map = worker.host().workspace.take<i32>(own + 1);
    map[0] = 0;
    std::size_t absorbed = 0;
    for (std::size_t y = 0; y + 1 < t.rows.size(); ++y) {
      i64 next = before[static_cast<std::size_t>(i)][y];
      for (i32 v = t.rows[y] + 1; v <= t.rows[y + 1]; ++v) {
        if (absorbed < t.absorbed.size() && t.absorbed[absorbed] == v) {
          const i64 node = t.first_node + static_cast<i64>(t.node_of(v));
          map[v] = static_cast<i32>(of_node[static_cast<std::size_t>(all.root(node))]);
          ++absorbed;
        } else {
          map[v] = static_cast<i32>(++next);
        }
      }
    }
    const std::size_t n = static_cast<std::size_t>(r.width) * static_cast<std::size_t>(r.height);
    i32* pixels = worker.host().workspace.take<i32>(n);
    labels.read(r, pixels, static_cast<std::size_t>(r.width) * sizeof(i32));
    worker.mark_read();
    for (std::size_t k = 0; k < n; ++k) pixels[k] = map[pixels[k]];
    labels.write(r, pixels, static_cast<std::size_t>(r.width) * sizeof(i32));
  });
  return count;
}

void area_filter(Workers& workers, const Raster& binary, Raster& out, i64 tile, const AreaFilterParams& params) {
  require_tile(tile);
  require_same_extent("out", binary, out);
  require_connectivity(params.connectivity);
  for (const auto& [name, type] : {std::pair{"binary", binary.type()}, std::pair{"out", out.type()}})
    if (type != PixelType::u8) reject(name, "pixels of type uint8", pixel_type_name(type));
  if (binary.width() == 0 || binary.height() == 0) return;
  Components all(workers, binary, tile, params.connectivity);
  all.label_tiles(true, nullptr);
  all.join();
  std::vector<i64> area(static_cast<std::size_t>(all.nodes()));
  const Grid& grid = all.grid();
  for (i64 i = 0; i < grid.count(); ++i) {
    const Labelled& t = all.tile(i);
    for (std::size_t k = 0; k < t.at_border.size(); ++k)
      area[static_cast<std::size_t>(all.root(t.first_node + static_cast<i64>(k)))] += t.area[k];
  }
  workers.each(grid.count(), "keep", [&](Worker& worker, i64 i) {
    const Rect r = grid.rect(i);
    const Labelled& t = all.tile(i);
    i32 count = 0;
    const i32* labels = all.labels_of(worker, i, count, nullptr);
    const std::size_t n = static_cast<std::size_t>(r.width) * static_cast<std::size_t>(r.height);
    i64* of_label = worker.host().workspace.take<i64>(static_cast<std::size_t>(count) + 1);
    std::fill_n(of_label, count + 1, i64{0});
    for (std::size_t k = 0; k < n; ++k) ++of_label[labels[k]];
    for (std::size_t k = 0; k < t.at_border.size(); ++k)
      of_label[t.at_border[k]] = area[static_cast<std::size_t>(all.root(t.first_node + static_cast<i64>(k)))];
    u8* pixels = worker.host().workspace.take<u8>(n);
    for (std::size_t k = 0; k < n; ++k) {
      const i64 a = of_label[labels[k]];
      pixels[k] = labels[k] != 0 && a >= params.min_area && a < params.end_area;
    }
    out.write(r, pixels, static_cast<std::size_t>(r.width));
  });
}

}  // namespace morpho::engine::region
