// A read that fails once, later, or for ever, at every place where pixels are read: what stands on it says so, and what does
// not is the intact slide's.
#include "../support/cut_scene.hpp"
#include "engine/query/cuts.hpp"
#include "engine/query/explain.hpp"
#include "engine/query/measure_runs.hpp"
#include "engine/query/wand.hpp"
#include "../support/failing_slide.hpp"
#include "../support/ground_scene.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;

/// Which of the reads of a tile fail.
struct When {
  const char* name;
  FailingSlide::Failing how;
};
const When kWhen[] = {{"once", {0, 1}}, {"later", {2, 1}}, {"twiceLater", {1, 2}}, {"forEver", {0, FailingSlide::kForEver}}};

struct Said {
  bool unread, same;
};

class ReadsFail : public ::testing::TestWithParam<When> {
 protected:
  ReadsFail() : intact_(scene()), slide_(std::make_shared<FailingSlide>(intact_.slide, 40)) {
    params_ = params_of(MORPHO_ASSETS, "he-nuclei", intact_.view());
  }
  static Made scene() {
    Scene scene(400, 320, 5);
    scene.field(22);
    scene.box(180, 140, 330, 148);  // leaves the window at its right
    return made(scene);
  }
  WindowJob job(i32 x, i32 y, i32 tile, i32 halo) const {
    WindowJob job = tile_job(intact_, "he-nuclei", params_, x, y, tile, halo);
    job.slide = slide_;
    return job;
  }
  /// fn(call): what is called, and tells whether it says that something could not be read, and whether it is as of the intact
  /// slide.
  template <class Fn>
  void each_call(i64 x, i64 y, Fn&& fn) {
    const When& when = GetParam();
    slide_->fail(x, y, when.how);
    int heard = 0;
    for (int call = 0; call < 4; ++call) {
      SCOPED_TRACE(std::string(when.name) + ", call " + std::to_string(call));
      const int before = slide_->failed();
      const Said said = fn();
      const bool failed = slide_->failed() > before;
      EXPECT_EQ(said.unread, failed);
      if (!failed) {
        EXPECT_TRUE(said.same);
      }
      heard += failed;
    }
    slide_->fail(x, y, {0, 0});
    if (when.how.reads == FailingSlide::kForEver) {
      EXPECT_EQ(heard, 4);
    } else {
      EXPECT_GE(heard, 1);
      EXPECT_LE(heard, when.how.reads);
    }
  }
  static std::multiset<std::string> texts(const WindowDone& done, const WindowJob& job) {
    std::multiset<std::string> all;
    for (std::size_t o = 0; o < done.output.objects.objects.size(); ++o)
      all.insert(object_text(done.output.objects, o, job.x, job.y));
    return all;
  }
  void expect_window(i64 x, i64 y) {
    const WindowJob window = job(100, 90, 80, 50);
    const auto want = texts(run_window_once(window, resources_, nullptr), window);
    each_call(x, y, [&] {
      const WindowDone done = run_window_once(window, resources_, nullptr);
      const Trust& trust = done.output.trust;
      EXPECT_EQ(trust.parts.empty(), trust.whole());
      EXPECT_FALSE(trust.certified && !trust.whole());
      return Said{!trust.whole(), texts(done, window) == want};
    });
  }
  Made intact_;
  std::shared_ptr<FailingSlide> slide_;
  Params params_;
  Resources resources_;
};
INSTANTIATE_TEST_SUITE_P(When, ReadsFail, ::testing::ValuesIn(kWhen), [](const auto& info) { return info.param.name; });

TEST_P(ReadsFail, OfAWindowsCore) { expect_window(130, 130); }
TEST_P(ReadsFail, OfAWindowsHalo) { expect_window(190, 130); }

/// Of a tile that only those read which the window grows to, along a bar.
TEST_P(ReadsFail, OfAGrownWindow) {
  Scene scene(480, 240, 3);
  scene.box(180, 120, 440, 128);
  intact_ = made(scene);
  slide_ = std::make_shared<FailingSlide>(intact_.slide, 40);
  params_ = params_of(MORPHO_ASSETS, "he-nuclei", intact_.view());
  const WindowJob window = job(100, 60, 150, 40);
  ASSERT_LT(window.x + window.extent.width, 320);
  const WindowDone want = run_window(window, resources_, nullptr);
  ASSERT_GT(want.growth.windows, 0);
  ASSERT_TRUE(want.output.trust.certified);
  each_call(330, 124, [&] {
    const WindowDone done = run_window(window, resources_, nullptr);
    EXPECT_EQ(done.output.trust.parts.empty(), done.output.trust.whole());
    EXPECT_EQ(done.output.trust.certified, done.output.trust.whole());
    return Said{!done.output.trust.whole(), texts(done, window) == texts(want, window)};
  });
}

TEST_P(ReadsFail, OfAPointsAnswer) {
  const WindowJob field = job(0, 0, 400, 0);
  const bool inside = is_inside(field, 245, 240, resources_, nullptr).inside;
  each_call(250, 240, [&] {
    resources_.stages.trim();  // who asks begins where the last one left off
    const Inside told = is_inside(field, 245, 240, resources_, nullptr);
    return Said{!told.read, told.inside == inside};
  });
  const std::size_t judgements = explain(field, 245, 240, resources_, nullptr).judgements.size();
  each_call(250, 240, [&] {
    resources_.stages.trim();
    const Explanation told = explain(field, 245, 240, resources_, nullptr);
    EXPECT_EQ(told.certain, told.read);
    return Said{!told.read, told.inside == inside && told.judgements.size() == judgements};
  });
}

TEST_P(ReadsFail, OfAFieldsCuts) {
  const WindowJob field = job(60, 60, 120, 50);
  const CutSteps steps{"threshold.level", 0.3, 0.05};
  const std::vector<u8> want = cuts(field, steps, resources_, nullptr).steps;
  each_call(130, 130, [&] {
    const Cuts got = cuts(field, steps, resources_, nullptr);
    return Said{!got.unread.empty(), got.steps == want};
  });
}

TEST_P(ReadsFail, OfTheWandsTree) {
  const WindowJob field = job(0, 0, 400, 0);
  WandAsk ask;
  ask.min_area = 20, ask.end_area = 600, ask.points = {{245, 244}};
  const i64 area = wand(field, ask, resources_, nullptr).area;
  each_call(250, 240, [&] {
    resources_.trees.trim();  // none is left from a call before
    const WandResult got = wand(field, ask, resources_, nullptr);
    EXPECT_EQ(resources_.trees.held_bytes() == 0, got.unread);
    return Said{got.unread, got.area == area};
  });
}

TEST_P(ReadsFail, OfDrawnObjects) {
  const WindowJob field = job(60, 60, 200, 0);
  const std::vector<morpho::Run> runs{{80, 80, 100}, {81, 80, 100}, {130, 150, 170}, {131, 150, 170}};
  const std::vector<i32> offsets{0, 2, 4};
  const ObjectSet want = measure_runs(field, runs, offsets, resources_, nullptr).objects;
  each_call(155, 131, [&] {
    const MeasuredRuns got = measure_runs(field, runs, offsets, resources_, nullptr);
    EXPECT_EQ(object_text(got.objects, 0, 0, 0), object_text(want, 0, 0, 0));
    EXPECT_EQ(std::isnan(got.objects.objects[1].stain_mean[0]), !got.unread.empty());
    return Said{got.unread == std::vector<std::size_t>{1}, object_text(got.objects, 1, 0, 0) == object_text(want, 1, 0, 0)};
  });
}

TEST_P(ReadsFail, OfTheWholeSlidesBackground) {
  const std::string id = "iwpp-nuclei";
  const Params params = unbounded(params_of(MORPHO_ASSETS, id, intact_.view()));
  region::GroundJob ground = ground_job(intact_, id, params, 400, 1);
  const auto want = pixels_of(*region::compute_ground(resources_, ground), intact_.extent);
  ground.slide = slide_;
  each_call(210, 130, [&] {
    const auto got = region::compute_ground(resources_, ground);
    EXPECT_EQ(got->unreadable.empty(), got->unknown({0, 0, 400, 320}).empty());
    return Said{!got->unreadable.empty(), pixels_of(*got, intact_.extent) == want};
  });
}

}  // namespace
}  // namespace morpho::test
