// The max-tree, its sums, attribute filters and area openings: hand-checked, against the oracle and threshold decomposition.
#include <cmath>
#include <map>

#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

struct TreeImages {
  Image<i32> parent, order;
};
/// A table of nodes in memory of its own.
struct Table {
  Image<i32> node;
  std::vector<i32> parent, pixel, own, first;
  std::vector<u16> altitude;
  NodeTable nodes;
  template <class T>
  Table(const Image<T>& f, const TreeImages& t, int threads = 1) : node(f.extent.width, f.extent.height, -5, 3) {
    const std::size_t n = static_cast<std::size_t>(f.area());
    for (auto* v : {&parent, &pixel, &own}) v->assign(n, -7);
    altitude.assign(n, 777);
    first.assign(static_cast<std::size_t>(node_tiles(f.extent)) + 1, -7);
    nodes = {parent.data(), pixel.data(), own.data(), altitude.data(), first.data(), -7};
    Workspace w;
    Context ctx = context(w, threads);
    cpu::max_tree_nodes(ctx, f.cplane(), t.parent.cplane(), t.order.cplane(), node.plane(), nodes);
  }
};
template <class T>
TreeImages run(const Image<T>& f, MaxTreeParams params, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  TreeImages t{Image<i32>(f.extent.width, f.extent.height, -5, 1), Image<i32>(f.extent.width, f.extent.height, -5, 2)};
  cpu::max_tree(ctx, f.cplane(), t.parent.plane(), t.order.plane(), params);
  return t;
}

/// The pixels of p's component at `level` (upper level set, or lower), ascending.
template <class T>
std::vector<i64> component(const Image<T>& f, i64 p, i32 level, Connectivity c, bool min_tree) {
  std::vector<i64> out{p};
  std::set<i64> seen{p};
  for (std::size_t i = 0; i < out.size(); ++i) {
    each_neighbour(f.extent, out[i], c, [&](i64 q) {
      if ((min_tree ? f[q] <= level : f[q] >= level) && seen.insert(q).second) out.push_back(q);
    });
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// One node by the definition: threshold, take the component, look at it.
struct PlainNode {
  std::vector<i64> pixels;
  i32 canonical, value, parent;  ///< parent: canonical pixel of the parent node
};
template <class T>
std::map<i32, PlainNode> plain_tree(const Image<T>& f, Connectivity c, bool min_tree) {
  std::map<i32, PlainNode> nodes;
  const auto canonical = [&](const std::vector<i64>& pixels, i32 level) {
    for (i64 p : pixels) {
      if (f[p] == level) return static_cast<i32>(p);
    }
    return -1;
  };
  for (i64 p = 0; p < f.area(); ++p) {
    PlainNode n{component(f, p, f[p], c, min_tree), 0, f[p], 0};
    n.canonical = canonical(n.pixels, n.value);
    if (nodes.count(n.canonical)) continue;
    // The parent: the next level at which the component grows.
    n.parent = n.canonical;
    for (i32 level = n.value; level >= 0 && level <= 65535; level += min_tree ? 1 : -1) {
      const auto larger = component(f, p, level, c, min_tree);
      if (larger.size() == n.pixels.size()) {
        if (static_cast<i64>(larger.size()) == f.area()) break;
        continue;
      }
      n.parent = canonical(larger, level);
      break;
    }
    nodes[n.canonical] = n;
  }
  return nodes;
}

template <class T>
std::vector<i32> expected_order(const Image<T>& f, bool min_tree) {
  std::vector<i32> order(static_cast<std::size_t>(f.area()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<i32>(i);
  std::stable_sort(order.begin(), order.end(), [&](i32 a, i32 b) { return min_tree ? f[a] > f[b] : f[a] < f[b]; });
  return order;
}

TEST(MaxTree, HandChecked) {
  const auto f = image_of<u8>(4, 4, {3, 3, 1, 4, 1, 2, 1, 4, 1, 2, 1, 1, 5, 1, 1, 2});
  const auto t = run(f, {Connectivity::four, false});
  EXPECT_EQ(t.parent.pixels(), (std::vector<i32>{5, 0, 2, 2, 2, 2, 2, 3, 2, 5, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(t.order.pixels(), (std::vector<i32>{2, 4, 6, 8, 10, 11, 13, 14, 5, 9, 15, 0, 1, 3, 7, 12}));
  EXPECT_EQ(run(f, {Connectivity::four, true}).parent.pixels(),
            (std::vector<i32>{3, 0, 5, 12, 5, 0, 2, 3, 4, 5, 2, 2, 12, 2, 2, 5}));
}

TEST(MaxTree, Oracle) {
  each_case("max_tree", [](const Case& c) {
    const auto check = [&](auto f) {
      const auto expected = c.output<i32>("parent").pixels();
      const auto areas = c.output<i32>("area");
      const MaxTreeParams params{c.connectivity(), false};
      for (int threads : {1, 3}) EXPECT_EQ(run(f, params, threads).parent.pixels(), expected);
      const auto t = run(f, params);
      EXPECT_EQ(t.order.pixels(), expected_order(f, false));
      Workspace w;
      Context ctx = context(w);
      const Table table(f, t);
      std::vector<NodeSums> sums(static_cast<std::size_t>(table.nodes.count));
      cpu::max_tree_sums(ctx, table.node.cplane(), table.nodes, sums.data(), false);
      for (i64 p = 0; p < f.area(); ++p) ASSERT_EQ(sums[static_cast<std::size_t>(table.node[p])].area, areas[p]) << p;
      EXPECT_EQ(table.nodes.count, c.json["nodes"].integer());
    };
    if (c.json["dtype"].text == "uint8") check(c.input<u8>("image"));
    else check(c.input<u16>("image"));
  });
}

template <class T>
Image<T> run_area(const Image<T>& f, AreaOpenParams params, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<T> out(f.extent.width, f.extent.height, T{77}, 1);
  cpu::area_open(ctx, f.cplane(), out.plane(), params);
  return out;
}
TEST(AreaOpen, Oracle) {
  for (bool closing : {false, true}) {
    each_case(closing ? "area_closing" : "area_opening", [&](const Case& c) {
      const AreaOpenParams params{c.params()["area"].integer(), c.connectivity(), closing};
      const auto check = [&](auto f, auto expected) {
        for (int threads : {1, 3}) EXPECT_EQ(run_area(f, params, threads).pixels(), expected.pixels());
      };
      // The cases of convention (area larger than the image: the root stays) are compared like the others.
      if (c.json["dtype"].text == "uint8") check(c.input<u8>("image"), c.output<u8>("out"));
      else check(c.input<u16>("image"), c.output<u16>("out"));
    });
  }
}
TEST(AreaOpen, Generated) {
  each_generated("area_opening", [](const Case& c, const Image<u8>& f, const std::string& sha) {
    const AreaOpenParams params{c.params()["area"].integer(), c.connectivity(), false};
    EXPECT_EQ(digest(run_area(f, params)), sha);
    EXPECT_EQ(digest(run_area(f, params, 3)), sha);
  });
}

TEST(AreaOpen, ManyChildrenAndLargeAreas) {
  // A plateau of 300 x 300 pixels in a dark frame, half of its pixels peaks of their own: more children and pixels than 16 bits
  // count.
  Image<u8> f(302, 302), plateau(302, 302), frame(302, 302);
  for (i32 y = 1; y <= 300; ++y) {
    for (i32 x = 1; x <= 300; ++x) f[y * 302 + x] = static_cast<u8>(5 + (x + y) % 2), plateau[y * 302 + x] = 5;
  }
  for (i32 area : {1, 2, 1000, 32767, 32768, 32769, 90000, 90001}) {
    const auto& expected = area == 1 ? f : area <= 90000 ? plateau : frame;
    EXPECT_EQ(run_area(f, {area, Connectivity::four, false}, 1 + area % 3).pixels(), expected.pixels()) << area;
    const Table table(f, run(f, {Connectivity::four, false}));
    Workspace w;
    Context ctx = context(w);
    Image<u8> out(302, 302, u8{9}, 3);
    cpu::attribute_filter(ctx, table.node.cplane(), table.nodes, out.plane(),
                          {Attribute::area, FilterRule::min, area - 0.5, false});
    EXPECT_EQ(out.pixels(), expected.pixels()) << area;
  }
}

double plain_attribute(const PlainNode& n, const PlainNode& parent, auto&& value, i32 width, Attribute a) {
  const double area = static_cast<double>(n.pixels.size());
  double sum = 0, peak = n.value, volume = 0, mx = 0, my = 0;
  double x0 = 1e9, x1 = -1, y0 = 1e9, y1 = -1;
  for (i64 p : n.pixels) {
    const double v = value(p), x = static_cast<double>(p % width), y = static_cast<double>(p / width);
    sum += v;
    volume += std::abs(v - parent.value);
    if (std::abs(v - parent.value) > std::abs(peak - parent.value)) peak = v;
    mx += x / area, my += y / area;
    x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
  }
  double xx = 0, yy = 0, xy = 0;
  for (i64 p : n.pixels) {
    const double x = static_cast<double>(p % width) - mx, y = static_cast<double>(p / width) - my;
    xx += x * x / area, yy += y * y / area, xy += x * y / area;
  }
  switch (a) {
    case Attribute::area: return area;
    case Attribute::height: return std::abs(peak - parent.value);
    case Attribute::volume: return volume;
    case Attribute::box_width: return x1 - x0 + 1;
    case Attribute::box_height: return y1 - y0 + 1;
    case Attribute::box_diagonal: return std::hypot(x1 - x0 + 1, y1 - y0 + 1);
    case Attribute::elongation: {
      const double p = xx + 1.0 / 12, q = yy + 1.0 / 12, s = std::sqrt((p - q) * (p - q) / 4 + xy * xy);
      return std::sqrt(((p + q) / 2 + s) / ((p + q) / 2 - s));
    }
    case Attribute::inertia: return (xx + yy) / area;
    case Attribute::contrast: return std::abs(sum / area - parent.value);
    default: return sum / area;
  }
}

template <class T>
void random_tree_case(std::mt19937& rng, int i) {
  const i32 w = 1 + static_cast<i32>(rng() % 9), h = 1 + static_cast<i32>(rng() % (i % 7 == 0 ? 90 : 9));
  const auto f = random_image<T>(rng, w, h, 1 + static_cast<i32>(rng() % 7), 1 + static_cast<i32>(rng() % 9), i % 3);
  const Connectivity c = rng() % 2 ? Connectivity::four : Connectivity::eight;
  const bool min_tree = rng() % 2;
  const auto nodes = plain_tree(f, c, min_tree);
  std::vector<i32> expected(static_cast<std::size_t>(f.area()));
  for (const auto& [canonical, n] : nodes) {
    for (i64 p : n.pixels) {
      if (f[p] == n.value) expected[static_cast<std::size_t>(p)] = canonical;
    }
  }
  std::vector<i32> node_of = expected;
  for (const auto& [canonical, n] : nodes) expected[static_cast<std::size_t>(canonical)] = n.parent;
  const auto t = run(f, {c, min_tree}, 1 + i % 3);
  ASSERT_EQ(t.parent.pixels(), expected) << i;
  ASSERT_EQ(t.order.pixels(), expected_order(f, min_tree)) << i;

  const Table table(f, t, 1 + i % 2);
  const auto attribute = static_cast<Attribute>(rng() % 10);
  // A threshold between two attribute values, so that rounding in the reference cannot matter.
  std::vector<double> values;
  const auto of = [&](const PlainNode& n) {
    return plain_attribute(n, nodes.at(n.parent), [&](i64 p) { return f[p]; }, w, attribute);
  };
  for (const auto& [k, n] : nodes) values.push_back(of(n));
  std::sort(values.begin(), values.end());
  const double at_least = values[rng() % values.size()] - 1e-6;

  for (FilterRule rule : {FilterRule::direct, FilterRule::min, FilterRule::max, FilterRule::subtractive}) {
    std::map<i32, bool> passes, keep;
    for (const auto& [k, n] : nodes) passes[k] = n.parent == k || of(n) >= at_least;
    const auto chain = [&](i32 k) {
      std::vector<i32> up{k};
      while (nodes.at(up.back()).parent != up.back()) up.push_back(nodes.at(up.back()).parent);
      return up;
    };
    keep = passes;
    for (const auto& [k, n] : nodes) {
      const auto up = chain(k);
      if (rule == FilterRule::min) keep[k] = std::all_of(up.begin(), up.end(), [&](i32 a) { return passes[a]; });
      if (rule == FilterRule::max && passes[k]) {
        for (i32 a : up) keep[a] = true;
      }
    }
    std::vector<T> out;
    for (i64 p = 0; p < f.area(); ++p) {
      const auto up = chain(node_of[static_cast<std::size_t>(p)]);
      if (rule == FilterRule::subtractive) {
        i32 v = nodes.at(up.back()).value;
        for (i32 a : up) {
          if (a != up.back() && keep[a]) v += nodes.at(a).value - nodes.at(nodes.at(a).parent).value;
        }
        out.push_back(static_cast<T>(v));
      } else {
        out.push_back(static_cast<T>(nodes.at(*std::find_if(up.begin(), up.end(), [&](i32 a) { return keep[a]; })).value));
      }
    }
    Workspace ws;
    Context ctx = context(ws, 1 + i % 2);
    Image<T> got(w, h, T{9}, 1);
    cpu::attribute_filter(ctx, table.node.cplane(), table.nodes, got.plane(), {attribute, rule, at_least, min_tree});
    ASSERT_EQ(got.pixels(), out) << i << " attribute " << static_cast<int>(attribute) << " rule " << static_cast<int>(rule);
    if (rule == FilterRule::direct && attribute == Attribute::area) {
      const i32 area = static_cast<i32>(std::ceil(at_least));
      ASSERT_EQ(run_area(f, {std::max(1, area), c, min_tree}, 1 + i % 3).pixels(), out) << i << " area_open";
    }
  }
}
TEST(MaxTree, RandomAgainstThresholdDecomposition) {
  std::mt19937 rng(7);
  for (int i = 0; i < 600; ++i) {
    random_tree_case<u8>(rng, i);
    random_tree_case<u16>(rng, i);
    if (HasFatalFailure()) return;
  }
}

TEST(MaxTree, ThreadsDoNotMatter) {
  const auto f = blobs8(300, 600, 3), noise = noise8(300, 600, 4);
  auto wide = noise.to<u16>();
  for (i64 p = 0; p < wide.area(); ++p) wide[p] = static_cast<u16>(wide[p] * 256 + f[p]);
  for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
    const auto a = run(f, {c, false}), b = run(noise, {c, true}), d = run(wide, {c, false});
    for (int threads : {2, 3, 8}) {
      EXPECT_EQ(run(f, {c, false}, threads).parent.pixels(), a.parent.pixels());
      EXPECT_EQ(run(noise, {c, true}, threads).parent.pixels(), b.parent.pixels());
      EXPECT_EQ(run(noise, {c, true}, threads).order.pixels(), b.order.pixels());
      EXPECT_EQ(run(wide, {c, false}, threads).parent.pixels(), d.parent.pixels());
    }
  }
}

TEST(MaxTree, OddExtents) {
  for (Extent e : {Extent{0, 0}, Extent{0, 3}, Extent{3, 0}}) {
    run(Image<u8>(e.width, e.height), {});
    run_area(Image<u8>(e.width, e.height), {});
  }
  EXPECT_EQ(run(Image<u8>(3, 2, 9), {}).parent.pixels(), std::vector<i32>(6, 0));
  EXPECT_EQ(run(image_of<u8>(5, 1, {1, 2, 3, 2, 0}), {}).parent.pixels(), (std::vector<i32>{4, 0, 1, 1, 4}));
  EXPECT_EQ(run(image_of<u8>(1, 3, {5, 5, 6}), {}).parent.pixels(), (std::vector<i32>{0, 0, 0}));
}

TEST(MaxTree, Rejects) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> f(4, 4), out(4, 4);
  Image<i32> parent(4, 4), order(4, 4), wide(5, 4);
  std::vector<NodeSums> sums(16);
  expect_rejected("f", [&] { cpu::max_tree(ctx, wide.cplane(), parent.plane(), order.plane(), {}); });
  expect_rejected("parent", [&] { cpu::max_tree(ctx, f.cplane(), out.plane(), order.plane(), {}); });
  expect_rejected("parent", [&] { cpu::max_tree(ctx, f.cplane(), wide.plane(), order.plane(), {}); });
  expect_rejected("order", [&] { cpu::max_tree(ctx, f.cplane(), parent.plane(), out.plane(), {}); });
  expect_rejected("order", [&] { cpu::max_tree(ctx, f.cplane(), parent.plane(), wide.plane(), {}); });
  expect_rejected("order", [&] { cpu::max_tree(ctx, f.cplane(), parent.plane(), parent.plane(), {}); });
  expect_rejected("connectivity", [&] {
    cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {static_cast<Connectivity>(1), false});
  });
  cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {});
  expect_rejected("order", [&] { Table(f, {parent, wide}); });
  expect_rejected("parent", [&] { Table(f, {wide, order}); });
  Table t(f, {parent, order});
  const auto nodes = [&](Plane node, NodeTable to) {
    cpu::max_tree_nodes(ctx, f.cplane(), parent.cplane(), order.cplane(), node, to);
  };
  expect_rejected("node", [&] { nodes(wide.plane(), t.nodes); });
  expect_rejected("node", [&] { nodes(out.plane(), t.nodes); });
  expect_rejected("node", [&] { nodes(parent.plane(), t.nodes); });
  expect_rejected("nodes", [&] { nodes(t.node.plane(), {}); });
  expect_rejected("sums", [&] { cpu::max_tree_sums(ctx, t.node.cplane(), t.nodes, nullptr, false); });
  expect_rejected("node", [&] { cpu::max_tree_sums(ctx, f.cplane(), t.nodes, sums.data(), false); });
  expect_rejected("nodes", [&] { cpu::max_tree_sums(ctx, t.node.cplane(), {}, sums.data(), false); });
  const auto filter = [&](Plane to, AttributeFilterParams p) { cpu::attribute_filter(ctx, t.node.cplane(), t.nodes, to, p); };
  NodeTable none = t.nodes;
  none.count = 0;
  expect_rejected("nodes.count", [&] { cpu::attribute_filter(ctx, t.node.cplane(), none, out.plane(), {}); });
  expect_rejected("out", [&] { filter(order.plane(), {}); });
  expect_rejected("out", [&] { filter(t.node.plane(), {}); });
  expect_rejected("out", [&] { filter(Image<u8>(5, 4).plane(), {}); });
  expect_rejected("attribute", [&] { filter(out.plane(), {static_cast<Attribute>(10), FilterRule::direct, 1, false}); });
  expect_rejected("rule", [&] { filter(out.plane(), {Attribute::area, static_cast<FilterRule>(4), 1, false}); });
  expect_rejected("at_least", [&] { filter(out.plane(), {Attribute::area, FilterRule::direct, std::nan(""), false}); });
  expect_rejected("area", [&] { cpu::area_open(ctx, f.cplane(), out.plane(), {0, Connectivity::four, false}); });
  expect_rejected("f", [&] { cpu::area_open(ctx, parent.cplane(), order.plane(), {}); });
  expect_rejected("out", [&] { cpu::area_open(ctx, f.cplane(), order.plane(), {}); });
  expect_rejected("out", [&] { cpu::area_open(ctx, f.cplane(), f.plane(), {}); });
  expect_rejected("connectivity",
                  [&] { cpu::area_open(ctx, f.cplane(), out.plane(), {1, static_cast<Connectivity>(1), false}); });
  for (const MaxTreeVariant v : {MaxTreeVariant::column_union_find, MaxTreeVariant::border_trees}) {  // the GPU's own
    expect_rejected("variant",
                    [&] { cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {Connectivity::eight, false, v}); });
  }
}

TEST(MaxTree, Cancels) {
  Workspace w;
  CancelFlag stop{true};
  Context ctx{w, 1, &stop, nullptr};
  Image<u8> f(4, 4);
  Image<i32> parent(4, 4), order(4, 4);
  EXPECT_THROW(cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
