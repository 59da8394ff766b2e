// The flood from the image border: against the definition, forced and where holes and borders of noise come to it by
// themselves.
#include "cpu/reconstruct/border_flood.hpp"
#include "cpu/cpu_ops.hpp"
#include "../support/fewer_threads.hpp"
#include "../support/oracle.hpp"
#include "../support/plain_reconstruct.hpp"

namespace morpho::test {
namespace {

template <class T>
Image<T> marker_of(const Image<T>& f, By by) {
  Image<T> marker(f.extent.width, f.extent.height,
                  by == By::dilation ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max());
  for (i32 y = 0; y < f.extent.height; ++y) {
    for (i32 x = 0; x < f.extent.width; ++x) {
      if (x == 0 || y == 0 || x + 1 == f.extent.width || y + 1 == f.extent.height) marker.at(x, y) = f.at(x, y);
    }
  }
  return marker;
}

template <class T>
void random_against_the_definition(int top) {
  std::mt19937 rng(31);
  Workspace w;
  for (int i = 0; i < random_images(300); ++i) {
    const i32 width = 1 + static_cast<i32>(rng() % (i % 4 ? 14 : 90)), height = 1 + static_cast<i32>(rng() % (i % 5 ? 14 : 60));
    const int levels = i % 3 == 0 ? top : 2 + static_cast<int>(rng() % 9), step = top / levels;
    Image<T> f(width, height, T{0}, i % 2);  // with a gap between rows, and without
    for (i32 y = 0; y < height; ++y) {
      for (i32 x = 0; x < width; ++x)
        f.at(x, y) = static_cast<T>(static_cast<int>(rng() % static_cast<unsigned>(levels + 1)) * step);
    }
    for (By by : {By::dilation, By::erosion}) {
      for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
        Context ctx = context(w, 1);
        Image<T> out(width, height, T{7}, i % 2);
        const Image<T> marker = marker_of(f, by), result = plain_reconstruct(marker, f, by, c);
        for (int start = 0; start < 3;
             ++start) {  // from the marker, from anything up to the result, and from the result with a few holes
          for (i32 y = 0; y < height; ++y) {
            for (i32 x = 0; x < width; ++x) {
              const int low = marker.at(x, y), high = result.at(x, y),
                        part = start == 0   ? 0
                               : start == 1 ? static_cast<int>(rng() % 5)
                               : rng() % 8  ? 4
                                            : 0;
              out.at(x, y) = static_cast<T>(low + (high - low) * part / 4);
            }
          }
          cpu::flood_on(ctx, f.cplane(), out.plane(), by, c);
          ASSERT_EQ(out.pixels(), result.pixels()) << width << 'x' << height << ' ' << levels << " start " << start;
        }
      }
    }
  }
}

TEST(BorderFlood, RandomAgainstTheDefinition) {
  random_against_the_definition<u8>(255);
  random_against_the_definition<u16>(65535);
}

/// Bands of rows: noise whose waves cross them again and again, from several beginnings, which must not show in the result.
template <class T>
void bands_against_the_definition(int top) {
  std::mt19937 rng(77);
  for (int i = 0; i < random_images(12); ++i) {
    const i32 width = 20 + static_cast<i32>(rng() % 60), height = 330 + static_cast<i32>(rng() % 60);
    Image<T> f(width, height, T{0}, i % 2);
    const unsigned levels = i % 3 == 0 ? 3 : i % 3 == 1 ? 40 : static_cast<unsigned>(top);
    for (i32 y = 0; y < height; ++y) {
      for (i32 x = 0; x < width; ++x) f.at(x, y) = static_cast<T>(rng() % (levels + 1));
    }
    // A corridor at the top level that runs to and fro over all bands, and one at the bottom for holes.
    for (i32 y = 2; y + 2 < height; ++y) f.at(5, y) = f.at(9, y) = static_cast<T>(levels), f.at(7, y) = f.at(11, y) = T{0};
    for (By by : {By::dilation, By::erosion}) {
      for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
        const Image<T> marker = marker_of(f, by), result = plain_reconstruct(marker, f, by, c);
        for (int threads : fewer_threads({1, 2, 5})) {
          for (int start = 0; start < 2; ++start) {
            Workspace w;
            Context ctx = context(w, threads);
            Image<T> out(width, height, T{0}, i % 2);
            for (i32 y = 0; y < height; ++y) {
              for (i32 x = 0; x < width; ++x) out.at(x, y) = start == 1 && rng() % 3 ? result.at(x, y) : marker.at(x, y);
            }
            cpu::flood_on(ctx, f.cplane(), out.plane(), by, c);
            ASSERT_EQ(out.pixels(), result.pixels()) << width << 'x' << height << " threads " << threads << " start " << start;
          }
        }
      }
    }
  }
}

TEST(BorderFlood, BandsAgainstTheDefinition) {
  bands_against_the_definition<u8>(255);
  bands_against_the_definition<u16>(65535);
}

/// The operations against the variant that goes by lists, on noise that sweeps do not finish; the flood takes 4 bytes a pixel,
/// which shows that it ran.
template <class T>
void noise_comes_to_the_flood() {
  std::mt19937 rng(5);
  Image<T> f(1410, 1070);
  for (auto& v : f.data) v = static_cast<T>(rng());
  for (By by : {By::dilation, By::erosion}) {
    for (Connectivity c : {Connectivity::four, Connectivity::eight}) {
      Workspace plain;
      Context once = context(plain, 1);
      Image<T> expected(1410, 1070), marker = marker_of(f, by);
      cpu::reconstruct(once, marker.cplane(), f.cplane(), expected.plane(), {by, c, ReconstructVariant::downhill});
      if (by == By::dilation) {
        for (i64 p = 0; p < f.area(); ++p) expected[p] = static_cast<T>(f[p] - expected[p]);
      }
      for (int threads : {1, 2, 5}) {
        Workspace w;
        Context ctx = context(w, threads);
        Image<T> out(1410, 1070);
        (by == By::dilation ? cpu::clear_border : cpu::fill_holes)(ctx, f.cplane(), out.plane(), {c});
        ASSERT_EQ(out.pixels(), expected.pixels()) << threads;
        EXPECT_GE(w.peak_bytes(), static_cast<std::size_t>(4 * f.area())) << threads << " threads";
      }
    }
  }
}

TEST(BorderFlood, NoiseComesToItByItself) {
  noise_comes_to_the_flood<u8>();
  noise_comes_to_the_flood<u16>();
}

}  // namespace
}  // namespace morpho::test
