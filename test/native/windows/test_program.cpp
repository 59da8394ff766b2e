// Recipes as programs: that each is the steps that a fixture says, well nested, with every plane taken before it is used.
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/recipe/pipeline.hpp"
#include "../support/oracle.hpp"
#include "../support/recipe_defaults.hpp"

namespace morpho::test {
namespace {

using namespace engine;

/// parts: as windows by themselves take it (recipe_params).
Program program(const std::string& id, bool parts = false) {
  Params params = recipe_params(std::string(MORPHO_ASSETS) + "/recipes/" + id + ".json", 0.5, {}, parts);
  params.set("overview.level", 80.0);
  return program_of(id, params);
}

/// test/fixtures/programs/<id>.txt holds each recipe at 0.5 µm a pixel, its slide's level being 80. Where a recipe is changed
/// on purpose, MORPHO_WRITE_PROGRAMS=1 writes the fixtures anew.
TEST(Program, OfEachRecipeIsWhatItsFixtureSays) {
  for (const PipelineInfo& info : pipelines()) {
    SCOPED_TRACE(info.id);
    const std::string path = std::string(MORPHO_FIXTURES) + "/programs/" + info.id + ".txt";
    const std::string text = text_of(program(info.id));
    if (std::getenv("MORPHO_WRITE_PROGRAMS")) std::ofstream(path) << text;
    std::stringstream want;
    want << std::ifstream(path).rdbuf();
    EXPECT_EQ(text, want.str());
  }
}

TEST(Program, PlanesAreTakenOnceInsideTheirBlockAndBeforeTheyAreUsed) {
  for (const PipelineInfo& info : pipelines()) {
    SCOPED_TRACE(info.id);
    const Program p = program(info.id);
    std::vector<std::set<i32>> blocks(1);
    const auto alive = [&](Field f) {
      return std::any_of(blocks.begin(), blocks.end(), [&](const auto& b) { return b.count(f.number) != 0; });
    };
    std::set<i32> ever, written;
    for (const Step& s : p.steps) {
      if (begins_block(s.op)) blocks.emplace_back();
      if (s.op == Op::end) {
        ASSERT_GT(blocks.size(), 1u);
        blocks.pop_back();
      }
      if (s.op == Op::take) {
        EXPECT_TRUE(ever.insert(s.out[0].number).second);
        blocks.back().insert(s.out[0].number);
        continue;
      }
      for (const Field& f : s.in) {
        EXPECT_TRUE(!f.present() || (alive(f) && written.count(f.number))) << name_of(s.op) << " %" << f.number;
      }
      for (const Field& f : s.out) {
        EXPECT_TRUE(alive(f)) << name_of(s.op) << " %" << f.number;
        written.insert(f.number);
      }
    }
    EXPECT_EQ(blocks.size(), 1u);
    EXPECT_EQ(ever.size(), p.planes.size());
  }
}

TEST(Program, SaysHowFarEachStepReaches) {
  const Program p = program("iwpp-nuclei", true);
  const auto step = [&](Op op) {
    return *std::find_if(p.steps.begin(), p.steps.end(), [&](const Step& s) { return s.op == op; });
  };
  EXPECT_EQ(step(Op::morphology).reach.px, 18);  // an opening by a disk of 9 px
  EXPECT_EQ(step(Op::geodesic_dilate).reach.px, std::get<GeodesicParams>(step(Op::geodesic_dilate).params).steps);
  EXPECT_EQ(step(Op::threshold).reach.kind, Reach::Kind::pointwise);
  EXPECT_EQ(step(Op::area_filter).reach.kind, Reach::Kind::component);
  EXPECT_EQ(step(Op::h_extrema).reach.kind, Reach::Kind::global);
}

TEST(Program, OfOneSetOfParametersIsAlwaysTheSame) {
  for (const PipelineInfo& info : pipelines()) EXPECT_EQ(text_of(program(info.id)), text_of(program(info.id)));
}

}  // namespace
}  // namespace morpho::test
