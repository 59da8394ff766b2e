// What operations say of how they reached their results.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/work_log.hpp"
#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

Image<u8> image(i32 width, const std::vector<u8>& values) {
  Image<u8> made(width, static_cast<i32>(values.size()) / width);
  for (std::size_t p = 0; p < values.size(); ++p) made[static_cast<i64>(p)] = values[p];
  return made;
}

/// What `fn` says to a log.
template <class Fn>
std::vector<Work> work_of(Fn&& fn, int threads = 1) {
  Workspace w;
  WorkLog log;
  Context ctx = context(w, threads);
  ctx.work = &log;
  fn(ctx);
  return log.between(0, log.size());
}
Work only(const std::vector<Work>& all) {
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? Work{} : all[0];
}

TEST(Work, AReconstructionCountsItsSweepsAndMoves) {
  // A way that turns twice: 9 (top left) goes right, down the right side, and left along the bottom.
  const Image<u8> mask = image(4, {9, 9, 9, 9,  //
                                   0, 0, 0, 9,  //
                                   0, 0, 0, 9,  //
                                   9, 9, 9, 9});
  Image<u8> marker(4, 4, u8{0}), out(4, 4);
  marker.at(0, 0) = 9;
  const auto by = [&](ReconstructVariant variant) {
    return only(work_of([&](Context& ctx) {
      cpu::table().reconstruct(ctx, marker.cplane(), mask.cplane(), out.plane(), {By::dilation, Connectivity::four, variant});
    }));
  };
  const Work swept = by(ReconstructVariant::automatic);
  EXPECT_EQ(swept.op, "reconstruct");
  EXPECT_EQ(swept.variant, "sweeps");  // down, then up: all of it; another that moves nothing
  EXPECT_EQ(swept.queued, 0);
  EXPECT_GE(swept.rounds, 2);
  EXPECT_LE(swept.rounds, 4);
  EXPECT_EQ(out.pixels(), mask.pixels());
  // From one corner to the other a queue takes every pixel of the way but the last as its neighbour's mover.
  const Work queued = by(ReconstructVariant::queue);
  EXPECT_EQ(queued.variant, "queue");
  EXPECT_EQ(queued.rounds, 0);
  EXPECT_EQ(queued.queued, 9);  // the ten of the way but the first, which does not move
  const Work both = by(ReconstructVariant::raster_sweeps);
  EXPECT_EQ(both.variant, "raster-sweeps");
  EXPECT_EQ(by(ReconstructVariant::downhill).variant, "downhill");
}

TEST(Work, ThePapersVariantsCountRoundsAndQueues) {
  // 9 (top left) goes right and down the right side, six moves; what lies left of it stays dark.
  const Image<u8> mask = image(4, {9, 9, 9, 9,  //
                                   0, 0, 0, 9,  //
                                   0, 0, 0, 9,  //
                                   0, 0, 0, 9});
  Image<u8> marker(4, 4, u8{0}), out(4, 4);
  marker.at(0, 0) = 9;
  const auto by = [&](ReconstructVariant variant) {
    return only(work_of([&](Context& ctx) {
      cpu::table().reconstruct(ctx, marker.cplane(), mask.cplane(), out.plane(), {By::dilation, Connectivity::four, variant});
    }));
  };
  EXPECT_EQ(by(ReconstructVariant::downhill).queued, 7);  // every pixel of the way leaves its level's list
  const Work heap = by(ReconstructVariant::priority_queue);
  EXPECT_EQ(heap.queued, 6);                                          // the last of the way raises nobody
  EXPECT_EQ(heap.longest, 1);                                         // a wave of one pixel
  EXPECT_EQ(by(ReconstructVariant::tiled_fast_hybrid).rounds, 1);     // one tile: no border is crossed
  EXPECT_EQ(by(ReconstructVariant::parallel_fast_hybrid).rounds, 0);  // two sweeps were enough
  EXPECT_EQ(by(ReconstructVariant::parallel_fast_hybrid).queued, 0);

  // A row over three tiles of 512, and a marker at its left end: each border is one round more.
  const Image<u8> corridor(1200, 1, u8{7});
  Image<u8> left(1200, 1, u8{0}), filled(1200, 1);
  left.at(0, 0) = 7;
  const Work tiled = only(work_of([&](Context& ctx) {
    cpu::table().reconstruct(ctx, left.cplane(), corridor.cplane(), filled.plane(),
                             {By::dilation, Connectivity::four, ReconstructVariant::tiled_fast_hybrid});
  }));
  EXPECT_EQ(tiled.variant, "tiled-fast-hybrid");
  EXPECT_EQ(tiled.rounds, 3);
  EXPECT_EQ(filled.pixels(), corridor.pixels());

  // The only zero lies at the left end of eight: the wavefront is one pixel for seven rounds, and an eighth finds nothing.
  const Image<u8> line = image(8, {0, 1, 1, 1, 1, 1, 1, 1});
  Image<i32> squared(8, 1), labels(8, 1);
  const Work wave = only(work_of([&](Context& ctx) {
    cpu::table().distance(ctx, line.cplane(), squared.plane(), {.variant = DistanceVariant::danielsson});
  }));
  EXPECT_EQ(wave.variant, "danielsson");
  EXPECT_EQ(wave.rounds, 8);
  EXPECT_EQ(wave.queued, 8);
  EXPECT_EQ(wave.longest, 1);
  EXPECT_EQ(squared.at(7, 0), 49);

  const Image<u8> plateau = image(8, {0, 5, 5, 5, 5, 5, 5, 5});
  const auto watershed = [&](WatershedVariant variant) {
    return only(work_of([&](Context& ctx) {
      cpu::table().watershed(ctx, plateau.cplane(), {}, {}, labels.plane(), {Connectivity::four, false, variant});
    }));
  };
  EXPECT_EQ(watershed(WatershedVariant::drop_of_water).queued, 7);       // all of the plateau
  EXPECT_EQ(watershed(WatershedVariant::cellular_automaton).rounds, 1);  // one band, which no other disturbs
}

TEST(Work, TheChoicesOfAutomaticAreNamed) {
  // A wall in a spiral, so that the background between its turns is one long way in from the border: no sweeps and no queue of
  // few moves reach its end.
  const i32 n = 512;
  Image<u8> spiral(n, n, u8{0}), out(n, n);
  for (i32 x0 = 1, y0 = 1, x1 = n - 2, y1 = n - 2; x0 < x1 && y0 < y1; x0 += 2, y0 += 2, x1 -= 2, y1 -= 2) {
    for (i32 x = x0; x <= x1; ++x) spiral.at(x, y0) = spiral.at(x, y1) = 1;
    for (i32 y = y0; y <= y1; ++y) spiral.at(x1, y) = 1;
    for (i32 y = y0 + 2; y <= y1; ++y) spiral.at(x0, y) = 1;
    if (x0 + 1 < x1) spiral.at(x0 + 1, y0 + 2) = 1;  // into the next turn
  }
  const auto fill = [&](const Image<u8>& f) {
    return work_of([&](Context& ctx) { cpu::table().fill_holes(ctx, f.cplane(), out.plane(), {Connectivity::four}); });
  };
  std::vector<Work> works = fill(spiral);
  ASSERT_EQ(works.size(), 2u);
  EXPECT_EQ(works[0].op, "reconstruct");
  EXPECT_EQ(std::string(works[1].op) + ": " + works[1].variant, "fill_holes: components of runs");
  EXPECT_EQ(out.pixels(), spiral.pixels());
  Image<i32> squared(n, n), labels(n, n), parent(n, n), order(n, n);
  const auto named = [&](auto&& fn) { return only(work_of(fn)).variant; };
  EXPECT_EQ(named([&](Context& ctx) { cpu::table().distance(ctx, spiral.cplane(), squared.plane(), {}); }), "exact");
  EXPECT_EQ(named([&](Context& ctx) { cpu::table().max_tree(ctx, spiral.cplane(), parent.plane(), order.plane(), {}); }),
            "tile-merge");
  EXPECT_EQ(named([&](Context& ctx) { cpu::table().label(ctx, spiral.cplane(), labels.plane(), {Connectivity::four}); }),
            "union-find of runs");
}

TEST(Work, AWatershedCountsTheLevelsOfItsPlateaus) {
  // One plateau, seven wide, with its outlet at the left end: six steps, the first of which the arrows know.
  const Image<u8> f = image(8, {0, 5, 5, 5, 5, 5, 5, 5});
  Image<i32> labels(8, 1);
  for (int threads : {1, 2}) {
    const Work w = only(work_of(
        [&](Context& ctx) { cpu::table().watershed(ctx, f.cplane(), {}, {}, labels.plane(), {Connectivity::four}); }, threads));
    EXPECT_EQ(w.variant, "arrows + queue of plateaus");
    EXPECT_EQ(w.rounds, 6);
    EXPECT_EQ(w.queued, 6);
    EXPECT_EQ(w.longest, 1);
  }
  EXPECT_EQ(labels.pixels(), std::vector<i32>(8, 1));
}

TEST(Work, AChoiceHoldsForWhatDerivesFromIt) {
  const Image<u8> f = image(5, {1, 1, 1, 1, 0,  //
                                1, 0, 0, 1, 0,  //
                                1, 0, 0, 1, 0,  //
                                1, 1, 1, 1, 0});
  Image<u8> automatic(5, 4), out(5, 4);
  const auto variants = [&](ReconstructVariant v, auto&& op) {
    const auto works = work_of([&](Context& ctx) {
      ctx.choices.reconstruct = v;
      op(ctx, out.plane());
    });
    for (const Work& w : works) EXPECT_EQ(std::string(w.op) + " " + w.variant, "reconstruct " + std::string(name_of(v)));
    EXPECT_FALSE(works.empty());
  };
  const auto same = [&](auto&& op) {
    work_of([&](Context& ctx) { op(ctx, automatic.plane()); });
    for (const ReconstructVariant v : {ReconstructVariant::downhill, ReconstructVariant::queue}) {
      variants(v, op);
      EXPECT_EQ(out.pixels(), automatic.pixels());
    }
  };
  const ConnectivityParams four{Connectivity::four};
  same([&](Context& ctx, Plane to) { cpu::table().fill_holes(ctx, f.cplane(), to, four); });
  same([&](Context& ctx, Plane to) { cpu::table().clear_border(ctx, f.cplane(), to, four); });
  same([&](Context& ctx, Plane to) { cpu::table().h_extrema(ctx, f.cplane(), to, {}); });
  same([&](Context& ctx, Plane to) { cpu::table().extended_extrema(ctx, f.cplane(), to, {}); });
}

TEST(Work, WhoDoesNotAskIsToldNothing) {
  Workspace w;
  Context ctx = context(w);
  EXPECT_EQ(ctx.work, nullptr);
  note(ctx, {"reconstruct", "sweeps"});
}

TEST(Work, SumsKeepAlgorithmsApart) {
  WorkLog log;
  log.add({"reconstruct", "sweeps", 1, 4, 0, 0});
  log.add({"reconstruct", "sweeps + queue", 1, 4, 9, 3});
  log.add({"reconstruct", "sweeps", 1, 2, 0, 0});
  const std::vector<Work> all = log.between(0, 3), last = log.between(2, 3);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].calls, 2);
  EXPECT_EQ(all[0].rounds, 6);
  EXPECT_EQ(all[1].queued, 9);
  EXPECT_EQ(only(last).rounds, 2);
}

TEST(Work, WhatADeviceCountsIsReadOnce) {
  WorkLog::Counters slots[1] = {};
  WorkLog log(slots, 1);
  EXPECT_EQ(log.add_later({"reconstruct", "queue of tiles"}, "bit by bit"), slots);
  EXPECT_EQ(log.add_later({"watershed", "queue of tiles"}, "by union-find"), nullptr);  // no slot is left
  EXPECT_EQ(log.used_slots(), 1u);
  const WorkLog::Counters read[1] = {{12, 7, 0, 1}};
  log.settle(read);
  const std::vector<Work> all = log.between(0, 2);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].variant, "bit by bit");
  EXPECT_EQ(all[0].queued, 7);
  EXPECT_EQ(all[1].variant, "queue of tiles");
  EXPECT_EQ(all[1].queued, 0);
}

}  // namespace
}  // namespace morpho::test
