// Images to cut windows out of, and objects as texts that say everything of them.
// Needs no test framework: GPU machines have none.
#pragma once
#include <cmath>
#include <random>
#include <set>

#include "engine/window/window.hpp"
#include "recipe_defaults.hpp"

namespace morpho::test {

/// Those for dark nuclei on a bright ground.
inline const char* const kRecipes[] = {"he-nuclei", "ihc-nuclei", "iwpp-nuclei", "max-tree-nuclei", "cell-detection"};

/// Pink tissue with noise, on which nuclei and worse are painted.
struct Scene {
  Extent extent;
  std::vector<Rgba> pixels;
  std::mt19937 rng;
  Scene(i32 w, i32 h, unsigned seed) : extent{w, h}, pixels(static_cast<std::size_t>(extent.area())), rng(seed) {
    for (Rgba& p : pixels) p = shade(232, 190, 215);
  }
  Rgba& at(i32 x, i32 y) { return pixels[static_cast<std::size_t>(y * extent.width + x)]; }
  Rgba shade(int r, int g, int b) {
    const int n = static_cast<int>(rng() % 9) - 4;
    return {static_cast<u8>(r + n), static_cast<u8>(g + n), static_cast<u8>(b + n), 255};
  }
  /// Nuclei that shine on black.
  void invert() {
    for (Rgba& p : pixels) p = {static_cast<u8>(255 - p.r), static_cast<u8>(255 - p.g), static_cast<u8>(255 - p.b), 255};
  }
  double unit() { return static_cast<double>(rng() % 4096) / 4096; }
  void ellipse(double cx, double cy, double a, double b, double angle) {
    const double c = std::cos(angle), s = std::sin(angle), far = std::max(a, b) + 1;
    for (i32 y = static_cast<i32>(std::max(0.0, cy - far)); y <= std::min<double>(extent.height - 1, cy + far); ++y) {
      for (i32 x = static_cast<i32>(std::max(0.0, cx - far)); x <= std::min<double>(extent.width - 1, cx + far); ++x) {
        const double u = (c * (x - cx) + s * (y - cy)) / a, v = (c * (y - cy) - s * (x - cx)) / b;
        if (u * u + v * v <= 1) at(x, y) = shade(82, 60, 130);
      }
    }
  }
  void box(i32 x0, i32 y0, i32 x1, i32 y1, bool pale = false) {
    for (i32 y = std::max(0, y0); y < std::min(extent.height, y1); ++y)
      for (i32 x = std::max(0, x0); x < std::min(extent.width, x1); ++x)
        at(x, y) = pale ? shade(172, 150, 190) : shade(82, 60, 130);
  }
  /// Nuclei on a jittered grid, many of them touching.
  void field(double step) {
    for (double y = step / 2; y < extent.height; y += step)
      for (double x = step / 2; x < extent.width; x += step)
        ellipse(x + step / 2 * unit(), y + step / 2 * unit(), 5 + 5 * unit(), 4 + 4 * unit(), 3.1 * unit());
  }
  /// Spindles of 10 to 200 px that are not too large to be kept.
  void spindles(int n) {
    for (int k = 0; k < n; ++k) {
      const double length = 10 + 190 * unit();
      ellipse(extent.width * unit(), extent.height * unit(), length / 2, 2.5 + 3 * unit(), 3.1 * unit());
    }
  }
};

/// Everything of an object, its place moved.
inline std::string object_text(const ObjectSet& set, std::size_t o, i64 dx, i64 dy) {
  std::string t;
  for (i64 r = set.run_offsets[o]; r < set.run_offsets[o + 1]; ++r) {
    const morpho::Run& run = set.runs[static_cast<std::size_t>(r)];
    t += std::to_string(run.y + dy) + ":" + std::to_string(run.x0 + dx) + "-" + std::to_string(run.x1 + dx) + " ";
  }
  const ObjectMeasurement& m = set.objects[o];
  char numbers[400];
  std::snprintf(numbers, sizeof numbers, "%lld %lld %lld %lld %lld %lld %lld %a %a %a %a %a %a %a %a %a",
                static_cast<long long>(m.first_x + dx), static_cast<long long>(m.first_y + dy),
                static_cast<long long>(m.min_x + dx), static_cast<long long>(m.max_x + dx),
                static_cast<long long>(m.min_y + dy), static_cast<long long>(m.max_y + dy), static_cast<long long>(m.area),
                m.centroid_x + static_cast<double>(dx), m.centroid_y + static_cast<double>(dy), m.perimeter, m.solidity,
                m.orientation, m.stain_mean[0], m.stain_std[1], m.contrast, m.score);
  return t + numbers;
}

struct Made {
  std::shared_ptr<slide::Slide> slide;
  std::vector<Rgba> pixels;
  Extent extent;
  View<const Rgba> view() const { return {pixels.data(), extent}; }
};
inline Made made(const Scene& scene) {
  Made m;
  m.pixels = scene.pixels, m.extent = scene.extent;
  slide::SlideInfo info;
  info.path = "made", info.reader = "a test";
  m.slide = slide::memory_slide(info, m.view());
  return m;
}

inline engine::Params params_of(const std::string& assets, const std::string& id, View<const Rgba> all) {
  Workspace w;
  Context ctx{w, 2, nullptr, nullptr};
  return with_overview(cpu::table(), ctx, id, recipe_params(assets + "/recipes/" + id + ".json", 0.5), all);
}

/// The window of one tile, with so much around it as the image has.
inline engine::WindowJob tile_job(const Made& m, const std::string& id, const engine::Params& params, i32 x, i32 y, i32 tile,
                                  i32 halo) {
  engine::WindowJob job;
  job.slide = m.slide;
  job.image = m.extent;
  const i32 x0 = std::max(0, x - halo), y0 = std::max(0, y - halo);
  const i32 width = std::min(tile, m.extent.width - x), height = std::min(tile, m.extent.height - y);
  job.x = x0, job.y = y0;
  job.extent = {std::min(m.extent.width, x + width + halo) - x0, std::min(m.extent.height, y + height + halo) - y0};
  job.core = {x - x0, y - y0, width, height};
  job.plan = engine::plan_of(id, params);
  return job;
}

}  // namespace morpho::test
