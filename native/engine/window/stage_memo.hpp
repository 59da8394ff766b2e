// Windows that were looked at lately with what their stages left, within a budget: sliders begin where their values first
// matter.
#pragma once
#include <memory>
#include <vector>

#include "../../slide/slide.hpp"
#include "kept_stages.hpp"
#include "engine/device/recently_used.hpp"

namespace morpho::engine {

/// Which window: two with equal keys have the same pixels.
struct WindowKey {
  std::weak_ptr<slide::Slide> slide;
  double scale = 1;
  i64 x = 0, y = 0;
  Extent extent;
  Rect core;
  Extent image;
  u64 ground = 0;  ///< Ground::epoch() of what it stands on; 0: nothing
};
bool same(const WindowKey& a, const WindowKey& b);
struct RememberedWindow {
  std::shared_ptr<const std::vector<Rgba>> pixels;
  std::shared_ptr<const KeptStages> stages;
  std::shared_ptr<const std::vector<u16>> deep = {};  ///< null where no plan has taken them
};

/// Thread-safe, as RecentlyUsed is.
class StageMemo {
 public:
  explicit StageMemo(std::size_t budget_bytes) : windows_(budget_bytes) {}
  /// null where there is none.
  std::shared_ptr<const RememberedWindow> find(const WindowKey& key);
  /// In place of what was there; drops those used longest ago beyond the budget, and windows of slides that were closed.
  void keep(const WindowKey& key, std::shared_ptr<const RememberedWindow> window);
  std::size_t held_bytes() const { return windows_.held_bytes(); }
  std::size_t trim() { return windows_.trim(); }

 private:
  RecentlyUsed<WindowKey, RememberedWindow> windows_;
};

}  // namespace morpho::engine
