// Plans in JavaScript: a recipe with its values, recorded once, and a hold of it for the windows of a run.
#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"

#include <cstdio>

namespace morpho::addon {
namespace {

constexpr napi_type_tag kPlanTag = {0x6d6f7270686f7363, 0x706c616e00000000};

/// Windows under way keep the plan too.
class PlanHandle final : public Napi::ObjectWrap<PlanHandle> {
 public:
  explicit PlanHandle(const Napi::CallbackInfo& info) : ObjectWrap(info) {
    guarded(info.Env(), [&] {
      plan_ = std::move(Instance::of(info.Env()).pending_plan);
      if (!plan_) reject("the constructor", "no call (use planOf)", "a call");
    });
    info.This().As<Napi::Object>().TypeTag(&kPlanTag);
  }
  const engine::PlanPtr& plan() const { return plan_; }

 private:
  engine::PlanPtr plan_;
};

Napi::Value plan_of_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Env env = info.Env();
    const std::string pipeline = get_string(info[0], "pipeline");
    const engine::PlanPtr plan = engine::plan_of(pipeline, get_params(info[1], "params"));
    Instance::of(env).pending_plan = plan;
    Napi::Object o = Instance::of(env).plan_class.New({});
    o.Set("pipeline", plan->pipeline);
    o.Set("haloPx", Napi::Number::New(env, plan->halo));
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(plan->hash));
    o.Set("hash", hash);
    o.Set("ground", plan->split ? Napi::Value(Napi::String::New(env, plan->split->key)) : env.Null());
    o.Freeze();
    return o;
  });
}

}  // namespace

engine::PlanPtr get_plan(Napi::Value value) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kPlanTag))
    reject("plan", "what planOf gave", describe(value));
  return PlanHandle::Unwrap(value.As<Napi::Object>())->plan();
}

void define_plan(Napi::Env env, Napi::Object exports) {
  Instance::of(env).plan_class = Napi::Persistent(PlanHandle::DefineClass(env, "Plan", {}));
  exports.Set("planOf", Napi::Function::New(env, plan_of_call));
}

}  // namespace morpho::addon
