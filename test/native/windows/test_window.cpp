// A window of a slide from reading to objects: the same as reading and running it by hand, what it reports, and that every way
// out gives back what it took.
#include "engine/window/window.hpp"
#include "../support/recipe_defaults.hpp"
#include "../support/same_output.hpp"
#include "../support/tissue.hpp"

namespace morpho::test {
namespace {

using namespace engine;

constexpr Extent kWholeSlide{260, 220};

struct Asked {
  WindowJob job;
  Params params;
};
Asked asked_of(const std::string& id) {
  const Image<Rgba> image = tissue(kWholeSlide.width, kWholeSlide.height);
  const std::vector<Rgba> pixels = image.pixels();
  slide::SlideInfo info;
  info.path = "tissue", info.reader = "a test", info.reader_version = "7";
  Asked asked;
  WindowJob& job = asked.job;
  job.slide = slide::memory_slide(info, View<const Rgba>(pixels.data(), kWholeSlide));
  job.x = 20, job.y = -10;  // the upper rows lie outside
  job.extent = {200, 190};
  job.core = {30, 40, 120, 110};
  Workspace w;
  Context ctx = context(w);
  asked.params = with_overview(cpu::table(), ctx, id,
                               recipe_params(std::string(MORPHO_ASSETS) + "/recipes/" + id + ".json", 0.5),
                               View<const Rgba>(pixels.data(), kWholeSlide));
  job.plan = plan_of(id, asked.params);
  job.want_planes = true;
  return asked;
}
WindowJob job_of(const std::string& id) { return asked_of(id).job; }

TEST(Window, IsReadAndComputedAsByHand) {
  Resources resources;
  for (const char* id : {"he-nuclei", "iwpp-nuclei"}) {
    SCOPED_TRACE(id);
    const WindowJob job = job_of(id);
    Workspace w;
    Context ctx = context(w);
    Image<Rgba> pixels(job.extent.width, job.extent.height, Rgba{});
    EXPECT_TRUE(read_scaled(cpu::table(), ctx, *job.slide, job.scale, job.x, job.y, pixels.view()).empty());
    const WindowOutput want = run(cpu::table(), ctx, job, {pixels.view()});
    ASSERT_GT(want.objects.objects.size(), 10u);

    const WindowDone done = run_window(job, resources, nullptr);
    EXPECT_EQ(window_difference(done.output, want), "");
    EXPECT_TRUE(done.output.trust.whole() && done.output.trust.parts.empty());
    ASSERT_EQ(done.output.timings.size(), want.timings.size() + 1);
    const StageTiming& read = done.output.timings[0];
    EXPECT_EQ(read.stage + " " + read.device + " " + read.reader, "read cpu a test 7");
    EXPECT_EQ(read.pixels, job.extent.area());
    for (std::size_t k = 0; k < want.timings.size(); ++k) EXPECT_EQ(done.output.timings[k + 1].stage, want.timings[k].stage);
  }
  EXPECT_GT(resources.workspaces.held_bytes(), 0u);  // given back, for the next window
}

TEST(Window, ChosenVariantsRunAndChangeNoResult) {
  Resources resources;
  using Choice = std::pair<const char*, const char*>;
  const std::pair<const char*, std::vector<Choice>> choices[] = {
      {"he-nuclei",
       {{"threshold.reconstruct", "queue"}, {"split.watershed", "drop-of-water"}, {"split.reconstruct", "downhill"}}},
      {"he-nuclei", {{"split.watershed", "cellular-automaton"}, {"threshold.reconstruct", "auto"}}},
      {"iwpp-nuclei", {{"mask.reconstruct", "tiled-fast-hybrid"}, {"split.watershed", "drop-of-water"}}},
      {"max-tree-nuclei", {{"tree.max-tree", "flooding"}}},
  };
  for (const auto& [id, chosen] : choices) {
    auto [job, params] = asked_of(id);
    const WindowOutput want = run_window(job, resources, nullptr).output;
    for (const auto& [place, variant] : chosen) params.set("variant." + std::string(place), std::string(variant));
    job.plan = plan_of(id, params);
    const WindowOutput got = run_window(job, resources, nullptr).output;
    EXPECT_EQ(window_difference(got, want), "") << id;
    for (const auto& [place, variant] : chosen) {
      const std::string stage(place, std::string_view(place).find('.')), op(std::string_view(place).substr(stage.size() + 1));
      i64 calls = 0, others = 0;
      for (const StageTiming& t : got.timings) {
        for (const Work& w : t.work) {
          if (t.stage != stage || (op == "max-tree" ? "max_tree" : op) != w.op) continue;
          (w.variant == variant ? calls : others) += w.calls;
        }
      }
      if (variant == std::string_view("auto")) EXPECT_EQ(calls, 0) << id << " " << place;
      else EXPECT_TRUE(calls > 0 && others == 0) << id << " " << place << ": " << calls << " and " << others;
    }
  }
  const std::pair<Choice, const char*> wrong[] = {
      {{"split.watershed", "fast-hybrid"}, "cellular-automaton"},
      {{"nothing.watershed", "auto"}, "nothing"},
      {{"split.distance", "danielsson"}, "reconstruct, max-tree or watershed"},
      {{"split", "auto"}, "reconstruct, max-tree or watershed"},
      {{"split.reconstruct", "prefix-queue"}, "downhill"},  // which a GPU has
  };
  for (const auto& [choice, says] : wrong) {
    auto [job, params] = asked_of("he-nuclei");
    params.set("variant." + std::string(choice.first), std::string(choice.second));
    try {
      // A plan is of no device: what only a GPU has is refused where it is to run.
      job.plan = plan_of("he-nuclei", params);
      run_window(job, resources, nullptr);
      ADD_FAILURE() << choice.first << " was taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::invalid_parameter);
      EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
    }
  }
}

TEST(Window, OnAGpuThatIsNotThereIsRefusedAndHoldsNothing) {
  Resources resources;
  WindowJob job = job_of("he-nuclei");
  job.devices = {{true, 999}};
  for (i32 k = 0; k <= OpenGpus::kMostCallers; ++k) {
    try {
      run_window(job, resources, nullptr);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::gpu_unavailable) << e.what();
    }
  }
  job.devices = {{}};
  EXPECT_GT(run_window(job, resources, nullptr).output.objects.objects.size(), 10u);
}

TEST(Window, StopsWhereItIsCancelled) {
  Resources resources;
  const CancelFlag stop{true};
  EXPECT_THROW(run_window(job_of("he-nuclei"), resources, &stop), Cancelled);
}

TEST(Plan, SaysWhatIsWrongWithItsRecipe) {
  Params params = asked_of("he-nuclei").params;
  expect_rejected("pipeline", [&] { plan_of("nuclei", params); });
  params.set("threshold.localWeight", 0.75);
  params.set("threshold.contrastWeight", 0.75);
  try {
    plan_of("he-nuclei", params);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.where().stage + " / " + e.where().param, "threshold / contrastWeight") << e.what();
  }
}

TEST(Window, AStainIsThatOfThePixelsRead) {
  const WindowJob job = job_of("he-nuclei");
  Workspace w;
  Context ctx = context(w);
  Image<Rgba> pixels(job.extent.width, job.extent.height, Rgba{});
  EXPECT_TRUE(read_scaled(cpu::table(), ctx, *job.slide, 2, 5, 6, pixels.view()).empty());
  const StainParams& stain = stain_set("h-e").stains[1];
  Image<u8> want(job.extent.width, job.extent.height), got(job.extent.width, job.extent.height);
  cpu::table().stain(ctx, pixels.view(), want.plane(), stain);
  ReadReport report;
  EXPECT_TRUE(read_stain(ctx, *job.slide, 2, 5, 6, stain, got.view(), {}, &report).empty());
  EXPECT_EQ(got.pixels(), want.pixels());
  EXPECT_EQ(report.sampled_every, 1);
}

}  // namespace
}  // namespace morpho::test
