// What windows call certain, recipe by recipe and operation by operation: against one window over the whole image.
#include <cstdlib>
#include <functional>

#include "cut_scene.hpp"
#include "engine/pipeline_parts.hpp"
#include "engine/program_window.hpp"
#include "oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;

/// Objects with pixels in the core, none of which is uncertain; coordinates of the image.
std::set<std::string> certain_objects(const ObjectSet& set, i32 dx, i32 dy, const Rect& core,
                                      const std::set<std::pair<i32, i32>>& uncertain) {
  std::set<std::string> objects;
  for (std::size_t o = 0; o < set.objects.size(); ++o) {
    bool in_core = false, doubtful = false;
    for (i64 r = set.run_offsets[o]; r < set.run_offsets[o + 1]; ++r) {
      const morpho::Run& run = set.runs[static_cast<std::size_t>(r)];
      const i32 y = run.y + dy;
      for (i32 x = run.x0 + dx; x < run.x1 + dx; ++x) {
        if (x < core.x || y < core.y || x >= core.x + core.width || y >= core.y + core.height) continue;
        in_core = true;
        doubtful = doubtful || uncertain.count({x, y}) != 0;
      }
    }
    if (in_core && !doubtful) objects.insert(object_text(set, o, dx, dy));
  }
  return objects;
}

struct Share {
  i64 certain = 0, all = 0;
};
/// Windows anywhere, with any margins from `least` on: what each calls certain is what the whole image has.
void expect_certain_is_right(const Program& program, View<const Rgba> all, int windows, i32 least, i32 most, std::mt19937& rng,
                             Share& share) {
  Workspace w;
  Context ctx = context(w, 1);
  CpuPlace place(cpu::table(), ctx);
  const i32 width = all.width(), height = all.height();
  WindowOutput whole;
  run_program(place, program, all, {{0, 0, width, height}, {}, false}, false, &whole);
  for (int k = 0; k < windows; ++k) {
    const auto margin = [&] {
      return static_cast<i32>(rng() % 6 == 0 ? 4096 : least + static_cast<i32>(rng() % static_cast<unsigned>(most - least)));
    };
    const Rect core{static_cast<i64>(rng() % static_cast<unsigned>(width / 2)),
                    static_cast<i64>(rng() % static_cast<unsigned>(height / 2)), width / 4, height / 4};
    const i32 cx = static_cast<i32>(core.x), cy = static_cast<i32>(core.y);
    const i32 x0 = std::max(0, cx - margin()), y0 = std::max(0, cy - margin());
    const i32 x1 = std::min(width, cx + width / 4 + margin()), y1 = std::min(height, cy + height / 4 + margin());
    SCOPED_TRACE("core at " + std::to_string(cx) + "," + std::to_string(cy) + ", window " + std::to_string(x0) + "," +
                 std::to_string(y0) + " to " + std::to_string(x1) + "," + std::to_string(y1));
    WindowOutput part;
    const CutSides sides{x0 > 0, y0 > 0, x1 < width, y1 < height};
    const Rect inside{core.x - x0, core.y - y0, core.width, core.height};
    run_program(place, program, all.sub(x0, y0, {x1 - x0, y1 - y0}), {inside, sides, true}, false, &part);
    ASSERT_TRUE(part.trust.known);
    std::set<std::pair<i32, i32>> uncertain;
    for (const morpho::Run& r : part.trust.cut)
      for (i32 x = r.x0; x < r.x1; ++x) uncertain.emplace(x + x0, r.y + y0);
    EXPECT_EQ(part.trust.certain_pixels, core.width * core.height - static_cast<i64>(uncertain.size()));
    EXPECT_EQ(part.trust.certified, uncertain.empty());
    share.certain += part.trust.certain_pixels, share.all += core.width * core.height;
    EXPECT_EQ(certain_objects(part.objects, x0, y0, core, uncertain), certain_objects(whole.objects, 0, 0, core, uncertain));
  }
}

TEST(Doubt, WhatRecipesCallCertainIsWhatTheWholeImageHas) {
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
    EXPECT_GT(share.certain, share.all / 3) << id;
  }
}

/// Grey noise with features of some px, between long winding components and specks.
Made noise(i32 w, i32 h, unsigned seed) {
  std::mt19937 rng(seed);
  Image<u8> rough(w, h), smooth(w, h);
  for (auto& v : rough.data) v = static_cast<u8>(rng());
  Workspace workspace;
  Context ctx = context(workspace, 1);
  cpu::table().gaussian(ctx, rough.plane(), smooth.plane(), {seed % 2 ? 1.2 : 2.0});
  Made m;
  m.extent = {w, h};
  for (const u8 v : smooth.pixels()) {
    const int stretched = std::clamp((static_cast<int>(v) - 128) * 4 + 128, 0, 255);
    const u8 grey = static_cast<u8>(255 - stretched);
    m.pixels.push_back({grey, grey, grey, 255});
  }
  return m;
}

/// Each rule of Doubts by itself, on images that are all edges.
TEST(Doubt, WhatEachOperationCallsCertainIsWhatTheWholeImageHas) {
  const std::vector<std::pair<const char*, std::function<void(Stages&, Field, Field)>>> programs{
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
    all.emplace_back("peaks", [=](Stages& s, Field c, Field b) {
      const Field peaks = s.plane_u8(), f = landscape(s, c, b);
      s.extended_maxima(f, peaks, h);
      s.combine(peaks, b, b, Combine::both);
    });
    all.emplace_back("basins of peaks", [=](Stages& s, Field c, Field b) {
      const Field peaks = s.plane_u8(), f = landscape(s, c, b), markers = s.plane_i32(), labels = s.plane_i32();
      s.extended_maxima(f, peaks, h);
      s.combine(peaks, b, peaks, Combine::both);
      s.label(peaks, markers);
      s.scale(f, f, -1);
      s.watershed(f, markers, b, labels, true, h);
      s.threshold(labels, b, 0);
    });
    all.emplace_back("basins of minima", [=](Stages& s, Field, Field b) {
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
  std::mt19937 rng(5);
  const Params none;
  for (const auto& [name, steps] : all) {
    Share share;
    for (unsigned seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
      const Made m = noise(150, 130, seed);
      Stages s(none);
      const Field c = s.plane_u8(), b = s.plane_u8(), labels = s.plane_i32();
      s.weights(c, {-1, 0, 0, 255, 1});
      s.threshold(c, b, seed % 3 == 0 ? 150 : 128);
      s.scoped([&] { steps(s, c, b); });
      s.label(b, labels, Connectivity::four);
      s.measure(labels, stain_set("h-e"));
      expect_certain_is_right(s.take_program(), View<const Rgba>(m.pixels.data(), m.extent), 40, 0, 40, rng, share);
    }
    EXPECT_GT(share.certain, share.all / 50) << name;
    if (std::getenv("MORPHO_SHOW"))
      std::printf("%s: %.3f\n", name, static_cast<double>(share.certain) / static_cast<double>(share.all));
  }
}

}  // namespace
}  // namespace morpho::test
