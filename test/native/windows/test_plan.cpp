// A run's plan: recorded once, the same for the same values, and all that its windows need to know of their recipe.
#include "../support/cut_scene.hpp"
#include "engine/recipe/plan.hpp"
#include "engine/program/program_identity.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using namespace engine;

const Made& scene() {
  static const Made m = [] {
    Scene scene(260, 220, 3);
    scene.field(22);
    return made(scene);
  }();
  return m;
}
Params params(const char* id) { return params_of(MORPHO_ASSETS, id, scene().view()); }

TEST(Plan, HasWhatTheRecipeSays) {
  for (const char* id : {"he-nuclei", "iwpp-nuclei", "max-tree-nuclei", "cell-detection"}) {
    SCOPED_TRACE(id);
    Params values = params(id);
    for (const char* reach : {"marker.reach", "detection.backgroundReach"})
      if (values.has(reach)) values.set(reach, 0.0);
    const PlanPtr plan = plan_of(id, values);
    const Program program = program_of(id, values);
    EXPECT_EQ(plan->pipeline, id);
    EXPECT_EQ(identity_of(plan->program), identity_of(program));
    EXPECT_EQ(plan->halo, halo_px(id, values));
    const auto split = split_at_ground(program);
    ASSERT_EQ(plan->split.has_value(), split.has_value());
    if (split) {
      EXPECT_EQ(plan->split->key, split->key);
    }
  }
}

TEST(Plan, OfTheSameValuesHasTheSameHashAndOfOthersAnother) {
  Params values = params("he-nuclei");
  const u64 hash = plan_of("he-nuclei", values)->hash;
  EXPECT_EQ(plan_of("he-nuclei", values)->hash, hash);
  values.set("objects.minArea", 77.0);
  EXPECT_NE(plan_of("he-nuclei", values)->hash, hash);
}

TEST(Plan, IsSharedByWindowsThatHoldItOnly) {
  WindowJob job = tile_job(scene(), "he-nuclei", params("he-nuclei"), 20, 20, 120, 40);
  EXPECT_EQ(job.plan.use_count(), 1);
  Resources resources;
  const WindowDone first = run_window(job, resources, nullptr);
  EXPECT_EQ(job.plan.use_count(), 1);
  EXPECT_EQ(object_text(run_window(job, resources, nullptr).output.objects, 0, 0, 0),
            object_text(first.output.objects, 0, 0, 0));
}

}  // namespace
}  // namespace morpho::test
