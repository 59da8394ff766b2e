// Hole filling and border clearing of images with two values: against the definition, against the way of all other images, in
// bands.
#include "cpu/cpu_ops.hpp"
#include "../support/oracle.hpp"
#include "../support/plain_reconstruct.hpp"

namespace morpho::test {
namespace {

using Reconstruction = void (*)(Context&, ConstPlane, Plane, const ConnectivityParams&);

template <class T>
Image<T> run(Reconstruction op, const Image<T>& f, Connectivity c, int threads = 1) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<T> out(f.extent.width, f.extent.height, T{7}, 1);
  op(ctx, f.cplane(), out.plane(), {c});
  return out;
}

/// From the definition: f on the border, `inside` within, reconstructed under (above) f.
Image<u8> plain(bool fill, const Image<u8>& f, Connectivity c) {
  Image<u8> marker(f.extent.width, f.extent.height, fill ? 255 : 0);
  for (i32 y = 0; y < f.extent.height; ++y) {
    for (i32 x = 0; x < f.extent.width; ++x) {
      if (x == 0 || y == 0 || x + 1 == f.extent.width || y + 1 == f.extent.height) marker.at(x, y) = f.at(x, y);
    }
  }
  Image<u8> out = plain_reconstruct(marker, f, fill ? By::erosion : By::dilation, c);
  if (!fill) {
    for (i64 p = 0; p < f.area(); ++p) out[p] = static_cast<u8>(f[p] - out[p]);
  }
  return out;
}

/// A one-pixel corridor of 1 that winds inwards, walls of 0: turns right where the cell two ahead is taken already.
Image<u8> spiral(i32 n) {
  Image<u8> out(n, n);
  const auto taken = [&](i32 x, i32 y) { return x >= 0 && y >= 0 && x < n && y < n && out.at(x, y) != 0; };
  i32 x = 0, y = 0, dx = 1, dy = 0;
  out.at(0, 0) = 1;
  for (int turns = 0; turns < 2;) {
    const i32 nx = x + dx, ny = y + dy;
    if (nx < 0 || ny < 0 || nx >= n || ny >= n || taken(nx + dx, ny + dy)) {
      const i32 right = -dy;
      dy = dx, dx = right;
      ++turns;
      continue;
    }
    turns = 0;
    x = nx, y = ny;
    out.at(x, y) = 1;
  }
  return out;
}

void expect_both(const Image<u8>& f, const char* what) {
  for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
    for (int threads : {1, 2, 5, 16}) {
      ASSERT_EQ(run(cpu::fill_holes, f, c, threads).pixels(), plain(true, f, c).pixels()) << what << ' ' << threads;
      ASSERT_EQ(run(cpu::clear_border, f, c, threads).pixels(), plain(false, f, c).pixels()) << what << ' ' << threads;
    }
  }
}

TEST(TwoValues, RandomAgainstTheDefinition) {
  std::mt19937 rng(8);
  for (int i = 0; i < 300; ++i) {
    const i32 w = 1 + static_cast<i32>(rng() % (i % 4 ? 12 : 150)), h = 1 + static_cast<i32>(rng() % 12);
    auto f = random_image<u8>(rng, w, h, i % 7 == 0 ? 3 : 2, 1, i % 3);  // also three values: the other way
    const int low = static_cast<int>(rng() % 128), step = 1 + static_cast<int>(rng() % 63);
    for (auto& v : f.data) v = static_cast<u8>(low + step * v);
    if (i % 5 == 0) f.at(0, 0) = static_cast<u8>(low + step);
    expect_both(f, "random");
    if (HasFatalFailure()) return;
  }
}

TEST(TwoValues, CorridorsAndOneValue) {
  Image<u8> winding = spiral(41), walls = winding, closed(61, 43);
  for (auto& v : walls.data) v = static_cast<u8>(v ? 3 : 255);
  for (i32 y = 0; y < 41; ++y) {
    for (i32 x = 0; x < 41; ++x) closed.at(x + 5, y + 1) = static_cast<u8>(winding.at(x, y) ? 0 : 1);
  }
  ASSERT_EQ(winding.at(20, 20) + winding.at(20, 21) + winding.at(21, 20) > 0, true);
  expect_both(winding, "spiral");
  expect_both(walls, "spiral of walls");
  expect_both(closed, "spiral within");
  expect_both(serpentine(33, 31), "serpentine");
  for (u8 v : {u8{0}, u8{9}, u8{255}}) expect_both(Image<u8>(70, 5, v), "one value");
  expect_both(image_of<u8>(1, 1, {5}), "one pixel");
}

// Sweeps are few enough for noise too, in which components of runs are many: those would take several bytes a pixel.
TEST(TwoValues, NoiseIsSwept) {
  std::mt19937 rng(11);
  Image<u8> f(640, 512), out(640, 512);
  for (auto& v : f.data) v = static_cast<u8>(rng() % 2 ? 200 : 20);
  Workspace w;
  Context ctx{w, 1};
  cpu::fill_holes(ctx, f.view(), out.view(), {Connectivity::eight});
  EXPECT_LT(w.peak_bytes(), static_cast<std::size_t>(f.area()));
  ASSERT_EQ(out.pixels(), plain(true, f, Connectivity::eight).pixels());
}

// u16 goes the way of grey images, by reconstruction: another algorithm with the same result.
TEST(TwoValues, ManyBandsAgainstReconstruction) {
  std::mt19937 rng(9);
  for (int density : {2, 4, 9, 0, 1}) {  // 0 and 1: a corridor, longer than the sweeps and the queue are given for it
    Image<u8> f = density < 2 ? spiral(301) : Image<u8>(3001, 120);
    for (auto& v : f.data)
      v = density < 2 ? static_cast<u8>(v == density ? 20 : 200)
                      : static_cast<u8>(rng() % static_cast<unsigned>(density) ? 200 : 20);
    Image<u16> wide(f.extent.width, f.extent.height);
    for (i64 p = 0; p < f.area(); ++p) wide[p] = f[p];
    for (Reconstruction op : {&cpu::fill_holes, &cpu::clear_border}) {
      for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
        const auto reference = run(op, wide, c).pixels();
        for (int threads : {1, 2, 5, 16}) {
          const auto out = run(op, f, c, threads).pixels();
          ASSERT_TRUE(std::equal(out.begin(), out.end(), reference.begin())) << density << ' ' << threads;
        }
      }
    }
  }
}

// Labels and areas over many bands, whose components are joined after each band's own.
TEST(ComponentRuns, LabelsAndAreasOverManyBands) {
  std::mt19937 rng(10);
  for (int kind = 0; kind < 4; ++kind) {
    Image<u8> f = kind == 2 ? spiral(1101) : kind == 3 ? serpentine(1500, 1001) : Image<u8>(2501, 200);
    if (kind < 2) {
      for (auto& v : f.data) v = rng() % 5 < (kind ? 3u : 2u);
    }
    const Connectivity c = kind % 2 ? Connectivity::four : Connectivity::eight;
    Image<i32> labels(f.extent.width, f.extent.height);
    std::vector<i32> areas{0};
    for (i64 s = 0; s < f.area(); ++s) {  // a flood, from the definition
      if (f[s] == 0 || labels[s] != 0) continue;
      const i32 n = static_cast<i32>(areas.size());
      std::vector<i64> stack{s};
      labels[s] = n;
      areas.push_back(0);
      while (!stack.empty()) {
        const i64 p = stack.back();
        stack.pop_back();
        ++areas.back();
        each_neighbour(f.extent, p, c, [&](i64 q) {
          if (f[q] != 0 && labels[q] == 0) labels[q] = n, stack.push_back(q);
        });
      }
    }
    std::vector<u8> kept;
    for (i64 p = 0; p < f.area(); ++p)
      kept.push_back(labels[p] != 0 && areas[static_cast<std::size_t>(labels[p])] >= 5 &&
                     areas[static_cast<std::size_t>(labels[p])] < 900);
    for (int threads : {1, 2, 5, 16}) {
      Workspace w;
      Context ctx = context(w, threads);
      Image<i32> out(f.extent.width, f.extent.height, -1);
      EXPECT_EQ(cpu::label(ctx, f.cplane(), out.plane(), {c}), static_cast<i32>(areas.size()) - 1);
      ASSERT_TRUE(out.pixels() == labels.pixels()) << kind << ' ' << threads;
      Image<u8> filtered(f.extent.width, f.extent.height, 7);
      cpu::area_filter(ctx, f.cplane(), filtered.plane(), {c, 5, 900});
      ASSERT_TRUE(filtered.pixels() == kept) << kind << ' ' << threads;
    }
  }
}

}  // namespace
}  // namespace morpho::test
