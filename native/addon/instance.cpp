// The state of one loaded addon, and the cancel tokens that stop its calls.
#include "instance.hpp"

#include <algorithm>

#include "check.hpp"

namespace morpho::addon {
namespace {

constexpr napi_type_tag kTokenTag = {0x6d6f7270686f7363, 0x63616e63656c746b};

class CancelToken final : public Napi::ObjectWrap<CancelToken> {
 public:
  explicit CancelToken(const Napi::CallbackInfo& info) : ObjectWrap(info) {
    guarded(info.Env(), [&] {
      Instance& instance = Instance::of(info.Env());
      if (!instance.pending_token) reject("the constructor", "no call (use createCancelToken)", "a call");
      instance.pending_token = false;
    });
    info.This().As<Napi::Object>().TypeTag(&kTokenTag);
  }
  CancelPtr flag() const { return flag_; }

  void cancel(const Napi::CallbackInfo&) { flag_->store(true); }
  Napi::Value cancelled(const Napi::CallbackInfo& info) { return Napi::Boolean::New(info.Env(), flag_->load()); }

 private:
  CancelPtr flag_ = std::make_shared<CancelFlag>(false);
};

}  // namespace

void Instance::track(const CancelPtr& flag) {
  std::erase_if(flags_, [](const auto& w) { return w.expired(); });
  flags_.push_back(flag);
}

void Instance::cancel_all() {
  for (const auto& weak : flags_)
    if (const auto flag = weak.lock()) flag->store(true);
}

void define_cancel_token(Napi::Env env, Napi::Object exports) {
  const Napi::Function token = CancelToken::DefineClass(env, "CancelToken",
                                                        {CancelToken::InstanceMethod<&CancelToken::cancel>("cancel"),
                                                         CancelToken::InstanceAccessor<&CancelToken::cancelled>("cancelled")});
  Instance::of(env).cancel_class = Napi::Persistent(token);
  exports.Set("createCancelToken", Napi::Function::New(env, [](const Napi::CallbackInfo& info) -> Napi::Value {
                Instance& instance = Instance::of(info.Env());
                instance.pending_token = true;
                return instance.cancel_class.New({});
              }));
}

engine::DeviceName get_device(Napi::Value value) {
  return is_given(value) ? engine::parse_device(get_string(value, "device")) : engine::DeviceName{};
}

std::vector<engine::DeviceName> get_devices(Napi::Value value) {
  return is_given(value) ? engine::parse_devices(get_string(value, "device")) : std::vector<engine::DeviceName>{{}};
}

CancelPtr get_cancel(Napi::Env env, Napi::Value value) {
  CancelPtr flag;
  if (!is_given(value)) {
    flag = std::make_shared<CancelFlag>(false);
  } else {
    if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kTokenTag))
      reject("cancelToken", "a token from createCancelToken", describe(value));
    flag = CancelToken::Unwrap(value.As<Napi::Object>())->flag();
  }
  Instance::of(env).track(flag);
  return flag;
}

}  // namespace morpho::addon
