// Connected-component labelling.
#include <cstring>

#include "cpu/components/component_runs.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"
#include "contract/work_log.hpp"

namespace morpho::cpu {

/// Shape: in [h, w] u8 (binary) or u16, i32 (equal values) -> labels [h, w] i32; returns the number of components.
/// Units: labels 1..n in raster order of first pixels. Reach: global.
/// Cost: two reads of `in`, one write of `labels`, near-linear in the number of runs. Memory: that of connect_runs().
/// Source: He, Chao, Suzuki 2008; the roots are smallest runs, so numbers come out in raster order with no sorting.
i32 label(Context& ctx, ConstPlane in, Plane labels, const ConnectivityParams& params) {
  op::label::check(in, labels, params);
  if (in.extent.empty()) return 0;

  note(ctx, {"label", "union-find of runs"});
  const Workspace::Scope scope(ctx.workspace);
  RunSet runs = connect_runs(ctx, in, params.connectivity);
  ctx.check_cancelled();
  const i32 n = number_components(ctx, runs, in.extent.height);

  const View<i32> out = labels.view<i32>();
  parallel_for(ctx, out.height(), rows_per_piece(out.width()), [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) {
      i32* row = out.row(static_cast<i32>(y));
      std::memset(row, 0, sizeof(i32) * static_cast<std::size_t>(out.width()));
      for (i32 r = runs.row_begin[y]; r < runs.row_begin[y + 1]; ++r) {
        const i32 number = runs.number_of(r), end_x = runs.x1[r];
        for (i32 x = runs.x0[r]; x < end_x; ++x) row[x] = number;
      }
    }
  });
  return n;
}

}  // namespace morpho::cpu
