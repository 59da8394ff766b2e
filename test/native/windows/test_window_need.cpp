// What a window of each recipe takes of working memory, held against what the recipe states: runs plan their memory by it.
#include "engine/window/run_plan.hpp"
#include "../support/recipe_defaults.hpp"
#include "../support/same_output.hpp"
#include "../support/tissue.hpp"

namespace morpho::test {
namespace {

/// At 16 bits: of what shines where the tissue is dark.
double peak(const std::string& id, View<const Rgba> rgba, bool planes, int threads, bool deep = false) {
  Workspace w;
  Context ctx = context(w, threads);
  const Rect core{100, 90, rgba.width() - 200, rgba.height() - 180};
  engine::Params params = recipe_params(std::string(MORPHO_ASSETS) + "/recipes/" + id + ".json", 0.5);
  if (deep) {
    std::vector<u16> samples;
    for (i32 y = 0; y < rgba.height(); ++y)
      for (i32 x = 0; x < rgba.width(); ++x) samples.push_back(static_cast<u16>(100 * (255 - rgba.at(x, y).g)));
    engine::WindowPixels pixels{rgba};
    pixels.deep = {samples.data(), rgba.extent};
    params.set(engine::kPixelDepth, 16.0);
    const engine::Params level = engine::overview(cpu::table(), ctx, id, params, rgba, pixels.deep);
    for (const auto& [name, value] : level.all()) params.set(name, value);
    w.reset_peak();
    engine::run(cpu::table(), ctx, job_alone(id, params, rgba.extent, core, planes), pixels);
    return static_cast<double>(w.peak_bytes());
  }
  params = with_overview(cpu::table(), ctx, id, params, rgba);
  w.reset_peak();
  run_alone(cpu::table(), ctx, id, params, rgba, core, planes);
  return static_cast<double>(w.peak_bytes());
}

TEST(WindowNeed, IsWhatRecipesState) {
  for (const engine::PipelineInfo& info : engine::pipelines()) {
    for (const i32 side : {542, 1310}) {
      const Image<Rgba> image = tissue(side, side);
      const std::vector<Rgba> pixels = image.pixels();
      const View<const Rgba> rgba(pixels.data(), {side, side});
      for (const int threads : {1, 2, 8}) {
        for (const i64 each : {info.bytes_per_pixel, info.deep_bytes_per_pixel}) {
          if (each == 0) continue;
          const double stated = static_cast<double>(each * rgba.extent.area() + info.bytes_per_thread * threads);
          const double used = peak(info.id, rgba, threads == 2, threads, each != info.bytes_per_pixel);
          SCOPED_TRACE(info.id + ", " + std::to_string(side) + " px, " + std::to_string(threads) + " threads, " +
                       std::to_string(each) + " bytes a px");
          EXPECT_LE(used, stated);
          // A statement that is far too high would keep cores from working.
          EXPECT_GE(used, 0.75 * stated);
        }
      }
    }
  }
}

}  // namespace
}  // namespace morpho::test
