// Operations on regions: tiles of several sizes on a GPU, on several callers of it, and on GPU and CPU together must give what
// one call on the CPU gives for the whole image.
#include "cases.hpp"
#include "engine/operation/op_call.hpp"
#include "engine/region/region_call.hpp"

namespace morpho::test {

namespace {

namespace region = engine::region;

engine::OwnedImage owned(const std::string& slot, const Picture& p) {
  engine::OwnedImage image;
  image.name = slot;
  image.type = p.type;
  image.extent = p.extent;
  image.bytes = p.bytes;
  return image;
}

/// Values for what an operation must be given.
engine::Params params_of(const engine::OpInfo& info) {
  engine::Params params;
  for (const engine::OpParam& p : info.params) {
    if (p.required) params.set(p.name, p.name == "at-least" ? 1.3 : p.name == "area" ? 30.0 : std::max(p.low, 3.0));
    if (p.name == "attribute") params.set(p.name, std::string("elongation"));
  }
  return params;
}

struct Way {
  const char* name;
  std::vector<engine::DeviceName> devices;
  int workers, threads;
  i64 tile;
  region::TileOrder order = region::TileOrder::fcfs;
};

void compare_call(Rig& rig, engine::Resources& resources, const engine::OpInfo& info,
                  const std::vector<engine::OwnedImage>& inputs, const std::string& picture, const Way& way) {
  rig.judge("region: " + info.name, picture + ", " + way.name + ", tile " + std::to_string(way.tile), [&]() -> std::string {
    Workspace w;
    Context ctx{w, 1, nullptr, nullptr, nullptr};
    const engine::OpResult want = engine::op_call(cpu::table(), ctx, info.name, inputs, params_of(info));
    const engine::OwnedImage& out = want.outputs.front();
    std::vector<u8> got(out.bytes.size(), 99);
    std::vector<region::MemoryRaster> rasters;
    rasters.reserve(inputs.size() + 1);
    region::RegionCall call;
    call.name = info.name;
    for (const engine::OwnedImage& in : inputs) {
      rasters.emplace_back(in.type, in.extent.width, in.extent.height, const_cast<u8*>(in.bytes.data()));
      call.inputs.emplace_back(in.name, &rasters.back());
    }
    rasters.emplace_back(out.type, out.extent.width, out.extent.height, got.data());
    call.output = {out.name, &rasters.back()};
    call.params = params_of(info);
    call.tile = way.tile;
    call.scratch_folder = "/tmp";
    call.workers.devices = way.devices;
    call.workers.workers_per_gpu = way.workers;
    call.workers.threads = way.threads;
    call.workers.order = way.order;
    const region::RegionResult result = region::region_call(resources, call);
    if (!result.notes.empty()) return result.notes.front();
    if (result.scalars != want.scalars) return "a scalar";
    return got == out.bytes ? "" : "the image";
  });
}

}  // namespace

void compare_regions(Rig& rig, Extent e, bool several) {
  engine::Resources resources;
  engine::DeviceName gpu, cpu;
  gpu.gpu = true;
  std::vector<Way> ways = {{"gpu0", {gpu}, 1, 1, 37}, {"gpu0", {gpu}, 1, 1, 1000}};
  if (several) {
    ways.push_back({"gpu0 by six", {gpu}, 6, 2, 64});
    ways.push_back({"gpu0 and cpu", {gpu, cpu}, 3, 3, 50, region::TileOrder::suited});
    ways.push_back({"gpu0 twice and cpu", {gpu, gpu, cpu}, 2, 2, 33});
  }
  std::vector<TestImage> pictures = binary_pictures(e, 5);
  for (TestImage& n : grey_pictures(e, 6)) pictures.push_back(std::move(n));
  for (const engine::OpInfo& info : engine::op_list()) {
    const auto& names = region::region_op_names();
    if (std::find(names.begin(), names.end(), info.name) == names.end()) continue;
    // In emulation a tile's tree takes a fifth of a second, however small the tile: "nearly all" and the noise of 256 levels
    // do.
    const bool few = !several && (info.name == "area-open" || info.name == "area-close" || info.name == "attribute-filter");
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      if (few && i % 8 != 4) continue;
      const TestImage& n = pictures[i];
      std::vector<engine::OwnedImage> inputs;
      for (const engine::OpSlot& s : info.inputs) {
        if (s.optional) continue;
        Picture p = n.picture;
        // A marker: few of the mask's pixels.
        if (s.name == "marker")
          p = make(p.type, e, [&](i32 x, i32 y) { return (x * 31 + y * 17) % 97 == 0 ? n.picture.get(x, y) : 0; });
        inputs.push_back(owned(s.name, p));
      }
      // In emulation one operation that wakes tiles does for the order of tiles between a GPU and a core.
      if (!several && info.name == "reconstruct")
        compare_call(rig, resources, info, inputs, n.name + " " + size_text(e),
                     {"gpu0 and cpu", {gpu, cpu}, 1, 1, 20, region::TileOrder::suited});
      for (const Way& way : ways) compare_call(rig, resources, info, inputs, n.name + " " + size_text(e), way);
    }
  }
}

}  // namespace morpho::test
