// See stage_memo.hpp.
#include "stage_memo.hpp"

#include <algorithm>

namespace morpho::engine {
namespace {

bool same(const Rect& a, const Rect& b) { return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height; }
bool same(Extent a, Extent b) { return a.width == b.width && a.height == b.height; }
}  // namespace

bool same(const WindowKey& a, const WindowKey& b) {
  const bool same_slide = !a.slide.owner_before(b.slide) && !b.slide.owner_before(a.slide);
  return same_slide && a.scale == b.scale && a.x == b.x && a.y == b.y && same(a.extent, b.extent) && same(a.core, b.core) &&
         same(a.image, b.image);
}

std::shared_ptr<const RememberedWindow> StageMemo::find(const WindowKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return same(e.key, key); });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front().window;
}

void StageMemo::keep(const WindowKey& key, std::shared_ptr<const RememberedWindow> window) {
  const std::size_t bytes = window->pixels->size() * sizeof(Rgba) + window->stages->bytes();
  std::list<Entry> gone;  // freed outside of the lock
  const std::lock_guard lock(mutex_);
  std::size_t held = bytes;
  for (auto e = entries_.begin(); e != entries_.end();) {
    const auto next = std::next(e);
    const bool stays = !same(e->key, key) && !e->key.slide.expired() && held + e->bytes <= budget_;
    if (stays) held += e->bytes;
    else gone.splice(gone.end(), entries_, e);
    e = next;
  }
  if (bytes <= budget_) entries_.push_front({key, std::move(window), bytes});
}

std::size_t StageMemo::held_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t sum = 0;
  for (const Entry& e : entries_) sum += e.bytes;
  return sum;
}

std::size_t StageMemo::trim() {
  std::list<Entry> gone;
  std::size_t sum = 0;
  {
    const std::lock_guard lock(mutex_);
    gone.swap(entries_);
  }
  for (const Entry& e : gone) sum += e.bytes;
  return sum;
}

}  // namespace morpho::engine
