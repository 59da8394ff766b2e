// Starts, wakes and parks the threads that help with parallel loops.
#include "cpu/runtime/parallel_pool.hpp"

#include <chrono>
#include <exception>
#include <thread>
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define MORPHO_FORKS 1
#endif

namespace morpho::cpu {
namespace {

/// Waking a sleeping thread takes 10 to 50 us; loops of one operation follow each other faster than that.
constexpr std::chrono::microseconds kLookOut{50};
/// More helpers than this gain nothing on any machine: callers then share those that there are.
constexpr int kMostThreads = 256;

void breathe() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Looks at ready() for a short time. Returns what it last said.
template <class Ready>
bool look_out(Ready&& ready) {
  const auto end = std::chrono::steady_clock::now() + kLookOut;
  do {
    for (int i = 0; i < 32; ++i) {
      if (ready()) return true;
      breathe();
    }
  } while (std::chrono::steady_clock::now() < end);
  return ready();
}

std::atomic<Pool*> current{nullptr};

}  // namespace

Pool& Pool::instance() {
  Pool* pool = current.load(std::memory_order_acquire);
  if (pool) return *pool;
#ifdef MORPHO_FORKS
  // The child has no helpers, and a lock that another thread of the parent held stays locked: it leaves the old pool alone.
  static const int registered = pthread_atfork(nullptr, nullptr, [] { current.store(nullptr, std::memory_order_release); });
  (void)registered;
#endif
  Pool* made = new Pool;
  if (current.compare_exchange_strong(pool, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *pool;
}

void Pool::open(PoolJob& job) {
  int wake = 0;
  {
    const std::lock_guard<std::mutex> hold(lock_);
    wanted_ += job.seats_;
    grow(wanted_);
    PoolJob** end = &first_;
    while (*end) end = &(*end)->next_;
    *end = &job;
    opened_.fetch_add(1, std::memory_order_release);
    wake = job.seats_ < asleep_ ? job.seats_ : asleep_;
  }
  for (; wake > 0; --wake) more_.notify_one();
}

void Pool::close(PoolJob& job) {
  {
    const std::lock_guard<std::mutex> hold(lock_);
    wanted_ -= job.seats_;
    PoolJob** at = &first_;
    while (*at != &job) at = &(*at)->next_;
    *at = job.next_;
  }
  const auto done = [&] { return job.inside_.load(std::memory_order_acquire) == 0; };
  if (look_out(done)) return;
  std::unique_lock<std::mutex> hold(lock_);
  ++waiting_;
  done_.wait(hold, done);
  --waiting_;
}

/// With the lock held.
void Pool::grow(int wanted) {
  int threads = threads_.load(std::memory_order_relaxed);
  for (; threads < wanted && threads < kMostThreads; ++threads) {
    try {
      std::thread([this] { help(); }).detach();
    } catch (const std::exception&) {
      break;  // the system has no thread to spare: those that run do all the pieces, the result is the same
    }
  }
  threads_.store(threads, std::memory_order_relaxed);
}

/// With the lock held: a seat at the oldest job that has one, or null.
PoolJob* Pool::take_seat(int* worker) {
  for (PoolJob* job = first_; job; job = job->next_) {
    if (job->taken_ == job->seats_) continue;
    *worker = ++job->taken_;
    job->inside_.fetch_add(1, std::memory_order_relaxed);
    return job;
  }
  return nullptr;
}

void Pool::help() {
  for (std::uint32_t seen = opened_.load(std::memory_order_acquire);;) {
    int worker = 0;
    PoolJob* job = nullptr;
    {
      std::unique_lock<std::mutex> hold(lock_);
      seen = opened_.load(std::memory_order_relaxed);
      job = take_seat(&worker);
    }
    if (!job) {
      if (look_out([&] { return opened_.load(std::memory_order_acquire) != seen; })) continue;
      std::unique_lock<std::mutex> hold(lock_);
      ++asleep_;
      more_.wait(hold, [&] { return opened_.load(std::memory_order_relaxed) != seen; });
      --asleep_;
      continue;
    }
    job->work(worker);
    const std::lock_guard<std::mutex> hold(lock_);
    // The last touch: once nobody is inside, the job may be gone.
    if (job->inside_.fetch_sub(1, std::memory_order_release) == 1 && waiting_ > 0) done_.notify_all();
  }
}

}  // namespace morpho::cpu
