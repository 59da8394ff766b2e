// Sums of a max-tree's nodes on an image so wide that the second moments of the whole do not fit: they wrap, and nothing else
// suffers.
#include "contract/node_attribute.hpp"
#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

// Under the undefined-behaviour sanitizer a sum that overflows as a signed number ends the program.
TEST(MaxTreeSums, OfAVeryWideImageAreModulo2To64AndSmallComponentsKeepTheirShape) {
  constexpr i32 width = 1 << 22, bar = 10;  // the sum of x² is a third of 2^66
  Image<u8> f(width, 1);
  for (i32 x = width - bar; x < width; ++x) f[x] = 1;
  Workspace w;
  Context ctx = context(w, 2);
  const Workspace::Scope scope(w);
  Image<i32> parent(width, 1), order(width, 1), node(width, 1);
  cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {});
  NodeTable nodes = take_node_table(w, f.extent);
  cpu::max_tree_nodes(ctx, f.cplane(), parent.cplane(), order.cplane(), node.plane(), nodes);
  ASSERT_EQ(nodes.count, 2);
  NodeSums sums[2];
  cpu::max_tree_sums(ctx, node.cplane(), nodes, sums, false);
  __extension__ typedef unsigned __int128 u128;
  const u128 n = width, squares = (n - 1) * n * (2 * n - 1) / 6;
  ASSERT_GT(squares >> 64, u128{0});
  EXPECT_EQ(sums[1].area, i64{width});
  EXPECT_EQ(sums[1].sum_x, static_cast<i64>(n * (n - 1) / 2));
  EXPECT_EQ(static_cast<u64>(sums[1].sum_xx), static_cast<u64>(squares));
  // A bar of 10 x 1: its axes are as 10 to 1.
  EXPECT_EQ(sums[0].area, i64{bar});
  EXPECT_NEAR(attribute_of<Attribute::elongation>(sums[0]), 10, 1e-9);

  // The same by the filter, which sums for itself.
  Image<u8> out(width, 1);
  for (const auto& [least, kept] : {std::pair{9.9, 1}, std::pair{10.1, 0}}) {
    cpu::attribute_filter(ctx, node.cplane(), nodes, out.plane(), {Attribute::elongation, FilterRule::direct, least, false});
    EXPECT_EQ(out[width - 1], kept) << least;
  }
}

}  // namespace
}  // namespace morpho::test
