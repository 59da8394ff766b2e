// Windows that begin where their values first matter: the same as windows computed whole, whatever slider moved, and not more
// than it must.
#include <optional>

#include "engine/program/step_witness.hpp"
#include "engine/window/window.hpp"
#include "../support/cut_scene.hpp"
#include "../support/json.hpp"
#include "../support/same_output.hpp"
#include "../support/tissue.hpp"

namespace morpho::test {
namespace {

using namespace engine;

constexpr Extent kTissueSlide{360, 300};
/// Under the address sanitizer, where a window takes ten times as long, it is a quarter as large, and one value of each stage
/// is changed.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kEachValue = false;
constexpr i32 kUnit = 10;
#else
constexpr bool kEachValue = true;
constexpr i32 kUnit = 20;
#endif

std::string bundled_recipe(const std::string& id) { return std::string(MORPHO_ASSETS) + "/recipes/" + id + ".json"; }

/// In the middle of the slide, so that its sides are cut, and it is asked what is certain.
class KeptStagesTest : public ::testing::Test {
 protected:
  KeptStagesTest() : pixels_(tissue(kTissueSlide.width, kTissueSlide.height).pixels()) {
    slide::SlideInfo info;
    info.path = "tissue", info.reader = "a test";
    slide_ = slide::memory_slide(info, View<const Rgba>(pixels_.data(), kTissueSlide));
  }
  WindowJob job(const std::string& id, const std::vector<std::string>& changes, bool keeps) const {
    WindowJob job;
    job.slide = slide_;
    job.x = 40, job.y = 30;
    job.extent = {14 * kUnit, 12 * kUnit};
    job.core = {7 * kUnit / 2, 3 * kUnit, 7 * kUnit, 6 * kUnit};
    job.image = kTissueSlide;
    Workspace w;
    Context ctx = context(w);
    job.plan = plan_of(id, with_overview(cpu::table(), ctx, id, recipe_params(bundled_recipe(id), 0.5, changes),
                                         View<const Rgba>(pixels_.data(), kTissueSlide)));
    job.want_planes = true;
    job.keep_stages = keeps;
    return job;
  }
  static std::string kept(const WindowDone& done) {
    std::string names;
    for (const StageTiming& t : done.output.timings)
      if (t.kept) names += (names.empty() ? "" : " ") + t.stage;
    return names;
  }
  std::vector<Rgba> pixels_;
  std::shared_ptr<slide::Slide> slide_;
};

TEST_F(KeptStagesTest, GiveWhatAWholeWindowGivesWhateverValueChanges) {
  int begun_later = 0, compared = 0;
  for (const char* id : kRecipes) {
    const auto spec = testing_json::read_file(bundled_recipe(id));
    Resources keeping, fresh;
    run_window(job(id, {}, true), keeping, nullptr);
    const WindowDone unchanged = run_window(job(id, {}, false), fresh, nullptr);
    for (const auto& stage : spec["stages"].items) {
      for (const auto& p : stage["params"].items) {
        if (p["kind"].text != "number" || p["key"].text == "pixelSizeUm") continue;
        const double now = p["default"].number, most = p["max"].number, step = p["step"].number;
        const double next = now + 3 * step <= most ? now + 3 * step : now - 3 * step;
        const std::string change = stage["id"].text + "." + p["key"].text + "=" + std::to_string(next);
        SCOPED_TRACE(std::string(id) + " " + change);
        // One slider after the other, each from where the last one left it; there and back again.
        for (const std::vector<std::string>& values : {std::vector<std::string>{change}, {}}) {
          const WindowDone got = run_window(job(id, values, true), keeping, nullptr);
          std::optional<WindowDone> changed;
          if (!values.empty()) changed = run_window(job(id, values, false), fresh, nullptr);
          const WindowDone& want = changed ? *changed : unchanged;
          EXPECT_EQ(window_difference(got.output, want.output), "");
          EXPECT_EQ(got.output.trust.certified, want.output.trust.certified);
          EXPECT_EQ(got.output.trust.certain_pixels, want.output.trust.certain_pixels);
          EXPECT_EQ(got.growth.windows, want.growth.windows);
          EXPECT_EQ(kept(want), "");
          begun_later += kept(got).find(' ') != std::string::npos;
          ++compared;
        }
        if (!kEachValue) break;
      }
    }
  }
  EXPECT_GT(compared, kEachValue ? 100 : 40);
  EXPECT_GT(begun_later, compared / 2);
}

TEST_F(KeptStagesTest, ComputeTheLastStagesAloneWhereTheLastStagesChange) {
  Resources resources;
  EXPECT_EQ(kept(run_window(job("he-nuclei", {}, true), resources, nullptr)), "");
  EXPECT_EQ(kept(run_window(job("he-nuclei", {"objects.minArea=12"}, true), resources, nullptr)),
            "read channel threshold distance split");
  EXPECT_EQ(kept(run_window(job("he-nuclei", {"objects.minArea=12", "split.depth=0.4"}, true), resources, nullptr)),
            "read channel threshold distance");
  // The pixels at least, whatever the recipe.
  EXPECT_EQ(kept(run_window(job("iwpp-nuclei", {}, true), resources, nullptr)), "read");
  EXPECT_EQ(kept(run_window(job("he-nuclei", {}, false), resources, nullptr)), "");
}

TEST_F(KeptStagesTest, OfWhoLookedServeWhoDoesNotAndNotTheOtherWayRound) {
  Resources resources, fresh;
  const auto with = [&](bool planes, bool keeps, const std::vector<std::string>& changes) {
    WindowJob asked = job("he-nuclei", changes, keeps);
    asked.want_planes = planes, asked.want_overlapping = true;
    return asked;
  };
  const auto run = [&](bool planes, const std::vector<std::string>& changes) {
    const WindowDone got = run_window(with(planes, true, changes), resources, nullptr);
    EXPECT_EQ(window_difference(got.output, run_window(with(planes, false, changes), fresh, nullptr).output), "");
    EXPECT_EQ(got.output.planes.empty(), !planes);
    return kept(got);
  };
  EXPECT_EQ(run(true, {}), "");
  EXPECT_EQ(run(false, {"objects.minArea=12"}), "read channel threshold distance split");
  EXPECT_EQ(run(false, {"objects.minArea=14"}), "read channel threshold distance split");
  EXPECT_EQ(run(true, {"objects.minArea=14"}), "read");
  EXPECT_EQ(run(true, {"objects.minArea=12"}), "read channel threshold distance split");
}

/// Takes a window back as soon as it comes to a watershed.
class CancelsAtWatershed final : public StepWitness {
 public:
  explicit CancelsAtWatershed(CancelFlag& cancel) : cancel_(cancel) {}
  void before(const Step& step, const PlaneOf&) override {
    if (step.op == Op::watershed) cancel_ = true;
  }
  void after(const Step&, const PlaneOf&) override {}

 private:
  CancelFlag& cancel_;
};

TEST_F(KeptStagesTest, AreKeptOfAWindowThatWasCancelled) {
  Resources resources, fresh;
  CancelFlag cancel{false};
  CancelsAtWatershed witness(cancel);
  WindowJob taken_back = job("he-nuclei", {}, true);
  taken_back.witness = &witness;
  EXPECT_THROW(run_window(taken_back, resources, &cancel), Cancelled);
  const std::vector<std::string> changes{"objects.minArea=12"};
  const WindowDone got = run_window(job("he-nuclei", changes, true), resources, nullptr);
  EXPECT_EQ(kept(got), "read channel threshold distance");
  EXPECT_EQ(window_difference(got.output, run_window(job("he-nuclei", changes, false), fresh, nullptr).output), "");
}

TEST_F(KeptStagesTest, AreHeldWithinTheirBudgetAndGoWithTheirSlide) {
  Resources resources;
  run_window(job("he-nuclei", {}, true), resources, nullptr);
  const std::size_t one = resources.stages.held_bytes();
  EXPECT_GT(one, static_cast<std::size_t>(280 * 240 * 10));
  EXPECT_LT(one, static_cast<std::size_t>(280 * 240 * 48));
  run_window(job("he-nuclei", {"objects.minArea=12"}, true), resources, nullptr);
  EXPECT_NEAR(static_cast<double>(resources.stages.held_bytes()), static_cast<double>(one), one / 5.0);  // in its place
  EXPECT_GT(resources.stages.trim(), 0u);
  EXPECT_EQ(resources.stages.held_bytes(), 0u);

  StageMemo small(one + one / 2);
  const auto window = std::make_shared<const RememberedWindow>(
      RememberedWindow{std::make_shared<const std::vector<Rgba>>(one / sizeof(Rgba)), std::make_shared<const KeptStages>()});
  WindowKey first{slide_}, second{slide_};
  second.x = 1;
  small.keep(first, window);
  small.keep(second, window);
  EXPECT_EQ(small.find(first), nullptr);
  EXPECT_EQ(small.find(second), window);
  slide_.reset();
  WindowKey other;
  small.keep(other, std::make_shared<const RememberedWindow>(
                        RememberedWindow{std::make_shared<const std::vector<Rgba>>(), std::make_shared<const KeptStages>()}));
  EXPECT_EQ(small.held_bytes(), 0u);
}

}  // namespace
}  // namespace morpho::test
