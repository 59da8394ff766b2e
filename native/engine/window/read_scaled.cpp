// Reads a slide at any scale from its best level, block by block, so that no pixel depends on the tiling of the requests.
#include "read_scaled.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "../../cpu/local/resample_rows.hpp"
#include "../../cpu/runtime/parallel.hpp"
#include "../../slide/on_level.hpp"
#include "level_blocks.hpp"

namespace morpho::engine {
namespace {

using slide::fill;

/// The rows of a rectangle of a level (inside it) where its reader has them in memory, tile by tile.
class BandRows final : public cpu::RowSource {
 public:
  explicit BandRows(LevelBands bands) : bands_(std::move(bands)) {}
  /// False where the reader has none: then read() gives them.
  bool any() const { return bands_.any(); }
  void row(i32 y, std::vector<cpu::RowPiece>& pieces) override {
    const auto [band, at] = bands_.at(y);
    pieces.clear();
    for (const slide::Patch& p : band.patches) pieces.push_back({p.pixels.row(at), p.pixels.width()});
  }

 private:
  LevelBands bands_;
};

constexpr i32 kIdentityBlock = 2048;
constexpr i64 kFarthest = i64{1} << 40;  // coordinates beyond are outside any slide, and their products stay in an i64

/// A rectangle of a level in level-0 px, rounded down.
Rect to_level0(const slide::Level& level, const Rect& part) {
  const auto x = [&level](i64 at) { return static_cast<i64>(static_cast<double>(at) * level.downsample_x()); };
  const auto y = [&level](i64 at) { return static_cast<i64>(static_cast<double>(at) * level.downsample_y()); };
  return {x(part.x), y(part.y), x(part.width), y(part.height)};
}

void append(std::vector<slide::Unreadable>& to, std::vector<slide::Unreadable> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Where one read may use several threads they decode what the reader keeps of it, each piece once.
void decode_ahead(Context& ctx, slide::Slide& slide, int index, const Rect& part, const slide::ReadControl& control) {
  const slide::Level& l = slide.info().levels[static_cast<std::size_t>(index)];
  const Extent kept = slide.kept_extent(index);
  if (ctx.threads <= 1 || kept.empty() || part.width <= 0 || part.height <= 0) return;
  const i64 x0 = part.x / kept.width, y0 = part.y / kept.height;
  const i64 across = (part.x + part.width - 1) / kept.width + 1 - x0, down = (part.y + part.height - 1) / kept.height + 1 - y0;
  cpu::parallel_for(ctx, across * down, 1, [&](i64 begin, i64 end, int) {
    for (i64 k = begin; k < end; ++k) {
      std::vector<slide::Unreadable> told_when_read;
      const i64 x = (x0 + k % across) * kept.width, y = (y0 + k / across) * kept.height;
      slide.band(index, {x, y, std::min<i64>(kept.width, l.width - x), std::min<i64>(kept.height, l.height - y)},
                 told_when_read, control);
    }
  });
}

/// How many squares a side one square stands for, so that at most `most` level px are read per output px.
int sampling(const slide::Level& level, double s, double most) {
  const double ratio = s / std::min(level.downsample_x(), level.downsample_y());
  return most > 0 && ratio * ratio > most ? static_cast<int>(std::ceil(ratio / std::sqrt(most))) : 1;
}

Rgba mean(View<const Rgba> pixels) {
  u64 r = 0, g = 0, b = 0;
  for (i32 j = 0; j < pixels.height(); ++j)
    for (const Rgba *p = pixels.row(j), *end = p + pixels.width(); p < end; ++p) r += p->r, g += p->g, b += p->b;
  const u64 n = static_cast<u64>(pixels.extent.area());
  return {static_cast<u8>((r + n / 2) / n), static_cast<u8>((g + n / 2) / n), static_cast<u8>((b + n / 2) / n), 255};
}

/// Along one axis: which cell of `n` squares an output px shows, and where the one square of it that is read lies.
struct Sampling {
  double ratio;
  i64 square, n, level_px;

  i64 cell_px() const { return square * n; }
  /// The cell under the middle of output px k, or -1 beyond the level; its last px stands for one beyond it, as at any rim.
  i64 cell(i64 k) const {
    const double middle = (static_cast<double>(k) + 0.5) * ratio;
    if (middle < 0 || middle >= static_cast<double>(level_px) + 1) return -1;
    return std::min(static_cast<i64>(middle), level_px - 1) / cell_px();
  }
  i64 begin(i64 c) const { return std::min(c * cell_px() + n / 2 * square, (level_px - 1) / square * square); }
  i64 size(i64 c) const { return std::min(square, level_px - begin(c)); }
};

/// The same cell for the same output px whatever the request. Squares are whole tiles where the file has any.
std::vector<slide::Unreadable> read_sampled(Context& ctx, slide::Slide& slide, int index, double s, i64 x, i64 y,
                                            View<Rgba> out, const ReadLimits& limits, int n) {
  const slide::SlideInfo& info = slide.info();
  const slide::Level& level = info.levels[static_cast<std::size_t>(index)];
  const auto square = [&](i64 tile) {
    const i64 side = tile >= 64 ? tile : 256;
    // At least as large as what an output px may cost: then a cell is no smaller than an output px.
    return side *
           std::max<i64>(1, static_cast<i64>(std::ceil(std::sqrt(limits.most_level_px_per_px) / static_cast<double>(side))));
  };
  const Sampling h{s / level.downsample_x(), square(level.tile_width), n, level.width};
  const Sampling v{s / level.downsample_y(), square(level.tile_height), n, level.height};
  std::vector<slide::Unreadable> unreadable;
  fill(out, info.background);
  Workspace::Scope scope(ctx.workspace);
  Rgba* pixels = ctx.workspace.take<Rgba>(static_cast<std::size_t>(h.square * v.square));
  for (i32 j = 0; j < out.height();) {
    const i64 row = v.cell(y + j);
    i32 next_j = j + 1;
    while (next_j < out.height() && v.cell(y + next_j) == row) ++next_j;
    for (i32 i = 0; i < out.width() && row >= 0;) {
      const i64 column = h.cell(x + i);
      i32 next_i = i + 1;
      while (next_i < out.width() && h.cell(x + next_i) == column) ++next_i;
      if (column >= 0) {
        ctx.check_cancelled();
        const View<Rgba> part(pixels, {static_cast<i32>(h.size(column)), static_cast<i32>(v.size(row))});
        auto bad = slide.read(index, h.begin(column), v.begin(row), part, limits.control);
        // The whole cell is not known then.
        for (slide::Unreadable& u : bad) {
          u.region = to_level0(level, {column * h.cell_px(), row * v.cell_px(), h.cell_px(), v.cell_px()});
          u.region.width = std::min(u.region.width, info.levels[0].width - u.region.x);
          u.region.height = std::min(u.region.height, info.levels[0].height - u.region.y);
        }
        if (!bad.empty()) unreadable.push_back(std::move(bad.front()));
        fill(out.sub(i, j, {next_i - i, next_j - j}), mean(part));
      }
      i = next_i;
    }
    j = next_j;
  }
  return unreadable;
}

}  // namespace

std::vector<slide::Unreadable> read_scaled(const OpTable& ops, Context& ctx, slide::Slide& slide, double s, i64 x, i64 y,
                                           View<Rgba> out, const ReadLimits& limits, ReadReport* report) {
  if (!(s >= kFinestScale && s <= kCoarsestScale)) {
    std::ostringstream text;
    text << s;
    reject("scale", "a number of level-0 px per px between 1/16 and 1048576", text.str());
  }
  if (x < -kFarthest || x > kFarthest || y < -kFarthest || y > kFarthest)
    reject("x and y", "coordinates within ±2^40", std::to_string(x) + ", " + std::to_string(y));
  std::vector<slide::Unreadable> unreadable;
  if (out.extent.empty()) return unreadable;

  const slide::SlideInfo& info = slide.info();
  const int index = choose_level(info, s);
  const slide::Level& level = info.levels[static_cast<std::size_t>(index)];
  const int n = sampling(level, s, limits.most_level_px_per_px);
  if (report) report->sampled_every = n;
  const auto done = [&]() -> std::vector<slide::Unreadable> {
    if (report) report->timed_out = !unreadable.empty() && limits.control.out_of_time();
    return std::move(unreadable);
  };
  if (n > 1) {
    unreadable = read_sampled(ctx, slide, index, s, x, y, out, limits, n);
    return done();
  }
  const Mapping across = make_mapping(s, level.downsample_x()), down = make_mapping(s, level.downsample_y());
  const auto rim = [&] {
    if (index == 0) return;
    fill_rim(info, index, s, x, y, out, across, down, [&](i64 from_x, i64 from_y, View<Rgba> part) {
      append(unreadable, read_scaled(ops, ctx, slide, s, from_x, from_y, part, limits));
    });
  };
  if (across.identity && down.identity) {
    // In blocks too, so that a large read can be cancelled.
    for (i32 by = 0; by < out.height(); by += kIdentityBlock) {
      for (i32 bx = 0; bx < out.width(); bx += kIdentityBlock) {
        ctx.check_cancelled();
        const Extent part{std::min(kIdentityBlock, out.width() - bx), std::min(kIdentityBlock, out.height() - by)};
        decode_ahead(ctx, slide, index,
                     slide::intersect({x + bx, y + by, part.width, part.height}, {0, 0, level.width, level.height}),
                     limits.control);
        append(unreadable, slide.read(index, x + bx, y + by, out.sub(bx, by, part), limits.control));
      }
    }
    rim();
    return done();
  }

  // Only output px that cover some of the level are computed; the rest is background.
  const i64 from_x = std::max<i64>(x, 0), from_y = std::max<i64>(y, 0);
  const i64 to_x = std::min(x + out.width(), across.end(level.width));
  const i64 to_y = std::min(y + out.height(), down.end(level.height));
  if (from_x > x || from_y > y || to_x < x + out.width() || to_y < y + out.height()) fill(out, info.background);

  for (i64 by = from_y; by < to_y;) {
    const i64 next_y = std::min(to_y, down.floor_to_block(by) + down.block);
    for (i64 bx = from_x; bx < to_x;) {
      const i64 next_x = std::min(to_x, across.floor_to_block(bx) + across.block);
      ctx.check_cancelled();
      const i64 p0x = across.begin(bx), p1x = across.begin(next_x - 1) + across.step;
      const i64 p0y = down.begin(by), p1y = down.begin(next_y - 1) + down.step;
      const i64 lx = p0x / kOne, ly = p0y / kOne;
      const i64 lw = std::min(level.width, (p1x + kOne - 1) / kOne) - lx;
      const i64 lh = std::min(level.height, (p1y + kOne - 1) / kOne) - ly;
      const Extent core{static_cast<i32>(next_x - bx), static_cast<i32>(next_y - by)};
      const View<Rgba> target = out.sub(static_cast<i32>(bx - x), static_cast<i32>(by - y), core);
      if (limits.control.expired()) {
        fill(target, info.background);
        Rect lost = to_level0(level, {lx, ly, lw, lh});
        lost.width = std::max<i64>(1, lost.width);
        lost.height = std::max<i64>(1, lost.height);
        unreadable.push_back({lost, limits.control.reason()});
        bx = next_x;
        continue;
      }
      ResampleParams params;
      params.x0 = p0x - lx * kOne;
      params.y0 = p0y - ly * kOne;
      params.step_x = across.step;
      params.step_y = down.step;
      Workspace::Scope scope(ctx.workspace);
      const Extent extent{static_cast<i32>(lw), static_cast<i32>(lh)};
      decode_ahead(ctx, slide, index, {lx, ly, lw, lh}, limits.control);
      BandRows rows(LevelBands(ctx, slide, index, {lx, ly, lw, lh}, limits.control, unreadable));
      if (rows.any()) {
        cpu::RowResampler(ctx.workspace, extent, core.width, params).run(rows, target, 0, core.height);
      } else {
        View<Rgba> pixels(ctx.workspace.take<Rgba>(static_cast<std::size_t>(lw * lh)), extent);
        append(unreadable, slide.read(index, lx, ly, pixels, limits.control));
        ops.resample(ctx, pixels, target, params);
      }
      bx = next_x;
    }
    by = next_y;
  }
  rim();
  return done();
}

}  // namespace morpho::engine
