// The addon's entry: what it says about itself, and the registration of everything that it exports.
#include <cstdlib>
#include <thread>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"

#ifndef MORPHO_VERSION
#define MORPHO_VERSION "unversioned"
#endif

namespace morpho::addon {
namespace {

Napi::Value status_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Env env = info.Env();
    const slide::OpenSlideStatus found = slide::openslide_status();
    Napi::Object openslide = Napi::Object::New(env);
    openslide.Set("available", Napi::Boolean::New(env, found.available));
    openslide.Set("version", found.version);
    openslide.Set("library", found.library);
    openslide.Set("reason", found.reason);
    Napi::Object o = Napi::Object::New(env);
    o.Set("version", MORPHO_VERSION);
    o.Set("threads", std::max(1u, std::thread::hardware_concurrency()));
    o.Set("openslide", openslide);
    return o;
  });
}

/// The first question starts CUDA, which takes up to seconds: a worker asks, and what it was told is remembered.
Napi::Value gpus_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    return Work<gpu::DeviceList>::start(
        info.Env(), nullptr, gpu::list_devices, [](Napi::Env env, gpu::DeviceList& found, Napi::Value) -> Napi::Value {
          Napi::Array devices = Napi::Array::New(env);
          for (const gpu::DeviceInfo& d : found.devices) {
            Napi::Object device = Napi::Object::New(env);
            device.Set("index", d.index);
            device.Set("name", d.name);
            device.Set("totalBytes", static_cast<double>(d.memory_bytes));
            device.Set("computeCapability", std::to_string(d.compute_major) + "." + std::to_string(d.compute_minor));
            device.Set("multiprocessors", d.multiprocessors);
            devices.Set(devices.Length(), device);
          }
          Napi::Object gpus = Napi::Object::New(env);
          gpus.Set("built", Napi::Boolean::New(env, gpu::built()));
          gpus.Set("devices", devices);
          gpus.Set("reason", found.reason);
          Instance::of(env).gpus = std::move(found);
          return gpus;
        });
  });
}

Napi::Value require_device_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const auto& gpus = Instance::of(info.Env()).gpus;
    for (const engine::DeviceName& device : get_devices(info[0])) {
      if (!device.gpu) continue;
      if (!gpus) throw Error(ErrorCode::internal, "requireDevice was called before gpus");
      engine::find_gpu(*gpus, device.index);
    }
    return info.Env().Undefined();
  });
}

/// What lies idle between calls goes back to the system: working memory, opened GPUs, pinned memory, and what the allocator
/// keeps of freed blocks.
Napi::Value trim_memory_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    engine::Resources& resources = *Instance::of(info.Env()).resources;
    const std::size_t bytes = resources.stages.trim() + resources.trees.trim() + resources.workspaces.trim() +
                              resources.gpus.held_bytes() + resources.pinned.held_bytes();
    resources.gpus.trim();
    resources.pinned.trim();
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    return Napi::Number::New(info.Env(), static_cast<double>(bytes));
  });
}

Napi::Value keep_decoded_tiles_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    slide::keep_decoded_tiles(static_cast<std::size_t>(get_integer(info[0], "bytes", 0, kFarthest)));
    return info.Env().Undefined();
  });
}

/// libjpeg holds all coefficients of a progressive JPEG, and a tile of 240 px may claim to be one of 65500 × 65500: above this
/// many kilobytes it reports an error instead. Set before any thread reads; a user's own limit stays.
void limit_jpeg_memory() {
#ifdef _WIN32
  if (!std::getenv("JPEGMEM")) _putenv_s("JPEGMEM", "768000");
#else
  setenv("JPEGMEM", "768000", 0);
#endif
}

/// glibc raises by itself the size from which a block is the system's own, up to 32 MiB, and keeps smaller ones in an arena for
/// each thread: with 16 windows at once these held 1.1 GB that nobody used. A user's own choice stays.
void return_large_blocks() {
#ifdef __GLIBC__
  if (!std::getenv("MALLOC_MMAP_THRESHOLD_")) mallopt(M_MMAP_THRESHOLD, 2 << 20);
  // A fixed size from which blocks are the system's own also fixes, at 128 KiB, how much an arena keeps at its end: each JPEG
  // 2000 tile's memory came and went page by page, a third of all page faults of such a run.
  if (!std::getenv("MALLOC_TRIM_THRESHOLD_")) mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  limit_jpeg_memory();
  return_large_blocks();
  env.SetInstanceData(new Instance);
  exports.Set("status", Napi::Function::New(env, status_call));
  exports.Set("gpus", Napi::Function::New(env, gpus_call));
  exports.Set("requireDevice", Napi::Function::New(env, require_device_call));
  exports.Set("trimMemory", Napi::Function::New(env, trim_memory_call));
  exports.Set("keepDecodedTiles", Napi::Function::New(env, keep_decoded_tiles_call));
  define_cancel_token(env, exports);
  define_slides(env, exports);
  define_plan(env, exports);
  define_runs(env, exports);
  define_explain(env, exports);
  define_ops(env, exports);
  define_regions(env, exports);
  define_ground(env, exports);
  define_outlines(env, exports);
  define_paint(env, exports);
  define_pictures(env, exports);
  define_profiles(env, exports);
  define_tiff_numbers(env, exports);
  define_exports(env, exports);
  define_floors(env, exports);
  // Node waits at its end for every call under way, and asks nobody to stop: index.ts calls this when the process exits.
  exports.Set("cancelAll",
              Napi::Function::New(env, [](const Napi::CallbackInfo& info) { Instance::of(info.Env()).cancel_all(); }));
  return exports;
}

}  // namespace
}  // namespace morpho::addon

static Napi::Object init_morphoscope(Napi::Env env, Napi::Object exports) { return morpho::addon::init(env, exports); }
NODE_API_MODULE(morphoscope, init_morphoscope)
