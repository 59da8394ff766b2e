// Node sums of a max-tree, and filters by an attribute of them.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "cpu/cpu_ops.hpp"
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

template <class T>
void filter(Context& ctx, const Tree<T>& tree, View<T> out, const AttributeFilterParams& params) {
  const Workspace::Scope scope(ctx.workspace);
  const std::size_t n = static_cast<std::size_t>(tree.count());
  NodeSums* sums = ctx.workspace.take<NodeSums>(n);
  u8* keep = ctx.workspace.take<u8>(n);
  T* level = ctx.workspace.take<T>(n);
  sum_nodes(ctx, tree, sums, params.min_tree);

  const i32 width = out.width();
  parallel_for(ctx, out.height(), rows_per_piece(width), [&](i64 begin, i64 end, int) {
    for (i32 p = static_cast<i32>(begin * width); p < end * width; ++p) {
      keep[p] = tree.canonical(p) && (tree.up(p) == p || attribute_of(sums[p], params.attribute) >= params.at_least);
    }
  });
  if (params.rule == FilterRule::max) {  // children come after their parents in `order`
    for (i64 i = tree.count() - 1; i >= 0; --i) {
      const i32 p = tree.nth(i);
      if (keep[p]) keep[tree.up(p)] = 1;
    }
  }
  for (i64 i = 0; i < tree.count(); ++i) {
    if ((i & 0xFFFFF) == 0) ctx.check_cancelled();
    const i32 p = tree.nth(i), q = tree.up(p);
    const T f = tree.value(p), above = tree.value(q);
    if (p == q) {
      level[p] = f;
    } else if (f == above) {
      level[p] = level[q];
    } else {
      if (params.rule == FilterRule::min) keep[p] = keep[p] && keep[q];
      if (!keep[p]) level[p] = level[q];
      else if (params.rule == FilterRule::subtractive) level[p] = static_cast<T>(level[q] + f - above);
      else level[p] = f;
    }
  }
  for (i32 y = 0; y < out.height(); ++y) {
    std::memcpy(out.row(y), level + static_cast<std::size_t>(y) * static_cast<std::size_t>(width), sizeof(T) * static_cast<std::size_t>(width));
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
/// Cost: max_tree_sums, then two passes (three for FilterRule::max). Memory: 89 bytes and f's type a pixel.
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
  if (f.type == PixelType::u8) filter<u8>(ctx, {f.view<u8>(), parent.view<i32>(), order.view<i32>()}, out.view<u8>(), params);
  else filter<u16>(ctx, {f.view<u16>(), parent.view<i32>(), order.view<i32>()}, out.view<u16>(), params);
}

}  // namespace morpho::cpu
