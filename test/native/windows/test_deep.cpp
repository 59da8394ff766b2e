// Fluorescence at 16 bits: what 8 bits do not hold is found, the same in any tiles, on any threads and devices.
#include "../support/certain_windows.hpp"
#include "../made_slides/deep_slide.hpp"
#include "engine/query/cuts.hpp"
#include "engine/query/explain.hpp"
#include "engine/window/read_deep.hpp"
#include "contract/object_score.hpp"
#include "../support/oracle.hpp"
#include "../support/remote_backend.hpp"
#include "../support/same_output.hpp"

namespace morpho::test {
namespace {

using namespace engine;

const std::string kId = "fluorescence-nuclei";

Scene nuclei(i32 w, i32 h, unsigned seed) {
  Scene scene(w, h, seed);
  scene.field(30);
  return scene;
}

std::set<std::string> objects_of(const ObjectSet& set) {
  std::set<std::string> texts;
  for (std::size_t o = 0; o < set.objects.size(); ++o) texts.insert(object_text(set, o, 0, 0));
  return texts;
}

WindowOutput whole(Backend& backend, const DeepMade& m, const Params& params, bool planes = false) {
  WindowPixels pixels{m.view()};
  if (params.has(kPixelDepth)) pixels.deep = m.deep();
  const Rect all{0, 0, m.extent.width, m.extent.height};
  return run(backend, job_alone(kId, params, m.extent, all, planes, true), pixels);
}
WindowOutput whole(const DeepMade& m, const Params& params, int threads = 2, bool planes = false) {
  Workspace w;
  Context ctx = context(w, threads);
  CpuBackend backend(cpu::table(), ctx);
  return whole(backend, m, params, planes);
}

/// Nuclei 30 of 65535 levels above their ground, and beside them a thing that shines 65000: at 8 bits all of them are one
/// level.
TEST(Deep, FindsNucleiThatEightBitsDoNotHold) {
  Scene scene(700, 500, 4);
  for (Rgba& p : scene.pixels) p = {0, 255, 0, 255};  // dark by nothing
  int truth = 0;
  for (i32 y = 40; y < 500; y += 45)
    for (i32 x = 120; x < 680; x += 45, ++truth)
      for (i32 v = -7; v <= 7; ++v)
        for (i32 u = -7; u <= 7; ++u)
          if (u * u + v * v <= 49) scene.at(x + u, y + v).g = 225;  // by 30
  const auto beside = [](const WindowOutput& out) {
    return std::count_if(out.objects.objects.begin(), out.objects.objects.end(), [](const auto& o) { return o.min_x > 70; });
  };
  // On black with the recipe's own values; on a lit ground, as from a camera's offset, the light around decides.
  const std::vector<std::string> local = {"threshold.contrastWeight=0.6", "objects.minContrast=0.1"};
  for (const auto& [ground, changes] : {std::pair{0.0, std::vector<std::string>{}}, {140.0, local}}) {
    DeepMade m = deep_made(scene, ground, 1, 5);
    for (i32 y = 100; y < 160; ++y)
      for (i32 x = 20; x < 60; ++x) m.samples[static_cast<std::size_t>(y) * 700 + x] = 65000;
    for (std::size_t k = 0; k < m.samples.size(); ++k) {
      const u8 grey = static_cast<u8>((m.samples[k] + 128) / 257);
      m.pixels[k] = {grey, grey, grey, 255};
    }
    EXPECT_EQ(beside(whole(m, deep_params(MORPHO_ASSETS, m, true, changes))), truth) << ground;
    Params shallow = deep_params(MORPHO_ASSETS, m, false, changes);
    EXPECT_EQ(beside(whole(m, shallow)), 0) << ground;
    for (const double level : {4.0, 1.0}) {
      shallow.set("overview.level", level);
      EXPECT_EQ(beside(whole(m, shallow)), 0) << ground;
    }
  }
}

/// Bright things that are fewer than a pixel in a hundred do not hide the level of the rest; where the rest is one, they are
/// it.
TEST(Deep, TheLevelIsThatOfMostOfWhatShines) {
  const auto level = [](i32 nucleus, i32 bright_rows) {
    DeepMade m = deep_made(nuclei(600, 500, 3), 100, nucleus / 195.0, 60);
    for (i32 y = 0; y < bright_rows; ++y) std::fill_n(m.samples.begin() + y * 600, 600, u16{65000});
    return deep_params(MORPHO_ASSETS, m).number("overview.level", 0, 255) * 257;
  };
  EXPECT_GT(level(1000, 0), 400);
  EXPECT_LT(level(1000, 0), 1000);
  EXPECT_NEAR(level(1000, 4), level(1000, 0), 150);
  EXPECT_GT(level(1000, 60), 2000);  // an eighth of it is no thing beside
  EXPECT_GT(level(0, 4), 2000);      // noise alone is no nuclei
}

TEST(Deep, TilesOfAnySizeOnAnyThreadsGiveTheObjectsOfOneWindow) {
  Scene scene = nuclei(1150, 900, 3);
  scene.spindles(60);
  for (const double factor : {2.0, 150.0}) {
    const DeepMade m = deep_made(scene, 300, factor, 40);
    const Params params = deep_params(MORPHO_ASSETS, m);
    const std::set<std::string> want = objects_of(whole(m, params).objects);
    EXPECT_GT(want.size(), 500u);
    EXPECT_EQ(objects_of(whole(m, params, 1).objects), want);
    for (const i32 tile : {256, 1000, 4096}) {
      for (const int threads : {1, 2}) {
        Resources resources;
        std::set<std::string> got;
        for (i32 y = 0; y < m.extent.height; y += tile) {
          for (i32 x = 0; x < m.extent.width; x += tile) {
            WindowJob job = tile_job(m, kId, params, x, y, tile, halo_px(kId, params));
            job.threads = threads, job.keep_stages = job.want_planes = threads == 2 && tile == 1000;
            const WindowDone done = run_window(job, resources, nullptr);
            EXPECT_TRUE(done.output.trust.certified);
            const ObjectSet& set = done.output.objects;
            for (std::size_t o = 0; o < set.objects.size(); ++o) {
              const i64 fx = set.objects[o].first_x - job.core.x, fy = set.objects[o].first_y - job.core.y;
              if (fx >= 0 && fy >= 0 && fx < job.core.width && fy < job.core.height)
                got.insert(object_text(set, o, job.x, job.y));
            }
          }
        }
        EXPECT_TRUE(got == want) << tile << " px, " << threads << " threads: " << got.size() << " of " << want.size();
      }
    }
  }
}

/// Where the levels of 8 bits are all that there is: each times 257 they are found as they were, but for what rounds.
TEST(Deep, FindsInEightBitsWhatEightBitsFind) {
  const Scene scene = nuclei(800, 600, 8);
  DeepMade m = deep_made(scene, 0, 257, 0);
  const WindowOutput deep = whole(m, deep_params(MORPHO_ASSETS, m)), shallow = whole(m, deep_params(MORPHO_ASSETS, m, false));
  const auto n = static_cast<double>(shallow.objects.objects.size());
  EXPECT_GT(n, 300);
  EXPECT_NEAR(static_cast<double>(deep.objects.objects.size()), n, 0.01 * n);
  std::vector<u8> in(static_cast<std::size_t>(m.extent.area()), 0);
  const auto paint = [&](const WindowOutput& out, u8 bit) {
    for (const morpho::Run& r : out.objects.runs)
      for (i32 x = r.x0; x < r.x1; ++x) in[static_cast<std::size_t>(r.y) * 800 + x] |= bit;
  };
  paint(deep, 1), paint(shallow, 2);
  const double both = static_cast<double>(std::count(in.begin(), in.end(), u8{3}));
  const double one = static_cast<double>(std::count(in.begin(), in.end(), u8{1}) + std::count(in.begin(), in.end(), u8{2}));
  EXPECT_GT(both / (both + one), 0.98);
  // The level is told in the same units.
  EXPECT_NEAR(deep_params(MORPHO_ASSETS, m).number("overview.level", 0, 255),
              deep_params(MORPHO_ASSETS, m, false).number("overview.level", 0, 255), 1);
}

TEST(Deep, WhatACutWindowCallsCertainIsWhatTheImageHas) {
  Scene scene = nuclei(420, 360, 12);
  scene.spindles(25);
  const DeepMade m = deep_made(scene, 300, 60, 400);
  std::mt19937 rng(4);
  Share share;
  expect_certain_is_right(plan_of(kId, deep_params(MORPHO_ASSETS, m))->program, m.view(), 30, 20, 90, rng, share, m.deep());
  EXPECT_GT(share.certain, share.all / 10);
  EXPECT_LT(share.certain, share.all);
}

TEST(Deep, OnMemoryThatTheHostDoesNotSeeIsTheSame) {
  const DeepMade m = deep_made(nuclei(400, 300, 5), 300, 100, 40);
  const Params params = deep_params(MORPHO_ASSETS, m);
  RemoteBackend backend;
  const WindowOutput want = whole(m, params, 1, true);
  EXPECT_GT(want.objects.objects.size(), 50u);
  EXPECT_EQ(want.planes.size(), 7u);
  for (const NamedPlane& p : want.planes) EXPECT_EQ(p.type, p.name == "labels" ? PixelType::i32 : PixelType::u8) << p.name;
  EXPECT_EQ(window_difference(whole(backend, m, params, true), want), "");
}

TEST(Deep, ReadsTheMeanOfEachPixelsAreaWhateverTheRequest) {
  std::mt19937 rng(2);
  const Extent e{317, 211};
  std::vector<u16> samples(static_cast<std::size_t>(e.area()));
  for (u16& v : samples) v = rng() % 3 == 0 ? 65535 : static_cast<u16>(rng());
  DeepSlide slide(samples, e);
  Workspace w;
  Context ctx = context(w);
  const auto read = [&](double s, const Rect& r) {
    std::vector<u16> out(static_cast<std::size_t>(r.width * r.height), u16{7});
    const Extent extent{static_cast<i32>(r.width), static_cast<i32>(r.height)};
    EXPECT_TRUE(read_deep(ctx, slide, s, r.x, r.y, View<u16>(out.data(), extent)).empty());
    return out;
  };
  EXPECT_EQ(read(1, {0, 0, e.width, e.height}), samples);
  for (const double s : {0.5, 1.37, 2.0, 3.0, 41.5, 400.0}) {
    const Rect all{-2, -1, static_cast<i64>(e.width / s) + 5, static_cast<i64>(e.height / s) + 4};
    const std::vector<u16> out = read(s, all);
    for (i64 y = 0; y < all.height; ++y) {
      for (i64 x = 0; x < all.width; ++x) {
        const double x0 = std::max(0.0, (x + all.x) * s), x1 = std::min<double>(e.width, (x + all.x + 1) * s);
        const double y0 = std::max(0.0, (y + all.y) * s), y1 = std::min<double>(e.height, (y + all.y + 1) * s);
        double sum = 0, area = 0;
        for (i32 v = static_cast<i32>(y0); v < y1; ++v) {
          for (i32 u = static_cast<i32>(x0); u < x1; ++u) {
            const double part = (std::min(x1, u + 1.0) - std::max<double>(x0, u)) *
                                (std::min(y1, v + 1.0) - std::max<double>(y0, v));
            sum += part * samples[static_cast<std::size_t>(v) * e.width + u], area += part;
          }
        }
        const double got = out[static_cast<std::size_t>(y * all.width + x)];
        // Of a sliver the fixed point decides: its rounding is up to 1/128 px.
        if (x1 <= x0 || y1 <= y0) EXPECT_EQ(got, 0);
        else if (area > 0.5 * s * s) EXPECT_NEAR(got, sum / area, s < 2 ? 900 : 400) << s << " at " << x << "," << y;
      }
    }
    const Rect part{1, 2, std::max<i64>(1, all.width / 3), std::max<i64>(1, all.height / 3)};
    const std::vector<u16> own = read(s, part);
    for (i64 y = 0; y < part.height; ++y)
      for (i64 x = 0; x < part.width; ++x)
        EXPECT_EQ(own[static_cast<std::size_t>(y * part.width + x)],
                  out[static_cast<std::size_t>((y + part.y - all.y) * all.width + x + part.x - all.x)]);
  }
}

/// By the same level and blocks: what is one value everywhere in 8 bits is so in 16, at a level's end too.
TEST(Deep, ReadsTheLevelThatThePictureIsReadFrom) {
  const Extent e{333, 215};
  std::vector<u16> samples(static_cast<std::size_t>(e.area()));
  std::mt19937 rng(6);
  for (u16& v : samples) v = static_cast<u16>(257 * (rng() % 256));
  DeepSlide slide(samples, e, 64, true);
  Workspace w;
  Context ctx = context(w);
  for (const double s : {1.0, 1.5, 2.0, 2.6, 4.0}) {
    const Extent all{static_cast<i32>(std::ceil(e.width / s)) + 1, static_cast<i32>(std::ceil(e.height / s)) + 1};
    std::vector<u16> deep(static_cast<std::size_t>(all.area()));
    std::vector<Rgba> rgba(deep.size());
    EXPECT_TRUE(read_deep(ctx, slide, s, 0, 0, View<u16>(deep.data(), all)).empty());
    EXPECT_TRUE(read_scaled(cpu::table(), ctx, slide, s, 0, 0, View<Rgba>(rgba.data(), all)).empty());
    for (std::size_t k = 0; k < deep.size(); ++k) ASSERT_NEAR(deep[k] / 257.0, rgba[k].g, 0.51) << s << " at " << k;
  }
}

TEST(Deep, WhatCannotBeReadIsUncertain) {
  DeepMade m = deep_made(nuclei(600, 500, 7), 300, 100, 40);
  auto slide = std::make_shared<DeepSlide>(m.samples, m.extent);
  slide->lost_x = 3, slide->lost_y = 2;
  m.slide = slide;
  const Params params = deep_params(MORPHO_ASSETS, m);
  Resources resources;
  const WindowJob job = tile_job(m, kId, params, 0, 0, 4096, 0);
  const WindowDone done = run_window(job, resources, nullptr);
  ASSERT_EQ(done.output.trust.parts.size(), 1u);
  EXPECT_FALSE(done.output.trust.unreadable.empty());
  EXPECT_FALSE(done.output.trust.certified);
}

TEST(Deep, IsRefusedOfASlideOfEightBits) {
  const DeepMade m = deep_made(nuclei(200, 150, 7), 300, 100, 40);
  Made shallow = made(nuclei(200, 150, 7));
  Resources resources;
  const WindowJob job = tile_job(shallow, kId, deep_params(MORPHO_ASSETS, m), 0, 0, 4096, 0);
  EXPECT_THROW(run_window(job, resources, nullptr), Error);
}

/// A slider's next window begins with what the one before it read, and one of 8 bits in between takes nothing from it.
TEST(Deep, KeptWindowsHoldTheirSamples) {
  const DeepMade m = deep_made(nuclei(400, 300, 5), 300, 100, 40);
  Params params = deep_params(MORPHO_ASSETS, m);
  const Params shallow = deep_params(MORPHO_ASSETS, m, false);
  Resources kept;
  const auto looked = [&](const Params& p, Resources& resources) {
    WindowJob job = tile_job(m, kId, p, 0, 0, 4096, 0);
    job.want_planes = job.keep_stages = true;
    return run_window(job, resources, nullptr).output;
  };
  for (const double level : {0.8, 0.7, 0.9}) {
    params.set("threshold.level", level);
    Resources fresh;
    EXPECT_EQ(window_difference(looked(params, kept), looked(params, fresh)), "") << level;
    if (level == 0.7) {
      Resources other;
      EXPECT_EQ(window_difference(looked(shallow, kept), looked(shallow, other)), "");
    }
  }
}

TEST(Deep, ExplainsByTheRecipesOwnUnits) {
  const DeepMade m = deep_made(nuclei(420, 330, 5), -1200, 20, 40);
  const Params params = deep_params(MORPHO_ASSETS, m, true, {"threshold.localWeight=0.1", "threshold.contrastWeight=0.1"});
  Resources resources;
  WindowJob job = tile_job(m, kId, params, 0, 0, 4096, 0);
  const WindowDone all = run_window(job, resources, nullptr);
  std::vector<u8> in(static_cast<std::size_t>(m.extent.area()), 0);
  for (const morpho::Run& r : all.output.objects.runs)
    for (i32 x = r.x0; x < r.x1; ++x) in[static_cast<std::size_t>(r.y) * 420 + x] = 1;
  int turned = 0, contrasts = 0;
  for (i32 y = 4; y < 330; y += 37) {
    for (i32 x = 6; x < 420; x += 17) {
      const Explanation e = explain(job, x, y, resources, nullptr);
      EXPECT_EQ(e.inside, in[static_cast<std::size_t>(y) * 420 + x] != 0);
      for (const auto& v : e.values) EXPECT_LE(v.value, 255) << v.plane;
      for (const Judgement& j : e.judgements) {
        if (j.what == Decides::contrast) {
          ++contrasts;
          EXPECT_LT(*j.measured, 4);
        }
        if (j.what != Decides::above || *j.measured < 0.2 || *j.measured > 3.5) continue;
        for (const double beside : {-0.02, 0.02}) {
          Params other = params;
          other.set("threshold.level", *j.measured + beside);
          WindowJob again = job;
          again.plan = plan_of(kId, other);
          for (const Judgement& now : explain(again, x, y, resources, nullptr).judgements)
            if (now.what == Decides::above) {
              EXPECT_EQ(now.kept, beside < 0) << x << "," << y;
              ++turned;
            }
        }
      }
    }
  }
  EXPECT_GT(turned, 40);
  EXPECT_GT(contrasts, 20);
  // Where each pixel turns by the slider is what is said of it.
  const std::vector<u8> steps = cuts(job, {"threshold.level", 0.3, 0.05}, resources, nullptr).steps;
  ASSERT_EQ(steps.size(), in.size());
  EXPECT_NE(*std::min_element(steps.begin(), steps.end()), *std::max_element(steps.begin(), steps.end()));
}

TEST(Deep, SumsAndMeasuresSixteenBitsExactly) {
  std::mt19937 rng(5);
  Image<i32> labels(120, 90);
  Image<u16> value(120, 90), below(120, 90);
  for (i64 at = 0; at < labels.area(); ++at) {
    const i32 x = static_cast<i32>(at % 120), y = static_cast<i32>(at / 120);
    labels.at(x, y) = x % 13 && y % 11 ? 1 + x / 13 + 10 * (y / 11) : 0;
    value.at(x, y) = static_cast<u16>(rng()), below.at(x, y) = static_cast<u16>(rng());
  }
  const i32 count = 100;
  std::vector<i64> want(count + 1, 0), area(count + 1, 0);
  for (i32 y = 0; y < 90; ++y)
    for (i32 x = 0; x < 120; ++x) {
      const auto l = static_cast<std::size_t>(labels.at(x, y));
      if (l) want[l] += i64{value.at(x, y)} - below.at(x, y), ++area[l];
    }
  for (const int threads : {1, 2, 8}) {
    Workspace w;
    Context ctx = context(w, threads);
    std::vector<LabelSums> sums(count + 1);
    cpu::table().label_sums(ctx, labels.cplane(), count, value.cplane(), below.cplane(), sums.data());
    for (std::size_t l = 1; l <= count; ++l) EXPECT_EQ(sums[l].value, want[l]) << l;
    MeasureParams p;
    p.contrast_per = 20 * 257, p.contrast_area = 64;
    ObjectSet set;
    cpu::table().measure(ctx, labels.cplane(), {}, value.cplane(), below.cplane(), set, p);
    for (const ObjectMeasurement& o : set.objects) {
      const auto l = static_cast<std::size_t>(o.label);
      EXPECT_EQ(o.contrast, objects::contrast(want[l], area[l], 64, 20 * 257));
    }
    Image<u8> narrow(120, 90);
    EXPECT_THROW(cpu::table().label_sums(ctx, labels.cplane(), count, value.cplane(), narrow.cplane(), sums.data()), Error);
  }
  // The rule decides by what is told, in grey levels whatever the units: of u8 values and of 257 times as much alike.
  for (std::size_t l = 1; l <= count; ++l) {
    LabelSums s{area[l], 0, 0, 0, 0, 0, std::abs(want[l]) / 257 + 1, 0, 0}, deep = s;
    deep.value *= 257;
    for (const double level : {1.0, 17.3, 100.0})
      EXPECT_EQ(objects::has_contrast(s, objects::contrast_level(level), 64),
                objects::has_contrast(deep, objects::contrast_level(level), 64, 257));
  }
  LabelSums largest{objects::kMaxTestedArea, 0, 0, 0, 0, 0, objects::kMaxTestedArea * 65535, 0, 0};
  EXPECT_TRUE(objects::has_contrast(largest, objects::contrast_level(255), 1, 257));
  EXPECT_FALSE(objects::has_contrast(largest, objects::contrast_level(256), objects::kMaxTestedArea, 257));
}

}  // namespace
}  // namespace morpho::test
