// What must hold of the operations on every image, whatever their algorithm: the laws of morphology, and independence of
// orientation and threads.
#include <array>
#include <cmath>
#include <map>

#include "cpu/cpu_ops.hpp"
#include "../support/fewer_threads.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

// ---------------------------------------------------------------- images turned over

/// The eight ways to lay an image: bit 0 mirrors x, bit 1 mirrors y, bit 2 then swaps x and y.
template <class T>
Image<T> laid(const Image<T>& f, int way) {
  const i32 w = f.extent.width, h = f.extent.height;
  Image<T> out(way & 4 ? h : w, way & 4 ? w : h, T{}, way % 3);
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) {
      const i32 u = way & 1 ? w - 1 - x : x, v = way & 2 ? h - 1 - y : y;
      (way & 4 ? out.at(v, u) : out.at(u, v)) = f.at(x, y);
    }
  }
  return out;
}
template <class T>
Image<T> inverted(const Image<T>& f) {
  Image<T> out = f;
  for (auto& v : out.data) v = static_cast<T>(~v);  // reverses the order of signed and unsigned alike
  return out;
}
template <class T>
bool below(const Image<T>& a, const Image<T>& b) {
  for (i64 p = 0; p < a.area(); ++p) {
    if (a[p] > b[p]) return false;
  }
  return true;
}
template <class T, class Fn>
Image<T> pointwise(const Image<T>& a, const Image<T>& b, Fn&& fn) {
  Image<T> out = a;
  for (i64 p = 0; p < a.area(); ++p) out[p] = fn(a[p], b[p]);
  return out;
}
template <class T>
Image<T> lower(const Image<T>& a, const Image<T>& b) {
  return pointwise(a, b, [](T u, T v) { return std::min(u, v); });
}
/// The same regions: labels may differ by a one-to-one renaming that keeps 0.
bool same_regions(const Image<i32>& a, const Image<i32>& b) {
  std::map<i32, i32> there{{0, 0}}, back{{0, 0}};
  for (i64 p = 0; p < a.area(); ++p) {
    if (there.try_emplace(a[p], b[p]).first->second != b[p] || back.try_emplace(b[p], a[p]).first->second != a[p]) return false;
  }
  return a.extent == b.extent;
}

// ---------------------------------------------------------------- the operations as functions

template <class To = u8, class T, class Params>
Image<To> apply(void (*op)(Context&, ConstPlane, Plane, const Params&), const Image<T>& f, const Params& params,
                int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<To> out(f.extent.width, f.extent.height, To{7}, 1);
  op(ctx, f.cplane(), out.plane(), params);
  return out;
}
template <class T>
Image<T> rebuilt(const Image<T>& marker, const Image<T>& mask, const ReconstructParams& params, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<T> out(mask.extent.width, mask.extent.height, T{}, 1);
  cpu::reconstruct(ctx, marker.cplane(), mask.cplane(), out.plane(), params);
  return out;
}
template <class T>
Image<i32> labelled(const Image<T>& f, Connectivity c, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<i32> out(f.extent.width, f.extent.height);
  cpu::label(ctx, f.cplane(), out.plane(), {c});
  return out;
}
template <class T>
Image<i32> basins(const Image<T>& f, const WatershedParams& params, int threads = 1, i32* count = nullptr) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<i32> out(f.extent.width, f.extent.height);
  const i32 n = cpu::watershed(ctx, f.cplane(), {}, {}, out.plane(), params);
  if (count) *count = n;
  return out;
}
template <class T>
Image<T> tree_filtered(const Image<T>& f, Connectivity c, const AttributeFilterParams& params, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<i32> parent(f.extent.width, f.extent.height), order = parent;
  Image<T> out = f;
  cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {c, params.min_tree});
  Image<i32> node(f.extent.width, f.extent.height);
  NodeTable nodes = take_node_table(w, f.extent);
  cpu::max_tree_nodes(ctx, f.cplane(), parent.cplane(), order.cplane(), node.plane(), nodes);
  cpu::attribute_filter(ctx, node.cplane(), nodes, out.plane(), params);
  return out;
}

/// Small random images, some of few levels, some a line, and the choices that go with them.
struct Random {
  explicit Random(std::uint32_t seed) : rng(seed) {}
  std::mt19937 rng;
  i32 upto(i32 n) { return static_cast<i32>(rng() % static_cast<unsigned>(n)); }
  Extent extent() { return {1 + upto(upto(6) == 0 ? 40 : 11), 1 + upto(upto(6) == 0 ? 40 : 11)}; }
  template <class T>
  Image<T> image(Extent e) {
    return random_image<T>(rng, e.width, e.height, 2 + upto(9), std::is_same_v<T, u8> ? 25 : 5000, upto(3));
  }
  Connectivity connectivity() { return upto(2) ? Connectivity::four : Connectivity::eight; }
  int threads() { return std::array{1, 2, 3, 8}[static_cast<std::size_t>(upto(4))]; }
};

// ---------------------------------------------------------------- reconstruction and what derives from it

template <class T>
void reconstruction_laws(Random& r) {
  const Extent e = r.extent();
  const auto marker = r.image<T>(e), mask = r.image<T>(e), other = r.image<T>(e);
  const Connectivity c = r.connectivity();
  const auto params = [&](By by) { return ReconstructParams{by, c, static_cast<ReconstructVariant>(r.upto(8))}; };
  const auto by_dilation = [&](const Image<T>& m, const Image<T>& f) {
    return rebuilt(m, f, params(By::dilation), r.threads());
  };
  const auto out = by_dilation(marker, mask);
  ASSERT_TRUE(below(out, mask)) << "held by the mask";
  ASSERT_TRUE(below(lower(marker, mask), out)) << "extensive over the marker";
  ASSERT_EQ(by_dilation(out, mask).pixels(), out.pixels()) << "idempotent";
  ASSERT_TRUE(below(by_dilation(lower(marker, other), mask), out)) << "increasing in the marker";
  ASSERT_TRUE(below(by_dilation(marker, lower(mask, other)), out)) << "increasing in the mask";
  ASSERT_EQ(inverted(rebuilt(inverted(marker), inverted(mask), params(By::erosion), r.threads())).pixels(), out.pixels())
      << "dual";
  const int way = r.upto(8);
  ASSERT_EQ(by_dilation(laid(marker, way), laid(mask, way)).pixels(), laid(out, way).pixels()) << "way " << way;
}
TEST(Properties, Reconstruction) {
  Random r(21);
  for (int i = 0; i < random_images(700) && !HasFatalFailure(); ++i) {
    reconstruction_laws<u8>(r);
    reconstruction_laws<u16>(r);
    reconstruction_laws<i32>(r);
  }
}

template <class T>
void dome_laws(Random& r) {
  const auto f = r.image<T>(r.extent());
  const Connectivity c = r.connectivity();
  const i32 unit = std::is_same_v<T, u8> ? 25 : 5000, h = 1 + r.upto(4 * unit), h2 = 1 + r.upto(2 * unit);
  const auto hmax = [&](const Image<T>& g, i32 by) {
    return apply<T>(cpu::h_extrema, g, ExtremaParams{Extremum::maxima, by, c}, r.threads());
  };
  const auto cut = hmax(f, h);
  for (i64 p = 0; p < f.area(); ++p)
    ASSERT_TRUE(cut[p] <= f[p] && static_cast<i64>(f[p]) - cut[p] <= h) << "a dome is at most h high";
  ASSERT_EQ(hmax(cut, h2).pixels(), hmax(f, h + h2).pixels()) << "HMAX of h, then of h2, is HMAX of h + h2";
  const auto hmin = [&](const Image<T>& g, i32 by) {
    return apply<T>(cpu::h_extrema, g, ExtremaParams{Extremum::minima, by, c});
  };
  ASSERT_EQ(inverted(hmin(inverted(f), h)).pixels(), cut.pixels()) << "dual";
  const auto extended = apply(cpu::extended_extrema, f, ExtremaParams{Extremum::maxima, h, c}, r.threads());
  ASSERT_EQ(extended.pixels(), apply(cpu::regional_extrema, cut, ExtremaParams{Extremum::maxima, 1, c}).pixels())
      << "by definition";
  ASSERT_EQ(apply(cpu::extended_extrema, inverted(f), ExtremaParams{Extremum::minima, h, c}).pixels(), extended.pixels())
      << "dual";
  const auto regional = apply(cpu::regional_extrema, f, ExtremaParams{Extremum::maxima, 1, c}, r.threads());
  auto above = f;
  for (auto& v : above.data) v = static_cast<T>(v + 1);  // so that lowering by 1 stays within the type
  const auto domes = hmax(above, 1);
  for (i64 p = 0; p < f.area(); ++p) ASSERT_EQ(regional[p], above[p] > domes[p]) << "maxima are the domes of height 1";
  const int way = r.upto(8);
  ASSERT_EQ(hmax(laid(f, way), h).pixels(), laid(cut, way).pixels());
  ASSERT_EQ(apply(cpu::extended_extrema, laid(f, way), ExtremaParams{Extremum::maxima, h, c}).pixels(),
            laid(extended, way).pixels());
}
TEST(Properties, Domes) {
  Random r(22);
  for (int i = 0; i < random_images(500) && !HasFatalFailure(); ++i) {
    dome_laws<u8>(r);
    dome_laws<u16>(r);
    dome_laws<i32>(r);
  }
}

template <class T>
void filter_laws(Random& r) {
  const Extent e = r.extent();
  const auto f = r.image<T>(e), less = lower(f, r.image<T>(e));
  const ConnectivityParams c{r.connectivity()};
  const int way = r.upto(8), threads = r.threads();
  const auto filled = apply<T>(cpu::fill_holes, f, c, threads), cleared = apply<T>(cpu::clear_border, f, c, threads);
  ASSERT_TRUE(below(f, filled)) << "filling is extensive";
  ASSERT_TRUE(below(apply<T>(cpu::fill_holes, less, c), filled)) << "and increasing";
  ASSERT_EQ(apply<T>(cpu::fill_holes, filled, c).pixels(), filled.pixels()) << "and idempotent";
  ASSERT_TRUE(below(cleared, f)) << "clearing is anti-extensive";
  ASSERT_EQ(apply<T>(cpu::clear_border, cleared, c).pixels(), cleared.pixels()) << "and idempotent";
  ASSERT_EQ(apply<T>(cpu::fill_holes, laid(f, way), c).pixels(), laid(filled, way).pixels());
  ASSERT_EQ(apply<T>(cpu::clear_border, laid(f, way), c).pixels(), laid(cleared, way).pixels());

  const i32 area = 1 + r.upto(20), larger = area + r.upto(20);
  const auto open = [&](const Image<T>& g, i32 a, bool closing = false) {
    return apply<T>(cpu::area_open, g, AreaOpenParams{a, c.connectivity, closing}, threads);
  };
  const auto opened = open(f, area);
  ASSERT_TRUE(below(opened, f)) << "area opening is anti-extensive";
  ASSERT_TRUE(below(open(less, area), opened)) << "increasing";
  ASSERT_EQ(open(opened, area).pixels(), opened.pixels()) << "idempotent";
  ASSERT_EQ(open(opened, larger).pixels(), open(f, larger).pixels()) << "and the larger of two areas decides";
  ASSERT_EQ(inverted(open(inverted(f), area, true)).pixels(), opened.pixels()) << "dual";
  ASSERT_EQ(open(laid(f, way), area).pixels(), laid(opened, way).pixels());
  for (FilterRule rule : {FilterRule::direct, FilterRule::min, FilterRule::max, FilterRule::subtractive}) {
    ASSERT_EQ(tree_filtered(f, c.connectivity, {Attribute::area, rule, static_cast<double>(area), false}, threads).pixels(),
              opened.pixels())
        << "area grows towards the root, so every rule gives the area opening";
  }
  const AttributeFilterParams any{static_cast<Attribute>(r.upto(10)), static_cast<FilterRule>(r.upto(3)), r.upto(30) / 4.0,
                                  false};
  const auto kept = tree_filtered(f, c.connectivity, any);
  ASSERT_TRUE(below(kept, f)) << "nodes go, none is raised";
  if (any.attribute != Attribute::mean) {  // the mean is not turned over with the values
    auto dual = any;
    dual.min_tree = true;
    ASSERT_EQ(inverted(tree_filtered(inverted(f), c.connectivity, dual)).pixels(), kept.pixels())
        << static_cast<int>(any.attribute);
  }
}
TEST(Properties, FillingClearingAndAttributes) {
  Random r(23);
  for (int i = 0; i < random_images(800) && !HasFatalFailure(); ++i) {
    filter_laws<u8>(r);
    filter_laws<u16>(r);
  }
}

// ---------------------------------------------------------------- shapes

TEST(Properties, ErosionAndDilation) {
  Random r(24);
  for (int i = 0; i < random_images(1500); ++i) {
    const Extent e = r.extent();
    const auto f = r.image<u8>(e), g = r.image<u8>(e), less = lower(f, g);
    const Shape shape = static_cast<Shape>(r.upto(7));
    const i32 radius = r.upto(8);
    const auto by = [&](Morphology kind, const Image<u8>& image, Shape s) {
      return apply(cpu::morphology, image, MorphologyParams{kind, s, radius}, r.threads());
    };
    const auto eroded = by(Morphology::erode, f, shape), opened = by(Morphology::open, f, shape);
    ASSERT_TRUE(below(opened, f) && below(eroded, opened)) << "erosion <= opening <= image";
    ASSERT_EQ(by(Morphology::open, opened, shape).pixels(), opened.pixels()) << "opening is idempotent";
    ASSERT_TRUE(below(by(Morphology::open, less, shape), opened)) << "and increasing";
    ASSERT_EQ(inverted(by(Morphology::dilate, inverted(f), shape)).pixels(), eroded.pixels()) << "dual";
    ASSERT_EQ(inverted(by(Morphology::close, inverted(f), shape)).pixels(), opened.pixels()) << "dual";
    ASSERT_EQ(below(by(Morphology::dilate, g, shape), f), below(g, eroded)) << "adjoint";
    const int way = r.upto(8);
    Shape turned = shape;
    if (way & 4 && shape == Shape::line_horizontal) turned = Shape::line_vertical;
    if (way & 4 && shape == Shape::line_vertical) turned = Shape::line_horizontal;
    if ((way & 1) != (way >> 1 & 1)) {
      if (shape == Shape::line_diagonal) turned = Shape::line_antidiagonal;
      if (shape == Shape::line_antidiagonal) turned = Shape::line_diagonal;
    }
    ASSERT_EQ(by(Morphology::erode, laid(f, way), turned).pixels(), laid(eroded, way).pixels()) << i << " way " << way;
    ASSERT_EQ(by(Morphology::open, laid(f, way), turned).pixels(), laid(opened, way).pixels());
    const RadiusParams window{radius};
    ASSERT_EQ(apply(cpu::median, laid(f, way), window).pixels(), laid(apply(cpu::median, f, window), way).pixels());
    ASSERT_EQ(apply(cpu::box_mean, laid(f, way), window).pixels(), laid(apply(cpu::box_mean, f, window), way).pixels());
    if (shape == Shape::square) {
      const auto step = [&](const Image<u8>& image, i32 by_px) {
        return apply(cpu::morphology, image, MorphologyParams{Morphology::erode, shape, by_px});
      };
      ASSERT_EQ(step(eroded, 3).pixels(), step(f, radius + 3).pixels()) << "squares add up";
    }
  }
}

TEST(Properties, Distance) {
  Random r(25);
  for (int i = 0; i < random_images(1500); ++i) {
    const Extent e = r.extent();
    const auto f = random_image<u8>(r.rng, e.width, e.height, 2 + r.upto(20)),
               fewer = lower(f, random_image<u8>(r.rng, e.width, e.height, 20));
    const DistanceParams params{1 + r.upto(9), 1 + r.upto(9), static_cast<DistanceVariant>(r.upto(3))};
    const DistanceParams swapped{params.weight_y, params.weight_x, params.variant};
    const auto d = apply<i32>(cpu::distance, f, params, r.threads());
    ASSERT_TRUE(below(apply<i32>(cpu::distance, fewer, params), d)) << "more zero pixels, smaller distances";
    for (i64 p = 0; p < f.area(); ++p) {
      ASSERT_EQ(d[p] == 0, f[p] == 0);
      each_neighbour(e, p, Connectivity::four, [&](i64 q) {
        if (d[p] == kNoBackground) return;
        const double step = std::sqrt(
            static_cast<double>(std::abs(q - p) == 1 && e.width > 1 ? params.weight_x : params.weight_y));
        ASSERT_LE(std::sqrt(d[p]) - std::sqrt(d[q]), step + 1e-9) << "Lipschitz";
      });
    }
    const int way = r.upto(8);
    ASSERT_EQ(apply<i32>(cpu::distance, laid(f, way), way & 4 ? swapped : params).pixels(), laid(d, way).pixels()) << i;
  }
}

// ---------------------------------------------------------------- labels and basins

TEST(Properties, Labels) {
  Random r(26);
  for (int i = 0; i < random_images(1500); ++i) {
    const Extent e = r.extent();
    const auto f = random_image<u8>(r.rng, e.width, e.height, 2 + r.upto(3));
    const Connectivity c = r.connectivity();
    const auto labels = labelled(f, c, r.threads());
    ASSERT_EQ(labelled(labels, c).pixels(), labels.pixels()) << "idempotent: numbered in raster order already";
    const int way = r.upto(8);
    ASSERT_TRUE(same_regions(labelled(laid(f, way), c), laid(labels, way)));
    const AreaFilterParams by_area{c, r.upto(9), 2147483647};
    const auto kept = apply(cpu::area_filter, f, by_area, r.threads());
    ASSERT_EQ(apply(cpu::area_filter, kept, by_area).pixels(), kept.pixels());
    ASSERT_EQ(apply(cpu::area_filter, laid(f, way), by_area).pixels(), laid(kept, way).pixels());
  }
}

template <class T>
void basin_laws(Random& r, bool distinct) {
  const Extent e = r.extent();
  auto f = r.image<T>(e);
  if (distinct) {
    for (i64 p = 0; p < f.area(); ++p) f[p] = static_cast<T>(p);
    for (i64 p = f.area() - 1; p > 0; --p) std::swap(f[p], f[r.upto(static_cast<i32>(p) + 1)]);
  }
  const WatershedParams params{r.connectivity(), false, static_cast<WatershedVariant>(r.upto(3))};
  i32 count = 0;
  const auto labels = basins(f, params, r.threads(), &count);
  const auto minima = labelled(apply(cpu::regional_extrema, f, ExtremaParams{Extremum::minima, 1, params.connectivity}),
                               params.connectivity);
  for (i64 p = 0; p < f.area(); ++p) {
    ASSERT_TRUE(labels[p] >= 1 && labels[p] <= count) << "every pixel drains";
    if (minima[p]) {
      ASSERT_EQ(labels[p], minima[p]) << "minima keep their numbers";
    }
  }
  ASSERT_EQ(labelled(labels, params.connectivity).area(), labels.area());
  ASSERT_TRUE(same_regions(labelled(labels, params.connectivity), labels)) << "every basin is connected";
  auto stretched = f.template to<i32>(1);
  for (auto& v : stretched.data) v = v * 3 - 100000;
  ASSERT_EQ(basins(stretched, params).pixels(), labels.pixels()) << "only the order of values counts";
  if (distinct) {
    const int way = r.upto(8);
    ASSERT_TRUE(same_regions(basins(laid(f, way), params), laid(labels, way))) << "without ties, orientation does not matter";
  }
}
TEST(Properties, Basins) {
  Random r(27);
  for (int i = 0; i < random_images(800) && !HasFatalFailure(); ++i) {
    basin_laws<u8>(r, false);
    basin_laws<u16>(r, i % 2 == 0);
    basin_laws<i32>(r, true);
  }
}

// ---------------------------------------------------------------- threads

TEST(Properties, ThreadsDoNotShow) {
  // Large enough that every operation cuts it: into three pieces of 2^17 px, and into two by two tiles of 512 px.
  const auto f = blobs8(600, 531, 31);
  auto marker = f, binary = f;
  for (auto& v : marker.data) v = static_cast<u8>(v < 50 ? 0 : v - 50);
  for (auto& v : binary.data) v = v > 120;
  constexpr Connectivity c = Connectivity::four;
  const std::vector<std::pair<const char*, std::function<std::vector<i32>(int)>>> ops = {
      {"reconstruct",
       [&](int n) { return rebuilt(marker, f, {By::dilation, c, ReconstructVariant::automatic}, n).to<i32>().pixels(); }},
      {"tiled",
       [&](int n) {
         return rebuilt(marker, f, {By::dilation, c, ReconstructVariant::tiled_fast_hybrid}, n).to<i32>().pixels();
       }},
      {"parallel",
       [&](int n) {
         return rebuilt(marker, f, {By::dilation, c, ReconstructVariant::parallel_fast_hybrid}, n).to<i32>().pixels();
       }},
      {"h_extrema",
       [&](int n) { return apply(cpu::h_extrema, f, ExtremaParams{Extremum::minima, 30, c}, n).to<i32>().pixels(); }},
      {"extended_extrema",
       [&](int n) { return apply(cpu::extended_extrema, f, ExtremaParams{Extremum::maxima, 30, c}, n).to<i32>().pixels(); }},
      {"regional_extrema",
       [&](int n) { return apply(cpu::regional_extrema, f, ExtremaParams{Extremum::maxima, 1, c}, n).to<i32>().pixels(); }},
      {"fill_holes", [&](int n) { return apply(cpu::fill_holes, f, ConnectivityParams{c}, n).to<i32>().pixels(); }},
      {"clear_border", [&](int n) { return apply(cpu::clear_border, f, ConnectivityParams{c}, n).to<i32>().pixels(); }},
      {"area_open", [&](int n) { return apply(cpu::area_open, f, AreaOpenParams{40, c, false}, n).to<i32>().pixels(); }},
      {"elongation",
       [&](int n) {
         return tree_filtered(f, c, {Attribute::elongation, FilterRule::subtractive, 1.5, false}, n).to<i32>().pixels();
       }},
      {"distance",
       [&](int n) { return apply<i32>(cpu::distance, binary, DistanceParams{2, 3, DistanceVariant::exact}, n).pixels(); }},
      {"danielsson",
       [&](int n) { return apply<i32>(cpu::distance, binary, DistanceParams{2, 3, DistanceVariant::danielsson}, n).pixels(); }},
      {"label", [&](int n) { return labelled(binary, c, n).pixels(); }},
      {"area_filter",
       [&](int n) { return apply(cpu::area_filter, binary, AreaFilterParams{c, 20, 400}, n).to<i32>().pixels(); }},
      {"watershed", [&](int n) { return basins(f, {c, true, WatershedVariant::automatic}, n).pixels(); }},
      {"automaton", [&](int n) { return basins(f, {c, true, WatershedVariant::cellular_automaton}, n).pixels(); }},
      {"median", [&](int n) { return apply(cpu::median, f, RadiusParams{3}, n).to<i32>().pixels(); }},
      {"open",
       [&](int n) {
         return apply(cpu::morphology, f, MorphologyParams{Morphology::open, Shape::disk, 7}, n).to<i32>().pixels();
       }},
  };
  for (const auto& [name, run] : ops) {
    const auto one = run(1);
    for (int threads : fewer_threads({2, 3, 8})) EXPECT_TRUE(run(threads) == one) << name << " with " << threads << " threads";
  }
}

}  // namespace
}  // namespace morpho::test
