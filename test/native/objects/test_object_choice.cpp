// What recipes decide by: sums over labels, the exact tests on them, new labels, chosen tree nodes, cleared rims.
#include <cmath>
#include <cstring>

#include "contract/object_choice.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

const OpTable& ops() { return cpu::table(); }

std::vector<LabelSums> sums_of(View<const i32> labels, i32 count, ConstPlane value, ConstPlane below, int threads = 1) {
  std::vector<LabelSums> sums(static_cast<std::size_t>(count) + 1, LabelSums{9, 9, 9, 9, 9, 9, 9, 9, 9});
  Workspace w;
  Context ctx = context(w, threads);
  ops().label_sums(ctx, labels, count, value, below, sums.data());
  return sums;
}
auto values_of(const LabelSums& s) {
  return std::make_tuple(s.area, s.x, s.y, s.xx, s.yy, s.xy, s.value, s.first_x, s.first_y);
}

std::vector<i32> choice_of(const std::vector<LabelSums>& sums, const LabelRule& rule) {
  std::vector<i32> map(sums.size(), 77);
  Workspace w;
  Context ctx = context(w);
  ops().choose_labels(ctx, sums.data(), static_cast<i32>(sums.size()) - 1, map.data(), rule);
  return map;
}

TEST(ObjectChoice, SumsAndTestsAgreeWithTheirDefinitions) {
  std::mt19937 rng(11);
  for (int round = 0; round < 20; ++round) {
    const auto labels = random_image<i32>(rng, 23, 17, 4);
    const auto value = random_image<u8>(rng, 23, 17, 256), below = random_image<u8>(rng, 23, 17, 100);
    const auto sums = sums_of(labels.view(), 3, value.cplane(), below.cplane());
    EXPECT_EQ(values_of(sums[0]), values_of({}));
    for (i32 l = 1; l <= 3; ++l) {
      const auto& s = sums[static_cast<std::size_t>(l)];
      LabelSums plain{};
      for (i64 p = 0; p < labels.area(); ++p) {
        if (labels[p] != l) continue;
        const i64 x = p % 23 - s.first_x, y = p / 23 - s.first_y;
        EXPECT_TRUE(plain.area > 0 || (x == 0 && y == 0));
        plain.area += 1, plain.x += x, plain.y += y, plain.xx += x * x, plain.yy += y * y, plain.xy += x * y;
        plain.value += value[p] - below[p];
      }
      plain.first_x = s.first_x, plain.first_y = s.first_y;
      EXPECT_EQ(values_of(s), values_of(plain));
      const double n = static_cast<double>(s.area), mx = s.x / n, my = s.y / n;
      const double vx = s.xx / n - mx * mx + 1.0 / 12, vy = s.yy / n - my * my + 1.0 / 12, vxy = s.xy / n - mx * my;
      const double det = vx * vy - vxy * vxy, ellipticity = n / (4 * 3.14159265358979 * std::sqrt(det));
      EXPECT_TRUE(objects::is_elliptic(s, objects::ellipticity_factor(ellipticity * 0.999)));
      EXPECT_FALSE(objects::is_elliptic(s, objects::ellipticity_factor(ellipticity * 1.001)));
      EXPECT_NEAR(static_cast<double>(objects::ellipticity_q10(s)), ellipticity * 1024, 1.01);
      const double root = std::sqrt((vx + vy) * (vx + vy) - 4 * det), ratio = std::sqrt((vx + vy + root) / (vx + vy - root));
      EXPECT_TRUE(objects::is_compact(s, objects::elongation_factor(ratio * 1.01)));
      EXPECT_TRUE(ratio <= 1.02 || !objects::is_compact(s, objects::elongation_factor(ratio * 0.99)));
      const double contrast = s.value / n * std::pow(n / 50, 0.25);
      if (contrast > 1) {
        EXPECT_TRUE(objects::has_contrast(s, objects::contrast_level(contrast - 0.1), objects::contrast_area(50)));
        EXPECT_FALSE(objects::has_contrast(s, objects::contrast_level(contrast + 0.1), objects::contrast_area(50)));
      }
    }
  }
  EXPECT_FALSE(objects::is_elliptic({}, objects::ellipticity_factor(0.5)));
  // The largest object that is still tested, as a disk would have it, and as a line: neither overflows.
  LabelSums line{};
  for (i64 x = 0; x < 65535; ++x) line.area += 1, line.x += x, line.xx += x * x, line.value += 255;
  EXPECT_FALSE(objects::is_elliptic(line, objects::ellipticity_factor(0.98)) &&
               objects::is_compact(line, objects::elongation_factor(5)));
  EXPECT_FALSE(objects::has_contrast(line, objects::contrast_level(255), objects::contrast_area(1e6)));
  EXPECT_TRUE(objects::has_contrast(line, objects::contrast_level(200), objects::contrast_area(100)));
}

TEST(ObjectChoice, SumsAreTheSameForAnyThreadsAndFarFromTheOrigin) {
  std::mt19937 rng(12);
  const auto labels = random_image<i32>(rng, 301, 900, 9);  // 0 to 8, of which 6 are counted
  const auto value = random_image<u8>(rng, 301, 900, 256);
  const auto one = sums_of(labels.view(), 6, value.cplane(), {});
  ASSERT_EQ(one.size(), 7u);
  for (int threads : {2, 5}) {
    const auto more = sums_of(labels.view(), 6, value.cplane(), {}, threads);
    for (std::size_t l = 0; l < one.size(); ++l) EXPECT_EQ(values_of(more[l]), values_of(one[l])) << l;
  }
  // Four pixels at the end of a row whose x³ does not fit 64 bits: sums that wrapped on the way are right again.
  Image<i32> row(5'000'000, 1);
  for (i32 x = 4'999'996; x < 5'000'000; ++x) row.at(x, 0) = 2;
  const auto far = sums_of(row.view(), 2, {}, {});
  EXPECT_EQ(values_of(far[2]), (std::make_tuple(i64{4}, i64{6}, i64{0}, i64{14}, i64{0}, i64{0}, i64{0}, 4'999'996, 0)));
  EXPECT_EQ(far[1].area, 0);
}

TEST(ObjectChoice, EachPartOfARuleRefusesByItself) {
  // 1: three pixels in a row; 2: a square of four; 3: one bright pixel; 4: not there.
  const auto labels = image_of<i32>(5, 2, {1, 1, 1, 2, 2, 3, 0, 0, 2, 2});
  const auto value = image_of<u8>(5, 2, {10, 20, 30, 40, 40, 90, 0, 0, 40, 40});
  const auto sums = sums_of(labels.view(), 4, value.cplane(), {});
  EXPECT_EQ(choice_of(sums, {}), (std::vector<i32>{0, 1, 2, 3, 0}));
  LabelRule area;
  area.min_area = 2;
  EXPECT_EQ(choice_of(sums, area), (std::vector<i32>{0, 1, 2, 0, 0}));
  area.end_area = 4;
  EXPECT_EQ(choice_of(sums, area), (std::vector<i32>{0, 1, 0, 0, 0}));
  LabelRule mean;
  mean.mean_above = 20 * 1024;
  EXPECT_EQ(choice_of(sums, mean), (std::vector<i32>{0, 0, 1, 2, 0}));  // a mean of 20 is not above 20
  LabelRule elliptic;
  elliptic.ellipticity = objects::ellipticity_factor(0.95);
  const std::vector<i32> round = choice_of(sums, elliptic);
  for (std::size_t l = 1; l <= 3; ++l)
    EXPECT_EQ(round[l] > 0, static_cast<double>(objects::ellipticity_q10(sums[l])) >= 0.95 * 1024) << l;
  LabelRule contrast;
  contrast.contrast = objects::contrast_level(39);
  contrast.contrast_area = 4;
  EXPECT_EQ(choice_of(sums, contrast), (std::vector<i32>{0, 0, 1, 2, 0}));  // 90 of one pixel counts as 63.6
  EXPECT_EQ(objects::whole_area(2.0), 2);
  EXPECT_EQ(objects::whole_area(2.1), 3);
}

TEST(ObjectChoice, RelabelledImagesHoldTheMapsValues) {
  const auto labels = image_of<i32>(4, 2, {1, 2, 3, 0, 4, 4, 300, -2}, 3);
  const std::vector<i32> map{7, 0, 1, -5, 400};
  Image<i32> wide(4, 2, -1, 1);
  Image<u8> narrow(4, 2, 9);
  Workspace w;
  Context ctx = context(w);
  ops().relabel(ctx, labels.cplane(), wide.plane(), map.data(), 4);
  EXPECT_EQ(wide.pixels(), (std::vector<i32>{0, 1, -5, 7, 400, 400, 0, 0}));
  ops().relabel(ctx, labels.cplane(), narrow.plane(), map.data(), 4);
  EXPECT_EQ(narrow.pixels(), (std::vector<u8>{0, 1, 0, 7, 255, 255, 0, 0}));
  auto own = labels;
  ops().relabel(ctx, own.cplane(), own.plane(), map.data(), 4);
  EXPECT_EQ(own.pixels(), wide.pixels());
}

/// Runs of some `length` px of -1, 0, labels, and what is above all labels.
Image<i32> runs_of(std::mt19937& rng, i32 width, i32 height, i32 length, i32 count) {
  Image<i32> out(width, height);
  i32 value = 0;
  for (i64 p = 0; p < out.area(); ++p) {
    if (rng() % static_cast<unsigned>(length) == 0) value = static_cast<i32>(rng() % static_cast<unsigned>(count + 3)) - 1;
    out[p] = value;
  }
  return out;
}

TEST(ObjectChoice, SumsAndNewLabelsAreTheirsHoweverLongRunsAre) {
  std::mt19937 rng(12);
  constexpr std::pair<i32, i32> kSizes[] = {{1, 1}, {1, 70}, {64, 3}, {65, 3}, {66, 3}, {129, 3}, {300, 2}, {300, 900}};
  for (const auto& [width, height] : kSizes) {
    for (const i32 length : {1, 6, 40, 1000}) {
      SCOPED_TRACE(std::to_string(width) + " " + std::to_string(height) + " " + std::to_string(length));
      const i32 count = 9;
      const auto labels = runs_of(rng, width, height, length, count);
      const auto value = random_image<u16>(rng, width, height, 60000), below = random_image<u16>(rng, width, height, 60000);
      std::vector<std::pair<i64, i64>> plain(static_cast<std::size_t>(count) + 1);
      std::vector<i32> map;
      for (i32 l = 0; l <= count; ++l) map.push_back(static_cast<i32>(rng() % 3) * 150 + (l == 4 ? 0 : l));
      map[4] = 4;  // keeps its own
      Image<i32> want(width, height);
      Image<u8> bytes(width, height);
      for (i64 p = 0; p < labels.area(); ++p) {
        const i32 l = labels[p];
        if (l > 0 && l <= count) {
          plain[static_cast<std::size_t>(l)].first += 1;
          plain[static_cast<std::size_t>(l)].second += value[p] - below[p];
        }
        want[p] = l < 0 || l > count ? 0 : map[static_cast<std::size_t>(l)];
        bytes[p] = static_cast<u8>(std::min(want[p], 255));
      }
      for (const int threads : {1, 2, 7}) {
        const auto sums = sums_of(labels.view(), count, value.cplane(), below.cplane(), threads);
        for (std::size_t l = 1; l < plain.size(); ++l) EXPECT_EQ(std::pair(sums[l].area, sums[l].value), plain[l]);
        Workspace w;
        Context ctx = context(w, threads);
        Image<i32> wide(width, height), own = labels;
        Image<u8> narrow(width, height);
        ops().relabel(ctx, labels.cplane(), wide.plane(), map.data(), count);
        ops().relabel(ctx, own.cplane(), own.plane(), map.data(), count);
        ops().relabel(ctx, labels.cplane(), narrow.plane(), map.data(), count);
        EXPECT_EQ(wide.pixels(), want.pixels());
        EXPECT_EQ(own.pixels(), want.pixels());
        EXPECT_EQ(narrow.pixels(), bytes.pixels());
      }
    }
  }
}

TEST(ObjectChoice, NodesAreTheBestSetOfWhichNoneIsInsideAnother) {
  // Two leaves (0, 1) under 2; 2 and another leaf (3) under the root, 4.
  i32 parent[] = {2, 2, 4, 4, 4};
  NodeTable nodes;
  nodes.parent = parent;
  nodes.count = 5;
  const auto square = [](i64 side, i32 level, i32 above) {
    NodeSums n{};
    n.area = side * side, n.sum_value = n.area * level, n.value = n.peak = level, n.parent_value = above;
    for (i64 y = 0; y < side; ++y) {
      for (i64 x = 0; x < side; ++x) n.sum_x += x, n.sum_y += y, n.sum_xx += x * x, n.sum_yy += y * y, n.sum_xy += x * y;
    }
    return n;
  };
  const auto chosen = [&](i64 parents_side, NodeRule rule) {
    rule.elongation = objects::elongation_factor(2);
    const NodeSums sums[] = {square(4, 90, 60), square(5, 90, 60), square(parents_side, 60, 20), square(3, 50, 20),
                             square(100, 20, 20)};
    i32 map[] = {9, 9, 9, 9, 9};
    Workspace w;
    Context ctx = context(w);
    ops().choose_nodes(ctx, nodes, sums, map, rule);
    return std::vector<i32>(map, map + 5);
  };
  NodeRule rule;
  rule.end_area = 5000;
  EXPECT_EQ(chosen(8, rule), (std::vector<i32>{1, 1, 0, 1, 0}));  // 4 + 5 is more than 8
  EXPECT_EQ(chosen(9, rule), (std::vector<i32>{1, 1, 1, 1, 0}));  // a tie: the node wins over its descendants
  EXPECT_EQ(chosen(10, rule), (std::vector<i32>{1, 1, 1, 1, 0}));
  rule.level = 55;
  EXPECT_EQ(chosen(10, rule), (std::vector<i32>{1, 1, 1, 0, 0}));
  rule.contrast = 35 * 256;
  EXPECT_EQ(chosen(10, rule),
            (std::vector<i32>{1, 1, 1, 0, 0}));  // 40 above the root; its parts are 30 above it, and go with it
  rule.end_area = 100;
  EXPECT_EQ(chosen(10, rule), (std::vector<i32>{0, 0, 0, 0, 0}));
  rule.end_area = 20000;
  rule.contrast = 0;
  rule.level = 20;
  EXPECT_EQ(chosen(10, rule), (std::vector<i32>{1, 1, 1, 1, 1}));  // the root itself
}

TEST(ObjectChoice, RoundingToDoubleByHandIsTheCompilers) {
  std::mt19937_64 rng(5);
  for (int round = 0; round < 4000; ++round) {
    const objects::i128 v = ((static_cast<objects::i128>(rng() >> 1) << 64) | rng()) >> (rng() % 127);
    EXPECT_EQ(objects::nearest_double(v), static_cast<double>(v));
  }
  for (int bit = 53; bit < 126; ++bit) {  // ties, and what is next to them
    const objects::i128 half = (static_cast<objects::i128>(1) << bit) + (static_cast<objects::i128>(1) << (bit - 53));
    for (int d = -1; d <= 1; ++d) EXPECT_EQ(objects::nearest_double(half + d), static_cast<double>(half + d)) << bit;
    const objects::i128 odd = half + (static_cast<objects::i128>(1) << (bit - 52));
    for (int d = -1; d <= 1; ++d) EXPECT_EQ(objects::nearest_double(odd + d), static_cast<double>(odd + d)) << bit;
  }
}

TEST(ObjectChoice, ARimIsClearedAndNothingElse) {
  Workspace w;
  Context ctx = context(w);
  Image<u16> image(5, 4, 600, 2);
  ops().clear_rim(ctx, image.plane(), {1, 0, 2, 1});
  EXPECT_EQ(image.pixels(), (std::vector<u16>{0, 600, 600, 0, 0, 0, 600, 600, 0, 0, 0, 600, 600, 0, 0, 0, 0, 0, 0, 0}));
  for (std::size_t k = 5; k < 7; ++k) EXPECT_EQ(image.data[k], 600);  // between the rows
  Image<i32> all(3, 2, 7, 1);
  ops().clear_rim(ctx, all.plane(), {0, 1000, 0, 0});
  EXPECT_EQ(all.pixels(), std::vector<i32>(6, 0));
  EXPECT_EQ(all.data[3], 7);
}

TEST(ObjectChoice, WhatIsWrongIsNamed) {
  Workspace w;
  Context ctx = context(w);
  Image<i32> labels(4, 3);
  Image<u8> grey(4, 3), other(3, 3);
  Image<u16> wide(4, 3);
  LabelSums sums[3];
  i32 map[3];
  expect_rejected("labels", [&] { ops().label_sums(ctx, grey.cplane(), 2, {}, {}, sums); });
  expect_rejected("value", [&] { ops().label_sums(ctx, labels.cplane(), 2, labels.cplane(), {}, sums); });
  expect_rejected("below", [&] { ops().label_sums(ctx, labels.cplane(), 2, wide.cplane(), grey.cplane(), sums); });
  expect_rejected("value", [&] { ops().label_sums(ctx, labels.cplane(), 2, other.cplane(), {}, sums); });
  expect_rejected("below", [&] { ops().label_sums(ctx, labels.cplane(), 2, {}, grey.cplane(), sums); });
  expect_rejected("count", [&] { ops().label_sums(ctx, labels.cplane(), -1, {}, {}, sums); });
  expect_rejected("sums", [&] { ops().label_sums(ctx, labels.cplane(), 2, {}, {}, nullptr); });
  expect_rejected("map", [&] { ops().choose_labels(ctx, sums, 2, nullptr, {}); });
  LabelRule no_units;
  no_units.contrast_per = 0;
  expect_rejected("contrast_per", [&] { ops().choose_labels(ctx, sums, 2, map, no_units); });
  expect_rejected("out", [&] { ops().relabel(ctx, labels.cplane(), wide.plane(), map, 2); });
  expect_rejected("out", [&] { ops().relabel(ctx, labels.cplane(), other.plane(), map, 2); });
  expect_rejected("map", [&] { ops().relabel(ctx, labels.cplane(), grey.plane(), nullptr, 2); });
  NodeTable nodes;
  nodes.count = 1;
  expect_rejected("nodes", [&] { ops().choose_nodes(ctx, nodes, nullptr, map, {}); });
  NodeRule steep;
  steep.shape_power = 17;
  expect_rejected("shape_power", [&] { ops().choose_nodes(ctx, nodes, nullptr, map, steep); });
  expect_rejected("left", [&] { ops().clear_rim(ctx, grey.plane(), {-1, 0, 0, 0}); });
}

}  // namespace
}  // namespace morpho::test
