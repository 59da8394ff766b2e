// Times a whole recipe on a GPU: shared by gpu_bench and `morpho_bench --device gpu`.
#pragma once
#include "../bench/bench_recipe.hpp"
#include "engine/device/devices.hpp"
#include "gpu_report.hpp"

namespace gpu_bench {

/// Prints one block (or one element of JSON) for each size. Returns 1 where a result was not the CPU's.
inline int run_recipe(const Options& o) {
  engine::OpenGpus gpus;
  bool exact = true, first = true;
  if (o.json) std::printf("{\"results\": [");
  for (const i32 size : o.sizes) {
    bench::RecipeJob job{o.recipe, o.assets, o.tile, size, o.jitter, o.repeat, 0.5, o.json};
    bench::RecipeScene scene(job, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
    engine::OpenGpus::Lease gpu(gpus, o.device, nullptr);
    if (!o.json) std::printf("%s: %s\n", (*gpu).name.c_str(), (*gpu).device.info().name.c_str());
    exact = bench::time_recipe(
                scene, [&] { return std::make_unique<engine::GpuBackend>(*gpu, nullptr); }, 1,
                [] { return gpu::host_traffic().fetched_bytes; }, first) &&
            exact;
    first = false;
  }
  if (o.json) std::printf("]}\n");
  return exact ? 0 : 1;
}

}  // namespace gpu_bench
