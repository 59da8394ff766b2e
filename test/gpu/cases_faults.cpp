// What happens where a GPU fails: no memory at any allocation, errors that lose it and errors that do not.
#include <array>
#include <cstdio>
#include <thread>

#include "../native/support/cut_scene.hpp"
#include "../native/support/recipe_defaults.hpp"
#include "../native/support/same_output.hpp"
#include "cases.hpp"
#include "engine/device/devices.hpp"
#include "engine/operation/op_call.hpp"
#include "faults.hpp"

namespace morpho::test {

namespace {

using faults::Call;
constexpr int kNoMemory = 2, kInvalidValue = 1, kIllegalAddress = 700;

/// What a call ends in: "", or its code and message.
std::string ending(const std::function<void()>& fn) {
  try {
    fn();
    return "";
  } catch (const Error& e) {
    return std::string(code_name(e.code())) + " " + e.what();
  }
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<engine::OwnedImage> inputs_of(const engine::OpInfo& info, Extent e) {
  std::vector<engine::OwnedImage> inputs;
  for (const engine::OpSlot& s : info.inputs) {
    const Picture p = s.channels == 4 ? color_picture(e, 5) : as_type(blobs(e, 3), s.types[0], 1);
    const bool labels = s.name == "markers" || s.name == "labels";
    const Picture used = labels ? make(s.types[0], e, [&](i32 x, i32 y) { return p.get(x, y) > 190 ? 1 + p.get(x, y) % 7 : 0; })
                                : p;
    inputs.push_back({s.name, s.channels == 4 ? PixelType::u8 : used.type, s.channels, e, used.bytes});
  }
  return inputs;
}

/// Runs `work` with one allocation after another failing. Every time it must say so, leave nothing behind, and do its work
/// afterwards.
template <class Work>
std::string each_failing(Work&& work) {
  faults::reset();
  const long before = faults::live();
  const std::string fine = ending(work);
  if (!fine.empty()) return "what it does with memory enough (" + fine + ")";
  const std::array<int, 3> counts{faults::calls(Call::allocate), faults::calls(Call::allocate_host), faults::calls(Call::make)};
  const std::array<Call, 3> kinds{Call::allocate, Call::allocate_host, Call::make};
  if (counts[0] == 0) return "that it allocates anything";
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (int nth = 1; nth <= counts[kind]; ++nth) {
      faults::reset();
      faults::fail(kinds[kind], nth, kNoMemory, true);
      const std::string end = ending(work);
      faults::reset();
      const std::string backend = " where allocation " + std::to_string(nth) + " of kind " + std::to_string(kind) + " failed";
      // Without pinned memory, or the events that go with it, the driver copies by itself.
      const bool may_do_without = kinds[kind] != Call::allocate && end.empty();
      if (!may_do_without && (kinds[kind] == Call::allocate_host || !says(end, "GPU_OUT_OF_MEMORY")))
        return "its ending (" + end + ")" + backend;
      if (faults::live() != before)
        return "what is left (" + std::to_string(faults::live() - before) + " blocks, streams and events)" + backend;
    }
  }
  const std::string again = ending(work);
  return again.empty() ? "" : "what it does with memory enough again (" + again + ")";
}

void compare_allocations(Rig& rig, const std::string& assets) {
  const Extent e{37, 29};
  for (const engine::OpInfo& info : engine::op_list()) {
    rig.judge("faults: no memory", info.name, [&] {
      const std::vector<engine::OwnedImage> inputs = inputs_of(info, e);
      engine::Params params;
      for (const engine::OpParam& p : info.params) {
        if (p.required) params.set(p.name, p.fallback);
      }
      return each_failing([&] {
        engine::OpenGpus gpus;
        engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
        engine::GpuBackend backend(*gpu, nullptr);
        engine::op_call(backend, info.name, inputs, params);
      });
    });
  }
  // One copy is large enough for pinned memory.
  rig.judge("faults: no memory", "transfers", [&] {
    std::vector<u8> bytes(std::size_t{5} << 20, u8{7});
    return each_failing([&] {
      gpu::Device device;
      void* d = device.allocate(bytes.size());
      struct Given {
        gpu::Device& device;
        void* d;
        ~Given() { device.release(d); }
      } given{device, d};
      device.upload(d, bytes.data(), bytes.size());
      device.download(bytes.data(), d, bytes.size());
    });
  });
  rig.judge("faults: no memory", "he-nuclei", [&] {
    const Extent small{70, 62};
    Picture copy = nuclei_picture(small);
    const View<const Rgba> view = colors(copy.plane());
    Workspace w;
    Context ctx{w, 1, nullptr, nullptr};
    const engine::Params params = with_overview(cpu::table(), ctx, "he-nuclei",
                                                recipe_params(assets + "/recipes/he-nuclei.json", 0.5), view);
    return each_failing([&] {
      engine::OpenGpus gpus;
      engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
      engine::GpuBackend backend(*gpu, nullptr);
      run_alone(backend, "he-nuclei", params, view, {4, 4, small.width - 8, small.height - 8});
    });
  });
}

/// The operation that the tests of errors call, with what a place returns for it.
engine::OpResult blur(engine::Backend& backend, Extent e) {
  const Picture p = blobs(e, 3);
  engine::Params params;
  params.set("sigma", 2.0);
  return engine::op_call(backend, "gaussian", {{"image", PixelType::u8, 1, e, p.bytes}}, params);
}

/// A GPU whose memory is full but for a little: refused, and what lies idle is given back first.
void compare_full(Rig& rig) {
  const Extent e{1200, 1000};
  rig.judge("faults: a full GPU", "refuses, and goes on when there is room", [&]() -> std::string {
    faults::set_memory_bytes(std::size_t{256} << 20);
    gpu::Device device;
    // In pieces: what is free is not all of it in one.
    std::vector<void*> hog;
    for (std::size_t piece = device.free_bytes(); piece >= std::size_t{1} << 20; piece /= 2) {
      while (ending([&] { hog.push_back(device.allocate(piece)); }).empty()) {}
    }
    const auto work = [&] {
      engine::OpenGpus gpus;
      engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
      engine::GpuBackend backend(*gpu, nullptr);
      blur(backend, {4 * e.width, 4 * e.height});
    };
    const std::string end = ending(work);
    for (void* piece : hog) device.release(piece);
    if (!says(end, "GPU_OUT_OF_MEMORY")) return "its ending (" + end + ")";
    const auto small = [&] {
      engine::OpenGpus gpus;
      engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
      engine::GpuBackend backend(*gpu, nullptr);
      blur(backend, {64, 64});
    };
    const std::string again = ending(small);
    faults::set_memory_bytes(std::size_t{8} << 30);
    return again.empty() ? "" : "its ending with room (" + again + ")";
  });
  if (!faults::possible()) return;
  rig.judge("faults: a full GPU", "closes idle ones before it refuses", [&]() -> std::string {
    const std::size_t before = faults::used_bytes();
    engine::OpenGpus gpus;
    {
      engine::OpenGpus::Lease one(gpus, 0, nullptr), two(gpus, 0, nullptr);
      for (engine::OpenGpus::Lease* lease : {&one, &two}) {
        const Workspace::Scope scope((**lease).device.workspace());
        Context ctx = (**lease).device.context();
        ctx.workspace.take<u8>(std::size_t{40} << 20);
      }
    }
    if (gpus.held_bytes() < std::size_t{80} << 20)
      return "what idle GPUs hold (" + std::to_string(gpus.held_bytes()) + " bytes)";
    faults::set_memory_bytes(before + (std::size_t{100} << 20));
    const std::string end = ending([&] {
      engine::OpenGpus::Lease one(gpus, 0, nullptr);
      Context ctx = (*one).device.context();
      const Workspace::Scope scope(ctx.workspace);
      ctx.workspace.take<u8>(std::size_t{90} << 20);
    });
    const std::string too_much = ending([&] {
      engine::OpenGpus::Lease one(gpus, 0, nullptr);
      Context ctx = (*one).device.context();
      const Workspace::Scope scope(ctx.workspace);
      ctx.workspace.take<u8>(std::size_t{110} << 20);
    });
    faults::set_memory_bytes(std::size_t{8} << 30);
    if (!end.empty()) return "its ending (" + end + ")";
    return says(too_much, "GPU_OUT_OF_MEMORY") ? "" : "the ending of what is more than there is (" + too_much + ")";
  });
}

/// CUDA errors that are about one call: said as what they are, and the GPU goes on.
void compare_refusals(Rig& rig) {
  if (!faults::possible()) return;
  struct Case {
    int code;
    const char* says;
  };
  for (const Case& c : {Case{1, "INTERNAL"},
                        {9, "INTERNAL"},
                        {98, "INTERNAL"},
                        {304, "INTERNAL"},
                        {400, "INTERNAL"},
                        {701, "INTERNAL"},
                        {720, "INTERNAL"},
                        {801, "INTERNAL"},
                        {2, "GPU_OUT_OF_MEMORY"},
                        {46, "GPU_UNAVAILABLE"},
                        {100, "GPU_UNAVAILABLE"},
                        {209, "GPU_UNAVAILABLE"}}) {
    for (const Call call : {Call::launch, Call::copy, Call::synchronize}) {
      rig.judge("faults: refused calls",
                std::to_string(c.code) + " in a call of kind " + std::to_string(static_cast<int>(call)), [&]() -> std::string {
                  engine::OpenGpus gpus;
                  const auto work = [&] {
                    engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
                    engine::GpuBackend backend(*gpu, nullptr);
                    blur(backend, {64, 64});
                  };
                  faults::reset();
                  faults::fail(call, 1, c.code);
                  const std::string end = ending(work);
                  faults::reset();
                  if (end.compare(0, std::string(c.says).size(), c.says) != 0) return "its ending (" + end + ")";
                  const std::string again = ending(work);
                  return again.empty() ? "" : "what follows (" + again + ")";
                });
    }
  }
}

/// Each in a process of its own, as nothing else can use the GPU afterwards.
void compare_lost(Rig& rig, const std::string& assets, const std::string& program) {
  std::vector<int> codes = {kIllegalAddress};
  if (faults::possible()) codes = {214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 806, 810, 911, 999};
  for (const int code : codes) {
    rig.judge("faults: a lost GPU", std::to_string(code), [&]() -> std::string {
      std::FILE* child = popen((program + " --assets '" + assets + "' --lost " + std::to_string(code) + " 2>&1").c_str(), "r");
      if (!child) return "that a process could be started";
      std::string text;
      for (int c = std::fgetc(child); c != EOF; c = std::fgetc(child)) text += static_cast<char>(c);
      const int status = pclose(child);
      return status == 0 ? "" : "what it says (" + text + ")";
    });
  }
}

}  // namespace

int lose_gpu(int code, const std::string& assets) {
  const auto expect_lost = [&](const char* what, const std::string& end) {
    if (says(end, "GPU_LOST") && says(end, "restarted")) return true;
    std::printf("%s: %s\n", what, end.c_str());
    return false;
  };
  engine::OpenGpus gpus;
  { engine::OpenGpus::Lease idle(gpus, 0, nullptr); }
  gpu::Device other;
  void* held = other.allocate(1000);
  bool good = true;
  const std::string end = ending([&] {
    engine::OpenGpus::Lease gpu(gpus, 0, nullptr);
    engine::GpuBackend backend(*gpu, nullptr);
    if (faults::possible()) {
      faults::fail(Call::synchronize, 1, code);
      blur(backend, {64, 64});
    } else {
      // Addresses that are nobody's.
      const auto nowhere = [](int bit) {
        return Plane(reinterpret_cast<void*>(std::uintptr_t{1} << bit), PixelType::u8, {64, 64});
      };
      backend.ops().threshold(backend.context(), nowhere(40), nowhere(41), {5});
      backend.synchronize();
    }
  });
  good = expect_lost("the call that lost it", end) && good;
  good = expect_lost("another device's memory", ending([&] { other.allocate(10); })) && good;
  good = expect_lost("another device's context", ending([&] { other.context(); })) && good;
  good = expect_lost("another device's wait", ending([&] { other.synchronize(); })) && good;
  good = expect_lost("a new one", ending([] { gpu::Device device; })) && good;
  good = expect_lost("a lease", ending([&] { engine::OpenGpus::Lease gpu(gpus, 0, nullptr); })) && good;
  other.release(held);  // says nothing
  // Windows that had another choice take it, and say why; the next one does not ask.
  Scene scene(120, 100, 3);
  scene.field(24);
  const Made m = made(scene);
  engine::WindowJob job = tile_job(m, "he-nuclei", params_of(assets, "he-nuclei", m.view()), 0, 0, 120, 0);
  engine::Resources resources;
  const engine::WindowDone alone = engine::run_window(job, resources, nullptr);
  job.devices = {{true, 0}, {}};
  const engine::WindowDone first = engine::run_window(job, resources, nullptr),
                           next = engine::run_window(job, resources, nullptr);
  const std::string why = first.given_up.size() == 1 ? first.given_up[0] : "nothing";
  if (why.compare(0, 5, "gpu0:") != 0 || !says(why, "restarted") || !next.given_up.empty()) {
    std::printf("a window with another choice: %s\n", why.c_str());
    good = false;
  }
  good = window_difference(first.output, alone.output).empty() && window_difference(next.output, alone.output).empty() && good;
  // Of two that were asked for the second goes with the first, or (in emulation) does its part.
  job.devices = {{true, 0}, {true, gpu::device_count() > 1 ? 1 : 0}};
  const engine::WindowDone without = engine::run_window(job, resources, nullptr);
  good = window_difference(without.output, alone.output).empty() && good;
  job.devices = {{true, 0}};
  good = expect_lost("a window without", ending([&] { engine::run_window(job, resources, nullptr); })) && good;
  // The rest of the program goes on.
  Workspace w;
  Context ctx{w, 1, nullptr, nullptr};
  engine::CpuBackend cpu(cpu::table(), ctx);
  good = blur(cpu, {64, 64}).outputs.size() == 1 && good;
  return good ? 0 : 1;
}

void compare_faults(Rig& rig, const std::string& assets, const std::string& program) {
  if (rig.shares == 1 || faults::possible()) compare_full(rig);  // processes side by side would be refused memory as well
  compare_refusals(rig);
  compare_lost(rig, assets, program);
  if (faults::possible()) compare_allocations(rig, assets);
}

}  // namespace morpho::test
