// The door to the recipes: the registry, and one call each for halo, program, overview and run.
#include "pipeline.hpp"

#include "ground.hpp"
#include "pipeline_parts.hpp"
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

CutSides sides_of(Extent e, const Rect& core, i32 halo) {
  return {core.x >= halo, core.y >= halo, e.width - core.x - core.width >= halo, e.height - core.y - core.height >= halo};
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
  const WindowCut all{{0, 0, sample.width(), sample.height()}, {}};
  Params result;
  for (const auto& [name, value] : run_program(place, s.take_program(), sample, all, false, nullptr))
    result.set(name, static_cast<double>(value));
  return result;
}
Params overview(const OpTable& ops, Context& ctx, const std::string& pipeline, const Params& params, View<const Rgba> sample) {
  CpuPlace place(ops, ctx);
  return overview(place, pipeline, params, sample);
}

WindowOutput run(Place& place, const std::string& pipeline, const Params& params, const WindowInput& input) {
  const Recipe& r = recipe(pipeline);
  require_core(input.rgba, input.core);
  WindowOutput out;
  const CutSides sides = input.cut.value_or(sides_of(input.rgba.extent, input.core, r.halo(params)));
  Program program = program_of(pipeline, params);
  if (input.ground.whole) program = input.ground.whole->program_after(program);
  run_program(place, program, input.rgba,
              {input.core, sides, input.certify, input.rims, input.stages, input.witness, input.ground, input.unread},
              input.want_planes, &out);
  place.context().check_cancelled();
  return out;
}
WindowOutput run(const OpTable& ops, Context& ctx, const std::string& pipeline, const Params& params,
                 const WindowInput& input) {
  CpuPlace place(ops, ctx);
  return run(place, pipeline, params, input);
}

}  // namespace morpho::engine
