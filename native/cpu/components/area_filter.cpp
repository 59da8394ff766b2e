// Keeps the components of a binary image whose area lies in a range.
#include <cstring>

#include "cpu/components/component_runs.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/runtime/parallel.hpp"

namespace morpho::cpu {

/// Shape: binary [h, w] u8 -> out [h, w] u8 of 0 and 1; `out` may be `binary`. Units: areas in pixels, min_area <= area <
/// end_area.
/// Reach: global. Cost: two reads, one write, linear in the runs. Memory: that of connect_runs() with areas and one byte a run.
void area_filter(Context& ctx, ConstPlane binary, Plane out, const AreaFilterParams& params) {
  op::area_filter::check(binary, out, params);
  if (binary.extent.empty()) return;

  const Workspace::Scope scope(ctx.workspace);
  const RunSet runs = connect_runs(ctx, binary, params.connectivity, {.areas = true});
  ctx.check_cancelled();

  // Of roots; a quarter of the areas, so that it stays in the cache
  u8* keep = ctx.workspace.take<u8>(static_cast<std::size_t>(runs.count));
  parallel_for(ctx, runs.count, 1 << 18, [&](i64 begin, i64 end, int) {
    for (i64 r = begin; r < end; ++r) keep[r] = (runs.area[r] >= params.min_area) & (runs.area[r] < params.end_area);
  });
  const View<u8> result = out.view<u8>();
  parallel_for(ctx, result.height(), rows_per_piece(result.width()), [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) {
      u8* row = result.row(static_cast<i32>(y));
      std::memset(row, 0, static_cast<std::size_t>(result.width()));
      for (i32 r = runs.row_begin[y]; r < runs.row_begin[y + 1]; ++r) {
        if (!keep[runs.root_of(r)]) continue;
        std::memset(row + runs.x0[r], 1, static_cast<std::size_t>(runs.x1[r] - runs.x0[r]));
      }
    }
  });
}

}  // namespace morpho::cpu
