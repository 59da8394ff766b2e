// Runs the pieces of a parallel loop on short-lived threads.
#include "cpu/parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace morpho::cpu {

void parallel_range(const Context& ctx, i64 count, i64 grain, const RangeFn& fn) {
  if (count <= 0) return;
  const i64 pieces = (count + grain - 1) / grain;
  const int workers = static_cast<int>(pieces < ctx.threads ? pieces : ctx.threads);
  std::atomic<i64> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;
  std::mutex error_lock;

  auto work = [&](int worker) {
    try {
      while (!failed.load(std::memory_order_relaxed)) {
        const i64 piece = next.fetch_add(1, std::memory_order_relaxed);
        if (piece >= pieces) return;
        ctx.check_cancelled();
        const i64 begin = piece * grain;
        fn(begin, begin + grain < count ? begin + grain : count, worker);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> hold(error_lock);
      if (!error) error = std::current_exception();
      failed.store(true, std::memory_order_relaxed);
    }
  };

  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(workers - 1));
  for (int worker = 1; worker < workers; ++worker) {
    try {
      threads.emplace_back(work, worker);
    } catch (const std::system_error&) {
      break;  // the system has no thread to spare: those that run do all the pieces, the result is the same
    }
  }
  work(0);
  for (auto& thread : threads) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace morpho::cpu
