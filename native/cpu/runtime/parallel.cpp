// Runs the pieces of a parallel loop on the caller and on helpers from the pool.
#include "cpu/runtime/parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>

#include "cpu/runtime/parallel_pool.hpp"

namespace morpho::cpu {
namespace {

class Loop final : public PoolJob {
 public:
  Loop(int workers, const Context& ctx, i64 count, i64 grain, const RangeFn& fn)
      : PoolJob(workers - 1), ctx_(ctx), count_(count), grain_(grain), pieces_((count + grain - 1) / grain), fn_(fn) {}

  void work(int worker) override {
    try {
      while (!failed_.load(std::memory_order_relaxed)) {
        const i64 piece = next_.fetch_add(1, std::memory_order_relaxed);
        if (piece >= pieces_) return;
        ctx_.check_cancelled();
        const i64 begin = piece * grain_;
        fn_(begin, begin + grain_ < count_ ? begin + grain_ : count_, worker);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> hold(error_lock_);
      if (!error_) error_ = std::current_exception();
      failed_.store(true, std::memory_order_relaxed);
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const Context& ctx_;
  const i64 count_, grain_, pieces_;
  const RangeFn& fn_;
  std::atomic<i64> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex error_lock_;
  std::exception_ptr error_;
};

}  // namespace

void parallel_range(const Context& ctx, i64 count, i64 grain, const RangeFn& fn) {
  if (count <= 0) return;
  const i64 pieces = (count + grain - 1) / grain;
  Loop loop(static_cast<int>(pieces < ctx.threads ? pieces : ctx.threads), ctx, count, grain, fn);
  Pool& pool = Pool::instance();
  pool.open(loop);
  loop.work(0);
  pool.close(loop);
  loop.rethrow();
}

}  // namespace morpho::cpu
