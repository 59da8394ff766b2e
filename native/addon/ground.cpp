// What is known of a whole slide, in JavaScript: its computing, and a hold of it for windows.
#include "engine/region/ground.hpp"

#include <atomic>

#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"

namespace morpho::addon {
namespace {

namespace region = engine::region;
using GroundPtr = std::shared_ptr<const region::WholeGround>;

constexpr napi_type_tag kGroundTag = {0x6d6f7270686f7363, 0x67726f756e640000};

/// Windows under way keep what they stand on; the rest goes with the last hold of it, of whose size V8 is told.
class GroundHandle final : public Napi::ObjectWrap<GroundHandle> {
 public:
  explicit GroundHandle(const Napi::CallbackInfo& info) : ObjectWrap(info) {
    guarded(info.Env(), [&] {
      ground_ = std::move(Instance::of(info.Env()).pending_ground);
      if (!ground_) reject("the constructor", "no call (use computeGround)", "a call");
      Napi::MemoryManagement::AdjustExternalMemory(info.Env(), static_cast<std::int64_t>(ground_->memory_bytes));
    });
    info.This().As<Napi::Object>().TypeTag(&kGroundTag);
  }
  void Finalize(Napi::Env env) override {
    if (ground_) Napi::MemoryManagement::AdjustExternalMemory(env, -static_cast<std::int64_t>(ground_->memory_bytes));
  }
  const GroundPtr& ground() const { return ground_; }

 private:
  GroundPtr ground_;
};

region::GroundOf get_ground_of(const Napi::Object& o) {
  constexpr double most = 1 << 30;
  region::GroundOf of;
  of.slide = get_slide(o.Get("slide"), "slide");
  of.scale = get_number(o.Get("scale"), "scale", engine::kFinestScale, engine::kCoarsestScale);
  of.image = {static_cast<i32>(get_integer(o.Get("widthPx"), "widthPx", 1, most)),
              static_cast<i32>(get_integer(o.Get("heightPx"), "heightPx", 1, most))};
  of.plan = get_plan(o.Get("plan"));
  return of;
}

/// Words of JavaScript's that workers write, and one that they read: step (0, 1), visits done, tiles left, and whether to wait.
region::GroundJob get_ground_job(const Napi::Object& o, const CancelPtr& cancel, Napi::Array keep) {
  region::GroundJob job;
  static_cast<region::GroundOf&>(job) = get_ground_of(o);
  if (is_given(o.Get("tile"))) job.tile = get_integer(o.Get("tile"), "tile", 16, 46000);
  job.memory_bytes = static_cast<std::size_t>(get_integer(o.Get("memoryBytes"), "memoryBytes", 0, 4 * kFarthest));
  job.scratch_folder = get_string(o.Get("scratchFolder"), "scratchFolder");
  job.workers.threads = get_threads(o.Get("threads"));
  job.workers.devices = get_devices(o.Get("device"));
  job.workers.cancel = cancel.get();
  if (!is_given(o.Get("progress"))) return job;
  Napi::Int32Array progress = get_i32_array(o.Get("progress"), "progress");
  if (progress.ElementLength() != 4) reject("progress", "4 elements", std::to_string(progress.ElementLength()));
  keep.Set(keep.Length(), progress);
  i32* words = progress.Data();
  job.workers.progress = [words](const char* step, i64 done, i64 left) {
    const auto tell = [&](int k, i64 v) {
      std::atomic_ref<i32>(words[k]).store(static_cast<i32>(v), std::memory_order_relaxed);
    };
    tell(0, std::string_view(step) == "background" ? 0 : 1), tell(1, done), tell(2, left);
  };
  // A run that was paused.
  job.workers.held = [words] { return std::atomic_ref<i32>(words[3]).load(std::memory_order_relaxed) != 0; };
  return job;
}

Napi::Object ground_to_js(Napi::Env env, const GroundPtr& ground) {
  Instance::of(env).pending_ground = ground;
  Napi::Object o = Instance::of(env).ground_class.New({});
  o.Set("memoryBytes", static_cast<double>(ground->memory_bytes));
  o.Set("scratchBytes", static_cast<double>(ground->scratch_bytes));
  o.Set("timings", timings_to_js(env, ground->timings));
  o.Set("unreadable", unreadable_to_js(env, ground->unreadable));
  Napi::Array uncertain = Napi::Array::New(env, ground->uncertain.size());
  for (std::uint32_t k = 0; k < uncertain.Length(); ++k) uncertain.Set(k, rect_to_js(env, ground->uncertain[k]));
  o.Set("uncertain", uncertain);
  o.Set("notes", strings_to_js(env, ground->notes));
  return o;
}

Rect get_rect(Napi::Value value, const std::string& name) {
  const Napi::Object o = get_object(value, name);
  return {get_coordinate(o.Get("x"), name + ".x"), get_coordinate(o.Get("y"), name + ".y"),
          get_integer(o.Get("width"), name + ".width", 1, kFarthest),
          get_integer(o.Get("height"), name + ".height", 1, kFarthest)};
}

GroundPtr require_ground(Napi::Value value) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kGroundTag))
    reject("ground", "what computeGround gave", describe(value));
  return GroundHandle::Unwrap(value.As<Napi::Object>())->ground();
}

Napi::Value compute_ground_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Env env = info.Env();
    const CancelPtr cancel = get_cancel(env, info[1]);
    const Napi::Array keep = Napi::Array::New(env);
    auto job = std::make_shared<const region::GroundJob>(get_ground_job(get_object(info[0], "request"), cancel, keep));
    auto resources = Instance::of(env).resources;
    return Work<GroundPtr>::start(
        // The token is the job's too: workers look at it until they end.
        env, cancel, [job, resources, cancel] { return region::compute_ground(*resources, *job); },
        [](Napi::Env env, GroundPtr& ground, Napi::Value) -> Napi::Value { return ground_to_js(env, ground); }, keep);
  });
}

Napi::Value open_ground_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const Napi::Object o = get_object(info[0], "request");
    const Napi::Array given = get_array(o.Get("uncertain"), "uncertain");
    std::vector<Rect> uncertain(given.Length());
    for (std::uint32_t k = 0; k < given.Length(); ++k) uncertain[k] = get_rect(given.Get(k), "uncertain");
    return ground_to_js(info.Env(), region::open_ground(get_ground_of(o), get_string(o.Get("path"), "path"), uncertain));
  });
}

Napi::Value ground_rows_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const GroundPtr ground = require_ground(info[0]);
    const i64 y = get_integer(info[1], "y", 0, kFarthest), count = get_integer(info[2], "count", 1, 1 << 20);
    return Work<std::vector<u8>>::start(
        info.Env(), nullptr, [ground, y, count] { return ground->rows(y, count); },
        [](Napi::Env env, std::vector<u8>& bytes, Napi::Value) -> Napi::Value {
          return pixels_to_js(env, PixelType::u8, bytes);
        },
        Napi::Array::New(info.Env()));
  });
}

}  // namespace

std::shared_ptr<const engine::Ground> get_ground(Napi::Value value) {
  return is_given(value) ? require_ground(value) : nullptr;
}

void define_ground(Napi::Env env, Napi::Object exports) {
  Instance::of(env).ground_class = Napi::Persistent(GroundHandle::DefineClass(env, "Ground", {}));
  exports.Set("computeGround", Napi::Function::New(env, compute_ground_call));
  exports.Set("openGround", Napi::Function::New(env, open_ground_call));
  exports.Set("groundRows", Napi::Function::New(env, ground_rows_call));
}

}  // namespace morpho::addon
