// Runs plans and overviews on pixels in memory.
#include "run_plan.hpp"

#include "ground.hpp"
#include "interpreter.hpp"

namespace morpho::engine {
namespace {

/// The core must lie inside the window: what ownership and the cropped planes rest on.
void require_core(const View<const Rgba>& rgba, const Rect& core) {
  const bool inside = core.x >= 0 && core.y >= 0 && core.width >= 0 && core.height >= 0 &&
                      core.x + core.width <= rgba.width() && core.y + core.height <= rgba.height();
  if (inside) return;
  reject("core", "a rectangle inside the window of " + std::to_string(rgba.width()) + "x" + std::to_string(rgba.height()),
         std::to_string(core.width) + "x" + std::to_string(core.height) + " at " + std::to_string(core.x) + "," +
             std::to_string(core.y));
}

}  // namespace

Params overview(Backend& backend, const std::string& pipeline, const Params& params, View<const Rgba> sample,
                View<const u16> deep) {
  const auto program = std::make_shared<const Program>(overview_program_of(pipeline, params));
  const WindowJob all = job_alone(nullptr, sample.extent, {0, 0, sample.width(), sample.height()});
  WindowPixels pixels{sample};
  pixels.deep = deep;
  Params result;
  for (const auto& [name, value] : run_program(backend, program, all, pixels, nullptr))
    result.set(name, static_cast<double>(value) / program->result_per);
  return result;
}
Params overview(const OpTable& ops, Context& ctx, const std::string& pipeline, const Params& params, View<const Rgba> sample,
                View<const u16> deep) {
  CpuBackend backend(ops, ctx);
  return overview(backend, pipeline, params, sample, deep);
}

WindowOutput run(Backend& backend, const WindowJob& job, const WindowPixels& pixels) {
  require_core(pixels.rgba, job.core);
  WindowOutput out;
  run_program(backend, job.ground ? job.ground->program_after(job.plan) : program_of(job.plan), job, pixels, &out);
  backend.context().check_cancelled();
  return out;
}
WindowOutput run(const OpTable& ops, Context& ctx, const WindowJob& job, const WindowPixels& pixels) {
  CpuBackend backend(ops, ctx);
  return run(backend, job, pixels);
}

}  // namespace morpho::engine
