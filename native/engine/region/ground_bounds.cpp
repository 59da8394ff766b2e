// Reconstructs with the least and the greatest that unknown pixels could be, and compares.
#include "ground_bounds.hpp"

#include <algorithm>
#include <limits>

namespace morpho::engine::region {
namespace {

/// Rectangles are made of squares of so many px.
constexpr i64 kSquare = 16;

void fill_lost(Raster& image, const std::vector<Rect>& lost, bool greatest) {
  visit_pixel_type(image.type(), [&](auto t) {
    using T = decltype(t);
    std::vector<T> row;
    for (const Rect& r : lost) {
      row.assign(static_cast<std::size_t>(r.width), greatest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min());
      for (i64 y = r.y; y < r.y + r.height; ++y) image.write({r.x, y, r.width, 1}, row.data(), row.size() * sizeof(T));
    }
  });
}

/// Squares of one band of rows, from left to right, joined where they touch.
void add_squares(const std::vector<u8>& differs, const Rect& band, std::vector<Rect>& rects) {
  for (std::size_t k = 0; k < differs.size(); ++k) {
    if (!differs[k]) continue;
    const std::size_t first = k;
    while (k < differs.size() && differs[k]) ++k;
    const i64 x0 = band.x + static_cast<i64>(first) * kSquare;
    const i64 x1 = std::min(band.x + band.width, band.x + static_cast<i64>(k) * kSquare);
    const auto above = std::find_if(rects.rbegin(), rects.rend(),
                                    [&](const Rect& r) { return r.x == x0 && r.width == x1 - x0 && r.y + r.height == band.y; });
    if (above != rects.rend()) above->height += band.height;
    else rects.push_back({x0, band.y, x1 - x0, band.height});
  }
}

}  // namespace

void copy_image(Workers& workers, const Raster& from, Raster& to, i64 tile) {
  const Grid grid(from.width(), from.height(), tile);
  workers.each_on_cpu(grid.count(), "background", [&](Worker& worker, i64 i) {
    const Rect r = grid.rect(i);
    const std::size_t row = static_cast<std::size_t>(r.width) * from.pixel();
    u8* bytes = worker.take(row * static_cast<std::size_t>(r.height));
    from.read(r, bytes, row);
    to.write(r, bytes, row);
  });
}

std::vector<Rect> unknown_of(Workers& workers, const Raster& marker, Raster& mask, const std::vector<Rect>& lost, i64 tile,
                             const ReconstructParams& how, const std::function<std::unique_ptr<Raster>()>& image) {
  const auto bound = [&](bool greatest) {
    auto out = image();
    copy_image(workers, marker, *out, tile);
    fill_lost(*out, lost, greatest);
    fill_lost(mask, lost, greatest);
    reconstruct(workers, *out, mask, *out, tile, how);
    return out;
  };
  const auto least = bound(false), greatest = bound(true);
  std::vector<Rect> rects;
  std::vector<u8> a, b, differs;
  for (i64 y = 0; y < mask.height(); y += kSquare) {
    const Rect band{0, y, mask.width(), std::min(kSquare, mask.height() - y)};
    const std::size_t pixel = mask.pixel(), row = static_cast<std::size_t>(band.width) * pixel;
    a.resize(row * static_cast<std::size_t>(band.height)), b.resize(a.size());
    least->read(band, a.data(), row);
    greatest->read(band, b.data(), row);
    if (a == b) continue;
    differs.assign(static_cast<std::size_t>((band.width + kSquare - 1) / kSquare), 0);
    for (std::size_t k = 0; k < a.size(); ++k)
      if (a[k] != b[k]) differs[k % row / pixel / static_cast<std::size_t>(kSquare)] = 1;
    add_squares(differs, band, rects);
  }
  return rects;
}

}  // namespace morpho::engine::region
