// Maps C++ exceptions to the contract's codes.
#include "errors.hpp"

#include <new>
#include <system_error>

namespace morpho::addon {

Failure current_failure() {
  try {
    throw;
  } catch (const Cancelled&) {
    return {"CANCELLED", "The call was cancelled.", ""};
  } catch (const Error& e) {
    return {code_name(e.code()), e.what(), e.detail(), e.where()};
  } catch (const std::bad_alloc&) {
    return {"OUT_OF_MEMORY", "There is not enough memory for this call; close other programs, or ask for a smaller region.",
            ""};
  } catch (const Napi::Error& e) {
    // Raised by Node itself while a result was built: too large a buffer is the one that is expected.
    const std::string& text = e.Message();
    if (text.find("allocation") != std::string::npos || text.find("Invalid array buffer length") != std::string::npos ||
        text.find("Invalid typed array length") != std::string::npos)
      return {"OUT_OF_MEMORY", "There is not enough memory for this call's result (" + text + "); ask for a smaller region.",
              ""};
    return {"INTERNAL", text, ""};
  } catch (const std::system_error& e) {
    // A thread or a file that the system has no memory for.
    if (e.code() == std::errc::not_enough_memory || e.code() == std::errc::resource_unavailable_try_again)
      return {"OUT_OF_MEMORY",
              std::string("There is not enough memory for this call (") + e.what() + "); close other programs.", ""};
    return {"INTERNAL", std::string("the native engine met an unexpected error: ") + e.what(), ""};
  } catch (const std::exception& e) {
    return {"INTERNAL", std::string("the native engine met an unexpected error: ") + e.what(), ""};
  } catch (...) {
    return {"INTERNAL", "the native engine met an unknown error", ""};
  }
}

Napi::Error out_of_memory(Napi::Env env) {
  Napi::Error error = Napi::Error::New(env, "There is not enough memory for this call; close other programs, or ask for less.");
  error.Value().Set("code", Napi::String::New(env, "OUT_OF_MEMORY"));
  error.Value().Set("detail", Napi::String::New(env, ""));
  return error;
}

Napi::Error to_js_error(Napi::Env env, const Failure& failure) {
  Napi::Error error = Napi::Error::New(env, failure.message);
  error.Value().Set("code", Napi::String::New(env, failure.code));
  error.Value().Set("detail", Napi::String::New(env, failure.detail));
  if (!failure.where.stage.empty()) {
    Napi::Object where = Napi::Object::New(env);
    where.Set("stage", failure.where.stage);
    if (!failure.where.param.empty()) where.Set("param", failure.where.param);
    error.Value().Set("where", where);
  }
  return error;
}

}  // namespace morpho::addon
