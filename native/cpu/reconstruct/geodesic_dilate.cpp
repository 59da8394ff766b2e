// Geodesic dilation by so many steps, some of them at once for rows that are in the cache, and none where nothing moves any
// more.
#include <algorithm>

#include "contract/work_log.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/runtime/simd.hpp"

namespace morpho::cpu {

namespace {

using Need = op::geodesic_dilate;
/// Pixels of a row that are computed in one go.
constexpr i32 kRun = 4 * Need::kBlock;
/// What the rows of one go through some steps may take: of the second cache, which other threads of a core share.
constexpr i64 kCacheBytes = 384 << 10;
constexpr i32 kLeastSteps = 4, kMostSteps = 32;

template <class T>
void tallest(const T* a, const T* b, const T* c, T* out, i32 n) {
  widest([=](auto) MORPHO_INLINED { MORPHO_APART for (i32 x = 0; x < n; ++x) out[x] = larger(larger(a[x], b[x]), c[x]); });
}
/// Whole blocks have a loop of their own, whose length the compiler knows.
template <class T>
MORPHO_INLINE void hold_row(const T* tall, const T* mask, const T* before, T* out, u8* changed, i32 n) {
  constexpr i32 block = Need::kBlock;
  const auto changes = [&](i32 begin, i32 end) MORPHO_INLINED {
    T any = 0;
    MORPHO_APART for (i32 x = begin; x < end; ++x) {
      out[x] = smaller(mask[x], larger(larger(tall[x], tall[x + 1]), tall[x + 2]));
      any |= static_cast<T>(out[x] ^ before[x]);
    }
    changed[begin / block] = any != 0;
  };
  i32 from = 0;
  for (; from + block <= n; from += block) changes(from, from + block);
  if (from < n) changes(from, n);
}
template <class T>
void hold(const T* tall, const T* mask, const T* before, T* out, u8* changed, i32 n) {
  widest([=](auto) MORPHO_INLINED { hold_row(tall, mask, before, out, changed, n); });
}

/// A step reads one plane and writes the other. Both hold the same wherever the step before changed nothing, so that a block is
/// passed over where the step before changed none of the 3 × 3 blocks around it.
template <class T>
class Steps {
 public:
  /// `first` holds what the steps begin with; `second` nothing yet.
  Steps(Workspace& w, const View<T>& first, const View<T>& second, const View<const T>& mask)
      : planes_{first, second}, mask_(mask), stride_(cpu::pieces_of(mask.width(), Need::kBlock) + 2) {
    const i32 height = mask.height();
    nothing_ = w.take<T>(static_cast<std::size_t>(mask.width()));
    std::fill_n(nothing_, mask.width(), T{0});
    for (int side : {0, 1}) {
      changed_[side] = w.take<u8>(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(height));
      rows_[side] = w.take<u8>(static_cast<std::size_t>(height) + 2) + 1;
      std::fill_n(rows_[side] - 1, height + 2, u8{0});
    }
    // All of it is new to the first step.
    std::fill_n(rows_[0], height, u8{1});
    for (i32 y = 0; y < height; ++y) {
      u8* flags = flags_of(0, y);
      std::fill_n(flags, stride_, u8{1});
      flags[0] = flags[stride_ - 1] = 0;
    }
  }

  /// Steps done + 1 to done + n. Bands go by themselves, each over rows that are fewer by one with every step; then what lies
  /// between two bands, which grows by one.
  void advance(const Context& ctx, i32 done, i32 n) {
    const i32 height = mask_.height(), rows = std::max(2 * n, cpu::pieces_of(height, std::max(1, ctx.threads)));
    const i32 bands = std::max(1, height / rows);
    parallel_for(ctx, bands, 1, [&](i64 begin, i64 end, int) {
      for (i64 band = begin; band < end; ++band) {
        const i32 from = static_cast<i32>(band) * rows, to = band + 1 == bands ? height : from + rows;
        for (i32 y = from; y < to + n - 1; ++y) {
          for (i32 k = 1; k <= n; ++k) {
            const i32 at = y - (k - 1);
            if (at >= (from == 0 ? 0 : from + k) && at < (to == height ? height : to - k)) row(done + k, at);
          }
        }
      }
    });
    parallel_for(ctx, bands - 1, 1, [&](i64 begin, i64 end, int) {
      for (i64 band = begin; band < end; ++band) {
        const i32 cut = (static_cast<i32>(band) + 1) * rows;
        for (i32 k = 1; k <= n; ++k)
          for (i32 at = cut - k; at < cut + k; ++at) row(done + k, at);
      }
    });
  }

  /// Whether the last step, which was number `done`, changed nothing.
  bool is_still(i32 done) const {
    const u8* rows = rows_[done & 1];
    return std::none_of(rows, rows + mask_.height(), [](u8 changed) { return changed != 0; });
  }

 private:
  u8* flags_of(int side, i32 y) const {
    return changed_[side] + static_cast<std::size_t>(y) * static_cast<std::size_t>(stride_);
  }

  void row(i32 step, i32 y) {
    const int before = (step - 1) & 1, after = step & 1;
    rows_[after][y] = 0;
    const u8* around[3];
    int count = 0;
    for (i32 at = y - 1; at <= y + 1; ++at)
      if (rows_[before][at] != 0) around[count++] = flags_of(before, at) + 1;
    if (count == 0) return;
    u8* flags = flags_of(after, y) + 1;
    const i32 blocks = stride_ - 2;
    std::fill_n(flags - 1, stride_, u8{0});
    const auto moves = [&](i32 b) {
      u8 any = 0;
      for (int i = 0; i < count; ++i) any |= around[i][b - 1] | around[i][b] | around[i][b + 1];
      return any != 0;
    };
    for (i32 b = 0; b < blocks; ++b) {
      if (!moves(b)) continue;
      i32 end = b + 1;
      while (end < blocks && end - b < kRun / Need::kBlock && moves(end)) ++end;
      if (run(before, y, b, end, flags)) rows_[after][y] = 1;
      b = end - 1;
    }
  }

  /// Blocks [from, to) of a row. Returns whether one changed.
  bool run(int before, i32 y, i32 from, i32 to, u8* flags) {
    const View<T>&in = planes_[before], &out = planes_[1 - before];
    const i32 width = mask_.width(), x0 = from * Need::kBlock, x1 = std::min(width, to * Need::kBlock);
    const T* middle = in.row(y);
    const T* above = y > 0 ? in.row(y - 1) : nothing_;
    const T* below = y + 1 < mask_.height() ? in.row(y + 1) : nothing_;
    T tall[kRun + 2];
    const i32 left = std::max(0, x0 - 1), right = std::min(width, x1 + 1);
    tall[0] = tall[x1 - x0 + 1] = 0;
    tallest(above + left, middle + left, below + left, tall + (left - x0 + 1), right - left);
    hold(tall, mask_.row(y) + x0, middle + x0, out.row(y) + x0, flags + from, x1 - x0);
    return std::any_of(flags + from, flags + to, [](u8 changed) { return changed != 0; });
  }

  View<T> planes_[2];
  View<const T> mask_;
  /// Blocks of a row, with one that never changes before and after them.
  i32 stride_;
  T* nothing_;      ///< a row
  u8* changed_[2];  ///< of each block, by the last step that wrote the plane
  u8* rows_[2];     ///< whether any block of a row did; from -1 to the height
};

template <class T>
void dilate_within(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, i32 steps) {
  Workspace::Scope scope(ctx.workspace);
  const i32 width = mask.extent.width, height = mask.extent.height;
  const Plane other{ctx.workspace.take<T>(static_cast<std::size_t>(mask.extent.area())), out.type, out.extent, width};
  // The last step is to write `out`.
  const Plane first = steps % 2 == 0 ? out : other, second = steps % 2 == 0 ? other : out;
  combine(ctx, marker, mask, first, {Combine::minimum});
  Steps<T> all(ctx.workspace, first.view<T>(), second.view<T>(), mask.view<T>());
  const i64 row_bytes = 3 * i64{width} * static_cast<i64>(sizeof(T));
  const i64 cached = std::clamp<i64>(kCacheBytes / row_bytes - 2, kLeastSteps, kMostSteps);
  const i64 shared = std::max<i64>(kLeastSteps, height / (2 * std::max(1, ctx.threads)));
  for (i32 done = 0; done < steps;) {
    ctx.check_cancelled();
    const i32 n = static_cast<i32>(std::min<i64>({cached, shared, steps - done}));
    all.advance(ctx, done, n);
    done += n;
    if (all.is_still(done)) return;
  }
}

}  // namespace

// Memory: a second plane and a byte for each block of a row, twice. Cost: a pass over the image for some 4 to 32 steps, and of
// each step what can still move.
void geodesic_dilate(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const GeodesicParams& p) {
  op::geodesic_dilate::check(marker, mask, out, p);
  note(ctx, {"geodesic_dilate", "steps", 1, p.steps});
  ctx.check_cancelled();
  if (p.steps == 0 || mask.extent.area() == 0) return combine(ctx, marker, mask, out, {Combine::minimum});
  if (mask.type == PixelType::u8) dilate_within<u8>(ctx, marker, mask, out, p.steps);
  else dilate_within<u16>(ctx, marker, mask, out, p.steps);
}

}  // namespace morpho::cpu
