// An image that no window understands: what its background is is decided thousands of px away, along a path that winds through
// all tiles.
// Needs no test framework: GPU machines have none.
#pragma once
#include "cut_scene.hpp"
#include "engine/region/ground.hpp"

namespace morpho::test {

/// A pale patch that the recipes' disks fit into, and from it a pale path of 5 px, up and down, on and beside which nuclei lie:
/// a reconstruction carries the patch's level along all of it, a bounded one until its reach ends, a window from its rim.
inline Scene serpentine_scene(i32 width, i32 height, unsigned seed) {
  Scene scene(width, height, seed);
  scene.box(6, 6, 60, 60, true);
  const i32 step = 46, top = 30, bottom = height - 12;
  for (i32 x = 50, k = 0; x + step < width - 12; x += step, ++k) {
    scene.box(x, top, x + 5, bottom, true);
    const i32 y = k % 2 == 0 ? bottom - 5 : top;
    scene.box(x, y, x + step + 5, y + 5, true);
  }
  scene.field(23);
  return scene;
}

/// The recipe's reconstruction without limit.
inline engine::Params unbounded(engine::Params params) {
  for (const char* name : {"marker.reach", "detection.backgroundReach"})
    if (params.has(name)) params.set(name, 0.0);
  return params;
}
inline const char* const kGroundRecipes[] = {"iwpp-nuclei", "cell-detection"};

inline engine::region::GroundJob ground_job(const Made& m, const std::string& id, const engine::Params& params, i64 tile,
                                            int threads) {
  engine::region::GroundJob job;
  job.slide = m.slide, job.image = m.extent;
  job.plan = engine::plan_of(id, params);
  job.tile = tile, job.scratch_folder = "/tmp";
  job.workers.threads = threads;
  return job;
}
inline std::vector<u8> pixels_of(const engine::Ground& ground, Extent e) {
  std::vector<u8> all(static_cast<std::size_t>(e.area()));
  ground.read({0, 0, e.width, e.height}, all.data(), static_cast<std::size_t>(e.width));
  return all;
}

/// Every object of a run over tiles, as text with its place; a double stands twice.
struct TiledObjects {
  std::multiset<std::string> objects;
  int windows = 0, certified = 0, grown = 0;
};
inline TiledObjects objects_by_tiles(const Made& m, const std::string& id, const engine::Params& params, i32 tile,
                                     const std::shared_ptr<const engine::Ground>& ground, const Rect& region, int threads,
                                     const std::vector<engine::DeviceName>& devices = {{}}) {
  engine::Resources resources;
  TiledObjects result;
  const i32 halo = engine::halo_px(id, params);
  const auto first = [&](i64 at) { return static_cast<i32>(at / tile * tile); };
  for (i32 y = first(region.y); y < region.y + region.height; y += tile) {
    for (i32 x = first(region.x); x < region.x + region.width; x += tile) {
      engine::WindowJob job = tile_job(m, id, params, x, y, tile, halo);
      job.ground = ground, job.threads = threads, job.devices = devices;
      const engine::WindowDone done = engine::run_window(job, resources, nullptr);
      ++result.windows;
      result.certified += done.output.trust.certified;
      result.grown += done.growth.windows;
      const ObjectSet& set = done.output.objects;
      for (std::size_t o = 0; o < set.objects.size(); ++o) {
        const i64 fx = set.objects[o].first_x + job.x, fy = set.objects[o].first_y + job.y;
        const bool own = fx >= x && fy >= y && fx < x + job.core.width && fy < y + job.core.height;
        const bool asked = fx >= region.x && fy >= region.y && fx < region.x + region.width && fy < region.y + region.height;
        if (own && asked) result.objects.insert(object_text(set, o, job.x, job.y));
      }
    }
  }
  return result;
}

}  // namespace morpho::test
