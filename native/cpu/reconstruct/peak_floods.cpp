// A component of {f >= v - h} whose highest value is v is an extended maximum of f, and there are no others. So each top (a
// pixel that its plateau's raster order sees first, and no neighbour exceeds) is flooded down to v - h, the highest tops first.
#include "cpu/reconstruct/peak_floods.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {
namespace {

/// What `out` holds in between. A flood ends at once where it meets a peak or a slope that is not its own: those are of tops at
/// least as high, whose floods ended at levels at least as high, so that what is higher than its own top is connected to it.
enum Mark : u8 { unseen = 0, peak = 1, slope = 2, current = 3 };

template <bool kMaxima, class T>
constexpr bool above(T a, T b) {
  return kMaxima ? a > b : a < b;
}

/// out[x] = 1 where f[x] exceeds the neighbours before it in raster order, and none after it exceeds f[x]; 0 < x < width - 1.
template <bool kMaxima, bool kEight, class T>
MORPHO_INLINE void top_row(const T* up, const T* f, const T* down, u8* out, i32 width) {
  MORPHO_APART for (i32 x = 1; x + 1 < width; ++x) {
    const T v = f[x];
    bool top = above<kMaxima>(v, up[x]) & above<kMaxima>(v, f[x - 1]) & !above<kMaxima>(f[x + 1], v) &
               !above<kMaxima>(down[x], v);
    if constexpr (kEight) {
      top = top & above<kMaxima>(v, up[x - 1]) & above<kMaxima>(v, up[x + 1]) & !above<kMaxima>(down[x - 1], v) &
            !above<kMaxima>(down[x + 1], v);
    }
    out[x] = top;
  }
}
template <bool kMaxima, class T>
void tops_inside(const T* up, const T* f, const T* down, u8* out, i32 width, bool eight) {
  widest([=](auto) MORPHO_INLINED {
    eight ? top_row<kMaxima, true>(up, f, down, out, width) : top_row<kMaxima, false>(up, f, down, out, width);
  });
}

template <bool kMaxima, class T>
class PeakFloods {
 public:
  PeakFloods(Context& ctx, View<const T> f, View<u8> out, const ExtremaParams& params, const FloodLimits& limits)
      : ctx_(ctx), f_(f), out_(out), h_(params.h), eight_(params.connectivity == Connectivity::eight), limits_(limits) {}

  bool run() {
    if (has_too_many_tops()) return false;
    mark_tops();
    u64* tops = ctx_.workspace.take<u64>(static_cast<std::size_t>(limits_.tops));
    const i64 count = take_tops(tops);
    if (count < 0) return false;
    std::sort(tops, tops + count);
    const i32 highest = static_cast<i32>(tops[0] & 0xFFFFFFFF);  // there is one: the raster's first pixel of the highest value
    highest_ = f_.row(highest / f_.width())[highest % f_.width()];
    queue_ = ctx_.workspace.take<Place>(static_cast<std::size_t>(limits_.visits));
    for (i64 i = 0; i < count; ++i) {
      if (i % 4096 == 0) ctx_.check_cancelled();
      const i32 at = static_cast<i32>(tops[i] & 0xFFFFFFFF);
      if (!flood({at % f_.width(), at / f_.width()})) return false;
    }
    for (i64 i = 0; i < visited_; ++i) {
      u8& mark = out_.row(queue_[i].y)[queue_[i].x];
      if (mark != peak) mark = unseen;
    }
    return true;
  }

 private:
  struct Place {
    i32 x, y;
  };
  /// Pixels of one flood from which on it is worth a pass over the image to know that it would reach all of them.
  static constexpr i64 kLong = 512;
  /// Rows between those that are looked at beforehand, and how many of their pixels say anything.
  static constexpr i32 kSample = 64;
  static constexpr i64 kLeastSampled = 4096;

  /// Whether a pixel on the image's rim is a top: as tops_max_8 says, and what is outside is lower.
  bool rim_top(i32 x, i32 y) const {
    const T v = f_.row(y)[x];
    for (i32 dy = -1; dy <= 1; ++dy) {
      for (i32 dx = -1; dx <= 1; ++dx) {
        if ((dx == 0 && dy == 0) || (!eight_ && dx != 0 && dy != 0)) continue;
        if (x + dx < 0 || x + dx >= f_.width() || y + dy < 0 || y + dy >= f_.height()) continue;
        const T near = f_.row(y + dy)[x + dx];
        const bool before = dy < 0 || (dy == 0 && dx < 0);
        if (before ? !above<kMaxima>(v, near) : above<kMaxima>(near, v)) return false;
      }
    }
    return true;
  }

  /// Whether a row of each kSample says so, with an eighth to spare, before all are gone through: who has too many tops is
  /// better off elsewhere, and should not pay for learning it.
  bool has_too_many_tops() {
    const i32 width = f_.width(), height = f_.height();
    i64 sampled = 0, found = 0;
    for (i32 y = kSample / 2; y + 1 < height; y += kSample) {
      u8* row = out_.row(y);  // marked again later
      row[0] = row[width - 1] = 0;
      tops_inside<kMaxima>(f_.row(y - 1), f_.row(y), f_.row(y + 1), row, width, eight_);
      for (i32 x = 0; x < width; ++x) found += row[x];
      sampled += width;
    }
    // A constant share of all rows, so that rows of one kind among others cannot decide alone.
    return sampled >= kLeastSampled && static_cast<double>(found) * static_cast<double>(f_.extent.area()) >
                                           1.125 * static_cast<double>(limits_.tops) * static_cast<double>(sampled);
  }

  void mark_tops() {
    const i32 width = f_.width(), height = f_.height();
    parallel_for(ctx_, height, rows_per_piece(width), [&](i64 begin, i64 end, int) {
      for (i32 y = static_cast<i32>(begin); y < end; ++y) {
        u8* row = out_.row(y);
        if (y == 0 || y + 1 == height) {
          for (i32 x = 0; x < width; ++x) row[x] = rim_top(x, y);
          continue;
        }
        tops_inside<kMaxima>(f_.row(y - 1), f_.row(y), f_.row(y + 1), row, width, eight_);
        row[0] = rim_top(0, y);
        row[width - 1] = rim_top(width - 1, y);
      }
    });
  }

  /// The marked pixels as (order, place), and no mark any more; -1 where there are more than the limit.
  i64 take_tops(u64* tops) {
    i64 count = 0;
    const i32 width = f_.width();
    for (i32 y = 0; y < f_.height(); ++y) {
      u8* row = out_.row(y);
      const T* f = f_.row(y);
      for (i32 x = 0; x < width;) {
        u64 eight = 0;
        if (x + 8 <= width && (std::memcpy(&eight, row + x, 8), eight == 0)) {
          x += 8;
          continue;
        }
        const i32 end = std::min(x + 8, width);
        for (; x < end; ++x) {
          if (!row[x]) continue;
          if (count == limits_.tops) return -1;
          row[x] = unseen;
          tops[count++] = (order(f[x]) << 32) | static_cast<u64>(static_cast<i64>(y) * width + x);
        }
      }
    }
    return count;
  }

  /// The smaller, the earlier: the highest first (minima: the lowest).
  static u64 order(T v) {
    const i64 low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    return static_cast<u64>(kMaxima ? high - v : v - low);
  }

  /// The flood's end: v - h (v + h), held at the type's ends.
  T level(T v) const {
    const i64 low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    return static_cast<T>(kMaxima ? std::max(static_cast<i64>(v) - h_, low) : std::min(static_cast<i64>(v) + h_, high));
  }

  /// False where the limit does not do.
  bool flood(Place top) {
    if (out_.row(top.y)[top.x] != unseen) return true;  // of a flood from a top at least as high
    const T v = f_.row(top.y)[top.x], end = level(v);
    const i64 first = visited_;
    bool is_peak = true;
    if (!visit(top)) return false;
    for (i64 i = first; i < visited_ && is_peak; ++i) {
      if (i - first == kLong && v != highest_ && !above<kMaxima>(end, lowest())) {
        is_peak = false;
        break;
      }
      const Place at = queue_[i];
      for (i32 dy = -1; dy <= 1; ++dy) {
        const i32 y = at.y + dy;
        if (y < 0 || y >= f_.height()) continue;
        const T* f = f_.row(y);
        const u8* mark = out_.row(y);
        for (i32 dx = -1; dx <= 1; ++dx) {
          const i32 x = at.x + dx;
          if ((!eight_ && dx != 0 && dy != 0) || x < 0 || x >= f_.width()) continue;
          if (above<kMaxima>(end, f[x]) || mark[x] == current) continue;
          if (mark[x] != unseen || above<kMaxima>(f[x], v)) is_peak = false;
          else if (!visit({x, y})) return false;
        }
      }
    }
    const Mark mark = is_peak ? peak : slope;
    for (i64 i = first; i < visited_; ++i) out_.row(queue_[i].y)[queue_[i].x] = mark;
    return true;
  }

  /// Of the whole image, looked for once. A flood that goes down to it, as one from a corner of empty background does, would
  /// reach every pixel, and so the highest.
  T lowest() {
    if (lowest_known_) return lowest_;
    lowest_ = highest_;
    for (i32 y = 0; y < f_.height(); ++y) {
      const T* row = f_.row(y);
      T least = lowest_;
      for (i32 x = 0; x < f_.width(); ++x) least = above<kMaxima>(least, row[x]) ? row[x] : least;
      lowest_ = least;
    }
    lowest_known_ = true;
    return lowest_;
  }

  bool visit(Place at) {
    if (visited_ == limits_.visits) return false;
    out_.row(at.y)[at.x] = current;
    queue_[visited_++] = at;
    return true;
  }

  Context& ctx_;
  View<const T> f_;
  View<u8> out_;
  i64 h_;
  bool eight_;
  FloodLimits limits_;
  Place* queue_ = nullptr;
  i64 visited_ = 0;
  T highest_{}, lowest_{};
  bool lowest_known_ = false;
};

}  // namespace

template <class T>
bool extended_by_floods(Context& ctx, View<const T> f, View<u8> out, const ExtremaParams& params, const FloodLimits& limits) {
  const Workspace::Scope scope(ctx.workspace);
  return params.kind == Extremum::maxima ? PeakFloods<true, T>(ctx, f, out, params, limits).run()
                                         : PeakFloods<false, T>(ctx, f, out, params, limits).run();
}
template bool extended_by_floods<u8>(Context&, View<const u8>, View<u8>, const ExtremaParams&, const FloodLimits&);
template bool extended_by_floods<u16>(Context&, View<const u16>, View<u8>, const ExtremaParams&, const FloodLimits&);
template bool extended_by_floods<i32>(Context&, View<const i32>, View<u8>, const ExtremaParams&, const FloodLimits&);

}  // namespace morpho::cpu
