// The registry of recipes, and what is asked of one by its name.
#include "pipeline.hpp"

#include <algorithm>

#include "recipe_steps.hpp"
#include "engine/program/program_identity.hpp"
#include "program_variants.hpp"

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

}  // namespace

bool takes_samples(const Program& program) {
  return std::any_of(program.steps.begin(), program.steps.end(), [](const Step& s) { return s.op == Op::sample; });
}

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

Program overview_program_of(const std::string& pipeline, const Params& params) {
  Stages s(params);
  recipe(pipeline).overview(s);
  return s.take_program();
}

PlanPtr plan_of(const std::string& pipeline, const Params& params) {
  auto plan = std::make_shared<Plan>();
  plan->pipeline = pipeline;
  plan->program = program_of(pipeline, params);
  plan->split = split_at_ground(plan->program);
  plan->halo = halo_px(pipeline, params);
  plan->deep = takes_samples(plan->program);
  plan->hash = hash_of(identity_of(plan->program));
  return plan;
}

}  // namespace morpho::engine
