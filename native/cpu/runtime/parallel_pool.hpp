// The threads that help with parallel loops: started when first needed, parked in between, shared by all callers of the
// process.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace morpho::cpu {

/// One parallel loop that is under way. It lives on its caller's stack; the pool knows it between open() and close().
class PoolJob {
 public:
  explicit PoolJob(int helpers) : seats_(helpers) {}
  PoolJob(const PoolJob&) = delete;
  PoolJob& operator=(const PoolJob&) = delete;
  /// Works on the loop until no piece is left. `worker` is 1, 2, … for helpers, each number once. Must not throw.
  virtual void work(int worker) = 0;

 protected:
  ~PoolJob() = default;

 private:
  friend class Pool;
  const int seats_;             ///< how many helpers are wanted
  int taken_ = 0;               ///< seats that are taken; under the pool's lock
  std::atomic<int> inside_{0};  ///< helpers at work on it
  PoolJob* next_ = nullptr;     ///< the list of open jobs
};

/// A caller opens a job, works on it too, and closes it: it never waits for a helper that has not begun, only for those at
/// work. So loops may nest, any number of threads may call at once, and a pool without threads is merely slow. A helper that
/// has run out of work looks out for more for some 50 us and then sleeps.
class Pool {
 public:
  /// The pool of this process. It is never destroyed, so that threads asleep at exit find it in place. A forked child, which
  /// inherits no threads, gets a new one.
  static Pool& instance();
  void open(PoolJob& job);
  /// No helper begins afterwards; returns when those at work are done.
  void close(PoolJob& job);
  int threads() const { return threads_.load(std::memory_order_relaxed); }

 private:
  void grow(int wanted);
  void help();
  PoolJob* take_seat(int* worker);

  std::mutex lock_;
  std::condition_variable more_, done_;
  PoolJob* first_ = nullptr;  ///< open jobs, the oldest first
  int wanted_ = 0;            ///< seats of all open jobs together
  int asleep_ = 0;            ///< helpers waiting on more_
  int waiting_ = 0;           ///< callers waiting on done_
  std::atomic<int> threads_{0};
  std::atomic<std::uint32_t> opened_{0};  ///< counts open(): what helpers look out for without the lock
};

}  // namespace morpho::cpu
