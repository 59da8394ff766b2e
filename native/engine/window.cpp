// Reads windows of slides and computes on them where it is asked.
#include "window.hpp"

#include <optional>

namespace morpho::engine {

namespace {

View<Rgba> take_pixels(Workspace& workspace, Extent extent) {
  return {workspace.take<Rgba>(static_cast<std::size_t>(extent.area())), extent};
}

}  // namespace

WindowDone run_window(const WindowJob& job, Machine& machine, const CancelFlag* cancel) {
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
  done.output = run(*place, job.pipeline, job.params, {pixels, job.core, job.want_planes});
  for (StageTiming& t : done.output.timings)
    if (is_pinned && t.stage == "upload") t.variant = "pinned";
  done.output.timings.insert(done.output.timings.begin(), read);
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
