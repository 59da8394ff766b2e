// Stain separation, weighted sums and colour rules: exact against their integer definitions, and close to the real-valued
// formula.
#include <cmath>

#include "contract/tables.hpp"
#include "cpu/cpu_ops.hpp"
#include "engine/recipe/pipeline.hpp"
#include "../support/local_sizes.hpp"

namespace morpho::test {
namespace {

Image<Rgba> random_colors(std::mt19937& rng, Extent e, i32 margin = 3) {
  Image<Rgba> out(e.width, e.height, Rgba{}, margin);
  for (auto& c : out.data)
    c = Rgba{static_cast<u8>(rng()), static_cast<u8>(rng()), static_cast<u8>(rng()), static_cast<u8>(rng())};
  return out;
}

template <class Params>
Image<u8> run(void (*op)(Context&, View<const Rgba>, Plane, const Params&), const Image<Rgba>& in, const Params& p,
              int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<u8> out(in.extent.width, in.extent.height, 7, 5);
  op(ctx, in.view(), out.plane(), p);
  EXPECT_TRUE(margin_holds(out, u8{7}));
  return out;
}

TEST(OdTable, IsRoundedLogarithmFarFromTies) {
  double nearest = 1;
  for (i32 white = 1; white <= 255; ++white) {
    i32 table[256];
    od_table(white, table);
    for (i32 v = 0; v < 256; ++v) {
      const double exact = 1024 * std::log10(static_cast<double>(white) / std::max(v, 1));
      if (v >= white) {
        ASSERT_EQ(table[v], 0);
        continue;
      }
      ASSERT_LE(std::abs(table[v] - exact), 0.5);
      nearest = std::min(nearest, std::abs(exact - std::floor(exact) - 0.5));
    }
  }
  EXPECT_GT(nearest, 1e-5);
  i32 table[256];
  od_table(255, table);
  EXPECT_EQ(table[255], 0);
  EXPECT_EQ(table[0], 2464);  // log10(255) = 2.40654
  EXPECT_EQ(table[1], 2464);
}

TEST(Stain, ByDefinition) {
  std::mt19937 rng(60);
  for (Extent e : odd_sizes()) {
    StainParams p;
    for (i32& r : p.row) r = static_cast<i32>(rng() % 400000) - 200000;
    for (i32& v : p.white) v = 1 + static_cast<i32>(rng() % 255);
    p.units_per_od = 1 + static_cast<i32>(rng() % 500);
    const auto in = random_colors(rng, e);
    i32 od[3][256];
    for (int c = 0; c < 3; ++c) od_table(p.white[c], od[c]);
    std::vector<u8> expected;
    for (const Rgba& c : in.pixels()) {
      const i64 sum = static_cast<i64>(p.row[0]) * od[0][c.r] + static_cast<i64>(p.row[1]) * od[1][c.g] +
                      static_cast<i64>(p.row[2]) * od[2][c.b];
      expected.push_back(static_cast<u8>(std::clamp<i64>((sum * p.units_per_od + (1 << 25)) >> 26, 0, 255)));
    }
    for (int threads : kThreadCounts) ASSERT_EQ(run(cpu::stain, in, p, threads).pixels(), expected);
  }
}

// The oracle's HED: concentrations over ln(1e-6) = -13.8155 in natural logarithms, so times 6 = -log10(1e-6) they are in OD as
// here.
// Bound of our quantisation: 0.5/1024 in each OD times its row weight, 0.5/65536 in each row weight times its OD, and half a
// unit of the output. Value 0 is left out: its OD is 6 there and log10(255) here.
TEST(Stain, OracleWithinTheStatedBound) {
  const double m[3][3] = {{0.65, 0.70, 0.29}, {0.07, 0.99, 0.11}, {0.27, 0.57, 0.78}};
  double inverse[3][3];
  const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                     m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[i][j] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / det;
    }
  }
  each_case("rgb_to_hed", [&](const Case& c) {
    const auto image = c.file("inputs", "image");
    const auto rgb = image.as<u8>();
    const auto hed = c.file("outputs", "out").as<double>();
    const i32 h = static_cast<i32>(image.shape[0]), w = static_cast<i32>(image.shape[1]);
    Image<Rgba> in(w, h);
    for (i64 p = 0; p < in.area(); ++p) {
      const auto at = static_cast<std::size_t>(3 * p);
      in[p] = Rgba{rgb[at], rgb[at + 1], rgb[at + 2], 255};
    }
    for (int s = 0; s < 3; ++s) {
      StainParams params;
      for (int i = 0; i < 3; ++i) params.row[i] = static_cast<i32>(std::lround(inverse[i][s] * 65536));
      const auto out = run(cpu::stain, in, params);
      double worst = 0;
      for (i64 p = 0; p < in.area(); ++p) {
        const auto at = static_cast<std::size_t>(3 * p);
        if (rgb[at] == 0 || rgb[at + 1] == 0 || rgb[at + 2] == 0) continue;
        const double theirs = std::min(hed[at + static_cast<std::size_t>(s)] * 6 * params.units_per_od, 255.0);
        double bound = 0.5;
        for (int i = 0; i < 3; ++i) {
          const double od = std::log10(255.0 / rgb[at + static_cast<std::size_t>(i)]);
          bound += params.units_per_od * (std::abs(inverse[i][s]) * 0.5 / 1024 + od * 0.5 / 65536);
        }
        ASSERT_LE(std::abs(out[p] - theirs), bound + 1e-3) << "pixel " << p << " stain " << s;
        worst = std::max(worst, bound);
      }
      EXPECT_LT(worst, 0.75);  // three quarters of a unit of 1/100 OD
    }
  });
}

TEST(StainSet, SeparatesItsOwnStains) {
  for (const char* id : {"h-e", "h-dab"}) {
    const auto& set = engine::stain_set(id);
    EXPECT_EQ(set.id, id);
    EXPECT_EQ(set.names[0], "hematoxylin");
    EXPECT_EQ(set.names[2], "residual");
    const double he[2][3] = {{0.65, 0.70, 0.29}, {0.07, 0.99, 0.11}}, hdab[2][3] = {{0.65, 0.70, 0.29}, {0.27, 0.57, 0.78}};
    for (int pure = 0; pure < 2; ++pure) {
      const auto& v = std::string(id) == "h-e" ? he[pure] : hdab[pure];
      const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      for (int s = 0; s < 3; ++s) {
        double concentration = 0;
        for (int i = 0; i < 3; ++i) concentration += set.stains[s].row[i] / 65536.0 * v[i] / length;
        EXPECT_NEAR(concentration, s == pure ? 1 : 0, 3e-5) << id << " " << pure << " " << s;
      }
    }
  }
  EXPECT_EQ(engine::stain_set("h-e").names[1], "eosin");
  EXPECT_EQ(engine::stain_set("h-dab").names[1], "dab");
  expect_rejected("stains", [] { engine::stain_set("hed"); });
}

TEST(StainSet, TakesVectorsOfAnyLength) {
  const engine::StainVectors usual{{0.65, 0.70, 0.29}, {0.07, 0.99, 0.11}}, longer{{0.325, 0.35, 0.145}, {0.07, 0.99, 0.11}};
  const auto& set = engine::stain_set("h-e");
  for (const auto& vectors : {usual, longer}) {
    const auto same = engine::stain_set("h-e", vectors);
    for (int s = 0; s < 3; ++s) EXPECT_EQ(same.stains[s], set.stains[s]);
    // The H&E nuclei's own row, as every version before had it.
    const StainParams p = engine::hematoxylin_beside_dab(vectors);
    EXPECT_EQ(std::vector<i32>(p.row, p.row + 3), (std::vector<i32>{122866, -4312, -39379}));
  }
}

TEST(StainSet, RefusesVectorsThatAreNoTwoColours) {
  const auto given = [](double r, double g, double b) {
    engine::Params p;
    for (const auto& [name, value] : std::map<std::string, double>{{"hematoxylinRed", 0.65},
                                                                   {"hematoxylinGreen", 0.7},
                                                                   {"hematoxylinBlue", 0.29},
                                                                   {"eosinRed", r},
                                                                   {"eosinGreen", g},
                                                                   {"eosinBlue", b}})
      p.set("stains." + name, value);
    return p;
  };
  const auto& set = engine::stain_set("h-e");
  EXPECT_EQ(engine::stain_vectors(given(0.07, 0.99, 0.11), set).second[1], 0.99);
  expect_rejected("stains.eosinRed", [&] { engine::stain_vectors(given(0, 0.05, 0.05), set); });
  expect_rejected("stains.eosinRed", [&] { engine::stain_vectors(given(0.325, 0.35, 0.145), set); });
  expect_rejected("stains.eosinRed", [&] { engine::stain_vectors(given(0.65, 0.7, 0.3), set); });
  // Brown in the second stain's place: hematoxylin, it and DAB lie in one plane.
  expect_rejected("stains.hematoxylinRed", [] { engine::hematoxylin_beside_dab({{0.65, 0.70, 0.29}, {0.46, 0.635, 0.535}}); });
}

TEST(Weights, InvertedLuminanceIsExactForEveryColor) {
  const WeightsParams p{-299, -587, -114, 255499, 1000};
  Image<Rgba> in(256, 256);
  for (i32 r = 0; r < 256; r += 3) {
    for (i32 g = 0; g < 256; ++g) {
      for (i32 b = 0; b < 256; ++b) in.at(b, g) = Rgba{static_cast<u8>(r), static_cast<u8>(g), static_cast<u8>(b), 9};
    }
    const auto out = run(cpu::weights, in, p);
    for (i32 g = 0; g < 256; ++g) {
      for (i32 b = 0; b < 256; ++b) ASSERT_EQ(out.at(b, g), 255 - (299 * r + 587 * g + 114 * b + 500) / 1000);
    }
  }
}

TEST(Weights, ByDefinition) {
  std::mt19937 rng(61);
  for (Extent e : odd_sizes()) {
    for (const WeightsParams& p :
         {WeightsParams{19595, 38470, 7471, 32767}, WeightsParams{-65536, 0, 0, 255 * 65536},
          WeightsParams{70000, -30000, 5, -9}, WeightsParams{INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX},
          WeightsParams{1, 2, 3, -700, 4}, WeightsParams{1, 1, 1, 0, 3}}) {
      const auto in = random_colors(rng, e);
      std::vector<u8> expected;
      for (const Rgba& c : in.pixels()) {
        const i64 sum = static_cast<i64>(p.r) * c.r + static_cast<i64>(p.g) * c.g + static_cast<i64>(p.b) * c.b + p.offset;
        const i64 q = sum >= 0 ? sum / p.divisor : -((-sum + p.divisor - 1) / p.divisor);
        expected.push_back(static_cast<u8>(std::clamp<i64>(q, 0, 255)));
      }
      for (int threads : kThreadCounts) ASSERT_EQ(run(cpu::weights, in, p, threads).pixels(), expected);
    }
  }
}

TEST(ColorRule, ByDefinition) {
  std::mt19937 rng(62);
  std::vector<ColorRuleParams> rules(4);
  rules[1].above[0] = rules[1].above[1] = rules[1].above[2] = 220;  // the background of the IWPP recipe
  rules[2].r_over_g_num = 4, rules[2].r_over_b_num = 1;             // its red blood cells
  rules[3].r_over_g_num = 3 << 20, rules[3].r_over_g_den = 1 << 21, rules[3].above[2] = 30;
  for (Extent e : odd_sizes()) {
    for (const auto& p : rules) {
      auto in = random_colors(rng, e);
      for (auto& c : in.data) {
        if (rng() % 2)
          c = Rgba{static_cast<u8>(215 + c.r % 16), static_cast<u8>(rng() % 4 ? 230 : 0),
                   static_cast<u8>(rng() % 2 ? 221 : 255), 0};
      }
      std::vector<u8> expected;
      for (const Rgba& c : in.pixels()) {
        bool holds = c.r > p.above[0] && c.g > p.above[1] && c.b > p.above[2];
        if (p.r_over_g_num) holds = holds && i64{c.r} * p.r_over_g_den > i64{c.g} * p.r_over_g_num;
        if (p.r_over_b_num) holds = holds && i64{c.r} * p.r_over_b_den > i64{c.b} * p.r_over_b_num;
        expected.push_back(holds);
      }
      for (int threads : kThreadCounts) ASSERT_EQ(run(cpu::color_rule, in, p, threads).pixels(), expected);
    }
  }
}

TEST(Stain, BadArguments) {
  Workspace w;
  Context ctx = context(w);
  Image<Rgba> in(5, 5);
  Image<u8> out(5, 5), small(4, 5);
  Image<u16> wide(5, 5);
  const auto stain_with = [&](auto&& change) {
    StainParams p;
    change(p);
    cpu::stain(ctx, in.view(), out.plane(), p);
  };
  for (i32 units : {0, 65537})
    expect_rejected("units_per_od", [&] { stain_with([&](StainParams& p) { p.units_per_od = units; }); });
  for (i32 white : {0, 256}) expect_rejected("white", [&] { stain_with([&](StainParams& p) { p.white[1] = white; }); });
  expect_rejected("divisor", [&] { cpu::weights(ctx, in.view(), out.plane(), {1, 1, 1, 0, 0}); });
  const auto rule_with = [&](auto&& change) {
    ColorRuleParams p;
    change(p);
    cpu::color_rule(ctx, in.view(), out.plane(), p);
  };
  expect_rejected("r_over_g_num", [&] { rule_with([](auto& p) { p.r_over_g_num = -1; }); });
  expect_rejected("r_over_g_den", [&] { rule_with([](auto& p) { p.r_over_g_den = 0; }); });
  expect_rejected("r_over_b_num", [&] { rule_with([](auto& p) { p.r_over_b_num = (1 << 22) + 1; }); });
  expect_rejected("r_over_b_den", [&] { rule_with([](auto& p) { p.r_over_b_den = 0; }); });
  expect_rejected("out", [&] { cpu::stain(ctx, in.view(), small.plane(), {}); });
  expect_rejected("out", [&] { cpu::weights(ctx, in.view(), wide.plane(), {}); });
  expect_rejected("rgba", [&] { cpu::color_rule(ctx, View<const Rgba>(nullptr, {5, 5}), out.plane(), {}); });
  CancelFlag stop{true};
  ctx.cancel = &stop;
  EXPECT_THROW(cpu::stain(ctx, in.view(), out.plane(), {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
