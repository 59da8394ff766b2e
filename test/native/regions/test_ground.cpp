// Recipes with the papers' full reconstruction: what is known of the whole slide is the untiled image's, and windows that
// stand on it give the objects of one window over all.
#include <filesystem>
#include <fstream>

#include "engine/window/ground.hpp"
#include "engine/query/cuts.hpp"
#include "engine/query/explain.hpp"
#include "engine/query/wand.hpp"
#include "../support/ground_scene.hpp"
#include "../support/oracle.hpp"
#include "../support/remote_backend.hpp"
#include "../support/sample_slide.hpp"

namespace morpho::test {
namespace {

using namespace engine;

const Extent kImage{820, 640};

class GroundTest : public ::testing::TestWithParam<const char*> {
 protected:
  GroundTest()
      : made_(made(serpentine_scene(kImage.width, kImage.height, 4))),
        params_(unbounded(params_of(MORPHO_ASSETS, GetParam(), made_.view()))) {}
  std::string id() const { return GetParam(); }
  std::shared_ptr<const region::WholeGround> ground(i64 tile = 256, int threads = 2) {
    return region::compute_ground(resources_, ground_job(made_, id(), params_, tile, threads));
  }
  /// One window that is the whole image, with the plain reconstruction.
  WindowOutput untiled(bool planes = false) {
    Workspace w;
    Context ctx = context(w, 2);
    return run_alone(cpu::table(), ctx, id(), params_, made_.view(), {0, 0, kImage.width, kImage.height}, planes, true);
  }
  std::vector<Rgba> window_pixels(const Rect& r) const {
    std::vector<Rgba> pixels;
    for (i64 y = r.y; y < r.y + r.height; ++y)
      for (i64 x = r.x; x < r.x + r.width; ++x) pixels.push_back(made_.pixels[static_cast<std::size_t>(y * kImage.width + x)]);
    return pixels;
  }
  static std::multiset<std::string> texts(const WindowOutput& out, const Rect& region = {0, 0, kImage.width, kImage.height}) {
    std::multiset<std::string> objects;
    for (std::size_t o = 0; o < out.objects.objects.size(); ++o) {
      const ObjectMeasurement& m = out.objects.objects[o];
      const bool asked = m.first_x >= region.x && m.first_y >= region.y && m.first_x < region.x + region.width &&
                         m.first_y < region.y + region.height;
      if (asked) objects.insert(object_text(out.objects, o, 0, 0));
    }
    return objects;
  }
  const Made made_;
  const Params params_;
  Resources resources_;
};
INSTANTIATE_TEST_SUITE_P(Recipes, GroundTest, ::testing::ValuesIn(kGroundRecipes),
                         [](const auto& info) { return std::string(info.param).substr(0, 4); });

TEST_P(GroundTest, AProgramIsSplitAtItsReconstructionWithoutLimit) {
  const Program program = program_of(id(), params_);
  const auto split = split_at_ground(program);
  ASSERT_TRUE(split);
  const auto has = [](const Program& p, Op op) {
    return std::any_of(p.steps.begin(), p.steps.end(), [&](const Step& s) { return s.op == op; });
  };
  EXPECT_TRUE(has(split->after, Op::ground));
  EXPECT_FALSE(has(split->after, Op::clear_cut_rims));
  EXPECT_FALSE(has(split->before, Op::measure) || has(split->before, Op::look) || has(split->before, Op::reconstruct));
  EXPECT_GT(split->halo, 10);
  EXPECT_LT(split->halo, 100);
  EXPECT_LT(split->after.steps.size(), program.steps.size());
  // What comes later, and how the reconstruction is computed, is none of the ground's.
  Params other = params_;
  other.set(id() == "iwpp-nuclei" ? "marker.level" : "nucleus.threshold", id() == "iwpp-nuclei" ? 70.0 : 0.2);
  other.set(id() == "iwpp-nuclei" ? "variant.background.reconstruct" : "variant.detection.reconstruct", std::string("queue"));
  const auto later = split_at_ground(program_of(id(), other));
  EXPECT_EQ(later->key, split->key);
  EXPECT_EQ(later->how.variant, ReconstructVariant::queue);
  other.set(id() == "iwpp-nuclei" ? "marker.openRadius" : "detection.backgroundRadius", 7.0);
  EXPECT_NE(split_at_ground(program_of(id(), other))->key, split->key);
  for (const char* bounded : kRecipes) {
    if (bounded == id()) continue;
    Params p = params_of(MORPHO_ASSETS, bounded, made_.view());
    for (const char* name : {"marker.reach", "detection.backgroundReach"})
      if (p.has(name)) p.set(name, 30.0);
    EXPECT_FALSE(split_at_ground(program_of(bounded, p))) << bounded;
  }
}

TEST_P(GroundTest, IsTheUntiledImagesWhateverTilesThreadsAndMemory) {
  const WindowOutput whole = untiled(true);
  const auto plane = std::find_if(whole.planes.begin(), whole.planes.end(),
                                  [](const auto& p) { return p.name == "background"; });
  ASSERT_NE(plane, whole.planes.end());
  for (const i64 tile : {i64{64}, i64{256}, i64{512}, i64{1000}, i64{0}}) {
    for (const int threads : {1, 2}) {
      SCOPED_TRACE("tiles of " + std::to_string(tile) + ", " + std::to_string(threads) + " threads");
      const auto got = ground(tile, threads);
      EXPECT_TRUE(pixels_of(*got, kImage) == plane->bytes);
      EXPECT_EQ(got->memory_bytes, static_cast<std::size_t>(kImage.area()));
      EXPECT_EQ(got->scratch_bytes, 0u);
      EXPECT_FALSE(got->timings.empty());
    }
  }
  region::GroundJob little = ground_job(made_, id(), params_, 64, 2);
  little.memory_bytes = 700 << 10;  // beside the tiles no image has room
  const auto in_file = region::compute_ground(resources_, little);
  EXPECT_EQ(in_file->memory_bytes, 0u);
  EXPECT_EQ(in_file->scratch_bytes, static_cast<std::size_t>(kImage.area()));
  EXPECT_TRUE(pixels_of(*in_file, kImage) == plane->bytes);
}

TEST_P(GroundTest, IsTheSameFromAFileOfItsRows) {
  const auto computed = ground();
  const std::string path = ::testing::TempDir() + "ground-" + id().substr(0, 4) + ".bin";
  std::ofstream file(path, std::ios::binary);
  // In bands, the last of which is shorter.
  for (i64 y = 0; y < kImage.height; y += 190) {
    const std::vector<u8> rows = computed->rows(y, std::min<i64>(190, kImage.height - y));
    file.write(reinterpret_cast<const char*>(rows.data()), static_cast<std::streamsize>(rows.size()));
  }
  file.close();
  const region::GroundJob job = ground_job(made_, id(), params_, 256, 2);
  const auto opened = region::open_ground(job, path, {{100, 50, 30, 20}});
  EXPECT_TRUE(pixels_of(*opened, kImage) == pixels_of(*computed, kImage));
  EXPECT_EQ(opened->key(), computed->key());
  EXPECT_EQ(opened->unknown({0, 0, 50, 50}).size(), 0u);
  const std::vector<Rect> unknown = opened->unknown({110, 40, 200, 15});
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_EQ(unknown[0].x, 0);
  EXPECT_EQ(unknown[0].y, 10);
  EXPECT_EQ(unknown[0].width, 20);
  EXPECT_EQ(unknown[0].height, 5);
  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(kImage.area()) - 1);
  // What is no longer there ends the run: no tile of it could be trusted.
  std::vector<u8> last(static_cast<std::size_t>(kImage.width));
  EXPECT_THROW(opened->read({0, kImage.height - 1, kImage.width, 1}, last.data(), last.size()), Error);
  EXPECT_THROW(region::open_ground(job, path, {}), Error);
  std::filesystem::remove(path);
  EXPECT_THROW(region::open_ground(job, path, {}), Error);
}

TEST_P(GroundTest, WindowsOnItGiveTheObjectsOfOneWindowOverAll) {
  const WindowOutput whole = untiled();
  const auto want = texts(whole);
  EXPECT_GT(want.size(), 20u);
  const std::shared_ptr<const Ground> on = ground();
  const Rect all{0, 0, kImage.width, kImage.height}, region{130, 90, 391, 300};
  for (const i32 tile : {256, 512, 1000}) {
    for (const int threads : {1, 2}) {
      SCOPED_TRACE("tiles of " + std::to_string(tile) + ", " + std::to_string(threads) + " threads");
      const TiledObjects got = objects_by_tiles(made_, id(), params_, tile, on, all, threads);
      EXPECT_EQ(got.certified, got.windows);
      EXPECT_TRUE(got.objects == want) << got.objects.size() << " objects, untiled " << want.size();
      EXPECT_TRUE(objects_by_tiles(made_, id(), params_, tile, on, region, threads).objects == texts(whole, region));
    }
  }
}

/// That the image is one that needs it: a bounded reach gives other objects, and so does the ground of a region alone.
TEST_P(GroundTest, NeitherABoundedReachNorTheGroundOfARegionDo) {
  const Rect region{256, 256, 512, 256};
  const auto want = texts(untiled(), region);
  Params bounded = params_of(MORPHO_ASSETS, GetParam(), made_.view());
  for (const char* name : {"marker.reach", "detection.backgroundReach"})
    if (bounded.has(name)) bounded.set(name, name[0] == 'm' ? 100.0 : 24.0);
  EXPECT_FALSE(objects_by_tiles(made_, id(), bounded, 256, nullptr, region, 2).objects == want);
  // The same region as an image of its own, and what lies around it left out.
  Made part;
  part.extent = {768, 512};
  part.pixels = window_pixels({52, 128, 768, 512});
  slide::SlideInfo info;
  info.path = "part", info.reader = "a test";
  part.slide = slide::memory_slide(info, part.view());
  const auto own = region::compute_ground(resources_, ground_job(part, id(), params_, 256, 2));
  std::vector<u8> theirs(768 * 512);
  ground()->read({52, 128, 768, 512}, theirs.data(), 768);
  EXPECT_FALSE(pixels_of(*own, part.extent) == theirs);
  // Each window with the reconstruction of its own pixels.
  const WindowJob job = tile_job(made_, id(), params_, 256, 256, 512, 60);
  Workspace w;
  Context ctx = context(w, 2);
  const std::vector<Rgba> pixels = window_pixels({job.x, job.y, job.extent.width, job.extent.height});
  const WindowOutput alone = run_alone(cpu::table(), ctx, id(), params_, View<const Rgba>(pixels.data(), job.extent), job.core);
  std::multiset<std::string> objects;
  for (std::size_t o = 0; o < alone.objects.objects.size(); ++o) objects.insert(object_text(alone.objects, o, job.x, job.y));
  int missing = 0;
  for (const std::string& text : texts(untiled(), {256, 256, 512, 384})) missing += objects.count(text) == 0;
  EXPECT_GT(missing, 0);
}

TEST_P(GroundTest, AGpusWindowsTakeTheirPartOfItUp) {
  const std::shared_ptr<const Ground> on = ground();
  WindowJob job = tile_job(made_, id(), params_, 256, 256, 256, halo_px(id(), params_));
  const std::vector<Rgba> pixels = window_pixels({job.x, job.y, job.extent.width, job.extent.height});
  // Nobody asks what is certain: no plane comes down for that.
  job.image = {};
  job.want_planes = true, job.ground = on;
  const WindowPixels input{View<const Rgba>(pixels.data(), job.extent)};
  Workspace w;
  Context ctx = context(w);
  const WindowOutput want = run(cpu::table(), ctx, job, input);
  RemoteBackend gpu;
  const WindowOutput got = run(gpu, job, input);
  EXPECT_EQ(texts(got), texts(want));
  ASSERT_EQ(got.planes.size(), want.planes.size());
  for (std::size_t k = 0; k < got.planes.size(); ++k)
    EXPECT_TRUE(got.planes[k].bytes == want.planes[k].bytes) << got.planes[k].name;
  EXPECT_EQ(gpu.uploaded, static_cast<std::size_t>(job.extent.area()) * 5);  // the window, and a byte a pixel
}

TEST_P(GroundTest, WhatIsAskedOfAPointIsTheRunsToo) {
  const WindowOutput whole = untiled(true);
  std::vector<u8> inside(static_cast<std::size_t>(kImage.area()), 0);
  for (const morpho::Run& r : whole.objects.runs)
    for (i32 x = r.x0; x < r.x1; ++x) inside[static_cast<std::size_t>(r.y) * kImage.width + x] = 1;
  WindowJob job;
  job.slide = made_.slide, job.image = kImage, job.plan = plan_of(id(), params_), job.ground = ground();
  int in = 0, certain = 0, asked = 0;
  for (i32 y = 100; y < kImage.height; y += 97) {
    for (i32 x = 110; x < kImage.width; x += 61) {
      const bool is = inside[static_cast<std::size_t>(y) * kImage.width + x] != 0;
      const Explanation why = explain(job, x, y, resources_, nullptr);
      EXPECT_EQ(why.inside, is) << x << "," << y;
      EXPECT_EQ(is_inside(job, x, y, resources_, nullptr).inside, is) << x << "," << y;
      for (const PixelValue& v : why.values) {
        if (v.plane != "background") continue;
        const auto plane = std::find_if(whole.planes.begin(), whole.planes.end(),
                                        [](const auto& p) { return p.name == "background"; });
        EXPECT_EQ(v.value, plane->bytes[static_cast<std::size_t>(y) * kImage.width + x]);
      }
      in += is, certain += why.certain, ++asked;
    }
  }
  EXPECT_GT(in, 3);
  EXPECT_EQ(certain, asked);
  // A slider's field and the wand's tree, of a part.
  const WindowJob all = tile_job(made_, id(), params_, 0, 0, 1000, 0);
  WindowJob part = tile_job(made_, id(), params_, 256, 256, 256, halo_px(id(), params_));
  part.ground = job.ground;
  if (id() == "iwpp-nuclei") {
    const CutSteps steps{"mask.level", 0, 1};
    const std::vector<u8> of_all = cuts(all, steps, resources_, nullptr).steps,
                          of_part = cuts(part, steps, resources_, nullptr).steps;
    ASSERT_EQ(of_part.size(), 256u * 256u);
    for (i32 y = 0; y < 256; ++y)
      ASSERT_TRUE(std::equal(of_part.begin() + y * 256, of_part.begin() + (y + 1) * 256,
                             of_all.begin() + (y + 256) * kImage.width + 256))
          << y;
  }
  WandAsk ask;
  ask.plane = "difference", ask.min_area = 20, ask.end_area = 1000, ask.points = {{300, 300}};
  EXPECT_EQ(wand(part, ask, resources_, nullptr).value, wand(all, ask, resources_, nullptr).value);
}

TEST_P(GroundTest, SlidersBeginWhereTheyFirstMatterOnItToo) {
  WindowJob job = tile_job(made_, id(), params_, 256, 256, 256, halo_px(id(), params_));
  job.ground = ground(), job.keep_stages = job.want_planes = true;
  run_window(job, resources_, nullptr);
  const bool iwpp = id() == "iwpp-nuclei";
  Params params = params_;
  params.set(iwpp ? "mask.minArea" : "nucleus.minArea", 60.0);
  job.plan = plan_of(id(), params);
  const WindowOutput kept = run_window(job, resources_, nullptr).output;
  EXPECT_TRUE(std::any_of(kept.timings.begin(), kept.timings.end(), [](const auto& t) { return t.stage != "read" && t.kept; }));
  Resources fresh;
  EXPECT_EQ(texts(kept), texts(run_window(job, fresh, nullptr).output));
  // Another ground is another background.
  params.set(iwpp ? "marker.openRadius" : "detection.backgroundRadius", 6.0);
  job.plan = plan_of(id(), params);
  job.ground = region::compute_ground(resources_, ground_job(made_, id(), params, 256, 2));
  EXPECT_EQ(texts(run_window(job, resources_, nullptr).output), texts(run_window(job, fresh, nullptr).output));
}

TEST_P(GroundTest, IsRefusedInWordsWhereItIsNotTheWindows) {
  WindowJob job = tile_job(made_, id(), params_, 256, 256, 256, 60);
  const auto message = [&](const WindowJob& j) -> std::string {
    try {
      run_window(j, resources_, nullptr);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message(job).find("came without its background"), std::string::npos);
  job.ground = ground();
  WindowJob other = job;
  other.scale = 2;
  EXPECT_NE(message(other).find("another slide or resolution"), std::string::npos);
  other = job;
  Params params = params_;
  params.set(id() == "iwpp-nuclei" ? "marker.openRadius" : "detection.backgroundRadius", 5.0);
  other.plan = plan_of(id(), params);
  EXPECT_NE(message(other).find("another recipe's steps"), std::string::npos);
  EXPECT_EQ(message(job), "");
  EXPECT_EQ(message(tile_job(made_, id(), params_, 0, 0, 1000, 0)), "");  // the whole image needs none
}

TEST_P(GroundTest, EndsWhenItIsCancelledAndSaysWhatItLacks) {
  CancelFlag stop{false};
  region::GroundJob job = ground_job(made_, id(), params_, 64, 2);
  std::vector<std::string> steps;
  job.workers.progress = [&](const char* step, i64 done, i64 left) {
    if (steps.empty() || steps.back() != step) steps.emplace_back(step);
    EXPECT_GE(done + left, 1);
  };
  region::compute_ground(resources_, job);
  ASSERT_GE(steps.size(), 2u);
  EXPECT_EQ(steps.front(), "background");
  EXPECT_EQ(steps[1], "reconstruct");
  job.workers.cancel = &stop;
  for (const char* at : {"background", "reconstruct"}) {
    stop = false;
    job.workers.progress = [&](const char* step, i64, i64) { stop = stop || std::string(step) == at; };
    EXPECT_THROW(region::compute_ground(resources_, job), Cancelled) << at;
  }
  job.workers = {};
  // A slide whose working files fit no disk: nothing is read of it.
  job.image = {1 << 29, 1 << 20};
  job.memory_bytes = std::size_t{1} << 30;
  try {
    region::compute_ground(resources_, job);
    FAIL() << "562 TB had room";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::output_failed);
    EXPECT_NE(std::string(e.what()).find("1125899.9 GB of working files in /tmp, which has"), std::string::npos) << e.what();
  }
  job.image = kImage, job.tile = 640, job.memory_bytes = 1 << 20;
  try {
    region::compute_ground(resources_, job);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("MiB, which a tile of 640 px of the background needs"), std::string::npos) << e.what();
  }
}

/// The bundled sample, as it is: neither made for it nor against it.
TEST(Ground, OnTheSampleWindowsGiveTheObjectsOfOneWindowOverAll) {
  MORPHO_NEEDS_SAMPLE();
  Made m;
  m.slide = slide::open_slide(MORPHO_SAMPLE);
  m.extent = {2220, 2967};
  Workspace w;
  Context ctx = context(w, 2);
  m.pixels.resize(static_cast<std::size_t>(m.extent.area()));
  ASSERT_TRUE(read_scaled(cpu::table(), ctx, *m.slide, 1, 0, 0, View<Rgba>(m.pixels.data(), m.extent)).empty());
  Resources resources;
  for (const std::string id : kGroundRecipes) {
    const Params params = unbounded(params_of(MORPHO_ASSETS, id, m.view()));
    const Rect all{0, 0, m.extent.width, m.extent.height};
    const WindowOutput whole = run_alone(cpu::table(), ctx, id, params, m.view(), all, false, true);
    std::multiset<std::string> want;
    for (std::size_t o = 0; o < whole.objects.objects.size(); ++o) want.insert(object_text(whole.objects, o, 0, 0));
    EXPECT_GT(want.size(), 300u);
    const std::shared_ptr<const Ground> on = region::compute_ground(resources, ground_job(m, id, params, 512, 2));
    const TiledObjects got = objects_by_tiles(m, id, params, 1000, on, all, 2);
    EXPECT_EQ(got.certified, got.windows) << id;
    EXPECT_TRUE(got.objects == want) << id << ": " << got.objects.size() << " objects, untiled " << want.size();
  }
}

}  // namespace
}  // namespace morpho::test
