// Averages a slide's 16-bit samples, block by block as read_scaled does.
#include "read_deep.hpp"

#include <iterator>
#include <string>

#include "../../slide/on_level.hpp"
#include "engine/recipe/params.hpp"
#include "level_blocks.hpp"

namespace morpho::engine {
namespace {

__extension__ typedef unsigned __int128 u128;

/// A row of a band, sample by sample; what a patch does not have is background.
template <class Fn>
void each_piece(const LevelBands::Place& place, Fn&& fn) {
  i64 x = 0;
  for (const slide::Patch& p : place.band.patches) {
    fn(x, p.deep.data ? p.deep.row(place.row) : nullptr, p.pixels.width());
    x += p.pixels.width();
  }
}

/// What of [begin, end), in 1/65536 px, lies in px i.
i64 covered(i64 begin, i64 end, i64 i) { return std::min(end, (i + 1) * kOne) - std::max(begin, i * kOne); }

/// One output row after the other, of a block whose first px begins at x0 and y0 (1/65536 px of the rectangle of level px).
class Averages {
 public:
  Averages(Workspace& workspace, Extent in, i64 x0, i64 y0, const Mapping& across, const Mapping& down, u16 background)
      : in_(in), x0_(x0), y0_(y0), step_x_(across.step), step_y_(down.step), background_(background) {
    sums_ = workspace.take<u64>(static_cast<std::size_t>(in.width));
  }
  /// A column's sum is at most 65535 * 2^28: blocks are 2048 px, or less and of one px at most 4096.
  void row(LevelBands& bands, i32 j, u16* out, i32 width) {
    const i64 begin = y0_ + j * step_y_, end = std::min(begin + step_y_, i64{in_.height} * kOne);
    std::fill_n(sums_, in_.width, u64{0});
    for (i64 y = begin / kOne; y * kOne < end; ++y) {
      const u64 weight = static_cast<u64>(covered(begin, end, y));
      each_piece(bands.at(static_cast<i32>(y)), [&](i64 x, const u16* from, i32 n) {
        u64* sums = sums_ + x;
        if (from)
          for (i32 i = 0; i < n; ++i) sums[i] += weight * from[i];
        else
          for (i32 i = 0; i < n; ++i) sums[i] += weight * background_;
      });
    }
    // Within 2^47 a sum of areas times 65535 fits a u64, doubled.
    if (step_x_ <= (i64{1} << 46) / step_y_) means<u64>(end - begin, out, width);
    else means<u128>(end - begin, out, width);
  }

 private:
  template <class S>
  void means(i64 height, u16* out, i32 width) const {
    for (i32 i = 0; i < width; ++i) {
      const i64 begin = x0_ + i * step_x_, end = std::min(begin + step_x_, i64{in_.width} * kOne);
      S sum = 0;
      for (i64 x = begin / kOne; x * kOne < end; ++x) sum += static_cast<S>(covered(begin, end, x)) * sums_[x];
      const S area = static_cast<S>(height) * static_cast<S>(end - begin);
      out[i] = static_cast<u16>((2 * sum + area) / (2 * area));
    }
  }
  const Extent in_;
  const i64 x0_, y0_, step_x_, step_y_;
  const u64 background_;
  u64* sums_;
};

void fill(View<u16> out, u16 value) {
  for (i32 j = 0; j < out.height(); ++j) std::fill_n(out.row(j), out.width(), value);
}

void copy_level(Context& ctx, slide::Slide& slide, int index, i64 x, i64 y, View<u16> out, u16 background,
                const slide::ReadControl& control, std::vector<slide::Unreadable>& unreadable) {
  const slide::Level& level = slide.info().levels[static_cast<std::size_t>(index)];
  fill(out, background);
  const Rect wanted = slide::intersect({x, y, out.width(), out.height()}, {0, 0, level.width, level.height});
  if (wanted.width == 0 || wanted.height == 0) return;
  LevelBands bands(ctx, slide, index, wanted, control, unreadable);
  for (i32 j = 0; j < wanted.height; ++j) {
    u16* to = out.row(static_cast<i32>(wanted.y - y) + j) + (wanted.x - x);
    each_piece(bands.at(j), [&](i64 from_x, const u16* from, i32 n) {
      if (from) std::copy_n(from, n, to + from_x);
    });
  }
}

}  // namespace

std::vector<slide::Unreadable> read_deep(Context& ctx, slide::Slide& slide, double s, i64 x, i64 y, View<u16> out,
                                         const ReadLimits& limits) {
  const slide::SlideInfo& info = slide.info();
  if (info.depth < 16) reject(kPixelDepth, "8 for this slide", "16");
  std::vector<slide::Unreadable> unreadable;
  if (out.extent.empty()) return unreadable;
  const auto background = static_cast<u16>(257 * info.background.r);
  const int index = choose_level(info, s);
  const slide::Level& level = info.levels[static_cast<std::size_t>(index)];
  const Mapping across = make_mapping(s, level.downsample_x()), down = make_mapping(s, level.downsample_y());
  if (across.identity && down.identity) {
    copy_level(ctx, slide, index, x, y, out, background, limits.control, unreadable);
  } else {
    fill(out, background);
    const i64 to_x = std::min(x + out.width(), across.end(level.width)),
              to_y = std::min(y + out.height(), down.end(level.height));
    for (i64 by = std::max<i64>(y, 0); by < to_y;) {
      const i64 next_y = std::min(to_y, down.floor_to_block(by) + down.block);
      for (i64 bx = std::max<i64>(x, 0); bx < to_x;) {
        const i64 next_x = std::min(to_x, across.floor_to_block(bx) + across.block);
        const i64 p0x = across.begin(bx), p0y = down.begin(by), lx = p0x / kOne, ly = p0y / kOne;
        const i64 lw = std::min(level.width, (across.begin(next_x - 1) + across.step + kOne - 1) / kOne) - lx;
        const i64 lh = std::min(level.height, (down.begin(next_y - 1) + down.step + kOne - 1) / kOne) - ly;
        const Workspace::Scope scope(ctx.workspace);
        LevelBands bands(ctx, slide, index, {lx, ly, lw, lh}, limits.control, unreadable);
        Averages averages(ctx.workspace, {static_cast<i32>(lw), static_cast<i32>(lh)}, p0x - lx * kOne, p0y - ly * kOne, across,
                          down, background);
        for (i64 j = by; j < next_y; ++j)
          averages.row(bands, static_cast<i32>(j - by), out.row(static_cast<i32>(j - y)) + (bx - x),
                       static_cast<i32>(next_x - bx));
        bx = next_x;
      }
      by = next_y;
    }
  }
  if (index > 0)
    fill_rim(info, index, s, x, y, out, across, down, [&](i64 from_x, i64 from_y, View<u16> part) {
      auto more = read_deep(ctx, slide, s, from_x, from_y, part, limits);
      unreadable.insert(unreadable.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    });
  return unreadable;
}

}  // namespace morpho::engine
