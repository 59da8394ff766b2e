// Reads windows of slides and computes on them where it is asked.
#include "window.hpp"

#include <optional>

namespace morpho::engine {

namespace {

View<Rgba> take_pixels(Workspace& workspace, Extent extent) {
  return {workspace.take<Rgba>(static_cast<std::size_t>(extent.area())), extent};
}

CutSides cut_sides(const WindowJob& job) {
  return {job.x > 0, job.y > 0, job.x + job.extent.width < job.image.width, job.y + job.extent.height < job.image.height};
}

/// The window as it is.
WindowDone compute(const WindowJob& job, Machine& machine, const CancelFlag* cancel) {
  WorkspacePool::Lease workspace(machine.workspaces);
  Context host{*workspace, job.threads, cancel};
  const Workspace::Scope scope(host.workspace);
  std::optional<PinnedPool::Lease> pinned;
  if (job.device.gpu && !job.extent.empty())
    pinned.emplace(machine.pinned, job.device.index, static_cast<std::size_t>(job.extent.area()) * sizeof(Rgba));
  const bool is_pinned = pinned && pinned->data();
  const View<Rgba> pixels = is_pinned ? View<Rgba>(static_cast<Rgba*>(pinned->data()), job.extent)
                                      : take_pixels(host.workspace, job.extent);
  WindowDone done;
  const double begin = now_ms();
  done.unreadable = read_scaled(cpu::table(), host, *job.slide, job.scale, job.x, job.y, pixels);
  const slide::SlideInfo& info = job.slide->info();
  const StageTiming read{"read", "cpu", info.reader + (info.reader_version.empty() ? "" : " " + info.reader_version),
                         now_ms() - begin, job.extent.area()};
  host.check_cancelled();
  // Given back before the pinned memory; what an upload still reads then, of a window that was cancelled, nobody looks at.
  const PlaceLease place(machine.gpus, job.device, host);
  WindowInput input{pixels, job.core, job.want_planes, {}, !job.image.empty()};
  if (input.certify) input.cut = cut_sides(job);
  done.output = run(*place, job.pipeline, job.params, input);
  for (StageTiming& t : done.output.timings)
    if (is_pinned && t.stage == "upload") t.variant = "pinned";
  done.output.timings.insert(done.output.timings.begin(), read);
  return done;
}

}  // namespace

WindowDone run_window(const WindowJob& job, Machine& machine, const CancelFlag* cancel) {
  WindowDone done = compute(job, machine, cancel);
  if (!done.output.certainty.known || done.output.certainty.certified) return done;
  const PlacedWindow first{{job.x, job.y, job.extent.width, job.extent.height},
                           {job.x + job.core.x, job.y + job.core.y, job.core.width, job.core.height}};
  const auto larger = [&](const PlacedWindow& w) {
    WindowJob next = job;
    next.x = w.window.x, next.y = w.window.y;
    next.extent = {static_cast<i32>(w.window.width), static_cast<i32>(w.window.height)};
    next.core = {w.core.x - w.window.x, w.core.y - w.window.y, w.core.width, w.core.height};
    return compute(next, machine, cancel).output;
  };
  done.growth = grow(first, job.image, job.want_planes, larger, done.output);
  return done;
}

std::vector<slide::Unreadable> read_stain(Context& ctx, slide::Slide& slide, double scale, i64 x, i64 y,
                                          const StainParams& stain, View<u8> gray, const ReadLimits& limits,
                                          ReadReport* report) {
  const Workspace::Scope scope(ctx.workspace);
  const View<Rgba> pixels = take_pixels(ctx.workspace, gray.extent);
  auto unreadable = read_scaled(cpu::table(), ctx, slide, scale, x, y, pixels, limits, report);
  cpu::table().stain(ctx, pixels, gray, stain);
  return unreadable;
}

}  // namespace morpho::engine
