// IHC nuclei on painted fields: nuclei within brown cytoplasm, and pale nuclei beside dark ones.
#include <cmath>

#include "../support/cut_scene.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

constexpr Extent kField{360, 240};
/// 0.5 µm a pixel.
struct Disc {
  double x, y, a, b;
  Rgba color;
};

Image<Rgba> painted(const std::vector<Disc>& discs) {
  Image<Rgba> out(kField.width, kField.height);
  for (i32 y = 0; y < kField.height; ++y) {
    for (i32 x = 0; x < kField.width; ++x) {
      out.at(x, y) = {static_cast<u8>(236 + (x * 7 + y * 3) % 5), 236, 232, 255};
      for (const Disc& d : discs) {
        const double u = (x - d.x) / d.a, v = (y - d.y) / d.b;
        if (u * u + v * v <= 1) out.at(x, y) = d.color;
      }
    }
  }
  return out;
}

ObjectSet found(const Image<Rgba>& image, const std::vector<std::string>& changes) {
  const std::string id = "ihc-nuclei";
  Workspace w;
  Context ctx = context(w, 1);
  const engine::Params own = recipe_params(std::string(MORPHO_ASSETS) + "/recipes/" + id + ".json", 0.5, changes);
  const engine::Params params = with_overview(cpu::table(), ctx, id, own, image.view());
  return run_alone(cpu::table(), ctx, id, params, image.view(), {0, 0, kField.width, kField.height}).objects;
}

/// How many of the discs have one object at their place, of about their area.
int matched(const std::vector<Disc>& discs, const ObjectSet& set) {
  int hits = 0;
  for (const Disc& d : discs) {
    int here = 0;
    for (const ObjectMeasurement& o : set.objects) {
      const double share = static_cast<double>(o.area) / (3.14159 * d.a * d.b);
      here += std::hypot(o.centroid_x - 0.5 - d.x, o.centroid_y - 0.5 - d.y) < 3 && share > 0.7 && share < 1.5;
    }
    hits += here == 1;
  }
  return hits;
}

/// Cells whose cytoplasm is as brown as a nucleus may be. The two nuclei in each of six are found, and nothing else of these;
/// a round cell with one nucleus looks like a nucleus. Without cores the six are cut in halves, cytoplasm and all.
TEST(IhcNuclei, NucleiInBrownCytoplasmAreFoundWithoutIt) {
  const Rgba cytoplasm{190, 150, 115, 255}, black{70, 50, 60, 255};
  std::vector<Disc> cells, nuclei;
  for (int k = 0; k < 12; ++k) {
    const double x = 45.0 + 90 * (k % 4), y = 40.0 + 80 * (k / 4);
    const bool two = k % 2 == 0;
    cells.push_back({x, y, two ? 28.0 : 16.0, 15, cytoplasm});
    if (two) nuclei.push_back({x - 12, y, 8, 8, black});
    nuclei.push_back({two ? x + 12 : x, y, 8, 8, black});
  }
  std::vector<Disc> all = cells;
  all.insert(all.end(), nuclei.begin(), nuclei.end());
  const Image<Rgba> image = painted(all);
  const ObjectSet with = found(image, {}), without = found(image, {"brown.core=0"});
  EXPECT_EQ(matched(nuclei, with), 12);
  EXPECT_EQ(with.objects.size(), 18u);
  EXPECT_EQ(matched(nuclei, without), 0);
  EXPECT_EQ(without.objects.size(), 18u);
  EXPECT_EQ(matched(cells, without), 6);
}

/// Pale nuclei that dark ones lie upon: below the highest thresholds the two are one piece of the mask.
TEST(IhcNuclei, PaleNucleiBesideDarkOnesAreFound) {
  const Rgba dark{70, 80, 140, 255}, pale{196, 203, 217, 255};
  std::vector<Disc> pales, darks;
  for (int k = 0; k < 15; ++k) {
    const double x = 40.0 + 70 * (k % 5), y = 40.0 + 80 * (k / 5);
    pales.push_back({x + 13, y, 9, 9, pale});
    darks.push_back({x, y, 7, 12, dark});
  }
  std::vector<Disc> all = pales;
  all.insert(all.end(), darks.begin(), darks.end());
  const Image<Rgba> image = painted(all);
  // A finer split would part most of them.
  const std::string coarse[] = {"split.smoothing=1", "split.depth=0.15"};
  const ObjectSet with = found(image, {coarse[0], coarse[1]}),
                  without = found(image, {coarse[0], coarse[1], "candidates.restRadius=0"});
  EXPECT_GE(matched(pales, with), 12);
  EXPECT_GE(matched(darks, with), 12);
  EXPECT_EQ(matched(pales, without), 0);
}

}  // namespace
}  // namespace morpho::test
