// Native failures as JavaScript Error objects that carry the contract's code, and the guard that every exported function runs
// in.
#pragma once
#include <napi.h>

#include <exception>
#include <string>

#include "../contract/error.hpp"

namespace morpho::addon {

/// What went wrong, in a form that can leave a worker thread.
struct Failure {
  std::string code;  ///< a contract code, or "CANCELLED"
  std::string message;
  std::string detail;
  RecipePlace where = {};
};

/// The exception in flight as a Failure. Call inside a catch block.
Failure current_failure();
/// What there is no memory to describe: made without C++ allocating any.
Napi::Error out_of_memory(Napi::Env env);
/// An Error object with .code and .detail, and with .where {stage, param} where it is about a part of a recipe.
Napi::Error to_js_error(Napi::Env env, const Failure& failure);

/// Runs `body`; what it throws leaves as a JavaScript exception with a code. Napi::Error (a pending exception) passes
/// unchanged.
template <class Body>
auto guarded(Napi::Env env, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const Napi::Error&) {
    throw;
  } catch (...) {
    throw to_js_error(env, current_failure());
  }
}

}  // namespace morpho::addon
