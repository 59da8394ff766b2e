// The exact distance of a region, strip by strip: columns are carried over the strips' borders, rows are whole.
#include <algorithm>

#include "contract/require.hpp"
#include "region_ops.hpp"

namespace morpho::engine::region {
namespace {

/// For each strip and column the first and the last row with a zero, in the region's rows; -1 where the strip has none.
struct Sites {
  i64 width;
  std::vector<i32> first, last;
  Sites(i64 strips, i64 w)
      : width(w), first(static_cast<std::size_t>(strips * w), -1), last(static_cast<std::size_t>(strips * w), -1) {}
  i32* first_of(i64 strip) { return first.data() + strip * width; }
  i32* last_of(i64 strip) { return last.data() + strip * width; }
};

/// Notes in `rows` the row of every column that has a zero there and none noted yet; returns how many these are.
i64 note_zeros(const u8* pixels, i64 width, i32 row, i32* rows) {
  i64 found = 0;
  for (i64 x = 0; x < width; ++x) {
    const bool here = pixels[x] == 0 && rows[x] < 0;
    rows[x] = here ? row : rows[x];
    found += here;
  }
  return found;
}

/// From one end of the strip until every column has a zero: on most images a few rows.
void scan(const Raster& binary, const Rect& strip, bool downwards, u8* rows_of, i64 rows_at_once, i32* rows,
          const Context& ctx) {
  i64 left = strip.width;
  for (i64 done = 0; done < strip.height && left > 0; done += rows_at_once) {
    ctx.check_cancelled();
    const i64 n = std::min(rows_at_once, strip.height - done);
    const i64 y = downwards ? strip.y + done : strip.y + strip.height - done - n;
    binary.read({0, y, strip.width, n}, rows_of, static_cast<std::size_t>(strip.width));
    for (i64 k = 0; k < n && left > 0; ++k) {
      const i64 at = downwards ? k : n - 1 - k;
      left -= note_zeros(rows_of + at * strip.width, strip.width, static_cast<i32>(y + at), rows);
    }
  }
}

}  // namespace

void distance(Workers& workers, const Raster& binary, Raster& squared, i64 tile, const DistanceParams& params) {
  require_tile(tile);
  if (binary.type() != PixelType::u8) reject("binary", "pixels of type uint8", pixel_type_name(binary.type()));
  if (squared.type() != PixelType::i32) reject("squared", "pixels of type int32", pixel_type_name(squared.type()));
  require_same_extent("squared", binary, squared);
  if (params.variant == DistanceVariant::danielsson) reject("variant", "auto or exact for an image in tiles", "danielsson");
  const i64 width = binary.width(), height = binary.height();
  if (width == 0 || height == 0) return;
  // Rows and columns as the table counts them; a strip of one row must be an image of its own.
  if (width > (i64{1} << 30) || height > (i64{1} << 30))
    reject("extent", "at most 2^30 px a side", std::to_string(width) + "x" + std::to_string(height));
  const Grid strips(width, height, width, std::max<i64>(1, tile * tile / width));

  Sites sites(strips.count(), width);
  const i64 rows_at_once = std::max<i64>(1, (i64{1} << 20) / width);
  workers.each_on_cpu(strips.count(), "columns", [&](Worker& worker, i64 i) {
    u8* rows = worker.host().workspace.take<u8>(static_cast<std::size_t>(rows_at_once * width));
    scan(binary, strips.rect(i), true, rows, rows_at_once, sites.first_of(i), worker.host());
    scan(binary, strips.rect(i), false, rows, rows_at_once, sites.last_of(i), worker.host());
  });
  // What strips above and below have: the nearest last (first) row of each column.
  for (i64 i = 1; i < strips.count(); ++i) {
    const i32* before = sites.last_of(i - 1);
    i32* own = sites.last_of(i);
    for (i64 x = 0; x < width; ++x) own[x] = own[x] < 0 ? before[x] : own[x];
  }
  for (i64 i = strips.count() - 2; i >= 0; --i) {
    const i32* after = sites.first_of(i + 1);
    i32* own = sites.first_of(i);
    for (i64 x = 0; x < width; ++x) own[x] = own[x] < 0 ? after[x] : own[x];
  }

  workers.each(strips.count(), "distance", [&](Worker& worker, i64 i) {
    const Rect r = strips.rect(i);
    const std::size_t n = static_cast<std::size_t>(r.width * r.height), columns = static_cast<std::size_t>(width);
    u8* pixels = worker.take(n);
    i32* result = reinterpret_cast<i32*>(worker.take(n * sizeof(i32)));
    i32* beyond = reinterpret_cast<i32*>(worker.take(2 * columns * sizeof(i32)));
    binary.read(r, pixels, columns);
    const i32* above = i > 0 ? sites.last_of(i - 1) : nullptr;
    const i32* below = i + 1 < strips.count() ? sites.first_of(i + 1) : nullptr;
    for (std::size_t x = 0; x < columns; ++x) {
      beyond[x] = above && above[x] >= 0 ? static_cast<i32>(r.y - 1 - above[x]) : kNoSite;
      beyond[columns + x] = below && below[x] >= 0 ? static_cast<i32>(below[x] - (r.y + r.height)) : kNoSite;
    }
    worker.mark_read();
    const Extent extent = extent_of(r);
    const Plane host(result, PixelType::i32, extent);
    worker.compute([&](Backend& backend) {
      const Plane f = Worker::uploaded(backend, Plane(pixels, PixelType::u8, extent));
      const Plane b = Worker::uploaded(backend, Plane(beyond, PixelType::i32, {static_cast<i32>(columns), 2}));
      Plane to = host;
      if (!backend.on_host()) to.data = backend.context().workspace.take<i32>(n);
      const i32* at = static_cast<const i32*>(b.data);
      backend.tiled().distance_strip(backend.context(), f, {at, at + columns}, to, params);
      Worker::fetch(backend, to, host);
    });
    squared.write(r, result, columns * sizeof(i32));
  });
}

}  // namespace morpho::engine::region
