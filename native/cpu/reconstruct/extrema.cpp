// What derives from reconstruction: h-extrema, extended extrema, hole filling, border clearing.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "cpu/reconstruct/border_flood.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/reconstruct/peak_floods.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/reconstruct/reconstruct_variants.hpp"
#include "cpu/reconstruct/two_values.hpp"
#include "contract/choices.hpp"
#include "contract/work_log.hpp"

namespace morpho::cpu {
namespace {

/// to = f - h (f + h), held at the type's ends.
template <class T>
void shift_values(Context& ctx, View<const T> f, View<T> to, i32 h, bool down) {
  using Limits = std::numeric_limits<T>;
  const i32 width = f.width();
  parallel_for(ctx, f.height(), rows_per_piece(width), [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) {
      const T* from = f.row(static_cast<i32>(y));
      T* row = to.row(static_cast<i32>(y));
      if constexpr (sizeof(T) < 4) {
        // All in T, so that the loop becomes saturating vector arithmetic; an h beyond the type is its maximum.
        const T step = static_cast<T>(std::min<i32>(h, Limits::max()));
        if (down) {
          for (i32 x = 0; x < width; ++x) row[x] = static_cast<T>(std::max(from[x], step) - step);
        } else {
          const T room = static_cast<T>(Limits::max() - step);
          for (i32 x = 0; x < width; ++x) row[x] = static_cast<T>(std::min(from[x], room) + step);
        }
      } else {
        if (down) {
          for (i32 x = 0; x < width; ++x) row[x] = std::max(from[x], Limits::min() + h) - h;
        } else {
          for (i32 x = 0; x < width; ++x) row[x] = std::min(from[x], Limits::max() - h) + h;
        }
      }
    }
  });
}

void h_extrema_into(Context& ctx, ConstPlane f, Plane out, const ExtremaParams& params) {
  const bool maxima = params.kind == Extremum::maxima;
  visit_pixel_type(f.type, [&](auto zero) {
    using T = decltype(zero);
    shift_values<T>(ctx, f.view<T>(), out.view<T>(), params.h, maxima);
  });
  reconstruct(ctx, out, f, out, {maxima ? By::dilation : By::erosion, params.connectivity, ReconstructVariant::automatic});
}

/// out = 1 where f differs from g. `out` may be g where T is u8. Returns whether any pixel does.
template <class T>
bool mark_differences(Context& ctx, View<const T> f, View<const T> g, View<u8> out) {
  std::atomic<bool> any{false};
  const i32 width = f.width();
  parallel_for(ctx, f.height(), rows_per_piece(width), [&](i64 begin, i64 end, int) {
    const i32 n = width;  // not the view's: see clear_border
    unsigned found = 0;
    for (i64 y = begin; y < end; ++y) {
      const T* a = f.row(static_cast<i32>(y));
      const T* b = g.row(static_cast<i32>(y));
      u8* row = out.row(static_cast<i32>(y));
      for (i32 x = 0; x < n; ++x) {
        row[x] = a[x] != b[x];
        found |= row[x];
      }
    }
    if (found) any.store(true, std::memory_order_relaxed);
  });
  return any;
}

void copy_row_or_fill(const void* from, void* to, std::size_t bytes, bool copy, int fill) {
  if (copy) std::memcpy(to, from, bytes);
  else std::memset(to, fill, bytes);
}

/// out = f on the image border and a constant of equal bytes inside.
void border_marker(const Context& ctx, ConstPlane f, Plane out, int fill) {
  const std::size_t pixel = pixel_bytes(f.type), bytes = pixel * static_cast<std::size_t>(f.extent.width);
  parallel_for(ctx, f.extent.height, rows_per_piece(f.extent.width, 1 << 18), [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) {
      const u8* from = static_cast<const u8*>(f.data) +
                       static_cast<std::size_t>(y) * static_cast<std::size_t>(f.stride) * pixel;
      u8* to = static_cast<u8*>(out.data) + static_cast<std::size_t>(y) * static_cast<std::size_t>(out.stride) * pixel;
      copy_row_or_fill(from, to, bytes, y == 0 || y + 1 == f.extent.height, fill);
      std::memcpy(to, from, pixel);
      std::memcpy(to + bytes - pixel, from + bytes - pixel, pixel);
    }
  });
}

/// From the marker in `out`: by sweeps and a queue where they suffice, as on tissue; else a flood goes on from there, which no
/// image makes slow.
void reconstruct_from_border(Context& ctx, ConstPlane f, Plane out, By by, Connectivity connectivity) {
  if (f.extent.area() > std::numeric_limits<i32>::max() || !may_shorten(ctx))
    return reconstruct(ctx, out, f, out, {by, connectivity, ReconstructVariant::automatic});
  if (reconstruct_without_turns(ctx, out, f, by, connectivity)) return;
  note(ctx, {by == By::erosion ? "fill_holes" : "clear_border", "flood from what sweeps had reached"});
  flood_on(ctx, f, out, by, connectivity);
}

}  // namespace

/// Shape: f, out [h, w] of one type (u8, u16, i32). Units: h in grey values, at least 1. Reach: global. Unique.
/// Cost: one pass over f, then reconstruct. Memory: that of reconstruct. Source: Soille 2003 §6.3.4; Vincent 1993 (h-domes).
void h_extrema(Context& ctx, ConstPlane f, Plane out, const ExtremaParams& params) {
  op::h_extrema::check(f, out, params);
  require_same_type("out", f, out);
  if (!f.extent.empty()) h_extrema_into(ctx, f, out, params);
}

/// Shape: f [h, w] u8, u16, i32 -> out [h, w] u8 of 0 and 1. Reach: global. Unique. Whole plateaus; a constant image is one of
/// them.
/// Cost: two passes and one reconstruct. Memory: that of reconstruct, and for u16 and i32 one image of f's type.
/// Source: Soille 2003 §6.3.3: on integers the regional maxima are where f exceeds the reconstruction of f - 1 under f.
void regional_extrema(Context& ctx, ConstPlane f, Plane out, const ExtremaParams& params) {
  op::regional_extrema::check(f, out, params);
  require_type("out", out, {PixelType::u8});
  if (f.extent.empty()) return;
  const Workspace::Scope scope(ctx.workspace);
  Plane lowered = out;
  if (f.type != PixelType::u8) {
    lowered = Plane(ctx.workspace.take<u8>(static_cast<std::size_t>(f.extent.area()) * pixel_bytes(f.type)), f.type, f.extent);
  }
  ExtremaParams one = params;
  one.h = 1;
  h_extrema_into(ctx, f, lowered, one);
  visit_pixel_type(f.type, [&](auto zero) {
    using T = decltype(zero);
    if (mark_differences<T>(ctx, f.view<T>(), ConstPlane(lowered).view<T>(), out.view<u8>())) return;
    // f - 1 holds at the type's end, so there only: the image is constant at that end, one plateau.
    for (i32 y = 0; y < out.extent.height; ++y)
      std::memset(out.view<u8>().row(y), 1, static_cast<std::size_t>(out.extent.width));
  });
}

/// Shape: f [h, w] u8, u16, i32 -> out [h, w] u8 of 0 and 1. Units: h in grey values, at least 1. Reach: global. Unique.
/// Cost: floods from the tops where they end soon (peak_floods.hpp); else h_extrema, then regional_extrema of its result.
/// Memory: one image of f's type, plus the larger need of the two.
/// Source: Soille 2003 §6.3.5: the regional extrema of the h-extrema image, whole plateaus.
void extended_extrema(Context& ctx, ConstPlane f, Plane out, const ExtremaParams& params) {
  op::extended_extrema::check(f, out, params);
  require_type("out", out, {PixelType::u8});
  if (f.extent.empty()) return;
  bool done = false;
  visit_pixel_type(f.type, [&](auto zero) {
    using T = decltype(zero);
    done = may_shorten(ctx) && f.extent.area() <= std::numeric_limits<i32>::max() &&
           extended_by_floods<T>(ctx, f.view<T>(), out.view<u8>(), params, usual_flood_limits(f.extent));
  });
  if (done) return note(ctx, {"extended_extrema", "floods from the tops"});
  const Workspace::Scope scope(ctx.workspace);
  const Plane levelled(ctx.workspace.take<u8>(static_cast<std::size_t>(f.extent.area()) * pixel_bytes(f.type)), f.type,
                       f.extent);
  h_extrema_into(ctx, f, levelled, params);
  regional_extrema(ctx, levelled, out, params);
}

/// Shape: f, out [h, w] u8 or u16 (binary is the case of two values). Reach: global. Unique.
/// `connectivity` is that of the reconstruction: with 4 a diagonal gap in a ring does not open it.
/// Cost: one pass, then the sweeps and the queue of reconstruct, and where these do not suffice flood_on;
/// u8 of two values, where few sweeps do not suffice: as two_values.hpp says.
/// Memory: the largest of all.
/// Source: Soille 2003 §6.3.7.
void fill_holes(Context& ctx, ConstPlane f, Plane out, const ConnectivityParams& params) {
  op::fill_holes::check(f, out, params);
  if (f.extent.empty()) return;
  border_marker(ctx, f, out, 0xFF);
  if (may_shorten(ctx) && f.type == PixelType::u8 && seems_of_two(f.view<u8>())) {
    // Sweeps are quicker than runs where they suffice, as on tissue; they are not in corridors.
    if (reconstruct_briefly(ctx, out.view<u8>(), f.view<u8>(), By::erosion, params.connectivity)) return;
    if (fill_holes_of_two(ctx, f.view<u8>(), out.view<u8>(), params.connectivity))
      return note(ctx, {"fill_holes", "components of runs"});
  }
  reconstruct_from_border(ctx, f, out, By::erosion, params.connectivity);
}

/// Shape: f, out [h, w] u8 or u16. Reach: global. Unique.
/// Cost: as fill_holes, and one subtraction;
/// u8 of two values, where few sweeps do not suffice: as two_values.hpp says.
/// Memory: the largest of all.
/// Source: Soille 2003 §6.3.8.
void clear_border(Context& ctx, ConstPlane f, Plane out, const ConnectivityParams& params) {
  op::clear_border::check(f, out, params);
  if (f.extent.empty()) return;
  border_marker(ctx, f, out, 0);
  bool done = false;
  if (may_shorten(ctx) && f.type == PixelType::u8 && seems_of_two(f.view<u8>())) {
    done = reconstruct_briefly(ctx, out.view<u8>(), f.view<u8>(), By::dilation, params.connectivity);
    if (!done && clear_border_of_two(ctx, f.view<u8>(), out.view<u8>(), params.connectivity))
      return note(ctx, {"clear_border", "components of runs"});
  }
  if (!done) reconstruct_from_border(ctx, f, out, By::dilation, params.connectivity);
  visit_pixel_type(f.type, [&](auto zero) {
    using T = decltype(zero);
    const View<const T> from = f.view<T>();
    const View<T> to = out.view<T>();
    const i32 width = to.width();
    parallel_for(ctx, to.height(), rows_per_piece(width), [&](i64 begin, i64 end, int) {
      const i32 n = width;  // not the view's, which bytes stored through b might be: the loop would not become vectors
      for (i64 y = begin; y < end; ++y) {
        const T* __restrict a = from.row(static_cast<i32>(y));
        T* __restrict b = to.row(static_cast<i32>(y));
        for (i32 x = 0; x < n; ++x) b[x] = static_cast<T>(a[x] - b[x]);
      }
    });
  });
}

}  // namespace morpho::cpu
