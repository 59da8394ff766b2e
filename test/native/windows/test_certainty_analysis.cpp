// What windows call certain, recipe by recipe and operation by operation: against one window over the whole image.
#include <cstdlib>
#include <functional>
#include <map>

#include "../support/certain_windows.hpp"
#include "engine/recipe/recipe_steps.hpp"

namespace morpho::test {
namespace {

using namespace engine;

/// The share of these tests' cores that each rule calls certain. Where a rule is made to find more or less on purpose, what
/// MORPHO_SHOW=1 prints goes here: less costs grown windows everywhere.
using Shares = std::map<std::string, double>;
const Shares kOfRecipes{
    {"he-nuclei", 0.606}, {"ihc-nuclei", 0.149}, {"iwpp-nuclei", 0.910}, {"max-tree-nuclei", 0.952}, {"cell-detection", 0.848}};
const Shares kOfOperations{{"small holes", 0.675},
                           {"small holes, 8", 0.705},
                           {"areas", 0.995},
                           {"least areas, 4", 0.699},
                           {"dilation of what areas leave", 0.969},
                           {"opening of what areas leave", 0.783},
                           {"opening", 0.861},
                           {"median", 0.805},
                           {"depths", 0.959},
                           {"marked", 0.709},
                           {"chosen", 0.988},
                           {"nodes", 0.931},
                           {"limited reconstruction", 0.777},
                           {"peaks of 1", 1.000},
                           {"basins of peaks of 1", 0.964},
                           {"basins of minima, h 1", 0.917},
                           {"peaks of 8", 0.999},
                           {"basins of peaks of 8", 0.945},
                           {"basins of minima, h 8", 0.885},
                           {"peaks of 30", 0.996},
                           {"basins of peaks of 30", 0.910},
                           {"basins of minima, h 30", 0.739},
                           {"grown", 0.518},
                           {"marked, 4", 0.704},
                           {"chosen, 4", 0.989},
                           {"better", 0.590}};
void expect_share(const std::string& name, const Share& share, const Shares& pinned) {
  const double found = static_cast<double>(share.certain) / static_cast<double>(share.all);
  if (std::getenv("MORPHO_SHOW")) std::printf("    {\"%s\", %.3f},\n", name.c_str(), found);
  const auto known = pinned.find(name);
  ASSERT_NE(known, pinned.end()) << name << ": " << found;
  EXPECT_NEAR(found, known->second, 0.01) << name;
}

TEST(Uncertainty, WhatRecipesCallCertainIsWhatTheWholeImageHas) {
  std::mt19937 rng(11);
  for (const std::string id : kRecipes) {
    Share share;
    for (const unsigned seed : {1u, 2u, 3u}) {
      Scene scene(520, 480, seed);
      scene.field(seed == 1 ? 17 : 24);
      scene.spindles(seed == 3 ? 60 : 5);
      if (seed == 2) scene.box(200, 150, 330, 300);
      const Made m = made(scene);
      Params params = params_of(MORPHO_ASSETS, id, m.view());
      // Short ways, so that the rims of small windows are felt in their cores.
      if (id == "ihc-nuclei") params.set("threshold.localRadius", 7.0);
      // Rims are mended at 0.4 µm/px and finer only, unless one asks.
      if (id == "he-nuclei" && seed != 3) params.set("mask.gapRadius", seed == 1 ? 1.0 : 2.0);
      for (const char* key : {"pigment", "redCells", "keratin", "mucin", "folds"})
        if (id == "he-nuclei") params.set(std::string("reject.") + key, seed == 2);
      if (id == "iwpp-nuclei") params.set("marker.openRadius", 5.0), params.set("marker.reach", 6.0);
      if (id == "cell-detection") params.set("detection.backgroundRadius", 5.0), params.set("detection.backgroundReach", 6.0);
      SCOPED_TRACE(id + ", seed " + std::to_string(seed));
      expect_certain_is_right(program_of(id, params), m.view(), 30, 0, 70, rng, share);
    }
    expect_share(id, share, kOfRecipes);
  }
}

/// Each rule of CertaintyAnalysis by itself, on images that are all edges.
TEST(Uncertainty, WhatEachOperationCallsCertainIsWhatTheWholeImageHas) {
  const std::vector<std::pair<std::string, std::function<void(Stages&, Field, Field)>>> programs{
      {"small holes", [](Stages& s, Field, Field b) { s.fill_small_holes(b, b, 40); }},
      {"small holes, 8", [](Stages& s, Field, Field b) { s.fill_small_holes(b, b, 25, Connectivity::eight); }},
      {"areas", [](Stages& s, Field, Field b) { s.area_filter(b, b, 20, 90); }},
      {"least areas, 4", [](Stages& s, Field, Field b) { s.area_filter(b, b, 60, 2147483647, Connectivity::four); }},
      {"dilation of what areas leave",
       [](Stages& s, Field, Field b) {
         s.area_filter(b, b, 20, 90);
         s.morphology(b, b, Morphology::dilate, Shape::cross, 2);
       }},
      {"opening of what areas leave",
       [](Stages& s, Field, Field b) {
         s.area_filter(b, b, 60, 2147483647);
         s.morphology(b, b, Morphology::open, Shape::disk, 1);
       }},
      {"opening", [](Stages& s, Field, Field b) { s.morphology(b, b, Morphology::open, Shape::disk, 2); }},
      {"median",
       [](Stages& s, Field c, Field b) {
         const Field m = s.plane_u8();
         s.median(c, m, 3);
         s.threshold(m, b, 140);
       }},
      {"depths",
       [](Stages& s, Field, Field b) {
         const Field d = s.plane_u16();
         s.depth(b, d, 16);
         s.threshold(d, b, 33);
       }},
      {"marked",
       [](Stages& s, Field c, Field b) {
         const Field high = s.plane_u8(), out = s.plane_u8();
         s.threshold(c, high, 190);
         s.components_with(high, b, out);
         s.scale(out, b, 1);
       }},
      {"chosen",
       [](Stages& s, Field c, Field b) {
         const Field labels = s.plane_i32();
         LabelRule rule;
         rule.min_area = 5, rule.end_area = 120, rule.mean_above = 150 * 1024;
         s.choose_labels(labels, s.label(b, labels), c, {}, b, rule);
       }},
      {"nodes",
       [](Stages& s, Field c, Field b) {
         const Field parent = s.plane_i32(), order = s.plane_i32(), node = s.plane_i32();
         NodeRule rule;
         rule.min_area = 10, rule.end_area = 100, rule.level = 90, rule.elongation = objects::elongation_factor(6);
         s.max_tree(c, parent, order, Connectivity::four);
         s.choose_nodes(c, parent, order, node, b, rule);
       }},
      {"limited reconstruction",
       [](Stages& s, Field c, Field b) {
         const Field opened = s.plane_u8(), ground = s.plane_u8();
         s.morphology(c, opened, Morphology::open, Shape::disk, 3);
         s.clear_cut_rims(opened, 6);
         s.reconstruct_within(opened, c, ground, 5);
         s.combine(c, ground, ground, Combine::subtract);
         s.threshold(ground, b, 20);
       }},
  };
  // Landscapes: grey inside the binary image, 0 outside.
  const auto landscape = [](Stages& s, Field c, Field b) {
    const Field f = s.plane_i32(), inside = s.plane_i32();
    s.scale(c, f, 1);
    s.scale(b, inside, 255);
    s.combine(f, inside, f, Combine::minimum);
    return f;
  };
  auto all = programs;
  for (const i32 h : {1, 8, 30}) {
    all.emplace_back("peaks of " + std::to_string(h), [=](Stages& s, Field c, Field b) {
      const Field peaks = s.plane_u8(), f = landscape(s, c, b);
      s.extended_maxima(f, peaks, h);
      s.combine(peaks, b, b, Combine::both);
    });
    all.emplace_back("basins of peaks of " + std::to_string(h), [=](Stages& s, Field c, Field b) {
      const Field peaks = s.plane_u8(), f = landscape(s, c, b), markers = s.plane_i32(), labels = s.plane_i32();
      s.extended_maxima(f, peaks, h);
      s.combine(peaks, b, peaks, Combine::both);
      s.label(peaks, markers);
      s.scale(f, f, -1);
      s.watershed(f, markers, b, labels, true, h);
      s.threshold(labels, b, 0);
    });
    all.emplace_back("basins of minima, h " + std::to_string(h), [=](Stages& s, Field, Field b) {
      const Field d = s.plane_i32(), f = s.plane_i32(), labels = s.plane_i32();
      s.depth(b, d, 16);
      s.h_maxima(d, f, h);
      s.scale(f, f, -1);
      s.watershed(f, {}, b, labels, true);
      s.threshold(labels, b, 0);
    });
  }
  all.emplace_back("grown", [](Stages& s, Field, Field b) {
    const Field out = s.plane_u8(), near = s.plane_u8(), d = s.plane_i32(), seeds = s.plane_i32(), cells = s.plane_i32();
    s.morphology(b, b, Morphology::open, Shape::disk, 3);
    s.label(b, seeds);
    s.scale(b, out, -1, 1);
    s.distance(out, d, 4);
    s.threshold(d, near, 16);
    s.scale(near, near, -1, 1);
    s.watershed(d, seeds, near, cells, true);
    s.threshold(cells, b, 0);
  });
  all.emplace_back("marked, 4", [](Stages& s, Field c, Field b) {
    const Field high = s.plane_u8(), out = s.plane_u8();
    s.threshold(c, high, 190);
    s.components_with(high, b, out, Connectivity::four);
    s.scale(out, b, 1);
  });
  all.emplace_back("chosen, 4", [](Stages& s, Field c, Field b) {
    const Field labels = s.plane_i32();
    LabelRule rule;
    rule.min_area = 5, rule.end_area = 120, rule.mean_above = 150 * 1024;
    s.choose_labels(labels, s.label(b, labels, Connectivity::four), c, {}, b, rule);
  });
  all.emplace_back("better", [](Stages& s, Field c, Field b) {
    const Field high = s.plane_u8(), kept = s.plane_i32(), candidates = s.plane_i32();
    s.threshold(c, high, 190);
    s.morphology(b, b, Morphology::open, Shape::disk, 1);
    const Register few = s.label(high, kept, Connectivity::four), more = s.label(b, candidates, Connectivity::four);
    PreferenceRule rule;
    rule.fit_none = 700, rule.edge_full = 200 * 256, rule.area_full = 60;
    s.better_labels(kept, few, candidates, more, c, b, rule);
  });
  std::mt19937 rng(5);
  const Params none;
  for (const auto& [name, steps] : all) {
    Share share;
    for (unsigned seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(name + ", seed " + std::to_string(seed));
      const Made m = noise_image(150, 130, seed);
      Stages s(none);
      const Field c = s.plane_u8(), b = s.plane_u8(), labels = s.plane_i32();
      s.weights(c, {-1, 0, 0, 255, 1});
      s.threshold(c, b, seed % 3 == 0 ? 150 : 128);
      s.scoped([&, &steps = steps] { steps(s, c, b); });  // Named, as clang 14 takes no other.
      s.label(b, labels, Connectivity::four);
      s.measure(labels, stain_set("h-e"));
      expect_certain_is_right(s.take_program(), View<const Rgba>(m.pixels.data(), m.extent), 40, 0, 40, rng, share);
    }
    expect_share(name, share, kOfOperations);
  }
}

}  // namespace
}  // namespace morpho::test
