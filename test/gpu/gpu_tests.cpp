// Compares every GPU operation with the CPU's, bit by bit.
//   gpu_tests [--fixtures test/fixtures] [--assets assets] [--reduced] [--only label] [--large 4096] [--tile tile.npy]
// [--seconds 60]
//             [--every 8] [--share 3/16] [--smoke] [--kernels] | --lost 700
// --every: of each operation's comparisons only every 8th; --share: of those the fourth of 16 parts, for processes side by
// side. --seconds: a comparison that takes longer ends the program, naming it, with exit code 3 (0: never). --smoke: the least
// that launches every kernel; what `npm test` runs in emulation. --kernels (in emulation): names every kernel that no
// comparison has launched. --lost: see lose_gpu(). Without a GPU it names why and passes: there is nothing to compare.
#include "../bench/options.hpp"
#include "cases.hpp"
#include "faults.hpp"

using namespace morpho;
using namespace morpho::test;

namespace {

struct Options {
  std::string fixtures = "test/fixtures", assets = "assets", only, tile;
  bool reduced = false, smoke = false, kernels = false;
  int lost = 0;
  i32 large = 4096;
  int seconds = 0, every = 1, share = 0, shares = 1;
};

void compare_size(Rig& rig, Extent e, u64 seed, bool thorough) {
  const std::string size = size_text(e) + " ";
  const Picture rgb = color_picture(e, seed + 5);
  for (TestImage& b : binary_pictures(e, seed)) {
    b.name = size + b.name;
    compare_objects(rig, b);
    compare_measure(rig, b, rgb);
  }
  compare_values(rig, {size + "u16", values(PixelType::u16, e, seed)});
  compare_values(rig, {size + "i32", values(PixelType::i32, e, seed)});
  for (TestImage& g : grey_pictures(e, seed)) {
    g.name = size + g.name;
    compare_local(rig, g, thorough);
    compare_geodesic(rig, g, thorough);
    const TestImage wide{g.name + " u16", as_type(g.picture, PixelType::u16, 250)};
    compare_local(rig, wide, thorough);
    compare_geodesic(rig, wide, false);
    const TestImage full{g.name + " i32", as_type(g.picture, PixelType::i32, 16700000)};
    compare_pointwise(rig, g, blobs(e, seed + 9));
    compare_pointwise(rig, wide, as_type(blobs(e, seed + 9), PixelType::u16, 255));
    compare_pointwise(rig, full, as_type(blobs(e, seed + 9), PixelType::i32, -8400000));
  }
  compare_colors(rig, {size + "rgb", rgb});
}

void compare_fixtures(Rig& rig, const std::string& folder) {
  for (const TestImage& f : fixtures(folder + "/oracle")) {
    const Extent e = f.picture.extent;
    if (f.picture.type == PixelType::i32 && f.name.find("rgb") != std::string::npos) {
      compare_colors(rig, f);
      const TestImage grey{f.name + " luminance", luminance(f.picture)};
      compare_local(rig, grey, true);
      compare_geodesic(rig, grey, true);
      const TestImage binary{f.name + " binary", binary_of(grey.picture, 110)};
      compare_objects(rig, binary);
      compare_measure(rig, binary, f.picture);
      continue;
    }
    if (f.picture.type != PixelType::u8) compare_values(rig, f);
    if (f.picture.type == PixelType::i32) continue;
    if (f.picture.type == PixelType::u8) {
      compare_objects(rig, f);
      compare_measure(rig, f, color_picture(e, 3));
    }
    compare_local(rig, f, false);
    compare_geodesic(rig, f, false);
  }
}

/// 4096² of real tissue, once for each operation, and the same 20 times for those whose threads meet.
void compare_large(Rig& rig, const Options& o) {
  const std::string path = o.tile.empty() ? o.fixtures + "/oracle/tile_cmu.npy" : o.tile;
  const testing_npy::Array a = testing_npy::read(path);
  const std::vector<i32> v = a.as<i32>();
  const Extent tile{static_cast<i32>(a.shape[1]), static_cast<i32>(a.shape[0])}, e{o.large, o.large};
  const Picture rgb = mirrored(
      make(PixelType::i32, tile,
           [&](i32 x, i32 y) {
             const i32*
                 c = &v[(static_cast<std::size_t>(y) * static_cast<std::size_t>(tile.width) + static_cast<std::size_t>(x)) * 3];
             return static_cast<i32>(static_cast<std::uint32_t>(c[0] | c[1] << 8 | c[2] << 16 | 255u << 24));
           }),
      e);
  const std::string name = size_text(e) + " tissue";
  const Picture grey = luminance(rgb), binary = binary_of(grey, 110);
  const Op label8 = [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra& extra) {
    add(extra, t.label(ctx, in[0], out[0], {Connectivity::eight}));
  };
  const Op label4 = [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra& extra) {
    add(extra, t.label(ctx, in[0], out[0], {Connectivity::four}));
  };
  const Op reconstruct = [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
    t.reconstruct(ctx, in[0], in[1], out[0], {});
  };
  const Op watershed = [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra& extra) {
    add(extra, t.watershed(ctx, in[0], ConstPlane(), ConstPlane(), out[0], {}));
  };
  const Op tree = [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
    t.max_tree(ctx, in[0], out[0], out[1], {});
  };
  const Picture wide(PixelType::i32, e),
      lower = make(PixelType::u8, e, [&](i32 x, i32 y) { return std::max(0, grey.get(x, y) - 40); });
  const OpTable& gpu = rig.gpu_table();
  rig.repeats = 20;
  if (gpu.label) rig.compare("20 times: label", name + " c8", {binary}, {wide}, label8);
  if (gpu.label) rig.compare("20 times: label", name + " c4", {binary}, {wide}, label4);
  if (gpu.label) rig.compare("20 times: label of values", name, {as_type(grey, PixelType::u16, 0)}, {wide}, label8);
  if (gpu.distance)
    rig.compare("20 times: distance", name, {binary}, {wide},
                [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) { t.distance(ctx, in[0], out[0], {}); });
  if (gpu.area_filter)
    rig.compare("20 times: area_filter", name, {binary}, {Picture(PixelType::u8, e)},
                [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                  t.area_filter(ctx, in[0], out[0], {Connectivity::four, 30, 1000});
                });
  if (gpu.reconstruct) rig.compare("20 times: reconstruct", name, {lower, grey}, {Picture(PixelType::u8, e)}, reconstruct);
  if (gpu.watershed) rig.compare("20 times: watershed", name, {grey}, {wide}, watershed);
  if (gpu.max_tree) rig.compare("20 times: max_tree", name, {grey}, {wide, wide}, tree);
  rig.repeats = 5;
  const auto exact = [](const OpTable& t, auto variant) {
    return std::string(t.device) == "cpu" ? decltype(variant)::automatic : variant;
  };
  if (gpu.distance)
    rig.compare("5 times: papers' distance", name, {binary}, {wide},
                [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                  t.distance(ctx, in[0], out[0], {1, 1, exact(t, DistanceVariant::danielsson)});
                });
  for (const ReconstructVariant v :
       {ReconstructVariant::raster_sweeps, ReconstructVariant::fast_hybrid, ReconstructVariant::naive_queue,
        ReconstructVariant::prefix_queue, ReconstructVariant::parallel_heap}) {
    if (gpu.reconstruct)
      rig.compare("5 times: papers' reconstruct", name + " variant " + std::to_string(static_cast<int>(v)), {lower, grey},
                  {Picture(PixelType::u8, e)}, [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                    t.reconstruct(ctx, in[0], in[1], out[0], {By::dilation, Connectivity::eight, exact(t, v)});
                  });
  }
  for (const Connectivity c : kBoth) {
    for (const WatershedVariant v : {WatershedVariant::drop_of_water, WatershedVariant::cellular_automaton}) {
      if (gpu.watershed)
        rig.compare("5 times: papers' watershed", name + c_text(c) + " variant " + std::to_string(static_cast<int>(v)), {grey},
                    {wide}, [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra& extra) {
                      add(extra, t.watershed(ctx, in[0], ConstPlane(), ConstPlane(), out[0], {c, false, exact(t, v)}));
                    });
    }
    for (const MaxTreeVariant v : {MaxTreeVariant::column_union_find, MaxTreeVariant::border_trees}) {
      if (gpu.max_tree)
        rig.compare("5 times: papers' max_tree", name + c_text(c) + " variant " + std::to_string(static_cast<int>(v)), {grey},
                    {wide, wide}, [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                      t.max_tree(ctx, in[0], out[0], out[1], {c, false, exact(t, v)});
                    });
    }
  }
  for (const Connectivity c : kBoth) {
    compare_sums(rig, "5 times: max_tree_sums", {name, grey}, c, false, false);
    for (const i32 area : {100, 10000}) {
      if (gpu.area_open)
        rig.compare(
            "5 times: area_open", name + c_text(c), {grey}, {Picture(PixelType::u8, e)},
            [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) { t.area_open(ctx, in[0], out[0], {area, c}); });
    }
  }
  rig.repeats = 3;
  compare_measure(rig, {name, binary}, rgb);
  rig.repeats = 1;
  for (const Shape s : {Shape::disk, Shape::square}) {
    if (gpu.morphology)
      rig.compare("morphology", name, {grey}, {Picture(PixelType::u8, e)},
                  [=](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) {
                    t.morphology(ctx, in[0], out[0], {Morphology::open, s, 10});
                  });
  }
  if (gpu.gaussian)
    rig.compare("gaussian", name, {grey}, {Picture(PixelType::u8, e)},
                [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) { t.gaussian(ctx, in[0], out[0], {2}); });
  if (gpu.box_mean)
    rig.compare("box_mean", name, {grey}, {Picture(PixelType::u8, e)},
                [](const OpTable& t, Context& ctx, auto& in, auto& out, Extra&) { t.box_mean(ctx, in[0], out[0], {100}); });
  compare_colors(rig, {name, rgb});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  try {
    bench::OptionTable()
        .text("--fixtures", o.fixtures)
        .text("--assets", o.assets)
        .toggle("--reduced", o.reduced)
        .text("--only", o.only)
        .text("--tile", o.tile)
        .number("--large", 0, 46340, o.large)
        .number("--seconds", 0, 1000000, o.seconds)
        .number("--every", 1, 1000000, o.every)
        .other("--share",
               [&o](const std::string& value) {
                 if (std::sscanf(value.c_str(), "%d/%d", &o.share, &o.shares) != 2 || o.shares < 1)
                   reject("--share", "a part of so many, e.g. 3/16", value);
               })
        .toggle("--smoke", o.smoke)
        .toggle("--kernels", o.kernels)
        .number("--lost", 1, 9999, o.lost)
        .read({argv + 1, argv + argc});
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  if (o.smoke) o.reduced = true, o.every = std::max(o.every, 60);
  const gpu::DeviceList list = gpu::list_devices();
  if (list.devices.empty()) {
    std::printf("skipped, 0 devices: %s\n", list.reason.c_str());
    return 0;
  }
  try {
    if (o.lost != 0) return lose_gpu(o.lost, o.assets);
    gpu::Device device;
    std::printf("%s, %d multiprocessors, compute capability %d.%d\n", device.info().name.c_str(), device.info().multiprocessors,
                device.info().compute_major, device.info().compute_minor);
    Rig rig(cpu::table(), gpu::table(), device, o.reduced ? std::size_t{64} << 20 : std::size_t{2} << 30, o.seconds);
    rig.only = o.only;
    rig.every = o.every, rig.share = o.share, rig.shares = o.shares;
    const bool emulated = device.info().name.find("emulation") != std::string::npos;
    if (o.reduced) {
      compare_size(rig, {70, 45}, 1, false);
      compare_size(rig, {1, 33}, 2, false);
      compare_size(rig, {300, 67}, 3, false);
      compare_worst_geodesic(rig, 130);
      compare_deep_trees(rig, {300, 200});
      if (o.smoke) rig.every = 1;
      compare_engine(rig, o.assets, {70, 62});
      compare_windows(rig, o.assets, true);
      compare_regions(rig, {90, 75}, false);
      // Not in emulation: what it takes there was never measured. On GPUs it runs.
      if (!emulated) compare_grounds(rig, o.assets, {250, 190}, false);
    } else {
      const Extent sizes[] = {{0, 0},   {0, 5},   {5, 0},   {1, 1},   {1, 9},     {9, 1},    {2, 3},    {33, 17},
                              {65, 40}, {150, 7}, {6, 130}, {64, 64}, {257, 130}, {1, 3000}, {3000, 1}, {700, 523}};
      u64 seed = 11;
      for (const Extent e : sizes) compare_size(rig, e, seed += 7, e.area() < 40000);
      compare_fixtures(rig, o.fixtures);
      compare_worst_geodesic(rig, 1024);
      compare_deep_trees(rig, {700, 523});
      compare_deep_trees(rig, {2000, 1501});
      compare_engine(rig, o.assets, {70, 62});
      compare_engine(rig, o.assets, {700, 523});
      compare_windows(rig, o.assets, emulated);
      compare_regions(rig, {131, 120}, !emulated);
      if (!emulated) compare_grounds(rig, o.assets, {2300, 1900}, true);
      if (!emulated) compare_callers(rig, o.assets, 20);
      if (o.large > 0) compare_large(rig, o);
    }
    // compute-sanitizer, which sees only some comparisons, would take each refused call for a fault.
    if (rig.every == 1) {
      compare_limits(rig);
      compare_faults(rig, o.assets, argv[0]);
    }
    const int failed = rig.report();
    if (o.kernels) {
      const std::vector<std::string> idle = faults::kernels_never_run();
      for (const std::string& kernel : idle) std::printf("NOT LAUNCHED %s\n", kernel.c_str());
      std::printf("%zu of %zu kernels launched\n", faults::kernel_count() - idle.size(), faults::kernel_count());
    }
    std::printf("%s\n", failed ? "FAILED" : "all equal to the CPU, bit by bit");
    return failed ? 1 : 0;
  } catch (const Error& e) {
    std::printf("FAILED: %s: %s [%s]\n", code_name(e.code()), e.what(), e.detail().c_str());
    return 1;
  }
}
