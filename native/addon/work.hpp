// One promise a worker: runs plain C++ off the JavaScript thread and settles with its result or with an error that has a code.
#pragma once
#include <napi.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "../contract/context.hpp"
#include "errors.hpp"

namespace morpho::addon {

using CancelPtr = std::shared_ptr<CancelFlag>;

/// Nothing in `run` may touch JavaScript; `finish` runs on the JavaScript thread and builds the value. A result that is
/// large is written by `run` into a buffer that JavaScript allocated before and that `keep` pins until the promise settles.
template <class Result>
class Work final : public Napi::AsyncWorker {
 public:
  using Run = std::function<Result()>;
  /// `kept` is the object that was given to start(), or undefined.
  using Finish = std::function<Napi::Value(Napi::Env, Result&, Napi::Value kept)>;

  static Napi::Value start(Napi::Env env, CancelPtr cancel, Run run, Finish finish, Napi::Object keep = {}) {
    auto* work = new Work(env, std::move(cancel), std::move(run), std::move(finish));  // deletes itself when done
    if (!keep.IsEmpty()) work->kept_ = Napi::Persistent(keep);
    Napi::Value promise = work->deferred_.Promise();
    work->Queue();
    return promise;
  }

 private:
  Work(Napi::Env env, CancelPtr cancel, Run run, Finish finish)
      : AsyncWorker(env, "morphoscope"),
        deferred_(Napi::Promise::Deferred::New(env)),
        cancel_(std::move(cancel)),
        run_(std::move(run)),
        finish_(std::move(finish)) {}

  void Execute() override {
    try {
      // A call that waited in the queue while it was cancelled does no work.
      if (cancel_ && cancel_->load()) throw Cancelled{};
      result_.emplace(run_());
    } catch (...) {
      describe();
    }
    run_ = nullptr;
  }

  void OnOK() override {
    try {
      Napi::HandleScope scope(Env());
      settle();
    } catch (const Napi::Error&) {
      // The thread is ending (a terminated worker): nobody can hear of the result any more, and a throw would abort the
      // process.
    }
  }

  void settle() {
    if (!failure_ && result_) {
      try {
        deferred_.Resolve(finish_(Env(), *result_, kept_.IsEmpty() ? Env().Undefined() : Napi::Value(kept_.Value())));
        return;
      } catch (...) {
        describe();
      }
    }
    deferred_.Reject(failure_ ? to_js_error(Env(), *failure_).Value() : out_of_memory(Env()).Value());
  }

  /// The exception in flight; nothing where there is no memory for its words. Else the promise would never settle.
  void describe() noexcept {
    try {
      failure_ = current_failure();
    } catch (...) {
      result_.reset();
    }
  }

  Napi::Promise::Deferred deferred_;
  Napi::ObjectReference kept_;
  CancelPtr cancel_;
  Run run_;
  Finish finish_;
  std::optional<Result> result_;
  std::optional<Failure> failure_;
};

}  // namespace morpho::addon
