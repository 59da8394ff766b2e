// Bands of rows on all threads. Places are computed as JavaScript did, in doubles, so that no pixel of an older export moves.
#include "outlined_picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "cpu/runtime/parallel.hpp"

namespace morpho::exports {
namespace {

/// What a rim leaves of the slide, of 256.
constexpr int kUnderRim = 106;
constexpr i64 kRowsPerRim = 64;

/// Rows [begin, end) of a picture.
struct Rows {
  i64 begin, end;
};

struct Spot {
  double x, y;
};

void line(const Picture& picture, const Rows& rows, const u8* color, Spot from, Spot to) {
  const double dx = to.x - from.x, dy = to.y - from.y, steps = std::max(1.0, std::ceil(std::max(std::abs(dx), std::abs(dy))));
  const double width = picture.extent.width, top = static_cast<double>(rows.begin), bottom = static_cast<double>(rows.end);
  for (double i = 0; i <= steps; ++i) {
    const double x = std::floor(from.x + dx * i / steps), y = std::floor(from.y + dy * i / steps);
    if (!(x >= 0 && y >= top && x < width && y < bottom)) continue;
    const i64 at = static_cast<i64>(y) * picture.extent.width + static_cast<i64>(x);
    std::memcpy(picture.rgb + 3 * at, color, 3);
    picture.drawn[at] = 1;
  }
}

void paint_ring(const Picture& picture, const Rows& rows, const u8* color, const std::vector<i32>& xy) {
  const auto place = [&](std::size_t p) -> Spot {
    return {xy[2 * p] * picture.scale - picture.x0, xy[2 * p + 1] * picture.scale - picture.y0};
  };
  const std::size_t points = xy.size() / 2;
  for (std::size_t p = 0; p < points; ++p) {
    const Spot from = place(p), to = place(p + 1 < points ? p + 1 : 0);
    if (std::max(from.y, to.y) < static_cast<double>(rows.begin) || std::min(from.y, to.y) > static_cast<double>(rows.end))
      continue;
    line(picture, rows, color, from, to);
  }
}

}  // namespace

void paint_outlines(const Context& ctx, const ObjectTable& objects, std::span<const u8> colors, const Picture& picture) {
  const i64 height = picture.extent.height;
  // Two bands a thread: objects are no more even over a slide than tissue is.
  const i64 grain = std::max<i64>(64, (height + 2 * ctx.threads - 1) / (2 * ctx.threads));
  cpu::parallel_for(ctx, height, grain, [&](i64 first, i64 last, int) {
    const Rows rows{first, last};
    std::vector<Run> runs;
    const double reach = picture.cell_reach;
    for (i64 k = 0; k < objects.size(); ++k) {
      if ((k & 255) == 0) ctx.check_cancelled();
      const ObjectTable::Object object = objects.at(k);
      const double top = (object.value(Field::min_y) - reach) * picture.scale - picture.y0,
                   bottom = (object.value(Field::max_y) + reach + 1) * picture.scale - picture.y0;
      if (bottom < static_cast<double>(first) || top > static_cast<double>(last) ||
          (object.value(Field::max_x) + reach + 1) * picture.scale < picture.x0 ||
          (object.value(Field::min_x) - reach) * picture.scale > picture.x0 + picture.extent.width)
        continue;
      const auto paint = [&] {
        for (const Ring& ring : cpu::trace_outline(runs.data(), runs.size(), 0))
          paint_ring(picture, rows, colors.data() + 3 * k, ring.xy);
      };
      object.runs(runs);
      paint();
      if (picture.cell_reach == 0) continue;
      object.cell_runs(runs);
      paint();
    }
  });
}

void paint_rims(const Context& ctx, const Picture& picture) {
  const i64 width = picture.extent.width, height = picture.extent.height;
  cpu::parallel_for(ctx, height, kRowsPerRim, [&](i64 first, i64 last, int) {
    for (i64 y = first; y < last; ++y) {
      const u8* row = picture.drawn + y * width;
      const u8 *above = y > 0 ? row - width : nullptr, *below = y + 1 < height ? row + width : nullptr;
      u8* rgb = picture.rgb + 3 * y * width;
      for (i64 x = 0; x < width; ++x) {
        if (row[x] != 0) continue;
        const bool beside = (x > 0 && row[x - 1] != 0) || (x + 1 < width && row[x + 1] != 0);
        if (!beside && !(above && above[x] != 0) && !(below && below[x] != 0)) continue;
        for (i64 c = 3 * x; c < 3 * x + 3; ++c) rgb[c] = static_cast<u8>(rgb[c] * kUnderRim >> 8);
      }
    }
  });
}

void drop_alpha(const u8* rgba, i64 pixels, u8* rgb) {
  // Four bytes where three are wanted, the fourth of which the next px replaces.
  for (i64 i = 0; i + 1 < pixels; ++i) std::memcpy(rgb + 3 * i, rgba + 4 * i, 4);
  if (pixels > 0) std::memcpy(rgb + 3 * (pixels - 1), rgba + 4 * (pixels - 1), 3);
}

}  // namespace morpho::exports
