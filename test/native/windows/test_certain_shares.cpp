// What each bundled recipe calls certain of one window of a real slide, pinned to a point: a rule that finds less costs grown
// windows everywhere, and one that finds 2 % would make all of them grow.
#include <cstdlib>

#include "../support/cut_scene.hpp"
#include "../support/oracle.hpp"
#include "../support/sample_slide.hpp"

namespace morpho::test {
namespace {

using namespace engine;

struct Pinned {
  const char* recipe;
  i32 margin;    ///< less than the recipe's own, so that the rims of the window are felt in its core
  double share;  ///< of the core
};
/// Where a rule is made to find more or less on purpose, what MORPHO_SHOW=1 prints goes here.
const Pinned kPinned[] = {{"he-nuclei", 24, 0.798},      {"ihc-nuclei", 64, 0.115},     {"iwpp-nuclei", 96, 0.458},
                          {"max-tree-nuclei", 8, 0.987}, {"cell-detection", 48, 0.565}, {"fluorescence-nuclei", 48, 0.685}};

TEST(CertainShares, OfEachRecipeOnTheSampleAreWhatTheyWere) {
  MORPHO_NEEDS_SAMPLE();
  Made m;
  m.slide = slide::open_slide(MORPHO_SAMPLE);
  m.extent = {512, 512};
  Workspace w;
  Context ctx = context(w, 2);
  m.pixels.resize(static_cast<std::size_t>(m.extent.area()));
  ASSERT_TRUE(read_scaled(cpu::table(), ctx, *m.slide, 1, 700, 800, View<Rgba>(m.pixels.data(), m.extent)).empty());
  slide::SlideInfo info;
  info.path = "a field of the sample", info.reader = "a test";
  m.slide = slide::memory_slide(info, m.view());
  Resources resources;
  for (const Pinned& pinned : kPinned) {
    const std::string id = pinned.recipe;
    const Params params = params_of(MORPHO_ASSETS, id, m.view());
    WindowJob job = tile_job(m, id, params, 160, 160, 192, pinned.margin);
    job.threads = 2;
    const Trust once = run_window_once(job, resources, nullptr).output.trust;
    const double share = static_cast<double>(once.certain_pixels) / static_cast<double>(once.core_pixels);
    if (std::getenv("MORPHO_SHOW")) std::printf("{\"%s\", %d, %.3f}\n", pinned.recipe, pinned.margin, share);
    EXPECT_NEAR(share, pinned.share, 0.01) << id;
    // Grown it is certain, all of it.
    EXPECT_TRUE(run_window(job, resources, nullptr).output.trust.certified) << id;
  }
}

}  // namespace
}  // namespace morpho::test
