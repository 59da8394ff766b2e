// Windows that grow until all of them is certain: against one window over the whole image.
#include "../support/cut_scene.hpp"
#include "../support/oracle.hpp"
#include "../support/sample_slide.hpp"

namespace morpho::test {
namespace {

using namespace engine;

std::set<std::string> untiled(const std::string& id, const Params& params, View<const Rgba> all) {
  Workspace w;
  Context ctx = context(w, 2);
  const auto out = run_alone(cpu::table(), ctx, id, params, all, {0, 0, all.width(), all.height()}, false, true);
  EXPECT_TRUE(out.trust.known && out.trust.certified);  // nothing was cut
  std::set<std::string> objects;
  for (std::size_t o = 0; o < out.objects.objects.size(); ++o) objects.insert(object_text(out.objects, o, 0, 0));
  EXPECT_EQ(objects.size(), out.objects.objects.size());
  return objects;
}

struct Tiled {
  std::set<std::string> objects;
  int windows = 0, certified = 0, grown = 0, doubles = 0;
};
Tiled tiled(const std::string& id, const Params& params, const Made& m, i32 tile, int threads, bool planes) {
  Resources resources;
  Tiled result;
  const i32 halo = halo_px(id, params);
  for (i32 y = 0; y < m.extent.height; y += tile) {
    for (i32 x = 0; x < m.extent.width; x += tile) {
      WindowJob job = tile_job(m, id, params, x, y, tile, halo);
      job.want_planes = planes, job.threads = threads;
      const i64 width = job.core.width, height = job.core.height;
      const WindowDone done = run_window(job, resources, nullptr);
      ++result.windows;
      result.certified += done.output.trust.certified;
      result.grown += done.growth.windows;
      const ObjectSet& set = done.output.objects;
      for (std::size_t o = 0; o < set.objects.size(); ++o) {
        const i64 fx = set.objects[o].first_x - job.core.x, fy = set.objects[o].first_y - job.core.y;
        if (fx < 0 || fy < 0 || fx >= width || fy >= height) continue;
        result.doubles += !result.objects.insert(object_text(set, o, job.x, job.y)).second;
      }
    }
  }
  return result;
}

/// Of the recipe `unsettled` a window may stay uncertain; its objects are the same all the same.
void expect_same(const Made& m, const std::vector<i32>& tiles, const std::vector<int>& threads,
                 const std::string& unsettled = "",
                 const std::vector<std::string>& recipes = {std::begin(kRecipes), std::end(kRecipes)}) {
  int grown = 0;
  for (const std::string& id : recipes) {
    const Params params = params_of(MORPHO_ASSETS, id, m.view());
    const std::set<std::string> want = untiled(id, params, m.view());
    EXPECT_GT(want.size(), 5u) << id;
    for (const i32 tile : tiles) {
      for (const int n : threads) {
        // Of the smallest tiles, which are the most windows, with each number of threads; the last of them with planes.
        if (n != threads.front() && tile != tiles.back()) continue;
        const bool planes = tile == tiles.back() && n == threads.back();
        SCOPED_TRACE(id + ", tiles of " + std::to_string(tile) + ", " + std::to_string(n) + " threads, planes " +
                     (planes ? "too" : "no"));
        const Tiled got = tiled(id, params, m, tile, n, planes);
        if (id != unsettled) {
          EXPECT_EQ(got.certified, got.windows);
        }
        EXPECT_EQ(got.doubles, 0);
        EXPECT_TRUE(got.objects == want) << got.objects.size() << " objects, untiled " << want.size();
        grown += got.grown;
      }
    }
  }
  EXPECT_GT(grown, 0);
}

TEST(Certified, SeveralThresholdsOfHeGiveTheSameInTilesAndOtherObjectsThanOne) {
  Scene scene(700, 560, 7);
  // What is pale joins its neighbours at a low threshold alone.
  for (i32 y = 4; y < 560; y += 19)
    for (i32 x = 4; x < 700; x += 23) scene.box(x, y, x + 13, y + 11, true);
  scene.field(24);
  const Made m = made(scene);
  Params params = params_of(MORPHO_ASSETS, "he-nuclei", m.view());
  const std::set<std::string> one = untiled("he-nuclei", params, m.view());
  params.set("candidates.levels", 4.0);
  const std::set<std::string> want = untiled("he-nuclei", params, m.view());
  EXPECT_GT(want.size(), 5u);
  EXPECT_NE(want, one);
  for (const i32 tile : {150, 333}) {
    const Tiled got = tiled("he-nuclei", params, m, tile, 2, false);
    EXPECT_EQ(got.certified, got.windows) << tile;
    EXPECT_EQ(got.doubles, 0);
    EXPECT_EQ(got.objects, want) << tile;
  }
}

TEST(Certified, TilesOfAnySizeGiveTheObjectsOfOneWindow) {
  Scene scene(1150, 900, 3);
  scene.field(24);
  scene.spindles(150);
  for (i32 y = 256; y < 900; y += 256)
    for (i32 x = 256; x < 1150; x += 256) scene.ellipse(x, y, 9, 6, 0.4);  // on the corners of tiles
  expect_same(made(scene), {512, 256}, {2, 1});
}

/// Bars of 10 to 5000 px, a fold, and a hole that is larger than any window.
TEST(Certified, TilesOfNucleiThatShineGiveTheObjectsOfOneWindow) {
  Scene scene(700, 560, 9);
  scene.field(19);
  scene.spindles(60);
  scene.invert();
  expect_same(made(scene), {512, 256}, {2, 1}, "", {"fluorescence-nuclei"});
}

TEST(Certified, NeitherLongObjectsNorFoldsNorHolesDependOnTiles) {
  Scene scene(5120, 330, 5);
  scene.field(40);
  i32 x = 20;
  for (i32 length = 10; length <= 1280; x += length + 30, length *= 2) scene.box(x, 30, x + length, 36);
  scene.box(40, 60, 5040, 66);                                       // 5000 px long
  scene.box(700, 120, 1900, 290);                                    // a fold
  scene.box(2500, 110, 3700, 114), scene.box(2500, 300, 3700, 304);  // a frame around a hole
  scene.box(2500, 110, 2504, 304), scene.box(3696, 110, 3700, 304);
  expect_same(made(scene), {1000}, {2});
}

TEST(Certified, TilesOfTheSampleGiveTheObjectsOfOneWindow) {
  MORPHO_NEEDS_SAMPLE();
  const auto sample = slide::open_slide(MORPHO_SAMPLE);
  Scene scene(1100, 1000, 1);
  Workspace w;
  Context ctx = context(w, 2);
  ASSERT_TRUE(read_scaled(cpu::table(), ctx, *sample, 1, 700, 900, View<Rgba>(scene.pixels.data(), scene.extent)).empty());
  const Made m = made(scene);
  // In the channel of hematoxylin and DAB this slide's eosin is a mask that is larger than any window.
  expect_same(m, {512}, {2}, "ihc-nuclei");
}

TEST(Certified, AWindowThatNeverIsEndsWithItsBudgetAndKeepsItsObjects) {
  WindowOutput out;
  out.objects.objects.resize(1);
  out.objects.objects[0].first_x = 12, out.objects.objects[0].first_y = 14;
  out.objects.runs.push_back({14, 12, 20});
  out.objects.run_offsets = {0, 1};
  out.trust = {true, false, 100 * 100, 100 * 100 - 4, {{14, 12, 16}}};
  i64 largest = 0;
  int calls = 0;
  for (const bool planes : {false, true}) {
    const Growth growth = grow(
        {{1000, 1000, 120, 120}, {1010, 1010, 100, 100}}, {100000, 100000}, {planes, planes},
        [&](const WindowBounds& w) {
          ++calls;
          largest = std::max(largest, w.window.width * w.window.height);
          WindowOutput more;
          more.trust = {true, false, w.core.width * w.core.height, 0, {}};
          const auto left = static_cast<i32>(w.core.x - w.window.x), top = static_cast<i32>(w.core.y - w.window.y);
          for (i32 y = 0; y < w.core.height; ++y)
            more.trust.cut.push_back({top + y, left, left + static_cast<i32>(w.core.width)});
          return more;
        },
        out);
    EXPECT_EQ(out.objects.objects.size(), 1u);
    EXPECT_FALSE(out.trust.certified);
    EXPECT_EQ(out.trust.certain_pixels, 100 * 100 - 4);
    EXPECT_GT(growth.windows, 3);
  }
  EXPECT_LE(largest, kMostGrownPixels);
  EXPECT_GT(4 * largest, kMostGrownPixels / 2);
  EXPECT_LT(calls, 30);
}

/// One of one run.
void add_row(ObjectSet& set, i32 x, i32 y, i32 width) {
  ObjectMeasurement m{};
  m.first_x = m.min_x = x, m.max_x = x + width - 1, m.first_y = m.min_y = m.max_y = y, m.area = width;
  if (set.run_offsets.empty()) set.run_offsets.push_back(0);
  set.objects.push_back(m);
  set.runs.push_back({y, x, x + width});
  set.run_offsets.push_back(static_cast<i64>(set.runs.size()));
}

/// Two objects that the first window cuts: the first grown window settles one of them, and sees the other cut still.
TEST(Certified, OfAGrownWindowOnlyWhatIsCertainIsTaken) {
  WindowOutput out;  // a core of 100 x 100 at 10, 10
  add_row(out.objects, 40, 20, 5), add_row(out.objects, 60, 20, 5), add_row(out.objects, 80, 50, 5);
  out.trust = {true, false, 100 * 100, 100 * 100 - 10, {{20, 40, 45}, {20, 60, 65}}};
  int calls = 0;
  const Growth growth = grow(
      {{1000, 1000, 120, 120}, {1010, 1010, 100, 100}}, {100000, 100000}, {},
      [&](const WindowBounds& w) {
        const i32 dx = static_cast<i32>(1000 - w.window.x), dy = static_cast<i32>(1000 - w.window.y);
        WindowOutput more;
        more.trust = {true, ++calls > 1, w.core.width * w.core.height, 0, {}};
        add_row(more.objects, 40 + dx, 20 + dy, 9), add_row(more.objects, 60 + dx, 20 + dy, calls > 1 ? 12 : 7);
        if (calls == 1) more.trust.cut.push_back({20 + dy, 60 + dx, 65 + dx});
        return more;
      },
      out);
  EXPECT_EQ(growth.windows, 2);
  EXPECT_TRUE(out.trust.certified);
  EXPECT_EQ(out.trust.certain_pixels, 100 * 100);
  ASSERT_EQ(out.objects.objects.size(), 3u);
  EXPECT_EQ(out.objects.objects[0].area, 9);
  EXPECT_EQ(out.objects.objects[1].area, 12);
  EXPECT_EQ(out.objects.objects[2].area, 5);
}

/// Its first pixel lies beyond the core of 100 x 100 at 10, 10: a click in the core asks for it, a run does not.
TEST(Certified, WhoClicksGetsAGuestThatItsWindowCut) {
  for (const bool clicks : {false, true}) {
    WindowOutput out;
    add_row(out.objects, 0, 40, 20);
    out.trust = {true, false, 100 * 100, 100 * 100 - 10, {{40, 10, 20}}};
    grow(
        {{1000, 1000, 120, 120}, {1010, 1010, 100, 100}}, {100000, 100000}, {clicks, false},
        [&](const WindowBounds& w) {
          WindowOutput more;
          more.trust = {true, true, w.core.width * w.core.height, w.core.width * w.core.height, {}};
          add_row(more.objects, static_cast<i32>(1000 - w.window.x) - 30, static_cast<i32>(1040 - w.window.y), 50);
          return more;
        },
        out);
    EXPECT_TRUE(out.trust.certified);
    ASSERT_EQ(out.objects.objects.size(), clicks ? 1u : 0u);
    for (const ObjectMeasurement& whole : out.objects.objects) EXPECT_EQ(whole.area, 50);
  }
}

}  // namespace
}  // namespace morpho::test
