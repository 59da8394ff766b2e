// The addon's entry: what it says about itself, and the registration of everything that it exports.
#include <thread>

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
    Napi::Object gpu = Napi::Object::New(env);
    gpu.Set("built", Napi::Boolean::New(env, false));
    gpu.Set("devices", Napi::Array::New(env));
    gpu.Set("reason", "this build of the native engine has no GPU part");
    Napi::Object o = Napi::Object::New(env);
    o.Set("version", MORPHO_VERSION);
    o.Set("threads", std::max(1u, std::thread::hardware_concurrency()));
    o.Set("openslide", openslide);
    o.Set("gpu", gpu);
    return o;
  });
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new Instance);
  exports.Set("measurementFields", measurement_fields(env));
  exports.Set("status", Napi::Function::New(env, status_call));
  define_cancel_token(env, exports);
  define_slides(env, exports);
  define_runs(env, exports);
  define_ops(env, exports);
  define_outlines(env, exports);
  // Node waits at its end for every call under way, and asks nobody to stop: index.ts calls this when the process exits.
  exports.Set("cancelAll",
              Napi::Function::New(env, [](const Napi::CallbackInfo& info) { Instance::of(info.Env()).cancel_all(); }));
  return exports;
}

}  // namespace
}  // namespace morpho::addon

static Napi::Object init_morphoscope(Napi::Env env, Napi::Object exports) { return morpho::addon::init(env, exports); }
NODE_API_MODULE(morphoscope, init_morphoscope)
