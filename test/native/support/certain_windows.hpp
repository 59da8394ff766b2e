// Windows cut out of images at random, and whether what each calls certain is what the whole image has.
#pragma once
#include "cut_scene.hpp"
#include "engine/window/interpreter.hpp"
#include "oracle.hpp"

namespace morpho::test {

/// Objects with pixels in the core, none of which is uncertain; coordinates of the image.
inline std::set<std::string> certain_objects(const ObjectSet& set, i32 dx, i32 dy, const Rect& core,
                                             const std::set<std::pair<i32, i32>>& uncertain) {
  std::set<std::string> objects;
  for (std::size_t o = 0; o < set.objects.size(); ++o) {
    bool in_core = false, doubtful = false;
    for (i64 r = set.run_offsets[o]; r < set.run_offsets[o + 1]; ++r) {
      const morpho::Run& run = set.runs[static_cast<std::size_t>(r)];
      const i32 y = run.y + dy;
      for (i32 x = run.x0 + dx; x < run.x1 + dx; ++x) {
        if (x < core.x || y < core.y || x >= core.x + core.width || y >= core.y + core.height) continue;
        in_core = true;
        doubtful = doubtful || uncertain.count({x, y}) != 0;
      }
    }
    if (in_core && !doubtful) objects.insert(object_text(set, o, dx, dy));
  }
  return objects;
}

struct Share {
  i64 certain = 0, all = 0;
};
/// Windows anywhere, with any margins from `least` on: what each calls certain is what the whole image has.
inline void expect_certain_is_right(const engine::Program& program, View<const Rgba> all, int windows, i32 least, i32 most,
                                    std::mt19937& rng, Share& share, View<const u16> deep = {}) {
  Workspace w;
  Context ctx = context(w, 1);
  engine::CpuBackend backend(cpu::table(), ctx);
  const i32 width = all.width(), height = all.height();
  engine::WindowOutput whole;
  const auto held = std::make_shared<const engine::Program>(program);
  engine::WindowPixels pixels{all};
  pixels.deep = deep;
  engine::run_program(backend, held, engine::job_alone(nullptr, all.extent, {0, 0, width, height}), pixels, &whole);
  for (int k = 0; k < windows; ++k) {
    const auto margin = [&] {
      return static_cast<i32>(rng() % 6 == 0 ? 4096 : least + static_cast<i32>(rng() % static_cast<unsigned>(most - least)));
    };
    const Rect core{static_cast<i64>(rng() % static_cast<unsigned>(width / 2)),
                    static_cast<i64>(rng() % static_cast<unsigned>(height / 2)), width / 4, height / 4};
    const i32 cx = static_cast<i32>(core.x), cy = static_cast<i32>(core.y);
    const i32 x0 = std::max(0, cx - margin()), y0 = std::max(0, cy - margin());
    const i32 x1 = std::min(width, cx + width / 4 + margin()), y1 = std::min(height, cy + height / 4 + margin());
    SCOPED_TRACE("core at " + std::to_string(cx) + "," + std::to_string(cy) + ", window " + std::to_string(x0) + "," +
                 std::to_string(y0) + " to " + std::to_string(x1) + "," + std::to_string(y1));
    engine::WindowOutput part;
    const Extent e{x1 - x0, y1 - y0};
    engine::WindowJob job = engine::job_alone(nullptr, e, {core.x - x0, core.y - y0, core.width, core.height});
    job.x = x0, job.y = y0, job.image = all.extent;
    pixels.rgba = all.sub(x0, y0, e);
    if (deep.data) pixels.deep = deep.sub(x0, y0, e);
    engine::run_program(backend, held, job, pixels, &part);
    ASSERT_TRUE(part.trust.known);
    std::set<std::pair<i32, i32>> uncertain;
    for (const morpho::Run& r : part.trust.cut)
      for (i32 x = r.x0; x < r.x1; ++x) uncertain.emplace(x + x0, r.y + y0);
    EXPECT_EQ(part.trust.certain_pixels, core.width * core.height - static_cast<i64>(uncertain.size()));
    EXPECT_EQ(part.trust.certified, uncertain.empty());
    share.certain += part.trust.certain_pixels, share.all += core.width * core.height;
    EXPECT_EQ(certain_objects(part.objects, x0, y0, core, uncertain), certain_objects(whole.objects, 0, 0, core, uncertain));
  }
}

/// Grey noise with features of some px, between long winding components and specks.
inline Made noise_image(i32 w, i32 h, unsigned seed) {
  std::mt19937 rng(seed);
  Image<u8> rough(w, h), smooth(w, h);
  for (auto& v : rough.data) v = static_cast<u8>(rng());
  Workspace workspace;
  Context ctx = context(workspace, 1);
  cpu::table().gaussian(ctx, rough.plane(), smooth.plane(), {seed % 2 ? 1.2 : 2.0});
  Made m;
  m.extent = {w, h};
  for (const u8 v : smooth.pixels()) {
    const int stretched = std::clamp((static_cast<int>(v) - 128) * 4 + 128, 0, 255);
    const u8 grey = static_cast<u8>(255 - stretched);
    m.pixels.push_back({grey, grey, grey, 255});
  }
  return m;
}

}  // namespace morpho::test
