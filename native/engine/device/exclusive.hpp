// Work that only one, or so many, may do at a time for each key, waited for with an eye on cancel.
#pragma once
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <utility>

#include "../../contract/context.hpp"

namespace morpho::engine {

/// Keys are compared by same(). Who waits holds nothing, and learns of its cancel flag within kLookEvery.
template <class Key>
class Exclusive {
 public:
  static constexpr std::chrono::milliseconds kLookEvery{20};

  class Lease {
   public:
    Lease() = default;
    Lease(Lease&& other) noexcept : of_(std::exchange(other.of_, nullptr)), at_(other.at_) {}
    Lease& operator=(Lease&& other) noexcept {
      std::swap(of_, other.of_);
      std::swap(at_, other.at_);
      return *this;
    }
    ~Lease() {
      if (of_) of_->leave(at_);
    }

   private:
    friend class Exclusive;
    Lease(Exclusive& of, typename std::list<Key>::iterator at) : of_(&of), at_(at) {}
    Exclusive* of_ = nullptr;
    typename std::list<Key>::iterator at_{};
  };

  /// Waits while `at_once` others hold the same key. Throws Cancelled.
  [[nodiscard]] Lease enter(Key key, const CancelFlag* cancel, int at_once = 1) {
    std::list<Key> own;
    own.push_back(std::move(key));
    std::unique_lock lock(mutex_);
    for (;;) {
      if (cancel && cancel->load(std::memory_order_relaxed)) throw Cancelled{};
      if (std::count_if(held_.begin(), held_.end(), [&](const Key& k) { return same(k, own.front()); }) < at_once) break;
      changed_.wait_for(lock, kLookEvery);
    }
    held_.splice(held_.begin(), own);
    return Lease(*this, held_.begin());
  }

 private:
  void leave(typename std::list<Key>::iterator at) {
    std::list<Key> gone;
    const std::lock_guard lock(mutex_);
    gone.splice(gone.begin(), held_, at);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Key> held_;
};

}  // namespace morpho::engine
