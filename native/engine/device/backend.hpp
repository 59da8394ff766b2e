// Where operations run: a table, the memory its planes live in, the copies between that memory and the host's, and its clock.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "../../contract/tiled.hpp"

namespace morpho::engine {

inline double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Gives so many bytes on the host, for as long as its owner says.
using HostMemory = std::function<u8*(std::size_t bytes)>;

/// One caller's use of the CPU or of a GPU. Planes for `ops()` are taken from `context().workspace`; where that is not host
/// memory nothing but these copies may touch them. Used by the thread that made it.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const std::string& name() const = 0;  ///< "cpu", "gpu0", as users ask for it and timings tell it
  virtual bool on_host() const = 0;             ///< planes are host memory, and operations are done when they return
  virtual const OpTable& ops() const = 0;
  virtual const TiledTable& tiled() const = 0;
  virtual Context& context() = 0;
  /// Host memory for what the caller itself decides about. The context's own workspace where that is on the host.
  virtual Workspace& host_workspace() = 0;

  /// Host to the backend's memory, in the order of its other work; `from` may be changed or given back when this returns, or,
  /// of a PinnedPool, when that work is done.
  void upload(void* to, const void* from, std::size_t bytes) {
    const std::size_t begin = mark();
    copy_in(to, from, bytes);
    uploads_.push_back({begin, mark()});
  }
  /// The same for rows with `pitch` bytes from one to the next on the host, and no gaps there.
  void upload_rows(void* to, const void* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) {
    if (pitch == row_bytes) return upload(to, from, row_bytes * rows);
    const std::size_t begin = mark();
    copy_rows_in(to, from, pitch, row_bytes, rows);
    uploads_.push_back({begin, mark()});
  }
  /// Back, when all that was enqueued before is done. Neither is called where on_host().
  void download(void* to, const void* from, std::size_t bytes) {
    const std::size_t begin = mark();
    copy_out(to, from, bytes);  // sync: the caller reads the bytes next
    downloads_.push_back({begin, mark()});
  }
  /// Rows with `pitch` bytes from one to the next, packed without gaps inside the backend's memory, in the order of its other
  /// work: what download() then brings as one.
  virtual void pack_rows(void* to, const void* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) = 0;
  /// Waits for what was enqueued, and throws what went wrong in it.
  virtual void synchronize() = 0;

  /// A point in time of the backend's work, for ms(): on the CPU now, on a GPU the end of what was enqueued so far. Nothing
  /// waits for it.
  virtual std::size_t mark() = 0;
  /// From one point to a later one. sync: waits until the later one is reached.
  virtual double ms(std::size_t from, std::size_t to) = 0;
  /// How often the host has waited for the backend's work so far.
  virtual u64 waits() const = 0;

  /// Of all copies so far, and of those between two points. sync: as ms().
  double upload_ms() { return copies_ms(uploads_, 0, SIZE_MAX); }
  double download_ms() { return copies_ms(downloads_, 0, SIZE_MAX); }
  double copies_ms(std::size_t from, std::size_t to) { return copies_ms(uploads_, from, to) + copies_ms(downloads_, from, to); }

 private:
  struct Span {
    std::size_t from, to;
  };
  virtual void copy_in(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy_rows_in(void* to, const void* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) = 0;
  virtual void copy_out(void* to, const void* from, std::size_t bytes) = 0;
  double copies_ms(const std::vector<Span>& copies, std::size_t from, std::size_t to) {
    double sum = 0;
    for (const Span& c : copies) {
      if (c.from >= from && c.to <= to) sum += ms(c.from, c.to);
    }
    return sum;
  }
  std::vector<Span> uploads_, downloads_;
};

/// The CPU: host memory in place, nothing to copy or to wait for.
class CpuBackend final : public Backend {
 public:
  CpuBackend(const OpTable& ops, Context& ctx) : ops_(ops), ctx_(ctx) {}
  const std::string& name() const override { return name_; }
  bool on_host() const override { return true; }
  const OpTable& ops() const override { return ops_; }
  const TiledTable& tiled() const override { return cpu::tiled_table(); }
  Context& context() override { return ctx_; }
  Workspace& host_workspace() override { return ctx_.workspace; }
  void pack_rows(void* to, const void* from, std::size_t pitch, std::size_t row_bytes, std::size_t rows) override {
    for (std::size_t y = 0; y < rows; ++y)
      std::memcpy(static_cast<u8*>(to) + y * row_bytes, static_cast<const u8*>(from) + y * pitch, row_bytes);
  }
  void synchronize() override {}
  std::size_t mark() override {
    marks_.push_back(now_ms());
    return marks_.size() - 1;
  }
  double ms(std::size_t from, std::size_t to) override { return marks_.at(to) - marks_.at(from); }
  u64 waits() const override { return 0; }

 private:
  void copy_in(void*, const void*, std::size_t) override {}
  void copy_rows_in(void*, const void*, std::size_t, std::size_t, std::size_t) override {}
  void copy_out(void*, const void*, std::size_t) override {}
  const std::string name_ = "cpu";
  const OpTable& ops_;
  Context& ctx_;
  std::vector<double> marks_;
};

}  // namespace morpho::engine
