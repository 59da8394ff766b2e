// Reads windows of slides and computes on them where it is asked.
#include "window.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/certainty/rims.hpp"
#include "read_deep.hpp"

namespace morpho::engine {

namespace {

View<Rgba> take_pixels(Workspace& workspace, Extent extent) {
  return {workspace.take<Rgba>(static_cast<std::size_t>(extent.area())), extent};
}

/// A window that was cut out tells nothing of a reconstruction without limit.
void require_ground(const WindowJob& job) {
  if (job.ground) return job.ground->require_of(job.slide, job.scale, job.image);
  const CutSides cut = job.cut();
  if (job.image.empty() || !(cut.left || cut.top || cut.right || cut.bottom)) return;
  if (job.plan->split)
    throw Error(ErrorCode::internal, "a window of a recipe with a reconstruction without limit came without its background");
}

bool fails_the_device(ErrorCode code) { return code == ErrorCode::gpu_lost || code == ErrorCode::gpu_out_of_memory; }

/// On the device that is chosen for it, and where that fails on another one, as long as there are others. Of several that were
/// asked for none may be left: a GPU that fails takes CUDA with it in its whole process, the other GPUs too. Then the cores do
/// it.
WindowOutput on_some_device(const WindowJob& job, const WindowPixels& pixels, Resources& resources, Context& host,
                            std::vector<std::string>& given_up) {
  std::vector<DeviceName> left = job.devices;
  for (;;) {
    DeviceScheduler::Turn turn(resources.scheduler, left, job.extent.area(), now_ms());
    try {
      // Given back before the pinned memory; what an upload still reads then, of a window that was cancelled, nobody looks at.
      const BackendLease backend(resources.gpus, turn.device(), host);
      WindowOutput output = run(*backend, job, pixels);
      turn.finished(now_ms(), backend.opening_ms());
      return output;
    } catch (const Error& e) {
      const DeviceName failed = turn.device();
      left.erase(std::remove_if(left.begin(), left.end(), [&](const DeviceName& d) { return same(d, failed); }), left.end());
      const bool lost = e.code() == ErrorCode::gpu_lost, cores_can = lost && job.devices.size() > 1 && failed.gpu;
      if (!fails_the_device(e.code()) || (left.empty() && !cores_can)) {
        if (given_up.empty()) throw;
        std::string before;
        for (const std::string& each : given_up) before += "; before it " + each;
        throw Error(e.code(), e.what(), e.detail() + before, e.where());
      }
      // One that is only full may have room for the next window.
      if (lost) resources.scheduler.drop(failed);
      given_up.push_back(name_of(failed) + ": " + e.what());
      if (left.empty()) left.push_back({});
    }
  }
}

void remember(Resources& resources, const WindowKey& key, RememberedWindow window, StageMemory& stages) {
  window.stages = std::move(stages.after);
  resources.stages.keep(key, std::make_shared<const RememberedWindow>(window));
}

/// What a window left is remembered, also of one that was cancelled on its way.
template <class Compute, class Remember>
void remembered_in_any_case(Compute&& compute, Remember&& remember) {
  try {
    compute();
  } catch (const Cancelled&) {
    remember();
    throw;
  }
  remember();
}

/// A window whose pixels, and perhaps first stages, are there.
WindowDone go_on(const WindowJob& job, Resources& resources, Context& host, const WindowKey& key,
                 const RememberedWindow& known) {
  StageMemory stages{known.stages, nullptr};
  WindowPixels pixels{View<const Rgba>(known.pixels->data(), job.extent)};
  if (job.plan->deep) pixels.deep = {known.deep->data(), job.extent};
  pixels.stages = &stages;
  WindowDone done;
  remembered_in_any_case([&] { done.output = on_some_device(job, pixels, resources, host, done.given_up); },
                         [&] {
                           if (stages.after) remember(resources, key, {known.pixels, nullptr, known.deep}, stages);
                         });
  done.output.timings.insert(done.output.timings.begin(),
                             {.stage = "read", .device = "cpu", .pixels = job.extent.area(), .kept = true});
  return done;
}

}  // namespace

WindowKey key_of(const WindowJob& job) {
  return {job.slide, job.scale, job.x, job.y, job.extent, job.core, job.image, job.ground ? job.ground->epoch() : 0};
}

WindowDone run_window_once(const WindowJob& job, Resources& resources, const CancelFlag* cancel) {
  require_ground(job);
  WorkspacePool::Lease workspace(resources.workspaces);
  Context host{*workspace, job.threads, cancel};
  const Workspace::Scope scope(host.workspace);
  const bool keeps = job.keep_stages &&
                     std::none_of(job.devices.begin(), job.devices.end(), [](const DeviceName& d) { return d.gpu; });
  const WindowKey key = key_of(job);
  const auto remembered = keeps && !job.witness ? resources.stages.find(key) : nullptr;
  if (remembered && (!job.plan->deep || remembered->deep)) return go_on(job, resources, host, key, *remembered);
  const auto area = static_cast<std::size_t>(job.extent.area());
  const bool deep = job.plan->deep;
  std::optional<PinnedPool::Lease> pinned;
  // Every GPU may read what is page-locked for one.
  const auto gpu = std::find_if(job.devices.begin(), job.devices.end(), [](const DeviceName& d) { return d.gpu; });
  const i32 pinned_for = gpu == job.devices.end() ? -1 : gpu->index;
  if (pinned_for >= 0 && !job.extent.empty())
    pinned.emplace(resources.pinned, pinned_for, area * (sizeof(Rgba) + (deep ? sizeof(u16) : 0)));
  const bool is_pinned = pinned && pinned->data();
  const View<Rgba> pixels = is_pinned ? View<Rgba>(static_cast<Rgba*>(pinned->data()), job.extent)
                                      : take_pixels(host.workspace, job.extent);
  View<u16> samples;
  if (deep) samples = {is_pinned ? reinterpret_cast<u16*>(pixels.data + area) : host.workspace.take<u16>(area), job.extent};
  WindowDone done;
  const double begin = now_ms();
  auto parts = read_scaled(cpu::table(), host, *job.slide, job.scale, job.x, job.y, pixels);
  if (deep) add_parts(parts, read_deep(host, *job.slide, job.scale, job.x, job.y, samples));
  const slide::SlideInfo& info = job.slide->info();
  const StageTiming read{.stage = "read",
                         .device = "cpu",
                         .ms = now_ms() - begin,
                         .pixels = job.extent.area(),
                         .reader = info.reader + (info.reader_version.empty() ? "" : " " + info.reader_version)};
  host.check_cancelled();
  std::optional<PinnedPool::Lease> pinned_rims;
  const auto rims_memory = [&](std::size_t bytes) {
    pinned_rims.emplace(resources.pinned, pinned_for, bytes);
    return pinned_rims->data() ? static_cast<u8*>(pinned_rims->data()) : host.workspace.take<u8>(bytes);
  };
  WindowPixels known{pixels};
  known.deep = samples;
  known.rims = rims_memory;
  known.unread.pixels = window_px(parts, job.scale, job.x, job.y, job.extent);
  StageMemory stages;
  if (keeps) known.stages = &stages;
  const auto on_backend = [&] { return on_some_device(job, known, resources, host, done.given_up); };
  remembered_in_any_case([&] { done.output = on_backend(); },
                         [&] {
                           if (!stages.after) return;
                           RememberedWindow window{std::make_shared<const std::vector<Rgba>>(pixels.data, pixels.data + area)};
                           if (deep) window.deep = std::make_shared<const std::vector<u16>>(samples.data, samples.data + area);
                           remember(resources, key, std::move(window), stages);
                         });
  if (const auto rims = std::move(done.output.rims)) {
    // The GPU is another's meanwhile.
    if (auto certainty = rims->certainty()) {
      done.output.trust = std::move(*certainty);
    } else {
      host.check_cancelled();
      known.rims = {};
      const WindowOutput first = std::exchange(done.output, {});
      done.output = on_backend();
      add_times(done.output, first);
      ++done.growth.followed_whole;
    }
  }
  done.output.trust.parts = parts;
  for (StageTiming& t : done.output.timings)
    if (is_pinned && t.stage == "upload") t.memory = "pinned";
  done.output.timings.insert(done.output.timings.begin(), read);
  return done;
}

WindowJob job_at(const WindowJob& job, const WindowBounds& bounds) {
  WindowJob next = job;
  const Rect &window = bounds.window, &core = bounds.core;
  next.x = window.x, next.y = window.y;
  next.extent = {static_cast<i32>(window.width), static_cast<i32>(window.height)};
  next.core = {core.x - window.x, core.y - window.y, core.width, core.height};
  return next;
}

WindowDone run_larger(const WindowJob& job, i64 first_area, Resources& resources, const CancelFlag* cancel) {
  Exclusive<Resources::LargerWindow>::Lease turn;
  if (job.extent.area() > std::max(first_area, kFreelyGrownPixels))
    turn = resources.larger_windows.enter({}, cancel, job.larger_at_once);
  if (cancel && cancel->load(std::memory_order_relaxed)) throw Cancelled{};
  return run_window_once(job, resources, cancel);
}

WindowDone run_window(const WindowJob& job, Resources& resources, const CancelFlag* cancel) {
  WindowDone done = run_window_once(job, resources, cancel);
  if (!done.output.trust.known || done.output.trust.cut.empty()) return done;
  const WindowBounds first{{job.x, job.y, job.extent.width, job.extent.height},
                           {job.x + job.core.x, job.y + job.core.y, job.core.width, job.core.height}};
  int whole = done.growth.followed_whole;
  const auto larger = [&](const WindowBounds& w) {
    WindowDone more = run_larger(job_at(job, w), job.extent.area(), resources, cancel);
    whole += more.growth.followed_whole;
    done.given_up.insert(done.given_up.end(), more.given_up.begin(), more.given_up.end());
    return std::move(more.output);
  };
  done.growth = grow(first, job.image, {job.with_overlapping(), job.want_planes}, larger, done.output);
  done.growth.followed_whole = whole;
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
