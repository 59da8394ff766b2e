// Computes what windows take of a whole slide.
#include "ground.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "contract/require.hpp"
#include "engine/window/interpreter.hpp"
#include "engine/window/read_scaled.hpp"
#include "ground_bounds.hpp"
#include "region_ops.hpp"

namespace morpho::engine::region {
namespace {

constexpr i64 kLargestTile = 2048, kSmallestTile = 512;
/// Of a tile with its halo: its pixels (4), its planes and what the steps work with, or the reconstruction's.
constexpr std::size_t kBytesPerPixel = 16;

std::string gigabytes(double bytes) {
  const auto tenths = static_cast<i64>(std::max(1.0, bytes / 1e8 + 0.5));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

/// A working file grows as it is written: where there is no room for it that shows after minutes, unless somebody looks before.
void require_room(const GroundJob& job, std::size_t bytes) {
  if (bytes == 0) return;
  std::error_code unknown;
  const auto space = std::filesystem::space(job.scratch_folder, unknown);
  if (unknown || space.available >= bytes) return;  // the file itself will say why not
  throw Error(ErrorCode::output_failed,
              "the background of the whole slide needs " + gigabytes(static_cast<double>(bytes)) + " of working files in " +
                  job.scratch_folder + ", which has " + gigabytes(static_cast<double>(space.available)) +
                  " left. Free some room, name another folder, allow more memory, or give the reconstruction a reach");
}

class Making {
 public:
  Making(Resources& resources, const GroundJob& job, const SplitProgram& split)
      : job_(job),
        split_(split),
        grid_(job.image.width, job.image.height, tile_of(job)),
        workers_(resources, fitting()),
        pixels_(static_cast<std::size_t>(job.image.width) * static_cast<std::size_t>(job.image.height) *
                pixel_bytes(split.type)) {}

  std::shared_ptr<const WholeGround> make() {
    std::size_t budget = SIZE_MAX;
    if (job_.memory_bytes > 0)
      budget = job_.memory_bytes - std::min(job_.memory_bytes, need_of_worker() * static_cast<std::size_t>(workers_.workers()));
    require_room(job_, budget >= 2 * pixels_ ? 0 : budget >= pixels_ ? pixels_ : 2 * pixels_);
    auto result = raster(budget);
    const bool in_memory = is_in_memory(*result);
    {
      const auto mask = raster(budget);
      workers_.each(grid_.count(), "background", [&](Worker& worker, i64 i) { inputs(worker, i, *result, *mask); });
      std::unique_ptr<Raster> marker;
      if (!unreadable_.empty()) {
        marker = raster(budget);
        copy_image(workers_, *result, *marker, grid_.tile_width);
      }
      reconstruct(workers_, *result, *mask, *result, grid_.tile_width, split_.how);
      if (marker)
        uncertain_ = unknown_of(workers_, *marker, *mask, lost(), grid_.tile_width, split_.how, [&] { return raster(budget); });
    }
    auto ground = std::make_shared<WholeGround>(split_.key, job_, std::move(result));
    (in_memory ? ground->memory_bytes : ground->scratch_bytes) = pixels_;
    ground->timings = timings();
    ground->unreadable = std::move(unreadable_);
    ground->uncertain = std::move(uncertain_);
    ground->notes = workers_.notes();
    return ground;
  }

 private:
  /// Each core has a few: the last ones end together.
  static i64 tile_of(const GroundJob& job) {
    if (job.tile > 0) return job.tile;
    i64 tile = kLargestTile;
    const i64 wanted = 4 * std::max(1, job.workers.threads);
    while (tile > kSmallestTile && Grid(job.image.width, job.image.height, tile).count() < wanted) tile /= 2;
    return tile;
  }
  std::size_t need_of_worker() const {
    const i64 width = std::min<i64>(grid_.tile_width + 2 * split_.halo, job_.image.width);
    const i64 height = std::min<i64>(grid_.tile_height + 2 * split_.halo, job_.image.height);
    return static_cast<std::size_t>(width * height) * kBytesPerPixel;
  }
  /// Fewer workers where the memory does not do for all: half of it is the images'.
  WorkerOptions fitting() const {
    WorkerOptions options = job_.workers;
    // Reading binds: where no core has a worker of its own, each has one of a GPU's.
    const bool is_on_cores = std::any_of(options.devices.begin(), options.devices.end(), [](const auto& d) { return !d.gpu; });
    if (!is_on_cores) options.workers_per_gpu = std::max(options.workers_per_gpu, options.threads);
    if (job_.memory_bytes == 0) return options;
    const std::size_t most = job_.memory_bytes / 2 / std::max<std::size_t>(1, need_of_worker());
    if (most == 0)
      reject("memory",
             "at least " + std::to_string((2 * need_of_worker() >> 20) + 1) + " MiB, which a tile of " +
                 std::to_string(grid_.tile_width) + " px of the background needs",
             std::to_string(job_.memory_bytes >> 20) + " MiB");
    const int workers = static_cast<int>(std::min<std::size_t>(most, 1024));
    options.threads = std::clamp(options.threads, 1, workers);
    options.workers_per_gpu = std::clamp(options.workers_per_gpu, 1, workers);
    return options;
  }
  std::unique_ptr<Raster> raster(std::size_t& budget) const {
    return make_raster(split_.type, job_.image.width, job_.image.height, budget, job_.scratch_folder);
  }
  static bool is_in_memory(const Raster& raster) {
    std::size_t pitch = 0;
    return raster.direct({0, 0, 1, 1}, pitch) != nullptr;
  }

  /// Where the reconstruction's marker and mask are not known: as far from what was not read as the steps before it look.
  std::vector<Rect> lost() const {
    std::vector<Rect> rects = window_px(unreadable_, job_.scale, 0, 0, job_.image);
    for (Rect& r : rects) {
      const i64 x1 = std::min<i64>(job_.image.width, r.x + r.width + split_.halo);
      const i64 y1 = std::min<i64>(job_.image.height, r.y + r.height + split_.halo);
      r.x = std::max<i64>(0, r.x - split_.halo), r.y = std::max<i64>(0, r.y - split_.halo);
      r.width = x1 - r.x, r.height = y1 - r.y;
    }
    return rects;
  }

  /// The reconstruction's marker and mask in one tile.
  void inputs(Worker& worker, i64 i, Raster& marker, Raster& mask) {
    const Rect r = grid_.rect(i), w = grid_.grown(i, split_.halo);
    const Extent extent = extent_of(w);
    const View<Rgba> pixels(reinterpret_cast<Rgba*>(worker.take(static_cast<std::size_t>(extent.area()) * sizeof(Rgba))),
                            extent);
    auto unread = read_scaled(cpu::table(), worker.host(), *job_.slide, job_.scale, w.x, w.y, pixels);
    worker.mark_read();
    const WindowJob window = job_alone(nullptr, extent, {r.x - w.x, r.y - w.y, r.width, r.height}, true);
    // In memory that the worker keeps: the system clears each page of new memory (whole-slides.md has what that took).
    const std::size_t pitch = static_cast<std::size_t>(w.width) * pixel_bytes(split_.type);
    const std::size_t bytes = pitch * static_cast<std::size_t>(w.height);
    const std::array<u8*, 2> planes{worker.take(bytes), worker.take(bytes)};
    std::size_t kept = 0;
    WindowPixels input{pixels};
    input.planes = [&](std::size_t) { return planes.at(kept++); };
    WindowOutput out;
    worker.compute([&](Backend& backend) {
      kept = 0;
      run_program(backend, program_before(job_.plan), window, input, &out);
    });
    const std::size_t core = static_cast<std::size_t>(r.y - w.y) * pitch +
                             static_cast<std::size_t>(r.x - w.x) * pixel_bytes(split_.type);
    marker.write(r, planes[0] + core, pitch);
    mask.write(r, planes[1] + core, pitch);
    if (unread.empty()) return;
    const std::lock_guard lock(mutex_);
    add_parts(unreadable_, unread);
  }

  std::vector<StageTiming> timings() const {
    std::vector<StageTiming> all;
    const auto add = [&](const std::string& device, const std::string& part, double ms, i64 pixels) {
      add_timing(all, {.stage = "ground", .device = device, .ms = ms, .pixels = pixels, .part = part});
    };
    for (const Visit& v : workers_.visits()) {
      const Rect r = grid_.rect(v.tile);
      const bool inputs = v.step == "background";
      if (inputs) add("cpu", "read", v.read_ms - v.from_ms, r.width * r.height);
      add(v.device, inputs ? "steps" : v.step, v.to_ms - (inputs ? v.read_ms : v.from_ms), r.width * r.height);
    }
    const auto order = [](const StageTiming& t) { return std::pair(t.device, t.part); };
    std::sort(all.begin(), all.end(), [&](const StageTiming& a, const StageTiming& b) { return order(a) < order(b); });
    return all;
  }

  const GroundJob& job_;
  const SplitProgram& split_;
  const Grid grid_;
  Workers workers_;
  const std::size_t pixels_;  ///< bytes of an image of the whole
  std::mutex mutex_;
  std::vector<slide::Unreadable> unreadable_;
  std::vector<Rect> uncertain_;
};

const SplitProgram& split_of(const GroundOf& of) {
  if (!of.plan->split)
    reject("pipeline", "a recipe with a reconstruction without limit",
           "\"" + of.plan->pipeline + "\" with one whose reach is bounded");
  return *of.plan->split;
}

}  // namespace

void WholeGround::read(const Rect& r, void* to, std::size_t pitch) const {
  const bool inside = r.x >= 0 && r.y >= 0 && r.x + r.width <= image().width && r.y + r.height <= image().height;
  if (!inside) throw Error(ErrorCode::internal, "a window reaches beyond the image that its background was made of");
  raster_->read(r, to, pitch);
}

std::vector<Rect> WholeGround::unknown(const Rect& r) const {
  std::vector<Rect> parts;
  for (const Rect& u : uncertain) {
    const i64 x0 = std::max(u.x, r.x), y0 = std::max(u.y, r.y);
    const i64 x1 = std::min(u.x + u.width, r.x + r.width), y1 = std::min(u.y + u.height, r.y + r.height);
    if (x0 < x1 && y0 < y1) parts.push_back({x0 - r.x, y0 - r.y, x1 - x0, y1 - y0});
  }
  return parts;
}

std::vector<u8> WholeGround::rows(i64 y, i64 count) const {
  const std::size_t pitch = static_cast<std::size_t>(image().width) * raster_->pixel();
  std::vector<u8> bytes(pitch * static_cast<std::size_t>(count));
  read({0, y, image().width, count}, bytes.data(), pitch);
  return bytes;
}

std::shared_ptr<const WholeGround> open_ground(const GroundOf& of, const std::string& path, std::vector<Rect> uncertain) {
  const SplitProgram& split = split_of(of);
  auto raster = FileRaster::open(path, 0, split.type, of.image.width, of.image.height, ErrorCode::output_failed);
  auto ground = std::make_shared<WholeGround>(split.key, of, std::move(raster));
  ground->uncertain = std::move(uncertain);
  return ground;
}

std::shared_ptr<const WholeGround> compute_ground(Resources& resources, const GroundJob& job) {
  const SplitProgram& split = split_of(job);
  if (job.tile != 0) require_tile(job.tile);
  if (job.image.empty()) reject("image", "at least one pixel", "none");
  return Making(resources, job, split).make();
}

}  // namespace morpho::engine::region
