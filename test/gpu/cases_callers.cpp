// Several threads on one GPU at once, as the windows of a run are: each must get what it gets alone, and no call may be
// refused.
#include <atomic>
#include <mutex>
#include <thread>

#include "../native/support/recipe_defaults.hpp"
#include "../native/support/same_output.hpp"
#include "cases.hpp"
#include "engine/device/devices.hpp"

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

/// Disks whose kernel wants an amount of shared memory that depends on the radius, from what every kernel has to what must be
/// asked for: each caller has a device and a radius of its own, and launches many in a row, as what one does to another takes a
/// microsecond's meeting.
void compare_disks(Rig& rig, int rounds) {
  const Extent e{200, 180};
  Picture grey = blobs(e, 3);
  const std::size_t bytes = static_cast<std::size_t>(e.area());
  rig.judge("callers: erosion by disks", std::to_string(rounds) + " rounds", [&] {
    return all_at_once([&](int caller, const std::atomic<bool>& stop) -> std::string {
      const MorphologyParams params{Morphology::erode, Shape::disk, 8 * (1 + caller)};
      Picture want(PixelType::u8, e);
      Workspace w;
      Context on_cpu{w, 1, nullptr, nullptr};
      cpu::table().morphology(on_cpu, grey.plane(), want.plane(), params);
      gpu::Device device;
      void *d_in = device.allocate(bytes), *d_out = device.allocate(bytes);
      device.upload(d_in, grey.bytes.data(), bytes);
      std::vector<u8> got(bytes);
      std::string differs;
      for (int round = 0; round < rounds && !stop && differs.empty(); ++round) {
        Context ctx = device.context();
        for (int i = 0; i < 100; ++i)
          gpu::table().morphology(ctx, Plane(d_in, PixelType::u8, e), Plane(d_out, PixelType::u8, e), params);
        device.download(got.data(), d_out, bytes);
        if (got != want.bytes) differs = std::string("radius ") + std::to_string(params.radius);
      }
      device.release(d_in), device.release(d_out);
      return differs;
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
      const engine::Params params = with_overview(cpu::table(), ctx, id,
                                                  recipe_params(assets + "/recipes/" + id + ".json", 0.5), view);
      const engine::WindowJob job = job_alone(id, params, e, {0, 0, e.width, e.height}, true);
      const engine::WindowOutput want = engine::run(cpu::table(), ctx, job, {view});
      for (int round = 0; round < rounds && !stop; ++round) {
        engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
        engine::GpuBackend backend(*gpu, nullptr);
        const std::string differs = window_difference(engine::run(backend, job, {view}), want);
        if (!differs.empty()) return std::string(id) + " " + size_text(e) + ": " + differs;
      }
      return "";
    });
  });
}

}  // namespace

void compare_callers(Rig& rig, const std::string& assets, int rounds) {
  compare_disks(rig, rounds * 5);
  compare_recipes(rig, assets, rounds);
}

}  // namespace morpho::test
