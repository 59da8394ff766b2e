// Loops by hand for AVX2 and what runs where there is none: the same pixels, under sanitizers too.
#include "contract/ops.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/simd.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

class SimdPaths : public ::testing::Test {
 protected:
  void TearDown() override { cpu::take_avx2_away(false); }
  /// fn(ctx) -> pixels, with AVX2 and without.
  template <class Fn>
  static void expect_same(Fn&& fn) {
    Workspace w;
    Context ctx = context(w, 1);
    cpu::take_avx2_away(false);
    const auto with = fn(ctx);
    cpu::take_avx2_away(true);
    ASSERT_FALSE(cpu::has_avx2());
    EXPECT_EQ(fn(ctx), with);
  }
  template <class T>
  static Image<T> noise(i32 w, i32 h, unsigned seed) {
    std::mt19937 rng(seed);
    Image<T> image(w, h);
    for (T& v : image.data) v = static_cast<T>(rng() >> 7);
    return image;
  }
};

/// Widths about those of one, two and four registers, and wider than all of them.
constexpr i32 kRowWidths[] = {1, 15, 31, 32, 33, 63, 65, 127, 129, 300};

TEST_F(SimdPaths, OfLocalOperationsGiveTheSame) {
  for (const i32 width : kRowWidths) {
    SCOPED_TRACE(width);
    const Image<u8> f = noise<u8>(width, 9, static_cast<unsigned>(width));
    expect_same([&](Context& ctx) {
      Image<u8> out(width, 9);
      cpu::table().threshold(ctx, f.cplane(), out.plane(), {130});
      return out.pixels();
    });
    Image<u16> deep = noise<u16>(width, 9, static_cast<unsigned>(width));
    for (i64 p = 0; p < deep.area(); ++p) deep[p] = p / 70 % 2 ? 0 : p % 5 == 0 ? 65535 : deep[p];
    for (const double sigma : {0.2, 0.4, 0.8, 2.5}) {
      expect_same([&](Context& ctx) {
        Image<u8> out(width, 9);
        Image<u16> deep_out(width, 9);
        cpu::table().gaussian(ctx, f.cplane(), out.plane(), {sigma});
        cpu::table().gaussian(ctx, deep.cplane(), deep_out.plane(), {sigma});
        std::vector<u16> all = deep_out.pixels();
        for (const u8 v : out.pixels()) all.push_back(v);
        return all;
      });
    }
    for (const i32 radius : {1, 7}) {
      expect_same([&](Context& ctx) {
        Image<u8> out(width, 9);
        cpu::table().box_mean(ctx, f.cplane(), out.plane(), {radius});
        return out.pixels();
      });
    }
  }
}

TEST_F(SimdPaths, OfDistancesAndRootsGiveTheSame) {
  for (const i32 width : kRowWidths) {
    SCOPED_TRACE(width);
    for (const unsigned rarity : {2u, 50u, 5000u}) {
      std::mt19937 rng(rarity);
      Image<u8> f(width, 40);
      for (u8& v : f.data) v = rng() % rarity != 0;
      for (const int threads : {1, 2}) {
        expect_same([&](Context& ctx) {
          ctx.threads = threads;
          Image<i32> squared(width, 40), root(width, 40);
          Image<u16> narrow(width, 40);
          cpu::table().distance(ctx, f.cplane(), squared.plane(), {});
          cpu::table().root(ctx, squared.cplane(), root.plane(), {65536});
          cpu::table().root(ctx, squared.cplane(), narrow.plane(), {256});
          auto all = squared.pixels();
          for (const i32 v : root.pixels()) all.push_back(v);
          for (const u16 v : narrow.pixels()) all.push_back(v);
          return all;
        });
      }
    }
  }
}

TEST_F(SimdPaths, OfCombinationsGiveTheSame) {
  for (const i32 width : kRowWidths) {
    SCOPED_TRACE(width);
    const auto all = [&](auto a, auto b) {
      for (i64 p = 0; p < a.area(); p += 3) a[p] = 0, b[p / 2] = 0;
      for (const Combine kind : {Combine::greater, Combine::both, Combine::without, Combine::either}) {
        expect_same([&](Context& ctx) {
          Image<u8> out(width, 9);
          cpu::table().combine(ctx, a.cplane(), b.cplane(), out.plane(), {kind});
          return out.pixels();
        });
      }
    };
    all(noise<u8>(width, 9, 1), noise<u8>(width, 9, 2));
    all(noise<u16>(width, 9, 3), noise<u16>(width, 9, 4));
    all(noise<i32>(width, 9, 5), noise<i32>(width, 9, 6));
  }
}

template <class T>
void reconstruct_both_ways(const Image<T>& mask, std::mt19937& rng, std::vector<std::vector<T>>& results, Context& ctx) {
  for (const By by : {By::dilation, By::erosion}) {
    for (const Connectivity c : {Connectivity::four, Connectivity::eight}) {
      Image<T> marker(mask.extent.width, mask.extent.height), out(mask.extent.width, mask.extent.height);
      for (i64 p = 0; p < mask.area(); ++p)
        marker[p] = rng() % 40 == 0 ? mask[p] : by == By::dilation ? T{0} : std::numeric_limits<T>::max();
      cpu::table().reconstruct(ctx, marker.cplane(), mask.cplane(), out.plane(), {by, c, ReconstructVariant::automatic});
      results.push_back(out.pixels());
    }
  }
}

TEST_F(SimdPaths, OfSweepsGiveTheSame) {
  for (const i32 width : kRowWidths) {
    SCOPED_TRACE(width);
    const auto all = [&](auto mask) {
      expect_same([&](Context& ctx) {
        std::mt19937 rng(3);
        std::vector<std::decay_t<decltype(mask.pixels())>> results;
        reconstruct_both_ways(mask, rng, results, ctx);
        return results;
      });
    };
    all(noise<u8>(width, 40, 5));
    all(noise<u16>(width, 40, 6));
  }
}

// One object is larger than the pixels whose squares 64 bits hold at once, and its first run ends within a row.
TEST_F(SimdPaths, OfStainsUnderObjectsGiveTheSame) {
  constexpr i32 width = 1500, height = 800;
  std::mt19937 rng(11);
  Image<Rgba> colors(width, height);
  for (Rgba& p : colors.data) p = {static_cast<u8>(rng()), static_cast<u8>(rng()), static_cast<u8>(rng()), 255};
  Image<i32> large(width, height), many(width, height);
  for (i64 p = 0; p < large.area(); ++p) large[p] = p >= 7, many[p] = rng() % 4 == 0 ? 0 : 1 + static_cast<i32>(rng() % 500);
  for (const i32 most : {1 << 16, 1 << 24}) {
    MeasureParams params;
    for (int s = 0; s < 3; ++s) {
      for (int c = 0; c < 3; ++c) params.stains[s].row[c] = (s + c) % 2 ? most : -most;
    }
    params.stains[2].row[1] = params.stains[2].row[0] = params.stains[2].row[2] = most;
    for (const auto* labels : {&large, &many}) {
      expect_same([&](Context& ctx) {
        ObjectSet set;
        cpu::table().measure(ctx, labels->cplane(), colors.view(), {}, {}, set, params);
        std::vector<double> all;
        for (const ObjectMeasurement& m : set.objects) {
          for (int s = 0; s < 3; ++s) all.insert(all.end(), {m.stain_mean[s], m.stain_std[s], m.stain_min[s], m.stain_max[s]});
        }
        return all;
      });
    }
  }
}

}  // namespace
}  // namespace morpho::test
