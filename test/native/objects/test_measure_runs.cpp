// Objects of given pixels: what a recipe found, given as pixels, has the same figures, whatever field lies around it.
#include <cmath>
#include <cstring>

#include "engine/query/cell_measures.hpp"
#include "engine/query/measure_runs.hpp"
#include "engine/window/window.hpp"
#include "../support/recipe_defaults.hpp"
#include "../support/same_output.hpp"
#include "../support/tissue.hpp"

namespace morpho::test {
namespace {

using namespace engine;

constexpr Extent kSlide{420, 330};

TEST(MeasureRuns, GivesWhatTheRecipeGivesForTheSamePixels) {
  const auto pixels = tissue(kSlide.width, kSlide.height).pixels();
  slide::SlideInfo info;
  info.path = "tissue", info.reader = "a test";
  WindowJob job;
  job.slide = slide::memory_slide(info, View<const Rgba>(pixels.data(), kSlide));
  job.image = job.extent = kSlide;
  job.core = {0, 0, kSlide.width, kSlide.height};
  Workspace w;
  Context ctx = context(w);
  job.plan = plan_of("he-nuclei", with_overview(cpu::table(), ctx, "he-nuclei",
                                                recipe_params(std::string(MORPHO_ASSETS) + "/recipes/he-nuclei.json", 0.5, {}),
                                                View<const Rgba>(pixels.data(), kSlide)));
  Resources resources;
  const ObjectSet found = run_window_once(job, resources, nullptr).output.objects;
  ASSERT_GT(found.objects.size(), 3u);
  for (std::size_t k = 0; k < found.objects.size(); ++k) {
    const ObjectMeasurement& m = found.objects[k];
    const std::vector<morpho::Run> runs(found.runs.begin() + found.run_offsets[k],
                                        found.runs.begin() + found.run_offsets[k + 1]);
    const std::vector<i32> offsets{0, static_cast<i32>(runs.size())};
    WindowJob field = job;
    field.core = {m.min_x, m.min_y, m.max_x - m.min_x + 1, m.max_y - m.min_y + 1};
    const ObjectSet again = measure_runs(field, runs, offsets, resources, nullptr).objects;
    ASSERT_EQ(again.objects.size(), 1u);
    ObjectMeasurement moved = again.objects[0];
    EXPECT_EQ(moved.first_x + field.core.x, m.first_x);
    EXPECT_EQ(moved.centroid_x + static_cast<double>(field.core.x), m.centroid_x);
    EXPECT_EQ(moved.centroid_y + static_cast<double>(field.core.y), m.centroid_y);
    EXPECT_EQ(moved.area, m.area);
    for (const auto figure : {&ObjectMeasurement::perimeter, &ObjectMeasurement::major_axis, &ObjectMeasurement::minor_axis,
                              &ObjectMeasurement::eccentricity, &ObjectMeasurement::orientation,
                              &ObjectMeasurement::circularity, &ObjectMeasurement::solidity})
      EXPECT_EQ(moved.*figure, m.*figure);
    EXPECT_EQ(std::memcmp(moved.stain_mean, m.stain_mean, sizeof m.stain_mean), 0);
    EXPECT_EQ(std::memcmp(moved.stain_std, m.stain_std, sizeof m.stain_std), 0);
    EXPECT_EQ(std::memcmp(moved.stain_min, m.stain_min, sizeof m.stain_min), 0);
    EXPECT_EQ(std::memcmp(moved.stain_max, m.stain_max, sizeof m.stain_max), 0);
    EXPECT_EQ(again.runs.size(), runs.size());
    // The planes that these are of are the recipe's.
    EXPECT_FALSE(std::isnan(m.contrast) || std::isnan(m.score));
    EXPECT_TRUE(std::isnan(moved.contrast) && std::isnan(moved.score));

    field.core.width -= 1;
    if (field.core.width > 0) {
      EXPECT_THROW(measure_runs(field, runs, offsets, resources, nullptr), Error);
    }
  }
  // The cells around them, given back as pixels, have the same px and figures.
  const CellParams reach{9, 2};
  const MembraneRule rule{0, 0.1, 0.1, 0.5, 0.2, 0.4};
  const std::vector<u8> wanted(found.objects.size(), 1);
  const Cells cells = measure_cells(job, found, wanted, reach, rule, resources, nullptr);
  const auto given = [&](const std::vector<morpho::Run>& runs, const std::vector<i32>& offsets) {
    return measure_given_cells(job, found, runs, offsets, reach.ring, rule, resources, nullptr);
  };
  const std::vector<i32> ends(cells.runs.offsets.begin(), cells.runs.offsets.end());
  const Cells same = given(cells.runs.runs, ends);
  ASSERT_EQ(same.runs.offsets, cells.runs.offsets);
  ASSERT_EQ(same.figures.values.size(), cells.figures.values.size());
  EXPECT_EQ(std::memcmp(same.figures.values.data(), cells.figures.values.data(), 8 * cells.figures.values.size()), 0);
  for (std::size_t r = 0; r < cells.runs.runs.size(); ++r)
    EXPECT_EQ(std::memcmp(&same.runs.runs[r], &cells.runs.runs[r], sizeof(morpho::Run)), 0);
  EXPECT_THROW(given(cells.runs.runs, {0, 0}), Error);
  std::vector<morpho::Run> beyond = cells.runs.runs;
  beyond.back().x1 = kSlide.width + 1;
  EXPECT_THROW(given(beyond, ends), Error);
  const Cells none = given({}, std::vector<i32>(found.objects.size() + 1, 0));
  EXPECT_TRUE(none.runs.runs.empty());
  for (const double value : none.figures.values) EXPECT_TRUE(std::isnan(value));

  const std::vector<morpho::Run> shared{{4, 5, 9}, {4, 8, 12}}, one{{4, 5, 9}};
  const std::vector<i32> two{0, 1, 2}, none_and_one{0, 0, 1};
  EXPECT_THROW(measure_runs(job, shared, two, resources, nullptr), Error);
  EXPECT_THROW(measure_runs(job, one, none_and_one, resources, nullptr), Error);
}

}  // namespace
}  // namespace morpho::test
