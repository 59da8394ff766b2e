// Exact squared Euclidean distance: columns first, then rows.
#include <algorithm>

#include "cpu/cpu_ops.hpp"
#include "cpu/distance/distance_rows.hpp"
#include "cpu/distance/distance_variants.hpp"
#include "cpu/runtime/parallel.hpp"
#include "contract/work_log.hpp"

namespace morpho::cpu {
namespace {

/// Column distances in D: from `none` on there is no zero in the column. Counting on from `none` by the height never wraps.
template <class D>
inline constexpr D none = static_cast<D>(1) << (8 * sizeof(D) - 1);

/// What a band of rows knows of the columns beyond it, and what it tells the others.
template <class D>
struct BandColumns {
  D* above = nullptr;  ///< distance of the row just above the band to the nearest zero at or above it
  D* below = nullptr;  ///< the same, mirrored
  D* first = nullptr;  ///< rows from the band's first row to its first zero
  D* up = nullptr;     ///< running distances of the upward pass
  DistanceRow row;
};

/// Distances downwards, from those of the row before. `none` plus the height does not wrap, so counting needs no test. `first`
/// may be absent.
template <class D>
MORPHO_INLINE void down_row_of(const u8* in, const D* before, D* row, D* first, D here, i32 n) {
  MORPHO_APART for (i32 x = 0; x < n; ++x) {
    const D more = static_cast<D>(before[x] + 1);
    row[x] = in[x] ? more : D{0};
  }
  if (!first) return;
  MORPHO_APART for (i32 x = 0; x < n; ++x) {
    const D own = in[x] ? none<D> : here;
    first[x] = first[x] < own ? first[x] : own;
  }
}
/// d: of the row below -> of this row, both ways. `beyond`, `above` rows away, may be absent.
template <class D>
MORPHO_INLINE void up_row_of(const D* down, const D* beyond, D above, D* d, i32 n) {
  if (!beyond) {
    MORPHO_APART for (i32 x = 0; x < n; ++x) {
      const D below = static_cast<D>(d[x] + 1);
      d[x] = down[x] < below ? down[x] : below;
    }
    return;
  }
  MORPHO_APART for (i32 x = 0; x < n; ++x) {
    const D up = static_cast<D>(beyond[x] + above), upward = down[x] < up ? down[x] : up, below = static_cast<D>(d[x] + 1);
    d[x] = upward < below ? upward : below;
  }
}
template <class D>
MORPHO_INLINE void near_squares(const D* d, u16* near, D limit, u16 weight, i32 n) {
  MORPHO_APART for (i32 x = 0; x < n; ++x) {
    const u16 v = static_cast<u16>(d[x]);
    near[x] = d[x] > limit ? u16{65535} : static_cast<u16>(v * v * weight);
  }
}

template <class D>
class ColumnPass {
 public:
  /// `beyond`: of a strip of a higher image, else null.
  ColumnPass(Context& ctx, View<const u8> in, View<i32> out, const DistanceParams& params, const StripColumns* beyond = nullptr)
      : ctx_(ctx), in_(in), out_(out), params_(params), width_(in.width()), height_(in.height()) {
    const std::size_t w = static_cast<std::size_t>(width_);
    bands_ = static_cast<i32>(std::clamp<i64>(ctx.threads, 1, std::max<i64>(1, height_ / 16)));
    down_ = ctx.workspace.take<D>(w * static_cast<std::size_t>(height_));
    band_ = ctx.workspace.take<BandColumns<D>>(static_cast<std::size_t>(bands_));
    for (i32 b = 0; b < bands_; ++b) {
      BandColumns<D>& c = band_[b] = {};
      for (D** p : {&c.above, &c.below, &c.first, &c.up}) {
        *p = ctx.workspace.take<D>(w);
        std::fill_n(*p, w, none<D>);
      }
      c.row.g = ctx.workspace.take<i32>(w);
      c.row.site = ctx.workspace.take<i32>(w);
      c.row.from = ctx.workspace.take<i32>(w);
      c.row.near = ctx.workspace.take<u16>(DistanceRow::near_elements(width_));
      std::fill_n(c.row.near, DistanceRow::near_elements(width_), u16{65535});
    }
    if (beyond) {
      for (i32 x = 0; x < width_; ++x) {
        if (beyond->above[x] != kNoSite) band_[0].above[x] = static_cast<D>(beyond->above[x]);
        if (beyond->below[x] != kNoSite) band_[bands_ - 1].below[x] = static_cast<D>(beyond->below[x]);
      }
    }
    // The largest column distance whose square, weighted, is below the near search's cut.
    while (near_limit_ < 255 && (near_limit_ + 1) * (near_limit_ + 1) * static_cast<i64>(params.weight_y) < 65535)
      ++near_limit_;
  }

  void run() {
    parallel_for(ctx_, bands_, 1, [&](i64 begin, i64 end, int) {
      for (i64 b = begin; b < end; ++b) go_down(static_cast<i32>(b));
    });
    for (i32 b = 1; b < bands_; ++b) {
      const D rows = static_cast<D>(first_row(b) - first_row(b - 1));
      const D* last = down_row(first_row(b) - 1);
      for (i32 x = 0; x < width_; ++x) band_[b].above[x] = std::min<D>(last[x], far_plus(band_[b - 1].above[x], rows));
    }
    for (i32 b = bands_ - 2; b >= 0; --b) {
      const D rows = static_cast<D>(first_row(b + 2) - first_row(b + 1));
      const BandColumns<D>& next = band_[b + 1];
      for (i32 x = 0; x < width_; ++x) band_[b].below[x] = std::min<D>(next.first[x], far_plus(next.below[x], rows));
    }
    parallel_for(ctx_, bands_, 1, [&](i64 begin, i64 end, int) {
      for (i64 b = begin; b < end; ++b) go_up(static_cast<i32>(b));
    });
  }

 private:
  i32 first_row(i32 b) const { return static_cast<i32>(static_cast<i64>(height_) * b / bands_); }
  D* down_row(i32 y) const { return down_ + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_); }
  static D far_plus(D d, D rows) { return d >= none<D> ? none<D> : static_cast<D>(d + rows); }
  void pause(i32 y) const {
    if (y % 64 == 0) ctx_.check_cancelled();
  }

  void go_down(i32 b) {
    const i32 begin = first_row(b), end = first_row(b + 1);
    const D* before = b == 0 ? band_[0].above : band_[b].up;  // the latter are still all `none`
    for (i32 y = begin; y < end; ++y) {
      pause(y);
      const u8* in = in_.row(y);
      D* row = down_row(y);
      D* const first = bands_ == 1 ? nullptr : band_[b].first;
      const D here = static_cast<D>(y - begin);
      widest([=, n = width_](auto) MORPHO_INLINED { down_row_of(in, before, row, first, here, n); });
      before = row;
    }
  }

  void go_up(i32 b) {
    const i32 begin = first_row(b), end = first_row(b + 1);
    BandColumns<D>& c = band_[b];
    std::copy_n(c.below, width_, c.up);
    i32 rows_by_envelope = 0;
    for (i32 y = end - 1; y >= begin; --y) {
      pause(y);
      const D* down = down_row(y);
      D* d = c.up;
      const D* const beyond = bands_ == 1 ? nullptr : c.above;
      const D above = static_cast<D>(y - begin + 1);
      // Rows with far pixels come together: after one, the next few go to the envelope without trying.
      const bool tried = rows_by_envelope == 0;
      const bool done = widest([=, n = width_, near = tried ? c.row.near : nullptr, limit = static_cast<D>(near_limit_),
                                weight_x = params_.weight_x, weight_y = params_.weight_y, out = out_.row(y)](auto bytes)
                                   MORPHO_INLINED {
                                     up_row_of(down, beyond, above, d, n);
                                     if (!near) return false;
                                     near_squares(d, near + DistanceRow::reach, limit, static_cast<u16>(weight_y), n);
                                     return near_row<bytes>(near, n, weight_x, out);
                                   });
      if (done) continue;
      if (tried) rows_by_envelope = 16;
      --rows_by_envelope;
      for (i32 x = 0; x < width_; ++x) c.row.g[x] = squared(d[x]);
      envelope_row(c.row, width_, params_.weight_x, out_.row(y));
    }
  }

  i32 squared(D d) const {
    if (d >= none<D>) return kNoBackground;
    const i64 v = std::min<i64>(d, 46341);  // whose square saturates
    return static_cast<i32>(std::min<i64>(v * v * params_.weight_y, kNoBackground - 1));
  }

  Context& ctx_;
  View<const u8> in_;
  View<i32> out_;
  DistanceParams params_;
  i32 width_, height_, bands_ = 1;
  i64 near_limit_ = 0;
  D* down_ = nullptr;
  BandColumns<D>* band_ = nullptr;
};

/// Whether u16 counts all column distances of a strip of this height: those beyond it included, without wrapping.
bool is_short(const StripColumns& beyond, Extent strip) {
  i64 most = strip.height;
  for (i32 x = 0; x < strip.width; ++x) {
    for (const i32 rows : {beyond.above[x], beyond.below[x]})
      most = std::max<i64>(most, rows == kNoSite ? 0 : rows + i64{strip.height});
  }
  return most < 32767;
}

}  // namespace

/// As distance(), with 4 bytes a pixel where a zero beyond the strip is 32766 rows away and more.
void distance_strip(Context& ctx, ConstPlane binary, const StripColumns& beyond, Plane squared, const DistanceParams& params) {
  op::distance::check(binary, squared, params);
  if (binary.extent.empty()) return;
  const Workspace::Scope scope(ctx.workspace);
  const View<const u8> in = binary.view<u8>();
  const View<i32> out = squared.view<i32>();
  if (is_short(beyond, in.extent)) ColumnPass<u16>(ctx, in, out, params, &beyond).run();
  else ColumnPass<std::uint32_t>(ctx, in, out, params, &beyond).run();
}

/// Shape: binary [h, w] u8 -> squared [h, w] i32. Units: squared px times the weights (squared spacings). Reach: global. Exact.
/// Variants: automatic is exact, as described here; danielsson is the IWPP paper's wavefront, in distance_danielsson.cpp.
/// Cost: two passes over the columns, 16 pixels a step, and per row a search as long as the distances there (up to 64 px, 16
/// pixels a step), or the lower envelope of parabolas (linear, one division a pixel) where some pixel is further away.
/// Memory: 2 bytes a pixel (4 for images higher than 32766 rows) and some 22 bytes a column and thread.
/// Source: Meijster 2000 (columns, then the envelope of each row); the near search is the envelope's definition, cut off where
/// weight_x*k² alone exceeds what is found.
void distance(Context& ctx, ConstPlane binary, Plane squared, const DistanceParams& params) {
  op::distance::check(binary, squared, params);
  if (binary.extent.empty()) return;
  const Workspace::Scope scope(ctx.workspace);
  const View<const u8> in = binary.view<u8>();
  const View<i32> out = squared.view<i32>();
  const bool wavefront = params.variant == DistanceVariant::danielsson;
  Work work = wavefront ? distance_danielsson(ctx, in, out, params) : Work{};
  work.op = "distance", work.variant = name_of(wavefront ? params.variant : DistanceVariant::exact);
  note(ctx, std::move(work));
  if (wavefront) return;
  if (in.height() < 32767) ColumnPass<u16>(ctx, in, out, params).run();
  else ColumnPass<std::uint32_t>(ctx, in, out, params).run();
}

}  // namespace morpho::cpu
