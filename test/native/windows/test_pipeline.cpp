// Recipes: that they find what is there, give the same objects for any threads, strides and windows, and name what is wrong.
#include <cmath>

#include "../support/cut_scene.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

engine::Params defaults(const std::string& id, double um_per_px = 0.5) {
  return recipe_params(std::string(MORPHO_ASSETS) + "/recipes/" + id + ".json", um_per_px);
}

struct Ellipse {
  double x, y, a, b, angle;
};
/// Pale pink tissue with a little noise, and hematoxylin-blue ellipses whose edges fade over about 2 px.
Image<Rgba> scene(i32 w, i32 h, const std::vector<Ellipse>& nuclei, std::uint32_t seed = 1) {
  Image<Rgba> out(w, h);
  std::mt19937 rng(seed);
  for (i32 y = 0; y < h; ++y) {
    for (i32 x = 0; x < w; ++x) {
      double cover = 0;
      for (const auto& n : nuclei) {
        const double dx = x - n.x, dy = y - n.y, c = std::cos(n.angle), s = std::sin(n.angle);
        const double u = (c * dx + s * dy) / n.a, v = (c * dy - s * dx) / n.b;
        const double inside = (1 - std::sqrt(u * u + v * v)) * std::min(n.a, n.b) / 2 + 0.5;
        cover = std::max(cover, std::min(1.0, std::max(0.0, inside)));
      }
      const double noise = static_cast<double>(rng() % 9) - 4;
      const auto mix = [&](double tissue, double nucleus) {
        return static_cast<u8>(tissue + (nucleus - tissue) * cover + noise);
      };
      out.at(x, y) = {mix(232, 82), mix(190, 60), mix(215, 130), 255};
    }
  }
  return out;
}
/// A jittered grid of nuclei, some of them touching pairs.
std::vector<Ellipse> field(i32 w, i32 h, std::uint32_t seed) {
  std::mt19937 rng(seed);
  const auto unit = [&] { return static_cast<double>(rng() % 1000) / 1000; };
  std::vector<Ellipse> out;
  for (double y = 24; y < h - 24; y += 36) {
    for (double x = 24; x < w - 24; x += 36) {
      const Ellipse e{x + 8 * unit() - 4, y + 8 * unit() - 4, 7 + 3 * unit(), 6 + 2 * unit(), 3 * unit()};
      out.push_back(e);
      if (rng() % 4 == 0) out.push_back({e.x + 13, e.y + 3, 7, 6.5, 0});
    }
  }
  return out;
}

engine::WindowOutput run_recipe(const std::string& id, const engine::Params& params, View<const Rgba> rgba, Rect core,
                                bool planes = false, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  return run_alone(cpu::table(), ctx, id, params, rgba, core, planes);
}
engine::Params with_slide(const std::string& id, const engine::Params& params, View<const Rgba> sample) {
  Workspace w;
  Context ctx = context(w);
  return with_overview(cpu::table(), ctx, id, params, sample);
}
Rect whole(View<const Rgba> v) { return {0, 0, v.width(), v.height()}; }

/// Objects as text, shifted: what two windows must agree on.
std::multiset<std::string> objects_text(const ObjectSet& set, i32 dx, i32 dy, Rect keep) {
  std::multiset<std::string> out;
  for (std::size_t o = 0; o < set.objects.size(); ++o) {
    const i32 fx = set.objects[o].first_x + dx, fy = set.objects[o].first_y + dy;
    if (fx < keep.x || fy < keep.y || fx >= keep.x + keep.width || fy >= keep.y + keep.height) continue;
    std::string t;
    for (i64 r = set.run_offsets[o]; r < set.run_offsets[o + 1]; ++r) {
      const Run& run = set.runs[static_cast<std::size_t>(r)];
      t += std::to_string(run.y + dy) + ":" + std::to_string(run.x0 + dx) + "-" + std::to_string(run.x1 + dx) + " ";
    }
    out.insert(t);
  }
  return out;
}

TEST(Pipeline, EachRecipeFindsTheNucleiOfAPlainScene) {
  std::vector<Ellipse> nuclei;
  for (int k = 0; k < 24; ++k) nuclei.push_back({30.0 + 40 * (k % 6), 30.0 + 40 * (k / 6), 9, 7, 0.4 * k});
  const auto image = scene(260, 190, nuclei);
  for (const char* id : kRecipes) {
    SCOPED_TRACE(id);
    const auto out = run_recipe(id, with_slide(id, defaults(id), image.view()), image.view(), whole(image.view()));
    EXPECT_EQ(out.objects.objects.size(), nuclei.size());
    for (const auto& n : nuclei) {
      int hits = 0;
      for (const auto& o : out.objects.objects) {
        // π a b is 198 px: a recipe may differ at the faded edge, not by half.
        if (std::hypot(o.centroid_x - 0.5 - n.x, o.centroid_y - 0.5 - n.y) < 2) hits += o.area > 130 && o.area < 300;
      }
      EXPECT_EQ(hits, 1) << n.x << "," << n.y;
    }
  }
}

/// Ki-67 as it is: pale blue nuclei, brown ones ten times as dark, blue ones with a brown half, and a brown haze around one.
TEST(Pipeline, IhcNucleiAreWholeWhateverStainsThem) {
  auto image = scene(300, 200, {});
  const auto paint = [&](const Ellipse& n, Rgba left, Rgba right) {
    for (i32 y = 0; y < 200; ++y) {
      for (i32 x = 0; x < 300; ++x) {
        const double dx = x - n.x, dy = y - n.y;
        if (dx * dx / (n.a * n.a) + dy * dy / (n.b * n.b) <= 1) image.at(x, y) = dx < 0 ? left : right;
      }
    }
  };
  for (i32 y = 0; y < 200; ++y)
    for (i32 x = 0; x < 300; ++x) image.at(x, y) = {static_cast<u8>(238 + (x * 7 + y * 3) % 5), 236, 232, 255};
  const Rgba blue{192, 204, 217, 255}, brown{60, 34, 18, 255}, haze{230, 221, 210, 255};
  for (int k = 0; k < 15; ++k) {
    const Ellipse n{40.0 + 55 * (k % 5), 35.0 + 60 * (k / 5), 10, 8, 0};
    if (k == 7) paint({n.x, n.y, 20, 18, 0}, haze, haze);
    paint(n, k % 3 == 0 ? brown : blue, k % 3 == 1 ? blue : brown);
  }
  auto params = with_slide("ihc-nuclei", defaults("ihc-nuclei"), image.view());
  // The five that are half blue and half brown are two objects each, and no object is of both stains.
  const auto parted = run_recipe("ihc-nuclei", params, image.view(), whole(image.view()));
  int all_brown = 0, all_blue = 0;
  for (const auto& o : parted.objects.objects) all_brown += o.stain_mean[1] > 0.8, all_blue += o.stain_mean[1] < 0.2;
  EXPECT_EQ(parted.objects.objects.size(), 20u);
  EXPECT_EQ(all_brown, 10);
  EXPECT_EQ(all_blue, 10);
  params.set("brown.apart", false);
  const auto out = run_recipe("ihc-nuclei", params, image.view(), whole(image.view()));
  ASSERT_EQ(out.objects.objects.size(), 15u);
  int brown_ones = 0;
  for (const auto& o : out.objects.objects) {
    // π a b is 251 px.
    EXPECT_NEAR(static_cast<double>(o.area), 251, 60) << o.centroid_x << "," << o.centroid_y;
    brown_ones += o.stain_mean[1] > 0.2;
  }
  // Those that are brown or half brown; the haze leaves its nucleus blue.
  EXPECT_EQ(brown_ones, 10);
}

/// Nuclei of five brightnesses on a ground that rises from left to right, at a full exposure and at an eighth of it.
TEST(Pipeline, FluorescenceNucleiAreFoundWhateverTheExposure) {
  for (const int shorter : {1, 8}) {
    SCOPED_TRACE(shorter);
    Image<Rgba> image(300, 200);
    const auto light = [&](i32 x, i32 y, double v) {
      const double noise = (x * 7 + y * 13) % 5 - 2;
      image.at(x, y) = {0, 1, static_cast<u8>(std::clamp((v + noise) / shorter, 0.0, 255.0)), 255};
    };
    const auto ground = [](i32 x) { return 10 + 40.0 * x / 300; };
    for (i32 y = 0; y < 200; ++y)
      for (i32 x = 0; x < 300; ++x) light(x, y, ground(x));
    for (int k = 0; k < 15; ++k) {
      const double cx = 40.0 + 55 * (k % 5), cy = 35.0 + 60 * (k / 5);
      for (i32 y = 0; y < 200; ++y)
        for (i32 x = 0; x < 300; ++x)
          if ((x - cx) * (x - cx) / 100 + (y - cy) * (y - cy) / 64 <= 1) light(x, y, ground(x) + 90 + 25 * (k * 2 % 5));
    }
    const std::string id = "fluorescence-nuclei";
    const auto out = run_recipe(id, with_slide(id, defaults(id), image.view()), image.view(), whole(image.view()));
    ASSERT_EQ(out.objects.objects.size(), 15u);
    for (const auto& o : out.objects.objects) {
      EXPECT_NEAR(static_cast<double>(o.area), 251, 60) << o.centroid_x << "," << o.centroid_y;
      // Light, in 256ths: the sum of the nucleus's own pixels.
      EXPECT_NEAR(o.stain_mean[2] * 256 * shorter, ground(static_cast<i32>(o.centroid_x)) + 140, 70);
      EXPECT_DOUBLE_EQ(o.stain_mean[1] * 256, 1);
      EXPECT_DOUBLE_EQ(o.stain_max[0], 0);
    }
  }
}

TEST(Pipeline, TouchingNucleiAreTwoObjects) {
  const auto image = scene(160, 120, {{50, 60, 9, 8, 0}, {66, 60, 9, 8, 0}, {120, 60, 9, 8, 0}});
  for (const std::string id : {"he-nuclei", "iwpp-nuclei", "cell-detection"}) {
    SCOPED_TRACE(id);
    const auto out = run_recipe(id, with_slide(id, defaults(id), image.view()), image.view(), whole(image.view()));
    EXPECT_EQ(out.objects.objects.size(), 3u);
  }
}

/// A pale nucleus of which a dark rim alone is seen, with gaps of 3 px: mended and filled it is one nucleus whole, and a row
/// of three nuclei with gaps as wide between them, which enclose nothing, stays three.
TEST(Pipeline, ABrokenRimIsOneNucleusWhole) {
  Image<Rgba> image = scene(200, 140, {{120, 70, 9, 9, 0}, {140, 70, 9, 9, 0}, {160, 70, 9, 9, 0}});
  for (i32 y = 0; y < 140; ++y) {
    for (i32 x = 0; x < 100; ++x) {
      const double r = std::hypot(x - 50, y - 70);
      const bool gap = std::abs(y - 70) <= 1 || std::abs(x - 50) <= 1;
      if (r <= 13 && !gap) image.at(x, y) = {82, 60, 130, 255};
      if (r < 8) image.at(x, y) = {212, 172, 204, 255};
    }
  }
  const auto areas = [&](double gap_radius) {
    engine::Params params = with_slide("he-nuclei", defaults("he-nuclei", 0.25), image.view());
    params.set("mask.gapRadius", gap_radius);
    std::vector<i64> left, right;
    for (const auto& o : run_recipe("he-nuclei", params, image.view(), whole(image.view())).objects.objects)
      (o.centroid_x < 100 ? left : right).push_back(o.area);
    return std::pair(left, right);
  };
  const auto [broken, apart] = areas(0);
  EXPECT_EQ(apart.size(), 3u);
  const i64 largest = broken.empty() ? 0 : *std::max_element(broken.begin(), broken.end());
  const auto [mended, beside] = areas(2);
  EXPECT_EQ(beside, apart);
  ASSERT_EQ(mended.size(), 1u);
  EXPECT_GT(mended[0], 3.1416 * 13 * 13 * 0.7);
  EXPECT_LT(largest, mended[0] * 0.9);
}

/// The landscape of he-nuclei is u16 while the most stain leaves it half of the room, and i32 above: both say the same. The two
/// shares here differ by less than a unit for every level below 250, and lie on either side of that.
TEST(Pipeline, TheLandscapesTypeDoesNotShow) {
  const i32 w = 260, h = 200;
  const auto image = scene(w, h, field(w, h, 5), 3);
  engine::Params params = defaults("he-nuclei");
  params.set("overview.level", 64.0);
  const auto found = [&](double stain, const char* type) {
    params.set("split.stain", stain);
    EXPECT_NE(engine::text_of(engine::program_of("he-nuclei", params)).find(type), std::string::npos);
    const ObjectSet objects = run_recipe("he-nuclei", params, image.view(), {0, 0, w, h}).objects;
    EXPECT_GT(objects.objects.size(), 20U);
    return objects_text(objects, 0, 0, {0, 0, w, h});
  };
  EXPECT_EQ(found(128.5, "peaks of 19 below 65534"), found(128.502, "peaks of 19 ("));
}

TEST(Pipeline, SameObjectsForAnyThreadsAndStride) {
  const auto image = scene(301, 207, field(301, 207, 5));
  Image<Rgba> strided(301, 207, Rgba{}, 13);
  for (i64 p = 0; p < image.area(); ++p) strided[p] = image[p];
  for (const char* id : kRecipes) {
    SCOPED_TRACE(id);
    const auto params = with_slide(id, defaults(id), image.view());
    const auto one = run_recipe(id, params, image.view(), whole(image.view()));
    EXPECT_GT(one.objects.objects.size(), 30u);
    const Rect all = whole(image.view());
    EXPECT_EQ(objects_text(one.objects, 0, 0, all),
              objects_text(run_recipe(id, params, image.view(), all, true, 4).objects, 0, 0, all));
    EXPECT_EQ(objects_text(one.objects, 0, 0, all),
              objects_text(run_recipe(id, params, strided.view(), all).objects, 0, 0, all));
  }
}

TEST(Pipeline, AWindowWithItsHaloOwnsTheObjectsOfTheWholeRegion) {
  const auto image = scene(700, 560, field(700, 560, 9));
  for (const char* id : kRecipes) {
    SCOPED_TRACE(id);
    auto limited = defaults(id);
    // Without a limit a reconstruction has no exact halo: the parameter's help says so.
    if (limited.has("marker.reach")) limited.set("marker.reach", 24.0);
    if (limited.has("detection.backgroundReach")) limited.set("detection.backgroundReach", 24.0);
    const auto params = with_slide(id, limited, image.view());
    const auto all = run_recipe(id, params, image.view(), whole(image.view()));
    const i32 halo = engine::halo_px(id, params);
    EXPECT_GT(halo, 0);
    for (const Rect core : {Rect{230, 200, 150, 128}, Rect{0, 0, 120, 90}, Rect{611, 470, 89, 90}}) {
      const i32 x0 = std::max<i32>(0, static_cast<i32>(core.x) - halo), y0 = std::max<i32>(0, static_cast<i32>(core.y) - halo);
      const i32 x1 = std::min<i32>(700, static_cast<i32>(core.x + core.width) + halo),
                y1 = std::min<i32>(560, static_cast<i32>(core.y + core.height) + halo);
      const auto window = image.view().sub(x0, y0, {x1 - x0, y1 - y0});
      const auto part = run_recipe(id, params, window, {core.x - x0, core.y - y0, core.width, core.height});
      const auto expected = objects_text(all.objects, 0, 0, core);
      EXPECT_GT(expected.size(), 2u);
      EXPECT_EQ(objects_text(part.objects, x0, y0, core), expected);
    }
  }
}

TEST(Pipeline, PlanesAreThoseAnnouncedCroppedToTheCore) {
  const auto image = scene(200, 160, field(200, 160, 3));
  for (const auto& info : engine::pipelines()) {
    SCOPED_TRACE(info.id);
    const auto params = with_slide(info.id, defaults(info.id), image.view());
    const Rect core{40, 30, 101, 77};
    const auto out = run_recipe(info.id, params, image.view(), core, true);
    std::vector<std::string> names;
    for (const auto& p : out.planes) {
      names.push_back(p.name);
      EXPECT_EQ(p.extent, (Extent{101, 77}));
      EXPECT_EQ(p.bytes.size(), static_cast<std::size_t>(101 * 77) * pixel_bytes(p.type));
      const bool is_binary = *std::max_element(p.bytes.begin(), p.bytes.end()) <= 1;
      EXPECT_TRUE(is_binary || !p.binary) << p.name;
    }
    EXPECT_EQ(names, info.planes);
    EXPECT_TRUE(run_recipe(info.id, params, image.view(), core, false).planes.empty());
    // The layers that the recipe file offers are planes.
    const auto spec = testing_json::read_file(std::string(MORPHO_ASSETS) + "/recipes/" + info.id + ".json");
    EXPECT_EQ(spec["layers"].items.size(), names.size());
    for (std::size_t k = 0; k < names.size() && k < spec["layers"].items.size(); ++k)
      EXPECT_EQ(spec["layers"].items[k]["id"].text, names[k]);
  }
}

TEST(Pipeline, TheLabelsPlaneHoldsTheObjects) {
  const auto image = scene(200, 160, field(200, 160, 4));
  for (const char* id : kRecipes) {
    SCOPED_TRACE(id);
    const auto out = run_recipe(id, with_slide(id, defaults(id), image.view()), image.view(), whole(image.view()), true);
    const auto plane = std::find_if(out.planes.begin(), out.planes.end(), [](const auto& p) { return p.name == "labels"; });
    ASSERT_NE(plane, out.planes.end());
    std::vector<i32> labels(static_cast<std::size_t>(image.area()));
    std::memcpy(labels.data(), plane->bytes.data(), plane->bytes.size());
    for (std::size_t o = 0; o < out.objects.objects.size(); ++o) {
      const auto& object = out.objects.objects[o];
      EXPECT_EQ(object.label, static_cast<i32>(o + 1));
      EXPECT_EQ(std::count(labels.begin(), labels.end(), object.label), object.area);
    }
  }
}

TEST(Pipeline, StagesAreTimedInOrder) {
  const auto image = scene(120, 100, field(120, 100, 2));
  const auto out = run_recipe("he-nuclei", with_slide("he-nuclei", defaults("he-nuclei"), image.view()), image.view(),
                              whole(image.view()));
  std::vector<std::string> stages;
  for (const auto& t : out.timings) {
    stages.push_back(t.stage);
    EXPECT_EQ(t.device, "cpu");
    EXPECT_EQ(t.pixels, image.area());
    EXPECT_GE(t.ms, 0);
  }
  EXPECT_EQ(stages, (std::vector<std::string>{"channel", "threshold", "distance", "split", "objects", "measure"}));
}

TEST(Pipeline, EveryExtentAndConstantImagesAreLegal) {
  for (const char* id : kRecipes) {
    SCOPED_TRACE(id);
    for (const Extent e : {Extent{0, 0}, Extent{1, 1}, Extent{40, 1}, Extent{1, 40}, Extent{0, 7}, Extent{65, 33}}) {
      for (const u8 grey : {0, 120, 255}) {
        Image<Rgba> image(e.width, e.height, Rgba{grey, grey, grey, 255});
        const auto params = with_slide(id, defaults(id), image.view());
        const auto out = run_recipe(id, params, image.view(), whole(image.view()), true);
        const bool glass = grey == 255 || e.empty();
        EXPECT_TRUE(!glass || out.objects.objects.empty()) << e.width << "x" << e.height;
      }
    }
  }
}

TEST(Pipeline, GlassAndPaleTissueHaveNoNuclei) {
  const auto tissue = scene(220, 180, {});
  Image<Rgba> glass(220, 180);
  std::mt19937 rng(3);
  for (auto& p : glass.data) {
    const u8 v = static_cast<u8>(238 + rng() % 6);
    p = {v, static_cast<u8>(v - rng() % 3), static_cast<u8>(v - rng() % 3), 255};
  }
  for (const Image<Rgba>* image : {&tissue, static_cast<const Image<Rgba>*>(&glass)}) {
    for (const char* id : kRecipes) {
      const auto params = with_slide(id, defaults(id), image->view());
      EXPECT_TRUE(run_recipe(id, params, image->view(), whole(image->view())).objects.objects.empty()) << id;
    }
  }
}

TEST(Pipeline, CancelledBeforeTheFirstStage) {
  const auto image = scene(60, 60, {});
  for (const char* id : kRecipes) {
    const auto params = with_slide(id, defaults(id), image.view());
    Workspace w;
    const CancelFlag stop{true};
    Context ctx{w, 1, &stop, nullptr};
    EXPECT_THROW(run_alone(cpu::table(), ctx, id, params, image.view(), whole(image.view())), Cancelled) << id;
  }
}

TEST(Pipeline, BadValuesAreNamed) {
  const auto image = scene(60, 60, {});
  auto params = with_slide("he-nuclei", defaults("he-nuclei"), image.view());
  expect_rejected("pipeline", [&] { run_recipe("nuclei", params, image.view(), whole(image.view())); });
  expect_rejected("core", [&] { run_recipe("he-nuclei", params, image.view(), {0, 0, 61, 60}); });
  expect_rejected("core", [&] { run_recipe("he-nuclei", params, image.view(), {-1, 0, 10, 10}); });
  expect_rejected("overview.level", [&] { run_recipe("he-nuclei", defaults("he-nuclei"), image.view(), whole(image.view())); });
  params.set("threshold.localWeight", std::nan(""));
  expect_rejected("threshold.localWeight", [&] { run_recipe("he-nuclei", params, image.view(), whole(image.view())); });
  params.set("threshold.localWeight", 0.8);
  params.set("threshold.contrastWeight", 0.3);
  expect_rejected("threshold.contrastWeight", [&] { engine::halo_px("he-nuclei", params); });
  for (const char* id : kRecipes) {
    const auto complete = defaults(id);
    for (const auto& [name, value] : complete.all()) {
      // The engine's, not the pipeline's.
      if (name == "image.pixelSizeUm" || name.starts_with("tissue.") || name.starts_with("classes.")) continue;
      if (name.starts_with("cells.") || name == "cell.membraneWidth") continue;
      engine::Params without;
      for (const auto& [n, v] : complete.all()) {
        if (n != name) without.set(n, v);
      }
      expect_rejected(name, [&] { engine::halo_px(id, without); });
    }
  }
}

}  // namespace
}  // namespace morpho::test
