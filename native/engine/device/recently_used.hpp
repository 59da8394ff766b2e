// What was used lately, within a budget of bytes: the one list behind every memory of windows that somebody looks at.
#pragma once
#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace morpho::engine {

/// Thread-safe. What it gives is immutable: two callers may go on from it at once, also after it was dropped here. A look costs
/// O(entries), of which a budget holds tens.
template <class Key, class Value>
class RecentlyUsed {
 public:
  explicit RecentlyUsed(std::size_t budget_bytes) : budget_(budget_bytes) {}

  /// The one used last of those whose key is asked for; null where there is none.
  template <class IsWanted>
  std::shared_ptr<const Value> find(const IsWanted& is_wanted) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return is_wanted(e.key); });
    if (found == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().value;
  }
  /// Drops those whose key is outlived, and beyond the budget those used longest ago; a value larger than the budget is not
  /// kept.
  template <class IsOutlived>
  void keep(Key key, std::shared_ptr<const Value> value, std::size_t bytes, const IsOutlived& is_outlived) {
    std::list<Entry> gone;  // freed outside of the lock
    const std::lock_guard lock(mutex_);
    std::size_t held = bytes;
    for (auto e = entries_.begin(); e != entries_.end();) {
      const auto next = std::next(e);
      if (is_outlived(e->key) || held + e->bytes > budget_) gone.splice(gone.end(), entries_, e);
      else held += e->bytes;
      e = next;
    }
    if (bytes <= budget_) entries_.push_front({std::move(key), std::move(value), bytes});
  }
  std::size_t held_bytes() const {
    const std::lock_guard lock(mutex_);
    return sum(entries_);
  }
  /// Drops everything; returns how much that was.
  std::size_t trim() {
    std::list<Entry> gone;
    const std::lock_guard lock(mutex_);
    gone.swap(entries_);
    return sum(gone);
  }

 private:
  struct Entry {
    Key key;
    std::shared_ptr<const Value> value;
    std::size_t bytes;
  };
  static std::size_t sum(const std::list<Entry>& entries) {
    std::size_t bytes = 0;
    for (const Entry& e : entries) bytes += e.bytes;
    return bytes;
  }
  const std::size_t budget_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  ///< the one used last in front
};

}  // namespace morpho::engine
