// The oracle's small nucleus pipelines on real tiles, step by step through the table's operations.
#include <cmath>

#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"
#include "../support/plain_reconstruct.hpp"

namespace morpho::test {
namespace {

TEST(NucleusCases, EveryStepIsTheOracles) {
  each_case("nucleus_pipeline", [](const Case& c) {
    const auto rgb = c.file("inputs", "rgb");
    const auto values = rgb.as<i32>();
    const i32 h = static_cast<i32>(rgb.shape[0]), w = static_cast<i32>(rgb.shape[1]);
    Image<u8> grey(w, h), opened(w, h), mask(w, h), filled(w, h), kept(w, h), tops(w, h);
    for (i64 p = 0; p < grey.area(); ++p) {
      const std::size_t i = static_cast<std::size_t>(p) * 3;
      grey[p] = static_cast<u8>(255 - (299 * values[i] + 587 * values[i + 1] + 114 * values[i + 2] + 500) / 1000);
    }
    Workspace ws;
    Context ctx = context(ws, 2);
    const auto& params = c.params();
    const auto as = [](const testing_json::Value& v) { return v.integer() == 4 ? Connectivity::four : Connectivity::eight; };
    const Connectivity hole = as(params["hole_connectivity"]);
    cpu::reconstruct(ctx, erode_disk(grey, params["radius"].integer()).cplane(), grey.cplane(), opened.plane(),
                     {By::dilation, c.connectivity(), {}});
    EXPECT_EQ(opened.pixels(), c.output<u8>("opened").pixels());
    for (i64 p = 0; p < grey.area(); ++p) mask[p] = opened[p] > c.json["otsu"].integer();
    cpu::fill_holes(ctx, mask.cplane(), filled.plane(), {hole});
    Image<i32> labels(w, h);
    EXPECT_EQ(cpu::label(ctx, filled.cplane(), labels.plane(), {c.connectivity()}), c.json["components_before_area"].integer());
    AreaFilterParams area;
    area.connectivity = c.connectivity();
    area.min_area = params["min_area"].integer();
    cpu::area_filter(ctx, filled.cplane(), kept.plane(), area);
    EXPECT_EQ(kept.pixels(), c.output<u8>("mask").pixels());
    EXPECT_EQ(cpu::label(ctx, kept.cplane(), labels.plane(), {c.connectivity()}), c.json["components"].integer());

    Image<i32> squared(w, h), markers(w, h);
    cpu::distance(ctx, kept.cplane(), squared.plane(), {});
    EXPECT_EQ(squared.pixels(), c.output<i32>("edt_sq").pixels());
    Image<u16> depth(w, h), f(w, h);
    u16 deepest = 0;
    for (i64 p = 0; p < depth.area(); ++p) {
      const i64 v = 256ll * squared[p];
      i64 r = static_cast<i64>(std::sqrt(static_cast<double>(v)));
      while (r * r > v) --r;
      while ((r + 1) * (r + 1) <= v) ++r;
      depth[p] = static_cast<u16>(r);
      deepest = std::max(deepest, depth[p]);
    }
    cpu::extended_extrema(ctx, depth.cplane(), tops.plane(), {Extremum::maxima, params["h"].integer(), c.connectivity()});
    for (i64 p = 0; p < tops.area(); ++p) tops[p] = tops[p] && kept[p];
    EXPECT_EQ(cpu::label(ctx, tops.cplane(), markers.plane(), {c.connectivity()}), c.json["nuclei"].integer());
    EXPECT_EQ(markers.pixels(), c.output<i32>("markers").pixels());

    for (i64 p = 0; p < f.area(); ++p) f[p] = static_cast<u16>(deepest - depth[p]);
    EXPECT_EQ(cpu::watershed(ctx, f.cplane(), markers.cplane(), kept.cplane(), labels.plane(), {c.connectivity(), false}),
              c.json["nuclei"].integer());
    const auto example = c.output<i32>("labels_example");
    i64 differ = 0;
    for (i64 p = 0; p < f.area(); ++p) {
      ASSERT_EQ(labels[p] > 0, example[p] > 0) << p;
      if (markers[p] > 0) {
        ASSERT_EQ(labels[p], markers[p]) << p;
      }
      differ += labels[p] != example[p];
    }
    EXPECT_LT(differ, f.area() / 50) << "only plateau pixels may fall to another of their markers";
  });
}

}  // namespace
}  // namespace morpho::test
