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

/// Words of JavaScript's that workers write, and one that they read: step (0, 1), visits done, tiles left, and whether to wait.
region::GroundJob get_ground_job(const Napi::Object& o, const CancelPtr& cancel, Napi::Array keep) {
  region::GroundJob job;
  constexpr double most = 1 << 30;
  job.slide = get_slide(o.Get("slide"), "slide");
  job.scale = get_number(o.Get("scale"), "scale", engine::kFinestScale, engine::kCoarsestScale);
  job.image = {static_cast<i32>(get_integer(o.Get("widthPx"), "widthPx", 1, most)),
               static_cast<i32>(get_integer(o.Get("heightPx"), "heightPx", 1, most))};
  job.plan = get_plan(o.Get("plan"));
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
        [](Napi::Env env, GroundPtr& ground, Napi::Value) -> Napi::Value {
          Instance::of(env).pending_ground = ground;
          Napi::Object o = Instance::of(env).ground_class.New({});
          o.Set("memoryBytes", static_cast<double>(ground->memory_bytes));
          o.Set("scratchBytes", static_cast<double>(ground->scratch_bytes));
          o.Set("timings", timings_to_js(env, ground->timings));
          o.Set("unreadable", unreadable_to_js(env, ground->unreadable));
          o.Set("notes", strings_to_js(env, ground->notes));
          return o;
        },
        keep);
  });
}

}  // namespace

std::shared_ptr<const engine::Ground> get_ground(Napi::Value value) {
  if (!is_given(value)) return nullptr;
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kGroundTag))
    reject("ground", "what computeGround gave", describe(value));
  return GroundHandle::Unwrap(value.As<Napi::Object>())->ground();
}

void define_ground(Napi::Env env, Napi::Object exports) {
  Instance::of(env).ground_class = Napi::Persistent(GroundHandle::DefineClass(env, "Ground", {}));
  exports.Set("computeGround", Napi::Function::New(env, compute_ground_call));
}

}  // namespace morpho::addon
