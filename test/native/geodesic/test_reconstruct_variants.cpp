// The reconstruction variants with files of their own, where they have more to lose than on the cases that all variants share.
#include "cpu/cpu_ops.hpp"
#include "../support/fewer_threads.hpp"
#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

using V = ReconstructVariant;
const V kOwnFile[] = {V::downhill, V::priority_queue, V::tiled_fast_hybrid, V::parallel_fast_hybrid};

template <class T>
Image<T> reconstructed(const Image<T>& marker, const Image<T>& mask, By by, Connectivity c, V variant, int threads = 1,
                       std::size_t* peak = nullptr) {
  Workspace w;
  Context ctx = context(w, threads);
  Image<T> out(mask.extent.width, mask.extent.height, T{}, 3);
  cpu::reconstruct(ctx, marker.cplane(), mask.cplane(), out.plane(), {by, c, variant});
  if (peak) *peak = w.peak_bytes();
  return out;
}

template <class T>
void expect_automatic(const Image<T>& marker, const Image<T>& mask, const char* what) {
  for (By by : {By::dilation, By::erosion}) {
    for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
      const auto expected = reconstructed(marker, mask, by, c, V::automatic).pixels();
      for (V v : kOwnFile) {
        for (int threads : fewer_threads({1, 2, 3, 8})) {
          if (threads > 1 && v < V::tiled_fast_hybrid) continue;  // sequential
          EXPECT_TRUE(reconstructed(marker, mask, by, c, v, threads).pixels() == expected)
              << what << " variant " << static_cast<int>(v) << " threads " << threads << " connectivity "
              << static_cast<int>(c);
        }
      }
    }
  }
}

TEST(ReconstructVariants, WavesCrossTiles) {
  // Tiles are 512 px a side: corners, single columns and rows of a last tile, and a corridor through all of them.
  for (Extent e : {Extent{1030, 513}, Extent{513, 1025}, Extent{1537, 1}, Extent{1, 1100}}) {
    Image<u8> marker(e.width, e.height, 0, 5), open(e.width, e.height, 200, 2);
    marker.at(0, 0) = 150;
    expect_automatic(marker, open, "open");
  }
  const Extent e{700, 1200};
  auto corridor = serpentine(e.width, e.height);
  Image<u8> marker(e.width, e.height);
  marker.at(0, 0) = 255;
  expect_automatic(marker, corridor, "serpentine");
  Image<u8> diagonal(e.width, e.height), one(e.width, e.height);
  for (i32 i = 0; i < e.width; ++i) diagonal.at(i, i) = 90;  // passes from tile to tile by a corner alone
  one.at(0, 0) = 80;
  expect_automatic(one, diagonal, "diagonal");
}

TEST(ReconstructVariants, RealShapesOfEveryType) {
  // Two by two tiles of 512 px.
  const auto mask = blobs8(641, 570, 12);
  auto marker = mask;
  for (auto& v : marker.data) v = static_cast<u8>(v < 35 ? 0 : v - 35);
  expect_automatic(marker, mask, "u8");
  const auto spread = [](const Image<u8>& from, i32 scale, i32 offset, auto zero) {
    Image<decltype(zero)> out(from.extent.width, from.extent.height, zero, 1);
    for (i64 p = 0; p < from.area(); ++p) out[p] = static_cast<decltype(zero)>(i64{from[p]} * scale + offset);
    return out;
  };
  expect_automatic(spread(marker, 257, 0, u16{}), spread(mask, 257, 0, u16{}), "u16");
  expect_automatic(spread(marker, 16000000, -2000000000, i32{}), spread(mask, 16000000, -2000000000, i32{}), "i32");
}

TEST(ReconstructVariants, ExtremesOfTheTypes) {
  const i32 low = std::numeric_limits<i32>::min(), high = std::numeric_limits<i32>::max();
  const auto mask = image_of<i32>(5, 2, {high, high, low, 0, high, low, -1, high, high, 3});
  const auto marker = image_of<i32>(5, 2, {low, high, low, low, 7, high, low, low, low, low});
  expect_automatic(marker, mask, "i32");
  expect_automatic(image_of<u16>(3, 1, {65535, 0, 0}), image_of<u16>(3, 1, {65535, 65535, 65535}), "u16");
  expect_automatic(Image<u8>(40, 30, 255), Image<u8>(40, 30, 0), "flat");
}

TEST(ReconstructVariants, FullQueuesAreHarmless) {
  // A seventh of all pixels can move at once and each carries others along: more than the bounded queues hold.
  const auto mask = noise8(640, 600, 4);
  Image<u8> marker(640, 600);
  for (i64 p = 0; p < mask.area(); p += 7) marker[p] = 255;
  expect_automatic(marker, mask, "noise");
  Image<u8> seed(640, 600), high(640, 600, 255);
  for (i32 x = 0; x < 640; ++x) seed.at(x, 300) = static_cast<u8>(x % 256);
  expect_automatic(seed, high, "ramp");
}

TEST(ReconstructVariants, MemoryIsWhatTheDocstringsState) {
  const i32 width = 1000, height = 900;
  const std::size_t area = 1000 * 900, frame = 1002 * 902;
  const auto mask = blobs8(width, height, 5);
  auto marker = mask;
  for (auto& v : marker.data) v = static_cast<u8>(v < 35 ? 0 : v - 35);
  const std::size_t slack = 4096;
  std::size_t peak = 0;
  reconstructed(marker, mask, By::dilation, Connectivity::eight, V::downhill, 1, &peak);
  EXPECT_LE(peak, 10 * frame + 1024 + slack);
  reconstructed(marker.to<i32>(), mask.to<i32>(), By::dilation, Connectivity::eight, V::downhill, 1, &peak);
  EXPECT_LE(peak, 32 * frame + slack);
  reconstructed(marker, mask, By::dilation, Connectivity::eight, V::priority_queue, 1, &peak);
  EXPECT_LE(peak, 2 * frame + 16 * area + slack);
  reconstructed(marker, mask, By::dilation, Connectivity::eight, V::tiled_fast_hybrid, 2, &peak);
  EXPECT_LE(peak, 2 * 8 * (512 * 512 / 4) + 4 * 4 * 512 + 2 * 6 * 1024 + slack);
  reconstructed(marker, mask, By::dilation, Connectivity::eight, V::parallel_fast_hybrid, 2, &peak);
  EXPECT_LE(peak, area + height + 2 * 7 * (1000 + 64) + slack);
}

TEST(ReconstructVariants, TheGpusOwnAreRefused) {
  Workspace w;
  Context ctx{w, 1, nullptr, nullptr};
  Image<u8> a(4, 4), out(4, 4);
  const Image<u8> b(4, 4);
  for (V v : {V::naive_queue, V::prefix_queue, V::parallel_heap}) {
    expect_rejected(
        "variant", [&] { cpu::reconstruct(ctx, a.cplane(), b.cplane(), out.plane(), {By::dilation, Connectivity::eight, v}); });
  }
}

TEST(ReconstructVariants, Cancel) {
  CancelFlag stop{true};
  Image<u8> a(40, 200), out(40, 200);
  const Image<u8> b(40, 200);
  for (V v : kOwnFile) {
    for (int threads : {1, 3}) {
      Workspace w;
      Context ctx{w, threads, &stop, nullptr};
      EXPECT_THROW(cpu::reconstruct(ctx, a.cplane(), b.cplane(), out.plane(), {By::dilation, Connectivity::eight, v}),
                   Cancelled);
    }
  }
}

}  // namespace
}  // namespace morpho::test
