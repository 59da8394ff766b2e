// Turns a label image into objects: their runs, shapes and stain statistics.
#include <algorithm>

#include "contract/object_shape.hpp"
#include "cpu/cpu_ops.hpp"
#include "cpu/parallel.hpp"
#include "contract/check_objects.hpp"

namespace morpho::cpu {

using namespace objects;

namespace {

struct LabelRun {
  i32 label;
  Run run;
};

/// Calls fn(label, x0, x1) for each run of equal labels > 0 of a row.
template <class Fn>
void for_runs(const i32* row, i32 n, Fn&& fn) {
  for (i32 x = 0; x < n;) {
    const i32 label = row[x];
    i32 end = x + 1;
    while (end < n && row[end] == label) ++end;
    if (label > 0) fn(label, x, end);
    x = end;
  }
}

void measure_stains(const Run* runs, i64 count, const View<const Rgba>& rgba, const ObjectStainTables& tables, ObjectMeasurement& m) {
  i128 squares[3] = {0, 0, 0}, sums[3] = {0, 0, 0};
  i64 low[3], high[3];
  for (int s = 0; s < 3; ++s) {
    low[s] = INT64_MAX;
    high[s] = INT64_MIN;
  }
  for (i64 i = 0; i < count; ++i) {
    const Rgba* row = rgba.row(runs[i].y);
    for (int s = 0; s < 3; ++s) {
      const auto& t = tables.of[s];
      i128 sum = 0, square = 0;
      for (i32 x = runs[i].x0; x < runs[i].x1; ++x) {
        const i64 q = (t[0][row[x].r] + t[1][row[x].g] + t[2][row[x].b]) >> 16;
        sum += q;
        square += static_cast<i128>(q) * q;
        low[s] = std::min(low[s], q);
        high[s] = std::max(high[s], q);
      }
      sums[s] += sum;
      squares[s] += square;
    }
  }
  finish_stains(sums, squares, low, high, m);
}

/// Runs of all labels > 0, in raster order.
i64 collect_runs(Context& ctx, const View<const i32>& labels, LabelRun** runs) {
  const i32 w = labels.width(), h = labels.height();
  i64* first = ctx.workspace.take<i64>(static_cast<std::size_t>(h) + 1);
  parallel_for(ctx, h, rows_per_piece(w), [&](i64 begin, i64 end, int) {
    for (i64 y = begin; y < end; ++y) {
      i64 n = 0;
      for_runs(labels.row(static_cast<i32>(y)), w, [&](i32, i32, i32) { ++n; });
      first[y + 1] = n;
    }
  });
  first[0] = 0;
  for (i32 y = 0; y < h; ++y) first[y + 1] += first[y];
  LabelRun* list = ctx.workspace.take<LabelRun>(static_cast<std::size_t>(first[h]));
  parallel_for(ctx, h, rows_per_piece(w), [&](i64 begin, i64 end, int) {
    for (i32 y = static_cast<i32>(begin); y < end; ++y) {
      LabelRun* to = list + first[y];
      for_runs(labels.row(y), w, [&](i32 label, i32 x0, i32 x1) { *to++ = {label, {y, x0, x1}}; });
    }
  });
  *runs = list;
  return first[h];
}

}  // namespace

// Memory: 16 bytes a run (at most one a pixel), 8 a row, 64 a row and thread; the result is in vectors. Cost: two passes over the
// labels, a sort of the runs, one pass over the runs, and one over the objects' colours.
// Source: Crofton's formula as in Legland et al. 2007; monotone chains as in Andrew 1979.
void measure(Context& ctx, ConstPlane labels, View<const Rgba> rgba, ObjectSet& out, const MeasureParams& p) {
  check::measure(labels, rgba, p);
  const bool colored = rgba.data != nullptr;
  out.objects.clear();
  out.runs.clear();
  out.run_offsets.assign(1, 0);
  if (labels.extent.empty()) return;

  Workspace::Scope scope(ctx.workspace);
  LabelRun* list;
  const i64 count = collect_runs(ctx, labels.view<i32>(), &list);
  // Raster order within a label: the key makes every run different, so any sort gives the same result.
  std::sort(list, list + count, [](const LabelRun& a, const LabelRun& b) {
    return a.label != b.label ? a.label < b.label : a.run.y != b.run.y ? a.run.y < b.run.y : a.run.x0 < b.run.x0;
  });
  out.runs.resize(static_cast<std::size_t>(count));
  for (i64 i = 0; i < count; ++i) {
    out.runs[static_cast<std::size_t>(i)] = list[i].run;
    if (i + 1 == count || list[i + 1].label != list[i].label) {
      out.run_offsets.push_back(i + 1);
      ObjectMeasurement m{};
      m.label = list[i].label;
      out.objects.push_back(m);
    }
  }
  ctx.check_cancelled();
  const std::size_t threads = static_cast<std::size_t>(ctx.threads < 1 ? 1 : ctx.threads);
  const std::size_t corners = 4 * static_cast<std::size_t>(labels.extent.height);
  Corner* chains = ctx.workspace.take<Corner>(threads * corners);
  const ObjectStainTables tables(p);
  parallel_for(ctx, static_cast<i64>(out.objects.size()), 64, [&](i64 begin, i64 end, int worker) {
    for (i64 i = begin; i < end; ++i) {
      ObjectMeasurement& m = out.objects[static_cast<std::size_t>(i)];
      const i64 first = out.run_offsets[static_cast<std::size_t>(i)], n = out.run_offsets[static_cast<std::size_t>(i) + 1] - first;
      const Run* runs = out.runs.data() + first;
      finish_shape(sum_shape(runs, n, chains + static_cast<std::size_t>(worker) * corners), m);
      if (colored) measure_stains(runs, n, rgba, tables, m);
    }
  });
}

}  // namespace morpho::cpu
