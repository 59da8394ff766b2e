// Several threads on one GPU at once, as the windows of a run are: each must get what it gets alone, and no call may be refused.
#include <atomic>
#include <mutex>
#include <thread>

#include "../native/recipe_defaults.hpp"
#include "../native/same_output.hpp"
#include "cases.hpp"
#include "engine/devices.hpp"
#include "engine/op_call.hpp"

namespace morpho::test {

namespace {

constexpr int kCallers = 12;  // more than may use a GPU at once, so that opened ones change hands

/// Calls work(caller) from every thread; the first thing that one of them finds wrong, or nothing.
template <class Fn>
std::string all_at_once(Fn&& work) {
  std::atomic<bool> wrong{false};
  std::mutex mutex;
  std::string first;
  const auto guarded = [&](int caller) {
    std::string said;
    try {
      said = work(caller, wrong);
    } catch (const Error& e) {
      said = std::string(code_name(e.code())) + " " + e.what() + " [" + e.detail() + "]";
    }
    if (said.empty() || wrong.exchange(true)) return;
    const std::lock_guard lock(mutex);
    first = said;
  };
  std::vector<std::thread> threads;
  for (int k = 1; k < kCallers; ++k) threads.emplace_back(guarded, k);
  guarded(0);
  for (std::thread& t : threads) t.join();
  return first;
}

/// Disks whose kernel wants an amount of shared memory that depends on the radius: each caller has a radius of its own.
void compare_disks(Rig& rig, int rounds) {
  const Extent e{200, 180};
  const Picture grey = blobs(e, 3);
  const std::vector<engine::OwnedImage> input = {{"image", PixelType::u8, 1, e, grey.bytes}};
  engine::OpenGpus gpus;
  rig.judge("callers: erosion by disks", std::to_string(rounds) + " rounds", [&] {
    return all_at_once([&](int caller, const std::atomic<bool>& stop) -> std::string {
      engine::Params params;
      params.set("radius", 1.0 + 2 * caller);
      Workspace w;
      Context ctx{w, 1, nullptr, nullptr};
      const engine::OpResult want = engine::op_call(cpu::table(), ctx, "erode", input, params);
      for (int round = 0; round < rounds && !stop; ++round) {
        engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
        engine::GpuPlace place(*gpu, nullptr);
        if (engine::op_call(place, "erode", input, params).outputs[0].bytes != want.outputs[0].bytes) return std::string("radius ") + std::to_string(1 + 2 * caller);
      }
      return "";
    });
  });
}

/// Every recipe at once, on windows of several sizes.
void compare_recipes(Rig& rig, const std::string& assets, int rounds) {
  engine::OpenGpus gpus;
  rig.judge("callers: recipes", std::to_string(rounds) + " rounds", [&] {
    return all_at_once([&](int caller, const std::atomic<bool>& stop) -> std::string {
      const char* ids[] = {"he-nuclei", "iwpp-nuclei", "max-tree-nuclei", "cell-detection"};
      const std::string id = ids[caller % 4];
      const Extent e{240 + 13 * caller, 200 + 7 * caller};
      Picture rgb = nuclei_picture(e);
      const View<const Rgba> view = colors(rgb.plane());
      Workspace w;
      Context ctx{w, 1, nullptr, nullptr};
      const engine::Params params = with_overview(cpu::table(), ctx, id, recipe_params(assets + "/recipes/" + id + ".json", 0.5), view);
      const engine::WindowInput input{view, {0, 0, e.width, e.height}, true};
      const engine::WindowOutput want = engine::run(cpu::table(), ctx, id, params, input);
      for (int round = 0; round < rounds && !stop; ++round) {
        engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
        engine::GpuPlace place(*gpu, nullptr);
        const std::string differs = window_difference(engine::run(place, id, params, input), want);
        if (!differs.empty()) return std::string(id) + " " + size_text(e) + ": " + differs;
      }
      return "";
    });
  });
}

}  // namespace

void compare_callers(Rig& rig, const std::string& assets, int rounds) {
  compare_disks(rig, rounds * 20);
  compare_recipes(rig, assets, rounds);
}

}  // namespace morpho::test
