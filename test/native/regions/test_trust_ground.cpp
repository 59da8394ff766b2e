// Backgrounds of slides that could not all be read: what stands on them is certain where nothing unread could change it, and
// what was kept of one is never used on another.
#include "engine/query/explain.hpp"
#include "engine/query/wand.hpp"
#include "../support/failing_slide.hpp"
#include "../support/ground_scene.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;

const Extent kImage{820, 640};

class TrustGroundTest : public ::testing::TestWithParam<const char*> {
 protected:
  TrustGroundTest()
      : intact_(made(serpentine_scene(kImage.width, kImage.height, 4))),
        slide_(std::make_shared<FailingSlide>(intact_.slide, 40)),
        params_(unbounded(params_of(MORPHO_ASSETS, GetParam(), intact_.view()))) {}
  std::string id() const { return GetParam(); }
  std::shared_ptr<const region::WholeGround> ground(i64 tile = 256) {
    region::GroundJob job = ground_job(intact_, id(), params_, tile, 2);
    job.slide = slide_;
    return region::compute_ground(resources_, job);
  }
  WindowJob tile(i32 x, i32 y, const std::shared_ptr<const Ground>& on) const {
    WindowJob job = tile_job(intact_, id(), params_, x, y, 256, halo_px(id(), params_));
    job.slide = slide_, job.ground = on;
    return job;
  }
  static std::multiset<std::string> texts(const ObjectSet& set, const WindowJob& job) {
    std::multiset<std::string> all;
    for (std::size_t o = 0; o < set.objects.size(); ++o) all.insert(object_text(set, o, job.x, job.y));
    return all;
  }
  const Made intact_;
  const std::shared_ptr<FailingSlide> slide_;
  const Params params_;
  Resources resources_;
};
INSTANTIATE_TEST_SUITE_P(Recipes, TrustGroundTest, ::testing::ValuesIn(kGroundRecipes),
                         [](const auto& info) { return std::string(info.param).substr(0, 4); });

TEST_P(TrustGroundTest, IsKnownWhereNothingUnreadCouldChangeIt) {
  const auto want = pixels_of(*ground(), kImage);
  // On the path that carries the patch's level, and off it.
  for (const auto& [x, y] : {std::pair<i64, i64>{52, 300}, {420, 330}, {700, 600}}) {
    for (const i64 tiles : {i64{128}, i64{512}}) {
      SCOPED_TRACE(std::to_string(x) + "," + std::to_string(y) + ", tiles of " + std::to_string(tiles));
      slide_->fail(x, y, {0, FailingSlide::kForEver});
      const auto damaged = ground(tiles);
      slide_->fail(x, y, {0, 0});
      EXPECT_FALSE(damaged->unreadable.empty());
      const auto got = pixels_of(*damaged, kImage);
      std::vector<u8> unknown(want.size(), 0);
      for (const Rect& r : damaged->unknown({0, 0, kImage.width, kImage.height}))
        for (i64 v = r.y; v < r.y + r.height; ++v)
          std::fill_n(unknown.begin() + static_cast<std::ptrdiff_t>(v * kImage.width + r.x), r.width, u8{1});
      i64 known = 0;
      for (std::size_t k = 0; k < want.size(); ++k) {
        if (unknown[k]) continue;
        ++known;
        ASSERT_EQ(got[k], want[k]) << k % kImage.width << "," << k / kImage.width;
      }
      EXPECT_TRUE(unknown[static_cast<std::size_t>(y * kImage.width + x)]);
      EXPECT_GT(known, 0);
      EXPECT_LT(known, kImage.area());
    }
  }
  EXPECT_TRUE(ground()->unknown({0, 0, kImage.width, kImage.height}).empty());
}

TEST_P(TrustGroundTest, WindowsOnItAreCertainWhereItIsKnown) {
  const std::shared_ptr<const Ground> good = ground();
  slide_->fail(420, 330, {0, FailingSlide::kForEver});
  const std::shared_ptr<const Ground> bad = ground();
  slide_->fail(420, 330, {0, 0});  // the windows themselves read all
  int lost = 0, whole = 0;
  for (i32 y = 0; y < kImage.height; y += 256) {
    for (i32 x = 0; x < kImage.width; x += 256) {
      SCOPED_TRACE(std::to_string(x) + "," + std::to_string(y));
      const WindowJob job = tile(x, y, bad);
      const WindowDone got = run_window(job, resources_, nullptr), want = run_window(tile(x, y, good), resources_, nullptr);
      EXPECT_TRUE(want.output.trust.certified);
      std::set<std::pair<i32, i32>> doubtful;
      for (const auto* runs : {&got.output.trust.unreadable, &got.output.trust.cut, &got.output.trust.limit})
        for (const morpho::Run& r : *runs)
          for (i32 px = r.x0; px < r.x1; ++px) doubtful.emplace(px, r.y);
      const auto certain = [&](const ObjectSet& set) {
        std::multiset<std::string> all;
        for (std::size_t o = 0; o < set.objects.size(); ++o) {
          const i64 fx = set.objects[o].first_x - job.core.x, fy = set.objects[o].first_y - job.core.y;
          bool is = fx >= 0 && fy >= 0 && fx < job.core.width && fy < job.core.height;
          for (i64 r = set.run_offsets[o]; r < set.run_offsets[o + 1] && is; ++r) {
            const morpho::Run& run = set.runs[static_cast<std::size_t>(r)];
            for (i32 px = run.x0; px < run.x1; ++px) is = is && doubtful.count({px, run.y}) == 0;
          }
          if (is) all.insert(object_text(set, o, job.x, job.y));
        }
        return all;
      };
      EXPECT_EQ(certain(got.output.objects), certain(want.output.objects));
      (got.output.trust.whole() ? whole : lost) += 1;
    }
  }
  EXPECT_GT(lost, 0);
}

/// Two backgrounds of the same steps with different pixels: the key is equal, the content is not.
TEST_P(TrustGroundTest, WhatWasKeptOfOneIsNotUsedOnAnother) {
  slide_->fail(420, 330);
  const auto bad = ground();
  const auto good = ground();
  ASSERT_EQ(bad->key(), good->key());
  ASSERT_NE(bad->epoch(), good->epoch());
  ASSERT_NE(pixels_of(*bad, kImage), pixels_of(*good, kImage));
  WindowJob job = tile(256, 256, bad);
  job.keep_stages = job.want_planes = true;
  run_window(job, resources_, nullptr);
  // As if all had been read, so that its stages are kept: what the window stands on is another all the same.
  WindowJob other = job;
  other.ground = good;
  Resources fresh;
  const WindowDone kept = run_window(other, resources_, nullptr), want = run_window(other, fresh, nullptr);
  EXPECT_EQ(texts(kept.output.objects, other), texts(want.output.objects, other));
  // Between two whole ones nothing is shared either.
  WindowJob third = job;
  third.ground = ground();
  for (const StageTiming& t : run_window(third, resources_, nullptr).output.timings) EXPECT_FALSE(t.kept) << t.stage;
  // The same one is begun where it was left.
  bool begun_later = false;
  for (const StageTiming& t : run_window(third, resources_, nullptr).output.timings) begun_later |= t.kept;
  EXPECT_TRUE(begun_later);
  // Of the wand's trees the same.
  WandAsk ask;
  ask.plane = "difference", ask.min_area = 20, ask.end_area = 1000, ask.points = {{300, 300}};
  EXPECT_TRUE(wand(other, ask, resources_, nullptr).built);
  EXPECT_FALSE(wand(other, ask, resources_, nullptr).built);
  EXPECT_TRUE(wand(third, ask, resources_, nullptr).built);
  ask.points = {{420, 330}};
  EXPECT_TRUE(wand(job, ask, resources_, nullptr).unread);
}

}  // namespace
}  // namespace morpho::test
