// Attribute filters of a region: border trees with sums, joined and decided, and the nodes of each tile that hang on them.
#include <cmath>
#include <mutex>

#include "contract/node_attribute.hpp"
#include "contract/require.hpp"
#include "max_tree_join.hpp"
#include "max_tree_ops.hpp"
#include "max_tree_tile.hpp"
#include "engine/region/region_ops.hpp"

namespace morpho::engine::region {
namespace {

__extension__ typedef __int128 i128;

/// NodeSums of a component that spans tiles, in the region's coordinates.
struct RegionSums {
  i64 area, sum_value;
  i64 min_x, min_y, max_x, max_y;
  i32 peak, parent_value;
  bool modulo;  ///< second moments are the table's, modulo 2^64
  i128 sum_x, sum_y, sum_xx, sum_yy, sum_xy;
};

/// As NodeSums have them, by the same steps.
CentralMoments central_moments(const RegionSums& s) {
  const i128 x0 = s.min_x, y0 = s.min_y, n = s.area;
  const auto rounded = [&](i128 v) { return s.modulo ? static_cast<double>(static_cast<i64>(v)) : static_cast<double>(v); };
  const double sxx = rounded(s.sum_xx - 2 * x0 * s.sum_x + n * x0 * x0),
               syy = rounded(s.sum_yy - 2 * y0 * s.sum_y + n * y0 * y0);
  const double sxy = rounded(s.sum_xy - x0 * s.sum_y - y0 * s.sum_x + n * x0 * y0);
  const double area = static_cast<double>(s.area), x = rounded(s.sum_x - n * x0), y = rounded(s.sum_y - n * y0);
  return {sxx - x * x / area, syy - y * y / area, sxy - x * y / area};
}

// What an attribute needs to know of a border node, and no more. of(): its component in the tile at (x, y). less(): without a
// child's, where a sum can be told apart so (the others do not mind to be told twice). add(): with another part of it.
struct PeakPart {
  i32 high = 0, low = 0;
  static PeakPart of(const NodeSums& s, i64, i64) { return {s.peak, s.peak}; }
  void less(const PeakPart&) {}
  void add(const PeakPart& o) { high = std::max(high, o.high), low = std::min(low, o.low); }
  void sums(RegionSums& s, bool min_tree) const { s.peak = min_tree ? low : high; }
};
struct MassPart {
  i64 area = 0, value = 0;
  static MassPart of(const NodeSums& s, i64, i64) { return {s.area, s.sum_value}; }
  void less(const MassPart& o) { area -= o.area, value -= o.value; }
  void add(const MassPart& o) { area += o.area, value += o.value; }
  void sums(RegionSums& s, bool) const { s.area = area, s.sum_value = value; }
};
struct BoxPart {
  i64 x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  static BoxPart of(const NodeSums& s, i64 x, i64 y) { return {x + s.min_x, y + s.min_y, x + s.max_x, y + s.max_y}; }
  void less(const BoxPart&) {}
  void add(const BoxPart& o) {
    x0 = std::min(x0, o.x0), y0 = std::min(y0, o.y0), x1 = std::max(x1, o.x1), y1 = std::max(y1, o.y1);
  }
  void sums(RegionSums& s, bool) const { s.min_x = x0, s.min_y = y0, s.max_x = x1, s.max_y = y1; }
};
struct MomentsPart {
  BoxPart box;
  i64 area = 0;
  i128 x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  /// What a tile's sums hold is exact: its sides are below 46341 px.
  static MomentsPart of(const NodeSums& s, i64 tile_x, i64 tile_y) {
    const i128 dx = tile_x, dy = tile_y, n = s.area, sx = s.sum_x, sy = s.sum_y;
    return {BoxPart::of(s, tile_x, tile_y),
            s.area,
            sx + n * dx,
            sy + n * dy,
            s.sum_xx + 2 * dx * sx + n * dx * dx,
            s.sum_yy + 2 * dy * sy + n * dy * dy,
            s.sum_xy + dx * sy + dy * sx + n * dx * dy};
  }
  void less(const MomentsPart& o) { area -= o.area, x -= o.x, y -= o.y, xx -= o.xx, yy -= o.yy, xy -= o.xy; }
  void add(const MomentsPart& o) {
    box.add(o.box);
    area += o.area, x += o.x, y += o.y, xx += o.xx, yy += o.yy, xy += o.xy;
  }
  void sums(RegionSums& s, bool min_tree) const {
    box.sums(s, min_tree);
    s.area = area, s.sum_x = x, s.sum_y = y, s.sum_xx = xx, s.sum_yy = yy, s.sum_xy = xy;
  }
};

/// One attribute, of components that lie in a tile and of those that span tiles.
struct AttributeCode {
  double (*in_tile)(const NodeSums&);
  double (*across)(const RegionSums&);
};
template <Attribute attribute>
AttributeCode code_of() {
  return {attribute_of<attribute, NodeSums>, attribute_of<attribute, RegionSums>};
}

template <class T, class Part>
class AttributeFilter {
 public:
  AttributeFilter(Workers& workers, const Raster& f, Raster& out, i64 tile, const AttributeFilterParams& params,
                  Connectivity connectivity, const AttributeCode& code)
      : workers_(workers),
        f_(f),
        out_(out),
        grid_(f.width(), f.height(), tile),
        params_(params),
        connectivity_(connectivity),
        code_(code),
        flip_(params.min_tree ? std::numeric_limits<T>::max() : T{0}),
        line_(static_cast<std::size_t>(grid_.count())),
        first_(static_cast<std::size_t>(grid_.count())) {}

  void run() {
    if (grid_.count() > 1) {
      workers_.each(grid_.count(), "max-tree", [&](Worker& worker, i64 i) { gather(worker, i); });
      join();
      decide();
    }
    workers_.each(grid_.count(), "filter", [&](Worker& worker, i64 i) { write(worker, i); });
  }

 private:
  static std::size_t at(i32 n) { return static_cast<std::size_t>(n); }
  TileTree tree_of(Worker& worker, i64 i, BorderTree& border) const {
    TileTree tree = build_tile_tree(worker, f_, grid_.rect(i), connectivity_, params_.min_tree, true);
    border = border_tree(grid_, i, tree, [](i32) { return false; });
    return tree;
  }

  /// Which nodes are kept by what the tile knows: right for those that are in no border tree; of the others, by rule max, those
  /// that have such a kept descendant.
  u8* keep_of(Worker& worker, const TileTree& tree) const {
    u8* keep = worker.host().workspace.take<u8>(static_cast<std::size_t>(tree.count));
    std::fill_n(keep, tree.count, u8{0});
    const bool upwards = params_.rule == FilterRule::max;
    for (i32 n = 0; n < tree.count; ++n) {
      if (tree.number[n] < 0) keep[n] |= n == tree.root() || code_.in_tile(tree.sums[n]) >= params_.at_least;
      if (upwards && tree.number[n] < 0) keep[tree.parent[n]] |= keep[n];
    }
    return keep;
  }

  /// A tile's border tree, to those of the others.
  void gather(Worker& worker, i64 i) {
    BorderTree border;
    const TileTree tree = tree_of(worker, i, border);
    const u8* keep = params_.rule == FilterRule::max ? keep_of(worker, tree) : nullptr;
    const std::lock_guard lock(mutex_);
    const i32 base = first_[static_cast<std::size_t>(i)] = trees_.add(border.place.size());
    part_.resize(trees_.up.size()), keep_.resize(trees_.up.size());
    for (std::size_t k = 0; k < border.place.size(); ++k) {
      const i32 n = border.place[k];
      const std::size_t here = at(base) + k;
      trees_.level[here] = static_cast<T>(tree.altitude[n] ^ flip_);
      trees_.up[here] = base + tree.number[tree.parent[n]];
      keep_[here] = keep ? keep[n] : u8{0};
      part_[here] = Part::of(tree.sums[n], tree.rect.x, tree.rect.y);
    }
    for (const i32 n : border.place) {
      if (n == tree.root()) continue;
      part_[at(base) + at(tree.number[tree.parent[n]])].less(Part::of(tree.sums[n], tree.rect.x, tree.rect.y));
    }
    Border<i32>& line = line_[static_cast<std::size_t>(i)];
    line = std::move(border.line);
    for (std::vector<i32>* side : {&line.top, &line.bottom, &line.left, &line.right}) {
      for (i32& k : *side) k += base;
    }
  }

  void join() {
    trees_.join(grid_, line_, connectivity_ == Connectivity::eight, workers_.options().cancel, [](i32, i32) { return false; });
    line_ = {};
    order_ = trees_.settle();
    for (i32 n = 0; n < trees_.count(); ++n) {
      if (!trees_.is_joined(n)) continue;
      const std::size_t all = at(trees_.up[at(n)]);
      part_[all].add(part_[at(n)]);
      keep_[all] |= keep_[at(n)];
    }
  }

  i32 altitude(i32 n) const { return static_cast<T>(trees_.level[at(n)] ^ flip_); }

  /// keep_ and value_ of every border node: up the joined tree, then down, by the steps of cpu::attribute_filter.
  void decide() {
    RegionSums s{};
    s.modulo = f_.width() * f_.height() < (i64{1} << 31);
    for (const i32 n : order_) {
      const i32 above = trees_.up[at(n)];
      part_[at(n)].sums(s, params_.min_tree);
      s.parent_value = altitude(above);
      keep_[at(n)] |= above == n || code_.across(s) >= params_.at_least;
      if (above == n) continue;
      part_[at(above)].add(part_[at(n)]);
      if (params_.rule == FilterRule::max) keep_[at(above)] |= keep_[at(n)];
    }
    part_ = {};
    value_.resize(trees_.up.size());
    for (auto n = order_.rbegin(); n != order_.rend(); ++n) {
      const i32 above = trees_.up[at(*n)];
      value_[at(*n)] = above == *n
                           ? static_cast<T>(altitude(above))
                           : value_under(altitude(*n), keep_[at(*n)], value_[at(above)], altitude(above), keep_[at(above)]);
    }
    for (i32 n = 0; n < trees_.count(); ++n) {
      if (!trees_.is_joined(n)) continue;
      value_[at(n)] = value_[at(trees_.up[at(n)])], keep_[at(n)] = keep_[at(trees_.up[at(n)])];
    }
    order_ = {};
    trees_ = {};
  }

  /// A node's value, from its parent's.
  T value_under(i32 altitude, u8& keep, T value_above, i32 altitude_above, u8 keep_above) const {
    if (params_.rule == FilterRule::min) keep &= keep_above;
    const i32 rise = params_.rule == FilterRule::subtractive ? value_above - altitude_above : 0;
    return static_cast<T>(keep ? altitude + rise : value_above);
  }

  void write(Worker& worker, i64 i) {
    BorderTree border;
    const TileTree tree = tree_of(worker, i, border);
    u8* keep = keep_of(worker, tree);
    T* value = worker.host().workspace.take<T>(static_cast<std::size_t>(tree.count));
    for (i32 n = tree.root(); n >= 0; --n) {
      const i32 above = tree.parent[n];
      if (tree.number[n] >= 0) {
        const std::size_t k = at(first_[static_cast<std::size_t>(i)]) + at(tree.number[n]);
        value[n] = value_[k], keep[n] = keep_[k];
      } else if (n == above) {
        value[n] = static_cast<T>(tree.altitude[n]);
      } else {
        value[n] = value_under(tree.altitude[n], keep[n], value[above], tree.altitude[above], keep[above]);
      }
    }
    T* out = reinterpret_cast<T*>(tree.pixels);
    for (i64 p = 0; p < tree.rect.width * tree.rect.height; ++p) out[p] = value[tree.node[p]];
    out_.write(tree.rect, out, static_cast<std::size_t>(tree.rect.width) * sizeof(T));
  }

  Workers& workers_;
  const Raster& f_;
  Raster& out_;
  Grid grid_;
  AttributeFilterParams params_;
  Connectivity connectivity_;
  AttributeCode code_;
  T flip_;
  std::mutex mutex_;  ///< of what tiles publish
  JoinedTrees<T> trees_;
  std::vector<i32> order_;         ///< nodes of the joined tree, from the leaves to the root
  std::vector<Part> part_;         ///< by border node
  std::vector<u8> keep_;           ///< likewise
  std::vector<T> value_;           ///< likewise: what its pixels become
  std::vector<Border<i32>> line_;  ///< by tile
  std::vector<i32> first_;         ///< by tile: the number of its first border node
};

template <class Part, Attribute attribute>
void filter_region(Workers& workers, const Raster& f, Raster& out, i64 tile, const AttributeFilterParams& params,
                   Connectivity c) {
  if (f.type() == PixelType::u8) AttributeFilter<u8, Part>(workers, f, out, tile, params, c, code_of<attribute>()).run();
  else AttributeFilter<u16, Part>(workers, f, out, tile, params, c, code_of<attribute>()).run();
}

}  // namespace

void attribute_filter(Workers& workers, const Raster& f, Raster& out, i64 tile, const AttributeFilterParams& params,
                      Connectivity c) {
  require_tile(tile);
  require_tree_rasters(f, out, c);
  if (static_cast<int>(params.attribute) > static_cast<int>(Attribute::mean))
    reject("attribute", "one of the ten attributes", std::to_string(static_cast<int>(params.attribute)));
  if (static_cast<int>(params.rule) > static_cast<int>(FilterRule::subtractive))
    reject("rule", "direct, min, max or subtractive", std::to_string(static_cast<int>(params.rule)));
  if (std::isnan(params.at_least)) reject("at_least", "a number", "NaN");
  if (f.width() == 0 || f.height() == 0) return;
  switch (params.attribute) {
    case Attribute::area:  // the rules agree: area only grows towards the root
      return open_region(workers, f, out, tile,
                         {static_cast<i64>(std::ceil(std::clamp(params.at_least, 1.0, 0x1p48 + 1))), c, params.min_tree});
    case Attribute::height: return filter_region<PeakPart, Attribute::height>(workers, f, out, tile, params, c);
    case Attribute::volume: return filter_region<MassPart, Attribute::volume>(workers, f, out, tile, params, c);
    case Attribute::box_width: return filter_region<BoxPart, Attribute::box_width>(workers, f, out, tile, params, c);
    case Attribute::box_height: return filter_region<BoxPart, Attribute::box_height>(workers, f, out, tile, params, c);
    case Attribute::box_diagonal: return filter_region<BoxPart, Attribute::box_diagonal>(workers, f, out, tile, params, c);
    case Attribute::elongation: return filter_region<MomentsPart, Attribute::elongation>(workers, f, out, tile, params, c);
    case Attribute::inertia: return filter_region<MomentsPart, Attribute::inertia>(workers, f, out, tile, params, c);
    case Attribute::contrast: return filter_region<MassPart, Attribute::contrast>(workers, f, out, tile, params, c);
    case Attribute::mean: return filter_region<MassPart, Attribute::mean>(workers, f, out, tile, params, c);
  }
}

}  // namespace morpho::engine::region
