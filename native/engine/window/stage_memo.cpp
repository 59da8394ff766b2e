// See stage_memo.hpp.
#include "stage_memo.hpp"

namespace morpho::engine {
namespace {

bool same(const Rect& a, const Rect& b) { return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height; }
bool same(Extent a, Extent b) { return a.width == b.width && a.height == b.height; }
}  // namespace

bool same(const WindowKey& a, const WindowKey& b) {
  const bool same_slide = !a.slide.owner_before(b.slide) && !b.slide.owner_before(a.slide);
  return same_slide && a.scale == b.scale && a.x == b.x && a.y == b.y && same(a.extent, b.extent) && same(a.core, b.core) &&
         same(a.image, b.image) && a.ground == b.ground;
}

std::shared_ptr<const RememberedWindow> StageMemo::find(const WindowKey& key) {
  return windows_.find([&](const WindowKey& of) { return same(of, key); });
}

void StageMemo::keep(const WindowKey& key, std::shared_ptr<const RememberedWindow> window) {
  const std::size_t bytes = window->pixels->size() * sizeof(Rgba) + (window->deep ? window->deep->size() * sizeof(u16) : 0) +
                            window->stages->bytes();
  windows_.keep(key, std::move(window), bytes, [&](const WindowKey& of) { return same(of, key) || of.slide.expired(); });
}

}  // namespace morpho::engine
