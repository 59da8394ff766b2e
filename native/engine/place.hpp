// Where operations run: a table, the memory its planes live in, and the copies between that memory and the host's.
#pragma once
#include <chrono>
#include <string>

#include "../contract/ops.hpp"

namespace morpho::engine {

inline double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One caller's use of the CPU or of a GPU. Planes for `ops()` are taken from `context().workspace`; where that is not host memory
/// nothing but these copies may touch them. Used by the thread that made it.
class Place {
 public:
  virtual ~Place() = default;
  virtual const std::string& name() const = 0;  ///< "cpu", "gpu0", as users ask for it and timings tell it
  virtual bool on_host() const = 0;             ///< planes are host memory, and operations are done when they return
  virtual const OpTable& ops() const = 0;
  virtual Context& context() = 0;
  /// Host memory for what the caller itself decides about. The context's own workspace where that is on the host.
  virtual Workspace& host_workspace() = 0;

  /// Host to the place's memory, and back. Both wait, before and after, so that the time is the copy's own; not called where on_host().
  void upload(void* to, const void* from, std::size_t bytes) { upload_ms_ += timed_copy([&] { copy_in(to, from, bytes); }); }
  void download(void* to, const void* from, std::size_t bytes) { download_ms_ += timed_copy([&] { copy_out(to, from, bytes); }); }
  /// Waits for what was enqueued, and throws what went wrong in it.
  virtual void synchronize() = 0;

  double upload_ms() const { return upload_ms_; }      ///< of all uploads so far
  double download_ms() const { return download_ms_; }  ///< of all downloads so far

 private:
  virtual void copy_in(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy_out(void* to, const void* from, std::size_t bytes) = 0;
  template <class Copy>
  double timed_copy(Copy&& copy) {
    synchronize();  // sync: what was enqueued before is not the copy's time
    const double begin = now_ms();
    copy();
    synchronize();  // sync: the copy is done when its time is taken
    return now_ms() - begin;
  }
  double upload_ms_ = 0, download_ms_ = 0;
};

/// The CPU: host memory in place, nothing to copy or to wait for.
class CpuPlace final : public Place {
 public:
  CpuPlace(const OpTable& ops, Context& ctx) : ops_(ops), ctx_(ctx) {}
  const std::string& name() const override { return name_; }
  bool on_host() const override { return true; }
  const OpTable& ops() const override { return ops_; }
  Context& context() override { return ctx_; }
  Workspace& host_workspace() override { return ctx_.workspace; }
  void synchronize() override {}

 private:
  void copy_in(void*, const void*, std::size_t) override {}
  void copy_out(void*, const void*, std::size_t) override {}
  const std::string name_ = "cpu";
  const OpTable& ops_;
  Context& ctx_;
};

}  // namespace morpho::engine
