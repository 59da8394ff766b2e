// A bundled recipe's default parameters, resolved to px as the engine resolves them: for tests and the quality bench.
#pragma once
#include <string>

#include "engine/window/run_plan.hpp"
#include "json.hpp"

namespace morpho::test {

/// The defaults of assets/recipes/<id>.json at this resolution; `changes` holds "stage.key=value" in the recipe's own units.
/// parts: for windows that know nothing of the whole slide, so that where a default asks for it they take what previews take
/// meanwhile.
inline engine::Params recipe_params(const std::string& recipe_file, double um_per_px,
                                    const std::vector<std::string>& changes = {}, bool parts = true) {
  engine::Params params;
  const auto spec = testing_json::read_file(recipe_file);
  for (const auto& stage : spec["stages"].items) {
    for (const auto& p : stage["params"].items) {
      const std::string name = stage["id"].text + "." + p["key"].text, kind = p["kind"].text;
      std::string given;
      for (const auto& c : changes) {
        if (c.compare(0, name.size() + 1, name + "=") == 0) given = c.substr(name.size() + 1);
      }
      if (kind == "choice") {
        params.set(name, given.empty() ? p["default"].text : given);
      } else if (kind == "toggle") {
        params.set(name, given.empty() ? p["default"].boolean : given == "true");
      } else {
        const bool preview = parts && p.members.count("previewValue") != 0 && p["default"].number == 0;
        const double value = !given.empty() ? std::stod(given) : p[preview ? "previewValue" : "default"].number;
        const std::string unit = p["unit"].text;
        params.set(name, unit == "um" ? value / um_per_px : unit == "um2" ? value / (um_per_px * um_per_px) : value);
      }
    }
  }
  return params;
}

/// Adds what the recipe takes from the slide's overview, here the window itself.
inline engine::Params with_overview(const OpTable& ops, Context& ctx, const std::string& pipeline, engine::Params params,
                                    View<const Rgba> sample) {
  const engine::Params from_slide = engine::overview(ops, ctx, pipeline, params, sample);
  for (const auto& [name, value] : from_slide.all()) params.set(name, value);
  return params;
}

/// Pixels that are a window by themselves. `whole`: they are the whole image, and it is asked what is certain.
inline engine::WindowJob job_alone(const std::string& pipeline, const engine::Params& params, Extent extent, const Rect& core,
                                   bool planes = false, bool whole = false) {
  engine::WindowJob job = engine::job_alone(engine::plan_of(pipeline, params), extent, core, planes);
  if (whole) job.image = extent;
  return job;
}
inline engine::WindowOutput run_alone(engine::Backend& backend, const std::string& pipeline, const engine::Params& params,
                                      View<const Rgba> rgba, const Rect& core, bool planes = false, bool whole = false) {
  return engine::run(backend, job_alone(pipeline, params, rgba.extent, core, planes, whole), {rgba});
}
inline engine::WindowOutput run_alone(const OpTable& ops, Context& ctx, const std::string& pipeline,
                                      const engine::Params& params, View<const Rgba> rgba, const Rect& core,
                                      bool planes = false, bool whole = false) {
  return engine::run(ops, ctx, job_alone(pipeline, params, rgba.extent, core, planes, whole), {rgba});
}

}  // namespace morpho::test
