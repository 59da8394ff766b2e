// The wand's trees: what it holds of a plane is the table's tree, and what it says of a point is its threshold sets'
// components.
#include "engine/query/wand.hpp"
#include "engine/window/window.hpp"
#include "../support/json.hpp"
#include "../support/recipe_defaults.hpp"
#include "../support/same_output.hpp"
#include "../support/tissue.hpp"

namespace morpho::test {
namespace {

using namespace engine;

constexpr Extent kSlide{420, 330};

/// Connected pixels of at least `level` around (x, y), 8 neighbours, by the book.
std::vector<u8> component(const std::vector<i32>& image, Extent e, i32 x, i32 y, i32 level) {
  std::vector<u8> in(image.size(), 0);
  std::vector<std::pair<i32, i32>> open{{x, y}};
  in[static_cast<std::size_t>(y * e.width + x)] = 1;
  while (!open.empty()) {
    const auto [cx, cy] = open.back();
    open.pop_back();
    for (i32 ny = std::max(0, cy - 1); ny <= std::min(e.height - 1, cy + 1); ++ny)
      for (i32 nx = std::max(0, cx - 1); nx <= std::min(e.width - 1, cx + 1); ++nx) {
        const auto at = static_cast<std::size_t>(ny * e.width + nx);
        if (in[at] || image[at] < level) continue;
        in[at] = 1;
        open.emplace_back(nx, ny);
      }
  }
  return in;
}

class WandTest : public ::testing::Test {
 protected:
  WandTest() : pixels_(tissue(kSlide.width, kSlide.height).pixels()) {
    slide::SlideInfo info;
    info.path = "tissue", info.reader = "a test";
    slide_ = slide::memory_slide(info, View<const Rgba>(pixels_.data(), kSlide));
  }
  Params params() const {
    Workspace w;
    Context ctx = context(w);
    return with_overview(cpu::table(), ctx, "he-nuclei",
                         recipe_params(std::string(MORPHO_ASSETS) + "/recipes/he-nuclei.json", 0.5, {}),
                         View<const Rgba>(pixels_.data(), kSlide));
  }
  /// The core with a halo around it, as callers lay it.
  WindowJob job(const Rect& core) const {
    WindowJob job;
    job.slide = slide_;
    job.image = kSlide;
    job.plan = plan_of("he-nuclei", params());
    const i64 halo = job.plan->halo;
    job.x = std::max<i64>(0, core.x - halo), job.y = std::max<i64>(0, core.y - halo);
    job.extent = {static_cast<i32>(std::min<i64>(kSlide.width, core.x + core.width + halo) - job.x),
                  static_cast<i32>(std::min<i64>(kSlide.height, core.y + core.height + halo) - job.y)};
    job.core = {core.x - job.x, core.y - job.y, core.width, core.height};
    return job;
  }
  std::vector<i32> plane(const char* name) const {
    WindowJob whole = job({0, 0, kSlide.width, kSlide.height});
    whole.want_planes = true;
    Resources resources;
    const WindowDone done = run_window_once(whole, resources, nullptr);
    for (const NamedPlane& p : done.output.planes) {
      if (p.name != name) continue;
      std::vector<i32> values(static_cast<std::size_t>(kSlide.area()));
      visit_pixel_type(p.type, [&](auto t) {
        const auto* from = reinterpret_cast<const decltype(t)*>(p.bytes.data());
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<i32>(from[k]);
      });
      return values;
    }
    return {};
  }
  std::vector<Rgba> pixels_;
  std::shared_ptr<slide::Slide> slide_;
};

TEST_F(WandTest, WalksTheThresholdSetsAroundAPointWhateverTheField) {
  const std::vector<i32> channel = plane("channel");
  ASSERT_FALSE(channel.empty());
  Resources resources;
  int whole = 0, cut = 0;
  for (i32 y = 40; y < 300; y += 53) {
    for (i32 x = 60; x < 380; x += 47) {
      WandAsk ask;
      ask.points = {{x, y}};
      ask.min_area = 20, ask.end_area = 4000;
      const WindowJob field = job({40, 20, 360, 300});
      const WandResult start = wand(field, ask, resources, nullptr);
      EXPECT_EQ(start.plane, "channel");
      i64 last_area = -1;
      for (i32 up = -start.below; up <= std::min(start.above, 60); up += 2) {
        SCOPED_TRACE(std::to_string(x) + "," + std::to_string(y) + " up " + std::to_string(up));
        ask.walk = up;
        const WandResult node = wand(field, ask, resources, nullptr);
        EXPECT_EQ(node.walked, up);
        EXPECT_FALSE(node.built);
        EXPECT_GT(node.area, last_area);  // a parent is larger than its child
        last_area = node.area;
        if (node.cut) {
          ++cut;
          continue;
        }
        ++whole;
        const std::vector<u8> want = component(channel, kSlide, x, y, node.value);
        std::vector<u8> got(want.size(), 0);
        for (const morpho::Run& r : node.shape)
          for (i32 px = r.x0; px < r.x1; ++px) got[static_cast<std::size_t>(r.y * kSlide.width + px)] = 1;
        ASSERT_EQ(got, want);
        EXPECT_EQ(node.area, std::count(want.begin(), want.end(), 1));
      }
      // The first offer keeps to the areas, where anything does.
      if (!start.cut) EXPECT_GE(start.area, 20);
    }
  }
  EXPECT_GT(whole, 40);
  EXPECT_GT(cut, 5);
}

TEST_F(WandTest, OfAStrokeItIsTheSmallestNodeThatHoldsAllOfIt) {
  const std::vector<i32> channel = plane("channel");
  Resources resources;
  const WindowJob field = job({0, 0, kSlide.width, kSlide.height});
  for (i32 k = 0; k < 12; ++k) {
    const i32 x = 30 + 29 * k, y = 25 + 23 * k;
    WandAsk ask;
    ask.points = {{x, y}, {x + 6, y + 2}, {x + 3, y + 9}};
    const WandResult node = wand(field, ask, resources, nullptr);
    // The highest level whose component holds all three.
    i32 level = channel[static_cast<std::size_t>(y * kSlide.width + x)];
    std::vector<u8> want;
    const auto in = [&](i32 px, i32 py) { return want[static_cast<std::size_t>(py * kSlide.width + px)] != 0; };
    for (;; --level) {
      want = component(channel, kSlide, x, y, level);
      if (in(x + 6, y + 2) && in(x + 3, y + 9)) break;
    }
    EXPECT_EQ(node.area, std::count(want.begin(), want.end(), 1));
    EXPECT_FALSE(node.cut);  // of the whole slide nothing is
  }
}

TEST_F(WandTest, ATreeIsHeldUntilWhatItIsOfChanges) {
  Resources resources;
  WandAsk ask;
  ask.points = {{100, 100}};
  const Rect core{0, 0, 200, 200};
  WindowJob field = job(core);
  EXPECT_TRUE(wand(field, ask, resources, nullptr).built);
  EXPECT_FALSE(wand(field, ask, resources, nullptr).built);
  // A value that only later stages read changes nothing of it.
  Params values = params();
  values.set("mask.minArea", 77.0);
  field.plan = plan_of("he-nuclei", values);
  EXPECT_FALSE(wand(field, ask, resources, nullptr).built);
  ask.plane = "difference";
  EXPECT_TRUE(wand(field, ask, resources, nullptr).built);
  EXPECT_TRUE(wand(job({0, 0, 210, 200}), ask, resources, nullptr).built);
  EXPECT_GT(resources.trees.held_bytes(), 3u * 200 * 200 * 4);
  ask.plane = "mask";
  EXPECT_THROW(wand(field, ask, resources, nullptr), Error);
  ask.plane = "";
  ask.points = {{205, 100}};
  EXPECT_THROW(wand(field, ask, resources, nullptr), Error);
  resources.trees.trim();
  EXPECT_EQ(resources.trees.held_bytes(), 0u);
}

}  // namespace
}  // namespace morpho::test
