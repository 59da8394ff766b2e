// Times a whole recipe on one window of tissue, stage by stage, on the CPU or a GPU, and holds its result against the CPU's.
#pragma once
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../native/support/recipe_defaults.hpp"
#include "../native/support/same_output.hpp"
#include "bench_images.hpp"

namespace bench {

struct RecipeJob {
  std::string id, assets = "assets", tile;
  i32 size = 4096, jitter = 2, repeat = 5;
  double um_per_px = 0.5;
  bool json = false;
};

/// The window that all runs of a job see, its parameters, and what the CPU makes of it.
class RecipeScene {
 public:
  explicit RecipeScene(const RecipeJob& job, int threads) : job_(job), colors_(read(job)) {
    Context ctx{work_, threads, nullptr, nullptr};
    params_ = test::with_overview(cpu::table(), ctx, job.id, own_params(job), colors_.view());
    plan_ = engine::plan_of(job.id, params_);
    want_ = engine::run(cpu::table(), ctx, window(true), pixels());
  }
  engine::WindowJob window(bool planes) const {
    return engine::job_alone(plan_, {job_.size, job_.size}, {0, 0, job_.size, job_.size}, planes);
  }
  engine::WindowPixels pixels() { return {colors_.view()}; }
  const engine::Params& params() const { return params_; }
  const engine::WindowOutput& want() const { return want_; }
  const RecipeJob& job() const { return job_; }
  Workspace& work() { return work_; }

 private:
  static Picture<Rgba> read(const RecipeJob& job) {
    try {
      return tissue_colors(job.tile, {job.size, job.size}, job.jitter);
    } catch (const std::runtime_error& e) {
      reject("--tile", "a readable .npy image of integers", job.tile + " (" + e.what() + ")");
    }
  }
  static engine::Params own_params(const RecipeJob& job) {
    try {
      return test::recipe_params(job.assets + "/recipes/" + job.id + ".json", job.um_per_px);
    } catch (const std::runtime_error& e) {
      reject("--recipe", "the name of a file in " + job.assets + "/recipes (see --assets)", job.id + " (" + e.what() + ")");
    }
  }
  RecipeJob job_;
  Picture<Rgba> colors_;
  Workspace work_;
  engine::Params params_;
  engine::PlanPtr plan_;
  engine::WindowOutput want_;
};

inline double median_of(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

/// Runs the recipe once untimed with all planes, which are compared, then `repeat` times without, and prints the median of each
/// stage. `place_for` makes the place of one run; `fetched` says how many bytes operations have brought to the host so far.
/// Returns whether everything was the CPU's.
inline bool time_recipe(RecipeScene& scene, const std::function<std::unique_ptr<engine::Backend>()>& backend_for, int threads,
                        const std::function<u64()>& fetched, bool first) {
  const RecipeJob& job = scene.job();
  std::string wrong = test::window_difference(engine::run(*backend_for(), scene.window(true), scene.pixels()), scene.want());
  std::vector<std::vector<double>> stage_ms;
  std::vector<double> whole_ms;
  engine::WindowOutput got;
  u64 waits = 0, bytes = 0;
  std::string name;
  for (int i = 0; i <= job.repeat; ++i) {                            // the first one, without planes, takes memory
    const std::unique_ptr<engine::Backend> backend = backend_for();  // one for each run, as the addon makes them
    name = backend->name();
    const u64 bytes_before = fetched();
    const double begin = engine::now_ms();
    got = engine::run(*backend, scene.window(false), scene.pixels());
    const double ms = engine::now_ms() - begin;
    waits = backend->waits();
    bytes = fetched() - bytes_before;
    engine::WindowOutput want_objects{scene.want().objects, {}, {}};
    if (wrong.empty()) wrong = test::window_difference(got, want_objects);
    if (i == 0) {
      stage_ms.resize(got.timings.size());
      continue;
    }
    whole_ms.push_back(ms);
    for (std::size_t s = 0; s < stage_ms.size(); ++s) stage_ms[s].push_back(got.timings[s].ms);
  }
  const std::string result = wrong.empty() ? "equal to the CPU's" : "WRONG: " + wrong + " differs";
  double sum = 0;
  if (job.json) {
    std::printf("%s\n{\"recipe\": \"%s\", \"size\": %d, \"device\": \"%s\", \"threads\": %d, \"runs\": %d, \"stages\": [",
                first ? "" : ",", job.id.c_str(), job.size, name.c_str(), threads, job.repeat);
    for (std::size_t s = 0; s < stage_ms.size(); ++s) {
      std::printf("%s{\"stage\": \"%s\", \"ms\": %.4f, \"waits\": %d}", s ? ", " : "", got.timings[s].stage.c_str(),
                  median_of(stage_ms[s]), got.timings[s].waits);
      sum += median_of(stage_ms[s]);
    }
    std::printf(
        "], \"stages_ms\": %.4f, \"whole_ms\": %.4f, \"waits\": %llu, \"fetched_bytes\": %llu, \"objects\": %zu, \"result\": "
        "\"%s\"}",
        sum, median_of(whole_ms), static_cast<unsigned long long>(waits), static_cast<unsigned long long>(bytes),
        got.objects.objects.size(), result.c_str());
  } else {
    std::printf("%s on %s, %d thread%s, %d² of tissue at %.2f µm/px, median of %d runs\n%-12s %10s %6s\n", job.id.c_str(),
                name.c_str(), threads, threads == 1 ? "" : "s", job.size, job.um_per_px, job.repeat, "stage", "ms", "waits");
    for (std::size_t s = 0; s < stage_ms.size(); ++s) {
      std::printf("%-12s %10.3f %6d\n", got.timings[s].stage.c_str(), median_of(stage_ms[s]), got.timings[s].waits);
      sum += median_of(stage_ms[s]);
    }
    std::printf("%-12s %10.3f %6llu\n%-12s %10.3f\noperations brought %llu bytes to the host; %zu objects: %s\n", "all stages",
                sum, static_cast<unsigned long long>(waits), "whole call", median_of(whole_ms),
                static_cast<unsigned long long>(bytes), got.objects.objects.size(), result.c_str());
  }
  std::fflush(stdout);
  return wrong.empty();
}

}  // namespace bench
