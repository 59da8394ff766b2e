// Reads the px around given runs, and measures the runs on them (see measure_runs.hpp).
#include "measure_runs.hpp"

#include <algorithm>

#include "engine/window/window.hpp"

namespace morpho::engine {
namespace {

void paint(const Run& run, i32 label, const Rect& field, View<i32> labels) {
  const i64 y = run.y - field.y, x0 = run.x0 - field.x, x1 = run.x1 - field.x;
  if (y < 0 || y >= field.height || x0 < 0 || x1 > field.width)
    reject("runs", "runs in the field", "one at " + std::to_string(run.x0) + ", " + std::to_string(run.y));
  i32* row = labels.data + y * labels.extent.width;
  if (std::any_of(row + x0, row + x1, [](i32 of) { return of != 0; }))
    reject("runs", "objects that share no pixels", "some that do at " + std::to_string(run.x0) + ", " + std::to_string(run.y));
  std::fill(row + x0, row + x1, label);
}

void leave_out(MeasuredRuns& measured, const std::vector<Rect>& unread) {
  std::vector<Run> lost;
  for (const Rect& r : unread) {
    const std::vector<Run> rows = runs_of(r);
    lost.insert(lost.end(), rows.begin(), rows.end());
  }
  if (lost.empty()) return;
  ObjectSet& set = measured.objects;
  for (std::size_t k = 0; k < set.objects.size(); ++k) {
    const std::vector<Run> own(set.runs.begin() + set.run_offsets[k], set.runs.begin() + set.run_offsets[k + 1]);
    if (within(own, lost).empty()) continue;
    ObjectMeasurement& m = set.objects[k];
    for (double* stain : {m.stain_mean, m.stain_std, m.stain_min, m.stain_max}) std::fill_n(stain, 3, kNotMeasured);
    m.stained_area = kNotMeasured;
    measured.unread.push_back(k);
  }
}

}  // namespace

MeasureParams measured_by(const WindowJob& job) {
  for (const Step& step : job.plan->program.steps)
    if (step.op == Op::measure) return std::get<MeasureParams>(step.params);
  reject("pipeline", "a recipe that measures objects", job.plan->pipeline);
}

MeasuredRuns measure_runs(const WindowJob& job, const std::vector<Run>& runs, const std::vector<i32>& offsets,
                          Resources& resources, const CancelFlag* cancel) {
  const MeasureParams params = measured_by(job);
  const Rect field{job.x + job.core.x, job.y + job.core.y, job.core.width, job.core.height};
  const Extent extent{static_cast<i32>(field.width), static_cast<i32>(field.height)};
  const auto area = static_cast<std::size_t>(extent.area());
  WorkspacePool::Lease workspace(resources.workspaces);
  Context ctx{*workspace, job.threads, cancel};
  const Workspace::Scope scope(ctx.workspace);
  const View<i32> labels(ctx.workspace.take<i32>(area), extent);
  std::fill_n(labels.data, area, 0);
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    if (offsets[k] == offsets[k + 1]) reject("runOffsets", "a run an object", "none of object " + std::to_string(k));
    for (i32 r = offsets[k]; r < offsets[k + 1]; ++r)
      paint(runs[static_cast<std::size_t>(r)], static_cast<i32>(k) + 1, field, labels);
  }
  const View<Rgba> pixels(ctx.workspace.take<Rgba>(area), extent);
  const auto parts = read_scaled(cpu::table(), ctx, *job.slide, job.scale, field.x, field.y, pixels);
  ctx.check_cancelled();
  MeasuredRuns measured;
  cpu::table().measure(ctx, ConstPlane(labels.data, PixelType::i32, extent), View<const Rgba>(pixels.data, extent), {}, {},
                       measured.objects, params);
  leave_out(measured, window_px(parts, job.scale, field.x, field.y, extent));
  return measured;
}

}  // namespace morpho::engine
