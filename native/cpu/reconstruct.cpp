// Morphological reconstruction: variants, bands and the border propagation between them.
#include <atomic>
#include <bit>

#include "cpu/cpu_ops.hpp"
#include "cpu/parallel.hpp"
#include "cpu/reconstruct_band.hpp"
#include "cpu/reconstruct_variants.hpp"
#include "contract/check_geodesic.hpp"

namespace morpho::cpu {
namespace {

SweepPlan plan_of(ReconstructVariant variant) {
  switch (variant) {
    case ReconstructVariant::raster_sweeps: return {-1, false};
    case ReconstructVariant::queue: return {0, false};
    case ReconstructVariant::fast_hybrid: return {2, false};
    default: return {4, true, 12};
  }
}

/// False where a brief plan gave up; `out` then lies between the marker and the result.
template <class T, By by>
bool run(Context& ctx, View<const T> marker, View<const T> mask, View<T> out, bool eight, SweepPlan plan) {
  const i32 width = out.width(), height = out.height();
  const Workspace::Scope scope(ctx.workspace);
  // One band a thread: fewer borders mean fewer rounds, and rows cost much the same everywhere.
  const i64 most = std::max<i64>(1, height / 32);
  const i32 bands = static_cast<i32>(std::min<i64>(std::max(1, ctx.threads), most));
  const auto first_row = [&](i32 b) { return static_cast<i32>(static_cast<i64>(height) * b / bands); };

  const std::size_t line = Line<T>::elements(width);
  BandScratch<T>* scratch = ctx.workspace.take<BandScratch<T>>(static_cast<std::size_t>(bands));
  T* halos = ctx.workspace.take<T>(2 * static_cast<std::size_t>(bands) * static_cast<std::size_t>(width));
  u8* active = ctx.workspace.take<u8>(2 * static_cast<std::size_t>(bands));  // first two flags a band for SharedHalos, then one
  for (i32 b = 0; b < bands; ++b) {
    const i32 rows = first_row(b + 1) - first_row(b);
    scratch[b].lines = ctx.workspace.take<T>(4 * line);
    scratch[b].stale = ctx.workspace.take<u8>(2 * static_cast<std::size_t>(rows));
    const i64 wanted = std::max<i64>(1024, static_cast<i64>(rows) * width / 16);
    scratch[b].capacity = static_cast<i64>(std::bit_floor(static_cast<u64>(wanted)));
    scratch[b].queue = ctx.workspace.take<Pixel>(static_cast<std::size_t>(scratch[b].capacity));
  }
  const auto rows_of = [&](auto view, i32 b) { return view.sub(0, first_row(b), {width, first_row(b + 1) - first_row(b)}); };
  const auto band = [&](i32 b) { return Band<T, by>(ctx, rows_of(out, b), rows_of(mask, b), eight, scratch[b]); };

  std::atomic<bool> gave_up{false};
  SharedHalos<T> shared(halos, active, bands, width);
  parallel_for(ctx, bands, 1, [&](i64 begin, i64 end, int) {
    for (i64 b = begin; b < end; ++b) {
      const i32 number = static_cast<i32>(b);
      if (!band(number).solve(rows_of(marker, number), plan, bands > 1 ? &shared : nullptr, number)) gave_up = true;
    }
  });

  // Border propagation (Teodoro 2012 §4): a band whose neighbour's border row has changed goes on from there, until none has.
  const auto halo = [&](i32 b, int side) { return halos + (2 * static_cast<std::size_t>(b) + static_cast<std::size_t>(side)) * static_cast<std::size_t>(width); };
  const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(width);
  int rounds = 0;
  for (bool first = true, again = bands > 1; again && !gave_up; first = false) {
    again = false;
    if ((plan.brief || !plan.turns) && ++rounds > 16) return false;
    for (i32 b = 0; b < bands; ++b) {
      active[b] = 0;
      const auto refresh = [&](int side, i32 y) {
        if (!first && std::memcmp(halo(b, side), out.row(y), bytes) == 0) return;
        std::memcpy(halo(b, side), out.row(y), bytes);
        active[b] = 1;
      };
      if (b > 0) refresh(0, first_row(b) - 1);
      if (b + 1 < bands) refresh(1, first_row(b + 1));
      again = again || active[b];
    }
    if (!again) break;
    parallel_for(ctx, bands, 1, [&](i64 begin, i64 end, int) {
      for (i64 i = begin; i < end; ++i) {
        const i32 b = static_cast<i32>(i);
        if (!active[b]) continue;
        auto again_here = band(b);
        again_here.resume(b > 0 ? halo(b, 0) : nullptr, b + 1 < bands ? halo(b, 1) : nullptr, plan);
        if (again_here.gave_up()) gave_up = true;
      }
    });
  }
  return !gave_up;
}

}  // namespace

bool reconstruct_briefly(Context& ctx, View<u8> f, View<const u8> mask, By by, Connectivity connectivity) {
  const bool eight = connectivity == Connectivity::eight;
  const SweepPlan plan{.sweeps = 4, .skip = true, .more = 0, .brief = true};
  if (by == By::dilation) return run<u8, By::dilation>(ctx, f, mask, f, eight, plan);
  return run<u8, By::erosion>(ctx, f, mask, f, eight, plan);
}

bool reconstruct_without_turns(Context& ctx, Plane f, ConstPlane mask, By by, Connectivity connectivity) {
  SweepPlan plan = plan_of(ReconstructVariant::automatic);
  plan.turns = false;
  bool done = false;
  visit_reconstruction(f.type, by, [&](auto zero, auto direction) {
    using T = decltype(zero);
    done = run<T, direction()>(ctx, f.view<T>(), mask.view<T>(), f.view<T>(), connectivity == Connectivity::eight, plan);
  });
  return done;
}

/// Shape: marker, mask, out [h, w] of one type (u8, u16, i32); `out` may be `marker`. Reach: global. The result is unique, so neither
/// the variant nor the number of threads shows in it.
/// Variants: raster_sweeps (SR) sweeps down and up until nothing moves; queue (QB) scans once for movable pixels and lets a queue
/// carry them on; fast_hybrid (FH) does two sweeps, then the queue; automatic does up to four sweeps, and up to 12 more while each
/// still moves something in most rows, passing over rows that cannot move, then the queue, in turns with more sweeps where it has more
/// to do than to follow a corridor. downhill, priority_queue, tiled_fast_hybrid and parallel_fast_hybrid have files, costs and needs of their own.
/// Cost: a sweep reads marker and mask and writes out once, 16 bytes a step; the queue costs some 10 ns a move.
/// Memory: up to 0.5 byte a pixel for the queue (bounded: on overflow rows are searched again), 2 bytes a row and 6 rows a thread.
/// Source: Vincent 1993 (hybrid); Teodoro 2012 §2.1 (SR, QB, FH), §3.3 (bounded queue), §4 (tiles and borders). The running clamp of
/// a row is a parallel prefix over clamp functions.
void reconstruct(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& params) {
  check::reconstruct(marker, mask, out, params);
  if (static_cast<int>(params.variant) > static_cast<int>(ReconstructVariant::parallel_fast_hybrid)) {
    reject("variant", "automatic, raster_sweeps, queue, fast_hybrid, downhill, priority_queue, tiled_fast_hybrid or parallel_fast_hybrid",
           std::to_string(static_cast<int>(params.variant)));
  }
  if (out.extent.empty()) return;
  switch (params.variant) {
    case ReconstructVariant::downhill: return reconstruct_downhill(ctx, marker, mask, out, params);
    case ReconstructVariant::priority_queue: return reconstruct_priority(ctx, marker, mask, out, params);
    case ReconstructVariant::tiled_fast_hybrid: return reconstruct_tiled(ctx, marker, mask, out, params);
    case ReconstructVariant::parallel_fast_hybrid: return reconstruct_parallel(ctx, marker, mask, out, params);
    default: break;
  }

  const bool eight = params.connectivity == Connectivity::eight;
  const SweepPlan plan = plan_of(params.variant);
  visit_pixel_type(out.type, [&](auto zero) {
    using T = decltype(zero);
    if (params.by == By::dilation) run<T, By::dilation>(ctx, marker.view<T>(), mask.view<T>(), out.view<T>(), eight, plan);
    else run<T, By::erosion>(ctx, marker.view<T>(), mask.view<T>(), out.view<T>(), eight, plan);
  });
}

}  // namespace morpho::cpu
