// Every variant of the max-tree gives the same canonical tree, for any image, view and number of threads.
#include "cpu/cpu_ops.hpp"
#include "../support/fewer_threads.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

constexpr MaxTreeVariant variants[] = {MaxTreeVariant::union_find, MaxTreeVariant::flooding, MaxTreeVariant::tile_merge,
                                       MaxTreeVariant::automatic};

template <class T>
std::vector<i32> parents(const Image<T>& f, MaxTreeParams params, int threads = 1, i32 gap = 0) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<i32> parent(f.extent.width, f.extent.height, -5, gap), order(f.extent.width, f.extent.height, -5, gap);
  cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), params);
  return parent.pixels();
}

template <class T>
void all_agree(const Image<T>& f, const std::string& what) {
  for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
    for (bool min_tree : kLooksForRaces ? std::vector{false} : std::vector{false, true}) {
      const auto expected = parents(f, {c, min_tree, MaxTreeVariant::union_find});
      for (MaxTreeVariant v : variants) {
        if (kLooksForRaces && v != MaxTreeVariant::tile_merge) continue;  // sequential, or the same
        for (int threads : fewer_threads({1, 3})) {
          // One thread does the same whatever their number is; with the gap more can go wrong.
          if (kLooksForBounds && threads == 1 && v != MaxTreeVariant::tile_merge) continue;
          ASSERT_EQ(parents(f, {c, min_tree, v}, threads, threads == 3 ? 7 : 0), expected)
              << what << " variant " << static_cast<int>(v) << " connectivity " << static_cast<int>(c) << " min " << min_tree;
        }
      }
    }
  }
}

TEST(MaxTreeVariants, AgreeOnSmallImages) {
  std::mt19937 rng(11);
  for (int i = 0; i < 600; ++i) {
    const i32 w = 1 + static_cast<i32>(rng() % 12), h = 1 + static_cast<i32>(rng() % 12),
              levels = 1 + static_cast<i32>(rng() % 9);
    all_agree(random_image<u8>(rng, w, h, levels, 1 + static_cast<i32>(rng() % 9), i % 3), std::to_string(i));
    if (i % 4 == 0)
      all_agree(random_image<u16>(rng, w, h, levels, 1 + static_cast<i32>(rng() % 9000), i % 3), std::to_string(i));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(MaxTreeVariants, AgreeAcrossTiles) {
  const auto f = blobs8(700, 390, 3), noise = noise8(530, 300, 4);
  all_agree(f, "blobs");
  all_agree(noise, "noise");
  auto few = noise;
  for (i64 p = 0; p < few.area(); ++p) few[p] = static_cast<u8>(few[p] % 3);
  all_agree(few, "three levels");
  auto wide = noise.to<u16>();
  for (i64 p = 0; p < wide.area(); ++p) wide[p] = static_cast<u16>(wide[p] * 256 + static_cast<i32>(p * 37 % 256));
  all_agree(wide, "u16 noise");
  Image<u8> flat(600, 270, u8{7}), board(520, 260), snake(300, 290), ramp(600, 300);
  for (i64 p = 0; p < board.area(); ++p) board[p] = static_cast<u8>((p % 520 + p / 520) % 2 * 255);
  for (i64 p = 0; p < ramp.area(); ++p) ramp[p] = static_cast<u8>((p % 600 + p / 600) % 256);
  for (i64 p = 0; p < snake.area(); ++p) {
    const i64 x = p % 300, y = p / 300;
    snake[p] = static_cast<u8>(y % 2 == 0 || x == (y / 2 % 2 == 0 ? 299 : 0) ? 255 : 0);
  }
  all_agree(flat, "flat");
  all_agree(board, "checkerboard");
  all_agree(snake, "serpentine");
  all_agree(ramp, "ramp");
}

/// Nearly every pixel is a level of its own, so branches are thousands of nodes long, and joins leap along them.
TEST(MaxTreeVariants, AgreeAcrossBlocksOfManyLevels) {
  std::mt19937 rng(17);
  const bool few = kLooksForBounds || kLooksForRaces;
  for (const auto& [width, height] : few ? std::vector<std::pair<i32, i32>>{{530, 140}}
                                         : std::vector<std::pair<i32, i32>>{{1040, 530}, {130, 1100}, {1600, 40}}) {
    const auto f = random_image<u16>(rng, width, height, 65536, 1);
    for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
      for (bool min_tree : {false, true}) {
        const auto expected = parents(f, {c, min_tree, MaxTreeVariant::union_find});
        for (int threads : fewer_threads({1, 3})) {
          ASSERT_EQ(parents(f, {c, min_tree, MaxTreeVariant::tile_merge}, threads), expected) << width << " x " << height;
        }
      }
    }
  }
}

TEST(MaxTreeVariants, RefuseAnUnknownOne) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> f(4, 4);
  Image<i32> parent(4, 4), order(4, 4);
  expect_rejected("variant", [&] {
    cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {Connectivity::four, false, static_cast<MaxTreeVariant>(4)});
  });
}

TEST(MaxTreeVariants, KeepToTheirMemory) {
  const auto f = blobs8(1024, 1024, 5);
  Image<i32> parent(1024, 1024), order(1024, 1024);
  const double pixels = 1024.0 * 1024.0;
  for (const auto& [variant, bytes] :
       {std::pair{MaxTreeVariant::union_find, 8.0}, {MaxTreeVariant::flooding, 10.1}, {MaxTreeVariant::tile_merge, 0.7}}) {
    Workspace w;
    Context ctx = context(w);
    cpu::max_tree(ctx, f.cplane(), parent.plane(), order.plane(), {Connectivity::eight, false, variant});
    EXPECT_LE(static_cast<double>(w.peak_bytes()), bytes * pixels + (1 << 16)) << static_cast<int>(variant);
  }
  Workspace w;
  Context ctx = context(w);
  cpu::max_tree(ctx, f.to<u16>().cplane(), parent.plane(), order.plane(), {});
  EXPECT_LE(static_cast<double>(w.peak_bytes()), 4.9 * pixels + (1 << 16));
}

}  // namespace
}  // namespace morpho::test
