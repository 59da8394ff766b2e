// Node sums of a max-tree, and filters by an attribute of them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/area_peel.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/max_tree_nodes.hpp"
#include "cpu/parallel.hpp"
#include "contract/require.hpp"

namespace morpho::cpu {
namespace {

void require_tree(ConstPlane f, ConstPlane parent, ConstPlane order) {
  require_plane("f", f);
  require_plane("parent", parent);
  require_plane("order", order);
  require_type("f", f, {PixelType::u8, PixelType::u16});
  require_type("parent", parent, {PixelType::i32});
  require_type("order", order, {PixelType::i32});
  require_same_extent("parent", f, parent);
  require_same_extent("order", f, order);
}

/// A tree's three images by pixel index. Flat images skip the division.
template <class T>
struct Tree {
  View<const T> f;
  View<const i32> parent, order;
  template <class V>
  static V at(const View<const V>& view, i32 p) {
    if (view.contiguous()) return view.data[p];
    return view.at(p % view.width(), p / view.width());
  }
  T value(i32 p) const { return at(f, p); }
  i32 up(i32 p) const { return at(parent, p); }
  i32 nth(i64 i) const { return at(order, static_cast<i32>(i)); }
  i64 count() const { return f.extent.area(); }
  /// Canonical pixels are roots, or have a parent of another grey value.
  bool canonical(i32 p) const {
    const i32 q = up(p);
    return q == p || value(q) != value(p);
  }
};

template <class T>
void sum_nodes(Context& ctx, const Tree<T>& tree, NodeSums* sums, bool min_tree) {
  const i32 width = tree.f.width(), height = tree.f.height();
  const auto pixel = [&](i32 x, i32 y, i32 v) {
    return NodeSums{1, v, x, y, static_cast<i64>(x) * x, static_cast<i64>(y) * y, static_cast<i64>(x) * y, x, y, x, y, v, v, v};
  };
  const auto add = [&](NodeSums& to, const NodeSums& s) {
    to.area += s.area;
    to.sum_value += s.sum_value;
    to.sum_x += s.sum_x, to.sum_y += s.sum_y;
    to.sum_xx += s.sum_xx, to.sum_yy += s.sum_yy, to.sum_xy += s.sum_xy;
    to.min_x = std::min(to.min_x, s.min_x), to.min_y = std::min(to.min_y, s.min_y);
    to.max_x = std::max(to.max_x, s.max_x), to.max_y = std::max(to.max_y, s.max_y);
    to.peak = min_tree ? std::min(to.peak, s.peak) : std::max(to.peak, s.peak);
  };
  // Raster order: a canonical pixel is its node's first, so it is set before the others are added to it.
  for (i32 y = 0; y < height; ++y) {
    if (y % 64 == 0) ctx.check_cancelled();
    for (i32 x = 0; x < width; ++x) {
      const i32 p = y * width + x;
      const NodeSums own = pixel(x, y, tree.value(p));
      if (tree.canonical(p)) {
        sums[p] = own;
        sums[p].parent_value = tree.value(tree.up(p));
      } else {
        add(sums[tree.up(p)], own);
      }
    }
  }
  for (i64 i = tree.count() - 1; i >= 0; --i) {
    if ((i & 0xFFFFF) == 0) ctx.check_cancelled();
    const i32 p = tree.nth(i), q = tree.up(p);
    if (q != p && tree.value(q) != tree.value(p)) add(sums[q], sums[p]);
  }
}

/// Second moments about the centre, times the area: exact integers about the box's corner first, so that nothing cancels in double.
struct Moments {
  double xx, yy, xy;
};
Moments central_moments(const NodeSums& s) {
  // In u64, where intermediate wrapping is harmless: the sums about the corner are small again.
  const auto w = [](i64 v) { return static_cast<u64>(v); };
  const u64 x0 = w(s.min_x), y0 = w(s.min_y), n = w(s.area);
  const i64 sx = static_cast<i64>(w(s.sum_x) - n * x0), sy = static_cast<i64>(w(s.sum_y) - n * y0);
  const i64 sxx = static_cast<i64>(w(s.sum_xx) - 2 * x0 * w(s.sum_x) + n * x0 * x0);
  const i64 syy = static_cast<i64>(w(s.sum_yy) - 2 * y0 * w(s.sum_y) + n * y0 * y0);
  const i64 sxy = static_cast<i64>(w(s.sum_xy) - x0 * w(s.sum_y) - y0 * w(s.sum_x) + n * x0 * y0);
  const double area = static_cast<double>(s.area), x = static_cast<double>(sx), y = static_cast<double>(sy);
  return {static_cast<double>(sxx) - x * x / area, static_cast<double>(syy) - y * y / area, static_cast<double>(sxy) - x * y / area};
}

double attribute_of(const NodeSums& s, Attribute attribute) {
  const double area = static_cast<double>(s.area), width = s.max_x - s.min_x + 1, height = s.max_y - s.min_y + 1;
  switch (attribute) {
    case Attribute::area: return area;
    case Attribute::height: return std::abs(static_cast<double>(s.peak) - s.parent_value);
    case Attribute::volume: return std::abs(static_cast<double>(s.sum_value - s.area * s.parent_value));
    case Attribute::box_width: return width;
    case Attribute::box_height: return height;
    case Attribute::box_diagonal: return std::sqrt(width * width + height * height);
    case Attribute::elongation: {
      const Moments m = central_moments(s);
      const double a = m.xx / area + 1.0 / 12, b = m.yy / area + 1.0 / 12, c = m.xy / area;  // 1/12: a pixel's own extent
      const double mid = (a + b) / 2, spread = std::sqrt((a - b) * (a - b) / 4 + c * c);
      return std::sqrt((mid + spread) / std::max(mid - spread, 1.0 / 12));
    }
    case Attribute::inertia: {
      const Moments m = central_moments(s);
      return (m.xx + m.yy) / (area * area);
    }
    case Attribute::contrast: return std::abs(static_cast<double>(s.sum_value) / area - s.parent_value);
    default: return static_cast<double>(s.sum_value) / area;
  }
}

/// What an attribute needs to know of a component, and no more: `own` takes in a pixel, `add` a child; `sums` hands it over.
struct PeakOnly {
  i32 high, low;
  void begin(i32 v) { high = low = v; }
  void own(i32, i32, i32) {}
  void add(const PeakOnly& o) { high = std::max(high, o.high), low = std::min(low, o.low); }
  void sums(NodeSums& s, bool min_tree) const { s.peak = min_tree ? low : high; }
};
struct MassOnly {
  i64 area, value;
  void begin(i32) { area = value = 0; }
  void own(i32, i32, i32 v) { ++area, value += v; }
  void add(const MassOnly& o) { area += o.area, value += o.value; }
  void sums(NodeSums& s, bool) const { s.area = area, s.sum_value = value; }
};
struct BoxOnly {
  i32 x0, y0, x1, y1;
  void begin(i32) { x0 = y0 = std::numeric_limits<i32>::max(), x1 = y1 = -1; }
  void own(i32 x, i32 y, i32) { x0 = std::min(x0, x), y0 = std::min(y0, y), x1 = std::max(x1, x), y1 = std::max(y1, y); }
  void add(const BoxOnly& o) { x0 = std::min(x0, o.x0), y0 = std::min(y0, o.y0), x1 = std::max(x1, o.x1), y1 = std::max(y1, o.y1); }
  void sums(NodeSums& s, bool) const { s.min_x = x0, s.min_y = y0, s.max_x = x1, s.max_y = y1; }
};
struct MomentsOnly {
  i64 area, x, y, xx, yy, xy;
  BoxOnly box;
  void begin(i32 v) {
    box.begin(v);
    area = x = y = xx = yy = xy = 0;
  }
  void own(i32 px, i32 py, i32 v) {
    box.own(px, py, v);
    ++area, x += px, y += py;
    xx += static_cast<i64>(px) * px, yy += static_cast<i64>(py) * py, xy += static_cast<i64>(px) * py;
  }
  void add(const MomentsOnly& o) {
    box.add(o.box);
    area += o.area, x += o.x, y += o.y, xx += o.xx, yy += o.yy, xy += o.xy;
  }
  void sums(NodeSums& s, bool min_tree) const {
    box.sums(s, min_tree);
    s.area = area, s.sum_x = x, s.sum_y = y, s.sum_xx = xx, s.sum_yy = yy, s.sum_xy = xy;
  }
};

template <class Known, class T>
void filter_nodes(Context& ctx, const NodeList<T>& nodes, View<T> out, const AttributeFilterParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const i32 width = out.width(), height = out.height(), count = nodes.count;
  const std::size_t n = static_cast<std::size_t>(count);
  Known* known = ctx.workspace.take<Known>(n);
  u8* keep = ctx.workspace.take<u8>(n);
  T* level = ctx.workspace.take<T>(n);
  const auto value = [&](i32 i) { return nodes.f[nodes.pixel[i]]; };
  for (i32 i = 0; i < count; ++i) known[i].begin(value(i));
  for (i32 y = 0, p = 0; y < height; ++y) {
    if (y % 64 == 0) ctx.check_cancelled();
    for (i32 x = 0; x < width; ++x, ++p) known[nodes.node_of(p)].own(x, y, nodes.f[p]);
  }
  ctx.check_cancelled();
  for (i32 i = 0; i + 1 < count; ++i) known[nodes.up[i]].add(known[i]);
  parallel_for(ctx, count, 1 << 16, [&](i64 begin, i64 end, int) {
    for (i32 i = static_cast<i32>(begin); i < end; ++i) {
      NodeSums s{};
      known[i].sums(s, params.min_tree);
      s.value = value(i), s.parent_value = value(nodes.up[i]);
      keep[i] = i + 1 == count || attribute_of(s, params.attribute) >= params.at_least;
    }
  });
  ctx.check_cancelled();
  if (params.rule == FilterRule::max) {
    for (i32 i = 0; i < count; ++i) keep[nodes.up[i]] |= keep[i];
  }
  level[count - 1] = value(count - 1);
  for (i32 i = count - 2; i >= 0; --i) {  // parents before their children
    const i32 above = nodes.up[i];
    if (params.rule == FilterRule::min) keep[i] = keep[i] && keep[above];
    if (!keep[i]) level[i] = level[above];
    else if (params.rule == FilterRule::subtractive) level[i] = static_cast<T>(level[above] + value(i) - value(above));
    else level[i] = value(i);
  }
  parallel_for(ctx, height, rows_per_piece(width), [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) {
      T* row = out.row(static_cast<i32>(y));
      const i32 first = static_cast<i32>(y * width);
      for (i32 x = 0; x < width; ++x) row[x] = level[nodes.node_of(first + x)];
    }
  });
}

/// The pixels of a view without gaps between rows: its own, or a copy.
template <class V>
const V* flat(Context& ctx, View<const V> view) {
  if (view.contiguous()) return view.data;
  V* copy = ctx.workspace.take<V>(static_cast<std::size_t>(view.extent.area()));
  for (i32 y = 0; y < view.height(); ++y) std::copy_n(view.row(y), view.width(), copy + static_cast<i64>(y) * view.width());
  return copy;
}

template <class T>
void filter(Context& ctx, View<const T> f, View<const i32> parents, View<T> out, const AttributeFilterParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const T* values = flat(ctx, f);
  const i32* parent = flat(ctx, parents);
  if (params.attribute == Attribute::area) {  // increasing: the rules agree
    open_tree(ctx, values, parent, out, static_cast<i64>(std::ceil(std::clamp(params.at_least, 1.0, 2147483648.0))));
    return;
  }
  const NodeList<T> nodes(ctx, values, parent, f.extent);
  switch (params.attribute) {
    case Attribute::height: return filter_nodes<PeakOnly>(ctx, nodes, out, params);
    case Attribute::box_width:
    case Attribute::box_height:
    case Attribute::box_diagonal: return filter_nodes<BoxOnly>(ctx, nodes, out, params);
    case Attribute::elongation:
    case Attribute::inertia: return filter_nodes<MomentsOnly>(ctx, nodes, out, params);
    default: return filter_nodes<MassOnly>(ctx, nodes, out, params);
  }
}

}  // namespace

/// Shape: f, parent, order as max_tree gives them; sums: area() elements, written at canonical pixels. Units: px, grey values.
/// Cost: one pass in raster order, one in `order`. Memory: none. Source: Berger 2007 §3; Salembier 1998 (attributes).
/// Requires: extents for which the sum of x² over the image fits an i64 (46340 squared does).
void max_tree_sums(Context& ctx, ConstPlane f, ConstPlane parent, ConstPlane order, NodeSums* sums, bool min_tree) {
  require_tree(f, parent, order);
  if (f.extent.empty()) return;
  if (!sums) reject("sums", "an array of " + std::to_string(f.extent.area()) + " elements", "a null pointer");
  visit_pixel_type(f.type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (sizeof(T) < 4) {
      sum_nodes<T>(ctx, {f.view<T>(), parent.view<i32>(), order.view<i32>()}, sums, min_tree);
    }
  });
}

/// Shape: f, parent, order as max_tree gives them -> out [h, w] of f's type. Reach: global.
/// Attributes of a node's component, all from its NodeSums (p: parent altitude; the root's is its own):
/// area px; height |peak - p|; volume sum |value - p|; box_width, box_height, box_diagonal px, inclusive; elongation sqrt(l1 / l2) >= 1,
/// the axes' ratio, l1 >= l2 the eigenvalues of the pixels' covariance with each pixel a unit square (1/12 added); inertia
/// (mu20 + mu02) / area² of pixel centres (Hu's first moment: 1/2π for a disk); contrast |mean - p|; mean of grey values.
/// Exactness: doubles from exact integer sums with + - * / sqrt only, so equal wherever they are IEEE and not contracted.
/// Cost: area three passes (area_peel.hpp); others the list of nodes, two passes over the pixels, three over the nodes, with only the
/// sums that the attribute needs. `order` is not needed. Memory: area 4 bytes (8 above 32768 px) and f's type a pixel, 4 bytes a node;
/// others 4 bytes a pixel and up to 75 bytes a node. Views with gaps between rows are copied first.
/// Source: Salembier 1998 §3 (direct, min, max); Urbach 2007 (subtractive, shape attributes).
void attribute_filter(Context& ctx, ConstPlane f, ConstPlane parent, ConstPlane order, Plane out, const AttributeFilterParams& params) {
  require_tree(f, parent, order);
  require_plane("out", out);
  require_same_type("out", f, out);
  require_same_extent("out", f, out);
  for (const ConstPlane& input : {f, parent, order}) require_apart("out", out, input);
  if (static_cast<int>(params.attribute) > static_cast<int>(Attribute::mean)) {
    reject("attribute", "one of the ten attributes", std::to_string(static_cast<int>(params.attribute)));
  }
  if (static_cast<int>(params.rule) > static_cast<int>(FilterRule::subtractive)) {
    reject("rule", "direct, min, max or subtractive", std::to_string(static_cast<int>(params.rule)));
  }
  if (std::isnan(params.at_least)) reject("at_least", "a number", "NaN");
  if (f.extent.empty()) return;
  if (f.type == PixelType::u8) filter<u8>(ctx, f.view<u8>(), parent.view<i32>(), out.view<u8>(), params);
  else filter<u16>(ctx, f.view<u16>(), parent.view<i32>(), out.view<u16>(), params);
}

}  // namespace morpho::cpu
