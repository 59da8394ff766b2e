// Several windows at once on one engine, with what it keeps between them, and with what is asked beside them: each result is
// that of a window alone. Under the thread sanitizer too.
#include <atomic>
#include <thread>

#include "../support/cut_scene.hpp"
#include "engine/query/explain.hpp"
#include "engine/query/wand.hpp"
#include "../support/ground_scene.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;

std::multiset<std::string> window_texts(const WindowDone& done, const WindowJob& job) {
  std::multiset<std::string> all;
  for (std::size_t o = 0; o < done.output.objects.objects.size(); ++o)
    all.insert(object_text(done.output.objects, o, job.x, job.y));
  return all;
}

TEST(WindowsTogether, GiveWhatEachGivesAlone) {
  Scene scene(300, 260, 7);
  scene.field(21);
  scene.box(60, 100, 240, 106);  // windows grow along it
  const Made m = made(scene);
  std::vector<WindowJob> jobs;
  for (const std::string id : {"he-nuclei", "max-tree-nuclei"}) {
    const Params params = params_of(MORPHO_ASSETS, id, m.view());
    for (i32 y = 0; y < 260; y += 130) {
      for (i32 x = 0; x < 300; x += 100) {
        WindowJob job = tile_job(m, id, params, x, y, 100, 24);
        // Every second one keeps its stages, and begins where the same one of another thread left off.
        job.keep_stages = job.want_planes = (x / 100) % 2 == 1;
        jobs.push_back(job);
      }
    }
  }
  std::vector<std::multiset<std::string>> want;
  {
    Resources alone;
    for (const WindowJob& job : jobs) want.push_back(window_texts(run_window(job, alone, nullptr), job));
  }
  Resources resources;
  const WindowJob field = tile_job(m, "he-nuclei", params_of(MORPHO_ASSETS, "he-nuclei", m.view()), 0, 0, 300, 0);
  WandAsk ask;
  ask.min_area = 20, ask.end_area = 600, ask.points = {{150, 120}};
  const i64 wanted = wand(field, ask, resources, nullptr).area;
  const bool inside = is_inside(field, 150, 103, resources, nullptr).inside;
  resources.trees.trim();
  std::atomic<int> grown{0}, wrong{0};
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t k = 0; k < jobs.size(); ++k) {
        const std::size_t j = (k + t * 5) % jobs.size();
        const WindowDone done = run_window(jobs[j], resources, nullptr);
        grown += done.growth.windows;
        wrong += window_texts(done, jobs[j]) != want[j];
      }
      over = true;
    });
  }
  // Trees that are built, used and thrown away, and points that are asked for, beside them.
  threads.emplace_back([&] {
    while (!over) {
      wrong += wand(field, ask, resources, nullptr).area != wanted;
      wrong += is_inside(field, 150, 103, resources, nullptr).inside != inside;
      resources.trees.trim();
      resources.stages.trim();
    }
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(grown, 0);
}

/// On one background, which is let go of while others still stand on it.
TEST(WindowsTogether, StandOnOneBackground) {
  const Made m = made(serpentine_scene(300, 240, 4));
  const std::string id = "iwpp-nuclei";
  const Params params = unbounded(params_of(MORPHO_ASSETS, id, m.view()));
  Resources resources;
  const std::shared_ptr<const Ground> ground = region::compute_ground(resources, ground_job(m, id, params, 128, 2));
  std::vector<WindowJob> jobs;
  std::vector<std::multiset<std::string>> want;
  for (i32 x = 0; x < 300; x += 100) {
    jobs.push_back(tile_job(m, id, params, x, 60, 100, 30));
    jobs.back().ground = ground;
    want.push_back(window_texts(run_window(jobs.back(), resources, nullptr), jobs.back()));
  }
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t k = 0; k < 3; ++k) {
        WindowJob job = jobs[(k + t) % 3];
        wrong += window_texts(run_window(job, resources, nullptr), job) != want[(k + t) % 3];
      }
    });
  }
  threads.emplace_back([&] {
    const auto other = region::compute_ground(resources, ground_job(m, id, params, 96, 1));
    wrong += pixels_of(*other, m.extent) != pixels_of(*ground, m.extent);
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace morpho::test
