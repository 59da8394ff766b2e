// The table of a max-tree's nodes, held against parent by its definition; and filters and sums on it across tiles and threads.
#include "cpu/cpu_ops.hpp"
#include "cpu/max_tree/node_tiles.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

struct Tree {
  Image<i32> parent, order, node;
  std::vector<i32> up, pixel, own, first;
  std::vector<u16> altitude;
  NodeTable nodes;
};

template <class T>
Tree tree_of(const Image<T>& f, MaxTreeParams params, int threads, i32 gap = 0) {
  const i32 width = f.extent.width, height = f.extent.height;
  Tree t{Image<i32>(width, height, -5, gap),
         Image<i32>(width, height, -5, gap),
         Image<i32>(width, height, -5, gap),
         {},
         {},
         {},
         {},
         {},
         {}};
  const std::size_t n = static_cast<std::size_t>(f.area());
  for (auto* v : {&t.up, &t.pixel, &t.own}) v->assign(n, -7);
  t.altitude.assign(n, 777);
  t.first.assign(static_cast<std::size_t>(node_tiles(f.extent)) + 1, -7);
  t.nodes = {t.up.data(), t.pixel.data(), t.own.data(), t.altitude.data(), t.first.data(), -7};
  Workspace w;
  Context ctx = context(w, threads);
  cpu::max_tree(ctx, f.cplane(), t.parent.plane(), t.order.plane(), params);
  cpu::max_tree_nodes(ctx, f.cplane(), t.parent.cplane(), t.order.cplane(), t.node.plane(), t.nodes);
  return t;
}

/// All that node_table.hpp promises.
template <class T>
void check_table(const Image<T>& f, const Tree& t, const std::string& what) {
  const auto canonical = [&](i64 p) { return t.parent[p] == p || f[t.parent[p]] != f[p]; };
  std::vector<i32> own(static_cast<std::size_t>(t.nodes.count), 0);
  i32 count = 0;
  for (i64 p = 0; p < f.area(); ++p) {
    const i32 i = t.node[p];
    ASSERT_TRUE(i >= 0 && i < t.nodes.count) << what << " pixel " << p;
    const std::size_t at = static_cast<std::size_t>(i);
    ++own[at];
    count += canonical(p);
    ASSERT_EQ(t.altitude[at], f[p]) << what << " pixel " << p;
    ASSERT_EQ(t.pixel[at], canonical(p) ? p : t.parent[p]) << what << " pixel " << p;
    if (canonical(p)) {
      ASSERT_EQ(t.up[at], t.node[t.parent[p]]) << what << " pixel " << p;
    }
  }
  ASSERT_EQ(t.nodes.count, count) << what;
  const i32 tiles = node_tiles(f.extent), inner = t.first[static_cast<std::size_t>(tiles)];
  ASSERT_EQ(t.first[0], 0) << what;
  ASSERT_TRUE(inner < count) << what << ": the root is in the last range";
  i32 tile = 0;
  for (i32 i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    ASSERT_EQ(t.own[at], own[at]) << what << " node " << i;
    if (i + 1 == count) ASSERT_EQ(t.up[at], i) << what << ": the root is last";
    else ASSERT_GT(t.up[at], i) << what << ": children come before parents";
    while (tile < tiles && t.first[static_cast<std::size_t>(tile) + 1] <= i) ++tile;
    if (tile == tiles) continue;
    ASSERT_TRUE(t.up[at] < t.first[static_cast<std::size_t>(tile) + 1] || t.up[at] >= inner) << what << " node " << i;
  }
  for (i64 p = 0; p < f.area(); ++p) {  // only pixels of the tile have nodes in its range
    const i64 x = p % f.extent.width, y = p / f.extent.width,
              k = y / kNodeTile.height * node_tiles_across(f.extent) + x / kNodeTile.width;
    const i32 i = t.node[p];
    ASSERT_TRUE(i >= inner || (i >= t.first[static_cast<std::size_t>(k)] && i < t.first[static_cast<std::size_t>(k) + 1]))
        << what << " pixel " << p;
  }
}

template <class T>
void check_all(const Image<T>& f, const std::string& what) {
  for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
    for (bool min_tree : {false, true}) {
      const Tree one = tree_of(f, {c, min_tree}, 1);
      check_table(f, one, what);
      for (int threads : {2, 5}) {
        const Tree t = tree_of(f, {c, min_tree}, threads, threads);
        ASSERT_EQ(t.node.pixels(), one.node.pixels()) << what;
        ASSERT_EQ(t.up, one.up) << what;
        ASSERT_EQ(t.pixel, one.pixel) << what;
        ASSERT_EQ(t.own, one.own) << what;
        ASSERT_EQ(t.altitude, one.altitude) << what;
        ASSERT_EQ(t.first, one.first) << what;
      }
    }
  }
}

TEST(MaxTreeNodes, HoldOnSmallImages) {
  std::mt19937 rng(21);
  for (int i = 0; i < 200; ++i) {
    const i32 w = 1 + static_cast<i32>(rng() % 80), h = 1 + static_cast<i32>(rng() % 12),
              levels = 1 + static_cast<i32>(rng() % 9);
    check_all(random_image<u8>(rng, w, h, levels, 1 + static_cast<i32>(rng() % 9), i % 3), std::to_string(i));
    if (i % 4 == 0)
      check_all(random_image<u16>(rng, h, w, levels, 1 + static_cast<i32>(rng() % 9000), i % 3), std::to_string(i));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Images of more than one tile, with nodes that span them, of both types and with widths that are no multiple of 64.
template <class Fn>
void each_large(Fn&& fn) {
  const auto blobs = blobs8(1100, 530, 3), noise = noise8(515, 700, 4);
  auto wide = noise.to<u16>();
  for (i64 p = 0; p < wide.area(); ++p) wide[p] = static_cast<u16>(wide[p] * 256 + static_cast<i32>(p * 37 % 256));
  Image<u8> flat(1030, 260, u8{7}), line(1, 1500), row(1500, 1), ramp(1040, 300);
  for (i64 p = 0; p < 1500; ++p) line[p] = row[p] = static_cast<u8>(p * p % 251);
  for (i64 p = 0; p < ramp.area(); ++p) ramp[p] = static_cast<u8>(p % 1040 / 5);
  fn(blobs, "blobs");
  fn(noise, "noise");
  fn(wide, "u16 noise");
  fn(flat, "flat");
  fn(line, "n x 1");
  fn(row, "1 x n");
  fn(ramp, "ramp");
}

TEST(MaxTreeNodes, HoldAcrossTiles) {
  each_large([](const auto& f, const std::string& what) {
    if (!testing::Test::HasFatalFailure()) check_all(f, what);
  });
}

TEST(MaxTreeNodes, EveryTileHasOneTurn) {
  for (i64 tiles : {1, 2, 5, 8, 13, 64}) {
    for (i64 threads : {1, 2, 3, 8, 100}) {
      std::vector<int> turns(static_cast<std::size_t>(tiles));
      for (i64 i = 0; i < tiles; ++i) ++turns.at(static_cast<std::size_t>(cpu::tile_in_turn(i, tiles, threads)));
      EXPECT_EQ(turns, std::vector<int>(turns.size(), 1)) << tiles << " tiles, " << threads << " threads";
    }
  }
}

TEST(MaxTreeNodes, EmptyImagesHaveNone) {
  for (Extent e : {Extent{0, 0}, Extent{0, 3}, Extent{3, 0}})
    EXPECT_EQ(tree_of(Image<u8>(e.width, e.height), {}, 2).nodes.count, 0);
}

/// The sums of every node's component one pixel and one node after the other, children first.
template <class T>
std::vector<NodeSums> plain_sums(const Image<T>& f, const Tree& t, bool min_tree) {
  std::vector<NodeSums> sums(static_cast<std::size_t>(t.nodes.count));
  const auto take = [&](NodeSums& s, const NodeSums& o) {
    s.area += o.area, s.sum_value += o.sum_value, s.sum_x += o.sum_x, s.sum_y += o.sum_y;
    s.sum_xx += o.sum_xx, s.sum_yy += o.sum_yy, s.sum_xy += o.sum_xy;
    s.min_x = std::min(s.min_x, o.min_x), s.min_y = std::min(s.min_y, o.min_y);
    s.max_x = std::max(s.max_x, o.max_x), s.max_y = std::max(s.max_y, o.max_y);
    s.peak = min_tree ? std::min(s.peak, o.peak) : std::max(s.peak, o.peak);
  };
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const i32 v = t.altitude[i];
    sums[i] = {0, 0, 0, 0, 0, 0, 0, 1 << 30, 1 << 30, -1, -1, v, v, t.altitude[static_cast<std::size_t>(t.up[i])]};
  }
  for (i64 p = 0; p < f.area(); ++p) {
    const i32 x = static_cast<i32>(p % f.extent.width), y = static_cast<i32>(p / f.extent.width), v = f[p];
    const i64 wide = x, high = y;
    take(sums[static_cast<std::size_t>(t.node[p])], {1, v, x, y, wide * wide, high * high, wide * high, x, y, x, y, v, v, v});
  }
  for (std::size_t i = 0; i + 1 < sums.size(); ++i) take(sums[static_cast<std::size_t>(t.up[i])], sums[i]);
  return sums;
}
/// All of a node's sums, to compare (the struct has padding).
std::vector<i64> all_of(const NodeSums& s) {
  return {s.area,  s.sum_value, s.sum_x, s.sum_y, s.sum_xx, s.sum_yy, s.sum_xy,
          s.min_x, s.min_y,     s.max_x, s.max_y, s.value,  s.peak,   s.parent_value};
}

TEST(MaxTreeNodes, SumsAcrossTiles) {
  each_large([](const auto& f, const std::string& what) {
    for (bool min_tree : {false, true}) {
      const Tree t = tree_of(f, {Connectivity::eight, min_tree}, 1, 2);
      const auto expected = plain_sums(f, t, min_tree);
      for (int threads : {1, 2, 5}) {
        Workspace w;
        Context ctx = context(w, threads);
        std::vector<NodeSums> sums(expected.size());
        cpu::max_tree_sums(ctx, t.node.cplane(), t.nodes, sums.data(), min_tree);
        for (std::size_t i = 0; i < sums.size(); ++i) {
          ASSERT_EQ(all_of(sums[i]), all_of(expected[i])) << what << " node " << i << " threads " << threads;
        }
      }
    }
  });
}

/// By the rules' words, from the plain sums: height, box and mean stand for the three ways in which attributes are gathered.
TEST(MaxTreeNodes, FiltersAcrossTiles) {
  each_large([](const auto& f, const std::string& what) {
    using T = std::decay_t<decltype(f[0])>;
    const Tree t = tree_of(f, {Connectivity::four, false}, 1);
    const auto sums = plain_sums(f, t, false);
    const i32 count = t.nodes.count;
    for (Attribute a : {Attribute::area, Attribute::height, Attribute::box_width, Attribute::mean}) {
      const double at_least = a == Attribute::height ? 30 : a == Attribute::mean ? 150 : 25;
      std::vector<char> passes;
      for (const NodeSums& s : sums) {
        const double value = a == Attribute::area     ? static_cast<double>(s.area)
                             : a == Attribute::height ? s.peak - s.parent_value
                             : a == Attribute::mean   ? static_cast<double>(s.sum_value) / static_cast<double>(s.area)
                                                      : s.max_x - s.min_x + 1;
        passes.push_back(value >= at_least);
      }
      passes.back() = 1;
      for (FilterRule rule : {FilterRule::direct, FilterRule::min, FilterRule::max, FilterRule::subtractive}) {
        std::vector<char> keep = passes;
        std::vector<i32> level(static_cast<std::size_t>(count));
        const auto up = [&](i32 i) { return static_cast<std::size_t>(t.up[static_cast<std::size_t>(i)]); };
        if (rule == FilterRule::max) {
          for (i32 i = 0; i < count; ++i) keep[up(i)] |= keep[static_cast<std::size_t>(i)];
        }
        for (i32 i = count - 1; i >= 0; --i) {
          const std::size_t at = static_cast<std::size_t>(i), above = up(i);
          if (rule == FilterRule::min) keep[at] &= keep[above];
          const i32 rise = rule == FilterRule::subtractive && above != at ? level[above] - t.altitude[above] : 0;
          level[at] = keep[at] ? t.altitude[at] + rise : level[above];
        }
        std::vector<T> expected;
        for (i64 p = 0; p < f.area(); ++p) expected.push_back(static_cast<T>(level[static_cast<std::size_t>(t.node[p])]));
        for (int threads : {1, 2, 5}) {
          Workspace w;
          Context ctx = context(w, threads);
          Image<T> out(f.extent.width, f.extent.height, T{9}, 1);
          cpu::attribute_filter(ctx, t.node.cplane(), t.nodes, out.plane(), {a, rule, at_least, false});
          ASSERT_EQ(out.pixels(), expected)
              << what << " attribute " << static_cast<int>(a) << " rule " << static_cast<int>(rule) << " threads " << threads;
        }
      }
    }
  });
}

TEST(MaxTreeNodes, KeepsToItsMemory) {
  const auto f = blobs8(1024, 1024, 5);
  const Tree t = tree_of(f, {}, 1);
  Image<i32> node(1024, 1024);
  NodeTable nodes = t.nodes;
  Workspace w;
  Context ctx = context(w);
  cpu::max_tree_nodes(ctx, f.cplane(), t.parent.cplane(), t.order.cplane(), node.plane(), nodes);
  const double tile_nodes = static_cast<double>(kNodeTile.area());
  EXPECT_LE(static_cast<double>(w.peak_bytes()),
            0.375 * 1024 * 1024 + 12.0 * (nodes.count - nodes.first[node_tiles(f.extent)]) + 4 * tile_nodes + 8192);
}

TEST(MaxTreeNodes, Cancels) {
  Workspace w;
  CancelFlag stop{true};
  Context ctx{w, 1, &stop, nullptr};
  const Image<u8> f(4, 4);
  Tree t = tree_of(f, {}, 1);
  Image<u8> out(4, 4);
  EXPECT_THROW(cpu::max_tree_nodes(ctx, f.cplane(), t.parent.cplane(), t.order.cplane(), t.node.plane(), t.nodes), Cancelled);
  EXPECT_THROW(cpu::attribute_filter(ctx, t.node.cplane(), t.nodes, out.plane(), {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
