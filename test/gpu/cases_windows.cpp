// Windows of slides on a GPU that must say what is certain and grow until it is: against the same windows on the CPU.
#include "../native/support/cut_scene.hpp"
#include "../native/support/same_output.hpp"
#include "cases.hpp"

namespace morpho::test {
namespace {

std::string certainty_difference(const engine::Trust& got, const engine::Trust& want) {
  if (got.known != want.known) return "whether certainty is known";
  if (got.certified != want.certified || got.certain_pixels != want.certain_pixels) return "how much is certain";
  const auto same = [](const std::vector<Run>& a, const std::vector<Run>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Run& p, const Run& q) { return p.y == q.y && p.x0 == q.x0 && p.x1 == q.x1; });
  };
  return same(got.cut, want.cut) && same(got.limit, want.limit) ? "" : "what is uncertain";
}

/// Counts over all windows: what the pictures are made for must have come about.
struct Windows {
  int all = 0, certified = 0, grown = 0, limited = 0, whole = 0;
};

/// The tiles of one image, every so manieth of them. boundless: H&E nuclei alone, that must know every component whole.
void compare_tiles(Rig& rig, const std::string& assets, const Made& m, const std::string& name, i32 tile, i32 halo, int every,
                   Windows& seen, bool boundless = false) {
  engine::Resources resources;
  for (const std::string id : kRecipes) {
    engine::Params params = params_of(assets, id, m.view());
    if (boundless) {
      if (id != "he-nuclei") continue;
      params.set("split.wholeArea", 1e8);
      params.set("objects.maxArea", 1e8);
    }
    const i32 around = halo > 0 ? halo : engine::halo_px(id, params);
    int turn = 0;
    for (i32 y = 0; y < m.extent.height; y += tile) {
      for (i32 x = 0; x < m.extent.width; x += tile) {
        if (turn++ % every != 0) continue;
        engine::WindowJob job = tile_job(m, id, params, x, y, tile, around);
        job.want_planes = turn % 3 == 0;
        rig.judge("engine: windows", name + ", " + id + ", tile at " + std::to_string(x) + "," + std::to_string(y), [&] {
          const engine::WindowDone want = engine::run_window(job, resources, nullptr);
          engine::WindowJob elsewhere = job;
          // Now and then several, of which each window takes one.
          elsewhere.devices = {{true, 0}};
          if (turn % 5 == 0) elsewhere.devices.push_back({});
          const engine::WindowDone got = engine::run_window(elsewhere, resources, nullptr);
          ++seen.all;
          seen.certified += want.growth.windows == 0;
          seen.grown += want.growth.windows > 0;
          seen.limited += !want.output.trust.certified;
          seen.whole += got.growth.followed_whole;
          if (!want.output.trust.known) return std::string("whether the CPU knows what is certain");
          if (got.growth.windows != want.growth.windows || got.growth.pixels != want.growth.pixels)
            return "how windows grow (" + std::to_string(got.growth.windows) + " and " + std::to_string(want.growth.windows) +
                   ")";
          const std::string differs = certainty_difference(got.output.trust, want.output.trust);
          return differs.empty() ? window_difference(got.output, want.output) : differs;
        });
      }
    }
  }
}

Made nuclei_and_spindles(i32 width, i32 height, i32 tile) {
  Scene scene(width, height, 3);
  scene.field(24);
  scene.spindles(width * height / 7000);
  for (i32 y = tile; y < height; y += tile)
    for (i32 x = tile; x < width; x += tile) scene.ellipse(x, y, 9, 6, 0.4);  // on the corners of tiles
  return made(scene);
}

/// Bars of 10 to 5000 px, a fold, and a frame around a hole.
Made long_objects() {
  Scene scene(5120, 330, 5);
  scene.field(40);
  i32 x = 20;
  for (i32 length = 10; length <= 1280; x += length + 30, length *= 2) scene.box(x, 30, x + length, 36);
  scene.box(40, 60, 5040, 66);
  scene.box(700, 120, 1900, 290);
  scene.box(2500, 110, 3700, 114), scene.box(2500, 300, 3700, 304);
  scene.box(2500, 110, 2504, 304), scene.box(3696, 110, 3700, 304);
  return made(scene);
}

/// A net that no window may grow to hold: one component, of which none can tell whether it is an ellipse.
Made larger_than_windows() {
  Scene scene(3400, 2600, 8);
  scene.field(60);
  for (i32 y = 200; y < 2600; y += 1100) scene.box(20, y, 3380, y + 8);
  scene.box(1724, 200, 1732, 2408);
  return made(scene);
}

}  // namespace

void compare_windows(Rig& rig, const std::string& assets, bool reduced) {
  Windows seen;
  if (reduced) {
    compare_tiles(rig, assets, nuclei_and_spindles(190, 150, 90), "nuclei", 90, 20, 3, seen);
  } else {
    compare_tiles(rig, assets, nuclei_and_spindles(1150, 900, 256), "nuclei", 256, 0, 1, seen);
    compare_tiles(rig, assets, nuclei_and_spindles(1150, 900, 256), "nuclei", 256, 40, 2, seen);
    compare_tiles(rig, assets, nuclei_and_spindles(1150, 900, 256), "nuclei", 1000, 0, 1, seen);
    compare_tiles(rig, assets, long_objects(), "long objects", 1000, 0, 1, seen);
    compare_tiles(rig, assets, larger_than_windows(), "larger than windows", 1000, 0, 2, seen, true);
  }
  if (seen.all > 0)
    std::printf("windows: %d, certain at once %d, grown %d, at the limit %d, followed with whole planes %d\n", seen.all,
                seen.certified, seen.grown, seen.limited, seen.whole);
  rig.judge("engine: windows", "what became of them", [&]() -> std::string {
    if (seen.all == 0) return "";  // others' share
    if (seen.grown == 0) return "that none grew";
    return !reduced && rig.shares == 1 && rig.every == 1 && (seen.certified == 0 || seen.limited == 0)
               ? "that none was certain, or none uncertain to the end"
               : "";
  });
}

}  // namespace morpho::test
