// Reconstruction: hand-checked, against the oracle, against iterated geodesic dilation, in every variant.
#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"
#include "../support/plain_reconstruct.hpp"

namespace morpho::test {
namespace {

using V = ReconstructVariant;
const V kVariants[] = {V::automatic,         V::raster_sweeps,       V::queue, V::fast_hybrid, V::downhill, V::priority_queue,
                       V::tiled_fast_hybrid, V::parallel_fast_hybrid};

template <class T>
Image<T> run(const Image<T>& marker, const Image<T>& mask, By by, Connectivity c, V variant = V::automatic, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<T> out(mask.extent.width, mask.extent.height, T{}, 3);
  cpu::reconstruct(ctx, marker.cplane(), mask.cplane(), out.plane(), {by, c, variant});
  return out;
}

TEST(Reconstruct, HandChecked) {
  const auto mask = image_of<u8>(4, 4, {9, 2, 5, 5, 9, 2, 5, 2, 2, 7, 2, 2, 2, 2, 2, 8});
  const auto marker = image_of<u8>(4, 4, {6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3});
  for (V v : kVariants) {
    EXPECT_EQ(run(marker, mask, By::dilation, Connectivity::four, v).pixels(),
              (std::vector<u8>{6, 2, 2, 2, 6, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3}));
    EXPECT_EQ(run(marker, mask, By::dilation, Connectivity::eight, v).pixels(),
              (std::vector<u8>{6, 2, 5, 5, 6, 2, 5, 2, 2, 6, 2, 2, 2, 2, 2, 3}));
  }
}

TEST(Reconstruct, Oracle) {
  each_case("reconstruct", [](const Case& c) {
    const By by = c.params()["method"].text == "dilation" ? By::dilation : By::erosion;
    const auto each_type = [&](auto zero, auto convert) {
      using T = decltype(zero);
      const auto marker = convert(c, "inputs", "marker"), mask = convert(c, "inputs", "mask"),
                 expected = convert(c, "outputs", "out");
      for (V v : kVariants) {
        ASSERT_EQ((run<T>(marker, mask, by, c.connectivity(), v).pixels()), expected.pixels()) << static_cast<int>(v);
        ASSERT_EQ((run<T>(marker, mask, by, c.connectivity(), v, 3).pixels()), expected.pixels()) << static_cast<int>(v);
      }
    };
    const std::string dtype = c.json["dtype"].text;
    if (dtype == "uint8") {
      each_type(u8{}, [](const Case& k, const char* g, const char* n) { return k.load<u8>(g, n, 1); });
    } else if (dtype == "uint16") {
      each_type(u16{}, [](const Case& k, const char* g, const char* n) { return k.load<u16>(g, n, 1); });
    } else {
      // The case is float; reconstruction only orders values, so their ranks in an i32 image are the same case.
      std::set<float> values;
      for (auto [g, n] : {std::pair{"inputs", "marker"}, {"inputs", "mask"}, {"outputs", "out"}}) {
        for (float v : c.file(g, n).as<float>()) values.insert(v);
      }
      each_type(i32{}, [&](const Case& k, const char* g, const char* n) {
        const auto f = k.load<float>(g, n);
        Image<i32> out(f.extent.width, f.extent.height);
        for (i64 p = 0; p < f.area(); ++p) out[p] = static_cast<i32>(std::distance(values.begin(), values.find(f[p]))) - 50;
        return out;
      });
    }
  });
}

TEST(Reconstruct, Generated) {
  each_generated("reconstruct", [](const Case& c, const Image<u8>& mask, const std::string& sha) {
    Image<u8> marker(mask.extent.width, mask.extent.height);
    const std::string kind = c.params()["marker"].text;
    if (kind == "255 at (0,0), else 0") marker.at(0, 0) = 255;
    else if (kind == "saturating mask-30") marker = mask;
    else if (kind == "erosion disk r=6, outside ignored") marker = erode_disk(mask, 6);
    else FAIL() << kind;
    if (kind == "saturating mask-30") {
      for (auto& v : marker.data) v = static_cast<u8>(v < 30 ? 0 : v - 30);
    }
    const auto expected = run(marker, mask, By::dilation, c.connectivity(), V::automatic);
    EXPECT_EQ(digest(expected), sha);
    for (V v : kVariants) {
      if (v == V::raster_sweeps) continue;  // a serpentine takes it minutes
      if ((v == V::downhill || v == V::priority_queue) && mask.area() > 2000000)
        continue;  // sequential, and slower than the rest
      EXPECT_TRUE(run(marker, mask, By::dilation, c.connectivity(), v, 3).data == expected.data) << static_cast<int>(v);
    }
  });
}

template <class T>
void random_case(std::mt19937& rng, int i) {
  const i32 w = 1 + static_cast<i32>(rng() % (i % 4 == 0 ? 70 : 9)), h = 1 + static_cast<i32>(rng() % (i % 5 == 0 ? 90 : 9));
  const i32 levels = 2 + static_cast<i32>(rng() % 9), step = std::is_same_v<T, u8> ? 25 : 6000;
  auto marker = random_image<T>(rng, w, h, levels, step, static_cast<i32>(rng() % 3));
  const auto mask = random_image<T>(rng, w, h, levels, step, static_cast<i32>(rng() % 3));
  const By by = rng() % 2 ? By::dilation : By::erosion;
  const Connectivity c = rng() % 2 ? Connectivity::four : Connectivity::eight;
  if (rng() % 2) {  // sparse markers travel further
    for (auto& v : marker.data) {
      if (rng() % 16) v = by == By::dilation ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    }
  }
  const auto expected = plain_reconstruct(marker, mask, by, c).pixels();
  for (V v : kVariants) {
    ASSERT_EQ(run(marker, mask, by, c, v, 1 + i % 3).pixels(), expected) << i << " variant " << static_cast<int>(v);
  }
  Workspace ws;
  Context ctx = context(ws);
  cpu::reconstruct(ctx, marker.cplane(), mask.cplane(), marker.plane(), {by, c, kVariants[i % 8]});
  ASSERT_EQ(marker.pixels(), expected) << "out is marker";
}

TEST(Reconstruct, RandomAgainstIteration) {
  std::mt19937 rng(3);
  for (int i = 0; i < 1200; ++i) {
    random_case<u8>(rng, i);
    random_case<u16>(rng, i);
    random_case<i32>(rng, i);
    if (HasFatalFailure()) return;
  }
}

TEST(Reconstruct, ThreadsAndVariantsDoNotMatter) {
  const auto mask = blobs8(501, 700, 9);
  auto marker = mask;
  for (auto& v : marker.data) v = static_cast<u8>(v < 60 ? 0 : v - 60);
  const auto one = run(marker, mask, By::dilation, Connectivity::four, V::raster_sweeps).pixels();
  for (V v : kVariants) {
    for (int threads : {1, 2, 3, 8}) EXPECT_EQ(run(marker, mask, By::dilation, Connectivity::four, v, threads).pixels(), one);
  }
}

TEST(Reconstruct, AFullQueueIsHarmless) {
  // Far more movable pixels at once than the queue of a small image holds.
  auto mask = noise8(300, 300, 4);
  Image<u8> marker(300, 300);
  for (i64 p = 0; p < mask.area(); p += 7) marker[p] = 255;
  EXPECT_EQ(run(marker, mask, By::dilation, Connectivity::eight, V::queue).pixels(),
            run(marker, mask, By::dilation, Connectivity::eight, V::raster_sweeps).pixels());
}

TEST(Reconstruct, OddExtents) {
  for (Extent e : {Extent{0, 0}, Extent{0, 5}, Extent{5, 0}}) {
    const Image<u8> empty(e.width, e.height);
    for (V v : kVariants) run(empty, empty, By::dilation, Connectivity::eight, v);
  }
  const auto line = image_of<u8>(5, 1, {3, 3, 1, 3, 3}), seed = image_of<u8>(5, 1, {0, 2, 0, 0, 9});
  EXPECT_EQ(run(seed, line, By::dilation, Connectivity::four).pixels(), (std::vector<u8>{2, 2, 1, 3, 3}));
  const Image<i32> flat(33, 17, -5);
  EXPECT_EQ(run(flat, flat, By::erosion, Connectivity::eight).pixels(), flat.pixels());
}

TEST(Reconstruct, MemoryIsWhatTheDocstringStates) {
  const auto mask = blobs8(1000, 1000, 5);
  Workspace w;
  Context ctx = context(w);
  Image<u8> out(1000, 1000);
  cpu::reconstruct(ctx, Image<u8>(1000, 1000, 3).cplane(), mask.cplane(), out.plane(), {});
  EXPECT_LE(w.peak_bytes(), 1000u * 1000 / 2 + 2 * 1000 + 6 * 1100 + 1024);
}

TEST(Reconstruct, Rejects) {
  Workspace w;
  Context ctx = context(w);
  Image<u8> a(4, 4), b(4, 4), out(4, 4), wide(9, 4);
  Image<u16> other(4, 4);
  const ReconstructParams p;
  expect_rejected("mask", [&] { cpu::reconstruct(ctx, a.cplane(), wide.cplane(), out.plane(), p); });
  expect_rejected("mask", [&] { cpu::reconstruct(ctx, a.cplane(), other.cplane(), out.plane(), p); });
  expect_rejected("out", [&] { cpu::reconstruct(ctx, a.cplane(), b.cplane(), other.plane(), p); });
  expect_rejected("out", [&] { cpu::reconstruct(ctx, a.cplane(), b.cplane(), wide.plane(), p); });
  expect_rejected("out", [&] { cpu::reconstruct(ctx, a.cplane(), b.cplane(), b.plane(), p); });
  expect_rejected("out", [&] {
    cpu::reconstruct(ctx, wide.view().sub(0, 0, {4, 4}), b.cplane(), Plane(wide.view().sub(1, 0, {4, 4})), p);
  });
  expect_rejected("connectivity", [&] {
    cpu::reconstruct(ctx, a.cplane(), b.cplane(), out.plane(), {By::dilation, static_cast<Connectivity>(6), V::automatic});
  });
  expect_rejected("by", [&] {
    cpu::reconstruct(ctx, a.cplane(), b.cplane(), out.plane(), {static_cast<By>(2), Connectivity::four, V::automatic});
  });
  expect_rejected("variant", [&] {
    cpu::reconstruct(ctx, a.cplane(), b.cplane(), out.plane(), {By::dilation, Connectivity::four, static_cast<V>(9)});
  });
}

TEST(Reconstruct, Cancels) {
  Workspace w;
  CancelFlag stop{true};
  Image<u8> a(40, 200), b(40, 200), out(40, 200);
  for (int threads : {1, 3}) {
    Context ctx{w, threads, &stop, nullptr};
    EXPECT_THROW(cpu::reconstruct(ctx, a.cplane(), b.cplane(), out.plane(), {}), Cancelled);
  }
}

TEST(GeodesicDilate, HandChecked) {
  const auto mask = image_of<u8>(6, 2, {9, 9, 9, 9, 1, 9, 1, 1, 1, 5, 9, 9});
  const auto marker = image_of<u8>(6, 2, {12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const auto after = [&](i32 steps) {
    Workspace w;
    Context ctx = context(w);
    Image<u8> out(6, 2, 77, 3);
    cpu::geodesic_dilate(ctx, marker.cplane(), mask.cplane(), out.plane(), {steps});
    return out.pixels();
  };
  EXPECT_EQ(after(0), (std::vector<u8>{9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(after(1), (std::vector<u8>{9, 9, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(after(3), (std::vector<u8>{9, 9, 9, 9, 0, 0, 1, 1, 1, 5, 0, 0}));
  EXPECT_EQ(after(4), (std::vector<u8>{9, 9, 9, 9, 1, 0, 1, 1, 1, 5, 9, 0}));
  EXPECT_EQ(after(9), (std::vector<u8>{9, 9, 9, 9, 1, 9, 1, 1, 1, 5, 9, 9}));
}

TEST(GeodesicDilate, EndsAsReconstruction) {
  const auto mask = blobs8(120, 90, 9);
  auto marker = mask;
  for (auto& v : marker.data) v = static_cast<u8>(v < 60 ? 0 : v - 60);
  Workspace w;
  Context ctx = context(w, 2);
  Image<u8> out(120, 90);
  cpu::geodesic_dilate(ctx, marker.cplane(), mask.cplane(), out.plane(), {1000});
  EXPECT_EQ(out.pixels(), run(marker, mask, By::dilation, Connectivity::eight).pixels());
}

/// Each pixel by its nine neighbours, a step at a time.
template <class T>
std::vector<T> dilated_within(const Image<T>& marker, const Image<T>& mask, i32 steps) {
  const i32 width = mask.extent.width, height = mask.extent.height;
  const auto index = [&](i32 x, i32 y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  };
  const std::vector<T> bound = mask.pixels();
  std::vector<T> now = marker.pixels();
  for (std::size_t i = 0; i < now.size(); ++i) now[i] = std::min(now[i], bound[i]);
  for (i32 k = 0; k < steps; ++k) {
    std::vector<T> next = now;
    for (i32 y = 0; y < height; ++y)
      for (i32 x = 0; x < width; ++x)
        for (i32 v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
          for (i32 u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u)
            next[index(x, y)] = std::max(next[index(x, y)], std::min(now[index(u, v)], bound[index(x, y)]));
    now = next;
  }
  return now;
}

template <class T>
void expect_dilated_within(Extent e, unsigned seed, i32 steps) {
  std::mt19937 random(seed);
  Image<T> mask(e.width, e.height, 0, 3), marker(e.width, e.height, 0, 5);
  // Corridors between walls, so that what moves turns corners, and much that never moves.
  for (i32 y = 0; y < e.height; ++y) {
    for (i32 x = 0; x < e.width; ++x) {
      mask.at(x, y) = static_cast<T>(random() % 5 == 0 ? random() % 4 : 100 + random() % 150);
      marker.at(x, y) = static_cast<T>(random() % 400 == 0 ? 255 : random() % 3);
    }
  }
  const std::vector<T> want = dilated_within(marker, mask, steps);
  for (const int threads : {1, 2, 7}) {
    SCOPED_TRACE(std::to_string(e.width) + " x " + std::to_string(e.height) + ", " + std::to_string(steps) + " steps, " +
                 std::to_string(threads) + " threads");
    Workspace w;
    Context ctx = context(w, threads);
    Image<T> out(e.width, e.height, 77, 2);
    cpu::geodesic_dilate(ctx, marker.cplane(), mask.cplane(), out.plane(), {steps});
    EXPECT_EQ(out.pixels(), want);
  }
}

TEST(GeodesicDilate, IsItsDefinitionWhateverTheSizeAndTheThreads) {
  unsigned seed = 0;
  for (const Extent e : {Extent{1, 1}, Extent{1, 90}, Extent{200, 1}, Extent{63, 40}, Extent{64, 65}, Extent{65, 129},
                         Extent{300, 111}, Extent{700, 60}}) {
    for (const i32 steps : {1, 2, 3, 31, 32, 33, 70}) {
      expect_dilated_within<u8>(e, ++seed, steps);
      expect_dilated_within<u16>(e, ++seed, steps);
    }
  }
  // Few steps at once, and rows of several runs.
  expect_dilated_within<u16>({9000, 30}, ++seed, 21);
}

TEST(GeodesicDilate, RejectsAndCancels) {
  Workspace w;
  CancelFlag stop{true};
  Context ctx = context(w), stopped{w, 1, &stop, nullptr};
  Image<u8> a(4, 4), b(4, 4), out(4, 4), wide(9, 4);
  Image<i32> deep(4, 4), deep_mask(4, 4), deep_out(4, 4);
  expect_rejected("marker", [&] { cpu::geodesic_dilate(ctx, deep.cplane(), deep_mask.cplane(), deep_out.plane(), {}); });
  expect_rejected("mask", [&] { cpu::geodesic_dilate(ctx, a.cplane(), wide.cplane(), out.plane(), {}); });
  expect_rejected("out", [&] { cpu::geodesic_dilate(ctx, a.cplane(), b.cplane(), a.plane(), {}); });
  expect_rejected("out", [&] { cpu::geodesic_dilate(ctx, a.cplane(), b.cplane(), b.plane(), {}); });
  expect_rejected("steps", [&] { cpu::geodesic_dilate(ctx, a.cplane(), b.cplane(), out.plane(), {-1}); });
  EXPECT_THROW(cpu::geodesic_dilate(stopped, a.cplane(), b.cplane(), out.plane(), {}), Cancelled);
}

}  // namespace
}  // namespace morpho::test
