// The engine on a GPU: operations by name with every variant that the GPU has, and whole recipes, against the same on the CPU.
#include <algorithm>
#include "../native/support/recipe_defaults.hpp"
#include "../native/support/same_output.hpp"
#include "cases.hpp"
#include "engine/device/devices.hpp"
#include "engine/operation/op_call.hpp"

namespace morpho::test {

namespace {

engine::OwnedImage owned(const std::string& name, const Picture& p, i32 channels) {
  return {name, channels == 4 ? PixelType::u8 : p.type, channels, p.extent, p.bytes};
}

/// Blobs as the slot's type, or colours.
engine::OwnedImage input_of(const engine::OpSlot& s, PixelType type, Extent e, u64 seed) {
  if (s.channels == 4) return owned(s.name, color_picture(e, seed), 4);
  const Picture grey = blobs(e, seed);
  const PixelType t = std::find(s.types.begin(), s.types.end(), type) != s.types.end() ? type : s.types[0];
  const bool sparse = s.name == "mask" && s.types.size() == 1;
  if (sparse) return owned(s.name, binary_of(grey, 100), 1);
  // Labels to grow: few, and never negative.
  if (s.name == "markers")
    return owned(s.name, make(t, e, [&](i32 x, i32 y) { return grey.get(x, y) > 190 ? 1 + grey.get(x, y) % 7 : 0; }), 1);
  if (s.types.size() == 1 && s.types[0] == PixelType::u8) return owned(s.name, binary_of(grey, 120), 1);
  return owned(
      s.name,
      make(t, e, [&](i32 x, i32 y) { return grey.get(x, y) * (t == PixelType::u8    ? 1
                                                              : t == PixelType::u16 ? 250
                                                                                    : 70000); }),
      1);
}

std::string difference(const engine::OpResult& got, const engine::OpResult& want) {
  if (got.outputs.size() != want.outputs.size()) return "the number of outputs";
  for (std::size_t i = 0; i < got.outputs.size(); ++i) {
    if (got.outputs[i].bytes != want.outputs[i].bytes) return "output " + got.outputs[i].name;
  }
  return got.scalars != want.scalars ? "the scalars" : "";
}

void compare_op(Rig& rig, engine::OpenGpus& gpus, const engine::OpInfo& info, PixelType type, Extent e) {
  std::vector<engine::OwnedImage> inputs;
  u64 seed = 3;
  for (const engine::OpSlot& s : info.inputs) inputs.push_back(input_of(s, type, e, seed += 7));
  std::vector<std::string> variants = {""};
  for (const engine::OpParam& p : info.params) {
    if (p.name != "variant") continue;
    for (const std::string& c : p.choices) {
      if (std::find(p.not_on_gpu.begin(), p.not_on_gpu.end(), c) == p.not_on_gpu.end()) variants.push_back(c);
    }
  }
  for (const std::string& variant : variants) {
    engine::Params params;
    for (const engine::OpParam& p : info.params) {
      if (p.required) params.set(p.name, p.fallback);
    }
    Workspace w;
    Context ctx{w, 1, nullptr, nullptr};
    const engine::OpResult want = engine::op_call(cpu::table(), ctx, info.name, inputs, params);
    if (!variant.empty()) params.set("variant", variant);
    rig.judge("engine: " + info.name, std::string(pixel_type_name(type)) + " " + size_text(e) + " " + variant, [&] {
      engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
      engine::GpuBackend backend(*gpu, nullptr);
      return difference(engine::op_call(backend, info.name, inputs, params), want);
    });
  }
}

/// changes: as recipe_params has them; none: how often the host waits is held against what is known of the defaults.
void compare_recipe(Rig& rig, engine::OpenGpus& gpus, const std::string& assets, const std::string& id, Extent e,
                    const std::vector<std::string>& changes = {}, int bits = 8) {
  const std::string title = id + (changes.empty() ? "" : " " + changes.front() + " …") + (bits > 8 ? " at 16 bits " : " ") +
                            size_text(e);
  Picture copy = nuclei_picture(e, id == "fluorescence-nuclei");
  const View<const Rgba> view = colors(copy.plane());
  engine::Params params = recipe_params(assets + "/recipes/" + id + ".json", 0.5, changes);
  Picture samples = make(PixelType::u16, e, [&](i32 x, i32 y) { return 251 * view.at(x, y).b + (x * 7 + y * 13) % 250; }, 3);
  engine::WindowPixels input{view};
  if (bits > 8) {
    input.deep = samples.plane().view<u16>();
    params.set(engine::kPixelDepth, static_cast<double>(bits));
  }
  Workspace w;
  Context ctx{w, 1, nullptr, nullptr};
  const engine::Params level = engine::overview(cpu::table(), ctx, id, params, view, input.deep);
  for (const auto& [name, value] : level.all()) params.set(name, value);
  const engine::WindowJob job = job_alone(id, params, e, {4, 4, e.width - 8, e.height - 8}, true);
  const engine::WindowOutput want = engine::run(cpu::table(), ctx, job, input);
  rig.judge("engine: recipes", title, [&]() -> std::string {
    engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
    engine::GpuBackend backend(*gpu, nullptr);
    const engine::WindowOutput got = engine::run(backend, job, input);
    if (want.objects.objects.empty()) return "nothing was found at all";
    // cuda/runtime/README.md says for what the host waits inside a stage: counts of labels; measure's runs, objects, results.
    for (const engine::StageTiming& t : got.timings) {
      const int waits = t.stage == "split" || t.stage == "measure" ? 3 : t.stage == "objects" ? 1 : 0;
      if (id == "he-nuclei" && changes.empty() && t.waits != waits)
        return "how often the host waits in " + t.stage + " (" + std::to_string(t.waits) + ")";
      if (t.ms < 0) return "the sign of the time of " + t.stage;
      for (const Work& w : t.work) {
        // Every tile is visited once, or the queue was not read.
        const bool counted = w.variant.find("queue of tiles") != std::string::npos;
        if (w.calls < 1 || (counted && w.queued < w.calls)) return "what " + std::string(w.op) + " of " + t.stage + " did";
      }
    }
    const auto counts = [](const engine::StageTiming& t) { return !t.work.empty(); };
    if (std::none_of(got.timings.begin(), got.timings.end(), counts)) return "that no operation says what it did";
    return window_difference(got, want);
  });
  if (bits > 8) return;
  // As run_window has it: the upload is read by the GPU while the host goes on.
  rig.judge("engine: recipes", title + " from pinned memory", [&]() -> std::string {
    engine::PinnedPool pool;
    const std::size_t n = static_cast<std::size_t>(e.area());
    const engine::PinnedPool::Lease pinned(pool, 0, n * sizeof(Rgba));
    if (!pinned.data()) return "there is no pinned memory";
    const View<Rgba> pixels(static_cast<Rgba*>(pinned.data()), e);
    for (i32 y = 0; y < e.height; ++y) std::copy_n(view.row(y), e.width, pixels.row(y));
    engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
    engine::GpuBackend backend(*gpu, nullptr);
    return window_difference(engine::run(backend, job, {pixels}), want);
  });
}

/// Copies that go through pinned memory and others, with pitches and a rest: up, and down again to other pitches.
void compare_transfers(Rig& rig) {
  gpu::Device device;
  Random r{5};
  std::vector<u8> from(std::size_t{21} << 20), to(from.size());
  for (u8& v : from) v = static_cast<u8>(r.next());
  void* d_data = device.allocate(from.size());
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1000}, (std::size_t{4} << 20) - 1, std::size_t{4} << 20, (std::size_t{19} << 20) + 777}) {
    rig.judge("engine: transfers", std::to_string(bytes), [&]() -> std::string {
      std::fill(to.begin(), to.end(), u8{0});
      device.upload(d_data, from.data() + 1, bytes);
      device.download(to.data() + 3, d_data, bytes);
      const bool same = std::equal(from.begin() + 1, from.begin() + 1 + static_cast<std::ptrdiff_t>(bytes), to.begin() + 3);
      return same && to[2] == 0 && to[bytes + 3] == 0 ? "" : "what came back";
    });
  }
  rig.judge("engine: transfers", "from pinned memory", [&]() -> std::string {
    constexpr std::size_t bytes = std::size_t{9} << 20, row = 4000, pitch = 4100, rows = bytes / pitch;
    if (gpu::allocate_pinned(999, 64)) return "memory of a GPU that is not there";
    engine::PinnedPool pool;
    const void* first = nullptr;
    for (int round = 0; round < 2; ++round) {
      const engine::PinnedPool::Lease pinned(pool, 0, bytes - static_cast<std::size_t>(round));
      u8* const p = static_cast<u8*>(pinned.data());
      if (!p || (first && first != p) || pool.held_bytes() != 0) return "what the pool gave";
      first = p;
      std::copy_n(from.begin() + round, bytes - 1, p);
      device.upload(d_data, p + 1, bytes - 2);
      device.download(to.data(), d_data, bytes - 2);
      if (!std::equal(to.begin(), to.begin() + bytes - 2, from.begin() + round + 1)) return "what came back";
      device.upload_rows(d_data, row, p, pitch, row, rows);
      device.download(to.data(), d_data, row * rows);
      for (std::size_t y = 0; y < rows; ++y)
        if (!std::equal(p + y * pitch, p + y * pitch + row, to.data() + y * row)) return "row " + std::to_string(y);
    }
    if (pool.held_bytes() != bytes) return "what the pool holds";
    pool.trim();
    return pool.held_bytes() == 0 ? "" : "what the pool holds after a trim";
  });
  struct Pitches {
    std::size_t row, rows, host, device, back;
  };
  for (const Pitches& p : {Pitches{4096, 5000, 4096, 4096, 4096},
                           {4001, 5000, 4100, 4001, 4001},
                           {4001, 5000, 4001, 4096, 4200},
                           {3000000, 6, 3000001, 3000000, 3000000},
                           {7, 90, 8, 16, 9}}) {
    rig.judge("engine: transfers", std::to_string(p.rows) + " rows of " + std::to_string(p.row), [&]() -> std::string {
      std::fill(to.begin(), to.end(), u8{0});
      device.upload_rows(d_data, p.device, from.data(), p.host, p.row, p.rows);
      device.download_rows(to.data(), p.back, d_data, p.device, p.row, p.rows);
      for (std::size_t y = 0; y < p.rows; ++y) {
        const auto line = from.begin() + static_cast<std::ptrdiff_t>(y * p.host),
                   back = to.begin() + static_cast<std::ptrdiff_t>(y * p.back);
        if (!std::equal(line, line + static_cast<std::ptrdiff_t>(p.row), back)) return "row " + std::to_string(y);
        for (std::size_t x = p.row; x < p.back; ++x) {
          if (back[static_cast<std::ptrdiff_t>(x)] != 0) return "a gap";
        }
      }
      return "";
    });
  }
  device.release(d_data);
}

}  // namespace

Picture nuclei_picture(Extent e, bool shines) {
  Random r{5};
  const std::uint32_t turned = shines ? 0xffffff : 0;
  return make(PixelType::i32, e, [&](i32 x, i32 y) {
    const i32 dx = x % 34 - 17, dy = y % 30 - 15, radius = 7 + (x / 34 + y / 30) % 4, n = static_cast<i32>(r.next() % 9);
    const bool in = dx * dx + dy * dy <= radius * radius;
    return static_cast<i32>(turned ^ static_cast<std::uint32_t>(((in ? 80 : 228) + n) | ((in ? 58 : 186) + n) << 8 |
                                                                ((in ? 128 : 211) + n) << 16 | 255u << 24));
  });
}

void compare_engine(Rig& rig, const std::string& assets, Extent e) {
  compare_transfers(rig);
  engine::OpenGpus gpus;
  for (const engine::OpInfo& info : engine::op_list()) {
    for (const PixelType type : info.inputs[0].types) compare_op(rig, gpus, info, type, e);
  }
  for (const char* id : {"he-nuclei", "ihc-nuclei", "fluorescence-nuclei", "iwpp-nuclei", "max-tree-nuclei", "cell-detection"})
    compare_recipe(rig, gpus, assets, id, e);
  compare_recipe(rig, gpus, assets, "fluorescence-nuclei", e, {}, 16);
  compare_recipe(
      rig, gpus, assets, "he-nuclei", e,
      {"reject.pigment=true", "reject.redCells=true", "reject.mucin=true", "reject.keratin=true", "reject.folds=true"});
}

}  // namespace morpho::test
