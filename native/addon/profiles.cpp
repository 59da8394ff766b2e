// A file's colour profile as bytes in JavaScript.
#include <cstring>

#include "../slide/color_profile.hpp"
#include "check.hpp"
#include "convert.hpp"
#include "instance.hpp"
#include "work.hpp"

namespace morpho::addon {
namespace {

/// null where the file has none.
Napi::Value color_profile_call(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::string path = get_string(info[0], "path");
    using Bytes = std::vector<u8>;
    return Work<Bytes>::start(
        info.Env(), nullptr, [path] { return slide::color_profile(path); },
        [](Napi::Env env, Bytes& bytes, Napi::Value) -> Napi::Value {
          if (bytes.empty()) return env.Null();
          Napi::Uint8Array profile = new_bytes(env, bytes.size());
          std::memcpy(profile.Data(), bytes.data(), bytes.size());
          return profile;
        });
  });
}

}  // namespace

void define_profiles(Napi::Env env, Napi::Object exports) {
  exports.Set("colorProfile", Napi::Function::New(env, color_profile_call));
}

}  // namespace morpho::addon
