// The door to the recipes: the registry, and one call each for halo, program, overview and run.
#include "pipeline.hpp"

#include "ground.hpp"
#include "pipeline_parts.hpp"
#include "program_identity.hpp"
#include "program_variants.hpp"
#include "program_window.hpp"

namespace morpho::engine {
namespace {

std::vector<const Recipe*> recipes() {
  return {&he_recipe(), &ihc_recipe(), &fluorescence_recipe(), &iwpp_recipe(), &max_tree_recipe(), &cell_detection_recipe()};
}

const Recipe& recipe(const std::string& id) {
  std::string known;
  for (const Recipe* r : recipes()) {
    if (r->info.id == id) return *r;
    known += (known.empty() ? "" : ", ") + r->info.id;
  }
  reject("pipeline", "one of " + known, "\"" + id + "\"");
}

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

std::vector<PipelineInfo> pipelines() {
  std::vector<PipelineInfo> all;
  for (const Recipe* r : recipes()) all.push_back(r->info);
  return all;
}

i32 halo_px(const std::string& pipeline, const Params& params) { return recipe(pipeline).halo(params); }

Program program_of(const std::string& pipeline, const Params& params) {
  Stages s(params);
  recipe(pipeline).run(s);
  Program program = s.take_program();
  program.choices = choices_of(params, program);
  return program;
}

Params overview(Place& place, const std::string& pipeline, const Params& params, View<const Rgba> sample) {
  Stages s(params);
  recipe(pipeline).overview(s);
  const WindowJob all = job_alone(nullptr, sample.extent, {0, 0, sample.width(), sample.height()});
  Params result;
  for (const auto& [name, value] : run_program(place, std::make_shared<Program>(s.take_program()), all, {sample}, nullptr))
    result.set(name, static_cast<double>(value));
  return result;
}
Params overview(const OpTable& ops, Context& ctx, const std::string& pipeline, const Params& params, View<const Rgba> sample) {
  CpuPlace place(ops, ctx);
  return overview(place, pipeline, params, sample);
}

PlanPtr plan_of(const std::string& pipeline, const Params& params) {
  auto plan = std::make_shared<Plan>();
  plan->pipeline = pipeline;
  plan->program = program_of(pipeline, params);
  plan->split = split_at_ground(plan->program);
  plan->halo = halo_px(pipeline, params);
  plan->hash = hash_of(identity_of(plan->program));
  return plan;
}

WindowOutput run(Place& place, const WindowJob& job, const WindowPixels& pixels) {
  require_core(pixels.rgba, job.core);
  WindowOutput out;
  run_program(place, job.ground ? job.ground->program_after(job.plan) : program_of(job.plan), job, pixels, &out);
  place.context().check_cancelled();
  return out;
}
WindowOutput run(const OpTable& ops, Context& ctx, const WindowJob& job, const WindowPixels& pixels) {
  CpuPlace place(ops, ctx);
  return run(place, job, pixels);
}

}  // namespace morpho::engine
