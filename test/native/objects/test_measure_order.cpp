// The order of measured objects and of their runs, for labels of any size and any number of threads.
#include <algorithm>
#include <random>

#include "cpu/cpu_ops.hpp"
#include "../support/local_sizes.hpp"

namespace morpho::test {
namespace {

/// Runs sorted by label as the standard library does it; labels of 1, 2 and 3 digits of the operation's own sort, runs of
/// several pieces.
TEST(MeasureOrder, RunsStandInOrderForAnyLabelsAndThreads) {
  struct Sorted {
    i32 label;
    morpho::Run run;
  };
  std::mt19937 rng(81);
  const Extent e{401, 317};
  Image<Rgba> colors(e.width, e.height, Rgba{90, 60, 120, 255});
  for (i32 most : {1, 2047, 2048, 1 << 22, INT32_MAX}) {
    Image<i32> f(e.width, e.height, 0, 5);
    for (i64 p = 0; p < f.area(); ++p) {
      const i32 some = static_cast<i32>(rng() % 1024);
      f[p] = rng() % 8 == 0 ? -some : some < 20 ? std::max(1, most - some) : 1 + static_cast<i32>(i64{most - 1} * some / 1024);
    }
    std::vector<Sorted> sorted;
    for (i32 y = 0; y < e.height; ++y) {
      for (i32 x = 0, end; x < e.width; x = end) {
        for (end = x + 1; end < e.width && f.at(end, y) == f.at(x, y);) ++end;
        if (f.at(x, y) > 0) sorted.push_back({f.at(x, y), {y, x, end}});
      }
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Sorted& a, const Sorted& b) { return a.label < b.label; });
    ASSERT_GT(sorted.size(), most == 1 ? 10'000u : 70'000u);
    Workspace w;
    ObjectSet set;  // of an earlier call with more, and with colours
    Context first = context(w, 1);
    cpu::measure(first, f.cplane(), colors.view(), {}, {}, set, {});
    set.objects.resize(set.objects.size() + 7);
    set.runs.resize(set.runs.size() + 7);
    for (int threads : {1, 2, 5}) {
      Context ctx = context(w, threads);
      cpu::measure(ctx, f.cplane(), {}, {}, {}, set, {});
      ASSERT_EQ(set.runs.size(), sorted.size());
      ASSERT_EQ(set.run_offsets.size(), set.objects.size() + 1);
      ASSERT_EQ(set.run_offsets.front(), 0);
      ASSERT_EQ(set.run_offsets.back(), static_cast<i64>(sorted.size()));
      for (std::size_t object = 0; object < set.objects.size(); ++object) {
        ASSERT_EQ(set.objects[object].stain_max[0], 0);
        ASSERT_LT(object > 0 ? set.objects[object - 1].label : 0, set.objects[object].label);
        ASSERT_LT(set.run_offsets[object], set.run_offsets[object + 1]);
        for (i64 i = set.run_offsets[object]; i < set.run_offsets[object + 1]; ++i) {
          const Sorted& want = sorted[static_cast<std::size_t>(i)];
          const morpho::Run& run = set.runs[static_cast<std::size_t>(i)];
          ASSERT_EQ(set.objects[object].label, want.label);
          ASSERT_TRUE(run.y == want.run.y && run.x0 == want.run.x0 && run.x1 == want.run.x1) << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace morpho::test
