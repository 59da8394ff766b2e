// Spreads a range of independent work over the threads that a Context allows.
#pragma once
#include <functional>

#include "contract/context.hpp"
#include "contract/view.hpp"

namespace morpho::cpu {

/// The body of a parallel loop: does the items [begin, end); `worker` in [0, ctx.threads) names the scratch it may use.
using RangeFn = std::function<void(i64 begin, i64 end, int worker)>;

/// Cuts [0, count) into pieces of `grain` items (the last may be shorter; the cuts never depend on the thread count) and hands
/// them out in ascending order to at most ctx.threads threads, the caller being worker 0. Returns when every piece is done.
/// The first exception of any worker is rethrown here and no further piece is begun; between pieces a set Context::cancel
/// throws Cancelled. `fn` must not touch ctx.workspace when more than one thread may run: take scratch before the loop.
/// Cost: some 2 us, or 10 to 50 us where helpers have gone to sleep (see parallel_pool.hpp), so give a piece at least some 20
/// us of work. Calls may nest, and any number of threads may call at once.
void parallel_range(const Context& ctx, i64 count, i64 grain, const RangeFn& fn);

/// The same for any callable fn(i64 begin, i64 end, int worker); nothing is allocated when one thread does it all.
template <class Fn>
void parallel_for(const Context& ctx, i64 count, i64 grain, Fn&& fn) {
  if (grain < 1) grain = 1;
  if (ctx.threads <= 1 || count <= grain) {
    for (i64 begin = 0; begin < count; begin += grain) {
      ctx.check_cancelled();
      fn(begin, begin + grain < count ? begin + grain : count, 0);
    }
    return;
  }
  parallel_range(ctx, count, grain, std::ref(fn));
}

/// How many pieces of `each` items n items are; for any n, where n + each may not fit.
inline i32 pieces_of(i32 n, i32 each) { return n / each + (n % each != 0 ? 1 : 0); }

/// Rows to give to one piece so that it holds about `pixels` pixels: the usual grain of a loop over the rows of an image.
inline i64 rows_per_piece(i32 width, i64 pixels = 1 << 17) {
  const i64 rows = width > 0 ? pixels / width : 1;
  return rows < 1 ? 1 : rows;
}

}  // namespace morpho::cpu
