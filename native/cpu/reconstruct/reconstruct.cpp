// Morphological reconstruction: variants, sweeps in turns with queues, bands and the border propagation between them.
#include <atomic>
#include <bit>

#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "cpu/reconstruct/reconstruct_band.hpp"
#include "cpu/reconstruct/reconstruct_sweeps.hpp"
#include "cpu/reconstruct/reconstruct_variants.hpp"
#include "contract/choices.hpp"
#include "contract/work_log.hpp"

namespace morpho::cpu {
namespace {

/// How an image is brought to stability: all four variants are points in this space.
struct SweepPlan {
  int sweeps = 4;               ///< sweeps before the queue, down and up in turn; negative: until nothing moves
  bool skip = true;             ///< later sweeps pass over rows whose inputs have not changed
  int more = 0;                 ///< sweeps added to these for as long as each moves something in most rows
  bool brief = false;           ///< gives up where the last sweep moved something in most rows, or the queue has much to do
  bool turns = true;            ///< else gives up where the queue has more to do than a small share of the pixels
  std::string_view named = {};  ///< as users call it; empty: automatic
};

SweepPlan plan_of(ReconstructVariant variant) {
  const std::string_view named = name_of(variant);
  switch (variant) {
    case ReconstructVariant::raster_sweeps: return {.sweeps = -1, .skip = false, .named = named};
    case ReconstructVariant::queue: return {.sweeps = 0, .skip = false, .named = named};
    case ReconstructVariant::fast_hybrid: return {.sweeps = 2, .skip = false, .named = named};
    default: return {.sweeps = 4, .skip = true, .more = 12};
  }
}

/// What one reconstruction took.
struct Effort {
  i64 sweeps = 0, queued = 0, longest = 0;
  bool turns = false;
  /// `named`: the variant that was asked for; empty: what automatic came to.
  Work work(std::string_view named) const {
    const char* came_to = turns ? "sweeps and queue in turns" : queued > 0 ? "sweeps + queue" : "sweeps";
    return {"reconstruct", std::string(named.empty() ? came_to : named), 1, sweeps, queued, longest};
  }
};

/// Moves that cost about a millisecond, allowed to every band: small images would else give up for nothing.
constexpr i64 kFreeMoves = 1 << 17;
constexpr i64 kAnyMoves = std::numeric_limits<i64>::max();

/// One reconstruction: the sweeps are everybody's work, the queues that of bands of rows. Some bands a thread, as their waves
/// are not alike; not many, as more borders mean more rounds.
template <class T, By by>
class Run {
  static constexpr i32 kBands = 4;  ///< a thread

 public:
  Run(Context& ctx, View<const T> mask, View<T> out, bool eight)
      : ctx_(ctx),
        mask_(mask),
        out_(out),
        eight_(eight),
        width_(out.width()),
        height_(out.height()),
        workers_(std::min(std::max(1, ctx.threads), std::max(1, height_ / 32))),
        bands_(workers_ > 1 ? std::min(kBands * workers_, height_ / 16) : 1) {
    Workspace& w = ctx.workspace;
    const std::size_t n = static_cast<std::size_t>(bands_),
                      threads = static_cast<std::size_t>(std::max(workers_, std::min(std::max(1, ctx.threads), bands_)));
    scratch_ = w.take<BandScratch<T>>(n);
    queued_ = w.take<Queued>(n);
    std::fill_n(queued_, n, Queued{});
    halos_ = w.take<T>(2 * n * static_cast<std::size_t>(width_));
    active_ = w.take<u8>(n);
    lines_ = w.take<T>(threads * Sweeps<T, by>::lines_each * Line<T>::elements(width_));
    stale_ = w.take<u8>(2 * static_cast<std::size_t>(height_));
    shares_ = w.take<RowShare>(threads);
    for (i32 b = 0; b < bands_; ++b) {
      const i64 wanted = std::max<i64>(1024, rows(b) * width_ / 16);
      const i64 capacity = static_cast<i64>(std::bit_floor(static_cast<u64>(wanted)));
      scratch_[b] = {nullptr, stale_ + i64{2} * first_row(b), w.take<Pixel>(static_cast<std::size_t>(capacity)), capacity};
    }
  }

  /// False where the plan gave up; `out` then lies between the marker and the result.
  bool run(View<const T> marker, SweepPlan plan) {
    Sweeps<T, by> sweeps(ctx_, out_, mask_, eight_, workers_, lines_, stale_, shares_);
    if (plan.sweeps == 0) {
      cut_marker(marker);
      sweeps.all_stale();
      return settle([](i64) { return kAnyMoves; }, plan);
    }
    // The queue moves a pixel of a corridor once, but a pixel of noise again and again, where sweeps do better; so they take
    // turns.
    for (int i = 0, most = plan.sweeps, turn = 32;; ++i) {
      if (plan.sweeps >= 0 && i >= most) {
        if (plan.more == 0 || settle_most(plan)) break;
        if (!plan.turns) return false;
        done_.turns = true;
        sweeps.all_stale();
        most = i + turn;
        turn *= 2;
      }
      const i32 moved = sweeps.sweep(i > 0 ? out_ : marker, plan.skip && i > 0);
      ++done_.sweeps;
      if (moved == 0 && i > 0) break;  // and the sweep before left it stable the other way, or the queue will
      if (i + 1 == most && moved > height_ / 2) {
        if (most < plan.sweeps + plan.more) ++most;
        else if (plan.brief) return false;
      }
    }
    // As many moves as cost about as much as two sweeps, without turns twice as many; but a wave may lie in one band of
    // several.
    return settle(
        [&](i64 area) {
          return plan.brief ? area / 16 + 0x2000 : plan.turns ? kAnyMoves : area / 8 * (bands_ > 1 ? 2 : 1) + kFreeMoves;
        },
        plan);
  }

  /// Of what has run so far.
  Effort effort() const {
    Effort sum = done_;
    for (i32 b = 0; b < bands_; ++b) {
      sum.queued += queued_[b].all;
      sum.longest = std::max(sum.longest, queued_[b].longest);
    }
    return sum;
  }

 private:
  i32 first_row(i32 b) const { return static_cast<i32>(static_cast<i64>(height_) * b / bands_); }
  i64 rows(i32 b) const { return first_row(b + 1) - first_row(b); }
  template <class V>
  V rows_of(V view, i32 b) const {
    return view.sub(0, first_row(b), {width_, static_cast<i32>(rows(b))});
  }
  T* halo(i32 b, int side) const {
    return halos_ + (2 * static_cast<std::size_t>(b) + static_cast<std::size_t>(side)) * static_cast<std::size_t>(width_);
  }

  void cut_marker(View<const T> marker) {
    parallel_for(ctx_, height_, rows_per_piece(width_), [&](i64 begin, i64 end, int) {
      for (i32 y = static_cast<i32>(begin); y < end; ++y) {
        for (i32 x = 0; x < width_; ++x) out_.row(y)[x] = Lattice<T, by>::meet(marker.row(y)[x], mask_.row(y)[x]);
      }
    });
  }

  /// Settles if the queues need no more moves than this share of the pixels (9/16 is enough for any corridor: half of its
  /// pixels are its walls).
  bool settle_most(SweepPlan plan) {
    // Without turns, a flood goes on from what the queue has reached: as many moves as clear the border of tissue, which 4
    // neighbours make more of. Of the border's waves one band may have more than its share; of holes that a flood has to fill,
    // all bands had theirs in vain.
    const i64 free = kFreeMoves * (bands_ > 1 && by == By::dilation ? 3 : 1);
    const bool long_waves = by == By::dilation && !eight_;
    return settle(
        [&](i64 area) {
          return plan.turns   ? area / 16 * 9 + free
                 : long_waves ? area / 8 + free
                              : area / (bands_ > 1 && by == By::erosion ? 64 : 32) + free / 2;
        },
        plan);
  }

  /// Brings every band to stability, and on from there where a neighbour's border row has changed, until none has (border
  /// propagation, Teodoro 2012 §4). Each band may make allowed(its pixels) moves a round. False where one gave up.
  template <class Allowed>
  bool settle(Allowed&& allowed, SweepPlan plan) {
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(width_);
    std::atomic<bool> gave_up{false};
    for (int round = 0; !gave_up; ++round) {
      bool again = round == 0;
      for (i32 b = 0; b < bands_; ++b) {
        active_[b] = round == 0;
        const auto refresh = [&](int side, i32 y) {
          if (round > 0 && std::memcmp(halo(b, side), out_.row(y), bytes) == 0) return;
          std::memcpy(halo(b, side), out_.row(y), bytes);
          active_[b] = 1;
        };
        if (b > 0) refresh(0, first_row(b) - 1);
        if (b + 1 < bands_) refresh(1, first_row(b + 1));
        again = again || active_[b];
      }
      if (!again) return true;
      if ((plan.brief || !plan.turns) && round > 16) return false;
      parallel_for(ctx_, bands_, 1, [&](i64 begin, i64 end, int worker) {
        for (i32 b = static_cast<i32>(begin); b < end; ++b) {
          if (!active_[b] || gave_up) continue;  // another band's end is everybody's
          scratch_[b].lines = lines_ + static_cast<std::size_t>(worker) * Sweeps<T, by>::lines_each * Line<T>::elements(width_);
          Band<T, by> band(ctx_, rows_of(out_, b), rows_of(mask_, b), eight_, scratch_[b]);
          const T *above = b > 0 ? halo(b, 0) : nullptr, *below = b + 1 < bands_ ? halo(b, 1) : nullptr;
          const i64 moves = allowed(rows(b) * width_);
          // Without turns: with so many pixels to begin with, as noise has, the moves would not do.
          band.allow(moves, plan.brief || plan.turns ? kAnyMoves : moves / (bands_ > 1 ? 4 : 8));
          if (round == 0) band.settle(above, below);
          else band.resume(above, below);
          if (band.gave_up()) gave_up = true;
          queued_[b].all += band.moves();
          queued_[b].longest = std::max(queued_[b].longest, band.longest());
        }
      });
    }
    return false;
  }

  Context& ctx_;
  View<const T> mask_;
  View<T> out_;
  bool eight_;
  i32 width_, height_, workers_, bands_;
  BandScratch<T>* scratch_;
  T* halos_;  ///< the rows next to each band, as it last saw them
  u8* active_;
  T* lines_;
  u8* stale_;
  RowShare* shares_;
  struct Queued {
    i64 all, longest;
  };
  Queued* queued_;  ///< by band
  Effort done_;
};

template <class T, By by>
bool run(Context& ctx, View<const T> marker, View<const T> mask, View<T> out, bool eight, SweepPlan plan) {
  const Workspace::Scope scope(ctx.workspace);
  Run<T, by> run(ctx, mask, out, eight);
  const bool done = run.run(marker, plan);
  note(ctx, run.effort().work(plan.named));
  return done;
}

}  // namespace

bool reconstruct_briefly(Context& ctx, View<u8> f, View<const u8> mask, By by, Connectivity connectivity) {
  const bool eight = connectivity == Connectivity::eight;
  const SweepPlan plan{.sweeps = 4, .skip = true, .more = 8, .brief = true};
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

/// Shape: marker, mask, out [h, w] of one type (u8, u16, i32); `out` may be `marker`. Reach: global. The result is unique, so
/// neither the variant nor the number of threads shows in it.
/// Variants: raster_sweeps (SR) sweeps down and up until nothing moves; queue (QB) scans once for movable pixels and lets a
/// queue carry them on; fast_hybrid (FH) does two sweeps, then the queue; automatic does up to four sweeps, and up to 12 more
/// while each still moves something in most rows, passing over rows that cannot move, then the queue, in turns with more sweeps
/// where it has more to do than to follow a corridor. downhill, priority_queue, tiled_fast_hybrid and parallel_fast_hybrid have
/// files, costs and needs of their own.
/// Cost: a sweep reads marker and mask and writes out once, 16 bytes a step; the queue costs some 10 ns a move.
/// Memory: up to 0.5 byte a pixel for the queue (bounded: on overflow rows are searched again), 2 bytes a row and 12 rows a
/// thread.
/// Source: Vincent 1993 (hybrid); Teodoro 2012 §2.1 (SR, QB, FH), §3.3 (bounded queue), §4 (tiles and borders). The running
/// clamp of a row is a parallel prefix over clamp functions.
void reconstruct(Context& ctx, ConstPlane marker, ConstPlane mask, Plane out, const ReconstructParams& asked) {
  const ReconstructParams params = chosen(ctx, asked);
  op::reconstruct::check(marker, mask, out, params);
  if (static_cast<int>(params.variant) > static_cast<int>(ReconstructVariant::parallel_fast_hybrid)) {
    reject("variant",
           "automatic, raster_sweeps, queue, fast_hybrid, downhill, priority_queue, tiled_fast_hybrid or parallel_fast_hybrid",
           std::to_string(static_cast<int>(params.variant)));
  }
  if (out.extent.empty()) return;
  const auto of_its_own = [&](auto&& variant) {
    Work work = variant(ctx, marker, mask, out, params);
    work.op = "reconstruct", work.variant = name_of(params.variant);
    note(ctx, std::move(work));
  };
  switch (params.variant) {
    case ReconstructVariant::downhill: return of_its_own(reconstruct_downhill);
    case ReconstructVariant::priority_queue: return of_its_own(reconstruct_priority);
    case ReconstructVariant::tiled_fast_hybrid: return of_its_own(reconstruct_tiled);
    case ReconstructVariant::parallel_fast_hybrid: return of_its_own(reconstruct_parallel);
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
