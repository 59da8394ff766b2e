// The images that the benchmark runs on: a real tile enlarged, and the worst cases of the operations.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "../native/support/npy.hpp"
#include "contract/ops.hpp"

namespace bench {

using namespace morpho;

template <class T>
struct Picture {
  Extent extent;
  std::vector<T> data;
  explicit Picture(Extent e) : extent(e), data(static_cast<std::size_t>(e.area())) {}
  View<T> view() { return View<T>(data.data(), extent); }
  T& at(i32 x, i32 y) {
    return data[static_cast<std::size_t>(y) * static_cast<std::size_t>(extent.width) + static_cast<std::size_t>(x)];
  }
};

/// A tile mirrored until it fills the image: out = fn(pixel's channels, their number, shift), where each copy has its own shift
/// of at most `jitter`, so that no two are alike.
template <class T, class Fn>
Picture<T> mirrored(const std::string& file, Extent e, i32 jitter, Fn&& fn) {
  const auto tile = testing_npy::read(file);
  const auto v = tile.as<i32>();
  if ((tile.shape.size() != 2 && (tile.shape.size() != 3 || tile.shape[2] < 3)) || tile.size() == 0)
    throw std::runtime_error("no grey or colour image: " + file);
  const i32 h = static_cast<i32>(tile.shape[0]), w = static_cast<i32>(tile.shape[1]);
  const std::size_t channels = tile.shape.size() == 3 ? static_cast<std::size_t>(tile.shape[2]) : 1;
  const auto mirror = [](i32 i, i32 n) { return i / n % 2 ? n - 1 - i % n : i % n; };
  Picture<T> out(e);
  for (i32 y = 0; y < e.height; ++y) {
    for (i32 x = 0; x < e.width; ++x) {
      const std::size_t p = (static_cast<std::size_t>(mirror(y, h)) * static_cast<std::size_t>(w) +
                             static_cast<std::size_t>(mirror(x, w))) *
                            channels;
      const std::uint32_t copy = static_cast<std::uint32_t>(y / h) * 2654435761u +
                                 static_cast<std::uint32_t>(x / w) * 2246822519u;
      const i32 shift = static_cast<i32>((copy ^ copy >> 15) * 2654435761u >> 16) % (2 * jitter + 1) - jitter;
      out.at(x, y) = fn(&v[p], channels, shift);
    }
  }
  return out;
}
inline u8 grey_level(i32 v) { return static_cast<u8>(std::clamp(v, 0, 255)); }
/// The inverted luminance of a tile; each copy is brighter or darker by its shift.
inline Picture<u8> tissue(const std::string& file, Extent e, i32 jitter) {
  return mirrored<u8>(file, e, jitter, [](const i32* v, std::size_t channels, i32 shift) {
    return grey_level((channels == 1 ? v[0] : 255 - (299 * v[0] + 587 * v[1] + 114 * v[2] + 500) / 1000) + shift);
  });
}
/// The tile's colours; each copy is brighter or darker by its shift.
inline Picture<Rgba> tissue_colors(const std::string& file, Extent e, i32 jitter) {
  return mirrored<Rgba>(file, e, jitter, [](const i32* v, std::size_t channels, i32 shift) {
    const std::size_t next = channels == 1 ? 0 : 1;
    return Rgba{grey_level(v[0] + shift), grey_level(v[next] + shift), grey_level(v[2 * next] + shift), 255};
  });
}
inline Picture<u8> noise(Extent e) {
  Picture<u8> out(e);
  std::uint32_t s = 1;
  for (auto& v : out.data) v = static_cast<u8>((s = s * 1664525u + 1013904223u) >> 24);
  return out;
}
inline Picture<u8> checkerboard(Extent e) {
  Picture<u8> out(e);
  for (i32 y = 0; y < e.height; ++y) {
    for (i32 x = 0; x < e.width; ++x) out.at(x, y) = (x + y) % 2 ? 255 : 0;
  }
  return out;
}
inline Picture<u8> flat(Extent e) {
  Picture<u8> out(e);
  std::fill(out.data.begin(), out.data.end(), u8{200});
  return out;
}
inline Picture<u8> serpentine(Extent e) {
  Picture<u8> out(e);
  for (i32 y = 0; y < e.height; ++y) {
    if (y % 2 == 0) std::fill_n(&out.at(0, y), e.width, u8{255});
    else out.at(y / 2 % 2 == 0 ? e.width - 1 : 0, y) = 255;
  }
  return out;
}
/// A one-pixel corridor winding inwards, with one-pixel walls.
inline Picture<u8> spiral(Extent e) {
  Picture<u8> out(e);
  i32 x0 = 0, y0 = 0, x1 = e.width - 1, y1 = e.height - 1, x = 0;
  while (x0 <= x1 && y0 <= y1) {
    for (; x <= x1; ++x) out.at(x, y0) = 255;
    for (i32 y = y0; y <= y1; ++y) out.at(x1, y) = 255;
    for (i32 i = x1; i >= x0; --i) out.at(i, y1) = 255;
    for (i32 y = y1; y >= y0 + 2; --y) out.at(x0, y) = 255;
    if (y0 + 2 <= y1 && x0 + 1 <= x1) out.at(x0 + 1, y0 + 2) = 255;
    x = x0 + 2;
    x0 += 2, y0 += 2, x1 -= 2, y1 -= 2;
  }
  return out;
}
/// What distance and label are timed on, 0 and 1: tissue smoothed by a Gaussian of sigma 2 and cut at Otsu's level of that, as
/// segmentation has it; of the worst cases, which smoothing would undo, the pixels above 100.
inline Picture<u8> objects_of(const std::string& name, Picture<u8>& f) {
  Picture<u8> out(f.extent);
  Workspace w;
  Context ctx{w, 1, nullptr, nullptr};
  const OpTable& t = cpu::table();
  if (name != "tissue") {
    t.threshold(ctx, f.view(), out.view(), {100});
    return out;
  }
  Picture<u8> smooth(f.extent);
  u64 bins[256];
  t.gaussian(ctx, f.view(), smooth.view(), {2.0});
  t.histogram(ctx, smooth.view(), bins);
  t.threshold(ctx, smooth.view(), out.view(), {otsu_level(bins, 256)});
  return out;
}

}  // namespace bench
