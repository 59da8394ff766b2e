// Windows that were looked at lately with what their stages left, within a budget: sliders begin where their values first
// matter.
#pragma once
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "../slide/slide.hpp"
#include "kept_stages.hpp"

namespace morpho::engine {

/// Which window: two with equal keys have the same pixels.
struct WindowKey {
  std::weak_ptr<slide::Slide> slide;
  double scale = 1;
  i64 x = 0, y = 0;
  Extent extent;
  Rect core;
  Extent image;
};
bool same(const WindowKey& a, const WindowKey& b);
struct RememberedWindow {
  std::shared_ptr<const std::vector<Rgba>> pixels;
  std::shared_ptr<const KeptStages> stages;
};

/// Thread-safe. What it gives is immutable: two callers may go on from it at once.
class StageMemo {
 public:
  explicit StageMemo(std::size_t budget_bytes) : budget_(budget_bytes) {}
  /// null where there is none.
  std::shared_ptr<const RememberedWindow> find(const WindowKey& key);
  /// In place of what was there; drops those used longest ago beyond the budget, and windows of slides that were closed.
  void keep(const WindowKey& key, std::shared_ptr<const RememberedWindow> window);
  std::size_t held_bytes() const;
  /// Drops everything; returns how much that was.
  std::size_t trim();

 private:
  struct Entry {
    WindowKey key;
    std::shared_ptr<const RememberedWindow> window;
    std::size_t bytes;
  };
  const std::size_t budget_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  ///< the one used last in front
};

}  // namespace morpho::engine
