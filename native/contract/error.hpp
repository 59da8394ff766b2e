// The one error type of the native side: a code that every process shares, a message for the user, a detail for the log.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace morpho {

/// The codes of app/contract.ts that native code can raise. Names are the wire format: see code_name().
enum class ErrorCode {
  invalid_parameter,
  slide_unreadable,
  not_found,
  gpu_unavailable,
  gpu_out_of_memory,
  gpu_lost,
  out_of_memory,
  output_failed,
  internal,
};

/// The upper-case name used on the wire and in reports, e.g. "INVALID_PARAMETER".
constexpr const char* code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_parameter: return "INVALID_PARAMETER";
    case ErrorCode::slide_unreadable: return "SLIDE_UNREADABLE";
    case ErrorCode::not_found: return "NOT_FOUND";
    case ErrorCode::gpu_unavailable: return "GPU_UNAVAILABLE";
    case ErrorCode::gpu_out_of_memory: return "GPU_OUT_OF_MEMORY";
    case ErrorCode::gpu_lost: return "GPU_LOST";
    case ErrorCode::out_of_memory: return "OUT_OF_MEMORY";
    case ErrorCode::output_failed: return "OUTPUT_FAILED";
    case ErrorCode::internal: return "INTERNAL";
  }
  return "INTERNAL";
}

/// The part of a recipe that an error is about: a stage, and which of its parameters; no stage where it is about none.
struct RecipePlace {
  std::string stage, param;
};

/// What every failing native function throws. `what()` says what happened, to which file or value, and what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, std::string detail = {}, RecipePlace where = {})
      : std::runtime_error(message), code_(code), detail_(std::move(detail)), where_(std::move(where)) {}
  ErrorCode code() const noexcept { return code_; }
  const std::string& detail() const noexcept { return detail_; }
  const RecipePlace& where() const noexcept { return where_; }

 private:
  ErrorCode code_;
  std::string detail_;
  RecipePlace where_;
};

/// Thrown by Context::check_cancelled(). Not an Error: cancelled is an outcome.
struct Cancelled {};

/// The house's message formula for a bad value: "expected E for NAME but received R". Cold and never inlined: it stands in the
/// checks of every operation, whose own code it must not grow.
[[noreturn, gnu::cold, gnu::noinline]] inline void reject(const std::string& name, const std::string& expected,
                                                          const std::string& received, RecipePlace where) {
  throw Error(ErrorCode::invalid_parameter, "expected " + expected + " for " + name + " but received " + received, {},
              std::move(where));
}

/// The same for a value that belongs to no recipe.
[[noreturn, gnu::cold, gnu::noinline]] inline void reject(const std::string& name, const std::string& expected,
                                                          const std::string& received) {
  reject(name, expected, received, {});
}

}  // namespace morpho
