// Filters of a max-tree by an attribute of its nodes.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "cpu/max_tree/attribute_filter.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/max_tree/max_tree_nodes.hpp"
#include "cpu/max_tree/node_tiles.hpp"
#include "contract/node_attribute.hpp"

namespace morpho::cpu {
namespace {

/// What an attribute needs to know of a component, and no more (node_tiles.hpp); `sums` hands it over.
struct AreaOnly {
  static constexpr bool needs_places = false;
  i32 area;
  void begin(i32, i64 own) { area = static_cast<i32>(own); }
  void add(const AreaOnly& o) { area += o.area; }
  void sums(NodeSums& s, bool) const { s.area = area; }
};
struct PeakOnly {
  static constexpr bool needs_places = false;
  i32 high, low;
  void begin(i32 altitude, i64) { high = low = altitude; }
  void add(const PeakOnly& o) { high = std::max(high, o.high), low = std::min(low, o.low); }
  void sums(NodeSums& s, bool min_tree) const { s.peak = min_tree ? low : high; }
};
struct MassOnly {
  static constexpr bool needs_places = false;
  i64 area, value;
  void begin(i32 altitude, i64 own) { area = own, value = own * altitude; }
  void add(const MassOnly& o) { area += o.area, value += o.value; }
  void sums(NodeSums& s, bool) const { s.area = area, s.sum_value = value; }
};
struct BoxOnly {
  static constexpr bool needs_places = true;
  i32 x0, y0, x1, y1;
  void begin(i32, i64) { x0 = y0 = std::numeric_limits<i32>::max(), x1 = y1 = -1; }
  void run(i32 from, i32 to, i32 y) { add({from, y, to - 1, y}); }
  void add(const BoxOnly& o) {
    x0 = std::min(x0, o.x0), y0 = std::min(y0, o.y0), x1 = std::max(x1, o.x1), y1 = std::max(y1, o.y1);
  }
  void sums(NodeSums& s, bool) const { s.min_x = x0, s.min_y = y0, s.max_x = x1, s.max_y = y1; }
};
struct MomentsOnly {
  static constexpr bool needs_places = true;
  i64 area;
  u64 x, y, xx, yy, xy;  ///< modulo 2^64, as add_to_sum() says
  BoxOnly box;
  void begin(i32 altitude, i64 own) {
    box.begin(altitude, own);
    area = own, x = y = xx = yy = xy = 0;
  }
  void run(i32 from, i32 to, i32 row) {
    box.run(from, to, row);
    const RunSums run(from, to);
    const u64 py = static_cast<u64>(row);
    x += run.x, y += run.n * py, xx += run.xx, yy += run.n * py * py, xy += run.x * py;
  }
  void add(const MomentsOnly& o) {
    box.add(o.box);
    area += o.area, x += o.x, y += o.y, xx += o.xx, yy += o.yy, xy += o.xy;
  }
  void sums(NodeSums& s, bool min_tree) const {
    box.sums(s, min_tree);
    s.area = area, s.sum_x = static_cast<i64>(x), s.sum_y = static_cast<i64>(y);
    s.sum_xx = static_cast<i64>(xx), s.sum_yy = static_cast<i64>(yy), s.sum_xy = static_cast<i64>(xy);
  }
};

template <class T>
class NodeFilter {
 public:
  NodeFilter(Context& ctx, View<const i32> node, const NodeTable& nodes, FilterRule rule)
      : ctx_(ctx), node_(node), nodes_(nodes), rule_(rule), inner_(nodes.first[node_tiles(node.extent)]) {
    keep_ = ctx.workspace.take<u8>(static_cast<std::size_t>(nodes.count));
    level_ = ctx.workspace.take<T>(static_cast<std::size_t>(nodes.count));
  }

  /// Decides for every node by passes(sums, i).
  template <class Known, class Passes>
  void decide(Passes&& passes) {
    const i32 root = nodes_.count - 1;
    if (rule_ != FilterRule::max) {
      sum_components<Known>(ctx_, node_, nodes_, false,
                            [&](i32 i, const Known& sums) { keep_[i] = i == root || passes(sums, i); });
      return;
    }
    parallel_for(ctx_, nodes_.count, 1 << 20, [&](i64 begin, i64 end, int) { std::fill(keep_ + begin, keep_ + end, u8{0}); });
    const auto kept = [&](i32 i) {
      return std::atomic_ref<u8>(keep_[i]);
    };  // children in other tiles may say so at the same time
    sum_components<Known>(ctx_, node_, nodes_, true, [&](i32 i, const Known& sums) {
      if (!kept(i).load(std::memory_order_relaxed)) {
        if (i != root && !passes(sums, i)) return;
        kept(i).store(1, std::memory_order_relaxed);
      }
      kept(nodes_.parent[i]).store(1, std::memory_order_relaxed);
    });
  }

  void write(View<T> out) {
    switch (rule_) {
      case FilterRule::min: return write_by<FilterRule::min>(out);
      case FilterRule::subtractive: return write_by<FilterRule::subtractive>(out);
      default: return write_by<FilterRule::direct>(out);  // what `max` keeps was decided on the way up
    }
  }

 private:
  template <FilterRule rule>
  void write_by(View<T> out) {
    lower<rule>(inner_, nodes_.count);
    parallel_for(ctx_, node_tiles(node_.extent), 1, [&](i64 k, i64, int) {
      lower<rule>(nodes_.first[k], nodes_.first[k + 1]);
      const NodeTile t(node_.extent, k);
      const T* const level = level_;
      for (i32 y = t.y0; y < t.y1; ++y) {
        const i32* from = node_.row(y);
        T* to = out.row(y);
        for (i32 x = t.x0; x < t.x1; ++x) to[x] = level[from[x]];
      }
    });
  }

  /// The levels of the places [begin, end), parents first; those of their parents outside are there already.
  template <FilterRule rule>
  void lower(i32 begin, i32 end) {
    const i32* const parent = nodes_.parent;
    const u16* const altitude = nodes_.altitude;
    // Bytes may alias anything, also the members that hold the pointers.
    u8* const keep = keep_;
    T* const level = level_;
    if (end == nodes_.count) level[--end] = static_cast<T>(altitude[nodes_.count - 1]);
    for (i32 i = end - 1; i >= begin; --i) {
      const i32 above = parent[i];
      if constexpr (rule == FilterRule::min) keep[i] &= keep[above];
      const i32 rise = rule == FilterRule::subtractive ? level[above] - altitude[above] : 0;
      level[i] = static_cast<T>(keep[i] ? altitude[i] + rise : level[above]);
    }
  }

  Context& ctx_;
  View<const i32> node_;
  const NodeTable& nodes_;
  FilterRule rule_;
  i32 inner_;
  u8* keep_;
  T* level_;
};

template <class Known, Attribute attribute, class T>
void filter_by(Context& ctx, View<const i32> node, const NodeTable& nodes, View<T> out, const AttributeFilterParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  NodeFilter<T> filter(ctx, node, nodes, params.rule);
  filter.template decide<Known>([&](const Known& known, i32 i) {
    NodeSums s{};
    known.sums(s, params.min_tree);
    s.value = nodes.altitude[i], s.parent_value = nodes.altitude[nodes.parent[i]];
    return attribute_of<attribute>(s) >= params.at_least;
  });
  filter.write(out);
}

template <class T>
void filter(Context& ctx, View<const i32> node, const NodeTable& nodes, View<T> out, const AttributeFilterParams& params) {
  switch (params.attribute) {
    case Attribute::area:
      return open_nodes(ctx, node, nodes, out, static_cast<i64>(std::ceil(std::clamp(params.at_least, 1.0, 2147483648.0))));
    case Attribute::height: return filter_by<PeakOnly, Attribute::height>(ctx, node, nodes, out, params);
    case Attribute::volume: return filter_by<MassOnly, Attribute::volume>(ctx, node, nodes, out, params);
    case Attribute::box_width: return filter_by<BoxOnly, Attribute::box_width>(ctx, node, nodes, out, params);
    case Attribute::box_height: return filter_by<BoxOnly, Attribute::box_height>(ctx, node, nodes, out, params);
    case Attribute::box_diagonal: return filter_by<BoxOnly, Attribute::box_diagonal>(ctx, node, nodes, out, params);
    case Attribute::elongation: return filter_by<MomentsOnly, Attribute::elongation>(ctx, node, nodes, out, params);
    case Attribute::inertia: return filter_by<MomentsOnly, Attribute::inertia>(ctx, node, nodes, out, params);
    case Attribute::contrast: return filter_by<MassOnly, Attribute::contrast>(ctx, node, nodes, out, params);
    case Attribute::mean: return filter_by<MassOnly, Attribute::mean>(ctx, node, nodes, out, params);
  }
}

}  // namespace

template <class T>
void open_nodes(Context& ctx, View<const i32> node, const NodeTable& nodes, View<T> out, i64 area) {
  const Workspace::Scope scope(ctx.workspace);
  NodeFilter<T> filter(ctx, node, nodes, FilterRule::direct);  // the rules agree: area only grows towards the root
  filter.template decide<AreaOnly>([&](const AreaOnly& known, i32) { return known.area >= area; });
  filter.write(out);
}
template void open_nodes<u8>(Context&, View<const i32>, const NodeTable&, View<u8>, i64);
template void open_nodes<u16>(Context&, View<const i32>, const NodeTable&, View<u16>, i64);

/// Shape: node and nodes as max_tree_nodes gives them -> out [h, w] of the image's type. Reach: global.
/// Attributes of a node's component, all from its NodeSums (p: parent altitude; the root's is its own):
/// area px; height |peak - p|; volume sum |value - p|; box_width, box_height, box_diagonal px, inclusive; elongation sqrt(l1 /
/// l2) >= 1, the axes' ratio, l1 >= l2 the eigenvalues of the pixels' covariance with each pixel a unit square (1/12 added);
/// inertia (mu20 + mu02) / area² of pixel centres (Hu's first moment: 1/2π for a disk); contrast |mean - p|; mean of grey
/// values.
/// Exactness: doubles from exact integer sums with + - * / sqrt only, so equal wherever they are IEEE and not contracted.
/// Cost: a pass up the nodes with only the sums that the attribute needs, one down, one over the pixels; box, elongation and
/// inertia one more over the pixels. By tiles in parallel; the nodes that span tiles by one thread. Memory: f's type and 1 byte
/// a node; 4 (area) to 64 bytes for the nodes of a tile and for those that span tiles, a thread.
/// Source: Salembier 1998 §3 (direct, min, max); Urbach 2007 (subtractive, shape attributes).
void attribute_filter(Context& ctx, ConstPlane node, const NodeTable& nodes, Plane out, const AttributeFilterParams& params) {
  op::attribute_filter::check(node, nodes, out, params);
  if (node.extent.empty()) return;
  if (out.type == PixelType::u8) filter<u8>(ctx, node.view<i32>(), nodes, out.view<u8>(), params);
  else filter<u16>(ctx, node.view<i32>(), nodes, out.view<u16>(), params);
}

}  // namespace morpho::cpu
