// What could not be read is never called certain: windows, grown windows, and what is asked of points and fields, on slides
// with tiles that fail once, later, or for ever. Against the same slide when all of it is read.
#include "../support/cut_scene.hpp"
#include "engine/query/cuts.hpp"
#include "engine/query/explain.hpp"
#include "engine/query/measure_runs.hpp"
#include "engine/query/wand.hpp"
#include "../support/failing_slide.hpp"
#include "../support/oracle.hpp"
#include "../support/remote_backend.hpp"

namespace morpho::test {
namespace {

using namespace engine;
using Pixels = std::set<std::pair<i32, i32>>;

void add(Pixels& to, const std::vector<morpho::Run>& runs, i64 dx, i64 dy) {
  for (const morpho::Run& r : runs)
    for (i32 x = r.x0; x < r.x1; ++x) to.emplace(static_cast<i32>(x + dx), static_cast<i32>(r.y + dy));
}
/// What is not certain of a window's core; px of the image.
Pixels uncertain(const WindowDone& done, const WindowJob& job) {
  Pixels pixels;
  for (const auto* runs : {&done.output.trust.cut, &done.output.trust.unreadable, &done.output.trust.limit})
    add(pixels, *runs, job.x, job.y);
  return pixels;
}
/// Objects with pixels in the core, none of which is among `but`; as texts with their places in the image.
std::set<std::string> objects_of(const WindowDone& done, const WindowJob& job, const Pixels& but) {
  std::set<std::string> texts;
  const ObjectSet& set = done.output.objects;
  const i64 x0 = job.x + job.core.x, y0 = job.y + job.core.y;
  for (std::size_t o = 0; o < set.objects.size(); ++o) {
    const i64 first_x = set.objects[o].first_x + job.x, first_y = set.objects[o].first_y + job.y;
    // Of others a window grows for no more than their pixels in the core.
    bool owned = first_x >= x0 && first_y >= y0 && first_x < x0 + job.core.width && first_y < y0 + job.core.height, left = true;
    Pixels own;
    add(own, {set.runs.begin() + set.run_offsets[o], set.runs.begin() + set.run_offsets[o + 1]}, job.x, job.y);
    for (const auto& p : own) left = left && but.count(p) == 0;
    if (owned && left) texts.insert(object_text(set, o, job.x, job.y));
  }
  return texts;
}
/// No pixel belongs to two objects that the core owns.
void expect_apart(const WindowDone& done, const WindowJob& job) {
  Pixels taken;
  std::size_t pixels = 0;
  const ObjectSet& set = done.output.objects;
  for (std::size_t o = 0; o < set.objects.size(); ++o) {
    const i64 x = set.objects[o].first_x - job.core.x, y = set.objects[o].first_y - job.core.y;
    if (x < 0 || y < 0 || x >= job.core.width || y >= job.core.height) continue;
    for (i64 r = set.run_offsets[o]; r < set.run_offsets[o + 1]; ++r) {
      const morpho::Run& run = set.runs[static_cast<std::size_t>(r)];
      for (i32 px = run.x0; px < run.x1; ++px, ++pixels) taken.emplace(px, run.y);
    }
  }
  EXPECT_EQ(taken.size(), pixels);
}

struct Damaged {
  Made intact;
  std::shared_ptr<FailingSlide> slide;
  explicit Damaged(const Scene& scene, i64 tile = 40)
      : intact(made(scene)), slide(std::make_shared<FailingSlide>(intact.slide, tile)) {}
  WindowJob of(WindowJob job) const {
    job.slide = slide;
    return job;
  }
};

Scene nuclei(unsigned seed = 5) {
  Scene scene(560, 480, seed);
  scene.field(22);
  return scene;
}

TEST(Trust, AnUnreadHaloMakesUncertainWhatItMayChangeAndNothingElse) {
  Damaged d([] {
    Scene scene = nuclei();
    scene.box(380, 196, 440, 204);  // across the core's right side, into the tile that fails
    return scene;
  }());
  const Params params = params_of(MORPHO_ASSETS, "he-nuclei", d.intact.view());
  const WindowJob job = tile_job(d.intact, "he-nuclei", params, 150, 130, 250, halo_px("he-nuclei", params));
  d.slide->fail(400 + 20, 200);
  Resources resources;
  const WindowDone want = run_window(job, resources, nullptr), got = run_window(d.of(job), resources, nullptr);
  const Trust& trust = got.output.trust;
  ASSERT_TRUE(want.output.trust.certified && want.output.trust.whole());
  EXPECT_TRUE(trust.known);
  ASSERT_EQ(trust.parts.size(), 1u);
  EXPECT_EQ(trust.parts[0].reason, "the drive did not answer");
  EXPECT_FALSE(trust.whole());
  EXPECT_FALSE(trust.certified);
  EXPECT_LT(trust.certain_pixels, trust.core_pixels);
  // Certain elsewhere, and right there.
  EXPECT_GT(trust.certain_pixels, trust.core_pixels * 3 / 4);
  const Pixels doubtful = uncertain(got, d.of(job));
  EXPECT_TRUE(doubtful.count({399, 200}));
  EXPECT_FALSE(doubtful.count({160, 140}));
  EXPECT_EQ(objects_of(got, job, doubtful), objects_of(want, job, doubtful));
  EXPECT_GT(objects_of(got, job, doubtful).size(), 20u);
  // What the damage changed is among what is not certain.
  EXPECT_NE(objects_of(got, job, {}), objects_of(want, job, {}));
  // No window grew for it; and the next read is whole.
  EXPECT_EQ(got.growth.windows, want.growth.windows);
  EXPECT_EQ(d.slide->failed(), 1);
  EXPECT_TRUE(run_window(d.of(job), resources, nullptr).output.trust.certified);
}

/// Tiles anywhere that fail at their first, second or third read: of the core, of the halo, of what windows grow to.
TEST(Trust, WhatIsCertainIsTheIntactSlidesWhereverAndWheneverReadsFail) {
  int damaged = 0, whole = 0, grown = 0;
  i64 certain = 0, all = 0;
  for (const std::string id : kRecipes) {
    for (unsigned seed = 1; seed <= 8; ++seed) {
      SCOPED_TRACE(id + ", seed " + std::to_string(seed));
      Scene scene = nuclei(seed);
      scene.spindles(12);
      if (seed % 3 == 0) scene.box(250, 180, 470, 215);
      Damaged d(scene, seed % 2 ? 40 : 24);
      Params params = params_of(MORPHO_ASSETS, id, d.intact.view());
      if (id == "iwpp-nuclei") params.set("marker.openRadius", 5.0), params.set("marker.reach", 6.0);
      if (id == "cell-detection") params.set("detection.backgroundRadius", 5.0), params.set("detection.backgroundReach", 6.0);
      const i32 halo = std::min(60, halo_px(id, params));
      WindowJob job = tile_job(d.intact, id, params, 180, 150, 160, halo);
      job.want_planes = seed % 4 == 0;
      for (unsigned k = 0; k < 1 + seed % 3; ++k) {
        const i64 x = job.x - 60 + static_cast<i64>(scene.rng() % static_cast<unsigned>(job.extent.width + 120));
        const i64 y = job.y - 60 + static_cast<i64>(scene.rng() % static_cast<unsigned>(job.extent.height + 120));
        d.slide->fail(std::clamp<i64>(x, 0, 559), std::clamp<i64>(y, 0, 479),
                      {static_cast<i64>(scene.rng() % 3), seed % 5 == 0 ? FailingSlide::kForEver : 1});
      }
      Resources resources;
      const WindowDone want = run_window(job, resources, nullptr), got = run_window(d.of(job), resources, nullptr);
      const Pixels doubtful = uncertain(got, job);
      EXPECT_EQ(objects_of(got, job, doubtful), objects_of(want, job, doubtful));
      expect_apart(got, job);
      const Trust& trust = got.output.trust;
      EXPECT_EQ(static_cast<i64>(doubtful.size()), trust.core_pixels - trust.certain_pixels);
      EXPECT_EQ(trust.certified, doubtful.empty());
      if (trust.parts.empty()) EXPECT_EQ(trust.certain_pixels, want.output.trust.certain_pixels);
      (trust.whole() ? whole : damaged) += 1;
      grown += got.growth.windows > 0;
      certain += trust.certain_pixels, all += trust.core_pixels;
    }
  }
  EXPECT_GT(damaged, 10);
  EXPECT_GT(whole, 3);
  EXPECT_GT(grown, 5);
  EXPECT_GT(certain, all / 2);
}

TEST(Trust, WhatAGrownWindowCouldNotReadIsNotForgotten) {
  Damaged d([] {
    Scene scene(700, 300, 3);
    scene.box(180, 140, 420, 148);  // leaves the first window at its right
    return scene;
  }());
  const Params params = params_of(MORPHO_ASSETS, "he-nuclei", d.intact.view());
  const WindowJob job = tile_job(d.intact, "he-nuclei", params, 100, 80, 150, 40);
  Resources resources;
  const WindowDone want = run_window(job, resources, nullptr);
  ASSERT_GT(want.growth.windows, 0);
  ASSERT_TRUE(want.output.trust.certified);
  // Beyond the first window, where only those see it that grow.
  ASSERT_LT(job.x + job.extent.width, 320);
  d.slide->fail(330, 144, {0, FailingSlide::kForEver});
  const WindowDone got = run_window(d.of(job), resources, nullptr);
  EXPECT_GT(d.slide->failed(), 0);
  EXPECT_FALSE(got.output.trust.parts.empty());
  EXPECT_FALSE(got.output.trust.certified);
  EXPECT_FALSE(got.output.trust.whole());
  EXPECT_TRUE(uncertain(got, job).count({249, 144}));
}

TEST(Trust, OnADeviceWhosePlanesTheHostDoesNotSeeItIsTheSame) {
  Damaged d(nuclei());
  const Params params = params_of(MORPHO_ASSETS, "he-nuclei", d.intact.view());
  const WindowJob job = tile_job(d.intact, "he-nuclei", params, 150, 130, 250, 60);
  d.slide->fail(430, 200, {0, FailingSlide::kForEver});
  Workspace w;
  Context ctx = context(w);
  Image<Rgba> pixels(job.extent.width, job.extent.height, Rgba{});
  const auto parts = read_scaled(cpu::table(), ctx, *d.slide, 1, job.x, job.y, pixels.view());
  WindowPixels input{pixels.view()};
  input.unread.pixels = window_px(parts, 1, job.x, job.y, job.extent);
  input.rims = [&](std::size_t n) { return w.take<u8>(n); };
  const Trust want = run(cpu::table(), ctx, job, input).trust;
  RemoteBackend gpu;
  const WindowOutput got = run(gpu, job, input);
  EXPECT_EQ(got.rims, nullptr);
  EXPECT_FALSE(want.unreadable.empty());
  EXPECT_EQ(got.trust.certain_pixels, want.certain_pixels);
  EXPECT_EQ(got.trust.unreadable.size(), want.unreadable.size());
}

TEST(Trust, APointsAnswerSaysWhatItStandsOn) {
  Damaged d(nuclei());
  WindowJob job = tile_job(d.intact, "he-nuclei", params_of(MORPHO_ASSETS, "he-nuclei", d.intact.view()), 0, 0, 560, 0);
  Resources resources;
  ASSERT_TRUE(explain(job, 300, 240, resources, nullptr).certain);
  job = d.of(job);
  d.slide->fail(330, 240, {0, FailingSlide::kForEver});
  EXPECT_FALSE(explain(job, 325, 240, resources, nullptr).certain);
  EXPECT_FALSE(is_inside(job, 325, 240, resources, nullptr).read);
  EXPECT_TRUE(explain(job, 60, 60, resources, nullptr).certain);
  EXPECT_TRUE(is_inside(job, 60, 60, resources, nullptr).read);
  // Once it answers, so does the slide.
  d.slide->fail(330, 240, {0, 0});
  EXPECT_TRUE(explain(job, 325, 240, resources, nullptr).certain);
}

TEST(Trust, AFieldsCutsLeaveOutWhatWasNotRead) {
  Damaged d(nuclei());
  const Params params = params_of(MORPHO_ASSETS, "he-nuclei", d.intact.view());
  const WindowJob job = tile_job(d.intact, "he-nuclei", params, 150, 130, 250, halo_px("he-nuclei", params));
  const CutSteps steps{"threshold.level", 0.3, 0.05};
  Resources resources;
  const Cuts want = cuts(job, steps, resources, nullptr);
  ASSERT_TRUE(want.unread.empty());
  d.slide->fail(300, 200);
  const Cuts got = cuts(d.of(job), steps, resources, nullptr);
  ASSERT_FALSE(got.unread.empty());
  Pixels unread;
  add(unread, got.unread, 0, 0);
  EXPECT_TRUE(unread.count({300 - 150, 200 - 130}));
  EXPECT_LT(unread.size(), want.steps.size() / 2);
  ASSERT_EQ(got.steps.size(), want.steps.size());
  for (std::size_t k = 0; k < want.steps.size(); ++k) {
    const bool out = unread.count({static_cast<i32>(k % 250), static_cast<i32>(k / 250)}) != 0;
    ASSERT_EQ(got.steps[k], out ? 0 : want.steps[k]) << k;
  }
  EXPECT_TRUE(cuts(d.of(job), steps, resources, nullptr).unread.empty());
}

TEST(Trust, TheWandSaysSoOfItsNodesAndKeepsNoTreeOfThem) {
  Damaged d(nuclei());
  const Params params = params_of(MORPHO_ASSETS, "he-nuclei", d.intact.view());
  const WindowJob job = tile_job(d.intact, "he-nuclei", params, 0, 0, 560, 0);
  d.slide->fail(330, 240);
  Resources resources;
  WandAsk ask;
  ask.min_area = 20, ask.end_area = 600;
  ask.points = {{324, 244}};
  const WandResult beside = wand(d.of(job), ask, resources, nullptr);
  EXPECT_TRUE(beside.built && beside.unread);
  EXPECT_EQ(resources.trees.held_bytes(), 0u);
  const WandResult again = wand(d.of(job), ask, resources, nullptr);
  EXPECT_TRUE(again.built);
  EXPECT_FALSE(again.unread);
  EXPECT_FALSE(wand(d.of(job), ask, resources, nullptr).built);
  // Far from it a node is what it is.
  d.slide->fail(330, 240);
  resources.trees.trim();
  ask.points = {{60, 60}};
  const WandResult far = wand(d.of(job), ask, resources, nullptr);
  EXPECT_TRUE(far.built);
  EXPECT_FALSE(far.unread);
  EXPECT_EQ(far.area, wand(job, ask, resources, nullptr).area);
}

TEST(Trust, ObjectsOfPixelsThatWereNotReadHaveNoFiguresOfTheBackground) {
  Damaged d(nuclei());
  const Params params = params_of(MORPHO_ASSETS, "he-nuclei", d.intact.view());
  const WindowJob job = tile_job(d.intact, "he-nuclei", params, 100, 100, 300, 0);
  const std::vector<morpho::Run> runs{{120, 120, 140}, {121, 120, 140}, {200, 310, 330}, {201, 310, 330}};
  const std::vector<i32> offsets{0, 2, 4};
  Resources resources;
  const MeasuredRuns want = measure_runs(job, runs, offsets, resources, nullptr);
  EXPECT_TRUE(want.unread.empty());
  d.slide->fail(325, 200);
  const MeasuredRuns got = measure_runs(d.of(job), runs, offsets, resources, nullptr);
  ASSERT_EQ(got.unread, (std::vector<std::size_t>{1}));
  const ObjectMeasurement &read = got.objects.objects[0], &unread = got.objects.objects[1];
  EXPECT_EQ(read.stain_mean[0], want.objects.objects[0].stain_mean[0]);
  EXPECT_EQ(unread.area, want.objects.objects[1].area);
  EXPECT_EQ(unread.perimeter, want.objects.objects[1].perimeter);
  for (int k = 0; k < 3; ++k)
    EXPECT_TRUE(std::isnan(unread.stain_mean[k]) && std::isnan(unread.stain_std[k]) && std::isnan(unread.stain_min[k]) &&
                std::isnan(unread.stain_max[k]));
  EXPECT_TRUE(measure_runs(d.of(job), runs, offsets, resources, nullptr).unread.empty());
}

TEST(Trust, StagesOfAWindowThatWasNotReadAreNotKept) {
  Damaged d(nuclei());
  const Params params = params_of(MORPHO_ASSETS, "he-nuclei", d.intact.view());
  WindowJob job = d.of(tile_job(d.intact, "he-nuclei", params, 150, 130, 250, 60));
  job.keep_stages = job.want_planes = true;
  d.slide->fail(430, 200);
  Resources resources;
  EXPECT_FALSE(run_window_once(job, resources, nullptr).output.trust.whole());
  EXPECT_EQ(resources.stages.held_bytes(), 0u);
  EXPECT_TRUE(run_window_once(job, resources, nullptr).output.trust.whole());
  EXPECT_GT(resources.stages.held_bytes(), 0u);
}

TEST(Trust, PartsCountForEveryPixelThatTheyHaveAShareIn) {
  const auto rects = window_px({{{100, 50, 10, 10}, ""}, {{5000, 0, 10, 10}, ""}}, 2, 20, 10, {100, 100});
  ASSERT_EQ(rects.size(), 1u);
  // (100 - 2) / 2 - 2 - 20, and (112) / 2 + 2 - 20.
  EXPECT_EQ(rects[0].x, 27);
  EXPECT_EQ(rects[0].x + rects[0].width, 38);
  EXPECT_EQ(rects[0].y, 50 / 2 - 1 - 2 - 10);
  const std::vector<morpho::Run> runs{{3, 0, 10}, {4, 2, 5}}, others{{3, 4, 6}, {3, 5, 7}, {5, 0, 9}};
  const auto text = [](const std::vector<morpho::Run>& all) {
    std::string t;
    for (const morpho::Run& r : all) t += std::to_string(r.y) + ":" + std::to_string(r.x0) + "-" + std::to_string(r.x1) + " ";
    return t;
  };
  EXPECT_EQ(text(within(runs, others)), "3:4-7 ");
  EXPECT_EQ(text(beyond(runs, others)), "3:0-4 3:7-10 4:2-5 ");
}

}  // namespace
}  // namespace morpho::test
