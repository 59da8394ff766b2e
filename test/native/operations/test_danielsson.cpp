// The wavefront distance: against its definition round by round, against the exact distance, and against the paper's own order.
#include <array>
#include <cmath>

#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

Image<i32> distance_by(const Image<u8>& in, DistanceVariant variant, i32 weight_x = 1, i32 weight_y = 1, int threads = 1,
                       std::size_t* peak = nullptr) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<i32> out(in.extent.width, in.extent.height, -1, 2);
  cpu::distance(ctx, in.cplane(), out.plane(), {weight_x, weight_y, variant});
  if (peak) *peak = w.peak_bytes();
  return out;
}

/// The definition: in each round every pixel takes the nearest of the zero pixels that it and those of its 8 neighbours that
/// changed in the round before point to; at equal distance the smallest index.
Image<i32> plain_wavefront(const Image<u8>& in, i32 weight_x, i32 weight_y) {
  const i32 w = in.extent.width;
  const auto squared = [&](i64 p, i64 q) {
    const i64 dx = p % w - q % w, dy = p / w - q / w;
    return weight_x * dx * dx + weight_y * dy * dy;
  };
  const auto nearer = [&](i64 p, i64 a, i64 b) {  // is a to be preferred to b, seen from p
    if (b < 0) return true;
    const i64 da = squared(p, a), db = squared(p, b);
    return da < db || (da == db && a < b);
  };
  std::vector<i64> site(static_cast<std::size_t>(in.area()), -1);
  std::vector<u8> changed(site.size());
  for (i64 p = 0; p < in.area(); ++p) {
    if (in[p] == 0) site[static_cast<std::size_t>(p)] = p, changed[static_cast<std::size_t>(p)] = 1;
  }
  for (bool moved = true; moved;) {
    moved = false;
    const auto before = site;
    const auto front = changed;
    std::fill(changed.begin(), changed.end(), u8{0});
    for (i64 p = 0; p < in.area(); ++p) {
      i64& mine = site[static_cast<std::size_t>(p)];
      each_neighbour(in.extent, p, Connectivity::eight, [&](i64 q) {
        const i64 offer = before[static_cast<std::size_t>(q)];
        if (front[static_cast<std::size_t>(q)] && nearer(p, offer, mine))
          mine = offer, changed[static_cast<std::size_t>(p)] = 1, moved = true;
      });
    }
  }
  Image<i32> out(in.extent.width, in.extent.height, kNoBackground);
  for (i64 p = 0; p < in.area(); ++p) {
    const i64 s = site[static_cast<std::size_t>(p)];
    if (s >= 0) out[p] = static_cast<i32>(std::min<i64>(squared(p, s), kNoBackground - 1));
  }
  return out;
}

/// Teodoro 2012, Algorithm 3, to the letter: one queue, a pixel offers what it holds when it leaves the queue.
Image<i32> paper_wavefront(const Image<u8>& in) {
  const i32 w = in.extent.width;
  const auto squared = [&](i64 p, i64 q) {
    const i64 dx = p % w - q % w, dy = p / w - q / w;
    return dx * dx + dy * dy;
  };
  std::vector<i64> site(static_cast<std::size_t>(in.area()), -1), queue;
  for (i64 p = 0; p < in.area(); ++p) {
    if (in[p] != 0) continue;
    site[static_cast<std::size_t>(p)] = p;
    bool contour = false;
    each_neighbour(in.extent, p, Connectivity::eight, [&](i64 q) { contour = contour || in[q] != 0; });
    if (contour) queue.push_back(p);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const i64 p = queue[head];
    each_neighbour(in.extent, p, Connectivity::eight, [&](i64 q) {
      const i64 offer = site[static_cast<std::size_t>(p)];
      i64& held = site[static_cast<std::size_t>(q)];
      if (held >= 0 && squared(q, offer) >= squared(q, held)) return;
      held = offer;
      queue.push_back(q);
    });
  }
  Image<i32> out(in.extent.width, in.extent.height, kNoBackground);
  for (i64 p = 0; p < in.area(); ++p) {
    if (site[static_cast<std::size_t>(p)] >= 0) out[p] = static_cast<i32>(squared(p, site[static_cast<std::size_t>(p)]));
  }
  return out;
}

Image<u8> random_zeros(std::mt19937& rng, i32 w, i32 h, unsigned rarity) {
  Image<u8> in(w, h, 0, static_cast<i32>(rng() % 3));
  for (auto& v : in.data) v = rng() % rarity != 0 ? 255 : 0;
  return in;
}

/// How far above the exact distance, in px (weights 1); never below it.
struct Deviation {
  double most = 0;
  i64 pixels = 0, wrong = 0;
  void add(const Image<i32>& got, const Image<i32>& exact) {
    for (i64 p = 0; p < got.area(); ++p) {
      ASSERT_GE(got[p], exact[p]);
      most = std::max(most, std::sqrt(static_cast<double>(got[p])) - std::sqrt(static_cast<double>(exact[p])));
      wrong += got[p] != exact[p];
    }
    pixels += got.area();
  }
};

TEST(Danielsson, RandomAgainstTheDefinition) {
  std::mt19937 rng(15);
  for (int i = 0; i < random_images(3000); ++i) {
    const i32 w = 1 + static_cast<i32>(rng() % (i % 10 == 0 ? 60 : 12)),
              h = 1 + static_cast<i32>(rng() % (i % 10 == 1 ? 60 : 12));
    const auto in = random_zeros(rng, w, h, 1 + rng() % 60);
    const i32 most = i % 3 == 0 ? 1 : i % 3 == 1 ? 20 : 65536;
    const i32 wx = 1 + static_cast<i32>(rng() % static_cast<unsigned>(most)),
              wy = 1 + static_cast<i32>(rng() % static_cast<unsigned>(most));
    const auto expected = plain_wavefront(in, wx, wy).pixels();
    const auto exact = distance_by(in, DistanceVariant::exact, wx, wy).pixels();
    const int threads = std::array{1, 2, 3, 8}[static_cast<std::size_t>(i % 4)];
    ASSERT_EQ(distance_by(in, DistanceVariant::danielsson, wx, wy, threads).pixels(), expected) << i;
    ASSERT_EQ(exact, expected) << i;
  }
}

TEST(Danielsson, ThreadsDoNotMatter) {
  const auto in = sparse_zeros(700, 500, 77);
  auto blobs = blobs8(700, 500, 8);
  for (auto& v : blobs.data) v = v > 90;
  for (const auto& image : {in, blobs}) {
    const auto one = distance_by(image, DistanceVariant::danielsson, 3, 2).pixels();
    for (int threads : {2, 3, 8})
      EXPECT_TRUE(distance_by(image, DistanceVariant::danielsson, 3, 2, threads).pixels() == one) << threads;
  }
}

TEST(Danielsson, IsExactWhereOneZeroPixelIsAlone) {
  for (i32 x : {0, 7, 59}) {
    Image<u8> in(60, 45, 1);
    in.at(x, 11) = 0;
    EXPECT_EQ(distance_by(in, DistanceVariant::danielsson).pixels(), distance_by(in, DistanceVariant::exact).pixels());
    EXPECT_EQ(distance_by(in, DistanceVariant::danielsson, 65536, 9).pixels(),
              distance_by(in, DistanceVariant::exact, 65536, 9).pixels());
  }
}

TEST(Danielsson, SynchronousRoundsAreExactWhereTheQueueOfThePaperIsNot) {
  std::mt19937 rng(16);
  Deviation ours, paper;
  for (int i = 0; i < random_images(200); ++i) {
    // Zero pixels on a ring about a point, the worst that can happen to it: many are nearly as near as the nearest.
    const i32 side = 60 + static_cast<i32>(rng() % 100), centre = side / 2;
    Image<u8> in(side, side, 1);
    const double radius = side * (0.1 + 0.35 * (rng() % 1000) / 1000.0);
    for (unsigned k = 3 + rng() % 12; k > 0; --k) {
      const double angle = 6.283185 * (rng() % 100000) / 100000.0, r = radius + 0.6 * (rng() % 1000) / 1000.0;
      in.at(centre + static_cast<i32>(std::lround(r * std::cos(angle))),
            centre + static_cast<i32>(std::lround(r * std::sin(angle)))) = 0;
    }
    const auto exact = distance_by(in, DistanceVariant::exact);
    ours.add(distance_by(in, DistanceVariant::danielsson, 1, 1, 1 + i % 3), exact);
    paper.add(paper_wavefront(in), exact);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(ours.wrong, 0);
  EXPECT_LT(paper.most, 0.09);
  std::cout << "Algorithm 3 with one queue: " << paper.wrong << " of " << paper.pixels << " pixels are off, by " << paper.most
            << " px at most; in synchronous rounds: " << ours.wrong << "\n";
}

TEST(Danielsson, WideImagesNeedWiderPointers) {
  Image<u8> wide(70000, 3, 1), tall(2, 33000, 1);
  wide.at(69999, 2) = 0;
  tall.at(0, 32999) = 0;
  for (int threads : {1, 3}) {
    EXPECT_TRUE(distance_by(wide, DistanceVariant::danielsson, 1, 1, threads).pixels() ==
                distance_by(wide, DistanceVariant::exact).pixels());
    EXPECT_TRUE(distance_by(tall, DistanceVariant::danielsson, 1, 5, threads).pixels() ==
                distance_by(tall, DistanceVariant::exact, 1, 5).pixels());
  }
}

TEST(Danielsson, OddExtents) {
  for (Extent e : {Extent{0, 0}, Extent{0, 3}, Extent{3, 0}})
    distance_by(Image<u8>(e.width, e.height), DistanceVariant::danielsson);
  EXPECT_EQ(distance_by(Image<u8>(4, 3, 9), DistanceVariant::danielsson).pixels(), std::vector<i32>(12, kNoBackground));
  EXPECT_EQ(distance_by(Image<u8>(4, 3, 0), DistanceVariant::danielsson).pixels(), std::vector<i32>(12, 0));
  EXPECT_EQ(distance_by(image_of<u8>(5, 1, {1, 1, 0, 1, 1}), DistanceVariant::danielsson).pixels(),
            (std::vector<i32>{4, 1, 0, 1, 4}));
}

TEST(Danielsson, MemoryIsWhatTheDocstringStates) {
  std::size_t peak = 0;
  distance_by(sparse_zeros(800, 500, 3), DistanceVariant::danielsson, 1, 1, 2, &peak);
  EXPECT_LE(peak, 800u * 500 * 16 + 2 * 65536 + 1024);
}

TEST(Danielsson, RejectsAndCancels) {
  CancelFlag stop{true};
  Workspace w;
  Image<u8> in(40, 200);
  Image<i32> out(40, 200);
  for (int threads : {1, 2}) {
    Context ctx{w, threads, &stop, nullptr};
    EXPECT_THROW(cpu::distance(ctx, in.cplane(), out.plane(), {1, 1, DistanceVariant::danielsson}), Cancelled);
  }
  Context ctx = context(w);
  expect_rejected("variant", [&] { cpu::distance(ctx, in.cplane(), out.plane(), {1, 1, static_cast<DistanceVariant>(3)}); });
  expect_rejected("weight_y", [&] { cpu::distance(ctx, in.cplane(), out.plane(), {1, 0, DistanceVariant::danielsson}); });
}

}  // namespace
}  // namespace morpho::test
