// Recipes with a reconstruction without limit on a GPU, and on GPU and cores together: what is known of the whole slide, and
// the windows that stand on it, against one window over all on the CPU.
#include "../native/support/ground_scene.hpp"
#include "cases.hpp"

namespace morpho::test {
namespace {

namespace region = engine::region;

struct Way {
  const char* name;
  std::vector<engine::DeviceName> devices;
  i64 tile;
  i32 window;
  int workers, threads;
};

engine::WindowOutput untiled(const Made& m, const std::string& id, const engine::Params& params) {
  Workspace w;
  Context ctx{w, 1, nullptr, nullptr, nullptr};
  return run_alone(cpu::table(), ctx, id, params, m.view(), {0, 0, m.extent.width, m.extent.height}, true, true);
}

}  // namespace

void compare_grounds(Rig& rig, const std::string& assets, Extent e, bool several) {
  engine::Resources resources;
  engine::DeviceName gpu, cpu;
  gpu.gpu = true;
  std::vector<Way> ways = {{"gpu0", {gpu}, 100, 128, 1, 1}, {"gpu0 and cpu", {gpu, cpu}, 64, 200, 1, 1}};
  if (several) {
    ways = {{"gpu0", {gpu}, 256, 256, 1, 1},
            {"gpu0 by six", {gpu}, 512, 512, 6, 2},
            {"gpu0 and cpu", {gpu, cpu}, 200, 1000, 3, 2},
            {"gpu0 twice and cpu", {gpu, gpu, cpu}, 256, 512, 2, 2}};
  }
  const Made m = made(serpentine_scene(e.width, e.height, 4));
  const Rect all{0, 0, e.width, e.height}, part{e.width / 4, e.height / 5, e.width / 2, e.height / 2};
  for (const std::string id : kGroundRecipes) {
    const engine::Params params = unbounded(params_of(assets, id, m.view()));
    const engine::WindowOutput want = untiled(m, id, params);
    const auto objects = [&](const Rect& region) {
      std::multiset<std::string> texts;
      for (std::size_t o = 0; o < want.objects.objects.size(); ++o) {
        const ObjectMeasurement& f = want.objects.objects[o];
        if (f.first_x >= region.x && f.first_y >= region.y && f.first_x < region.x + region.width &&
            f.first_y < region.y + region.height)
          texts.insert(object_text(want.objects, o, 0, 0));
      }
      return texts;
    };
    for (const Way& way : ways) {
      rig.judge("engine: ground", id + ", " + way.name + ", tiles of " + std::to_string(way.tile), [&]() -> std::string {
        region::GroundJob job = ground_job(m, id, params, way.tile, way.threads);
        job.workers.devices = way.devices, job.workers.workers_per_gpu = way.workers;
        const auto ground = region::compute_ground(resources, job);
        if (!ground->notes.empty()) return ground->notes.front();
        for (const engine::NamedPlane& plane : want.planes)
          if (plane.name == "background" && plane.bytes != pixels_of(*ground, e)) return "the background";
        for (const Rect& region : {all, part}) {
          const TiledObjects got = objects_by_tiles(m, id, params, way.window, ground, region, way.threads, way.devices);
          if (got.certified != got.windows) return "a window was not certain";
          if (got.objects != objects(region)) return "the objects";
        }
        return objects(all).size() > 5 ? "" : "an image with no objects";
      });
    }
  }
}

}  // namespace morpho::test
