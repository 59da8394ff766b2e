// Why a pixel is in an object or in none: the answer is the whole slide's, and the value that a judgement measured is the one
// at which it turns.
#include "engine/query/cuts.hpp"
#include "engine/query/kept_plane.hpp"
#include "engine/query/explain.hpp"
#include "../support/json.hpp"
#include "../support/recipe_defaults.hpp"
#include "../support/same_output.hpp"
#include "../support/tissue.hpp"

namespace morpho::test {
namespace {

using namespace engine;

constexpr Extent kSlide{420, 330};
const char* const kEachRecipe[] = {"he-nuclei",   "ihc-nuclei",      "fluorescence-nuclei",
                                   "iwpp-nuclei", "max-tree-nuclei", "cell-detection"};

std::string file_of(const std::string& id) { return std::string(MORPHO_ASSETS) + "/recipes/" + id + ".json"; }

class ExplainTest : public ::testing::Test {
 protected:
  ExplainTest() : pixels_(tissue(kSlide.width, kSlide.height).pixels()) {
    slide::SlideInfo info;
    info.path = "tissue", info.reader = "a test";
    slide_ = slide::memory_slide(info, View<const Rgba>(pixels_.data(), kSlide));
  }
  WindowJob job(const std::string& id, const std::vector<std::string>& changes = {}) const {
    WindowJob job;
    job.slide = slide_;
    job.image = job.extent = kSlide;
    job.core = {0, 0, kSlide.width, kSlide.height};
    job.plan = plan_of(id, params(id, changes));
    return job;
  }
  Params params(const std::string& id, const std::vector<std::string>& changes = {}) const {
    Workspace w;
    Context ctx = context(w);
    return with_overview(cpu::table(), ctx, id, recipe_params(file_of(id), 0.5, changes),
                         View<const Rgba>(pixels_.data(), kSlide));
  }
  static std::vector<u8> inside(const WindowDone& whole) {
    std::vector<u8> in(static_cast<std::size_t>(kSlide.area()), 0);
    for (const morpho::Run& r : whole.output.objects.runs)
      for (i32 x = r.x0; x < r.x1; ++x) in[static_cast<std::size_t>(r.y) * kSlide.width + x] = 1;
    return in;
  }
  std::vector<Rgba> pixels_;
  std::shared_ptr<slide::Slide> slide_;
};

TEST_F(ExplainTest, SaysOfEveryPixelWhatTheWholeSlideGives) {
  for (const char* id : kEachRecipe) {
    SCOPED_TRACE(id);
    Resources resources;
    const WindowJob asked = job(id);
    const std::vector<u8> want = inside(run_window(asked, resources, nullptr));
    int in = 0, out = 0, certain = 0, told = 0;
    for (i32 y = 3; y < kSlide.height; y += 61) {
      for (i32 x = 5; x < kSlide.width; x += 37) {
        const Explanation why = explain(asked, x, y, resources, nullptr);
        const bool is = want[static_cast<std::size_t>(y) * kSlide.width + x] != 0;
        EXPECT_EQ(why.inside, is) << x << "," << y;
        EXPECT_EQ(is_inside(asked, x, y, resources, nullptr).inside, is) << x << "," << y;
        EXPECT_FALSE(why.values.empty());
        (is ? in : out) += 1;
        certain += why.certain;
        bool failed = false, held = false;
        for (const Judgement& j : why.judgements) failed = failed || !j.kept;
        for (const morpho::Run& r : why.shape) held = held || (r.y == y && r.x0 <= x && x < r.x1);
        // What is kept is outlined; what is not was dropped by some rule, but for what no parameter of a threshold decides.
        if (is) EXPECT_TRUE(held) << x << "," << y;
        else told += failed;
      }
    }
    EXPECT_GT(in, 2);
    EXPECT_GT(out, 8);
    EXPECT_GT(certain, (in + out) * 9 / 10);
    EXPECT_GE(told, out * 9 / 10);
  }
}

TEST_F(ExplainTest, MeasuresTheValueAtWhichEachRuleTurns) {
  int turned = 0;
  for (const char* id : kEachRecipe) {
    // Of several nodes another may come closest then.
    if (std::string(id) == "max-tree-nuclei") continue;
    Resources resources;
    const WindowJob asked = job(id);
    for (i32 y = 3; y < kSlide.height; y += 61) {
      for (i32 x = 5; x < kSlide.width; x += 37) {
        const Explanation why = explain(asked, x, y, resources, nullptr);
        // What is judged later may change with what was decided before: the first rule that is told by a number.
        const auto first = std::find_if(why.judgements.begin(), why.judgements.end(), [](const Judgement& j) {
          return !j.kept && j.measured && j.what != Decides::hole_area;
        });
        if (why.inside || first == why.judgements.end()) continue;
        SCOPED_TRACE(std::string(id) + " " + first->param + " at " + std::to_string(x) + "," + std::to_string(y));
        const bool up = first->what == Decides::end_area;
        const auto kept_with = [&](double value) {
          WindowJob other = asked;
          Params values = params(id);
          values.set(first->param, value);
          other.plan = plan_of(id, values);
          const Explanation now = explain(other, x, y, resources, nullptr);
          for (const Judgement& j : now.judgements)
            if (j.what == first->what && j.param == first->param) return j.kept;
          return false;
        };
        // Where the limits of the recipe let that value be.
        const double beside = std::max(std::abs(*first->measured) * 0.01, 0.02);
        const double good = *first->measured + (up ? beside + 1 : -beside - (first->what == Decides::peak ? 1 : 0));
        const double bad = *first->measured + (up ? -beside - 1 : beside);
        const double least = first->what == Decides::above && first->param == "threshold.level" ? 0.1 : 0;
        if (good < least) continue;
        try {
          EXPECT_TRUE(kept_with(good));
          EXPECT_FALSE(kept_with(bad));
          ++turned;
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), ErrorCode::invalid_parameter);  // beyond what the parameter may be
        }
      }
    }
  }
  EXPECT_GT(turned, 40);
}

TEST_F(ExplainTest, AKeptPlaneIsTheWholeRuns) {
  for (const char* recipe : {"he-nuclei", "ihc-nuclei", "max-tree-nuclei"}) {
    SCOPED_TRACE(recipe);
    Resources resources;
    WindowJob field = job(recipe);
    field.core = {60, 40, 200, 150};
    WindowJob whole = field;
    whole.want_planes = true;
    const WindowOutput all = run_window_once(whole, resources, nullptr).output;
    ASSERT_GT(all.planes.size(), 2u);
    for (const NamedPlane& want : all.planes) {
      const auto got = kept_plane(field, want.name, resources, nullptr);
      ASSERT_TRUE(got) << want.name;
      EXPECT_EQ(got->type, want.type);
      EXPECT_EQ(got->bytes, want.bytes) << want.name;
    }
    const auto cancelled = [&](const char* plane) {
      const CancelFlag cancel{true};
      try {
        return !kept_plane(field, plane, resources, &cancel);
      } catch (const Cancelled&) {
        return false;
      }
    };
    EXPECT_FALSE(cancelled("channel"));
    EXPECT_TRUE(cancelled("no such plane"));  // which reads no pixel
  }
}

TEST_F(ExplainTest, CutsOfAFieldAreWhereEachPixelsThresholdTurns) {
  struct Slider {
    const char *recipe, *param;
    double low, step;
  };
  for (const Slider& s : {Slider{"he-nuclei", "threshold.level", 0.3, 0.05},
                          {"fluorescence-nuclei", "threshold.level", 0.3, 0.05},
                          {"iwpp-nuclei", "mask.level", 0, 1},
                          {"cell-detection", "nucleus.threshold", 0, 0.01}}) {
    SCOPED_TRACE(s.recipe);
    Resources resources;
    WindowJob field = job(s.recipe);
    field.core = {60, 40, 200, 150};
    const std::vector<u8> k = cuts(field, {s.param, s.low, s.step}, resources, nullptr).steps;
    ASSERT_EQ(k.size(), 200u * 150);
    EXPECT_NE(*std::min_element(k.begin(), k.end()), *std::max_element(k.begin(), k.end()));
    // The parameter's own value changes nothing but what rounding it may.
    WindowJob other = field;
    Params values = params(s.recipe);
    values.set(s.param, s.low + 7 * s.step);
    other.plan = plan_of(s.recipe, values);
    const std::vector<u8> again = cuts(other, {s.param, s.low, s.step}, resources, nullptr).steps;
    std::size_t differ = 0;
    for (std::size_t p = 0; p < k.size(); ++p) differ += k[p] != again[p];
    EXPECT_LT(differ, k.size() / 200);
    int told = 0;
    for (i32 y = 5; y < 150; y += 47) {
      for (i32 x = 3; x < 200; x += 43) {
        for (const Judgement& j : explain(field, 60 + x, 40 + y, resources, nullptr).judgements) {
          if (j.what != Decides::above) continue;
          const double exact = std::clamp((*j.measured - s.low) / s.step, 0.0, 255.0);
          EXPECT_LE(std::abs(k[static_cast<std::size_t>(y) * 200 + x] - exact), 1.0) << x << "," << y;
          ++told;
        }
      }
    }
    EXPECT_GT(told, 10);
    EXPECT_TRUE(cuts(field, {"objects.minArea", 0, 1}, resources, nullptr).steps.empty());
  }
}

TEST_F(ExplainTest, KeepsItsStagesAndRefusesWhatIsNoPixel) {
  Resources resources;
  WindowJob asked = job("he-nuclei");
  explain(asked, 200, 160, resources, nullptr);
  EXPECT_GT(resources.stages.held_bytes(), 0u);
  EXPECT_THROW(explain(asked, kSlide.width, 0, resources, nullptr), Error);
  EXPECT_THROW(is_inside(asked, 0, -1, resources, nullptr), Error);
}

}  // namespace
}  // namespace morpho::test
