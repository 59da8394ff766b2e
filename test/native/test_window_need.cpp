// What a window of each recipe takes of working memory, held against what the recipe states: runs plan their memory by it.
#include "engine/window/run_plan.hpp"
#include "recipe_defaults.hpp"
#include "same_output.hpp"
#include "tissue.hpp"

namespace morpho::test {
namespace {

double peak(const std::string& id, View<const Rgba> rgba, bool planes, int threads) {
  Workspace w;
  Context ctx = context(w, threads);
  const auto params = with_overview(cpu::table(), ctx, id,
                                    recipe_params(std::string(MORPHO_ASSETS) + "/recipes/" + id + ".json", 0.5), rgba);
  w.reset_peak();
  run_alone(cpu::table(), ctx, id, params, rgba, {100, 90, rgba.width() - 200, rgba.height() - 180}, planes);
  return static_cast<double>(w.peak_bytes());
}

TEST(WindowNeed, IsWhatRecipesState) {
  for (const engine::PipelineInfo& info : engine::pipelines()) {
    for (const i32 side : {542, 1310}) {
      const Image<Rgba> image = tissue(side, side);
      const std::vector<Rgba> pixels = image.pixels();
      const View<const Rgba> rgba(pixels.data(), {side, side});
      for (const int threads : {1, 2, 8}) {
        const double stated = static_cast<double>(info.bytes_per_pixel * rgba.extent.area() + info.bytes_per_thread * threads);
        const double used = peak(info.id, rgba, threads == 2, threads);
        EXPECT_LE(used, stated) << info.id << ", " << side << " px, " << threads << " threads";
        // A statement that is far too high would keep cores from working.
        EXPECT_GE(used, 0.75 * stated) << info.id << ", " << side << " px, " << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace morpho::test
