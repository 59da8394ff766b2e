// The watershed: hand-checked, against the oracle, and against design.md's definition carried out literally.
#include <chrono>
#include <queue>
#include <thread>

#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/simd.hpp"
#include "../support/oracle.hpp"
#include "../support/plain_reconstruct.hpp"

namespace morpho::test {
namespace {

template <class T>
Image<i32> run(const Image<T>& f, const Image<i32>* markers, const Image<u8>* mask, WatershedParams params, int threads = 1,
               i32* largest = nullptr) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<i32> out(f.extent.width, f.extent.height, -9, 1);
  const i32 n = cpu::watershed(ctx, f.cplane(), markers ? markers->cplane() : ConstPlane(),
                               mask ? mask->cplane() : ConstPlane(), out.plane(), params);
  if (largest) *largest = n;
  return out;
}

using V = WatershedVariant;
const V kVariants[] = {V::automatic, V::drop_of_water, V::cellular_automaton};

/// design.md §3, sentence by sentence.
template <class T>
Image<i32> plain_watershed(const Image<T>& f, const Image<i32>* markers, const Image<u8>* mask, WatershedParams params) {
  constexpr T top = std::numeric_limits<T>::max();
  const Extent e = f.extent;
  const Connectivity c = params.connectivity;
  const auto exists = [&](i64 p) { return !mask || (*mask)[p] != 0; };
  const auto neighbours = [&](i64 p, auto&& fn) {
    each_neighbour(e, p, c, [&](i64 q) {
      if (exists(q)) fn(q);
    });
  };
  Image<T> g = f;
  Image<i32> sink(e.width, e.height);  // the label of a sink pixel, else 0
  std::vector<u8> reached(static_cast<std::size_t>(f.area()), 1);
  if (markers) {
    Image<T> level = f, start = f;
    for (i64 p = 0; p < f.area(); ++p) {
      if (!exists(p)) level[p] = top;
      start[p] = exists(p) && (*markers)[p] > 0 ? f[p] : top;
      sink[p] = exists(p) ? (*markers)[p] : 0;
    }
    g = plain_reconstruct(start, level, By::erosion, c);
    std::fill(reached.begin(), reached.end(), u8{0});
    std::queue<i64> open;
    for (i64 p = 0; p < f.area(); ++p) {
      if (sink[p] > 0) open.push(p), reached[static_cast<std::size_t>(p)] = 1;
    }
    for (; !open.empty(); open.pop()) {
      neighbours(open.front(), [&](i64 q) {
        if (!reached[static_cast<std::size_t>(q)]) reached[static_cast<std::size_t>(q)] = 1, open.push(q);
      });
    }
  } else {
    i32 n = 0;
    std::vector<u8> seen(static_cast<std::size_t>(f.area()));
    for (i64 s = 0; s < f.area(); ++s) {
      if (!exists(s) || seen[static_cast<std::size_t>(s)]) continue;
      std::vector<i64> plateau{s};
      seen[static_cast<std::size_t>(s)] = 1;
      bool minimum = true;
      for (std::size_t i = 0; i < plateau.size(); ++i) {
        neighbours(plateau[i], [&](i64 q) {
          if (g[q] == g[s] && !seen[static_cast<std::size_t>(q)]) seen[static_cast<std::size_t>(q)] = 1, plateau.push_back(q);
          if (g[q] < g[s]) minimum = false;
        });
      }
      if (!minimum) continue;
      ++n;
      for (i64 p : plateau) sink[p] = n;
    }
  }
  const auto has_lower = [&](i64 p) {
    bool lower = false;
    neighbours(p, [&](i64 q) { lower = lower || g[q] < g[p]; });
    return lower;
  };
  // Geodesic distance on plateaus to pixels that are a sink or have a lower neighbour.
  Image<i32> steps(e.width, e.height, -1);
  std::queue<i64> open;
  for (i64 p = 0; p < f.area(); ++p) {
    if (exists(p) && (sink[p] > 0 || has_lower(p))) steps[p] = 0, open.push(p);
  }
  for (; !open.empty(); open.pop()) {
    const i64 p = open.front();
    neighbours(p, [&](i64 q) {
      if (g[q] == g[p] && steps[q] < 0) steps[q] = steps[p] + 1, open.push(q);
    });
  }
  Image<i32> labels(e.width, e.height);
  for (i64 s = 0; s < f.area(); ++s) {
    if (!exists(s) || !reached[static_cast<std::size_t>(s)]) continue;
    i64 p = s;
    while (sink[p] <= 0) {
      i64 next = -1;
      if (has_lower(p)) {
        neighbours(p, [&](i64 q) {
          if (g[q] < g[p] && (next < 0 || g[q] < g[next])) next = q;
        });
      } else {
        neighbours(p, [&](i64 q) {
          if (next < 0 && g[q] == g[p] && steps[q] == steps[p] - 1) next = q;
        });
      }
      if (next < 0) break;
      p = next;
    }
    labels[s] = sink[p];
  }
  if (!params.lines) return labels;
  Image<i32> cut = labels;
  for (i64 p = 0; p < f.area(); ++p) {
    each_neighbour(e, p, Connectivity::four, [&](i64 q) {
      if (labels[q] > labels[p]) cut[p] = 0;
    });
  }
  return cut;
}

TEST(Watershed, HandChecked) {
  const auto f = image_of<u8>(4, 4, {1, 2, 3, 1, 2, 5, 5, 2, 4, 5, 4, 3, 0, 4, 4, 4});
  i32 n = 0;
  // (1,1) and (2,1): lowest neighbours of the first are 2 at (1,0) and (0,1), the smaller index wins; of the second 2 at (3,1).
  // (2,3) has three neighbours on its plateau with a lower one of their own: (2,2) has the smallest index, and flows to the
  // right.
  EXPECT_EQ(run<u8>(f, nullptr, nullptr, {Connectivity::four, false}, 1, &n).pixels(),
            (std::vector<i32>{1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3, 2, 2}));
  EXPECT_EQ(n, 3);
  EXPECT_EQ(run<u8>(f, nullptr, nullptr, {Connectivity::four, true}, 1, &n).pixels(),
            (std::vector<i32>{1, 0, 2, 2, 0, 0, 2, 2, 3, 3, 0, 2, 3, 3, 0, 2}));
}

TEST(Watershed, MarkersOnAPlateauHandChecked) {
  // One flat row between two markers: the middle is equally far, so it flows to the smaller index.
  const Image<u8> f(5, 1, 7);
  const auto markers = image_of<i32>(5, 1, {9, 0, 0, 0, 4});
  i32 largest = 0;
  EXPECT_EQ(run<u8>(f, &markers, nullptr, {}, 1, &largest).pixels(), (std::vector<i32>{9, 9, 9, 4, 4}));
  EXPECT_EQ(largest, 9);
  const auto mask = image_of<u8>(5, 1, {0, 1, 0, 1, 1});
  EXPECT_EQ(run<u8>(f, &markers, &mask, {}, 1, &largest).pixels(), (std::vector<i32>{0, 0, 0, 4, 4}));
  EXPECT_EQ(largest, 4) << "a marker outside the mask does not exist";
}

/// W1..W4 of the manifest's conventions and the flood level.
template <class T>
void expect_invariants(const Image<T>& f, const Image<i32>& markers, const Image<T>& level, const Image<i32>& labels,
                       Connectivity c) {
  constexpr T top = std::numeric_limits<T>::max();
  const auto flood = [&](auto&& allowed, i32 of) {
    Image<T> start = f, floor = f;
    for (i64 p = 0; p < f.area(); ++p) {
      start[p] = markers[p] > 0 && (of == 0 || markers[p] == of) ? f[p] : top;
      if (!allowed(p)) start[p] = floor[p] = top;
    }
    Workspace w;
    Context ctx = context(w);
    Image<T> out(f.extent.width, f.extent.height);
    cpu::reconstruct(ctx, start.cplane(), floor.cplane(), out.plane(), {By::erosion, c, ReconstructVariant::automatic});
    return out;
  };
  EXPECT_EQ(flood([](i64) { return true; }, 0).pixels(), level.pixels()) << "flood level";
  std::set<i32> used;
  for (i64 p = 0; p < f.area(); ++p) {
    if (markers[p] > 0) {
      ASSERT_EQ(labels[p], markers[p]) << "W1";
      used.insert(markers[p]);
    }
    ASSERT_GT(labels[p], 0) << "W2";
  }
  for (i32 l : used) {
    const auto inside = flood([&](i64 p) { return labels[p] == l; }, l);
    for (i64 p = 0; p < f.area(); ++p) {
      // W3 follows: were a part of l without its marker, its level here would stay at the top.
      if (labels[p] != l) continue;
      ASSERT_EQ(inside[p], level[p]) << "W3, W4";
    }
  }
}

template <class T>
void oracle_markers(const Case& c) {
  const auto f = c.input<T>("image");
  const auto markers = c.input<i32>("markers");
  const auto& inputs = c.json["inputs"];
  Image<u8> mask;
  if (inputs.has("mask")) mask = c.input<u8>("mask");
  const auto* m = inputs.has("mask") ? &mask : nullptr;
  const WatershedParams params{c.connectivity(), false};
  const auto labels = run<T>(f, &markers, m, params);
  for (V v : kVariants) {
    for (int threads : {1, 3})
      EXPECT_EQ(run<T>(f, &markers, m, {c.connectivity(), false, v}, threads).pixels(), labels.pixels()) << static_cast<int>(v);
  }
  if (c.json["compare"].text == "exact") {
    EXPECT_EQ(labels.pixels(), c.output<i32>("labels").pixels());
    return;
  }
  EXPECT_EQ(labels.pixels(), plain_watershed<T>(f, &markers, m, params).pixels()) << "the definition";
  ASSERT_EQ(m, nullptr);
  expect_invariants<T>(f, markers, c.output<T>("flood_level"), labels, c.connectivity());
}
TEST(Watershed, OracleMarkers) {
  each_case("watershed_markers", [](const Case& c) {
    if (c.json["dtype"].text == "uint8") oracle_markers<u8>(c);
    oracle_markers<u16>(c);
    oracle_markers<i32>(c);
  });
}
TEST(Watershed, Oracle) {
  each_case("watershed", [](const Case& c) {
    i32 n = 0;
    for (V v : kVariants) {
      EXPECT_EQ(run<u16>(c.input<u16>("image"), nullptr, nullptr, {c.connectivity(), false, v}, 1, &n).pixels(),
                c.output<i32>("labels").pixels());
      EXPECT_EQ(n, c.json["count"].integer());
    }
  });
}

template <class T>
void random_case(std::mt19937& rng, int i) {
  const i32 w = 1 + static_cast<i32>(rng() % (i % 8 == 0 ? 60 : 10)), h = 1 + static_cast<i32>(rng() % (i % 9 == 0 ? 60 : 10));
  auto f = random_image<T>(rng, w, h, 1 + static_cast<i32>(rng() % 8), 1 + static_cast<i32>(rng() % 30), i % 3);
  if (i % 5 == 0) {  // levels at the type's maximum, which is also what is outside
    for (auto& v : f.data) v = static_cast<T>(std::numeric_limits<T>::max() - v);
  }
  Image<i32> markers(w, h);
  for (auto& v : markers.data) v = rng() % 12 == 0 ? 1 + static_cast<i32>(rng() % 6) : 0;
  const auto mask = random_image<u8>(rng, w, h, 5, 1, 1);
  const WatershedParams params{rng() % 2 ? Connectivity::four : Connectivity::eight, rng() % 3 == 0};
  for (const auto* k : {static_cast<const Image<i32>*>(nullptr), static_cast<const Image<i32>*>(&markers)}) {
    for (const auto* m : {static_cast<const Image<u8>*>(nullptr), static_cast<const Image<u8>*>(&mask)}) {
      const auto expected = plain_watershed(f, k, m, params).pixels();
      const i32 largest = k || params.lines ? -1 : *std::max_element(expected.begin(), expected.end());
      for (V v : kVariants) {
        i32 n = 0;
        ASSERT_EQ(run(f, k, m, {params.connectivity, params.lines, v}, 1 + i % 3, &n).pixels(), expected)
            << i << (k ? " markers" : "") << (m ? " mask" : "") << " variant " << static_cast<int>(v);
        if (largest >= 0) {
          ASSERT_EQ(n, largest);
        }
      }
    }
  }
}
TEST(Watershed, RandomAgainstTheDefinition) {
  std::mt19937 rng(6);
  for (int i = 0; i < 1000; ++i) {
    random_case<u8>(rng, i);
    random_case<u16>(rng, i);
    random_case<i32>(rng, i);
    if (HasFatalFailure()) return;
  }
}

/// Masks of a few small objects in wide images: whole blocks of a row are outside, others hold one pixel.
template <class T>
void sparse_mask_case(std::mt19937& rng, i32 objects) {
  const i32 w = 65 + static_cast<i32>(rng() % 80), h = 1 + static_cast<i32>(rng() % 12);
  const auto f = random_image<T>(rng, w, h, 4, 1, 0);
  Image<i32> markers(w, h);
  for (auto& v : markers.data) v = rng() % 5 == 0 ? 1 + static_cast<i32>(rng() % 6) : 0;
  Image<u8> mask(w, h, 0);
  for (i32 k = 0; k < objects; ++k) {
    const i32 x0 = static_cast<i32>(rng() % static_cast<unsigned>(w)), y0 = static_cast<i32>(rng() % static_cast<unsigned>(h));
    for (i32 y = y0; y < std::min(h, y0 + 1 + k); ++y) {
      for (i32 x = x0; x < std::min(w, x0 + 1 + 3 * k); ++x) mask.at(x, y) = static_cast<u8>(1 + rng() % 255);
    }
  }
  for (const bool lines : {false, true}) {
    for (const Connectivity c : {Connectivity::four, Connectivity::eight}) {
      for (const auto* k : {static_cast<const Image<i32>*>(nullptr), static_cast<const Image<i32>*>(&markers)}) {
        const auto expected = plain_watershed(f, k, &mask, {c, lines}).pixels();
        for (const bool avx2 : {true, false}) {
          cpu::take_avx2_away(!avx2);
          for (const int threads : {1, 2, 7}) ASSERT_EQ(run(f, k, &mask, {c, lines}, threads).pixels(), expected) << avx2;
          cpu::take_avx2_away(false);
        }
      }
    }
  }
}
TEST(Watershed, BlocksOutsideTheMask) {
  std::mt19937 rng(17);
  for (int i = 0; i < 20; ++i) {
    sparse_mask_case<u8>(rng, i % 5);
    sparse_mask_case<u16>(rng, i % 5);
    sparse_mask_case<i32>(rng, i % 5);
    if (HasFatalFailure()) return;
  }
}

TEST(Watershed, ThreadsDoNotMatter) {
  const auto f = blobs8(400, 700, 3);
  for (bool lines : {false, true}) {
    const auto one = run<u8>(f, nullptr, nullptr, {Connectivity::eight, lines}).pixels();
    for (V v : kVariants) {
      for (int threads : {1, 2, 3, 8})
        EXPECT_EQ(run<u8>(f, nullptr, nullptr, {Connectivity::eight, lines, v}, threads).pixels(), one) << static_cast<int>(v);
    }
  }
}

TEST(Watershed, VariantsKeepToTheirMemory) {
  const auto f = blobs8(900, 700, 3);
  const std::size_t area = 900 * 700, frame = 902 * 702;
  Image<i32> out(900, 700);
  for (auto [v, bytes] :
       {std::pair{V::drop_of_water, 9 * frame + 4 * area}, {V::cellular_automaton, 10 * frame + 16 * 902 + 5 * 700}}) {
    Workspace w;
    Context ctx = context(w);
    cpu::watershed(ctx, f.cplane(), {}, {}, out.plane(), {Connectivity::eight, false, v});
    EXPECT_LE(w.peak_bytes(), bytes + 2048) << static_cast<int>(v);
  }
}

TEST(Watershed, OddExtents) {
  for (Extent e : {Extent{0, 0}, Extent{0, 3}, Extent{3, 0}}) {
    i32 n = -1;
    run<u8>(Image<u8>(e.width, e.height), nullptr, nullptr, {}, 1, &n);
    EXPECT_EQ(n, 0);
  }
  for (V v : kVariants) {
    for (Extent e : {Extent{0, 3}, Extent{30, 20}, Extent{1, 1}}) {
      const i64 area = e.area();
      EXPECT_EQ(run<u8>(Image<u8>(e.width, e.height, 4), nullptr, nullptr, {Connectivity::eight, false, v}).pixels(),
                std::vector<i32>(static_cast<std::size_t>(area), 1));
    }
  }
  EXPECT_EQ(run<u8>(image_of<u8>(5, 1, {0, 1, 3, 2, 1}), nullptr, nullptr, {}).pixels(), (std::vector<i32>{1, 1, 1, 2, 2}));
  const Image<i32> none(4, 4);
  EXPECT_EQ(run<u8>(Image<u8>(4, 4, 4), &none, nullptr, {}).pixels(), std::vector<i32>(16, 0));
}

TEST(Watershed, Rejects) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> f(4, 4);
  Image<i32> out(4, 4), wide(5, 4), negative(4, 4, -3);
  const ConstPlane none;
  expect_rejected("labels", [&] { cpu::watershed(ctx, f.cplane(), none, none, f.plane(), {}); });
  expect_rejected("labels", [&] { cpu::watershed(ctx, f.cplane(), none, none, wide.plane(), {}); });
  expect_rejected("labels", [&] { cpu::watershed(ctx, out.cplane(), none, none, out.plane(), {}); });
  expect_rejected("labels", [&] { cpu::watershed(ctx, f.cplane(), out.cplane(), none, out.plane(), {}); });
  expect_rejected("markers", [&] { cpu::watershed(ctx, f.cplane(), f.cplane(), none, out.plane(), {}); });
  expect_rejected("markers", [&] { cpu::watershed(ctx, f.cplane(), wide.cplane(), none, out.plane(), {}); });
  expect_rejected("markers", [&] { cpu::watershed(ctx, f.cplane(), negative.cplane(), none, out.plane(), {}); });
  expect_rejected("mask", [&] { cpu::watershed(ctx, f.cplane(), none, negative.cplane(), out.plane(), {}); });
  expect_rejected("mask", [&] { cpu::watershed(ctx, f.cplane(), none, Image<u8>(5, 4).cplane(), out.plane(), {}); });
  expect_rejected("connectivity",
                  [&] { cpu::watershed(ctx, f.cplane(), none, none, out.plane(), {static_cast<Connectivity>(3), false}); });
  expect_rejected("variant", [&] {
    cpu::watershed(ctx, f.cplane(), none, none, out.plane(), {Connectivity::four, false, static_cast<V>(3)});
  });
}

TEST(Watershed, CancelsInTheMiddleOfAPlateau) {
  // A flat image is one plateau: the flag is set by a clock while it is searched. However slow the machine, the call must come
  // back cancelled or, if it was quicker than the clock, done.
  Workspace w;
  CancelFlag stop{false};
  Context ctx{w, 1, &stop, nullptr};
  Image<u8> f(1500, 1500, 7);
  Image<i32> out(1500, 1500);
  std::thread clock([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    stop = true;
  });
  try {
    EXPECT_EQ(cpu::watershed(ctx, f.cplane(), {}, {}, out.plane(), {}), 1);
  } catch (const Cancelled&) {}
  clock.join();
  stop = false;
  EXPECT_EQ(cpu::watershed(ctx, f.cplane(), {}, {}, out.plane(), {}), 1) << "the workspace is as good as new";
}

TEST(Watershed, Cancels) {
  Workspace w;
  CancelFlag stop{true};
  Context ctx{w, 1, &stop, nullptr};
  Image<u8> f(4, 4);
  Image<i32> out(4, 4);
  for (V v : kVariants)
    EXPECT_THROW(cpu::watershed(ctx, f.cplane(), {}, {}, out.plane(), {Connectivity::eight, false, v}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
