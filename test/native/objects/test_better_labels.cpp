// Of two segmentations the better objects: by hand, against the definition said once more in plain steps, and with any threads.
#include <map>
#include <set>

#include "contract/object_preference.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {

/// Where gtest finds it.
static bool operator==(const Image<u8>& a, const Image<u8>& b) { return a.extent == b.extent && a.pixels() == b.pixels(); }

namespace {

const OpTable& ops() { return cpu::table(); }

std::vector<LabelSums> sums_of(const Image<i32>& labels, i32 count) {
  std::vector<LabelSums> sums(static_cast<std::size_t>(count) + 1);
  Workspace w;
  Context ctx = context(w);
  ops().label_sums(ctx, labels.view(), count, {}, {}, sums.data());
  return sums;
}

Image<u8> better(const Image<i32>& kept, i32 kept_count, const Image<i32>& candidates, i32 count, const Image<u8>& edge,
                 const PreferenceRule& rule, int threads = 1) {
  const auto a = sums_of(kept, kept_count), b = sums_of(candidates, count);
  Image<u8> out(kept.extent.width, kept.extent.height);
  for (i64 p = 0; p < out.area(); ++p) out[p] = 9;
  Workspace w;
  Context ctx = context(w, threads);
  ops().better_labels(ctx, {kept.cplane(), kept_count, a.data()}, {candidates.cplane(), count, b.data()}, edge.cplane(),
                      out.plane(), rule);
  return out;
}

/// Every object is one ellipse, and all edges are steep: an area of 16 px counts in full.
PreferenceRule by_area() {
  PreferenceRule rule;
  rule.fit_none = 0, rule.fit_full = 1, rule.edge_full = 1, rule.area_full = 16;
  return rule;
}
Image<u8> steep(i32 width, i32 height) {
  Image<u8> edge(width, height);
  for (i64 p = 0; p < edge.area(); ++p) edge[p] = 255;
  return edge;
}

TEST(BetterLabels, TheLargerOfTwoObjectsThatAreAlikeOtherwiseStays) {
  const auto kept = image_of<i32>(6, 3,
                                  {0, 1, 1, 0, 0, 0,  //
                                   0, 1, 1, 0, 0, 2,  //
                                   0, 0, 0, 0, 0, 2});
  const auto larger = image_of<i32>(6, 3,
                                    {1, 1, 1, 0, 0, 0,  //
                                     1, 1, 1, 0, 0, 0,  //
                                     0, 0, 0, 0, 0, 0});
  const auto out = better(kept, 2, larger, 1, steep(6, 3), by_area());
  EXPECT_EQ(out, image_of<u8>(6, 3,
                              {1, 1, 1, 0, 0, 0,  //
                               1, 1, 1, 0, 0, 1,  //
                               0, 0, 0, 0, 0, 1}));
  // The same object does not win over itself, and an object beside all others is taken.
  EXPECT_EQ(better(kept, 2, kept, 2, steep(6, 3), by_area()), image_of<u8>(6, 3,
                                                                           {0, 1, 1, 0, 0, 0,  //
                                                                            0, 1, 1, 0, 0, 1,  //
                                                                            0, 0, 0, 0, 0, 1}));
  PreferenceRule strict = by_area();
  strict.least = 1 << 19;  // half of a full score is an area of 4
  EXPECT_EQ(better(Image<i32>(6, 3), 0, kept, 2, steep(6, 3), strict), image_of<u8>(6, 3,
                                                                                    {0, 1, 1, 0, 0, 0,  //
                                                                                     0, 1, 1, 0, 0, 0,  //
                                                                                     0, 0, 0, 0, 0, 0}));
}

TEST(BetterLabels, OneOverSeveralNeedsTwoThirdsOfTheirScores) {
  // Four and four px are two halves of a full score. All nine together are three quarters, times 1.5.
  const auto two = image_of<i32>(5, 2, {1, 1, 0, 2, 2, 1, 1, 0, 2, 2});
  const auto all = image_of<i32>(5, 2, {1, 1, 1, 1, 1, 1, 1, 1, 1, 0});
  EXPECT_EQ(better(two, 2, all, 1, steep(5, 2), by_area()), image_of<u8>(5, 2, {1, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
  // With 3 px more that each count alone the two are more than one half and a half.
  PreferenceRule rule = by_area();
  rule.area_full = 4;  // both are whole
  EXPECT_EQ(better(two, 2, all, 1, steep(5, 2), rule), image_of<u8>(5, 2, {1, 1, 0, 1, 1, 1, 1, 0, 1, 1}));
}

TEST(BetterLabels, AWinnerLeavesWhatStaysAndAGapBesideIt) {
  // Label 1 lies with less than half of it on the candidate, which wins what is left of it.
  const auto kept = image_of<i32>(7, 1, {0, 0, 0, 0, 1, 1, 1});
  const auto candidate = image_of<i32>(7, 1, {1, 1, 1, 1, 1, 0, 0});
  EXPECT_EQ(better(kept, 1, candidate, 1, steep(7, 1), by_area()), image_of<u8>(7, 1, {1, 1, 1, 0, 1, 1, 1}));
  // Half of this one lies on it, which still is not more than half; of the other more does.
  const auto half = image_of<i32>(7, 1, {0, 0, 0, 1, 1, 0, 0}), most = image_of<i32>(7, 1, {0, 0, 1, 1, 1, 0, 0});
  EXPECT_EQ(better(kept, 1, half, 1, steep(7, 1), by_area()), image_of<u8>(7, 1, {0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(better(kept, 1, most, 1, steep(7, 1), by_area()), image_of<u8>(7, 1, {0, 0, 1, 0, 1, 1, 1}));
}

TEST(BetterLabels, TheSteeperEdgeWins) {
  const auto kept = image_of<i32>(6, 1, {0, 1, 1, 1, 0, 0}), candidate = image_of<i32>(6, 1, {1, 1, 1, 1, 0, 0});
  PreferenceRule rule = by_area();
  rule.area_full = 1, rule.edge_full = 100 * 256;
  // At both sides 60 of 100 inside, 90 at the left outside.
  auto edge = image_of<u8>(6, 1, {90, 60, 0, 60, 0, 0});
  EXPECT_EQ(better(kept, 1, candidate, 1, edge, rule), image_of<u8>(6, 1, {0, 1, 1, 1, 0, 0}))
      << "at an image's rim there is no edge: the candidate has one pixel of 60";
  edge[4] = 0, edge[3] = 80;
  EXPECT_EQ(better(kept, 1, candidate, 1, edge, rule), image_of<u8>(6, 1, {1, 1, 1, 1, 0, 0}));
}

/// Squares in a grid, parted by gaps, some left out.
Image<i32> squares(std::mt19937& rng, i32 width, i32 height, i32& count) {
  const i32 side = static_cast<i32>(rng() % 9) + 2, dx = static_cast<i32>(rng() % 5), dy = static_cast<i32>(rng() % 5);
  const i32 across = width / side + 3;
  std::map<i32, i32> numbers;
  Image<i32> out(width, height);
  for (i32 y = 0; y < height; ++y) {
    for (i32 x = 0; x < width; ++x) {
      const i32 u = x + dx, v = y + dy, cell = v / side * across + u / side;
      if (u % side == 0 || v % side == 0 || cell % 4 == 1) continue;
      out.at(x, y) = numbers.try_emplace(cell, static_cast<i32>(numbers.size()) + 1).first->second;
    }
  }
  count = static_cast<i32>(numbers.size());
  return out;
}

/// What the descriptor says, in plain steps.
Image<u8> as_defined(const Image<i32>& kept, i32 na, const Image<i32>& candidates, i32 nb, const Image<u8>& edge,
                     const PreferenceRule& rule) {
  const auto scores = [&](const Image<i32>& labels, i32 count) {
    const auto sums = sums_of(labels, count);
    std::vector<i64> all{0};
    for (i32 l = 1; l <= count; ++l) {
      objects::EdgeSums e{0, 0};
      for (i32 y = 0; y < labels.extent.height; ++y) {
        for (i32 x = 0; x < labels.extent.width; ++x) {
          if (labels.at(x, y) != l) continue;
          bool rim = false;
          for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
            const i32 u = x + dx, v = y + dy;
            rim = rim || (u >= 0 && v >= 0 && u < labels.extent.width && v < labels.extent.height && labels.at(u, v) != l);
          }
          if (rim) e.pixels += 1, e.sum += edge.at(x, y);
        }
      }
      all.push_back(objects::preference(rule, sums[static_cast<std::size_t>(l)], e));
    }
    return all;
  };
  const auto score_a = scores(kept, na), score_b = scores(candidates, nb);
  std::map<i32, std::map<i32, i64>> shared;  // of kept, on candidates
  std::map<i32, i64> area_a, area_b;
  for (i64 p = 0; p < kept.area(); ++p) {
    area_a[kept[p]] += 1, area_b[candidates[p]] += 1;
    shared[kept[p]][candidates[p]] += 1;
  }
  const auto home_of = [&](i32 a) {
    for (const auto& [b, pixels] : shared[a])
      if (b > 0 && 2 * pixels > area_a[a]) return b;
    return 0;
  };
  std::set<i32> winners;
  for (i32 b = 1; b <= nb; ++b) {
    i64 sum = 0, others = 0;
    int belong = 0;
    for (i32 a = 1; a <= na; ++a) {
      if (home_of(a) == b) sum += score_a[static_cast<std::size_t>(a)], ++belong;
      else others += shared[a][b];
    }
    const i64 own = score_b[static_cast<std::size_t>(b)];
    const bool beats = belong > 1 ? own * 3 > sum * 2 : own > sum;
    if (own >= rule.least && 2 * others <= area_b[b] && beats) winners.insert(b);
  }
  const auto stays = [&](i32 x, i32 y) {
    if (x < 0 || y < 0 || x >= kept.extent.width || y >= kept.extent.height) return false;
    return kept.at(x, y) > 0 && !winners.contains(home_of(kept.at(x, y)));
  };
  Image<u8> out(kept.extent.width, kept.extent.height);
  for (i32 y = 0; y < kept.extent.height; ++y) {
    for (i32 x = 0; x < kept.extent.width; ++x) {
      const bool beside = stays(x - 1, y) || stays(x + 1, y) || stays(x, y - 1) || stays(x, y + 1);
      out.at(x, y) = stays(x, y) || (winners.contains(candidates.at(x, y)) && !beside);
    }
  }
  return out;
}

TEST(BetterLabels, IsWhatItsDescriptorSaysWithAnyThreads) {
  std::mt19937 rng(41);
  int kept_some = 0, changed = 0;
  for (int round = 0; round < 60; ++round) {
    const i32 width = static_cast<i32>(rng() % 40) + 1, height = static_cast<i32>(rng() % 40) + 1;
    i32 na = 0, nb = 0;
    const auto kept = squares(rng, width, height, na), candidates = squares(rng, width, height, nb);
    const auto edge = random_image<u8>(rng, width, height, 256);
    PreferenceRule rule;
    rule.fit_none = 700, rule.edge_full = 256 * 200, rule.area_full = static_cast<i32>(rng() % 60) + 1;
    if (round % 3 == 0) rule.least = 1 << 18;
    const auto want = as_defined(kept, na, candidates, nb, edge, rule);
    for (const int threads : {1, 3}) EXPECT_EQ(better(kept, na, candidates, nb, edge, rule, threads), want) << round;
    for (i64 p = 0; p < want.area(); ++p) {
      kept_some += want[p] != 0 && kept[p] != 0 && candidates[p] == 0;
      changed += want[p] != (kept[p] > 0);
    }
  }
  EXPECT_GT(kept_some, 500);
  EXPECT_GT(changed, 500);
  // Rows enough that threads share them.
  i32 na = 0, nb = 0;
  const auto kept = squares(rng, 300, 2000, na), candidates = squares(rng, 300, 2000, nb);
  const auto edge = random_image<u8>(rng, 300, 2000, 256);
  PreferenceRule rule;
  rule.fit_none = 700, rule.edge_full = 256 * 200, rule.area_full = 60;
  const auto one = better(kept, na, candidates, nb, edge, rule);
  for (const int threads : {2, 5}) EXPECT_EQ(better(kept, na, candidates, nb, edge, rule, threads), one);
}

/// Ragged pieces, of which a row may hold several of one, and beside them values that are no labels; `clean` has 0 there.
Image<i32> ragged(std::mt19937& rng, i32 width, i32 height, i32 share, i32& count, Image<i32>& clean) {
  Image<u8> set(width, height);
  for (i64 p = 0; p < set.area(); ++p) set[p] = static_cast<i32>(rng() % 100) < share;
  Image<i32> out(width, height);
  Workspace w;
  Context ctx = context(w);
  count = ops().label(ctx, set.cplane(), out.plane(), {Connectivity::four});
  clean = out;
  for (i64 p = 0; p < out.area(); ++p)
    if (out[p] == 0 && rng() % 4 == 0) out[p] = rng() % 2 == 0 ? -3 : count + 1;
  return out;
}

TEST(BetterLabels, OfRaggedObjectsWithSeveralRunsInARow) {
  std::mt19937 rng(43);
  constexpr std::pair<i32, i32> kSizes[] = {{1, 1}, {1, 90}, {90, 1}, {64, 5}, {65, 5}, {66, 7}, {129, 6}, {200, 9}, {33, 40}};
  int round = 0, changed = 0;
  for (const auto& [width, height] : kSizes) {
    for (const i32 share : {0, 40, 60, 75, 100}) {
      i32 na = 0, nb = 0;
      Image<i32> a(1, 1), b(1, 1);
      const auto kept = ragged(rng, width, height, share, na, a), candidates = ragged(rng, width, height, 65, nb, b);
      const auto edge = random_image<u8>(rng, width, height, 256);
      PreferenceRule rule;
      rule.fit_none = 200, rule.edge_full = 256 * 200, rule.area_full = 90;
      const auto want = as_defined(a, na, b, nb, edge, rule);
      const auto back = as_defined(b, nb, a, na, edge, rule);
      for (const int threads : {1, 2, 7}) {
        EXPECT_EQ(better(kept, na, candidates, nb, edge, rule, threads), want) << round;
        EXPECT_EQ(better(candidates, nb, kept, na, edge, rule, threads), back) << round;
      }
      for (i64 p = 0; p < want.area(); ++p) changed += want[p] != (a[p] > 0);
      ++round;
    }
  }
  EXPECT_GT(changed, 500);
}

TEST(BetterLabels, RefusesWhatIsNoRuleAndTakesNoPixels) {
  PreferenceRule rule;
  rule.fit_none = 900, rule.fit_full = 900;
  EXPECT_THROW(better(Image<i32>(2, 2), 0, Image<i32>(2, 2), 0, Image<u8>(2, 2), rule), Error);
  EXPECT_THROW(better(Image<i32>(2, 2), 0, Image<i32>(3, 2), 0, Image<u8>(2, 2), {}), Error);
  EXPECT_EQ(better(Image<i32>(0, 4), 0, Image<i32>(0, 4), 0, Image<u8>(0, 4), {}).area(), 0);
}

}  // namespace
}  // namespace morpho::test
