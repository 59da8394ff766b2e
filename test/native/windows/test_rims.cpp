// What is told of windows whose planes the host does not see: the same as of windows on the host, from whole planes and from
// rims.
#include "engine/certainty/rims.hpp"

#include "../made_slides/deep_slide.hpp"
#include "engine/recipe/recipe_steps.hpp"
#include "../support/remote_backend.hpp"
#include "../support/same_output.hpp"

namespace morpho::test {
namespace {

using namespace engine;

void expect_same(const Trust& got, const Trust& want) {
  EXPECT_EQ(got.known, want.known);
  EXPECT_EQ(got.certified, want.certified);
  EXPECT_EQ(got.core_pixels, want.core_pixels);
  EXPECT_EQ(got.certain_pixels, want.certain_pixels);
  ASSERT_EQ(got.cut.size(), want.cut.size());
  for (std::size_t k = 0; k < want.cut.size(); ++k) {
    EXPECT_EQ(got.cut[k].y, want.cut[k].y);
    EXPECT_EQ(got.cut[k].x0, want.cut[k].x0);
    EXPECT_EQ(got.cut[k].x1, want.cut[k].x1);
  }
}

struct Seen {
  int told = 0, beyond = 0, uncertain = 0;
  std::size_t rims = 0, whole = 0, objects = 0;  ///< bytes downloaded, of which results
};
/// One window on the host, elsewhere with whole planes, and elsewhere with rims.
void compare(const WindowJob& job, View<const Rgba> all, Seen& seen, View<const u16> deep = {}) {
  const i32 x = static_cast<i32>(job.x), y = static_cast<i32>(job.y);
  WindowPixels input{all.sub(x, y, job.extent)};
  if (deep.data) input.deep = deep.sub(x, y, job.extent);
  Workspace memory;
  Context ctx{memory, 1, nullptr, nullptr};
  const WindowOutput want = run(cpu::table(), ctx, job, input);
  seen.uncertain += !want.trust.certified;
  RemoteBackend whole;
  const WindowOutput at_once = run(whole, job, input);
  EXPECT_EQ(at_once.rims, nullptr);
  EXPECT_EQ(window_difference(at_once, want), "");
  expect_same(at_once.trust, want.trust);

  const Workspace::Scope scope(memory);
  WindowPixels later = input;
  later.rims = [&](std::size_t bytes) { return memory.take<u8>(bytes); };
  WindowOutput got;
  {
    RemoteBackend rims;
    got = run(rims, job, later);
    seen.rims += rims.downloaded;
    seen.objects += rims.downloaded - got.rims->bytes();
  }
  EXPECT_EQ(window_difference(got, want), "");
  ASSERT_NE(got.rims, nullptr);
  EXPECT_FALSE(got.trust.known);
  if (const auto certainty = got.rims->certainty()) {
    ++seen.told;
    seen.whole += whole.downloaded;
    expect_same(*certainty, want.trust);
  } else {
    ++seen.beyond;
  }
}

TEST(Rims, TellOfAnyPlaceWhatTheHostTellsOfItself) {
  std::mt19937 rng(3);
  Seen seen;
  for (const std::string id : kRecipes) {
    for (const unsigned seed : {1u, 2u}) {
      Scene scene(620, 560, seed);
      scene.field(seed == 1 ? 18 : 26);
      scene.spindles(30);
      if (seed == 2) scene.box(250, 220, 500, 290);  // what is uncertain leads far in
      const Made m = made(scene);
      Params params = params_of(MORPHO_ASSETS, id, m.view());
      if (id == "he-nuclei" && seed == 2) params.set("mask.gapRadius", 1.0);
      if (id == "iwpp-nuclei") params.set("marker.openRadius", 5.0), params.set("marker.reach", 6.0);
      if (id == "cell-detection") params.set("detection.backgroundRadius", 5.0), params.set("detection.backgroundReach", 6.0);
      for (int k = 0; k < 3; ++k) {
        const i32 x = static_cast<i32>(rng() % 200) & -static_cast<i32>(k != 0), y = static_cast<i32>(rng() % 160);
        const Extent e{k == 1 ? 620 - x : 300 + static_cast<i32>(rng() % 120), 280 + static_cast<i32>(rng() % 120)};
        SCOPED_TRACE(id + ", seed " + std::to_string(seed) + ", window at " + std::to_string(x) + "," + std::to_string(y));
        const i32 margin = 30 + static_cast<i32>(rng() % 40);
        WindowJob job = job_alone(id, params, e, {margin, margin, e.width - 2 * margin, e.height - 2 * margin});
        job.x = x, job.y = y, job.image = m.extent;
        compare(job, m.view(), seen);
      }
    }
  }
  EXPECT_GT(seen.told, 12);
  EXPECT_GT(seen.beyond, 0);
  EXPECT_GT(seen.uncertain, 5);
}

TEST(Rims, AreFetchedInPlaceOfPlanes) {
  Scene scene(760, 760, 7);
  scene.field(30);
  const Made m = made(scene);
  for (const std::string id : kRecipes) {
    SCOPED_TRACE(id);
    Seen seen;
    const Params params = params_of(MORPHO_ASSETS, id, m.view());
    const i32 halo = halo_px(id, params);
    WindowJob job = job_alone(id, params, {700, 700}, {halo, halo, 700 - 2 * halo, 700 - 2 * halo});
    job.x = job.y = 30, job.image = m.extent;
    compare(job, m.view(), seen);
    // Objects of several thresholds that lie over each other lead farther in than these rims: then planes are fetched whole.
    if (id == "ihc-nuclei") {
      EXPECT_EQ(seen.beyond, 1);
      continue;
    }
    ASSERT_EQ(seen.told, 1);
    EXPECT_LT(seen.rims, seen.objects + std::size_t{4} * 700 * Rims::kBytes);
    EXPECT_LT(seen.rims, seen.whole);
    if (std::getenv("MORPHO_SHOW"))
      std::printf("%s: %zu bytes, whole %zu\n", id.c_str(), seen.rims - seen.objects, seen.whole - seen.objects);
  }
}

/// Planes of 16 bits have rims of as many bytes.
TEST(Rims, OfSamplesAtSixteenBitsTellWhatTheHostTells) {
  Scene scene(620, 560, 1);
  scene.field(18);
  scene.spindles(30);
  const DeepMade m = deep_made(scene, 300, 100, 40);
  const Params params = deep_params(MORPHO_ASSETS, m);
  Seen seen;
  for (const i32 at : {20, 60, 100}) {
    WindowJob job = job_alone("fluorescence-nuclei", params, {400, 360}, {50, 45, 300, 270});
    job.x = at, job.y = at / 2, job.image = m.extent;
    compare(job, m.view(), seen, m.deep());
  }
  EXPECT_EQ(seen.told, 3);
  EXPECT_GT(seen.uncertain, 0);
}

/// A window of which nothing is cut needs no rims and is certain.
TEST(Rims, OfAWholeImageAreNothing) {
  Scene scene(90, 80, 9);
  scene.field(26);
  const Made m = made(scene);
  Workspace memory;
  const Workspace::Scope scope(memory);
  RemoteBackend backend;
  const WindowJob job = job_alone("he-nuclei", params_of(MORPHO_ASSETS, "he-nuclei", m.view()), m.extent, {0, 0, 90, 80}, false,
                                  true);
  const WindowOutput got = run(backend, job, {m.view(), {}, [&](std::size_t bytes) { return memory.take<u8>(bytes); }});
  ASSERT_NE(got.rims, nullptr);
  EXPECT_EQ(got.rims->bytes(), 0u);
  const auto certainty = got.rims->certainty();
  ASSERT_TRUE(certainty);
  EXPECT_TRUE(certainty->known && certainty->certified);
}

}  // namespace
}  // namespace morpho::test
